//! What is wrong, suspicious or worth saying about a descriptor.
//!
//! Soundness: an error is never given for a descriptor that the manual allows; a warning may miss a mistake, and is
//! given only where no correct kernel seen so far writes such words.

use tilehaul_diag::Diagnostic;

use super::{LDS_BYTES, Padding, TdmDescriptor, TdmFields, TdmMode, format, rules};

/// Which way the instruction copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `TENSOR_LOAD_TO_LDS`.
    Load,
    /// `TENSOR_STORE_FROM_LDS`.
    Store,
}

/// How the manual's sentence about the padding pair is read; sources disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PadReading {
    /// Every encoding is legal as decoded (2 dwords and up, 1 dword and up); ambiguous ones are warned about.
    #[default]
    Biased,
    /// The sentence speaks of the stored numbers: exactly one of them 0 is illegal.
    Raw,
    /// Both stored numbers 0 is the illegal pair, as AMD's opus library asserts.
    Strict,
}

/// What is known around a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TdmContext {
    /// The instruction's direction, when known.
    pub direction: Option<Direction>,
    /// Bytes that the tensor has from `global_addr` on, when known.
    pub tensor_bytes: Option<u64>,
    /// Bytes of LDS that the workgroup owns.
    pub lds_bytes: u64,
    /// Workgroups of the cluster, when known; 1 outside a cluster.
    pub cluster_size: Option<u16>,
    /// Reading of the padding pair.
    pub pad_reading: PadReading,
    /// Whether the chip is stepping A0, where multicast is off.
    pub stepping_a0: bool,
}

impl Default for TdmContext {
    fn default() -> TdmContext {
        TdmContext {
            direction: None,
            tensor_bytes: None,
            lds_bytes: LDS_BYTES,
            cluster_size: None,
            pad_reading: PadReading::default(),
            stepping_a0: false,
        }
    }
}

/// Highest dimension with a tile extent, plus one; 0 for an empty tile.
#[must_use]
pub fn tile_rank(tile_dim: &[u16; 5]) -> usize {
    tile_dim.iter().rposition(|&t| t != 0).map_or(0, |d| d + 1)
}

/// Says when only one of groups 2 and 3 is given (the pair rule of the instruction's VADDR2 and VADDR3).
#[must_use]
pub fn check_groups(group2: bool, group3: bool) -> Option<Diagnostic> {
    let (given, absent) = match (group2, group3) {
        (true, false) => (2, 3),
        (false, true) => (3, 2),
        (true, true) | (false, false) => return None,
    };
    Some(rules::GROUPS_MIXED.broken(
        format!("group {given} is given but group {absent} is NULL; both must be given or both NULL"),
        format!("pass a zeroed group {absent} as well, or drop group {given}"),
    ))
}

/// Every rule that `descriptor` breaks and every remark about it, errors and warnings first in table order.
#[must_use]
pub fn check(descriptor: &TdmDescriptor, context: &TdmContext) -> Vec<Diagnostic> {
    let fields = descriptor.fields();
    let mut out = Findings { out: Vec::new(), descriptor, fields: &fields, context };
    out.group0();
    if fields.count == 0 {
        return out.out;
    }
    out.shape();
    out.mode();
    if out.copies() {
        out.padding();
        out.lds();
        out.strides();
        out.span();
    }
    out.multicast();
    out.out
}

struct Findings<'a> {
    out: Vec<Diagnostic>,
    descriptor: &'a TdmDescriptor,
    fields: &'a TdmFields,
    context: &'a TdmContext,
}

impl Findings<'_> {
    fn say(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    fn is_store(&self) -> bool {
        self.context.direction == Some(Direction::Store)
    }

    fn is_gather(&self) -> bool {
        matches!(self.fields.mode, TdmMode::Gather { .. })
    }

    /// Whether the tile holds anything at all.
    fn copies(&self) -> bool {
        self.fields.tile_dim[0] != 0 && self.active().iter().all(|&(tile, ..)| tile != 0)
    }

    /// Tile extent, tensor extent and stride of each active dimension; the rows of a gather list come as a tile
    /// extent without stride (their place is in the list).
    fn active(&self) -> Vec<(u64, u64, u64)> {
        let f = self.fields;
        (0..f.rank())
            .map(|d| {
                let stride = if d == 0 { 1 } else { f.tensor_dim_stride.get(d - 1).copied().unwrap_or(0) };
                (u64::from(f.tile_dim[d]), u64::from(f.tensor_dim[d]), stride)
            })
            .collect()
    }

    fn group0(&mut self) {
        let g0 = &self.descriptor.group0;
        let f = self.fields;
        match (f.count, f.barrier) {
            (0, Some(address)) => self.say(rules::NULL_BARRIER.broken(
                format!(
                    "count = 0 is a NULL tensor: nothing is copied and the LDS barrier at {address:#x} gets no \
                     arrival, so whoever sleeps on it hangs"
                ),
                "set count = 1, or arrive at the barrier by other means when the tile is skipped",
            )),
            (0, None) => {
                self.say(rules::NULL_TENSOR.told("count = 0 is a NULL tensor: nothing is copied"));
            }
            (2 | 3, _) => self.say(rules::COUNT_RESTORE.broken(
                format!("count = {} belongs to context restore; a program writes 1 (or 0 for a NULL tensor)", f.count),
                "set count = 1",
            )),
            _ => {}
        }
        let must_be_zero = [format::IS_RESTORE, format::IS_STORE, format::NV, format::USER_NULL];
        for field in must_be_zero.iter().filter(|field| field.stored(g0) != 0) {
            self.say(rules::RESTORE_BITS.broken(
                format!(
                    "{} = 1 in group 0 (dword 0 = {:#010x}) must be 0: it is context-restore state and makes this a \
                     differently typed operation",
                    field.name, g0[0]
                ),
                format!("write dword 0 of group 0 as a whole: {:#010x}", legal_word0(g0[0])),
            ));
        }
        let (scope, th) = (format::SCOPE.stored(g0), format::TH.stored(g0));
        if scope != 0 || th != 0 {
            self.say(rules::RESTORE_IGNORED.told(format!(
                "scope = {scope} and th = {th} in group 0 are read only by context restore; the instruction's own \
                 scope and th modifiers count"
            )));
        }
        let reserved = format::RESERVED_29_11.stored(g0);
        if reserved != 0 {
            self.say(rules::RESERVED_LOW.broken(
                format!(
                    "reserved bits 29:11 of group 0 hold {reserved:#x} (dword 0 = {:#010x}) and must be 0",
                    g0[0]
                ),
                format!("write dword 0 of group 0 as a whole: {:#010x}", legal_word0(g0[0])),
            ));
        }
        let reserved = format::RESERVED_125_121.stored(g0);
        if reserved != 0 {
            self.say(rules::RESERVED_ADDRESS.broken(
                format!(
                    "reserved bits 125:121 of group 0 hold {reserved:#x} (dword 3 = {:#010x}) and must be 0: a \
                     sign-extended or overflowing pointer leaked past the 57 bits of global_addr",
                    g0[3]
                ),
                format!("mask the high dword of the address: (hi & 0x1ffffff) | 0x80000000 = {:#010x}", (g0[3] & 0x01ff_ffff) | 0x8000_0000),
            ));
        }
        if f.kind != 2 && f.count != 0 {
            self.say(rules::TYPE.broken(
                format!(
                    "type = {} in bits 127:126 of group 0 is not 2 (image), so the descriptor is not valid",
                    f.kind
                ),
                format!(
                    "write dword 3 as the high address bits | 0x80000000: {:#010x}",
                    (g0[3] & 0x3fff_ffff) | 0x8000_0000
                ),
            ));
        }
        if format::GATHER_INDEX_SIZE.stored(g0) == 1 && !self.is_gather() {
            self.say(rules::INDEX_SIZE_ALONE.broken(
                format!(
                    "dword 0 = {:#010x} sets the index-size bit 30 without gather_mode, bit 31: consecutive rows are \
                     read as if there were no index list (bits 30 and 31 are swapped in some headers)",
                    g0[0]
                ),
                "for a gather write 0x80000001 (16-bit indices) or 0xc0000001 (32-bit indices)",
            ));
        }
    }

    fn shape(&mut self) {
        let f = self.fields;
        let gather = self.is_gather();
        if f.tile_dim[0] == 0 {
            self.say(rules::TILE_DIM0_ZERO.broken(
                "tile_dim0 = 0 makes the operation a no-op: nothing is copied",
                "set tile_dim0 to the number of elements of a row, 1 to 65535",
            ));
        }
        let rank = f.rank();
        if !gather
            && f.tile_dim[0] != 0
            && let Some(hole) = (1..rank).find(|&d| f.tile_dim[d] == 0)
        {
            self.say(rules::TILE_HOLE.broken(
                    format!(
                        "tile_dim{hole} = 0 says that dimension {hole} is unused, but tile_dim{} = {} uses a higher one",
                        rank - 1,
                        f.tile_dim[rank - 1]
                    ),
                    format!("set tile_dim{hole} = 1 for a dimension of one index"),
                ));
        }
        let upper_absent = self.descriptor.group2.is_none() && self.descriptor.group3.is_none();
        if gather && upper_absent {
            if f.tile_dim[1] > 1 {
                self.say(rules::GATHER_GROUPS_ABSENT.broken(
                    format!(
                        "gather_mode is set but groups 2 and 3 are NULL, so all {} row indices are 0",
                        f.tile_dim[1]
                    ),
                    "pass groups 2 and 3 with the row indices",
                ));
            }
        } else if rank > 2 && upper_absent {
            self.say(rules::UPPER_GROUPS_ABSENT.broken(
                format!(
                    "tile_dim2 = {} makes this a 3D tile, but groups 2 and 3 are NULL, so tensor_dim2 reads as 0 and \
                     the whole tile is masked",
                    f.tile_dim[2]
                ),
                "pass groups 2 and 3 with tensor_dim2, or set tile_dim2 = 0",
            ));
            return;
        }
        if let Some(mixed) = check_groups(self.descriptor.group2.is_some(), self.descriptor.group3.is_some())
        {
            self.say(mixed);
        }
        if f.tile_dim[0] == 0 {
            return;
        }
        if let Some(d) = (0..rank).find(|&d| f.tensor_dim[d] > 0x7fff_ffff) {
            let extent = f.tensor_dim[d];
            self.say(rules::EXTENT_NEGATIVE.broken(
                format!(
                    "tensor_dim{d} = {extent:#x} is {} as a signed number: a negative extent masks nothing, for extents are \
                     unsigned",
                    extent.cast_signed()
                ),
                format!("clamp tensor_dim{d} to 0 when the tile starts past the tensor"),
            ));
        }
        if let Some(d) = (0..rank).find(|&d| f.tensor_dim[d] == 0) {
            self.say(rules::ZERO_EXTENT.told(format!(
                "tensor_dim{d} = 0 masks the whole tile: a load writes only zeros, a store writes nothing"
            )));
        }
    }

    fn mode(&mut self) {
        let f = self.fields;
        let g1 = &self.descriptor.group1;
        if format::ITERATE_ENABLE.stored(g1) == 1 && self.is_gather() {
            self.say(rules::ITERATE_IN_GATHER.broken(
                "iterate_enable = 1 is ignored while gather_mode = 1",
                "clear iterate_enable, or clear gather_mode",
            ));
        }
        match &f.mode {
            TdmMode::Dense => {}
            TdmMode::Iterate { lds_addr_increment, passes, .. } => {
                self.iterate(*lds_addr_increment, *passes);
            }
            TdmMode::Gather { size, .. } => self.gather(size.max_rows()),
        }
        if self.descriptor.group3.is_some() && !self.is_gather() {
            let reserved = format::RESERVED_127_96.stored(&self.descriptor.group3.unwrap_or_default());
            if reserved != 0 {
                self.say(rules::RESERVED_GROUP3.broken(
                    format!("dword 3 of group 3 = {reserved:#010x} is reserved and must be 0"),
                    "write 0 there",
                ));
            }
        }
    }

    fn iterate(&mut self, lds_addr_increment: u32, passes: u32) {
        let f = self.fields;
        let rank = f.rank();
        if f.tile_dim[0] != 0 && !(2..=3).contains(&rank) {
            self.say(rules::ITERATE_RANK.broken(
                format!("iterate_enable = 1 needs a 2D or 3D tile, and this one has rank {rank}"),
                if rank < 2 { "set tile_dim1 = 1" } else { "clear tile_dim4, or clear iterate_enable" },
            ));
        }
        let group3 = self.descriptor.group3.unwrap_or_default();
        if rank < 4 && group3.iter().any(|&word| word != 0) {
            self.say(rules::ITERATE_GROUP3.broken(
                format!("group 3 must be 0 in iterate mode and holds {}", hex(&group3)),
                "zero group 3",
            ));
        }
        if passes > 256 {
            self.say(rules::ITERATE_PASSES.broken(
                format!(
                    "iterate_count is stored as {} ({passes} passes), and only 0 to 255 (1 to 256 passes) are described",
                    passes - 1
                ),
                "use several instructions of at most 256 passes",
            ));
        }
        let elements: u64 = f.tile_dim.iter().take(rank).map(|&t| u64::from(t)).product();
        if passes > 1 && u64::from(lds_addr_increment) < elements {
            self.say(rules::ITERATE_OVERLAP.told(format!(
                "lds_addr_increment = {lds_addr_increment} elements is less than the {elements} elements of a pass, so \
                 passes overwrite each other in LDS"
            )));
        }
    }

    fn gather(&mut self, most: u16) {
        let f = self.fields;
        let valid = f.tile_dim[1];
        let bits = 256 / most;
        if valid == 0 || valid > most {
            self.say(rules::GATHER_COUNT.broken(
                format!("tile_dim1 = {valid} row indices: gather takes 1 to {most} of {bits} bits"),
                if valid == 0 {
                    "set tile_dim1 to the number of rows".to_owned()
                } else {
                    format!("split the list into instructions of at most {most} rows")
                },
            ));
        }
        if f.tile_dim[2] != 0 {
            self.say(rules::GATHER_IGNORED.broken(
                format!("tile_dim2 = {} is ignored in gather mode, which is 2D only", f.tile_dim[2]),
                "set tile_dim2 = 0 and issue one gather per plane",
            ));
        }
        if f.tensor_dim_stride[1] != 0 {
            self.say(
                rules::GATHER_STRIDE1.told(format!(
                    "tensor_dim1_stride = {} is ignored in gather mode",
                    f.tensor_dim_stride[1]
                )),
            );
        }
        let rows = f.rows().to_vec();
        let bound = f.tensor_dim[1];
        let outside = rows.iter().position(|&row| row >= bound);
        let descends = rows.windows(2).position(|pair| matches!(pair, [a, b] if a > b));
        match (outside, descends) {
            (Some(at), Some(step)) => self.say(rules::GATHER_ORDER.broken(
                format!(
                    "row index {} at place {at} is past tensor_dim1 = {bound} and the list is not in order (index {} \
                     is followed by {}): out-of-bounds rows are handled only when no index is smaller than the one before",
                    rows[at], rows[step], rows[step + 1]
                ),
                "sort the indices, or keep every index below tensor_dim1",
            )),
            (Some(at), None) if bound != 0 => self.say(rules::GATHER_BOUNDS.told(format!(
                "row index {} at place {at} is past tensor_dim1 = {bound}: a zero row on load, no row on store",
                rows[at]
            ))),
            _ => {}
        }
        if self.is_store() {
            let repeat = (1..rows.len()).find(|&i| rows[..i].contains(&rows[i]));
            if let Some(i) = repeat {
                self.say(rules::SCATTER_REPEAT.broken(
                    format!(
                        "row index {} stands more than once in a scatter, so which row wins is open",
                        rows[i]
                    ),
                    "name every row once",
                ));
            }
        }
    }

    fn padding(&mut self) {
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
        if self.is_store() {
            self.say(rules::PAD_STORE.broken(
                format!("pad_enable = 1 on a store is ignored: LDS is read densely, {row_bytes} bytes a row"),
                format!(
                    "store a tile of tile_dim0 = row + padding with tensor_dim0 = row, so that the pad elements are \
                     out of bounds and dropped (padding of {} elements here), and clear pad_enable",
                    (u64::from(amount_dwords) * 4).div_ceil(f.data_size_bytes)
                ),
            ));
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
                format!("use a row of {} bytes", row_bytes.next_multiple_of(4)),
            ));
        }
        let interval_bytes = u64::from(interval_dwords) * 4;
        if rows > 1 && !row_bytes.is_multiple_of(interval_bytes) {
            self.say(rules::PAD_PERIOD.told(format!(
                "the padding interval of {interval_bytes} B does not divide the row of {row_bytes} B: the counter runs \
                 over the whole tile, so gaps fall at different places in each row"
            )));
        }
    }

    fn lds(&mut self) {
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
                    format!("use an address up to {:#x}", limit.saturating_sub(8)),
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

    fn strides(&mut self) {
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

    fn span(&mut self) {
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

    fn multicast(&mut self) {
        let mask = self.fields.workgroup_mask;
        if mask == 0 {
            if self.fields.early_timeout {
                self.say(
                    rules::TIMEOUT_ALONE.told("early_timeout = 1 means nothing while workgroup_mask = 0"),
                );
            }
            return;
        }
        if self.is_store() {
            self.say(rules::MASK_STORE.broken(
                format!("workgroup_mask = {mask:#06x} is ignored on a store"),
                "clear workgroup_mask",
            ));
            return;
        }
        if let Some(size) = self.context.cluster_size {
            if size <= 1 {
                self.say(rules::MASK_OUTSIDE_CLUSTER.broken(
                    format!("workgroup_mask = {mask:#06x} must be 0 because the wave is not in a cluster; the load may hang or corrupt"),
                    "set workgroup_mask = 0, or launch in clusters",
                ));
            } else if size < 16 && mask >> size != 0 {
                self.say(rules::MASK_OUTSIDE_CLUSTER.broken(
                    format!("workgroup_mask = {mask:#06x} names workgroups that the cluster of {size} does not have"),
                    format!("keep the mask within {:#06x}", (1u32 << size) - 1),
                ));
            }
        }
        if mask.count_ones() > 5 {
            self.say(rules::MASK_WIDE.told(format!(
                "workgroup_mask = {mask:#06x} names {} workgroups; the cache merges at most 5 requests",
                mask.count_ones()
            )));
        }
        if self.context.stepping_a0 {
            self.say(rules::MASK_STEPPING_A0.broken(
                format!("workgroup_mask = {mask:#06x}: multicast is off on stepping A0"),
                "set workgroup_mask = 0 there",
            ));
        }
    }
}

/// The legal dword 0 nearest to `word`.
fn legal_word0(word: u32) -> u32 {
    let count = u32::from(word & 3 != 0);
    if word >> 31 == 1 { (word & 0xc000_0000) | count } else { count }
}

fn hex(words: &[u32]) -> String {
    words.iter().map(|w| format!("{w:#010x}")).collect::<Vec<_>>().join(" ")
}

/// What padding would help rows of `row_bytes`, all of which start in one of the 64 banks.
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
