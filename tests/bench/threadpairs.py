#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of threadpairs.c, natively and on simulated cores: a table in Markdown.

	threadpairs.py PROGRAM

Times are elapsed ones, the least of several runs; cycles and lines moved are means of both threads.
"""
import os
import subprocess
import sys

ELEMENTS = 2048
ROUNDS = {"native": 3000, "simulated": 200}
RUNS = 25
VARIANTS = ("shared", "mended")
SLICES = (500, 1000, 2000)


def native(program, name, variant):
    """Nanoseconds an element takes."""
    times = [int(subprocess.run([program, name, variant, str(ROUNDS["native"])],
                                check=True, capture_output=True, text=True).stdout.split()[0])
             for _ in range(RUNS)]
    return min(times) / ELEMENTS / ROUNDS["native"]


def costs(profile):
    """Costs of a profile's totals, by event."""
    with open(profile, encoding="utf-8") as lines:
        headers = dict(line.rstrip("\n").split(": ", 1) for line in lines if ": " in line)
    return dict(zip(headers["events"].split(), map(int, headers["summary"].split())))


def simulated(program, name, variant, size):
    """Cycles an element takes, and lines that cores exchanged per 1,000 elements, with slices of that many blocks."""
    profile = program + ".profile"
    subprocess.run([os.environ["VALGRIND"], "-q", "--tool=costgrind", "--fair-sched=yes", "--machine=zen3", "--cores=2",
                    f"--slice={size}", f"--toggle-collect=run_{name}", f"--costgrind-out-file={profile}",
                    program, name, variant, str(ROUNDS["simulated"])], check=True, capture_output=True)
    found = costs(profile)
    cycles = sum(cost for event, cost in found.items() if event.startswith("Cy")) / 10
    moved = sum(found.get(event, 0) for event in ("Dcoh", "DcohW", "Dupg"))
    elements = ELEMENTS * ROUNDS["simulated"]
    return cycles / 2 / elements, 1000 * moved / elements


def main():
    """Prints the table; the exit status says whether times agree with it."""
    program = sys.argv[1]
    names = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    wrong = []
    print("| program | native, ns: shared | mended | cycles: shared | mended | "
          + " | ".join(f"moved, slices of {size:,}" for size in SLICES) + " | mended |")
    print("|---|" + "--:|" * (5 + len(SLICES)))
    for name in names:
        times = [native(program, name, variant) for variant in VARIANTS]
        found = {size: simulated(program, name, "shared", size) for size in SLICES}
        mended = simulated(program, name, "mended", 1000)
        print(f"| {name} | {times[0]:.2f} | {times[1]:.2f} | {found[1000][0]:.3f} | {mended[0]:.3f} | "
              + " | ".join(f"{found[size][1]:.2f}" for size in SLICES) + f" | {mended[1]:.2f} |", flush=True)
        if (times[0] > times[1]) != (found[1000][0] > mended[0]):
            wrong.append(name)
    if wrong:
        print(f"threadpairs: the time of {', '.join(wrong)} says the opposite", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
