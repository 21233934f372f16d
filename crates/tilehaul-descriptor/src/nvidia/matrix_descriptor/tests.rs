use proptest::prelude::*;

use super::*;

#[test]
fn the_usual_descriptors() {
    // 64 x 64 f16 tile under 128B swizzle at 0x400: 8 rows of 128 bytes to the next group.
    let word = 1 << 62 | (1024 >> 4) << 32 | 1 << 16 | 0x400 >> 4;
    let matrix = MatrixDescriptor::decode(MatrixUnit::Wgmma, word).unwrap();
    assert_eq!((matrix.start, matrix.leading, matrix.stride), (0x400, 16, 1024));
    assert_eq!(matrix.swizzle, Swizzle::B128);
    assert!(matrix.validate().is_empty());
    let word = 2 << 61 | 1 << 46 | (1024u64 >> 4) << 32 | 1 << 16 | 0x400 >> 4;
    assert_eq!(MatrixDescriptor { unit: MatrixUnit::Tcgen05, ..matrix }.encode(), Some(word));
    assert!(explain_matrix(MatrixUnit::Tcgen05, word).diagnostics.is_empty());
    assert!(explain_matrix(MatrixUnit::Tcgen05, word ^ 1 << 46).is_illegal());
}

proptest! {
    #[test]
    fn encode_and_decode_are_inverse(
        tcgen05: bool, start in 0u32..1 << 14, leading in 0u32..1 << 14, stride in 0u32..1 << 14, base_offset in 0u8..8, pick in 0usize..4,
    ) {
        let unit = if tcgen05 { MatrixUnit::Tcgen05 } else { MatrixUnit::Wgmma };
        let matrix = MatrixDescriptor {
            unit,
            start: start << 4,
            leading: leading << 4,
            stride: stride << 4,
            base_offset,
            leading_offset: LeadingOffset::Relative,
            swizzle: unit.swizzles()[pick].1,
        };
        let word = matrix.encode();
        prop_assert_eq!(word.and_then(|word| MatrixDescriptor::decode(unit, word)), Some(matrix));
    }

    #[test]
    fn any_word_is_explained(word: u64, tcgen05: bool) {
        let unit = if tcgen05 { MatrixUnit::Tcgen05 } else { MatrixUnit::Wgmma };
        prop_assert_eq!(explain_matrix(unit, word).words.len(), 2);
    }
}
