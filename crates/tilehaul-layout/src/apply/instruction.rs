//! Instructions that `apply` knows, read from their PTX names.

use std::fmt;

use super::{Refusal, refuse};
use crate::tmem::{CopyImage, CopyShape, Multicast, NativeImage, Packing, Shape};

/// Which way registers and tensor memory exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `tcgen05.ld`: registers, then tensor memory.
    Load,
    /// `tcgen05.st`: tensor memory, then registers.
    Store,
}

/// An instruction with a native image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `tcgen05.ld` or `.st`.
    Move {
        /// Which way.
        direction: Direction,
        /// Its image.
        image: NativeImage,
    },
    /// `tcgen05.cp`.
    Copy(CopyImage),
}

impl Instruction {
    /// Reads a name such as `tcgen05.ld.sync.aligned.32x32b.x64.b32`; qualifiers that do not change the image
    /// (`.sync`, `.aligned`, `.b32`, `.cta_group::1`) may be left out.
    ///
    /// # Errors
    /// When it is no such instruction, or one without a tile pattern.
    pub fn parse(name: &str) -> Result<Instruction, Refusal> {
        let name = name.trim();
        let Some(rest) = name.strip_prefix("tcgen05.") else {
            return refuse(
                "apply-instruction",
                format!("No explicit tile pattern for {name}: expected tcgen05.ld, tcgen05.st or tcgen05.cp"),
            );
        };
        let mut parts = rest.split('.');
        let kind = parts.next().unwrap_or("");
        let mut words: Vec<&str> = parts.collect();
        let direction = match kind {
            "ld" if words.contains(&"red") => {
                return refuse("apply-instruction", format!("No explicit tile pattern for {name}"));
            }
            "ld" => Direction::Load,
            "st" => Direction::Store,
            "cp" => return copy(name, &words),
            _ => return refuse("apply-instruction", format!("No explicit tile pattern for {name}")),
        };
        words.retain(|w| !matches!(*w, "sync" | "aligned" | "b32"));
        let packing = match direction {
            Direction::Load => "pack::16b",
            Direction::Store => "unpack::16b",
        };
        let packed = words.contains(&packing);
        words.retain(|w| *w != packing);
        let (shape, num) = match words.as_slice() {
            [shape, num] => (Shape::from_name(shape), num.strip_prefix('x').and_then(|n| n.parse().ok())),
            _ => (None, None),
        };
        let (Some(shape), Some(num)) = (shape, num) else {
            return refuse(
                "apply-instruction",
                format!(
                    "{name}: expected a shape and a number, such as tcgen05.{kind}.sync.aligned.32x32b.x8.b32"
                ),
            );
        };
        let packing = if packed { Packing::Half16 } else { Packing::Plain };
        match NativeImage::new(shape, num, packing) {
            Ok(image) => Ok(Instruction::Move { direction, image }),
            Err(_) if num > shape.spec().max_num && num <= 128 && num.is_power_of_two() => refuse(
                "apply-instruction",
                format!("shape {} caps .num where the vector would exceed 128 registers", shape.name()),
            ),
            Err(told) => refuse("apply-instruction", told.message),
        }
    }
}

fn copy(name: &str, words: &[&str]) -> Result<Instruction, Refusal> {
    let words: Vec<&str> = words.iter().copied().filter(|w| !w.starts_with("cta_group::")).collect();
    if let Some(format) =
        words.iter().find(|w| w.starts_with("b8x16") || w.starts_with('b') && w.contains("_p"))
    {
        return refuse(
            "apply-instruction",
            format!("No explicit tile pattern for {name}: {format} widens elements"),
        );
    }
    let (shape, multicast) = match words.as_slice() {
        [shape] => (CopyShape::from_name(shape), Some(Multicast::None)),
        [shape, multicast] => (CopyShape::from_name(shape), Multicast::from_name(&format!(".{multicast}"))),
        _ => (None, None),
    };
    let (Some(shape), Some(multicast)) = (shape, multicast) else {
        return refuse(
            "apply-instruction",
            format!(
                "{name}: expected a shape and its multicast, such as tcgen05.cp.cta_group::1.32x128b.warpx4"
            ),
        );
    };
    CopyImage::new(shape, multicast).map(Instruction::Copy).map_err(|told| Refusal {
        code: "apply-instruction",
        message: told.message,
        element: told.fix.map(|f| f.into_owned()),
    })
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Move { direction, image } => {
                let (kind, packing) = match direction {
                    Direction::Load => ("ld", ".pack::16b"),
                    Direction::Store => ("st", ".unpack::16b"),
                };
                let packing = if image.packing() == Packing::Half16 { packing } else { "" };
                write!(
                    f,
                    "tcgen05.{kind}.sync.aligned.{}.x{}{packing}.b32",
                    image.shape().name(),
                    image.num()
                )
            }
            Instruction::Copy(image) => {
                write!(f, "tcgen05.cp.cta_group::1.{}{}", image.shape().name(), image.multicast().name())
            }
        }
    }
}
