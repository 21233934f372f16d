//! Rules about the bytes that a descriptor reaches: padding, LDS, strides, and where the tensor ends.

use tilehaul_diag::{Diagnostic, Level};

use super::check::{Findings, PadReading};
use super::{Padding, TdmFields, TdmMode, format, rules};

/// What keeps the bounds of later passes from being told: they are found by dividing the distance of a pass by the strides,
/// which needs dimensions that do not overlap. inferred: rocjitsu tensor_dma; other readings of the manual have no such need, so
/// [`check`](super::check()) leaves it to whoever knows the reading.
#[must_use]
pub fn check_iterate_strides(fields: &TdmFields) -> Option<Diagnostic> {
    let TdmMode::Iterate { global_addr_increment, passes, .. } = fields.mode else { return None };
    let rank = fields.rank();
    let dims = fields.tensor_dim.get(..rank)?;
    if passes < 2 || global_addr_increment == 0 || dims.is_empty() || dims.contains(&0) {
        return None;
    }
    let mut axes: Vec<(u64, usize)> =
        (1..rank).filter(|&d| dims[d] > 1).map(|d| (fields.tensor_dim_stride[d - 1], d)).collect();
    axes.sort_unstable();
    let mut below = u128::from(dims[0]);
    for (stride, d) in axes {
        if u128::from(stride) < below {
            return Some(rules::ITERATE_STRIDES.broken(
                format!(
                    "tensor_dim{}_stride = {stride} is less than the {below} elements that the dimensions below it span, so \
                     the bounds of later passes are not defined",
                    d - 1
                ),
                "use strides whose rows and planes do not overlap, or one instruction for each pass",
            ));
        }
        below = u128::from(stride) * u128::from(dims[d]);
    }
    None
}

impl Findings<'_> {
    pub(super) fn padding(&mut self) {
        let f = self.fields;
        let g1 = &self.descriptor.group1;
        let (interval, amount) = (format::PAD_INTERVAL.stored(g1), format::PAD_AMOUNT.stored(g1));
        let row_bytes = u64::from(f.tile_dim[0]) * f.data_size_bytes;
        let rows: u64 = self.active().iter().skip(1).map(|&(tile, ..)| tile).product();
        let Some(Padding { interval_dwords, amount_dwords }) = f.padding else {
            if interval != 0 || amount != 0 {
                self.say(rules::PAD_UNUSED.told(format!(
                    "pad_interval = {interval} and pad_amount = {amount} (as stored) are ignored while pad_enable = 0"
                )));
            }
            if !self.is_store() && rows >= 4 && row_bytes.is_multiple_of(256) {
                self.say(advice(row_bytes));
            }
            return;
        };
        let pair = format!(
            "pad_interval is stored as {interval} ({interval_dwords} dwords) and pad_amount as {amount} \
             ({amount_dwords} dwords)"
        );
        let amount_bytes = u64::from(amount_dwords) * 4;
        let interval_bytes = u64::from(interval_dwords) * 4;
        if self.is_store() {
            let mut told = rules::PAD_STORE.broken(
                format!("pad_enable = 1 on a store is ignored: LDS is read densely, {row_bytes} bytes a row"),
                format!(
                    "store a tile of tile_dim0 = row + padding with tensor_dim0 = row, so that the pad elements are \
                     out of bounds and dropped (padding of {} elements here), and clear pad_enable",
                    amount_bytes.div_ceil(f.data_size_bytes)
                ),
            );
            // Triton stores such widened rows and leaves the padding bits of the load in place.
            let data_bytes = u64::from(f.tensor_dim[0]).saturating_mul(f.data_size_bytes);
            let pitch = interval_bytes + amount_bytes;
            if row_bytes.is_multiple_of(pitch) && data_bytes <= row_bytes - amount_bytes {
                told.level = Level::Note;
                told.fix = None;
            }
            self.say(told);
        }
        let both_zero = interval == 0 && amount == 0;
        let mixed = (interval == 0) != (amount == 0);
        match self.context.pad_reading {
            PadReading::Raw if mixed => self.say(rules::PAD_PAIR_FORBIDDEN.broken(
                format!("{pair}: exactly one of them is 0, which the raw reading of the manual forbids"),
                "use an interval of at least 4 dwords and an amount of at least 2 dwords",
            )),
            PadReading::Strict if both_zero => self.say(rules::PAD_PAIR_FORBIDDEN.broken(
                format!("{pair}: both 0 with padding on is the illegal pair under the strict reading"),
                "use an interval of at least 4 dwords, or turn padding off",
            )),
            _ if both_zero => self.say(rules::PAD_PAIR_BOTH_ZERO.broken(
                format!("{pair}: sources disagree whether both 0 with padding on is legal"),
                "use an interval of at least 4 dwords and an amount of at least 2 dwords",
            )),
            _ if mixed => self.say(rules::PAD_PAIR_MIXED.broken(
                format!(
                    "{pair}: exactly one of them is stored as 0, which the manual calls unpredictable if it speaks of \
                     stored numbers"
                ),
                "use an interval of at least 4 dwords and an amount of at least 2 dwords",
            )),
            _ => {}
        }
        if !row_bytes.is_multiple_of(4) {
            self.say(rules::PAD_ROW.broken(
                format!(
                    "tile_dim0 = {} x {} B = {row_bytes} B is not a multiple of 4 bytes, which padding needs",
                    f.tile_dim[0], f.data_size_bytes
                ),
                format!("use a row of {} bytes", whole_dwords(row_bytes, f.data_size_bytes)),
            ));
        }
        let even = row_bytes.is_multiple_of(interval_bytes) || interval_bytes.is_multiple_of(row_bytes);
        if rows > 1 && !even && !self.is_store() {
            self.say(rules::PAD_PERIOD.told(format!(
                "the padding interval of {interval_bytes} B does not divide the row of {row_bytes} B: the counter runs \
                 over the whole tile, so gaps fall at different places in each row"
            )));
        }
    }

    pub(super) fn lds(&mut self) {
        let f = self.fields;
        let limit = self.context.lds_bytes;
        let Some(end) = self.lds_end() else { return };
        let start = u128::from(f.lds_addr);
        if end > u128::from(limit) {
            let padded = if f.padding.is_some() && !self.is_store() { " with its padding" } else { "" };
            self.say(rules::LDS_OVERFLOW.broken(
                format!(
                    "the tile{padded} takes LDS bytes {start:#x} to {end:#x} ({} bytes from lds_addr on), past the \
                     {limit} bytes that the workgroup has",
                    end - start
                ),
                "use a smaller tile, or a lower lds_addr",
            ));
        }
        if let Some(barrier) = f.barrier {
            let barrier = u64::from(barrier);
            if barrier + 8 > limit {
                self.say(rules::BARRIER_OUTSIDE.broken(
                    format!(
                        "atomic_barrier_address = {barrier:#x} lies outside the {limit} bytes of LDS (the field holds \
                         the byte address shifted right by 3)"
                    ),
                    format!("use an address up to {:#x}", limit.saturating_sub(8) & !7),
                ));
            } else if !self.is_store() && start < u128::from(barrier + 8) && u128::from(barrier) < end {
                self.say(rules::BARRIER_IN_TILE.broken(
                    format!(
                        "the LDS barrier at {barrier:#x} lies inside the tile ({start:#x} to {end:#x}), which the load \
                         overwrites"
                    ),
                    "move the tile or the barrier",
                ));
            }
        }
    }

    /// One past the last LDS byte that holds data; for a store only in-extent elements are read.
    fn lds_end(&self) -> Option<u128> {
        let f = self.fields;
        let mut last: u128 = 0;
        let mut pitch: u128 = 1;
        for (d, (tile, dim, _)) in self.active().into_iter().enumerate() {
            let used = if self.is_store() && !(self.is_gather() && d == 1) { tile.min(dim) } else { tile };
            last += u128::from(used.checked_sub(1)?) * pitch;
            pitch *= u128::from(tile);
        }
        if let TdmMode::Iterate { lds_addr_increment, passes, .. } = f.mode {
            last += u128::from(lds_addr_increment) * u128::from(passes.saturating_sub(1));
        }
        let size = u128::from(f.data_size_bytes);
        let offset = last * size;
        let gap = match f.padding {
            Some(padding) if !self.is_store() => {
                offset / (u128::from(padding.interval_dwords) * 4) * u128::from(padding.amount_dwords) * 4
            }
            _ => 0,
        };
        Some(u128::from(f.lds_addr) + offset + gap + size)
    }

    pub(super) fn strides(&mut self) {
        let f = self.fields;
        let active = self.active();
        if !f.global_addr.is_multiple_of(f.data_size_bytes) {
            self.say(rules::ADDRESS_ALIGN.told(format!(
                "global_addr = {:#x} is not a multiple of the {}-byte element",
                f.global_addr, f.data_size_bytes
            )));
        }
        let [(tile0, dim0, _), rest @ ..] = active.as_slice() else { return };
        let row_bytes = (*tile0).min(*dim0) * f.data_size_bytes;
        if self.is_store() && !(f.global_addr | row_bytes).is_multiple_of(128) {
            self.say(rules::STORE_LINES.told(format!(
                "rows of {row_bytes} B from {:#x} on do not fill whole 128-byte lines: another transfer that stores into the \
                 same line may lose its bytes",
                f.global_addr
            )));
        }
        let mut rows_distinct = false;
        for (d, &(tile, dim, stride)) in rest.iter().enumerate() {
            let several = tile.min(dim) > 1 && !self.is_gather();
            rows_distinct |= several;
            if several && stride == 0 {
                self.say(rules::STRIDE_ZERO.broken(
                    format!(
                        "tensor_dim{d}_stride = 0 while tile_dim{} = {tile}: every index of dimension {} names the same \
                         bytes (strides are cumulative, and a stride field has 48 bits)",
                        d + 1,
                        d + 1
                    ),
                    format!("set tensor_dim{d}_stride to the distance in elements"),
                ));
            }
        }
        let Some(&(_, _, stride0)) = rest.first() else { return };
        let row = (*tile0).min(*dim0);
        if rows_distinct && rest.first().is_some_and(|r| r.0.min(r.1) > 1) && stride0 != 0 && stride0 < row {
            self.say(rules::STRIDE_BELOW_ROW.broken(
                format!("tensor_dim0_stride = {stride0} elements is less than the {row} elements of a row, so rows share bytes"),
                "set tensor_dim0_stride to the distance from one row to the next in elements, cut nowhere",
            ));
        }
        if self.context.tensor_bytes.is_none()
            && f.data_size_bytes > 1
            && rest.first().is_some_and(|r| r.0 > 1)
            && stride0 == dim0.saturating_mul(f.data_size_bytes)
        {
            self.say(rules::STRIDE_IN_BYTES.told(format!(
                "tensor_dim0_stride = {stride0} is tensor_dim0 = {dim0} times {} bytes: strides count elements, and this \
                 looks like bytes",
                f.data_size_bytes
            )));
        }
    }

    pub(super) fn span(&mut self) {
        let Some(tensor_bytes) = self.context.tensor_bytes else { return };
        let f = self.fields;
        let size = u128::from(f.data_size_bytes);
        let active = self.active();
        // An extent of 2^31 - 1 and more is how kernels say "no bound here": the tile bounds the walk then.
        let span_with = |divide: u64, whole: bool| -> u128 {
            let mut last = 0u128;
            for &(tile, dim, stride) in &active {
                let extent = if whole && dim < 0x7fff_ffff { dim } else { tile.min(dim) };
                let Some(steps) = extent.checked_sub(1) else { return 0 };
                let step = if stride > 1 { stride / divide } else { stride };
                last += u128::from(steps) * u128::from(step);
            }
            (last + 1) * size
        };
        let limit = u128::from(tensor_bytes);
        let reach = span_with(1, true);
        let tile_reach = span_with(1, false);
        let (tile0, dim0, _) = active.first().copied().unwrap_or_default();
        if reach > limit {
            let stride = f.tensor_dim_stride[0];
            let bytes_stride = f.data_size_bytes > 1 && span_with(f.data_size_bytes, true) <= limit;
            let why = if bytes_stride {
                format!(
                    "; strides count elements, and tensor_dim0_stride = {stride} looks like bytes ({} elements)",
                    stride / f.data_size_bytes
                )
            } else {
                "; extents are measured from the tile's start, and nothing past the tensor is masked"
                    .to_owned()
            };
            let which = if tile_reach > limit {
                format!("the tile reaches {tile_reach} bytes past global_addr")
            } else {
                format!("the extents span {reach} bytes from global_addr on")
            };
            self.say(rules::SPAN.broken(
                format!("{which}, but the tensor has {tensor_bytes} bytes there{why}"),
                if bytes_stride {
                    format!("set tensor_dim0_stride = {}", stride / f.data_size_bytes)
                } else {
                    format!("shrink the extents by what lies before the tile (tensor_dim0 = {dim0}, tile_dim0 = {tile0})")
                },
            ));
            return;
        }
        // The end of the last row may be short, so a descriptor is too small only when a whole outer step is missing.
        let step = active.iter().map(|&(.., stride)| u128::from(stride)).max().unwrap_or(1) * size;
        if reach != 0 && reach + step <= limit {
            self.say(rules::SPAN_SHORT.broken(
                format!("the extents and strides span {reach} of the tensor's {tensor_bytes} bytes: the rest is masked or never reached"),
                "give every extent and stride in elements of data_size, uncut",
            ));
        }
    }
}

/// What padding would help rows of `row_bytes`, all of which start in one of the 64 banks.
/// The row of whole dwords next to one of `bytes` bytes: longer, unless tile_dim0 (16 bits) cannot be.
fn whole_dwords(bytes: u64, element: u64) -> u64 {
    let longer = bytes.next_multiple_of(4);
    if longer / element.max(1) <= 0xffff { longer } else { bytes / 4 * 4 }
}

fn advice(row_bytes: u64) -> Diagnostic {
    let rule = &rules::PAD_ADVICE;
    let told = format!(
        "rows of {row_bytes} B all start in the same of the 64 LDS banks, so reading down a column, or ds_load_tr, \
         takes turns"
    );
    if row_bytes <= 1024 && row_bytes.is_power_of_two() {
        rule.broken(
            told,
            format!(
                "pad 4 dwords (stored 3) every {} dwords (stored {})",
                row_bytes / 4,
                (row_bytes / 8).trailing_zeros()
            ),
        )
    } else {
        rule.broken(
            told,
            "pad 4 dwords every 64 dwords, or place rows with iterate mode (padding counts up to 256 dwords)",
        )
    }
}
