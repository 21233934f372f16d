//! Tensor memory (TMEM) of sm_100 and its relatives: addresses, images of `tcgen05` instructions, accumulators.
//!
//! Each block of threads sees 128 lanes (rows) of 512 columns; a cell is 32 bits wide and nothing smaller has an
//! address. Everything here is a map between places, as data: [`NativeImage`] for `tcgen05.ld` and `.st`,
//! [`CopyImage`] for `tcgen05.cp`, [`Accumulator`] for the result of `tcgen05.mma`. The maps know nothing of time:
//! waits and fences belong to the machine.
//!
//! Lanes and columns of an *image* count from the instruction's address; lanes and columns of a *cell* are physical.

mod address;
mod copy;
mod datapath;
mod image;
mod rules;
mod table;

pub use address::{COLUMNS, Cell, LANES, SLAB_LANES, SlabCheck, TmemAddress};
pub use copy::{BytePlace, CopyImage, CopyShape, Decompression, Multicast};
pub use datapath::{
    Accumulator, AccumulatorPlace, CtaGroup, DATAPATHS, Datapath, DatapathSpec, LaneHalf, MmaForm,
    datapath_layout,
};
pub use image::{ImagePart, NativeImage, Owner, Packing, Placed, PlacedPart};
pub use rules::RULES;
pub use table::{BitPlace, SHAPES, Shape, ShapeSpec};
