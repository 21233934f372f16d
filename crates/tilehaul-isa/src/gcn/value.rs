//! The metadata note of a code object (MessagePack) and its text form in assembly (a small part of YAML), as one tree.
//!
//! Both readers are bounded: nesting stops at [`MAX_DEPTH`], and a length that the input cannot hold ends the reading.

/// Deepest nesting that is read.
pub const MAX_DEPTH: u32 = 16;

/// A metadata value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Nil,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Keys and values in order.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The value of a key of a map.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// A number.
    #[must_use]
    pub fn int(&self) -> Option<i64> {
        match self {
            Value::Int(v) => Some(*v),
            _ => None,
        }
    }

    /// A text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(v) => Some(v),
            _ => None,
        }
    }

    /// A list; empty for anything else.
    #[must_use]
    pub fn list(&self) -> &[Value] {
        match self {
            Value::List(v) => v,
            _ => &[],
        }
    }
}

/// Reads one MessagePack value.
#[must_use]
pub fn read_msgpack(bytes: &[u8]) -> Option<Value> {
    Pack { rest: bytes }.value(0)
}

struct Pack<'b> {
    rest: &'b [u8],
}

impl<'b> Pack<'b> {
    fn take(&mut self, n: usize) -> Option<&'b [u8]> {
        let (head, tail) = self.rest.split_at_checked(n)?;
        self.rest = tail;
        Some(head)
    }

    fn number(&mut self, n: usize) -> Option<u64> {
        Some(self.take(n)?.iter().fold(0, |v, &b| v << 8 | u64::from(b)))
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        let tag = *self.take(1)?.first()?;
        Some(match tag {
            0x00..=0x7f => Value::Int(i64::from(tag)),
            0x80..=0x8f => self.map(u64::from(tag & 15), depth)?,
            0x90..=0x9f => self.list(u64::from(tag & 15), depth)?,
            0xa0..=0xbf => self.text(u64::from(tag & 31))?,
            0xc0 => Value::Nil,
            0xc2 => Value::Bool(false),
            0xc3 => Value::Bool(true),
            0xcc..=0xcf => Value::Int(i64::try_from(self.number(1 << (tag - 0xcc))?).ok()?),
            0xd0..=0xd3 => {
                let bytes = 1usize << (tag - 0xd0);
                let shift = 64 - 8 * bytes as u32;
                Value::Int((self.number(bytes)? << shift) as i64 >> shift)
            }
            0xd9..=0xdb => {
                let len = self.number(1 << (tag - 0xd9))?;
                self.text(len)?
            }
            0xdc | 0xdd => {
                let len = self.number(if tag == 0xdc { 2 } else { 4 })?;
                self.list(len, depth)?
            }
            0xde | 0xdf => {
                let len = self.number(if tag == 0xde { 2 } else { 4 })?;
                self.map(len, depth)?
            }
            _ => return None,
        })
    }

    fn text(&mut self, len: u64) -> Option<Value> {
        let bytes = self.take(usize::try_from(len).ok()?)?;
        Some(Value::Text(String::from_utf8_lossy(bytes).into_owned()))
    }

    fn list(&mut self, len: u64, depth: u32) -> Option<Value> {
        if len > self.rest.len() as u64 {
            return None;
        }
        (0..len).map(|_| self.value(depth + 1)).collect::<Option<Vec<_>>>().map(Value::List)
    }

    fn map(&mut self, len: u64, depth: u32) -> Option<Value> {
        if len > self.rest.len() as u64 {
            return None;
        }
        let entry = |pack: &mut Pack<'b>| {
            let Value::Text(key) = pack.value(depth + 1)? else { return None };
            Some((key, pack.value(depth + 1)?))
        };
        (0..len).map(|_| entry(self)).collect::<Option<Vec<_>>>().map(Value::Map)
    }
}

/// Reads the YAML of `.amdgpu_metadata`: block maps and lists by indentation, flow maps and lists, plain and
/// quoted scalars. `None` when any line does not belong to the tree.
#[must_use]
pub fn read_yaml(text: &str) -> Option<Value> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .map(|l| (l.len() - l.trim_start().len(), l.trim()))
        .filter(|(_, l)| !l.is_empty() && *l != "---" && *l != "..." && !l.starts_with('#'))
        .collect();
    let mut reader = Yaml { lines, at: 0 };
    let indent = reader.lines.first()?.0;
    let value = reader.block(indent, 0)?;
    // A line that belongs to nothing means that the rest was misread.
    reader.peek().is_none().then_some(value)
}

struct Yaml<'t> {
    lines: Vec<(usize, &'t str)>,
    at: usize,
}

impl<'t> Yaml<'t> {
    fn peek(&self) -> Option<(usize, &'t str)> {
        self.lines.get(self.at).copied()
    }

    /// A map or list whose lines start at column `indent`.
    fn block(&mut self, indent: usize, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (_, first) = self.peek()?;
        if first.starts_with('-') { self.list(indent, depth) } else { self.map(indent, depth) }
    }

    fn list(&mut self, indent: usize, depth: u32) -> Option<Value> {
        let mut items = Vec::new();
        while let Some((column, line)) = self.peek() {
            let Some(rest) = line.strip_prefix('-') else { break };
            if column != indent {
                break;
            }
            let body = rest.trim_start();
            if body.is_empty() {
                self.at += 1;
                let inner = self.peek()?.0;
                items.push(self.block(inner, depth + 1)?);
            } else if is_entry(body) && !body.starts_with(['{', '[']) {
                // `- key: value` opens a map whose keys stand where this one does.
                let inner = indent + line.len() - body.len();
                if let Some(slot) = self.lines.get_mut(self.at) {
                    *slot = (inner, body);
                }
                items.push(self.block(inner, depth + 1)?);
            } else {
                self.at += 1;
                items.push(self.inline(body, depth)?);
            }
        }
        Some(Value::List(items))
    }

    fn map(&mut self, indent: usize, depth: u32) -> Option<Value> {
        let mut entries = Vec::new();
        while let Some((column, line)) = self.peek() {
            if column != indent || line.starts_with("- ") || !is_entry(line) {
                break;
            }
            let (key, rest) = line.split_once(':')?;
            let (key, rest) = (unquote(key.trim()), rest.trim());
            self.at += 1;
            let value = match (rest, self.peek()) {
                ("", Some((inner, next))) if inner > indent || (inner == indent && next.starts_with('-')) => {
                    self.block(inner, depth + 1)?
                }
                ("", _) => Value::Nil,
                (rest, _) => self.inline(rest, depth)?,
            };
            entries.push((key, value));
        }
        Some(Value::Map(entries))
    }

    /// A value that begins on the line just taken: a scalar, or `{ … }` and `[ … ]`, which may go on over more lines.
    fn inline(&mut self, first: &'t str, depth: u32) -> Option<Value> {
        if !first.starts_with(['{', '[']) {
            return Some(scalar(first.split(" #").next().unwrap_or(first).trim_end()));
        }
        let mut text = first.to_owned();
        let mut open = unclosed(first);
        while open > 0 {
            let (_, more) = self.peek()?;
            self.at += 1;
            open += unclosed(more);
            text.push(' ');
            text.push_str(more);
        }
        let mut flow = Flow { rest: &text };
        let value = flow.value(depth)?;
        let rest = flow.rest.trim_start();
        (rest.is_empty() || rest.starts_with('#')).then_some(value)
    }
}

/// Brackets that a line opens and does not close.
fn unclosed(line: &str) -> i64 {
    let mut quote = None;
    let mut open = 0;
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '{' | '[') => open += 1,
            (None, '}' | ']') => open -= 1,
            _ => {}
        }
    }
    open
}

/// A value in flow style: `{ .offset: 0, .size: 8 }`, `[1, [2, 3]]`.
struct Flow<'t> {
    rest: &'t str,
}

impl Flow<'_> {
    fn take(&mut self, wanted: char) -> bool {
        match self.rest.trim_start().strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// `None` when the text ends before the value does, or is none.
    fn value(&mut self, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.take('{') {
            let mut entries = Vec::new();
            while !self.take('}') {
                let (key, rest) = self.rest.split_once(':')?;
                let key = unquote(key.trim());
                self.rest = rest;
                entries.push((key, self.value(depth + 1)?));
                if !self.take(',') && !self.rest.trim_start().starts_with('}') {
                    return None;
                }
            }
            return Some(Value::Map(entries));
        }
        if self.take('[') {
            let mut items = Vec::new();
            while !self.take(']') {
                items.push(self.value(depth + 1)?);
                if !self.take(',') && !self.rest.trim_start().starts_with(']') {
                    return None;
                }
            }
            return Some(Value::List(items));
        }
        let text = self.rest.trim_start();
        let end = match text.chars().next()? {
            quote @ ('\'' | '"') => text.get(1..)?.find(quote)? + 2,
            _ => text.find([',', '}', ']'])?,
        };
        let (value, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        Some(scalar(value.trim_end()))
    }
}

fn is_entry(line: &str) -> bool {
    line.split_once(':').is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with(' '))
}

fn unquote(text: &str) -> String {
    let quoted = |q: char| text.strip_prefix(q).and_then(|t| t.strip_suffix(q));
    quoted('\'').or_else(|| quoted('"')).unwrap_or(text).to_owned()
}

fn scalar(text: &str) -> Value {
    match text {
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        "~" | "null" => return Value::Nil,
        _ => {}
    }
    if let Some(hex) = text.strip_prefix("0x")
        && let Ok(v) = i64::from_str_radix(hex, 16)
    {
        return Value::Int(v);
    }
    if let Ok(v) = text.parse() {
        return Value::Int(v);
    }
    Value::Text(unquote(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_and_msgpack_give_the_same_tree() {
        let yaml = "---\nkernels:\n  - .args:\n      - .offset: 0\n        .size: 8\n    .name: 'k'\n    .wave64: false\nversion:\n  - 1\n  - 2\n...\n";
        let pack = b"\x82\xa7kernels\x91\x83\xa5.args\x91\x82\xa7.offset\x00\xa5.size\x08\xa5.name\xa1k\xa7.wave64\xc2\xa7version\x92\x01\x02";
        let tree = read_yaml(yaml);
        assert!(tree.is_some());
        assert_eq!(tree, read_msgpack(pack));
    }

    #[test]
    fn flow_and_block_style_give_the_same_tree() {
        let block = read_yaml(
            "k:\n  - .args:\n      - .offset: 0\n        .size: 8\n    .v:\n      - 1\n      - 2\n    .n: a, b\n",
        );
        assert!(block.is_some());
        for flow in [
            "k:\n  - .args: [{.offset: 0, .size: 8}]\n    .v: [ 1, 2 ]\n    .n: 'a, b'\n",
            "k: [{ .args: [ { .offset: 0,\n .size: 8 } ], .v: [1, 2], .n: \"a, b\" }]",
            "k:\n  - .args:\n      - { .offset: 0, .size: 8 }  # the first\n    .v: [1,2]\n    .n: a, b # no more\n",
        ] {
            assert_eq!(read_yaml(flow), block, "{flow}");
        }
        assert_eq!(read_yaml("k: { a: 1"), None);
        assert_eq!(read_yaml("k: 1\nnothing\n"), None);
        assert_eq!(read_yaml(&"k: [".repeat(99)), None);
    }

    #[test]
    fn lengths_beyond_the_input_end_the_reading() {
        assert_eq!(read_msgpack(&[0xdd, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(read_msgpack(&[0xdb, 0xff, 0xff, 0xff, 0xff, b'x']), None);
        assert_eq!(read_msgpack(&[0x91; 64]), None);
    }
}
