#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of branchpairs.c, natively and as branch predictors see them: a table in Markdown.

	branchpairs.py PROGRAM

An element is one of the 4,096 that a kernel goes through in a round.
"""
import os
import subprocess
import sys

ELEMENTS = 4096
ROUNDS = {"native": 400, "simulated": 20}
VARIANTS = ("steady", "random")
MODELS = ("cachegrind", "tage8k")


def native(program, kernel, variant):
    """Nanoseconds an element takes, the least of many rounds."""
    out = subprocess.run([program, kernel, variant, str(ROUNDS["native"])],
                         check=True, capture_output=True, text=True).stdout
    return int(out.split()[0]) / ELEMENTS


def simulated(program, kernel, variant, model):
    """Mispredictions per 100 elements, of conditional and indirect branches together."""
    profile = program + ".profile"
    subprocess.run([os.environ["VALGRIND"], "-q", "--tool=costgrind", "--cache-sim=no", "--machine=generic",
                    "--branch-sim=yes", f"--branch-model={model}", f"--toggle-collect=kernel_{kernel}",
                    f"--costgrind-out-file={profile}", program, kernel, variant, str(ROUNDS["simulated"])],
                   check=True, capture_output=True)
    with open(profile, encoding="utf-8") as lines:
        headers = dict(line.rstrip("\n").split(": ", 1) for line in lines if ": " in line)
    costs = dict(zip(headers["events"].split(), map(int, headers["summary"].split())))
    return 100 * (costs["Bcm"] + costs["Bim"]) / (ELEMENTS * ROUNDS["simulated"])


def main():
    """Prints the table; the exit status says whether times agree with it."""
    program = sys.argv[1]
    kernels = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    wrong = []
    print("| kernel | native, ns: steady | random | Cachegrind's: steady | random | TAGE: steady | random |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for kernel in kernels:
        times = [native(program, kernel, variant) for variant in VARIANTS]
        counts = [[simulated(program, kernel, variant, model) for variant in VARIANTS] for model in MODELS]
        cells = [f"{time:.2f}" for time in times] + [f"{count:.1f}" for pair in counts for count in pair]
        print(f"| {kernel} | {' | '.join(cells)} |", flush=True)
        if (times[1] > times[0]) != (counts[1][1] > counts[1][0]):
            wrong.append(kernel)
    if wrong:
        print(f"branchpairs: the time of {', '.join(wrong)} says the opposite", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
