use tilehaul_isa::gcn::Target;
use tilehaul_mma::to_f32;

use super::*;
use crate::testing::{Numbers, op, wave};

#[test]
fn every_result_has_one_place() {
    let shape = |name, fnuz| shape(name, fnuz, 0, None, Overflow::Wrap).unwrap();
    for name in [
        "v_mfma_f32_32x32x8_f16",
        "v_mfma_f32_16x16x16_f16",
        "v_mfma_f32_32x32x4_2b_f16",
        "v_mfma_f32_4x4x4_16b_f16",
        "v_mfma_f64_16x16x4_f64",
    ] {
        let shape = shape(name, true);
        for block in 0..shape.blocks {
            let mut seen = vec![0; shape.m * shape.n];
            for_each_result::<64>(&shape, block, |r, c, _, _| seen[r * shape.n + c] += 1);
            assert!(seen.iter().all(|&s| s == 1), "{name} block {block}");
        }
    }
    for name in ["v_wmma_f32_16x16x32_f16", "v_wmma_f32_32x16x128_f4"] {
        let wide = shape(name, false);
        let mut seen = vec![0; wide.m * wide.n];
        for_each_result::<32>(&wide, 0, |r, c, _, _| seen[r * wide.n + c] += 1);
        assert!(seen.iter().all(|&s| s == 1), "{name}");
    }
}

fn multiplied(text: &str, w: &mut Wave<32>) {
    let op = op::<32>(Target::Gfx1250, text);
    assert!(product(w, &op).is_some(), "{text}");
}

fn random_registers(w: &mut Wave<32>, registers: std::ops::Range<usize>, numbers: &mut Numbers) {
    for row in &mut w.v[registers] {
        row.iter_mut().for_each(|x| *x = numbers.next() << 8 ^ numbers.next());
    }
}

/// The value of an fp4 code in the nibble `at` of a lane's registers from `first` on.
fn fp4(v: &[[u32; 32]], first: usize, lane: usize, at: usize) -> f32 {
    to_f32(Format::E2m1, u64::from(v[first + at / 8][lane] >> (4 * (at % 8)) & 15))
}

/// Scalar reference of the 32x16x128 product of fp4: lanes of a row take K in turns of 32, rows 16 to 31 stand 8 registers
/// behind rows 0 to 15 (A) and 8 behind (D). The layout is that of Triton 3.9's AMDWMMALayout, written as formulas.
fn reference_f4(w: &Wave<32>, scale: impl Fn(usize, usize, usize) -> f32) -> Vec<f32> {
    let mut d = vec![0.0; 512];
    for (row, column) in (0..32).flat_map(|r| (0..16).map(move |c| (r, c))) {
        let at = |line: usize, k: usize| (line % 16 + 16 * (k / 32 % 2), 32 * (k / 64) + k % 32);
        let mut sum = f32::from_bits(w.v[48 + row % 8 + 8 * (row / 16)][column + 16 * (row / 8 % 2)]);
        for k in 0..128 {
            let ((a_lane, a), (b_lane, b)) = (at(row, k), at(column, k));
            let product = fp4(&w.v, 0, a_lane, a + 64 * (row / 16)) * fp4(&w.v, 16, b_lane, b);
            sum += product * scale(row, column, k);
        }
        d[row * 16 + column] = sum;
    }
    d
}

fn assert_f4(w: &Wave<32>, want: &[f32], text: &str) {
    for (row, column) in (0..32).flat_map(|r| (0..16).map(move |c| (r, c))) {
        let got = f32::from_bits(w.v[64 + row % 8 + 8 * (row / 16)][column + 16 * (row / 8 % 2)]);
        assert_eq!(got, want[row * 16 + column], "{text} row {row} column {column}");
    }
}

/// Registers 0 to 15 A, 16 to 23 B, 48 to 63 C, 64 to 79 D, 80 to 83 scales.
fn f4_operands(numbers: &mut Numbers) -> Wave<32> {
    let mut w = wave::<32>();
    random_registers(&mut w, 0..24, numbers);
    for row in &mut w.v[48..64] {
        row.iter_mut().for_each(|x| *x = (numbers.below(64) as f32).to_bits());
    }
    // Powers of two near one, so that every sum is exact.
    for row in &mut w.v[80..84] {
        row.iter_mut()
            .for_each(|x| *x = u32::from_le_bytes(std::array::from_fn(|_| 126 + numbers.below(3) as u8)));
    }
    w
}

#[test]
fn tall_products_of_fp4() {
    let mut w = f4_operands(&mut Numbers(3));
    let want = reference_f4(&w, |_, _, _| 1.0);
    let text = "v_wmma_f32_32x16x128_f4 v[64:79], v[0:15], v[16:23], v[48:63]";
    multiplied(text, &mut w);
    assert_f4(&w, &want, text);
}

#[test]
fn tall_products_of_fp4_with_scales() {
    let base = "f32_32x16x128_f4 v[64:79], v[0:15], v[16:23], v[48:63]";
    for (b_scale, half) in [("", 0), (" matrix_b_scale:MATRIX_SCALE_ROW1", 16)] {
        for run in [32, 16] {
            let text = match run {
                32 => format!("v_wmma_scale_{base}, v80, v82{b_scale}"),
                _ => format!("v_wmma_scale16_{base}, v[80:81], v[82:83]{b_scale}"),
            };
            let mut w = f4_operands(&mut Numbers(5));
            let byte = |first: usize, lane: usize, n: usize| {
                let code = w.v[first + n / 4][lane] >> (8 * (n % 4)) & 255;
                2f32.powi(code as i32 - 127)
            };
            let want =
                reference_f4(&w, |row, column, k| byte(80, row, k / run) * byte(82, column + half, k / run));
            multiplied(&text, &mut w);
            assert_f4(&w, &want, &text);
        }
    }
}

#[test]
fn scale_formats_of_a_mixed_product() {
    // One element of A and B is not zero: D is the product of the scales of its run.
    for (format, value) in
        [("E8", 2f32.powi(0x3c - 127)), ("E5M3", 2f32.powi(7 - 15) * 1.5), ("E4M3", 2f32.powi(7 - 7) * 1.5)]
    {
        let mut w = wave::<32>();
        // Row 3 and column 5, K = 70: byte 70 lies in lane half (70 / 16) % 2 at byte 32 + 6.
        w.v[9][3] = 0x38 << 16;
        w.v[25][5] = 0x38 << 16;
        (w.v[80], w.v[82]) = ([0x003c_0000; 32], [0x007f_0000; 32]);
        let code =
            if format == "E8" { "" } else { &format!(" matrix_a_scale_fmt:MATRIX_SCALE_FMT_{format}")[..] };
        let text = format!(
            "v_wmma_scale_f32_16x16x128_f8f6f4 v[64:71], v[0:15], v[16:31], v[48:55], v80, v82 matrix_a_fmt:MATRIX_FMT_FP8 matrix_b_fmt:MATRIX_FMT_FP8{code}"
        );
        multiplied(&text, &mut w);
        assert_eq!(f32::from_bits(w.v[64 + 3][5]), value, "{text}");
    }
}

#[test]
fn a_sparse_product_of_bf16_rounds_its_singles_once() {
    let mut numbers = Numbers(7);
    let mut w = wave::<32>();
    let short = |numbers: &mut Numbers| bf16::from_f32(numbers.below(17) as f32 - 8.0).to_bits();
    for row in &mut w.v[0..24] {
        row.iter_mut()
            .for_each(|x| *x = u32::from(short(&mut numbers)) | u32::from(short(&mut numbers)) << 16);
    }
    // Each pair of index bits names two of four places, the lower first.
    for x in &mut w.v[32] {
        *x = (0..8)
            .fold(0, |bits, pair| bits | [4, 8, 12, 9, 13, 14][numbers.below(6) as usize] << (4 * pair));
    }
    for row in &mut w.v[24..32] {
        row.iter_mut().for_each(|x| *x = (numbers.below(4096) as f32 / 64.0).to_bits());
    }
    let half = |v: &[[u32; 32]], first: usize, lane: usize, e: usize| {
        bf16::from_bits((v[first + e / 2][lane] >> (16 * (e % 2))) as u16).to_f32()
    };
    let before = w.v.to_vec();
    multiplied("v_swmmac_bf16f32_16x16x64_bf16 v[24:31], v[0:7], v[8:23], v32", &mut w);
    for (row, column) in (0..16).flat_map(|r| (0..16).map(move |c| (r, c))) {
        let (lane, e) = (column + 16 * (row / 8), row % 8);
        let mut sum = f32::from_bits(before[24 + e][lane]);
        for (half_wave, stored) in (0..2).flat_map(|h| (0..16).map(move |s| (h, s))) {
            let a_lane = row + 16 * half_wave;
            let place = (before[32][a_lane] >> (2 * stored) & 3) as usize;
            let k = stored / 2 * 4 + place;
            sum += half(&before, 0, a_lane, stored) * half(&before, 8, column + 16 * half_wave, k);
        }
        assert_eq!(half(&w.v, 24, lane, e), bf16::from_f32(sum).to_f32(), "row {row} column {column}");
    }
    // What the narrower result does not need stays.
    assert_eq!(w.v[28..32], before[28..32]);
}

#[test]
fn clamped_integer_products_stay_at_the_largest_number() {
    let mut w = wave::<32>();
    (w.v[0], w.v[8]) = ([0x7f7f_7f7f; 32], [0x7f7f_7f7f; 32]);
    w.v[16] = [i32::MAX as u32 - 5; 32];
    multiplied("v_wmma_i32_16x16x64_iu8 v[24:31], v[0:7], v[8:15], v[16:23] neg_lo:[1,1,0] clamp", &mut w);
    assert_eq!(w.v[24], [i32::MAX as u32; 32]);
    assert_eq!(w.v[25], [4 * 2 * 127 * 127; 32]);
}

#[test]
fn a_result_over_the_operands_of_other_blocks() {
    // B of every block is that of lanes 32 to 47, in the registers that take the results.
    let text = |to: u16| format!("v_mfma_f32_4x4x4_16b_f16 v[{to}:{}], v[8:9], v[4:5], 0 blgp:6", to + 3);
    let multiplied = |to: u16| {
        let mut numbers = Numbers(3);
        let mut w = wave::<64>();
        for row in [4, 5, 8, 9] {
            w.v[row]
                .iter_mut()
                .for_each(|x| *x = 0x3c00_3800 | numbers.below(256) << 20 | numbers.below(256));
        }
        run_product(&text(to), &mut w);
        w.v[usize::from(to)..][..4].to_vec()
    };
    assert_eq!(multiplied(4), multiplied(12));
}

fn run_product(text: &str, w: &mut Wave<64>) {
    let op = op::<64>(Target::Gfx942, text);
    assert!(product(w, &op).is_some(), "{text}");
}

#[test]
fn doubles_have_signs_of_their_own() {
    let mut w = wave::<64>();
    // A is 1 in high dwords of 0x3ff0_0000, B 2, C 0.5.
    (w.v[3], w.v[5], w.v[7]) = ([0x3ff0_0000; 64], [0x4000_0000; 64], [0x3fe0_0000; 64]);
    let mut sum = |signs: &str| {
        run_product(&format!("v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[6:7]{signs}"), &mut w);
        f64::from_bits(u64::from(w.v[9][11]) << 32 | u64::from(w.v[8][11]))
    };
    assert_eq!(sum(""), 8.5);
    assert_eq!(sum(" neg:[1,0,0]"), -7.5);
    assert_eq!(sum(" neg:[1,1,1]"), 7.5);
    assert_eq!(sum(" neg:[0,0,1]"), 7.5);
}
