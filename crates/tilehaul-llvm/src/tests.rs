use proptest::prelude::*;
use tilehaul_diag::Level;

use super::*;

const FILES: &[(&str, &str)] = &[
    ("async_new.ll", include_str!("../../../cases/llvm/async_new.ll")),
    ("bar.ll", include_str!("../../../cases/llvm/bar.ll")),
    ("big.ll", include_str!("../../../cases/llvm/big.ll")),
    ("dsbar.ll", include_str!("../../../cases/llvm/dsbar.ll")),
    ("g1250_new.ll", include_str!("../../../cases/llvm/g1250_new.ll")),
    ("g1250_old.ll", include_str!("../../../cases/llvm/g1250_old.ll")),
    ("mix.ll", include_str!("../../../cases/llvm/mix.ll")),
    ("ovf.ll", include_str!("../../../cases/llvm/ovf.ll")),
    ("p7.ll", include_str!("../../../cases/llvm/p7.ll")),
    ("sync.ll", include_str!("../../../cases/llvm/sync.ll")),
    ("waves.ll", include_str!("../../../cases/llvm/waves.ll")),
    ("war.ll", include_str!("../../../cases/llvm/war.ll")),
    ("golden.ll", include_str!("../../../cases/llvm/golden.ll")),
    ("refused.ll", include_str!("../../../cases/llvm/refused.ll")),
];

fn file(name: &str) -> &'static str {
    FILES.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("no {name}")).1
}

fn function<'r>(report: &'r LlvmReport, name: &str) -> &'r FunctionReport {
    report.functions.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no @{name}"))
}

fn strings(v: &toml::Value) -> Vec<String> {
    v.as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect()
}

/// What a compiler selected, or that it refused, for every function and target of the folder.
#[test]
fn instructions_and_waits_are_those_that_compilers_select() {
    let oracle: toml::Value = toml::from_str(include_str!("../../../cases/llvm/oracle.toml")).unwrap();
    let answers = oracle["answer"].as_array().unwrap();
    assert!(answers.len() > 100);
    for answer in answers {
        let text = |key: &str| answer[key].as_str().unwrap();
        let (path, name, target) = (text("file"), text("function"), text("target"));
        let place = format!("{path} @{name} {target}");
        let report = check_llvm(file(path), target);
        let f = function(&report, name);
        let has = |code: &str| f.diagnostics.iter().any(|d| d.code.0 == code);
        if answer.get("refused").is_some() {
            assert!(has("llvm-not-selectable"), "{place}: the compiler refuses, and nothing says so");
            continue;
        }
        assert!(!has("llvm-not-selectable"), "{place}: {:?}", f.diagnostics);
        // An offset that does not fit is cut by the compiler; that is what the finding says.
        let cut = has("llvm-offset-range");
        let mut want = strings(&answer["instructions"]);
        let mut got: Vec<String> =
            f.operations.iter().map(|o| o.instruction.clone().unwrap_or_default()).collect();
        if cut {
            for text in want.iter_mut().chain(&mut got) {
                *text = text.split(' ').filter(|w| !w.starts_with("offset:")).collect::<Vec<_>>().join(" ");
            }
        }
        for text in &mut got {
            *text = text.split(' ').filter(|w| *w != "off").collect::<Vec<_>>().join(" ");
        }
        // Blocks may be laid out in another order than in the text.
        want.sort();
        got.sort();
        assert_eq!(got, want, "{place}");
        // gfx908 drains vmcnt at every barrier; where a drained path meets another one, LLVM waits for 0, which is more than
        // the marks ask for.
        if (target, name) == ("gfx908", "ring") {
            continue;
        }
        let waits: Vec<String> = f.waits.iter().flat_map(|w| w.instructions.clone()).collect();
        assert_eq!(waits, strings(&answer["waits"]), "{place}");
    }
}

#[test]
fn every_function_gets_its_verdict() {
    let file_of_verdicts: toml::Value =
        toml::from_str(include_str!("../../../cases/llvm/verdicts.toml")).unwrap();
    for case in file_of_verdicts["case"].as_array().unwrap() {
        let text = |key: &str| case[key].as_str().unwrap();
        for target in strings(&case["targets"]) {
            let place = format!("{} @{} {target}", text("file"), text("function"));
            let report = check_llvm(file(text("file")), &target);
            let f = function(&report, text("function"));
            let mut got: Vec<&str> =
                f.diagnostics.iter().filter(|d| d.level != Level::Note).map(|d| d.code.0).collect();
            got.sort_unstable();
            got.dedup();
            assert_eq!(got, strings(&case["codes"]), "{place}: {:#?}", f.diagnostics);
            for want in case.get("says").map(strings).unwrap_or_default() {
                assert!(
                    f.diagnostics
                        .iter()
                        .any(|d| d.message.contains(&want) || d.notes.iter().any(|n| n.contains(&want))),
                    "{place}: nothing says {want:?}: {:#?}",
                    f.diagnostics
                );
            }
        }
    }
}

#[test]
fn an_unknown_target_is_refused_with_the_known_ones() {
    let report = check_llvm("", "gfx77");
    assert_eq!(report.diagnostics[0].code.0, "llvm-target");
    assert!(report.diagnostics[0].fix.as_ref().unwrap().contains("gfx950"));
}

proptest! {
    #[test]
    fn any_text_is_checked(text in "\\PC{0,200}", target in 0usize..TARGETS.len()) {
        let _ = check_llvm(&text, TARGETS[target].name);
    }

    #[test]
    fn lines_in_any_order_are_checked(order in proptest::collection::vec(0usize..60, 0..60), which in 0usize..FILES.len(), target in 0usize..TARGETS.len()) {
        let lines: Vec<&str> = FILES[which].1.lines().collect();
        let mixed: Vec<&str> = order.iter().filter_map(|&i| lines.get(i).copied()).collect();
        let _ = check_llvm(&mixed.join("\n"), TARGETS[target].name);
    }
}
