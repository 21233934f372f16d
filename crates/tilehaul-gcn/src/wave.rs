//! Registers and control state of one wave.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use tilehaul_machine::{BlockInfo, ChannelKind, LaneMask, PlaceId, Ticket, WaveId, Who};

use crate::counters;
use crate::op::{Op, Reg, Src, SrcKind};
use crate::registers::VectorRegisters;

/// Slots of operands; those from 4 on are never moved.
const BANKS: usize = 8;
/// Vector registers of a wave: 1024 on gfx1250 (four banks), 512 on CDNA (256 and 256 accumulators).
pub(crate) const VECTOR_REGISTERS: usize = 1024;

/// Number of the first accumulation register in the vector file (CDNA).
pub(crate) const ACC_BASE: u16 = 512;

/// Scalar registers by their encoded number.
pub(crate) const VCC: usize = 106;
/// First trap temporary.
pub(crate) const TTMP: usize = 108;

/// A register that an outstanding operation fills or still reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pending {
    /// Channel + 1; 0 when nothing is outstanding.
    pub channel: u8,
    /// Number on that channel.
    pub seq: u32,
    /// The instruction that loads it.
    pub place: PlaceId,
}

/// A source register of a memory instruction of gfx1250: see `replay.rs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replay {
    /// The translation.
    pub translation: Pending,
    /// The access itself: when it has ended, so has its translation.
    pub access: Pending,
}

/// Completions of each split barrier that a wave has waited for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) block: u32,
    pub(crate) cluster: u32,
    /// The named barrier that the wave joined.
    pub(crate) named: Option<(u32, u32)>,
    /// The wave stands in a wait.
    pub(crate) stands: bool,
}

/// One wave. `L` is the number of lanes.
#[derive(Debug)]
pub struct Wave<const L: usize> {
    pub(crate) id: WaveId,
    pub(crate) block: BlockInfo,
    /// Number in the workgroup.
    pub(crate) number: u32,
    /// Lanes that hold a work item.
    pub(crate) all: u64,
    pub(crate) v: VectorRegisters<L>,
    /// Room for the sources of one operation that are no vector registers.
    pub(crate) rows: [[u32; L]; 3],
    pub(crate) s: [u32; 256],
    pub(crate) exec: u64,
    pub(crate) scc: bool,
    pub(crate) pc: u32,
    /// gfx1250: true where register 124 is null and 125 is M0.
    pub(crate) gfx12: bool,
    /// Added to vector register numbers of source 0, 1, 2 and the destination (`s_set_vgpr_msb`).
    pub(crate) banks: [u16; BANKS],
    pub(crate) mode: u32,
    pub(crate) ticket: Option<Ticket>,
    pub(crate) seen: Seen,
    /// Scalar and vector registers at the last branch back of a loop that only reads memory, hashed.
    pub(crate) spin: Option<(u64, u64)>,
    /// A write-back of the caches that has not been waited for, by its channel and number.
    pub(crate) writing_back: Option<(ChannelKind, u32)>,
    /// Caches were written back since the wave's last ordinary store.
    pub(crate) written_back: bool,
    /// Registers with outstanding operations; only kept while somebody watches.
    pub(crate) pending_v: Vec<Pending>,
    pub(crate) pending_s: Vec<Pending>,
    pub(crate) pending_count: u32,
    /// Proven so far on each channel.
    pub(crate) proven: [u32; counters::TRACKED],
    /// Issued so far on each channel.
    pub(crate) issued: [u32; counters::TRACKED],
    /// Flat operations of gfx1250; only kept while somebody watches.
    pub(crate) flats: crate::flat::Flats,
    /// A failed address translation may be tried again, and somebody watches.
    pub(crate) replays: bool,
    /// Registers that an instruction whose address is still being translated would read again.
    pub(crate) replay_v: Vec<Replay>,
    pub(crate) replay_s: Vec<Replay>,
    /// Private memory of the lanes.
    pub(crate) scratch: Vec<u8>,
    pub(crate) scratch_bytes: u32,
    /// M0 was written since the wave began.
    pub(crate) m0_set: bool,
    /// The instruction that wrote M0 last.
    pub(crate) m0_at: u32,
    /// The way it has come, where that matters: see `wait_states`.
    pub(crate) trail: crate::wait_states::Trail,
    /// Instructions until somebody kills the wave.
    pub(crate) kill_after: Option<u32>,
    /// An instruction whose operands or work are not those of its handler: the run ends there as unsupported.
    pub(crate) stray: Option<PlaceId>,
}

impl<const L: usize> Wave<L> {
    /// EXEC with all lanes on.
    pub(crate) const FULL: u64 = if L == 32 { u32::MAX as u64 } else { u64::MAX };

    pub(crate) fn new(
        id: WaveId,
        block: BlockInfo,
        number: u32,
        lanes: LaneMask,
        v: VectorRegisters<L>,
    ) -> Wave<L> {
        Wave {
            id,
            block,
            number,
            all: lanes.0,
            v,
            rows: [[0; L]; 3],
            s: [0; 256],
            exec: lanes.0,
            scc: false,
            pc: 0,
            gfx12: L == 32,
            banks: [0; BANKS],
            mode: 0,
            ticket: None,
            seen: Seen::default(),
            spin: None,
            writing_back: None,
            written_back: false,
            pending_v: Vec::new(),
            pending_s: Vec::new(),
            pending_count: 0,
            proven: [0; counters::TRACKED],
            issued: [0; counters::TRACKED],
            flats: crate::flat::Flats::default(),
            replays: false,
            replay_v: Vec::new(),
            replay_s: Vec::new(),
            scratch: Vec::new(),
            scratch_bytes: 0,
            m0_set: false,
            m0_at: u32::MAX - 1,
            trail: Vec::new(),
            kill_after: None,
            stray: None,
        }
    }

    /// Ends the run at an instruction that its handler cannot execute. Handlers on registers have no result to say so: the
    /// program counter leaves the code, where the loop of `lib.rs` looks for the reason.
    #[cold]
    pub(crate) fn misled(&mut self, op: &Op<L>) {
        self.stray = Some(op.place);
        self.pc = u32::MAX - 1;
    }

    /// A number for all that decides what the wave does next; `registers` are the vector registers that its code names.
    pub(crate) fn fingerprint(&self, registers: &[u16]) -> u64 {
        let mut hasher = FxHasher::default();
        (self.pc, self.exec, self.scc, self.banks, self.mode, self.m0_set, self.kill_after).hash(&mut hasher);
        (&self.s[..], &self.scratch).hash(&mut hasher);
        for row in registers.iter().filter_map(|&n| self.v.get(usize::from(n))) {
            row.as_chunks::<2>()
                .0
                .iter()
                .for_each(|&[a, b]| hasher.write_u64(u64::from(a) | u64::from(b) << 32));
        }
        (
            self.ticket.map(|t| t.generation),
            self.seen.block,
            self.seen.cluster,
            self.seen.named,
            self.seen.stands,
        )
            .hash(&mut hasher);
        hasher.finish()
    }

    /// Who acts: the active lanes at this instruction.
    #[inline]
    pub(crate) fn who(&self, op: &Op<L>) -> Who {
        Who { wave: self.id, lanes: LaneMask(self.exec), place: op.place }
    }

    /// The wave as a whole.
    #[inline]
    pub(crate) fn whole(&self, op: &Op<L>) -> Who {
        Who { wave: self.id, lanes: LaneMask(self.all), place: op.place }
    }

    #[inline]
    pub(crate) fn vcc(&self) -> u64 {
        if L == 32 {
            u64::from(self.s[VCC])
        } else {
            u64::from(self.s[VCC]) | u64::from(self.s[VCC + 1]) << 32
        }
    }

    #[inline]
    pub(crate) fn m0(&self) -> u32 {
        self.s[if self.gfx12 { 125 } else { 124 }]
    }

    /// One scalar register by its number.
    #[inline]
    pub(crate) fn rs(&self, n: usize) -> u32 {
        if n < 124 {
            return self.s[n];
        }
        match n {
            126 => self.exec as u32,
            127 => (self.exec >> 32) as u32,
            124 if self.gfx12 => 0,
            125 if !self.gfx12 => 0,
            251 => u32::from(self.vcc() == 0),
            252 => u32::from(self.exec == 0),
            253 => u32::from(self.scc),
            _ => self.s[n & 255],
        }
    }

    /// Two scalar registers.
    #[inline]
    pub(crate) fn rs64(&self, n: usize) -> u64 {
        if n < 123 {
            return u64::from(self.s[n]) | u64::from(self.s[n + 1]) << 32;
        }
        match n {
            126 => self.exec,
            124 if self.gfx12 => 0,
            // An aperture's base has its lower half zero.
            235..=238 => u64::from(self.s[n]) << 32,
            230 => u64::from(self.s[230]) | u64::from(self.s[231]) << 32,
            251..=253 => u64::from(self.rs(n)),
            _ => 0,
        }
    }

    /// Writes one scalar register; null and read-only numbers take nothing.
    #[inline]
    pub(crate) fn ws(&mut self, n: usize, value: u32) {
        if n < 124 {
            self.s[n] = value;
            return;
        }
        match n {
            126 => self.exec = self.exec & !0xffff_ffff | u64::from(value),
            127 if L == 64 => self.exec = self.exec & 0xffff_ffff | u64::from(value) << 32,
            127 => {}
            124 if self.gfx12 => {}
            125 if !self.gfx12 => {}
            124 | 125 => {
                self.s[n] = value;
                self.m0_set = true;
                self.m0_at = self.pc;
            }
            _ => {}
        }
    }

    #[inline]
    pub(crate) fn ws64(&mut self, n: usize, value: u64) {
        self.ws(n, value as u32);
        if !(self.gfx12 && n == 124) {
            self.ws(n + 1, (value >> 32) as u32);
        }
    }

    /// A lane mask in scalar registers: one register for 32 lanes, two for 64.
    #[inline]
    pub(crate) fn write_mask(&mut self, n: usize, mask: u64) {
        if L == 32 { self.ws(n, mask as u32) } else { self.ws64(n, mask) }
    }

    #[inline]
    pub(crate) fn read_mask(&self, n: usize) -> u64 {
        if L == 32 { u64::from(self.rs(n)) } else { self.rs64(n) }
    }

    /// A scalar operand of 32 bits.
    #[inline]
    pub(crate) fn s32(&self, src: &Src) -> u32 {
        match src.kind {
            SrcKind::Const(v) => v as u32,
            SrcKind::S(n) => self.rs(usize::from(n)),
            SrcKind::V(n) => self.v[self.index(src, n)][0],
            SrcKind::None => 0,
        }
    }

    /// A scalar operand of 64 bits.
    #[inline]
    pub(crate) fn s64(&self, src: &Src) -> u64 {
        match src.kind {
            SrcKind::Const(v) => v,
            SrcKind::S(n) => self.rs64(usize::from(n)),
            SrcKind::V(_) | SrcKind::None => 0,
        }
    }

    #[inline]
    pub(crate) fn index(&self, src: &Src, n: u16) -> usize {
        usize::from(n + self.banks[usize::from(src.slot) % BANKS]) & (VECTOR_REGISTERS - 1)
    }

    #[inline]
    pub(crate) fn reg(&self, reg: Reg) -> usize {
        usize::from(reg.n + self.banks[usize::from(reg.slot) % BANKS]) & (VECTOR_REGISTERS - 1)
    }

    /// A vector operand, dword `part` of it.
    #[inline]
    pub(crate) fn lanes(&self, src: &Src, part: u16) -> [u32; L] {
        match src.kind {
            SrcKind::V(n) => self.v[self.index(src, n + part)],
            // Apertures are 64 bits wide with a lower half of zero, and a 32-bit read gives the upper half.
            SrcKind::S(n @ 230..=238) if src.width == 2 => {
                [(self.rs64(usize::from(n)) >> (32 * part)) as u32; L]
            }
            SrcKind::S(n) => [self.rs(usize::from(n) + usize::from(part) * usize::from(n < 128)); L],
            SrcKind::Const(v) => [if part == 0 { v as u32 } else { (v >> 32) as u32 }; L],
            SrcKind::None => [0; L],
        }
    }

    /// Writes a vector register in the active lanes.
    #[inline]
    pub(crate) fn write(&mut self, reg: Reg, part: u16, value: &[u32; L]) {
        let index = (self.reg(reg) + usize::from(part)) & (VECTOR_REGISTERS - 1);
        let target = &mut self.v[index];
        if self.exec == Self::FULL {
            *target = *value;
        } else {
            blend(target, value, self.exec);
        }
    }

    /// One lane of a vector register.
    #[inline]
    pub(crate) fn set_lane(&mut self, reg: Reg, part: u16, lane: u32, value: u32) {
        let index = (self.reg(reg) + usize::from(part)) & (VECTOR_REGISTERS - 1);
        self.v[index][lane as usize % L] = value;
    }

    /// Active lanes, lowest first.
    #[inline]
    pub(crate) fn active(&self) -> impl Iterator<Item = u32> + use<L> {
        LaneMask(self.exec).iter()
    }
}

impl<const L: usize> Wave<L> {
    /// `s_set_vgpr_msb`: bits 1:0 source 0, 3:2 source 1, 5:4 source 2, 7:6 destination.
    pub(crate) fn set_banks(&mut self, bits: u32) {
        for (i, bank) in self.banks.iter_mut().take(4).enumerate() {
            *bank = ((bits >> (2 * i) & 3) << 8) as u16;
        }
    }
}

/// Takes the lanes of `mask` from `value`: four at a time, without a branch.
pub(crate) fn blend<const L: usize>(target: &mut [u32; L], value: &[u32; L], mask: u64) {
    const LANES: [[u32; 4]; 16] = {
        let mut table = [[0; 4]; 16];
        let mut at = 0;
        while at < 64 {
            table[at / 4][at % 4] = if (at / 4) >> (at % 4) & 1 == 1 { u32::MAX } else { 0 };
            at += 1;
        }
        table
    };
    let (targets, values) = (target.as_chunks_mut::<4>().0, value.as_chunks::<4>().0);
    for (i, (target, value)) in targets.iter_mut().zip(values).enumerate() {
        let lanes = &LANES[(mask >> (4 * i) & 15) as usize];
        for l in 0..4 {
            target[l] ^= (target[l] ^ value[l]) & lanes[l];
        }
    }
}
