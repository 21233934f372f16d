use super::*;

fn codes(text: &str) -> Vec<&'static str> {
    recognise(text, None)
        .into_iter()
        .flat_map(|r| {
            let inner = r.explained.map(|e| e.diagnostics).unwrap_or_default();
            r.diagnostics.into_iter().chain(inner)
        })
        .filter(|d| d.level == Level::Error)
        .map(|d| d.code.0)
        .collect()
}

/// The lines of a published page about direct-to-LDS loads.
#[test]
fn direct_to_lds_lines_are_put_right() {
    let text = "asm volatile(\"global_load_lds_dword v[2:3], v[0:1], off\");\n\
                asm volatile(\"s_waitcnt lgkmcnt(0)\");\n\
                __hip_memcpy_to_shared(lds_ptr, gmem_ptr, 4);\n";
    let found = recognise(text, None);
    assert_eq!(
        codes(text),
        ["lds-load-with-destination", "lds-load-waited-on-lgkmcnt", "no-hip-memcpy-to-shared"]
    );
    let fix = found[0].diagnostics[0].fix.clone().unwrap_or_default();
    assert!(fix.contains("`global_load_lds_dword v[0:1], off`"), "{fix}");
    let good =
        "s_mov_b32 m0, s0\ns_nop 0\nglobal_load_lds_dword v[0:1], off\ns_waitcnt vmcnt(0)\ns_barrier\n";
    assert!(recognise(good, None).is_empty());
    let both = "s_mov_b32 m0, s0\nglobal_load_lds_dword v0, s[0:1]\ns_waitcnt vmcnt(0) lgkmcnt(0)\n";
    assert!(recognise(both, None).is_empty());
}

/// Lines of a published page about TMA that ptxas 13.5 refuses, and their right forms.
#[test]
fn ptx_lines_that_ptxas_refuses() {
    for (line, code) in [
        (
            "cp.async.bulk.tensor.2d.global.shared::cta  [tmap, {x,y}], [smem_src];",
            "ptx-bulk-store-without-group",
        ),
        ("mbarrier.arrive.expect_tx.shared::cta.b64  _, [mbar], ;", "ptx-expect-tx-without-bytes"),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global [d], [t, {x, y}], [m];",
            "ptx-bulk-load-without-mbarrier",
        ),
        (
            "cp.async.bulk.tensor.2d.shared.global.mbarrier::complete_tx::bytes [d], [t, {x, y}], [m];",
            "ptx-bulk-state-space",
        ),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes\n    [d], [t, x, y], [m];",
            "ptx-coordinates-in-braces",
        ),
        (
            "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster [d], [t, {x, y}], [m], 3;",
            "ptx-multicast",
        ),
        ("mbarrier.arrive.expect_tx.shared::cluster.b64 st, [mb], 16;", "ptx-remote-arrive-returns-nothing"),
        ("mbarrier.try_wait.parity.shared::cta.b64 [mb], x;", "ptx-wait-without-predicate"),
        ("cp.async.bulk.wait_group x;", "ptx-wait-group-register"),
    ] {
        assert_eq!(codes(line), [code], "{line}");
    }
    for line in [
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [tmap, {x,y}], [smem_src];",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes\n    [smem_dst], [tensor_map, {coord_x, coord_y}], [mbar];",
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [mb], 16;",
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group  0;",
        "@p mbarrier.try_wait.parity.shared::cta.b64 q, [mb], x;",
    ] {
        assert!(recognise(line, None).is_empty(), "{line}");
    }
}

#[test]
fn an_encode_call_is_judged() {
    let call = |box0: u32, swizzle: &str| {
        format!(
            "constexpr uint32_t M = 4096, K = 4096;\n\
             cuuint64_t size[2] = {{K, M}};\ncuuint64_t stride[1] = {{K * sizeof(half)}};\n\
             cuuint32_t box[2] = {{{box0}, 64}};\ncuuint32_t es[2] = {{1, 1}};\n\
             CUresult r = cuTensorMapEncodeTiled(&map, CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, ptr, size, stride,\n\
                 box, es, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_{swizzle},\n\
                 CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);"
        )
    };
    let good = recognise(&call(64, "128B"), None);
    assert!(!good[0].is_wrong() && good[0].explained.is_some(), "{good:?}");
    assert_eq!(good[0].assumptions.len(), 1, "only the pointer is unknown: {:?}", good[0].assumptions);
    let bad = recognise(&call(48, "32B"), None);
    assert!(bad[0].is_wrong());
    let first = &bad[0].diagnostics[0];
    assert!(first.message.contains("boxDim[0]") && first.primary.is_some(), "{first:?}");
}

/// The call of a published page: most values are elsewhere, and one argument is no C++.
#[test]
fn unknown_values_are_named() {
    let text = "cuTensorMapEncodeTiled(&tmap, CU_TENSOR_MAP_DATA_TYPE_FLOAT16,\n\
                /*rank=*/2, gmem_ptr, gmem_extents, gmem_strides,\n tile_extents, /*elem_strides=*/{1,1},\n\
                CU_TENSOR_MAP_INTERLEAVE_NONE,\n CU_TENSOR_MAP_SWIZZLE_128B,            // MUST match the MMA descriptor\n\
                CU_TENSOR_MAP_L2_PROMOTION_L2_128B,\n CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);";
    let found = recognise(text, None);
    let all = found[0].assumptions.join("\n");
    for name in ["gmem_ptr", "gmem_extents", "gmem_strides", "tile_extents"] {
        assert!(all.contains(name), "{name}: {all}");
    }
    assert_eq!(codes(text), ["cuda-braced-argument"]);
}

#[test]
fn hip_groups_become_a_descriptor() {
    let text = "gfx1250_TDM_GROUP0 g0(lds, ptr);\ngfx1250_TDM_GROUP1 g1;\ng1.dataSize(1); g1.tensorDim0(64); g1.tensorDim1(64);\n\
                g1.tileDim0(64); g1.tileDim1(64); g1.tensorDim0Stride(64); g1.padEnable(true); g1.padInterval(4); g1.padAmount(3);";
    let found = recognise(text, None);
    let explained = found[0].explained.as_ref().unwrap();
    let tile = explained.tile.as_ref().unwrap();
    assert_eq!((tile.tile, tile.extent), ([64, 64], [64, 64]));
    let group1 = &explained.parts[1];
    assert_eq!(group1.field("pad_interval_dwords").map(|f| f.value), Some(32));
    assert_eq!(group1.field("data_size_bytes").map(|f| f.value), Some(2));
}

#[test]
fn triton_descriptors_too() {
    let text = "layout: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [128, 64], [1, 0])\n\
                a = gl.amd.gfx1250.tdm.make_tensor_descriptor(base=p, shape=(1024, 512), strides=(512, 1), block_shape=(128, 64), layout=layout)";
    let found = recognise(text, None);
    let explained = found[0].explained.as_ref().unwrap();
    assert_eq!(
        explained.tile.as_ref().map(|t| (t.tile, t.extent, t.pitch)),
        Some(([64, 128], [512, 1024], 512))
    );
    assert_eq!(explained.parts[1].field("pad_interval_dwords").map(|f| f.value), Some(32));
    assert_eq!(explained.parts[1].field("pad_amount_dwords").map(|f| f.value), Some(4));
}

#[test]
fn instructions_are_judged_for_their_target() {
    let said = |text: &str, target: Option<&str>| {
        let found = instructions(text, target).unwrap();
        (found.title, found.diagnostics.iter().map(|d| d.code.0).collect::<Vec<_>>())
    };
    let load = "s_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dwordx3 v[0:1], off\ns_waitcnt vmcnt(0)\n";
    assert_eq!(
        said(load, None),
        ("4 instructions for gfx950, which has them in this form".to_owned(), vec![])
    );
    assert_eq!(
        said(load, Some("gfx942")),
        ("4 instructions for gfx942".to_owned(), vec!["gcn-not-on-target"])
    );
    assert_eq!(said("s_wait_tensorcnt 0x45", None).1, ["gcn-wait-never-blocks"]);
    assert_eq!(said("mbarrier.init.shared::cta.b64 [%r1], 0;", None).1, ["mbarrier-count"]);
    assert!(instructions("0x00000001 0x00000002", None).is_none());
    assert!(instructions("", None).is_none() && instructions("s_nop 0\nand so on", None).is_none());
}

mod hostile {
    use super::super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_gets_an_answer(text in "(cuTensorMapEncodeTiled\\(|global_load_lds_dword |mbarrier.arrive.expect_tx |g1.tileDim0\\(|[a-z0-9,;()\\[\\]{}=\"\n ]){0,40}") {
            let _ = recognise(&text, None);
            let _ = instructions(&text, None);
        }
    }
}
