//! Command lines pasted with their answer: `(gdb) x/32xw &map`, `(lldb) memory read -s4 -fx &map`, `$ xxd map.bin`, `>>> list(map)`.
//!
//! They hold no words, but some say how wide the words below them are.

/// Prompts of debuggers and shells; what follows on the line is a command.
const PROMPTS: &[&str] = &["(gdb) ", "(cuda-gdb) ", "(rocgdb) ", "(lldb) ", "$ ", "% ", ">>> ", "In ["];

/// Commands that print memory, as they stand at the beginning of a line without a prompt.
const COMMANDS: &[&str] = &[
    "x", "p", "print", "output", "memory", "xxd", "hexdump", "hd", "od", "info", "register", "set", "frame",
];

/// What a command line says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    /// Bits of a word, when the format names them.
    pub(super) width: Option<u32>,
    /// Base of numbers without a prefix, when the format names it.
    pub(super) base: Option<u32>,
}

/// The command of a line, when it is one.
pub(super) fn command(line: &str) -> Option<Command> {
    let line = line.trim_start();
    let prompt = PROMPTS.iter().find(|p| line.starts_with(**p) || line == p.trim_end());
    let command = match prompt {
        Some(prompt) => line.get(prompt.len()..).unwrap_or("").trim_start(),
        None => line,
    };
    if prompt.is_none() {
        let end = command.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(command.len());
        let (word, rest) = command.split_at(end);
        // `x = 1` and `p: 0x1` are values.
        let value = rest.trim_start().starts_with(['=', ':']) || rest.is_empty();
        let speaks = rest.contains(|c: char| c.is_ascii_alphabetic()) || rest.contains('&');
        // gdb's own remarks: `[Switching focus to CUDA kernel 0, …]`.
        let remark = line.strip_prefix('[').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_uppercase()));
        if remark {
            return Some(Command::default());
        }
        if !COMMANDS.contains(&word) || value || !speaks {
            return None;
        }
    }
    Some(format(command))
}

/// Bits and base that a format names: gdb's `x/32xw` and `p/o`, lldb's `-s4` and `-s 8`.
fn format(command: &str) -> Command {
    let mut told = Command::default();
    let (word, rest) = command.split_at(command.find([' ', '/', '\t']).unwrap_or(command.len()));
    if let Some(letters) = rest.strip_prefix('/').and_then(|l| l.split_whitespace().next()) {
        for letter in letters.chars() {
            match letter {
                'b' => told.width = Some(8),
                'h' => told.width = Some(16),
                'w' => told.width = Some(32),
                'g' => told.width = Some(64),
                'x' | 'z' => told.base = Some(16),
                'd' | 'u' => told.base = Some(10),
                'o' => told.base = Some(8),
                't' => told.base = Some(2),
                _ => {}
            }
        }
    }
    if word == "memory" {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let size = words.iter().enumerate().find_map(|(i, word)| {
            let given =
                word.strip_prefix("--size").or_else(|| word.strip_prefix("-s"))?.trim_start_matches('=');
            if given.is_empty() { words.get(i + 1).copied() } else { Some(given) }
        });
        let bits = size.and_then(|s| s.parse::<u32>().ok()).map(|bytes| bytes.saturating_mul(8));
        told.width = bits.filter(|bits| matches!(bits, 8 | 16 | 32 | 64));
    }
    told
}
