//! The NVIDIA tensor copy engine: a tensor map and an instruction's operands become a plan.

mod fast;
mod fault;
mod multicast;
mod walk;

pub use fault::TmaFault;
pub use multicast::{Cluster, destination, multicast};
pub use walk::{Direction, Halo, HaloOrder, TmaWalk};
