//! Extents of tensor operations that do not shrink with the tile's column.
//!
//! Extents count from the tile's address: a tile that starts at column c of rows of n elements has n - c of them left, and
//! with tensor_dim0 = n the hardware masks nothing: each row goes on with the start of the next one. Whether what comes from
//! there is used the operation does not say (compilers drop it later): this is a note, told where something is wrong. The
//! buffer must be whole rows by its size, and no row longer than the distance of two: wider rows are views that overlap.
//!
//! May miss buffers with something before the rows; never speaks of a tile that ends within its row.

use tilehaul_descriptor::amd::tdm::{TdmDescriptor, TdmFields};
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::Memories;

/// What is said of an operation whose rows go on into the next ones.
pub(crate) fn runs_on(name: &str, descriptor: &TdmDescriptor, memories: &Memories) -> Option<Diagnostic> {
    let TdmFields { count, global_addr, data_size_bytes, tensor_dim, tile_dim, tensor_dim_stride, .. } =
        descriptor.fields();
    let (length, extent) = (tensor_dim_stride[0], u64::from(tensor_dim[0]));
    let row = length.checked_mul(data_size_bytes).filter(|row| *row > 0)?;
    let buffer = memories.global.find(global_addr, 1)?;
    let (at, bytes) = (global_addr - buffer.base, buffer.data.len() as u64);
    let (column, part) = (at % row / data_size_bytes, at % data_size_bytes);
    let rows = count == 1 && tile_dim[1] > 0 && bytes > row && bytes % row == 0 && part == 0;
    let taken = extent.min(tile_dim[0].into());
    let left = length - column;
    if !rows || column == 0 || extent > length || taken <= left {
        return None;
    }
    let message = format!(
        "the rows that {name} moves from column {column} of buffer {} on run {} elements into the next ones: tensor_dim0 = {extent} counts \
         from the tile's address, where {left} of {length} elements are left, so nothing is masked",
        buffer.name,
        taken - left
    );
    Some(
        Diagnostic::new(Code("tdm-extent-not-shrunk"), Level::Note, message)
            .fix(format!("Set tensor_dim0 = {left}, the length of a row less the tile's column."))
            .source(Source::manual("CDNA5 ISA 10.11, tensor dimensions are counted from the tile's start")),
    )
}

#[cfg(test)]
mod tests {
    use tilehaul_descriptor::amd::tdm::TdmMode;
    use tilehaul_machine::{Contents, GlobalMemory};

    use super::*;

    /// A tile of 16 columns from `column` on, of four rows, in a buffer of six rows of 24 dwords; `more` bytes stand before them.
    fn told(column: u64, extent: u32, tile: u16, more: u64) -> Option<String> {
        let mut global = GlobalMemory::new();
        let base = global.allocate("m", vec![0; 6 * 24 * 4 + more as usize], 256, Contents::Written);
        let descriptor = TdmFields {
            count: 1,
            kind: 2,
            lds_addr: 0,
            global_addr: base + more + column * 4,
            workgroup_mask: 0,
            data_size_bytes: 4,
            barrier: None,
            early_timeout: false,
            padding: None,
            tensor_dim: [extent, 6, 0, 0, 0],
            tile_dim: [tile, 4, 0, 0, 0],
            tensor_dim_stride: [24, 0, 0, 0],
            mode: TdmMode::Dense,
        };
        let descriptor = descriptor.encode().unwrap_or_else(|told| panic!("{told:?}"));
        runs_on("tensor_load_to_lds", &descriptor, &Memories::new(global, 1)).map(|d| d.message)
    }

    #[test]
    fn a_row_that_runs_into_the_next_is_told() {
        assert!(told(16, 24, 16, 0).is_some_and(|m| m.contains("run 8 elements into the next")));
        // Shrunk, within its row, from the first column on, wider than a row on purpose, behind something else.
        for quiet in [
            told(16, 8, 16, 0),
            told(8, 24, 16, 0),
            told(0, 24, 16, 0),
            told(16, 40, 16, 0),
            told(16, 24, 16, 64),
        ] {
            assert_eq!(quiet, None);
        }
    }
}
