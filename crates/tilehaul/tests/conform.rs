//! Every recorded answer of an H200 agrees with the model, and blind answers agree with themselves.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use std::path::{Path, PathBuf};

use serde_json::Value;
use tilehaul::conform::{self, Input};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evidence/h200").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "gz"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

fn read(path: &Path) -> Input {
    conform::read(&std::fs::read(path).unwrap()).unwrap()
}

fn assert_agrees(path: &Path, input: &Input) {
    let report = conform::compare(input);
    let first = report.remarks.first();
    assert!(first.is_none(), "{}: {} of {} agree; {first:?}", path.display(), report.agreed, report.total());
    assert!(report.total() > 0, "{}", path.display());
}

#[test]
fn single_copies_and_barriers_agree() {
    for path in files("") {
        // The bank measurements belong to the machine's own tests.
        if !path.ends_with("encode.jsonl.gz") {
            assert_agrees(&path, &read(&path));
        }
    }
}

#[test]
fn scripts_agree() {
    for path in files("probe") {
        if !path.ends_with("e13_encode.jsonl.gz") {
            assert_agrees(&path, &read(&path));
        }
    }
}

/// Where hardware varies, every recorded outcome is one that some landing gives.
#[test]
fn races_lie_in_what_landings_allow() {
    for path in files("races") {
        assert_agrees(&path, &read(&path));
    }
}

/// A record stripped of its answers gets an answer that the full record accepts.
#[test]
fn blind_answers_need_no_recorded_ones() {
    const ANSWERS: [&str; 9] = ["r", "map", "enc", "fault", "timeout", "data", "res", "dumps", "dst_after"];
    for path in files("").into_iter().chain(files("probe")) {
        let Input::Records(full) = read(&path) else { panic!("{} is a case", path.display()) };
        let full: Vec<Value> = full.into_iter().take(150).collect();
        let mut blind = full.clone();
        for record in &mut blind {
            let record = record.as_object_mut().unwrap();
            // In scripts `data` is what the buffers hold at the start.
            let script = record.contains_key("ops") || record.contains_key("launches");
            ANSWERS
                .iter()
                .filter(|name| !(script && **name == "data"))
                .for_each(|name| drop(record.remove(*name)));
            record.remove("logs");
        }
        let answers = conform::answer(&Input::Records(blind.clone()));
        assert_eq!(answers, conform::answer(&Input::Records(full.clone())), "{}", path.display());
        let merged = blind.into_iter().zip(answers).map(|(mut record, answer)| {
            record.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
            record
        });
        assert_agrees(&path, &Input::Records(merged.collect()));
    }
}

#[test]
fn descriptor_cases_get_their_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/descriptors");
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path().join("case.json");
        let input = read(&path);
        assert_agrees(&path, &input);
        let Input::Case(case) = &input else { panic!("{} is no case", path.display()) };
        let answers = conform::answer(&input);
        for (variant, answer) in case["variants"].as_array().unwrap().iter().zip(&answers) {
            assert_eq!((&variant["name"], &variant["verdict"]), (&answer["name"], &answer["verdict"]));
            assert_eq!(answer["verdict"] == "accepted", answer["rules"].as_array().unwrap().is_empty());
        }
    }
}

#[test]
fn damaged_files_are_refused() {
    assert!(conform::read(b"").is_err());
    assert!(conform::read(b"{\"k\":").is_err());
    assert!(conform::read(&[0x1f, 0x8b, 1, 2, 3]).is_err());
    assert!(conform::read(&[0xff, 0xfe]).is_err());
    let report = conform::compare(&conform::read(b"{\"k\":\"load\"}\n{\"k\":\"no\"}\n{\"ops\":7}").unwrap());
    assert_eq!((report.malformed().count(), report.unsupported().count()), (2, 1));
}

/// Small deterministic random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// Changes some numbers, texts and lists anywhere below `value`.
    fn damage(&mut self, value: &mut Value) {
        const ODD: [i64; 14] = [
            0,
            -1,
            1,
            7,
            255,
            256,
            4096,
            65535,
            1 << 20,
            (1 << 31) - 1,
            1 << 31,
            u32::MAX as i64,
            1 << 57,
            i64::MAX,
        ];
        match value {
            Value::Array(list) => {
                if !list.is_empty() && self.roll(40) == 0 {
                    let at = self.roll(list.len() as u64) as usize;
                    list.remove(at);
                }
                list.iter_mut().for_each(|item| self.damage(item));
            }
            Value::Object(map) => map.values_mut().for_each(|item| self.damage(item)),
            Value::Number(_) if self.roll(12) == 0 => *value = ODD[self.roll(14) as usize].into(),
            Value::String(_) if self.roll(60) == 0 => {
                *value = Value::from(["", "dst-1", "vmm+0x", "0.900"][self.roll(4) as usize])
            }
            _ => {}
        }
    }
}

#[test]
fn damaged_records_give_an_answer_or_a_refusal() {
    let mut dice = Dice(1);
    for path in files("").into_iter().chain(files("probe")) {
        let Input::Records(records) = read(&path) else { panic!("{} is a case", path.display()) };
        for _ in 0..100 {
            let mut record = records[dice.roll(records.len() as u64) as usize].clone();
            dice.damage(&mut record);
            let input = Input::Records(vec![record]);
            assert_eq!(conform::compare(&input).total(), 1);
            assert_eq!(conform::answer(&input).len(), 1);
        }
    }
}
