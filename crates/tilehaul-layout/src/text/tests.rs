use proptest::prelude::*;

use super::{Notation, parse, print};
use crate::axis::Axis;
use crate::strided::{Layout, iter};
use crate::view::View;

fn place(text: &str, shape: Option<&[u64]>, element: &[u64], axis: Axis) -> i64 {
    let view = parse(text, shape).unwrap();
    view.at(view.number(element).unwrap(), axis)
}

#[test]
fn tirx_texts() {
    let seed = "S[(64, 2, 64) : (1 @ tid_in_wg, 64 @ tid_in_wg, 1)]";
    assert_eq!(place(seed, Some(&[64, 128]), &[5, 70], Axis::TidInWg), 69);
    assert_eq!(place(seed, Some(&[64, 128]), &[5, 70], Axis::Memory), 6);
    assert_eq!(place("S[8:4@laneid]", None, &[3], Axis::LaneId), 12);
    assert_eq!(place("S[64, 32]", None, &[3, 4], Axis::Memory), 100);
    assert_eq!(
        place("S[(4,16,8):(32@TLane,1@TLane,1@TCol)] + 16@TLane + 3@TCol", None, &[1, 2, 3], Axis::TLane),
        50
    );
    assert_eq!(place("S[4:-1@TLane] + 3@TLane", None, &[1], Axis::TLane), 2);
    assert_eq!(parse("S[8:1@TLane] + R[(2,2):(32@TLane,64@TLane)]", None).unwrap().places(3).len(), 4);
    let swizzled = "ComposeLayout(3, 3, 3, S[(8,64):(64,1)])";
    assert_eq!(place(swizzled, None, &[1, 0], Axis::Memory), 64 + 8);
}

#[test]
fn cute_texts() {
    assert_eq!(place("((8,8),8):((1,8),64)", None, &[9, 2], Axis::Memory), 9 + 128);
    assert_eq!(place("(_8,_64):(_64,_1)", None, &[2, 3], Axis::Memory), 131);
    assert_eq!(place("(4,8)", None, &[2, 3], Axis::Memory), 14);
    assert_eq!(place("Swizzle<3,3,3> o 0 o (8,64):(64,1)", None, &[1, 0], Axis::Memory), 72);
    assert_eq!(place("Sw<3,3,3> o (8,64):(64,1)", None, &[2, 8], Axis::Memory), 128 + 24);
    // As CuTe prints tensors: behind a pointer to 16-bit elements, Sw<3,4,3> permutes what Sw<3,3,3> permutes of elements.
    for printed in [
        "smem_ptr[16b](unset) o Sw<3,4,3> o (_8,_64):(_64,_1)",
        "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
        "Sw<3,4,3> o smem_ptr[16b](0x7fe0000400) o (_8,_64):(_64,_1)",
    ] {
        assert_eq!(place(printed, None, &[2, 8], Axis::Memory), 128 + 24, "{printed}");
    }
    assert_eq!(place("gmem_ptr[32b](0x7f00) o (8,64):(64,1)", None, &[2, 8], Axis::Memory), 136);
    assert!(parse("Sw<3,0,3> o smem_ptr[32b](unset) o (8,64):(64,1)", None).is_err());
    assert_eq!(place("((2,4),6):((1,2),8)", None, &[3, 1], Axis::Memory), 11);
    assert_eq!(place("(128,64):(1@0,1@1)", None, &[7, 9], Axis::Dim(1)), 9);
    assert_eq!(place("16:2", None, &[7], Axis::Memory), 14);
    assert_eq!(place("Swizzle<1,0,3> o 8 o (4,4):(4,1)", None, &[0, 0], Axis::Memory), 9);
}

#[test]
fn errors_say_where_and_what() {
    let wrong = |text: &str| {
        let e = parse(text, None).unwrap_err();
        (e.at, e.message)
    };
    assert_eq!(wrong("S[(4,8):(1,2,3)]"), (8, "2 extents have 3 strides".into()));
    let (at, message) = wrong("S[4:1@thread]");
    assert_eq!(at, 6);
    assert!(message.contains("unknown axis thread; known: bx"));
    assert_eq!(wrong("(4,8):(1)").1, "shape and stride are not nested alike");
    assert_eq!(wrong("S[0:1]").1, "extent 0 of 0:1@m must be at least 1");
    assert!(wrong("#blocked").1.contains("alias"));
    assert!(parse("#ttg.amd_rotating_shared<{vec = 4}>", None).unwrap_err().unsupported);
    assert!(wrong("#ttg.blocked<{sizePerThread = [3]}>").1.contains("3"));
    assert!(wrong(&format!("S{}", "(".repeat(100_000))).1.contains("65536"));
    assert!(wrong(&"(".repeat(1000)).1.contains("levels"));
}

/// Recorded answers of triton 3.9.0: an encoding, a shape, and the bases of its linear layout.
#[test]
fn triton_encodings_equal_the_compilers() {
    let text = include_str!("../../../../cases/layout/triton.jsonl");
    let mut seen = 0;
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let encoding = case["text"].as_str().unwrap();
        let shape: Vec<u64> = case["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let bases = &case["bases"];
        seen += 1;
        if bases["row"].is_array() {
            tensor_memory_bases(encoding, &shape, bases);
            continue;
        }
        let list = |key: &str| bases[key].to_string();
        let want = if bases["offset"].is_array() {
            format!(
                "#ttg.shared_linear<{{offset = {}, block = {}}}, alignment = 16>",
                list("offset"),
                list("block")
            )
        } else {
            format!(
                "#ttg.linear<{{register = {}, lane = {}, warp = {}, block = {}}}>",
                list("register"),
                list("lane"),
                list("warp"),
                list("block")
            )
        };
        let got = parse(encoding, Some(&shape)).unwrap_or_else(|e| panic!("{encoding} {shape:?}: {e}"));
        let want = parse(&want, Some(&shape)).unwrap();
        let difference = got.difference(&want).unwrap();
        assert!(difference.is_none(), "{encoding} {shape:?}: {difference:?}");
        // Register order, not only meaning: what is printed reads back as the same bases.
        let printed = print(&got, Notation::Triton).unwrap();
        let back = parse(&printed, Some(&shape)).unwrap();
        assert!(back.same_as(&got).unwrap(), "{encoding}: {printed}");
    }
    assert!(seen > 430, "only {seen} encodings");
}

/// Every element's row and column lead back to it through the recorded bases.
fn tensor_memory_bases(encoding: &str, shape: &[u64], bases: &serde_json::Value) {
    let view = parse(encoding, Some(shape)).unwrap();
    let through = |key: &str, value: i64, dim: usize| {
        let rows = bases[key].as_array().unwrap();
        (0..rows.len()).filter(|k| value >> k & 1 == 1).fold(0, |x, k| x ^ rows[k][dim].as_u64().unwrap())
    };
    for n in 0..view.size() {
        let (row, column) = (view.at(n, Axis::TLane), view.at(n, Axis::TCol));
        let element: Vec<u64> = (0..2).map(|d| through("row", row, d) ^ through("col", column, d)).collect();
        assert_eq!(element, view.element(n), "{encoding} {shape:?}");
    }
}

#[test]
fn tensor_memory_encodings() {
    let wide = "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>";
    assert_eq!(place(wide, Some(&[128, 128]), &[5, 70], Axis::TLane), 5);
    assert_eq!(place(wide, Some(&[128, 128]), &[5, 70], Axis::TCol), 70);
    assert_eq!(place(wide, Some(&[256, 64]), &[133, 3], Axis::TCol), 67);
    let half = "#ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>";
    assert_eq!(place(half, Some(&[64, 64]), &[37, 3], Axis::TLane), 69);
    assert_eq!(place(half, Some(&[64, 128]), &[37, 67], Axis::TLane), 85);
    let spread = "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>";
    assert_eq!(place(spread, None, &[5, 7], Axis::TCol), 14);
}

#[test]
fn padded_encodings() {
    let padded = "#ttg.padded_shared<[4:+2, 8:+1] {order = [1, 0], shape = [16, 32]}>";
    assert_eq!(place(padded, None, &[0, 9], Axis::Memory), 9 + 4 + 1);
    let view = parse(padded, None).unwrap();
    let printed = print(&view, Notation::Triton).unwrap();
    assert!(parse(&printed, None).unwrap().same_as(&view).unwrap(), "{printed}");
    // The published example: rows apart by two, a gap after every eight elements.
    let rows = "#ttg.padded_shared<[8:+1] {offset = [[0, 1], [0, 2], [2, 0], [4, 0], [1, 0]], block = []}>";
    assert_eq!(place(rows, None, &[4, 0], Axis::Memory), 9);
    assert_eq!(place(rows, None, &[1, 0], Axis::Memory), 18);
}

#[test]
fn notations_translate() {
    let view = parse("(8,64):(64,1)", None).unwrap();
    assert_eq!(print(&view, Notation::Tirx).unwrap(), "S[(8, 64):(64, 1)]");
    assert!(print(&view, Notation::Triton).unwrap().starts_with("#ttg.shared_linear<{offset = [[0, 1]"));
    let threads = parse("S[(128, 8):(1@tid_in_wg, 1)]", None).unwrap();
    let triton = print(&threads, Notation::Triton).unwrap();
    assert!(parse(&triton, Some(&[128, 8])).unwrap().same_as(&threads).unwrap(), "{triton}");
    assert!(print(&threads, Notation::Cute).is_err());
    let three = parse("S[(3, 8):(8, 1)]", None).unwrap();
    assert!(print(&three, Notation::Triton).is_err());
    assert_eq!(print(&three, Notation::Cute).unwrap(), "(3,8):(8,1)");
}

fn strided(axes: Vec<Axis>) -> impl Strategy<Value = View> {
    let one = (1u64..9, -64i64..64, prop::sample::select(axes));
    (prop::collection::vec(one.clone(), 1..6), prop::collection::vec(one, 0..3), -5i64..5).prop_map(
        |(shard, replica, by)| {
            let make =
                |v: Vec<(u64, i64, Axis)>| v.into_iter().map(|(e, s, a)| iter(e, s, a)).collect::<Vec<_>>();
            let shard = make(shard);
            let shape: Vec<u64> = shard.iter().map(|i| i.extent).collect();
            View::strided(Layout::new(shard, make(replica), &[(Axis::TCol, by)]).unwrap(), &shape, vec![])
                .unwrap()
        },
    )
}

proptest! {
    #[test]
    fn tirx_round_trip(view in strided(vec![Axis::Memory, Axis::TLane, Axis::LaneId, Axis::TCol])) {
        let text = print(&view, Notation::Tirx).unwrap();
        let back = parse(&text, Some(view.shape())).unwrap();
        prop_assert_eq!(back, view);
    }

    #[test]
    fn cute_round_trip(
        modes in prop::collection::vec(prop::collection::vec((1u64..6, 0i64..100), 1..4), 1..4),
        swizzle in prop::option::of((1u32..4, 0u32..4, 3i32..5)),
    ) {
        let tuple = |f: &dyn Fn(&(u64, i64)) -> String| {
            let modes: Vec<String> = modes.iter().map(|m| format!("({})", m.iter().map(f).collect::<Vec<_>>().join(","))).collect();
            format!("({})", modes.join(","))
        };
        let mut text = format!("{}:{}", tuple(&|l| l.0.to_string()), tuple(&|l| l.1.to_string()));
        if let Some((b, m, s)) = swizzle {
            text = format!("Swizzle<{b},{m},{s}> o 0 o {text}");
        }
        let view = parse(&text, None).unwrap();
        let printed = print(&view, Notation::Cute).unwrap();
        let back = parse(&printed, None).unwrap();
        prop_assert!(back.same_as(&view).unwrap(), "{} -> {}", text, printed);
        prop_assert_eq!(print(&back, Notation::Cute).unwrap(), printed);
    }

    #[test]
    fn triton_round_trip(order in Just((0..9usize).collect::<Vec<_>>()).prop_shuffle(), zeros in prop::collection::vec(0usize..10, 0..3)) {
        let mut bases: Vec<String> = order.iter().map(|&k| if k < 4 { format!("[{}, 0]", 1 << k) } else { format!("[0, {}]", 1 << (k - 4)) }).collect();
        for z in zeros {
            bases.insert(z.min(bases.len()), "[0, 0]".into());
        }
        let (register, rest) = bases.split_at(3);
        let (lane, warp) = rest.split_at(5.min(rest.len()));
        let text = format!("#ttg.linear<{{register = [{}], lane = [{}], warp = [{}], block = []}}>", register.join(", "), lane.join(", "), warp.join(", "));
        let view = parse(&text, None).unwrap();
        prop_assert_eq!(print(&view, Notation::Triton).unwrap(), text);
    }

    #[test]
    fn no_text_panics(text in "[S#RtngCoSw()\\[\\]{}<>:,@+=0-9 _a-z.-]{0,80}") {
        let _ = parse(&text, None);
        let _ = parse(&text, Some(&[8, 8]));
    }

    #[test]
    fn no_mangled_encoding_panics(which in 0usize..8, cut in 0usize..160, with in "[0-9a-z\\[\\]{}<>,=# -]{0,6}", shape in prop::collection::vec(0u64..300, 0..4)) {
        const TEXTS: [&str; 8] = [
            "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>",
            "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>",
            "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
            "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
            "#ttg.padded_shared<[512:+16] {order = [1, 0], shape = [64, 128]}>",
            "#ttng.tensor_memory_encoding<blockM = 64, blockN = 128, colStride = 1>",
            "#ttg.slice<{dim = 1, parent = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>}>",
            "#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0]], warp = [[4, 0]], block = []}>",
        ];
        let text = TEXTS[which];
        let cut = cut.min(text.len());
        let mangled = format!("{}{}{}", &text[..cut], with, &text[cut..]);
        if let Ok(view) = parse(&mangled, Some(&shape)) {
            let _ = print(&view, Notation::Triton);
            let _ = print(&view, Notation::Tirx);
        }
        let _ = parse(&mangled, None);
    }
}
