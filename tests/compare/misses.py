#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Misses by a trace of Lackey's (--trace-mem=yes), read from standard input; lines have 64 bytes.

    misses.py L1I L1D L2 L3     each as SETS,WAYS: prints "I1cold=1 ...", all classes of misses
    misses.py sizes             prints "M64K=1 ...", what references to data miss in one set of each of the sizes

A set is a dict, the line that was used last at its end; so is the fully
associative cache that a level is held against.
"""

import re
import sys

REFERENCE = re.compile(r'(I | [LSM]) +([0-9a-f]+),(\d+)\Z')
CLASSES = 'cold', 'cap', 'conf'
SIZES = [size << 10 for power in range(6, 18) for size in (1 << power, 3 << power - 1)] + [256 << 20]


class Lru:
    """Lines, up to a number, by their age."""

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


def references():
    """Of the trace: whether it is of code, and its lines."""
    for text in sys.stdin:
        reference = REFERENCE.match(text.rstrip('\n'))
        if reference:
            address, size = int(reference.group(2), 16), int(reference.group(3))
            yield reference.group(1) == 'I ', range(address >> 6, (address + size - 1 >> 6) + 1)


def classes(texts):
    """Classes of misses, as words."""
    code, data, second, third = map(Level, texts)
    for is_code, lines in references():
        first = code if is_code else data
        if first.misses(lines) and second.misses(lines):
            third.misses(lines)
    for name, level in ('I1', code), ('D1', data), ('L2', second), ('LL', third):
        for event in CLASSES:
            yield '%s%s=%d' % (name, event, level.counts[event])
        if level is data:
            yield 'D1anti=%d' % data.anti


def sizes():
    """What each of the sizes misses, as words."""
    trace = [lines for is_code, lines in references() if not is_code]
    n_lines = len({line for lines in trace for line in lines})
    missed = 0
    for size in SIZES:
        # When all fit, a larger one misses no less.
        if size == SIZES[0] or size // 64 // 3 * 2 < n_lines:
            cache = Lru(size // 64)
            missed = sum([any([cache.misses(line) for line in lines]) for lines in trace])
        yield 'M%d%s=%d' % ((size >> 20, 'M', missed) if size % (1 << 20) == 0 else (size >> 10, 'K', missed))


def main():
    print(*(sizes() if sys.argv[1:] == ['sizes'] else classes(sys.argv[1:])))


if __name__ == '__main__':
    main()
