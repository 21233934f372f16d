use super::*;

/// The example of the documentation, with every key that it shows.
const RING: &str = r#"
kernel  = "tma_ring.ptx"
entry   = "tma_ring"
target  = "sm_90a"
grid    = [4, 1, 1]
block   = [128, 1, 1]
dynamic_shared = 49152
args = ["buf:a", "buf:c", { i32 = -256 }, { null = 8 }]

[buffer.a]
dtype = "f16"
shape = [4, 4]
init  = { random = { seed = 7, low = -1.0, high = 1.0 } }

[buffer.c]
dtype = "f16"
shape = [4, 4]
init  = "poison"
align = 16

[expect.c]
equals = "a"
rtol = 1e-3
"#;

fn messages(text: &str) -> Vec<String> {
    match LaunchFile::parse(text) {
        Ok(_) => Vec::new(),
        Err(found) => found
            .into_iter()
            .map(|d| match d.fix {
                Some(fix) => format!("{}; {fix}", d.message),
                None => d.message,
            })
            .collect(),
    }
}

#[test]
fn a_launch_becomes_bytes() {
    let launch = LaunchFile::parse(RING).unwrap();
    assert_eq!((launch.grid, launch.block, launch.cluster), ([4, 1, 1], [128, 1, 1], [1, 1, 1]));
    let prepared = launch.prepare(&PathBuf::from(".")).unwrap();
    let [a, c] = &prepared.buffers[..] else { panic!("two buffers") };
    assert_eq!((prepared.before("a").map(<[u8]>::len), a.defined, c.defined), (Some(32), true, false));
    assert_eq!(a.address % 256, 0);
    assert!(c.address > a.address + 32);
    let args: Vec<usize> = prepared.args.iter().map(|a| a.bytes.len()).collect();
    assert_eq!(args, [8, 8, 4, 8]);
    assert_eq!(prepared.args[2].bytes, (-256i32).to_le_bytes());
    assert_eq!(prepared.args[0].bytes, a.address.to_le_bytes());
}

#[test]
fn every_switch_of_tensor_operations_is_a_key() {
    let documented = include_str!("../../../../docs/launch-files.md");
    for switch in tilehaul_engine::tdm::SWITCHES {
        assert!(documented.contains(&format!("| `{}` |", switch.key)), "{} is documented", switch.key);
        for (value, _) in switch.values {
            assert!(documented.contains(&format!("`\"{value}\"`")), "{} = {value} is documented", switch.key);
            let launch = LaunchFile::parse(&format!("{RING}[amd]\n{} = \"{value}\"\n", switch.key)).unwrap();
            assert_eq!(switch.stands_at(&launch.amd.tdm), *value);
        }
    }
    let wrong = messages(&format!("{RING}[amd]\nstore_bounds = \"kept\"\n"));
    assert_eq!(wrong, ["`amd.store_bounds` must be one of \"drop\", \"ignored\""]);
}

#[test]
fn structs_are_laid_out_as_compilers_do() {
    let bytes = |args: &str| {
        let text = RING.replace("\"buf:a\", \"buf:c\", { i32 = -256 }, { null = 8 }", args);
        let prepared = LaunchFile::parse(&text).ok()?.prepare(&PathBuf::from(".")).ok()?;
        prepared.args.first().map(|a| a.bytes.clone())
    };
    let mixed = bytes(
        r#"{ struct = [{ i8 = 1 }, { struct = [{ i16 = 2 }, { i8 = 3 }] }, { i64 = 4 }, { hex = "05" }] }"#,
    );
    let mut wanted = vec![1, 0, 2, 0, 3, 0, 0, 0];
    wanted.extend(4u64.to_le_bytes());
    wanted.extend(5u64.to_le_bytes());
    assert_eq!(mixed, Some(wanted));
    assert_eq!(bytes("{ struct = [{ i8 = 1 }], align = 4 }"), Some(vec![1, 0, 0, 0]));
    assert_eq!(bytes(r#"{ hex = "0x0102, ff_00" }"#), Some(vec![1, 2, 255, 0]));
    for refused in [
        r#"{ hex = "012" }"#,
        r#"{ hex = "xy" }"#,
        "{ struct = 5 }",
        "{ struct = [], align = 3 }",
        r#"{ struct = ["b"] }"#,
    ] {
        assert_eq!(bytes(refused), None, "{refused}");
    }
    for (number, why) in [
        ("{ i32 = 100.5 }", "100.5 is not a whole number, and i32 holds whole numbers"),
        ("{ i32 = 5000000000 }", "5000000000 does not fit i32, which has 32 bits"),
        ("{ struct = [{ u8 = -129 }] }", "-129 does not fit u8, which has 8 bits"),
    ] {
        assert_eq!(messages(&RING.replace("{ i32 = -256 }", number)), [why]);
    }
    assert_eq!(bytes("{ i32 = 0xffffffff }"), Some(vec![255; 4]));
    let unknown = RING.replace("\"buf:a\",", "{ struct = [\"buf:z\"] },");
    assert!(messages(&unknown)[0].contains("there is no [buffer.z]"));
}

#[test]
fn expectations_are_compared() {
    let launch = LaunchFile::parse(RING).unwrap();
    let folder = PathBuf::from(".");
    let prepared = launch.prepare(&folder).unwrap();
    let mut got = prepared.before("a").unwrap().to_vec();
    let expect = &launch.expects[0];
    assert!(compare(expect, &prepared, &folder, &got).unwrap().holds());
    got[7] ^= 0x40;
    let outcome = compare(expect, &prepared, &folder, &got).unwrap();
    assert_eq!((outcome.differing, outcome.first[0].at.clone()), (1, vec![0, 3]));
    got[..16].fill(tilehaul_machine::POISON);
    let outcome = compare(expect, &prepared, &folder, &got).unwrap();
    assert_eq!((outcome.unwritten_count, outcome.unwritten, outcome.differing), (8, Some(vec![0, 0]), 0));
}

#[test]
fn every_mistake_is_told_at_once() {
    let text = RING.replace("grid ", "gird ").replace("\"f16\"", "\"f17\"").replace("buf:c", "buf:zzz");
    let found = messages(&text);
    assert!(
        found.iter().any(|m| m.contains("`gird` is not a key of a launch file; did you mean `grid`?")),
        "{found:?}"
    );
    assert!(found.iter().any(|m| m.contains("`f17` is no element type")), "{found:?}");
    let found = messages(&RING.replace("buf:c", "buf:zzz"));
    assert_eq!(found, ["there is no [buffer.zzz]; there are a, c"]);
}

#[test]
fn mistakes_one_by_one() {
    for (from, to, want) in [
        ("[4, 1, 1]", "[4, 0, 1]", "`grid` must be one to three numbers"),
        ("[4, 4]", "[4294967295, 4294967295]", "is more than 1073741824 bytes"),
        ("{ null = 8 }", "{ nil = 8 }", "argument 3 is not understood"),
        ("equals = \"a\"", "", "`expect.c` needs either equals or file"),
        ("init  = \"poison\"", "init  = \"poisn\"", "`buffer.c.init` is not understood"),
        ("align = 16", "align = 24", "must be a power of two"),
        ("shape = [4, 4]", "shap = [4, 4]", "`buffer.a.shap` is not a key"),
        ("kernel  = \"tma_ring.ptx\"", "", "names no kernel"),
        ("[buffer.a]", "[buffer.a", ""),
    ] {
        let found = messages(&RING.replace(from, to));
        assert!(!found.is_empty() && found.iter().any(|m| m.contains(want)), "{from} -> {to}: {found:?}");
    }
}

#[test]
fn missing_files_are_named() {
    let text = RING.replace("\"poison\"", "{ file = \"nowhere.npy\" }");
    let launch = LaunchFile::parse(&text).unwrap();
    let problem = launch.prepare(&PathBuf::from("no/such/folder")).unwrap_err();
    assert!(problem.to_string().contains("nowhere.npy"), "{problem}");
}

mod hostile {
    use super::super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_gets_an_answer(text in "[a-z0-9\\[\\]{}.=\"\n ,_-]{0,200}") {
            let _ = LaunchFile::parse(&text);
        }

        #[test]
        fn any_cut_of_a_launch_file_gets_an_answer(cut in 0usize..500, junk in "[ -~]{0,8}") {
            let mut text = super::RING.to_owned();
            let at = cut.min(text.len());
            if text.is_char_boundary(at) {
                text.insert_str(at, &junk);
            }
            let _ = LaunchFile::parse(&text);
        }
    }
}

#[test]
fn bytes_of_an_argument_are_pairs_of_digits_within_a_word() {
    let bytes = |hex: &str| {
        let text = RING.replace("{ null = 8 }", &format!("{{ hex = \"{hex}\" }}"));
        let launch = LaunchFile::parse(&text).map_err(|d| d[0].message.clone())?;
        match launch.args.last().map(|a| a.value.clone()) {
            Some(ArgValue::Bytes(bytes)) => Ok(bytes),
            other => Err(format!("{other:?}")),
        }
    };
    assert_eq!(bytes("00 1f"), Ok(vec![0, 0x1f]));
    assert_eq!(bytes("0x001f, 0xA0_ff"), Ok(vec![0, 0x1f, 0xa0, 0xff]));
    for glued in ["1 2", "0x1, 0x2", "123 4", "0x"] {
        let said = bytes(glued);
        assert!(glued == "0x" && said == Ok(Vec::new()) || said.is_err(), "{glued}: {said:?}");
    }
}

#[test]
fn a_missing_shape_is_told_with_all_other_mistakes() {
    let text = RING
        .replace("dtype = \"f16\"\nshape = [4, 4]\ninit  = \"poison\"", "dtype = \"f99\"\ninit = \"poison\"");
    let said = messages(&text);
    assert!(said.iter().any(|m| m.contains("`buffer.c.shape` is missing")), "{said:?}");
    assert!(said.iter().any(|m| m.contains("f99")), "{said:?}");
}

#[test]
fn expectations_that_say_nothing_are_mistakes() {
    let said = messages(&RING.replace("rtol = 1e-3", "rtol = -1.0"));
    assert_eq!(said, ["`expect.c.rtol` must not be negative"]);
    let said = messages(&RING.replace("equals = \"a\"", "equals = \"a\"\nfile = \"a.npy\""));
    assert_eq!(said, ["`expect.c` needs either equals or file, and has both"]);
    let said = messages(&RING.replace("shape = [4, 4]", "shape = [0]"));
    assert_eq!(said, ["[buffer.c] has no bytes: nothing would be compared"]);
}
