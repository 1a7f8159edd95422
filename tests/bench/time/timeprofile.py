# SPDX-License-Identifier: GPL-3.0-or-later
"""What comparetime.py reads of the tool's profiles: cycles in all and by function, and how native samples compare.

A sample is of the function that the profile has at its address. Names of both sides need not be alike then, and
those of stripped objects are those that the tool found by their calls.
"""

import collections
import operator
import os
import re
import sys

import bench

sys.path.insert(0, os.path.join(bench.SOURCE, 'tests'))
import profile as profiles  # pylint: disable=wrong-import-position

UNITS = {'Cyc': 10}  # in a cycle; of other metrics 1
COMPONENT = re.compile('Cy[A-Z]')


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


class Shares:
    """What part of the whole each function has, of the metric: by (object, function)."""

    def __init__(self, path, metric):
        read = profiles.read(path)
        weights = coefficients(metric, read.events, read.event_specs)
        at_address = collections.defaultdict(dict)
        for (obj, _, function, address, _, _), counts in read.places.items():
            place = at_address[os.path.realpath(obj), address]
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

    def native(self, samples):
        """The same of native samples; what the tool did not see run is of the function "?" of its object."""
        sums = collections.Counter()
        for obj, address, count in samples:
            sums[self.owners.get((obj, address), (obj, '?'))] += count
        total = sum(sums.values()) or 1
        return {owner: count / total for owner, count in sums.items()}

    def is_stripped(self):
        """Whether most of the time is in code without symbols."""
        return sum(share for (_, name), share in self.shares.items() if re.match(r'0x|\?\?\?', name)) > 0.5


def overlap(one, other):
    """The part of the time that both sides give to the same functions."""
    return sum(min(share, other.get(owner, 0)) for owner, share in one.items())


def differences(native, simulated, most):
    """Functions whose shares differ most: (object, function, native, simulated)."""
    owners = sorted(set(native) | set(simulated),
                    key=lambda owner: -abs(native.get(owner, 0) - simulated.get(owner, 0)))
    return [owner + (native.get(owner, 0), simulated.get(owner, 0)) for owner in owners[:most]]
