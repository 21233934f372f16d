use super::*;

fn value(text: &str, name: &str) -> Value {
    Fragment::new(text).named(name)
}

#[test]
fn names_that_lead_to_each_other_end() {
    assert_eq!(value("a = b + b; b = [a + a, a + a];", "a").int(), None);
}

#[test]
fn constants_are_followed() {
    let text = "#define N 512\nconst int M = 4096, K = M / 2; // columns\n\
                cuuint64_t size[2] = {(cuuint64_t)K, N};\n\
                cuuint64_t stride[1] = {K * sizeof(half)};\n\
                auto box = std::array<cuuint32_t, 2>{64, 1u << 6}; uint32_t e[2]{1, 1};";
    assert_eq!(value(text, "size").ints(), Some(vec![2048, 512]));
    assert_eq!(value(text, "stride").ints(), Some(vec![4096]));
    assert_eq!(value(text, "box").ints(), Some(vec![64, 64]));
    assert_eq!(value(text, "e").ints(), Some(vec![1, 1]));
    assert_eq!(value(text, "ptr"), Value::Name("ptr".to_owned()));
    assert_eq!(value("a = b; b = a;", "a"), Value::Name("a".to_owned()), "a circle ends");
}

#[test]
fn python_too() {
    let text = "M = 4096\nBLOCK: gl.constexpr = 128 // 2\nshape = (M, 64)\none = (BLOCK,)";
    assert_eq!(value(text, "shape").ints(), Some(vec![4096, 64]));
    assert_eq!(value(text, "one"), Value::List(vec![Value::Int(64)]));
}

#[test]
fn arguments_keep_keywords() {
    let fragment = Fragment::new("f(x, shape=[1, 2], g(3, 4))");
    let calls = fragment.calls(|n| n == "f");
    let arguments = fragment.arguments(calls[0].0);
    let keys: Vec<Option<&str>> = arguments.iter().map(|(k, _)| k.as_deref()).collect();
    assert_eq!(keys, [None, Some("shape"), None]);
    assert_eq!(fragment.value(arguments[1].1.clone()).ints(), Some(vec![1, 2]));
}

mod hostile {
    use super::super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_gets_an_answer(text in "[a-c=(){}\\[\\],;0-9+*/<>.&: \n#-]{0,160}") {
            let fragment = Fragment::new(&text);
            for name in ["a", "b", "c"] {
                let _ = fragment.named(name);
            }
            for (open, _) in fragment.calls(|_| true) {
                for (_, range) in fragment.arguments(open) {
                    let _ = fragment.value(range);
                }
            }
        }
    }
}
