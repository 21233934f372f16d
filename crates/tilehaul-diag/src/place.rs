//! Places in input files.

/// A file among the inputs of one run, by its position in the caller's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// Bytes `start..end` of one input file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// Bytes `start..end` of `file`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The smallest span that holds both; both must lie in one file, else `self`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_inside_one_file_only() {
        let (a, b) = (FileId(0), FileId(1));
        let (early, late) = (Span::new(a, 3, 5), Span::new(a, 9, 12));
        assert_eq!(early.to(late), Span::new(a, 3, 12));
        assert_eq!(late.to(early), Span::new(a, 3, 12));
        assert_eq!(Span::new(a, 3, 20).to(late), Span::new(a, 3, 20));
        assert_eq!(early.to(Span::new(b, 0, 40)), early);
    }
}
