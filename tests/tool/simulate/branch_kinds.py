# SPDX-License-Identifier: GPL-3.0-or-later
"""Of branches in branchkinds.c, by the JSON of costgrind branches on standard input.

    branch_kinds.py LINE CLASS
"""
import json
import sys

line, of = int(sys.argv[1]), sys.argv[2]
for row in json.load(sys.stdin)["branches"]:
    if (row["file"] or "").endswith("branchkinds.c") and row["line"] == line and row["class"] == of:
        print(row.get("kind"), row.get("hard"), *[load["line"] for load in row.get("loads", [])],
              *["%s %.0f" % (one["name"], one["share"]) for one in row.get("first_targets", [])])
