//! Operands of matrix products in shared memory, as matrix descriptors place them.

use std::ops::Range;

use smallvec::SmallVec;
use tilehaul_descriptor::nvidia::{MatrixDescriptor, MatrixUnit, Swizzle};
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{AccessKind, JobFault, Memories, Space, Touch};

use super::{Cx, Stop};

impl Cx<'_> {
    pub(crate) fn shared_matrix(
        &self,
        unit: MatrixUnit,
        word: u64,
        transpose: bool,
        bytes: u32,
    ) -> Result<SharedMatrix, Stop> {
        if unit == MatrixUnit::Tcgen05 && word >> 46 & 7 != 1 {
            let message = format!(
                "bits 48 to 46 of the matrix descriptor {word:#018x} are {:#05b}; those of a tcgen05 descriptor are 0b001 (0b000 is the form of wgmma)",
                word >> 46 & 7
            );
            return Err(self.trap(Box::new(
                Diagnostic::new(Code("matrix-descriptor-constant"), Level::Error, message)
                    .fix(format!("Use {:#018x}.", word & !(7 << 46) | 1 << 46))
                    .source(Source::manual("PTX ISA, tcgen05 shared memory descriptor")),
            )));
        }
        match MatrixDescriptor::decode(unit, word) {
            Some(d) => Ok(SharedMatrix {
                start: u64::from(d.start),
                leading: u64::from(d.leading),
                stride: u64::from(d.stride),
                swizzle: d.swizzle,
                transpose,
                bytes: u64::from(bytes),
            }),
            None => {
                let message =
                    format!("the matrix descriptor {word:#018x} has a swizzle code without a meaning");
                Err(self.fail("matrix-descriptor-swizzle", message))
            }
        }
    }
}

impl Cx<'_> {
    /// Says so where groups of eight rows of an operand lie in each other: its stride byte offset is smaller than a group.
    ///
    /// A stride of 0 repeats one group, which may be meant. Only operands whose rows lie in a row of K are judged: of the others
    /// both offsets depend on the shape.
    pub(super) fn judge_groups(&mut self, matrix: &SharedMatrix, rows: u64, operand: &str) {
        let group = 8 * matrix.width();
        let (stride, turned) = (matrix.stride, matrix.transpose);
        if turned || rows <= 8 || stride == 0 || stride >= group || !self.core.watching() {
            return;
        }
        let message = format!(
            "{operand} of {} has a stride byte offset of {stride}: its groups of 8 rows of {} bytes lie in each other",
            self.p.name(self.pc),
            matrix.width()
        );
        let told = Diagnostic::new(Code("matrix-groups-overlap"), Level::Warning, message)
            .fix(format!("Use {group} where the groups follow each other without a gap."))
            .source(Source::manual("PTX ISA, canonical layouts of matrices in shared memory"));
        self.core.report(self.who(), told);
    }
}

/// A swizzle in words, as descriptors of both sides are compared by.
pub(crate) fn arrangement(swizzle: Swizzle) -> &'static str {
    match swizzle.span() {
        None => "no swizzle",
        Some(32) => "32B swizzle",
        Some(64) => "64B swizzle",
        Some(96) => "96B swizzle",
        Some(_) => "128B swizzle",
    }
}

/// The same of a tile that lands, and the bytes of address after which its pattern begins anew: eight rows. Of 96B no
/// source says that; 0 then, as without swizzle.
pub(crate) fn landing(swizzle: Swizzle) -> (&'static str, u32) {
    let period = match swizzle.span() {
        None | Some(96) => 0,
        Some(span) => 8 * span,
    };
    (arrangement(swizzle), period)
}

/// An operand in shared memory: rows of M (or columns of N) along K.
///
/// manual: PTX ISA, canonical layouts. K-major: eight rows of a swizzled width, groups of eight `stride` apart; without
/// swizzle core matrices of 8 rows by 16 bytes, `leading` apart along K. MN-major: the swizzled width runs along M or N,
/// the next width is `leading` further, eight steps of K `stride` further.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedMatrix {
    start: u64,
    leading: u64,
    stride: u64,
    swizzle: Swizzle,
    transpose: bool,
    bytes: u64,
}

impl SharedMatrix {
    /// Its first byte and its swizzle in words.
    pub(crate) fn arranged(&self) -> (u64, &'static str) {
        (self.start, arrangement(self.swizzle))
    }

    /// Shared-memory address of element (`row`, `k`).
    pub(crate) fn address(&self, row: usize, k: usize) -> u64 {
        self.swizzled(self.row_part(row), self.k_part(k))
    }

    /// 18 address bits: hardware wraps, what is past the block is caught when it is read.
    fn swizzled(&self, row_part: u64, k_part: u64) -> u64 {
        self.swizzle.permute(self.start + row_part + k_part)
    }

    /// What a row adds to an address.
    fn row_part(&self, row: usize) -> u64 {
        let (row, width) = (row as u64, self.width());
        if !self.transpose {
            return row / 8 * self.stride + row % 8 * width;
        }
        let along = row * self.bytes;
        let across = if self.swizzle.span().is_none() { self.stride } else { self.leading };
        along / width * across + along % width
    }

    /// What a place along K adds.
    fn k_part(&self, k: usize) -> u64 {
        let (k, width) = (k as u64, self.width());
        if self.transpose {
            let group = if self.swizzle.span().is_none() { self.leading } else { self.stride };
            return k % 8 * width + k / 8 * group;
        }
        let along = k * self.bytes;
        along / width * self.leading + along % width
    }

    fn width(&self) -> u64 {
        self.swizzle.span().map_or(16, u64::from)
    }

    fn chunks(&self, rows: Range<usize>, k: usize) -> Vec<u64> {
        let step = (16 / self.bytes) as usize;
        let mut all = Vec::new();
        if self.transpose {
            for k in 0..k {
                all.extend(rows.clone().step_by(step).map(|row| self.address(row, k) & !15));
            }
        } else {
            for row in rows {
                all.extend((0..k).step_by(step).map(|k| self.address(row, k) & !15));
            }
        }
        all
    }

    /// Tells what is read, neighbouring chunks joined.
    pub(crate) fn touch(&self, space: Space, rows: Range<usize>, k: usize, touches: &mut Vec<Touch>) {
        let mut chunks = self.chunks(rows, k);
        chunks.sort_unstable();
        chunks.dedup();
        for chunk in chunks {
            match touches.last_mut() {
                Some(t) if t.space == space && t.start + t.len == chunk => t.len += 16,
                _ => touches.push(Touch { space, start: chunk, len: 16, kind: AccessKind::Read, lane: 0 }),
            }
        }
    }

    /// Fills `out` with the elements, rows by K.
    pub(super) fn gather(
        &self,
        memories: &Memories,
        space: Space,
        rows: Range<usize>,
        k: usize,
        out: &mut [u32],
    ) -> Result<(), JobFault> {
        match self.bytes {
            1 => self.gather_as::<1>(memories, space, rows, k, out),
            2 => self.gather_as::<2>(memories, space, rows, k, out),
            _ => self.gather_as::<4>(memories, space, rows, k, out),
        }
    }

    /// The same for elements of `N` bytes.
    fn gather_as<const N: usize>(
        &self,
        memories: &Memories,
        space: Space,
        rows: Range<usize>,
        k: usize,
        out: &mut [u32],
    ) -> Result<(), JobFault> {
        let step = 16 / N;
        let all = memories.of_block(space);
        let chunk = |row_part: u64, k_part: u64| -> Result<&[[u8; N]], JobFault> {
            let address = self.swizzled(row_part, k_part);
            let fault = JobFault { space, address, len: 16, write: false };
            let bytes = all.get(address as usize..).and_then(<[u8]>::first_chunk::<16>).ok_or(fault)?;
            Ok(bytes.as_chunks().0)
        };
        let k_step = if self.transpose { 1 } else { step };
        let k_parts: SmallVec<[u64; 32]> = (0..k).step_by(k_step).map(|k| self.k_part(k)).collect();
        let widened = |element: &[u8; N]| {
            let mut raw = [0u8; 4];
            raw[..N].copy_from_slice(element);
            u32::from_le_bytes(raw)
        };
        if self.transpose {
            for (row, lines) in rows.step_by(step).zip(out.chunks_mut(step * k.max(1))) {
                let row_part = self.row_part(row);
                for (at_k, k_part) in k_parts.iter().enumerate() {
                    let places = lines.iter_mut().skip(at_k).step_by(k);
                    for (e, element) in places.zip(chunk(row_part, *k_part)?) {
                        *e = widened(element);
                    }
                }
            }
        } else {
            for (row, line) in rows.zip(out.chunks_mut(k.max(1))) {
                let row_part = self.row_part(row);
                for (k_part, places) in k_parts.iter().zip(line.chunks_mut(step)) {
                    for (e, element) in places.iter_mut().zip(chunk(row_part, *k_part)?) {
                        *e = widened(element);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(swizzle: Swizzle, transpose: bool) -> SharedMatrix {
        SharedMatrix { start: 0, leading: 4096, stride: 1024, swizzle, transpose, bytes: 2 }
    }

    #[test]
    fn canonical_layouts() {
        let m = matrix(Swizzle::B128, false);
        assert_eq!(m.address(0, 8), 16);
        assert_eq!(m.address(1, 0), 128 + 16);
        assert_eq!(m.address(9, 0), 1024 + 128 + 16);
        let m = matrix(Swizzle::B128, true);
        assert_eq!(m.address(8, 0), 16);
        assert_eq!(m.address(0, 1), 128 + 16);
        assert_eq!(m.address(64, 0), 4096);
        assert_eq!(m.address(0, 8), 1024);
        let m = matrix(Swizzle::None, false);
        assert_eq!((m.address(1, 0), m.address(8, 0), m.address(0, 8)), (16, 1024, 4096));
        let m = matrix(Swizzle::None, true);
        assert_eq!((m.address(0, 1), m.address(8, 0), m.address(0, 8)), (16, 1024, 4096));
    }
}
