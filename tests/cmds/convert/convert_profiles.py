# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles that are hard to convert.

    convert_profiles.py NAME...
"""
import os
import sys

WEIGHTS = dict(EstCyc=(1, 1, 1, 4, 4, 4, 30, 30, 30), Own=(1, 2, 0, 0, 0, 0, 0, 0, 0))


def call(name, line, cost):
    return "cfn=%s\ncalls=1 1\n%d %d\n" % (name, line, cost)


def names():
    """As long names as there may be in dot, and longer ones, also by what is longer there."""
    with open("long.cg", "w") as out:
        out.write("version: 1\ncmd: %s\nevents: Ir\nfl=l.c\nfn=%s\n1 5\n" % ("c" * 20000, "name<int>;" * 2800))
        for i, name in enumerate(["N" * 1000, "O" * 1001, "&" * 201, '"' * 501, "\u00e9" * 501]):
            out.write("fl=%s\nfn=%s\n%d 1\n" % ("f" * (998 + i), name, i))


def chain():
    """A deep chain."""
    with open("chain.cg", "w") as out:
        out.write("events: Ir\nfl=c.c\n")
        for i in range(1000):
            out.write("fn=f%d\n%d 1\ncfn=f%d\ncalls=1 1\n%d %d\n" % (i, i, i + 1, i, 1000 - i))
        out.write("fn=f1000\n1 1\n")


def many():
    """Layers of two functions that call both of the next: 2^40 stacks."""
    with open("many.cg", "w") as out:
        out.write("events: Ir\nfl=m.c\nfn=main\n1 1\n")
        def call_both(i, cost):
            for s in "ab":
                out.write("cfn=%s%d\ncalls=1 1\n1 %d\n" % (s, i, cost))
        call_both(0, 40)
        for i in range(40):
            for s in "ab":
                out.write("fn=%s%d\n1 1\n" % (s, i))
                if i < 39:
                    call_both(i + 1, 39 - i)


def rest():
    """light is called from two branches, by three functions in each, too lightly for stacks of its own."""
    with open("rest.cg", "w") as out:
        out.write("events: Ir\nfl=r.c\nfn=main\n1 10000000\n")
        for branch in "ab":
            out.write("cfn=%s\ncalls=1 1\n1 1130\n" % branch)
        for branch in "ab":
            out.write("fn=%s\n1 1000\n" % branch)
            for i in range(3):
                out.write("cfn=%s%d\ncalls=1 1\n1 %d\n" % (branch, i, 43 + (i == 0)))
            for i in range(3):
                out.write("fn=%s%d\n1 3\ncfn=light\ncalls=1 1\n1 40\n" % (branch, i))
        out.write("fn=light\n1 200\n2 40\n")


def near():
    """Of f there are 40 chains in hot, of g two, of h two from one function, of i one; j is called from two roots."""
    with open("rest.cg", "w") as out:
        out.write("events: Ir\nfl=r.c\nfn=main\n1 4956949\n" + call("side", 2, 5000000) + call("hot", 3, 43033))
        out.write("fn=side\n1 5000000\nfn=hot\n1 1000\n" + "".join(call("a%d" % i, i, 1050) for i in range(36)))
        out.write(call("a36", 36, 1060) + call("a37", 37, 1060) + call("a38", 38, 1058) + call("a39", 39, 1055))
        for i in range(40):
            out.write("fn=a%d\n1 1000\n" % i + call("f", 2, 50))
            out.write(call("g", 3, 10) if i in (36, 37) else call("h", 4, 4) + call("h", 5, 4) if i == 38 else
                      call("i", 6, 5) if i == 39 else "")
        out.write("fn=f\n1 2000\nfn=g\n1 20\nfn=h\n1 8\nfn=i\n1 5\n")
        for root in "xy":
            out.write("fn=%s\n1 1\n%s" % (root, call("j", 2, 7)))
        out.write("fn=j\n1 14\n")


def of_two_parts(event):
    def counts(*all):
        if not event:
            return " ".join(map(str, all)) + "\n"
        return "%d\n" % sum(weight * count for weight, count in zip(WEIGHTS[event], all))
    events = "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw"
    header = {None: "event: Own = Ir + 2 Dr : Mine\nevents: %s\n" % events,
              "EstCyc": "event: EstCyc : Estimated cycles\nevents: EstCyc\n",
              "Own": "event: Own : Mine\nevents: Own\n"}[event]
    body = ("fl=a.c\nfn=main\n1 " + counts(10, 4, 3, 2, 1, 1, 1, 1, 0) + "3 " + counts(7) +
            "cfn=f\ncalls=2 9\n3 " + counts(50, 20, 10, 3, 9, 2, 1, 2) + "fn=f\n9 " + counts(30, 15, 5, 1, 9, 2, 0, 2) +
            "cfn=g\ncalls=1 20\n10 " + counts(20, 5, 5, 2, 0, 0, 1) + "fn=g\n20 " + counts(20, 5, 5, 2, 0, 0, 1))
    totals = "totals: " + counts(67, 24, 13, 5, 10, 3, 2, 3)
    return "# callgrind format\nversion: 1\ncmd: x\n" + "".join(
        "part: %d\n%s%s%s\n" % (part, header, body, totals) for part in (1, 2))


def derived():
    """d.cg in folders: with formulas of derived events, and with columns of them; of two parts."""
    for event in None, "EstCyc", "Own":
        os.mkdir(str(event))
        with open("%s/d.cg" % event, "w") as out:
            out.write(of_two_parts(event))


def loops():
    """main calls f 3000 times, f calls itself 6000 and g 9000 times, g calls f once; few cost anything."""
    with open("loops.cg", "w") as out:
        out.write("events: Ir\nfl=l.c\nfn=main\n1 7\ncfn=f\ncalls=3000 2\n1 20011\n")
        out.write("fn=f\n2 10001\ncfn=f\ncalls=6000 2\n3 14007\ncfn=g\ncalls=9000 5\n4 10010\n")
        out.write("fn=g\n5 9010\ncfn=f\ncalls=1 2\n6 1000\n")


for wanted in sys.argv[1:]:
    globals()[wanted]()
