//! The agreement check: a tile that lands under one layout and is read under another.
//!
//! The writer is the engine that lands the tile, the reader whatever expects it: a matrix descriptor, the row addresses
//! of `ldmatrix`, a transposing load. Both are views of the same tile into one memory. The reader gets the right bytes
//! exactly where both put an element in the same place; otherwise it gets another element, or bytes that nobody wrote.

use std::collections::BTreeMap;

use crate::axis::Axis;
use crate::strided::LayoutError;
use crate::view::View;

/// The first element that the reader gets wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What the reader wants.
    pub element: Vec<u64>,
    /// Where the writer put it, in elements from the start of memory.
    pub written_at: i64,
    /// Where the reader looks.
    pub read_from: i64,
    /// What the reader gets there; `None` when nothing was written.
    pub gets: Option<Vec<u64>>,
    /// Elements that the reader gets wrong.
    pub count: u64,
}

/// Compares where a tile is written with where it is read. `base` is the tile's start in memory, in elements: the writer
/// swizzles addresses of memory, as engines do; `relative` says that the reader swizzles offsets from the start, as
/// hand-written index arithmetic does (manual: the swizzle of TMA depends on the absolute shared-memory address).
///
/// # Errors
/// When the shapes differ or the views are too large.
pub fn agreement(
    written: &View,
    read: &View,
    base: i64,
    relative: Reader,
) -> Result<Option<Disagreement>, LayoutError> {
    if written.shape() != read.shape() {
        return Err(LayoutError("the writer and the reader have tiles of different shapes".into()));
    }
    written.check_table()?;
    let mut holds = BTreeMap::new();
    for n in 0..written.size() {
        holds.insert(written.address(n, base), n);
    }
    let mut found: Option<Disagreement> = None;
    for n in 0..written.size() {
        let written_at = written.address(n, base);
        let read_from = match relative {
            Reader::Absolute => read.address(n, base),
            Reader::Relative => base.saturating_add(read.at(n, Axis::Memory)),
        };
        if written_at == read_from {
            continue;
        }
        match &mut found {
            Some(d) => d.count += 1,
            None => {
                let gets = holds.get(&read_from).map(|&m| written.element(m));
                let element = written.element(n);
                found = Some(Disagreement { element, written_at, read_from, gets, count: 1 });
            }
        }
    }
    Ok(found)
}

/// What the reader's swizzle works on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reader {
    /// Addresses of memory: descriptors and engines.
    #[default]
    Absolute,
    /// Offsets from the tile's start: index arithmetic in a kernel.
    Relative,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    fn view(text: &str) -> View {
        parse(text, None).unwrap()
    }

    #[test]
    fn another_swizzle_is_found() {
        let (wide, narrow) = ("Swizzle<3,3,3> o 0 o (16,64):(64,1)", "Swizzle<2,3,3> o 0 o (16,64):(64,1)");
        let same = agreement(&view(wide), &view(wide), 0, Reader::Absolute).unwrap();
        assert_eq!(same, None);
        let d = agreement(&view(wide), &view(narrow), 0, Reader::Absolute).unwrap().unwrap();
        // Rows 0 to 3 of eight agree; row 4 is the first one whose third row bit moves chunks.
        assert_eq!(d.element, [4, 0]);
        assert_eq!((d.written_at, d.read_from), (4 * 64 + 32, 4 * 64));
        assert_eq!(d.gets, Some(vec![4, 32]));
        assert_eq!(d.count, 8 * 64);
    }

    #[test]
    fn a_base_off_the_pattern_is_found() {
        let tile = view("Swizzle<3,3,3> o 0 o (16,64):(64,1)");
        assert_eq!(agreement(&tile, &tile, 64, Reader::Absolute).unwrap(), None);
        let d = agreement(&tile, &tile, 64, Reader::Relative).unwrap().unwrap();
        // 128 bytes past a pattern every row is wrong.
        assert_eq!((d.element, d.count), (vec![0, 0], 1024));
        assert_eq!(agreement(&tile, &tile, 512, Reader::Relative).unwrap(), None);
    }

    #[test]
    fn bytes_that_nobody_wrote() {
        let packed = view("(8,64):(64,1)");
        let padded = view("(8,64):(72,1)");
        let d = agreement(&packed, &padded, 0, Reader::Absolute).unwrap().unwrap();
        assert_eq!((d.element, d.gets), (vec![1, 0], Some(vec![1, 8])));
        let d = agreement(&padded, &packed, 0, Reader::Absolute).unwrap().unwrap();
        assert_eq!(d.gets, None);
    }
}
