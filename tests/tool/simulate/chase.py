#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A pointer chase (tests/programs/chase.c) on simulated machines.

    chase.py run CHASE MACHINE SIZE WARM_UP PASSES
        runs it: "READS D1MR L2DR DLMR", of the line that chases
    chase.py derive MACHINE SIZE PASSES
        the same as it has to be if WARM_UP is 0, all levels are LRU without a hash, and each is enough larger
        than the one before that it misses all or none of what that misses
    chase.py sizes MACHINE LEVEL
        the size of its level, the sizes with a way less and with an additional one, and twice its size

MACHINE is a name or a file of --machine.  VALGRIND, COSTGRIND_LIB and top_builddir are as tests/run sets them.
"""

import json
import os
import subprocess
import sys
import tempfile

LINE = 64
LEVELS = ('L1D', 'L2', 'L3')
EVENTS = ('Dr', 'D1mr', 'L2dr', 'DLmr')
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'programs', 'chase.c')


def number(text):
    """Of bytes, with K or M."""
    return int(text.rstrip('KM')) * {'K': 2**10, 'M': 2**20}.get(text[-1], 1)


def text_of(size):
    """The same back, exactly."""
    for unit, letter in ((2**20, 'M'), (2**10, 'K')):
        if size % unit == 0:
            return '%d%s' % (size // unit, letter)
    return str(size)


def chasing_line():
    """The line of the source that all reads are of."""
    with open(SOURCE, encoding='ascii') as source:
        return [i for i, line in enumerate(source, 1) if '/* CHASE_LINE */' in line][0]


def run(program, machine, size, warm_up, passes):
    """The counts of EVENTS."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out')
        subprocess.run([os.environ['VALGRIND'], '-q', '--tool=costgrind', '--machine=' + machine,
                        '--counting=valgrind', '--cycles=no', '--costgrind-out-file=' + out,
                        program, text_of(size), str(warm_up), str(passes)], check=True,
                       env=dict(os.environ, VALGRIND_LIB=os.environ['COSTGRIND_LIB']))
        cells = subprocess.run([sys.executable, os.path.join(os.path.dirname(SOURCE), '..', 'profile.py'),
                                'cells', out], check=True, capture_output=True, text=True).stdout
    for cell in cells.splitlines():
        _, function, line, counts = cell.split('\t')
        if function == 'chase' and int(line) == chasing_line():
            found = dict(count.split('=') for count in counts.split())
            return [int(found.get(event, 0)) for event in EVENTS]
    raise ValueError('no costs of the line that chases')


def machine_text(machine, form):
    """A machine as costgrind prints it."""
    return subprocess.run([os.path.join(os.environ['top_builddir'], 'costgrind'), 'machine', '--format=' + form,
                           machine], check=True, capture_output=True, text=True).stdout


def items(machine):
    """What the machine's text says about each level, a dict."""
    found = {item['item']: item for item in json.loads(machine_text(machine, 'json'))['items']}
    return {level: found[level] for level in LEVELS}


def levels(machine):
    """Size and ways of each level."""
    return {level: (item['size'], item['ways']) for level, item in items(machine).items()}


def derive(machine, size, passes):
    """The first pass misses everywhere.  In each other one, of a set that has more lines than ways all
    miss, since each is the one that was used longest ago when the next one comes; else all hit."""
    lines = size // LINE
    misses = []
    for n_bytes, n_ways in levels(machine).values():
        n_sets = n_bytes // LINE // n_ways
        in_sets = [lines // n_sets + (i < lines % n_sets) for i in range(n_sets)]
        misses.append(lines + (passes - 1) * sum(n for n in in_sets if n > n_ways))
    return [lines * passes] + misses


def sizes_around(n_bytes, n_ways):
    way = n_bytes // n_ways
    return [n_bytes - way, n_bytes + way, 2 * n_bytes]


def main(args):
    if args[0] == 'run':
        print(*run(args[1], args[2], number(args[3]), args[4], args[5]))
    elif args[0] == 'derive':
        print(*derive(args[1], number(args[2]), int(args[3])))
    elif args[0] == 'sizes':
        print(*map(text_of, sizes_around(*levels(args[1])[args[2]])))


if __name__ == '__main__':
    main(sys.argv[1:])
