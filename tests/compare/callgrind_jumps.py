#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the jumps that two profiles of one run have, ours and Callgrind's.

    callgrind_jumps.py OURS CALLGRIND'S

By object, address, target and kind, each must have been taken equally often,
but for what Callgrind counts otherwise:

    loop      to the first instruction of its function: a call there
    rep       rounds of rep instructions: jumps to themselves there
    function  into the midst of another function, which it does not see
    nameless  in code without symbols: into another function there, or a call

Prints how often each was used; status 1 and the jumps if others differ.
"""

import os
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import profile  # the one next to this folder, not Python's


def taken(data):
    """How often, by object, address, target and kind."""
    sums = {}
    for (function, address, _, target, _, kind), counts in data.jumps.items():
        key = (function[0], address, target, kind)
        sums[key] = sums.get(key, 0) + counts[0]
    return {key: count for key, count in sums.items() if count}


class Rules:
    """Which difference is one that Callgrind is known for."""

    def __init__(self, ours):
        self.functions = {}  # object, address -> names
        for obj, function, address, _ in ours.insns:
            # Levels of recursion are one function.
            self.functions.setdefault((obj, address), set()).add(function.split("'")[0])
        self.entries = {(key[3][0], arc[2]) for key, arc in ours.arcs.items()}

    def find(self, key, ours, theirs):
        """The name of the rule, or None."""
        obj, address, target, _ = key
        source = self.functions.get((obj, address), set())
        if theirs == 0 and any(name.startswith('0x') for name in source):
            return 'nameless'
        if theirs == 0 and (obj, target) in self.entries:
            return 'loop'
        if ours == 0 and address == target:
            return 'rep'
        if ours == 0 and not source & self.functions.get((obj, target), set()):
            return 'function'
        return None


def main(args):
    """The command; the exit status."""
    if len(args) != 2:
        print("usage: callgrind_jumps.py OURS CALLGRIND'S", file=sys.stderr)
        return 2
    try:
        ours, theirs = profile.read(args[0]), profile.read(args[1])
    except (profile.Malformed, OSError) as error:
        print('callgrind_jumps.py: %s' % error, file=sys.stderr)
        return 1
    rules = Rules(ours)
    wrong, used = [], {}
    ours, theirs = taken(ours), taken(theirs)
    for key in sorted(set(ours) | set(theirs)):
        counts = ours.get(key, 0), theirs.get(key, 0)
        rule = 'equal' if counts[0] == counts[1] else rules.find(key, *counts)
        if rule:
            used[rule] = used.get(rule, 0) + 1
        else:
            wrong.append('%s: 0x%x > 0x%x %s: %d, there %d' % (key + counts))
    print(' '.join('%s=%d' % (rule, used[rule]) for rule in sorted(used)))
    for line in wrong[:50]:
        print(line)
    return 1 if wrong or not used.get('equal') else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
