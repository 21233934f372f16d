use super::*;

fn dwords(text: &str) -> Vec<u32> {
    match parse(text.as_bytes()) {
        Ok(words) => words.dwords(),
        Err(error) => panic!("{text}: {error}"),
    }
}

/// One descriptor group in every spelling that people paste; all give the same four words.
#[test]
fn every_spelling_gives_the_same_words() {
    let want = [0x0000_0001, 0x0000_8000, 0x1234_5678, 0x8000_7f00];
    let spellings = [
        "0x00000001 0x00008000 0x12345678 0x80007f00",
        "0x1, 0x8000, 0x12345678, 0x80007f00",
        "1, 32768, 305419896, 2147516160",
        "1, 0x8000, 305419896, 0x80007f00",
        "{0x1u, 0x8000u, 0x12345678UL, 0x80007f00u}",
        "00000001 00008000 12345678 80007f00",
        "0000800000000001 80007f0012345678",
        "0x0000800000000001, 0x80007f0012345678",
        "01000000008000007856341200 7f0080",
        "0100000000800000785634 12007f0080",
        "010000000080000078563412007f0080",
        "0x80007f00123456780000800000000001",
        "01 00 00 00 00 80 00 00 78 56 34 12 00 7f 00 80",
        "0x01 0x00 0x00 0x00 0x00 0x80 0x00 0x00 0x78 0x56 0x34 0x12 0x00 0x7f 0x00 0x80",
        "0x0001 0x0000 0x8000 0x0000 0x5678 0x1234 0x7f00 0x8000",
        "s[4:7] = {0x1, 0x8000, 0x12345678, 0x80007f00}",
        "s[4:7]: 00000001 00008000 12345678 80007f00",
        "s4 = 0x1\ns5 = 0x8000\ns6 = 0x12345678\ns7 = 0x80007f00\n",
        "s4             0x1                 1\ns5             0x8000              32768\n\
         s6             0x12345678          305419896\ns7             0x80007f00          -2147451136\n",
        "s7: 0x80007f00\ns6: 0x12345678\ns5: 0x8000\ns4: 0x1\n",
        "0x7fffffffe0c0:\t0x00000001\t0x00008000\t0x12345678\t0x80007f00",
        "0x7fffffffe0c0 <desc>:\t0x0000800000000001\t0x80007f0012345678",
        "0x7fffffffe0c0 <desc+16>:\t0x00000001\t0x00008000\n0x7fffffffe0c8 <desc+24>:\t0x12345678\t0x80007f00",
        "(gdb) x/4xw &desc\n0x7fffffffe0c0:\t0x00000001\t0x00008000\t0x12345678\t0x80007f00",
        "0x16fdff2a8: 01 00 00 00 00 80 00 00 78 56 34 12 00 7f 00 80  ........xV4.....",
        "00000000  01 00 00 00 00 80 00 00  78 56 34 12 00 7f 00 80  |........xV4.....|\n00000010\n",
        "00000000: 0100 0000 0080 0000 7856 3412 007f 0080  ........xV4.....",
        "uint32_t g0[4] = {0x1, 0x8000, 0x12345678, 0x80007f00}; // group 0",
        "const unsigned int g0[] = {1, 0x8000, /* address */ 0x12345678, 0x80007f00};",
        "g0[0] = 0x1; g0[1] = 0x8000; g0[2] = 0x12345678; g0[3] = 0x80007f00;",
        "let g0: [u32; 4] = [0x1, 0x8000, 0x1234_5678, 0x8000_7f00];",
        "[1, 32768, 305419896, 2147516160]",
        "np.array([1, 32768, 305419896, 2147516160], dtype=np.uint32)",
        "b'\\x01\\x00\\x00\\x00\\x00\\x80\\x00\\x00xV4\\x12\\x00\\x7f\\x00\\x80'",
        "bytes.fromhex('010000000080000078563412007f0080')",
        "$1 = {opaque = {0x0000800000000001, 0x80007f0012345678}}",
        "1 32768 305419896 -2147451136",
    ];
    for text in spellings {
        assert_eq!(dwords(text), want, "{text}");
    }
}

#[test]
fn gdb_repeats_are_spelled_out() {
    let words = parse(b"$1 = {opaque = {0x7f0000001000, 0 <repeats 15 times>}}").unwrap();
    assert_eq!(words.bytes.len(), 128);
    assert_eq!(words.dwords()[..3], [0x1000, 0x7f00, 0]);
}

#[test]
fn a_binary_file_is_its_bytes() {
    let mut file = vec![0u8; 128];
    file[0] = 7;
    let words = parse(&file).unwrap();
    assert_eq!((words.dwords().len(), words.dwords()[0]), (32, 7));
}

#[test]
fn errors_name_the_place() {
    let error = parse(b"0x1 0x2\n0x3 zebra").unwrap_err();
    assert_eq!(error.place, Some((2, 5)));
    assert!(error.to_string().contains("`zebra` is not a number"), "{error}");
    assert!(parse(b"").is_err());
    assert!(parse(b"0x1ffffffffffffffff 0xg").is_err());
}

#[test]
fn lengths_and_bits_decide_the_kind() {
    let kind = |words: &[u32], target| {
        let bytes = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        guess(&Words { bytes, ..Words::default() }, target).map(|g| g.kind)
    };
    assert_eq!(kind(&[0; 32], None), Ok(Kind::Tma));
    assert_eq!(kind(&[0; 12], None), Ok(Kind::Tdm));
    assert_eq!(kind(&[0; 20], None), Ok(Kind::Tdm));
    assert_eq!(kind(&[1, 0x8000, 0, 0x8000_7f00], None), Ok(Kind::Tdm));
    assert_eq!(kind(&[0x1000, 0x0004_7f00, 4096, 0x0002_7fac], None), Ok(Kind::Vbuf));
    // init(1): both counts stored as 2^20 - 1.
    assert_eq!(kind(&[0x001f_fffe, 0x7fff_f800], None), Ok(Kind::Mbarrier));
    // 128B swizzle, stride 1024 B, leading 16 B: Hopper; the same with the constant: Blackwell.
    assert_eq!(kind(&[0x0001_0100, 0x4000_0040], None), Ok(Kind::Wgmma));
    assert_eq!(kind(&[0x0001_0100, 0x4000_4040], None), Ok(Kind::Tcgen05));
    assert_eq!(kind(&[0xe000_0001, 1], None), Ok(Kind::LdsBarrier));
    assert_eq!(kind(&[0, 0], Some("gfx1250")), Ok(Kind::LdsBarrier));
    assert!(kind(&[0; 7], None).is_err());
}

/// Files of pasted text: the first entry is hex bytes, all others are what tools print of the same bytes.
#[test]
fn what_tools_print_is_read_as_the_same_bytes() {
    for (file, text, least) in [
        ("tensor-map.txt", include_str!("../../../../cases/words/tensor-map.txt"), 90),
        ("d-sharp.txt", include_str!("../../../../cases/words/d-sharp.txt"), 70),
    ] {
        let entries: Vec<(&str, &str)> =
            text.split("### ").skip(1).filter_map(|entry| entry.split_once('\n')).collect();
        assert!(entries.len() >= least, "{file} has {} entries", entries.len());
        let want = parse(entries[0].1.as_bytes()).unwrap().bytes;
        let wrong: Vec<String> = entries
            .iter()
            .filter_map(|(name, pasted)| match parse(pasted.as_bytes()) {
                Ok(words) if words.bytes == want => None,
                Ok(words) => Some(format!("{name}: {} {:02x?}", words.reading, words.bytes)),
                Err(error) => Some(format!("{name}: {error}")),
            })
            .collect();
        assert!(wrong.is_empty(), "{file}\n{}", wrong.join("\n"));
    }
}

#[test]
fn what_is_no_list_of_words_is_told() {
    for (text, want) in [
        ("tensor([0.5000, 1.2500])", "`0.` is a floating-point number"),
        ("[0 0 0 ... 0 0 0]", "`...` stands for numbers that were left out"),
        ("00000000  01 00 00 00\n*\nffffff00\n", "far more than any descriptor"),
    ] {
        let told = parse(text.as_bytes()).unwrap_err().to_string();
        assert!(told.contains(want), "{text}: {told}");
    }
    let told = |bytes: usize| {
        guess(&Words { bytes: vec![0; bytes], reading: format!("{bytes} bytes"), ..Words::default() }, None)
            .unwrap_err()
    };
    assert!(told(127).starts_with("127 bytes are no descriptor: a CUtensorMap has 128"), "{}", told(127));
    assert!(told(256).contains("these may be 2 CUtensorMaps"), "{}", told(256));
}

mod hostile {
    use super::super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_get_an_answer(input in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = parse(&input);
        }

        #[test]
        fn any_text_of_the_alphabet_gets_an_answer(input in "[0-9a-fx \\[\\]{}:=<>,;#/*'\"\\\\su|\n-]{0,200}") {
            let _ = parse(input.as_bytes());
        }

        #[test]
        fn hex_words_survive(words in proptest::collection::vec(any::<u32>(), 2..32)) {
            let hex: Vec<String> = words.iter().map(|w| format!("{w:#010x}")).collect();
            prop_assert_eq!(parse(hex.join(", ").as_bytes()).map(|w| w.dwords()), Ok(words.clone()));
            let bare: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
            prop_assert_eq!(parse(bare.join(" ").as_bytes()).map(|w| w.dwords()), Ok(words.clone()));
            let long: String = words.iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:02x}")).collect();
            if long.len() > 20 {
                prop_assert_eq!(parse(long.as_bytes()).map(|w| w.dwords()), Ok(words));
            }
        }
    }
}
