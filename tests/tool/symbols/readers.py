#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What two readers say about every address of a program: readers.py CORE OWN, as coreanswers and ownanswers print it.

Prints the addresses where they differ, up to ten runs of each kind, and ends with status 1 if there are any.  On
standard error, how many addresses there are, and how many of these differ for a reason that is known:

    file        The core joins the rows of a line table whose addresses follow each other and whose lines are equal,
                even if they are of different files, and keeps the first one's file.
    name        The core finds no names of functions in other units: UnknownInlinedFun.
    symbol      The core leaves out symbols without a size.
    local       The core does not see what is inlined in functions that are in other functions, as lambdas are.
    padding     The core gives bytes between two functions to the line before them.  We have none where
                the unit does not claim them.
"""

import sys


class Run:
    """Addresses with one answer: a function, a place, and pairs of what is inlined and where."""

    def __init__(self, line):
        first, after, answer = line.split(' ', 2)
        self.first, self.after = int(first, 16), int(after, 16)
        self.function, self.place, *chain = answer.split('\t')
        self.names, self.calls = chain[::2], chain[1::2]


def read(path):
    """The runs of one object."""
    with open(path, encoding='utf-8', errors='surrogateescape') as lines:
        return [Run(line.rstrip('\n')) for line in lines if not line.startswith('object ')]


def joined_files(runs):
    """For each run the place that it has where rows of equal lines are joined."""
    places = []
    last = None
    for run in runs:
        place = run.place
        if last and last.after == run.first and last.place.rpartition(':')[2] == place.rpartition(':')[2]:
            place = places[-1]
        places.append(place)
        last = run
    return places


def difference(core, own, joined):
    """What differs, and the kinds of known reasons."""
    known = set()
    if core.function != own.function:
        if core.function != '?':
            return 'function', known
        known.add('symbol')
    if core.place != own.place:
        if own.place == '?' and own.function == '?':
            known.add('padding')
        elif core.place == joined:
            known.add('file')
        else:
            return 'place', known
    if own.names and not core.names and own.function.startswith('_ZZ'):
        known.add('local')
    elif len(core.names) != len(own.names) or core.calls != own.calls:
        return 'inlined', known
    for left, right in zip(core.names, own.names):
        if left != right:
            if left != 'UnknownInlinedFun':
                return 'inlined', known
            known.add('name')
    return None, known


def main():
    """See above."""
    core, own = read(sys.argv[1]), read(sys.argv[2])
    joined = joined_files(own)
    known, found = dict.fromkeys(('file', 'name', 'symbol', 'local', 'padding'), 0), {}
    address, i, j = core[0].first, 0, 0
    while i < len(core) and j < len(own):
        after = min(core[i].after, own[j].after)
        what, reasons = difference(core[i], own[j], joined[j])
        if what:
            found.setdefault(what, []).append((address, after, core[i], own[j]))
        for reason in reasons:
            known[reason] += after - address
        address = after
        i += core[i].after == after
        j += own[j].after == after
    print('%d addresses; known: %s' % (address - core[0].first, ', '.join('%s %d' % item for item in known.items())),
          file=sys.stderr)
    if core[-1].after != own[-1].after:
        print('one ends at %x, the other at %x' % (core[-1].after, own[-1].after))
    for what, runs in found.items():
        print('%s: %d addresses' % (what, sum(after - first for first, after, _, _ in runs)))
        for first, after, left, right in runs[:10]:
            for name, run in ('core', left), ('own ', right):
                chain = [' < '.join(pair) for pair in zip(run.names, run.calls)]
                print('  %x-%x %s: %s' % (first, after, name, ' | '.join([run.function, run.place] + chain)))
    sys.exit(1 if found or core[-1].after != own[-1].after else 0)


main()
