//! What a tiled copy takes: element strides, the box, and its innermost row against the swizzle.

use super::super::MAX_RANK;
use super::super::rules as r;
use super::words::neighbours;
use super::{Check, Checked, MAX_BOX_BYTES};
use crate::nvidia::{DataType, Interleave, Swizzle};

/// What makes a row.
#[derive(Clone, Copy)]
pub(crate) enum RowName {
    Box,
    Channels,
}

impl Check<'_> {
    pub(crate) fn element_strides(&mut self, given: &[u64], rank: u32) -> Option<[u32; MAX_RANK]> {
        let given = self.entries(given, rank, 0, ("element_strides", "elementStrides"))?;
        let mut strides = [1; MAX_RANK];
        let mut legal = true;
        for (dim, &stride) in given.iter().enumerate() {
            match stride {
                1..=8 => strides[dim] = stride as u32,
                _ => {
                    legal = false;
                    let name = self.indexed("element stride", "elementStrides", dim);
                    let ignored = if dim == 0 {
                        " (it is checked although it is ignored without interleave)"
                    } else {
                        ""
                    };
                    let fix = if stride == 0 {
                        "use 1"
                    } else {
                        "use 1 to 8, or a larger stride in the tensor itself"
                    };
                    self.tell(
                        &r::ELEMENT_STRIDE,
                        format!("{name} is {stride}, not within 1 to 8{ignored}"),
                        fix,
                    );
                }
            }
        }
        legal.then_some(strides)
    }

    pub(crate) fn box_dims(&mut self, given: &[u64], rank: u32) -> Option<[u32; MAX_RANK]> {
        let given = self.entries(given, rank, 0, ("box", "boxDim"))?;
        let mut box_dims = [1; MAX_RANK];
        let mut legal = true;
        for (dim, &size) in given.iter().enumerate() {
            match size {
                1..=256 => box_dims[dim] = size as u32,
                _ => {
                    legal = false;
                    let name = self.indexed("box dimension", "boxDim", dim);
                    let fix = match size {
                        0 => "use at least 1".to_owned(),
                        _ => format!("use at most 256, in {} copies", size.div_ceil(256)),
                    };
                    self.tell(&r::BOX_RANGE, format!("{name} is {size}, not within 1 to 256"), fix);
                }
            }
        }
        legal.then_some(box_dims)
    }

    /// Bytes of one row against 16 and the swizzle span.
    pub(crate) fn row(&mut self, checked: &Checked, elements: Option<u64>, name: RowName) {
        let (Some(data_type), Some(elements)) = (checked.data_type, elements) else { return };
        if !(1..=256).contains(&elements) {
            return;
        }
        let element = data_type.element();
        let name = |check: &Check| match name {
            RowName::Box => check.indexed("box dimension", "boxDim", 0),
            RowName::Channels => check.plain("channels per pixel", "channelsPerPixel").to_owned(),
        };
        if matches!(data_type, DataType::U4Align16 | DataType::U6Align16) && elements != 128 {
            let what = format!("{} is {elements}, and {} needs exactly 128", name(self), data_type.name());
            self.tell(&r::BOX_PACKED, what, "use 128");
            return;
        }
        let bits = u64::from(element.bits());
        let (row, whole) = (elements * bits / 8, (elements * bits).is_multiple_of(128));
        let product = |check: &Check| match element.bytes() {
            Some(1) => format!("{} is {row} B", name(check)),
            Some(bytes) => format!("{} is {elements} x {bytes} B = {row} B", name(check)),
            None => format!("{} is {elements} x {bits} bits = {} B", name(check), elements * bits / 8),
        };
        if !whole {
            // 128 bits in elements: 16, 8, 4, 2 or 32.
            let unit = 128 / bits.max(1);
            let span = checked.swizzle.filter(|_| checked.interleave == Some(Interleave::None));
            let most =
                span.and_then(Swizzle::span).map_or(256, |span| (u64::from(span) * 8 / bits.max(1)).min(256));
            self.tell(
                &r::INNER_BOX_BYTES,
                format!("{}, not a multiple of 16 B", product(self)),
                format!("use {} elements", neighbours(elements, unit, 1, most)),
            );
        }
        let (Some(swizzle), Some(Interleave::None)) = (checked.swizzle, checked.interleave) else { return };
        let Some(span) = swizzle.span().map(u64::from).filter(|&span| row > span) else { return };
        let most = span * 8 / bits.max(1);
        let wider = [Swizzle::B64, Swizzle::B128]
            .into_iter()
            .find(|s| s.span().is_some_and(|span| u64::from(span) >= row));
        let fix = match wider {
            Some(wider) => format!("use {most} or fewer elements, a {} swizzle, or none", wider.name()),
            None => format!("use {most} or fewer elements, or no swizzle"),
        };
        self.tell(
            &r::INNER_BOX_SWIZZLE,
            format!("{}, wider than the {span} B swizzle span", product(self)),
            fix,
        );
    }

    /// The whole box against 228 KiB.
    pub(crate) fn tiled_bytes(
        &mut self,
        checked: &Checked,
        box_dims: Option<&[u32; 5]>,
        strides: Option<&[u32; 5]>,
    ) {
        let (Some(data_type), Some(box_dims), Some(strides)) = (checked.data_type, box_dims, strides) else {
            return;
        };
        let counts = std::array::from_fn::<u64, MAX_RANK, _>(|dim| u64::from(box_dims[dim] / strides[dim]));
        let outer: u64 = counts[1..].iter().product();
        let bytes = data_type.element().global_bytes(counts[0]) * outer;
        if bytes > MAX_BOX_BYTES {
            let rank = checked.rank.unwrap_or(MAX_RANK);
            let sizes = counts[..rank].iter().map(u64::to_string).collect::<Vec<_>>().join(" x ");
            let what = format!("the box is {sizes} elements = {bytes} B, more than 228 KiB (233472 B)");
            self.tell(
                &r::BOX_BYTES,
                what,
                format!("use a smaller box, in {} copies or more", bytes.div_ceil(MAX_BOX_BYTES)),
            );
        }
    }
}
