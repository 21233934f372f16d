//! The pictures of layouts, tensor memory, banks and engines in `docs/pictures` are what the code draws today.
//!
//! `BLESS=1 cargo test -p tilehaul-render --test pictures` writes them anew.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;

use tilehaul_descriptor::nvidia::Swizzle;
use tilehaul_layout::apply::{Context, Instruction, Scope, apply, guard, operand};
use tilehaul_layout::text::parse;
use tilehaul_layout::tmem::{Accumulator, Datapath, LaneHalf, NativeImage, Packing, Shape};
use tilehaul_render::svg::{self, Banks};
use tilehaul_render::{layout, tmem};

fn pictures() -> Vec<(String, String)> {
    let mut all = vec![
        ("paths".to_string(), svg::paths()),
        ("engines".to_string(), svg::engines()),
        ("broadcast".to_string(), svg::broadcast(0xf)),
        (
            // Four rows at column 0, packed and with one dword of padding a row.
            "banks-four-rows".to_string(),
            svg::banks(&Banks { row_bytes: 256, rows: 4, interval: 256, amount: 4, banks: 64 }),
        ),
    ];
    for &mode in Swizzle::ALL.iter().filter(|m| **m != Swizzle::None) {
        let picture = svg::swizzle(mode.name(), mode.repeat().into(), |address| mode.permute(address));
        all.push((format!("swizzle-{}", mode.name()), picture));
    }
    for datapath in Datapath::ALL {
        let accumulator = Accumulator::new(datapath, 128, LaneHalf::Lower).unwrap();
        all.push((
            format!("tmem-layout-{}", datapath.spec().letter),
            tmem::accumulator_picture(&accumulator),
        ));
    }
    for shape in Shape::ALL {
        let image = NativeImage::new(shape, 2, Packing::Plain).unwrap();
        all.push((format!("tmem-image-{}", shape.name()), tmem::image_picture(&image)));
    }
    for (scope, name) in [
        (Scope::Thread, "thread"),
        (Scope::Warp, "warp"),
        (Scope::Warpgroup, "warpgroup"),
        (Scope::Cta, "cta"),
        (Scope::Cluster, "cluster"),
    ] {
        all.push((format!("apply-{name}"), scope_picture(scope)));
    }
    let (wide, narrow) = ("Swizzle<3,3,3> o 0 o (16,64):(64,1)", "Swizzle<2,3,3> o 0 o (16,64):(64,1)");
    let views = [parse(wide, None).unwrap(), parse(narrow, None).unwrap()];
    all.push((
        "agreement".to_string(),
        layout::side_by_side(
            [(&views[0], "landed with the 128-byte swizzle"), (&views[1], "read with the 64-byte swizzle")],
            Some(&[4, 0]),
            "A tile of 16 rows of 64 halves, landed and read with different swizzles",
            "The first element that is read wrongly is red: row 4 is the first one whose third bit moves chunks.",
        ),
    ));
    let fragment =
        "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>";
    let view = parse(fragment, Some(&[16, 8])).unwrap();
    all.push((
        "layout-mma".to_string(),
        layout::picture(&view, "The result of mma.m16n8: who holds which element"),
    ));
    all
}

/// One apply for each scope.
fn scope_picture(scope: Scope) -> String {
    let mut context = Context::all(scope, if scope == Scope::Cta { 256 } else { 128 });
    let (instruction, operands): (&str, [&str; 2]) = match scope {
        Scope::Thread => (
            "tcgen05.cp.cta_group::1.32x128b.warpx4",
            ["tmem f32 | S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]", "shared f32 | S[(32,4):(4,1)]"],
        ),
        Scope::Warp => {
            guard(&mut context, 128, "warp == 1").unwrap();
            (
                "tcgen05.ld.32x32b.x8",
                [
                    "registers f32 | S[(32,8):(1@laneid,1)]",
                    "tmem f32 | tmem_datapath_layout(\"D\", 128, 8) | slice 32:64, :",
                ],
            )
        }
        Scope::Warpgroup => (
            "tcgen05.ld.32x32b.x64",
            [
                "registers f32 | S[(64,2,64):(1@tid_in_wg,64@tid_in_wg,1)] | shape 64,128 | rearrange (wh r) (wl c) -> (wl wh) r c ; wh=2, r=32, wl=2",
                "tmem f32 | tmem_datapath_layout(\"B\", 64, 128) | rearrange (wh r) (wl c) -> (wl wh) r c ; wh=2, r=32, wl=2",
            ],
        ),
        Scope::Cta => (
            "tcgen05.ld.32x32b.x8",
            [
                "registers f32 | S[(8,32,8):(1@warpid,1@laneid,1)]",
                "tmem f32 | S[(2,4,32,8):(8@TCol,32@TLane,1@TLane,1@TCol)] | reshape 8,32,8",
            ],
        ),
        Scope::Cluster => {
            context.cluster = Some([2, 1, 1]);
            (
                "tcgen05.ld.32x32b.x8",
                [
                    "registers f32 | S[(2,4,32,8):(1@cbx,1@warpid,1@laneid,1)]",
                    "tmem f32 | S[(2,4,32,8):(8@TCol,32@TLane,1@TLane,1@TCol)]",
                ],
            )
        }
    };
    let instruction = Instruction::parse(instruction).unwrap();
    let mut names = Vec::new();
    let operands = operands.map(|text| operand(text, &[], &mut names).unwrap());
    let applied = apply(&instruction, &context, &operands, None, 512).unwrap();
    tmem::apply_picture(&instruction, &applied, scope.name())
}

#[test]
fn shipped_pictures_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let bless = std::env::var_os("BLESS").is_some();
    let mut stale = Vec::new();
    for (name, picture) in pictures() {
        let path = folder.join(format!("{name}.svg"));
        if bless {
            std::fs::write(&path, &picture).unwrap();
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(picture.as_str()) {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "stale pictures (write them with BLESS=1): {}", stale.join(", "));
}
