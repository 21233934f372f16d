//! TOML tables read key by key, every complaint with its place.
//!
//! A reader never stops at the first mistake: it notes a diagnostic and goes on, so that one run shows all of them. Keys that
//! nobody asked for are complaints too: a misspelt `element_stride` must not be ignored.

use tilehaul_diag::{Code, Diagnostic, FileId, Level, Span, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Everything wrong with a launch file has this code.
pub(crate) const CODE: Code = Code("launch-file");

/// Complaints about one file.
#[derive(Debug, Default)]
pub(super) struct Complaints(pub(super) Vec<Diagnostic>);

impl Complaints {
    pub(super) fn at(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(CODE, Level::Error, message).at(span, ""));
    }

    pub(super) fn with_fix(&mut self, span: Span, message: impl Into<String>, fix: impl Into<String>) {
        self.0.push(Diagnostic::new(CODE, Level::Error, message).at(span, "").fix(fix.into()));
    }
}

/// A value of the file with its place and the dotted name of its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    value: &'a DeValue<'a>,
    pub(super) span: Span,
}

pub(super) fn span(range: std::ops::Range<usize>) -> Span {
    // Launch files are refused above 1 MiB long before this.
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(FileId(0), offset(range.start), offset(range.end))
}

impl<'a> Value<'a> {
    fn of(value: &'a Spanned<DeValue<'a>>) -> Value<'a> {
        Value { value: value.get_ref(), span: span(value.span()) }
    }

    pub(super) fn string(self) -> Option<&'a str> {
        self.value.as_str()
    }

    pub(super) fn integer(self) -> Option<i128> {
        let integer = self.value.as_integer()?;
        let digits = integer.as_str().trim_start_matches('+').replace('_', "");
        i128::from_str_radix(&digits, integer.radix()).ok()
    }

    pub(super) fn float(self) -> Option<f64> {
        match self.integer() {
            // A double holds launch-file integers up to 2^53 exactly; larger ones are rounded like any literal.
            Some(integer) => Some(integer as f64),
            None => self.value.as_float()?.as_str().replace('_', "").parse().ok(),
        }
    }

    pub(super) fn boolean(self) -> Option<bool> {
        self.value.as_bool()
    }

    pub(super) fn array(self) -> Option<Vec<Value<'a>>> {
        Some(self.value.as_array()?.iter().map(Value::of).collect())
    }

    pub(super) fn table(self, name: String) -> Option<Table<'a>> {
        Some(Table::new(self.value.as_table()?, self.span, name))
    }

    /// What stands there, for a complaint: `a string`.
    pub(super) fn what(self) -> &'static str {
        self.value.type_str()
    }
}

/// A table of the file and the keys that somebody has asked for.
#[derive(Debug)]
pub(super) struct Table<'a> {
    table: &'a DeTable<'a>,
    /// Where it begins.
    pub(super) span: Span,
    /// Its dotted name: `buffer.a`; empty for the file itself.
    pub(super) name: String,
    asked: Vec<&'static str>,
}

impl<'a> Table<'a> {
    pub(super) fn new(table: &'a DeTable<'a>, span: Span, name: String) -> Table<'a> {
        Table { table, span, name, asked: Vec::new() }
    }

    /// `buffer.a.shape`, as a complaint names it.
    pub(super) fn path(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    pub(super) fn get(&mut self, key: &'static str) -> Option<Value<'a>> {
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        self.table.get(key).map(Value::of)
    }

    /// All tables below `key`, in the order of the file: `[buffer.a]`, `[buffer.b]`.
    pub(super) fn tables(
        &mut self,
        key: &'static str,
        complaints: &mut Complaints,
    ) -> Vec<(String, Table<'a>)> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Some(parent) = value.value.as_table() else {
            complaints.with_fix(
                value.span,
                format!("`{key}` is {}", value.what()),
                format!("write [{key}.NAME] tables"),
            );
            return Vec::new();
        };
        let mut found = Vec::new();
        for (name, value) in parent.iter() {
            let value = Value::of(value);
            let path = format!("{key}.{}", name.get_ref());
            match value.table(path.clone()) {
                Some(table) => found.push((name.get_ref().to_string(), table)),
                None => complaints.at(value.span, format!("`{path}` must be a table, not {}", value.what())),
            }
        }
        found.sort_by_key(|(_, table)| table.span.start);
        found
    }

    /// All keys with their values, in the order of the file.
    pub(super) fn entries(&self) -> Vec<(String, Value<'a>)> {
        let mut entries: Vec<_> =
            self.table.iter().map(|(key, value)| (key.get_ref().to_string(), Value::of(value))).collect();
        entries.sort_by_key(|(_, value)| value.span.start);
        entries
    }

    pub(super) fn string(&mut self, key: &'static str, complaints: &mut Complaints) -> Option<String> {
        self.typed(key, "a string", complaints, |v| v.string().map(str::to_owned))
    }

    pub(super) fn boolean(&mut self, key: &'static str, complaints: &mut Complaints) -> Option<bool> {
        self.typed(key, "true or false", complaints, Value::boolean)
    }

    pub(super) fn float(&mut self, key: &'static str, complaints: &mut Complaints) -> Option<f64> {
        self.typed(key, "a number", complaints, Value::float)
    }

    pub(super) fn unsigned(&mut self, key: &'static str, complaints: &mut Complaints) -> Option<u64> {
        self.typed(key, "a whole number, 0 or more", complaints, |v| u64::try_from(v.integer()?).ok())
    }

    pub(super) fn unsigned_list(
        &mut self,
        key: &'static str,
        complaints: &mut Complaints,
    ) -> Option<Vec<u64>> {
        self.typed(key, "a list of whole numbers, 0 or more", complaints, |v| {
            v.array()?.into_iter().map(|e| u64::try_from(e.integer()?).ok()).collect()
        })
    }

    pub(super) fn signed_list(&mut self, key: &'static str, complaints: &mut Complaints) -> Option<Vec<i64>> {
        self.typed(key, "a list of whole numbers", complaints, |v| {
            v.array()?.into_iter().map(|e| i64::try_from(e.integer()?).ok()).collect()
        })
    }

    fn typed<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        complaints: &mut Complaints,
        read: impl FnOnce(Value<'a>) -> Option<T>,
    ) -> Option<T> {
        let value = self.get(key)?;
        let result = read(value);
        if result.is_none() {
            complaints.at(value.span, format!("`{}` must be {wanted}", self.path(key)));
        }
        result
    }

    /// Complains about keys that nobody asked for.
    pub(super) fn finish(&self, complaints: &mut Complaints) {
        for (key, value) in self.table.iter() {
            let name = key.get_ref().as_ref();
            if self.asked.contains(&name) {
                continue;
            }
            let place = span(key.span()).to(span(value.span()));
            let fix = match nearest(name, self.asked.iter().copied(), 2) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys here are {}", self.asked.join(", ")),
            };
            complaints.with_fix(place, format!("`{}` is not a key of a launch file", self.path(name)), fix);
        }
    }
}
