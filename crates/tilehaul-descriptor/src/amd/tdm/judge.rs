//! Verdicts about descriptors that come as named numbers or as groups of words: case files and the command line.
//!
//! Names are taken generously: the manual's field names, the usual short forms (`tile0`, `stride0`, `dims` as a list)
//! and units as suffixes (`_bytes`, `_dwords`, `_encoded`). Numbers are decoded ones: bytes of an element, dwords of
//! padding, the byte address of the barrier.

use std::collections::BTreeMap;

use tilehaul_diag::{Diagnostic, Level};

use super::difference::compare;
use super::encode::{Group, Packer, misfit, nearest_legal};
use super::names::{
    FIELDS, STRIDES, TENSOR_DIMS, TILE_DIMS, belongs, byte_stride, lookup, parse_number, squeeze,
};
use super::{Direction, IndexSize, TdmContext, TdmDescriptor, check, check_iterate_strides, rules};

/// A value given by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A number.
    Int(i128),
    /// On or off.
    Flag(bool),
    /// A word such as `store` or `32-bit`.
    Text(String),
    /// Numbers, innermost dimension first, or row indices.
    List(Vec<i128>),
}

/// Names and values in the order given.
pub type NamedFields = [(String, FieldValue)];

/// Groups of words as given; a group may be absent or incomplete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TdmWords {
    /// Group 0.
    pub g0: Vec<u32>,
    /// Group 1.
    pub g1: Vec<u32>,
    /// Group 2.
    pub g2: Vec<u32>,
    /// Group 3.
    pub g3: Vec<u32>,
}

impl TdmWords {
    /// Groups from one run of words, group 0 first.
    #[must_use]
    pub fn from_flat(words: &[u32]) -> TdmWords {
        let part = |from: usize, to: usize| {
            words.get(from.min(words.len())..to.min(words.len())).unwrap_or_default().to_vec()
        };
        TdmWords { g0: part(0, 4), g1: part(4, 12), g2: part(12, 16), g3: part(16, words.len().max(16)) }
    }

    pub(super) fn groups(&self) -> [(&'static str, usize, &[u32]); 4] {
        [("g0", 0, &self.g0), ("g1", 4, &self.g1), ("g2", 12, &self.g2), ("g3", 16, &self.g3)]
    }
}

/// A descriptor made of words and everything to be said about it.
///
/// A group that is empty is absent; groups 0 and 1 must be complete.
#[must_use]
pub fn judge_tdm_words(words: &TdmWords, context: &TdmContext) -> (Option<TdmDescriptor>, Vec<Diagnostic>) {
    let mut wrong = Vec::new();
    for ((name, _, given), (want, optional)) in
        words.groups().into_iter().zip([(4, false), (8, false), (4, true), (4, true)])
    {
        if given.len() != want && !(optional && given.is_empty()) {
            wrong.push(rules::GROUP_COUNT.broken(
                format!("{name} has {} words; group {} of a D# has {want}", given.len(), &name[1..]),
                format!("give all {want} words"),
            ));
        }
    }
    let descriptor = || -> Option<TdmDescriptor> {
        Some(TdmDescriptor {
            group0: words.g0.as_slice().try_into().ok()?,
            group1: words.g1.as_slice().try_into().ok()?,
            group2: words.g2.as_slice().try_into().ok(),
            group3: words.g3.as_slice().try_into().ok(),
        })
    };
    if !wrong.is_empty() {
        return (None, wrong);
    }
    match descriptor() {
        Some(descriptor) => {
            let mut out = check(&descriptor, context);
            out.extend(check_iterate_strides(&descriptor.fields()));
            (Some(descriptor), out)
        }
        None => (None, vec![rules::GROUP_COUNT.told("group 0 has 4 words and group 1 has 8")]),
    }
}

/// The descriptor of named, decoded `fields` and everything to be said about it; with `words`, also every place
/// where these are not the encoding of the fields. Names in `fields` that say something about the surroundings
/// (`op`, `tensor_bytes`, `lds_bytes`, `cluster_size`) refine `context`.
#[must_use]
pub fn judge_tdm_fields(
    fields: &NamedFields,
    words: Option<&TdmWords>,
    context: &TdmContext,
) -> (Option<TdmDescriptor>, Vec<Diagnostic>) {
    let mut request = Request { context: *context, ..Request::default() };
    for (name, value) in fields {
        request.take(name, value);
    }
    let (descriptor, mut out) = request.build();
    if let Some(descriptor) = &descriptor {
        out.extend(check(descriptor, &request.context));
        out.extend(check_iterate_strides(&descriptor.fields()));
        promote_pass_count(&mut out);
        if let Some(words) = words {
            compare(descriptor, words, &request, &mut out);
        }
    }
    (descriptor, out)
}

/// Someone who asks for more passes than the manual describes is refused; words that hold them are only warned of.
fn promote_pass_count(out: &mut [Diagnostic]) {
    for diagnostic in out.iter_mut().filter(|d| d.code == rules::ITERATE_PASSES.code) {
        diagnostic.level = Level::Error;
    }
}

/// Numbers by canonical field name, row indices, and what is known around them.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) values: BTreeMap<&'static str, i128>,
    /// Values that were given as stored numbers.
    stored: BTreeMap<&'static str, u64>,
    indices: Vec<i128>,
    pub(super) context: TdmContext,
    /// Strides that were given in bytes, by dimension: divided once the element size is known.
    byte_strides: Vec<(usize, i128)>,
    remarks: Vec<Diagnostic>,
}

impl Request {
    fn take(&mut self, name: &str, value: &FieldValue) {
        let key = squeeze(name);
        let number = match value {
            FieldValue::Int(n) => Some(*n),
            FieldValue::Flag(b) => Some(i128::from(*b)),
            FieldValue::Text(_) | FieldValue::List(_) => None,
        };
        match (key.as_str(), value, number) {
            ("op" | "direction" | "instruction" | "mode" | "kind", FieldValue::Text(text), _) => {
                self.direct(text)
            }
            ("store", _, Some(n)) => {
                self.context.direction = Some(if n != 0 { Direction::Store } else { Direction::Load });
            }
            ("load", _, Some(n)) => {
                self.context.direction = Some(if n != 0 { Direction::Load } else { Direction::Store });
            }
            ("tensorbytes" | "allocbytes" | "bufferbytes", _, Some(n)) => {
                self.context.tensor_bytes = self.around(name, n);
            }
            ("ldsbytes" | "ldssize" | "ldsallocation" | "ldslimit", _, Some(n)) => {
                if let Some(bytes) = self.around(name, n) {
                    self.context.lds_bytes = bytes;
                }
            }
            ("cluster" | "clustersize" | "incluster", _, Some(n)) => {
                self.context.cluster_size = match value {
                    FieldValue::Flag(true) => Some(16),
                    _ => self.around(name, n),
                };
            }
            (
                "rows" | "indices" | "gatherindices" | "rowindices" | "indexlist" | "rowlist",
                FieldValue::List(list),
                _,
            ) => {
                self.indices.clone_from(list);
            }
            ("dims" | "tensordims" | "tensordim" | "shape" | "tensor", FieldValue::List(list), _) => {
                self.list(list, &TENSOR_DIMS);
            }
            ("tile" | "tiledims" | "tiledim" | "tileshape" | "box", FieldValue::List(list), _) => {
                self.list(list, &TILE_DIMS);
            }
            (
                "strides" | "tensorstrides" | "tensordimstrides" | "tensordimstride",
                FieldValue::List(list),
                _,
            ) => {
                self.list(list, &STRIDES);
            }
            ("stridesbytes" | "tensorstridesbytes", FieldValue::List(list), _) => {
                self.byte_strides.extend(list.iter().copied().enumerate());
            }
            (_, FieldValue::Text(text), _) => {
                let number = match squeeze(text).as_str() {
                    "16bit" | "i16" | "u16" | "bits16" => Some(16),
                    "32bit" | "i32" | "u32" | "bits32" => Some(32),
                    "image" => Some(2),
                    "true" => Some(1),
                    "false" => Some(0),
                    _ => parse_number(text),
                };
                match number {
                    Some(n) => self.number(name, &key, n),
                    None => self.unknown(name),
                }
            }
            (_, _, Some(n)) => self.number(name, &key, n),
            (_, _, None) => self.unknown(name),
        }
    }

    /// A number about the surroundings; one that no chip can have is told, and counts as not given.
    fn around<T: TryFrom<i128>>(&mut self, name: &str, value: i128) -> Option<T> {
        let number = T::try_from(value).ok();
        if number.is_none() {
            self.remarks.push(rules::FIELD_RANGE.broken(
                format!("{name} = {value} cannot be"),
                format!("give {name} as it is on the chip, or leave it out"),
            ));
        }
        number
    }

    fn direct(&mut self, text: &str) {
        let text = squeeze(text);
        if text.contains("store") || text.contains("scatter") {
            self.context.direction = Some(Direction::Store);
        } else if text.contains("load") || text.contains("gather") {
            self.context.direction = Some(Direction::Load);
        }
        match text.as_str() {
            "gather" | "scatter" => {
                self.values.insert("gather_mode", 1);
            }
            "iterate" => {
                self.values.insert("iterate_enable", 1);
            }
            _ => {}
        }
    }

    fn list(&mut self, list: &[i128], names: &[&'static str]) {
        for (&name, &value) in names.iter().zip(list) {
            self.values.insert(name, value);
        }
        if list.len() > names.len() {
            self.remarks.push(rules::FIELD_RANGE.broken(
                format!(
                    "{} numbers where a D# has {} ({} to {})",
                    list.len(),
                    names.len(),
                    names[0],
                    names[names.len() - 1]
                ),
                "use at most five dimensions",
            ));
        }
    }

    fn number(&mut self, name: &str, key: &str, value: i128) {
        if let Some(n) = key.strip_prefix("index").and_then(|n| n.parse::<usize>().ok()).filter(|&n| n < 16) {
            self.indices.resize(self.indices.len().max(n + 1), 0);
            if let Some(slot) = self.indices.get_mut(n) {
                *slot = value;
            }
            return;
        }
        if let Some(dim) = byte_stride(key) {
            self.byte_strides.push((dim, value));
            return;
        }
        for suffix in ["encoded", "stored", "enc", "raw", "code", "log2"] {
            let Some(field) = key.strip_suffix(suffix).and_then(lookup) else { continue };
            if key == "iteratecountraw" || lookup(key).is_none() {
                match u64::try_from(value).ok().filter(|&v| v <= field.max_stored()) {
                    Some(stored) => {
                        self.stored.insert(field.name, stored);
                    }
                    None => self.remarks.push(misfit(&field, name, value)),
                }
                return;
            }
        }
        let (base, divide) = match (lookup(key), key.strip_suffix("bytes"), key.strip_suffix("dwords")) {
            (Some(field), ..) => (Some(field), 1),
            (None, Some(rest), _) => {
                let field = lookup(rest);
                (field, if field.is_some_and(|f| f.unit == "dwords") { 4 } else { 1 })
            }
            (None, None, Some(rest)) => (lookup(rest), 1),
            (None, None, None) => {
                let rest =
                    ["elements", "elems", "bits"].iter().find_map(|s| key.strip_suffix(s)).unwrap_or(key);
                (lookup(rest), 1)
            }
        };
        let Some(field) = base else {
            self.unknown(name);
            return;
        };
        if value % divide != 0 {
            let choices = [value.div_euclid(divide), value.div_euclid(divide) + 1];
            let legal = choices.into_iter().filter(|&dwords| field.encode(dwords).is_some());
            let fix = match legal.min_by_key(|dwords| (dwords * divide).abs_diff(value)) {
                Some(dwords) => format!("use {name} = {}", dwords * divide),
                None => format!("use {name} = {}", nearest_legal(&field, value / divide) * divide),
            };
            self.remarks.push(rules::FIELD_RANGE.broken(
                format!("{name} = {value} bytes is not a whole number of dwords, in which padding counts"),
                fix,
            ));
            return;
        }
        // data_size alone is ambiguous only for 0 and 3, which are no sizes: they can only be the stored log2.
        if key == "datasize"
            && let 0 | 3 = value
        {
            self.stored.insert(field.name, value as u64);
            return;
        }
        self.values.insert(field.name, value / divide);
    }

    fn unknown(&mut self, name: &str) {
        let mut told =
            rules::FIELD_UNKNOWN.told(format!("{name} is not a field of a D#, so it is not looked at"));
        told.level = Level::Note;
        self.remarks.push(told);
    }

    fn get(&self, name: &str) -> i128 {
        self.values.get(name).copied().unwrap_or(0)
    }

    /// The words of the request, and everything that kept a value out of them.
    fn build(&mut self) -> (Option<TdmDescriptor>, Vec<Diagnostic>) {
        self.fill_in();
        let mut out = std::mem::take(&mut self.remarks);
        let gather = self.get("gather_mode") != 0;
        let iterate = self.get("iterate_enable") != 0 && !gather;
        self.conflicts(gather, iterate, &mut out);
        let mut packer = Packer::default();
        for (group, field) in FIELDS {
            let upper = matches!(group, Group::Two | Group::Three);
            if gather && upper || !belongs(field.name, iterate) {
                continue;
            }
            match (self.stored.get(field.name), self.values.get(field.name)) {
                (Some(&stored), _) => {
                    let decoded = field.decode(stored);
                    packer.put(*group, field, decoded);
                }
                (None, Some(&value)) => packer.put(*group, field, value),
                (None, None) => {}
            }
        }
        if gather {
            let size = if self.get("gather_index_size") == 1 { IndexSize::Bits32 } else { IndexSize::Bits16 };
            let fields = size.format().fields;
            for (field, &index) in fields.iter().zip(&self.indices) {
                packer.put(Group::Two, field, index);
            }
            if self.indices.len() > fields.len() {
                out.push(rules::GATHER_COUNT.broken(
                    format!(
                        "{} row indices of {} bits: one instruction takes at most {}",
                        self.indices.len(),
                        256 / fields.len(),
                        fields.len()
                    ),
                    format!("split the list into instructions of at most {} rows", fields.len()),
                ));
            }
        }
        let upper = gather || iterate || packer.words[12..].iter().any(|&w| w != 0);
        match packer.finish(upper) {
            Ok(descriptor) if out.iter().all(|d| d.level != Level::Error) => (Some(descriptor), out),
            Ok(_) => (None, out),
            Err(misfits) => {
                out.extend(misfits);
                (None, out)
            }
        }
    }

    /// What follows from the values given: defaults of a user descriptor and implied mode bits.
    fn fill_in(&mut self) {
        self.values.entry("count").or_insert(1);
        self.values.entry("type").or_insert(2);
        let stored = self.stored.get("data_size_bytes").map(|&log2| 1i128 << log2);
        let size = stored.or(self.values.get("data_size_bytes").copied()).filter(|&s| s > 0).unwrap_or(1);
        for (dim, bytes) in std::mem::take(&mut self.byte_strides) {
            let Some(&name) = STRIDES.get(dim) else { continue };
            if bytes % size == 0 {
                self.values.insert(name, bytes / size);
            } else {
                let near = (bytes.saturating_add(size / 2)).div_euclid(size).max(1);
                let near = lookup(&squeeze(name)).map_or(near, |field| nearest_legal(&field, near));
                self.remarks.push(rules::FIELD_RANGE.broken(
                    format!("{name} = {bytes} bytes is not a whole number of {size}-byte elements, in which strides count"),
                    format!("use {} bytes", near * size),
                ));
            }
        }
        match self.values.get("gather_index_size").copied() {
            Some(bits @ (16 | 32)) => {
                self.values.insert("gather_index_size", i128::from(bits == 32));
            }
            Some(bits) if !(0..=1).contains(&bits) => {
                self.values.remove("gather_index_size");
                self.remarks.push(rules::FIELD_RANGE.broken(
                    format!("gather_index_size = {bits} is no size of a row index, which has 16 or 32 bits"),
                    format!("use {}", if bits > 16 { 32 } else { 16 }),
                ));
            }
            _ => {}
        }
        if !self.indices.is_empty() {
            self.values.entry("gather_mode").or_insert(1);
            let rows = self.indices.len() as i128;
            self.values.entry("tile_dim1").or_insert(rows);
        }
        // Padding given without its switch is meant; 0 dwords is how "no padding" is written as a decoded number.
        let pad = ["pad_interval_dwords", "pad_amount_dwords"];
        if !self.values.contains_key("pad_enable") {
            let given = pad.iter().any(|p| self.get(p) != 0 || self.stored.contains_key(p));
            if given {
                self.values.insert("pad_enable", 1);
            }
        }
        if self.get("pad_enable") == 0 {
            for name in pad {
                if self.values.get(name) == Some(&0) {
                    self.values.remove(name);
                }
            }
        }
        if self.get("atomic_barrier_address") != 0 {
            self.values.entry("atomic_barrier_enable").or_insert(1);
        }
        let iterates =
            ["lds_addr_increment", "global_addr_increment"].iter().any(|n| self.values.contains_key(n))
                || self.get("iterate_count") > 1;
        if iterates && self.get("gather_mode") == 0 {
            self.values.entry("iterate_enable").or_insert(1);
        }
        if self.get("iterate_count") == 0 {
            // A pass count of 0 can only be the stored number.
            self.values.remove("iterate_count");
        }
    }

    fn conflicts(&self, gather: bool, iterate: bool, out: &mut Vec<Diagnostic>) {
        let dense_only = [
            "tensor_dim3",
            "tensor_dim2_stride",
            "tile_dim3",
            "tensor_dim4",
            "tensor_dim3_stride",
            "tile_dim4",
        ];
        let clash = dense_only.iter().find(|n| self.get(n) != 0);
        if let Some(name) = clash.filter(|_| gather || iterate) {
            let mode = if gather { "gather_mode" } else { "iterate_enable" };
            out.push(rules::FIELD_CONFLICT.broken(
                format!(
                    "{mode} = 1 and {name} = {} exclude each other: the mode keeps its {} in the registers of dimensions \
                     3 and 4",
                    self.get(name),
                    if gather { "row indices" } else { "increments and pass count" }
                ),
                if gather { "gather rows of a 2D tensor" } else { "iterate over a 2D or 3D tile" },
            ));
        }
    }
}
