#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold of classes of misses in profiles, and of misses by size of cache; prints what does not.

    miss_classes.py sums PROFILE...       in every place and call, the classes of a level are its misses
    miss_classes.py falls PROFILE...      in every place and call, no size misses more than a smaller one
    miss_classes.py size COLUMN WITH OTHER   in every place and call, a column of sizes is what D1 misses in the other
    miss_classes.py others WITH WITHOUT   but for its columns of classes and sizes, a profile is the other one
"""

import os
import re
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
import profile  # the one next to these folders, not Python's

LEVELS = (('I1', 'I1mr'), ('D1', 'D1mr D1mw'), ('L2', 'L2ir L2dr L2dw'), ('L3', 'L3ir L3dr L3dw'),
          ('LL', 'ILmr DLmr DLmw'))
CLASSES = ('cold', 'cap', 'conf')
SIZE = re.compile(r'M(\d+)([KM])\Z')
N_SIZES = 25


def rows(read):
    """All lists of counts of a profile, by what they are of."""
    yield from read.places.items()
    for place, (_, counts, _) in read.call_places.items():
        yield place, counts


def sums(paths):
    """Levels whose classes are not its misses."""
    for path in paths:
        read = profile.read(path)
        n = 0
        for level, misses in LEVELS:
            if level + 'cold' not in read.events:
                continue
            n += 1
            missed = [read.events.index(event) for event in misses.split()]
            classes = [read.events.index(level + name) for name in CLASSES]
            for place, counts in rows(read):
                if sum(counts[i] for i in missed) != sum(counts[i] for i in classes):
                    yield '%s: %s: %s' % (path, level, place)
            if sum(read.totals[read.events[i]] for i in missed) == 0:
                yield '%s: %s: no misses' % (path, level)
        if n < 3:
            yield '%s: %d levels have classes' % (path, n)
        anti, hits = read.events.index('D1anti'), [read.events.index(event) for event in ('Dr', 'Dw', 'D1mr', 'D1mw')]
        for place, counts in rows(read):
            reads, writes, *misses = (counts[i] for i in hits)
            if counts[anti] > reads + writes - sum(misses):
                yield '%s: D1anti: %s' % (path, place)


def falls(paths):
    """Where a larger size misses more."""
    for path in paths:
        read = profile.read(path)
        sizes = [i for i, event in enumerate(read.events) if SIZE.match(event)]
        numbers = [int(n) << (20 if unit == 'M' else 10) for n, unit in
                   (SIZE.match(read.events[i]).groups() for i in sizes)]
        if len(sizes) != N_SIZES or numbers != sorted(numbers):
            yield '%s: sizes are %s' % (path, numbers)
        if not read.totals.get('M64K'):
            yield '%s: nothing is missed' % path
        for place, counts in rows(read):
            missed = [counts[i] for i in sizes]
            if missed != sorted(missed, reverse=True):
                yield '%s: %s: %s' % (path, place, missed)


def size(args):
    """Where a column is not what the other run's D1 missed."""
    column, *paths = args
    ours, others = map(profile.read, paths)
    tables = []
    for read, events in (ours, (column,)), (others, ('D1mr', 'D1mw')):
        which = [read.events.index(event) for event in events]
        tables.append({place: missed for place, counts in rows(read)
                       if (missed := sum(counts[i] for i in which)) != 0})
    if tables[0] != tables[1]:
        for place in sorted(tables[0].keys() | tables[1].keys(), key=str):
            if tables[0].get(place) != tables[1].get(place):
                yield '%s: %s: %s, not %s' % (column, place, tables[0].get(place, 0), tables[1].get(place, 0))
    if not tables[0]:
        yield '%s: nothing is missed' % column


def without_classes(read):
    """What a profile says, but of classes and sizes."""
    kept = [i for i, event in enumerate(read.events)
            if not event.endswith(CLASSES) and event != 'D1anti' and not SIZE.match(event)]
    return ([read.events[i] for i in kept],
            {place: [counts[i] for i in kept] for place, counts in read.places.items()},
            {place: (count, [counts[i] for i in kept], target)
             for place, (count, counts, target) in read.call_places.items()},
            read.jumps,
            [desc for desc in read.desc if not desc.startswith(('Conflicts:', 'Miss curve:', 'Options:'))])


def others(paths):
    """Where two profiles differ, but for classes and sizes."""
    names = 'events', 'costs', 'calls', 'jumps', 'desc'
    with_classes, without = (without_classes(profile.read(path)) for path in paths)
    for name, ours, theirs in zip(names, with_classes, without):
        if ours != theirs:
            yield '%s: %s differ' % (paths[0], name)


COMMANDS = {'sums': sums, 'falls': falls, 'size': size, 'others': others}


def main(args):
    """The command; the exit status."""
    if len(args) < 2 or args[0] not in COMMANDS:
        print('usage: miss_classes.py sums|falls|size|others ...', file=sys.stderr)
        return 2
    try:
        wrong = list(COMMANDS[args[0]](args[1:]))
    except (profile.Malformed, OSError, ValueError) as error:
        wrong = [str(error)]
    print('\n'.join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
