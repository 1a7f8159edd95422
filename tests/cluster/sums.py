#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks whether a profile is the sum of others, cost by cost and call by call.

    sums.py SUM PROFILE...

Prints what is not so, ten lines at most; the exit status is then 1.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import profile  # tests/profile.py hides the library's

SHOWN = 10


def numbers(path):
    """All numbers of a profile, by what they are of; the events it has."""
    read = profile.read(path)
    found = {("total", event): read.totals[event] for event in read.events}
    for place, counts in read.costs.items():
        found.update({place + (event,): count for event, count in counts.items()})
    for call, (number, counts, *_) in read.arcs.items():
        found[call + ("calls",)] = number
        found.update({call + (event,): count for event, count in counts.items()})
    return found, read.events


def main(whole, *parts):
    got, events = numbers(whole)
    want = {}
    faults = []
    for part in parts:
        found, part_events = numbers(part)
        if part_events != events:
            faults.append("%s: events are %s, of the sum %s" % (part, part_events, events))
        for key, number in found.items():
            want[key] = want.get(key, 0) + number
    if not parts or not want.get(("total", events[0])):
        faults.append("%s: a sum of nothing" % whole)
    faults += ["%s: %s, the parts have %s" % (key, got.get(key, 0), want.get(key, 0))
               for key in sorted(got.keys() | want.keys(), key=str) if got.get(key, 0) != want.get(key, 0)]
    print("\n".join(faults[:SHOWN]), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:]))
