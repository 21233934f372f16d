use proptest::prelude::*;
use tilehaul_diag::FileId;

use super::*;

const TEXT: &str = r#"
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [4096 x i32] poison, align 16
define amdgpu_kernel void @k(ptr addrspace(1) inreg %p, ptr addrspace(3) %lp, <4 x i32> inreg %r) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x() ; lane
  %g = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %t
  %c = icmp eq i32 %t, 0
  br i1 %c, label %a, label %"b c"
a:
  tail call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) @lds, i32 4, i32 -16, i32 0), !nontemporal !0
  br label %m
"b c":
  %x = load volatile <4 x i32>, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 16), align 16
  switch i32 %t, label %m [
    i32 0, label %a
    i32 1, label %m
  ]
m:
  %y = phi i32 [ 0, %a ], [ 7, %"b c" ]
  fence syncscope("workgroup") release
  call void @td(<4 x i32> <i32 1, i32 %y, i32 0, i32 -2147483648>, <8 x i32> zeroinitializer)
  ret void
}
attributes #0 = { nounwind "amdgpu-flat-work-group-size"="64,64" }
!0 = !{i32 1}
"#;

#[test]
fn a_function_is_read_with_blocks_calls_and_attributes() {
    let module = parse(TEXT, FileId(0));
    assert_eq!(module.triple, "amdgcn-amd-amdhsa");
    assert_eq!(module.globals[0].ty.bytes(), Some(16384));
    assert_eq!(module.globals[0].address_space, LDS);
    let f = &module.functions[0];
    assert!(f.kernel && f.params.len() == 3 && f.params[0].inreg && !f.params[1].inreg);
    assert_eq!(f.attribute("amdgpu-flat-work-group-size"), Some("64,64"));
    let labels: Vec<&str> = f.blocks.iter().map(|b| b.label.as_str()).collect();
    assert_eq!(labels, ["entry", "a", "b c", "m"]);
    let next: Vec<Vec<usize>> = f.blocks.iter().map(|b| b.successors.iter().map(|s| s.0).collect()).collect();
    assert_eq!(next, [vec![1, 2], vec![3], vec![3, 1], vec![]]);
    let Op::Call { callee, args, .. } = &f.blocks[1].insts[0].op else { panic!("no call") };
    assert_eq!(callee.as_deref(), Some("llvm.amdgcn.global.load.lds"));
    assert_eq!(args.len(), 5);
    assert_eq!(args[3].value, Value::Int(-16));
    assert_eq!(&TEXT[args[3].span.start as usize..args[3].span.end as usize], "i32 -16");
    assert!(f.blocks[1].insts[0].nontemporal);
    assert!(f.blocks[2].insts[0].volatile);
    let Op::Load { pointer, .. } = &f.blocks[2].insts[0].op else { panic!("no load") };
    assert_eq!(pointer.value, Value::Address { global: "lds".to_owned(), offset: 16 });
    let Op::Fence { scope, ordering } = &f.blocks[3].insts[1].op else { panic!("no fence") };
    assert_eq!((scope.as_str(), ordering.as_str()), ("workgroup", "release"));
    let Op::Call { args, .. } = &f.blocks[3].insts[2].op else { panic!("no call") };
    assert!(matches!(&args[0].value, Value::Vector(v) if v.len() == 4 && v[3] == Value::Int(-2147483648)));
    assert_eq!(args[1].value, Value::Zero);
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        let _ = parse(&text, FileId(0));
    }

    #[test]
    fn pieces_of_a_module_are_read(cuts in proptest::collection::vec(0usize..TEXT.len(), 2), swap: char) {
        let (from, to) = (cuts[0].min(cuts[1]), cuts[0].max(cuts[1]));
        if let (Some(head), Some(tail)) = (TEXT.get(..from), TEXT.get(to..)) {
            let _ = parse(&format!("{head}{swap}{tail}"), FileId(0));
        }
    }
}
