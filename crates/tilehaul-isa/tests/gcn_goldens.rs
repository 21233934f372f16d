//! Every instruction of the shipped kernels prints as llvm-objdump 22 prints it, and its text assembles to its bytes.
//!
//! `data/<target>.dis` holds `bytes TAB text`, made with llvm-objdump 22 (gfx1250 with `+real-true16`). Between a line
//! `@name` and a line `@` the instructions follow each other in one kernel, so `s_set_vgpr_msb` acts on those after it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use tilehaul_isa::gcn::asm::assemble;
use tilehaul_isa::gcn::print::{VgprBanks, print};
use tilehaul_isa::gcn::{Inst, Target};

const GOLDENS: [(Target, &str); 3] = [
    (Target::Gfx942, include_str!("data/gfx942.dis")),
    (Target::Gfx950, include_str!("data/gfx950.dis")),
    (Target::Gfx1250, include_str!("data/gfx1250.dis")),
];

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")).collect()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn shipped_instructions_print_as_objdump_prints_them() {
    for (target, golden) in GOLDENS {
        let mut banks = VgprBanks::default();
        for line in golden.lines() {
            let Some((hex, want)) = line.split_once('\t') else {
                banks = VgprBanks::default();
                continue;
            };
            let bytes = bytes(hex);
            let inst =
                Inst::decode(target, &bytes).unwrap_or_else(|e| panic!("{target} {hex} {want}: {e:?}"));
            assert_eq!(usize::from(inst.size), bytes.len(), "{target} {hex} {want}");
            assert_eq!(words(&print(&inst, banks)), words(want), "{target} {hex}");
            assert_eq!(inst.encode(), bytes);
            banks = banks.after(&inst);
        }
    }
}

#[test]
fn shipped_instructions_assemble_to_their_bytes() {
    for (target, golden) in GOLDENS {
        let mut wrong = Vec::new();
        for line in golden.lines() {
            let Some((hex, text)) = line.split_once('\t') else { continue };
            let want = bytes(hex);
            match assemble(target, text, &|_| None) {
                Ok(inst) if inst.encode() == want || same_meaning(&inst, &want, target) => {}
                Ok(inst) => wrong.push(format!("{text}: {:02x?} instead of {want:02x?}", inst.encode())),
                Err(error) => wrong.push(format!("{text}: {error:?}")),
            }
        }
        assert!(
            wrong.is_empty(),
            "{target}: {} lines\n{}",
            wrong.len(),
            wrong[..wrong.len().min(30)].join("\n")
        );
    }
}

/// Compilers write the constant 0 into sources that an instruction does not have; the text cannot say that.
fn same_meaning(inst: &Inst, want: &[u8], target: Target) -> bool {
    Inst::decode(target, want)
        .is_ok_and(|other| print(&other, VgprBanks::default()) == print(inst, VgprBanks::default()))
}

/// Data movement, waits, barriers and what stands around them: `data/encodings.txt`, refused lines included.
#[test]
fn lines_assemble_to_the_golden_bytes() {
    let mut wrong = Vec::new();
    for line in include_str!("data/encodings.txt").lines().filter(|l| !l.starts_with('#')) {
        let mut parts = line.splitn(3, '\t');
        let (Some(target), Some(hex), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
            panic!("{line}")
        };
        let target = Target::from_name(target).expect("target");
        let ours = assemble(target, text, &|_| None).ok().map(|i| i.encode());
        let want = (hex != "-").then(|| bytes(hex));
        if ours != want {
            wrong.push(format!("{target}: {text}: {ours:02x?} instead of {want:02x?}"));
        }
    }
    assert!(wrong.is_empty(), "{} lines\n{}", wrong.len(), wrong.join("\n"));
}
