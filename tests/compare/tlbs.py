#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Misses of TLBs by a trace of Lackey's (--trace-mem=yes), read from standard input.

    tlbs.py ITLB DTLB STLB      each as ENTRIES,WAYS; pages of 4 KiB

Prints "ITm DTm ISm DSm".  Each set is a list, the page that was used last in front.
"""

import re
import sys

REFERENCE = re.compile(r'(I | [LSM]) +([0-9a-f]+),(\d+)\Z')


class Tlb:
    """Sets of pages."""

    def __init__(self, text):
        entries, self.ways = map(int, text.split(','))
        self.sets = [[] for _ in range(entries // self.ways)]

    def has(self, page):
        """True if a page is there, used now if it is."""
        pages = self.sets[page % len(self.sets)]
        if page not in pages:
            return False
        pages.remove(page)
        pages.insert(0, page)
        return True

    def bring_in(self, page):
        """A page that is not there."""
        pages = self.sets[page % len(self.sets)]
        pages.insert(0, page)
        del pages[self.ways:]


def refer(first, second, address, size):
    """How many levels a reference misses."""
    pages = sorted({address >> 12, (address + size - 1) >> 12})
    absent = [page for page in pages if not first.has(page)]
    missed = 0
    for page in absent:
        first.bring_in(page)
        if second.has(page):
            missed = max(missed, 1)
        else:
            second.bring_in(page)
            missed = 2
    # The second page is the one used last.
    first.has(pages[-1])
    return missed


def main():
    code, data, second = map(Tlb, sys.argv[1:])
    counts = [0, 0, 0, 0]
    for line in sys.stdin:
        reference = REFERENCE.match(line.rstrip('\n'))
        if not reference:
            continue
        is_data = reference.group(1) != 'I '
        missed = refer(data if is_data else code, second, int(reference.group(2), 16), int(reference.group(3)))
        for level in range(missed):
            counts[2 * level + is_data] += 1
    print(*counts)


if __name__ == '__main__':
    main()
