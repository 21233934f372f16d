//! Whether two views mean the same.

use super::{Map, Place, View};
use crate::finish::Finish;
use crate::strided::{Layout, LayoutError, MAX_TABLE, error, shape_text};

/// The first element on which two views differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its coordinates.
    pub element: Vec<u64>,
    /// Where the first view puts it.
    pub left: Vec<Place>,
    /// Where the second view puts it.
    pub right: Vec<Place>,
    /// How many elements differ.
    pub count: u64,
}

impl View {
    /// The first element that the two views send to different places, or `None` when they are equal by meaning.
    /// Thread axes are compared as threads of the block, so `32@wid_in_wg + laneid` equals `tid_in_wg`.
    ///
    /// # Errors
    /// When the shapes differ or the views are too large to be compared.
    pub fn difference(&self, other: &View) -> Result<Option<Difference>, LayoutError> {
        if self.shape != other.shape {
            return error(format!(
                "views of shapes {} and {} cannot be compared",
                shape_text(&self.shape),
                shape_text(&other.shape)
            ));
        }
        if let (Some(a), Some(b)) = (self.normal(), other.normal())
            && a == b
        {
            return Ok(None);
        }
        if let (Ok(a), Ok(b)) = (self.bits(), other.bits())
            && a.0.same_as(&b.0)
            && a.0.outputs() == b.0.outputs()
            && a.1 == b.1
        {
            return Ok(None);
        }
        let copies = self.copies().max(other.copies());
        if self.size().saturating_mul(copies) > MAX_TABLE {
            return error(format!(
                "views of {} elements in {copies} copies are too large to be compared; comparison stops at {MAX_TABLE}",
                self.size()
            ));
        }
        let plain = |view: &View, n: u64| {
            let mut places: Vec<Place> = view.places(n).iter().map(Place::plain).collect();
            places.sort();
            places.dedup();
            places
        };
        let mut found: Option<Difference> = None;
        for n in 0..self.size() {
            if plain(self, n) == plain(other, n) {
                continue;
            }
            match &mut found {
                Some(d) => d.count += 1,
                None => {
                    found = Some(Difference {
                        element: self.element(n),
                        left: self.places(n),
                        right: other.places(n),
                        count: 1,
                    });
                }
            }
        }
        Ok(found)
    }

    /// Whether both send every element to the same places.
    ///
    /// # Errors
    /// As [`View::difference`].
    pub fn same_as(&self, other: &View) -> Result<bool, LayoutError> {
        Ok(self.difference(other)?.is_none())
    }

    /// A form in which equal texts are surely equal views; `None` when there is none.
    fn normal(&self) -> Option<(Layout, &[Finish])> {
        match &self.map {
            Map::Strided(layout) => Some((layout.with_plain_threads().canonical(), &self.finish)),
            Map::Linear { .. } => None,
        }
    }
}
