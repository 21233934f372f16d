//! Points on which sources about the Tensor Data Mover disagree or are silent, each with its default.
//!
//! [`SWITCHES`] names them for launch files and reports; `matters.rs` finds out whether one decided what an operation did.

use tilehaul_descriptor::amd::tdm::{Direction, PadReading, TdmFields, TdmMode, tile_rank};

/// The settings of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TdmSwitches {
    /// Reading of the manual's sentence about the padding pair.
    pub pad_reading: PadReading,
    /// Padding that would run past the LDS allocation.
    pub pad_past_lds: PadPastLds,
    /// Width of the pass count.
    pub iterate_count: IterateCount,
    /// Bounds of passes after the first.
    pub iterate_bounds: IterateBounds,
    /// The padding counter from pass to pass.
    pub iterate_padding: IteratePadding,
    /// The barrier of a tile with `tile_dim0 = 0`.
    pub empty_tile: EmptyTile,
    /// A `tensor_dim` of 0 on an active dimension.
    pub zero_extent: ZeroExtent,
    /// Elements of a store past an extent.
    pub store_bounds: StoreBounds,
    /// `type` other than 2.
    pub type_field: TypeField,
}

/// Padding that would run past the LDS allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PadPastLds {
    /// The gap is left out. manual: CDNA5 ISA p. 151.
    #[default]
    Ignored,
    /// The gap is made, and what follows it is out of range.
    Made,
}

/// Width of `iterate_count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IterateCount {
    /// 1 to 256 passes, as described. manual: CDNA5 ISA p. 152.
    #[default]
    Eight,
    /// All 16 bits of the slot. inferred: rocjitsu.
    Sixteen,
}

/// Bounds of iterate passes after the first, on which the manual is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IterateBounds {
    /// The pass's place in the tensor is worked out from the strides, and extents are counted from the first pass.
    /// inferred: rocjitsu.
    #[default]
    LogicalOrigin,
    /// Extents are counted from each pass's own start. inferred: the other reading.
    EachPass,
}

/// The padding counter of an iterate load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IteratePadding {
    /// Gaps are counted over the whole LDS offset, the increment included. inferred: rocjitsu.
    #[default]
    WholeOffset,
    /// The counter starts anew in each pass. inferred: the other reading.
    EachPass,
}

/// The barrier of an operation with `tile_dim0 = 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyTile {
    /// It arrives. inferred: rocjitsu for an all-zero tile.
    #[default]
    Arrives,
    /// It does not, as for a NULL tensor. inferred: the other reading.
    Silent,
}

/// A `tensor_dim` of 0 on an active dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroExtent {
    /// Masks the whole tile. inferred: Triton, opus and FlyDSL rely on it.
    #[default]
    Masks,
    /// No bound. inferred: older rocjitsu.
    Unbounded,
}

/// Elements of a store past an extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreBounds {
    /// Dropped. hardware: published MI450 runs; manual: CDNA5 ISA p. 156.
    #[default]
    Drop,
    /// Stored: one project does not rely on masking of stores. inferred: FlyDSL comment.
    Ignored,
}

/// `type` other than 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TypeField {
    /// Refused. manual: CDNA5 ISA Table 62.
    #[default]
    Checked,
    /// Not looked at. inferred: rocjitsu.
    Ignored,
}

/// A switch by name.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The key in launch files.
    pub key: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Its values, the default first, and what each of them means.
    pub values: &'static [(&'static str, &'static str)],
    get: fn(&TdmSwitches) -> usize,
    set: fn(&mut TdmSwitches, usize),
    /// Whether an operation with these fields may depend on it at all.
    pub(super) concerns: fn(&TdmFields, Direction) -> bool,
}

impl Switch {
    /// The value that it stands at.
    #[must_use]
    pub fn stands_at(&self, switches: &TdmSwitches) -> &'static str {
        self.values.get((self.get)(switches)).map_or("", |(name, _)| name)
    }

    /// Turns it to a value; false when it has none of that name.
    pub fn turn(&self, switches: &mut TdmSwitches, value: &str) -> bool {
        let at = self.values.iter().position(|(name, _)| *name == value);
        if let Some(at) = at {
            (self.set)(switches, at);
        }
        at.is_some()
    }
}

macro_rules! switches {
    ($($field:ident, $about:literal, $type:ident { $($variant:ident $name:literal $means:literal),* }, $concerns:expr;)*) => {
        /// All switches.
        pub const SWITCHES: &[Switch] = &[$(Switch {
            key: stringify!($field),
            about: $about,
            values: &[$(($name, $means)),*],
            get: |switches| [$($type::$variant),*].iter().position(|v| *v == switches.$field).unwrap_or(0),
            set: |switches, at| {
                if let Some(value) = [$($type::$variant),*].get(at) {
                    switches.$field = *value;
                }
            },
            concerns: $concerns,
        }),*];
    };
}

switches! {
    pad_reading, "which padding pairs are legal", PadReading {
        Biased "biased" "all, as they are decoded",
        Raw "raw" "not those with exactly one stored number 0",
        Strict "strict" "not the one with both stored numbers 0"
    }, |fields, _| fields.padding.is_some();
    pad_past_lds, "padding that would run past the LDS allocation", PadPastLds {
        Ignored "ignored" "the gap is left out",
        Made "made" "the gap is made, and what follows is out of range"
    }, |fields, direction| loads(fields, direction) && fields.padding.is_some();
    iterate_count, "the width of `iterate_count`", IterateCount {
        Eight "8_bits" "1 to 256 passes, more are refused",
        Sixteen "16_bits" "1 to 65,536 passes"
    }, |fields, _| passes(fields) > 256;
    iterate_bounds, "the bounds of iterate passes after the first", IterateBounds {
        LogicalOrigin "first_pass" "extents are counted from the first pass",
        EachPass "each_pass" "extents are counted from each pass's own start"
    }, |fields, _| passes(fields) > 1;
    iterate_padding, "the padding counter of an iterate load", IteratePadding {
        WholeOffset "whole_offset" "gaps are counted over the whole LDS offset",
        EachPass "each_pass" "the counter starts anew in each pass"
    }, |fields, direction| loads(fields, direction) && passes(fields) > 1 && fields.padding.is_some();
    empty_tile, "the barrier of an operation with `tile_dim0 = 0`", EmptyTile {
        Arrives "arrives" "it gets its arrival",
        Silent "silent" "it gets none"
    }, |fields, _| fields.tile_dim[0] == 0 && fields.barrier.is_some();
    zero_extent, "a `tensor_dim` of 0", ZeroExtent {
        Masks "masks" "masks the whole tile",
        Unbounded "unbounded" "no bound"
    }, |fields, _| fields.tensor_dim.iter().take(tile_rank(&fields.tile_dim).max(2)).any(|&extent| extent == 0);
    store_bounds, "elements of a store past an extent", StoreBounds {
        Drop "drop" "dropped",
        Ignored "ignored" "stored"
    }, |fields, direction| direction == Direction::Store && may_leave(fields);
    type_field, "a `type` other than 2", TypeField {
        Checked "checked" "refused",
        Ignored "ignored" "not looked at"
    }, |fields, _| fields.kind != 2;
}

fn loads(_: &TdmFields, direction: Direction) -> bool {
    direction == Direction::Load
}

fn passes(fields: &TdmFields) -> u32 {
    match fields.mode {
        TdmMode::Iterate { passes, .. } => passes,
        TdmMode::Dense | TdmMode::Gather { .. } => 0,
    }
}

/// Whether some element may lie past an extent.
fn may_leave(fields: &TdmFields) -> bool {
    let dense = fields.mode == TdmMode::Dense;
    !dense || fields.tile_dim.iter().zip(fields.tensor_dim).any(|(&tile, extent)| u32::from(tile) > extent)
}
