//! Decoded fields to words, refusing every value that its field cannot hold.

use tilehaul_diag::Diagnostic;

use super::{TdmDescriptor, TdmFields, TdmMode, format, rules};
use crate::field::{Encoding, FieldSpec};

/// Words under construction and what did not fit.
#[derive(Debug, Default)]
pub(super) struct Packer {
    /// Groups 0 to 3.
    pub words: [u32; 20],
    /// One diagnostic for each value that did not fit.
    pub misfits: Vec<Diagnostic>,
}

/// Which group of [`Packer::words`] a field belongs to; the indices of gather mode span groups 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// 4 words.
    Zero,
    /// 8 words.
    One,
    /// 4 words, or 8 with the row indices.
    Two,
    /// 4 words.
    Three,
}

impl Group {
    fn first_word(self) -> usize {
        match self {
            Group::Zero => 0,
            Group::One => 4,
            Group::Two => 12,
            Group::Three => 16,
        }
    }
}

impl Packer {
    /// Stores the decoded `value`, or says that it does not fit.
    pub(super) fn put(&mut self, group: Group, field: &FieldSpec, value: i128) {
        match field.encode(value) {
            Some(stored) => {
                if let Some(words) = self.words.get_mut(group.first_word()..) {
                    field.store(words, stored);
                }
            }
            None => self.misfits.push(misfit(field, field.name, value)),
        }
    }

    /// The finished descriptor; groups 2 and 3 are present when `upper` says so.
    pub(super) fn finish(self, upper: bool) -> Result<TdmDescriptor, Vec<Diagnostic>> {
        if !self.misfits.is_empty() {
            return Err(self.misfits);
        }
        let words = if upper { &self.words[..] } else { self.words.get(..12).unwrap_or_default() };
        TdmDescriptor::from_words(words).map_err(|error| vec![rules::GROUP_COUNT.told(error.to_string())])
    }
}

/// The decoded number nearest to `value` that `field` can hold.
pub(super) fn nearest_legal(field: &FieldSpec, value: i128) -> i128 {
    let most = field.decode(field.max_stored());
    match field.encoding {
        Encoding::Shifted(unit) => {
            let choices = (0..=field.max_stored()).map(|n| i128::from(unit) << n);
            choices.min_by_key(|c| c.abs_diff(value)).unwrap_or(most)
        }
        Encoding::MinusOne => value.clamp(1, most),
        Encoding::Units(unit) => {
            let unit = i128::from(unit);
            ((value.clamp(0, most) + unit / 2) / unit * unit).min(most)
        }
        Encoding::Reserved(only) => i128::from(only),
        // No field of a D# is stored negated or counting down.
        Encoding::Plain
        | Encoding::Choice(_)
        | Encoding::Flag
        | Encoding::Signed
        | Encoding::Negated
        | Encoding::CountDown => value.clamp(0, most),
    }
}

/// Says that `field`, which the user calls `name`, cannot hold `value`, and what it could hold instead.
pub(super) fn misfit(field: &FieldSpec, name: &str, value: i128) -> Diagnostic {
    let unit = if field.unit.is_empty() { String::new() } else { format!(" {}", field.unit) };
    let most = field.decode(field.max_stored());
    let range = match field.encoding {
        Encoding::Shifted(unit) => format!("a power of two from {unit} to {most}"),
        Encoding::MinusOne => format!("1 to {most}"),
        Encoding::Units(unit) => format!("a multiple of {unit} up to {most}"),
        Encoding::Reserved(only) => format!("{only}"),
        Encoding::Plain
        | Encoding::Choice(_)
        | Encoding::Flag
        | Encoding::Signed
        | Encoding::Negated
        | Encoding::CountDown => format!("0 to {most}"),
    };
    let bits = field.width();
    rules::FIELD_RANGE.broken(
        format!("{name} = {value}{unit} does not fit its {bits}-bit field, which holds {range}{unit}"),
        format!("use {name} = {}", nearest_legal(field, value)),
    )
}

impl TdmFields {
    /// The words of these fields. Groups 2 and 3 are present when the rank, iterate or gather needs them.
    ///
    /// # Errors
    /// One diagnostic for each value that its field cannot hold, or that would share registers with another.
    pub fn encode(&self) -> Result<TdmDescriptor, Vec<Diagnostic>> {
        let mut packer = Packer::default();
        let put = &mut packer;
        put.put(Group::Zero, &format::COUNT, self.count.into());
        put.put(Group::Zero, &format::TYPE, self.kind.into());
        put.put(Group::Zero, &format::LDS_ADDR, self.lds_addr.into());
        put.put(Group::Zero, &format::GLOBAL_ADDR, self.global_addr.into());
        put.put(Group::One, &format::WORKGROUP_MASK, self.workgroup_mask.into());
        put.put(Group::One, &format::DATA_SIZE, self.data_size_bytes.into());
        put.put(Group::One, &format::EARLY_TIMEOUT, self.early_timeout.into());
        if let Some(address) = self.barrier {
            put.put(Group::One, &format::ATOMIC_BARRIER_ENABLE, 1);
            put.put(Group::One, &format::ATOMIC_BARRIER_ADDRESS, address.into());
        }
        if let Some(padding) = self.padding {
            put.put(Group::One, &format::PAD_ENABLE, 1);
            put.put(Group::One, &format::PAD_INTERVAL, padding.interval_dwords.into());
            put.put(Group::One, &format::PAD_AMOUNT, padding.amount_dwords.into());
        }
        let [dim0, dim1, dim2, dim3, dim4] = self.tensor_dim;
        let [tile0, tile1, tile2, tile3, tile4] = self.tile_dim;
        let [stride0, stride1, stride2, stride3] = self.tensor_dim_stride;
        put.put(Group::One, &format::TENSOR_DIM0, dim0.into());
        put.put(Group::One, &format::TENSOR_DIM1, dim1.into());
        put.put(Group::One, &format::TILE_DIM0, tile0.into());
        put.put(Group::One, &format::TILE_DIM1, tile1.into());
        put.put(Group::One, &format::TILE_DIM2, tile2.into());
        put.put(Group::One, &format::TENSOR_DIM0_STRIDE, stride0.into());
        put.put(Group::One, &format::TENSOR_DIM1_STRIDE, stride1.into());
        let shares = [dim3 != 0, tile3 != 0, stride2 != 0];
        let mut upper = true;
        match &self.mode {
            TdmMode::Dense => {
                upper = self.tile_dim[2..].iter().any(|&t| t != 0)
                    || self.tensor_dim[2..].iter().any(|&d| d != 0)
                    || stride2 != 0
                    || stride3 != 0;
                put.put(Group::Two, &format::TENSOR_DIM2, dim2.into());
                put.put(Group::Two, &format::TENSOR_DIM3, dim3.into());
                put.put(Group::Two, &format::TENSOR_DIM2_STRIDE, stride2.into());
                put.put(Group::Two, &format::TILE_DIM3, tile3.into());
            }
            TdmMode::Iterate { lds_addr_increment, global_addr_increment, passes } => {
                put.put(Group::One, &format::ITERATE_ENABLE, 1);
                put.put(Group::Two, &format::TENSOR_DIM2, dim2.into());
                put.put(Group::Two, &format::LDS_ADDR_INCREMENT, (*lds_addr_increment).into());
                put.put(Group::Two, &format::GLOBAL_ADDR_INCREMENT, (*global_addr_increment).into());
                put.put(Group::Two, &format::ITERATE_COUNT, (*passes).into());
                if shares.contains(&true) {
                    put.misfits.push(rules::FIELD_CONFLICT.broken(
                        "iterate mode keeps its increments where tensor_dim3, tile_dim3 and tensor_dim2_stride lie, \
                         so it cannot have a dimension 3",
                        "iterate over a 2D or 3D tile, or drop iterate_enable",
                    ));
                }
            }
            TdmMode::Gather { size, indices } => {
                put.put(Group::Zero, &format::GATHER_MODE, 1);
                put.put(Group::Zero, &format::GATHER_INDEX_SIZE, i128::from(size.max_rows() == 8));
                let most = usize::from(size.max_rows());
                if indices.len() > most {
                    put.misfits.push(rules::GATHER_COUNT.broken(
                        format!(
                            "{} row indices of {} bits do not fit groups 2 and 3, which hold {most}",
                            indices.len(),
                            128 * 2 / most
                        ),
                        format!("split the list into instructions of at most {most} rows"),
                    ));
                }
                for (field, &index) in size.format().fields.iter().zip(indices) {
                    put.put(Group::Two, field, index.into());
                }
                if shares.contains(&true) || dim2 != 0 {
                    put.misfits.push(rules::FIELD_CONFLICT.broken(
                        "gather mode keeps its row indices in groups 2 and 3, so it cannot have dimensions 2 to 4",
                        "gather rows of a 2D tensor, or clear gather_mode",
                    ));
                }
            }
        }
        if !matches!(self.mode, TdmMode::Gather { .. }) {
            put.put(Group::Three, &format::TENSOR_DIM3_STRIDE, stride3.into());
            put.put(Group::Three, &format::TENSOR_DIM4, dim4.into());
            put.put(Group::Three, &format::TILE_DIM4, tile4.into());
        }
        packer.finish(upper)
    }
}
