# SPDX-License-Identifier: GPL-3.0-or-later
"""
The cores: which model of LLVM each is made of, and where it is not what LLVM says.

A rule changes costs of a core and says why, with its source.  The rows that it changed are in the head of the
core's file.  "assumed" marks numbers without a source that was at hand.  InstLatX64 is what AIDA64 measured and
https://github.com/InstLatx64/InstLatx64 publishes: of a Ryzen 7 3800XT, a Ryzen 9 5900X, 7950X and 9950X, a Core
i3-6100, i7-1065G7 and i9-12900K.  "Xeon" is one of family 6, model 207, on which loops like the ones in
tests/bench/time/timekernels.c were measured.
"""
import re
from fractions import Fraction

import costs

ONE = Fraction(1)


def ports(text):
    """The set of ports of a word like "ALU03"."""
    return costs.groups_of(text)[0]


class Rules:
    """Changes costs, and remembers which rows were changed by which rule."""

    def __init__(self, table):
        self.table = table
        self.said = {}  # {reason: keys}, in the order in which rules were applied

    def change(self, reason, pattern, function):
        """Gives each row whose key matches the pattern the cost that the function makes of (key, cost)."""
        changed = []
        for key in sorted(self.table):
            if re.fullmatch(pattern, key):
                cost = function(key, self.table[key])
                if cost is not None and cost != self.table[key]:
                    self.table[key] = cost
                    changed.append(key)
        self.said.setdefault(reason, []).extend(changed)

    def set(self, reason, pattern, **fields):
        """Gives each row whose key matches the pattern these fields."""
        if "uses" in fields:
            fields["uses"] = {ports(name): Fraction(cycles) for name, cycles in fields["uses"].items()}
        self.change(reason, pattern, lambda key, cost: cost._replace(**fields))

    def copy(self, reason, to, source):
        """Gives a key the row of another one."""
        if to not in self.table and source in self.table:
            self.table[to] = self.table[source]
            self.said.setdefault(reason, []).append(to)


# -- what is said about memory ------------------------------------------------------------------

REGISTER_OF = {"m8": "r8", "m16": "r16", "m32": "r32", "m64": "r64", "m128": "x", "m256": "y", "m80": "st", "m": None,
               "m3": None, "ms": None}


def split_key(key):
    """Prefix and mnemonic, and the list of kinds."""
    head, _, kinds = key.rpartition(" ")
    if not head or head in ("lock", "rep", "repne"):
        return key, []
    return head, kinds.split(",")


def register_form(key, table):
    """The row of the form that has registers in place of memory; None."""
    name, kinds = split_key(key.replace("lock ", ""))
    vector = any(kind in ("x", "y", "mm") for kind in kinds)
    for kind_of in (lambda kind: "x" if vector and kind in ("m8", "m16", "m32", "m64") else REGISTER_OF[kind],
                    REGISTER_OF.get):
        other = [kind_of(kind) if kind in REGISTER_OF else kind for kind in kinds]
        if None not in other and name + " " + ",".join(other) in table:
            return table[name + " " + ",".join(other)]
    return None


def first_is_memory(key):
    """True if the first operand is in memory."""
    kinds = split_key(key)[1]
    return bool(kinds) and kinds[0] in REGISTER_OF and kinds[0] not in ("m3", "ms")


STORE_MOVES = re.compile(r"v?mov.*|push.*|call|fst.*|fist.*|fnst.*|v?stmxcsr|stos.*|set.*|v?extract[fi]128")


# InstLatX64: 7 cycles for an addition to memory: 5 for forwarding, 1 for adding.
IN_MEMORY = {"icelake": 1}


def store_latency(rules, load, more):
    """
    Models do not agree whether the latency of what writes memory counts the way to a load of it: 1 in znver4's
    store, 12 in sapphirerapids'.  Here it ends when what is to be stored is there; more: cycles between what is
    computed and that.
    """

    def of(key, cost):
        if not cost.stores or not first_is_memory(key) and split_key(key)[0] not in ("push", "call"):
            return None
        form = register_form(key, rules.table)
        if not cost.loads:
            moves = STORE_MOVES.fullmatch(split_key(key)[0])
            return cost._replace(latency=form.latency if form and not moves else 1)
        if form and key.split()[0] not in ("lock", "xchg", "cmpxchg", "xadd", "cmpxchg8b", "cmpxchg16b", "nop"):
            return cost._replace(latency=load + max(1, form.latency) + more)
        return None

    rules.change("writes to memory: the register form's latency, and a load's if it reads it; a pure store's is 1. "
                 "LLVM's models do not agree on whether the way through memory is counted", ".*", of)


def everywhere(rules):
    """What is so on all cores."""
    rules.set("endbr64 and long nops: a slot and nothing else; LLVM has them as unknown, or as loads",
              "endbr64|nop.*", uops=1, latency=0, uses={}, loads=False, stores=False)
    if rules.table["xchg r64,r64"].uses != rules.table["xchg r32,r32"].uses:
        rules.change("as of 32 bits; LLVM has a nop, which one encoding is", "xchg r64,r64",
                     lambda key, cost: rules.table["xchg r32,r32"])
    rules.copy("one encoding of it", "nop r64", "nop m")
    rules.copy("one encoding of it", "nop r32", "nop m")
    for key in list(rules.table):
        name, kinds = split_key(key)
        if name == "shl":
            rules.copy("another encoding of shl", "sal " + ",".join(kinds), key)
    rules.copy("another encoding of it", "fxch st,st", "fxch st")
    for kind in ("r16", "r32", "r64"):
        rules.copy("lea with a scale: as without", "lea %s,ms" % kind, "lea %s,m" % kind)


def strings(rules, load, store):
    """String instructions: LLVM has no model of most of them."""
    both = {**load, **store}
    rows = (("movs", 5, 5, both), ("stos", 3, 1, store), ("lods", 3, 5, load), ("scas", 4, 5, load),
            ("cmps", 7, 6, {group: cycles * (2 if group in load else 1) for group, cycles in load.items()}))
    for name, uops, latency, uses in rows:
        rules.change("string instructions, of which LLVM has no model (assumed)", name + r"[bwdq] m.*|" + name +
                     r"[bwdq] r.*", lambda key, cost, row=(uops, latency, uses):
                     cost._replace(uops=row[0], latency=row[1], uses=row[2]))
    for name, bytes_of in (("b", 1), ("w", 2), ("d", 4), ("q", 8)):
        share = Fraction(max(1, round(10 * bytes_of / 32)), 10)
        for kind, uses in (("movs", both), ("stos", store)):
            part = {group: share for group in uses}
            rules.change("rep movs and stos: a turn is its share of 32 bytes a cycle (Intel's and AMD's optimization "
                         "guides); the start is not counted", "repn?e? " + kind + name + " .*",
                         lambda key, cost, part=part: cost._replace(uops=0, latency=0, uses=part))
    rules.change("repeated scas, cmps and lods: a turn takes two cycles (assumed)", r"repn?e? (scas|cmps|lods).*",
                 lambda key, cost: cost._replace(uops=4, latency=2, uses=dict(load)))


def adjust(rules, cycles, reason, pattern):
    """Adds cycles to latencies, of forms with memory, too."""
    rules.change(reason, pattern, lambda key, cost: cost._replace(latency=cost.latency + cycles))


def conversions(rules, to_double, to_integer):
    """Between integers and doubles; only the way there and back was measured."""
    rules.change("conversions between integers and doubles: %d cycles there and back (InstLatX64), in halves "
                 "(assumed)" % (to_double + to_integer), r"v?cvtsi2sd x,(x,)?r(32|64)|v?cvtt?sd2si r(32|64),x",
                 lambda key, cost: cost._replace(latency=to_double if "cvtsi2" in key else to_integer))


def locked(rules, cycles):
    """Atomic instructions: LLVM gives them the costs of the plain ones."""
    rules.change("atomic instructions take %d cycles (InstLatX64); LLVM has the plain ones' cost" % cycles,
                 r"lock (?!nop).*|xchg m.*", lambda key, cost: cost._replace(latency=cycles))


# -- Intel -----------------------------------------------------------------------------------

INTEL_CLIENT = "P01 P05 P06 P15 P23 P0156 P015 P056 P237"
ICELAKE = "P01 P05 P06 P15 P23 P78 P49 P0156 P015 P056"
GOLDEN = ("P0,1 P0,5 P0,6 P1,5 P1,5,10 P0,1,5 P0,1,5,6 P0,5,6 P0,1,5,6,10 P2,3 P2,3,11 P2,3,7 P4,9 P7,8")


def intel(rules, load, store):
    """load, store: the groups of ports of a load; of a store's address and its data."""

    def no_stack_uop(key, cost):
        uses = dict(cost.uses)
        for group in (ports("P0156"), ports("P0,1,5,6,10")):
            if group in uses and key not in ("leave",):
                uses[group] -= 1
                if not uses[group]:
                    del uses[group]
                break
        return cost._replace(uses=uses)

    rules.change("the stack pointer moves without a uop (Intel's optimization manual, stack pointer tracker)",
                 r"(push|pop) (r|m|i).*|call .*|ret( i)?", no_stack_uop)

    rules.set("pop: as long as a load", "pop r.*", latency=5)

    def fused(_key, cost):
        memory = {load, *store}
        of_ports = sum(cycles for group, cycles in cost.uses.items()
                       if not any(name.endswith("DIV") for name in group))
        others = sum(cycles for group, cycles in cost.uses.items()
                     if group not in memory and not any(name.endswith("DIV") for name in group))
        uops = max(cost.uops if of_ports > 4 else 0, round(of_ports))
        if load in cost.uses and others >= 1:
            uops -= 1
        if all(group in cost.uses for group in store):
            uops -= 1
        return cost._replace(uops=max(1, uops))

    rules.change("uops as the front end issues them: a load with what uses it, and both halves of a store, are one "
                 "(Intel's optimization manual, micro-fusion); LLVM counts them apart, or not", ".*", fused)
    rules.change("idle instructions take a slot", "nop|vzeroupper|f?wait|v?mov[au]p[sd] .,.|v?movdq[au] .,.|jmp i",
                 lambda key, cost: cost._replace(uops=max(1, cost.uops)))


def dividers(rules, rows):
    """Divisions: rows of (kind, uops, latency, cycles of the divider's port)."""
    for kind, uops, latency, uses in rows:
        rules.set("division by values as they mostly are, high half zero (InstLatX64, in part assumed); LLVM has "
                  "the longest, or one for all widths", "i?div " + kind, uops=uops, latency=latency, uses=uses)


def divide_memory(rules, load, uses):
    """Divisions by what is in memory, from those by registers."""

    def of(key, _cost):
        form = register_form(key, rules.table)
        return form._replace(latency=form.latency + load, uses={**form.uses, **uses}, loads=True)

    rules.change("division by memory: as by a register, and a load", "i?div m.*", of)


def skylake(rules):
    """Skylake and Skylake-SP."""
    intel(rules, ports("P23"), (ports("P237"), ports("P4")))
    dividers(rules, (("r8", 10, 23, {"P0": 1, "P0156": 9}), ("r16", 10, 24, {"P0": 1, "P0156": 9}),
                     ("r32", 10, 26, {"P0": 1, "P0156": 9}), ("r64", 36, 40, {"P0": 1, "P0156": 35})))
    for key in ("div", "idiv"):
        for kind, cycles in (("r8", 6), ("r16", 6), ("r32", 6), ("r64", 24)):
            row = rules.table[key + " " + kind]
            rules.table[key + " " + kind] = row._replace(uses={**row.uses, frozenset(["DIV"]): Fraction(cycles)})
    divide_memory(rules, 5, {ports("P23"): ONE})
    rules.set("lea of three parts: 3 cycles on port 1 (Intel's optimization manual)", "lea r(32|64),m3", latency=3,
              uses={"P1": 1})
    rules.set("shifts by cl: 2 cycles (InstLatX64); LLVM has 3", "(shl|shr|sar|sal|rol|ror) r(32|64),cl", latency=2)
    conversions(rules, 6, 6)
    strings(rules, {ports("P23"): ONE}, {ports("P237"): ONE, ports("P4"): ONE})
    locked(rules, 18)


def icelake(rules):
    """Ice Lake server."""
    intel(rules, ports("P23"), (ports("P78"), ports("P49")))
    dividers(rules, (("r8", 4, 15, {"P1": 1, "P0156": 3}), ("r16", 4, 15, {"P1": 1, "P0156": 3}),
                     ("r32", 4, 15, {"P1": 1, "P0156": 3}), ("r64", 4, 18, {"P1": 1, "P0156": 3})))
    for key in ("div", "idiv"):
        for kind, cycles in (("r8", 6), ("r16", 6), ("r32", 6), ("r64", 10)):
            row = rules.table[key + " " + kind]
            rules.table[key + " " + kind] = row._replace(uses={**row.uses, frozenset(["DIV"]): Fraction(cycles)})
    divide_memory(rules, 5, {ports("P23"): ONE})
    rules.set("shifts by cl: 1 cycle (InstLatX64); LLVM has 3", "(shl|shr|sar|sal|rol|ror) r(32|64),cl", latency=1)
    adjust(rules, -1, "horizontal sums of integers: 2 cycles (InstLatX64); LLVM has 3", "v?ph(add|sub)s?[wd] .*")
    adjust(rules, -1, "AES: a round in 3 cycles (InstLatX64); LLVM has 4", "v?aes(enc|dec)(last)? .*")
    conversions(rules, 6, 6)
    strings(rules, {ports("P23"): ONE}, {ports("P78"): ONE, ports("P49"): ONE})
    locked(rules, 20)


def golden_cove(icelake_table):
    """Golden Cove, of Alder Lake and Sapphire Rapids: rules, given the table of icelake."""

    def rules_of(rules):
        intel(rules, ports("P2,3,11"), (ports("P7,8"), ports("P4,9")))

        def divider(key, cost):
            other = icelake_table.get(key)
            cycles = other and other.uses.get(frozenset(["FDIV"]))
            return cycles and cost._replace(uses={**cost.uses, frozenset(["FDIV"]): cycles})

        rules.change("division and square root of floating point: cycles of the divider as in icelake-server's "
                     "model, where this one has none", r"v?(div|sqrt|rsqrt)[ps][sd] .*|fi?div.*|fsqrt", divider)
        rules.set("shifts by any register: 1 cycle; LLVM's 3 is of counts that were set by an immediate (assumed)",
                  "(shlx|shrx|sarx) r(32|64),r(32|64),r(32|64)", latency=1)
        rules.set("shifts by any register: 1 cycle; LLVM's 3 is of counts that were set by an immediate (assumed)",
                  "(shlx|shrx|sarx) r(32|64),m(32|64),r(32|64)", latency=6)
        rules.set("setcc: one uop of one cycle, as on icelake-server (assumed); LLVM has two",
                  "set(?!a |be ).{1,3} r8", uops=1, latency=1, uses={"P0,6": 1})
        rules.set("lea without a scale: any of five ports (Intel's optimization manual, Golden Cove); LLVM has "
                  "port 1 alone", "lea r(32|64),m", latency=1, uses={"P0,1,5,6,10": 1})
        rules.set("lea with a scale, or of three parts: 2 cycles, three each cycle (InstLatX64, where three parts "
                  "without a scale take 1), on ports 1, 5 and 10 (assumed)", "lea r(32|64),m[3s]", latency=2,
                  uses={"P1,5,10": 1})
        rules.set("additions of constants to registers of 64 bits: done by renaming (InstLatX64; Chips and Cheese, "
                  "AMD's Zen 4 Part 1; Xeon, where constants above 1023 take a cycle); LLVM has no port, but a cycle",
                  "(add|sub) r64,i|(inc|dec) r64|lea r64,m", latency=0, uses={})
        rules.change("logic: 1 cycle (InstLatX64; Xeon); LLVM has 2, which flags take",
                     "(and|or|xor|andn|blsi|blsr|blsmsk) .*", lambda key, cost: cost._replace(
                         latency=cost.latency - 1) if cost.latency in (2, 7) else None)
        rules.change("cmov by carry and zero: two uops, 2 cycles (Xeon); LLVM has one", "cmov(a|be) .*",
                     lambda key, cost: cost._replace(uops=2, latency=7 if cost.loads else 2, uses={
                         **cost.uses, ports("P0,6"): Fraction(2)}))
        rules.set("cmpxchg of registers: 5 cycles (InstLatX64; Xeon); LLVM has 3", "cmpxchg r.*", latency=5)
        adjust(rules, -1, "horizontal sums of floating point: 5 cycles (InstLatX64; Xeon); LLVM has 6",
               "v?h(add|sub)p[sd] .*")
        rules.set("shifts by cl: 1 cycle (InstLatX64); LLVM has 2", "(shl|shr|sar|sal|rol|ror) r(32|64),cl", latency=1)
        rules.set("rotations by a constant: one uop, two each cycle (InstLatX64); LLVM has two",
                  "(rol|ror) r(8|16|32|64),i", uops=1, latency=1, uses={"P0,6": 1})
        adjust(rules, -2, "bzhi, and bts, btr and btc of 64 bits: 1 cycle (InstLatX64); LLVM has 3",
               "bzhi r.*|bt[src] r64,r64")
        adjust(rules, -4, "bextr: 2 cycles (InstLatX64); LLVM has 6", "bextr .*")
        adjust(rules, -1, "additions of floating point: 2 cycles from one to the next (Intel's optimization manual, "
               "Golden Cove; InstLatX64; Xeon); LLVM has 3, which is what they take after others",
               "v?(add|sub|addsub)[ps][sd] .*")
        adjust(rules, -2, "AES: a round in 3 cycles (InstLatX64); LLVM has 5", "v?aes(enc|dec)(last)? .*|v?aesimc .*")
        for kind, cycles in (("r(8|16|32)", 6), ("r64", 10), ("m(8|16|32)", 6), ("m64", 10)):
            rules.change("division: one in 6 cycles, of 64 bits in 10 (InstLatX64); LLVM has 3", "i?div " + kind,
                         lambda key, cost, cycles=cycles: cost._replace(
                             uses={**cost.uses, frozenset(["DIV"]): Fraction(cycles)}))
        conversions(rules, 6, 6)
        rules.set("jumps: one uop on ports 0 and 6; LLVM has none", "jmp i", uops=1, latency=1, uses={"P0,6": 1})
        strings(rules, {ports("P2,3,11"): ONE}, {ports("P7,8"): ONE, ports("P4,9"): ONE})
        locked(rules, 18)

    return rules_of


# -- AMD -------------------------------------------------------------------------------------

ZEN = "ALU0123 ALU03 ALU12 ALU123 AGU012 FP0123 FP01 FP12 FP23 FP03 FP02 FP13 FP123 FP45"
ZEN2 = "ALU0123 ALU03 ALU12 AGU012 FP0123 FP01 FP12 FP23 FP03 FP013 FP13"
BRANCH = frozenset(["ALU0", "BRU"])
# What the first line of a table says beyond names.
HEADS = {
    "zen2": " fusing compares",  # guide 56305; measured: dec and jnz, and add and jc, are two
    # Chips and Cheese: a cycle of a store and a load; InstLatX64: 7.8 of an addition to memory.
    "zen3": " renaming moves",
    # Measured: a load by an address in a static variable, which is stored, takes 4.1 cycles.
    "zen4": " renaming all",
    # T. Downs's uarch-bench, and InstLatX64: 0.6 cycles, and 7 of an addition to memory.
    "icelake": " renaming moves",
    # InstLatX64, and Xeon: a cycle of an addition of a constant to memory, but 7 of one of a register.
    "goldencove": " renaming constants",
    "sapphirerapids": " renaming constants",
}


def zen_memory(rules, load, store):
    """Loads and stores by ports: {group: cycles} of each."""

    def of(key, cost):
        if not cost.loads and not cost.stores and key not in ("ret", "ret i", "leave") and not key.startswith("call"):
            return None
        uses = {group: cycles for group, cycles in cost.uses.items() if not any(name.startswith("AGU")
                                                                                for name in group)}
        parts = []
        if cost.loads or key.split()[0] in ("ret", "leave"):
            parts.append(load)
        if cost.stores or key.startswith("call"):
            parts.append(store)
        for part in parts:
            for group, cycles in part.items():
                uses[group] = uses.get(group, 0) + cycles
        return cost._replace(uses=uses)

    rules.change("loads and stores: three of them a cycle, of which two may be stores (AMD's software optimization "
                 "guides 56665 and 57647; of Zen 2, 56305: two loads and a store); LLVM has a store each cycle, or "
                 "none", r"(?!mfence|sfence|lfence|nop|prefetch|vp?gather).*", of)


def gathered(key, cost, ways):
    """The cost of a gather, each load of which goes these ways."""
    loads = (4 if key.startswith(("vgatherdps x", "vpgatherdd x", "vgatherqps", "vpgatherqd")) else 8) \
        if "m32" in key else 2 if " x" in key else 4
    return cost._replace(uops=8 + 4 * loads, latency=14 + loads,
                         uses={**{ports(way): Fraction(loads) for way in ways},
                               ports("FP0123"): Fraction(3 * loads)})


def zen_integers(rules):
    """What the models of znver3 and znver4 have wrong alike."""
    all_alus = {ports("ALU0123"): ONE}

    def one_alu(_key, cost):
        return cost._replace(uses={group: ONE if group == ports("ALU0123") and cycles in (2, 4, 7) else cycles
                                   for group, cycles in cost.uses.items()})

    rules.change("one ALU, where LLVM has the time of a chain of them as four", "(lock )?(adc|sbb|adcx|adox|movbe|mov|"
                 "movabs|movzx|movsx) .*", one_alu)
    rules.change("x87 moves of registers: one pipe of the FPU; LLVM has four ALUs", r"fxch st.*|fld st|fstp? st.*",
                 lambda key, cost: cost._replace(uses={ports("FP0123"): ONE}))
    rules.set("x87's wait and moves of its stack pointer: one operation (assumed); LLVM has them as microcode",
              "wait|fdecstp|fincstp|ffreep? st", uops=1, latency=1, uses={"FP0123": 1})
    rules.set("fcompp: as fcomp (assumed); LLVM has it as microcode", "fcompp", uops=2, latency=3, uses={"FP01": 2})
    rules.change("lea: ALUs (guides 56665 and 57647); LLVM has the AGUs", "lea r(32|64),ms?",
                 lambda key, cost: cost._replace(uses=dict(all_alus)))
    rules.change("lea of three parts: one operation of two cycles (guides 56665 and 57647)", "lea r(32|64),m3",
                 lambda key, cost: cost._replace(uops=1, latency=2, uses={ports("ALU12"): ONE}))
    rules.change("setcc: one ALU of two", "set.* r8|set.* m8", lambda key, cost: cost._replace(
        uses={group: ONE if group == ports("ALU03") else cycles for group, cycles in cost.uses.items()}))
    rules.set("cmpxchg: one ALU an operation (assumed); LLVM has all four for three cycles", "(lock )?cmpxchg [rm].*",
              uops=6, latency=3, uses={"ALU0123": 5})
    rules.change("loads into registers: 4 cycles (guides 56665 and 57647); LLVM adds one",
                 r"(mov|movabs|movzx|movsx|movsxd) r.*,m.*|pop r.*|popf?q?",
                 lambda key, cost: cost._replace(latency=4) if cost.loads else None)
    rules.change("loads into vectors: 7 cycles (guides 56665 and 57647); LLVM adds one",
                 r"v?mov([au]p[sd]|dq[au]|s[sd]|[dq]|ntdqa) [xy],m.*|v?lddqu [xy],m.*",
                 lambda key, cost: cost._replace(latency=7))
    rules.change("gathers: microcode, by the number of their loads (assumed); LLVM has one load", "vp?gather.*",
                 lambda key, cost: gathered(key, cost, ("AGU012", "FP45")))
    rules.set("leave: a move and a load", "leave", uops=2, latency=5)
    rules.set("between register files: 3 cycles at least (assumed); LLVM has 1",
              r"v?mov[dq] (x,r(32|64)|r(32|64),x)|v?p?movmsk.* r(32|64),[xy]|v?pextr[bwdq] r.*|v?ptest .*,[xy]",
              latency=3)
    rules.set("conversions between integers and floating point: 7 cycles from integers, 6 to them (InstLatX64 has 13 "
              "for both); LLVM has 4 or 5, and 1 to 5", r"v?cvtt?s[sd]2si r(32|64),x", latency=6)
    rules.set("conversions between integers and floating point: 7 cycles from integers, 6 to them (InstLatX64 has 13 "
              "for both); LLVM has 4 or 5, and 1 to 5", r"v?cvtsi2s[sd] x,(x,)?r(32|64)", latency=7)
    for kind, latency, cycles in (("r8", 9, 4), ("r16", 10, 4), ("r32", 11, 6), ("r64", 14, 10)):
        rules.set("division: latency in the middle of what it is by value (guide 57647: up to 18 of 64 bits), and "
                  "the divider's cycles as GCC has them (gcc/config/i386/zn4zn5.md); LLVM has the longest for both",
                  "i?div " + kind, latency=latency, uses={"ALU0": cycles})


def zen3(rules):
    """Zen 3."""
    zen_integers(rules)
    zen_memory(rules, {ports("AGU012"): ONE}, {ports("AGU012"): ONE, ports("ST01"): ONE})
    divide_memory(rules, 4, {ports("AGU012"): ONE})
    strings(rules, {ports("AGU012"): ONE}, {ports("AGU012"): ONE, ports("ST01"): ONE})
    divided(rules, "a division of doubles every 4.25 cycles (InstLatX64); LLVM has 5", r"v?div[ps]d .*",
            Fraction(17, 4))
    locked(rules, 8)


def divided(rules, reason, pattern, cycles):
    """Gives what the divider of floating point does these cycles."""
    rules.change(reason, pattern, lambda key, cost: cost._replace(
        uses={group: cycles if group == ports("FP1") else others for group, others in cost.uses.items()}))


def zen4(zen3_table):
    """Zen 4: rules, given LLVM's table of znver3."""

    def rules_of(rules):
        def as_zen3(key, cost):
            other = zen3_table.get(key)
            if other is None or costs.max_share(cost.uses) < 2 * costs.max_share(other.uses):
                return None
            return other

        rules.change("up to 256 bits, Zen 4 executes as Zen 3 does (guide 57647); where znver4's model has half of the "
                     "throughput of znver3's, or less, it is znver3's", r"v?(min|max|cmp|p|ph|fmadd|fmsub|fnmadd|"
                     r"fnmsub|cvt|comi|ucomi|pack)[a-z0-9_]* .*", as_zen3)
        zen3(rules)
        zen4_latencies(rules)

    return rules_of


def zen4_latencies(rules):
    """What takes longer than on Zen 3: LLVM's model is a copy of Zen 3's."""
    slower = (r"(cmp|max|min)[ps][sd]|pabs[bwd]|pack[su]s(wb|dw)|p(add|sub)u?s[bw]|palignr|pavg[bw]|pcmp(eq|gt)q|"
              r"pmov[sz]x[a-z]+|pshufb|psign[bwd]|ps[lr]ldq")
    by_register = r"v?ps(ll|rl|ra)[wdq] ([xy],)?[xy],(x|m128)"

    def two(key, cost):
        load = 7 if any(kind in REGISTER_OF and kind != "mm" for kind in split_key(key)[1]) else 0
        return cost._replace(latency=load + 2) if cost.latency == load + 1 else None

    rules.change("shuffles by bytes, packs, extensions, saturating sums, comparisons and extremes of floating point, "
                 "shifts by registers: 2 cycles (InstLatX64; measured of pshufb); LLVM has Zen 3's 1",
                 r"v?(%s) [xy],.*|%s|sha1(msg2|nexte) .*" % (slower, by_register), two)
    rules.set("tzcnt: 1 cycle (InstLatX64); LLVM has Zen 3's 2", "tzcnt r(32|64),r(32|64)", latency=1)
    rules.set("vbroadcast and vextract: 1 cycle (InstLatX64); LLVM has 2 and 4",
              "vbroadcasts[sd] y,x|vextract[fi]128 x,y,i", latency=1)
    divided(rules, "a division of doubles every 4.7 cycles (InstLatX64); LLVM has 5", r"v?div[ps]d .*",
            Fraction(47, 10))
    rules.set("vperm of 256 bits: 4 cycles (InstLatX64); LLVM has 5 to 7", "vperm(d|ps) y,y,y|vperm(q|pd) y,y,i",
              latency=4)
    rules.set("conversions between integers and floating point: 6 cycles each way (InstLatX64 has 12 for both); LLVM "
              "has 4 or 5, and 1 to 5", r"v?cvtt?s[sd]2si r(32|64),x|v?cvtsi2s[sd] x,(x,)?r(32|64)", latency=6)


def zen2_operations(rules):
    """What loops of few instructions told of a Zen 2 (EPYC, family 23, model 49), between others that fill its dispatch."""

    def as_one(key, cost):
        if not cost.loads and not cost.stores or cost.uops > 3 or key.startswith(("xchg", "push m", "pop m")):
            return None
        form = register_form(key, rules.table)
        return cost._replace(uops=form.uops if form else 1)

    both = {ports("ALU0123"): Fraction(2)}
    rules.change("what loads or stores is one operation with what it computes (guide 56305: macro-ops; measured); LLVM "
                 "counts two", r"(?!call|ret|leave|vp?gather|rep|lock|movs. m|cmps. m).*", as_one)
    rules.change("cmov by two flags, carry and zero, or sign and overflow: two operations, one after the other (measured); "
                 "LLVM has one", r"cmov(a|be|l|ge|g|le) .*", lambda key, cost: cost._replace(
                     uops=2, latency=cost.latency + 1, uses={**cost.uses, **both}))
    rules.change("bts, btr and btc: two operations (measured), each of which an ALU has", r"bt[src] r.*",
                 lambda key, cost: cost._replace(uses=dict(both)))
    rules.change("bsf and bsr: one in 3 and 4 cycles (measured)", "bs[fr] .*", lambda key, cost: cost._replace(
        uses={group: Fraction(12 if key.startswith("bsf") else 16) if group == ports("ALU0123") else cycles
              for group, cycles in cost.uses.items()}))
    rules.change("shld and shrd: six operations, of 3 cycles (measured); LLVM has one of a constant", "sh[lr]d r.*,r.*,.*",
                 lambda key, cost: cost._replace(uops=6, latency=3, uses={ports("ALU12"): Fraction(6)}))
    rules.change("mul: 3 cycles (measured); LLVM has 4 of 64 bits", "mul r64", lambda key, cost: cost._replace(latency=3))
    adjust(rules, -1, "multiplications of integers in vectors: 3 cycles, but of 32 by 32 bits (InstLatX64); LLVM has 4",
           "v?pmul(hu?w|lw|u?dq) .*|v?pmaddwd .*")
    rules.set("mulx: 4 cycles (InstLatX64); LLVM has 3", "mulx r(32|64),r(32|64),r(32|64)", latency=4)
    rules.change("between register files: 3 cycles (measured); LLVM has 1 or 2",
                 r"v?mov[dq] (x,r(32|64)|r(32|64),x)|v?p?movmsk.* r(32|64),[xy]", lambda key, cost: cost._replace(latency=3))
    rules.change("vpinsr and vpextr of registers: two operations, 4 cycles (measured); LLVM has 1 and 2",
                 r"v?pinsr[bwdq] x,(x,)?r32,i|v?pinsr[bwdq] x,(x,)?r64,i|v?pextr[bwdq] r(32|64),x,i",
                 lambda key, cost: cost._replace(uops=2 if "ins" in key else cost.uops, latency=4))
    rules.change("comparisons of floating point into flags: one operation, 5 cycles (measured); LLVM has two, of 3",
                 r"v?u?comis[sd] x,.*", lambda key, cost: cost._replace(uops=1, latency=cost.latency + 2))
    rules.change("divisions and roots of floating point: one in 5 and 3.5, and in 8.5 cycles of doubles (measured); LLVM has "
                 "6, 5 and 10", r"v?div[sp][sd] .*|v?sqrt[sp]d .*", lambda key, cost: cost._replace(
                     uses={group: divider_cycles(key) if group == ports("FP3") else cycles
                           for group, cycles in cost.uses.items()}))


def divider_cycles(key):
    """Cycles between two, of Zen 2's divider."""
    if "sqrt" in key:
        return Fraction(17, 2)
    return Fraction(5) if key.split()[0].endswith("d") else Fraction(7, 2)


def zen2(zen3_table):
    """Zen 2: rules, given Zen 3's table as it is when its own rules were applied."""

    def rules_of(rules):
        def as_zen3(key, cost):
            other = zen3_table.get(key)
            if other is None or cost.latency < 100 and (cost.uses or costs.max_share(other.uses) == 0):
                return None
            if other.latency >= 100:
                return None
            uses = {}
            for group, cycles in other.uses.items():
                group = frozenset("ALU0" if name == "BRU" else "AGU2" if name.startswith("ST") else name for name in group
                                  if name not in ("FP4", "FP5", "FPST"))
                if group and not any(name.startswith("AGU") for name in group):
                    uses[group] = uses.get(group, 0) + cycles
            return cost._replace(uops=other.uops, latency=other.latency, uses=uses)

        rules.change("what znver2's model does not know, as on Zen 3", r"(?!p(dep|ext) ).*", as_zen3)
        rules.change("bswap: one ALU", "bswap .*", lambda key, cost: cost._replace(uses={ports("ALU0123"): ONE}))
        rules.change("bsf and bsr: no more cycles of ALUs than operations", "bs[fr] .*", lambda key, cost: cost._replace(
            uses={group: Fraction(6) if group == ports("ALU0123") else cycles for group, cycles in cost.uses.items()}))
        rules.change("moves from register to register: done by renaming (guide 56305; measured); LLVM has a cycle",
                     r"mov r64,r64|mov r32,r32|v?mov([au]p[sd]|dq[au]) ([xy]),\2",
                     lambda key, cost: cost._replace(latency=0, uses={}))
        rules.change("multiplications of 64 bits: 3 cycles (measured, as are these of 32 bits; guide 56305); LLVM has 4",
                     "imul r64,r64|imul r64,r64,i", lambda key, cost: cost._replace(latency=3))
        rules.change("lea of three parts, or with a scale: one operation of two cycles (guide 56305; measured); LLVM has one "
                     "cycle", "lea r(32|64),m[3s]", lambda key, cost: cost._replace(latency=2, uses={ports("ALU12"): ONE}))
        rules.change("conversions between integers and floating point: 7 and 6 cycles, of which moving takes a part "
                     "(measured: 13 for both); LLVM has 4 and 3", "v?cvtsi2s[sd] x,(x,)?r(32|64)|v?cvtt?s[sd]2si r(32|64),x",
                     lambda key, cost: cost._replace(latency=7 if "cvtsi2" in key else 6))
        rules.change("loads into vectors: 7 cycles (guide 56305); LLVM adds one",
                     r"v?mov([au]p[sd]|dq[au]|s[sd]|[dq]|ntdqa) [xy],m.*|v?lddqu [xy],m.*",
                     lambda key, cost: cost._replace(latency=7))
        rules.change("gathers: microcode, by the number of their loads (assumed)", "vp?gather.*",
                     lambda key, cost: gathered(key, cost, ("AGU01",)))
        # Measured: of a quotient of 1, 8, 16, 24 and 31 bits, 12, 18, 22, 26 and 28 cycles, one in two more.
        for kind, latency, cycles in (("r16", 16, 18), ("r32", 20, 22), ("r64", 28, 30)):
            rules.set("division: latency in the middle of what it is by value, 12 cycles and one for two bits of the "
                      "quotient (measured); LLVM has the longest", "i?div " + kind, latency=latency, uses={"ALU2": 1})
            for name in ("div", "idiv"):
                row = rules.table[name + " " + kind]
                rules.table[name + " " + kind] = row._replace(uses={**row.uses, frozenset(["DIV"]): Fraction(cycles)})
        zen_memory(rules, {ports("AGU01"): ONE}, {ports("AGU2"): ONE, })
        zen2_operations(rules)
        divide_memory(rules, 4, {ports("AGU01"): ONE})
        strings(rules, {ports("AGU01"): ONE}, {ports("AGU2"): ONE})
        locked(rules, 18)

    return rules_of


def zen5_ports(group):
    """
    Ports of Zen 5 for Zen 4's: six ALUs (three multiply, three take branches), four AGUs, two
    stores of up to 256 bits (Chips and Cheese, Zen 5's microarchitecture; guide 58455; GCC's zn4zn5.md).  That three
    shift is InstLatX64's; that three do setcc is assumed.
    """
    wider = {ports("ALU0123"): "ALU012345", ports("ALU1"): "ALU012", ports("ALU12"): "ALU012", ports("ALU03"): "ALU345",
             ports("ALU123"): "ALU012", BRANCH: "ALU345", ports("AGU012"): "AGU0123"}
    if group == frozenset(["FPST"]):
        return None
    return ports(wider[group]) if group in wider else group


def zen5(rules):
    """Zen 5, of the table of Zen 4 when its rules were applied."""
    rules.change("ports: six ALUs, three of which multiply and three branch, four AGUs, two stores (Chips and Cheese; "
                 "AMD's guide 58455; GCC's zn4zn5.md); three shift (InstLatX64), and three do setcc (assumed)", ".*",
                 lambda key, cost: cost._replace(uses={zen5_ports(group): cycles for group, cycles in cost.uses.items()
                                                       if zen5_ports(group)}))
    rules.change("floating-point additions: 2 cycles from one to the next (guide 58455; 3 after other instructions)",
                 r"v?(add|sub)[ps][sd] .*", lambda key, cost: cost._replace(latency=cost.latency - 1))
    rules.change("cmov: any of six ALUs (InstLatX64)", "cmov.* r.*", lambda key, cost: cost._replace(
        uses={ports("ALU012345") if group == ports("ALU345") else group: cycles
              for group, cycles in cost.uses.items()}))
    measured = "measured on an EPYC with Zen 5 (scripts/compare-time --kernels): "
    divided(rules, measured + "a division of doubles every 4 cycles", r"v?div[ps]d .*", Fraction(4))
    rules.set(measured + "divisions of 32 bits: 9 to 13 cycles, by the bits of the quotient", "i?div r32", latency=12)
    rules.set(measured + "divisions of 64 bits: 9 to 15 cycles, 13 of a quotient of 31 bits", "i?div r64", latency=13)
    rules.change(measured + "square roots of doubles", r"v?sqrt[ps]d [xy],([xy],)?[xy]",
                 lambda key, cost: cost._replace(latency=20))
    divided(rules, "a square root of doubles every 7.5 cycles (InstLatX64)", r"v?sqrt[ps]d .*", Fraction(15, 2))
    divided(rules, "a division of singles every 2.5 cycles (InstLatX64)", r"v?div[ps]s .*", Fraction(5, 2))
    adjust(rules, -1, "divisions and roots of singles: 10 and 14 cycles (InstLatX64); Zen 4's are 11 and 15",
           r"v?(div|sqrt)[ps]s .*")
    adjust(rules, 1, "horizontal sums of floating point, mpsadbw, pclmulqdq: 5 cycles (InstLatX64); Zen 4's are 4",
           r"v?h(add|sub)p[sd] .*|v?mpsadbw .*|v?pclmulqdq .*")
    adjust(rules, 2, "horizontal sums of integers: 4 cycles (InstLatX64); Zen 4's are 2", r"v?ph(add|sub)[wd] x.*")
    # From chains of one form, as in tests/bench/time/timekernels.c.
    chains = "measured on an EPYC with Zen 5: "
    # Read before it is changed: forms with memory follow those with registers, but loads, which are only that.
    quick = {key for key, cost in rules.table.items()
             if split_key(key)[1][:1] in (["x"], ["y"]) and
             not (cost.loads and re.fullmatch("v?mov.*|v?p?broadcast.*", split_key(key)[0])) and
             (register_form(key, rules.table) if cost.loads else cost) and
             (register_form(key, rules.table) if cost.loads else cost).latency == 1}
    rules.change(chains + "what takes vectors a cycle on Zen 4 takes two in a chain (InstLatX64 has one of a 9950X): additions, logic, "
                 "shifts, comparisons, shuffles",
                 r".* [xy],.*", lambda key, cost: cost._replace(latency=cost.latency + 1) if key in quick else None)
    adjust(rules, 1, chains + "cmov by two flags (above, greater, less and their contraries): 2 cycles", "cmov(a|be|ge?|le?) .*")
    rules.set(chains + "vextract of 128 bits", r"vextract[fi]128 x,y,i", latency=3)
    rules.set(chains + "schedules of SHA-256", r"sha256msg1 x,x", latency=4)
    rules.set(chains + "schedules of SHA-256", r"sha256msg2 x,x", latency=6)
    crossing = chains + "9 cycles to a general register and back (how much each way takes is assumed)"
    rules.set(crossing, r"v?mov[dq] x,r(32|64)", latency=4)
    rules.set(crossing, r"v?mov[dq] r(32|64),x|v?p?movmsk.* r(32|64),[xy]", latency=5)
    rules.set(crossing, r"v?pextr[dq] r(32|64),x,i", latency=7)
    rules.set(crossing, r"v?pinsr[dq] x,(x,)?r(32|64),i", latency=4)
    rules.set(chains + "13 cycles for both conversions; LLVM has 6 for each", r"v?cvtsi2s[sd] x,(x,)?r(32|64)", latency=7)
    locked(rules, 20)
    rules.change("a call, or a return, every 2 cycles (A. Fog, of Zen 4; measured on Zen 5 as at least that)", r"call .*|ret.*",
                 lambda key, cost: cost._replace(uses={group: Fraction(6) if group == ports("ALU345") else cycles
                                                       for group, cycles in cost.uses.items()}))
