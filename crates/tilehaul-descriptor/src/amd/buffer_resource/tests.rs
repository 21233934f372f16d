use super::*;
use proptest::prelude::*;

fn raw(bytes: u64) -> BufferResource {
    BufferResource::decode(
        BufferResource::encode_raw(0x1000, bytes, BufferGeneration::Gfx9).unwrap(),
        BufferGeneration::Gfx9,
    )
}

/// A 16-byte load of a lane at offset 0: bytes of data, then zeros, dword by dword.
fn clamp(num_records: u64) -> u32 {
    let access = BufferAccess::default();
    (0..4)
        .filter(|&i| matches!(raw(num_records).element(&access, i, 4, 4, false), BufferElement::At(_)))
        .count() as u32
        * 4
}

#[test]
fn a_multi_dword_load_is_clamped_dword_by_dword() {
    assert_eq!([clamp(14), clamp(11), clamp(3), clamp(16)], [12, 8, 0, 16]);
}

#[test]
fn soffset_counts_in_the_byte_check_of_gfx9() {
    let access = BufferAccess { voffset: 0x8000_0000, soffset: 8, ..BufferAccess::default() };
    assert_eq!(raw(1 << 20).element(&access, 0, 4, 1, false), BufferElement::OutOfRange);
    let access = BufferAccess { voffset: 8, soffset: 8, ..BufferAccess::default() };
    assert_eq!(raw(20).element(&access, 0, 4, 1, false), BufferElement::At(0x1010));
    assert_eq!(raw(19).element(&access, 0, 4, 1, false), BufferElement::OutOfRange);
}

#[test]
fn an_indexed_access_counts_records() {
    let words = [0x1000, 16 << 16, 4, 0x27000];
    let v = BufferResource::decode(words, BufferGeneration::Gfx9);
    let at = |index| {
        v.element(&BufferAccess { index: Some(index), voffset: 4, ..BufferAccess::default() }, 0, 4, 1, false)
    };
    assert_eq!([at(3), at(4)], [BufferElement::At(0x1034), BufferElement::OutOfRange]);
}

#[test]
fn a_range_in_elements_is_told() {
    let words = BufferResource::encode_raw(0x1000, 4096, BufferGeneration::Gfx9).unwrap();
    let (_, told) = judge_vbuf(&words, BufferGeneration::Gfx9, Some(8192));
    assert_eq!(told.len(), 1);
    assert!(told[0].message.contains("2-byte elements"), "{}", told[0].message);
    assert!(judge_vbuf(&words, BufferGeneration::Gfx9, Some(4096)).1.is_empty());
}

#[test]
fn gfx1250_has_45_bits_of_range() {
    let words =
        BufferResource::encode_raw(0x01ff_1234_5678_9abc, 0x1fff_0000_0081, BufferGeneration::Gfx1250)
            .unwrap();
    let v = BufferResource::decode(words, BufferGeneration::Gfx1250);
    assert_eq!((v.base, v.num_records), (0x01ff_1234_5678_9abc, 0x1fff_0000_0081));
    assert_eq!(words[1] >> 25, 1);
    let zero = BufferResource::decode([0, 0, 0, 0], BufferGeneration::Gfx1250);
    assert_eq!(zero.element(&BufferAccess::default(), 0, 1, 1, false), BufferElement::OutOfRange);
}

proptest! {
    #[test]
    fn any_words_are_judged(words: [u32; 4], bytes: u64, index: u32, offset: u32, soffset: u32, gfx9: bool) {
        let generation = if gfx9 { BufferGeneration::Gfx9 } else { BufferGeneration::Gfx1250 };
        let (v, _) = judge_vbuf(&words, generation, Some(bytes));
        let access = BufferAccess { index: Some(index), voffset: offset, inst_offset: 4095, soffset, lane: 63, format_op: false };
        let _ = v.unwrap().element(&access, 3, 4, 4, false);
    }

    #[test]
    fn the_tables_cover_every_bit(words: [u32; 4], gfx9: bool) {
        let generation = if gfx9 { BufferGeneration::Gfx9 } else { BufferGeneration::Gfx1250 };
        let mut copy = [0u32; 4];
        for field in generation.format().fields {
            field.store(&mut copy, field.stored(&words));
        }
        prop_assert_eq!(copy, words);
    }
}
