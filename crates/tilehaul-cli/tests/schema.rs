//! What commands print with `--format json` is what `docs/schema/report.schema.json` promises.
//!
//! The validator knows the part of JSON Schema that the file uses and fails on any other keyword, so that a promise is never
//! passed over. A key that a command prints and the schema does not name fails too.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing helper fails its test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One object, as the command printed it, and its exit code.
fn printed(arguments: &[&str]) -> (Value, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilehaul"))
        .current_dir(root())
        .args(arguments)
        .args(["--format", "json"])
        .output()
        .unwrap();
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
    (value, output.status.code().unwrap_or(-1))
}

struct Schema(Value);

impl Schema {
    fn load() -> Schema {
        let text = std::fs::read_to_string(root().join("docs/schema/report.schema.json")).unwrap();
        Schema(serde_json::from_str(&text).unwrap())
    }

    /// What `value` at `path` breaks of `schema`.
    fn breaks(&self, schema: &Value, value: &Value, path: &str) -> Vec<String> {
        let mut broken = Vec::new();
        for (keyword, rule) in schema.as_object().unwrap() {
            match keyword.as_str() {
                "$schema" | "title" | "description" | "$defs" => {}
                "$ref" => {
                    let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                    broken.extend(self.breaks(&self.0["$defs"][name], value, path));
                }
                "type" => {
                    let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                    if !names.iter().any(|name| is_a(value, name.as_str().unwrap())) {
                        broken.push(format!("{path} is {value}, not {rule}"));
                    }
                }
                "enum" => {
                    if !rule.as_array().unwrap().contains(value) {
                        broken.push(format!("{path} is {value}, none of {rule}"));
                    }
                }
                "required" => {
                    for name in rule.as_array().unwrap() {
                        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                            broken.push(format!("{path} lacks {name}"));
                        }
                    }
                }
                "properties" => {
                    for (name, inner) in rule.as_object().unwrap() {
                        if let Some(value) = value.get(name) {
                            broken.extend(self.breaks(inner, value, &format!("{path}.{name}")));
                        }
                    }
                }
                "items" => {
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        broken.extend(self.breaks(rule, item, &format!("{path}[{i}]")));
                    }
                }
                "oneOf" => {
                    let fits = |s: &&Value| self.breaks(s, value, path).is_empty();
                    if rule.as_array().unwrap().iter().filter(fits).count() != 1 {
                        broken.push(format!("{path} fits not exactly one of {rule}"));
                    }
                }
                other => broken.push(format!("this test does not know the keyword {other}")),
            }
        }
        broken
    }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type of JSON: {other}"),
    }
}

#[test]
fn what_commands_print_is_what_the_schema_promises() {
    let schema = Schema::load();
    let scratch = std::env::temp_dir().join(format!("tilehaul-schema-{}.npy", std::process::id()));
    let scratch = scratch.to_str().unwrap();
    let load = "cases/kernels/sm_90a/tma_load2d";
    let tensor = format!("{load}/a.npy");
    let launch = format!("{load}/launch.toml");
    let commands: &[&[&str]] = &[
        &["explain", "0x80000001", "0", "0", "0"],
        &["explain", "--kind", "mbarrier", "0x7fffffffffffffff"],
        &["explain", "tma-box-bytes"],
        &["explain", "no such words"],
        &["encode", "tma", "--dims", "64,64", "--box", "64,64"],
        &["encode", "tma", "--dims", "64,64", "--box", "48,64", "--swizzle", "32B"],
        &["encode", "tdm", "--dims", "64,64", "--tile", "16,16"],
        &["draw", "gather", "9,2,6,2"],
        &["copy", "tma", "--tensor", &tensor, "--output", scratch, "--box", "16,16", "--at", "0,0"],
        &["run", &launch],
        &["check", &launch],
        &["check", "cases/findings/missing-wait/launch.toml"],
        &["check", "cases/hint/full-drain-every-step/launch.toml"],
        &["check", "cases/unsupported/unknown-instruction/launch.toml"],
        &["check", "cases/llvm/war.ll", "--target", "gfx950"],
        &["check", "no/such/file.toml"],
        &["mutate", "cases/clean/waited/launch.toml"],
        &["conform", "evidence/h200/bank.jsonl"],
        &["conform", "cases/descriptors/box-wider-than-swizzle/case.json"],
        &["layout", "(8,64):(64,1)"],
        &["layout", "S[("],
        &["tmem", "image", "32x32b.x2"],
        &["tmem", "datapath", "A"],
        &["banks", "--width", "128", "--addr", "lane*144"],
        &["banks", "--launch", &launch],
    ];
    let mut complaints = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for arguments in commands {
        let (value, code) = printed(arguments);
        let verdict = value["verdict"].as_str().unwrap_or_default();
        let says = ["clean", "findings", "invalid", "unsupported"].iter().position(|v| *v == verdict);
        if says.is_none_or(|n| n as i32 != code) {
            complaints
                .push(format!("{arguments:?}: the verdict {verdict:?} does not go with exit code {code}"));
        }
        seen.insert(verdict.to_owned());
        let broken = schema.breaks(&schema.0, &value, "$");
        complaints.extend(broken.into_iter().map(|text| format!("{arguments:?}: {text}")));
        for name in value.as_object().unwrap().keys() {
            if schema.0["properties"].get(name).is_none() {
                complaints.push(format!("{arguments:?}: the schema does not name {name:?}"));
            }
        }
    }
    let _ = std::fs::remove_file(scratch);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert_eq!(seen.len(), 4, "every verdict should be among the answers: {seen:?}");
}

#[test]
fn the_validator_notices() {
    let schema = Schema::load();
    let broken = |text: &str| schema.breaks(&schema.0, &serde_json::from_str(text).unwrap(), "$").len();
    assert_eq!(broken(r#"{"verdict": "clean"}"#), 0);
    assert_eq!(broken("{}"), 1);
    assert_eq!(broken("[]"), 1);
    assert_eq!(broken(r#"{"verdict": "good"}"#), 1);
    assert_eq!(broken(r#"{"verdict": "clean", "steps": "many"}"#), 1);
    assert_eq!(broken(r#"{"verdict": "clean", "findings": [{"code": "x"}]}"#), 7);
}
