//! CuTe: `((8,8),8):((1,8),64)` and `Swizzle<3,3,3> o 0 o (8,64):(64,1)`.
//!
//! Within a mode the first leaf is the fastest; the top-level modes are the dimensions of the view. A shape without
//! strides is column-major. Static numbers may carry CuTe's underscore (`_8`). A stride `k@n` is `k` times basis vector
//! `n`, which becomes dimension n.

use super::TextError;
use super::scan::Scanner;
use crate::axis::Axis;
use crate::finish::Finish;
use crate::strided::{Iter, Layout, LayoutError, error, iter, shape_text};
use crate::view::{MAX_RANK, View};

/// A nested tuple.
#[derive(Clone, Debug, PartialEq)]
enum Tree<T> {
    Leaf(T),
    Node(Vec<Tree<T>>),
}

pub(super) fn parse(text: &str, shape: Option<&[u64]>) -> Result<View, TextError> {
    let mut s = Scanner::new(text)?;
    s.blanks();
    // What CuTe prints of a tensor begins with its pointer: `smem_ptr[16b](0x400) o Sw<3,4,3> o ..`.
    let element_bits = pointer(&mut s)?;
    let (finish, offset) = match swizzle(&mut s, element_bits)? {
        Some((finish, offset)) => (vec![finish], offset),
        None => (Vec::new(), 0),
    };
    s.blanks();
    let start = s.at;
    let extents = tree(&mut s, &mut extent)?;
    let strides = if s.eat(":") { tree(&mut s, &mut stride)? } else { column_major(&extents, &mut 1i64) };
    s.end()?;
    let Some(modes) = modes(&extents, &strides) else {
        return Err(TextError {
            at: start,
            message: "shape and stride are not nested alike".into(),
            unsupported: false,
        });
    };
    let extent_of = |mode: &Vec<Iter>| mode.iter().map(|i| i.extent).fold(1u64, u64::saturating_mul);
    let mut own_shape: Vec<u64> = modes.iter().map(extent_of).collect();
    let shard = modes.into_iter().flat_map(|mode| mode.into_iter().rev()).collect();
    let offsets: &[(Axis, i64)] = if offset == 0 { &[] } else { &[(Axis::Memory, offset)] };
    let layout = Layout::new(shard, Vec::new(), offsets).map_err(Scanner::failed(start))?;
    if own_shape.len() > MAX_RANK {
        own_shape = vec![layout.size()];
    }
    if let Some(shape) = shape
        && shape != own_shape
        && shape.iter().try_fold(1u64, |a, &b| a.checked_mul(b)) == Some(layout.size())
    {
        return Err(TextError {
            at: start,
            message: format!(
                "the layout has the shape {} of its modes, not {}",
                shape_text(&own_shape),
                shape_text(shape)
            ),
            unsupported: false,
        });
    }
    let shape = shape.unwrap_or(&own_shape);
    View::strided(layout, shape, finish).map_err(Scanner::failed(start))
}

/// `Swizzle<B,M,S> o` with the offset that may stand behind it; nothing where no swizzle stands.
fn swizzle(s: &mut Scanner<'_>, element_bits: Option<u64>) -> Result<Option<(Finish, i64)>, TextError> {
    if !s.eat("Swizzle") && !s.eat("Sw") {
        return Ok(None);
    }
    s.expect("<")?;
    let at = s.at;
    let bits = s.count()?;
    s.expect(",")?;
    let base = s.count()?;
    s.expect(",")?;
    let shift = s.number()?;
    s.expect(">")?;
    composed(s)?;
    // Behind a pointer the swizzle permutes byte addresses; a layout counts elements.
    let base = match pointer(s)?.or(element_bits) {
        Some(bits) => elements(base, bits).ok_or_else(|| {
            s.unsupported(format!(
                "a swizzle of {base} address bits moves parts of {bits}-bit elements, which is not modelled"
            ))
        })?,
        None => base,
    };
    // Numbers that do not fit are far above the limit that `swizzle` names.
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX).min(99);
    let shift = i32::try_from(shift).unwrap_or(i32::MAX).clamp(-99, 99);
    let finish = Finish::swizzle(small(bits), small(base), shift).map_err(Scanner::failed(at))?;
    // An offset stands between the swizzle and the layout.
    let before = s.at;
    if s.peek() != Some('(') {
        let offset = static_number(s)?;
        if composed(s).is_ok() {
            return Ok(Some((finish, offset)));
        }
        s.at = before;
    }
    Ok(Some((finish, 0)))
}

fn extent(s: &mut Scanner<'_>) -> Result<u64, TextError> {
    let at = s.at;
    let n = static_number(s)?;
    u64::try_from(n).ok().filter(|&n| n > 0).ok_or_else(|| TextError {
        at,
        message: format!("extent {n} must be at least 1"),
        unsupported: false,
    })
}

/// A number of elements, or `k@n`: that many of basis vector `n`.
fn stride(s: &mut Scanner<'_>) -> Result<(i64, Axis), TextError> {
    let stride = static_number(s)?;
    if !s.eat("@") {
        return Ok((stride, Axis::Memory));
    }
    let at = s.at;
    let n = s.count()?;
    if s.eat("@") {
        return Err(s.unsupported("a basis vector of a nested mode (1@0@1) is not modelled"));
    }
    let dim = u8::try_from(n).map_err(|_| TextError {
        at,
        message: format!("basis vector {n} is above 255"),
        unsupported: false,
    })?;
    Ok((stride, Axis::Dim(dim)))
}

/// The iterations of each top-level mode, the fastest first; `None` when the two are not nested alike.
fn modes(extents: &Tree<u64>, strides: &Tree<(i64, Axis)>) -> Option<Vec<Vec<Iter>>> {
    let (extents, strides) = match (extents, strides) {
        (Tree::Node(extents), Tree::Node(strides)) => (extents.as_slice(), strides.as_slice()),
        (Tree::Node(extents), leaf) => (extents.as_slice(), std::slice::from_ref(leaf)),
        (leaf, strides) => (std::slice::from_ref(leaf), std::slice::from_ref(strides)),
    };
    if extents.len() != strides.len() {
        return None;
    }
    let mode = |(extents, strides)| {
        let mut leaves = Vec::new();
        zip(extents, strides, &mut leaves).then_some(leaves)
    };
    extents.iter().zip(strides).map(mode).collect()
}

/// The `o` between parts of a composition.
fn composed(s: &mut Scanner<'_>) -> Result<(), TextError> {
    if s.eat("o") || s.eat("∘") { Ok(()) } else { Err(s.wrong("expected o")) }
}

/// `smem_ptr[16b](unset) o`, `gmem_ptr[8b](0x7f00) o`: the bits of an element, which is all that a layout needs of it.
fn pointer(s: &mut Scanner<'_>) -> Result<Option<u64>, TextError> {
    let names = ["smem_ptr", "gmem_ptr", "rmem_ptr", "tmem_ptr", "ptr"];
    if !names.iter().any(|name| s.eat(name)) {
        return Ok(None);
    }
    s.expect("[")?;
    let bits = s.count()?;
    if !matches!(bits, 1..=128) {
        return Err(s.wrong(format!("elements of {bits} bits; 1 to 128 there can be")));
    }
    s.expect("b")?;
    s.expect("]")?;
    s.expect("(")?;
    let inside = s.rest().find(')').ok_or_else(|| s.wrong("expected )"))?;
    s.at += inside + 1;
    composed(s)?;
    Ok(Some(bits))
}

/// Lowest bit of an element index that a swizzle of byte addresses leaves alone.
fn elements(base: u64, bits: u64) -> Option<u64> {
    match bits {
        _ if bits >= 8 => base.checked_sub(u64::from((bits / 8).ilog2())).filter(|_| bits.is_power_of_two()),
        _ => bits.is_power_of_two().then(|| base + u64::from((8 / bits).ilog2())),
    }
}

fn static_number(s: &mut Scanner<'_>) -> Result<i64, TextError> {
    s.eat("_");
    let number = s.number()?;
    s.eat("{}");
    Ok(number)
}

fn tree<T>(
    s: &mut Scanner<'_>,
    leaf: &mut dyn FnMut(&mut Scanner<'_>) -> Result<T, TextError>,
) -> Result<Tree<T>, TextError> {
    if s.peek() == Some('(') {
        let at = s.at;
        let nodes = s.list("(", ")", |s| tree(s, leaf))?;
        if nodes.is_empty() {
            return Err(TextError { at, message: "an empty mode has no layout".into(), unsupported: false });
        }
        return Ok(Tree::Node(nodes));
    }
    Ok(Tree::Leaf(leaf(s)?))
}

fn column_major(extents: &Tree<u64>, next: &mut i64) -> Tree<(i64, Axis)> {
    match extents {
        Tree::Leaf(extent) => {
            let stride = *next;
            *next = next.saturating_mul(i64::try_from(*extent).unwrap_or(i64::MAX));
            Tree::Leaf((stride, Axis::Memory))
        }
        Tree::Node(nodes) => Tree::Node(nodes.iter().map(|n| column_major(n, next)).collect()),
    }
}

/// Leaves of both trees, fastest first; `false` when they are not nested alike.
fn zip(extents: &Tree<u64>, strides: &Tree<(i64, Axis)>, out: &mut Vec<Iter>) -> bool {
    match (extents, strides) {
        (Tree::Leaf(extent), Tree::Leaf((stride, axis))) => {
            out.push(iter(*extent, *stride, *axis));
            true
        }
        (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| zip(a, b, out)),
        _ => false,
    }
}

pub(super) fn print(view: &View) -> Result<String, LayoutError> {
    let layout = view.layout()?;
    if !layout.replica().is_empty() {
        return error("CuTe writes copies as strides of 0 of further modes, which a replica is not");
    }
    let dims = layout.axes().iter().all(|a| matches!(a, Axis::Dim(_)));
    let memory = layout.axes().iter().all(|&a| a == Axis::Memory);
    if !memory && !dims {
        let axis = layout.axes().into_iter().find(|&a| a != Axis::Memory);
        return error(format!(
            "CuTe layouts have one linear position; this one also uses {}",
            axis.map_or_else(String::new, |a| a.to_string())
        ));
    }
    let groups = layout.group(view.shape())?;
    let mode = |group: &Vec<Iter>, text: &dyn Fn(&Iter) -> String, unit: &str| match group.as_slice() {
        [] => unit.to_string(),
        [one] => text(one),
        many => {
            let parts: Vec<String> = many.iter().rev().map(text).collect();
            format!("({})", parts.join(","))
        }
    };
    let extents: Vec<String> = groups.iter().map(|g| mode(g, &|i| i.extent.to_string(), "1")).collect();
    let stride = |i: &Iter| match i.axis {
        Axis::Dim(n) => format!("{}@{n}", i.stride),
        _ => i.stride.to_string(),
    };
    let strides: Vec<String> = groups.iter().map(|g| mode(g, &stride, "0")).collect();
    let offset = layout.offset().get(&Axis::Memory).copied().unwrap_or(0);
    let mut text = match (extents.as_slice(), strides.as_slice()) {
        ([e], [d]) if !e.starts_with('(') => format!("{e}:{d}"),
        _ => format!("({}):({})", extents.join(","), strides.join(",")),
    };
    match view.finish() {
        [] if offset == 0 && layout.offset().is_empty() => {}
        [Finish::Swizzle { bits, base, shift }] => {
            text = format!("Swizzle<{bits},{base},{shift}> o {offset} o {text}");
        }
        [] => return error("CuTe writes an offset only behind a swizzle"),
        _ => return error("CuTe composes one swizzle and no padding"),
    }
    Ok(text)
}
