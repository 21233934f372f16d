//! Text to [`LaunchFile`]: every key, every mistake at its place.

mod args;
mod buffers;
mod maps;

use std::path::PathBuf;

use tilehaul_diag::{Diagnostic, FileId, Span};
use toml::de::DeTable;

use super::toml_keys::{Complaints, Table, Value, span};
use super::{ArgValue, BufferSpec, Expect, Init, LaunchFile, Wanted};
use args::{args, hidden_values};
use buffers::{MOST_BYTES, buffer};
use maps::{tdm, tensor_map};

/// Longest launch file that is read.
const LONGEST: usize = 1 << 20;

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

fn expect(name: String, mut table: Table<'_>, complaints: &mut Complaints) -> Option<Expect> {
    let equals = table.string("equals", complaints);
    let file = table.string("file", complaints);
    let rtol = table.float("rtol", complaints);
    let atol = table.float("atol", complaints);
    table.finish(complaints);
    let wanted = match (equals, file) {
        (Some(buffer), None) => Wanted::Buffer(buffer),
        (None, Some(file)) => Wanted::File(file.into()),
        (given, _) => {
            let has = if given.is_some() { "has both" } else { "has neither" };
            let message = format!("`{}` needs either equals or file, and {has}", table.name);
            complaints.at(table.span, message);
            return None;
        }
    };
    for (key, tolerance) in [("rtol", rtol), ("atol", atol)] {
        if tolerance.is_some_and(|t| t.is_nan() || t < 0.0) {
            complaints.at(table.span, format!("`{}.{key}` must not be negative", table.name));
        }
    }
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
    for expect in &launch.expects {
        let empty = |b: &&BufferSpec| b.name == expect.buffer && b.bytes() == Some(0);
        if launch.buffers.iter().any(|b| empty(&b)) {
            complaints.at(
                expect.span,
                format!("[buffer.{}] has no bytes: nothing would be compared", expect.buffer),
            );
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
