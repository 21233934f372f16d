//! Encodings of shared memory and tensor memory.

use super::super::TextError;
use super::build::Build;
use super::syntax::{Attribute, Value};
use super::{Found, identity};
use crate::axis::Axis;
use crate::finish::Finish;

const OFFSET: Axis = Axis::Memory;
/// Keys that split a tensor over the blocks of a cluster; only the unsplit case is modelled in memories.
const CLUSTER: [&str; 4] = ["CGALayout", "CTAsPerCGA", "CTASplitNum", "CTAOrder"];

/// Reads an encoding of a memory, or `None` when it is another kind.
pub(super) fn read(a: &Attribute, shape: Option<&[u64]>) -> Result<Option<Found>, TextError> {
    match a.kind.as_str() {
        "swizzled_shared" | "shared" => swizzled(a, shape).map(Some),
        "nvmma_shared" => nvmma(a, shape).map(Some),
        "padded_shared" => padded(a, shape).map(Some),
        "shared_linear" => shared_linear(a, shape).map(Some),
        "tensor_memory_encoding" => tensor_memory(a, shape).map(Some),
        _ => Ok(None),
    }
}

fn need<'a>(a: &Attribute, shape: Option<&'a [u64]>) -> Result<&'a [u64], TextError> {
    shape.ok_or_else(|| a.wrong("needs the shape of its tensor (such as 64,128)"))
}

fn one_block(a: &Attribute) -> Result<(), TextError> {
    let split = |key: &str| match a.get(key) {
        None => Ok(false),
        Some(Value::List(items)) if items.is_empty() => Ok(false),
        Some(_) if key == "CGALayout" => Ok(true),
        Some(_) => Ok(a.numbers(key)?.iter().any(|&n| n > 1)),
    };
    if split("CGALayout")? || split("CTAsPerCGA")? || split("CTASplitNum")? {
        return Err(a.unsupported("over several blocks"));
    }
    Ok(())
}

fn swizzled(a: &Attribute, shape: Option<&[u64]>) -> Result<Found, TextError> {
    a.only(&[&["vec", "perPhase", "maxPhase", "order"][..], &CLUSTER[..]].concat())?;
    one_block(a)?;
    let shape = need(a, shape)?;
    let order = a.order("order", shape.len())?;
    let (vec, per_phase, max_phase) = (a.size("vec")?, a.size("perPhase")?, a.size("maxPhase")?);
    if shape.len() < 2 || max_phase == 1 {
        let build = identity(shape, &order);
        return Ok(Found { build, shape: shape.to_vec(), finish: Vec::new(), copies: true });
    }
    let (column, row) = (order.first().copied().unwrap_or(0), order.get(1).copied().unwrap_or(0));
    let extent = |d: usize| shape.get(d).copied().unwrap_or(1);
    let mut build = Build::new(shape.len(), &order);
    build.identity(extent(column), OFFSET, column);
    for bit in 0..extent(row).ilog2() {
        let r = 1u64 << bit;
        let mut base = vec![0; shape.len()];
        if let Some(x) = base.get_mut(row) {
            *x = r;
        }
        if let Some(x) = base.get_mut(column) {
            *x = vec * (r / per_phase % max_phase) % extent(column);
        }
        build.base(OFFSET, base);
    }
    for &d in order.iter().skip(2) {
        build.identity(extent(d), OFFSET, d);
    }
    Ok(Found { build, shape: shape.to_vec(), finish: Vec::new(), copies: true })
}

fn nvmma(a: &Attribute, shape: Option<&[u64]>) -> Result<Found, TextError> {
    let known =
        [&["swizzlingByteWidth", "transposed", "elementBitWidth", "fp4Padded", "rank"][..], &CLUSTER[..]]
            .concat();
    a.only(&known)?;
    one_block(a)?;
    if a.flag("fp4Padded")? {
        return Err(a.unsupported("with fp4Padded"));
    }
    let shape = need(a, shape)?;
    let rank = shape.len();
    let transposed = a.flag("transposed")?;
    let bits = a.size("elementBitWidth")?;
    if !(4..=64).contains(&bits) || rank < 2 {
        return Err(a.wrong("needs an elementBitWidth of 4 to 64 and two dimensions"));
    }
    if transposed && rank > 2 {
        return Err(a.unsupported(format!("transposed in {rank} dimensions")));
    }
    let bytes = a.number("swizzlingByteWidth")?.unwrap_or(0);
    let (per_phase, max_phase): (u64, u64) = match bytes {
        0 => {
            let order: Vec<usize> = if transposed { vec![0, 1] } else { (0..rank).rev().collect() };
            let build = identity(shape, &order);
            return Ok(Found { build, shape: shape.to_vec(), finish: Vec::new(), copies: true });
        }
        32 => (4, 2),
        64 => (2, 4),
        128 => (1, 8),
        other => return Err(a.wrong(format!("swizzlingByteWidth = {other} must be 0, 32, 64 or 128"))),
    };
    // The minor dimension is cut into tiles of one swizzle span; each tile is eight rows, repeated down, then the next
    // tile. All dimensions but the minor one count as rows.
    let minor = if transposed { 0 } else { rank - 1 };
    let rows: Vec<usize> = if transposed { (1..rank).collect() } else { (0..rank - 1).rev().collect() };
    let span = 8 * u64::try_from(bytes).unwrap_or(0) / bits;
    let extent = |d: usize| shape.get(d).copied().unwrap_or(1);
    if extent(minor) < span {
        return Err(a.wrong(format!(
            "the minor dimension has {} elements, less than the {span} of one swizzle span",
            extent(minor)
        )));
    }
    let vec = 128 / bits;
    let mut build = Build::new(rank, &rows);
    build.identity(span, OFFSET, minor);
    let mut row_number = 1u64;
    for &d in &rows {
        for bit in 0..extent(d).ilog2() {
            let mut base = vec![0; rank];
            if let Some(x) = base.get_mut(d) {
                *x = 1 << bit;
            }
            if let Some(x) = base.get_mut(minor)
                && row_number < 8
            {
                *x = vec * (row_number / per_phase % max_phase);
            }
            build.base(OFFSET, base);
            row_number *= 2;
        }
    }
    build.identity(extent(minor) / span, OFFSET, minor);
    Ok(Found { build, shape: shape.to_vec(), finish: Vec::new(), copies: true })
}

fn padded(a: &Attribute, shape: Option<&[u64]>) -> Result<Found, TextError> {
    a.only(&["order", "shape", "offset", "block", "CGALayout"])?;
    let Some(Value::List(items)) = a.bare.first() else {
        return Err(a.wrong("needs its paddings, such as [512:+16]"));
    };
    let pairs: Option<Vec<(u64, u64)>> =
        items.iter().map(|v| if let Value::Pad(i, p) = v { Some((*i, *p)) } else { None }).collect();
    let pairs = pairs.ok_or_else(|| a.wrong("paddings are written interval:+amount"))?;
    if let Some((i, p)) = pairs.iter().find(|(i, p)| !i.is_power_of_two() || !p.is_power_of_two()) {
        return Err(a.wrong(format!("padding {i}:+{p} must be two powers of two")));
    }
    let finish = Finish::pad(pairs).map_err(|e| a.wrong(e.0))?;
    let mut found = if a.get("offset").is_some() {
        offsets(a, shape)?
    } else {
        let own = a.sizes("shape")?;
        let order = a.order("order", own.len())?;
        check_shape(a, shape, &own)?;
        Found { build: identity(&own, &order), shape: own, finish: Vec::new(), copies: true }
    };
    found.finish.push(finish);
    Ok(found)
}

fn shared_linear(a: &Attribute, shape: Option<&[u64]>) -> Result<Found, TextError> {
    a.only(&["offset", "block", "alignment"])?;
    offsets(a, shape)
}

/// `offset` and `block` as lists of bases.
fn offsets(a: &Attribute, shape: Option<&[u64]>) -> Result<Found, TextError> {
    let (offset, block) = (a.bases("offset")?, a.bases("block")?);
    let rank = offset.first().or(block.first()).map_or(0, Vec::len);
    if !(1..=16).contains(&rank) || offset.iter().chain(&block).any(|b| b.len() != rank) {
        return Err(a.wrong("all bases need the same number of coordinates, 1 to 16"));
    }
    if offset.len() + block.len() > 60 {
        return Err(a.wrong("more than 60 bases"));
    }
    let order: Vec<usize> = (0..rank).rev().collect();
    let mut build = Build::new(rank, &order);
    build.name(OFFSET);
    for base in offset {
        build.base(OFFSET, base);
    }
    for base in block {
        build.base(Axis::Cbx, base);
    }
    let own = build.shape();
    check_shape(a, shape, &own)?;
    Ok(Found { build, shape: own, finish: Vec::new(), copies: true })
}

fn check_shape(a: &Attribute, asked: Option<&[u64]>, own: &[u64]) -> Result<(), TextError> {
    match asked {
        Some(asked) if asked != own => {
            Err(a.wrong(format!("the encoding is for shape {own:?}, not for {asked:?}")))
        }
        _ => Ok(()),
    }
}

/// Tensor memory: rows of blocks of M by N, further blocks to the right, down first (inferred: triton
/// `tensorMemoryToLinearLayout`). A block of 64 rows uses sixteen lanes of each slab; the other sixteen hold the next
/// block or nothing.
fn tensor_memory(a: &Attribute, shape: Option<&[u64]>) -> Result<Found, TextError> {
    a.only(&["blockM", "blockN", "colStride", "CTASplitM", "CTASplitN", "twoCTAs", "CGALayout"])?;
    one_block(a)?;
    let split = |key| Ok(a.number(key)?.unwrap_or(1) > 1);
    if split("CTASplitM")? || split("CTASplitN")? || a.flag("twoCTAs")? {
        return Err(a.unsupported("over several blocks"));
    }
    let (m, n) = (a.size("blockM")?, a.size("blockN")?);
    let stride = if a.get("colStride").is_some() { a.size("colStride")? } else { 1 };
    let shape = shape.map_or_else(|| vec![m, n], <[u64]>::to_vec);
    let [rows, columns] = *shape.as_slice() else {
        return Err(a.wrong("describes two dimensions; give the shape of one buffer"));
    };
    if m != 64 && m != 128 {
        return Err(a.wrong(format!("blockM = {m} must be 64 or 128")));
    }
    let mut build = Build::new(2, &[0, 1]);
    build.repeat(stride, Axis::TCol);
    if m == 128 {
        build.identity(128, Axis::TLane, 0);
        build.identity(n, Axis::TCol, 1);
    } else {
        build.identity(16, Axis::TLane, 0);
        build.identity(n, Axis::TCol, 1);
        if rows > 64 {
            build.base(Axis::TLane, vec![64, 0]);
        } else if columns > n {
            build.base(Axis::TLane, vec![0, n]);
        } else {
            build.base(Axis::TLane, vec![0, 0]);
        }
        build.base(Axis::TLane, vec![16, 0]);
        build.base(Axis::TLane, vec![32, 0]);
    }
    build.repeat_to(&shape, Axis::TCol);
    build.fit(&shape).map_err(|e| a.wrong(e.0))?;
    Ok(Found { build, shape, finish: Vec::new(), copies: false })
}
