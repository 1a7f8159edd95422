#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks whether a profile of --inline=calls says what one of --inline=lines does.

    inlining.py PROGRAM LINES CALLS

LINES and CALLS are profiles of two runs of PROGRAM, with instruction positions
and --skip-plt=no.  What each instruction is inlined in is asked of addr2line,
which reads debug information by itself.  From that, and from what each
instruction costs and calls in LINES, all functions' own costs and all calls are
derived, those of inlined functions too; CALLS must have the same, to the last
unit.  Only code of the program itself is looked at, and levels of recursion are
added up.  On success, prints how many calls from one line there were.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import profile  # tests/profile.py hides the library's

SHOWN = 20  # differences


def plain(name):
    """A function's name without its level of recursion."""
    return re.sub(r"'[0-9]+\Z", '', name)


def output_of(command, text=None):
    """The lines that a command prints."""
    return subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, encoding='utf-8').stdout.splitlines()


def line_number(text):
    """Of file:line (discriminator 3)."""
    match = re.search(r':([0-9]+)(?: \(.*)?\Z', text)
    return int(match.group(1)) if match else 0


class Program:
    """What is known of a program's code without running it."""

    def __init__(self, path, addresses):
        # Of each address, (line of the call, inlined function), the outermost first.
        self.chains = {}
        frames = []
        for line in output_of(['addr2line', '-a', '-f', '-i', '-e', path],
                              ''.join('0x%x\n' % address for address in addresses)):
            if re.match(r'0x[0-9a-f]{16}\Z', line):
                frames = self.chains[int(line, 16)] = []
            else:
                frames.append(line)
        for address, frames in self.chains.items():
            names, lines = frames[0::2], [line_number(text) for text in frames[1::2]]
            self.chains[address] = tuple(zip(lines[1:], names))[::-1]
        self.cold = []
        for line in output_of(['nm', '-S', path]):
            words = line.split()
            if len(words) == 4 and re.search(r'\.cold(?:\.|\Z)', words[3]):
                begin = int(words[0], 16)
                self.cold.append((begin, begin + int(words[1], 16)))
        self.repeats = set()
        for line in output_of(['objdump', '-d', '--no-show-raw-insn', path]):
            match = re.match(r'\s*([0-9a-f]+):\s+rep[nz]*\s+[a-z]', line)
            if match and ' ret' not in line:
                self.repeats.add(int(match.group(1), 16))

    def order(self, address):
        """By which one of a function's instructions tells how often it is called."""
        return (address in self.repeats, any(a <= address < b for a, b in self.cold), address)


class Graph:
    """Own costs by function; calls by (function, line, function called): [number, costs]."""

    def __init__(self):
        self.costs = {}
        self.calls = {}

    def add_call(self, key, number, counts):
        """Some calls."""
        call = self.calls.setdefault(key, [0, {}])
        call[0] += number
        profile.add_counts(call[1], '', counts)


def derive(lines, program, path):
    """What there must be."""
    graph = Graph()
    parts = {}  # (function, chain): [order, executions, costs]
    for (function, address, _), counts in lines.costs.items():
        if function[0] != path:
            continue
        chain = program.chains[address]
        profile.add_counts(graph.costs, chain[-1][1] if chain else plain(function[2]), counts)
        for depth in range(1, len(chain) + 1):
            part = parts.setdefault((function, chain[:depth]), [None, 0, {}])
            order = program.order(address)
            profile.add_counts(part[2], '', counts)
            if part[0] is None or order < part[0]:
                part[:2] = [order, counts['Ir']]
    for (function, address, place, callee), (number, counts, _) in lines.arcs.items():
        if function[0] != path:
            continue
        chain = program.chains[address]
        graph.add_call((chain[-1][1] if chain else plain(function[2]), place[1],
                        plain(callee[2])), number, counts)
        for depth in range(1, len(chain) + 1):
            profile.add_counts(parts[function, chain[:depth]][2], '', counts)
    for (function, chain), (_, number, counts) in parts.items():
        caller = chain[-2][1] if len(chain) > 1 else plain(function[2])
        graph.add_call((caller,) + chain[-1], number, counts.get('', {}))
    return graph


def found(calls, path):
    """What there is."""
    graph = Graph()
    for (function, _, _), counts in calls.costs.items():
        if function[0] == path:
            profile.add_counts(graph.costs, plain(function[2]), counts)
    for (function, _, place, callee), (number, counts, _) in calls.arcs.items():
        if function[0] == path:
            graph.add_call((plain(function[2]), place[1], plain(callee[2])), number, counts)
    return graph


def differences(want, got):
    """Lines about what is not the same."""
    for title, left, right in (('costs', want.costs, got.costs),
                               ('calls', want.calls, got.calls)):
        for key in sorted(set(left) | set(right), key=str):
            if left.get(key) != right.get(key):
                yield '%s of %s: %s, not %s' % (title, key, right.get(key), left.get(key))


def main(args):
    """The command; the exit status."""
    if len(args) != 3:
        print('usage: inlining.py PROGRAM LINES CALLS', file=sys.stderr)
        return 2
    path, lines, calls = args[0], profile.read(args[1]), profile.read(args[2])
    addresses = {key[1] for key in list(lines.costs) + list(lines.arcs) if key[0][0] == path}
    want = derive(lines, Program(path, sorted(addresses)), path)
    wrong = list(differences(want, found(calls, path)))
    if not addresses:
        wrong.append('no code of %s' % path)
    if wrong:
        print(*wrong[:SHOWN], sep='\n')
        return 1
    inlined = len(want.calls) - len({(plain(key[0][2]), key[2][1], plain(key[3][2]))
                                     for key in lines.arcs if key[0][0] == path})
    print('%d functions, %d calls by line, about %d of them inlined' %
          (len(want.costs), len(want.calls), inlined))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
