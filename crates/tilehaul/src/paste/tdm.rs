//! D#s as HIP and Triton build them.
//!
//! HIP's header gives one union a register group with a setter a field: `g1.tileDim0(64)`, or bit-field members
//! (`g1.m_tile_dim0 = 64`). Setters take *stored* numbers: `padInterval(4)` is 32 dwords. Triton's descriptors give extents
//! outermost first, and padding through the shared layout.

use std::collections::BTreeMap;

use tilehaul_descriptor::amd::tdm::{FieldValue, TdmContext, judge_tdm_fields};

use super::Recognised;
use super::source::{Fragment, Token, Value};
use crate::explain::{Explained, tdm_parts, tdm_picture};
use crate::words::Kind;

/// Whether it is worth reading the text as source.
pub(super) fn mentions(text: &str) -> bool {
    text.contains("TDM_GROUP")
        || text.contains("make_tensor_descriptor")
        || text.contains("tileDim0")
        || text.contains("m_tile_dim0")
}

/// Every construction of a fragment.
pub(super) fn constructions(fragment: &Fragment) -> Vec<Recognised> {
    let mut found: Vec<Recognised> = triton(fragment);
    found.extend(hip(fragment));
    found
}

/// Setter or member (letters only, lower case), the field's own name, and how its stored number is decoded.
const SETTERS: &[(&str, &str, Stored)] = &[
    ("count", "count", Stored::Plain),
    ("ldsaddr", "lds_addr", Stored::Plain),
    ("globaladdr", "global_addr", Stored::Plain),
    ("type", "type", Stored::Plain),
    ("gathermode", "gather_mode", Stored::Plain),
    ("gatherindexsize", "gather_index_size", Stored::Plain),
    ("workgroupmask", "workgroup_mask", Stored::Plain),
    ("datasize", "data_size_bytes", Stored::Log2),
    ("atomicbarrierenable", "atomic_barrier_enable", Stored::Plain),
    ("atomicbarrieraddress", "atomic_barrier_address", Stored::Times8),
    ("iterateenable", "iterate_enable", Stored::Plain),
    ("padenable", "pad_enable", Stored::Plain),
    ("padinterval", "pad_interval_dwords", Stored::TwoShifted),
    ("padamount", "pad_amount_dwords", Stored::PlusOne),
    ("earlytimeout", "early_timeout", Stored::Plain),
    ("tensordim0", "tensor_dim0", Stored::Plain),
    ("tensordim1", "tensor_dim1", Stored::Plain),
    ("tensordim2", "tensor_dim2", Stored::Plain),
    ("tensordim3", "tensor_dim3", Stored::Plain),
    ("tensordim4", "tensor_dim4", Stored::Plain),
    ("tiledim0", "tile_dim0", Stored::Plain),
    ("tiledim1", "tile_dim1", Stored::Plain),
    ("tiledim2", "tile_dim2", Stored::Plain),
    ("tiledim3", "tile_dim3", Stored::Plain),
    ("tiledim4", "tile_dim4", Stored::Plain),
    ("tensordim0stride", "tensor_dim0_stride", Stored::Plain),
    ("tensordim1stride", "tensor_dim1_stride", Stored::Plain),
    ("tensordim2stride", "tensor_dim2_stride", Stored::Plain),
    ("tensordim3stride", "tensor_dim3_stride", Stored::Plain),
];

/// How a stored number becomes the one that people speak of.
#[derive(Clone, Copy)]
enum Stored {
    Plain,
    Log2,
    Times8,
    TwoShifted,
    PlusOne,
}

impl Stored {
    fn decode(self, stored: i128) -> i128 {
        let shift = u32::try_from(stored).unwrap_or(64).min(64);
        match self {
            Stored::Plain => stored,
            Stored::Log2 => 1 << shift,
            Stored::Times8 => stored.saturating_mul(8),
            Stored::TwoShifted => 2 << shift,
            Stored::PlusOne => stored.saturating_add(1),
        }
    }
}

fn hip(fragment: &Fragment) -> Option<Recognised> {
    let mut fields: BTreeMap<&'static str, (i128, usize)> = BTreeMap::new();
    let mut assumptions = Vec::new();
    let mut set = |name: &str, value: Value, order: usize| {
        let squeezed: String =
            name.trim_start_matches("m_").chars().filter(|c| *c != '_').collect::<String>().to_lowercase();
        let Some((_, field, stored)) = SETTERS.iter().find(|(setter, ..)| *setter == squeezed) else {
            return;
        };
        match value.int() {
            Some(number) => {
                fields.insert(field, (stored.decode(number), order));
            }
            None if matches!(*field, "lds_addr" | "global_addr") => {
                fields.entry(field).or_insert((0x1_0000_0000 * i128::from(*field == "global_addr"), order));
                assumptions
                    .push(format!("{field} is not a constant in the text; any aligned address will do"));
            }
            None => {
                let mut names = Vec::new();
                value.unknown(&mut names);
                assumptions
                    .push(format!("{field}: `{}` is not in the text; taken as 64", names.join("`, `")));
                fields.insert(field, (64, order));
            }
        }
    };
    let mut seen = false;
    for (open, name) in fragment.calls(|n| n.contains("TDM_GROUP0")) {
        let _ = name;
        seen |= constructor(fragment, open, &mut set);
    }
    for (at, window) in fragment.tokens.windows(3).enumerate() {
        match window {
            // `gfx1250_TDM_GROUP0 g0(lds, global)`: the constructor with the variable's name in between.
            [(Token::Name(name), _), (Token::Name(_), _), (Token::Mark("("), _)]
                if name.contains("TDM_GROUP0") =>
            {
                seen |= constructor(fragment, at + 2, &mut set);
            }
            // `g1.tileDim0(64)` and `g1.m_tile_dim0 = 64`.
            [(Token::Mark("." | "->"), _), (Token::Name(setter), _), (Token::Mark("("), _)] => {
                let arguments = fragment.arguments(at + 2);
                if setter == "gatherMode" {
                    let values: Vec<Value> =
                        arguments.iter().map(|(_, r)| fragment.value(r.clone())).collect();
                    if let [mode, size] = &values[..] {
                        set("gather_mode", mode.clone(), at);
                        set("gather_index_size", size.clone(), at);
                    }
                } else if let [(None, range)] = &arguments[..] {
                    set(setter, fragment.value(range.clone()), at);
                }
            }
            [(Token::Mark("." | "->"), _), (Token::Name(member), _), (Token::Mark("="), _)] => {
                set(member, fragment.value(at + 3..fragment.tokens.len()), at);
            }
            _ => {}
        }
    }
    if fields.len() < 4 {
        return None;
    }
    if !seen {
        fields.entry("lds_addr").or_insert((0, 0));
        fields.entry("global_addr").or_insert((0x1_0000_0000, 0));
    }
    fields.entry("count").or_insert((1, 0));
    fields.entry("type").or_insert((2, 0));
    let named: Vec<(String, FieldValue)> =
        fields.into_iter().map(|(name, (value, _))| (name.to_owned(), FieldValue::Int(value))).collect();
    Some(judged("D# built with HIP's gfx1250 TDM groups", &named, assumptions))
}

/// `gfx1250_TDM_GROUP0(lds_addr, global_addr, gather_index_size, gather_mode)`.
fn constructor(fragment: &Fragment, open: usize, set: &mut impl FnMut(&str, Value, usize)) -> bool {
    let names = ["lds_addr", "global_addr", "gather_index_size", "gather_mode"];
    let arguments = fragment.arguments(open);
    for (name, (_, range)) in names.iter().zip(&arguments) {
        set(name, fragment.value(range.clone()), open);
    }
    arguments.len() >= 2
}

fn triton(fragment: &Fragment) -> Vec<Recognised> {
    let calls = fragment.calls(|n| n.ends_with("make_tensor_descriptor"));
    // On AMD the call lives in a `tdm` module; Triton's own `tl.make_tensor_descriptor` serves both vendors.
    calls
        .into_iter()
        .filter_map(|(open, _)| {
            let positions = ["base", "shape", "strides", "block_shape", "layout"];
            let mut given: BTreeMap<String, std::ops::Range<usize>> = BTreeMap::new();
            for (index, (key, range)) in fragment.arguments(open).into_iter().enumerate() {
                let name = key.or_else(|| positions.get(index).map(|p| (*p).to_owned()))?;
                given.insert(name, range);
            }
            let mut assumptions = vec!["element type: not in the text; taken as 2 bytes".to_owned()];
            let mut list = |name: &str, default: i128| -> Vec<i128> {
                let Some(range) = given.get(name) else { return Vec::new() };
                let Value::List(values) = fragment.value(range.clone()) else { return Vec::new() };
                let numbers = values.iter().map(|v| {
                    v.int().unwrap_or_else(|| {
                        let mut names = Vec::new();
                        v.unknown(&mut names);
                        assumptions.push(format!(
                            "{name}: `{}` is not in the text; taken as {default}",
                            names.join("`, `")
                        ));
                        default
                    })
                });
                // Outermost first in Triton, innermost first in a D#.
                numbers.collect::<Vec<_>>().into_iter().rev().collect()
            };
            let shape = list("shape", 4096);
            let mut strides = list("strides", 4096);
            let block = list("block_shape", 64);
            if shape.is_empty() || block.is_empty() {
                return None;
            }
            strides = strides.into_iter().skip(1).collect();
            let mut named = vec![
                ("count".to_owned(), FieldValue::Int(1)),
                ("type".to_owned(), FieldValue::Int(2)),
                ("data_size_bytes".to_owned(), FieldValue::Int(2)),
                ("lds_addr".to_owned(), FieldValue::Int(0)),
                ("global_addr".to_owned(), FieldValue::Int(0x1_0000_0000)),
                ("dims".to_owned(), FieldValue::List(shape)),
                ("tile".to_owned(), FieldValue::List(block)),
                ("strides".to_owned(), FieldValue::List(strides)),
            ];
            if let Some((interval, amount)) = padding(fragment) {
                // The layout counts elements of 2 bytes, the D# dwords.
                named.push(("pad_enable".to_owned(), FieldValue::Int(1)));
                named.push(("pad_interval_dwords".to_owned(), FieldValue::Int(interval / 2)));
                named.push(("pad_amount_dwords".to_owned(), FieldValue::Int(amount / 2)));
            }
            assumptions
                .push("the whole block as one tile: Triton divides it among the waves first".to_owned());
            Some(judged("D# of Triton's make_tensor_descriptor", &named, assumptions))
        })
        .collect()
}

/// The interval and the amount of `PaddedSharedLayout.with_identity_for([[interval, amount]], …)`, in elements.
fn padding(fragment: &Fragment) -> Option<(i128, i128)> {
    for (at, (token, _)) in fragment.tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        if name != "with_identity_for" && name != "PaddedSharedLayout" {
            continue;
        }
        let Some((Token::Mark("("), _)) = fragment.tokens.get(at + 1) else { continue };
        let arguments = fragment.arguments(at + 1);
        let first = arguments.first().map(|(_, range)| fragment.value(range.clone()))?;
        if let Value::List(pairs) = first
            && let Some([interval, amount]) = pairs.first().and_then(Value::ints).as_deref()
        {
            return Some((*interval, *amount));
        }
    }
    None
}

fn judged(title: &str, named: &[(String, FieldValue)], assumptions: Vec<String>) -> Recognised {
    let (descriptor, diagnostics) = judge_tdm_fields(named, None, &TdmContext::default());
    let (explained, diagnostics) = match descriptor {
        None => (None, diagnostics),
        Some(descriptor) => {
            let mut diagnostics = diagnostics;
            diagnostics.sort_by_key(|d| d.level);
            let explained = Explained {
                kind: Kind::Tdm,
                guess: None,
                reading: String::new(),
                notes: Vec::new(),
                parts: tdm_parts(&descriptor),
                diagnostics,
                tile: tdm_picture(&descriptor.fields()),
                swizzle: None,
            };
            (Some(explained), Vec::new())
        }
    };
    Recognised { title: title.to_owned(), explained, assumptions, diagnostics }
}
