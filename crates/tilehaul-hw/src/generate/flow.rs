//! Control flow: branches that meet again, loops, jumps through a table, calls.

use std::fmt::Write;

use super::{COUNT_P, COUNT_U, Generator};

/// Functions that generated programs call: arithmetic, and a loop whose length differs from lane to lane.
pub(super) const FUNCTIONS: &str = ".func (.param .b32 result) mixes(.param .b32 first, .param .b32 second)
{
  .reg .b32 %a<3>;
  ld.param.b32 %a0, [first];
  ld.param.b32 %a1, [second];
  mad.lo.s32 %a2, %a0, 13, %a1;
  shf.l.wrap.b32 %a2, %a2, %a0, %a1;
  st.param.b32 [result], %a2;
  ret;
}

.func (.param .b32 result) counts(.param .b32 first, .param .b32 second)
{
  .reg .b32 %a<3>;
  .reg .pred %b;
  ld.param.b32 %a0, [first];
  ld.param.b32 %a1, [second];
  and.b32 %a1, %a1, 7;
  mov.b32 %a2, 1;
AGAIN:
  mad.lo.s32 %a2, %a2, 5, %a0;
  add.s32 %a1, %a1, -1;
  setp.gt.s32 %b, %a1, 0;
  @%b bra AGAIN;
  st.param.b32 [result], %a2;
  ret;
}

";

impl Generator {
    pub(super) fn branch(&mut self, depth: u32) {
        let (p, n) = (self.random.below(COUNT_P), self.label());
        let _ = writeln!(self.body, "  @%p{p} bra ELSE{n};");
        self.block(depth);
        let _ = writeln!(self.body, "  bra.uni JOIN{n};\nELSE{n}:");
        self.block(depth);
        let _ = writeln!(self.body, "JOIN{n}:");
        if depth == 0 {
            self.body.push_str("  bar.warp.sync -1;\n");
        }
    }

    pub(super) fn repeat(&mut self, depth: u32) {
        // The trip count differs from thread to thread when the loop's own register says so.
        let n = self.label();
        let trips = 1 + self.random.below(3);
        let _ = match self.random.one_in(2) {
            true => writeln!(self.body, "  mov.u32 %c{n}, {trips};"),
            false => writeln!(self.body, "  and.b32 %c{n}, %me3, {trips};"),
        };
        let _ = writeln!(self.body, "LOOP{n}:");
        self.block(depth);
        let _ = writeln!(
            self.body,
            "  add.s32 %c{n}, %c{n}, -1;\n  setp.gt.s32 %q{n}, %c{n}, 0;\n  @%q{n} bra LOOP{n};"
        );
        if depth == 0 {
            self.body.push_str("  bar.warp.sync -1;\n");
        }
    }

    /// One of four ways for each thread, through a table.
    pub(super) fn switch(&mut self, depth: u32) {
        let (n, r) = (self.label(), self.random.below(COUNT_U));
        self.used.push("brx.idx");
        let _ = writeln!(
            self.body,
            "  and.b32 %ra, %r{r}, 3;\nTABLE{n}: .branchtargets WAY{n}_0, WAY{n}_1, WAY{n}_2, WAY{n}_1;\n  brx.idx %ra, TABLE{n};"
        );
        for way in 0..3 {
            let _ = writeln!(self.body, "WAY{n}_{way}:");
            self.block(depth);
            let _ = writeln!(self.body, "  bra.uni MEET{n};");
        }
        let _ = writeln!(self.body, "MEET{n}:");
        if depth == 0 {
            self.body.push_str("  bar.warp.sync -1;\n");
        }
    }

    /// A function with its arguments in `.param` variables.
    pub(super) fn call(&mut self) {
        let (n, to) = (self.label(), self.random.below(COUNT_U));
        let (a, b) = (self.random.below(COUNT_U), self.random.below(COUNT_U));
        let name = self.random.pick(&["mixes", "counts"]).copied().unwrap_or("mixes");
        self.used.push("call.uni");
        let _ = writeln!(
            self.body,
            "  {{ // call {n}\n  .param .b32 first;\n  .param .b32 second;\n  .param .b32 result;\n  st.param.b32 [first], %r{a};\n  st.param.b32 [second], %r{b};\n  call.uni (result), {name}, (first, second);\n  ld.param.b32 %r{to}, [result];\n  }}"
        );
    }
}
