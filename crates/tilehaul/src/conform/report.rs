//! What a comparison found.

/// What the model says about one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The same as the record, or a member of what the record allows.
    Agrees,
    /// Something else; the text names the field and both values.
    Differs(String),
    /// Nothing: not modelled.
    Unsupported(String),
    /// The record cannot be read.
    Malformed(String),
}

/// One record that does not simply agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Position in the file, from 0.
    pub index: usize,
    /// What the record is about.
    pub what: String,
    /// What was found.
    pub outcome: Outcome,
}

/// What a comparison found, over a whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Records that agree.
    pub agreed: usize,
    /// All others, in order.
    pub remarks: Vec<Remark>,
}

impl Report {
    /// Adds the outcome of one record.
    pub fn add(&mut self, index: usize, what: String, outcome: Outcome) {
        match outcome {
            Outcome::Agrees => self.agreed += 1,
            outcome => self.remarks.push(Remark { index, what, outcome }),
        }
    }

    /// Number of records looked at.
    #[must_use]
    pub fn total(&self) -> usize {
        self.agreed + self.remarks.len()
    }

    /// Records that the model answers differently.
    pub fn disagreements(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(|remark| matches!(remark.outcome, Outcome::Differs(_)))
    }

    /// Records that the model cannot answer.
    pub fn unsupported(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(|remark| matches!(remark.outcome, Outcome::Unsupported(_)))
    }

    /// Records that cannot be read.
    pub fn malformed(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(|remark| matches!(remark.outcome, Outcome::Malformed(_)))
    }
}
