//! Input texts, so that spans become lines and columns.

use tilehaul_diag::{FileId, Span};

/// Texts of one run, by [`FileId`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<(String, String)>,
}

/// A span in words that editors understand. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file as the user gave it.
    pub file: String,
    /// Line of the first byte.
    pub line: usize,
    /// Column of the first byte.
    pub column: usize,
    /// Line of the last byte.
    pub end_line: usize,
    /// Column after the last byte.
    pub end_column: usize,
}

impl Sources {
    /// One text.
    #[must_use]
    pub fn one(name: impl Into<String>, text: impl Into<String>) -> Sources {
        let mut sources = Sources::default();
        sources.add(name, text);
        sources
    }

    /// Adds a text and says which number it got.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push((name.into(), text.into()));
        FileId(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
    }

    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// No text at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Name and text of a file.
    #[must_use]
    pub fn get(&self, file: FileId) -> Option<(&str, &str)> {
        self.files.get(file.0 as usize).map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The bytes of a span that lie in its text, moved to character boundaries.
    #[must_use]
    pub fn range(&self, span: Span) -> Option<std::ops::Range<usize>> {
        let (_, text) = self.get(span.file)?;
        let start = floor(text, span.start as usize);
        let end = floor(text, (span.end as usize).max(start));
        Some(start..end.max(start))
    }

    /// Lines and columns of a span.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<Place> {
        let (name, text) = self.get(span.file)?;
        let range = self.range(span)?;
        let (line, column) = line_column(text, range.start);
        let (end_line, end_column) = line_column(text, range.end);
        Some(Place { file: name.to_owned(), line, column, end_line, end_column })
    }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        let sources = Sources::one("a.ptx", "mov\nädd x\n");
        let place = sources.place(Span::new(FileId(0), 9, 10)).unwrap();
        assert_eq!((place.line, place.column, place.end_column), (2, 5, 6));
        assert_eq!(
            sources.place(Span::new(FileId(0), 5, 900)).map(|p| p.column),
            Some(1),
            "moved off the middle of ä"
        );
        assert_eq!(sources.place(Span::new(FileId(3), 0, 0)), None);
    }
}
