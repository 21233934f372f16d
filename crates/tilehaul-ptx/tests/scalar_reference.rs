//! Instructions that no generated program covers, against references written apart from the executor: plain integers and
//! doubles. Each case: the instruction (operands `$d`, `$a`, `$b`, `$c`), the classes of its registers, and what it must give.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use tilehaul_diag::FileId;
use tilehaul_machine::{Contents, GlobalMemory, Options, Outcome, run};
use tilehaul_ptx::{PtxProgram, Setup};

const THREADS: u64 = 256;

/// Three 64-bit words of a thread.
fn words(thread: u64) -> [u64; 3] {
    [0, 1, 2].map(|k| {
        let mut x = (thread * 3 + k).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ (x >> 27)
    })
}

/// Runs one instruction in every thread. Classes: `r` 32 bits, `d` 64 bits, `h` 16 bits, `b` 8 bits.
fn results(instruction: &str, classes: &str) -> Vec<u64> {
    let names = ["$d", "$a", "$b", "$c"];
    let mut text = String::from(
        ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 in_, .param .u64 out_)\n{\n\
         .reg .b64 %w<9>; .reg .b32 %t; .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .b16 %h<4>; .reg .b8 %b<4>;\n\
         mov.u32 %t, %tid.x; ld.param.u64 %w0, [in_]; ld.param.u64 %w1, [out_]; mul.wide.u32 %w2, %t, 24; \
         add.s64 %w0, %w0, %w2; mul.wide.u32 %w3, %t, 8; add.s64 %w1, %w1, %w3;\n",
    );
    let mut line = instruction.to_owned();
    for (i, class) in classes.chars().enumerate() {
        line = line.replace(names[i], &format!("%{class}{i}"));
        let bits = match class {
            'd' => 64,
            'r' => 32,
            'h' => 16,
            _ => 8,
        };
        if i > 0 {
            text += &format!("ld.global.b{bits} %{class}{i}, [%w0+{}];\n", 8 * (i - 1));
        }
    }
    let first = classes.chars().next().unwrap();
    let bits = [('d', 64), ('r', 32), ('h', 16), ('b', 8)].iter().find(|c| c.0 == first).unwrap().1;
    text += &format!("{line};\nst.global.u64 [%w1], 0;\nst.global.b{bits} [%w1], %{first}0;\nret;\n}}\n");
    let reading = tilehaul_isa::ptx::read(&text, FileId(0));
    assert!(reading.diagnostics.is_empty(), "{instruction}: {:?}", reading.diagnostics);
    let mut memory = GlobalMemory::new();
    let given: Vec<u8> = (0..THREADS).flat_map(words).flat_map(u64::to_le_bytes).collect();
    let input = memory.allocate("in", given, 256, Contents::Written);
    let out = memory.allocate("out", vec![0; 8 * THREADS as usize], 256, Contents::Written);
    let params = [input.to_le_bytes().to_vec(), out.to_le_bytes().to_vec()];
    let setup = Setup {
        entry: None,
        target: None,
        params: &params,
        grid: [1, 1, 1],
        block: [THREADS as u32, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        sums: tilehaul_mma::Sums::Exact,
    };
    let program = PtxProgram::new(&reading.module, &setup, &mut memory).unwrap();
    let done = run(&program, program.launch(), memory, Options::default(), None);
    assert_eq!(done.outcome, Outcome::Finished, "{instruction}");
    let data = done.memory.named("out").unwrap().data.to_vec();
    data.chunks_exact(8).map(|c| u64::from_le_bytes(c.try_into().unwrap())).collect()
}

fn exact(instruction: &str, classes: &str, want: impl Fn(u64, u64, u64) -> u64) {
    for (thread, got) in (0..).zip(results(instruction, classes)) {
        let [a, b, c] = words(thread);
        let want = want(a, b, c);
        assert_eq!(got, want, "{instruction} of {a:#x} {b:#x} {c:#x}: {got:#x}, expected {want:#x}");
    }
}

/// Single precision within a relative or absolute error, for arguments up to a size.
fn near(instruction: &str, up_to: f64, relative: f64, absolute: f64, want: impl Fn(f64) -> f64) {
    for (thread, got) in (0..).zip(results(instruction, "rr")) {
        let x = f64::from(f32::from_bits(words(thread)[0] as u32));
        let (got, want) = (f64::from(f32::from_bits(got as u32)), want(x));
        if x.abs() > up_to {
            continue;
        }
        let same = got == want || got.is_nan() && want.is_nan();
        let far = (got - want).abs() > absolute + relative * want.abs();
        // What single precision cannot hold is infinite or zero.
        let edge = want.abs() > f64::from(f32::MAX) || want.abs() < f64::from(f32::MIN_POSITIVE);
        assert!(same || !far || edge, "{instruction} of {x:e}: {got:e}, expected {want:e}");
    }
}

fn pair16(a: u64, b: u64, f: impl Fn(i64, i64) -> i64) -> u64 {
    let half = |v: u64, k: u64| (v >> (16 * k) & 0xffff).cast_signed();
    (0..2).fold(0, |all, k| all | (f(half(a, k), half(b, k)).cast_unsigned() & 0xffff) << (16 * k))
}

fn signed16(v: i64) -> i64 {
    if v > 0x7fff { v - 0x1_0000 } else { v }
}

/// The value of an IEEE half, by its definition.
fn half(bits: u64) -> f64 {
    let (sign, field, fraction) = (bits >> 15 & 1, bits >> 10 & 31, (bits & 1023) as f64);
    let size = match field {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(field as i32 - 25),
    };
    if sign == 1 { -size } else { size }
}

fn single(bits: u64) -> f64 {
    f64::from(f32::from_bits(bits as u32))
}

fn bits(value: f64) -> u64 {
    let value = value as f32;
    u64::from(if value.is_nan() { 0x7fff_ffff } else { value.to_bits() })
}

#[test]
fn packed_integers() {
    exact("sub.u16x2 $d, $a, $b", "rrr", |a, b, _| pair16(a, b, |x, y| x - y));
    exact("sub.sat.s16x2 $d, $a, $b", "rrr", |a, b, _| {
        pair16(a, b, |x, y| (signed16(x) - signed16(y)).clamp(-0x8000, 0x7fff))
    });
    exact("vadd2.u32.u32.u32 $d, $a, $b, $c", "rrrr", |a, b, _| pair16(a, b, |x, y| x + y));
    exact("vsub2.s32.s32.s32.sat $d, $a, $b, $c", "rrrr", |a, b, _| {
        pair16(a, b, |x, y| (signed16(x) - signed16(y)).clamp(-0x8000, 0x7fff))
    });
    exact("vmin2.s32.s32.s32 $d, $a, $b, $c", "rrrr", |a, b, _| {
        pair16(a, b, |x, y| signed16(x).min(signed16(y)))
    });
    exact("vset2.u32.u32.lt $d, $a, $b, $c", "rrrr", |a, b, _| pair16(a, b, |x, y| i64::from(x < y)));
    exact("vmax4.u32.u32.u32 $d, $a, $b, $c", "rrrr", |a, b, _| {
        let (a, b) = ((a as u32).to_le_bytes(), (b as u32).to_le_bytes());
        u64::from(u32::from_le_bytes([0, 1, 2, 3].map(|k| a[k].max(b[k]))))
    });
}

#[test]
fn clamped_and_packed_integers() {
    let low = |v: u64| i64::from(v as u32 as i32);
    let pack = |a: u64, b: u64, c: u64, bits: u32, least: i64, most: i64| {
        let one = |v: u64| low(v).clamp(least, most).cast_unsigned() & ((1 << bits) - 1);
        (c << (2 * bits) | one(a) << bits | one(b)) & 0xffff_ffff
    };
    exact("cvt.pack.sat.u4.s32.b32 $d, $a, $b, $c", "rrrr", |a, b, c| pack(a, b, c, 4, 0, 15));
    exact("cvt.pack.sat.s4.s32.b32 $d, $a, $b, $c", "rrrr", |a, b, c| pack(a, b, c, 4, -8, 7));
    exact("cvt.pack.sat.u2.s32.b32 $d, $a, $b, $c", "rrrr", |a, b, c| pack(a, b, c, 2, 0, 3));
    exact("cvt.pack.sat.s2.s32.b32 $d, $a, $b, $c", "rrrr", |a, b, c| pack(a, b, c, 2, -2, 1));
    exact("cvt.pack.sat.u8.s32.b32 $d, $a, $b, $c", "rrrr", |a, b, c| pack(a, b, c, 8, 0, 255));
}

#[test]
fn mixed_precision() {
    // A half and a single have 24 bits of one another at most 2^40 apart here, so a double holds the sum or the cast rounds it
    // as the instruction does; where it does not, the two differ in the last place and the case says nothing.
    exact("add.f32.f16 $d, $a, $b", "rhr", |a, b, _| {
        let (x, y) = (half(a & 0xffff), single(b));
        let (sum, wrong) = (x + y, (x + y) - x - y);
        if wrong == 0.0 || sum.is_nan() { bits(sum) } else { bits_of_sum(x, y) }
    });
    exact("sub.f32.f16 $d, $a, $b", "rhr", |a, b, _| bits_of_sum(half(a & 0xffff), -single(b)));
    exact("fma.rn.f32.f16 $d, $a, $b, $c", "rhhr", |a, b, c| {
        bits_of_sum(half(a & 0xffff) * half(b & 0xffff), single(c))
    });
    exact("mad.rn.f64 $d, $a, $b, $c", "dddd", |a, b, c| {
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        x.mul_add(y, z).to_bits()
    });
}

/// The sum of two doubles, rounded once to single precision: by integers where the double sum is not exact.
fn bits_of_sum(x: f64, y: f64) -> u64 {
    let sum = x + y;
    if !sum.is_finite() {
        return bits(sum);
    }
    // What the double sum lacks, and the neighbours of its single.
    let back = sum - x;
    let error = (x - (sum - back)) + (y - back);
    let near = sum as f32;
    let half_way = f64::from(near) + (f64::from(near.next_up()) - f64::from(near)) / 2.0;
    let half_below = f64::from(near) + (f64::from(near.next_down()) - f64::from(near)) / 2.0;
    let rounded = match () {
        () if sum == half_way && error > 0.0 => near.next_up(),
        () if sum == half_below && error < 0.0 => near.next_down(),
        () if sum == f64::midpoint(f64::from(near), f64::from(near.next_up())) && error < 0.0 => near,
        () => near,
    };
    u64::from(rounded.to_bits())
}

#[test]
fn pairs_of_singles() {
    let each = |a: u64, b: u64, f: &dyn Fn(f64, f64) -> f64| {
        let one = |x: u64, y: u64| bits(f(single(x & 0xffff_ffff), single(y & 0xffff_ffff)));
        one(a, b) | one(a >> 32, b >> 32) << 32
    };
    // Products of singles are exact in double precision; sums round twice at most once in 2^29.
    exact("mul.rn.f32x2 $d, $a, $b", "ddd", |a, b, _| each(a, b, &|x, y| x * y));
    exact("sub.rn.f32x2 $d, $a, $b", "ddd", |a, b, _| {
        let one = |x: u64, y: u64| {
            let r = f32::from_bits(x as u32) - f32::from_bits(y as u32);
            bits(f64::from(r))
        };
        one(a, b) | one(a >> 32, b >> 32) << 32
    });
    exact("fma.rn.f32x2 $d, $a, $b, $c", "dddd", |a, b, c| {
        let one = |x: u64, y: u64, z: u64| {
            let [x, y, z] = [x, y, z].map(|v| f32::from_bits(v as u32));
            bits(f64::from(x.mul_add(y, z)))
        };
        one(a, b, c) | one(a >> 32, b >> 32, c >> 32) << 32
    });
}

#[test]
fn special_functions_keep_the_manuals_error_bounds() {
    use std::f64::consts::PI;
    let ulp = 2f64.powi(-23);
    near("rcp.approx.f32 $d, $a", f64::INFINITY, ulp, 0.0, |x| 1.0 / x);
    near("sqrt.approx.f32 $d, $a", f64::INFINITY, 2.0 * ulp, 0.0, f64::sqrt);
    near("rsqrt.approx.f32 $d, $a", f64::INFINITY, 2.0 * ulp, 0.0, |x| 1.0 / x.sqrt());
    near("lg2.approx.f32 $d, $a", f64::INFINITY, 2.0 * ulp, 2f64.powi(-22), f64::log2);
    near("tanh.approx.f32 $d, $a", f64::INFINITY, 2f64.powi(-11), 0.0, f64::tanh);
    // sin and cos promise a bound between -pi and pi only.
    near("sin.approx.f32 $d, $a", PI, 0.0, 2f64.powi(-20), f64::sin);
    near("cos.approx.f32 $d, $a", PI, 0.0, 2f64.powi(-20), f64::cos);
}

/// manual: `rcp.approx.ftz.f64` looks at the upper word of its operand and gives the upper word of a result; no bound is
/// promised, 18 bits are asked for here.
#[test]
fn gross_reciprocals_of_doubles() {
    for (thread, got) in (0..).zip(results("rcp.approx.ftz.f64 $d, $a", "dd")) {
        let x = f64::from_bits(words(thread)[0] & !0xffff_ffff);
        let (value, want) = (f64::from_bits(got), 1.0 / x);
        assert_eq!(got & 0xffff_ffff, 0, "{got:#x}");
        let flushed = x.is_subnormal() && value.is_infinite() || want.is_subnormal() && value == 0.0;
        let near = value == want || (value - want).abs() <= want.abs() * 2f64.powi(-18);
        assert!(near || flushed || x.is_nan() && value.is_nan(), "1 / {x:e} = {value:e}, expected {want:e}");
    }
}

#[test]
fn formats_of_4_and_6_bits() {
    const E2M1: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    let value = |code: u64| if code & 8 == 0 { E2M1[code as usize & 7] } else { -E2M1[code as usize & 7] };
    let half_bits =
        |v: f64| (0..0x1_0000u64).find(|&h| half(h) == v && (h >> 15 == 1) == v.is_sign_negative()).unwrap();
    exact("cvt.rn.f16x2.e2m1x2 $d, $a", "rb", |a, _, _| {
        half_bits(value(a & 15)) | half_bits(value(a >> 4 & 15)) << 16
    });
    // The nearest of the seven magnitudes, the even code where two are as near.
    let nearest = |x: f64| {
        if x.is_nan() {
            return 7;
        }
        let size = x.abs().min(6.0);
        let best = (0..8usize)
            .min_by(|&i, &j| {
                let (di, dj) = ((E2M1[i] - size).abs(), (E2M1[j] - size).abs());
                di.partial_cmp(&dj).unwrap().then((i & 1).cmp(&(j & 1)))
            })
            .unwrap() as u64;
        if x.is_sign_negative() { best | 8 } else { best }
    };
    exact("cvt.rn.satfinite.e2m1x2.f32 $d, $a, $b", "brr", |a, b, _| {
        nearest(single(a)) << 4 | nearest(single(b))
    });
    let exponent = |x: f64, up: bool| {
        if x.is_nan() {
            return 255u64;
        }
        let size = x.abs();
        // The exponent whose power of two is the largest not above, or the smallest not below.
        let below = (0..=254i32).rev().find(|e| 2f64.powi(e - 127) <= size).unwrap_or(0);
        let exact = 2f64.powi(below - 127) == size;
        let above = if up && !exact && size > 2f64.powi(-127) { below + 1 } else { below };
        above.min(254) as u64
    };
    let bfloat = |bits: u64| single((bits & 0xffff) << 16);
    exact("cvt.rz.satfinite.ue8m0x2.bf16x2 $d, $a", "hr", |a, _, _| {
        exponent(bfloat(a >> 16), false) << 8 | exponent(bfloat(a), false)
    });
    // A power of two as a bfloat: its exponent field is the code, 255 is NaN; 2^-127 is half the smallest normal number.
    let power = |code: u64| match code {
        0 => 0x40,
        255 => 0x7fff,
        code => code << 7,
    };
    exact("cvt.rn.bf16x2.ue8m0x2 $d, $a", "rh", |a, _, _| power(a & 255) | power(a >> 8 & 255) << 16);
    exact("cvt.rz.satfinite.ue8m0x2.f32 $d, $a, $b", "hrr", |a, b, _| {
        exponent(single(a), false) << 8 | exponent(single(b), false)
    });
    exact("cvt.rp.satfinite.ue8m0x2.f32 $d, $a, $b", "hrr", |a, b, _| {
        exponent(single(a), true) << 8 | exponent(single(b), true)
    });
}

/// The value of a bfloat, by its definition.
fn brain(bits: u64) -> f64 {
    single((bits & 0xffff) << 16)
}

#[test]
fn halves_of_both_kinds() {
    // Every half is a double; a bfloat has 16 of a single's bits.
    exact("cvt.rn.bf16.f16 $d, $a", "hh", |a, _, _| {
        let x = half(a & 0xffff);
        if x.is_nan() { 0x7fff } else { nearest_brain(x) }
    });
    exact("cvt.f64.f64 $d, $a", "dd", |a, _, _| a);
    exact("cvt.sat.f64.f64 $d, $a", "dd", |a, _, _| {
        let x = f64::from_bits(a);
        // Not a number counts as nothing, and so does what is below it.
        if x > 0.0 { x.min(1.0).to_bits() } else { 0 }
    });
    exact("cvt.sat.f16.f16 $d, $a", "hh", |a, _, _| {
        let x = half(a & 0xffff);
        if x > 0.0 { if x >= 1.0 { 0x3c00 } else { a & 0xffff } } else { 0 }
    });
    exact("cvt.rni.bf16.bf16 $d, $a", "hh", |a, _, _| {
        let x = brain(a);
        if x.is_nan() { 0x7fff } else { nearest_brain(x.round_ties_even()) }
    });
}

/// A double to the nearest bfloat, the even one of two.
fn nearest_brain(x: f64) -> u64 {
    let single = (x as f32).to_bits();
    // All cases here are exact singles, so nothing is rounded twice.
    let (kept, cut) = (single >> 16, single & 0xffff);
    u64::from(kept + u32::from(cut > 0x8000 || cut == 0x8000 && kept & 1 == 1))
}

#[test]
fn powers_of_two_of_bfloats() {
    for (thread, got) in (0..).zip(results("ex2.approx.ftz.bf16 $d, $a", "hh")) {
        let x = brain(words(thread)[0]);
        let (got, want) = (brain(got), x.exp2());
        let same = got == want || got.is_nan() && want.is_nan();
        // manual: ex2.approx.ftz.bf16 is within 2^-7.
        let near = (got - want).abs() <= want.abs() * 2f64.powi(-7);
        let edge = want.abs() > 3.38e38 || want.abs() < f64::from(f32::MIN_POSITIVE);
        assert!(same || near || edge, "2 ^ {x:e} = {got:e}, expected {want:e}");
    }
}
