#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
#	callgrind_readers.py gungraun PREFIX | codspeed FILE...
#
# Reads profiles as strictly as runners of benchmarks do, and prints what they take from them.
#
# gungraun: files whose names, without PREFIX, and lines have to be as its parsers (iai-callgrind-runner 0.16)
# expect them: per thread and part, totals and what each function has cost, inclusive if it was called.
# codspeed: parts in one file, each with the request that wrote it; totals.
import glob
import os
import re
import sys

FILE_NAME = re.compile(r"\.out(\.#[0-9]+)?(\.[0-9]+)?(-[0-9]+)?")
EVENTS = {"Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "sysCount", "sysTime", "sysCpuTime", "Ge", "Bc",
          "Bcm", "Bi", "Bim", "ILdmr", "DLdmr", "DLdmw", "AcCost1", "AcCost2", "SpLoss1", "SpLoss2"}


def read_header(lines):
    """Up to the events: what gungraun needs of it, and the number of positions."""
    fields = {"positions": "line"}
    if "callgrind format" not in next(line for line in lines if line.strip()):
        sys.exit("no format")
    for line in lines:
        key, colon, value = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        fields.setdefault(key.strip(), value.strip())
        if key == "version" and value.strip() != "1":
            sys.exit(line)
        if key == "events":
            break
    for key in "pid", "thread", "part":
        int(fields.get(key, 0))
    events = fields["events"].split()
    if set(events) - EVENTS or "cmd" not in fields or "pid" not in fields:
        sys.exit("header: %s" % fields)
    return fields, events, len(fields["positions"].split())


def costs_of(words, events):
    """Missing ones are 0."""
    costs = [int(word) for word in words]
    if len(costs) > len(events):
        sys.exit("too many costs")
    return costs + [0] * (len(events) - len(costs))


def add(sums, key, costs):
    sums[key] = [a + b for a, b in zip(sums.get(key, [0] * len(costs)), costs)]


def gungraun(path):
    lines = iter(open(path, encoding="utf-8"))
    fields, events, n_positions = read_header(lines)
    own, called, current, callee, totals = {}, {}, {}, None, None
    is_header = True
    for line in map(str.strip, lines):
        key, equals, value = line.partition("=")
        if line.startswith("totals:"):
            totals = costs_of(line.split()[1:], events)
        if not line or line.startswith("#") or is_header and not equals:
            continue
        is_header = False
        if equals and key in ("ob", "fl", "fn"):
            current[key] = value
        elif equals and key in ("fi", "fe"):
            current["fl"] = value
        elif equals and key in ("cob", "cfi", "cfl"):
            callee = dict(callee or {}, **{"ob" if key == "cob" else "fl": value})
        elif equals and key == "cfn":
            callee = dict(current, **(callee or {}), fn=value) if callee else dict(current, fn=value)
        elif equals and key == "calls":
            int(value.split()[0])
            if callee is None:
                sys.exit(line)
        elif not equals and line[0].isdigit():
            costs = costs_of(line.split()[n_positions:], events)
            if callee is not None:
                add(called, callee["fn"], costs)
                callee = None
            add(own, current["fn"], costs)
        elif not (equals and key in ("jump", "jcnd", "jfi", "jfn")) and not line.startswith(("totals:", "summary:")):
            sys.exit("malformed line: %s" % line)
    own.update(called)
    print(fields.get("thread", "-"), fields.get("part", "-"), " ".join(events))
    print("totals", *totals)
    for name in sorted(own):
        print(name, *own[name])


def codspeed(path):
    """Costs that are times are not printed."""
    events = []
    for line in open(path, encoding="utf-8"):
        if line.startswith("desc: Trigger: "):
            print(line[len("desc: Trigger: "):].strip())
        elif line.startswith("events: "):
            events = line.split()[1:]
        elif line.startswith("totals:"):
            costs = costs_of(line.split()[1:], events)
            print(*("%s %d" % pair for pair in zip(events, costs) if "Time" not in pair[0]))


if sys.argv[1] == "gungraun":
    for name in sorted(glob.glob(glob.escape(sys.argv[2]) + ".out*")):
        if not FILE_NAME.fullmatch(name[len(sys.argv[2]):]):
            sys.exit("file name: %s" % name)
        # Callgrind leaves an empty one, which gungraun removes.
        if os.path.getsize(name) > 0:
            gungraun(name)
else:
    for name in sys.argv[2:]:
        codspeed(name)
