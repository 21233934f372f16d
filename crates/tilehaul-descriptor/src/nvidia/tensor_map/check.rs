//! The driver's rules, each with the sentence a person needs. Legal arguments cost no allocation.
//!
//! hardware: h200 facts 2 to 17 predict the result of all 36,774 recorded calls on sm_90. Rules of the packed types
//! and of the swizzle atoms, which sm_90 refuses, are cuda.h's.

use std::fmt::Display;

use tilehaul_diag::Diagnostic;

use super::arguments::{Context, Head, Lists, Naming};
use super::rules as r;
use super::{AllocationClass, MAX_RANK, MapKind, TensorMap};
use crate::Rule;
use crate::nvidia::{DataType, Interleave, L2Promotion, OobFill, Swizzle};

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

/// What makes a row.
#[derive(Clone, Copy)]
pub(super) enum RowName {
    Box,
    Channels,
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

    fn rank(&mut self, rank: u32, min: u32) -> Option<usize> {
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

    fn address(&mut self, address: u64, checked: &Checked) {
        let name = self.plain("address", "globalAddress");
        let (unit, why) = checked.alignment();
        let past = address % unit;
        if past != 0 {
            let below = address - past;
            let what = format!("{name} is {address:#x}, {past} B past a multiple of {unit}{why}");
            let fix = match below.checked_add(unit).filter(|above| above >> 57 == 0) {
                Some(above) => format!("start the tensor at {below:#x} or {above:#x}"),
                None => format!("align it to {unit} B"),
            };
            self.tell(&r::ADDRESS_ALIGNMENT, what, fix);
        }
        if address >> 57 != 0 {
            let what = format!("{name} is {address:#x}, not below 2^57");
            self.tell(&r::ADDRESS_RANGE, what, "give a device address as cuMemAlloc returns it");
        }
    }

    fn dims(&mut self, head: &Head, checked: &Checked) -> Option<[u64; MAX_RANK]> {
        let given = self.entries(head.dims, head.rank, 0, ("dims", "globalDim"))?;
        let mut dims = [1; MAX_RANK];
        let mut legal = true;
        for (dim, &size) in given.iter().enumerate() {
            dims[dim] = size;
            if size == 0 || size > 1 << 32 {
                legal = false;
                let name = self.indexed("tensor dimension", "globalDim", dim);
                match size {
                    0 => self.tell(
                        &r::DIM_RANGE,
                        format!("{name} is 0, and an empty tensor has no map"),
                        "use at least 1, or skip the copy when there is nothing to copy",
                    ),
                    _ => self.tell(
                        &r::DIM_RANGE,
                        format!("{name} is {size}, above 2^32"),
                        "use at most 2147483648 (2^31; larger ones encode up to 2^32 but fault when used)",
                    ),
                }
            }
        }
        let unit = match checked.data_type {
            Some(DataType::U4Align8) => 2,
            Some(DataType::U4Align16 | DataType::U6Align16) => 128,
            _ => 1,
        };
        if let Some(&inner) = given.first().filter(|&&inner| inner % unit != 0) {
            let name = self.indexed("tensor dimension", "globalDim", 0);
            let what = format!(
                "{name} is {inner}, not a multiple of the {unit} elements that this packed type needs"
            );
            self.tell(&r::DIM_PACKED, what, format!("use {}", neighbours(inner, unit, 1, 1 << 32)));
        }
        legal.then_some(dims)
    }

    fn strides(&mut self, head: &Head, checked: &Checked) -> Option<[u64; MAX_RANK - 1]> {
        let given = self.entries(head.strides, head.rank, 1, ("strides", "globalStrides"))?;
        let (unit, why) = checked.alignment();
        let element = checked.data_type.map(DataType::element);
        let mut strides = [0; MAX_RANK - 1];
        let mut legal = true;
        for (at, &stride) in given.iter().enumerate() {
            strides[at] = stride;
            if stride % unit == 0 && stride >> 40 == 0 {
                continue;
            }
            legal = false;
            let name = match self.context.naming {
                Naming::Plain => format!("stride {at} (of dimension {})", at + 1),
                Naming::Cuda => format!("globalStrides[{at}]"),
            };
            if stride % unit != 0 {
                let in_elements = match element.and_then(|e| e.bytes()) {
                    Some(bytes) if bytes > 1 && stride % u64::from(bytes) == 0 => {
                        format!(" ({} elements of {bytes} B)", stride / u64::from(bytes))
                    }
                    _ => String::new(),
                };
                let what = format!("{name} is {stride} B{in_elements}, not a multiple of {unit}{why}");
                // A stride below what one index of the dimension spans would make its neighbours overlap.
                let span = match at.checked_sub(1) {
                    None => element.zip(head.dims.first()).map(|(e, &inner)| e.global_bytes(inner)),
                    Some(below) => {
                        given.get(below).zip(head.dims.get(at)).map(|(&s, &d)| s.saturating_mul(d))
                    }
                };
                let span = span.unwrap_or(0);
                let most = (1 << 40) - unit;
                let fix = if stride > most || span > most {
                    format!("use a multiple of {unit} below 2^40")
                } else {
                    // Rows that overlap already may do so after the change; others must not begin to.
                    let overlap = stride < span;
                    let choices = neighbours(stride, unit, if overlap { 1 } else { span }, most);
                    let pad = !overlap && !choices.contains("or");
                    format!("{} {choices} B", if pad { "pad the rows to" } else { "use a stride of" })
                };
                self.tell(&r::STRIDE_ALIGNMENT, what, fix);
                if at == 0 && element.and_then(|e| e.bytes()) == Some(stride as u32) {
                    self.remark("Strides start with dimension 1: that of dimension 0 is the element size and is not given.");
                }
            }
            if stride >> 40 != 0 {
                match stride as i64 {
                    signed @ ..0 => self.tell(
                        &r::STRIDE_RANGE,
                        format!("{name} is {stride} B ({signed} as a signed number), and strides cannot be negative"),
                        "start at the other end and walk upwards",
                    ),
                    _ => self.tell(
                        &r::STRIDE_RANGE,
                        format!("{name} is {stride} B, not below 2^40"),
                        format!("use at most {} B", (1u64 << 40) - unit),
                    ),
                }
            }
        }
        legal.then_some(strides)
    }

    pub(super) fn element_strides(&mut self, given: &[u64], rank: u32) -> Option<[u32; MAX_RANK]> {
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

    pub(super) fn box_dims(&mut self, given: &[u64], rank: u32) -> Option<[u32; MAX_RANK]> {
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

    pub(super) fn channels(&mut self, channels: u64) -> Option<u32> {
        if (1..=256).contains(&channels) {
            return Some(channels as u32);
        }
        let name = self.plain("channels per pixel", "channelsPerPixel");
        let fix = if channels == 0 {
            "use at least 1".to_owned()
        } else {
            format!("use at most 256, in {} copies", channels.div_ceil(256))
        };
        self.tell(&r::CHANNELS_RANGE, format!("{name} is {channels}, not within 1 to 256"), fix);
        None
    }

    pub(super) fn pixels(&mut self, pixels: u64) -> Option<u32> {
        if (1..=1024).contains(&pixels) {
            return Some(pixels as u32);
        }
        let name = self.plain("pixels per column", "pixelsPerColumn");
        let fix = if pixels == 0 {
            "use at least 1".to_owned()
        } else {
            format!("use at most 1024, in {} copies", pixels.div_ceil(1024))
        };
        self.tell(&r::PIXELS_RANGE, format!("{name} is {pixels}, not within 1 to 1024"), fix);
        None
    }

    /// Corners of W, H, D: `given` of them are looked at, the others are 0.
    pub(super) fn corners(
        &mut self,
        checked: &Checked,
        corners: (&[i64], &[i64]),
        given: usize,
    ) -> Option<([i32; 3], [i32; 3])> {
        let rank = checked.rank?;
        let lower = self.corner_entries(corners.0, given, rank, ("lower_corner", "pixelBoxLowerCorner"));
        let upper = self.corner_entries(corners.1, given, rank, ("upper_corner", "pixelBoxUpperCorner"));
        let (lower, upper) = (lower?, upper?);
        let axes = rank - 2;
        let half: i64 = match axes {
            1 => 1 << 15,
            2 => 1 << 7,
            _ => 1 << 4,
        };
        let mut legal = true;
        for axis in 0..axes.min(given) {
            for (which, cuda, corner) in
                [("lower", "pixelBoxLowerCorner", lower[axis]), ("upper", "pixelBoxUpperCorner", upper[axis])]
            {
                if !(-half..half).contains(&corner) {
                    legal = false;
                    let name = self.corner_name(which, cuda, axis);
                    let what = format!(
                        "{name} is {corner}, not within {} to {} as rank {rank} allows",
                        -half,
                        half - 1
                    );
                    self.tell(&r::CORNER_RANGE, what, format!("use {}", corner.clamp(-half, half - 1)));
                }
            }
        }
        if let (true, Some(dims)) = (legal, checked.dims) {
            let first = usize::from(checked.interleave == Some(Interleave::None));
            for axis in 0..axes {
                let size = dims[first + axis];
                // The driver adds in 32 bits: h200 fact 12.
                let end = (size as u32).wrapping_add(upper[axis] as u32) as i32;
                if lower[axis] >= i64::from(end) {
                    legal = false;
                    let name = self.corner_name("lower", "pixelBoxLowerCorner", axis);
                    let wraps =
                        if i64::from(end) == size as i64 + upper[axis] { "" } else { " (in 32 bits)" };
                    let what = format!(
                        "{name} is {}, not below size {size} + upper corner {} = {end}{wraps}, so the bounding box is empty",
                        lower[axis], upper[axis]
                    );
                    let most = i64::from(end) - 1;
                    let fix = if (-half..half).contains(&most) {
                        format!("use a lower corner of at most {most}")
                    } else {
                        "use a size below 2^31".to_owned()
                    };
                    self.tell(&r::CORNER_EMPTY, what, fix);
                }
            }
        }
        let narrow = |corners: [i64; 3]| corners.map(|c| c as i32);
        legal.then(|| (narrow(lower), narrow(upper)))
    }

    pub(super) fn wide_mode(&mut self, mode: u32) {
        if mode > 1 {
            self.tell(
                &r::WIDE_MODE,
                format!("mode is {mode}, and the highest is 1"),
                "use W (0) or W128 (1)",
            );
        }
    }

    /// Bytes of one row against 16 and the swizzle span.
    pub(super) fn row(&mut self, checked: &Checked, elements: Option<u64>, name: RowName) {
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
    pub(super) fn tiled_bytes(
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

    /// The whole column against 228 KiB.
    pub(super) fn im2col_bytes(&mut self, checked: &Checked, channels: Option<u32>, pixels: Option<u32>) {
        let (Some(data_type), Some(channels), Some(pixels)) = (checked.data_type, channels, pixels) else {
            return;
        };
        let row = data_type.element().global_bytes(channels.into());
        let bytes = row * u64::from(pixels);
        if bytes > MAX_BOX_BYTES {
            let what = format!(
                "the column is {pixels} pixels of {channels} channels = {bytes} B, more than 228 KiB (233472 B)"
            );
            let most = MAX_BOX_BYTES / row.max(1);
            self.tell(&r::BOX_BYTES, what, format!("use at most {most} pixels, or fewer channels"));
        }
    }

    /// The first `rank - fewer` entries, or a complaint and `None`. `names` are the plain name and cuda.h's.
    fn entries<'v>(
        &mut self,
        given: &'v [u64],
        rank: u32,
        fewer: usize,
        names: (&'static str, &'static str),
    ) -> Option<&'v [u64]> {
        let wanted = (rank as usize).saturating_sub(fewer);
        // A rank that is too high is refused by itself.
        let looked_at = wanted.min(MAX_RANK - fewer);
        if given.len() < looked_at || rank as usize <= MAX_RANK {
            self.count(given, wanted, rank, names)?;
        }
        given.get(..looked_at)
    }

    fn corner_entries(
        &mut self,
        given: &[i64],
        wanted: usize,
        rank: usize,
        names: (&'static str, &'static str),
    ) -> Option<[i64; 3]> {
        let wanted = wanted.min(3);
        self.count(given, wanted, u32::try_from(rank).unwrap_or(u32::MAX), names)?;
        let mut corners = [0; 3];
        for (corner, &value) in corners.iter_mut().zip(given).take(wanted) {
            *corner = value;
        }
        Some(corners)
    }

    /// Complains about a list of another length than the rank asks for.
    fn count<T: Display>(
        &mut self,
        given: &[T],
        wanted: usize,
        rank: u32,
        names: (&'static str, &'static str),
    ) -> Option<()> {
        let surplus = given.len() > wanted && self.context.lists == Lists::Exact;
        if given.len() >= wanted && !surplus {
            return Some(());
        }
        let numbers =
            |count: usize| if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") };
        let shown: Vec<String> = given.iter().take(8).map(T::to_string).collect();
        let shown = if given.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
        self.tell(
            &r::ARGUMENT_COUNT,
            format!(
                "{} has {}{shown} where {} = {rank} asks for {wanted}",
                self.plain(names.0, names.1),
                numbers(given.len()),
                self.plain("rank", "tensorRank"),
            ),
            match wanted {
                0 => "leave it out".to_owned(),
                _ => format!("give {}, innermost first", numbers(wanted)),
            },
        );
        None
    }

    /// Adds a broken rule: the sentence, and the nearest legal choice.
    fn tell(&mut self, rule: &Rule, what: impl AsRef<str>, fix: impl AsRef<str>) {
        let fix = fix.as_ref();
        let mut imperative = String::with_capacity(fix.len() + 1);
        let mut letters = fix.chars();
        imperative.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        imperative.push_str(letters.as_str());
        imperative.push('.');
        self.broken.push(rule.broken(format!("{}; {fix}", what.as_ref()), imperative));
    }

    /// Adds a sentence to the rule told last.
    fn remark(&mut self, note: &str) {
        if let Some(last) = self.broken.pop() {
            self.broken.push(last.note(note));
        }
    }

    fn plain(&self, plain: &'static str, cuda: &'static str) -> &'static str {
        match self.context.naming {
            Naming::Plain => plain,
            Naming::Cuda => cuda,
        }
    }

    fn indexed(&self, plain: &str, cuda: &str, at: usize) -> String {
        match self.context.naming {
            Naming::Plain => format!("{plain} {at}"),
            Naming::Cuda => format!("{cuda}[{at}]"),
        }
    }

    fn corner_name(&self, which: &str, cuda: &str, axis: usize) -> String {
        match self.context.naming {
            Naming::Plain => format!("{which} corner of {}", ["W", "H", "D"][axis.min(2)]),
            Naming::Cuda => format!("{cuda}[{axis}]"),
        }
    }
}

/// The multiples of `unit` from `least` to `most` that are next to `value`, as `48 or 64`; at least one must exist.
fn neighbours(value: u64, unit: u64, least: u64, most: u64) -> String {
    let (least, most) = (least.max(1).next_multiple_of(unit), most - most % unit);
    let below = value.min(most) / unit * unit;
    let above = below.saturating_add(unit);
    match (below >= least, above <= most) {
        (true, true) => format!("{below} or {above}"),
        (true, false) => below.to_string(),
        (false, _) => above.max(least).to_string(),
    }
}
