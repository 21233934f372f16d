//! Loads, stores and atomics on memory that one thread has for itself.

use std::fmt::Write;

use super::{COUNT_D, COUNT_F, COUNT_G, COUNT_H, COUNT_U, Generator};

impl Generator {
    /// Vectors and narrow words in memory that only this thread touches.
    pub(super) fn own_words(&mut self) {
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

    /// Atomics and global memory that only this thread touches.
    pub(super) fn own_memory(&mut self) {
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
}
