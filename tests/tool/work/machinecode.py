# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind annotate --asm says about profiles.

    machinecode.py lines SOURCE   prints what comments of an assembly source say about its lines
    machinecode.py found CSV      the same of the instructions in --format=csv
    machinecode.py sums JSON      checks that the costs of all instructions are the totals, and that the
                                  code of each object is what was executed
"""
import csv
import json
import re
import sys


def lines(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if "#= " in line:
                print(number, *sorted(line.split("#=")[1].split()))


def found(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    events = list(rows[0])[8:]
    said, line = {}, None
    for row in rows:
        if row["record"] == "instruction":
            line = int(row["line"] or 0)
            counts = [f"{event}={row[event]}" for event in events if row[event] not in ("", "0")]
            # Instructions without costs are not told of.
            if counts:
                said[line] = counts
        elif row["record"] == "call" and row["address"]:
            said[line].append(f"calls={row['calls']}")
        elif row["record"] == "jump":
            times = re.search("of ([0-9]+)$", row["text"])
            said[line].append(f"jump={row['calls']}/{times.group(1) if times else row['calls']}")
    for line, words in sorted(said.items()):
        print(line, *sorted(words))


def sums(path):
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    code = said["machine_code"]
    for i, total in enumerate(said["totals"]):
        functions = sum(f["counts"][i] or 0 for f in code["functions"])
        instructions = sum(n["counts"][i] or 0 for f in code["functions"] for n in f["instructions"]
                           if "counts" in n)
        outside = code["unplaced"][i] if "unplaced" in code else 0
        listed = sum(f["counts"][i] or 0 for f in said["functions"])
        if listed != functions + outside or instructions != functions:
            print(f"listed {listed}, code {functions}, instructions {instructions}, {outside}")
        # Callgrind's functions lack the last block that was executed.
        if not said["parts"][0]["creator"].startswith("callgrind") and total != listed:
            print(f"total {total}, listed {listed}")
    for item in code["objects"]:
        if item["object"] != "???" and (item.get("problem") or item["outside"] or item["out_of_step"]
                                        or item["stale"]):
            print(item)
    # Code without an object has no instructions to show; all other has.
    for function in code["functions"]:
        for instruction in function["instructions"]:
            if "counts" in instruction and not instruction.get("bytes") and function["object"] != "???":
                print(function["function"], instruction)


{"lines": lines, "found": found, "sums": sums}[sys.argv[1]](sys.argv[2])
