#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts of the programs in this folder, derived and measured, in one notation.

    counts.py want PROGRAM.S          what the comments "#= Ir=1 ..." derive
    counts.py architectural PROGRAM.S the same, for counts with --counting=architectural: where
                                      they differ, "#~ Ir=1 ..." comes before "#="
    counts.py lines PROFILE PROGRAM.S what a profile says, by line of the program
    counts.py functions PROFILE [F]   what a profile says, by function; code without a symbol,
                                      by address or not, is of F (???)
    counts.py totals PROFILE          the sum of its body, all events that it has, 0 too
    counts.py summary PROFILE         the same of its "summary:" line

Events are in the order of EVENTS; zeros are left out (but for
sums).  Costs outside of the program's source are shown with their file.
"""

import os
import re
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import profile  # the one next to this folder, not Python's

EVENTS = ('Ir Dr Dw I1mr D1mr D1mw L2ir L2dr L2dw L3ir L3dr L3dw ILmr DLmr DLmw Wb ILdmr DLdmr DLdmw Bc Bcm Bi Bim '
          'Br Brm Btm Bct Bcb Bch '
          'AcCost1 SpLoss1 AcCost2 SpLoss2 Pf PfU PfL PfX Ge sysCount sysTime sysCpuTime sysBytes allocCount allocSize freeCount Pg Rep FlS FlD FlX Fl128 Fl256 BytR BytW '
          'Ld St Jmp Al Fa Mul Div Cv Shf Mov Nop Sys '
          'ITm DTm ISm DSm ITm2M DTm2M ISm2M DSm2M I1cold I1cap I1conf D1cold D1cap D1conf D1anti L2cold L2cap L2conf '
          'L3cold L3cap L3conf LLcold LLcap LLconf '
          'M64K M96K M128K M192K M256K M384K M512K M768K M1M M1536K M2M M3M M4M M6M M8M M12M M16M M24M M32M M48M M64M '
          'M96M M128M M192M M256M').split()
COUNTS = r'((?: [A-Za-z][A-Za-z0-9]*=[1-9][0-9]*)+)'
DERIVED = re.compile('#=' + COUNTS + r'\Z')
ARCHITECTURAL = re.compile('#~' + COUNTS + r'(?: #=|\Z)')


def show(counts):
    """Counts that are not 0, as words."""
    for event in counts:
        if event not in EVENTS:
            raise profile.Malformed('unknown event %s' % event)
    return ' '.join('%s=%d' % (event, counts[event]) for event in EVENTS if counts.get(event))


def architectural(path):
    """The counts of the architecture that the comments derive, by line."""
    return want(path, ARCHITECTURAL)


def want(path, first=DERIVED):
    """The counts that the comments derive, by line; first is looked for before the others."""
    with open(path, encoding='utf-8') as stream:
        source = stream.read().split('\n')
    for number, line in enumerate(source, 1):
        if '#=' not in line and '#~' not in line:
            continue
        match = first.search(line) or DERIVED.search(line)
        if not match and first is DERIVED and ARCHITECTURAL.search(line):
            continue
        if not match:
            raise profile.Malformed('%s:%d: not "#= Event=count ..."' % (path, number))
        counts = {}
        for word in match.group(1).split():
            event, count = word.split('=')
            if event in counts:
                raise profile.Malformed('%s:%d: %s appears twice' % (path, number, event))
            counts[event] = int(count)
        yield '%d: %s' % (number, show(counts))


def summed(cells, name):
    """The cells, added up under name(key); in order of the names."""
    table = {}
    for key, counts in cells.items():
        profile.add_counts(table, name(key), counts)
    for key in sorted(table):
        yield '%s: %s' % (key[1], show(table[key]))


def lines(path, source):
    """The counts in a profile, by line of the source; lines elsewhere come last."""
    base = os.path.basename(source)

    def name(key):
        file, _, number = key
        if os.path.basename(file) == base:
            return (number, '%d' % number)
        return (sys.maxsize, '%s:%d' % (file, number))

    return summed(profile.read(path).cells, name)


def functions(path, stray='???'):
    """The counts in a profile, by function."""
    return summed(profile.read(path).cells,
                  lambda key: (0, re.sub(r'^(0x[0-9a-f]{16}( \[PLT\])?|\?\?\?)$', stray, key[1])))


def show_all(counts):
    """All counts in one line; what was not simulated is missing."""
    return [' '.join('%s=%d' % (event, counts[event]) for event in EVENTS if event in counts)]


def totals(path):
    """The sum of the body."""
    return show_all(profile.read(path).totals)


def summary(path):
    """The sum in the header."""
    return show_all(profile.read(path).summary or {})


COMMANDS = {'want': (want, 1), 'architectural': (architectural, 1), 'lines': (lines, 2), 'functions': (functions, 1, 2),
            'totals': (totals, 1), 'summary': (summary, 1)}


def main(args):
    """The command; the exit status."""
    command, *n_args = COMMANDS.get(args[0] if args else '', (None, 0))
    if command is None or len(args) - 1 not in n_args:
        print('usage: counts.py want|architectural|lines|functions|totals|summary ...', file=sys.stderr)
        return 2
    try:
        for line in command(*args[1:]):
            print(line)
    except (profile.Malformed, OSError) as error:
        print('counts.py: %s' % error, file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
