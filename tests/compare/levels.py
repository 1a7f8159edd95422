#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a machine's caches make of a program's references, by brute force.

    levels.py TRACE FILE.machine...

TRACE is what valgrind --tool=lackey --trace-mem=yes has written.  For each machine, FILE.want gets
lines "Event count": the totals that a profile with --write-back=yes must have, in its order.

It shares nothing with the tool, neither code nor the list of references.  It was written from the rules in
tests/oracle/hierarchy.h, sim/lower.h and sim/geometry.h and from the definitions of policies (sim/policy.h and
what is named there), as they are said, with no thought of speed: a set is a list of ways, a way is the
number of a line or None.  Of a machine's text it knows what the tests need; all lines are of 64 bytes.
"""

import sys

LINE = 64
MASK = 2**64 - 1


# --- policies: what a set remembers, and which way a line comes into -------------------------------

class Set:
    """The ways of a set; a policy is a subclass that says what a hit does, and which way goes."""

    def __init__(self, n_ways):
        self.ways = [None] * n_ways

    def room(self):
        """The first empty way; if all are full, the one that has to go."""
        return self.ways.index(None) if None in self.ways else self.victim()

    def hit(self, way):
        """The line in a way was used."""

    def came(self, way):
        """A line has come into a way."""
        self.hit(way)

    def victim(self):
        """The way that goes; all are full."""
        raise NotImplementedError


class Lru(Set):
    def __init__(self, n_ways):
        super().__init__(n_ways)
        self.used = list(range(n_ways))  # the way that was used longest ago is first

    def hit(self, way):
        self.used.remove(way)
        self.used.append(way)

    def victim(self):
        return self.used[0]


class Fifo(Lru):
    def hit(self, way):
        pass

    def came(self, way):
        super().hit(way)


class Plru(Set):
    """Each half that a way is in, the whole of the ways first, remembers which half of it is older."""

    def __init__(self, n_ways):
        super().__init__(n_ways)
        self.older = {}  # (first way, number of ways) -> 0 or 1

    def hit(self, way):
        first, size = 0, len(self.ways)
        while size > 1:
            size //= 2
            half = int(way >= first + size)
            self.older[first, 2 * size] = 1 - half
            first += half * size

    def victim(self):
        first, size = 0, len(self.ways)
        while size > 1:
            first, size = first + self.older.get((first, size), 0) * size // 2, size // 2
        return first


class Lru3Plru4(Set):
    """Three trees of four ways; the one that was used longest ago gives a way."""

    def __init__(self, n_ways):
        super().__init__(n_ways)
        self.trees = [Plru(4) for _ in range(3)]
        self.order = Lru(3)

    def hit(self, way):
        self.order.hit(way // 4)
        self.trees[way // 4].hit(way % 4)

    def victim(self):
        tree = self.order.victim()
        return 4 * tree + self.trees[tree].victim()


class Mru(Set):
    def __init__(self, n_ways):
        super().__init__(n_ways)
        self.marked = set()

    def hit(self, way):
        self.marked.add(way)
        if len(self.marked) == len(self.ways):
            self.marked = {way}

    def victim(self):
        return min(set(range(len(self.ways))) - self.marked)


class Qlru(Set):
    """Quad-age LRU, as uops.info names it; without MR and UMO."""

    def __init__(self, n_ways, name):
        super().__init__(n_ways)
        self.ages = [3] * n_ways
        hit, miss, self.rule, self.growth = name.split('_')[1:]
        # What a hit makes of ages 0, 1, 2, 3.
        self.after_hit = [0, 0, int(hit[2]), int(hit[1])]
        self.new = int(miss[1:])

    def room(self):
        empty = [way for way, line in enumerate(self.ways) if line is None]
        if empty:
            return empty[-1] if self.rule == 'r2' else empty[0]
        if self.rule == 'r1' and 3 not in self.ages:
            return 0
        return self.ages.index(3)

    def hit(self, way):
        self.ages[way] = self.after_hit[self.ages[way]]
        self.update(way)

    def came(self, way):
        self.ages[way] = self.new
        self.update(way)

    def update(self, way):
        others = [i for i in range(len(self.ages)) if self.growth in ('u0', 'u2') or i != way]
        if self.growth in ('u0', 'u1'):
            by = 3 - max(self.ages[i] for i in others)
        else:
            by = 0 if 3 in self.ages else 1
        for i in others:
            self.ages[i] += by


POLICIES = {'lru': Lru, 'fifo': Fifo, 'plru': Plru, 'lru3plru4': Lru3Plru4, 'mru': Mru}


def set_of_policy(name, n_ways):
    return Qlru(n_ways, name) if name.startswith('qlru') else POLICIES[name](n_ways)


# --- one cache ---------------------------------------------------------------------------------------

class Cache:
    """The text of a level in a machine: size, ways, policy, relation, index."""

    def __init__(self, text):
        size, self.n_ways, self.policy = text[0], int(text[1]), text[2]
        unit = {'K': 2**10, 'M': 2**20}.get(size[-1])
        size = int(size[:-1]) * unit if unit else int(size)
        self.relation, self.hash = 'nine', None
        for word in text[3:]:
            if word in ('inclusive', 'victim'):
                self.relation = word
            elif word.startswith('index=hash'):
                self.hash = int((word + ':1').split(':')[1])  # the seed, 1 unless it is said
        self.n_sets = size // LINE // self.n_ways
        self.sets = {}
        self.dirty = set()

    def set_of(self, line):
        number = line % self.n_sets
        if self.hash is not None:
            mixed = line // self.n_sets ^ (self.hash + 1) * 0x9e3779b97f4a7c15 & MASK
            mixed = mixed * 0xbf58476d1ce4e5b9 & MASK
            mixed = (mixed ^ mixed >> 32) * 0x94d049bb133111eb & MASK
            number = (number + mixed * self.n_sets // 2**64) % self.n_sets
        if number not in self.sets:
            self.sets[number] = set_of_policy(self.policy, self.n_ways)
        return self.sets[number]

    def has(self, line):
        return line in self.set_of(line).ways

    def touch(self, line):
        """Returns whether it was there, the line that had to go for it, or None, and whether that was dirty."""
        lines = self.set_of(line)
        if line in lines.ways:
            lines.hit(lines.ways.index(line))
            return True, None, False
        way = lines.room()
        evicted = lines.ways[way]
        lines.ways[way] = line
        lines.came(way)
        was_dirty = evicted in self.dirty
        self.dirty.discard(evicted)
        return False, evicted, was_dirty

    def take(self, line):
        """Takes a line out, if it is there; returns whether it was dirty."""
        lines = self.set_of(line)
        if line in lines.ways:
            lines.ways[lines.ways.index(line)] = None
        was_dirty = line in self.dirty
        self.dirty.discard(line)
        return was_dirty


# --- all of them -------------------------------------------------------------------------------------

class Machine:
    def __init__(self, path):
        first, self.lower = {}, []  # levels after the first; the level of lower[i] is i + 1
        with open(path, encoding='ascii') as text:
            for line in text:
                words = line.split(';')[0].split()
                if words[0] in ('L1I', 'L1D'):
                    first[words[0]] = Cache(words[1:])
                elif words[0] in ('L2', 'L3', 'L4'):
                    self.lower.append(Cache(words[1:]))
        self.i1, self.d1 = first['L1I'], first['L1D']
        self.written = 0
        self.fetched = None  # the line from which the last instruction was fetched

    def victims_of(self, level):
        """The levels of the victims that follow on one."""
        victims = []
        while level < len(self.lower) and self.lower[level].relation == 'victim':
            level += 1
            victims.append(level)
        return victims

    def write_back(self, line, level):
        """A dirty line is given up; level and those after it may have it."""
        for cache in self.lower[level - 1:]:
            if cache.has(line):
                cache.dirty.add(line)
                return
        self.written += 1

    def take_above(self, line, level):
        """An inclusive level has given up a line.  Returns whether one that left with it was dirty."""
        if line != self.fetched:
            self.i1.take(line)
        return any([cache.take(line) for cache in [self.d1] + self.lower[:level - 1]])

    def put(self, line, dirty, victims, next_level):
        """A line was evicted from before the victims; `next_level` is the level that follows them."""
        for level in victims:
            cache = self.lower[level - 1]
            _, evicted, was_dirty = cache.touch(line)
            if dirty:
                cache.dirty.add(line)
            if evicted is None:
                return
            line, dirty = evicted, was_dirty
        if dirty:
            self.write_back(line, next_level)

    def look(self, cache, level, line):
        """Asks a cache that is no victim, and those that follow it, for a line.  Returns the level that has it, or
        the one after them all."""
        hit, evicted, was_dirty = cache.touch(line)
        if hit:
            return level
        if evicted is not None and cache.relation == 'inclusive':
            was_dirty |= self.take_above(evicted, level)
        victims = self.victims_of(level)
        next_level = level + len(victims) + 1
        found = next((i for i in victims if self.lower[i - 1].has(line)), next_level)
        if found < next_level and self.lower[found - 1].take(line):
            if cache is self.i1:
                self.write_back(line, found + 1)
            else:
                cache.dirty.add(line)
        if evicted is not None:
            self.put(evicted, was_dirty, victims, next_level)
        return found

    def refer(self, kind, lines):
        """Returns the level that serves a reference, 0 being the first."""
        cache = self.d1
        if kind == 'I':
            cache = self.i1
            self.fetched = lines[-1]
        served = level = 0
        while True:
            for line in lines:
                served = max(served, self.look(cache, level, line))
                if level == 0 and kind in 'SM':
                    self.d1.dirty.add(line)
            next_level = level + len(self.victims_of(level)) + 1
            if served < next_level or next_level > len(self.lower):
                return served
            level = next_level
            cache = self.lower[level - 1]

    def run(self, trace):
        """Returns the totals of events."""
        names = [('Ir', 'Dr', 'Dw'), ('I1mr', 'D1mr', 'D1mw')]
        names += [('L%dir' % i, 'L%ddr' % i, 'L%ddw' % i) for i in range(2, len(self.lower) + 1)]
        names += [('ILmr', 'DLmr', 'DLmw')]
        totals = {name: 0 for of_level in names for name in of_level}
        for kind, lines in trace:
            served = self.refer(kind, lines)
            kind = {'I': 0, 'L': 1, 'M': 1, 'S': 2}[kind]  # a modify is a read
            for level in range(served + 1):
                totals[names[level][kind]] += 1
        totals['Wb'] = self.written
        return totals


def references(path):
    """Each reference of a trace: its kind (I, L, S or M for a modify) and the lines that it touches."""
    result = []
    with open(path, encoding='ascii') as trace:
        for text in trace:
            if text.startswith('=='):
                continue  # what lackey says at the end
            kind, place = text.split()
            if kind not in ('I', 'L', 'S', 'M'):
                raise ValueError(text)
            address, size = place.split(',')
            first = int(address, 16)
            result.append((kind, range(first // LINE, (first + int(size) - 1) // LINE + 1)))
    return result


def main(args):
    trace = references(args[0])
    for path in args[1:]:
        with open(path.replace('.machine', '.want'), 'w', encoding='ascii') as out:
            for name, count in Machine(path).run(trace).items():
                print(name, count, file=out)


if __name__ == '__main__':
    main(sys.argv[1:])
