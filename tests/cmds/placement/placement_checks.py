# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind annotate --layout and its report say, compared.

    placement_checks.py same_csv NAME...     of NAME.json and NAME.csv
    placement_checks.py same_rows JSON       of data.json, of a page, and JSON

Prints what is wrong.
"""
import csv
import json
import sys

FIELDS = {"begin": "address", "end": "end", "turns": "calls", "advice": "text", "needed64": "needed64"}


def same_csv(*names):
    for name in names:
        loops = json.load(open(name + ".json"))["layout"]["loops"]
        lines = list(csv.DictReader(open(name + ".csv", newline="")))
        rows = [line for line in lines if line["record"] == "loop"]
        if any(None in line or None in line.values() for line in lines):
            print(name, "fields")
        for key, field in FIELDS.items():
            if [str(loop[key]) for loop in loops] != [row[field] for row in rows]:
                print(name, key)


def kept(row):
    """What a page has as it is: it numbers functions and files."""
    return {key: value for key, value in row.items() if key not in ("function", "file", "object")}


def same_rows(path):
    page, layout = json.load(open("data.json"))["layout"], json.load(open(path))["layout"]
    print(all(page[key] == layout[key] for key in page if key != "loops"),
          len(page["loops"]) == len(layout["loops"]))
    for one, other in zip(page["loops"], layout["loops"]):
        if kept(one) != kept(other):
            print(kept(one), kept(other))


globals()[sys.argv[1]](*sys.argv[2:])
