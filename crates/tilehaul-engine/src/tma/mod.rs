//! The NVIDIA tensor copy engine: a tensor map and an instruction's operands become a [`TmaCopy`].
//!
//! [`EngineMap`] is the map as the engine reads it, checked once; [`load`], [`store`], [`reduce`] and [`prefetch`] add
//! the coordinates. All four refuse with a typed [`TmaFault`] what kills a launch on the device. What the device does
//! although a manual says otherwise (it writes up to 15 bytes past the inner edge of a store) is in the plan, and
//! [`TmaCopy::spill`] tells of it.

mod asked;
mod copy;
mod fast;
mod fault;
mod map;
mod multicast;
mod request;
mod rows;
mod walk;

pub use copy::{Spill, TmaCopy, load, prefetch, reduce, store};
pub use fault::TmaFault;
pub use map::{EngineMap, MapShape, PixelBox, TmaModel};
pub use multicast::{Cluster, destination, multicast};
pub use request::{GatherRows, Im2colWide, LoadMode, LoadRequest, StoreMode, StoreRequest};
pub use rows::{Halo, HaloOrder};
pub use walk::{Direction, TmaWalk};
