//! Compares decoder, disassembler and assembler with llvm-mc 22, on instruction words made from the instruction table
//! (dual instructions included) and on random words. Needs `llvm-mc-22`; `cargo xtask oracle` runs it.
//!
//! `TILEHAUL_ORACLE_WORDS` sets how many words of each kind are tried for each target (default 100,000);
//! `TILEHAUL_ORACLE_SEED` another start of the random numbers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use tilehaul_isa::gcn::asm::assemble;
use tilehaul_isa::gcn::format::{Field, insert, layouts};
use tilehaul_isa::gcn::print::{VgprBanks, print};
use tilehaul_isa::gcn::table::{Row, table};
use tilehaul_isa::gcn::{Inst, Tail, Target};

struct Rng(u64);

impl Rng {
    fn start(salt: u64) -> Rng {
        let seed = std::env::var("TILEHAUL_ORACLE_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(0u64);
        Rng((0x9e37_79b9_7f4a_7c15 ^ salt) ^ seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

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

fn exists(row: &Row, target: Target) -> bool {
    row.only.is_none_or(|only| only == target)
}

/// An instruction of the table with random operands and modifiers; none where they do not fit together.
fn table_made(target: Target, row: &Row, rng: &mut Rng) -> Option<Vec<u8>> {
    let fixed = u128::from(row.layout.mask) | row.layout.set | bits_of(row.layout.opcode);
    let base = u128::from(row.layout.value) | row.layout.set | u128::from(row.opcode) << row.layout.opcode.0;
    // Sparse words name more legal registers than dense ones.
    let mut noise = rng.wide();
    if rng.next().is_multiple_of(2) {
        noise &= rng.wide();
    }
    let mut word = base | (noise & row.used & !fixed);
    // What LLVM 24 writes there LLVM 22 does not read.
    if row.layout.bits(Field::ScaleThird).is_some() {
        word = insert(word, (50, 9), 0x100);
    }
    let mut bytes = word.to_le_bytes()[..usize::from(row.layout.dwords) * 4].to_vec();
    bytes.extend_from_slice(&rng.next().to_le_bytes());
    let inst = Inst::decode(target, &bytes).ok()?;
    bytes.truncate(usize::from(inst.size));
    Some(bytes)
}

fn bits_of((lo, width): (u8, u8)) -> u128 {
    ((1u128 << width) - 1) << lo
}

/// `count` words, every row in turn.
fn table_words(target: Target, count: usize) -> Vec<Vec<u8>> {
    let mut rng = Rng::start(1);
    let rows: Vec<&Row> = table(target.generation()).rows().iter().filter(|r| exists(r, target)).collect();
    let mut words = Vec::with_capacity(count);
    for row in rows.iter().cycle() {
        if words.len() >= count {
            break;
        }
        // Some operand fields have few legal values.
        words.extend((0..20).find_map(|_| table_made(target, row, &mut rng)));
    }
    words
}

/// What llvm-mc says about a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Theirs {
    Text(String),
    Refused,
    /// llvm-mc died on it.
    Crashed,
}

/// What llvm-mc printed, and what it complained about; `alive` is whether it came to the end of its input.
struct Printed {
    stdout: String,
    stderr: String,
    alive: bool,
}

fn llvm(target: Target, args: &[&str], input: String) -> Printed {
    let mut command = Command::new("llvm-mc-22");
    // It dies now and then, and should not take long over it.
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1").env("LLVM_DISABLE_CRASH_REPORT", "1");
    command.args(args).args(["--triple=amdgcn-amd-amdhsa", &format!("--mcpu={target}")]);
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
    // llvm-mc may die before it has read everything.
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()).is_ok());
    let output = child.wait_with_output().expect("llvm-mc-22 runs");
    let _ = feeder.join();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Printed {
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
        alive: output.status.code().is_some(),
    }
}

/// The first instruction of each word as llvm-mc reads it.
fn disassemble(target: Target, words: &[Vec<u8>]) -> Vec<Theirs> {
    words.chunks(200).flat_map(|part| disassemble_group(target, part)).collect()
}

/// Words in one call, and again without each word that kills it.
fn disassemble_group(target: Target, words: &[Vec<u8>]) -> Vec<Theirs> {
    let mut left: Vec<usize> = (0..words.len()).collect();
    let mut answers = vec![Theirs::Crashed; words.len()];
    loop {
        let printed = llvm(target, &["--disassemble"], marked(left.iter().map(|&i| &words[i])));
        let refused = refused(left.len(), &printed.stderr);
        if printed.alive {
            let firsts = first_lines(left.len(), &printed.stdout);
            for ((i, text), refused) in left.into_iter().zip(firsts).zip(refused.words) {
                answers[i] = match text {
                    Some(text) if !refused => Theirs::Text(text),
                    _ => Theirs::Refused,
                };
            }
            return answers;
        }
        // Complaints are not buffered: the word behind the last one that was gone through is the deadly one.
        left.remove(refused.gone_through);
    }
}

/// Lines for each word.
const LINES: usize = 4;

/// Each word on a line, then instructions that its end may swallow, a mark for the output (`s_nop` with a number), and one
/// for the complaints (no instruction at all).
fn marked<'a>(words: impl Iterator<Item = &'a Vec<u8>>) -> String {
    let mut input = String::new();
    for (i, bytes) in words.enumerate() {
        for b in bytes {
            let _ = write!(input, "{b:#04x} ");
        }
        let [low, high] = (0x8000 + i as u16).to_le_bytes();
        let _ = writeln!(input, "\n{}", "0x00 0x00 0x80 0xbf ".repeat(4));
        let _ = writeln!(input, "{low:#04x} {high:#04x} 0x80 0xbf\n0xff 0xff 0xff 0xff");
    }
    input
}

/// What the complaints tell.
struct Refused {
    /// Whether the first instruction of each word was refused.
    words: Vec<bool>,
    /// Words whose mark was reached.
    gone_through: usize,
}

/// Complaints are `<stdin>:LINE:COLUMN: warning`; column 1 means the first instruction of a line.
fn refused(words: usize, stderr: &str) -> Refused {
    let mut found = Refused { words: vec![false; words], gone_through: 0 };
    for line in stderr.lines() {
        let mut parts = line.split(':');
        if parts.next() != Some("<stdin>") {
            continue;
        }
        let (Some(Ok(line)), Some(Ok(1))) =
            (parts.next().map(str::parse::<usize>), parts.next().map(str::parse::<usize>))
        else {
            continue;
        };
        let last = LINES - 1;
        match (line - 1) % LINES {
            0 => found.words[line / LINES] = true,
            at if at == last => found.gone_through = line / LINES,
            _ => {}
        }
    }
    found
}

/// The first instruction between each two marks.
fn first_lines(words: usize, stdout: &str) -> Vec<Option<String>> {
    let lines = stdout.lines().map(clean).filter(|l| !l.is_empty() && !l.starts_with('.'));
    let (mut at, mut first) = (0, vec![None; words]);
    let mut before = String::new();
    for line in lines {
        // The word itself may look like a mark, but does not stand behind the filling.
        if before == "s_nop 0" && line == format!("s_nop {:#x}", 0x8000 + at) {
            at += 1;
        } else if let Some(slot) = first.get_mut(at) {
            slot.get_or_insert(line.clone());
        }
        before = line;
    }
    assert_eq!(at, words, "every mark came back");
    first
}

/// The bytes that llvm-mc assembles each line to; none where it refuses.
fn assembled(target: Target, lines: &[String]) -> Vec<Option<Vec<u8>>> {
    if lines.len() > 4000 {
        return lines.chunks(4000).flat_map(|part| assembled(target, part)).collect();
    }
    let mut input = String::new();
    for (i, line) in lines.iter().enumerate() {
        let _ = writeln!(input, "{line}\ns_nop {:#x}", 0x8000 + i);
    }
    let Printed { stdout, stderr, alive } = llvm(target, &["--show-encoding"], input);
    assert!(alive, "the assembler lives");
    let (mut at, mut out) = (0, vec![None; lines.len()]);
    for line in stdout.lines() {
        if clean(line).starts_with(&format!("s_nop {:#x}", 0x8000 + at)) {
            at += 1;
        } else if let (Some(slot), Some((_, hex))) = (out.get_mut(at), line.split_once("encoding: [")) {
            let hex = hex.trim_end_matches(']').split(',');
            slot.get_or_insert_with(|| {
                hex.map(|h| u8::from_str_radix(h.trim_start_matches("0x"), 16).unwrap_or(0xff)).collect()
            });
        }
    }
    assert_eq!(at, lines.len(), "every mark came back");
    // Some lines are refused and printed all the same.
    for line in stderr.lines().filter(|line| line.contains(": error:")) {
        let number = line.strip_prefix("<stdin>:").and_then(|l| l.split(':').next()?.parse::<usize>().ok());
        if let Some(slot) = number.and_then(|n| out.get_mut((n - 1) / 2)) {
            *slot = None;
        }
    }
    out
}

fn clean(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn count() -> usize {
    std::env::var("TILEHAUL_ORACLE_WORDS").ok().and_then(|v| v.parse().ok()).unwrap_or(100_000)
}

fn ours(target: Target, bytes: &[u8]) -> Option<String> {
    Inst::decode(target, bytes).ok().map(|i| clean(&print(&i, VgprBanks::default())))
}

/// Answers by kind of agreement, and a few examples of each kind of disagreement.
#[derive(Default)]
struct Score {
    counts: BTreeMap<&'static str, usize>,
    different: BTreeMap<String, Vec<String>>,
}

impl Score {
    fn add(&mut self, kind: &'static str) {
        *self.counts.entry(kind).or_default() += 1;
    }

    fn differ(&mut self, name: &str, text: String) {
        self.add("different");
        let mnemonic = name.split_whitespace().next().unwrap_or("").to_owned();
        self.different.entry(mnemonic).or_default().push(text);
    }

    /// Says the counts, and gives the disagreements.
    fn report(self, what: &str) -> String {
        let counts: Vec<String> = self.counts.iter().map(|(k, n)| format!("{n} {k}")).collect();
        println!("{what}: {}", counts.join(", "));
        let mut text = String::new();
        for (name, examples) in self.different.iter().take(60) {
            let _ = writeln!(
                text,
                "{name}: {} differ\n{}",
                examples.len(),
                examples[..examples.len().min(2)].join("\n")
            );
        }
        text
    }
}

fn disassembly(target: Target, words: &[Vec<u8>]) -> Score {
    let mut score = Score::default();
    for (bytes, theirs) in words.iter().zip(disassemble(target, words)) {
        match (ours(target, bytes), theirs) {
            (Some(a), Theirs::Text(b)) if a == b => score.add("the same"),
            (None, Theirs::Refused) => score.add("refused by both"),
            (None, Theirs::Text(_)) => score.add("not modelled"),
            (_, Theirs::Crashed) => score.add("kill llvm-mc"),
            (Some(a), b) => score.differ(&a, format!("  {bytes:02x?}\n    ours   {a}\n    theirs {b:?}")),
        }
    }
    score
}

#[test]
#[ignore = "needs llvm-mc-22"]
fn table_made_words_print_as_llvm_prints_them() {
    let report = |target: Target| {
        disassembly(target, &table_words(target, count()))
            .report(&format!("{target}, words made from the table"))
    };
    let texts: String = Target::ALL.into_iter().map(report).collect();
    assert!(texts.is_empty(), "{texts}");
}

#[test]
#[ignore = "needs llvm-mc-22"]
fn random_words_print_the_same_or_are_not_modelled() {
    let report = |target: Target| {
        let mut rng = Rng::start(2);
        let words: Vec<Vec<u8>> = (0..count()).map(|_| rng.wide().to_le_bytes().to_vec()).collect();
        disassembly(target, &words).report(&format!("{target}, random words"))
    };
    let texts: String = Target::ALL.into_iter().map(report).collect();
    assert!(texts.is_empty(), "{texts}");
}

/// Words of every opcode of every encoding, with registers and lane selections that are legal nearly everywhere.
fn opcode_words(target: Target) -> Vec<Vec<u8>> {
    let mut rng = Rng::start(3);
    let mut words = Vec::new();
    for layout in layouts(target.generation()) {
        for opcode in 0..1u128 << layout.opcode.1 {
            let base = u128::from(layout.value) | layout.set | opcode << layout.opcode.0;
            let fixed = u128::from(layout.mask) | layout.set | bits_of(layout.opcode);
            let mut add = |word: u128, tail: u64| {
                let mut bytes = word.to_le_bytes()[..usize::from(layout.dwords) * 4].to_vec();
                bytes.extend(tail.to_le_bytes());
                words.push(bytes);
            };
            let set = |word: u128, field: Field, value: u32| match layout.bits(field) {
                Some(bits) => insert(word, bits, value),
                None => word,
            };
            add(base, 0);
            let mut registers = base;
            for (field, value) in
                [(Field::Src0, 260), (Field::Src1, 264), (Field::Src2, 268), (Field::Vdst, 16)]
            {
                registers = set(registers, field, value);
            }
            for (field, value) in [(Field::Vsrc1, 8), (Field::Sdst, 20), (Field::Ssrc0, 4), (Field::Ssrc1, 8)]
            {
                registers = set(registers, field, value);
            }
            for (field, value) in
                [(Field::Saddr, 0x7f), (Field::Addr, 2), (Field::Data, 4), (Field::Vaddr, 2)]
            {
                registers = set(registers, field, value);
            }
            add(registers, 0);
            add(set(registers, Field::Saddr, 0x7c), 0);
            add(set(set(registers, Field::Saddr, 0x7c), Field::Th, 1), 0);
            add(set(registers, Field::Sc0, 1), 0);
            add(set(registers, Field::Vdst, 126), 0);
            add(set(set(registers, Field::Vdst, 0), Field::Sdst, 0), 0);
            add(set(registers, Field::Src0, 249), 0x0606_0605);
            add(set(registers, Field::Src0, 249), 0x0005_0605);
            add(set(registers, Field::Src0, 249), 0x0606_0006);
            add(set(registers, Field::Src0, 250), 0xff01_1104);
            add(set(registers, Field::Src0, 250), 0xff01_5104);
            add(set(registers, Field::Src0, 233), 0x0005_3904);
            for _ in 0..8 {
                add(base | rng.wide() & rng.wide() & !fixed, rng.next());
            }
        }
    }
    words
}

#[test]
#[ignore = "needs llvm-mc-22"]
fn opcodes_that_the_table_lacks() {
    for target in Target::ALL {
        let words: Vec<Vec<u8>> =
            opcode_words(target).into_iter().filter(|w| ours(target, w).is_none()).collect();
        let mut lacking: BTreeMap<String, (usize, String)> = BTreeMap::new();
        for (bytes, theirs) in words.iter().zip(disassemble(target, &words)) {
            if let Theirs::Text(text) = theirs
                && !text.contains("/*")
            {
                let name = text.split_whitespace().next().unwrap_or("").to_owned();
                lacking.entry(name).or_insert_with(|| (0, format!("{text}  {bytes:02x?}"))).0 += 1;
            }
        }
        println!("{target}: {} mnemonics that llvm-mc reads and the table does not", lacking.len());
        for (name, (count, example)) in lacking {
            println!("  {name} {count}: {example}");
        }
    }
}

#[test]
#[ignore = "needs llvm-mc-22"]
fn text_assembles_to_the_bytes_of_llvm() {
    let report = |target: Target| {
        let words = table_words(target, count());
        let lines: Vec<String> = words.iter().filter_map(|w| ours(target, w)).collect();
        let mut score = Score::default();
        for (line, theirs) in lines.iter().zip(assembled(target, &lines)) {
            let mine = assemble(target, line, &|_| None).ok().map(|i| i.encode());
            // llvm-mc takes registers that it prints here for expressions, and encodes their numbers in its own list.
            if line.split(' ').next().is_some_and(|name| name.contains("_barrier")) {
                score.add("barriers, left out");
                continue;
            }
            match (mine, theirs) {
                (Some(a), Some(b)) if a == b => score.add("the same"),
                (None, None) => score.add("refused by both"),
                // Text that llvm-mc prints and does not read; ours prints the same again.
                (Some(a), None) if ours(target, &a).as_ref() == Some(line) => score.add("read by ours only"),
                (a, b) => score.differ(line, format!("  {line}\n    ours   {a:02x?}\n    theirs {b:02x?}")),
            }
        }
        score.report(&format!("{target}, text of those words assembled"))
    };
    let texts: String = Target::ALL.into_iter().map(report).collect();
    assert!(texts.is_empty(), "{texts}");
}

#[test]
fn decoding_and_encoding_are_inverse() {
    for target in Target::ALL {
        for bytes in table_words(target, 20_000) {
            let inst = Inst::decode(target, &bytes).expect("decodes");
            assert_eq!(inst.encode(), bytes);
            if let Tail::Literal(v) = inst.tail {
                assert!(print(&inst, VgprBanks::default()).contains("0x") || v < 64);
            }
        }
    }
}
