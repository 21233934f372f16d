//! Text to [`LaunchFile`]: every key, every mistake at its place.

use std::path::PathBuf;

use tilehaul_descriptor::ElementType;
use tilehaul_diag::{Diagnostic, FileId, Span};
use tilehaul_machine::{PageKind, Pages};
use toml::de::DeTable;

use super::toml_keys::{Complaints, Table, Value, span};
use super::{Arg, ArgValue, BufferSpec, Expect, Init, LaunchFile, MapMode, TdmSpec, TensorMapSpec, Wanted};
use crate::scalar::{self, Number};

/// Longest launch file that is read.
const LONGEST: usize = 1 << 20;
/// Bytes of all buffers together: a check holds them once for each of its runs under way.
const MOST_BYTES: u64 = 1 << 30;

impl LaunchFile {
    /// Reads a launch file's text.
    ///
    /// # Errors
    /// Every mistake in it; spans are places in `text`, file 0.
    pub fn parse(text: &str) -> Result<LaunchFile, Vec<Diagnostic>> {
        let mut complaints = Complaints::default();
        let start = Span::new(FileId(0), 0, 0);
        if text.len() > LONGEST {
            complaints.at(start, format!("the launch file has {} bytes, more than {LONGEST}", text.len()));
            return Err(complaints.0);
        }
        let document = match DeTable::parse(text) {
            Ok(document) => document,
            Err(error) => {
                // The parser writes the sign it wants between commas of its own.
                let message = error.message().replace("expected ,,", "expected a comma,");
                complaints.at(error.span().map_or(start, span), message);
                return Err(complaints.0);
            }
        };
        let mut root = Table::new(document.get_ref(), start, String::new());
        let launch = read(&mut root, &mut complaints);
        root.finish(&mut complaints);
        if complaints.0.is_empty() {
            check_names(&launch, &mut complaints);
        }
        if complaints.0.is_empty() { Ok(launch) } else { Err(complaints.0) }
    }
}

fn read(root: &mut Table<'_>, complaints: &mut Complaints) -> LaunchFile {
    let kernel_span = root.get("kernel").map_or(root.span, |v| v.span);
    let kernel = root.string("kernel", complaints);
    if kernel.is_none() && kernel_span == root.span {
        complaints.with_fix(
            root.span,
            "the launch file names no kernel",
            "add kernel = \"NAME.ptx\" (or .s, .hsaco)",
        );
    }
    const PLACED: [&str; 8] =
        ["entry", "target", "grid", "block", "cluster", "dynamic_shared", "args", "hidden"];
    let mut keys = places(root, &PLACED);
    let also = root.get("also").and_then(Value::array).unwrap_or_default();
    keys.extend(also.into_iter().map(|name| ("also", name.span)));
    let hidden = root.get("hidden").and_then(|v| v.table("hidden".to_owned()));
    LaunchFile {
        kernel: kernel.unwrap_or_default().into(),
        kernel_span,
        also: strings(root, "also", complaints).into_iter().map(PathBuf::from).collect(),
        entry: root.string("entry", complaints),
        target: root.string("target", complaints),
        grid: extent3(root, "grid", complaints),
        block: extent3(root, "block", complaints),
        cluster: extent3(root, "cluster", complaints),
        dynamic_shared: small(root, "dynamic_shared", complaints).unwrap_or(0),
        args: args(root, complaints),
        amd: device(root, complaints),
        hidden: hidden.map(|table| hidden_values(&table, complaints)).unwrap_or_default(),
        buffers: root
            .tables("buffer", complaints)
            .into_iter()
            .filter_map(|(n, t)| buffer(n, t, complaints))
            .collect(),
        tensor_maps: root
            .tables("tensor_map", complaints)
            .into_iter()
            .filter_map(|(n, t)| tensor_map(n, t, complaints))
            .collect(),
        tdms: root.tables("tdm", complaints).into_iter().filter_map(|(n, t)| tdm(n, t, complaints)).collect(),
        expects: root
            .tables("expect", complaints)
            .into_iter()
            .filter_map(|(n, t)| expect(n, t, complaints))
            .collect(),
        keys,
    }
}

/// Where the values of keys stand, as far as they are written.
fn places(table: &mut Table<'_>, keys: &[&'static str]) -> Vec<(&'static str, Span)> {
    keys.iter().filter_map(|&key| Some((key, table.get(key)?.span))).collect()
}

/// `[amd]`: switches of the device that a program can notice.
fn device(root: &mut Table<'_>, complaints: &mut Complaints) -> tilehaul_gcn::Device {
    let mut device = tilehaul_gcn::Device::default();
    let Some(mut table) = root.get("amd").and_then(|v| v.table("amd".to_owned())) else { return device };
    for (key, slot) in [
        ("xnack_retry", &mut device.xnack_retry),
        ("lds_range_reporting", &mut device.lds_range_reporting),
        ("stepping_a0", &mut device.stepping_a0),
    ] {
        *slot = table.boolean(key, complaints).unwrap_or(*slot);
    }
    device.kill_wave = kill(&mut table, complaints);
    for switch in tilehaul_engine::tdm::SWITCHES {
        let Some(value) = table.get(switch.key) else { continue };
        if !value.string().is_some_and(|name| switch.turn(&mut device.tdm, name)) {
            let names: Vec<String> = switch.values.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            let message = format!("`{}` must be one of {}", table.path(switch.key), names.join(", "));
            complaints.at(value.span, message);
        }
    }
    table.finish(complaints);
    device
}

/// `kill_wave = [workgroup, wave, instructions]`.
fn kill(table: &mut Table<'_>, complaints: &mut Complaints) -> Option<tilehaul_gcn::Kill> {
    let span = table.get("kill_wave")?.span;
    let list = table.unsigned_list("kill_wave", complaints)?;
    let numbers: Vec<u32> = list.iter().filter_map(|&n| u32::try_from(n).ok()).collect();
    let [workgroup, wave, after] = numbers[..] else {
        complaints.at(
            span,
            "`amd.kill_wave` must be [workgroup, wave, instructions that it executes before], each of 32 bits",
        );
        return None;
    };
    Some(tilehaul_gcn::Kill { workgroup, wave, after })
}

fn strings(table: &mut Table<'_>, key: &'static str, complaints: &mut Complaints) -> Vec<String> {
    let Some(value) = table.get(key) else { return Vec::new() };
    let list: Option<Vec<String>> =
        value.array().and_then(|list| list.into_iter().map(|v| v.string().map(str::to_owned)).collect());
    list.unwrap_or_else(|| {
        complaints.at(value.span, format!("`{}` must be a list of strings", table.path(key)));
        Vec::new()
    })
}

/// `[x]`, `[x, y]` or `[x, y, z]`; absent ones are 1. What a target can launch is the executor's to say.
fn extent3(table: &mut Table<'_>, key: &'static str, complaints: &mut Complaints) -> [u32; 3] {
    const MOST: u64 = u32::MAX as u64;
    let Some(value) = table.get(key) else { return [1; 3] };
    let list = table.unsigned_list(key, complaints);
    let Some(list) = list else { return [1; 3] };
    let product = list.iter().try_fold(1u64, |p, &e| p.checked_mul(e)).unwrap_or(u64::MAX);
    if list.is_empty() || list.len() > 3 || product == 0 || product > MOST {
        let message =
            format!("`{key}` must be one to three numbers of at least 1 whose product is at most {MOST}");
        complaints.at(value.span, message);
        return [1; 3];
    }
    let mut out = [1; 3];
    for (slot, extent) in out.iter_mut().zip(list) {
        *slot = u32::try_from(extent).unwrap_or(1);
    }
    out
}

fn small(table: &mut Table<'_>, key: &'static str, complaints: &mut Complaints) -> Option<u32> {
    let place = table.get(key)?.span;
    let value = table.unsigned(key, complaints)?;
    let fits = u32::try_from(value).ok();
    if fits.is_none() {
        complaints.at(place, format!("`{}` = {value} is more than 32 bits hold", table.path(key)));
    }
    fits
}

fn args(root: &mut Table<'_>, complaints: &mut Complaints) -> Vec<Arg> {
    const FORMS: &str = "write \"buf:NAME\", \"map:NAME\", \"tdm:NAME\", { i32 = 5 }, { null = 8 }, \
                         { hex = \"00 1f\" }, { file = \"params.bin\" } or { struct = [\"buf:NAME\", { i32 = 5 }] }";
    let Some(value) = root.get("args") else { return Vec::new() };
    let Some(list) = value.array() else {
        complaints.with_fix(value.span, "`args` must be a list", FORMS);
        return Vec::new();
    };
    let mut args = Vec::new();
    for (index, entry) in list.into_iter().enumerate() {
        match arg(entry, 0, complaints) {
            Some(value) => args.push(Arg { value, span: entry.span }),
            None => complaints.with_fix(entry.span, format!("argument {index} is not understood"), FORMS),
        }
    }
    args
}

/// Bytes of zeros and of hexadecimal digits in one argument: parameters have at most 32,764 (sm_70 and later).
const MOST_PARAMETER_BYTES: u32 = 1 << 15;
/// Structs within structs.
const MOST_DEPTH: u32 = 16;

/// An argument; none where its form is unknown. A number that its type does not hold is a complaint of its own.
fn arg(entry: Value<'_>, depth: u32, complaints: &mut Complaints) -> Option<ArgValue> {
    if let Some(text) = entry.string() {
        let (kind, name) = text.split_once(':')?;
        let name = name.to_owned();
        return match kind {
            "buf" => Some(ArgValue::Buffer(name)),
            "map" => Some(ArgValue::TensorMap(name)),
            "tdm" => Some(ArgValue::Tdm(name)),
            _ => None,
        };
    }
    let table = entry.table(String::new())?;
    let entries = table.entries();
    let of = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, value)| *value);
    if let Some(parts) = of("struct") {
        let align = match (of("align"), entries.len()) {
            (Some(align), 2) => {
                u32::try_from(align.integer()?).ok().filter(|n| n.is_power_of_two() && *n <= 128)?
            }
            (None, 1) => 1,
            _ => return None,
        };
        let parts = parts.array().filter(|_| depth < MOST_DEPTH)?;
        let parts: Option<Vec<ArgValue>> =
            parts.into_iter().map(|part| arg(part, depth + 1, complaints)).collect();
        return Some(ArgValue::Struct(parts?, align));
    }
    let [(name, value)] = entries.as_slice() else { return None };
    match name.as_str() {
        "null" => {
            return u32::try_from(value.integer()?)
                .ok()
                .filter(|&n| n <= MOST_PARAMETER_BYTES)
                .map(ArgValue::Zeros);
        }
        "hex" => return hex(value.string()?).map(ArgValue::Bytes),
        "file" => return Some(ArgValue::File(value.string()?.into())),
        _ => {}
    }
    let element = ElementType::parse(name).filter(|e| !e.is_packed())?;
    let number = number(*value)?;
    if let Some(why) = scalar::misfit(element, number) {
        complaints.at(value.span, why);
    }
    Some(ArgValue::Scalar(element, number))
}

/// Bytes as pairs of digits; blanks, commas, underscores and `0x` in front of a pair may stand between them.
fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text
        .split(|c: char| c.is_whitespace() || c == ',' || c == '_')
        .flat_map(|word| word.strip_prefix("0x").unwrap_or(word).chars())
        .map(|c| c.to_digit(16))
        .collect();
    let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
    if !rest.is_empty() || pairs.len() > MOST_PARAMETER_BYTES as usize {
        return None;
    }
    Some(pairs.iter().map(|[high, low]| (high << 4 | low) as u8).collect())
}

fn number(value: Value<'_>) -> Option<Number> {
    match value.integer() {
        Some(integer) => Some(Number::Int(integer)),
        None => value.float().map(Number::Float),
    }
}

fn hidden_values(table: &Table<'_>, complaints: &mut Complaints) -> Vec<(String, u64)> {
    let mut values = Vec::new();
    for (name, value) in table.entries() {
        // A signed value is passed as its two's complement.
        match value
            .integer()
            .and_then(|i| u64::try_from(i).or_else(|_| i64::try_from(i).map(|s| s as u64)).ok())
        {
            Some(number) => values.push((name, number)),
            None => complaints.at(value.span, format!("`hidden.{name}` must be a whole number of 64 bits")),
        }
    }
    values
}

fn buffer(name: String, mut table: Table<'_>, complaints: &mut Complaints) -> Option<BufferSpec> {
    let element = element(&mut table, complaints);
    let shape = table.unsigned_list("shape", complaints);
    if shape.is_none() && complaints.0.is_empty() {
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

/// Keys of `[tensor_map.X]` that an encoder may complain about.
const MAP_KEYS: [&str; 14] = [
    "buffer",
    "offset",
    "dims",
    "strides",
    "element_strides",
    "box",
    "lower_corner",
    "upper_corner",
    "channels_per_pixel",
    "pixels_per_column",
    "swizzle",
    "interleave",
    "oob_fill",
    "l2_promotion",
];
/// The same of `[tdm.X]`.
const TDM_KEYS: [&str; 9] =
    ["buffer", "offset", "dims", "tile", "strides", "pad_interval", "pad_amount", "lds", "groups"];

fn tensor_map(name: String, mut table: Table<'_>, complaints: &mut Complaints) -> Option<TensorMapSpec> {
    let keys = places(&mut table, &MAP_KEYS);
    let buffer = required_buffer(&mut table, complaints);
    let mode = map_mode(&mut table, complaints);
    let offset = table.unsigned("offset", complaints).unwrap_or(0);
    let dims = table.unsigned_list("dims", complaints);
    let strides = table.unsigned_list("strides", complaints);
    let element_strides = table.unsigned_list("element_strides", complaints);
    let swizzle = table.string("swizzle", complaints);
    let interleave = table.string("interleave", complaints);
    let oob_fill = table.string("oob_fill", complaints);
    let l2_promotion = table.string("l2_promotion", complaints);
    // Before anything is given up: a misspelt key explains the missing one.
    table.finish(complaints);
    Some(TensorMapSpec {
        name,
        buffer: buffer.unwrap_or_default(),
        offset,
        dims,
        strides,
        element_strides,
        mode: mode?,
        swizzle,
        interleave,
        oob_fill,
        l2_promotion,
        span: table.span,
        keys,
    })
}

fn map_mode(table: &mut Table<'_>, complaints: &mut Complaints) -> Option<MapMode> {
    let box_dims = table.unsigned_list("box", complaints);
    let mode_span = table.get("mode").map_or(table.span, |v| v.span);
    let mode = table.string("mode", complaints);
    let lower_corner = table.signed_list("lower_corner", complaints);
    let upper_corner = table.signed_list("upper_corner", complaints);
    let channels_per_pixel = table.unsigned("channels_per_pixel", complaints);
    let pixels_per_column = table.unsigned("pixels_per_column", complaints);
    match mode.as_deref() {
        None | Some("tile" | "tiled") => match box_dims {
            Some(box_dims) => Some(MapMode::Tile { box_dims }),
            None => {
                complaints.at(table.span, format!("`{}.box` is missing", table.name));
                None
            }
        },
        Some("im2col") => {
            let all = (lower_corner, upper_corner, channels_per_pixel, pixels_per_column);
            let (Some(lower_corner), Some(upper_corner), Some(channels_per_pixel), Some(pixels_per_column)) =
                all
            else {
                let keys = "lower_corner, upper_corner, channels_per_pixel and pixels_per_column";
                complaints.at(mode_span, format!("`{}` is im2col and needs {keys}", table.name));
                return None;
            };
            Some(MapMode::Im2col { lower_corner, upper_corner, channels_per_pixel, pixels_per_column })
        }
        Some(other) => {
            complaints.at(mode_span, format!("`{}.mode` = `{other}` must be `tile` or `im2col`", table.name));
            None
        }
    }
}

fn tdm(name: String, mut table: Table<'_>, complaints: &mut Complaints) -> Option<TdmSpec> {
    let keys = places(&mut table, &TDM_KEYS);
    let buffer = required_buffer(&mut table, complaints);
    let interval = table.unsigned("pad_interval", complaints);
    let amount = table.unsigned("pad_amount", complaints);
    if interval.is_some() != amount.is_some() {
        complaints.at(
            table.span,
            format!("`{}` must give both pad_interval and pad_amount or neither", table.name),
        );
    }
    let spec = TdmSpec {
        name,
        buffer: buffer.unwrap_or_default(),
        offset: table.unsigned("offset", complaints).unwrap_or(0),
        dims: table.unsigned_list("dims", complaints).unwrap_or_default(),
        tile: table.unsigned_list("tile", complaints).unwrap_or_default(),
        strides: table.unsigned_list("strides", complaints).unwrap_or_default(),
        padding: interval.zip(amount),
        lds: table.unsigned("lds", complaints).unwrap_or(0),
        groups: table.unsigned("groups", complaints).unwrap_or(2),
        span: table.span,
        keys,
    };
    table.finish(complaints);
    let rank = spec.tile.len();
    if rank == 0 || rank > 5 || spec.dims.len() != rank || spec.strides.len() + 1 != rank {
        let message = format!(
            "`{}` needs dims and tile of one to five numbers each, and one stride less: it has {} dims, {rank} of tile and {} strides",
            table.name,
            spec.dims.len(),
            spec.strides.len()
        );
        complaints.at(spec.span, message);
        return None;
    }
    if !matches!(spec.groups, 2 | 4) || rank > 2 && spec.groups == 2 {
        complaints
            .at(spec.span, format!("`{}.groups` must be 2, or 4 (needed above two dimensions)", table.name));
        return None;
    }
    Some(spec)
}

fn required_buffer(table: &mut Table<'_>, complaints: &mut Complaints) -> Option<String> {
    let buffer = table.string("buffer", complaints);
    if buffer.is_none() {
        complaints.at(table.span, format!("`{}.buffer` is missing", table.name));
    }
    buffer
}

fn expect(name: String, mut table: Table<'_>, complaints: &mut Complaints) -> Option<Expect> {
    let equals = table.string("equals", complaints);
    let file = table.string("file", complaints);
    let rtol = table.float("rtol", complaints);
    let atol = table.float("atol", complaints);
    table.finish(complaints);
    let wanted = match (equals, file) {
        (Some(buffer), None) => Wanted::Buffer(buffer),
        (None, Some(file)) => Wanted::File(file.into()),
        _ => {
            complaints.at(table.span, format!("`{}` needs either equals or file", table.name));
            return None;
        }
    };
    Some(Expect { buffer: name, wanted, rtol, atol, span: table.span })
}

/// Names that refer to something must find it.
fn check_names(launch: &LaunchFile, complaints: &mut Complaints) {
    let buffers: Vec<&str> = launch.buffers.iter().map(|b| b.name.as_str()).collect();
    let maps: Vec<&str> = launch.tensor_maps.iter().map(|m| m.name.as_str()).collect();
    let tdms: Vec<&str> = launch.tdms.iter().map(|t| t.name.as_str()).collect();
    let mut need = |known: &[&str], kind: &str, name: &str, place: Span| {
        if !known.contains(&name) {
            let fix = if known.is_empty() {
                format!("add [{kind}.{name}]")
            } else {
                format!("there are {}", known.join(", "))
            };
            complaints.with_fix(place, format!("there is no [{kind}.{name}]"), fix);
        }
    };
    for arg in &launch.args {
        let mut parts = vec![&arg.value];
        while let Some(part) = parts.pop() {
            match part {
                ArgValue::Buffer(name) => need(&buffers, "buffer", name, arg.span),
                ArgValue::TensorMap(name) => need(&maps, "tensor_map", name, arg.span),
                ArgValue::Tdm(name) => need(&tdms, "tdm", name, arg.span),
                ArgValue::Struct(inner, _) => parts.extend(inner.iter().rev()),
                ArgValue::Scalar(..) | ArgValue::Zeros(_) | ArgValue::Bytes(_) | ArgValue::File(_) => {}
            }
        }
    }
    for buffer in &launch.buffers {
        if let Init::Tdm(names) = &buffer.init {
            names.iter().for_each(|name| need(&tdms, "tdm", name, buffer.span));
        }
    }
    launch.tensor_maps.iter().for_each(|map| need(&buffers, "buffer", &map.buffer, map.span));
    launch.tdms.iter().for_each(|tdm| need(&buffers, "buffer", &tdm.buffer, tdm.span));
    for expect in &launch.expects {
        need(&buffers, "buffer", &expect.buffer, expect.span);
        if let Wanted::Buffer(name) = &expect.wanted {
            need(&buffers, "buffer", name, expect.span);
        }
    }
    let total = launch.buffers.iter().filter_map(BufferSpec::bytes).fold(0u64, u64::saturating_add);
    if total > MOST_BYTES {
        complaints.at(
            launch.kernel_span,
            format!("all buffers together have {total} bytes, more than {MOST_BYTES}; use smaller shapes"),
        );
    }
}
