# SPDX-License-Identifier: GPL-3.0-or-later
"""
Costs of forms by LLVM's scheduling models: uops, latency, and which ports are used.

llvm-mca spreads what an instruction uses over the ports that could serve it: a quarter of a cycle on each of
four ALUs.  split() finds the uses that make up such a sum: one cycle of any of the four.  Each model has groups of
ports that its instructions choose from; a sum is taken apart into as few of them as possible, in whole cycles
if that can be.
"""
import collections
import json
import re
import subprocess
from fractions import Fraction

import forms

Cost = collections.namedtuple("Cost", "uops latency loads stores uses")  # uses: {frozenset of ports: cycles}


def port_name(unit):
    """The name of a port here; None for what is none, or is the same as another one."""
    unit = unit.replace(".\x00", "0").replace(".\x01", "1").replace(".\x02", "2")
    name = re.sub(r"^(Zn\d|SKL|SKX|ICX|SPR|ADLP)", "", unit)
    match = re.fullmatch(r"Port(\d+)", name)
    if match:
        return "P%d" % int(match[1])
    # Loads and stores go through AGUs, multiplications through ALU1, that are named, too.
    if name == "PortInvalid" or re.match(r"LSU|Load|Store|Multiplier", name):
        return None
    fixed = {"FP450": "FP4", "FP451": "FP5", "BRU1": "BRU", "FPSt": "FPST", "Divider": "DIV", "FPDivider": "FDIV"}
    return fixed.get(name, name.replace("FPU", "FP"))


def groups_of(text):
    """Groups by a text like "P0156 ALU03 FP01"; of two-digit ports, "P0,1,5,6,10"."""
    groups = []
    for word in text.split():
        family, numbers = re.fullmatch(r"([A-Z]+)([0-9,]+)", word).groups()
        numbers = numbers.split(",") if "," in numbers else list(numbers)
        groups.append(frozenset(family + number for number in numbers))
    return groups


class Splitter:
    """Takes sums of uses apart, by the groups of a model."""

    def __init__(self, groups):
        self.groups = groups
        self.inexact = set()
        self.known = {}

    def split(self, pressure):
        """pressure: {port: cycles}.  Returns {group: cycles}."""
        key = frozenset(pressure.items())
        if key not in self.known:
            found = self.search(dict(pressure), 6)
            if found is None:
                self.inexact.add(key)
                found = [(frozenset([port]), cycles) for port, cycles in pressure.items()]
            uses = collections.Counter()
            for group, cycles in found:
                uses[group] += cycles
            self.known[key] = dict(uses)
        return self.known[key]

    @staticmethod
    def weight(uses):
        """How unlikely uses are: fractions first, then many of them, then large groups."""
        return (sum(cycles.denominator != 1 for _, cycles in uses), len(uses), -sum(len(group) for group, _ in uses))

    def search(self, rest, depth):
        """The least unlikely list of uses that add up to the rest; None if no list of that length does."""
        rest = {port: cycles for port, cycles in rest.items() if cycles}
        if not rest:
            return []
        if depth == 0:
            return None

        def choices(port):
            return [group for group in self.groups if port in group and group <= rest.keys()]

        port = min(sorted(rest), key=lambda name: len(choices(name)))
        best = None
        for group in choices(port) + [frozenset([port])]:
            most = min(rest[name] for name in group) * len(group)
            for cycles in {most, Fraction(int(most)), Fraction(1)}:
                if not 0 < cycles <= most:
                    continue
                share = cycles / len(group)
                found = self.search({name: value - (share if name in group else 0) for name, value in rest.items()},
                                    depth - 1)
                if found is None:
                    continue
                found = [(group, cycles)] + found
                if best is None or self.weight(found) < self.weight(best):
                    best = found
        return best


def max_share(uses):
    """Cycles of the port that is used most: what an instruction takes if no other one is there."""
    return max((cycles / len(group) for group, cycles in uses.items()), default=Fraction(0))


def instruction_table(llvm_mca, cpu, texts):
    """
    What llvm-mca says about each text: None if the processor has no such instruction, or (uops, latency, may load, may
    store, {unit: cycles}).  And the names of all units.
    """
    done = subprocess.run([llvm_mca, "-mtriple=x86_64", "-mcpu=" + cpu, "-instruction-tables", "--json",
                           "--skip-unsupported-instructions=any"],
                          input=forms.marked(texts), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=True)
    report = json.loads(done.stdout[done.stdout.index("{"):])
    units = report["TargetInfo"]["Resources"]
    region = report["CodeRegions"][0]
    pressure = collections.defaultdict(dict)
    for use in region["ResourcePressureView"]["ResourcePressureInfo"]:
        pressure[use["InstructionIndex"]][units[use["ResourceIndex"]]] = \
            Fraction(use["ResourceUsage"]).limit_denominator(720)
    results = [None] * len(texts)
    at = None
    for i, line in enumerate(region["Instructions"]):
        mark = forms.mark_of(line)
        if mark is not None:
            at = mark
        elif results[at] is None:
            info = region["InstructionInfoView"]["InstructionList"][i]
            results[at] = (info["NumMicroOpcodes"], info["Latency"], info["mayLoad"], info["mayStore"], pressure[i])
    return results, units


def model(llvm_mca, cpu, texts, groups):
    """
    Of each key (texts: {key: [text...]}) its cost by the model of a processor; where texts of a key differ, the least:
    compilers avoid the forms that cost more, like those with registers of their own (add eax, i in five bytes).  Also the ports' names in LLVM's order, and the sums that could not be taken apart.
    """
    flat = [(key, text) for key, of_key in texts.items() for text in of_key]
    results, units = instruction_table(llvm_mca, cpu, [text for _, text in flat])
    splitter = Splitter(groups)
    votes = collections.defaultdict(list)
    for (key, _), result in zip(flat, results):
        if result is None:
            continue
        uops, latency, loads, stores, pressure = result
        ports = {}
        for unit, cycles in pressure.items():
            if port_name(unit):
                ports[port_name(unit)] = cycles
        uses = splitter.split(ports)
        votes[key].append(Cost(uops, latency, loads, stores, frozenset(uses.items())))
    costs = {}
    for key, of_key in votes.items():
        best = min(of_key, key=lambda cost: (cost.latency, max_share(dict(cost.uses)), cost.uops))
        costs[key] = best._replace(uses=dict(best.uses))
    names = []
    for unit in units:
        name = port_name(unit)
        if name and name not in names:
            names.append(name)
    return costs, names, splitter.inexact
