#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks whether a profile of --inline=calls says what one of --inline=lines does.

    inlining.py PROGRAM LINES CALLS

LINES and CALLS are profiles of two runs of PROGRAM, with instruction positions
and --skip-plt=no; LINES has jumps.  What each instruction is inlined in is asked of addr2line,
which reads debug information by itself.  From that, and from what each
instruction costs and calls in LINES, all functions' own costs and all calls are
derived, of inlined functions too; CALLS must have the same, to the last
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
    """What is known about a program's code without running it."""

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
        self.entries = {line.split()[-1]: int(line.split()[0], 16)
                        for line in output_of(['nm', '--defined-only', path])}
        self.repeats = set()
        self.next_of = {}  # the address of each instruction: the next one's
        last = None
        for line in output_of(['objdump', '-d', '--no-show-raw-insn', path]):
            match = re.match(r'\s*([0-9a-f]+):\s+(rep[nz]* [a-z])?', line)
            if not match:
                continue
            address = int(match.group(1), 16)
            if match.group(2) and ' ret' not in line:
                self.repeats.add(address)
            self.next_of[last] = last = address


class Flow:
    """How control went inside one function: executions by address, and edges.

    An edge is from the last instruction of a stretch of code that was always executed
    as a whole to the first of another: (from, to): count.
    """

    def __init__(self, program, executions, jumps, entry):
        self.program = program
        self.executions = executions
        self.came, self.went, self.targets = {}, {}, {}
        for (source, target, conditional), taken in jumps.items():
            self.came[target] = self.came.get(target, 0) + taken
            self.went[source] = self.went.get(source, 0) + taken
            if not conditional:
                self.targets.setdefault(source, set()).add(target)
        self.ahead = {program.next_of[a]: a for a in executions if program.next_of.get(a) in executions}
        self.correct_repeated()
        self.stretches, self.stretch_of = [], {}
        for address in sorted(executions):
            before = self.ahead.get(address)
            if (before is None or address in self.came or before in self.went or
                    executions[before] != executions[address]):
                self.stretches.append([])
            self.stretches[-1].append(address)
            self.stretch_of[address] = self.stretches[-1]
        self.edges = {}
        for (source, target, _), taken in jumps.items():
            self.edges[source, target] = self.edges.get((source, target), 0) + taken
        for address, before in self.ahead.items():
            if self.stretch_of[address][0] == address and self.passed(address):
                key = before, address
                self.edges[key] = self.edges.get(key, 0) + self.passed(address)
        self.back = set()
        self.find_loops(entry)

    def find_loops(self, entry):
        """Which edges go back to what came before them on the way from the entry."""
        targets = {}
        for source, target in sorted(self.edges):
            targets.setdefault(self.stretch_of[source][0], []).append((source, target))
        state = {}
        roots = [entry] if entry in self.executions else []
        for root in roots + [stretch[0] for stretch in self.stretches]:
            if root in state:
                continue
            state[root] = 'active'
            path = [(root, iter(targets.get(root, [])))]
            while path:
                edge = next(path[-1][1], None)
                if edge is None:
                    state[path.pop()[0]] = 'known'
                    continue
                if state.get(edge[1]) == 'active':
                    self.back.add(edge)
                elif edge[1] not in state:
                    state[edge[1]] = 'active'
                    path.append((edge[1], iter(targets.get(edge[1], []))))

    def passed(self, address):
        """How often control came from the instruction before, without a jump."""
        before = self.ahead.get(address)
        if before is None:
            return 0
        return max(0, min(self.executions[before] - self.went.get(before, 0),
                          self.executions[address] - self.came.get(address, 0)))

    def correct_repeated(self):
        """Of rep instructions, rounds were counted."""
        repeats = [a for a in sorted(self.executions) if a in self.program.repeats]
        for address in repeats:
            if address in self.ahead:
                self.executions[address] = self.came.get(address, 0) + self.passed(address)
        for address in reversed(repeats):
            if address not in self.ahead:
                following = self.program.next_of[address]
                self.executions[address] = (self.executions[following] - self.came.get(following, 0)
                                            if following in self.executions else 1)

    def entries(self, chain):
        """How often what was inlined by a chain of calls was called."""
        def within(address):
            return self.program.chains[address][:len(chain)] == chain

        has = [stretch for stretch in self.stretches if any(map(within, stretch))]
        calls = sum(self.executions[stretch[0]] for stretch in has)
        for (source, target), count in self.edges.items():
            left, right = self.stretch_of[source], self.stretch_of[target]
            if left not in has or right not in has:
                continue
            forwards = (source, target) not in self.back
            if within(source):
                goes_on = forwards or within(target)
            else:
                goes_on = forwards and len(self.targets.get(source, ())) < 2
            calls -= count if goes_on else 0
        return max(1, calls)


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
    parts = {}  # (function, chain): costs
    executions, jumps = {}, {}  # by function
    for (function, source, _, target, _, kind), (taken, _) in lines.jumps.items():
        if function[0] == path:
            jumps.setdefault(function, {})[source, target, kind == 'jcnd'] = taken
    for (function, address, _), counts in lines.costs.items():
        if function[0] != path:
            continue
        chain = program.chains[address]
        profile.add_counts(graph.costs, chain[-1][1] if chain else plain(function[2]), counts)
        table = executions.setdefault(function, {})
        table[address] = table.get(address, 0) + counts['Ir']
        for depth in range(1, len(chain) + 1):
            profile.add_counts(parts.setdefault((function, chain[:depth]), {}), '', counts)
    for (function, address, place, callee), (number, counts, _) in lines.arcs.items():
        if function[0] != path:
            continue
        chain = program.chains[address]
        graph.add_call((chain[-1][1] if chain else plain(function[2]), place[1],
                        plain(callee[2])), number, counts)
        for depth in range(1, len(chain) + 1):
            profile.add_counts(parts[function, chain[:depth]], '', counts)
    flows = {function: Flow(program, executions[function], jumps.get(function, {}),
                            program.entries.get(plain(function[2])))
             for function in {function for function, _ in parts}}
    for (function, chain), counts in parts.items():
        caller = chain[-2][1] if len(chain) > 1 else plain(function[2])
        graph.add_call((caller,) + chain[-1], flows[function].entries(chain),
                       counts.get('', {}))
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
