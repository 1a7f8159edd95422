#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of programs in this folder, derived and measured, in one notation.

    calls.py want PROGRAM.S            what the comments "#@ f ..." and "#> f g ..." derive
    calls.py found PROFILE PROGRAM.S   what a profile says about the program
    calls.py graph PROFILE [OBJECT]    the same without lines, of an object, called by its last
                                       word, or of all
    calls.py calls PROFILE [OBJECT]    calls alone
    calls.py sites PROFILE             calls by instruction and first instruction called

    #@ f Ir=4          self cost of f
    #> f g 2 Ir=10     calls of g by this line of f, how many, and what they cost
    f: Ir=4            in the output
    7: f > g 2 Ir=10   in the output; without lines f > g 2 Ir=10

Events are taken from the environment variable EVENTS, in its order; those that
are 0 are left out.  Without it, the ones that depend on no cache or predictor.
"""

import os
import re
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import profile  # the one next to this folder, not Python's

EVENTS = os.environ.get('EVENTS', 'Ir Dr Dw Bc Bi').split()
COUNTS = r'((?: [A-Za-z][A-Za-z0-9]*=[1-9][0-9]*)*) *(?:#.*)?\Z'
SELF = re.compile(r' (\S+)' + COUNTS)
CALL = re.compile(r' (\S+) (\S+) ([1-9][0-9]*)' + COUNTS)


def show(counts):
    """Counts that are not 0, as words with a blank before each."""
    return ''.join(' %s=%d' % (event, counts[event]) for event in EVENTS if counts.get(event))


def parse(words):
    """The opposite of show()."""
    counts = {event: int(count) for event, count in (word.split('=') for word in words.split())}
    if not set(counts) <= set(EVENTS):
        raise profile.Malformed('not an event: %s' % words)
    return counts


class Graph:
    """Self costs by function, and calls by (line, function, function called)."""

    def __init__(self):
        self.costs = {}
        self.calls = {}

    def add_cost(self, function, counts):
        """A self cost."""
        profile.add_counts(self.costs, function, counts)

    def add_call(self, key, number, counts):
        """Some calls."""
        call = self.calls.setdefault(key, [0, {}])
        call[0] += number
        profile.add_counts(call[1], '', counts)

    def show_costs(self):
        """A line for each function."""
        return ['%s:%s' % (name, show(self.costs[name])) for name in sorted(self.costs)
                if show(self.costs[name])]

    def show_calls(self):
        """A line for each kind of call."""
        return ['%s%s > %s %d%s' % (('%s: ' % key[0] if key[0] else '',) + key[1:] +
                                    (self.calls[key][0], show(self.calls[key][1].get('', {}))))
                for key in sorted(self.calls)]


def want(path):
    """What the comments derive."""
    graph = Graph()
    with open(path, encoding='utf-8') as stream:
        for number, line in enumerate(stream, 1):
            for mark, text in re.findall(r'#([@>])([^#\n]*)', line):
                match = (SELF if mark == '@' else CALL).match(text)
                if not match:
                    raise profile.Malformed('%s:%d: not "#%s" as it should be' %
                                            (path, number, mark))
                if mark == '@':
                    graph.add_cost(match.group(1), parse(match.group(2)))
                else:
                    graph.add_call((number, match.group(1), match.group(2)),
                                   int(match.group(3)), parse(match.group(4)))
    return graph


def found(path, source=None, obj=None):
    """What a profile says; with lines if the source is given, and only of that."""
    graph = Graph()
    data = profile.read(path)
    for (function, _, _), counts in data.costs.items():
        if is_in(function[0], obj) and is_in(function[1], source):
            graph.add_cost(function[2], counts)
    for (caller, callee), (number, counts) in data.calls.items():
        if is_in(caller[0], obj) and is_in(caller[1], source):
            graph.add_call((caller[3] if source else 0, caller[2], callee[2]), number, counts)
    return graph


def sites(path):
    """A line for each calling instruction and function called."""
    arcs = profile.read(path).arcs
    for key in sorted(arcs, key=lambda key: (key[1], key[3])):
        function, address, _, callee = key
        number, counts, target = arcs[key]
        yield '0x%x: %s > 0x%x: %s %d%s' % (address, function[2], target, callee[2], number,
                                            show(counts))


def is_in(path, wanted):
    """True if a file is the one wanted, or none is wanted in particular."""
    return wanted is None or os.path.basename(path) == os.path.basename(wanted)


def main(args):
    """The command; the exit status."""
    command = args[0] if args else ''
    try:
        if command == 'want' and len(args) == 2:
            graph = want(args[1])
        elif command == 'found' and len(args) == 3:
            graph = found(args[1], source=args[2])
        elif command == 'sites' and len(args) == 2:
            print('\n'.join(sites(args[1])))
            return 0
        elif command in ('graph', 'calls') and len(args) in (2, 3):
            graph = found(args[1], obj=args[2] if len(args) == 3 else None)
        else:
            print('usage: calls.py want|found|graph|calls|sites ...', file=sys.stderr)
            return 2
    except (profile.Malformed, OSError) as error:
        print('calls.py: %s' % error, file=sys.stderr)
        return 1
    for line in ([] if command == 'calls' else graph.show_costs()) + graph.show_calls():
        print(line)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
