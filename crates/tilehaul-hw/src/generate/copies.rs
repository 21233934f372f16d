//! Asynchronous copies, each waited for: `cp.async`, bulk and tensor.

use std::fmt::Write;

use super::{COUNT_U, Generator};

impl Generator {
    /// `cp.async` of 4, 8 or 16 bytes from the thread's own input to its own shared memory.
    pub(super) fn async_words(&mut self) {
        let (bytes, to) = (4 << self.random.below(3), self.random.below(COUNT_U));
        let cache = if bytes == 16 && self.random.one_in(2) { "cg" } else { "ca" };
        let given = match self.random.below(3) {
            0 => format!(", {}", self.random.below(bytes + 1)),
            _ => String::new(),
        };
        let end = if self.random.one_in(2) {
            "cp.async.wait_all"
        } else {
            "cp.async.commit_group;\n  cp.async.wait_group 0"
        };
        self.used.push("cp.async");
        let _ = writeln!(self.body, "  st.shared.v4.b32 [%priv+16], {{%r0, %r1, %r2, %r3}};");
        let _ = writeln!(
            self.body,
            "  cp.async.{cache}.shared.global [%priv+16], [%in+{}], {bytes}{given};\n  {end};\n  ld.shared.b32 %r{to}, [%priv+{}];",
            16 * self.random.below(4),
            16 + 4 * self.random.below(4)
        );
    }

    /// One thread of each warp copies, stores or reduces a row of bytes with the bulk engine.
    pub(super) fn bulk_words(&mut self) {
        let (from, to) = (self.random.below(COUNT_U), self.random.below(COUNT_U));
        let reduce = match self.random.below(4) {
            0 => Some("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"),
            1 => Some("cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32"),
            2 => Some("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32"),
            _ => None,
        };
        self.used.push(reduce.unwrap_or("cp.async.bulk.global.shared::cta.bulk_group"));
        let _ = writeln!(
            self.body,
            "  st.shared.v4.b32 [%priv+32], {{%r{from}, %me, %me3, %r{to}}};
  st.global.b64 [%mine], %d0;
  fence.proxy.async;
  {} [%mine_row], [%priv+32], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  fence.proxy.async;
  ld.global.b32 %r{to}, [%mine_row+{}];",
            reduce.unwrap_or("cp.async.bulk.global.shared::cta.bulk_group"),
            4 * self.random.below(4)
        );
    }

    /// A tile comes in, is changed by the threads, and goes out again.
    pub(super) fn copy(&mut self) {
        self.copied = true;
        let (a, to) = (self.random.below(COUNT_U), self.random.below(COUNT_U));
        let (x, y) = (self.random.below(18) as i32 * 4 - 8, self.random.below(80) as i32 - 8);
        let (sx, sy) = (self.random.below(16) * 4, self.random.below(70));
        self.used.push("cp.async.bulk.tensor.2d");
        let _ = writeln!(
            self.body,
            "  setp.eq.u32 %q0, %me, 0;
  @%q0 mbarrier.init.shared.b64 [%bar], 1;
  @%q0 fence.mbarrier_init.release.cluster;
  bar.sync 0;
  @!%q0 bra ISSUED;
  mbarrier.arrive.expect_tx.shared.b64 _, [%bar], @BYTES@;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%tile], [%map, {{{x}, {y}}}], [%bar];
ISSUED:
  bar.warp.sync -1;
WAIT:
  mbarrier.try_wait.parity.shared.b64 %q0, [%bar], 0;
  @!%q0 bra WAIT;
  bar.sync 0;
  rem.u32 %ra, %r{a}, @BYTES@;
  and.b32 %ra, %ra, -4;
  add.s32 %ra, %ra, %tile;
  ld.shared.b32 %r{to}, [%ra];
  bar.sync 0;
  shl.b32 %ra, %me, 2;
  rem.u32 %ra, %ra, @BYTES@;
  add.s32 %ra, %ra, %tile;
  setp.lt.u32 %q0, %me, 32;
  @%q0 st.shared.b32 [%ra], %r{to};
  fence.proxy.async.shared::cta;
  bar.sync 0;
  setp.eq.u32 %q0, %me, 0;
  @!%q0 bra STORED;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%out_map, {{{sx}, {sy}}}], [%tile];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
STORED:
  bar.warp.sync -1;
  bar.sync 0;"
        );
    }
}
