//! The argument segment: explicit arguments in order, hidden ones by name.

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_isa::gcn::{ArgumentKind, Kernel};

use super::Hidden;
use crate::{PRIVATE_BASE, SHARED_BASE};

/// An argument that a launch must give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamSpec {
    /// Its name; its place in the argument segment where the metadata gives none.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u32,
    /// Whether it is the address of a buffer.
    pub pointer: bool,
}

/// The explicit arguments of a kernel, in order; `None` when the file does not say which it has.
#[must_use]
pub fn params(kernel: &Kernel) -> Option<Vec<ParamSpec>> {
    // Metadata without arguments is as good as none while the kernel asks for bytes of them.
    if kernel.arguments.is_empty() && kernel.kernarg_size > 0 {
        return None;
    }
    let explicit = kernel.arguments.iter().filter(|a| !matches!(a.kind, ArgumentKind::Hidden(_)));
    Some(
        explicit
            .map(|a| ParamSpec {
                name: a.name.clone().unwrap_or_else(|| format!("at offset {}", a.offset)),
                bytes: a.size,
                pointer: a.kind == ArgumentKind::GlobalBuffer,
            })
            .collect(),
    )
}

/// The argument segment of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelArguments {
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Lays out the argument segment: `explicit` holds the bytes of each explicit argument in order.
///
/// Hidden arguments that `hidden` does not name get what the launch implies: block counts, group sizes, remainders.
///
/// # Errors
/// When the number or a size of the explicit arguments does not fit the kernel.
pub fn kernel_arguments(
    kernel: &Kernel,
    explicit: &[Vec<u8>],
    hidden: &Hidden,
    grid: [u32; 3],
    block: [u32; 3],
) -> Result<KernelArguments, Box<Diagnostic>> {
    let bad = |text: String| Err(Box::new(Diagnostic::new(Code("launch-arguments"), Level::Error, text)));
    let mut bytes = vec![0u8; (kernel.kernarg_size as usize).min(1 << 20)];
    let mut given = explicit.iter();
    let wanted = kernel.arguments.iter().filter(|a| !matches!(a.kind, ArgumentKind::Hidden(_))).count();
    if wanted != explicit.len() && !kernel.arguments.is_empty() {
        return bad(format!(
            "kernel {} has {wanted} explicit arguments and the launch gives {}",
            kernel.name,
            explicit.len()
        ));
    }
    check_hidden(kernel, hidden)?;
    if kernel.arguments.is_empty() {
        // Without metadata the arguments stand one after the other at their natural alignment.
        let mut at = 0usize;
        let mut bytes = Vec::new();
        for value in explicit {
            at = at.next_multiple_of(value.len().clamp(1, 8).next_power_of_two());
            bytes.resize(at, 0);
            bytes.extend_from_slice(value);
            at += value.len();
        }
        let size = kernel.kernarg_size as usize;
        if size > 0 && at > size {
            return bad(format!(
                "the arguments take {at} bytes and kernel {} has {size} (.amdhsa_kernarg_size)",
                kernel.name
            ));
        }
        bytes.resize(at.max(size.min(1 << 20)), 0);
        return Ok(KernelArguments { bytes });
    }
    for argument in &kernel.arguments {
        let (start, size) = (argument.offset as usize, argument.size as usize);
        let Some(slot) = start.checked_add(size).and_then(|end| bytes.get_mut(start..end)) else {
            return bad(format!(
                "argument at offset {start} of kernel {} leaves its {} bytes of arguments",
                kernel.name, kernel.kernarg_size
            ));
        };
        match &argument.kind {
            ArgumentKind::Hidden(name) => {
                let value = hidden.get(name).copied().unwrap_or_else(|| implied(name, grid, block));
                for (b, v) in slot.iter_mut().zip(value.to_le_bytes()) {
                    *b = v;
                }
            }
            _ => {
                let value = given.next().map_or(&[][..], Vec::as_slice);
                if value.len() != size {
                    let name = argument.name.clone().unwrap_or_else(|| format!("at offset {start}"));
                    return bad(format!(
                        "argument {name} of kernel {} has {size} bytes and the launch gives {}",
                        kernel.name,
                        value.len()
                    ));
                }
                slot[..value.len()].copy_from_slice(value);
            }
        }
    }
    Ok(KernelArguments { bytes })
}

/// Hidden values must belong to hidden arguments that the kernel has.
fn check_hidden(kernel: &Kernel, hidden: &Hidden) -> Result<(), Box<Diagnostic>> {
    let names: Vec<&str> = kernel
        .arguments
        .iter()
        .filter_map(|a| match &a.kind {
            ArgumentKind::Hidden(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let Some(name) = hidden.keys().find(|name| !names.contains(&name.as_str())) else { return Ok(()) };
    let list = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let text = format!("[hidden] names {name}; the hidden arguments of kernel {} are: {list}", kernel.name);
    let told = Diagnostic::new(Code("launch-hidden"), Level::Error, text);
    Err(Box::new(match name.strip_prefix("hidden_").filter(|bare| names.contains(bare)) {
        Some(bare) => told.fix(format!("Write {bare}, without the prefix.")),
        None => told,
    }))
}

fn implied(name: &str, grid: [u32; 3], block: [u32; 3]) -> u64 {
    let axis =
        |prefix: &str| name.strip_prefix(prefix).and_then(|a| ["x", "y", "z"].iter().position(|n| *n == a));
    if let Some(d) = axis("block_count_") {
        return u64::from(grid[d]);
    }
    if let Some(d) = axis("group_size_") {
        return u64::from(block[d]);
    }
    match name {
        "grid_dims" => 1 + u64::from(grid[1] > 1 || block[1] > 1) + u64::from(grid[2] > 1 || block[2] > 1),
        "shared_base" => SHARED_BASE >> 32,
        "private_base" => PRIVATE_BASE >> 32,
        _ => 0,
    }
}
