//! Operands of an apply: a view, what kind of storage it is, and the part of it that takes part.

use super::{Refusal, refuse};
use crate::view::View;

/// Where an operand lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// Registers of threads: scope `local`.
    Registers,
    /// Tensor memory: scope `tmem`.
    Tensor,
    /// Shared memory: scope `shared`.
    Shared,
}

impl Storage {
    /// The scope's name in messages.
    #[must_use]
    pub fn scope(self) -> &'static str {
        match self {
            Storage::Registers => "local",
            Storage::Tensor => "tmem",
            Storage::Shared => "shared",
        }
    }
}

/// One operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its storage.
    pub storage: Storage,
    /// Bits of an element; columns of tensor memory are counted in elements.
    pub element_bits: u32,
    /// Its view: shape `(group…, repeat…, atom…)` or larger.
    pub view: View,
    /// First coordinate and extent of each dimension that takes part.
    pub region: Vec<(i64, u64)>,
    /// Which allocation it is a view of: equal numbers are equal allocations.
    pub backing: u32,
}

impl Operand {
    /// An operand of which every element takes part.
    #[must_use]
    pub fn whole(storage: Storage, element_bits: u32, view: View) -> Operand {
        let region = view.shape().iter().map(|&extent| (0, extent)).collect();
        Operand { storage, element_bits, view, region, backing: 0 }
    }

    /// Extents of the region.
    #[must_use]
    pub fn extents(&self) -> Vec<u64> {
        self.region.iter().map(|r| r.1).collect()
    }
}

/// Operands after the checks of shapes that every instruction shares.
pub(super) struct Fitted<'a> {
    pub(super) operand: &'a Operand,
    /// Row-major element numbers: of the region's origin, and the step of one along each dimension.
    origin: u64,
    steps: Vec<u64>,
}

impl Fitted<'_> {
    /// Number of the element at region coordinates `(group…, repeat…)`, atom at its origin.
    pub(super) fn base(&self, lead: &[u64]) -> u64 {
        self.origin + lead.iter().zip(&self.steps).map(|(x, s)| x * s).sum::<u64>()
    }

    /// Steps of the last `n` dimensions: those of the atom.
    pub(super) fn atom_steps(&self, n: usize) -> &[u64] {
        self.steps.get(self.steps.len().saturating_sub(n)..).unwrap_or(&[])
    }
}

/// Checks storage, group, repeat, atom and extent of one operand. The first operand fixes the repeats.
pub(super) fn fit<'a>(
    name: &str,
    operand: &'a Operand,
    storage: Storage,
    group: &[u64],
    atom: &[u64],
    repeats: &mut Option<Vec<u64>>,
) -> Result<Fitted<'a>, Refusal> {
    if operand.storage != storage {
        return refuse(
            "apply-storage",
            format!(
                "{name}: expected storage scope ('{}',), got {}",
                storage.scope(),
                operand.storage.scope()
            ),
        );
    }
    let extents = operand.extents();
    if extents.contains(&0) || extents.len() != operand.view.shape().len() {
        return refuse("apply-extent", format!("{name}: region extents must be static and positive"));
    }
    if extents.get(..group.len()) != Some(group) {
        return refuse(
            "apply-group",
            format!("{name}: expected leading group shape {}, got {}", tuple(group), tuple(&extents)),
        );
    }
    let inner = extents.get(group.len()..).unwrap_or(&[]);
    let Some(middle) = inner.len().checked_sub(atom.len()) else {
        return refuse(
            "apply-atom",
            format!("{name}: expected trailing atom shape {}, got {}", tuple(atom), tuple(&extents)),
        );
    };
    if inner.get(middle..) != Some(atom) {
        return refuse(
            "apply-atom",
            format!("{name}: expected trailing atom shape {}, got {}", tuple(atom), tuple(&extents)),
        );
    }
    let repeat = inner.get(..middle).unwrap_or(&[]);
    match repeats {
        None => *repeats = Some(repeat.to_vec()),
        Some(first) if first != repeat => {
            return refuse(
                "apply-repeat",
                format!("Repeat shapes must agree: {name}={}, expected {}", tuple(repeat), tuple(first)),
            );
        }
        Some(_) => {}
    }
    let mut origin = 0u64;
    let mut steps = vec![0u64; extents.len()];
    let mut step = 1u64;
    for (d, (&(begin, extent), &whole)) in operand.region.iter().zip(operand.view.shape()).enumerate().rev() {
        let first =
            u64::try_from(begin).ok().filter(|b| b.checked_add(extent).is_some_and(|end| end <= whole));
        let Some(first) = first else {
            return Err(Refusal {
                code: "apply-region",
                message: format!("{name}: region exceeds tensor shape"),
                element: Some(format!(
                    "dimension {d} takes {begin}:{} of {whole}",
                    i128::from(begin) + i128::from(extent)
                )),
            });
        };
        origin += first * step;
        if let Some(s) = steps.get_mut(d) {
            *s = step;
        }
        step = step.saturating_mul(whole);
    }
    Ok(Fitted { operand, origin, steps })
}

/// A shape as Python writes a tuple, which is how the rules' texts show it.
pub(super) fn tuple(shape: &[u64]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => {
            let parts: Vec<String> = shape.iter().map(u64::to_string).collect();
            format!("({})", parts.join(", "))
        }
    }
}
