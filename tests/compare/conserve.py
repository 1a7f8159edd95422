#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks whether the call graph in profiles of costgrind's adds up, for every event.

    conserve.py [OPTIONS] PROFILE...

    --roots N       as many functions as nobody called; 1 if not given
    --root NAME     a function that ran, at times, without being called, though
                    at other times it was; may be repeated
    --total FILE    the profiles are of a program's threads: every cost and every
                    call, added up, must be that in FILE

In each profile,
- the costs of all functions add up to "totals:" and to "summary:";
- a function that is not recursive costs, with all that it calls, what those who
  call it paid for it.  Functions that call each other in a circle are taken as
  one, and only its calls from and to others are seen;
- those that nobody called, with all that they call, cost "totals:".
"""

import argparse
import operator
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import profile  # tests/profile.py hides the library's

SHOWN = 20  # faults


def circles(callees):
    """The strongly connected components of a graph (node -> set of nodes): node -> a number.

    Tarjan's algorithm without recursion, as call graphs can be deep.
    """
    order, low, found = {}, {}, {}
    stack = []
    for start in callees:
        if start in order:
            continue
        order[start] = low[start] = len(order)
        stack.append(start)
        path = [(start, iter(callees[start]))]
        while path:
            node, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == order[node]:
                    number = order[node]
                    member = None
                    while member != node:
                        member = stack.pop()
                        found[member] = number
            elif other not in order:
                order[other] = low[other] = len(order)
                stack.append(other)
                path.append((other, iter(callees[other])))
            elif other not in found:
                low[node] = min(low[node], order[other])
    return found


class Books:
    """What the functions of a profile spent and were paid, by circle and event."""

    def __init__(self, content):
        self.events = content.events
        own = content.sums(profile.function_of_place)
        arcs = {}
        for place, (_, counts, _) in content.call_places.items():
            key = profile.function_of_place(place), place[-1]
            arcs[key] = list(map(operator.add, arcs[key], counts)) if key in arcs else counts
        callees = {function: set() for function in own}
        for function, called in arcs:
            callees.setdefault(function, set()).add(called)
            callees.setdefault(called, set())
        self.circle_of = circles(callees)
        self.members = {}
        for function, number in self.circle_of.items():
            self.members.setdefault(number, []).append(function)
        self.spent = {number: dict.fromkeys(self.events, 0) for number in self.members}
        self.paid = {number: dict.fromkeys(self.events, 0) for number in self.members}
        self.called = set()
        for function, counts in own.items():
            self.add(self.spent, function, counts)
        for (function, called), counts in arcs.items():
            if self.circle_of[function] != self.circle_of[called]:
                self.add(self.spent, function, counts)
                self.add(self.paid, called, counts)
                self.called.add(self.circle_of[called])

    def add(self, table, function, counts):
        """Adds counts to a function's circle."""
        sums = table[self.circle_of[function]]
        for event, count in zip(self.events, counts):
            sums[event] += count

    def name(self, number):
        """A circle for messages."""
        names = sorted(function[2] for function in self.members[number])
        return ', '.join(names[:5]) + (', ... (%d)' % len(names) if len(names) > 5 else '')

    def by_name(self, numbers):
        """Circles as messages name them: their own order is the order of objects in the profile, which
        is the order of the objects' paths."""
        return sorted(sorted(numbers), key=self.name)


def faults_of(content, options):
    """What does not add up in one profile."""
    if content.summary != content.totals:
        yield 'summary: is not totals:'
    books = Books(content)
    roots = books.by_name(set(books.members) - books.called)
    if len(roots) != options.roots:
        yield '%d roots, not %d: %s' % (len(roots), options.roots,
                                        '; '.join(books.name(number) for number in roots))
    started = dict.fromkeys(books.events, 0)
    for number in books.by_name(books.members):
        free = any(function[2] in options.root for function in books.members[number])
        for event in books.events:
            unpaid = books.spent[number][event] - books.paid[number][event]
            if number not in books.called or free:
                started[event] += unpaid
            if unpaid < 0 or (unpaid > 0 and number in books.called and not free):
                yield '%s: with what is called %s is %d, but callers paid %d' % (
                    books.name(number), event, books.spent[number][event],
                    books.paid[number][event])
    for event in books.events:
        if started[event] != content.totals[event]:
            yield 'all that began uncalled is %s %d, not %d' % (
                event, started[event], content.totals[event])


def sums(contents):
    """All costs and calls of some profiles, added up."""
    table = {}
    for content in contents:
        for key, counts in content.costs.items():
            profile.add_counts(table, key, counts)
        for key, (count, counts, _) in content.arcs.items():
            profile.add_counts(table, key, dict(counts, calls=count))
    return table


def check(paths, options):
    """A bool, true if all adds up, and lines about what does not."""
    return check_contents(paths, [profile.read(str(path)) for path in paths], options)


def check_contents(paths, contents, options):
    """The same of profiles that were read."""
    faults = ['%s: %s' % (path, fault) for path, content in zip(paths, contents)
              for fault in faults_of(content, options)]
    if options.total:
        threads, total = sums(contents), sums([profile.read(options.total)])
        faults += ['%s: %s, all threads %s' % (key, total.get(key), threads.get(key))
                   for key in sorted(set(threads) | set(total), key=str)
                   if threads.get(key) != total.get(key)]
    lines = faults[:SHOWN]
    if len(faults) > SHOWN:
        lines.append('... %d faults' % len(faults))
    return not faults, lines


def add_options(parser):
    """Those that say what is to be expected of a profile."""
    parser.add_argument('--roots', type=int, default=1)
    parser.add_argument('--root', action='append', default=[])


def main():
    """The command; the exit status."""
    parser = argparse.ArgumentParser(description=re.sub(r'\n.*', '', __doc__))
    add_options(parser)
    parser.add_argument('--total')
    parser.add_argument('profiles', nargs='+')
    options = parser.parse_args()
    sys.stdout.reconfigure(errors='backslashreplace')  # names in any encoding
    try:
        right, lines = check(options.profiles, options)
    except (profile.Malformed, OSError) as error:
        right, lines = False, [error]
    if lines:
        print(*lines, sep='\n')
    return 0 if right else 1


if __name__ == '__main__':
    sys.exit(main())
