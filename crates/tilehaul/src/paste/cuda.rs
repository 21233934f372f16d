//! `cuTensorMapEncodeTiled` and its relatives, as they stand in somebody's host code.
//!
//! Arguments are positions of cuda.h. What the fragment does not define gets a harmless stand-in, which is told; rules about it
//! cannot be checked then. Messages use cuda.h's own argument names.

use std::ops::Range;

use tilehaul_descriptor::nvidia::{
    Architecture, Context, DataType, EncodeIm2col, EncodeIm2colWide, EncodeTiled, Interleave, L2Promotion,
    Lists, Naming, OobFill, Swizzle, TensorMap, tensor_map,
};
use tilehaul_diag::{Code, Diagnostic, Level, Source, Span};

use super::Recognised;
use super::source::{Fragment, Value};
use crate::explain::{Explained, map_picture};
use crate::words::Kind;

/// An address that satisfies every alignment, for pointers that the text does not show.
const STAND_IN_ADDRESS: u64 = 0x7f00_0000_0000;

/// What every enumerator of the encode calls begins with.
const ENUMERATORS: &str = "CU_TENSOR_MAP_";

const ARRAY_TYPE: Code = Code("cuda-array-type");
const BRACED: Code = Code("cuda-braced-argument");
const ARGUMENTS: Code = Code("cuda-encode-arguments");

/// Whether it is worth reading the text as source.
pub(super) fn mentions(text: &str) -> bool {
    text.contains("TensorMapEncode") || text.contains(ENUMERATORS)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Tiled,
    Im2col,
    Im2colWide,
}

impl Call {
    fn of(name: &str) -> Option<Call> {
        let last = name.rsplit("::").next().unwrap_or(name);
        // Wrappers loaded through cudaGetDriverEntryPoint are called `cuTensorMapEncodeTiled_`, `encode_tiled` …
        if last.contains("TensorMapEncodeIm2colWide") {
            Some(Call::Im2colWide)
        } else if last.contains("TensorMapEncodeIm2col") {
            Some(Call::Im2col)
        } else if last.contains("TensorMapEncodeTiled") {
            Some(Call::Tiled)
        } else {
            None
        }
    }

    /// The call that takes this many arguments, for calls through a pointer of any name.
    fn with_arguments(count: usize) -> Option<Call> {
        [Call::Tiled, Call::Im2col, Call::Im2colWide].into_iter().find(|c| c.parameters().len() == count)
    }

    fn name(self) -> &'static str {
        match self {
            Call::Tiled => "cuTensorMapEncodeTiled",
            Call::Im2col => "cuTensorMapEncodeIm2col",
            Call::Im2colWide => "cuTensorMapEncodeIm2colWide",
        }
    }

    /// manual: cuda.h, parameter lists of the three calls.
    fn parameters(self) -> &'static [&'static str] {
        match self {
            Call::Tiled => &[
                "tensorMap",
                "tensorDataType",
                "tensorRank",
                "globalAddress",
                "globalDim",
                "globalStrides",
                "boxDim",
                "elementStrides",
                "interleave",
                "swizzle",
                "l2Promotion",
                "oobFill",
            ],
            Call::Im2col => &[
                "tensorMap",
                "tensorDataType",
                "tensorRank",
                "globalAddress",
                "globalDim",
                "globalStrides",
                "pixelBoxLowerCorner",
                "pixelBoxUpperCorner",
                "channelsPerPixel",
                "pixelsPerColumn",
                "elementStrides",
                "interleave",
                "swizzle",
                "l2Promotion",
                "oobFill",
            ],
            Call::Im2colWide => &[
                "tensorMap",
                "tensorDataType",
                "tensorRank",
                "globalAddress",
                "globalDim",
                "globalStrides",
                "pixelBoxLowerCornerWidth",
                "pixelBoxUpperCornerWidth",
                "channelsPerPixel",
                "pixelsPerColumn",
                "elementStrides",
                "interleave",
                "mode",
                "swizzle",
                "l2Promotion",
                "oobFill",
            ],
        }
    }
}

/// Every encode call of a fragment.
pub(super) fn encode_calls(fragment: &Fragment, target: Option<&str>) -> Vec<Recognised> {
    let mut calls = fragment.calls(|name| Call::of(name).is_some());
    // `encode_fn(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, …)`: whatever the pointer is called, the enumerators tell.
    for found in fragment.calls_with(|name| name.rsplit("::").next().unwrap_or(name).starts_with(ENUMERATORS))
    {
        if calls.iter().all(|(open, _)| *open != found.0) {
            calls.push(found);
        }
    }
    calls.sort_by_key(|(open, _)| *open);
    calls
        .into_iter()
        .filter_map(|(open, name)| {
            let arguments: Vec<Range<usize>> =
                fragment.arguments(open).into_iter().map(|(_, range)| range).collect();
            let call = Call::of(&name).or_else(|| Call::with_arguments(arguments.len()))?;
            // A declaration or a macro around the call has other numbers of arguments; only near misses are worth words.
            let wanted = call.parameters().len();
            if arguments.len() == wanted {
                return Some(Reading::new(fragment, call, arguments).read(target));
            }
            (arguments.len() + 2 >= wanted && arguments.len() <= wanted + 2).then(|| {
                let told = Diagnostic::new(
                    ARGUMENTS,
                    Level::Error,
                    format!("{} takes {wanted} arguments, {} are given", call.name(), arguments.len()),
                )
                .at(fragment.span(open..open + 1), "")
                .fix(format!("the arguments are {}", call.parameters().join(", ")))
                .source(Source::manual("cuda.h"));
                Recognised {
                    title: format!("{} call", call.name()),
                    explained: None,
                    assumptions: Vec::new(),
                    diagnostics: vec![told],
                }
            })
        })
        .collect()
}

struct Reading<'a> {
    fragment: &'a Fragment,
    call: Call,
    arguments: Vec<Range<usize>>,
    assumptions: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Reading<'a> {
    fn new(fragment: &'a Fragment, call: Call, arguments: Vec<Range<usize>>) -> Reading<'a> {
        Reading { fragment, call, arguments, assumptions: Vec::new(), diagnostics: Vec::new() }
    }

    fn read(mut self, target: Option<&str>) -> Recognised {
        let data_type =
            self.mode("tensorDataType", |n| DataType::parse(n).map(DataType::code), DataType::Float16.code());
        let rank = self.rank();
        let element = DataType::from_code(data_type).map(DataType::element);
        let address = self.address();
        let dims = self.list("globalDim", rank, |_| 1 << 16, "65536 in every dimension");
        let mut packed = element.map_or(2, |e| e.global_bytes(dims.first().copied().unwrap_or(1)));
        let mut default_strides = Vec::new();
        for &extent in dims.iter().skip(1) {
            packed = packed.next_multiple_of(32);
            default_strides.push(packed);
            packed = packed.saturating_mul(extent);
        }
        let strides = self.list(
            "globalStrides",
            rank.saturating_sub(1),
            |i| default_strides.get(i).copied().unwrap_or(32),
            "rows without gaps, rounded up to 32 bytes",
        );
        let element_strides = self.list("elementStrides", rank, |_| 1, "1 in every dimension");
        let interleave = self.mode("interleave", |n| Interleave::parse(n).map(Interleave::code), 0);
        let swizzle = self.mode("swizzle", |n| Swizzle::parse(n).map(Swizzle::code), 0);
        let l2_promotion = self.mode("l2Promotion", |n| L2Promotion::parse(n).map(L2Promotion::code), 0);
        let oob_fill = self.mode("oobFill", |n| OobFill::parse(n).map(OobFill::code), 0);
        let context = Context {
            architecture: target.and_then(Architecture::parse).unwrap_or(Architecture::SM_90A),
            naming: Naming::Cuda,
            lists: Lists::Arrays,
        };
        let rank_code = u32::try_from(rank).unwrap_or(u32::MAX);
        let (map, diagnostics) = if self.call == Call::Tiled {
            let inner = element.map_or(8, |e| 128 / u64::from(e.bits().max(1)));
            let box_dims = self.list(
                "boxDim",
                rank,
                |i| if i == 0 { inner } else { 1 },
                "16 bytes in dimension 0 and 1 above",
            );
            let arguments = EncodeTiled {
                data_type,
                rank: rank_code,
                address,
                dims,
                strides,
                box_dims,
                element_strides,
                interleave,
                swizzle,
                l2_promotion,
                oob_fill,
                alloc_bytes: None,
            };
            (arguments.map(&context), arguments.diagnose(&context))
        } else {
            let corners = rank.saturating_sub(2);
            let (lower_name, upper_name) = match self.call {
                Call::Im2colWide => ("pixelBoxLowerCornerWidth", "pixelBoxUpperCornerWidth"),
                Call::Tiled | Call::Im2col => ("pixelBoxLowerCorner", "pixelBoxUpperCorner"),
            };
            let wide = self.call == Call::Im2colWide;
            let corner_count = if wide { 1 } else { corners };
            let lower_corner = self.signed_list(lower_name, corner_count);
            let upper_corner = self.signed_list(upper_name, corner_count);
            let channels = self.list("channelsPerPixel", 1, |_| 16, "16");
            let pixels = self.list("pixelsPerColumn", 1, |_| 1, "1");
            let ordinary = EncodeIm2col {
                data_type,
                rank: rank_code,
                address,
                dims,
                strides,
                lower_corner,
                upper_corner,
                channels_per_pixel: channels.first().copied().unwrap_or(0),
                pixels_per_column: pixels.first().copied().unwrap_or(0),
                element_strides,
                interleave,
                swizzle,
                l2_promotion,
                oob_fill,
                alloc_bytes: None,
            };
            if wide {
                let mode = self.mode("mode", |n| Some(u32::from(n.ends_with("W128"))), 0);
                let arguments = EncodeIm2colWide { ordinary, mode };
                (arguments.map(&context), arguments.diagnose(&context))
            } else {
                (ordinary.map(&context), ordinary.diagnose(&context))
            }
        };
        self.finish(map.ok(), diagnostics, &context)
    }

    fn finish(
        mut self,
        map: Option<TensorMap>,
        diagnostics: Vec<Diagnostic>,
        context: &Context,
    ) -> Recognised {
        let explained = map.map(|map| {
            let mut part = tensor_map::explain_map(&map, None, context);
            let mut diagnostics = diagnostics.clone();
            for hint in std::mem::take(&mut part.diagnostics) {
                if !diagnostics.iter().any(|d| d.message == hint.message) {
                    diagnostics.push(hint);
                }
            }
            Explained {
                kind: Kind::Tma,
                guess: None,
                reading: String::new(),
                notes: Vec::new(),
                parts: vec![part],
                diagnostics,
                // A picture of stand-ins would show nothing.
                tile: map_picture(&map, &[])
                    .filter(|_| self.assumptions.iter().all(|a| a.starts_with("globalAddress"))),
                swizzle: Some(map.swizzle).filter(|&s| s != Swizzle::None),
            }
        });
        if explained.is_none() {
            let placed = diagnostics.into_iter().map(|d| match self.place_of(&d.message) {
                Some(span) => d.at(span, ""),
                None => d,
            });
            let placed: Vec<Diagnostic> = placed.collect();
            self.diagnostics.extend(placed);
        }
        Recognised {
            title: format!("{} call", self.call.name()),
            explained,
            assumptions: self.assumptions,
            diagnostics: self.diagnostics,
        }
    }

    /// The argument that a message speaks of first: `boxDim[0] = 48 …`.
    fn place_of(&self, message: &str) -> Option<Span> {
        let names = self.call.parameters().iter().enumerate();
        let (at, index) = names.filter_map(|(i, name)| Some((message.find(name)?, i))).min()?;
        let _ = at;
        self.arguments.get(index).map(|range| self.fragment.span(range.clone()))
    }

    fn range(&self, parameter: &str) -> Option<Range<usize>> {
        let index = self.call.parameters().iter().position(|p| *p == parameter)?;
        self.arguments.get(index).cloned()
    }

    fn value(&self, parameter: &str) -> Value {
        self.range(parameter).map_or(Value::Unknown, |range| self.fragment.value(range))
    }

    fn assume(&mut self, parameter: &str, value: &Value, stand_in: &str) {
        let mut names = Vec::new();
        value.unknown(&mut names);
        let what = if names.is_empty() {
            "not a constant here".to_owned()
        } else {
            format!("`{}` is not in the text", names.join("`, `"))
        };
        self.assumptions.push(format!("{parameter}: {what}; taken as {stand_in}"));
    }

    fn mode(&mut self, parameter: &str, parse: impl Fn(&str) -> Option<u32>, default: u32) -> u32 {
        let value = self.value(parameter);
        let code = match &value {
            Value::Name(name) => parse(name.rsplit("::").next().unwrap_or(name)),
            // A cast number: the driver's code, legal or not.
            Value::Int(code) => Some(u32::try_from(*code).unwrap_or(u32::MAX)),
            Value::List(_) | Value::Unknown => None,
        };
        code.unwrap_or_else(|| {
            let shown = if parameter == "tensorDataType" { "FLOAT16" } else { "NONE" };
            self.assume(parameter, &value, shown);
            default
        })
    }

    fn rank(&mut self) -> usize {
        let value = self.value("tensorRank");
        if let Some(rank) = value.int() {
            // Ranks beyond the limit are refused by name; lists are not made that long.
            return usize::try_from(rank).unwrap_or(0).min(64);
        }
        let lists = ["globalDim", "boxDim", "elementStrides"];
        let rank = lists.iter().find_map(|name| self.value(name).ints().map(|l| l.len())).unwrap_or(2);
        self.assume("tensorRank", &value, &rank.to_string());
        rank
    }

    fn address(&mut self) -> u64 {
        let value = self.value("globalAddress");
        match value.int().and_then(|i| u64::try_from(i).ok()) {
            Some(address) => address,
            None => {
                self.assume("globalAddress", &value, "well aligned");
                STAND_IN_ADDRESS
            }
        }
    }

    fn list(
        &mut self,
        parameter: &str,
        length: usize,
        stand_in: impl Fn(usize) -> u64,
        words: &str,
    ) -> Vec<u64> {
        let value = self.value(parameter);
        self.braced(parameter, &value);
        self.array_type(parameter);
        let given = match &value {
            Value::Int(i) => vec![Value::Int(*i)],
            Value::List(list) => list.clone(),
            Value::Name(_) | Value::Unknown => Vec::new(),
        };
        let known = |v: &Value| v.int().map(|i| u64::try_from(i).unwrap_or(u64::MAX));
        let missing = given.is_empty() || given.iter().take(length).any(|v| known(v).is_none());
        if missing && length > 0 {
            self.assume(parameter, &value, words);
        }
        let mut out: Vec<u64> =
            given.iter().enumerate().map(|(i, v)| known(v).unwrap_or_else(|| stand_in(i))).collect();
        while out.len() < length {
            out.push(stand_in(out.len()));
        }
        out
    }

    fn signed_list(&mut self, parameter: &str, length: usize) -> Vec<i64> {
        let value = self.value(parameter);
        self.braced(parameter, &value);
        match value.ints() {
            Some(list) if list.len() >= length => {
                list.into_iter().map(|i| i64::try_from(i).unwrap_or(i64::MAX)).collect()
            }
            _ => {
                self.assume(parameter, &value, "0");
                vec![0; length]
            }
        }
    }

    /// An array of `int` where 64-bit numbers are read: two of its elements become one.
    fn array_type(&mut self, parameter: &str) {
        let Some(range) = self.range(parameter) else { return };
        let Some((super::source::Token::Name(name), span)) = self.fragment.tokens.get(range.start) else {
            return;
        };
        let (wanted, bytes) = element_type(parameter);
        if range.len() != 1 {
            return;
        }
        if let Some((given, Some(size))) = self.fragment.array_type(name)
            && size != bytes
        {
            self.diagnostics.push(
                Diagnostic::new(
                    ARRAY_TYPE,
                    Level::Error,
                    format!("{parameter} is an array of {given} ({size} bytes each), and the call reads {wanted} ({bytes} bytes each)"),
                )
                .at(*span, "")
                .fix(format!("declare {name} as {wanted} {name}[]"))
                .source(Source::manual("cuda.h: the parameter is a pointer")),
            );
        }
    }

    /// `{1,1}` in the place of an argument is no C++ (seed text of many tutorials): an array must have a name.
    fn braced(&mut self, parameter: &str, value: &Value) {
        let Some(range) = self.range(parameter) else { return };
        let bare = matches!(value, Value::List(_))
            && matches!(self.fragment.tokens.get(range.start), Some((super::source::Token::Mark("{"), _)));
        if bare {
            self.diagnostics.push(
                Diagnostic::new(
                    BRACED,
                    Level::Error,
                    format!(
                        "{parameter} is a braced list, which C and C++ do not take for a pointer argument"
                    ),
                )
                .at(self.fragment.span(range), "")
                .fix(format!(
                    "name an array ({} {parameter}[] = {{..}};) and pass it",
                    element_type(parameter).0
                ))
                .source(Source::manual("cuda.h: the parameter is a pointer")),
            );
        }
    }
}

/// Element type of an array parameter, and its bytes. manual: cuda.h.
fn element_type(parameter: &str) -> (&'static str, i128) {
    match parameter {
        "globalDim" | "globalStrides" => ("cuuint64_t", 8),
        "pixelBoxLowerCorner" | "pixelBoxUpperCorner" => ("int", 4),
        _ => ("cuuint32_t", 4),
    }
}
