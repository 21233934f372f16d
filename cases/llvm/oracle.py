#!/usr/bin/env python3
"""Asks compilers what the functions of this folder become, and writes oracle.toml.

llc 22 answers for the forms that it knows; for the others the LLVM 24 inside the Python package `triton` 3.9 answers, when
that is installed (it has no stage masks, so masks of 0 are taken off first). One answer for each function and target:
DMA instructions without registers and addressing mode, waits that stand at wait.asyncmark or are asked for, or why the
compiler refused.

    python3 cases/llvm/oracle.py [LLC]
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
LLC = sys.argv[1] if len(sys.argv) > 1 else "llc-22"
TARGETS = ["gfx908", "gfx90a", "gfx942", "gfx950", "gfx1250"]
TRIPLE = "amdgcn-amd-amdhsa"
NEW = re.compile(r"asyncmark|\.async\.lds|load\.async\.to\.lds\.p|<8 x i32> zeroinitializer")
DMA = re.compile(r"^\s+((?:global|buffer|cluster)_(?:load|store)\S*|tensor_\S+)(.*)$")
KEEP = re.compile(r"^(offen|idxen|lds|offset:.*|sc0|sc1|nt|glc|slc|scc|th:.*|scope:.*|nv)$")


def functions(text):
    """Name and single-function module of each function."""
    bodies = re.findall(r"^define .*?^}\n", text, re.S | re.M)
    rest = re.sub(r"^define .*?^}\n", "", text, flags=re.S | re.M)
    for body in bodies:
        yield re.search(r"@(\w+)\(", body).group(1), rest + body


def is_dma(name, operands):
    return "lds" in name or name.startswith("tensor_") or operands.split()[-1:] == ["lds"]


def digest(asm):
    found, waits, at_mark = [], [], False
    for line in asm.splitlines():
        if "wait_asyncmark" in line:
            at_mark = True
            continue
        match = DMA.match(line.split(";")[0])
        if match and is_dma(*match.groups()):
            words = match.group(2).replace(",", " ").split()
            found.append(" ".join([match.group(1)] + [w for w in words if KEEP.match(w)]))
        wait = re.match(r"\s+(s_wait_(?:asynccnt|tensorcnt) \S+|s_waitcnt vmcnt\(\d+\))", line)
        if wait and (at_mark or "s_wait_" in line):
            waits.append(wait.group(1))
        elif line.strip() and not line.strip().startswith(";"):
            at_mark = False
    return found, waits


def llc(module, target):
    run = subprocess.run([LLC, f"-mtriple={TRIPLE}", f"-mcpu={target}", "-o", "-"], input=module, capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.splitlines()[0].removeprefix("LLVM ERROR: ")
    return run.stdout, None


def llvm24(module, target):
    """In a process of its own, for it aborts on what it cannot select."""
    module = re.sub(r"asyncmark\(i32 (?:0|immarg)\)", "asyncmark()", module)
    module = re.sub(r"(wait\.asyncmark\(i16 \w+), i32 \w+\)", r"\1)", module)
    code = (
        "import sys; from triton._C.libtriton import llvm; llvm.init_targets(); "
        f"print(llvm.translate_to_asm(sys.stdin.read(), {TRIPLE!r}, {target!r}, '', [], False, False, False))"
    )
    run = subprocess.run([sys.executable, "-c", code], input=module, capture_output=True, text=True)
    if run.returncode:
        lines = [line for line in run.stderr.splitlines() if line.strip()]
        return None, (lines[0] if lines else "crash").removeprefix("LLVM ERROR: ")
    return run.stdout, None


def quote(items):
    return "[" + ", ".join(f'"{i}"' for i in items) + "]"


def main():
    out = ["# Written by oracle.py; not by hand.", ""]
    for path in sorted(HERE.glob("*.ll")):
        if path.name == "refused.ll":  # wrong calls, which compilers take silently or abort on
            continue
        for name, module in functions(path.read_text()):
            body = module[module.index("define"):]
            tool = "LLVM 24" if NEW.search(body) else "llc 22"
            for target in TARGETS:
                asm, refused = (llvm24 if tool == "LLVM 24" else llc)(module, target)
                out += ["[[answer]]", f'file = "{path.name}"', f'function = "{name}"', f'target = "{target}"', f'tool = "{tool}"']
                if refused:
                    out += [f"refused = {refused!r}" if '"' in refused else f'refused = "{refused}"', ""]
                    continue
                found, waits = digest(asm)
                out += [f"instructions = {quote(found)}", f"waits = {quote(waits)}", ""]
    (HERE / "oracle.toml").write_text("\n".join(out))


main()
