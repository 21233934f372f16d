//! Cases of one instruction: does it exist on the target, and do its written numbers make sense?
//!
//! PTX goes through the reader and its instruction table, inside a kernel made for it, so names may stay undeclared; AMD
//! lines through the assembler. On top come the rules that no table row holds: immediates, counts, and pairs of
//! operation and type. Soundness: a form that neither the table nor these rules know is unsupported, not rejected.

mod forms;
mod gcn;
mod operands;
mod ptx;

use tilehaul_descriptor::Rule;
use tilehaul_diag::{Diagnostic, Level};

use super::Refusal;
use crate::paste;

/// Rules of single instructions, for the catalogue.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    ptx::RULES.iter().chain(forms::RULES).chain(operands::RULES).chain(gcn::RULES)
}

/// What is wrong with one instruction.
///
/// # Errors
/// When the target or the instruction is not modelled.
pub(super) fn judge(text: &str, target: &str) -> Result<Vec<Diagnostic>, Refusal> {
    let pasted = paste::recognise(text, Some(target));
    let mut said: Vec<Diagnostic> =
        pasted.into_iter().flat_map(|found| found.diagnostics).filter(|d| d.level == Level::Error).collect();
    match alone(text, target) {
        // Where both know a rule, the pasted line points at the part that breaks it.
        Ok(own) => {
            let own: Vec<_> = own.into_iter().filter(|d| said.iter().all(|s| s.code != d.code)).collect();
            said.extend(own);
        }
        // What is already known to be wrong needs no table.
        Err(refusal) if said.is_empty() => return Err(refusal),
        Err(_) => {}
    }
    Ok(said)
}

/// The same by table and rules alone, without what a person's mistake looks like.
pub(crate) fn alone(text: &str, target: &str) -> Result<Vec<Diagnostic>, Refusal> {
    if target.starts_with("sm_") { ptx::judge(text, target) } else { gcn::judge(text, target) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str, target: &str) -> Vec<&'static str> {
        judge(text, target).unwrap().iter().map(|d| d.code.0).collect()
    }

    #[test]
    fn wrong_numbers_are_rejected() {
        let bulk = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [dst], [src]";
        assert_eq!(codes(&format!("{bulk}, 24, [bar];"), "sm_90a"), ["ptx-bulk-size"]);
        assert!(codes(&format!("{bulk}, 32, [bar];"), "sm_90a").is_empty());
        let alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1]";
        assert_eq!(codes(&format!("{alloc}, 48;"), "sm_100a"), ["tcgen05-alloc-columns"]);
        assert!(codes(&format!("{alloc}, 64;"), "sm_100a").is_empty());
        assert_eq!(codes("mbarrier.init.shared::cta.b64 [%r1], 0;", "sm_90a"), ["mbarrier-count"]);
        let multicast = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster";
        assert_eq!(
            codes(&format!("{multicast} [dst], [src], 32, [bar], mask;"), "sm_90a"),
            ["ptx-multicast"]
        );
        assert_eq!(codes("cp.async.cg.shared.global [%r1], [%rd1], 8;", "sm_90a"), ["ptx-cp-async-size"]);
    }

    #[test]
    fn tensor_copies_name_their_coordinates() {
        let load = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [dst]";
        assert_eq!(codes(&format!("{load}, [map, {{x, y, z}}], [bar];"), "sm_90a"), ["ptx-coordinates"]);
        assert!(codes(&format!("{load}, [map, {{x, y}}], [bar];"), "sm_90a").is_empty());
    }

    #[test]
    fn instructions_of_other_targets_are_rejected() {
        assert_eq!(codes("global_load_lds_dwordx4 v[0:1], off", "gfx942"), ["gcn-not-on-target"]);
        assert!(codes("global_load_lds_dwordx4 v[0:1], off", "gfx950").is_empty());
        assert_eq!(codes("buffer_load_dwordx4 v1, s[8:11], s3 offen lds", "gfx942"), ["gcn-wide-lds-load"]);
        assert!(judge("no_such_thing v0", "gfx942").is_err());
    }

    #[test]
    fn immediates_of_ptx_are_looked_at() {
        for (text, code) in [
            ("setmaxnreg.inc.sync.aligned.u32 100;", "ptx-setmaxnreg"),
            ("bar.sync 16, 128;", "ptx-named-barrier"),
            ("bar.sync 1, 100;", "ptx-named-barrier"),
            ("fence.proxy.tensormap::generic.acquire.gpu [%rd1], 64;", "ptx-tensor-map-size"),
            ("tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], 14;", "ptx-tensormap-replace"),
            ("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 5, %r1;", "ptx-tensormap-replace"),
            (
                "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;",
                "ptx-wgmma-shape",
            ),
            ("fence.mbarrier_init.release.gpu;", "ptx-no-such-form"),
            ("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1, %r2, %r3}, [%r5];", "ptx-no-such-form"),
        ] {
            assert_eq!(codes(text, "sm_90a"), [code], "{text}");
        }
        assert!(codes("setmaxnreg.dec.sync.aligned.u32 40;", "sm_90a").is_empty());
        for text in [
            "@%p1 ld.global.b32 { %r1 }, [ %rd1 + 0 ];",
            "@!%p2 st.global.v2.b32 [ %rd1 + 0 ], { %r1, %r2 };",
            "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group .L2::cache_hint [%rd1, {%r1, %r2}], [%r3], %rd4;",
        ] {
            assert!(codes(text, "sm_90a").is_empty(), "{text}");
        }
        assert!(codes("bar.sync 1, 128;", "sm_90a").is_empty());
    }

    #[test]
    fn operands_fit_their_encoding() {
        let rejected = [
            ("tensor_load_to_lds s[2:5], s[8:15]", "gfx1250"),
            ("tensor_load_to_lds s[0:3], s[4:11], s[12:15]", "gfx1250"),
            ("ds_read_b128 v[0:2], v4", "gfx1250"),
            ("buffer_load_b32 v0, v1, s[8:11], null offen offset:-4", "gfx1250"),
            ("buffer_load_dword v0, v1, s[9:12], 0 offen", "gfx950"),
            ("buffer_load_dword v1, s[8:11], s3 offen offset:5000 lds", "gfx942"),
            ("global_load_lds_dword v[0:1], off offset:4096", "gfx942"),
            ("global_load_lds_dword v[0:1], off glc", "gfx950"),
            ("s_waitcnt vmcnt(64)", "gfx942"),
            ("s_waitcnt lgkmcnt(63)", "gfx942"),
        ];
        for (text, target) in rejected {
            assert_eq!(codes(text, target), ["gcn-operands"], "{text}");
        }
        for (text, target) in [
            ("tensor_load_to_lds s[0:3], s[4:11]", "gfx1250"),
            ("ds_read_b128 v[0:3], v4", "gfx1250"),
            ("global_load_dwordx4 v[0:3], v2, s[4:5] offset:5000", "gfx1250"),
            ("global_load_lds_dword v[0:1], off offset:-4096 sc0 nt", "gfx942"),
            ("s_cbranch_scc1 loop", "gfx950"),
        ] {
            assert!(codes(text, target).is_empty(), "{text}");
        }
    }

    #[test]
    fn widths_that_no_family_has_are_rejected_and_long_waits_told() {
        assert_eq!(codes("global_load_async_to_lds_b96 v0, v[2:3], off", "gfx1250"), ["gcn-no-such-form"]);
        assert_eq!(codes("global_load_lds_dwordx2 v[0:1], off", "gfx950"), ["gcn-no-such-form"]);
        let told = judge("s_wait_asynccnt 0x45", "gfx1250").unwrap();
        assert_eq!(
            told[0].message.split(' ').take(4).collect::<Vec<_>>().join(" "),
            "s_wait_asynccnt 69 never waits:"
        );
        assert_eq!(told[0].level, Level::Warning);
    }
}
