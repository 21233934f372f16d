//! What the warps of a warpgroup must agree on in a `wgmma`: all four execute it, with the same operands.
//!
//! May miss operands that differ from a warp that has gone on to a later product; never reports what agrees.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::WaveId;

use super::Cx;
use super::wgmma::PRODUCT_SLOTS;
use crate::inst::WgmmaOp;

/// First of the block's slots that hold the operands of each warp's latest product.
const OPERAND_SLOTS: u32 = 0x800;
const SOURCE: Source = Source::manual(
    "PTX ISA, wgmma.mma_async: all threads of the warpgroup execute it, with the same descriptors and scale-d",
);

impl Cx<'_> {
    /// The other warps of the warpgroup.
    pub(super) fn warpgroup(&self) -> impl Iterator<Item = (u32, WaveId)> + use<> {
        let (own, number) = (self.w.info.id, self.w.info.number);
        let first = number - number % 4;
        let last = self.p.launch.waves_per_block().min(first + 4);
        (first..last)
            .filter(move |&warp| warp != number)
            .map(move |warp| (warp, WaveId(own.0 - number + warp)))
    }

    /// Says what the warps of the warpgroup do not agree on in product `seq` of this warp.
    pub(super) fn warpgroup_agrees(&mut self, op: &WgmmaOp, seq: u32) {
        if !self.core.watching() {
            return;
        }
        let (block, number, first) = (self.w.info.block.id, self.w.info.number, self.first());
        let scale = self.truth(op.scale_d) & self.mask;
        let a = (op.a.len() == 1).then(|| self.reg(op.a[0]));
        let b = self.reg(op.b);
        let differ = |values: &[u64]| (0..32).any(|l| self.mask >> l & 1 == 1 && values[l] != values[first]);
        let lanes = differ(&b[..]) || a.is_some_and(|a| differ(&a[..])) || scale != 0 && scale != self.mask;
        // What the operands are, in one number: a warp that executes another product has another.
        let mut operands =
            (u64::from(self.pc) << 1 | u64::from(scale != 0)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        operands = (operands ^ b[first]).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        operands = (operands ^ a.map_or(0, |a| a[first])).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.core.set_block_slot(block, OPERAND_SLOTS + number, operands);
        if lanes {
            self.disagrees(
                "wgmma-operands-differ",
                format!("the lanes of warp {number} give this wgmma different descriptors or scale-d"),
            );
        }
        let members = 1 + self.warpgroup().count();
        if members < 4 {
            self.disagrees("wgmma-warpgroup-incomplete", format!(
                "warp {number} executes this wgmma in a warpgroup of {members} of 4 warps: the block has no more"
            ));
            return;
        }
        for (warp, wave) in self.warpgroup().collect::<Vec<_>>() {
            let theirs = self.core.block_slot(block, PRODUCT_SLOTS + warp);
            if theirs < seq.into() && self.core.wave_ended(wave) {
                self.disagrees("wgmma-warpgroup-incomplete", format!(
                    "warp {number} executes this wgmma, and warp {warp} of its warpgroup has ended without it"
                ));
            } else if theirs == seq.into() && self.core.block_slot(block, OPERAND_SLOTS + warp) != operands {
                self.disagrees("wgmma-operands-differ", format!(
                    "warps {warp} and {number} of a warpgroup execute their product {seq} with different descriptors or scale-d, or at different places"
                ));
            }
        }
    }

    fn disagrees(&mut self, code: &'static str, message: String) {
        let who = self.who();
        let said = Diagnostic::new(Code(code), Level::Error, message)
            .fix("Let all four warps of the warpgroup, the first of them a multiple of 4, execute the wgmma with the same descriptors and scale-d.")
            .source(SOURCE);
        self.core.report(who, said);
    }
}
