//! Element types of arrays against those of descriptors.
//!
//! `.npy` has no bf16, fp8, tf32 or packed types: their bits travel in unsigned integers (or raw `V`) of the same width, and that
//! is taken without a word. Everything else that differs is either refused, when the copy would cut elements apart or
//! calculate with bits of another type, or told, when bits merely keep a name that the descriptor does not use.

use tilehaul_descriptor::ElementType;
use tilehaul_diag::{Code, Diagnostic, Level};

use crate::npy::Descr;

const ELEMENT_TYPE: Code = Code("copy-element-type");

/// What a descriptor says of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// Their type.
    Of(ElementType),
    /// Their size alone, as in a D#.
    Bytes(u64),
}

/// What a copy does with elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Their bits are moved.
    Moved,
    /// Calculates with them.
    Combined,
}

/// One array of a copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    /// The option that named it.
    pub(super) option: &'a str,
    pub(super) descr: Descr,
}

/// What is wrong or worth saying about an array's elements under a descriptor, which the user calls `mover`. An error
/// refuses the copy.
pub(super) fn compare(side: Side<'_>, mover: &str, elements: Elements, how: Use) -> Option<Diagnostic> {
    let descr = side.descr;
    let (name, bytes) = match elements {
        Elements::Of(element) => (element.name().to_owned(), element.bytes().map(u64::from)),
        Elements::Bytes(bytes) => (format!("elements of {bytes} bytes"), Some(bytes)),
    };
    let held = held(descr);
    let told = |level, message: String| Diagnostic::new(ELEMENT_TYPE, level, message);
    let Some(bytes) = bytes else {
        // Packed elements are smaller than a byte or straddle bytes.
        return (descr.bytes != 1).then(|| {
            told(
                Level::Error,
                format!(
                    "{} holds {held}, and {mover} moves {name}, whose packed bits travel as uint8",
                    side.option
                ),
            )
            .fix("save the packed bytes as an array of uint8")
        });
    };
    if bytes != u64::from(descr.bytes) {
        let message = format!(
            "{} holds {held} of {} {}, and {mover} moves {name} of {bytes}: elements would be cut apart",
            side.option,
            descr.bytes,
            if descr.bytes == 1 { "byte" } else { "bytes" },
        );
        // Bytes are what everything is made of; whoever saves them means the descriptor's elements.
        let raw = descr.bytes == 1 && matches!(descr.kind, 'u' | 'V') && how == Use::Moved;
        return (!raw).then(|| {
            told(Level::Error, message).fix(match elements {
                Elements::Of(_) => {
                    format!("name a type of {} B, or save array.view(np.uint{})", descr.bytes, bytes * 8)
                }
                Elements::Bytes(_) => {
                    format!("use a data size of {}, or save array.view(np.uint{})", descr.bytes, bytes * 8)
                }
            })
        });
    }
    let Elements::Of(element) = elements else { return None };
    if descr.element() == Some(element) || carries(descr, element) {
        return None;
    }
    let integers = matches!(descr.kind, 'i' | 'u' | 'b') && !element.is_float();
    match (how, integers) {
        // A signed and an unsigned number move alike, and a raw float is what somebody viewed as integers.
        (Use::Moved, true) => None,
        (Use::Moved, false) => Some(told(
            Level::Note,
            format!(
                "{} holds {held}, and {mover} moves {name}: the bits move as they are, nothing is converted",
                side.option
            ),
        )),
        (Use::Combined, _) => Some(
            told(
                Level::Error,
                format!(
                    "{} holds {held}, and {mover} calculates with {name}: the result would be no {held}",
                    side.option
                ),
            )
            .fix(match descr.element() {
                Some(own) => {
                    format!("use --dtype {}, or save the array as {}", own.name(), Descr::of(element))
                }
                None => format!("save the array as {}", Descr::of(element)),
            }),
        ),
    }
}

/// `.npy`'s way to hold an element that it has no name for.
fn carries(descr: Descr, element: ElementType) -> bool {
    match element {
        ElementType::F16 | ElementType::F64 => descr.kind == 'V',
        ElementType::F32 | ElementType::F32Ftz | ElementType::Tf32 | ElementType::Tf32Ftz => {
            matches!(descr.kind, 'f' | 'V')
        }
        _ if element.is_float() => matches!(descr.kind, 'u' | 'V'),
        _ => descr.kind == 'V' || descr.kind == 'b' && element == ElementType::U8,
    }
}

/// `f16 (<f2)`.
fn held(descr: Descr) -> String {
    match descr.element() {
        Some(element) => format!("{} ({descr})", element.name()),
        None => format!("raw {descr}"),
    }
}

/// What to say about a result whose elements numpy cannot name.
pub(super) fn remark(element: ElementType) -> Option<String> {
    let named = Descr::of(element).element().is_some_and(|e| e == element || !element.is_float());
    let single = matches!(element, ElementType::F32Ftz | ElementType::Tf32 | ElementType::Tf32Ftz);
    (!named && !single).then(|| {
        format!(
            "elements are the raw bits of {} in {}, for .npy has no such type",
            element.name(),
            Descr::of(element)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(kind: char, bytes: u32, element: &str, how: Use) -> Option<Level> {
        let side = Side { option: "--tensor", descr: Descr { kind, bytes } };
        let element = ElementType::parse(element).unwrap();
        compare(side, "the map", Elements::Of(element), how).map(|d| d.level)
    }

    #[test]
    fn what_numpy_cannot_name_travels_as_integers() {
        let (error, note) = (Some(Level::Error), Some(Level::Note));
        for (kind, bytes, element, moved, combined) in [
            ('f', 2, "f16", None, None),
            ('u', 2, "bf16", None, None),
            ('V', 2, "bf16", None, None),
            ('u', 1, "f8e4m3", None, None),
            ('f', 4, "tf32", None, None),
            ('f', 2, "bf16", note, error),
            ('u', 2, "f16", note, error),
            ('f', 4, "u32", note, error),
            ('i', 4, "u32", None, error),
            ('f', 4, "f16", error, error),
            ('f', 2, "f32", error, error),
            ('u', 1, "f16", None, error),
            ('u', 1, "b4x16", None, None),
            ('u', 4, "b4x16", error, error),
        ] {
            assert_eq!(level(kind, bytes, element, Use::Moved), moved, "{kind}{bytes} as {element}");
            assert_eq!(
                level(kind, bytes, element, Use::Combined),
                combined,
                "{kind}{bytes} as {element}, combined"
            );
        }
    }
}
