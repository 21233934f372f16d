//! Arguments of a launch against the parameters of its kernel: how many, of which size, of which kind.
//!
//! May miss: two arguments of one size in the wrong order. Never complains about bytes that the kernel's own declaration
//! or metadata allows.

use tilehaul_diag::{Code, Diagnostic, Level, Span};
use tilehaul_gcn as gcn;
use tilehaul_isa::ptx::ast::Type;
use tilehaul_ptx as ptx;

use crate::launch::{ArgValue, LaunchFile, Prepared};

const CODE: Code = Code("launch-arguments");

/// A parameter of a kernel.
pub(super) struct Parameter {
    /// How the kernel names it.
    name: String,
    /// How the kernel writes its type.
    ty: String,
    bytes: u64,
    takes: Takes,
    /// Its declaration, where there is text.
    span: Option<Span>,
}

/// Which arguments a parameter takes, beside the size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Bytes of any meaning.
    Anything,
    /// An address.
    Address,
    /// A whole number or an address.
    Whole,
    /// A floating-point number.
    Float,
}

impl Parameter {
    /// Of a PTX entry.
    pub(super) fn of_ptx(spec: ptx::ParamSpec) -> Parameter {
        let array = spec.bytes != u64::from(spec.ty.bytes());
        let takes = match spec.ty {
            _ if array => Takes::Anything,
            Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::S8 | Type::S16 | Type::S32 | Type::S64 => {
                Takes::Whole
            }
            Type::F16 | Type::Bf16 | Type::F32 | Type::F64 => Takes::Float,
            _ => Takes::Anything,
        };
        let ty = format!("{:?}", spec.ty).to_lowercase();
        let ty = if array { format!(".{ty}[{}]", spec.bytes) } else { format!(".{ty}") };
        Parameter { name: spec.name, ty, bytes: spec.bytes, takes, span: Some(spec.span) }
    }

    /// Of an AMD kernel's metadata.
    pub(super) fn of_amd(spec: gcn::ParamSpec) -> Parameter {
        let takes = if spec.pointer { Takes::Address } else { Takes::Anything };
        let ty = if spec.pointer { "global_buffer" } else { "by_value" };
        Parameter { name: spec.name, ty: ty.to_owned(), bytes: spec.bytes.into(), takes, span: None }
    }
}

/// Everything about the arguments that does not fit.
pub(super) fn check(
    kernel: &str,
    parameters: &[Parameter],
    launch: &LaunchFile,
    prepared: &Prepared,
) -> Vec<Diagnostic> {
    if parameters.len() != launch.args.len() {
        let signature: Vec<String> =
            parameters.iter().map(|p| format!("{} ({}, {} bytes)", p.name, p.ty, p.bytes)).collect();
        let plural = if parameters.len() == 1 { "" } else { "s" };
        let message =
            format!("{kernel} takes {} argument{plural}; `args` has {}", parameters.len(), launch.args.len());
        let mut told = Diagnostic::new(CODE, Level::Error, message).at(launch.key("args"), "");
        if !signature.is_empty() {
            told = told.note(format!("its parameters are {}", signature.join(", ")));
        }
        return vec![told];
    }
    parameters
        .iter()
        .zip(&launch.args)
        .zip(&prepared.args)
        .enumerate()
        .filter_map(|(index, ((parameter, arg), laid_out))| {
            let given = laid_out.bytes.len() as u64;
            let (message, fix) = if given != parameter.bytes {
                let message = format!(
                    "argument {index} (`{}`) has {given} bytes and the parameter {} of {kernel} has {} ({})",
                    laid_out.name, parameter.name, parameter.bytes, parameter.ty
                );
                (message, size_fix(&arg.value, parameter))
            } else {
                let what = mismatch(&arg.value, parameter.takes)?;
                let message = format!(
                    "argument {index} (`{}`) is {what} and the parameter {} of {kernel} is {}",
                    laid_out.name, parameter.name, parameter.ty
                );
                (message, None)
            };
            let mut told = Diagnostic::new(CODE, Level::Error, message).at(arg.span, "");
            if let Some(span) = parameter.span {
                told = told.also(span, "declared here");
            }
            told.fix = fix.map(Into::into);
            Some(told)
        })
        .collect()
}

/// What an argument of the right size is instead of what the parameter takes.
fn mismatch(value: &ArgValue, takes: Takes) -> Option<&'static str> {
    match (value, takes) {
        (ArgValue::Scalar(element, _), Takes::Whole | Takes::Address) if element.is_float() => {
            Some("a floating-point number")
        }
        (ArgValue::Scalar(element, _), Takes::Float) if !element.is_float() => Some("a whole number"),
        (ArgValue::Buffer(_), Takes::Float) => Some("an address"),
        _ => None,
    }
}

fn size_fix(value: &ArgValue, parameter: &Parameter) -> Option<String> {
    match value {
        ArgValue::TensorMap(name) => Some(format!(
            "A tensor map is passed by value: declare the parameter `const __grid_constant__ CUtensorMap {name}` \
             (.param .align 64 .b8 {}[128]).",
            parameter.name
        )),
        ArgValue::Tdm(_) => Some(
            "A D# of two groups has 48 bytes and one of four groups 80: see `groups` of the [tdm] table."
                .to_owned(),
        ),
        ArgValue::Scalar(..) => {
            let (float, whole) = match parameter.bytes {
                8 => ("f64", "i64"),
                4 => ("f32", "i32"),
                2 => ("f16", "i16"),
                1 => ("f8e4m3", "i8"),
                _ => return None,
            };
            let ty = if parameter.takes == Takes::Float { float } else { whole };
            Some(match parameter.takes {
                Takes::Address => "Pass a buffer, \"buf:NAME\".".to_owned(),
                _ => format!("Pass a number of {} bytes, {{ {ty} = … }}.", parameter.bytes),
            })
        }
        ArgValue::Struct(..) => Some(
            "Parts lie at multiples of their own size, as a C++ compiler places them; add what is missing as \
             { null = N }."
                .to_owned(),
        ),
        ArgValue::Buffer(_) | ArgValue::Zeros(_) | ArgValue::Bytes(_) | ArgValue::File(_) => None,
    }
}
