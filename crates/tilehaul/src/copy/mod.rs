//! One copy of an engine on arrays: what would land, as an array.
//!
//! The tensor's array is global memory, the other one is shared memory (LDS). A load gives the shared image, a store or a
//! reduction gives the tensor afterwards. Bytes that nobody writes keep what was there; in a fresh shared image that is a
//! filler byte.

mod bulk;
mod tdm;
mod tma;
mod types;

use std::fmt::Write;

use tilehaul_diag::{Code, Diagnostic, Level};
pub use tilehaul_engine::reduce::ReduceOp;
use tilehaul_engine::{PlanFault, Region, TransferPlan};

pub use self::bulk::{BulkRequest, bulk};
pub use self::tdm::{TdmRequest, TdmSource, TileOfArray, tdm, turn};
pub use self::tma::{TmaRequest, tma};
use crate::npy::Array;
pub use tilehaul_engine::tdm::TdmSwitches;

/// Most bytes of a shared image.
const MOST_SHARED: u64 = 1 << 24;

const OUTSIDE: Code = Code("copy-outside-memory");

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Global memory to shared memory.
    Load,
    /// Shared memory to global memory.
    Store,
    /// Shared memory combined into global memory.
    Reduce(ReduceOp),
}

/// What a copy left behind.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The array, when the copy was not refused.
    pub array: Option<Array>,
    /// What moved, as sentences.
    pub summary: Vec<String>,
    /// Refusals, faults and hints.
    pub diagnostics: Vec<Diagnostic>,
}

impl Copied {
    fn refused(diagnostics: Vec<Diagnostic>) -> Copied {
        Copied { array: None, summary: Vec::new(), diagnostics }
    }
}

/// A plan that writes the tensor.
fn finish(
    plan: &TransferPlan,
    shared: &Region,
    global: &mut Region,
    tensor: &Array,
    mut diagnostics: Vec<Diagnostic>,
) -> Copied {
    let summary = vec![moved(plan)];
    if let Err(fault) = plan.run(shared, global) {
        diagnostics.push(outside(&fault, ("the tile", &shared.data), ("the tensor", &tensor.data)));
        return Copied { array: None, summary, diagnostics };
    }
    let array =
        Array { descr: tensor.descr, shape: tensor.shape.clone(), data: std::mem::take(&mut global.data) };
    Copied { array: Some(array), summary, diagnostics }
}

fn shared_image(start: u64, bytes: u64, filler: u8) -> Result<Region, String> {
    let size = start.saturating_add(bytes);
    if size > MOST_SHARED {
        return Err(format!(
            "the tile takes {bytes} bytes of shared memory at {start:#x}; at most {MOST_SHARED} are drawn up"
        ));
    }
    Ok(Region::new(0, vec![filler; size as usize]))
}

/// `8192 bytes moved in 64 runs, 512 filled`.
fn moved(plan: &TransferPlan) -> String {
    let bytes = plan.count();
    let mut text = format!("{} bytes moved in {} runs", bytes.data, bytes.segments);
    for (count, what) in [(bytes.fill, "filled"), (bytes.dropped, "dropped")] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text
}

/// A copy that reads past its source or writes past its destination, each with what people call it.
fn outside(fault: &PlanFault, source: (&str, &[u8]), destination: (&str, &[u8])) -> Diagnostic {
    let (does, (name, bytes)) = match fault {
        PlanFault::Source(_) => ("reads past", source),
        PlanFault::Destination(_) => ("writes past", destination),
    };
    let message =
        format!("the copy {does} the end of {name}'s array, which has {} bytes ({fault})", bytes.len());
    Diagnostic::new(OUTSIDE, Level::Error, message)
        .fix("give extents and strides that stay inside the array, or a larger array")
}
