//! What is wrong, suspicious or worth saying about a descriptor.
//!
//! Soundness: an error is never given for a descriptor that the manual allows; a warning may miss a mistake, and is
//! given only where no correct kernel seen so far writes such words.

use tilehaul_diag::Diagnostic;

use super::{LDS_BYTES, TdmDescriptor, TdmFields, TdmMode, format, rules};

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

/// What has been found so far about one descriptor.
pub(super) struct Findings<'a> {
    out: Vec<Diagnostic>,
    pub(super) descriptor: &'a TdmDescriptor,
    pub(super) fields: &'a TdmFields,
    pub(super) context: &'a TdmContext,
}

impl Findings<'_> {
    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    pub(super) fn is_store(&self) -> bool {
        self.context.direction == Some(Direction::Store)
    }

    pub(super) fn is_gather(&self) -> bool {
        matches!(self.fields.mode, TdmMode::Gather { .. })
    }

    /// Whether the tile holds anything at all.
    fn copies(&self) -> bool {
        self.fields.tile_dim[0] != 0 && self.active().iter().all(|&(tile, ..)| tile != 0)
    }

    /// Tile extent, tensor extent and stride of each active dimension; the rows of a gather list come as a tile
    /// extent without stride (their place is in the list).
    pub(super) fn active(&self) -> Vec<(u64, u64, u64)> {
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
        // The pair rule of the instruction's VADDR2 and VADDR3.
        if self.descriptor.group2.is_some() != self.descriptor.group3.is_some() {
            let (given, absent) = if self.descriptor.group2.is_some() { (2, 3) } else { (3, 2) };
            self.say(rules::GROUPS_MIXED.broken(
                format!("group {given} is given but group {absent} is NULL; both must be given or both NULL"),
                format!("pass a zeroed group {absent} as well, or drop group {given}"),
            ));
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
        let past = |&d: &usize| f.tensor_dim[d] != 0 && f.tensor_dim[d] < u32::from(f.tile_dim[d]);
        let load = self.context.direction != Some(Direction::Store);
        if let Some(d) = (1..rank).find(past).filter(|_| load && !self.is_gather()) {
            self.say(rules::MASKED_FETCH.told(format!(
                "tile_dim{d} = {} reaches past tensor_dim{d} = {}: a load fills those rows with zeros, and one published run \
                 fetched their addresses all the same, so memory behind the tensor should be mapped",
                f.tile_dim[d], f.tensor_dim[d]
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
