//! What unit tests of instructions share: one instruction from its text, a wave to run it on.

use std::sync::Arc;

use tilehaul_isa::gcn::asm::assemble;
use tilehaul_isa::gcn::{Placed, Target};
use tilehaul_machine::{BlockId, BlockInfo, ClusterId, LaneMask, WaveId};

use crate::op::{Action, Op};
use crate::registers::VectorRegisters;
use crate::wave::Wave;

/// One instruction, lowered.
pub(crate) fn op<const L: usize>(target: Target, text: &str) -> Op<L> {
    let inst = assemble(target, text, &|_| None).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let placed = Placed { address: 0, inst: Ok(inst), word: 0, size: inst.size, span: None, line: None };
    crate::lower::lower(&placed, 0, |_| None)
}

/// A wave with all lanes on and zeros in its registers.
pub(crate) fn wave<const L: usize>() -> Wave<L> {
    let block =
        BlockInfo { id: BlockId(0), position: [0; 3], cluster: ClusterId(0), rank: 0, rank_position: [0; 3] };
    let registers = VectorRegisters::new(&Arc::default(), &[]);
    let mut wave = Wave::new(WaveId(0), block, 0, LaneMask(Wave::<L>::FULL), registers);
    wave.v.iter_mut().for_each(|row| *row = [0; L]);
    // As compilers set it: no denormal is flushed.
    wave.mode = 0xf0;
    wave
}

/// Runs an instruction that touches nothing but registers.
pub(crate) fn run<const L: usize>(target: Target, text: &str, wave: &mut Wave<L>) {
    let op = op(target, text);
    match op.action {
        Action::Alu(f) => f(wave, &op),
        Action::Sys(_) | Action::Missing => panic!("{text} is no operation on registers alone"),
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }
}
