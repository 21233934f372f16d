//! Every recorded matrix product of an H200, bit for bit, NaNs included.

#![expect(clippy::unwrap_used, reason = "a record that cannot be read fails the test")]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;
use tilehaul_mma::{Format, Operands, Overflow, Product, Sign, catalogue};

/// The product that a variant name such as `wgmma_e4m3e5m2_f32_noacc` stands for; is C read; are products negated.
fn variant(name: &str, depth: usize) -> (Product, bool, Sign) {
    let mut parts = name.split('_');
    let (unit, operands) = (parts.next().unwrap(), parts.next().unwrap());
    let formats = |text: &str| {
        Format::ALL.iter().find_map(|a| {
            let rest = text.strip_prefix(a.name())?;
            let b = if rest.is_empty() { *a } else { Format::parse(rest)? };
            Some((*a, b))
        })
    };
    let (a, b) = formats(operands).unwrap();
    // Doubles have no accumulator in their name.
    let accumulator = if a == Format::F64 { a } else { Format::parse(parts.next().unwrap()).unwrap() };
    let suffixes: Vec<&str> = parts.collect();
    let overflow = if suffixes.contains(&"sat") { Overflow::Saturate } else { Overflow::Wrap };
    let make = if unit == "wgmma" { catalogue::nvidia_wgmma } else { catalogue::nvidia_mma };
    let product = make(a, b, accumulator, depth, overflow).unwrap();
    let sign = if suffixes.contains(&"neg") { Sign::Flip } else { Sign::Keep };
    (product, !suffixes.contains(&"noacc"), sign)
}

fn elements(text: &str, format: Format) -> Vec<u64> {
    let digits = format.bits() as usize / 4;
    assert_eq!(text.len() % digits, 0);
    (0..text.len() / digits)
        .map(|at| u64::from_str_radix(&text[at * digits..(at + 1) * digits], 16).unwrap())
        .collect()
}

/// Vectors of the record, and how many of them differ.
fn judge(record: &Value) -> (usize, usize) {
    let depth = record["depth"].as_u64().unwrap() as usize;
    let (product, reads_c, sign) = variant(record["v"].as_str().unwrap(), depth);
    let get = |name: &str, format| elements(record[name].as_str().unwrap(), format);
    let (a, b) = (get("a", product.a), get("b", product.b));
    let (c, wanted) = (get("c", product.accumulator), get("d", product.accumulator));
    let diagonal = record["diag"] == 1;
    let (rows, columns) = (a.len() / depth, b.len() / depth);
    let mut d = vec![0u64; rows * columns];
    // A diagonal record has one C for each product: spread it over the row, so that the tile form is tried too.
    let spread: Vec<u64> = if diagonal { (0..rows * columns).map(|at| c[at / columns]).collect() } else { c };
    let operands = Operands { rows, columns, a: &a, b: &b, c: reads_c.then_some(&spread[..]), sign };
    product.multiply(&operands, &mut d).unwrap();
    let mut wrong = 0;
    for (at, &wanted) in wanted.iter().enumerate() {
        let place = if diagonal { at * columns + at } else { at };
        let (row, column) = (place / columns, place % columns);
        let c = if reads_c { spread[place] } else { 0 };
        let single = product.dot(
            &a[row * depth..(row + 1) * depth],
            &b[column * depth..(column + 1) * depth],
            c,
            sign,
        );
        wrong += usize::from(d[place] != wanted || single != wanted);
    }
    (wanted.len(), wrong)
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evidence/h200/mma");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "gz")).collect();
    files.sort();
    files
}

#[test]
fn every_vector_agrees() {
    let (mut vectors, mut complaints) = (0, Vec::new());
    for path in files() {
        for line in BufReader::new(GzDecoder::new(File::open(&path).unwrap())).lines() {
            let record: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let (count, wrong) = judge(&record);
            vectors += count;
            if wrong > 0 {
                complaints.push(format!(
                    "{} {} {}: {wrong} of {count}",
                    record["v"], record["set"], record["what"]
                ));
            }
        }
    }
    assert!(vectors > 200_000, "{vectors} vectors");
    assert!(
        complaints.is_empty(),
        "{} records differ, first:\n{}",
        complaints.len(),
        complaints[..complaints.len().min(40)].join("\n")
    );
}
