//! What threads do together: exchanges around a barrier, votes of the block, fragments and products of a warp.

use std::fmt::Write;

use super::{COUNT_D, COUNT_F, COUNT_P, COUNT_U, Generator, THREADS};
use crate::templates::SHARED_RED;

impl Generator {
    /// Every thread writes its slot of shared memory and reads another's, in one of several widths.
    pub(super) fn exchange(&mut self) {
        let (a, b) = (self.random.below(COUNT_U), self.random.below(COUNT_U));
        let (to, shift) = (self.random.below(COUNT_U), self.random.below(THREADS));
        let barrier = if self.random.one_in(3) { "barrier.cta.sync 1, 64" } else { "bar.sync 0" };
        let _ = writeln!(self.body, "  st.shared.v2.b32 [%own], {{%r{a}, %r{b}}};\n  {barrier};");
        let _ = writeln!(self.body, "  add.s32 %ra, %me, {shift};\n  and.b32 %ra, %ra, {};", THREADS - 1);
        let _ = writeln!(self.body, "  shl.b32 %ra, %ra, 3;\n  add.s32 %ra, %ra, %scratch;");
        let offset = self.random.below(8);
        let _ = match self.random.below(6) {
            0 => writeln!(self.body, "  ld.shared.u8 %r{to}, [%ra+{offset}];"),
            1 => writeln!(self.body, "  ld.shared.s8 %r{to}, [%ra+{offset}];"),
            2 => writeln!(self.body, "  ld.shared.s16 %r{to}, [%ra+{}];", offset & 6),
            3 => writeln!(self.body, "  ld.shared.b64 %d{}, [%ra];", to % COUNT_D),
            4 => writeln!(self.body, "  ld.shared.f32 %f{}, [%ra+{}];", to % COUNT_F, offset & 4),
            _ => writeln!(self.body, "  ld.shared.u32 %r{to}, [%ra+{}];", offset & 4),
        };
        if self.random.one_in(3) {
            let x = self.random.below(4);
            let form = ["x1", "x2", "x4", "x1.trans"][x as usize];
            let list = match x {
                1 => "{%m0, %m1}",
                2 => "{%m0, %m1, %m2, %m3}",
                _ => "{%m0}",
            };
            let _ = writeln!(
                self.body,
                "  and.b32 %ra, %me, 31;\n  shl.b32 %ra, %ra, 4;\n  add.s32 %ra, %ra, %scratch;"
            );
            let _ = writeln!(
                self.body,
                "  ldmatrix.sync.aligned.m8n8.{form}.shared.b16 {list}, [%ra];\n  mov.b32 %r{to}, %m0;"
            );
        }
        let _ = writeln!(self.body, "  {barrier};");
    }

    /// Reductions whose order does not matter, then everyone reads the sums.
    pub(super) fn reduce(&mut self) {
        let (from, to) = (self.random.below(COUNT_U), self.random.below(COUNT_U));
        let _ = writeln!(self.body, "  st.shared.v2.b32 [%own], {{%me, %me3}};\n  bar.sync 0;");
        let _ = writeln!(
            self.body,
            "  and.b32 %ra, %r{from}, 31;\n  shl.b32 %ra, %ra, 2;\n  add.s32 %ra, %ra, %scratch;"
        );
        self.instruction(SHARED_RED);
        let _ = writeln!(self.body, "  bar.sync 0;\n  ld.shared.u32 %r{to}, [%ra];\n  bar.sync 0;");
    }

    /// A question to all threads of the block.
    pub(super) fn block_vote(&mut self) {
        let (p, to) = (self.random.below(COUNT_P), self.random.below(COUNT_U));
        let text = match self.random.below(3) {
            0 => format!("barrier.cta.red.popc.aligned.u32 %r{to}, 0, %p{p}"),
            1 => format!("barrier.cta.red.and.aligned.pred %p{}, 0, %p{p}", (p + 1) % COUNT_P),
            _ => format!("bar.red.or.pred %p{}, 0, !%p{p}", (p + 1) % COUNT_P),
        };
        self.used.push("bar.red");
        let _ = writeln!(self.body, "  {text};");
    }

    /// Fragments out to shared memory and back, by warp.
    pub(super) fn matrix_words(&mut self) {
        let (a, b, to) = (self.random.below(COUNT_U), self.random.below(COUNT_U), self.random.below(COUNT_U));
        let trans = if self.random.one_in(2) { ".trans" } else { "" };
        let back = if self.random.one_in(2) { ".trans" } else { "" };
        self.used.push("stmatrix.sync.aligned.m8n8.x2.shared.b16");
        let _ = writeln!(
            self.body,
            "  and.b32 %ra, %me, 32;
  shl.b32 %ra, %ra, 6;
  add.s32 %ra, %ra, %tile;
  and.b32 %c0, %me, 31;
  shl.b32 %c0, %c0, 4;
  add.s32 %ra, %ra, %c0;
  add.s32 %ra, %ra, 12288;
  stmatrix.sync.aligned.m8n8.x2{trans}.shared.b16 [%ra], {{%r{a}, %r{b}}};
  bar.warp.sync -1;
  ldmatrix.sync.aligned.m8n8.x2{back}.shared.b16 {{%m0, %m1}}, [%ra];
  bar.warp.sync -1;
  mov.b32 %r{to}, %m{};",
            self.random.below(2)
        );
    }

    pub(super) fn matrix(&mut self) {
        // Spelling, words of A, B and the accumulator, and the registers of the accumulator.
        let kinds: [(&'static str, u32, u32, u32, char); 14] = [
            ("m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 'n'),
            ("m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, 'n'),
            ("m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, 'm'),
            ("m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, 'n'),
            ("m16n8k8.row.col.f32.bf16.bf16.f32", 2, 1, 4, 'n'),
            ("m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, 'n'),
            ("m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4, 'n'),
            ("m16n8k32.row.col.s32.s8.u8.s32", 4, 2, 4, 'm'),
            ("m16n8k16.row.col.s32.u8.s8.s32", 2, 1, 4, 'm'),
            ("m16n8k32.row.col.satfinite.s32.s8.s8.s32", 4, 2, 4, 'm'),
            ("m8n8k16.row.col.s32.u8.u8.s32", 1, 1, 2, 'm'),
            ("m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 2, 4, 'n'),
            ("m16n8k32.row.col.f32.e5m2.e4m3.f32", 4, 2, 4, 'n'),
            ("m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, 4, 'n'),
        ];
        let Some((kind, a, b, c, x)) = self.random.pick(&kinds).copied() else { return };
        let mut words = |count: u32| {
            let list: Vec<String> = (0..count).map(|_| format!("%r{}", self.random.below(COUNT_U))).collect();
            format!("{{{}}}", list.join(", "))
        };
        let (a, b) = (words(a), words(b));
        let sums = format!("{{{}}}", (0..c).map(|n| format!("%{x}{n}")).collect::<Vec<_>>().join(", "));
        let _ = writeln!(self.body, "  mma.sync.aligned.{kind} {sums}, {a}, {b}, {sums};");
        self.used.push(kind);
        let (to, from) = (self.random.below(COUNT_U), self.random.below(c));
        let _ = writeln!(self.body, "  mov.b32 %r{to}, %{x}{from};");
    }
}
