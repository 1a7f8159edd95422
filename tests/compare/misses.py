#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes of misses by a trace of Lackey's (--trace-mem=yes), read from standard input.

    misses.py L1I L1D L2 L3     each as SETS,WAYS; lines of 64 bytes

Prints "I1cold=1 ...", all classes.  A set is a dict, the line that was used last at its end; so is the fully
associative cache that a level is held against.
"""

import re
import sys

REFERENCE = re.compile(r'(I | [LSM]) +([0-9a-f]+),(\d+)\Z')
CLASSES = 'cold', 'cap', 'conf'


class Lru:
    """Lines, at most so many, by their age."""

    def __init__(self, room):
        self.room = room
        self.lines = {}

    def misses(self, line):
        """Uses a line; returns whether it was not there."""
        missed = self.lines.pop(line, None) is None
        self.lines[line] = True
        if len(self.lines) > self.room:
            del self.lines[next(iter(self.lines))]
        return missed


class Level:
    """A cache, and what decides why it is missed."""

    def __init__(self, text):
        n_sets, ways = map(int, text.split(','))
        self.sets = [Lru(ways) for _ in range(n_sets)]
        self.full = Lru(n_sets * ways)
        self.seen = set()
        self.counts = dict.fromkeys(CLASSES, 0)
        self.anti = 0

    def misses(self, lines):
        """A reference to all of these; returns whether it missed, which has been counted."""
        missed = [self.sets[line % len(self.sets)].misses(line) for line in lines]
        full_missed = [self.full.misses(line) for line in lines]
        is_cold = not self.seen.issuperset(lines)
        self.seen.update(lines)
        if any(missed):
            self.counts['cold' if is_cold else 'cap' if any(full_missed) else 'conf'] += 1
        elif any(full_missed):
            self.anti += 1
        return any(missed)


def main():
    code, data, second, third = map(Level, sys.argv[1:])
    for text in sys.stdin:
        reference = REFERENCE.match(text.rstrip('\n'))
        if not reference:
            continue
        address, size = int(reference.group(2), 16), int(reference.group(3))
        lines = range(address >> 6, (address + size - 1 >> 6) + 1)
        first = code if reference.group(1) == 'I ' else data
        if first.misses(lines) and second.misses(lines):
            third.misses(lines)
    counts = []
    for name, level in ('I1', code), ('D1', data), ('L2', second), ('LL', third):
        counts += ['%s%s=%d' % (name, event, level.counts[event]) for event in CLASSES]
        if level is data:
            counts.append('D1anti=%d' % data.anti)
    print(*counts)


if __name__ == '__main__':
    main()
