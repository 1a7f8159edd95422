# SPDX-License-Identifier: GPL-3.0-or-later
"""Each option of Valgrind's scripts, against costgrind's command with the same option.

    script_options.py COSTGRIND FOLDER OLD NEW CALLS PLAIN WAVES SOURCE

FOLDER holds the scripts of Valgrind; cg_annotate of 3.21 and later prints another layout, so options of it are left out
("skip") then. OLD and NEW are Cachegrind's profiles of two builds, and SOURCE
is one of their sources; CALLS is Callgrind's, PLAIN one without recursion, and WAVES one whose functions differ much.  A row of OPTIONS is an option, what the script is given, and what costgrind is given.  Where a
script of that age lacks the option, which came with Valgrind 3.21, the row has what it did before.  Compared are
rows of numbers: columns, totals, functions in their order, lines of sources.  Prints "ok", "bad" or "skip" and the option,
and for what differs the first differences.
"""
import os
import re
import subprocess
import sys

CG, CALLGRIND = "cg_annotate", "callgrind_annotate"

# More files: BOTH is what cg_merge makes of OLD and NEW, DIFFERENCE what cg_diff does, FILES and FUNCTIONS with
# other names; MOVED is NEW with sources that are elsewhere.
OPTIONS = [
    # cg_annotate
    ("no option", CG, "NEW", "NEW"),
    ("--show=A,B", CG, "--show=Dw,Ir,DLmr NEW", "--show=Dw,Ir,DLmr NEW"),
    ("--show A,B", CG, "--show=Dw,Ir NEW", "--show Dw,Ir NEW"),
    ("--sort=A,B", CG, "--sort=Dr,Ir NEW", "--sort=Dr,Ir NEW"),
    ("--sort=A:N,B:N", CG, "--auto=no --sort=Ir:25,Dr:10 WAVES", "--auto=no --sort=Ir:25,Dr:10 WAVES"),
    ("--threshold=N", CG, "--threshold=5 NEW", "--threshold=5 NEW"),
    ("--threshold=0", CG, "--threshold=0 NEW", "--threshold=0 NEW"),
    ("--threshold N", CG, "--threshold=20 NEW", "--threshold 20 NEW"),
    ("--show-percs=yes", CG, "--show-percs=yes NEW", "--show-percs=yes NEW"),
    ("--show-percs=no", CG, "--show-percs=no NEW", "--show-percs=no NEW"),
    ("--show-percs", CG, "--show-percs=yes NEW", "--show-percs NEW"),
    ("--no-show-percs", CG, "--show-percs=no NEW", "--no-show-percs NEW"),
    ("--auto=yes", CG, "--auto=yes NEW", "--auto=yes NEW"),
    ("--auto=no", CG, "--auto=no NEW", "--auto=no NEW"),
    ("--annotate", CG, "--auto=yes NEW", "--annotate NEW"),
    ("--no-annotate", CG, "--auto=no NEW", "--no-annotate NEW"),
    ("--context=N", CG, "--context=0 --threshold=0 NEW", "--context=0 --threshold=0 NEW"),
    ("--context N", CG, "--context=100 --threshold=0 NEW", "--context 100 --threshold=0 NEW"),
    ("-Idir", CG, "-Isources --threshold=0 MOVED", "-Isources --threshold=0 MOVED"),
    ("-I=dir", CG, "-I=sources --threshold=0 MOVED", "-I=sources --threshold=0 MOVED"),
    ("--include=dir", CG, "--include=sources --threshold=0 MOVED", "--include=sources --threshold=0 MOVED"),
    ("source files", CG, "--auto=no NEW SOURCE", "--auto=no --source=SOURCE NEW"),
    ("several profiles", CG, "--auto=no BOTH", "--auto=no OLD NEW"),
    ("--diff", CG, "--auto=no --threshold=0 DIFFERENCE", "--auto=no --threshold=0 --diff OLD NEW"),
    ("--mod-filename", CG, "--auto=no --threshold=0 FILES", "--auto=no --threshold=0 --mod-filename=s/.*cases/here/ --diff OLD NEW"),
    ("--mod-funcname", CG, "--auto=no --threshold=0 FUNCTIONS", "--auto=no --threshold=0 --mod-funcname=s/[a-z]$/X/ --diff OLD NEW"),
    # callgrind_annotate
    ("no option", CALLGRIND, "CALLS", "--coverage=99 CALLS"),
    ("--show=A,B", CALLGRIND, "--show=Dw,Ir CALLS", "--coverage=99 --show=Dw,Ir CALLS"),
    ("--threshold=N", CALLGRIND, "--threshold=60 CALLS", "--coverage=60 CALLS"),
    ("--threshold=100", CALLGRIND, "--threshold=100 CALLS", "--coverage=100 CALLS"),
    ("--sort=A,B", CALLGRIND, "--sort=D1mr,Ir CALLS", "--coverage=99 --sort=D1mr,Ir CALLS"),
    ("--sort=A:N,B:N", CALLGRIND, "--sort=Ir:50,D1mr:90 CALLS", "--coverage=99 --sort=Ir:50,D1mr:90 CALLS"),
    ("--show-percs=no", CALLGRIND, "--show-percs=no CALLS", "--coverage=99 --show-percs=no CALLS"),
    ("--auto=no", CALLGRIND, "--auto=no CALLS", "--coverage=99 --auto=no CALLS"),
    ("--context=N", CALLGRIND, "--context=1 CALLS", "--coverage=99 --context=1 CALLS"),
    ("--inclusive=yes", CALLGRIND, "--inclusive=yes --auto=no --threshold=100 PLAIN",
     "--inclusive=yes --auto=no --coverage=100 PLAIN"),
    ("--inclusive=yes --threshold=N", CALLGRIND, "--inclusive=yes --auto=no --threshold=90 PLAIN",
     "--inclusive=yes --auto=no --coverage=90 PLAIN"),
    ("--tree=caller", CALLGRIND, "--tree=caller --auto=no --threshold=100 PLAIN",
     "--tree=caller --auto=no --coverage=100 PLAIN"),
    ("--tree=calling", CALLGRIND, "--tree=calling --auto=no --threshold=100 PLAIN",
     "--tree=calling --auto=no --coverage=100 PLAIN"),
    ("--tree=both", CALLGRIND, "--tree=both --auto=no --threshold=100 PLAIN",
     "--tree=both --auto=no --coverage=100 PLAIN"),
    ("-I=dir", CALLGRIND, "-I=sources CALLS", "--coverage=99 -I=sources CALLS"),
    ("--include=dir", CALLGRIND, "--include=sources CALLS", "--coverage=99 --include=sources CALLS"),
]

NUMBER = re.compile(r"\s*(\.|-?\d[\d,]*)(?: \(\s*(n/a|[-\d.]+)%?\))?(?=\s|$)")
SOURCE = re.compile(r"-- (?:Auto|User)-annotated source: (.*)$")
RULE = "-" * 80


def run(words, out=None):
    result = subprocess.run(words, capture_output=True, text=True, errors="surrogateescape")
    if result.returncode != 0:
        raise SystemExit("%s: exit status %d: %s" % (" ".join(words), result.returncode, result.stderr))
    if out:
        with open(out, "w", errors="surrogateescape") as stream:
            stream.write(result.stdout)
    return result.stdout


def numbers(line, n):
    """The n counts that a line begins with, their percentages, and the rest of it; None if it does not."""
    counts, percents, at = [], [], 0
    for _ in range(n):
        match = NUMBER.match(line, at)
        if not match:
            return None
        counts.append(0 if match[1] == "." else int(match[1].replace(",", "")))
        # Those below 0 have fewer decimals there.
        percents.append(match[2] and match[2] != "n/a" and
                        round(float(match[2]), 1 if match[2][0] == "-" else 2))
        at = match.end()
    return counts, percents, line[at:]


def clean(name):
    """A function without its object, a path without ".", as costgrind joins spellings, and where it was found."""
    name = re.sub(r" \[[^\[]*\]$", "", name)
    name = re.sub(r"^(\S*/) \+ (.*)$", r"\2 (\1\2)", name)
    return re.sub(r"(^|/)(\./)+", r"\1", name)


def rows(text):
    """What is compared: the columns, totals, functions, lines of sources by file, and what these add up to."""
    found = {"columns": None, "order": None, "totals": None, "functions": [], "sources": {}, "shown": None}
    section = None
    for line in text.splitlines():
        if line.startswith("Events shown:"):
            found["columns"] = line.split(":", 1)[1].split()
        elif line.startswith("Event sort order:"):
            found["order"] = line.split(":", 1)[1].split()
        elif line.rstrip().endswith(("file:function", "file:function (inclusive)")) and not NUMBER.match(line):
            section = "functions"
        elif SOURCE.match(line):
            section = clean(SOURCE.match(line)[1])
            found["sources"][section] = []
        elif line.startswith("The following files"):
            section = None
        if not found["columns"]:
            continue
        row = numbers(line, len(found["columns"]))
        if not row:
            continue
        counts, percents, rest = row
        if rest.strip().startswith("PROGRAM TOTALS"):
            found["totals"] = (counts, percents)
        elif rest.strip() in ("events annotated", "annotated: in the lines above"):
            found["shown"] = counts if any(counts) else None
            section = None
        elif section == "functions":
            found["functions"].append((counts, percents, clean(rest.strip())))
        elif section:
            # The columns are wider there: as wide as for all files together.
            found["sources"][section].append((counts, percents, rest.strip()))
    return found


def ordered(lines):
    """Lines of a source; calls from one are in the order of a hash there."""
    number, keyed = 0, []
    for counts, percents, text in lines:
        number += not text.startswith("=> ")
        keyed.append((number, text.startswith("=> "), text, counts, percents))
    return sorted(keyed, key=lambda line: line[:3])


def compare(theirs, ours):
    for part in ("columns", "totals", "shown"):
        if theirs[part] != ours[part]:
            yield "%s: %s, theirs %s" % (part, ours[part], theirs[part])
    if not theirs["functions"]:
        yield "the script printed no function"
    # Functions that cost the same have the order of a hash there, so which of them are the last ones may differ.
    last = theirs["functions"][-1][0] if theirs["functions"] else None
    for row in theirs["functions"]:
        if row not in ours["functions"] and row[0] != last:
            yield "not there: %s" % (row,)
    for row in ours["functions"]:
        if row not in theirs["functions"] and row[0] != last:
            yield "there alone: %s" % (row,)
    if len(theirs["functions"]) != len(ours["functions"]):
        yield "%d functions, theirs %d" % (len(ours["functions"]), len(theirs["functions"]))
    if theirs["order"][0] in theirs["columns"]:
        key = theirs["columns"].index(theirs["order"][0])
        if [row[0][key] for row in theirs["functions"]] != [row[0][key] for row in ours["functions"]]:
            yield "another order"
    for file in sorted(set(theirs["sources"]) | set(ours["sources"])):
        if file not in ours["sources"] or file not in theirs["sources"]:
            yield "source %s: only one of them has it" % file
            continue
        ours_of, theirs_of = ordered(ours["sources"][file]), ordered(theirs["sources"][file])
        if len(ours_of) != len(theirs_of):
            yield "source %s: %d lines, theirs %d" % (file, len(ours_of), len(theirs_of))
        for our_line, their_line in zip(ours_of, theirs_of):
            if our_line != their_line:
                yield "source %s: %s, theirs %s" % (file, our_line[2:], their_line[2:])


def main():
    costgrind, folder, old, new, calls, plain, waves, source = sys.argv[1:]
    files = {"OLD": old, "NEW": new, "CALLS": calls, "PLAIN": plain, "WAVES": waves, "SOURCE": source,
             "MOVED": "moved", "BOTH": "both", "DIFFERENCE": "difference", "FILES": "files", "FUNCTIONS": "functions"}
    scripts = [CG, CALLGRIND]
    with open(folder + "/" + CG) as script:
        if "python" in script.readline():
            scripts.remove(CG)
    if CG in scripts:
        with open(new) as stream, open("moved", "w") as moved:
            moved.write(stream.read().replace(os.path.dirname(source) + "/", ""))
        run([folder + "/cg_merge", "-o", "both", old, new])
        run([folder + "/cg_diff", old, new], "difference")
        run([folder + "/cg_diff", "--mod-filename=s/.*cases/here/", old, new], "files")
        run([folder + "/cg_diff", "--mod-funcname=s/[a-z]$/X/", old, new], "functions")
    for option, script, their_words, our_words in OPTIONS:
        if script not in scripts:
            print("skip %s %s" % (script, option))
            continue
        expand = lambda words: [re.sub(r"\b(%s)$" % "|".join(files), lambda m: files[m[1]], word)
                                for word in words.split()]
        theirs = rows(run([folder + "/" + script] + expand(their_words)))
        words = expand(our_words)
        # Without these options, costgrind begins with estimated cycles, and sorts by what is shown.
        for name, part in (("show", "columns"), ("sort", "order")):
            if not re.search("--%s[= ]" % name, our_words):
                words.insert(0, "--%s=%s" % (name, ",".join(theirs[part])))
        differences = list(compare(theirs, rows(run([costgrind, "annotate", "-v", "--width=unlimited"] + words))))
        print("%s %s %s" % ("bad" if differences else "ok", script, option))
        for difference in differences[:5]:
            print("# %s %s: %s" % (script, option, difference[:1000]))


if __name__ == "__main__":
    main()
