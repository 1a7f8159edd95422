# SPDX-License-Identifier: GPL-3.0-or-later
"""A trace as Xdebug writes it, read as Webgrind does; and whether a profile has cycles."""
import re
from collections import Counter

ID = re.compile(rb"\((\d+)\)(?: (.+))?\Z")


def fail(text, *arguments):
    raise ValueError(text % arguments)


class Trace:
    """A trace by Webgrind's rules: each fl= begins an invocation, whose next two lines are
    the function and its own cost; each cfn= is one call, whatever calls= says, of a function that
    has been there.  By Xdebug's, besides: what was called ended right before, in that order."""

    def __init__(self, data):
        self.headers, self.invocations = {}, Counter()
        self.own, self.calls, self.costs = Counter(), Counter(), Counter()
        self.names = {}
        ended = []  # invocations that nobody has called yet
        lines = iter(data.split(b"\n"))
        for line in lines:
            if line.startswith(b"fl="):
                self.name(b"fl", line)
                function = self.name(b"fn", next(lines))
                self.invocations[function] += 1
                self.own[function] += int(re.fullmatch(rb"\d+ (\d+)", next(lines)).group(1))
                called = []
                while True:
                    line = next(lines)
                    if not line:
                        break
                    self.name(b"cfl", line)
                    callee = self.name(b"cfn", next(lines))
                    if next(lines) != b"calls=1 0 0":
                        fail("not one call of %s", callee)
                    cost = int(re.fullmatch(rb"\d+ (\d+)", next(lines)).group(1))
                    self.calls[function, callee] += 1
                    self.costs[function, callee] += cost
                    called.append(callee)
                if called != ended[len(ended) - len(called):]:
                    fail("%s called what did not end right before", function)
                ended[len(ended) - len(called):] = [function]
            elif b": " in line:
                key, _, value = line.partition(b": ")
                self.headers[key] = value
            elif line:
                fail("not the shape of a trace: %s", line)
        self.roots = Counter(ended)

    def name(self, spec, line):
        text = re.fullmatch(spec + rb"=(.*)", line).group(1)
        kind = spec[-2:]
        match = ID.match(text)
        if not match:
            return text
        if match.group(2):
            if self.names.setdefault((kind, match.group(1)), match.group(2)) != match.group(2):
                fail("id %s has two names", match.group(1))
        elif (kind, match.group(1)) not in self.names:
            fail("id %s is not known yet", match.group(1))
        return self.names[kind, match.group(1)]


def has_cycle(profile):
    """True if functions of some names call each other in a circle."""
    callees, state = {}, {}
    for caller, callee in list(profile.calls) + [key[:2] for key in profile.costs]:
        callees.setdefault(caller, []).append(callee)
    for root in callees:
        path = [(root, iter(callees[root]))] if root not in state else []
        state.setdefault(root, 1)
        while path:
            callee = next(path[-1][1], None)
            if callee is None:
                state[path.pop()[0]] = 2
            elif state.get(callee) == 1:
                return True
            elif callee not in state:
                state[callee] = 1
                path.append((callee, iter(callees.get(callee, ()))))
    return False
