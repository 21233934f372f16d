//! The fast form and the form that follows the text give the same bits, for every product of the catalogue.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tilehaul_mma::{Format, Operands, Overflow, Product, ShapeError, Sign, Sums, catalogue, to_f32};

/// Every product that some unit has, of a given K.
fn products(depth: usize) -> Vec<Product> {
    let makers =
        [catalogue::nvidia_mma, catalogue::nvidia_wgmma, catalogue::nvidia_blackwell, catalogue::amd];
    let mut found = Vec::new();
    for &a in Format::ALL {
        for &b in Format::ALL {
            for &accumulator in Format::ALL {
                for overflow in [Overflow::Wrap, Overflow::Saturate] {
                    found.extend(makers.iter().filter_map(|make| make(a, b, accumulator, depth, overflow)));
                }
            }
        }
    }
    found
}

/// A raw element: any bits, or bits with a plausible exponent, or a zero.
fn element(format: Format, random: u64) -> u64 {
    let mask = if format.bits() == 64 { u64::MAX } else { (1 << format.bits()) - 1 };
    let raw = random & mask;
    match random >> 61 {
        0 | 1 => raw,
        2 => 0,
        // Clear all but the lowest bits of the exponent and set it near the middle.
        _ => match format {
            Format::F16 => raw & 0x83ff | 0x3800 | raw & 0x0400,
            Format::Bf16 => raw & 0x80ff | 0x3f00,
            Format::Tf32 | Format::F32 => raw & 0x80ff_ffff | 0x3f00_0000,
            Format::F64 => raw & 0x801f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000,
            _ => raw & (mask >> 2) | raw & (mask ^ mask >> 1),
        },
    }
}

fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    seed.wrapping_mul(0x2545_f491_4f6c_dd1d)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn both_forms_agree(seed in 1u64.., depth in 1usize..=40, rows in 1usize..4, columns in 1usize..20, flip: bool, reads_c: bool) {
        let mut seed = seed;
        let sign = if flip { Sign::Flip } else { Sign::Keep };
        for product in products(depth) {
            let mut fill = |format: Format, count: usize| -> Vec<u64> {
                (0..count).map(|_| element(format, random(&mut seed))).collect()
            };
            let (a, b) = (fill(product.a, rows * depth), fill(product.b, columns * depth));
            let c = fill(product.accumulator, rows * columns);
            let mut d = vec![0u64; rows * columns];
            let operands = Operands { rows, columns, a: &a, b: &b, c: reads_c.then_some(&c[..]), sign };
            product.multiply(&operands, &mut d).unwrap();
            for (at, &got) in d.iter().enumerate() {
                let (row, column) = (at / columns, at % columns);
                let c = if reads_c { c[at] } else { 0 };
                let wanted = product.dot(&a[row * depth..][..depth], &b[column * depth..][..depth], c, sign);
                prop_assert_eq!(got, wanted, "{:?} at {}, {}", product, row, column);
            }
        }
    }
}

/// Small whole numbers are exact in every arithmetic, whatever it cuts.
#[test]
fn small_whole_numbers_are_exact_everywhere() {
    let mut seed = 7;
    for product in products(32) {
        let whole = |format: Format, value: i64| -> u64 {
            let size = (0..1u64 << format.bits().min(16)).find(|&raw| {
                let raw = if format.bits() >= 32 { raw << (format.bits() - 16) } else { raw };
                match format {
                    Format::F64 => f64::from_bits(raw) == value as f64,
                    _ => to_f32(format, raw) == value as f32,
                }
            });
            let raw = size.unwrap();
            if format.bits() >= 32 { raw << (format.bits() - 16) } else { raw }
        };
        if product.accumulator.is_integer() {
            continue;
        }
        let values: Vec<(i64, i64)> = (0..32)
            .map(|_| ((random(&mut seed) % 5) as i64 - 2, (random(&mut seed) % 5) as i64 - 2))
            .collect();
        let a: Vec<u64> = values.iter().map(|&(a, _)| whole(product.a, a)).collect();
        let b: Vec<u64> = values.iter().map(|&(_, b)| whole(product.b, b)).collect();
        let sum: i64 = values.iter().map(|(a, b)| a * b).sum();
        let got = product.dot(&a, &b, whole(product.accumulator, 2), Sign::Keep);
        let value = match product.accumulator {
            Format::F64 => f64::from_bits(got),
            other => to_f32(other, got).into(),
        };
        assert_eq!(value, (sum + 2) as f64, "{product:?}");
        let fast = product.summed(Sums::Fast);
        assert_eq!(fast.dot(&a, &b, whole(product.accumulator, 2), Sign::Keep), got, "{fast:?}");
    }
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let product = catalogue::nvidia_wgmma(Format::F16, Format::F16, Format::F32, 16, Overflow::Wrap).unwrap();
    let (a, b) = ([0u16; 16], [0u16; 15]);
    let operands = Operands { rows: 1, columns: 1, a: &a, b: &b, c: None, sign: Sign::Keep };
    let refused = product.multiply(&operands, &mut [0u32]);
    assert_eq!(refused, Err(ShapeError { operand: "B", given: 15, wanted: 16 }));
}

/// Published behaviour of CDNA3: the accumulator is cut downward beside a larger sum.
#[test]
fn a_tiny_negative_accumulator_takes_a_place_from_one() {
    let product = catalogue::amd(Format::F16, Format::F16, Format::F32, 8, Overflow::Wrap).unwrap();
    let (one, tiny) = (0x3c00, u64::from((-1e-30f32).to_bits()));
    let (a, b) = ([one, 0, 0, 0, 0, 0, 0, 0], [one, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(f32::from_bits(product.dot(&a, &b, tiny, Sign::Keep) as u32), 1.0 - 2f32.powi(-24));
}
