//! What a file is that somebody gave to a command which does not take it, and which command does.

use std::path::Path;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// With an article: `an AMD code object`.
    pub what: &'static str,
    /// The command line that takes it, `FILE` for its name; empty when none does.
    pub command: &'static str,
}

/// One way to recognise a kind: what must stand at the beginning of a file, or somewhere in a text.
struct Row {
    begins: &'static [u8],
    /// Any of these.
    contains: &'static [&'static str],
    /// And one of these ends of the name, when there is no other sign.
    ends: &'static [&'static str],
    kind: Kind,
}

const fn kind(what: &'static str, command: &'static str) -> Kind {
    Kind { what, command }
}

const ROWS: &[Row] = &[
    Row {
        begins: b"\x93NUMPY",
        contains: &[],
        ends: &[".npy"],
        kind: kind("a .npy array", "tilehaul copy tma --tensor FILE …"),
    },
    Row {
        begins: b"PK\x03\x04",
        contains: &[],
        ends: &[".npz"],
        kind: kind("a zip archive (.npz, .pt)", ""),
    },
    Row {
        begins: b"\x7fELF",
        contains: &[],
        ends: &[".hsaco", ".co", ".o"],
        kind: kind("a code object", "tilehaul check FILE"),
    },
    Row {
        begins: b"BC\xc0\xde",
        contains: &[],
        ends: &[".bc"],
        kind: kind("LLVM bitcode (llvm-dis makes text of it)", "tilehaul check FILE.ll --target gfx950"),
    },
    Row {
        begins: b"",
        contains: &["\n.version", ".address_size", ".visible .entry"],
        ends: &[".ptx"],
        kind: kind("PTX text", "tilehaul check FILE"),
    },
    Row {
        begins: b"",
        contains: &["@llvm.amdgcn", "target triple", "define amdgpu_kernel"],
        ends: &[".ll"],
        kind: kind("LLVM IR text", "tilehaul check FILE --target gfx950"),
    },
    Row {
        begins: b"",
        contains: &[".amdgcn_target", ".amdhsa_kernel", "s_endpgm"],
        ends: &[".s"],
        kind: kind("AMD assembly", "tilehaul check FILE"),
    },
    Row {
        begins: b"",
        contains: &["[buffer.", "[tensor_map.", "[tdm.", "\nkernel ", "kernel = "],
        ends: &[".launch.toml", "launch.toml"],
        kind: kind("a launch file", "tilehaul check FILE"),
    },
    Row {
        begins: b"",
        contains: &["[[case]]", "operands = "],
        ends: &[".toml"],
        kind: kind("a file of tensor-memory accesses", "tilehaul tmem apply FILE"),
    },
    Row {
        begins: b"",
        contains: &["\"variants\"", "\"kind\":", "\"verdict\""],
        ends: &[".json", ".jsonl"],
        kind: kind("a file of cases or records", "tilehaul conform FILE"),
    },
    Row {
        begins: b"",
        contains: &["#ttg.", "#ttng.", "Swizzle<", "o Sw<", "S[("],
        ends: &[".mlir"],
        kind: kind("text with layouts", "tilehaul layout 'LAYOUT'"),
    },
    Row {
        begins: b"",
        contains: &["#include", "__global__", "__device__", "int main("],
        ends: &[".cu", ".cpp", ".cc", ".hip", ".h", ".cuh"],
        kind: kind("C++ source without an encode call or a descriptor that can be read", ""),
    },
    Row {
        begins: b"",
        contains: &["import ", "def "],
        ends: &[".py"],
        kind: kind("Python source without a descriptor that can be read", ""),
    },
    Row { begins: b"<svg", contains: &[], ends: &[".svg"], kind: kind("a picture", "") },
];

/// What an input is, by its contents, else by the end of its name.
#[must_use]
pub fn identify(name: &str, bytes: &[u8]) -> Option<Kind> {
    if let Some(kind) = elf(bytes) {
        return Some(kind);
    }
    let begins = |row: &&Row| !row.begins.is_empty() && bytes.starts_with(row.begins);
    let text = std::str::from_utf8(bytes).ok();
    let contains = |row: &&Row| text.is_some_and(|text| row.contains.iter().any(|sign| text.contains(sign)));
    let file = Path::new(name).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let ends = |row: &&Row| row.ends.iter().any(|end| file.ends_with(end));
    let rows = || ROWS.iter();
    rows().find(begins).or_else(|| rows().find(contains)).or_else(|| rows().find(ends)).map(|row| row.kind)
}

/// ELF files by their machine. manual: ELF, e_machine; LLVM AMDGPUUsage; CUDA's cubins.
fn elf(bytes: &[u8]) -> Option<Kind> {
    const AMDGPU: [u8; 2] = [224, 0];
    const CUDA: [u8; 2] = [190, 0];
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    let machine = bytes.get(18..20)?;
    Some(if machine == AMDGPU {
        kind("an AMD code object", "tilehaul check FILE")
    } else if machine == CUDA {
        kind("a cubin (cuobjdump -ptx FILE may show the PTX of its program)", "tilehaul check FILE.ptx")
    } else {
        kind("a program or library of a host", "")
    })
}

/// The sentence about an input that a command which reads descriptors cannot use; `None` for an input of no known kind.
#[must_use]
pub fn no_descriptor(name: &str, bytes: &[u8]) -> Option<String> {
    let kind = identify(name, bytes)?;
    let remedy = match kind.command {
        "" => "paste the words, or the lines that make them".to_owned(),
        command => format!("`{}` takes it", command.replace("FILE", name)),
    };
    Some(format!("{name} is {}, and holds no words of a descriptor: {remedy}", kind.what))
}

/// Whether an input is a binary file of a known kind: nobody's raw words.
#[must_use]
pub fn is_known_binary(bytes: &[u8]) -> bool {
    ROWS.iter().any(|row| !row.begins.is_empty() && bytes.starts_with(row.begins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_tell_before_names() {
        for (name, bytes, want) in [
            ("a.bin", &b"\x93NUMPY\x01\x00"[..], Some("a .npy array")),
            ("k.hsaco", b"\x7fELF\x02", Some("a code object")),
            ("k.txt", b"// x\n.version 8.8\n.target sm_90a\n", Some("PTX text")),
            ("k", b"s_load_dwordx2 s[0:1], s[4:5], 0\ns_endpgm\n", Some("AMD assembly")),
            ("empty.ptx", b"", Some("PTX text")),
            ("l.toml", b"kernel = \"a.ptx\"\n[buffer.a]\n", Some("a launch file")),
            ("words.txt", b"0x1 0x2", None),
        ] {
            assert_eq!(identify(name, bytes).map(|k| k.what), want, "{name}");
        }
    }
}
