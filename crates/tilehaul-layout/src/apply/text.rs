//! Operands, guards and results of an apply as text.
//!
//! An operand is a pipeline: `tmem f32 | tmem_datapath_layout("B", 64, 128) | rearrange (wh r) (wl c) -> (wl wh) r c ;
//! wh=2, r=32, wl=2 | slice :, :, 0:32`. The first part names the storage, the element type and, optionally, the
//! allocation (two operands with the same name share one); the second is a layout in any notation; the others change
//! the view in turn.

use super::{Applied, Issue, Operand, Storage};
use crate::axis::Axis;
use crate::banks::pattern::{Expression, PatternError};
use crate::text::{Notation, TextError, notation, parse};
use crate::view::{MAX_RANK, View};

use super::context::Context;

fn wrong(message: impl Into<String>) -> TextError {
    TextError { at: 0, message: message.into(), unsupported: false }
}

/// Storages by their names.
const STORAGES: [(&str, Storage); 4] = [
    ("registers", Storage::Registers),
    ("local", Storage::Registers),
    ("tmem", Storage::Tensor),
    ("shared", Storage::Shared),
];

/// Reads an operand. `loops` are names with values that a slice may use; `names` collects allocation names, so that
/// equal names in several operands become equal allocations.
///
/// # Errors
/// With the part that is wrong.
pub fn operand(text: &str, loops: &[(&str, i64)], names: &mut Vec<String>) -> Result<Operand, TextError> {
    let mut parts = text.split('|').map(str::trim);
    let head: Vec<&str> = parts.next().unwrap_or("").split_whitespace().collect();
    let (storage, bits, name) = match head.as_slice() {
        [storage, kind] => (*storage, *kind, *storage),
        [storage, kind, name] => (*storage, *kind, *name),
        _ => {
            return Err(wrong("an operand starts with its storage and element type, such as \"tmem f32 |\""));
        }
    };
    let Some((_, storage)) = STORAGES.iter().find(|(n, _)| *n == storage) else {
        return Err(wrong(format!("unknown storage {storage}; known: registers, tmem, shared")));
    };
    let mut element_bits = type_bits(bits)?;
    let layout = parts.next().unwrap_or("");
    let mut steps: Vec<&str> = parts.collect();
    let mut shape = None;
    if let Some(first) = steps.first().and_then(|s| s.strip_prefix("shape ")) {
        shape = Some(sizes(first)?);
        steps.remove(0);
    }
    if notation(layout) == Notation::Cute && !layout.starts_with(['(', 'S']) && !layout.contains(':') {
        return Err(wrong(format!("\"{layout}\" is no layout; write one after the storage")));
    }
    let mut view = parse(layout, shape.as_deref())?;
    let mut region = None;
    let unit = if *storage == Storage::Tensor { Axis::TCol } else { Axis::Memory };
    for step in steps {
        if region.is_some() {
            return Err(wrong("a slice must be the last step of an operand"));
        }
        match step.strip_prefix("slice ") {
            Some(rest) => region = Some(slice(rest, &view, loops)?),
            None => (view, element_bits) = change(&view, step, element_bits, unit)?,
        }
    }
    let backing = names.iter().position(|n| n == name).unwrap_or_else(|| {
        names.push(name.to_string());
        names.len() - 1
    });
    let mut operand = Operand::whole(*storage, element_bits, view);
    operand.backing = u32::try_from(backing).unwrap_or(u32::MAX);
    if let Some(region) = region {
        operand.region = region;
    }
    Ok(operand)
}

/// Reads a layout and changes its view step by step: `LAYOUT | rearrange … | slice …`; a slice makes a smaller view.
///
/// # Errors
/// With the part that is wrong.
pub fn pipeline(text: &str, shape: Option<&[u64]>) -> Result<View, TextError> {
    let mut parts = text.split('|').map(str::trim);
    let layout = parts.next().unwrap_or("");
    let mut steps: Vec<&str> = parts.collect();
    let mut shape = shape.map(<[u64]>::to_vec);
    if let Some(first) = steps.first().and_then(|s| s.strip_prefix("shape ")) {
        shape = Some(sizes(first)?);
        steps.remove(0);
    }
    let mut view = parse(layout, shape.as_deref())?;
    for step in steps {
        view = match step.strip_prefix("slice ") {
            Some(rest) => {
                let region: Option<Vec<(u64, u64)>> = slice(rest, &view, &[])?
                    .into_iter()
                    .map(|(begin, extent)| Some((u64::try_from(begin).ok()?, extent)))
                    .collect();
                let region = region.ok_or_else(|| wrong(format!("{step}: a slice begins at 0 or later")))?;
                view.slice(&region).map_err(|e| wrong(format!("{step}: {e}")))?
            }
            None => change(&view, step, 32, Axis::Memory)?.0,
        };
    }
    Ok(view)
}

/// One step that changes a view, and perhaps its element.
fn change(view: &View, step: &str, element_bits: u32, unit: Axis) -> Result<(View, u32), TextError> {
    let (word, rest) = step.split_once(char::is_whitespace).unwrap_or((step, ""));
    let failed = |e: crate::LayoutError| wrong(format!("{step}: {e}"));
    let mut bits = element_bits;
    let view = match word {
        "reshape" | "view" => {
            let shape = rest.split(',').map(size_or_open).collect::<Result<Vec<_>, _>>()?;
            view.reshape(&shape).map_err(failed)?
        }
        "permute" => {
            let order: Result<Vec<usize>, _> = rest.split(',').map(|n| n.trim().parse()).collect();
            let order = order.map_err(|_| wrong(format!("{step}: dimensions are whole numbers")))?;
            view.permute(&order).map_err(failed)?
        }
        "rearrange" => {
            let (pattern, given) = rest.split_once(';').unwrap_or((rest, ""));
            view.rearrange(pattern, &named_sizes(given)?).map_err(failed)?
        }
        "dtype" => {
            bits = type_bits(rest.trim())?;
            retype(view, element_bits, bits, unit).map_err(failed)?
        }
        other => {
            return Err(wrong(format!(
                "unknown step {other}; known: shape (first), reshape, permute, rearrange, dtype, slice"
            )));
        }
    };
    Ok((view, bits))
}

/// The context of a guard such as `warp == 1` or `warp < 2 && lane < 16` over a block of `threads`.
///
/// # Errors
/// When the guard is no expression over `warp` and `lane`.
pub fn guard(context: &mut Context, threads: u32, text: &str) -> Result<(), PatternError> {
    let expression = Expression::parse(text, &["warp", "lane"])?;
    // Evaluated once for every thread first, so that an error is reported and not taken for "inactive".
    let mut active = vec![0u32; threads.div_ceil(32).min(32) as usize];
    for (warp, mask) in (0u32..).zip(&mut active) {
        for lane in 0..32 {
            if expression.value(&[i64::from(warp), i64::from(lane)])? != 0 {
                *mask |= 1 << lane;
            }
        }
    }
    let holds = |warp: u32, lane: u32| active.get(warp as usize).is_some_and(|m| m >> lane & 1 == 1);
    let cluster = context.cluster;
    *context = Context::guarded(context.scope, threads, holds);
    context.cluster = cluster;
    Ok(())
}

/// What is executed, one line an instruction: `@[lane, column] registers 0-63`. Members of the group that execute the
/// same list are named once, and not at all when everyone does.
#[must_use]
pub fn summary(applied: &Applied) -> Vec<String> {
    let mut groups: Vec<(Vec<&Issue>, Vec<String>)> = Vec::new();
    for issue in &applied.issues {
        match groups.last_mut() {
            Some((issues, lines)) if issues.first().is_some_and(|i| i.group == issue.group) => {
                issues.push(issue);
                lines.push(line(issue));
            }
            _ => groups.push((vec![issue], vec![line(issue)])),
        }
    }
    let same = groups.windows(2).all(|w| matches!(w, [a, b] if a.1 == b.1));
    if same {
        return groups.into_iter().next().map(|(_, lines)| lines).unwrap_or_default();
    }
    groups
        .iter()
        .flat_map(|(issues, lines)| {
            let who = issues.first().map(|i| group_text(i)).unwrap_or_default();
            lines.iter().map(move |l| format!("{who}: {l}"))
        })
        .collect()
}

fn group_text(issue: &Issue) -> String {
    let parts: Vec<String> = issue.group.iter().map(|(axis, v)| format!("{axis} {v}")).collect();
    parts.join(", ")
}

fn line(issue: &Issue) -> String {
    let mut text = format!("@[{}, {}]", issue.lane, issue.column);
    if let Some(by) = issue.split {
        text.push_str(&format!(" split {by}"));
    }
    if let Some(first) = issue.slots.first() {
        let run = (*first..).zip(&issue.slots).all(|(a, b)| a == *b);
        match issue.slots.last() {
            Some(last) if run && issue.slots.len() > 1 => {
                text.push_str(&format!(" registers {first}-{last}"))
            }
            _ => {
                let slots: Vec<String> = issue.slots.iter().map(i64::to_string).collect();
                text.push_str(&format!(" registers {}", slots.join(",")));
            }
        }
    }
    text
}

/// Bits of an element type by its name: `f32`, `u8`, `bf16`…
///
/// # Errors
/// When the name does not end in 8, 16, 32 or 64 bits.
pub fn type_bits(name: &str) -> Result<u32, TextError> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let digits = digits.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
    match digits.parse() {
        Ok(bits @ (8 | 16 | 32 | 64)) => Ok(bits),
        _ => Err(wrong(format!("unknown element type {name}; write such as f32, u32, f16 or u8"))),
    }
}

fn retype(view: &View, from: u32, to: u32, unit: Axis) -> Result<View, crate::LayoutError> {
    if to > from {
        view.pack(u64::from(to / from), unit)
    } else if to < from {
        view.unpack(u64::from(from / to), unit)
    } else {
        Ok(view.clone())
    }
}

fn sizes(text: &str) -> Result<Vec<u64>, TextError> {
    text.split(',').map(|n| size_or_open(n)?.ok_or_else(|| wrong("a shape has no open extent"))).collect()
}

fn size_or_open(text: &str) -> Result<Option<u64>, TextError> {
    match text.trim() {
        "-1" => Ok(None),
        n => n.parse().map(Some).map_err(|_| wrong(format!("\"{n}\" is no extent"))),
    }
}

fn named_sizes(text: &str) -> Result<Vec<(&str, u64)>, TextError> {
    text.split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .map(|pair| {
            let (name, size) =
                pair.split_once('=').ok_or_else(|| wrong(format!("\"{pair}\" should be name=size")))?;
            let size = size.trim().parse().map_err(|_| wrong(format!("\"{pair}\" should be name=size")))?;
            Ok((name.trim(), size))
        })
        .collect()
}

/// `a:b` for each dimension, `:` for all of it, one number for one coordinate; numbers are expressions over the loops.
fn slice(text: &str, view: &View, loops: &[(&str, i64)]) -> Result<Vec<(i64, u64)>, TextError> {
    let names: Vec<&str> = loops.iter().map(|(n, _)| *n).collect();
    let values: Vec<i64> = loops.iter().map(|(_, v)| *v).collect();
    let number = |t: &str| -> Result<i64, TextError> {
        let failed = |e: PatternError| wrong(format!("slice \"{t}\": {e}"));
        Expression::parse(t, &names).map_err(failed)?.value(&values).map_err(failed)
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != view.shape().len() || parts.len() > MAX_RANK {
        return Err(wrong(format!("slice has {} ranges for {} dimensions", parts.len(), view.shape().len())));
    }
    parts
        .iter()
        .zip(view.shape())
        .map(|(part, &whole)| {
            let (begin, end) = match part.split_once(':') {
                None => {
                    let at = number(part)?;
                    (at, at.saturating_add(1))
                }
                Some((a, b)) => {
                    let begin = if a.trim().is_empty() { 0 } else { number(a)? };
                    // Extents are at most 2^40.
                    let end = if b.trim().is_empty() { whole as i64 } else { number(b)? };
                    (begin, end)
                }
            };
            let extent = u64::try_from(end.saturating_sub(begin)).unwrap_or(0);
            Ok((begin, extent))
        })
        .collect()
}
