# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the texts of sources in the data of a report, on standard input; writes which files it took and refused."""
import json
import sys

data = json.load(sys.stdin)
print(*sorted(source["text"] for source in data["sources"]), sep="\n")
with open("taken", "w") as file:
    print(*sorted("%s %d" % (taken["path"], taken["lines"]) for taken in data["taken"]), sep="\n", file=file)
with open("refused", "w") as file:
    print(*sorted(data["refused"]), sep="\n", file=file)
