//! Readers of AMD code meet input that nobody checked: any bytes, damaged code objects, notes and text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use object::{Object as _, ObjectSection as _};
use proptest::prelude::*;
use tilehaul_diag::FileId;
use tilehaul_isa::gcn::asm::assemble;
use tilehaul_isa::gcn::print::{VgprBanks, print};
use tilehaul_isa::gcn::value::{read_msgpack, read_yaml};
use tilehaul_isa::gcn::{Inst, Target, read_assembly, read_code_object};

const OBJECT: &[u8] = include_bytes!("../../../cases/clean/lds-load-waited/fixed.hsaco");
/// With two words that the loader fills with addresses of functions.
const RELOCATED: &[u8] = include_bytes!("../../../cases/clean/calls/gfx950.hsaco");
const TEXT: &str = include_str!("../../../cases/clean/lds-load-waited/fixed.s");

fn target() -> impl Strategy<Value = Target> {
    prop::sample::select(Target::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What decodes is as long as it says, encodes to the bytes it was read from and prints one line that is no error.
    #[test]
    fn any_bytes_decode_to_what_they_are_or_not_at_all(target in target(), bytes in prop::collection::vec(any::<u8>(), 0..24)) {
        if let Ok(inst) = Inst::decode(target, &bytes) {
            let size = usize::from(inst.size);
            prop_assert!(size <= bytes.len());
            prop_assert_eq!(&inst.encode()[..], &bytes[..size]);
            let text = print(&inst, VgprBanks::default());
            prop_assert!(!text.is_empty() && !text.contains('\n'));
        }
    }

    /// A mnemonic of the table with operands of any kind assembles to bytes that read back, or is refused.
    #[test]
    fn any_operands_assemble_or_are_refused(
        target in target(),
        row in any::<prop::sample::Index>(),
        operands in prop::collection::vec(
            prop::sample::select(vec![
                "v0", "v1", "v[2:3]", "v[4:7]", "v255", "v3.l", "v3.h", "s0", "s[2:3]", "s[4:7]", "s[8:15]", "vcc", "vcc_lo", "exec",
                "m0", "null", "off", "a0", "a[0:3]", "0", "1.0", "-1", "0x1234567", "-v1", "|v2|", "sext(v1)", "",
            ]),
            0..6,
        ),
        modifiers in prop::sample::select(vec!["", " offset:16", " offset:70000", " offen", " lds", " sc0", " op_sel:[1,1]", " row_shl:1", " th:TH_LOAD_NT"]),
    ) {
        let rows = tilehaul_isa::gcn::table::table(target.generation()).rows();
        let name = rows[row.index(rows.len())].mnemonic;
        let line = format!("{name} {}{modifiers}", operands.join(", "));
        if let Ok(inst) = assemble(target, &line, &|_| None) {
            let bytes = inst.encode();
            let again = Inst::decode(target, &bytes);
            prop_assert!(again.is_ok_and(|i| i.encode() == bytes), "{}", line);
        }
    }

    /// A code object with bytes changed or cut off is read or refused.
    #[test]
    fn damaged_objects_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
    ) {
        let mut bytes = OBJECT.to_vec();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if !whole {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(module) = read_code_object(&bytes) {
            prop_assert!(module.code.len() <= bytes.len());
        }
    }

    /// Text with lines dropped, doubled and cut is read, with diagnostics.
    #[test]
    fn damaged_text_is_read(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<prop::sample::Index>()), 0..12),
    ) {
        let mut lines: Vec<String> = TEXT.lines().map(str::to_owned).collect();
        for (at, kind, other) in edits {
            let at = at.index(lines.len());
            match kind {
                0 => lines[at].clear(),
                1 => {
                    let line = lines[other.index(lines.len())].clone();
                    lines.insert(at, line);
                }
                2 => {
                    let keep = other.index(lines[at].len() + 1);
                    let keep = (0..=keep).rev().find(|&k| lines[at].is_char_boundary(k)).unwrap_or(0);
                    lines[at].truncate(keep);
                }
                _ => lines[at].push_str(" , v[1:0] :: [("),
            }
        }
        if let Ok(reading) = read_assembly(&lines.join("\n"), FileId(0), Some(Target::Gfx942)) {
            prop_assert!(reading.module.code.len() <= 4 * lines.len() + 64);
        }
    }

    #[test]
    fn any_note_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_msgpack(&bytes);
        let _ = read_yaml(&String::from_utf8_lossy(&bytes));
    }
}

/// `object` with the bytes at `at` of section `name` changed.
fn patched(object: &[u8], name: &str, at: usize, bytes: &[u8]) -> Vec<u8> {
    let file = object::File::parse(object).unwrap();
    let (start, len) = file.section_by_name(name).unwrap().file_range().unwrap();
    assert!(at + bytes.len() <= len as usize);
    let start = start as usize + at;
    let mut out = object.to_vec();
    out[start..start + bytes.len()].copy_from_slice(bytes);
    out
}

/// The code and the text of the complaint about a code object.
fn refused(object: &[u8]) -> (&'static str, String) {
    let told = read_code_object(object).expect_err("the object was read");
    (told.code.0, told.message)
}

fn find(object: &[u8], text: &[u8]) -> usize {
    object.windows(text.len()).position(|w| w == text).unwrap()
}

#[test]
fn a_relocation_is_obeyed_or_refused() {
    assert_eq!(read_code_object(RELOCATED).unwrap().relocations.len(), 2);
    let entry = |at, bytes: &[u8]| refused(&patched(RELOCATED, ".rela.dyn", at, bytes));
    // R_AMDGPU_REL32, and a type that nobody has defined.
    for kind in [4u8, 200] {
        let (code, text) = entry(8, &[kind]);
        assert_eq!(code, "code-object-unsupported");
        assert!(text.contains(&format!("type {kind}")), "{text}");
    }
    let (code, text) = entry(0, &0x0100_0000u64.to_le_bytes());
    assert_eq!(code, "code-object");
    assert!(text.contains("lies in no section"), "{text}");
    // R_AMDGPU_ABS64 of a symbol that is not there.
    let (_, text) = entry(8, &(0x7777u64 << 32 | 3).to_le_bytes());
    assert!(text.contains("symbol 30583, which the object does not have"), "{text}");
    let none = patched(RELOCATED, ".rela.dyn", 8, &[0]);
    assert_eq!(read_code_object(&none).unwrap().relocations.len(), 1, "R_AMDGPU_NONE asks for nothing");
}

#[test]
fn a_part_that_cannot_be_read_is_not_left_out() {
    // The metadata starts with a map; 0xc1 is no MessagePack.
    let file = object::File::parse(OBJECT).unwrap();
    let note = file.section_by_name(".note").unwrap().file_range().unwrap().0 as usize;
    let mut object = OBJECT.to_vec();
    object[note + 20] = 0xc1;
    assert!(refused(&object).1.contains("no MessagePack"));
    let mut object = OBJECT.to_vec();
    object[note + 4..note + 8].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refused(&object).1.contains("cut off"));

    // `false` (0xc2) as a size: the byte behind the key is its value.
    let key = b".kernarg_segment_size";
    let mut object = OBJECT.to_vec();
    let at = find(OBJECT, key) + key.len();
    object[at] = 0xc2;
    let text = refused(&object).1;
    assert!(text.contains(".kernarg_segment_size of the metadata is no number of 32 bits"), "{text}");

    // Headers of sections: 64 bytes each; address at 16, offset at 24.
    let headers = u64::from_le_bytes(OBJECT[0x28..0x30].try_into().unwrap()) as usize;
    let text = headers + 64 * file.section_by_name(".text").unwrap().index().0;
    let header = |at: usize, value: u64| {
        let mut object = OBJECT.to_vec();
        object[text + at..text + at + 8].copy_from_slice(&value.to_le_bytes());
        refused(&object).1
    };
    assert!(header(24, 1 << 40).contains("section .text, which is loaded, cannot be read"));
    assert!(header(16, u64::MAX - 3).contains("section .text ends past the last address"));
}
