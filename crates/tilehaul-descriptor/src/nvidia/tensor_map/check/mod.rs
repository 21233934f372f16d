//! The driver's rules, each with the sentence a person needs. Legal arguments cost no allocation.
//!
//! hardware: h200 facts 2 to 17 predict the result of all 36,774 recorded calls on sm_90. Rules of the packed types
//! and of the swizzle atoms, which sm_90 refuses, are cuda.h's.

mod im2col;
mod tensor;
mod tile;
mod words;

use tilehaul_diag::Diagnostic;

use super::arguments::{Context, Head};
use super::rules as r;
use super::{AllocationClass, MAX_RANK, MapKind, TensorMap};
use crate::nvidia::{DataType, Interleave, L2Promotion, OobFill, Swizzle};

pub(super) use tile::RowName;

/// Most bytes of a box: 228 KiB. hardware: h200 fact 11.
const MAX_BOX_BYTES: u64 = 228 * 1024;

/// Collects broken rules.
pub(super) struct Check<'a> {
    context: &'a Context,
    broken: Vec<Diagnostic>,
}

/// The shared arguments as far as they are legal.
pub(super) struct Checked {
    data_type: Option<DataType>,
    rank: Option<usize>,
    address: u64,
    dims: Option<[u64; MAX_RANK]>,
    strides: Option<[u64; MAX_RANK - 1]>,
    interleave: Option<Interleave>,
    swizzle: Option<Swizzle>,
    l2_promotion: Option<L2Promotion>,
    oob_fill: Option<OobFill>,
}

impl Checked {
    /// A map with these arguments and a placeholder for the rest, if all of them are legal by themselves.
    pub(super) fn map(&self) -> Option<TensorMap> {
        Some(TensorMap {
            address: self.address,
            data_type: self.data_type?,
            rank: self.rank?,
            dims: self.dims?,
            strides: self.strides?,
            element_strides: [1; MAX_RANK],
            interleave: self.interleave?,
            swizzle: self.swizzle?,
            l2_promotion: self.l2_promotion?,
            oob_fill: self.oob_fill?,
            allocation_class: AllocationClass::Small,
            kind: MapKind::Tiled { box_dims: [1; MAX_RANK] },
        })
    }

    /// What address and strides must be multiples of, and why more than 16.
    fn alignment(&self) -> (u64, &'static str) {
        match (self.interleave, self.data_type) {
            (Some(Interleave::B32), _) => (32, " (interleave 32B)"),
            (_, Some(DataType::U4Align16 | DataType::U6Align16)) => (32, " (16-byte aligned packed type)"),
            _ => (16, ""),
        }
    }
}

impl<'a> Check<'a> {
    pub(super) fn new(context: &'a Context) -> Check<'a> {
        Check { context, broken: Vec::new() }
    }

    /// Everything broken, in the order of the arguments.
    pub(super) fn finish(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.broken)
    }

    /// Data type, rank, modes, address, dimensions, strides.
    pub(super) fn head(&mut self, head: &Head, min_rank: u32) -> Checked {
        let mut checked = Checked {
            data_type: self.data_type(head.data_type),
            rank: self.rank(head.rank, min_rank),
            address: head.address,
            dims: None,
            strides: None,
            interleave: Interleave::from_code(head.interleave),
            swizzle: self.swizzle(head.swizzle),
            l2_promotion: L2Promotion::from_code(head.l2_promotion),
            oob_fill: OobFill::from_code(head.oob_fill),
        };
        self.modes(head, &checked);
        self.address(head.address, &checked);
        checked.dims = self.dims(head, &checked);
        checked.strides = self.strides(head, &checked);
        checked
    }

    fn data_type(&mut self, code: u32) -> Option<DataType> {
        let target = self.context.architecture;
        match DataType::from_code(code) {
            Some(data_type) if target.has_data_type(data_type) => return Some(data_type),
            Some(data_type) => self.tell(
                &r::DATA_TYPE,
                format!(
                    "{} {} does not exist on {}",
                    self.plain("data type", "dataType"),
                    data_type.name(),
                    target.name
                ),
                "use an 8-bit or wider type, or target sm_100 or later",
            ),
            None => self.tell(
                &r::DATA_TYPE,
                format!("{} is {code}, and the highest is 15", self.plain("data type", "dataType")),
                "use one of the CUtensorMapDataType values 0 to 15 (0 to 12 on sm_90)",
            ),
        }
        None
    }

    pub(super) fn rank(&mut self, rank: u32, min: u32) -> Option<usize> {
        if (min..=MAX_RANK as u32).contains(&rank) {
            return Some(rank as usize);
        }
        let name = self.plain("rank", "tensorRank");
        let (kind, fix) = match (min, rank > MAX_RANK as u32) {
            (_, true) => (
                "a tensor map has at most 5 dimensions",
                "fold neighbouring dimensions until 5 are left".to_owned(),
            ),
            (1, false) => ("a tensor map has at least 1 dimension", "use 1 to 5 dimensions".to_owned()),
            (_, false) => (
                "an im2col map has C, at least W, and N",
                "add dimensions of size 1 until there are 3, or use a tiled map".to_owned(),
            ),
        };
        self.tell(&r::RANK, format!("{name} is {rank}, and {kind}"), fix);
        None
    }

    fn swizzle(&mut self, code: u32) -> Option<Swizzle> {
        let target = self.context.architecture;
        match Swizzle::from_code(code) {
            Some(swizzle) if target.has_swizzle(swizzle) => return Some(swizzle),
            Some(Swizzle::B96) | None => self.tell(
                &r::SWIZZLE,
                match Swizzle::from_code(code) {
                    Some(_) => "swizzle 96B cannot be encoded".to_owned(),
                    None => format!("swizzle is {code}, and the highest is 6"),
                },
                "use none, 32B, 64B or 128B",
            ),
            Some(swizzle) => self.tell(
                &r::SWIZZLE,
                format!("swizzle {} does not exist on {}", swizzle.name(), target.name),
                "use 128B, or target sm_100 or later",
            ),
        }
        None
    }

    /// Codes without a meaning, and combinations of modes.
    fn modes(&mut self, head: &Head, checked: &Checked) {
        if checked.interleave.is_none() {
            let what = format!("interleave is {}, and the highest is 2", head.interleave);
            self.tell(&r::INTERLEAVE, what, "use none (0), 16B (1) or 32B (2)");
        }
        if checked.l2_promotion.is_none() {
            let name = self.plain("L2 promotion", "l2Promotion");
            let what = format!("{name} is {}, and the highest is 3", head.l2_promotion);
            self.tell(&r::L2_PROMOTION, what, "use none (0), 64B (1), 128B (2) or 256B (3)");
        }
        if checked.oob_fill.is_none() {
            let name = self.plain("out-of-bounds fill", "oobFill");
            self.tell(
                &r::OOB_FILL,
                format!("{name} is {}, and the highest is 1", head.oob_fill),
                "use zero (0) or nan (1)",
            );
        }
        let interleaved = matches!(checked.interleave, Some(Interleave::B16 | Interleave::B32));
        if interleaved && head.rank < 3 {
            let name = self.plain("rank", "tensorRank");
            let what =
                format!("{name} is {}, and an interleaved tensor has at least 3 dimensions", head.rank);
            self.tell(&r::RANK, what, "add dimensions of size 1 until there are 3, or use no interleave");
        }
        let Some(data_type) = checked.data_type else { return };
        if checked.oob_fill == Some(OobFill::Nan) && !data_type.element().is_float() {
            let name = self.plain("out-of-bounds fill", "oobFill");
            let what = format!("{name} is nan, but {} is not a floating-point type", data_type.name());
            self.tell(&r::NAN_FILL_TYPE, what, "fill with zero");
        }
        if !matches!(data_type, DataType::U4Align16 | DataType::U6Align16) {
            return;
        }
        if interleaved {
            let what = format!("interleave is set, but {} cannot be interleaved", data_type.name());
            self.tell(&r::PACKED_INTERLEAVE, what, "use no interleave");
        }
        let fits = match checked.swizzle {
            None | Some(Swizzle::None | Swizzle::B128 | Swizzle::B128Atom32) => true,
            Some(Swizzle::B128Atom64) => data_type == DataType::U6Align16,
            Some(_) => false,
        };
        if let (false, Some(swizzle)) = (fits, checked.swizzle) {
            let what = format!("swizzle {} does not go with {}", swizzle.name(), data_type.name());
            self.tell(&r::PACKED_SWIZZLE, what, "use none, 128B or 128B_atom_32B");
        }
    }
}
