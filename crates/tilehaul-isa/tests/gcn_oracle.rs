//! Compares decoder and disassembler with llvm-mc 22 on instruction words made from the instruction table and on
//! random words. Needs `llvm-mc-22`: `cargo test -p tilehaul-isa --test gcn_oracle -- --ignored`.
//!
//! `TILEHAUL_ORACLE_WORDS` sets how many words of each kind are tried (default 100,000).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use tilehaul_isa::gcn::format::Format;
use tilehaul_isa::gcn::print::{VgprBanks, print};
use tilehaul_isa::gcn::table::table;
use tilehaul_isa::gcn::{Inst, Tail, Target};

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) | u128::from(self.next()) << 64
    }
}

/// An instruction of the table with random operands and modifiers.
fn table_made(target: Target, rng: &mut Rng) -> Option<Vec<u8>> {
    let rows = table(target.generation()).rows();
    let row = &rows[(rng.next() % rows.len() as u64) as usize];
    // llvm-mc 22 crashes on some pairs of dual operations; the goldens of shipped kernels cover those compilers emit.
    let dual = matches!(row.format, Format::Vopd | Format::Vopd3);
    if dual || row.only.is_some_and(|only| only != target) {
        return None;
    }
    let fixed = u128::from(row.layout.mask) | row.layout.set | bits_of(row.layout.opcode);
    let base = u128::from(row.layout.value) | row.layout.set | u128::from(row.opcode) << row.layout.opcode.0;
    // Sparse words name more legal registers than dense ones.
    let mut noise = rng.wide();
    if rng.next().is_multiple_of(2) {
        noise &= rng.wide();
    }
    let word = base | (noise & row.used & !fixed);
    let mut bytes = word.to_le_bytes()[..usize::from(row.layout.dwords) * 4].to_vec();
    bytes.extend_from_slice(&rng.next().to_le_bytes());
    let inst = Inst::decode(target, &bytes).ok()?;
    bytes.truncate(usize::from(inst.size));
    Some(bytes)
}

fn bits_of((lo, width): (u8, u8)) -> u128 {
    ((1u128 << width) - 1) << lo
}

/// What llvm-mc says about each instruction; none where it refuses.
fn oracle(target: Target, words: &[Vec<u8>]) -> Vec<Option<String>> {
    let mut input = String::new();
    for bytes in words {
        for b in bytes {
            let _ = write!(input, "{b:#04x} ");
        }
        input.push('\n');
    }
    let mut command = Command::new("llvm-mc-22");
    command.args(["--disassemble", "--triple=amdgcn-amd-amdhsa", &format!("--mcpu={target}")]);
    if target == Target::Gfx1250 {
        command.arg("--mattr=+real-true16");
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("llvm-mc-22");
    let mut stdin = child.stdin.take().expect("piped");
    let feeder = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, input.as_bytes()));
    let output = child.wait_with_output().expect("llvm-mc-22 runs");
    feeder.join().expect("feeder").expect("input accepted");
    let mut refused = vec![false; words.len()];
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let mut parts = line.split(':');
        if parts.next() == Some("<stdin>")
            && let Some(number) = parts.next().and_then(|n| n.parse::<usize>().ok())
        {
            refused[number - 1] = true;
        }
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('.'));
    refused.iter().map(|&r| if r { None } else { lines.next().map(clean) }).collect()
}

fn clean(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn count() -> usize {
    std::env::var("TILEHAUL_ORACLE_WORDS").ok().and_then(|v| v.parse().ok()).unwrap_or(100_000)
}

fn compare(target: Target, words: &[Vec<u8>]) -> (usize, usize, Vec<String>) {
    let theirs = oracle(target, words);
    let (mut same, mut unmodelled, mut different) = (0, 0, Vec::new());
    for (bytes, theirs) in words.iter().zip(theirs) {
        let ours = Inst::decode(target, bytes).ok().filter(|i| usize::from(i.size) == bytes.len());
        let ours = ours.map(|i| clean(&print(&i, VgprBanks::default())));
        match (ours, theirs) {
            (None, _) => unmodelled += 1,
            (Some(a), Some(b)) if a == b => same += 1,
            (a, b) => different.push(format!("{bytes:02x?}\n  ours   {a:?}\n  theirs {b:?}")),
        }
    }
    (same, unmodelled, different)
}

#[test]
#[ignore = "needs llvm-mc-22"]
fn table_made_words_print_as_llvm_prints_them() {
    for target in Target::ALL {
        let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
        let mut words = Vec::new();
        while words.len() < count() {
            words.extend(table_made(target, &mut rng));
        }
        let (same, unmodelled, different) = compare(target, &words);
        println!("{target}: {same} same, {unmodelled} not modelled, {} different", different.len());
        assert!(
            different.is_empty(),
            "{target}: {} differ\n{}",
            different.len(),
            different[..different.len().min(40)].join("\n")
        );
    }
}

#[test]
#[ignore = "needs llvm-mc-22"]
fn random_words_print_the_same_or_are_not_modelled() {
    for target in Target::ALL {
        let mut rng = Rng(0x2545_f491_4f6c_dd1d);
        let mut words = Vec::new();
        for _ in 0..count() {
            let bytes = rng.wide().to_le_bytes().to_vec();
            if let Ok(inst) = Inst::decode(target, &bytes)
                && inst.second.is_none()
            {
                words.push(bytes[..usize::from(inst.size)].to_vec());
            }
        }
        let (same, _, different) = compare(target, &words);
        println!(
            "{target}: of {} random words {same} print the same, {} are not modelled",
            count(),
            count() - words.len()
        );
        assert!(
            different.is_empty(),
            "{target}: {} differ\n{}",
            different.len(),
            different[..different.len().min(40)].join("\n")
        );
    }
}

#[test]
fn decoding_and_encoding_are_inverse() {
    for target in Target::ALL {
        let mut rng = Rng(0x1234_5678_9abc_def1);
        for _ in 0..20_000 {
            if let Some(bytes) = table_made(target, &mut rng) {
                let inst = Inst::decode(target, &bytes).expect("decodes");
                assert_eq!(inst.encode(), bytes);
                if let Tail::Literal(v) = inst.tail {
                    assert!(print(&inst, VgprBanks::default()).contains("0x") || v < 64);
                }
            }
        }
    }
}
