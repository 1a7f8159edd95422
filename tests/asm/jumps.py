#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumps of programs in this folder, derived and measured, in one notation.

    jumps.py want PROGRAM.S            what the comments "#~ ..." derive
    jumps.py found PROFILE PROGRAM.S   what a profile says about the program
    jumps.py executed PROFILE          conditional jumps whose count is not their instruction's
                                       (Ir): there should be none
    jumps.py taken PROFILE             how often each instruction of a function jumped where

    #~ f 3 here        this line of f jumps three times to the line of the label here
    #~ f 3/5 here      a conditional jump, executed five times
    7: f 3/5 > 9       in the output

A label's line is the line of the next instruction; of the labels 1, 2, ... the line
of the next one after the comment (1f) or the last one before it (1b).
"""

import os
import re
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import profile  # the one next to this folder, not Python's

DERIVED = re.compile(r' (\S+) ([1-9][0-9]*)(?:/([1-9][0-9]*))? (\w+) *\Z')
INSTRUCTION = re.compile(r'(?:\w+:)?\s+[a-z]')


def label_line(source, label, at):
    """The line of the instruction after a label, as seen from line at."""
    local = re.match(r'([0-9]+)([bf])\Z', label)
    name = local.group(1) if local else label
    lines = [number for number, line in enumerate(source, 1) if line.startswith(name + ':')]
    if local and local.group(2) == 'b':
        lines = [number for number in lines if number <= at][-1:]
    elif local:
        lines = [number for number in lines if number > at][:1]
    if len(lines) != 1:
        raise profile.Malformed('line %d: label %s appears %d times' % (at, label, len(lines)))
    number = lines[0]
    while not INSTRUCTION.match(source[number - 1]):
        number += 1
    return number


def show(function, line, taken, executed, target):
    """One line of the output; executed is None of a jump without a condition."""
    count = '%d' % taken if executed is None else '%d/%d' % (taken, executed)
    return '%s: %s %s > %s' % (line, function, count, target)


def want(path):
    """What the comments derive."""
    with open(path, encoding='utf-8') as stream:
        source = stream.read().split('\n')
    for number, line in enumerate(source, 1):
        for text in re.findall(r'#~([^#\n]*)', line):
            match = DERIVED.match(text)
            if not match:
                raise profile.Malformed('%s:%d: not "#~" as it should be' % (path, number))
            function, taken, executed, label = match.groups()
            yield show(function, number, int(taken), int(executed) if executed else None,
                       label_line(source, label, number))


def found(path, source):
    """What a profile says about a source; places in other files come with their name."""
    def name(place):
        base = os.path.basename(place[0])
        return '%d' % place[1] if base == os.path.basename(source) else '%s:%d' % (base, place[1])

    jumps = {}
    for key, counts in profile.read(path).jumps.items():
        function, _, place, _, target, kind = key
        known = jumps.setdefault((name(place), function[2], name(target), kind), [0, 0])
        known[0] += counts[0]
        known[1] += counts[1]
    for line, function, target, kind in jumps:
        taken, executed = jumps[line, function, target, kind]
        yield show(function, line, taken, executed if kind == 'jcnd' else None, target)


def executed(path):
    """Conditional jumps that were not executed as often as their instruction."""
    data = profile.read(path)
    for (function, address, place, _, _, kind), (_, count) in sorted(data.jumps.items()):
        insn = data.costs.get((function, address, place), {}).get('Ir', 0)
        if kind == 'jcnd' and insn != count:
            yield '%s 0x%x: Ir=%d, executed %d times' % (function[2], address, insn, count)


def taken(path):
    """Jumps by object and addresses."""
    sums = {}
    for key, counts in profile.read(path).jumps.items():
        key = (key[0][0], key[1], key[3], key[5])
        sums[key] = sums.get(key, 0) + counts[0]
    for key in sorted(sums):
        if sums[key]:
            yield '%s: 0x%x > 0x%x %s %d' % (key + (sums[key],))


COMMANDS = {'want': (want, 1), 'found': (found, 2), 'executed': (executed, 1), 'taken': (taken, 1)}


def main(args):
    """The command; the exit status."""
    command, n_args = COMMANDS.get(args[0] if args else '', (None, 0))
    if command is None or len(args) - 1 != n_args:
        print('usage: jumps.py want|found|executed|taken ...', file=sys.stderr)
        return 2
    try:
        for line in command(*args[1:]):
            print(line)
    except (profile.Malformed, OSError) as error:
        print('jumps.py: %s' % error, file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
