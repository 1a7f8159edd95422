# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind annotate says about types and objects.

    type_rows.py types JSON                  rows of types add up to the program's totals, members to their types
    type_rows.py objects JSON                objects add up to the totals; pieces, users and members to their objects
    type_rows.py misses NAME TYPE [MEMBER]   D1mr of it in NAME.csv
    type_rows.py blocks NAME FUNCTION        of NAME.csv, the type of the blocks that it allocates, and reads that miss
                                             by member, of those that have a hundred
    type_rows.py layout JSON TYPE            members with offsets and sizes, and those that are hot
    type_rows.py callers SOURCE              its lines where walk() refers to a struct item, by CSV on standard input
    type_rows.py reads CSV MEMBER...         Dr of members of struct item; no end of line
"""
import csv
import json
import sys


def add(rows, key):
    return [sum(count or 0 for count in column) for column in zip(*(row[key] for row in rows))]


def adds_up(path, table, name, key, parts):
    whole = json.load(open(path))

    def plain(counts):
        return [count or 0 for count in counts]
    wrong = [] if add(whole[table], key) == plain(whole["totals"]) else ["totals"]
    wrong += [row[name] + ": " + part for row in whole[table] for part in parts
              if part in row and add(row[part], key) != plain(row[key])]
    print("wrong:", *wrong)


def types(path):
    adds_up(path, "types", "type", "counts", ["members"])


def objects(path):
    adds_up(path, "objects", "name", "costs", ["pieces", "users", "members"])


def misses(name, wanted, member=None):
    total = 0
    for row in csv.DictReader(open(name + ".csv", newline="")):
        # Compilers have several words for one type.
        kind = row["function"] if row["record"] == "member" else row["text"]
        kind = kind.replace("long int", "long")
        if row["record"] == ("member" if member else "type") and kind == wanted and (
                member is None or row["text"] == member):
            total += int(row["D1mr"] or 0)
    print(total)


def blocks(name, function):
    words, is_in = [], False
    for row in csv.DictReader(open(name + ".csv", newline="")):
        if row["record"] == "object":
            is_in = row["object"] == "[heap]" and " < %s " % function in " < " + row["function"]
            if is_in:
                words.append("%s %s:" % (row["text"], row.get("bytes", "")))
        elif is_in and row["record"] == "member" and int(row["D1mr"] or 0) >= 100:
            words.append("%s@%s=%s" % (row["text"], row["address"], row["D1mr"]))
    print(*words)


def layout(path, wanted):
    for row in json.load(open(path))["types"]:
        if row["type"] == wanted:
            print(*("%s %s %s," % (m["member"].replace("$", "."), m["offset"], m["size"]) for m in row["members"][:-1]))
            print(*row["layout"]["hot"])


def callers(source):
    lines = open(source).read().split("\n")
    found = set()
    for row in csv.DictReader(sys.stdin):
        if row["callee"] == "struct item" and row["function"].startswith("walk"):
            found.add(lines[int(row["line"]) - 1].strip() if row["line"] != "0" else "0")
    print(*sorted(found), sep="\n")


def reads(path, *members):
    found = {row["text"]: row["Dr"] or 0 for row in csv.DictReader(open(path))
             if row["record"] == "member" and row["function"] == "struct item"}
    print(*[found.get(member) for member in members], end=" ")


globals()[sys.argv[1]](*sys.argv[2:])
