# SPDX-License-Identifier: GPL-3.0-or-later
"""What costgrind convert writes, decoded and compared with what the profile says.

    convert_check.py COSTGRIND PROFILE...

For each profile and each format: the profile is read by the small reader below, which
shares nothing with costgrind; what was written is decoded by another one; sums,
own costs by function and calls must agree.  Prints a line for each fault.
"""
import csv
import gzip
import io
import json
import pathlib
import re
import struct
import subprocess
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import schema  # what docs/schemas says
from xdebug_trace import Trace, has_cycle

JSON_SCHEMA = schema.Checker(schema.read(ROOT / "docs/schemas/profile.schema.json"), strict=True)

ID = re.compile(rb"\((0x[0-9a-fA-F]+|\d+)\)[ \t]*(.*)\Z", re.S)


class Profile:
    """events; own: (file, function, event) -> cost; calls: (caller, callee) -> count;
    costs: (caller, callee, event) -> cost; header: key -> last value."""

    def __init__(self):
        self.events = []
        self.own = Counter()
        self.calls = Counter()
        self.costs = Counter()
        self.lines = Counter()
        self.header = {}
        self.has_zero_calls = False

    def totals(self):
        return [sum(v for (_, _, e), v in self.own.items() if e == event)
                for event in self.events]

    def by_name(self, event):
        result = Counter()
        for (_, function, e), value in self.own.items():
            if e == event and value:
                result[function] += value
        return result


def as_written(name):
    """A name as writers of the format spell it: bytes that are not UTF-8, and controls, are escaped."""
    text = name.decode("utf-8", "backslashreplace")
    return re.sub("[\x00-\x1f\x7f]", lambda c: "\\x%02x" % ord(c.group()), text).encode()


def number(text):
    if text == b".":
        return 0
    return int(text, 16) if text.lower().startswith((b"0x", b"-0x")) else int(text)


class Reader:
    """The Callgrind format as KCachegrind takes it."""

    def __init__(self, data):
        self.profile = Profile()
        self.columns = []
        self.ids = {"ob": {}, "fl": {}, "fn": {}}
        self.n_positions = 1
        self.reset()
        self.read(data)

    def reset(self):
        self.object = self.file = self.own_file = self.function = b"???"
        self.positions = [0, 0, 0]
        self.cob = self.cfi = self.callee = None
        self.count = None
        self.jump = False

    def name(self, kind, text):
        text = text.strip(b" \t")
        match = ID.match(text)
        if not match:
            return as_written(text) or b"???"
        key = int(match.group(1), 0)
        if match.group(2):
            self.ids[kind][key] = as_written(match.group(2))
        return self.ids[kind][key]

    def position_line(self, line):
        words = line.split()
        for i in range(self.n_positions):
            word = re.split(rb"(?<=.)[-:+]", words[i])[0] if words[i][:1].isdigit() else words[i]
            if word == b"*":
                continue
            if word[:1] == b"+":
                self.positions[i] += number(word[1:])
            elif word[:1] == b"-":
                self.positions[i] -= number(word[1:])
            else:
                self.positions[i] = number(word)
        costs = [number(word) for word in words[self.n_positions:]]
        if self.jump:
            self.jump = False
            return
        if self.count is not None:
            key = (self.function, self.callee)
            self.profile.calls[key] += self.count
            for event, cost in zip(self.columns, costs):
                self.profile.costs[key + (event,)] += cost
            self.count = self.cob = self.cfi = None
            return
        line_number = self.positions[self.n_positions - 1] if self.has_line else 0
        for event, cost in zip(self.columns, costs):
            self.profile.own[(self.own_file, self.function, event)] += cost
            self.profile.lines[(self.file, line_number, event)] += cost

    def name_line(self, key, text):
        self.jump = self.jump and key[:2] == b"jf"  # a jump may be without its source
        if key == b"ob":
            self.object, self.function = self.name("ob", text), b"???"
        elif key == b"fl":
            self.file = self.own_file = self.name("fl", text)
        elif key in (b"fi", b"fe"):
            self.file = self.name("fl", text)
        elif key == b"fn":
            self.function = self.name("fn", text)
            self.file = self.own_file
        elif key == b"cob":
            self.cob = self.name("ob", text)
        elif key in (b"cfi", b"cfl"):
            self.cfi = self.name("fl", text)
        elif key == b"cfn":
            self.callee = self.name("fn", text)
        elif key == b"jfi":
            self.name("fl", text)
        elif key == b"jfn":
            self.name("fn", text)

    def header_line(self, key, text):
        self.profile.header[key] = text
        if key == b"positions":
            words = text.split()
            self.n_positions = max(len(words), 1)
            self.has_line = b"line" in words
        elif key == b"events":
            self.reset()
            self.columns = text.decode().split()
            for event in self.columns:
                if event not in self.profile.events:
                    self.profile.events.append(event)

    def read(self, data):
        self.has_line = True
        for line in data.split(b"\n"):
            line = line.rstrip(b"\r").lstrip(b" \t")
            if line[:1] in b"0123456789+-*" and line:
                self.position_line(line)
                continue
            match = re.match(rb"(ob|f[lien]|cob|cf[iln]|jf[in])=(.*)", line, re.S)
            if match:
                self.name_line(match.group(1), match.group(2))
            elif re.match(rb"r?calls=", line):
                self.count = number(line.split(b"=")[1].split()[0])
                self.profile.has_zero_calls |= self.count == 0
            elif re.match(rb"jump=|jcnd=", line):
                self.jump = True
            else:
                match = re.match(rb"([A-Za-z][A-Za-z0-9 ]*):[ \t]*(.*)", line)
                if match:
                    self.header_line(match.group(1), match.group(2).strip())


def fail(text, *arguments):
    raise ValueError(text % arguments)


def same(what, got, want):
    got = {k: v for k, v in got.items() if v} if hasattr(got, "items") else got
    want = {k: v for k, v in want.items() if v} if hasattr(want, "items") else want
    if got != want:
        if isinstance(got, dict):
            wrong = [(k, got.get(k), want.get(k)) for k in sorted(set(got) | set(want), key=repr)
                     if got.get(k) != want.get(k)]
            fail("%s: got, want: %s", what, wrong[:3])
        fail("%s: got %s, want %s", what, got, want)


# -- one function for each format: data is what was written, profile what was read ----------

def check_callgrind(data, profile):
    got = Reader(data).profile
    same("events", got.events, profile.events)
    same("own costs", escaped(got.own), escaped(profile.own))
    same("calls", escaped(got.calls), escaped(profile.calls))
    same("costs of calls", escaped(got.costs), escaped(profile.costs))
    return got


def escaped(counter):
    """Bytes that the writer has to escape are compared as escapes; files by their last part, since
    spellings of one file are one."""
    def text(key):
        if not isinstance(key, bytes):
            return key
        if re.match(rb"\(\d", key):
            key = rb"\x28" + key[1:]
        key = re.sub(rb"[\x00-\x1f\x7f]", lambda m: rb"\x%02x" % m.group()[0], key)
        return key.decode("utf-8", "backslashreplace").split("/")[-1]
    result = Counter()
    for key, value in counter.items():
        result[tuple(text(part) for part in key)] += value
    return result


VALGRIND = ("Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw ILdmr DLdmr DLdmw Bc Bcm Bi Bim AcCost1 SpLoss1 "
            "AcCost2 SpLoss2 Ge sysCount sysTime sysCpuTime").split()
RENAMED = {"I2mr": "ILmr", "D2mr": "DLmr", "D2mw": "DLmw"}


def left_out(events):
    """What callgrind-portable leaves out: nothing, if there would be nothing left."""
    odd = [event for event in events if RENAMED.get(event, event) not in VALGRIND]
    return odd if len(odd) < len(events) else []


def only_portable(profile):
    odd = left_out(profile.events)
    result = Profile()
    result.events = [RENAMED.get(e, e) for e in profile.events if e not in odd]
    result.calls, result.has_zero_calls = profile.calls, profile.has_zero_calls
    for name in ("own", "costs", "lines"):
        setattr(result, name, Counter({
            key[:-1] + (RENAMED.get(key[-1], key[-1]),): value
            for key, value in getattr(profile, name).items() if key[-1] not in odd}))
    return result


def check_portable(data, profile):
    got = Reader(data).profile
    profile = only_portable(profile)
    same("own costs", escaped(got.own), escaped(profile.own))
    same("costs of calls", escaped(got.costs), escaped(profile.costs))
    if not profile.has_zero_calls:
        same("calls", escaped(got.calls), escaped(profile.calls))
    same("lines", escaped(got.lines), escaped(profile.lines))
    lines = data.split(b"\n")
    same("begin", lines[:2], [b"# callgrind format", b"version: 1"])
    for key in (b"positions: line", b"events: " + " ".join(profile.events).encode()):
        same("header lines " + repr(key), lines.count(key), 1)
    columns = len(profile.events) + 1
    for line in lines:
        if line[:1] in b"0123456789+-*" and line and len(line.split(b" ")) != columns:
            fail("not all columns, or more: %r", line)
        if re.match(rb"[-+*]|jump|jcnd|jf|calls=0|cfl|.* \Z", line):
            fail("not portable: %r", line)
    defined = Counter((kind(m.group(1)), m.group(2)) for m in
                      (re.match(rb"(\w+)=(\(\d+\)) ", line) for line in lines) if m)
    if defined and max(defined.values()) > 1:
        fail("an id is defined twice")
    return got


def kind(spec):
    return spec.lstrip(b"c")[:1] + (b"n" if spec.endswith(b"n") else b"")


def check_cachegrind(data, profile):
    """Its own reader: strict, as cg_annotate is."""
    own, function, events, summary = Counter(), None, None, None
    lines = data.split(b"\n")
    if lines.pop() != b"":
        fail("no line feed at the end")
    while lines[0].startswith(b"desc: "):
        lines.pop(0)
    if not lines[0].startswith(b"cmd: ") or not lines[1].startswith(b"events: "):
        fail("header: %r", lines[:2])
    events = lines[1].decode().split()[1:]
    same("events", events, profile.events)
    totals = [0] * len(events)
    for line in lines[2:]:
        if summary is not None:
            fail("after summary: %r", line)
        if line.startswith(b"fn="):
            function = line[3:]
        elif line.startswith(b"summary: "):
            summary = [int(word) for word in line.split()[1:]]
        elif not line.startswith(b"fl="):
            words = [int(word) for word in line.split()]
            for i, event in enumerate(events):
                own[(function, event)] += words[1 + i]
                totals[i] += words[1 + i]
    same("summary", summary, totals)
    same("totals", totals, profile.totals())
    want = Counter()
    for (_, name, event), cost in profile.own.items():
        want[(name, event)] += cost
    same("own costs", own, want)


def refuse(name):
    fail("%s is no JSON", name)


def check_json(data, profile):
    got = json.loads(data.decode("utf-8"), parse_constant=refuse)
    JSON_SCHEMA.check(got)
    events = [event["name"] for event in got["events"]]
    same("events", events, profile.events)
    same("totals", got["totals"], profile.totals())
    own, calls, costs = Counter(), Counter(), Counter()
    functions = got["functions"]
    for function in functions:
        name = function["function"]
        for i, event in enumerate(events):
            own[(function["file"], name, event)] += function["self"][i]
            same("self is the sum of costs", function["self"][i],
                 sum(cost["costs"][i] for cost in function["costs"]))
        for call in function["calls"]:
            key = (name, functions[call["callee"]]["function"])
            calls[key] += call["count"]
            for i, event in enumerate(events):
                costs[key + (event,)] += call["costs"][i]
    same("own costs", shape(own), shape(decoded(profile.own)))
    same("calls", shape(calls), shape(decoded(profile.calls)))
    same("costs of calls", shape(costs), shape(decoded(profile.costs)))


def shape(counter):
    """Invalid UTF-8 has as many replacement characters as the decoder likes."""
    result = Counter()
    for key, value in counter.items():
        result[tuple(re.sub("\ufffd+", "\ufffd", part.split("/")[-1]) for part in key)] += value
    return result


def decoded(counter):
    result = Counter()
    for key, value in counter.items():
        result[tuple(part.decode("utf-8", "replace") if isinstance(part, bytes) else part
                     for part in key)] += value
    return result


def with_formulas(profile):
    """The same with events that the profile defines, of all of its costs, as columns."""
    for name, formula in profile.formulas:
        weights = Counter()
        if name == "EstCyc":  # is costgrind's own, whatever a file says
            formula = "Ir + Dr + Dw + 4 I1mr + 4 D1mr + 4 D1mw + 30 ILmr + 30 DLmr + 30 DLmw"
        for sign, factor, term in re.findall(r"([+-]?)\s*(\d*)\s*\*?\s*([A-Za-z]\w*)", formula):
            if term in profile.events:
                weights[term] += int(factor or 1) * (-1 if sign == "-" else 1)
        for table in (profile.own, profile.lines, profile.costs):
            for key, value in list(table.items()):
                if key[-1] in weights:
                    table[key[:-1] + (name,)] += weights[key[-1]] * value
    profile.events = profile.events + [name for name, _ in profile.formulas]
    return profile


def check_csv(data, profile):
    profile = with_formulas(profile)
    rows = list(csv.reader(io.StringIO(data.decode("latin-1"), newline="")))
    head, rows = rows[0], rows[1:]
    same("events", head[11:], profile.events)
    own, calls, costs = Counter(), Counter(), Counter()
    for row in rows:
        if len(row) != len(head):
            fail("%d fields, expected %d: %s", len(row), len(head), row)
        if row[0] == "cost":
            for event, cost in zip(head[11:], row[11:]):
                own[(row[3], event)] += int(cost)
        else:
            calls[(row[3], row[9])] += int(row[10])
            for event, cost in zip(head[11:], row[11:]):
                costs[(row[3], row[9], event)] += int(cost)
    want = Counter()
    for (_, name, event), cost in profile.own.items():
        want[(name.decode("latin-1"), event)] += cost
    same("own costs", own, want)
    latin = lambda key: tuple(p.decode("latin-1") if isinstance(p, bytes) else p for p in key)
    same("calls", calls, {latin(k): v for k, v in profile.calls.items()})
    same("costs of calls", costs, {latin(k): v for k, v in profile.costs.items()})


def frame_name(name):
    return re.sub(rb"[\x00-\x1f\x7f]", b" ", name.replace(b";", b":"))


def check_collapsed(data, profile):
    lines = data.split(b"\n")
    if lines.pop() != b"":
        fail("last line")
    own, seen = Counter(), set()
    for line in lines:
        stack, count = line.rsplit(b" ", 1)
        if stack in seen or int(count) == 0:
            fail("stack twice, or with nothing: %r", stack)
        seen.add(stack)
        own[stack.split(b";")[-1]] += int(count)
    want = Counter()
    for name, cost in profile.by_name(profile.events[0]).items():
        want[frame_name(name)] += cost
    same("own costs", own, want)


class Webgrind:
    """Versions 4 to 7, from the description of the format; strict about every pointer."""

    def __init__(self, data):
        self.data = data
        version, headers, n = struct.unpack_from("<3I", data)
        self.version = version
        self.addresses = struct.unpack_from("<%dI" % n, data, 12)
        text = data[headers:]
        if not text.endswith(b"\n"):
            fail("the headers do not end in a line feed")
        self.headers = [tuple(line.split(b": ", 1)) for line in text[:-1].split(b"\n")]
        if any(len(header) != 2 for header in self.headers):
            fail("a header without ': '")
        self.at = 12 + 4 * n
        self.functions = [self.record(i) for i in range(n)]
        if version == 4:
            self.check_tree(headers)
        elif self.at != headers:
            fail("headers are at %d, not at %d", headers, self.at)
        self.divisor = 1
        for key, value in self.headers:
            if key == b"desc" and value.startswith(b"Costs divided by: "):
                self.divisor = int(value.split()[-1])

    def numbers(self, n):
        result = struct.unpack_from("<%dI" % n, self.data, self.at)
        self.at += 4 * n
        return result

    def line(self):
        end = self.data.index(b"\n", self.at)
        text, self.at = self.data[self.at:end], end + 1
        return text

    def record(self, i):
        same("address of function %d" % i, self.addresses[i], self.at)
        record = {}
        if self.version == 7:
            record["line"], = self.numbers(1)
        record["self"], record["inclusive"] = self.numbers(2)
        if self.version == 4:
            record["called"], n = self.numbers(2)
            record["invocations"] = [self.numbers(8) for _ in range(n)]
        else:
            record["invocations"], n_from = self.numbers(2)
            n_sub = self.numbers(1)[0] if self.version > 5 else 0
            record["from"] = [self.numbers(4) for _ in range(n_from)]
            record["sub"] = [self.numbers(4) for _ in range(n_sub)]
        record["file"], record["name"] = self.line(), self.line()
        return record

    def check_tree(self, headers):
        """Each subcall is in the table, once; real invocations point back to it."""
        table, used = self.at, set()
        synthetic = any(key == b"desc" and value.startswith(b"Invocations: one for each")
                        for key, value in self.headers)
        self.calls = []
        for i, function in enumerate(self.functions):
            same("self of %r" % function["name"], function["self"],
                 sum(invocation[0] for invocation in function["invocations"]))
            for j, invocation in enumerate(function["invocations"]):
                for k in range(invocation[6]):
                    at = invocation[7] + 16 * k
                    if at in used or not table <= at <= headers - 16 or (at - table) % 16:
                        fail("a call at %d", at)
                    used.add(at)
                    other, number, line, cost = struct.unpack_from("<4I", self.data, at)
                    callee = self.functions[other]["invocations"][number]
                    if not synthetic:
                        same("what points back", callee[2:6], (cost, i, j, line))
                    self.calls.append((i, other, line, cost))
                if invocation[3] == 0xffffffff:
                    same("a root", (invocation[2], invocation[4], invocation[5]), (0, 0, 0))
        same("calls in the table", len(used), (headers - table) // 16)
        calls = set(self.calls)
        for i, function in enumerate(self.functions):
            for invocation in function["invocations"]:
                if invocation[3] != 0xffffffff and (
                        invocation[3], i, invocation[5], invocation[2]) not in calls:
                    fail("nothing calls %r so", function["name"])


def check_webgrind(data, profile):
    got = Webgrind(data)
    event = profile.events[0]
    headers = dict(got.headers)
    for key in (b"version", b"creator", b"cmd", b"part", b"positions", b"summary"):
        if key not in headers:
            fail("no header %s", key)
    suffix = "_x%d" % got.divisor if got.divisor > 1 else ""
    same("event", headers[b"events"].decode(), event + suffix)
    names = [function["name"] for function in got.functions]
    own, calls, costs = Counter(), Counter(), Counter()
    for i, function in enumerate(got.functions):
        own[function["name"]] += function["self"]
        if got.version > 4:
            for other, line, count, cost in function["from"]:
                calls[(names[other], names[i])] += count
                costs[(names[other], names[i])] += cost
    if got.version == 4:
        for caller, callee, _, cost in got.calls:
            costs[(names[caller], names[callee])] += cost
    elif got.version > 5:
        same("both ends of calls",
             Counter((i, other) + call for i, function in enumerate(got.functions)
                     for other, *rest in function["sub"] for call in [tuple(rest)]),
             Counter((other, i) + call for i, function in enumerate(got.functions)
                     for other, *rest in function["from"] for call in [tuple(rest)]))
    if got.divisor > 1:
        own, costs = rounded(own, got.divisor), rounded(costs, got.divisor)
    want_costs = Counter()
    for (caller, callee, e), cost in profile.costs.items():
        if e == event:
            want_costs[(caller, callee)] += cost
    if got.divisor > 1:
        for table, want in ((own, profile.by_name(event)), (costs, want_costs)):
            for key, value in want.items():
                if abs(table[key] - value) > got.divisor * len(got.functions):
                    fail("%s: got %d, want about %d", key, table[key], value)
        return
    same("own costs", own, profile.by_name(event))
    same("costs of calls", costs, want_costs)
    if got.version > 4:
        same("calls", calls, profile.calls)


def check_xdebug(data, profile, broken=False, most=10**6):
    got = Trace(data)
    event = profile.events[0]
    same("event", got.headers[b"events"].decode(), event)
    same("own costs", +got.own, profile.by_name(event))
    same("summary", int(got.headers[b"summary"]), sum(got.own.values()))
    want = Counter({key[:2]: cost for key, cost in profile.costs.items() if key[2] == event})
    calls = +Counter({key: count for key, count in profile.calls.items()})
    if broken:
        calls = got.calls if profile.has_zero_calls else calls
        for table, full in ((got.calls, calls), (+got.costs, want)):
            if any(value > full[key] for key, value in table.items()):
                fail("more calls than there were")
        if (b"Calls left out" in data) and not has_cycle(profile):
            fail("calls are left out where there is no cycle")
        return
    same("costs of calls", +got.costs, +want)
    n = sum(calls.values()) + sum(got.roots.values())
    if n <= most:
        if not profile.has_zero_calls:
            same("calls", got.calls, calls)
    elif not most - len(profile.lines) <= sum(got.invocations.values()) <= most:
        fail("%d calls of %d are not nearly %d", sum(got.invocations.values()), n, most)
    # As many invocations as calls, but of those that nobody called.
    called = Counter()
    for (_, callee), count in got.calls.items():
        called[callee] += count
    same("invocations", got.invocations, called + got.roots)


def check_xdebug_broken(data, profile):
    check_xdebug(data, profile, True)


def check_dot(data, profile):
    text = data.decode("utf-8")
    event = profile.events[0]
    total = sum(profile.by_name(event).values())
    for percent, cost in re.findall(r"([\d.]+) % \((\d+)\)", text):
        same("percentage", percent, "%.2f" % (100 * int(cost) / total if total else 0))
    nodes = re.findall(r'^\tf(\d+) \[label="((?:[^"\\]|\\.)*)\\n[\d.]+ % \((\d+)\)'
                       r'\\nself [\d.]+ % \((\d+)\)", tooltip="(?:[^"\\]|\\.)*", '
                       r'fillcolor="[\d. ]+"\];$', text, re.M)
    edges = re.findall(r'^\tf(\d+) -> f(\d+) \[label="(\d+) x\\n(?:recursive, )?[\d.]+ % \((\d+)\)"\];$',
                       text, re.M)
    # Calls nest in a recursion.
    most = max([total] + [int(cost) for _, _, cost, _ in nodes])
    for caller, callee, _, cost in edges:
        if int(cost) > most:
            fail("f%s -> f%s: %s of %d", caller, callee, cost, most)
    same("lines", text.count("\n"), len(nodes) + len(edges) + 5)
    names = {number: re.sub(r"\\(.)", r"\1", name).replace("&amp;", "&") for number, name, _, _ in nodes}
    own, calls = Counter(), Counter()
    for number, _, _, cost in nodes:
        own[(names[number],)] += int(cost)
    for caller, callee, count, _ in edges:
        calls[(names[caller], names[callee])] += int(count)

    # Graphviz takes no string of more than 16,384 bytes, and draws no edge past boxes wider than 65,535 points.
    for string in re.findall(r'"((?:[^"\\]|\\.)*)"', text):
        if len(string.encode()) > 16384:
            fail("a string of %d bytes", len(string.encode()))

    def cut(name):
        used = 0
        for i, c in enumerate(name):
            used += 5 if c == "&" else 2 if c in '"\\' else len(c.encode())
            if used > 1000:
                return name[:i] + "..."
        return name

    def shown(counter):
        result = Counter()
        for key, value in counter.items():
            names = [cut(re.sub("[\x00-\x1f\x7f]", " ", name.decode("utf-8", "replace")))
                     for name in key]
            result[tuple(names)] += value
        return result
    want = Counter({(name,): cost for name, cost in profile.by_name(event).items()})
    same("own costs", shape(own), shape(shown(want)))
    same("calls", shape(calls), shape(shown(profile.calls)))


def check_speedscope(data, profile):
    got = json.loads(data.decode("utf-8"), parse_constant=refuse)
    same("schema", got["$schema"], "https://www.speedscope.app/file-format-schema.json")
    frames = [frame["name"] for frame in got["shared"]["frames"]]
    told, = got["profiles"]
    same("kind", (told["type"], told["unit"], told["startValue"]), ("evented", "none", 0))
    path, last, own = [], 0, Counter()
    for event in told["events"]:
        if path:
            own[(frames[path[-1]],)] += event["at"] - last
        elif event["at"] != last:
            fail("a cost of nobody")
        if event["at"] < last:
            fail("events go back")
        last = event["at"]
        if event["type"] == "O":
            path.append(event["frame"])
        else:
            same("what is closed", path.pop(), event["frame"])
    same("what is left open", path, [])
    same("end", (last, told["endValue"]), (profile.totals()[0],) * 2)
    same("own costs", shape(own),
         shape(decoded({(k,): v for k, v in profile.by_name(profile.events[0]).items()})))


def fields(data):
    """The fields of a protocol buffer: (number, value), varints and bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 0x7f) << shift
            shift += 7
            at += 1
            if data[at - 1] < 0x80:
                return value
    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            length = varint()
            if at + length > len(data):
                fail("a field beyond the end")
            yield key >> 3, data[at:at + length]
            at += length
        else:
            fail("wire type %d", key & 7)


def packed(data):
    values = []
    while data:
        value = shift = n = 0
        while True:
            value |= (data[n] & 0x7f) << shift
            shift += 7
            n += 1
            if data[n - 1] < 0x80:
                break
        values.append(value)
        data = data[n:]
    return values


def check_pprof(data, profile):
    profile = with_formulas(profile)
    texts, samples, locations, functions, columns, objects, comments = [], [], {}, {}, [], [], []
    for number, value in fields(gzip.decompress(data)):
        if number == 3:
            objects.append(dict(fields(value))[5])
        elif number == 13:
            comments += packed(value)
        elif number == 1:
            columns.append(dict(fields(value)))
        elif number == 2:
            message = dict(fields(value))
            samples.append((packed(message[1]), packed(message[2])))
        elif number == 4:
            message = dict(fields(value))
            locations[message[1]] = dict(fields(message[4]))
        elif number == 5:
            message = dict(fields(value))
            functions[message[1]] = message
        elif number == 6:
            texts.append(value.decode("utf-8"))
    same("the first text", texts[0], "")
    events = [texts[column[1]] for column in columns]
    same("events", events, profile.events)
    own, lines = Counter(), Counter()
    for stack, values in samples:
        for location in stack:
            functions[locations[location][1]]  # is there
        same("values", len(values), len(events))
        line = locations[stack[0]]
        function = functions[line[1]]
        for event, value in zip(events, values):
            own[(texts[function[2]], event)] += value
            lines[(texts[function[4]], line.get(2, 0), event)] += value
    want = Counter()
    for (_, name, event), cost in profile.own.items():
        want[(name, event)] += cost
    # Tenths are written as whole cycles.
    tenths = [event for event in events if re.match("Cy(Base|Dep|Fe|Br|Mem|Tlb|c)$", event)]
    same("units", [texts[column[2]] for column in columns],
         ["cycles" if event in tenths else "count" for event in events])
    for event in tenths:
        same(event, sum(cost for key, cost in own.items() if key[1] == event),
             sum(cost for key, cost in want.items() if key[1] == event) // 10)
    for table in (own, want, lines, profile.lines):
        for key in [key for key in table if key[-1] in tenths]:
            del table[key]
    same("own costs", shape(own), shape(decoded(want)))
    if any(text.startswith("stacks derived") for text in texts):
        same("lines", lined(lines), lined(decoded(profile.lines)))
    check_program([texts[i] for i in objects], [texts[i] for i in comments])


def check_program(objects, comments):
    """The first object, which pprof takes for the program, is the command's, if any is."""
    command = [text for text in comments if not text.startswith("stacks derived")]
    program = command[0].split(" ")[0].split("/")[-1] if command else None
    names = [path.split("/")[-1] for path in objects]
    if program in names:
        same("the program", names[0], program)
    elif len(objects) > 1 and objects[0] == "???":
        fail("the program is unknown, but objects are known")


def lined(counter):
    result = Counter()
    for (file, line, event), value in counter.items():
        result[(re.sub("\ufffd+", "\ufffd", file.split("/")[-1]), line, event)] += value
    return result


def rounded(counter, divisor):
    return Counter({key: value * divisor for key, value in counter.items()})


CHECKS = [
    ("callgrind", [], check_callgrind),
    ("callgrind", ["--ids=no"], check_callgrind),
    ("callgrind-portable", [], check_portable),
    ("callgrind-portable", ["--ids=no"], check_portable),
    ("cachegrind", [], check_cachegrind),
    ("json", [], check_json),
    ("csv", [], check_csv),
    ("webgrind", [], check_webgrind),
    ("webgrind4", [], check_webgrind),
    ("webgrind5", [], check_webgrind),
    ("webgrind6", [], check_webgrind),
    ("collapsed", [], check_collapsed),
    ("xdebug", [], check_xdebug),
    ("xdebug", ["--break-cycles"], check_xdebug_broken),
    ("xdebug", ["--break-cycles", "--ids=no"], check_xdebug_broken),
    ("dot", [], check_dot),
    ("pprof", [], check_pprof),
    ("speedscope", [], check_speedscope),
]
SIGNED = ("callgrind", "callgrind-portable", "cachegrind", "json", "csv")


def check(costgrind, path, to, options, checker):
    with open(path, "rb") as stream:
        data = stream.read()
    profile = Reader(data).profile
    profile.formulas = [tuple(text.decode() for text in found) for found in
                        re.findall(rb"^event:[ \t]*(\w+)[ \t]*=[ \t]*([^:\n]*)", data, re.M)]
    command = [costgrind, "convert", "--to=" + to] + options + [path]
    run = subprocess.run(command, capture_output=True, check=False)
    first = profile.events[:1]
    is_signed = any(v < 0 for table in (profile.own, profile.costs)
                    for key, v in table.items() if key[2:] == tuple(first) or to == "pprof")
    if is_signed and to not in SIGNED:
        if run.returncode != 1 or b"expected no counts below 0" not in run.stderr:
            fail("counts below 0 are not refused: %s", run.stderr)
        return
    if to == "pprof" and b"2^63" in run.stderr:
        if run.returncode != 1 or max(profile.own.values()) < 2**63:
            fail("refused without a large count")
        return
    lost = left_out(profile.events) if to == "callgrind-portable" else []
    warning = ("costgrind convert: warning: %s: events left out, Valgrind's tools have none with that "
               "name: %s\n" % (path, " ".join(lost))) if lost else ""
    if to == "webgrind4" and b"\ndesc: Invocations: " in run.stdout:
        warning = ("costgrind convert: warning: %s: calls are not counted: without a call tree "
                   "(--call-tree=yes), webgrind4 has one invocation of each function; webgrind7 has "
                   "counts\n" % path)
    written = sum(line.startswith(b"fl=") for line in run.stdout.split(b"\n"))
    calls = b" calls are written as "
    if to == "xdebug" and calls in run.stderr:
        warning = ("%s: %s calls are written as %d, in proportion, one at least for each caller, callee "
                   "and line (--max-calls=1000000); costs are as they were\n" % (
                       "costgrind convert: warning: " + path,
                       run.stderr.split(calls)[0].split()[-1].decode(), written))
        if written > 10**6:
            fail("%d calls are too many", written)
    if run.returncode != 0 or run.stderr != warning.encode():
        fail("exit status %d: %s", run.returncode, run.stderr)
    checker(run.stdout, profile)


def main():
    for path in sys.argv[2:]:
        for to, options, checker in CHECKS:
            try:
                check(sys.argv[1], path, to, options, checker)
            except (ValueError, KeyError, IndexError) as error:
                print("%s --to=%s %s: %r" % (path, to, " ".join(options), error))


if __name__ == "__main__":
    main()
