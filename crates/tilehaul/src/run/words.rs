//! Last words on a run's findings: what the kernel calls a place, and sources of the kernel's own side.
//!
//! The machine and the checker know offsets only. What a program calls them is added here, where the program is at hand.

use tilehaul_diag::{Diagnostic, Source};
use tilehaul_ptx::PtxProgram;

use super::{Found, Kernel};

/// Names places and keeps the sources of the kernel's side.
pub(super) fn finish(found: &mut [Found], kernel: &Kernel) {
    for found in found {
        let diagnostic = &mut found.diagnostic;
        if let Kernel::Ptx(program) = kernel {
            each_text(diagnostic, |text| named(text, program));
            parameter_address(diagnostic, program);
        }
        diagnostic.source = diagnostic.source.map(|source| own(source, matches!(kernel, Kernel::Ptx(_))));
    }
}

fn each_text(diagnostic: &mut Diagnostic, change: impl Fn(&str) -> String) {
    diagnostic.message = change(&diagnostic.message);
    for label in diagnostic.primary.iter_mut().chain(&mut diagnostic.secondary) {
        label.text = change(&label.text);
    }
    for note in &mut diagnostic.notes {
        *note = change(note);
    }
}

/// `shared + 0x800` becomes `shared + 0x800 (bar)`, and inside of a variable `(tile + 0x40)`.
fn named(text: &str, program: &PtxProgram) -> String {
    const MARK: &str = "shared + 0x";
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let (before, after) = rest.split_at(at + MARK.len());
        let digits = after.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(after.len());
        let (number, after) = after.split_at(digits);
        out.push_str(before);
        out.push_str(number);
        if let Some((name, distance)) =
            u64::from_str_radix(number, 16).ok().and_then(|offset| program.shared_name(offset))
        {
            match distance {
                0 => out.push_str(&format!(" ({name})")),
                _ => out.push_str(&format!(" ({name} + {distance:#x})")),
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// An address that is an offset of the parameter space was taken without `cvta.param`.
fn parameter_address(diagnostic: &mut Diagnostic, program: &PtxProgram) {
    if diagnostic.code.0 != "global-out-of-bounds" {
        return;
    }
    let number = diagnostic.message.split(" at address 0x").nth(1).map(|rest| {
        let digits = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
        u64::from_str_radix(rest.get(..digits).unwrap_or_default(), 16)
    });
    let Some(Ok(address)) = number else { return };
    let Some((name, distance)) = program.param_name(address) else { return };
    let place = if distance == 0 {
        format!("the kernel's parameter {name}")
    } else {
        format!("{name} + {distance:#x}")
    };
    diagnostic.notes.insert(
        0,
        format!("{address:#x} is the place of {place} in parameter space, which is no generic address"),
    );
    diagnostic.fix =
        Some(format!("Make a generic address of it: mov.b64 %rd, {name}; cvta.param.u64 %rd, %rd.").into());
}

/// Of a source that cites both vendors, separated by semicolons, the parts of the kernel's side.
fn own(source: Source, nvidia: bool) -> Source {
    let foreign = |part: &str| {
        let amd = ["CDNA", "amdgpu", "AMD", "LLVM", "llvm"].iter().any(|mark| part.contains(mark));
        let other =
            ["PTX", "h200", "ptxas", "CUDA", "cuda", "tma", "tcgen05"].iter().any(|mark| part.contains(mark));
        if nvidia { amd && !other } else { other && !amd }
    };
    // A part of a static text is static again; parts that stand together stay together.
    let mut best: Option<(usize, usize)> = None;
    let mut at = 0;
    for part in source.place.split("; ") {
        let end = at + part.len();
        if !foreign(part) {
            best = match best {
                Some((start, stop)) if stop + 2 == at => Some((start, end)),
                None => Some((at, end)),
                kept => kept,
            };
        }
        at = end + 2;
    }
    let place = best.and_then(|(start, end)| source.place.get(start..end)).unwrap_or(source.place);
    Source { place, ..source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_those_of_the_kernels_side() {
        let both = Source::manual("PTX ISA 9.7.9 (mbarrier completion); CDNA5 ISA 10.8, 10.11");
        assert_eq!(own(both, true).place, "PTX ISA 9.7.9 (mbarrier completion)");
        assert_eq!(own(both, false).place, "CDNA5 ISA 10.8, 10.11");
        let one = Source::hardware("h200 fact 3");
        assert_eq!(own(one, false).place, "h200 fact 3");
    }
}
