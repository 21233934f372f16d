//! The PTX reader on compilers' output, on hand-written corners and on damage.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tilehaul_diag::{FileId, Level};
use tilehaul_isa::ptx::ast::{Immediate, InstrId, Operand, Symbol};
use tilehaul_isa::ptx::{Op, read};

fn kernels() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            // What no compiler made is kept apart.
            if path.ends_with("unsupported") {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "ptx") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn compilers_output_is_read_without_a_word() {
    let kernels = kernels();
    assert!(kernels.len() >= 20, "the kernels are missing");
    for path in kernels {
        let text = fs::read_to_string(&path).unwrap();
        let reading = read(&text, FileId(0));
        assert!(reading.diagnostics.is_empty(), "{}: {:?}", path.display(), reading.diagnostics);
        assert!(reading.module.entries().count() >= 1, "{}", path.display());
        for opcode in &reading.module.opcodes {
            assert!(opcode.row.is_some(), "{}: {}", path.display(), opcode.text);
        }
    }
}

const HEAD: &str = ".version 9.5\n.target sm_90a\n.address_size 64\n";

fn body(text: &str) -> tilehaul_isa::ptx::Reading {
    read(&format!("{HEAD}.visible .entry k(.param .u64 p)\n{{\n{text}\n}}\n"), FileId(0))
}

#[test]
fn inline_assembly_scopes_shadow_names() {
    let reading = body(
        ".reg .pred p; .reg .b32 %r<4>;\n\
         {\n.reg .pred p; LAB: setp.eq.s32 p, %r1, 0;\n@p bra LAB;\n}\n\
         {\n.reg .pred p; LAB: setp.eq.s32 p, %r1, 0;\n@!p bra.uni LAB;\n}\n\
         @p bra END; exit; END: ret;",
    );
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let function = &reading.module.functions[0];
    let target = |i: usize| match &function.instructions[i].operands[0] {
        Operand::Symbol(Symbol::Label(to), 0) => *to,
        other => panic!("{other:?}"),
    };
    assert_eq!(target(1), InstrId(0));
    assert_eq!(target(3), InstrId(2));
    assert_eq!(target(4), InstrId(6));
    let preds: Vec<_> = [1, 3, 4].iter().map(|&i| function.instructions[i].guard.unwrap().reg).collect();
    assert!(preds[0] != preds[1] && preds[1] != preds[2]);
}

#[test]
fn operands_of_every_kind() {
    let reading = body(
        ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .shared .align 16 .b8 tile[64];\n\
         cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1+16], [%rd1, {%r2, -1}], [tile+8];\n\
         setp.lt.s32 %p1|%p2, %r1, WARP_SZ;\n\
         mov.b64 {%r1, _}, %rd2;\n\
         mov.u32 %r3, %tid.y;\n\
         mov.f32 %r3, 0fBF800000;\n\
         mov.b32 %r3, -(2+3*4)<<1;\n\
         vote.sync.any.pred %p1, !%p2, -1;",
    );
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let function = &reading.module.functions[0];
    let Operand::Address(map) = &function.instructions[0].operands[1] else { panic!() };
    let Operand::Vector(coordinates) = &map.rest[0] else { panic!() };
    assert_eq!(coordinates[1], Operand::Imm(Immediate::Int(-1)));
    let Operand::Address(bar) = &function.instructions[0].operands[2] else { panic!() };
    assert_eq!(bar.offset, 8);
    assert!(matches!(function.instructions[1].operands[0], Operand::Dual(_)));
    assert_eq!(function.instructions[5].operands[1], Operand::Imm(Immediate::Int(-28)));
    assert!(matches!(function.instructions[6].operands[1], Operand::Not(_)));
}

#[test]
fn module_syntax_of_nvcc() {
    let text = format!(
        "{HEAD}.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
         .global .align 4 .u32 table[2][3] = {{{{1, 2}}, {{3}}}};\n\
         .const .align 8 .f64 pi = 0d400921FB54442D18;\n\
         .global .align 8 .u64 where[2] = {{generic(table)+4, 0}};\n\
         .weak .func (.param .b32 out) twice(.param .b32 in) {{\n.reg .b32 %r<2>;\n\
         ld.param.u32 %r1, [in+0];\nadd.u32 %r1, %r1, %r1;\nst.param.b32 [out+0], %r1;\nret;\n}}\n\
         .visible .entry k(.param .align 64 .b8 map[128], .param .u64 .ptr .global .align 16 q)\n\
         .maxntid 128, 1, 1\n.minnctapersm 2\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n.pragma \"nounroll\";\n\
         {{\n.reg .b32 %r<3>;\n.loc 1 12 5\n.loc 1 14 7, function_name $L__info_string0, inlined_at 1 20 3\n\
         {{ .param .b32 param0; st.param.b32 [param0+0], %r1; .param .b32 retval0;\n\
         call.uni (retval0), twice, (param0);\nld.param.b32 %r2, [retval0+0]; }}\n\
         brx.idx %r2, tbl;\ntbl: .branchtargets A, B;\nA: exit;\nB: ret;\n}}\n\
         .file 1 \"a.cu\", 1, 2\n.section .debug_str\n{{\n$L__info_string0:\n.b8 95 // }}\n}}\n"
    );
    let reading = read(&text, FileId(0));
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let module = reading.module;
    assert_eq!(module.version, Some((9, 5)));
    let table = &module.variables[0];
    assert_eq!(table.init[..4], [1, 0, 0, 0]);
    assert_eq!(table.init[12..16], [3, 0, 0, 0]);
    assert_eq!(table.bytes, 24);
    assert_eq!(module.variables[2].relocations[0].addend, 4);
    let k = module.functions.iter().find(|f| f.name == "k").unwrap();
    assert_eq!(k.directive("reqnctapercluster").unwrap().values, [2, 1, 1]);
    assert_eq!(k.tables[0], [InstrId(4), InstrId(5)]);
    let line = module.lines[k.instructions[0].line.unwrap().0 as usize];
    assert_eq!((line.line, module.lines[line.inlined_at.unwrap().0 as usize].line), (14, 20));
    assert_eq!(module.file_name(1), Some("a.cu"));
    assert!(matches!(k.instructions[1].operands[1], Operand::Symbol(Symbol::Function(_), 0)));
}

#[test]
fn faults_are_told_with_their_place_and_the_rest_is_read() {
    let reading =
        body(".reg .b32 %r<2>;\nadd.s32 %r1, %r1, ];\nmov.b32 %r1, %x;\nfrobnicate.b32 %r1;\nexit;");
    let levels: Vec<Level> = reading.diagnostics.iter().map(|d| d.level).collect();
    assert_eq!(levels, [Level::Error, Level::Note, Level::Error]);
    assert!(reading.diagnostics[2].message.contains("%x"));
    let function = &reading.module.functions[0];
    assert_eq!(function.instructions.len(), 3);
    assert_eq!(reading.module.opcode(&function.instructions[2]).unwrap().row.unwrap().op, Op::Exit);
}

#[test]
fn a_target_without_the_instruction_is_told() {
    let text = ".version 9.5\n.target sm_120a\n.visible .entry k()\n{\ntcgen05.wait::ld.sync.aligned;\n}\n";
    let reading = read(text, FileId(0));
    assert_eq!(reading.diagnostics.len(), 1);
    assert!(reading.diagnostics[0].message.contains("sm_120a"));
}

#[test]
fn hostile_nesting_and_sizes_end_in_words() {
    for (open, close) in [("{", "}"), ("(", ")"), ("[", "]"), ("-", ""), ("!", "")] {
        let deep = format!("mov.b32 %r1, {}1{};", open.repeat(100_000), close.repeat(100_000));
        assert!(!body(&format!(".reg .b32 %r<2>;\n{deep}")).diagnostics.is_empty());
    }
    assert!(body(&"{".repeat(100_000)).diagnostics.iter().any(|d| d.level == Level::Error));
    let reading = body(".reg .b32 %r<999999999999>; mov.b32 %r123456789012, 0;");
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    assert_eq!(reading.module.functions[0].registers.len(), 1);
    let huge = format!(
        "{HEAD}.global .b8 a[4294967296][4294967296];\n.global .b8 b[2][1000000000] = {{{{1}},{{1}}}};"
    );
    assert_eq!(read(&huge, FileId(0)).diagnostics.len(), 2);
}

proptest! {
    #[test]
    fn any_text_is_survived(text in "\\PC{0,400}") {
        let _ = read(&text, FileId(0));
    }

    #[test]
    fn damaged_kernels_are_survived(
        which in any::<prop::sample::Index>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, "[ -~]{0,6}"), 1..8),
    ) {
        let kernels = kernels();
        let path = &kernels[which.index(kernels.len())];
        let mut text = fs::read_to_string(path).unwrap();
        text.truncate(12_000);
        for (at, len, insert) in cuts {
            let start = at.index(text.len() + 1);
            let end = (start + len).min(text.len());
            text.replace_range(start..end, &insert);
        }
        let reading = read(&text, FileId(0));
        for function in &reading.module.functions {
            for instruction in &function.instructions {
                prop_assert!((instruction.span.end as usize) <= text.len());
            }
        }
    }
}
