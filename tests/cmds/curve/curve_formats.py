# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that out.csv has as many of each record as out.json, and the same misses."""
import csv
import json

with open("out.json", encoding="utf-8", errors="replace") as file:
    data = json.load(file)
with open("out.csv", newline="", encoding="utf-8", errors="replace") as file:
    lines = list(csv.DictReader(file))


def of(record):
    return [line for line in lines if line["record"] == record]


print([point["misses"] for point in data["sizes"]] == [int(line["misses"]) for line in of("size")],
      len(data["knees"]) == len(of("knee")), len(data["fits"]) == len(of("fits")),
      sum(len(found["levels"]) for found in data["knees"] + data["fits"]) == len(of("level")))
