# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind convert makes of call trees has their stacks, each with its cost.

    convert_tree_check.py COSTGRIND FILE...

Prints a line for each fault.
"""
import gzip
import json
import re
import struct
import subprocess
import sys
from collections import Counter

import convert_check as plain


def read_tree(path):
    """Stack of names -> cost of the first event; with 0 for function 0."""
    stacks, names, open_path = Counter(), {0: "<rest>"}, []
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            line = line.rstrip("\n")
            match = re.match(r"fn=\((\d+)\) (.*)", line)
            if match:
                names[int(match.group(1))] = match.group(2)
            elif line[:1].isdigit():
                depth, function, _, *costs = map(int, line.split())
                open_path[depth:] = [names[function]]
                stacks[tuple(open_path)] += costs[0] if costs else 0
    return stacks


def of_collapsed(data):
    lines = data.decode("utf-8").split("\n")
    stacks = Counter()
    for line in lines[:-1]:
        stack, cost = line.rsplit(" ", 1)
        stacks[tuple(stack.split(";"))] += int(cost)
    return stacks


def of_speedscope(data):
    got = json.loads(data.decode("utf-8"))
    frames = [frame["name"] for frame in got["shared"]["frames"]]
    told, = got["profiles"]
    if "derived" in told["name"]:
        plain.fail("the stacks are derived")
    stacks, path, last = Counter(), [], 0
    for event in told["events"]:
        if path:
            stacks[tuple(path)] += event["at"] - last
        last = event["at"]
        if event["type"] == "O":
            path.append(frames[event["frame"]])
        else:
            path.pop()
    return stacks


def of_webgrind(data):
    got = plain.Webgrind(data)
    if b"Invocations: " in data:
        plain.fail("the invocations are made up")
    stacks = Counter()
    for function in got.functions:
        for invocation in function["invocations"]:
            path = [function["name"].decode()]
            caller, number = invocation[3:5]
            while caller != 0xffffffff:
                path.append(got.functions[caller]["name"].decode())
                caller, number = got.functions[caller]["invocations"][number][3:5]
            stacks[tuple(reversed(path))] += invocation[0]
    return stacks


def of_pprof(data):
    texts, samples, locations, functions = [], [], {}, {}
    for field, value in plain.fields(gzip.decompress(data)):
        if field == 6:
            texts.append(value.decode())
        elif field in (2, 4, 5):
            message = dict(plain.fields(value))
            if field == 2:
                samples.append(message)
            else:
                (locations if field == 4 else functions)[message[1]] = message
    if any("derived" in text for text in texts):
        plain.fail("the stacks are derived")
    stacks = Counter()
    for sample in samples:
        path = [texts[functions[dict(plain.fields(locations[at][4]))[1]][2]]
                for at in plain.packed(sample[1])]
        stacks[tuple(reversed(path))] += plain.packed(sample[2])[0]
    return stacks


def main():
    formats = (("collapsed", of_collapsed), ("speedscope", of_speedscope),
               ("webgrind4", of_webgrind), ("pprof", of_pprof))
    for path in sys.argv[2:]:
        for to, decode in formats:
            run = subprocess.run([sys.argv[1], "convert", "--to=" + to, path],
                                 capture_output=True, check=False)
            try:
                if run.returncode != 0 or run.stderr:
                    plain.fail("exit status %d: %s", run.returncode, run.stderr)
                want = read_tree(path)
                if to == "collapsed":
                    want = Counter({tuple(name.replace(";", ":") for name in stack): cost
                                    for stack, cost in want.items()})
                plain.same("stacks", decode(run.stdout), want)
            except (ValueError, KeyError, IndexError, struct.error) as error:
                print("%s --to=%s: %r" % (path, to, error))


main()
