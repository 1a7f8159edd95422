# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind annotate says about profiles, against the installed scripts.

    annotations.py COSTGRIND ANNOTATOR [--but=FUNCTION] PROFILE...

ANNOTATOR is callgrind_annotate or cg_annotate.  For each profile, totals and
the self cost of each function in each file are compared; with
callgrind_annotate also inclusive costs, of functions that are in no recursion
(and are not the one named by --but).
Prints a line for each difference.  Exit status: 0 all equal, 1 not.
"""
import collections
import json
import os
import re
import subprocess
import sys


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, errors="surrogateescape")
    return result.returncode, result.stdout, result.stderr


def clean(path):
    """A name without "." and without empty components, as costgrind joins spellings."""
    absolute = path.startswith("/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return ("/" if absolute else "") + "/".join(parts)


def script_sections(text):
    """The lines of totals and of functions that a script printed, as (counts, name)."""
    totals, functions = None, collections.OrderedDict()
    events = None
    for line in text.splitlines():
        if line.startswith("Events shown:"):
            events = line.split(":", 1)[1].split()
        match = re.match(r"^((?:\s*(?:-?[\d,]+|\.))+)\s{1,2}(\S.*)$", line)
        if not match or not events:
            continue
        fields = line.split(None, len(events))
        if len(fields) <= len(events):
            continue
        try:
            counts = [0 if field == "." else int(field.replace(",", ""))
                      for field in fields[:len(events)]]
        except ValueError:
            continue
        name = fields[len(events)].rstrip()
        if name.startswith("PROGRAM TOTALS"):
            totals = counts
        elif name != "events annotated":
            name = re.sub(r" \[[^\[]*\]$", "", name)
            old = functions.get(name, [0] * len(events))
            functions[name] = [a + b for a, b in zip(old, counts)]
    return events, totals, functions


def script_says(annotator, profile, inclusive):
    command = [annotator, "--auto=no", "--show-percs=no"]
    if os.path.basename(annotator) == "cg_annotate":
        command += ["--threshold=0"]
    else:
        command += ["--threshold=100", "--inclusive=" + ("yes" if inclusive else "no")]
    status, out, err = run(command + [profile])
    if status != 0:
        return None, err.strip().splitlines()[-1] if err.strip() else "exit status %d" % status
    return script_sections(out), None


def recorded_events(costgrind, profile):
    """Those of the profile, without the derived ones that the scripts do not know."""
    converted = run([costgrind, "convert", "--to=callgrind", profile])[1]
    return re.search("^events: (.*)$", converted, re.MULTILINE)[1].split()


def annotate(costgrind, profile, *options):
    command = [costgrind, "annotate", "-q", "--auto=no", "--format=json", "--threshold=0",
               "--show=" + ",".join(recorded_events(costgrind, profile))]
    status, out, err = run(command + list(options) + [profile])
    return (json.loads(out), None) if status == 0 else (None, err.strip())


def zeros(counts):
    return [count or 0 for count in counts]


def add(functions, name, counts):
    old = functions.get(name, [0] * len(counts))
    functions[name] = [a + b for a, b in zip(old, counts)]


def costgrind_says(costgrind, profile):
    data, failed = annotate(costgrind, profile, "--list=function:file")
    if data is None:
        return None, failed
    functions = {}
    for outer in data["function_file"]:
        for inner in outer["files"]:
            add(functions, clean(inner["file"]) + ":" + outer["function"], zeros(inner["counts"]))
    return ([event["name"] for event in data["events"]], zeros(data["totals"]), functions), None


def joined(functions):
    """Names as costgrind writes them; what a script tells apart by spelling is added up."""
    result = {}
    for name, counts in functions.items():
        file, _, function = name.partition(":")
        key = clean(file) + ":" + function
        old = result.get(key, [0] * len(counts))
        result[key] = [a + b for a, b in zip(old, counts)]
    return {name: counts for name, counts in result.items() if any(counts)}


def compare_functions(ours, theirs, what):
    return ["%s%s: %s, theirs %s" % (what, name, ours.get(name), theirs.get(name))
            for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)]


def compare_self(costgrind, annotator, profile):
    theirs, failed = script_says(annotator, profile, False)
    if theirs is None:
        return ["the script fails: " + failed]
    ours, failed = costgrind_says(costgrind, profile)
    if ours is None:
        return ["costgrind fails: " + failed]
    differences = []
    if ours[0] != theirs[0]:
        differences.append("events %s, theirs %s" % (ours[0], theirs[0]))
    if ours[1] != theirs[1]:
        differences.append("totals %s, theirs %s" % (ours[1], theirs[1]))
    if not theirs[2]:
        differences.append("the script printed no function")
    return differences + compare_functions(joined(ours[2]), joined(theirs[2]), "")


def compare_inclusive(costgrind, annotator, profile, but):
    """Functions that call themselves, or each other in a circle, the script counts several times;
    a function that has inlined code it shows once more, with that code alone, for each file."""
    theirs, failed = script_says(annotator, profile, True)
    ours, wrong = annotate(costgrind, profile, "--inclusive=yes", "--tree=calling")
    if theirs is None or ours is None:
        return ["fails: %s" % (failed or wrong)]
    skipped, inclusive, names = set(), {}, set()
    for function in ours["functions"]:
        key = clean(function["file"]) + ":" + function["function"]
        names.add(function["function"])
        if function.get("cycle") or any(callee["function"] == function["function"]
                                        for callee in function["callees"]):
            skipped.add(key)
        add(inclusive, key, zeros(function["counts"]))
    their_inclusive = {}
    for key, counts in joined(theirs[2]).items():
        if key in inclusive or key.partition(":")[2] not in names:
            their_inclusive[key] = counts
    for functions in (inclusive, their_inclusive):
        for key in list(functions):
            if key.partition(":")[2] == but or key in skipped or not any(functions[key]):
                del functions[key]
    if not inclusive:
        return ["inclusive: nothing to compare"]
    return compare_functions(inclusive, their_inclusive, "inclusive: ")


def main():
    costgrind, annotator = sys.argv[1:3]
    profiles, but, status = sys.argv[3:], None, 0
    if profiles[0].startswith("--but="):
        but = profiles.pop(0)[len("--but="):]
    for profile in profiles:
        differences = compare_self(costgrind, annotator, profile)
        if os.path.basename(annotator) == "callgrind_annotate":
            differences += compare_inclusive(costgrind, annotator, profile, but)
        for difference in differences:
            print("%s: %s" % (os.path.basename(profile), difference))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
