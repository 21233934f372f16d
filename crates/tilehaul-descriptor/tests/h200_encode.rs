//! Every recorded answer of an H200's driver to an encode call: result code and all 128 bytes.

#![expect(clippy::unwrap_used, reason = "a record that cannot be read fails the test")]

use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use serde_json::Value;
use tilehaul_descriptor::nvidia::tensor_map::{check_map_pointer, has_error};
use tilehaul_descriptor::nvidia::{
    Architecture, Context, EncodeIm2col, EncodeIm2colWide, EncodeTiled, TensorMap,
};
use tilehaul_diag::Diagnostic;

fn records(name: &str) -> impl Iterator<Item = Value> {
    let path = format!("{}/../../evidence/h200/{name}", env!("CARGO_MANIFEST_DIR"));
    let lines = BufReader::new(GzDecoder::new(File::open(&path).unwrap())).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().map(|list| list.iter().map(|v| v.as_u64().unwrap()).collect()).unwrap_or_default()
}

fn signed(value: &Value) -> Vec<i64> {
    match value {
        Value::Array(list) => list.iter().map(|v| v.as_i64().unwrap()).collect(),
        one => vec![one.as_i64().unwrap()],
    }
}

fn code(p: &Value, name: &str) -> u32 {
    p[name].as_u64().unwrap() as u32
}

fn tiled(p: &Value) -> EncodeTiled {
    EncodeTiled {
        data_type: code(p, "dt"),
        rank: code(p, "rank"),
        address: p["addr"].as_u64().unwrap(),
        dims: numbers(&p["dim"]),
        strides: numbers(&p["stride"]),
        box_dims: numbers(&p["box"]),
        element_strides: numbers(&p["estride"]),
        interleave: code(p, "il"),
        swizzle: code(p, "sw"),
        l2_promotion: code(p, "l2"),
        oob_fill: code(p, "oob"),
        alloc_bytes: None,
    }
}

fn im2col(p: &Value) -> EncodeIm2col {
    EncodeIm2col {
        data_type: code(p, "dt"),
        rank: code(p, "rank"),
        address: p["addr"].as_u64().unwrap(),
        dims: numbers(&p["dim"]),
        strides: numbers(&p["stride"]),
        lower_corner: signed(&p["lo"]),
        upper_corner: signed(&p["hi"]),
        channels_per_pixel: p["ch"].as_u64().unwrap(),
        pixels_per_column: p["px"].as_u64().unwrap(),
        element_strides: numbers(&p["estride"]),
        interleave: code(p, "il"),
        swizzle: code(p, "sw"),
        l2_promotion: code(p, "l2"),
        oob_fill: code(p, "oob"),
        alloc_bytes: None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The model's answer to a record, and whether it agrees.
fn agrees(record: &Value, context: &Context) -> Result<(), String> {
    let p = &record["p"];
    let answer: Result<[u8; 128], Vec<Diagnostic>> = match record["kind"].as_str().unwrap() {
        "tiled" => tiled(p).encode(context),
        "im2col" => im2col(p).encode(context),
        "im2colw" => EncodeIm2colWide { ordinary: im2col(p), mode: code(p, "mode") }.encode(context),
        "align" => {
            let refused = check_map_pointer(record["off"].as_u64().map_or(0, |off| 0x1000 + off))
                .is_some_and(|said| has_error(&[said]));
            return match refused == (record["r"] == 1) {
                true => Ok(()),
                false => Err(format!("{record}")),
            };
        }
        other => return Err(format!("unknown kind {other}")),
    };
    match (&answer, record["r"].as_u64().unwrap()) {
        (Ok(bytes), 0) => {
            let (ours, theirs) = (hex(bytes), record["map"].as_str().unwrap());
            if ours != theirs {
                return Err(format!("{record}\n  ours {ours}"));
            }
            // What the driver wrote reads back as what we encoded, with nothing strange in it.
            let decoded = TensorMap::decode(bytes, Architecture::SM_90A);
            let again = decoded.map.map(|map| hex(&map.encode()));
            if again.as_deref() != Some(theirs) {
                return Err(format!("{record}\n  decoded {decoded:?}"));
            }
            Ok(())
        }
        (Err(broken), 1) if has_error(broken) => Ok(()),
        _ => Err(format!("{record}\n  ours {answer:?}")),
    }
}

fn every_record_agrees(name: &str, least: usize) {
    let context = Context::default();
    let mut count = 0;
    let mut wrong = Vec::new();
    for record in records(name) {
        count += 1;
        if let Err(why) = agrees(&record, &context) {
            wrong.push(why);
        }
    }
    assert!(count >= least, "{name} has {count} records");
    assert!(
        wrong.is_empty(),
        "{} of {count} disagree, first:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
}

#[test]
fn encode_calls() {
    every_record_agrees("encode.jsonl.gz", 24_000);
}

#[test]
fn finer_questions() {
    every_record_agrees("probe/e13_encode.jsonl.gz", 3_800);
}
