# SPDX-License-Identifier: GPL-3.0-or-later
"""
scripts/make-cores: tables of what instructions cost on a processor's core, of LLVM's scheduling models.

  make-cores write FOLDER [NAME...]   writes FOLDER/NAME.core, of all cores or of some
  make-cores coverage FOLDER FILE...  what share of the instructions in files of machine code has a row
"""
import os
import re
import subprocess
import sys
from fractions import Fraction

import coverage
import costs
import forms
import overrides
from overrides import ports

LLVM_MC = os.environ.get("LLVM_MC", "llvm-mc-19")
LLVM_MCA = os.environ.get("LLVM_MCA", "llvm-mca-19")
# Upstream's commit of a release.
COMMITS = {"19.1.7": "cd708029e0b2869e80abe31ddb175f7c35361f90"}
VARIANTS = 2  # encodings of a form that are looked at, of each opcode


class Core:
    """How a core's file is made: LLVM's processor, its groups of ports, and rules."""

    def __init__(self, cpu, model, groups, rules, loads):
        self.cpu, self.model, self.groups, self.rules = cpu, model, groups, rules
        self.loads = loads  # latencies: of integers, of vectors of 128 bits, of 256 bits


CORES = {
    "zen2": Core("znver2", "X86ScheduleZnver2.td", overrides.ZEN2, None, (4, 7, 7)),
    "zen3": Core("znver3", "X86ScheduleZnver3.td", overrides.ZEN, overrides.zen3, (4, 7, 7)),
    "zen4": Core("znver4", "X86ScheduleZnver4.td", overrides.ZEN, None, (4, 7, 7)),
    "zen5": Core("znver4", "X86ScheduleZnver4.td", overrides.ZEN, None, (4, 7, 7)),
    "skylake": Core("skylake", "X86SchedSkylakeClient.td", overrides.INTEL_CLIENT, overrides.skylake, (5, 6, 7)),
    "skylake-sp": Core("skylake-avx512", "X86SchedSkylakeServer.td", overrides.INTEL_CLIENT, overrides.skylake,
                       (5, 6, 7)),
    "icelake": Core("icelake-server", "X86SchedIceLake.td", overrides.ICELAKE, overrides.icelake, (5, 6, 7)),
    "sapphirerapids": Core("sapphirerapids", "X86SchedSapphireRapids.td", overrides.GOLDEN, None, (5, 7, 8)),
    "goldencove": Core("alderlake", "X86SchedAlderlakeP.td", overrides.GOLDEN, None, (5, 7, 8)),
}


class Maker:
    """Models by name, each made once."""

    def __init__(self):
        found = forms.all_forms(VARIANTS)
        codes = [(key, code) for key, of_key in found.items() for code in of_key]
        self.texts = {}
        for (key, _), text in zip(codes, forms.disassemble(LLVM_MC, [code for _, code in codes])):
            if text and text not in self.texts.setdefault(key, []):
                self.texts[key].append(text)
        self.models = {}

    def model(self, cpu, groups):
        """LLVM's table of a processor, and its ports."""
        if cpu not in self.models:
            parsed = costs.groups_of(groups)
            if "BRU" in groups or groups == overrides.ZEN:
                parsed.append(overrides.BRANCH)
            table, names, inexact = costs.model(LLVM_MCA, cpu, self.texts, parsed)
            if inexact:
                print("make-cores: %s: %d sums of ports are no sums of groups" % (cpu, len(inexact)), file=sys.stderr)
            self.models[cpu] = table, names
        table, names = self.models[cpu]
        return dict(table), list(names)

    def ruled(self, name):
        """The table of a core with its rules applied, its ports, and what was changed."""
        core = CORES[name]
        if name == "zen5":
            table, names, rules = self.ruled("zen4")
            overrides.zen5(rules)
            names = [port for port in names if port not in ("BRU", "FPST")]
            names += ["ALU4", "ALU5", "AGU3"]
            return rules.table, sorted(names), rules
        table, names = self.model(core.cpu, core.groups)
        rules = overrides.Rules(table)
        apply = core.rules
        if name == "zen2":
            apply = overrides.zen2(self.ruled("zen3")[0])
        elif name == "zen4":
            apply = overrides.zen4(self.model("znver3", overrides.ZEN)[0])
        elif name in ("sapphirerapids", "goldencove"):
            apply = overrides.golden_cove(self.model("icelake-server", overrides.ICELAKE)[0])
            names += ["DIV", "FDIV"]
        if name in ("zen3", "zen4"):
            names += ["ST0", "ST1"]
        overrides.everywhere(rules)
        apply(rules)
        overrides.store_latency(rules, core.loads[0], overrides.IN_MEMORY.get(name, 0))
        return rules.table, sorted(names, key=lambda port: (re.sub(r"\d", "", port), len(port), port)), rules


# -- the file --------------------------------------------------------------------------------

MOST_USES = 8


def tenths(cycles):
    """Tenths of a cycle, never none."""
    return max(1, min(65535, int(cycles * 10 + Fraction(1, 2))))


def cost_text(cost, names):
    """The fields of a row after its key."""
    uses = sorted((sum(1 << names.index(port) for port in group), tenths(cycles)) for group, cycles in
                  cost.uses.items())
    while len(uses) > MOST_USES:
        # Of what is microcoded: two of the smallest as one of either's ports.
        uses.sort(key=lambda use: -use[1])
        (first, some), (second, more) = uses[-2:]
        uses[-2:] = [(first | second, some + more)]
        uses.sort()
    return "%d|%d|%s" % (min(255, cost.uops), min(255, cost.latency),
                         " ".join("%x:%d" % use for use in uses))


def wrapped(lead, words, width=118):
    """Comment lines."""
    lines, line = [], lead
    for word in words:
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "#  "
        line += " " + word
    return lines + [line]


def core_file(name, maker, version):
    """The text of a core's file."""
    core = CORES[name]
    table, names, rules = maker.ruled(name)
    other = table["add r64,r64"]._replace(loads=False, stores=False)
    lines = ["# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             "# Made by scripts/make-cores from LLVM %s (commit %s)," % (version, COMMITS.get(version, "unknown")),
             "# scheduling model of %s, llvm/lib/Target/X86/%s.  Do not edit." % (core.cpu, core.model),
             "# sim/core/instructiontable.h explains the format.",
             "#", "# Rows that are not, or not only, LLVM's:"]
    for reason, keys in rules.said.items():
        keys = [key for key in keys if key in table]
        if not keys:
            continue
        shown = keys if len(keys) <= 6 else keys[:5] + ["... (%d rows)" % len(keys)]
        lines += wrapped("# *", reason.split() + ["--"] + "; ".join(shown).split())
    lines += ["core %s from %s%s" % (name, core.cpu, overrides.HEADS.get(name, "")),
              "ports " + " ".join(names),
              "load %d %d %d %s" % (*core.loads, cost_text(table["mov r64,m64"], names).split("|")[2]),
              "store " + cost_text(table["mov m64,r64"], names).split("|")[2],
              "other " + cost_text(other, names)]
    rows = {}
    for key, cost in table.items():
        name_of, kinds = overrides.split_key(key)
        rows.setdefault((name_of, cost_text(cost, names)), []).append(",".join(kinds) or "-")
    for (name_of, cost), of_row in sorted(rows.items()):
        lines.append("%s %s|%s" % (name_of, " ".join(sorted(of_row)), cost))
    return "\n".join(lines) + "\n"


def write_whole(path, text):
    """The file has the text, or what it had before."""
    temporary = path + ".new"
    try:
        with open(temporary, "w", encoding="ascii") as out:
            out.write(text)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def main():
    """The commands."""
    if len(sys.argv) >= 3 and sys.argv[1] == "write":
        version = re.search(r"version (\d+\.\d+\.\d+)", subprocess.run(
            [LLVM_MCA, "--version"], text=True, stdout=subprocess.PIPE, check=True).stdout)[1]
        maker = Maker()
        for name in sys.argv[3:] or sorted(CORES):
            write_whole(os.path.join(sys.argv[2], name + ".core"), core_file(name, maker, version))
        return 0
    if len(sys.argv) >= 4 and sys.argv[1] == "coverage":
        return coverage.report(sys.argv[2], sys.argv[3:])
    print(__doc__.strip(), file=sys.stderr)
    return 2


sys.exit(main())
