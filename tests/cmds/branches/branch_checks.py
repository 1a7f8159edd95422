# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind branches and its report say, compared.

    branch_checks.py well_formed NAME...   of NAME.json and NAME.csv
    branch_checks.py same_rows             of data.json, of a page, and rows.json

Prints what is wrong.
"""
import csv
import json
import sys


def well_formed(*names):
    for name in names:
        rows = json.load(open(name + ".json"))["branches"]
        lines = list(csv.reader(open(name + ".csv", newline="")))
        if {len(line) for line in lines} != {len(lines[0])}:
            print(name, "fields")
        if [line[1] for line in lines if line[0] == "branch"] and \
                len(rows) != sum(line[0] == "branch" for line in lines):
            print(name, "rows")


def kept(row):
    """What a page has as it is: it numbers functions and files."""
    return {key: value for key, value in row.items()
            if key not in ("function", "file", "object", "source", "arrived", "claim", "next_command")}


def same_rows():
    page, rows = json.load(open("data.json"))["branches"], json.load(open("rows.json"))
    print(all(page[key] == rows[key] for key in page if key != "branches"),
          len(page["branches"]) == len(rows["branches"]))
    for one, other in zip(page["branches"], rows["branches"]):
        if kept(one) != kept(other):
            print(kept(one), kept(other))


globals()[sys.argv[1]](*sys.argv[2:])
