#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random schedules of requests: what the parts sum up to, against what was collected.

    schedules.py FIRST N PROGRAM VALGRIND OPTION...

PROGRAM is tests/programs/schedule.c.  In a first run, each step writes a part: that tells what
each stretch between two steps costs, by thread, and in signal handlers and outside of them.  A
model of the requests, below, tells of any schedule in which stretches which thread is
collected.  N schedules are made from the seeds FIRST and on.  Prints a line for each that
is wrong, and exits with 1 then.
"""

import glob
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
import profile  # the one two folders up, not Python's

# Functions that run in handlers only, and in which of the two; 0: in the one that is returning.
OUTER, INNER = 1, 2
HANDLERS = {'handle_outer': OUTER, 'syscall': OUTER, 'gettid': OUTER, 'handle_inner': INNER,
            '__restore_rt': 0}  # what handlers return to
STEADY = ('Ir', 'Dr', 'Dw', 'Bc', 'Bi', 'Rep')  # events that do not depend on caches and history
TID = {1: 1, 2: 2, 3: 2}  # Valgrind's number of a thread, which is used again
N_LETTERS = 250  # in all runs: the C library's search of the environment depends on where it lies


class Level:
    """A thread's outermost code, or one of its handlers; the numbers of these alternate."""

    def __init__(self, handler):
        self.handler = handler
        self.flipped = False
        self.warmings = self.regions = 0


class Model:
    """What requests do: tool/calls/collection.h, tool/calls/region.h, tool/control/request.h."""

    def __init__(self, running, collecting, by_region, seeding):
        self.seeding = seeding
        self.running = running
        self.collecting = collecting
        self.by_region = by_region
        self.levels = {}

    def enter(self, thread, handler):
        """The level that a step is in; of handlers, only those entered while it runs are known."""
        levels = self.levels.setdefault(thread, [Level(0)])
        known = [level.handler for level in levels]
        if self.running and handler in known:
            del levels[known.index(handler) + 1:]
        elif self.running and handler > levels[-1].handler:
            if handler % 2 == 0 and handler - 1 > levels[-1].handler:
                levels.append(Level(handler - 1))
            levels.append(Level(handler))
        return levels[-1]

    def is_on(self, level):
        if not self.running or level.warmings:
            return False
        return self.collecting != level.flipped or (self.by_region and level.regions > 0)

    def letters(self, level):
        """What may be asked for here."""
        if not self.running:
            return '..s'
        return '..dztbbw' + 'ee' * (level.regions > 0) + 'vv' * (level.warmings > 0) + 'p'

    def step(self, thread, handler, letter):
        level = self.levels[thread][-1]
        level.flipped ^= letter == 't'
        level.warmings += (letter == 'w') - (letter == 'v')
        level.regions += (letter == 'b') - (letter == 'e')
        if letter in 'ps':
            self.running = letter == 's'
            # Nothing is known any more: what runs now is the outermost.
            self.levels = {thread: [Level(handler)]}
        if letter == 's' and self.seeding:
            self.levels = {}
            self.enter(thread, handler)

    def pays(self, before, after, tid, kind):
        """True if code between two steps is collected: of a thread, in a kind of handler or None."""
        thread = next((step[0] for step in (before, after) if step and TID[step[0]] == tid), tid)
        levels = self.levels.get(thread, [Level(0)])
        handler = before[1] if before and before[0] == thread else 0
        if kind is None or (kind == 0 and handler == 0):
            return self.is_on(levels[0])
        if kind == 0:
            number = handler
        elif handler:
            number = handler - 1 + handler % 2 + (kind == INNER)  # outer is odd
        else:
            number = None
        found = [level for level in levels if level.handler == number]
        if number is not None and number <= levels[0].handler:
            found = levels[:1]  # entered before all this was known
        return self.is_on(found[0] if found else Level(0))


def run(command, options, letters):
    """The steps that the program tells."""
    for path in glob.glob('p.*') + glob.glob('p-*') + glob.glob('p'):
        os.remove(path)
    program = [command[0], letters.ljust(N_LETTERS, '.')]
    done = subprocess.run(command[1:] + options + ['--costgrind-out-file=p'] + program,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    # Of many schedules, nothing is collected.
    if done.returncode != 0 or [line for line in done.stderr.splitlines()
                                if ' costgrind: nothing was collected: ' not in line]:
        raise profile.Malformed('exit status %d, %s' % (done.returncode, done.stderr))
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def add(sums, counts):
    for event, count in counts.items():
        sums[event] = sums.get(event, 0) + count


def read_stretch(part):
    """The costs of a stretch, by thread and kind of handler (None: none)."""
    costs = {}
    for path in glob.glob('p%s-*' % part):
        tid = int(path.rsplit('-', 1)[1])
        for (function, _, _), counts in profile.read(path).costs.items():
            key = (tid, HANDLERS.get(function[2].split("'")[0]))
            add(costs.setdefault(key, {}), counts)
    return costs


def expected(model, steps, stretches, seed):
    """A schedule, and what it has the parts sum up to."""
    dice = random.Random(seed)
    letters, written, since = '', {}, {}
    for i in range(len(steps) + 1):
        before = steps[i - 1] if i > 0 else None
        after = steps[i] if i < len(steps) else None
        for (tid, kind), counts in stretches[i].items():
            if model.pays(before, after, tid, kind):
                add(since, counts)
        if after is None:
            break
        level = model.enter(*after)
        letter = dice.choice(model.letters(level))
        letters += letter
        model.step(*after, letter)
        if letter == 'd':
            add(written, since)
        if letter in 'dz':
            since = {}
    add(written, since)
    return letters, written


def summed():
    """The sum of all parts; each says in "summary:" what its body sums up to."""
    sums = {}
    for path in glob.glob('p.*') + glob.glob('p'):
        part = profile.read(path)
        if part.summary != part.totals:
            raise profile.Malformed('%s: summary %s, body %s' % (path, part.summary, part.totals))
        add(sums, part.totals)
    return sums


def try_one(command, steps, stretches, seed):
    """What is wrong with the schedule of a seed, or None."""
    dice = random.Random(-seed)
    options = [[], ['--collect-atstart=no'], ['--collect-region=reg*'],
               ['--instr-atstart=no']][dice.choice((0, 0, 1, 2, 2, 3))]
    model = Model(running='--instr-atstart=no' not in options,
                  collecting=not options or options[0].startswith('--instr'),
                  by_region='--collect-region=reg*' in options,
                  seeding='--stack-seed=no' not in command)
    letters, want = expected(model, steps, stretches, seed)
    if run(command, options, letters) != steps:
        return '%s: other steps' % letters
    got = summed()
    events = STEADY if 'p' in letters or not model.running or 's' in letters else got
    for event in events:
        if got.get(event, 0) != want.get(event, 0):
            return '%s %s: %s %d, expected %d' % (' '.join(options), letters, event,
                                                 got.get(event, 0), want.get(event, 0))
    return None


def main(args):
    first, n, command = int(args[0]), int(args[1]), args[2:]
    steps = run(command, ['--separate-threads=yes'], 'd' * N_LETTERS)
    stretches = [read_stretch('.%d' % (i + 1) if i < len(steps) else '')
                 for i in range(len(steps) + 1)]
    wrong = 0
    for seed in range(first, first + n):
        message = try_one(command, steps, stretches, seed)
        if message:
            print('%d: %s' % (seed, message))
            wrong += 1
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
