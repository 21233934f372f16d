use super::spelling::{MOST_SLOTS, glob};
use super::*;

fn op(text: &str) -> Option<Op> {
    Opcode::new(text).row.map(|r| r.op)
}

#[test]
fn spellings_find_their_rows() {
    assert_eq!(op("add.s32"), Some(Op::Add));
    assert_eq!(op("add.cc.u32"), Some(Op::AddCc));
    assert_eq!(op("cvt.rn.f16x2.f32"), Some(Op::Cvt));
    assert_eq!(op("max.f32"), Some(Op::Max));
    assert_eq!(op("bar.warp.sync"), Some(Op::BarWarpSync));
    assert_eq!(op("bar.sync"), Some(Op::Bar));
    assert_eq!(op("barrier.cluster.arrive"), Some(Op::BarrierCluster));
    assert_eq!(op("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"), Some(Op::WgmmaMma));
    assert_eq!(op("cp.async.cg.shared.global"), Some(Op::CpAsync));
    assert_eq!(op("cp.async.bulk.wait_group.read"), Some(Op::BulkWait));
    assert_eq!(
        op("cp.async.bulk.tensor.2d.tile::gather4.shared::cta.global.mbarrier::complete_tx::bytes"),
        Some(Op::BulkTensorLoad)
    );
    assert_eq!(op("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"), Some(Op::BulkTensorStore));
    assert_eq!(
        op("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"),
        Some(Op::BulkTensorReduce)
    );
    assert_eq!(op("tcgen05.wait::ld.sync.aligned"), Some(Op::TcWaitLd));
    assert_eq!(op("add.s33"), None);
    assert_eq!(op("frobnicate.b32"), None);
}

#[test]
fn spellings_exist_where_ptxas_assembles_them() {
    let recorded = include_str!("../../../../../evidence/ptxas/targets.tsv");
    let all = "90 90a 100 100f 100a 103 103f 103a 110 110f 110a 120 120f 120a 121 121f 121a";
    let mut wrong = Vec::new();
    for line in recorded.lines().filter(|l| !l.starts_with('#')) {
        let (text, on) = line.split_once('\t').unwrap();
        let opcode = Opcode::new(text);
        if opcode.row.is_none() {
            // Not in the table: unsupported wherever it is.
            continue;
        }
        for target in all.split(' ') {
            let want = on.split(' ').any(|t| t == target);
            if opcode.missing_on(&format!("sm_{target}")).is_none() != want {
                wrong.push(format!("{text} on sm_{target}: ptxas says {want}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn misspelt_words_are_recognised() {
    assert_eq!(similar("mvo.u32").as_deref(), Some("mov.u32"));
    assert_eq!(
        similar("mbarrier.try_wiat.parity.shared::cta.b64").as_deref(),
        Some("mbarrier.try_wait.parity.shared::cta.b64")
    );
    assert_eq!(similar("cp.async.cg.shraed.global").as_deref(), Some("cp.async.cg.shared.global"));
    assert_eq!(similar("frobnicate.b32"), None);
}

#[test]
fn globs() {
    assert!(glob("m64n*k16", "m64n128k16"));
    assert!(!glob("m64n*k16", "m64n128k32"));
    assert!(glob("*", "x"));
    assert!(!glob("ab", "abc"));
}

#[test]
fn no_row_takes_any_modifier() {
    for row in rows().filter(|row| {
        !matches!(
            row.support,
            Support::Unsupported("textures are not modelled" | "surfaces are not modelled")
        )
    }) {
        for word in row.modifiers.split([' ', '|']).filter(|word| word.contains('*')) {
            assert!(word.starts_with("m64n*k"), "{}: {word}", row.name);
        }
    }
}

#[test]
fn words_that_ptxas_keeps_in_order_are_kept() {
    for (right, wrong) in [
        ("fence.proxy.async.global", "fence.async.proxy.global"),
        ("bar.red.popc.u32", "bar.popc.red.u32"),
        ("cp.async.ca.shared.global", "cp.async.ca.global.shared"),
        (
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned",
            "tensormap.cp_fenceproxy.shared::cta.global.tensormap::generic.release.gpu.sync.aligned",
        ),
        (
            "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128",
            "clusterlaunchcontrol.query_cancel.is_canceled.b128.pred",
        ),
        ("tcgen05.mma.ws.sp.cta_group::1.kind::f16", "tcgen05.mma.sp.ws.cta_group::1.kind::f16"),
    ] {
        assert!(op(right).is_some(), "{right}");
        assert_eq!(op(wrong), None, "{wrong}");
    }
    // These it takes in any order.
    for text in
        ["redux.min.sync.s32", "vote.uni.sync.pred", "mma.aligned.sync.m16n8k16.row.col.f32.f16.f16.f32"]
    {
        assert!(op(text).is_some(), "{text}");
    }
}

#[test]
fn operands_follow_from_modifiers() {
    let count = |text: &str| Opcode::new(text).operand_count();
    assert_eq!(count("ld.global.u32"), Some((2, 2)));
    assert_eq!(count("ld.global.L2::cache_hint.u32"), Some((3, 3)));
    assert_eq!(count("cp.async.cg.shared.global"), Some((3, 4)));
    assert_eq!(count("cp.async.cg.shared.global.L2::cache_hint"), Some((4, 5)));
    let load = "cp.async.bulk.tensor.3d.shared::cluster.global";
    assert_eq!(count(&format!("{load}.tile.mbarrier::complete_tx::bytes")), Some((3, 3)));
    assert_eq!(
        count(&format!("{load}.im2col.mbarrier::complete_tx::bytes.multicast::cluster")),
        Some((5, 5))
    );
    assert_eq!(count("tcgen05.mma.cta_group::1.kind::f16"), Some((5, 7)));
}

#[test]
fn every_row_has_a_doc_and_few_enough_slots() {
    for row in rows() {
        assert!(row.doc.ends_with('.'), "{}", row.name);
        assert!(row.modifiers.split_ascii_whitespace().count() <= MOST_SLOTS, "{}", row.name);
    }
}
