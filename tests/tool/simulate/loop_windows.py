# SPDX-License-Identifier: GPL-3.0-or-later
"""The event, hot loops, and loops that are placed badly, by the JSON of annotate --layout on standard input."""
import json
import sys

layout = json.load(sys.stdin)["layout"]
print(layout["event"], layout["hot_loops"])
for loop in layout["loops"]:
    print(loop["function"], loop["line"], int(loop["begin"], 16) % 64, loop["bytes"], loop["turns"],
          *["%d/%d" % (loop["windows%d" % size], loop["needed%d" % size]) for size in (16, 32, 64)],
          loop["alignment"])
