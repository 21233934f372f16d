//! Where the tensor lies: address, dimensions, strides.

use super::super::arguments::{Head, Naming};
use super::super::rules as r;
use super::super::{MAX_RANK, TensorMap};
use super::words::neighbours;
use super::{Check, Checked};
use crate::nvidia::{DataType, Interleave};

impl Check<'_> {
    pub(super) fn address(&mut self, address: u64, checked: &Checked) {
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

    pub(super) fn dims(&mut self, head: &Head, checked: &Checked) -> Option<[u64; MAX_RANK]> {
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

    pub(super) fn strides(&mut self, head: &Head, checked: &Checked) -> Option<[u64; MAX_RANK - 1]> {
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

    /// One stride that a kernel puts into a map, beside what the map says otherwise.
    pub(crate) fn stride_of_map(&mut self, at: usize, stride: u64, map: Option<&TensorMap>) {
        let mut strides = map.map_or([0; MAX_RANK - 1], |map| map.strides);
        if let Some(slot) = strides.get_mut(at) {
            *slot = stride;
        }
        let rank = (at + 2).min(MAX_RANK);
        let dims = map.map_or([1; MAX_RANK], |map| map.dims);
        let head = Head {
            data_type: map.map_or(0, |map| map.data_type.code()),
            rank: rank as u32,
            address: 0,
            dims: &dims[..rank],
            strides: &strides[..rank - 1],
            interleave: map.map_or(0, |map| map.interleave.code()),
            swizzle: 0,
            l2_promotion: 0,
            oob_fill: 0,
        };
        let checked = Checked {
            data_type: DataType::from_code(head.data_type),
            rank: Some(rank),
            address: 0,
            dims: None,
            strides: None,
            interleave: Interleave::from_code(head.interleave),
            swizzle: None,
            l2_promotion: None,
            oob_fill: None,
        };
        self.strides(&head, &checked);
    }
}
