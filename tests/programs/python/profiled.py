# SPDX-License-Identifier: GPL-3.0-or-later
"""profiled.py PROFILE FILE: prints how often each function of a file was called, by a profile.

As counts.py does.  The profile has neither numbers instead of names nor relative
positions, and lines alone.
"""

import sys

calls = {}
file = callee_file = name = None
with open(sys.argv[1]) as profile:
    lines = iter(profile)
    for line in lines:
        key, _, value = line.rstrip("\n").partition("=")
        if key in ("fl", "fi", "fe"):
            file = value
            callee_file = None
        elif key in ("cfl", "cfi"):
            callee_file = value
        elif key == "cfn":
            name = value.partition("'")[0]
        elif key == "calls":
            n, at = value.split()
            if (callee_file or file) == sys.argv[2]:
                calls[int(at), name] = calls.get((int(at), name), 0) + int(n)
            callee_file = None
            next(lines)
for (at, name), n in sorted(calls.items()):
    print(n, at, name)
