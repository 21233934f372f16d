//! What stands around the statements: declarations, first and last values of registers, the launch file.

use std::fmt::Write;

use super::flow::FUNCTIONS;
use super::{
    COUNT_D, COUNT_F, COUNT_G, COUNT_H, COUNT_P, COUNT_U, ENTRY, IMAGE, THREADS, WORDS_IN, WORDS_OUT,
};

pub(super) fn module(body: &str, seed: u64) -> String {
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

pub(super) fn launch(seed: u64, name: &str, swizzle: &str, width: u32, rows: u32) -> String {
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
