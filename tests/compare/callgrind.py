#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the call graph in a profile of Callgrind's with that in one of costgrind's.

    callgrind.py [OPTIONS] REFERENCE OURS

    --share PERCENT    functions that may need a rule, of all; 1 if not given
    --handler NAME     rule "handler": a signal handler; may be repeated
    --unloaded NAME    rule "unloaded": a library that was gone at the end; may be repeated
    --verbose          names the functions of each rule

Both have positions "instr line" and all thirteen events.  A function is an
object, its source file and its name, which ends in 'N on a deeper level of
recursion.  Compared are the totals, the costs of each (function, instruction
address, line), and the number and the inclusive costs of the calls from each
(function, instruction address, line) to each function.  Reads and writes are one
event, since a modify is a read of ours and a write of Callgrind's.

Where Callgrind is wrong or means something else, a rule brings both graphs to
a common form, and there they must be equal; nothing is left out or rounded.
docs/SIMULATION.md has the reasons.

    section   Code outside .text is in no object with Callgrind, and bears its
              address in memory.  It must become the object's own by taking off one
              number of whole pages for each object.  This is a name, and in no share.
    unloaded  Lines of a library that is gone are 0 with Callgrind.
    last      Callgrind's totals lack the last block of each thread if it ran
              only once.  It must be one run of addresses up to a system call,
              executed once.
    handler   Callgrind's summary lacks the costs of signal handlers, and its totals
              the costs of the code that they return to.  It must be these costs.
    cold      f.cold is a function with Callgrind.  Its costs and calls are f's.
    body      Code of one function that was reached by a jump into the midst of it,
    span      or by running on into it, or by a return that nobody had called, is
    return    the other function's with Callgrind.  By the objects' symbol tables it
              must be the one's.
    namesake  Two functions of one name are one with Callgrind, and if one calls the
              other, that is recursion.  The tables must have both.
    loop      A jump to the first instruction of the function that runs is a
              recursive call with Callgrind.  There must be no call instruction.

Prints what was equal and what satisfied which rule, or up to twenty
differences; the exit status is 0 or 1.
"""

import argparse
import functools
import operator
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'lib'))
import profile  # tests/profile.py hides the library's
import elf

# What is compared, and what it is the sum of.
EVENTS = {
    'Ir': ('Ir',), 'Dr+Dw': ('Dr', 'Dw'), 'I1mr': ('I1mr',), 'D1mr+D1mw': ('D1mr', 'D1mw'),
    'ILmr': ('ILmr',), 'DLmr+DLmw': ('DLmr', 'DLmw'),
    'Bc': ('Bc',), 'Bcm': ('Bcm',), 'Bi': ('Bi',), 'Bim': ('Bim',),
}
NOTHING = (0,) * len(EVENTS)
UNKNOWN = '???'
PAGE = 4096
SHOWN = 20  # differences

LEVEL = re.compile(r"'[0-9]+\Z")
COLD = re.compile(r'(?:\.cold(?:\.[0-9]+)?|( \[clone)? \.cold(?:\.[0-9]+)?\])\Z')
ADDRESS_NAME = re.compile(r"0x([0-9a-f]{16})( \[PLT\])?\Z")


class Failure(Exception):
    """There is nothing to compare; str() says why."""


def add(left, right):
    """The sums of two tuples of costs."""
    return tuple(map(operator.add, left, right))


def subtract(left, right):
    """The differences of two tuples of costs."""
    return tuple(a - b for a, b in zip(left, right))


@functools.lru_cache(maxsize=None)
def base(function):
    """The function without its level of recursion."""
    return function[:2] + (LEVEL.sub('', function[2]),)


def address_of_name(function):
    """The address that code without a symbol is named by, or None."""
    match = ADDRESS_NAME.match(base(function)[2])
    return int(match.group(1), 16) if match else None


class Graph:
    """A call graph.

    costs    (function, address, line) -> costs
    arcs     (function, address, line, function called) -> [count, inclusive costs]
    summary, totals
    """

    def __init__(self, costs, arcs):
        self.costs = costs
        self.arcs = arcs
        self.summary = self.totals = NOTHING

    def functions(self):
        """All, with the levels of each as one."""
        return {base(key[0]) for key in self.costs} | {base(key[0]) for key in self.arcs} | \
            {base(key[3]) for key in self.arcs}

    def renamed(self, caller, callee):
        """A copy in which costs and calls are charged to caller(function, address), which is a
        function and an address, and calls are of callee(function)."""
        graph = Graph({}, {})
        graph.summary, graph.totals = self.summary, self.totals
        for (function, address, line), costs in self.costs.items():
            key = caller(function, address) + (line,)
            graph.costs[key] = add(graph.costs[key], costs) if key in graph.costs else costs
        for (function, address, line, called), (count, costs) in self.arcs.items():
            arc = graph.arcs.setdefault(caller(function, address) + (line, callee(called)),
                                        [0, NOTHING])
            arc[0] += count
            arc[1] = add(arc[1], costs)
        return graph

    def without_levels(self, functions):
        """A copy in which these functions have one level."""
        def fold(function):
            return base(function) if base(function) in functions else function
        return self.renamed(lambda function, address: (fold(function), address), fold)

    def self_costs(self):
        """function without level -> sum of its costs."""
        sums = {}
        for key, costs in self.costs.items():
            function = base(key[0])
            sums[function] = add(sums[function], costs) if function in sums else costs
        return sums

    def inclusive_cost(self, function):
        """What a function, given without level, costs with all that it calls."""
        called = self.sum(arc[1] for key, arc in self.arcs.items() if base(key[0]) == function)
        return add(self.self_costs().get(function, NOTHING), called)

    @staticmethod
    def sum(costs):
        """Of many."""
        total = NOTHING
        for one in costs:
            total = add(total, one)
        return total


def read(path):
    """The Profile in a file."""
    try:
        return profile.read(str(path))
    except profile.Malformed as error:
        raise Failure(str(error)) from None


def graph_of(content, path):
    """The Graph of a Profile."""
    if sorted(content.events) != sorted(event for parts in EVENTS.values() for event in parts):
        raise Failure('%s: the events are %s' % (path, ' '.join(content.events)))
    if content.header.get('positions') != 'instr line':
        raise Failure('%s: the positions are not "instr line"' % path)
    if content.summary is None:
        raise Failure('%s: no summary' % path)

    columns = [[content.events.index(event) for event in parts] for parts in EVENTS.values()]
    pairs = [(parts[0], parts[-1], len(parts) - 1) for parts in columns]

    def costs_of(counts):
        return tuple([counts[first] + more * counts[last] for first, last, more in pairs])

    graph = Graph({profile.cost_of_place(place): costs_of(counts)
                   for place, counts in content.places.items()},
                  {profile.cost_of_place(place[:6]) + place[6:]: [arc[0], costs_of(arc[1])]
                   for place, arc in content.call_places.items()})
    graph.summary = costs_of(list(content.summary.values()))
    graph.totals = costs_of(list(content.totals.values()))
    return graph


# --- rules ---

def place_object(functions, lost, their_costs, our_costs):
    """Their function -> ours, for one object's by address; lost are all of theirs by
    address.  Empty if they are at no place that fits."""
    first = min(functions)
    for start in sorted(lost):
        shift = start - first
        if shift % PAGE == 0 and all(
                address + shift in lost and
                their_costs.get(lost[address + shift]) == our_costs.get(function)
                for address, function in functions.items()):
            return {lost[address + shift]: function for address, function in functions.items()}
    return {}


class Comparison:
    """Brings two graphs to a common form, and says what it took.

    matched      rule -> functions (without level) that it was needed for
    differences  texts
    """

    def __init__(self, reference, ours, options):
        self.reference = reference
        self.ours = ours
        self.options = options
        self.matched = {}
        self.differences = []
        self.equal_costs = self.equal_arcs = 0
        self.functions = set()  # ours

    def match(self, rule, functions):
        """Notes that functions need a rule."""
        if functions:
            self.matched.setdefault(rule, set()).update(base(function) for function in functions)

    def fold(self, functions):
        """Gives these functions one level in both."""
        if functions:
            self.reference = self.reference.without_levels(functions)
            self.ours = self.ours.without_levels(functions)

    def run(self):
        """All of it."""
        self.functions = self.ours.functions()
        self.match_sections()
        self.match_unloaded()
        self.match_owners()
        self.match_loops()
        self.match_namesakes()
        self.match_handlers()
        self.match_last()
        for what in 'totals', 'summary':
            reference, ours = getattr(self.reference, what), getattr(self.ours, what)
            if reference != ours:
                self.differences.append(describe(what, reference, ours))
        self.compare()

    # section

    def match_sections(self):
        """Finds the objects of functions that Callgrind has in none."""
        theirs, mine = self.reference.functions(), self.ours.functions()
        lost = {address_of_name(function): function for function in theirs - mine
                if function[0] == UNKNOWN}
        lost.pop(None, None)
        new = {}  # object -> address -> our function
        for function in sorted(mine - theirs):
            address = address_of_name(function)
            if address is not None and not elf.is_in_text(function[0], address):
                new.setdefault(function[0], {})[address] = function
        found = {}  # their function -> ours
        costs = self.reference.self_costs(), self.ours.self_costs()
        for functions in new.values():
            found.update(place_object(functions, lost, *costs))
        self.match('section', found.values())

        def called(function):
            level = function[2][len(base(function)[2]):]
            found_function = found.get(base(function))
            return found_function[:2] + (found_function[2] + level,) if found_function else function

        def caller(function, address):
            if base(function) not in found:
                return function, address
            shift = address_of_name(function) - address_of_name(found[base(function)])
            return called(function), address - shift

        self.reference = self.reference.renamed(caller, called)

    # unloaded

    def match_unloaded(self):
        """Gives Callgrind's costs and calls in code that is gone the lines that we have."""
        for name in 'costs', 'arcs':
            ours, reference = getattr(self.ours, name), getattr(self.reference, name)
            for key in ours:
                unknown = key[:2] + ((key[2][0], 0),) + key[3:]
                if os.path.basename(key[0][0]) in self.options.unloaded and \
                        unknown in reference and key not in reference:
                    reference[key] = reference.pop(unknown)
                    self.match('unloaded', {key[0]})

    # cold, span, return, body

    def match_owners(self):
        """Costs that Callgrind charges to another function go to their own."""
        owners = self.owners()
        moved = {}  # (function, owner) -> addresses
        for function, address in {key[:2] for table in (self.reference.costs, self.reference.arcs)
                                  for key in table}:
            owner = owners.get((function[0], address))
            if owner is not None and owner != base(function):
                moved.setdefault((base(function), owner), set()).add(address)
        cold = {}
        for (function, owner), addresses in sorted(moved.items()):
            rule = self.rule_of_move(function, owner, addresses)
            self.match(rule, {function, owner})
            if rule == 'cold':
                cold[function] = owner
        self.fold({function for pair in moved for function in pair})

        def caller(function, address):
            owner = owners.get((function[0], address))
            return (owner if (base(function), owner) in moved else function), address

        self.reference = self.reference.renamed(
            caller, lambda function: cold.get(base(function), function))
        self.drop_internal(set(cold.values()), {owner for _, owner in moved} - set(cold.values()))

    def owners(self):
        """(object, address) -> our function, where that is the only one."""
        owners = {}
        for table in self.ours.costs, self.ours.arcs:
            for key in table:
                owners.setdefault((key[0][0], key[1]), set()).add(base(key[0]))
        return {place: functions.pop() for place, functions in owners.items()
                if len(functions) == 1}

    def rule_of_move(self, function, owner, addresses):
        """The rule by which addresses that are in a function with Callgrind are in their owner
        here; reports those that are not in it by the symbol tables."""
        if COLD.search(function[2]) and COLD.sub('', function[2]) == owner[2]:
            return 'cold'
        symbols = elf.symbols(owner[0])
        wrong = [address for address in addresses if not symbols.is_in(address, owner[2])]
        if wrong:
            self.differences.append(
                '%d addresses from 0x%x on, with Callgrind in %s, are not in %s' % (
                    len(wrong), min(wrong), short(function), short(owner)))
        if self.spans(function, min(addresses)):
            return 'span'
        sites = {key[1] for key in self.ours.arcs
                 if base(key[0]) == function and base(key[3]) == owner}
        return 'return' if any(elf.is_call(function[0], site) for site in sites) else 'body'

    def spans(self, function, first):
        """True if a function of ours runs on to an address."""
        return any(base(key[0]) == function and
                   key[1] < first <= key[1] + elf.LONGEST_INSTRUCTION and
                   not elf.is_jump(function[0], key[1]) for key in self.ours.costs)

    def drop_internal(self, warm, owners):
        """Takes away what is no call in the common form: Callgrind's of cold parts, and ours of
        functions that control ran, jumped or returned into."""
        for key in list(self.reference.arcs):
            if key[0] == key[3] and key[0] in warm and key not in self.ours.arcs and \
                    not elf.is_call(key[0][0], key[1]):
                del self.reference.arcs[key]
        for key in list(self.ours.arcs):
            if base(key[3]) in owners and key not in self.reference.arcs and \
                    not may_call(key[0], key[1], base(key[3])):
                del self.ours.arcs[key]

    # loop

    def match_loops(self):
        """Callgrind's calls by jumps to the start of the function that runs are none."""
        ours = {(base(key[0]), key[1], base(key[3])) for key in self.ours.arcs}
        loops = {key for key in self.reference.arcs
                 if base(key[0]) == base(key[3]) and
                 (base(key[0]), key[1], base(key[3])) not in ours and
                 not elf.is_call(key[0][0], key[1])}
        for key in loops:
            del self.reference.arcs[key]
        self.match('loop', {key[0] for key in loops})
        self.fold({base(key[0]) for key in loops})

    # namesake

    def match_namesakes(self):
        """Gives functions of one name one level each, if their calls of each other are Callgrind's
        recursion."""
        levels = {key[0] for table, other in (
            (self.reference.costs, self.ours.costs), (self.ours.costs, self.reference.costs))
                  for key, costs in table.items() if other.get(key) != costs}
        functions = {base(function) for function in levels if base(function) != function}
        namesakes = {function for function in functions if self.n_symbols(function) > 1}
        self.match('namesake', namesakes)
        self.fold(namesakes)

    def n_symbols(self, function):
        """How many symbols have its name and code that ran."""
        symbols = elf.symbols(function[0])
        return len({start for key in self.ours.costs if base(key[0]) == function
                    for start in symbols.starts(key[1], function[2])})

    # handler

    def match_handlers(self):
        """Callgrind's summary and totals, with what handlers cost."""
        handlers = set()
        for name in self.options.handler:
            found = {function for function in self.ours.functions() if function[2] == name}
            if len(found) != 1:
                raise Failure('%d functions %s' % (len(found), name))
            handlers |= found
        for handler in handlers:
            self.reference.summary = add(self.reference.summary, self.ours.inclusive_cost(handler))
        self.match('handler', handlers)
        restorers = {base(key[0]) for key in self.ours.arcs if base(key[3]) in handlers}
        for restorer in restorers:
            if elf.is_sigreturn(restorer[0], address_of_name(restorer)):
                self.match_restorer(restorer, handlers)
                self.match('handler', {restorer})

    def match_restorer(self, restorer, handlers):
        """The code that handlers return to has called them, as we see it; with Callgrind they call
        it, and its own costs are lost."""
        ours = [self.ours.arcs.pop(key) for key in list(self.ours.arcs)
                if key[0] == restorer and base(key[3]) in handlers]
        theirs = [self.reference.arcs.pop(key) for key in list(self.reference.arcs)
                  if base(key[0]) in handlers and key[3] == restorer]
        own = self.ours.self_costs()[restorer]
        if sum(count for count, _ in ours) != sum(count for count, _ in theirs) or \
                Graph.sum(cost for _, cost in theirs) != own:
            self.differences.append('%s: not by rule handler' % short(restorer))
        for key, costs in self.ours.costs.items():
            if key[0] == restorer and key not in self.reference.costs:
                self.reference.costs[key] = costs
                self.reference.totals = add(self.reference.totals, costs)
        self.reference.summary = add(self.reference.summary, own)

    # last

    def match_last(self):
        """Costs of last blocks, which Callgrind lacks."""
        lost = {}  # function -> address -> key
        for key, costs in self.ours.costs.items():
            if costs[0] == 1 and key not in self.reference.costs:
                lost.setdefault(key[0], {})[key[1]] = key
        for function, places in lost.items():
            charged = {key[1] for key in self.reference.costs if key[0] == function}
            for end in sorted(places):
                if elf.is_system_call(function[0], end):
                    self.restore(places, charged, end)
                    self.match('last', {function})

    def restore(self, places, charged, end):
        """Takes over our costs of the run of lost places that ends there."""
        address = end
        while address in places:
            costs = self.ours.costs[places[address]]
            self.reference.costs[places[address]] = costs
            self.reference.totals = add(self.reference.totals, costs)
            address = max((other for other in set(places) | charged
                           if other < address <= other + elf.LONGEST_INSTRUCTION), default=None)

    # all else

    def compare(self):
        """What is left must be equal."""
        keys = set(self.reference.costs) | set(self.ours.costs)
        different = [key for key in keys if self.reference.costs.get(key, NOTHING) !=
                     self.ours.costs.get(key, NOTHING)]
        self.equal_costs += len(keys) - len(different)
        for key in sorted(different):
            self.differences.append(describe(place(key), self.reference.costs.get(key, NOTHING),
                                             self.ours.costs.get(key, NOTHING)))
        for key in sorted(set(self.reference.arcs) | set(self.ours.arcs)):
            reference = self.reference.arcs.get(key, [0, NOTHING])
            ours = self.ours.arcs.get(key, [0, NOTHING])
            if reference == ours:
                self.equal_arcs += 1
                continue
            what = '%s calls %s: ' % (place(key), called_name(key))
            what += 'Callgrind %d, costgrind %d' % (reference[0], ours[0])
            self.differences.append(describe(what, reference[1], ours[1]))

    def share(self):
        """Percentage of our functions that needed a rule which changes numbers."""
        functions = set()
        for rule, matched in self.matched.items():
            if rule != 'section':
                functions |= matched
        return 100 * len(functions & self.functions) / max(1, len(self.functions))

    def text(self):
        """One line."""
        words = ['%d costs, %d calls equal' % (self.equal_costs, self.equal_arcs)]
        words += ['%d functions by rule %s' % (len(self.matched[rule]), rule)
                  for rule in sorted(self.matched)]
        words.append('%.1f %% of %d functions' % (self.share(), len(self.functions)))
        return ', '.join(words)


def may_call(caller, address, function):
    """True if an instruction is a call, though not a direct one of some other function."""
    if not elf.is_call(caller[0], address):
        return False
    target = elf.call_target(caller[0], address)
    return target is None or elf.symbols(function[0]).is_in(target, function[2]) or \
        target == address_of_name(function)


def short(function):
    """A function for messages."""
    return '%s:%s' % (os.path.basename(function[0]), function[2])


def place(key):
    """Where a cost belongs, for messages."""
    return '%s 0x%x (%s:%d)' % ((short(key[0]), key[1]) + key[2])


def called_name(key):
    """The function that an arc goes to, for messages."""
    return short(key[3])


def describe(what, reference, ours):
    """A difference."""
    lines = [what]
    lines += ['    %-9s Callgrind %d, costgrind %d (%+d)' % (event, a, b, b - a)
              for event, a, b in zip(EVENTS, reference, ours) if a != b]
    return '\n'.join(lines)


def add_options(parser):
    """Those of the comparison."""
    parser.add_argument('--share', type=float, default=1.0)
    parser.add_argument('--handler', action='append', default=[])
    parser.add_argument('--unloaded', action='append', default=[])
    parser.add_argument('--verbose', action='store_true')


def compare(reference, ours, options):
    """Compares two files; whether they are equal, and lines about it."""
    return compare_content(reference, ours, read(ours), options)


def compare_content(reference, ours, content, options):
    """The same where the second one was read."""
    comparison = Comparison(graph_of(read(reference), reference), graph_of(content, ours), options)
    comparison.run()
    lines = [comparison.text()]
    if options.verbose:
        lines += ['    %s: %s' % (rule, ', '.join(sorted(map(short, comparison.matched[rule]))))
                  for rule in sorted(comparison.matched)]
    lines += comparison.differences[:SHOWN]
    if len(comparison.differences) > SHOWN:
        lines.append('... %d differences' % len(comparison.differences))
    if comparison.share() > options.share:
        lines.append('more than %.1f %% of the functions needed a rule' % options.share)
    return not comparison.differences and comparison.share() <= options.share, lines


def main():
    """The command; the exit status."""
    parser = argparse.ArgumentParser(description=re.sub(r'\n.*', '', __doc__))
    add_options(parser)
    parser.add_argument('reference')
    parser.add_argument('ours')
    options = parser.parse_args()
    sys.stdout.reconfigure(errors='backslashreplace')  # names in any encoding
    try:
        equal, lines = compare(options.reference, options.ours, options)
    except (Failure, OSError) as failure:
        equal, lines = False, [failure]
    print(*lines, sep='\n')
    return 0 if equal else 1


if __name__ == '__main__':
    sys.exit(main())
