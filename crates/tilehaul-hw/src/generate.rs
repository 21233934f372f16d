//! Small random PTX programs with one defined result.
//!
//! A program loads a handful of registers from `inputs`, runs a few dozen random statements and stores every register to
//! `outputs`. Statements are arithmetic under random predicates, branches that diverge and meet again, short loops,
//! exchanges through shared memory between barriers, warp-wide operations where the whole warp is together, matrix
//! products, and tensor or bulk copies that are waited for. Nothing depends on timing, so any difference between two
//! executors is a fault in one of them.

use std::fmt::Write;

use crate::random::Random;
use crate::templates::{ALONE, CHAINS, PLAIN, SHARED_RED, WARP};

/// Threads of a block.
pub const THREADS: u32 = 64;
/// 32-bit words that each thread reads from `inputs`.
pub const WORDS_IN: u32 = 32;
/// 32-bit words that each thread writes to `outputs`.
pub const WORDS_OUT: u32 = 36;
/// Rows and columns of the 32-bit tensor `image` behind the tensor map.
pub const IMAGE: u32 = 64;
/// Entry point of every generated program.
pub const ENTRY: &str = "generated";

/// Functions that generated programs call: arithmetic, and a loop whose length differs from lane to lane.
const FUNCTIONS: &str = ".func (.param .b32 result) mixes(.param .b32 first, .param .b32 second)
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

const COUNT_U: u32 = 10;
const COUNT_D: u32 = 4;
const COUNT_H: u32 = 4;
const COUNT_F: u32 = 5;
const COUNT_G: u32 = 2;
const COUNT_P: u32 = 3;

/// A program and its launch, as files would hold them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// PTX text.
    pub ptx: String,
    /// Launch file that names the program `NAME.ptx` and no other file.
    pub launch: String,
    /// The templates used, for the list of covered instructions.
    pub used: Vec<&'static str>,
}

/// Makes the program of a seed; `name` is the stem of its files.
#[must_use]
pub fn generate(seed: u64, name: &str) -> Generated {
    let mut g = Generator {
        random: Random::new(seed),
        body: String::new(),
        labels: 0,
        used: Vec::new(),
        copied: false,
    };
    let statements = 20 + g.random.below(30);
    for _ in 0..statements {
        g.statement(0);
    }
    let swizzle = *g.random.pick(&["none", "32B", "64B", "128B"]).unwrap_or(&"none");
    let width = match swizzle {
        "32B" => 8,
        "64B" => 16,
        _ => 32,
    };
    let rows = 4 + g.random.below(12);
    let body = g.body.replace("@BYTES@", &(width * rows * 4).to_string());
    Generated { ptx: module(&body, seed), launch: launch(seed, name, swizzle, width, rows), used: g.used }
}

/// Makes a program that applies one template a few times; `None` past the last one. A difference then names its
/// instruction at once.
#[must_use]
pub fn generate_single(index: usize, seed: u64, name: &str) -> Option<Generated> {
    let template = PLAIN.iter().chain(CHAINS).chain(WARP).chain(ALONE).nth(index).copied()?;
    let mut g = Generator {
        random: Random::new(seed),
        body: String::new(),
        labels: 0,
        used: Vec::new(),
        copied: false,
    };
    for _ in 0..8 {
        let text = g.fill(template);
        let _ = writeln!(g.body, "  {text};");
    }
    Some(Generated { ptx: module(&g.body, seed), launch: launch(seed, name, "none", 32, 4), used: g.used })
}

struct Generator {
    random: Random,
    body: String,
    labels: u32,
    used: Vec<&'static str>,
    copied: bool,
}

impl Generator {
    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth == 0 { 29 } else { 16 }) {
            0..=9 => self.plain(),
            10 => self.instruction(CHAINS),
            11 if depth < 2 => self.branch(depth),
            12 if depth < 2 => self.repeat(depth),
            13 if depth < 2 => self.switch(depth),
            14 => self.call(),
            15 => self.own_words(),
            16 | 17 => self.instruction(WARP),
            18 => self.exchange(),
            19 => self.reduce(),
            20 | 21 => self.matrix(),
            22 | 23 => self.own_memory(),
            24 => self.async_words(),
            25 => self.bulk_words(),
            26 => self.block_vote(),
            27 => self.matrix_words(),
            28 if !self.copied => self.copy(),
            _ => self.plain(),
        }
    }

    fn plain(&mut self) {
        if self.random.one_in(4) {
            let not = if self.random.one_in(2) { "!" } else { "" };
            let p = self.random.below(COUNT_P);
            let Some(template) = self.random.pick(PLAIN).copied() else { return };
            if template.contains(';') {
                return;
            }
            let text = self.fill(template);
            let _ = writeln!(self.body, "  @{not}%p{p} {text};");
        } else {
            self.instruction(PLAIN);
        }
    }

    fn instruction(&mut self, list: &[&'static str]) {
        let Some(template) = self.random.pick(list).copied() else { return };
        let text = self.fill(template);
        let _ = writeln!(self.body, "  {text};");
    }

    fn fill(&mut self, template: &'static str) -> String {
        self.used.push(template);
        let mut out = String::with_capacity(template.len() + 16);
        // An instruction whose sources are one register may be folded into a move; so they differ where they can.
        let mut sources: Vec<(char, u32)> = Vec::new();
        let mut chars = template.chars();
        while let Some(c) = chars.next() {
            if c != '$' {
                out.push(c);
                continue;
            }
            let kind = chars.next().unwrap_or(' ');
            let (letter, count) = match kind.to_ascii_lowercase() {
                'u' => ('r', COUNT_U),
                'd' => ('d', COUNT_D),
                'h' => ('h', COUNT_H),
                'f' => ('f', COUNT_F),
                'g' => ('g', COUNT_G),
                'p' => ('p', COUNT_P),
                other => {
                    let limit = match other {
                        '5' => 32,
                        'n' => 256,
                        _ => u32::MAX,
                    };
                    let number = self.random.below(limit);
                    let _ =
                        if other == 'i' { write!(out, "{}", number as i32) } else { write!(out, "{number}") };
                    continue;
                }
            };
            let mut n = self.random.below(count);
            if kind.is_ascii_lowercase() {
                while sources.contains(&(letter, n)) && sources.len() < count as usize {
                    n = (n + 1) % count;
                }
                sources.push((letter, n));
            }
            let _ = write!(out, "%{letter}{n}");
        }
        out
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth + 1);
        }
    }

    fn branch(&mut self, depth: u32) {
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

    fn repeat(&mut self, depth: u32) {
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
    fn switch(&mut self, depth: u32) {
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
    fn call(&mut self) {
        let (n, to) = (self.label(), self.random.below(COUNT_U));
        let (a, b) = (self.random.below(COUNT_U), self.random.below(COUNT_U));
        let name = self.random.pick(&["mixes", "counts"]).copied().unwrap_or("mixes");
        self.used.push("call.uni");
        let _ = writeln!(
            self.body,
            "  {{ // call {n}\n  .param .b32 first;\n  .param .b32 second;\n  .param .b32 result;\n  st.param.b32 [first], %r{a};\n  st.param.b32 [second], %r{b};\n  call.uni (result), {name}, (first, second);\n  ld.param.b32 %r{to}, [result];\n  }}"
        );
    }

    /// Vectors and narrow words in memory that only this thread touches.
    fn own_words(&mut self) {
        let r: Vec<u32> = (0..4).map(|_| self.random.below(COUNT_U)).collect();
        let (space, at) = if self.random.one_in(2) { ("shared", "%priv") } else { ("local", "room") };
        let order = match (space, self.random.below(4)) {
            ("shared", 0) => ".volatile",
            ("shared", 1) => ".relaxed.cta",
            _ => "",
        };
        let store =
            *self.random.pick(&["v4.b32", "v2.b32", "b8", "b16", "v2.u16", "v4.u8", "b32"]).unwrap_or(&"b32");
        let load =
            *self.random.pick(&["v4.u32", "v2.b32", "s8", "u16", "v4.u8", "v2.s16", "b32"]).unwrap_or(&"b32");
        self.used.push(if space == "shared" { "st.shared, ld.shared" } else { "st.local, ld.local" });
        let list = |form: &str| {
            let many = match form.as_bytes() {
                [b'v', b'4', ..] => 4,
                [b'v', b'2', ..] => 2,
                _ => return format!("%r{}", r[0]),
            };
            format!("{{{}}}", r[..many].iter().map(|n| format!("%r{n}")).collect::<Vec<_>>().join(", "))
        };
        // Loads need registers of their own.
        let mut distinct = r.clone();
        distinct.dedup();
        distinct.sort_unstable();
        distinct.dedup();
        let load = if distinct.len() < 4 && load.starts_with('v') { "b32" } else { load };
        let order = if store.starts_with('v') || load.starts_with('v') { "" } else { order };
        let _ = writeln!(self.body, "  st.{space}.v4.b32 [{at}], {{%me, %r0, %r1, %r2}};");
        let _ = writeln!(self.body, "  st{order}.{space}.{store} [{at}], {};", list(store));
        let _ = writeln!(self.body, "  ld{order}.{space}.{load} {}, [{at}];", list(load));
    }

    /// `cp.async` of 4, 8 or 16 bytes from the thread's own input to its own shared memory.
    fn async_words(&mut self) {
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
    fn bulk_words(&mut self) {
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

    /// A question to all threads of the block.
    fn block_vote(&mut self) {
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
    fn matrix_words(&mut self) {
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

    /// Every thread writes its slot of shared memory and reads another's, in one of several widths.
    fn exchange(&mut self) {
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
    fn reduce(&mut self) {
        let (from, to) = (self.random.below(COUNT_U), self.random.below(COUNT_U));
        let _ = writeln!(self.body, "  st.shared.v2.b32 [%own], {{%me, %me3}};\n  bar.sync 0;");
        let _ = writeln!(
            self.body,
            "  and.b32 %ra, %r{from}, 31;\n  shl.b32 %ra, %ra, 2;\n  add.s32 %ra, %ra, %scratch;"
        );
        self.instruction(SHARED_RED);
        let _ = writeln!(self.body, "  bar.sync 0;\n  ld.shared.u32 %r{to}, [%ra];\n  bar.sync 0;");
    }

    fn matrix(&mut self) {
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

    /// Atomics and global memory that only this thread touches.
    fn own_memory(&mut self) {
        // Operation and class of its registers.
        let ops: [(&'static str, char); 27] = [
            ("add.u32", 'r'),
            ("add.s32", 'r'),
            ("exch.b32", 'r'),
            ("min.s32", 'r'),
            ("min.u32", 'r'),
            ("max.u32", 'r'),
            ("max.s32", 'r'),
            ("inc.u32", 'r'),
            ("dec.u32", 'r'),
            ("and.b32", 'r'),
            ("or.b32", 'r'),
            ("xor.b32", 'r'),
            ("cas.b32", 'r'),
            ("add.f32", 'f'),
            ("add.noftz.f16x2", 'r'),
            ("add.noftz.bf16x2", 'r'),
            ("add.u64", 'd'),
            ("exch.b64", 'd'),
            ("min.s64", 'd'),
            ("max.u64", 'd'),
            ("and.b64", 'd'),
            ("or.b64", 'd'),
            ("xor.b64", 'd'),
            ("cas.b64", 'd'),
            ("add.f64", 'g'),
            ("add.noftz.f16", 'h'),
            ("add.noftz.bf16", 'h'),
        ];
        let Some((op, class)) = self.random.pick(&ops).copied() else { return };
        self.used.push(op);
        let (space, at) = if self.random.one_in(2) { ("shared", "%own") } else { ("global", "%mine") };
        let (count, bits) = match class {
            'd' => (COUNT_D, "b64"),
            'g' => (COUNT_G, "f64"),
            'h' => (COUNT_H, "b16"),
            'f' => (COUNT_F, "f32"),
            _ => (COUNT_U, "b32"),
        };
        let [start, value, new, to] = [0; 4].map(|_| self.random.below(count));
        let order = match self.random.below(6) {
            0 => ".relaxed.gpu",
            1 => ".acq_rel.cta",
            2 => ".acquire.sys",
            _ => "",
        };
        let _ = writeln!(self.body, "  st.{space}.{bits} [{at}], %{class}{start};");
        let _ = match op.starts_with("cas") {
            // Half of the comparisons should succeed.
            true => {
                let wanted = if self.random.one_in(2) { start } else { value };
                writeln!(
                    self.body,
                    "  atom{order}.{space}.{op} %{class}{to}, [{at}], %{class}{wanted}, %{class}{new};"
                )
            }
            false => writeln!(self.body, "  atom{order}.{space}.{op} %{class}{to}, [{at}], %{class}{value};"),
        };
        let _ = writeln!(
            self.body,
            "  ld.{space}.{bits} %{class}{}, [{at}];\n  bar.sync 0;",
            self.random.below(count)
        );
    }

    /// A tile comes in, is changed by the threads, and goes out again.
    fn copy(&mut self) {
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

fn module(body: &str, seed: u64) -> String {
    let mut s = String::from(".version 8.6\n.target sm_90a\n.address_size 64\n\n");
    s.push_str(FUNCTIONS);
    s.push_str(
        ".visible .entry generated(\n  .param .u64 inputs,\n  .param .u64 outputs,\n  .param .u64 scratchpad,\n  .param .align 64 .b8 image_map[128],\n  .param .align 64 .b8 result_map[128]\n)\n{\n",
    );
    s.push_str("  .shared .align 1024 .b8 tile[16384];\n  .shared .align 16 .b8 words[1024];\n  .shared .align 8 .b64 barrier;\n  .local .align 16 .b8 room[16];\n");
    s.push_str("  .reg .b32 %r<16>, %m<4>, %c<256>, %me, %me3, %own, %ra, %scratch, %bar, %tile, %priv;\n  .reg .f32 %f<8>, %n<4>;\n");
    s.push_str("  .reg .b64 %d<8>, %in, %out, %mine, %mine_row, %map, %out_map, %x;\n  .reg .f64 %g<4>;\n  .reg .b16 %h<8>;\n  .reg .pred %p<4>, %q<256>;\n\n");
    let per_thread_in = WORDS_IN * 4;
    let per_thread_out = WORDS_OUT * 4;
    let _ = write!(
        s,
        "  mov.u32 %me, %tid.x;
  and.b32 %me3, %me, 3;
  mov.u32 %scratch, words;
  shl.b32 %own, %me, 3;
  add.s32 %own, %own, %scratch;
  mov.u32 %bar, barrier;
  mov.u32 %tile, tile;
  shl.b32 %priv, %me, 6;
  add.s32 %priv, %priv, %tile;
  add.s32 %priv, %priv, 8192;
  mov.b64 %map, image_map;
  cvta.param.u64 %map, %map;
  mov.b64 %out_map, result_map;
  cvta.param.u64 %out_map, %out_map;
  ld.param.u64 %in, [inputs];
  cvta.to.global.u64 %in, %in;
  ld.param.u64 %out, [outputs];
  cvta.to.global.u64 %out, %out;
  ld.param.u64 %mine, [scratchpad];
  cvta.to.global.u64 %mine, %mine;
  mov.u32 %r15, %ctaid.x;
  mad.lo.u32 %r15, %r15, {THREADS}, %me;
  mul.wide.u32 %x, %r15, {per_thread_in};
  add.s64 %in, %in, %x;
  mul.wide.u32 %x, %r15, {per_thread_out};
  add.s64 %out, %out, %x;
  mul.wide.u32 %x, %r15, 32;
  add.s64 %mine, %mine, %x;
  add.s64 %mine_row, %mine, 16;
"
    );
    load_registers(&mut s, seed);
    s.push_str("  bar.sync 0;\n\n");
    s.push_str(body);
    s.push('\n');
    store_registers(&mut s);
    s.push_str("  ret;\n}\n");
    s
}

/// Registers start from words of `inputs`, which count 0, 1, 2...; the program scrambles them itself (murmur3's
/// finalizer), so that no launch file needs data of its own.
fn load_registers(s: &mut String, seed: u64) {
    let mut at = 0;
    let mut word = |s: &mut String| {
        let _ = write!(
            s,
            "  ld.global.b32 %ra, [%in+{at}];
  mad.lo.u32 %ra, %ra, 0x9E3779B1, {};
  shr.u32 %c0, %ra, 16;
  xor.b32 %ra, %ra, %c0;
  mul.lo.u32 %ra, %ra, 0x85EBCA6B;
  shr.u32 %c0, %ra, 13;
  xor.b32 %ra, %ra, %c0;
  mul.lo.u32 %ra, %ra, 0xC2B2AE35;
  shr.u32 %c0, %ra, 16;
  xor.b32 %ra, %ra, %c0;
",
            seed & 0xffff_ffff
        );
        at += 4;
    };
    for n in 0..COUNT_U {
        word(s);
        let _ = writeln!(s, "  mov.b32 %r{n}, %ra;");
    }
    for n in 0..COUNT_F {
        // Random bits are nearly always huge, tiny or NaN, so most floats start as numbers of human size.
        word(s);
        let _ = match n {
            0..3 => writeln!(
                s,
                "  shr.s32 %ra, %ra, 12;\n  cvt.rn.f32.s32 %f{n}, %ra;\n  mul.rn.f32 %f{n}, %f{n}, 0f3A800000;"
            ),
            _ => writeln!(s, "  mov.b32 %f{n}, %ra;"),
        };
    }
    for n in 0..COUNT_H {
        word(s);
        let _ = writeln!(s, "  cvt.u16.u32 %h{n}, %ra;");
    }
    for n in 0..COUNT_D {
        word(s);
        let _ = writeln!(s, "  mov.b64 %d{n}, {{%ra, %r{n}}};");
    }
    for n in 0..COUNT_G {
        word(s);
        let _ = writeln!(s, "  cvt.rn.f64.s32 %g{n}, %ra;");
    }
    for n in 0..COUNT_P {
        let _ = writeln!(s, "  and.b32 %ra, %r{n}, {};\n  setp.ne.s32 %p{n}, %ra, 0;", 1 << n);
    }
    for n in 0..4 {
        let _ = writeln!(s, "  mov.b32 %m{n}, %r{n};\n  mov.f32 %n{n}, %f{n};");
    }
}

fn store_registers(s: &mut String) {
    let mut at = 0;
    let mut put = |s: &mut String, kind: &str, name: String, bytes: u32| {
        at = (at + bytes - 1) & !(bytes - 1);
        let _ = writeln!(s, "  st.global.{kind} [%out+{at}], {name};");
        at += bytes;
    };
    for n in 0..COUNT_U {
        put(s, "b32", format!("%r{n}"), 4);
    }
    for n in 0..COUNT_F {
        put(s, "f32", format!("%f{n}"), 4);
    }
    for n in 0..COUNT_H {
        put(s, "b16", format!("%h{n}"), 2);
    }
    for n in 0..COUNT_D {
        put(s, "b64", format!("%d{n}"), 8);
    }
    for n in 0..COUNT_G {
        let _ = writeln!(s, "  setp.nan.f64 %q0, %g{n}, %g{n};\n  @%q0 mov.f64 %g{n}, 0d7FF8000000000000;");
        put(s, "f64", format!("%g{n}"), 8);
    }
    for n in 0..COUNT_P {
        let _ = writeln!(s, "  selp.b32 %ra, 1, 0, %p{n};");
        put(s, "b32", "%ra".to_owned(), 4);
    }
}

fn launch(seed: u64, name: &str, swizzle: &str, width: u32, rows: u32) -> String {
    let blocks = 1;
    let threads = blocks * THREADS;
    // The image is read only inside its first 60 columns and 56 rows, so every edge is clipped.
    format!(
        "# Random program of seed {seed}.
kernel = \"{name}.ptx\"
entry = \"{ENTRY}\"
target = \"sm_90a\"
grid = [{blocks}, 1, 1]
block = [{THREADS}, 1, 1]
args = [\"buf:inputs\", \"buf:outputs\", \"buf:scratchpad\", \"map:image_map\", \"map:result_map\"]

[buffer.inputs]
dtype = \"u32\"
shape = [{threads}, {WORDS_IN}]
init = \"iota\"

[buffer.outputs]
dtype = \"u32\"
shape = [{threads}, {WORDS_OUT}]
init = {{ fill = 0 }}

[buffer.scratchpad]
dtype = \"u32\"
shape = [{threads}, 8]
init = {{ fill = 0 }}

[buffer.image]
dtype = \"u32\"
shape = [{IMAGE}, {IMAGE}]
init = \"iota\"

[buffer.result]
dtype = \"u32\"
shape = [{IMAGE}, {IMAGE}]
init = {{ fill = 0 }}

[tensor_map.image_map]
buffer = \"image\"
box = [{width}, {rows}]
dims = [60, 56]
strides = [256]
swizzle = \"{swizzle}\"

[tensor_map.result_map]
buffer = \"result\"
box = [{width}, {rows}]
dims = [60, 56]
strides = [256]
swizzle = \"{swizzle}\"
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(generate(7, "a"), generate(7, "a"));
        assert_ne!(generate(7, "a").ptx, generate(8, "a").ptx);
    }

    #[test]
    fn no_placeholder_is_left() {
        for seed in 0..200 {
            let text = generate(seed, "a").ptx;
            assert!(!text.contains('$') && !text.contains("@BYTES@"), "{text}");
        }
    }
}
