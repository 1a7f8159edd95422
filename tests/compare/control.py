# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind control says in JSON on standard input, as the lines of callgrind_control -s -e -b that say the same,
without commas in numbers and with one blank between words."""
import json
import sys


def counts(costs, events):
    """A count that was not reported is 0; there it is a dot."""
    return " ".join(str(costs[event] if costs else 0) for event in events)


process = json.load(sys.stdin)["processes"][0]
print("PID %d: %s" % (process["pid"], " ".join(process["program"])))
if not process["instrumentation"]:
    print("No information available as instrumentation is switched off.")
    sys.exit()
stat, events = process["stat"], process["stat"]["events"]
print("Functions: %d (executed %d, contexts %d)" % (stat["functions"], stat["calls"], stat["contexts"]))
print("Basic blocks: %d (executed %d, call sites %d)" %
      (stat["distinct_blocks"], stat["blocks"], stat["distinct_calls"]))
print("Totals: " + " ".join(events))
for thread in process["threads"]:
    print("Th %d %s" % (thread["thread"], counts(thread["totals"], events)))
for thread in process["threads"]:
    print("Frame: %s Backtrace for Thread %d" % (" ".join(events), thread["thread"]))
    for number, frame in enumerate(thread["frames"]):
        times = "" if frame["calls"] is None else " (%d x)" % frame["calls"]
        print("[ %d] %s %s%s" % (number, counts(frame["inclusive"], events), frame["function"], times))
