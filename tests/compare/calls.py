#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program under Callgrind and under costgrind and compares the call graphs.

    calls.py --geometry NAME [OPTIONS] PROGRAM [ARGUMENT...]

    --geometry, --keep, --input, --copy, --valgrind   as compare.py has them
    --share, --handler, --unloaded, --verbose         as callgrind.py has them
    --roots, --root                                   as conserve.py has them
    --tries N  for threads that race: out of N pairs of runs, one must be equal

Both runs are made as compare.py makes them; where counts differ, Callgrind runs once more, as Cachegrind
does there.  Callgrind does not know the stubs
in .plt.got for what they are; a first run, without caches, finds them, and the
run that counts skips them like the ones in .plt.  Then callgrind.py
compares the profiles, and conserve.py looks whether ours adds up.
"""

import argparse
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import callgrind
import compare
import conserve
import profile

# All that may appear in a stub: endbr64, bnd jmp.
MOST_IN_A_STUB = 2


def stubs(path):
    """The names of functions in no object that are so short and yet call others."""
    content = profile.read(str(path))
    addresses = {}
    for function, address, _ in content.costs:
        addresses.setdefault(function, set()).add(address)
    return {function[2] for function in {key[0] for key in content.arcs}
            if function[0] == callgrind.UNKNOWN and len(addresses[function]) <= MOST_IN_A_STUB}


def run_of(tool, options, skipped):
    """One run under a tool; Callgrind gets the stubs."""
    given = options.valgrind
    options.valgrind = given + ['--dump-instr=yes', '--separate-recs=2', '--skip-plt=yes'] + \
        ['--fn-skip=' + name for name in sorted(skipped)]
    run_made = compare.Run(tool, options, [options.program] + options.arguments)
    options.valgrind = given
    return run_made


def stubs_of(options):
    """The stubs that Callgrind does not know."""
    given = options.valgrind
    options.valgrind = given + ['--cache-sim=no', '--branch-sim=no', '--dump-instr=yes']
    first = compare.Run('callgrind', options, [options.program] + options.arguments)
    options.valgrind = given
    return {name for path in first.paths for name in stubs(path)}


def compare_runs(reference, ours, options):
    """A bool, true if everything is as it should be, and lines about it."""
    for what in 'status', 'stdout', 'stderr':
        left, right = getattr(reference, what), getattr(ours, what)
        if left != right:
            raise callgrind.Failure('%s under Callgrind: %.300r\n%s under costgrind: %.300r' % (
                what, left, what, right))
    if len(reference.paths) != len(ours.paths):
        raise callgrind.Failure('%d profiles of Callgrind, %d of costgrind' % (
            len(reference.paths), len(ours.paths)))
    all_equal, all_lines = True, []
    for left, right in zip(reference.paths, ours.paths):
        content = callgrind.read(right)
        for equal, lines in (callgrind.compare_content(left, right, content, options),
                             conserve.check_contents([right], [content], options)):
            all_equal = all_equal and equal
            all_lines += lines
    return all_equal, all_lines


def run(options):
    """All runs and comparisons; whether some were equal, and lines about them."""
    skipped = stubs_of(options)
    for _ in range(options.tries):
        ours = run_of('costgrind', options, ())
        # What only one run of costgrind's counts is an error.
        for _ in range(2):
            equal, lines = compare_runs(run_of('callgrind', options, skipped), ours, options)
            if equal:
                break
        if equal:
            break
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
        for path in ours.paths:
            shutil.copy(path, options.keep)
    return equal, lines


def main():
    """The command; the exit status."""
    parser = argparse.ArgumentParser(description=re.sub(r'\n.*', '', __doc__))
    parser.add_argument('--geometry', choices=compare.GEOMETRIES, required=True)
    parser.add_argument('--keep')
    parser.add_argument('--input', default=os.devnull)
    parser.add_argument('--copy', action='append', default=[])
    parser.add_argument('--valgrind', action='append', default=[])
    parser.add_argument('--tries', type=int, default=1)
    callgrind.add_options(parser)
    conserve.add_options(parser)
    parser.set_defaults(total=None)
    parser.add_argument('program')
    parser.add_argument('arguments', nargs=argparse.REMAINDER)
    sys.stdout.reconfigure(errors='backslashreplace')  # names in any encoding
    try:
        equal, lines = run(parser.parse_args())
    except (callgrind.Failure, compare.Failure, profile.Malformed, OSError) as failure:
        equal, lines = False, [failure]
    print(*lines, sep='\n')
    return 0 if equal else 1


if __name__ == '__main__':
    sys.exit(main())
