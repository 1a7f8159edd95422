# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON is JSON, CSV has as many fields in each row, and both say the same, whatever profiles hold.

    annotate_formats.py COSTGRIND PROFILE...

Prints a line for each fault.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
import schema  # what docs/schemas says

OPTIONS = [[], ["--inclusive", "--tree=both"], ["--list=file:function,function:file"],
           ["--auto=yes", "--show-percs=no"]]
JSON_SCHEMA = schema.Checker(schema.read(ROOT / "docs/schemas/annotate.schema.json"), strict=True)


def refuse(name):
    raise ValueError(name + " is no JSON")


def check_counts(value, n):
    """Arrays of counts are as long as the list of events."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("counts", "percents", "cumulative_percents", "totals"):
                if len(inner) != n:
                    raise ValueError("%s has %d numbers" % (key, len(inner)))
            check_counts(inner, n)
    elif isinstance(value, list):
        for inner in value:
            check_counts(inner, n)


def run(costgrind, form, options, profile):
    command = [costgrind, "annotate", "-q", "--format=" + form] + options + [profile]
    return subprocess.run(command, capture_output=True, check=True).stdout


def check(costgrind, options, profile):
    data = json.loads(run(costgrind, "json", options, profile).decode("utf-8"),
                      parse_constant=refuse)
    JSON_SCHEMA.check(data)
    n = len(data["events"])
    check_counts(data, n)
    text = run(costgrind, "csv", options, profile).decode("latin-1")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if {len(row) for row in rows} != {7 + n + 2 * ("regions" in data)}:
        raise ValueError("CSV has rows of another length")
    functions = [[None if field == "" else int(field) for field in row[7:]]
                 for row in rows if row[0] == "function"]
    if functions != [function["counts"] for function in data.get("functions", [])]:
        raise ValueError("functions of CSV and JSON differ")


for path in sys.argv[2:]:
    for some in OPTIONS:
        try:
            check(sys.argv[1], some, path)
        except (ValueError, KeyError, subprocess.CalledProcessError) as error:
            print("%s %s: %s" % (path, " ".join(some), error))
