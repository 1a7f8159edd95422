# SPDX-License-Identifier: GPL-3.0-or-later
"""What share of the instructions in files of machine code has a row of its own."""
import collections
import os
import re
import subprocess

import capstone

import forms


def rows_of(path):
    """The keys of a core's file."""
    keys = set()
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("#") or "|" not in line or line.startswith("other "):
                continue
            name, *forms_of = line.split("|")[0].split()
            if name in ("lock", "rep", "repne"):
                name += " " + forms_of.pop(0)
            for kinds in forms_of:
                keys.add(name if kinds == "-" else name + " " + kinds)
    return keys


def sections(path):
    """The contents of a file's sections of code."""
    listing = subprocess.run(["readelf", "-SW", path], text=True, stdout=subprocess.PIPE, check=True).stdout
    with open(path, "rb") as file:
        image = file.read()
    for match in re.finditer(r"PROGBITS\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) \S+ +AX", listing):
        address, offset, size = (int(number, 16) for number in match.groups())
        yield address, image[offset:offset + size]


def report(folder, files):
    """Prints shares, and the commonest keys that have no row in any core's file."""
    tables = {name: rows_of(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
              if name.endswith(".core")}
    decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    decoder.detail = True
    decoder.skipdata = True
    missing = collections.Counter()
    for path in files:
        counts = collections.Counter()
        known = {}
        for address, code in sections(path):
            # Code repeats itself: what was decoded is kept by its bytes.
            for insn in decoder.disasm(code, address):
                if insn.id == 0:
                    continue
                shape = bytes(insn.bytes)
                if shape not in known:
                    known[shape] = forms.key_of(insn) or insn.mnemonic + " ?"
                counts[known[shape]] += 1
        total = sum(counts.values())
        shares = []
        for name, keys in tables.items():
            without = {key: count for key, count in counts.items() if key not in keys}
            shares.append("%s %.3f %%" % (name[:-5], 100 - 100 * sum(without.values()) / max(1, total)))
            # What others have this core's processor does not have, or LLVM does not know there.
            missing.update({key: count for key, count in without.items()
                            if not any(key in others for others in tables.values())})
        print("%s: %d instructions: %s" % (path, total, ", ".join(shares)), flush=True)
    for key, count in missing.most_common(40):
        print("  no row anywhere: %s (%d)" % (key, count // len(tables)))
    return 0
