//! `[buffer.X]`: shape, element type, first contents, pages.

use tilehaul_descriptor::ElementType;
use tilehaul_machine::{PageKind, Pages};

use super::super::toml_keys::{Complaints, Table, Value};
use super::super::{BufferSpec, Init};
use super::args::number;
use super::strings;

/// Bytes of all buffers together: a check holds them once for each of its runs under way.
pub(super) const MOST_BYTES: u64 = 1 << 30;

pub(super) fn buffer(name: String, mut table: Table<'_>, complaints: &mut Complaints) -> Option<BufferSpec> {
    let element = element(&mut table, complaints);
    let missing = table.get("shape").is_none();
    let shape = table.unsigned_list("shape", complaints);
    if missing {
        complaints.at(table.span, format!("`{}.shape` is missing", table.name));
    }
    let init = match table.get("init") {
        None => Some(Init::Poison),
        Some(value) => init(value, &table.path("init"), complaints),
    };
    let align_span = table.get("align").map_or(table.span, |v| v.span);
    let align = table.unsigned("align", complaints);
    if align.is_some_and(|a| !a.is_power_of_two() || a > 1 << 30) {
        complaints.at(align_span, format!("`{}.align` must be a power of two", table.name));
    }
    let scratch = table.boolean("scratch", complaints).unwrap_or(false);
    let mut pages: Vec<Pages> = ranges(&mut table, "unmapped", complaints)
        .into_iter()
        .map(|range| Pages { range, kind: PageKind::Unmapped })
        .collect();
    if table.boolean("read_only", complaints).unwrap_or(false) {
        pages.push(Pages { range: 0..u64::MAX, kind: PageKind::ReadOnly });
    }
    let paged_out = ranges(&mut table, "paged_out", complaints);
    table.finish(complaints);
    let (element, shape, init, span) = (element?, shape?, init?, table.span);
    let spec = BufferSpec { name, element, shape, init, align, scratch, pages, paged_out, span };
    if spec.bytes().is_none_or(|b| b > MOST_BYTES) {
        complaints.at(
            spec.span,
            format!("`{}.shape` = {:?} is more than {MOST_BYTES} bytes, which all buffers may have together; use a smaller shape", table.name, spec.shape),
        );
        return None;
    }
    Some(spec)
}

/// A list of `[first byte, bytes]`.
fn ranges(
    table: &mut Table<'_>,
    key: &'static str,
    complaints: &mut Complaints,
) -> Vec<std::ops::Range<u64>> {
    let Some(value) = table.get(key) else { return Vec::new() };
    let pair = |v: Value<'_>| -> Option<std::ops::Range<u64>> {
        let [at, bytes] = v.array()?.try_into().ok()?;
        let number = |v: Value<'_>| u64::try_from(v.integer()?).ok();
        let at = number(at)?;
        Some(at..at.checked_add(number(bytes)?)?)
    };
    let span = value.span;
    let list = value.array().and_then(|list| list.into_iter().map(pair).collect());
    list.unwrap_or_else(|| {
        let path = table.path(key);
        complaints.at(span, format!("`{path}` must be a list of [first byte, bytes], as in [[0, 4096]]"));
        Vec::new()
    })
}

fn element(table: &mut Table<'_>, complaints: &mut Complaints) -> Option<ElementType> {
    let Some(value) = table.get("dtype") else {
        complaints.at(table.span, format!("`{}.dtype` is missing", table.name));
        return None;
    };
    let element = value.string().and_then(ElementType::parse);
    if element.is_none() {
        let names: Vec<&str> = ElementType::all().map(ElementType::name).collect();
        let shown = value.string().unwrap_or(value.what());
        let message = format!("`{}.dtype` = `{shown}` is no element type", table.name);
        complaints.with_fix(value.span, message, format!("choose one of {}", names.join(", ")));
    }
    element
}

fn init(value: Value<'_>, path: &str, complaints: &mut Complaints) -> Option<Init> {
    const FORMS: &str = "write \"poison\", \"iota\", { fill = 0 }, { file = \"a.npy\" }, { random = { seed = 7, low = -1.0, \
                         high = 1.0 } } or { tdm = [\"NAME\"] }";
    let result = match value.string() {
        Some("poison") => Some(Init::Poison),
        Some("iota") => Some(Init::Iota),
        Some(_) => None,
        None => init_table(value, path, complaints),
    };
    if result.is_none() {
        complaints.with_fix(value.span, format!("`{path}` is not understood"), FORMS);
    }
    result
}

fn init_table(value: Value<'_>, path: &str, complaints: &mut Complaints) -> Option<Init> {
    let mut table = value.table(path.to_owned())?;
    let entries = table.entries();
    let [(key, inner)] = entries.as_slice() else { return None };
    match key.as_str() {
        "fill" => number(*inner).map(Init::Fill),
        "file" => inner.string().map(|s| Init::File(s.into())),
        "random" => {
            let mut random = inner.table(format!("{path}.random"))?;
            let seed = random.unsigned("seed", complaints).unwrap_or(0);
            let low = random.float("low", complaints).unwrap_or(-1.0);
            let high = random.float("high", complaints).unwrap_or(1.0);
            random.finish(complaints);
            // The word function takes 32 bits of seed.
            u32::try_from(seed).ok().map(|seed| Init::Random { seed, low, high })
        }
        "tdm" => {
            let names = strings(&mut table, "tdm", complaints);
            (!names.is_empty()).then_some(Init::Tdm(names))
        }
        _ => None,
    }
}
