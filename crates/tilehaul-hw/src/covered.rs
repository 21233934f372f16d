//! Which instructions a set of programs is made of.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::generate::Generated;

/// How often an instruction stands in a set of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    programs: u32,
    times: u32,
}

/// The page that lists every form (name, modifiers, types) in the programs, with its numbers.
#[must_use]
pub fn page(programs: &[Generated]) -> String {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for program in programs {
        let mut here: BTreeMap<&str, u32> = BTreeMap::new();
        for form in forms(&program.ptx) {
            *here.entry(form).or_default() += 1;
        }
        for (form, times) in here {
            let count = counts.entry(form).or_default();
            count.programs += 1;
            count.times += times;
        }
    }
    let mut page = format!(
        "# What the generated programs are made of\n\n{} forms in {} programs whose bytes an H200 left alike. Generated \
         (`cargo xtask docs`).\n\n| instruction | programs | times |\n|---|---:|---:|\n",
        counts.len(),
        programs.len()
    );
    for (form, Count { programs, times }) in &counts {
        let _ = writeln!(page, "| `{form}` | {programs} | {times} |");
    }
    page
}

/// The opcode of each instruction of a program as the generator writes it: one instruction a line.
fn forms(ptx: &str) -> impl Iterator<Item = &str> {
    ptx.lines().filter_map(|line| {
        let line = line.trim();
        // Directives, braces, labels and comments are none.
        if line.starts_with(['.', '{', '}', '/']) || line.is_empty() || line.ends_with([':', ')', '(', ',']) {
            return None;
        }
        let line = match line.strip_prefix('@') {
            Some(guarded) => guarded.split_once(' ')?.1,
            None => line,
        };
        let opcode = line.split([' ', ';']).next()?;
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':');
        (!opcode.is_empty() && !opcode.ends_with(':') && opcode.chars().all(name)).then_some(opcode)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_give_their_opcodes() {
        let text = ".reg .b32 %r<2>;\n{\n  @!%p1 add.s32 %r0, %r0, 1;\nLOOP1:\n  ret;\nT: .branchtargets A;\n  // x\n}";
        assert_eq!(forms(text).collect::<Vec<_>>(), ["add.s32", "ret"]);
    }
}
