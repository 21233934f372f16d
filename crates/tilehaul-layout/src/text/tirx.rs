//! TIRx: `S[(64, 2, 64):(1@tid_in_wg, 64@tid_in_wg, 1)] + R[4:32@TLane] + 16@TLane`.
//!
//! The first iteration is the slowest. A stride without an axis is on `m`; without strides the layout is row-major.
//! `ComposeLayout(per_element, swizzle_len, atom_len, layout)` puts a swizzle on `m`;
//! `tmem_datapath_layout("B", 64, 128)` is the layout of an accumulator.

use super::TextError;
use super::scan::Scanner;
use crate::axis::Axis;
use crate::finish::Finish;
use crate::strided::{Iter, Layout, LayoutError, error, iter};
use crate::view::{MAX_RANK, View};

pub(super) fn parse(text: &str, shape: Option<&[u64]>) -> Result<View, TextError> {
    let mut s = Scanner::new(text)?;
    let mut finish = Vec::new();
    s.blanks();
    let named = s.rest().starts_with("tmem_datapath_layout");
    let (layout, own) = if named {
        datapath(&mut s)?
    } else {
        let layout = layout(&mut s, &mut finish)?;
        let own = layout.shard().iter().map(|i| i.extent).collect();
        (layout, own)
    };
    s.end()?;
    let shape: Vec<u64> = match shape {
        Some(shape) => shape.to_vec(),
        None if own.len() <= MAX_RANK => own,
        None => vec![layout.size()],
    };
    View::strided(layout, &shape, finish).map_err(Scanner::failed(0))
}

fn layout(s: &mut Scanner<'_>, finish: &mut Vec<Finish>) -> Result<Layout, TextError> {
    s.enter()?;
    s.eat("T.");
    let found = if s.eat("TileLayout") {
        s.expect("(")?;
        let inner = layout(s, finish)?;
        s.expect(")")?;
        inner
    } else if s.eat("ComposeLayout") {
        s.expect("(")?;
        let at = s.at;
        let per_element = small(s)?;
        s.expect(",")?;
        let length = small(s)?;
        s.expect(",")?;
        let atom = small(s)?;
        s.expect(",")?;
        let inner = layout(s, finish)?;
        if s.eat(",") {
            s.expect("swizzle_inner")?;
            s.expect("=")?;
            let inner_swizzle = s.eat("True");
            if !inner_swizzle {
                s.expect("False")?;
                return Err(
                    s.unsupported("swizzle_inner=False is not modelled; write the bits the other way round")
                );
            }
        }
        s.expect(")")?;
        let swizzle = Finish::swizzle(length, per_element, i32::try_from(atom).unwrap_or(i32::MAX));
        finish.push(swizzle.map_err(Scanner::failed(at))?);
        inner
    } else {
        terms(s)?
    };
    s.leave();
    Ok(found)
}

/// `tmem_datapath_layout("B", rows, columns[, sub_slab])`, with the shape that it names.
fn datapath(s: &mut Scanner<'_>) -> Result<(Layout, Vec<u64>), TextError> {
    s.blanks();
    let at = s.at;
    s.expect("tmem_datapath_layout")?;
    s.expect("(")?;
    let quote = if s.eat("\"") { "\"" } else { "'" };
    if quote == "'" {
        s.expect("'")?;
    }
    let letter = s.word(false).unwrap_or("");
    s.expect(quote)?;
    s.expect(",")?;
    let rows = s.count()?;
    s.expect(",")?;
    let columns = s.count()?;
    let mut sub_slab = 0;
    if s.eat(",") {
        if s.eat("sub_slab") {
            s.expect("=")?;
        }
        sub_slab = s.count()?;
    }
    s.expect(")")?;
    let layout =
        crate::tmem::datapath_layout(letter, rows, columns, sub_slab).map_err(Scanner::failed(at))?;
    Ok((layout, vec![rows, columns]))
}

fn small(s: &mut Scanner<'_>) -> Result<u32, TextError> {
    let at = s.at;
    u32::try_from(s.count()?).map_err(|_| TextError {
        at,
        message: "a swizzle's numbers are below 41".into(),
        unsupported: false,
    })
}

fn terms(s: &mut Scanner<'_>) -> Result<Layout, TextError> {
    s.blanks();
    let start = s.at;
    s.expect("S")?;
    let shard = iters(s)?;
    let mut replica = Vec::new();
    let mut offset = Vec::new();
    while s.eat("+") {
        if s.eat("R") {
            replica.extend(iters(s)?);
        } else {
            let by = s.number()?;
            offset.push((axis(s)?, by));
        }
    }
    Layout::new(shard, replica, &offset).map_err(Scanner::failed(start))
}

/// `[extents]` or `[extents:strides]`, each side one number or a list in brackets.
fn iters(s: &mut Scanner<'_>) -> Result<Vec<Iter>, TextError> {
    s.expect("[")?;
    s.blanks();
    let start = s.at;
    let extents = if s.peek() == Some('(') {
        s.list("(", ")", Scanner::count)?
    } else {
        let mut extents = vec![s.count()?];
        while s.eat(",") {
            extents.push(s.count()?);
        }
        extents
    };
    let found = if s.eat(":") {
        let at = s.at;
        let stride = |s: &mut Scanner<'_>| {
            let stride = s.number()?;
            Ok((stride, axis(s)?))
        };
        let strides = if s.peek() == Some('(') {
            s.list("(", ")", stride)?
        } else {
            let mut strides = vec![stride(s)?];
            while s.eat(",") {
                strides.push(stride(s)?);
            }
            strides
        };
        if strides.len() != extents.len() {
            return Err(TextError {
                at,
                message: format!("{} extents have {} strides", extents.len(), strides.len()),
                unsupported: false,
            });
        }
        extents.into_iter().zip(strides).map(|(extent, (stride, axis))| iter(extent, stride, axis)).collect()
    } else {
        let layout = Layout::row_major(&extents).map_err(Scanner::failed(start))?;
        layout.shard().to_vec()
    };
    s.expect("]")?;
    Ok(found)
}

/// `@axis`, or nothing for `m`.
fn axis(s: &mut Scanner<'_>) -> Result<Axis, TextError> {
    if !s.eat("@") {
        return Ok(Axis::Memory);
    }
    s.blanks();
    let at = s.at;
    let Some(word) = s.word(false) else { return Err(s.wrong("expected the name of an axis")) };
    Axis::from_name(word).ok_or_else(|| TextError {
        at,
        message: format!("unknown axis {word}; known: {}", Axis::names()),
        unsupported: false,
    })
}

pub(super) fn print(view: &View) -> Result<String, LayoutError> {
    let layout = view.layout()?;
    let mut text = layout_text(&layout);
    for step in view.finish() {
        match step {
            Finish::Swizzle { bits, base, shift } if *shift >= 0 => {
                text = format!("ComposeLayout({base}, {bits}, {shift}, {text})");
            }
            Finish::Swizzle { .. } => return error("TIRx has no swizzle with a negative shift"),
            Finish::Pad(_) => return error("TIRx has no notation for padding"),
        }
    }
    Ok(text)
}

/// A layout without swizzle.
pub(super) fn layout_text(layout: &Layout) -> String {
    let mut text = format!("S{}", iters_text(layout.shard()));
    if !layout.replica().is_empty() {
        text.push_str(&format!(" + R{}", iters_text(layout.replica())));
    }
    for (&axis, &by) in layout.offset() {
        text.push_str(&format!(" + {}", stride_text(by, axis)));
    }
    text
}

fn iters_text(iters: &[Iter]) -> String {
    let extents: Vec<String> = iters.iter().map(|i| i.extent.to_string()).collect();
    let strides: Vec<String> = iters.iter().map(|i| stride_text(i.stride, i.axis)).collect();
    match iters {
        [_] => format!("[{}:{}]", extents.join(""), strides.join("")),
        _ => format!("[({}):({})]", extents.join(", "), strides.join(", ")),
    }
}

fn stride_text(stride: i64, axis: Axis) -> String {
    if axis == Axis::Memory { stride.to_string() } else { format!("{stride}@{axis}") }
}
