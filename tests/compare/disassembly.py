# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what costgrind sees in an object's code with objdump -d.

    disassembly.py PROGRAM OBJECT

PROGRAM is tests/cmds/object/disassemble.  Instructions must begin at the same addresses and be of the same
length (then their bytes are the same: both read the same file).  Exceptions are of the kinds listed
here; prints how many there are of each, and fails if one is of no kind, or if they are 1 % or more.
"""
import re
import subprocess
import sys

# What Capstone 4 does not know: told as bytes, of the right number.
KINDS = (
    ("AVX-512", re.compile(r"^(v|k)[a-z]")),
    ("shadow stacks and keys", re.compile(r"^(rdssp|incssp|saveprevssp|rstorssp|wrss|setssbsy|clrssbsy|rdpkru|wrpkru)")),
    # Two instructions, for objdump one.
    ("wait", re.compile(r"^f(stsw|stcw|stenv|save|init|clex)")),
)


def ours(program, path):
    """Address: (length, text)."""
    out = subprocess.run([program, path], capture_output=True, check=True).stdout.decode()
    found = {}
    for line in out.splitlines():
        address, length, text = line.split(" ", 2)
        found[int(address, 16)] = (int(length), text)
    return found


def theirs(path):
    out = subprocess.run(["objdump", "-d", "-z", "-w", path], capture_output=True,
                         check=True).stdout.decode()
    found = {}
    for line in out.splitlines():
        parts = line.split("\t")
        if line.startswith(" ") and len(parts) >= 2:
            text = parts[2].strip() if len(parts) > 2 else ""
            found[int(parts[0].strip().rstrip(":"), 16)] = (len(parts[1].split()), text)
    return found


def in_data(address, bad):
    """True if objdump itself finds nearby what no compiler writes: tables and strings in the text, where
    each guesses on after its own fashion."""
    return any(near in bad for near in range(address - 256, address + 257))


def kind_of(text, own, is_data):
    """The kind of an exception, or None."""
    start = "wait" if own and own[1].startswith("wait") else ".byte"
    for kind, pattern in KINDS:
        if pattern.match(text) and own and own[1].startswith(start) and (kind == "wait") == (start == "wait"):
            return kind
    return "data in the text" if is_data else None


def main():
    program, path = sys.argv[1:3]
    own, other = ours(program, path), theirs(path)
    bad = {address for address, (_, text) in other.items()
           if "(bad)" in text or text == "" or text.startswith("rex.")}
    counts, wrong = {}, []
    for address, (length, text) in other.items():
        got = own.get(address)
        if got and got[0] == length and (not got[1].startswith(".byte") or "(bad)" in text):
            continue
        kind = kind_of(text, got, in_data(address, bad))
        if kind is None:
            wrong.append(f"{address:x}: objdump {length} {text}, costgrind {got}")
            continue
        # These must have their length even so.
        if kind in ("AVX-512", "shadow stacks and keys") and got[0] != length:
            wrong.append(f"{address:x}: length of {text}: {length}, costgrind {got[0]}")
        counts[kind] = counts.get(kind, 0) + 1
    total = sum(counts.values()) + len(wrong)
    share = 100 * total / max(1, len(other))
    print(f"# {path}: {len(other)} instructions, {share:.3f} % differ: "
          + ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())))
    for line in wrong[:20]:
        print("# " + line)
    if len(other) < 100:
        print("# too few to compare")
        return 1
    return 1 if wrong or share >= 1 else 0


sys.exit(main())
