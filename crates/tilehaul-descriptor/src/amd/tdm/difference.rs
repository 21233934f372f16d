//! Where words are not the encoding of the fields that they should be, and which usual slip explains it.

use tilehaul_diag::{Diagnostic, Level};

use super::judge::{Request, TdmWords};
use super::{TdmDescriptor, check, format, rules};
use crate::field::FieldSpec;

/// Says which fields of `words` hold something else than the fields ask for.
pub(super) fn compare(
    descriptor: &TdmDescriptor,
    words: &TdmWords,
    request: &Request,
    out: &mut Vec<Diagnostic>,
) {
    let mut want = descriptor.words();
    want.resize(20, 0);
    let mut have = want.clone();
    let mut given = [false; 20];
    for (_, first, group) in words.groups() {
        for (at, &word) in group.iter().enumerate() {
            if let (Some(slot), Some(seen)) = (have.get_mut(first + at), given.get_mut(first + at)) {
                *slot = word;
                *seen = true;
            }
        }
    }
    if stored_pass_count(request, &want, &have) {
        return;
    }
    if want == have {
        return;
    }
    let Ok(wrong) = TdmDescriptor::from_words(&have) else { return };
    let before = out.len();
    let swapped = |word: u32| (word & 0x3fff_ffff) | (word >> 31 << 30) | ((word >> 30 & 1) << 31);
    if want[0] != have[0] && swapped(want[0]) == have[0] {
        out.push(rules::WORDS_DIFFER.broken(
            format!(
                "the words have dword 0 = {:#010x} where the fields give {:#010x}: bits 30 (index size) and 31 \
                 (gather_mode) are swapped",
                have[0], want[0]
            ),
            format!("write dword 0 = {:#010x}", want[0]),
        ));
    }
    for ((spec, wanted), (other, held)) in descriptor.formats().iter().zip(&wrong.formats()) {
        if !std::ptr::eq(*spec, *other) {
            break;
        }
        for field in spec.fields {
            let (w, h) = (field.stored(wanted), field.stored(held));
            let told = before != out.len() && matches!(field.name, "gather_mode" | "gather_index_size");
            if w != h && !told {
                out.push(rules::WORDS_DIFFER.broken(
                    format!(
                        "the words hold {} = {} (stored {h:#x}) where the fields say {} (stored {w:#x}){}",
                        field.name,
                        field.decode(h),
                        field.decode(w),
                        why(field, w, h)
                    ),
                    format!("store {w:#x} there"),
                ));
            }
        }
    }
    if before == out.len() {
        let at = (0..20).find(|&i| want[i] != have[i]).unwrap_or(0);
        out.push(rules::WORDS_DIFFER.broken(
            format!(
                "word {at} of the descriptor is {:#010x} where the fields give {:#010x}",
                have[at], want[at]
            ),
            format!("write {:#010x}", want[at]),
        ));
    }
    for diagnostic in check(&wrong, &request.context) {
        if diagnostic.level == Level::Error && out.iter().all(|d| d.message != diagnostic.message) {
            out.push(diagnostic);
        }
    }
}

/// Whether the words agree once `iterate_count` is taken as the stored number, which its name also allows.
fn stored_pass_count(request: &Request, want: &[u32], have: &[u32]) -> bool {
    let Some(&count) = request.values.get("iterate_count") else { return false };
    let mut other = want.to_vec();
    let (Some(group2), Ok(count)) = (other.get_mut(12..16), u64::try_from(count)) else { return false };
    format::ITERATE_COUNT.store(group2, count);
    other == have
}

/// The usual slip that turns stored number `want` into `have`.
fn why(field: &FieldSpec, want: u64, have: u64) -> String {
    let note = match field.name {
        "atomic_barrier_address" if have == want << 3 & 0xffff => {
            ": the field holds the byte address shifted right by 3, and the words hold the byte address itself"
        }
        "pad_interval_dwords" if have == want + 1 => {
            ": the field holds log2(dwords) - 1, and the words hold log2(dwords)"
        }
        "pad_amount_dwords" if have == want + 1 => {
            ": the field holds dwords - 1, and the words hold the dwords"
        }
        "data_size_bytes" if have == 1 << want => {
            ": the field holds log2(bytes), and the words hold the bytes"
        }
        _ if field.unit == "elements" && want != 0 && [2, 4, 8].iter().any(|s| want * s == have) => {
            ": extents and strides count elements, and the words count bytes"
        }
        _ if field.pieces.len() > 1 && have != 0 && have < want && want & have == have => {
            ": bits of the number were lost"
        }
        _ if field.pieces.len() > 1 && have < want => ": the number was truncated",
        _ => "",
    };
    note.to_owned()
}
