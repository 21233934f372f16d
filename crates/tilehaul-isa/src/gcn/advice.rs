//! What to write instead of a line that does not assemble: mistakes that documents and other targets teach.
//!
//! Each suggestion names what the target has. inferred: llvm-mc 22.1.8.

use super::format::Generation;
use super::target::Target;

/// What to write instead of `line`, when it is a mistake that is known.
#[must_use]
pub fn advice(target: Target, line: &str) -> Option<String> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match target.generation() {
        Generation::Gfx9 => gfx9(target, name, rest.trim()),
        Generation::Gfx12 => gfx1250(name, rest.trim()),
    }
}

fn gfx9(target: Target, name: &str, rest: &str) -> Option<String> {
    let wide = name.ends_with("dwordx3") || name.ends_with("dwordx4");
    let direct = name.starts_with("global_load_lds_") || name.starts_with("scratch_load_lds_");
    let to_lds = direct || name.starts_with("buffer_load_") && rest.split_whitespace().any(|w| w == "lds");
    if to_lds && wide && target == Target::Gfx942 {
        return Some(
            "Loads of 12 and 16 bytes to LDS came with gfx950: four loads of a dword on gfx942.".to_owned(),
        );
    }
    if direct {
        let operands: Vec<&str> = rest.split(',').map(str::trim).collect();
        if let [_, address, last, ..] = operands.as_slice()
            && operands.len() == 3
        {
            return Some(format!(
                "A load to LDS has no destination register: `{name} {address}, {last}`; it goes to the LDS base + M0 + offset + 4 x lane."
            ));
        }
    }
    if to_lds && rest.contains("offset:") {
        return Some("A direct load takes offsets of 13 bits with sign in the global form, of 12 bits in the buffer form; the offset moves the LDS address too.".to_owned());
    }
    if name.starts_with("global_load_") && rest.split_whitespace().any(|w| w == "lds") {
        let kind = name.trim_start_matches("global_load_");
        return Some(format!("{target} spells it `global_load_lds_{kind}` without `lds` at the end."));
    }
    if ["glc", "slc", "dlc"].iter().any(|m| rest.split_whitespace().any(|w| w == *m)) {
        return Some(format!("{target} spells cache policy sc0, nt and sc1."));
    }
    if name.starts_with("tensor_") || name.contains("_async_") || name.starts_with("cluster_") {
        return Some(format!(
            "{target} has no such engine: direct loads to LDS are `global_load_lds_*` and `buffer_load_* ... lds`."
        ));
    }
    if name.starts_with("s_wait_") {
        return Some(format!("{target} waits with `s_waitcnt vmcnt(N) lgkmcnt(N)`."));
    }
    None
}

fn gfx1250(name: &str, rest: &str) -> Option<String> {
    if name == "s_waitcnt" || name == "s_waitcnt_vscnt" {
        return Some("gfx1250 has one wait for each counter: s_wait_loadcnt, s_wait_storecnt, s_wait_dscnt, s_wait_kmcnt, s_wait_asynccnt, s_wait_tensorcnt, s_wait_xcnt.".to_owned());
    }
    if name == "s_barrier" {
        return Some(
            "gfx1250 has split barriers: `s_barrier_signal -1`, then `s_barrier_wait -1`.".to_owned(),
        );
    }
    if name.contains("_load_lds_") || name.starts_with("buffer_load_") && rest.ends_with("lds") {
        return Some("gfx1250 copies to LDS with `global_load_async_to_lds_b32 vLDS, vADDR, off` (ASYNCcnt) or tensor_load_to_lds (TENSORcnt).".to_owned());
    }
    if name.starts_with("tensor_load_to_lds") || name.starts_with("tensor_store_from_lds") {
        return Some("A tensor operation takes s[4n:4n+3], s[4n:4n+7] and, for three dimensions and more, two further groups of four, each from a multiple of 4.".to_owned());
    }
    if name.starts_with("v_mfma_") || name.contains("accvgpr") {
        return Some("gfx1250 has WMMA instead of MFMA and no accumulation registers.".to_owned());
    }
    if ["glc", "slc", "sc0", "sc1"].iter().any(|m| rest.split_whitespace().any(|w| w == *m)) {
        return Some("gfx1250 spells cache policy th:TH_... and scope:SCOPE_....".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_documents_teach_are_corrected() {
        for (target, line, says) in [
            (
                Target::Gfx942,
                "global_load_lds_dword v[2:3], v[0:1], off",
                "`global_load_lds_dword v[0:1], off`",
            ),
            (Target::Gfx942, "global_load_lds_dwordx4 v[0:1], off", "gfx950"),
            (Target::Gfx942, "global_load_dword v[0:1], off lds", "global_load_lds_dword"),
            (Target::Gfx950, "buffer_load_dword v0, s[8:11], 0 offen glc", "sc0"),
            (Target::Gfx1250, "s_waitcnt vmcnt(0)", "s_wait_asynccnt"),
            (Target::Gfx1250, "s_barrier", "s_barrier_signal -1"),
            (Target::Gfx950, "tensor_load_to_lds s[0:3], s[4:11]", "no such engine"),
        ] {
            let told = advice(target, line).unwrap_or_default();
            assert!(told.contains(says), "{line}: {told}");
        }
        assert_eq!(advice(Target::Gfx942, "v_add_f32 v0, v1"), None);
    }
}
