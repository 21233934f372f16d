//! Colours of the terminal, or none.

/// How a piece of text stands out. Meanings, not colours: the palette is in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Headings and names.
    Strong,
    /// What matters less: bit positions, sources.
    Faint,
    /// Something is wrong.
    Bad,
    /// Worth a look.
    Warn,
    /// Fine.
    Good,
    /// The tile in a picture.
    Tile,
    /// Bytes filled or dropped.
    Fill,
    /// Row number n of a gather: colours repeat after six.
    Row(usize),
}

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// No escape codes at all.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

impl Style {
    /// `text` in that ink; unchanged when plain.
    #[must_use]
    pub fn paint(self, ink: Ink, text: &str) -> String {
        if self == Style::Plain || text.is_empty() {
            return text.to_owned();
        }
        const ROWS: [&str; 6] = ["36", "33", "35", "32", "34", "31"];
        let code = match ink {
            Ink::Strong => "1",
            Ink::Faint => "2",
            Ink::Bad => "1;31",
            Ink::Warn => "33",
            Ink::Good => "32",
            Ink::Tile => "1;36",
            Ink::Fill => "31",
            Ink::Row(row) => ROWS.get(row % ROWS.len()).copied().unwrap_or("0"),
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
