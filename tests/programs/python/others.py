# SPDX-License-Identifier: GPL-3.0-or-later
"""others.py WITHOUT WITH: what differs between two profiles, of a run without and with --python=yes.

Prints the names of functions whose own costs are others, of the loop and of Python functions together,
and the name of each event whose total differs.  The profiles have names without numbers and absolute positions.
"""

import re
import sys

LOOP = "_PyEval_EvalFrameDefault"


def read(name):
    costs, events, totals = {}, [], []
    object_name = function = None
    with open(name) as profile:
        lines = iter(profile)
        for line in lines:
            key, separator, value = line.rstrip("\n").partition("=")
            if line[0].isdigit():
                own = costs.setdefault(function, [0] * len(events))
                for i, cost in enumerate(line.split()[1:]):
                    own[i] += int(cost)
            elif line.startswith("events:"):
                events = line.split()[1:]
            elif line.startswith("totals:"):
                totals = line.split()[1:]
            elif key == "calls":
                next(lines)
            elif key == "ob":
                object_name = value
            elif key == "fn":
                name = LOOP if object_name == "[python]" else value
                function = re.sub(r"'\d+$", "", name)
    return costs, events, totals


without, events, totals = read(sys.argv[1])
changed, other_events, other_totals = read(sys.argv[2])
for function in sorted(without.keys() | changed.keys()):
    if without.get(function) != changed.get(function):
        print(function)
print(*(event for event, a, b in zip(events, totals, other_totals) if a != b), end="")
if events != other_events or sum(map(int, totals)) == 0:
    print("events")
