#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a machine's branch predictors make of a program's branches, by the rules alone.

    predictors.py 8k|64k|exact8k|exact64k RETURNS TARGETS <TRACE

RETURNS is the depth of the return stack, TARGETS the number of entries of the branch target buffer.  TRACE has a line
"branch: KIND KEY OUTCOME BITS" for each branch, as --trace-branches=yes prints them with --engine=plain; others are
skipped.  Each line whose BITS are not the model's is printed, up to 20, then how many there were of each kind, and
how many were wrong.  Exit status 1 if any was.

It shares no code with the tool.  It was written from the rules in sim/branches/*.h: the history is two numbers of Python's
with the newest bit in bit 0, tables are dictionaries, and each execution of a loop is counted.
"""

import sys

MASK = 2**64 - 1

# What became of a branch: PREDICTOR_..., then what --branch-detail adds (enum branch_slot).
WRONG, UNKNOWN, TAKEN, COUNTER, HISTORY = (1 << bit for bit in range(5))


# --- the history, and what is found by it ---------------------------------------------------------

class History:
    """recent is as in the tool, 64 bits with a marker; older ones are one number."""
    BITS = 632

    def __init__(self, n_newest):
        self.n_newest, self.recent, self.older = n_newest, 1 << n_newest, 0

    def add(self, bits, n):
        self.recent = (self.recent << n | bits) & MASK

    def newest(self):
        return self.recent % 2**self.n_newest

    def settle(self):
        """What is older than the newest bits, below the marker, goes where it is hashed from."""
        n = (self.recent >> self.n_newest).bit_length() - 1
        if n > 0:
            moved = (self.recent >> self.n_newest) % 2**n
            self.older = (self.older << n | moved) % 2**self.BITS
        self.recent = self.newest() | 1 << self.n_newest

    def hash(self, table, length, key):
        """Of the newest bits and `length` older ones, for a table, and of a key."""
        low, high = 0x9E3779B1, 0x85EBCA77
        bits, folded = self.older % 2**length, 0
        while bits:
            folded, bits = folded ^ bits & MASK, bits >> 64
        total = folded % 2**32 * low + (folded >> 32) * high + (table + 1) * 0xC2B2AE3D27D4EB4F
        total &= MASK
        return (total ^ total >> 32 ^ key >> 16 ^ self.newest() * low) % 2**32


class Tables:
    """Tagged tables: an entry by its table and the low bits of a hash, found again by other bits of it."""

    def __init__(self, lengths, log2_entries, tag_bits, ticks):
        self.lengths, self.log2_entries, self.tag_bits = lengths, log2_entries, tag_bits
        self.entries = {}
        self.alternative = self.tick = 0
        self.ticks = ticks
        self.random = 1  # Marsaglia's xorshift of 32 bits

    def place(self, table, key, history):
        """Where an entry is, and its tag."""
        hashed = history.hash(table, self.lengths[table], key)
        return (table, hashed % 2**self.log2_entries), hashed >> 32 - self.tag_bits

    def find(self, made, key, history):
        """The table and the entry of the longest history, of those tables in which some were made; or -1, None."""
        for table in sorted(made, reverse=True):
            place, tag = self.place(table, key, history)
            entry = self.entries.get(place)
            if entry is not None and entry.tag == tag:
                return table, entry
        return -1, None

    def flip_coin(self):
        value = self.random
        value ^= value << 13 & 0xFFFFFFFF
        value ^= value >> 17
        value ^= value << 5 & 0xFFFFFFFF
        self.random = value
        return value & 1

    def allocate(self, table, made, key, history, entry):
        """Puts an entry in the first place of no use, in this table or one of longer history."""
        if self.flip_coin() and table + 1 < len(self.lengths):
            table += 1
        for longer in range(table, len(self.lengths)):
            place, entry.tag = self.place(longer, key, history)
            if place not in self.entries or self.entries[place].useful == 0:
                self.entries[place] = entry
                made.add(longer)
                self.tick = max(self.tick - 1, 0)
                return
            self.tick += 1
        if self.tick >= self.ticks:
            self.tick = 0
            for other in self.entries.values():
                other.useful //= 2

    def learn_use(self, provider, was_new, was_right, cell_right):
        """The provider and the cell disagreed."""
        provider.useful += 1 if was_right else -1
        provider.useful = min(max(provider.useful, 0), 3)
        if was_new and was_right:
            self.alternative = max(self.alternative - 1, -8)
        elif was_new and cell_right:
            self.alternative = min(self.alternative + 1, 7)


class Predictor:
    """What TAGE and ITTAGE have in common; an outcome is whether a branch is taken, or a target.

    Cells and entries have predicted(), is_weak() and learn().
    """

    FRESH, PROVEN = 16, 255
    TRIAL = None
    keeps_credit = False

    def __init__(self, tables, new_entry):
        self.tables, self.new_entry = tables, new_entry

    def predict(self, cell, key, history, outcome):
        """True if a branch was mispredicted; learns all but the history."""
        tables = self.tables
        had_credit = cell.credit > 0
        predicted = said = cell.predicted()
        if had_credit or said != outcome and cell.pause == 0:
            history.settle()
        table, provider = tables.find(cell.made, key, history) if had_credit else (-1, None)
        provider_right = False
        if provider is not None:
            told = provider.predicted()
            provider_right = told == outcome
            was_new = provider.is_weak() and provider.useful == 0
            if not (was_new and tables.alternative >= 0):
                predicted = told
            if told != said:
                tables.learn_use(provider, was_new, provider_right, said == outcome)
                cell.gain += 1 if provider_right else -1
            provider.learn(outcome)
        is_paused = said != outcome and not had_credit and cell.pause > 0
        if is_paused:
            cell.pause -= 1
        if predicted != outcome and not provider_right and not is_paused:
            tables.allocate(table + 1, cell.made, key, history, self.new_entry(outcome))
        if said != outcome and not is_paused:
            cell.credit = max(cell.credit, self.PROVEN if provider_right else self.FRESH)
        elif said == outcome and cell.credit > 0 and not cell.is_weak() and not self.keeps_credit:
            cell.credit -= 1
            if cell.credit == 0:
                cell.made.clear()
        if had_credit:
            cell.tried += 1
        if cell.tried == self.TRIAL:
            self.end_trial(cell)
        cell.learn(outcome)
        return predicted != outcome

    def end_trial(self, cell):
        if cell.gain > 0:
            cell.failures = 0
        else:
            cell.credit = 0
            cell.made.clear()
            cell.pause = 4 << cell.failures
            cell.failures = min(cell.failures + 1, 5)
        cell.tried = cell.gain = 0


# --- directions --------------------------------------------------------------------------------

class Counter:
    """A cell of the first table: says weakly what the bias of the branch does at first."""

    def __init__(self, direction):
        self.direction, self.weak, self.credit, self.made = direction, True, 0, set()
        self.tried = self.gain = self.failures = self.pause = 0

    def predicted(self):
        return self.direction

    def is_weak(self):
        return self.weak

    def is_sure(self, taken):
        return taken == self.direction and not self.weak and self.credit == 0

    def learn(self, taken):
        if taken == self.direction:
            self.weak = False
        elif self.weak:
            self.direction = taken
        else:
            self.weak = True


class DirectionEntry:
    def __init__(self, taken):
        self.tag, self.counter, self.useful = None, 4 if taken else 3, 0

    def predicted(self):
        return self.counter >= 4

    def is_weak(self):
        return self.counter in (3, 4)

    def learn(self, taken):
        self.counter = min(self.counter + 1, 7) if taken else max(self.counter - 1, 0)


class Loop:
    CONFIDENCE, NEW_AGE, MAX_AGE, MAX_PERIOD = 7, 3, 15, 0x7FFFF

    def __init__(self, key, direction):
        self.key, self.direction = key, direction
        self.period = self.run = self.confidence = 0
        self.age = self.NEW_AGE

    def is_known(self):
        return self.confidence == self.CONFIDENCE

    def predict(self, taken):
        """An execution of one that is known: whether that was mispredicted."""
        self.run += 1
        is_exit = taken != self.direction
        wrong = is_exit != (self.run == self.period)
        if wrong:
            self.confidence = 0
        if is_exit and wrong:
            self.period = self.run
        elif is_exit:
            self.age = min(self.age + 1, self.MAX_AGE)
        if is_exit:
            self.run = 0
        return wrong

    def learn(self, taken):
        """The same of one that is not known; whether it is still looked at."""
        self.run += 1
        if taken == self.direction:
            return True
        if self.run == self.period:
            self.confidence += 1
        elif self.age == 0:
            return False
        else:
            self.age -= 1
            self.confidence = 0
            self.period = self.run if self.run <= self.MAX_PERIOD else 0
        self.run = 0
        return True


class Base:
    """What is a branch's own in the exact model: a counter of -2 to 1, and the tables in which it has had entries."""

    def __init__(self):
        self.counter, self.made = -1, set()

    def predicted(self):
        return self.counter >= 0

    def learn(self, taken):
        self.counter = min(self.counter + 1, 1) if taken else max(self.counter - 1, -2)


class Tage(Predictor):
    PROVEN, TRIAL = 64, 128

    def __init__(self, size):
        self.n_newest, self.log2_cells, log2_entries, tag_bits, lengths, self.n_loops = {
            "8k": (4, 14, 9, 10, (2, 6, 12, 24, 46, 86, 136, 196), 64),
            "64k": (8, 17, 12, 12, (2, 5, 9, 16, 40, 122, 292, 632), 256),
        }[size]
        super().__init__(Tables(lengths, log2_entries, tag_bits, 512), DirectionEntry)
        self.cells, self.biases, self.bases, self.loops = {}, {}, {}, {}

    def is_biased(self, key):
        """Towards "taken"."""
        return self.biases.get(key, -1) >= 0

    def branch(self, key, history, taken):
        number = (key >> 20) % 2**self.log2_cells ^ history.newest()
        cell = self.cells.setdefault(number, Counter(self.is_biased(key)))
        loop = self.loops.get(key % self.n_loops)
        if loop is not None and loop.key != key:
            loop = None
        if cell.is_sure(taken) and not (loop and loop.is_known() and loop.run + 1 >= loop.period):
            if loop:
                loop.run += 1
            return False
        if loop and loop.is_known():
            wrong = loop.predict(taken)
            if wrong:
                cell.learn(taken)
                cell.credit = max(cell.credit, self.FRESH)
            else:
                cell.direction, cell.weak, cell.credit = loop.direction, False, 0
            return wrong
        said = cell.predicted()
        self.biases[key] = min(max(self.biases.get(key, -1) + (1 if taken else -1), -2), 1)
        wrong = self.predict(cell, key, history, taken)
        if loop:
            if self.is_biased(key) != loop.direction or not loop.learn(taken):
                del self.loops[key % self.n_loops]
        elif (wrong and taken != said == cell.predicted() == self.is_biased(key)
              and self.tables.random >> 8 & 7 == 0):
            self.look_for_loop(key, said)
        return wrong

    def exact_branch(self, key, history, taken):
        base = self.bases.setdefault(key, Base())
        loop = self.loops.get(key % self.n_loops)
        if loop is not None and loop.key != key:
            loop = None
        if loop and loop.is_known():
            base.learn(taken)
            return loop.predict(taken)
        said = base.predicted()
        wrong = self.predict_exactly(base, key, history, taken)
        if loop:
            if base.predicted() != loop.direction or not loop.learn(taken):
                del self.loops[key % self.n_loops]
        elif (wrong and taken != said == base.predicted()
              and self.tables.random >> 8 & 7 == 0):
            self.look_for_loop(key, said)
        return wrong

    def predict_exactly(self, base, key, history, taken):
        tables = self.tables
        if base.made or base.predicted() != taken:
            history.settle()
        table, provider = tables.find(base.made, key, history)
        if provider is None:
            wrong = base.predicted() != taken
            base.learn(taken)
            if wrong:
                tables.allocate(0, base.made, key, history, self.new_entry(taken))
            return wrong
        shorter = {other for other in base.made if other < table}
        alternate = tables.find(shorter, key, history)[1] or base
        provider_right, alternate_right = (side.predicted() == taken for side in (provider, alternate))
        was_new = provider.is_weak() and provider.useful == 0
        right = alternate_right if was_new and tables.alternative >= 0 else provider_right
        if provider.useful == 0:
            alternate.learn(taken)
        if provider_right != alternate_right:
            tables.learn_use(provider, was_new, provider_right, alternate_right)
        provider.learn(taken)
        if not right and not provider_right:
            tables.allocate(table + 1, base.made, key, history, self.new_entry(taken))
        return not right

    def look_for_loop(self, key, direction):
        other = self.loops.get(key % self.n_loops)
        if other is not None and other.age > 0:
            other.age -= 1
        else:
            self.loops[key % self.n_loops] = Loop(key, direction)


class OwnHistory:
    """What a branch would be mispredicted by with predictors for itself alone."""

    def __init__(self):
        self.counter, self.outcomes, self.table = 1, 0, None

    def predict(self, taken):
        by_counter = by_history = self.counter >= 2
        if by_counter != taken and self.table is None:
            self.table = {}
        if self.table is not None:
            if self.outcomes in self.table:
                by_history = self.table[self.outcomes] >= 2
            known = self.table.get(self.outcomes, 1 if taken else 2)
            self.table[self.outcomes] = step(known, taken)
        self.counter = step(self.counter, taken)
        self.outcomes = (self.outcomes << 1 | taken) % 2**12
        return (COUNTER if by_counter != taken else 0) | (HISTORY if by_history != taken else 0)


def step(counter, taken):
    return min(counter + 1, 3) if taken else max(counter - 1, 0)


# --- targets -----------------------------------------------------------------------------------

class Target:
    """A cell, or with a tag an entry: a target, and how sure it is."""

    def __init__(self, target=0):
        self.target, self.confidence = target, 0
        self.credit, self.made = 0, set()  # of a cell
        self.tried = self.gain = self.pause = 0
        self.tag, self.useful = None, 0    # of an entry

    def predicted(self):
        return self.target

    def is_weak(self):
        return self.confidence == 0

    def learn(self, target):
        if target == self.target:
            self.confidence = min(self.confidence + 1, 3)
        elif self.confidence > 0:
            self.confidence -= 1
        else:
            self.target = target


class TargetCell(Target):
    def is_weak(self):
        return self.confidence < 3


class Ittage(Predictor):
    def __init__(self, size):
        self.log2_cells, log2_entries, tag_bits, lengths = {
            "8k": (9, 7, 10, (0, 4, 8, 16, 40, 86, 136, 196)),
            "64k": (11, 9, 12, (0, 4, 12, 24, 56, 122, 292, 632)),
        }[size]
        super().__init__(Tables(lengths, log2_entries, tag_bits, 256), Target)
        self.cells = {}

    def jump(self, key, history, target):
        cell = self.cells.setdefault(key % 2**self.log2_cells, TargetCell())
        return self.predict(cell, key, history, target)


class Returns:
    """A ring: what was taken away is the oldest one then."""

    def __init__(self, depth):
        self.ring = [0] * depth  # the newest last

    def call(self, address):
        self.ring = self.ring[1:] + [address]

    def predict(self, target):
        newest = self.ring[-1]
        self.ring = [newest] + self.ring[:-1]
        return newest != target


class TargetBuffer:
    def __init__(self, n_entries):
        self.n_ways = max(ways for ways in (1, 2, 4, 8) if n_entries % ways == 0)
        self.n_sets = n_entries // self.n_ways
        self.sets = {}  # keys, the first that came first

    def take(self, key):
        """True if it did not know it."""
        known = self.sets.setdefault(key % self.n_sets, [])
        if key in known:
            return False
        known.append(key)
        if len(known) > self.n_ways:
            del known[0]
        return True


# --- the whole ---------------------------------------------------------------------------------

class Machine:
    def __init__(self, size, n_returns, n_targets):
        is_exact = size.startswith("exact")
        size = size.removeprefix("exact")
        self.tage, self.ittage = Tage(size), Ittage(size)
        self.direction = self.tage.exact_branch if is_exact else self.tage.branch
        self.ittage.keeps_credit = is_exact
        self.history = History(self.tage.n_newest)
        self.returns, self.targets = Returns(n_returns), TargetBuffer(n_targets)
        self.own = {}

    def branch(self, key, taken):
        wrong = self.direction(key, self.history, bool(taken))
        self.history.add(taken, 1)
        own = self.own.setdefault(key, OwnHistory()).predict(bool(taken))
        return wrong * WRONG | (taken and self.take(key, 1)) | taken * TAKEN | own

    def jump(self, key, target):
        wrong = self.ittage.jump(key, self.history, target)
        self.history.add((target ^ target >> 4 ^ target >> 8) % 16, 4)
        return wrong * WRONG | self.take(key, 1)

    def take(self, key, _):
        return self.targets.take(key) * UNKNOWN

    def ret(self, key, target):
        return self.returns.predict(target) * WRONG | self.take(key, 1)

    def call(self, _, address):
        self.returns.call(address)
        return 0


def main():
    machine = Machine(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    kinds = {"branch": machine.branch, "jump": machine.jump, "take": machine.take,
             "return": machine.ret, "call": machine.call}
    counts = dict.fromkeys(kinds, 0)
    bits_that_count = WRONG | UNKNOWN
    n_wrong = 0
    for number, line in enumerate(sys.stdin, 1):
        _, found, rest = line.partition("branch: ")
        if not found:
            continue
        kind, key, outcome, bits = rest.split()
        bits = int(bits)
        # Bits of --branch-detail are checked from the first taken branch on that has them.
        if kind == "branch" and bits & TAKEN:
            bits_that_count |= TAKEN | COUNTER | HISTORY
        want = kinds[kind](int(key, 16), int(outcome, 16)) & bits_that_count
        counts[kind] += 1
        if bits != want:
            n_wrong += 1
            if n_wrong <= 20:
                print(f"line {number}: {rest.strip()}, not {want}")
    for kind, count in counts.items():
        print(kind, count)
    print("wrong", n_wrong)
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
