# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the data of a page, or in what costgrind curve says: JSON on standard input.

    page_data.py NAME      a function of those below
"""
import json
import sys


def first(data):
    """What is shown first, and what has no lines."""
    print((data["events"] + data["derived"])[data["event"]]["name"], data["lineless"])


def left_out(data):
    print(data["detail"], data["left_out"], data["lines"]["function"], data["lines"]["costs"])


def classes(data):
    print(*(repr(data["strings"][i]) for i in data["functions"]["class"]), sep="\n")


def parts(data):
    """How many, and whether they add up."""
    sums = [0] * len(data["events"])
    for part, own in zip(data["parts"], data["parts_self"]):
        totals = [sum(map(int, column)) if column else 0 for column in own]
        if totals != part["totals"]:
            print(part["name"], totals, part["totals"])
        sums = [a + b for a, b in zip(sums, totals)]
    print(len(data["parts"]), sums == [sum(column) for column in zip(*data["functions"]["self"])])


def numbers(data):
    """Totals of the first two parts, and of how many parts there are costs of functions."""
    print(*[part["totals"][0] for part in data["parts"]][:2], *[
        data[key] if data[key] is None else len(data[key]) for key in ("parts_self", "parts_inclusive")])


def parts_of_functions(data):
    print(data["parts_self"], data["parts_inclusive"])


def both(data):
    """Of two profiles."""
    other = data["other"]
    print(data["totals"], other["totals"], other["functions"]["self"], other["functions"]["inclusive"])
    print(list(zip(data["lines"]["function"], data["lines"]["line"], data["lines"]["costs"],
                   other["lines"]["costs"])))


def headers(data):
    print(data["headers"], data["other"]["headers"])


def threads(data):
    print([(part["name"], part["pid"]) for part in data["parts"]], data["parts_self"])


def tree(data):
    """Each node as its parent, function and first cost."""
    parents, parent = [], 0
    tree = data["tree"]
    if tree:
        for difference in tree["d_parent"]:
            parent += difference
            parents.append(parent)
        print(*zip(parents, [data["strings"][data["functions"]["name"][i]] if i >= 0 else "-"
                             for i in tree["function"]], tree["costs"][0]))
    else:
        print(tree)


def older_tree(data):
    """First costs of nodes, in the older profile."""
    older = data["other"]["tree"]
    print(older and [costs[0] for costs in older["costs"]])


def stale(data):
    print({source["stale"] for source in data["sources"]}, {code["note"] for code in data["code"]})


def curve(data):
    """Knees and what fits."""
    found = [" > ".join(str(point["size"]) for point in data["knees"]), ":",
             *(str(point["size"]) for point in data["fits"])]
    print(data["name"], " ".join(found) if data["sizes"][0]["misses"] else "nothing")


globals()[sys.argv[1]](json.load(sys.stdin))
