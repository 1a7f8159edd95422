# SPDX-License-Identifier: GPL-3.0-or-later
"""What comparetime.py reads of the tool's profiles: cycles in all and by function, and how native samples compare.

A sample is of the function that the profile has at its address. Names of both sides need not be alike then, and
functions of stripped objects are the ones that the tool found by their calls.

The tool charges a misprediction to the branch. Samples of that time show the first instruction of the right path,
because everything before it has retired. When the branch is a call, a return or a tail call, that is in another
function. So shares come in two forms: as they are, and allotted, with CyBr where the samples are.
"""

import collections
import functools
import operator
import os
import re
import sys

import bench
import timenative

sys.path.insert(0, os.path.join(bench.SOURCE, 'tests'))
import profile as profiles  # pylint: disable=wrong-import-position

UNITS = {'Cyc': 10}  # in a cycle; of other metrics 1
COMPONENT = re.compile('Cy[A-Z]')
MOST_TAIL_CALLS = 8  # in a row, that a return is followed through
ONE_FUNCTION = 0.95  # of the samples: whatever the model does, such a program overlaps
CLOSE = 0.03  # of the samples: which of two functions has more is chance
# call, with any prefixes, direct or through a register or memory.
CALL = re.compile(rb'[\x2e\x3e\x66\xf2\x40-\x4f]*(?:\xe8|\xff[\x10-\x17\x50-\x57\x90-\x97\xd0-\xd7])')


def coefficients(metric, events, specs):
    """A number for each event: the metric is the sum of their products.  specs: the texts after "event: "."""
    formulas = dict(spec.split(' : ')[0].split(' = ', 1) for spec in specs if ' = ' in spec)
    if metric in events:
        return [int(event == metric) for event in events]
    if metric not in formulas:
        raise bench.Failed('no event %s in the profile: there are %s' % (metric, ' '.join(events + list(formulas))))
    weights = [0.0] * len(events)
    for term in formulas[metric].split(' + '):
        number, _, name = term.rpartition(' ')
        factor = float(number.rstrip(' *') or 1)
        for i, weight in enumerate(coefficients(name, events, specs)):
            weights[i] += factor * weight
    return weights


def weigh(weights, counts):
    """The metric, of counts in the order of events."""
    return sum(map(operator.mul, weights, counts))


def components(events, counts):
    """The share that each component of cycles has, by event; empty if they are not in the profile."""
    found = {event: count for event, count in zip(events, counts) if COMPONENT.match(event)}
    total = sum(found.values()) or 1
    return {event: count / total for event, count in found.items()}


def read_totals(path, metric):
    """(cycles, components) of a profile, from its head alone."""
    head, specs = {}, []
    with open(path, encoding='utf-8', errors='replace') as stream:
        for line in stream:
            key, _, value = line.rstrip('\n').partition(': ')
            if key == 'event':
                specs.append(value)
            head.setdefault(key, value)
            if key in ('summary', 'fn'):
                break
    if 'summary' not in head:
        raise bench.Failed('%s: no summary in its head' % path)
    events, counts = head['events'].split(), [int(count) for count in head['summary'].split()]
    counts += [0] * (len(events) - len(counts))
    cycles = weigh(coefficients(metric, events, specs), counts) / UNITS.get(metric, 1)
    return cycles, components(events, counts)


def plain_name(function):
    """Without the number that a recursive call has."""
    return re.sub(r"'[0-9]+$", '', function)


real_path = functools.lru_cache(maxsize=None)(os.path.realpath)


class Successors:
    """Which functions run after an instruction that leaves its own, by the calls in the profile.

    Instructions are (object, address); functions are as in Shares.owners.
    """

    def __init__(self, read, owners):
        self.calls = collections.defaultdict(collections.Counter)  # instruction -> functions called
        self.callers = collections.defaultdict(collections.Counter)  # function -> (function, whether it goes on there)
        elfs = {}
        for place, (count, _, target) in read.call_places.items():
            site, callee = (real_path(place[0]), place[3]), owners.get((real_path(place[6][0]), target))
            if site not in owners or not callee:
                continue
            if site[0] not in elfs:
                elfs[site[0]] = timenative.Elf(site[0]) if os.path.isfile(site[0]) else None
            code = elfs[site[0]].code(site[1]) if elfs[site[0]] else None
            self.calls[site][callee] += count
            self.callers[callee][owners[site], code is None or bool(CALL.match(code))] += count

    def of_return(self, function):
        """function -> share of this one's returns that arrive there. Returns to a function that made a tail call
        arrive where its own do."""
        arrived, pending = collections.Counter(), {function: 1}
        for _ in range(MOST_TAIL_CALLS):
            tails = collections.Counter()
            for left, share in pending.items():
                total = sum(self.callers[left].values())
                for (caller, goes_on), count in self.callers[left].items():
                    (arrived if goes_on else tails)[caller] += share * count / total
            pending = tails
        return arrived

    def of_call(self, instruction, executed):
        """The same of what this instruction calls or jumps to; it need not do so each time, if it is conditional."""
        called = self.calls[instruction]
        total = max(executed, sum(called.values()))
        return {function: count / total for function, count in called.items()}


class Shares:
    """What part of the whole each function has, of the metric: by (object, function)."""

    def __init__(self, path, metric):
        read = profiles.read(path)
        weights = coefficients(metric, read.events, read.event_specs)
        at_address = collections.defaultdict(dict)
        for (obj, _, function, address, _, _), counts in read.places.items():
            place = at_address[real_path(obj), address]
            name = plain_name(function)
            place[name] = place.get(name, 0) + weigh(weights, counts)
        self.owners = {}
        sums = collections.Counter()
        for (obj, address), functions in at_address.items():
            owner = obj, max(functions, key=functions.get)
            self.owners[obj, address] = owner
            sums[owner] += sum(functions.values())
        total = sum(sums.values()) or 1
        self.shares = {owner: count / total for owner, count in sums.items()}
        self.allot(read, weights, sums)
        self.allotted = {owner: count / total for owner, count in sums.items()}

    def allot(self, read, weights, sums):
        """Moves, in sums, CyBr of instructions that leave their function to the functions that run next."""
        if not {'CyBr', 'Br', 'Ir'} <= set(read.events):
            return
        waits, returns, executed = map(read.events.index, ('CyBr', 'Br', 'Ir'))
        successors = Successors(read, self.owners)
        for (obj, address), counts in read.sums(lambda place: (real_path(place[0]), place[3])).items():
            cycles = weights[waits] * counts[waits]
            if not cycles:
                continue
            owner, shares = self.owners[obj, address], {}
            if (obj, address) in successors.calls:
                shares = successors.of_call((obj, address), counts[executed])
            elif counts[returns]:
                shares = successors.of_return(owner)
            for function, share in shares.items():
                sums[function] += share * cycles
                sums[owner] -= share * cycles

    def native(self, samples):
        """The same of native samples; what the tool did not see run is of the function "?" of its object."""
        sums = collections.Counter()
        for obj, address, count in samples:
            sums[self.owners.get((obj, address), (obj, '?'))] += count
        total = sum(sums.values()) or 1
        return {owner: count / total for owner, count in sums.items()}

    def is_stripped(self):
        """True if most of the time is in code without symbols."""
        return sum(share for (_, name), share in self.shares.items() if re.match(r'0x|\?\?\?', name)) > 0.5


def overlap(one, other):
    """The part of the time that both sides give to the same functions."""
    return sum(min(share, other.get(owner, 0)) for owner, share in one.items())


def is_one_function(native):
    """True if the samples are nearly all in one function, so that they say nothing about shares."""
    return max(native.values(), default=1) >= ONE_FUNCTION


def agrees_at_top(native, other):
    """True if the function with most samples has the largest share; of two that have nearly as many samples,
    either."""
    first = sorted(native, key=native.get, reverse=True)[:2]
    return max(other, key=other.get) in [owner for owner in first if native[owner] >= native[first[0]] - CLOSE]


def differences(native, shares, most):
    """Functions whose shares differ most, once allotted: (object, function, native, simulated, allotted)."""
    sides = native, shares.shares, shares.allotted
    owners = sorted(set().union(*sides), key=lambda owner: -abs(native.get(owner, 0) - shares.allotted.get(owner, 0)))
    return [owner + tuple(side.get(owner, 0) for side in sides) for owner in owners[:most]]
