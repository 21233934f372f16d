//! Encodings that spread a tensor over registers, lanes, warps and blocks.

use super::super::TextError;
use super::build::Build;
use super::syntax::{Attribute, Value, bases};
use crate::axis::Axis;

const REGISTER: Axis = Axis::Memory;
const LANE: Axis = Axis::LaneId;
const WARP: Axis = Axis::WarpId;
const BLOCK: Axis = Axis::Cbx;

/// Keys that say how blocks of a cluster share a tensor, in the newer and the older spelling.
const CLUSTER: [&str; 4] = ["CGALayout", "CTAsPerCGA", "CTASplitNum", "CTAOrder"];

/// Reads a distributed encoding; `shape` only matters where the encoding's factors depend on it.
pub(super) fn read(a: &Attribute, shape: Option<&[u64]>) -> Result<Build, TextError> {
    match a.kind.as_str() {
        "linear" => linear(a),
        "blocked" => blocked(a, shape),
        "nvidia_mma" => nvidia_mma(a, shape),
        "dot_op" => dot_op(a, shape),
        "slice" => slice(a, shape),
        "amd_mfma" => mfma(a, shape),
        "amd_wmma" => wmma(a, shape),
        other => Err(a.unsupported(format!("(a layout named {other})"))),
    }
}

fn linear(a: &Attribute) -> Result<Build, TextError> {
    a.only(&["register", "lane", "warp", "block"])?;
    let mut rank = None;
    let mut all = Vec::new();
    for (key, axis) in [("register", REGISTER), ("lane", LANE), ("warp", WARP), ("block", BLOCK)] {
        for base in a.bases(key)? {
            if *rank.get_or_insert(base.len()) != base.len() || base.is_empty() || base.len() > 16 {
                return Err(a.wrong("all bases need the same number of coordinates, 1 to 16"));
            }
            all.push((axis, base));
        }
    }
    let Some(rank) = rank else { return Err(a.wrong("at least one base must stand somewhere")) };
    if all.len() > 64 {
        return Err(a.wrong("more than 64 bases"));
    }
    let order: Vec<usize> = (0..rank).rev().collect();
    let mut build = Build::new(rank, &order);
    for axis in [REGISTER, LANE, WARP, BLOCK] {
        build.name(axis);
    }
    for (axis, base) in all {
        build.base(axis, base);
    }
    Ok(build)
}

fn blocked(a: &Attribute, shape: Option<&[u64]>) -> Result<Build, TextError> {
    let known = [&["sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"][..], &CLUSTER[..]].concat();
    a.only(&known)?;
    let size = a.sizes("sizePerThread")?;
    let rank = check_rank(a, size.len())?;
    let order = a.order("order", rank)?;
    let mut build = Build::new(rank, &order);
    for (key, axis) in [("sizePerThread", REGISTER), ("threadsPerWarp", LANE), ("warpsPerCTA", WARP)] {
        let extents = a.sizes(key)?;
        if extents.len() != rank {
            return Err(a.wrong(format!("{key} has {} numbers for {rank} dimensions", extents.len())));
        }
        build.name(axis);
        for &d in &order {
            build.identity(extents.get(d).copied().unwrap_or(1), axis, d);
        }
    }
    cluster(a, build, shape)
}

/// Spreads the layout over the blocks of a cluster.
fn cluster(a: &Attribute, mut build: Build, shape: Option<&[u64]>) -> Result<Build, TextError> {
    let rank = build.rank();
    let mut rows: Vec<Vec<u64>> = Vec::new();
    if let Some(value) = a.get("CGALayout") {
        rows = match value {
            Value::List(items) if items.is_empty() => Vec::new(),
            value => bases(value).ok_or_else(|| a.wrong("CGALayout must be a list of coordinates"))?,
        };
    } else if a.get("CTAsPerCGA").is_some() {
        let ctas = a.sizes("CTAsPerCGA")?;
        let split = a.sizes("CTASplitNum")?;
        let order = a.order("CTAOrder", rank)?;
        if ctas.len() != rank || split.len() != rank {
            return Err(a.wrong(format!("CTAsPerCGA and CTASplitNum need {rank} numbers")));
        }
        for &d in &order {
            let (n, s) = (ctas.get(d).copied().unwrap_or(1), split.get(d).copied().unwrap_or(1));
            for bit in 0..n.ilog2() {
                let mut row = vec![0; rank];
                if let Some(x) = row.get_mut(d)
                    && bit < s.ilog2()
                {
                    *x = 1 << bit;
                }
                rows.push(row);
            }
        }
    }
    build.name(BLOCK);
    if rows.iter().any(|r| r.len() != rank) || rows.len() > 16 {
        return Err(a.wrong(format!("CGALayout needs {rank} coordinates in each of at most 16 bases")));
    }
    // A block's part of the tensor is the shape over the blocks along each dimension.
    let blocks: Vec<u64> = (0..rank)
        .map(|d| rows.iter().filter_map(|r| r.get(d)).fold(0u64, |a, b| a | b).saturating_add(1))
        .collect();
    if blocks.iter().any(|b| !b.is_power_of_two()) {
        return Err(a.wrong("CGALayout must split every dimension into a power of two"));
    }
    let part: Vec<u64> = match shape {
        Some(shape) if shape.len() == rank => {
            shape.iter().zip(&blocks).map(|(e, b)| (e / b).max(1)).collect()
        }
        Some(shape) => {
            return Err(a.wrong(format!("the encoding has {rank} dimensions and the shape {}", shape.len())));
        }
        None => build.shape(),
    };
    build.fit(&part).map_err(|e| a.wrong(e.0))?;
    for row in rows {
        build.base(BLOCK, row.iter().zip(&part).map(|(x, p)| x.saturating_mul(*p)).collect());
    }
    Ok(build)
}

fn nvidia_mma(a: &Attribute, shape: Option<&[u64]>) -> Result<Build, TextError> {
    let known = [&["versionMajor", "versionMinor", "warpsPerCTA", "instrShape"][..], &CLUSTER[..]].concat();
    a.only(&known)?;
    let version = a.number("versionMajor")?.unwrap_or(0);
    let warps = a.sizes("warpsPerCTA")?;
    let instruction = a.sizes_any("instrShape")?;
    let rank = check_matrix(a, warps.len())?;
    let hopper = match (version, instruction.len()) {
        (2, n) if n == rank => false,
        (3, 2 | 3) if rank == 2 => true,
        _ => return Err(a.unsupported(format!("version {version} with instrShape of {}", instruction.len()))),
    };
    let (m, n) = if hopper {
        (instruction.first().copied().unwrap_or(16), instruction.get(1).copied().unwrap_or(8))
    } else {
        (instruction.get(rank - 2).copied().unwrap_or(16), instruction.get(rank - 1).copied().unwrap_or(8))
    };
    let row_major: Vec<usize> = (0..rank).rev().collect();
    let mut build = Build::new(rank, &row_major);
    fragment(a, &mut build, (m, n), 2, (rank - 2, rank - 1))?;
    warp_grid(&mut build, &warps, hopper, None);
    cluster(a, build, shape)
}

/// The 8-row fragment of `mma.sync`: `k_width` registers and four lanes along `inner`, eight lanes along `outer`, then
/// registers down `outer` and along `inner`.
fn fragment(
    a: &Attribute,
    build: &mut Build,
    (outer_extent, inner_extent): (u64, u64),
    k_width: u64,
    (outer, inner): (usize, usize),
) -> Result<(), TextError> {
    let span = 4 * k_width;
    if !outer_extent.is_multiple_of(8) || !inner_extent.is_multiple_of(span) {
        return Err(
            a.wrong(format!("a tile of {outer_extent} by {inner_extent} is no whole number of 8 by {span}"))
        );
    }
    if !outer_extent.is_power_of_two() || !inner_extent.is_power_of_two() {
        return Err(
            a.unsupported(format!("with a tile of {outer_extent} by {inner_extent}, no power of two,"))
        );
    }
    build.identity(k_width, REGISTER, inner);
    build.identity(4, LANE, inner);
    build.identity(8, LANE, outer);
    build.identity(outer_extent / 8, REGISTER, outer);
    build.identity(inner_extent / span, REGISTER, inner);
    Ok(())
}

/// Warps over the matrix: row-major, on Hopper column-major; along `shared` all warps hold the same elements.
fn warp_grid(build: &mut Build, warps: &[u64], hopper: bool, shared: Option<usize>) {
    build.name(WARP);
    let rank = warps.len();
    let mut order: Vec<usize> = (0..rank).rev().collect();
    if hopper {
        order.swap(0, 1);
    }
    for d in order {
        let n = warps.get(d).copied().unwrap_or(1);
        if shared == Some(d) { build.repeat(n, WARP) } else { build.identity(n, WARP, d) }
    }
}

fn dot_op(a: &Attribute, shape: Option<&[u64]>) -> Result<Build, TextError> {
    a.only(&["opIdx", "parent", "kWidth"])?;
    let parent = a.attribute("parent")?;
    let operand = a.number("opIdx")?.unwrap_or(0);
    if !(0..=1).contains(&operand) {
        return Err(a.wrong(format!("opIdx = {operand} must be 0 or 1")));
    }
    let first = operand == 0;
    match parent.kind.as_str() {
        "nvidia_mma" => {
            let k_width = a.size("kWidth")?;
            let warps = parent.sizes("warpsPerCTA")?;
            let rank = check_matrix(parent, warps.len())?;
            let hopper = parent.number("versionMajor")? == Some(3);
            if hopper && !first {
                return Err(a.wrong("the second operand of a Hopper product comes from shared memory"));
            }
            let (row, column) = (rank - 2, rank - 1);
            let mut order: Vec<usize> = (0..rank).rev().collect();
            if !first {
                order.swap(0, 1);
            }
            let mut build = Build::new(rank, &order);
            // Along K each lane holds kWidth neighbours, twice; the other dimension is 16 rows or 8 columns.
            if first {
                fragment(a, &mut build, (16, 8 * k_width), k_width, (row, column))?;
            } else {
                fragment(a, &mut build, (8, 8 * k_width), k_width, (column, row))?;
            }
            warp_grid(&mut build, &warps, hopper, Some(if first { column } else { row }));
            cluster(parent, build, shape)
        }
        "blocked" => Err(a.unsupported("of a blocked parent")),
        other => Err(a.unsupported(format!("of {other}"))),
    }
}

fn slice(a: &Attribute, shape: Option<&[u64]>) -> Result<Build, TextError> {
    a.only(&["dim", "parent"])?;
    let parent = a.attribute("parent")?;
    let dim = usize::try_from(a.number("dim")?.unwrap_or(0)).unwrap_or(usize::MAX);
    // The parent's tensor has extent 1 where the slice has no dimension.
    let whole = shape.map(|s| {
        let mut whole = s.to_vec();
        whole.insert(dim.min(s.len()), 1);
        whole
    });
    let mut build = read(parent, whole.as_deref())?;
    if dim >= build.rank() {
        return Err(a.wrong(format!("dim = {dim} is none of the parent's {} dimensions", build.rank())));
    }
    if build.rank() < 2 {
        return Err(a.wrong("a slice of one dimension has none left"));
    }
    build.drop_dimension(dim);
    // Registers that differed along the lost dimension only are one register; lanes and warps keep their copies.
    build.drop_copies(REGISTER);
    Ok(build)
}

fn mfma(a: &Attribute, shape: Option<&[u64]>) -> Result<Build, TextError> {
    let known = [
        &["version", "warpsPerCTA", "instrShape", "isTransposed", "tilesPerWarp", "elementBitWidth"][..],
        &CLUSTER[..],
    ]
    .concat();
    a.only(&known)?;
    if a.get("tilesPerWarp").is_some() && a.numbers("tilesPerWarp")?.iter().any(|&n| n != 1) {
        return Err(a.unsupported("with tilesPerWarp"));
    }
    let warps = a.sizes("warpsPerCTA")?;
    let rank = check_matrix(a, warps.len())?;
    let instruction = a.sizes_any("instrShape")?;
    let (row, column) = (rank - 2, rank - 1);
    // Lanes run along one dimension of the product, registers in fours along the other.
    let (lanes, registers) = if a.flag("isTransposed")? { (row, column) } else { (column, row) };
    let row_major: Vec<usize> = (0..rank).rev().collect();
    let mut build = Build::new(rank, &row_major);
    match instruction.first().zip(instruction.get(1)) {
        Some((32, 32)) => {
            build.identity(4, REGISTER, registers);
            build.identity(32, LANE, lanes);
            build.identity(2, LANE, registers);
            build.identity(4, REGISTER, registers);
        }
        Some((16, 16)) => {
            build.identity(4, REGISTER, registers);
            build.identity(16, LANE, lanes);
            build.identity(4, LANE, registers);
        }
        _ => return Err(a.unsupported(format!("with instrShape {instruction:?}"))),
    }
    warp_grid(&mut build, &warps, false, None);
    cluster(a, build, shape)
}

/// Sixteen lanes run along one dimension of a 16 by 16 product. Version 1 interleaves the two halves of the wave along the
/// other one; versions 2 and 3 give each half eight neighbours.
fn wmma(a: &Attribute, shape: Option<&[u64]>) -> Result<Build, TextError> {
    let known = [
        &["version", "isTranspose", "isTransposed", "ctaLayout", "warpsPerCTA", "instrShape"][..],
        &CLUSTER[..],
    ]
    .concat();
    a.only(&known)?;
    let version = a.number("version")?.unwrap_or(0);
    if !(1..=3).contains(&version) {
        return Err(a.unsupported(format!("version {version}")));
    }
    if a.get("instrShape").is_some() && !a.sizes_any("instrShape")?.starts_with(&[16, 16]) {
        return Err(a.unsupported("with an instrShape other than 16 by 16"));
    }
    let bases_of = |key: &str| -> Result<Vec<Vec<u64>>, TextError> {
        let Some(Value::Dictionary(entries)) = a.get("ctaLayout") else { return Ok(Vec::new()) };
        if let Some((other, _)) = entries.iter().find(|(k, _)| k != "register" && k != "warp") {
            return Err(a.unsupported(format!("with {other} in ctaLayout")));
        }
        match entries.iter().find(|(k, _)| k == key) {
            None => Ok(Vec::new()),
            Some((_, value)) => {
                bases(value).ok_or_else(|| a.wrong("ctaLayout must hold lists of coordinates"))
            }
        }
    };
    let (registers, warps) = (bases_of("register")?, bases_of("warp")?);
    let rank = match warps.first().or(registers.first()) {
        Some(base) => base.len(),
        None if a.get("warpsPerCTA").is_some() => a.sizes("warpsPerCTA")?.len(),
        None => 2,
    };
    let rank = check_matrix(a, rank)?;
    if registers.iter().chain(&warps).any(|b| b.len() != rank || b.iter().any(|&x| x >= 1 << 20)) {
        return Err(a.wrong(format!("ctaLayout needs {rank} small coordinates in each base")));
    }
    if registers.len() + warps.len() > 24 {
        return Err(a.wrong("ctaLayout has more than 24 bases"));
    }
    let transposed = a.flag("isTranspose")? || a.flag("isTransposed")?;
    let (row, column) = (rank - 2, rank - 1);
    let (lanes, other) = if transposed { (row, column) } else { (column, row) };
    let row_major: Vec<usize> = (0..rank).rev().collect();
    let mut build = Build::new(rank, &row_major);
    if version == 1 {
        build.identity(16, LANE, lanes);
        build.identity(2, LANE, other);
        build.identity(8, REGISTER, other);
    } else {
        build.identity(8, REGISTER, other);
        build.identity(16, LANE, lanes);
        build.identity(2, LANE, other);
    }
    // Bases of the block count whole products.
    let scaled = |base: &[u64]| -> Vec<u64> {
        base.iter().enumerate().map(|(d, &x)| if d >= row { 16 * x } else { x }).collect()
    };
    for (axis, list) in [(REGISTER, &registers), (WARP, &warps)] {
        build.name(axis);
        for base in list {
            build.base(axis, scaled(base));
        }
    }
    if a.get("warpsPerCTA").is_some() {
        warp_grid(&mut build, &a.sizes("warpsPerCTA")?, false, None);
    }
    cluster(a, build, shape)
}

fn check_rank(a: &Attribute, rank: usize) -> Result<usize, TextError> {
    if (1..=16).contains(&rank) { Ok(rank) } else { Err(a.wrong("needs 1 to 16 dimensions")) }
}

fn check_matrix(a: &Attribute, rank: usize) -> Result<usize, TextError> {
    if (2..=16).contains(&rank) { Ok(rank) } else { Err(a.wrong("needs at least two dimensions")) }
}

impl Attribute {
    /// A list of positive numbers, powers of two or not.
    fn sizes_any(&self, key: &str) -> Result<Vec<u64>, TextError> {
        self.numbers(key)?
            .into_iter()
            .map(|n| {
                u64::try_from(n)
                    .ok()
                    .filter(|n| (1..=1 << 16).contains(n))
                    .ok_or_else(|| self.wrong(format!("{key} holds {n}, which is not between 1 and 65536")))
            })
            .collect()
    }
}
