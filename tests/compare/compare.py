#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program under Cachegrind and under costgrind and compares every count.

    compare.py --geometry NAME [OPTIONS] PROGRAM [ARGUMENT...]

    --geometry NAME      one of GEOMETRIES below
    --keep FOLDER        moves costgrind's profiles there, and totals of each, as profile.py prints
                         them, to FOLDER.totals
    --input FILE         the program's standard input
    --copy FILE          to be found in the program's working directory
    --valgrind=OPTION    one more option of Valgrind's for both; may be repeated
    --inherits ARGUMENT  rule "fork": called so instead, PROGRAM ends where it would fork
    --lost "FUNCTION:LINE EVENT=N..."  rule "fault": what Cachegrind loses; may be repeated
    --line-zero "FUNCTION:LINE EVENT=N..."  rule "line-zero": misses that Cachegrind lacks
    --dead-load "FUNCTION:LINE EVENT=N..."  rule "dead-load": reads that Cachegrind lacks

Both runs have the same VALGRIND_LIB, arguments, environment, and working
directory, which is called "run" and is made anew for each.  What the program
writes and how it exits must be equal too, so that a program which is not
repeatable does not pass for a wrong count.

Compared are, for each process, all thirteen totals and the multiset of (file,
function, line, thirteen counts).  Nothing is left out, masked or rounded.  A
difference is allowed only where it satisfies a rule, exactly, and a rule that
is given must be satisfied; one more, "name", is always there.  docs/SIMULATION.md
has the reasons.  Prints what was equal and what satisfied which rule, or up to
twenty differences; the exit status is 0 or 1.

Where counts differ, Cachegrind runs once more: a program that read the clock, a
random number or its own number took another way in one run, and not in the
others, and then Cachegrind's second run is costgrind's.  costgrind does not run
again: what only one of its runs counts is an error.

VALGRIND and COSTGRIND_LIB are those that tests/run sets.
"""

import argparse
import functools
import operator
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import profile  # tests/profile.py hides the library's

EVENTS = ('Ir', 'Dr', 'Dw', 'I1mr', 'D1mr', 'D1mw', 'ILmr', 'DLmr', 'DLmw',
          'Bc', 'Bcm', 'Bi', 'Bim')

# I1, D1, LL.
GEOMETRIES = {
    # Small, with three line sizes, D1's the longest.
    'small': ('2048,2,32', '4096,4,128', '32768,8,64'),
    # Direct-mapped throughout.
    'direct': ('8192,1,64', '16384,1,32', '131072,1,64'),
    # Like a machine's, of sizes that are no powers of two; the last level is small.
    'odd': ('24576,6,64', '49152,12,64', '393216,12,64'),
    # So large that a small program misses each line once.
    'large': ('1048576,16,64', '1048576,16,64', '4194304,16,64'),
}

# What the programs see, and nothing else.
ENVIRONMENT = {
    'PATH': '/usr/bin:/bin',
    'LC_ALL': 'C',
    'TZ': 'UTC0',
    'PYTHONDONTWRITEBYTECODE': '1',
    'PYTHONHASHSEED': '0',
    'PERL_HASH_SEED': '0',
    'PERL_PERTURB_KEYS': '0',
    'PERL_INTERNAL_RAND_SEED': '0',  # else perl reads it from /dev/urandom
}

TIME_LIMIT = 300  # seconds a run
SHOWN = 20  # differences


class Failure(Exception):
    """There is nothing to compare; str() says why."""


def counts_of(words):
    """Thirteen counts of words like "Ir=3"; those not named are 0."""
    named = dict(word.split('=') for word in words)
    if not set(named) <= set(EVENTS):
        raise Failure('not an event: %s' % ' '.join(words))
    return tuple(int(named.get(event, 0)) for event in EVENTS)


def add(left, right):
    """The sums of two tuples of counts."""
    return tuple(map(operator.add, left, right))


def subtract(left, right):
    """Counts less others."""
    return tuple(a - b for a, b in zip(left, right))


# --- runs ---

class Run:
    """What came out of a run.

    status, stdout, stderr  of the program
    paths                   of its processes' profiles, the first process first
    """

    def __init__(self, tool, options, command):
        own = pathlib.Path('%s.out' % tool).absolute()
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir()
        cwd = pathlib.Path('run').absolute()
        shutil.rmtree(cwd, ignore_errors=True)
        cwd.mkdir()
        for name in options.copy:
            shutil.copy(name, cwd)
        with open(options.input, 'rb') as stdin, \
                open(own / 'stdout', 'wb') as stdout, open(own / 'stderr', 'wb') as stderr:
            process = subprocess.Popen(
                valgrind_command(tool, own, options) + command, cwd=cwd,
                env=dict(ENVIRONMENT, HOME=str(cwd), VALGRIND_LIB=os.environ['COSTGRIND_LIB']),
                stdin=stdin, stdout=stdout, stderr=stderr)
            try:
                self.status = process.wait(TIME_LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise Failure('%s runs for more than %d s' % (tool, TIME_LIMIT)) from None
        self.stdout = (own / 'stdout').read_bytes()
        self.stderr = (own / 'stderr').read_bytes()
        self.paths = sorted(own.glob('profile.*'), key=lambda path: birth(path, process.pid))
        if not self.paths:
            raise Failure('%s wrote no profile, exit status %d\n%s' % (
                tool, self.status, ''.join(path.read_text(errors='replace')
                                           for path in own.glob('log.*'))[-2000:]))


def valgrind_command(tool, own, options):
    """Up to the program; profiles and messages go to files of each process in own."""
    i1, d1, ll = GEOMETRIES[options.geometry]
    words = [os.environ['VALGRIND'], '--tool=' + tool, '--log-file=%s/log.%%p' % own,
             '--%s-out-file=%s/profile.%%p' % (tool, own),
             '--cache-sim=yes', '--branch-sim=yes', '--I1=' + i1, '--D1=' + d1, '--LL=' + ll]
    if tool == 'costgrind':  # Cachegrind has neither recursion nor callers that pay for a PLT
        words += ['--counting=valgrind', '--separate-recs=1', '--skip-plt=no', '--names=core']
    else:
        words.append('--vex-guest-chase=no')
    return words + options.valgrind


def birth(path, first):
    """Sorts profile.PID by the order of processes, though numbers start again at the largest."""
    largest = int(pathlib.Path('/proc/sys/kernel/pid_max').read_text(encoding='ascii'))
    return (int(path.suffix[1:]) - first) % largest


def read(path, keep_totals=None):
    """The cells of a profile that has all thirteen events, with counts as tuples; its totals are left
    in a folder next to the one given."""
    try:
        read_profile = profile.read(str(path))
    except profile.Malformed as error:
        raise Failure(str(error)) from None
    if sorted(read_profile.events) != sorted(EVENTS):
        raise Failure('%s: the events are %s' % (path, ' '.join(read_profile.events)))
    if keep_totals:
        folder = pathlib.Path(keep_totals + '.totals')
        folder.mkdir(parents=True, exist_ok=True)
        (folder / path.name).write_text(
            ''.join(line + '\n' for line in profile.total_lines(read_profile)), encoding='ascii')
    totals = tuple(read_profile.totals[event] for event in EVENTS)
    if read_profile.summary is not None and \
            tuple(read_profile.summary[event] for event in EVENTS) != totals:
        raise Failure('%s: "summary:" is not the sum of the body' % path)
    in_order = operator.itemgetter(*map(read_profile.events.index, EVENTS))
    return {key: in_order(counts)
            for key, counts in read_profile.sums(profile.cell_of_place).items()}


# --- rules: what both have to be, given what Cachegrind and costgrind counted in a cell ---

NOTHING = (0,) * len(EVENTS)


class Inherited:
    """A child of Cachegrind's begins with the costs of its parent, ours with none."""

    def __init__(self, cells):
        self.id = 'fork'
        self.cells = cells

    def must_hold(self, process, key):
        """True if the cell must satisfy the rule."""
        return process > 0 and key in self.cells

    def holds(self, key, reference, ours):
        """True if it does."""
        return reference == add(ours, self.cells[key])


class Stated:
    """In the cells that the test names, ours is Cachegrind's plus what the test says."""

    def __init__(self, rule_id, texts):
        self.id = rule_id
        self.cells = {}
        for text in texts:
            function, rest = text.rsplit(':', 1)
            line, *counts = rest.split()
            self.cells[function, int(line)] = counts_of(counts)

    def must_hold(self, process, key):
        """True if the cell must satisfy the rule."""
        return process == 0 and key[1:] in self.cells

    def holds(self, key, reference, ours):
        """True if it does."""
        return ours == add(reference, self.cells[key[1:]])


def written_function(name):
    """Rule "name" for functions: with us a cold part is of its function."""
    return re.sub(r'(\.cold(\.\d+)?| \[clone \.cold(\.\d+)?\])$', '', written(name))


def without_address(cells):
    """Our cells, with code that has no symbol under the name that it has in Cachegrind."""
    renamed = {}
    for (file, function, line), counts in cells.items():
        key = (file, re.sub(r'^0x[0-9a-f]{16}( \[PLT\])?$', '???', function), line)
        renamed[key] = add(renamed.get(key, NOTHING), counts)
    return renamed


def written(name):
    """Rule "name": how a profile of ours writes a name that Cachegrind writes as it is."""
    text = ''
    for i, char in enumerate(name):
        if char == '\n':
            text += '\\n'
        elif ord(char) < 0x20 or 0x7f <= ord(char) < 0xa0 or 0xdc80 <= ord(char) <= 0xdcff or \
                (char == ' ' and i in (0, len(name) - 1)) or \
                (char == '(' and i == 0 and name[1:2].isdigit()):
            text += ''.join('\\x%02x' % byte for byte in char.encode('utf-8', 'surrogateescape'))
        else:
            text += char
    return text


def as_written(cells):
    """Cachegrind's cells with names as ours, and how many have others."""
    renamed = {}
    others = 0
    for (file, function, line), counts in cells.items():
        key = (written(file), written_function(function), line)
        renamed[key] = add(renamed.get(key, NOTHING), counts)
        others += key != (file, function, line)
    return renamed, others


def without_strays(reference, ours):
    """Rule "name": what jumps to code without a symbol is the function that this is of with us.

    Our cells, with such code as Cachegrind attributes it, and how many were changed: where its cell
    has as much more than ours as functions' cells have less, at the same line.
    """
    changed = dict(ours)
    n_changed = 0
    places = {}
    for file, function, line in ours:
        places.setdefault((file, line), []).append(function)
    for key in [key for key in reference if key[1] == '???']:
        file, _, line = key
        more = {}
        for function in places.get((file, line), []):
            other = (file, function, line)
            rest = subtract(ours[other], reference.get(other, NOTHING))
            if function != '???' and rest != NOTHING and min(rest) >= 0:
                more[other] = rest
        lacking = subtract(reference[key], ours.get(key, NOTHING))
        if more and lacking == functools.reduce(add, more.values()):
            changed[key] = reference[key]
            for other, rest in more.items():
                changed[other] = subtract(ours[other], rest)
            n_changed += 1 + len(more)
    return changed, n_changed


class Comparison:
    """Counts cells by the rule that they satisfied, and collects what differs."""

    def __init__(self, rules):
        self.rules = rules
        self.equal = 0
        self.satisfied = {}
        self.differences = []

    def compare_cell(self, process, key, reference, ours):
        """One (file, function, line) of the process with that number."""
        for rule in self.rules:
            if rule.must_hold(process, key):
                if rule.holds(key, reference, ours):
                    self.count(rule.id, 1)
                else:
                    self.report(process, key, reference, ours, ', not as by rule ' + rule.id)
                return
        if reference != ours:
            self.report(process, key, reference, ours, '')
        else:
            self.equal += 1

    def count(self, rule_id, cells):
        """So many cells satisfied the rule."""
        if cells:
            self.satisfied[rule_id] = self.satisfied.get(rule_id, 0) + cells

    def report(self, process, key, reference, ours, text):
        """A difference."""
        lines = ['process %d, %s:%s:%d%s' % ((process + 1,) + key + (text,))]
        lines += ['    %-4s Cachegrind %d, costgrind %d (%+d)' % (event, a, b, b - a)
                  for event, a, b in zip(EVENTS, reference, ours) if a != b]
        self.differences.append('\n'.join(lines))

    def compare_process(self, process, reference, ours):
        """All cells of a process, and with them, as its profile's totals are their sums, these."""
        renamed, others = as_written(reference)
        ours, strays = without_strays(renamed, ours)
        self.count('name', others + strays)
        for key in sorted(set(renamed) | set(ours)):
            self.compare_cell(process, key, renamed.get(key, NOTHING), ours.get(key, NOTHING))

    def differences_text(self):
        """The first of them, several lines each."""
        lines = self.differences[:SHOWN]
        if len(self.differences) > SHOWN:
            lines.append('... %d differences' % len(self.differences))
        return '\n'.join(lines)

    def text(self):
        """One line."""
        words = ['%d cells equal' % self.equal]
        words += ['%d by rule %s' % (self.satisfied[rule], rule) for rule in self.satisfied]
        return ', '.join(words)


def compare(options):
    """Both runs and all that follows; the Comparison."""
    command = [options.program] + options.arguments
    rules = []
    if options.inherits:
        before = Run('cachegrind', options, [options.program, options.inherits])
        if len(before.paths) != 1:
            raise Failure('%s is no single process' % options.inherits)
        rules.append(Inherited(as_written(read(before.paths[0]))[0]))
    rules += [Stated(rule, texts) for rule, texts in (
        ('fault', options.lost), ('line-zero', options.line_zero), ('dead-load', options.dead_load),
    ) if texts]
    reference = Run('cachegrind', options, command)
    ours = Run('costgrind', options, command)
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
        for path in ours.paths:
            shutil.copy(path, options.keep)
    comparison = compare_runs(reference, ours, rules, options)
    if comparison.differences:
        again = compare_runs(Run('cachegrind', options, command), ours, rules, options)
        if not again.differences:
            print('Cachegrind counts otherwise the second time:')
            print(comparison.differences_text())
            return again
    return comparison


def compare_runs(reference, ours, rules, options):
    """All that two runs left; the Comparison."""
    for what in 'status', 'stdout', 'stderr':
        left, right = getattr(reference, what), getattr(ours, what)
        if left != right:
            raise Failure('%s under Cachegrind: %.300r\n%s under costgrind:  %.300r' % (
                what, left, what, right))
    if len(reference.paths) != len(ours.paths):
        raise Failure('%d profiles of Cachegrind, %d of costgrind' % (
            len(reference.paths), len(ours.paths)))
    comparison = Comparison(rules)
    for process, paths in enumerate(zip(reference.paths, ours.paths)):
        comparison.compare_process(process, read(paths[0]),
                                   without_address(read(paths[1], options.keep)))
    for rule in rules:
        if not comparison.differences and comparison.satisfied.get(rule.id, 0) < len(rule.cells):
            raise Failure('not all cells of rule %s are in the profiles' % rule.id)
    return comparison


def main():
    """The command; the exit status."""
    parser = argparse.ArgumentParser(description=re.sub(r'\n.*', '', __doc__))
    parser.add_argument('--geometry', choices=GEOMETRIES, required=True)
    parser.add_argument('--keep')
    parser.add_argument('--input', default=os.devnull)
    parser.add_argument('--copy', action='append', default=[])
    parser.add_argument('--valgrind', action='append', default=[])
    parser.add_argument('--inherits')
    parser.add_argument('--lost', action='append')
    parser.add_argument('--line-zero', action='append')
    parser.add_argument('--dead-load', action='append')
    parser.add_argument('program')
    parser.add_argument('arguments', nargs=argparse.REMAINDER)
    sys.stdout.reconfigure(errors='backslashreplace')  # names in any encoding
    try:
        comparison = compare(parser.parse_args())
    except (Failure, OSError) as failure:
        print(failure)
        return 1
    print(comparison.text())
    if comparison.differences:
        print(comparison.differences_text())
    return 1 if comparison.differences else 0


if __name__ == '__main__':
    sys.exit(main())
