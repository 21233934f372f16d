//! Any text as the operand of an apply, as a pipeline of views, and as an expression of lane addresses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul_layout::apply::{Context, Instruction, Scope, apply, operand, pipeline};
use tilehaul_layout::banks::pattern::Expression;

fuzz_target!(|text: &str| {
    if let Ok(expression) = Expression::parse(text, &["lane"]) {
        let _ = expression.addresses(64);
    }
    let _ = pipeline(text, None);
    let (first, second) = text.split_once('\n').unwrap_or((text, ""));
    let mut names = Vec::new();
    let operands = [first, second].map(|t| operand(t, &[("j", 3)], &mut names));
    if let [Ok(a), Ok(b)] = operands {
        let context = Context::all(Scope::Warpgroup, 128);
        for name in ["tcgen05.ld.32x32b.x8", "tcgen05.st.16x64b.x2.unpack::16b", "tcgen05.cp.32x128b.warpx4"]
        {
            if let Ok(instruction) = Instruction::parse(name) {
                let _ = apply(&instruction, &context, &[a.clone(), b.clone()], None, 512);
            }
        }
    }
});
