//! Sets of events.

/// A set of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Events(Vec<u64>);

impl Events {
    pub(super) fn has(&self, event: usize) -> bool {
        self.0.get(event / 64).is_some_and(|w| w >> (event % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, event: usize) {
        if self.0.len() <= event / 64 {
            self.0.resize(event / 64 + 1, 0);
        }
        if let Some(word) = self.0.get_mut(event / 64) {
            *word |= 1 << (event % 64);
        }
    }

    pub(super) fn extend(&mut self, other: &Events) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }
}
