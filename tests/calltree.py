#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests' own reader of call trees (docs/FORMAT.md).

    calltree.py nodes FILE            a line for each node: chain of functions, calls, self cost
    calltree.py totals FILE           lines "Event count"
    calltree.py compare FILE PROFILE  what differs from the profile of the same run

Chains are of names with ; between, the outermost first; <folded> is what was
folded.  What ran in a signal handler has [handler] in front, in a thread but 1
[2].  The nodes of costs alone (--self) have no calls.

The profile must be one of all threads, with --separate-recs=1, so that a
function is one there; the tree must be whole.  Then the self cost of each
function and the calls and inclusive costs of each pair of functions must be
the same.  Calls that the profile has and no tree has, since the callee was
returned from and never called, are counted: --returns N says how many there
are (none).  With --fewer, only the nodes that are there and the sums are looked
at: no function may cost more than in the profile.

Like tests/profile.py it shares nothing with the programs that write such
files, and is strict: what is not known to be right is an error.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import profile  # tests/profile.py hides the library's

NAME = re.compile(r'(ob|fl|fn)=\(([1-9][0-9]*)\)(?: (.+))?\Z')
NODE = re.compile(r'(?:0|[1-9][0-9]*)(?: (?:0|[1-9][0-9]*)){2,}\Z')
SECTION = re.compile(r'(thread|handlers): ([1-9][0-9]*)\Z')
HEADER = ['version', 'creator', 'pid', 'cmd', 'desc', 'events', 'summary']
FOLDED = (None, None, '<folded>')


class Node:
    """A node; function is (object, file, name)."""

    def __init__(self, section, function, calls, costs):
        self.section = section  # (thread, whether handlers)
        self.function = function
        self.calls = calls
        self.self = costs
        self.inclusive = list(costs)
        self.chain = []
        self.caller = None


class Tree:
    """What a file says; nodes are in its order."""

    def __init__(self, path):
        self.path = path
        self.header = {}
        self.events = []
        self.nodes = []
        self.names = {'ob': {}, 'fl': {}, 'fn': {}}
        self.current = {}
        self.section = None
        self.sections = []
        self.stack = []
        self.number = 0
        with open(path, encoding='utf-8', errors='surrogateescape', newline='\n') as file:
            text = file.read()
        self.require(text.endswith('\n'), 'no line feed at the end')
        self.read(text[:-1].split('\n'))
        for node in reversed(self.nodes):
            if node.caller:
                for i, cost in enumerate(node.inclusive):
                    node.caller.inclusive[i] += cost

    def require(self, condition, message):
        """An error with file and line unless it holds."""
        if not condition:
            raise profile.Malformed('%s:%d: %s' % (self.path, self.number, message))

    def read(self, lines):
        """All lines of the file."""
        self.number = 1
        self.require(lines[0] == '# costgrind call tree', 'not a call tree')
        end = lines.index('', 1) if '' in lines else len(lines)
        for self.number, line in enumerate(lines[1:end], 2):
            key, _, value = line.partition(': ')
            self.require(key in HEADER and key not in self.header, 'unexpected header line')
            self.require(HEADER.index(key) >= len(self.header), 'header out of order')
            self.header[key] = value
        self.require(sorted(self.header) == sorted(HEADER), 'a header line is missing')
        self.require(self.header['version'] == '1', 'unknown version')
        self.events = self.header['events'].split(' ')
        body = lines[end + 1:]
        self.require(len(body) >= 2 and body[-2] == '', 'no empty line before the totals')
        for self.number, line in enumerate(body[:-2], end + 2):
            self.read_line(line)
        self.number += 2
        self.check_totals(body[-1])

    def check_totals(self, line):
        """The last line, and the header, against the sum of the nodes."""
        sums = ' '.join(str(sum(node.self[i] for node in self.nodes))
                        for i in range(len(self.events)))
        self.require(line == 'totals: ' + sums, 'nodes sum up to ' + sums)
        self.require(self.header['summary'] == sums, 'summary: is not totals:')

    def read_line(self, line):
        """A line of the body."""
        section, name = SECTION.match(line), NAME.match(line)
        if section:
            self.section = (int(section[2]), section[1] == 'handlers')
            self.require(self.section not in self.sections or self.section[0] ==
                         self.sections[-1][0], 'a thread has two sections')
            self.sections.append(self.section)
            self.stack = []
        elif name:
            self.read_name(*name.groups())
        else:
            self.require(NODE.match(line) and self.section, 'neither a node nor a name')
            self.read_node([int(word) for word in line.split(' ')])

    def read_name(self, kind, number, text):
        """ob=, fl= or fn="""
        known = self.names[kind]
        number = int(number)
        if text is None:
            self.require(number in known and kind != 'fn', 'an id without a name')
        else:
            self.require(number == len(known) + 1, 'ids are not in order')
            self.require(kind == 'fn' or text not in known.values(), 'a name with two ids')
            known[number] = text
        self.current[kind] = known[number]
        if kind == 'fn':
            known[number] = (self.current['ob'], self.current['fl'], text)

    def read_node(self, numbers):
        """depth function calls costs..."""
        depth, function, calls = numbers[:3]
        costs = numbers[3:]
        self.require(depth <= len(self.stack), 'a node without a caller')
        self.require(function == 0 or function in self.names['fn'], 'a function without a name')
        self.require(len(costs) <= len(self.events), 'too many columns')
        self.require(not costs or costs[-1] != 0, 'zeros at the end')
        self.require(calls > 0, 'a node without calls')
        costs += [0] * (len(self.events) - len(costs))
        node = Node(self.section, self.names['fn'][function] if function else FOLDED, calls, costs)
        del self.stack[depth:]
        if self.stack:
            node.caller = self.stack[-1]
            self.require(node.caller.function != FOLDED, 'a node below what is folded')
            node.chain = node.caller.chain
        if len(self.stack) < 200:
            node.chain = node.chain + [node.function[2]]
        self.stack.append(node)
        self.nodes.append(node)

    def check_siblings(self):
        """That no two nodes of one caller have one function."""
        seen = set()
        for node in self.nodes:
            key = (id(node.caller) if node.caller else node.section, node.function)
            self.require(key not in seen, '%s: twice' % ';'.join(node.chain))
            seen.add(key)


def show_nodes(tree, only_self):
    """Lines about all nodes."""
    for node in tree.nodes:
        thread, handlers = node.section
        start = ('' if thread == 1 else '[%d] ' % thread) + ('[handler] ' if handlers else '')
        calls = '' if only_self else ' %d' % node.calls
        costs = ' '.join('%s=%d' % pair for pair in zip(tree.events, node.self) if pair[1])
        yield '%s%s%s %s' % (start, ';'.join(node.chain), calls, costs)


def add(table, key, calls, costs):
    """Adds to the calls and costs of a key."""
    entry = table.setdefault(key, [0, [0] * len(costs)])
    entry[0] += calls
    for i, cost in enumerate(costs):
        entry[1][i] += cost


def differences(tree, content, options):
    """What is not the same in tree and profile."""
    own, calls, wanted_own, wanted_calls = {}, {}, {}, {}
    for node in tree.nodes:
        add(own, node.function, 0, node.self)
        if node.caller:
            add(calls, (node.caller.function, node.function), node.calls, node.inclusive)
    for key, counts in content.costs.items():
        add(wanted_own, key[0], 0, [counts.get(event, 0) for event in tree.events])
    for (function, _, _, called), (count, counts, _) in content.arcs.items():
        add(wanted_calls, (function, called), count,
            [counts.get(event, 0) for event in tree.events])
    if any(tree.header[key] != content.header[key] for key in ('pid', 'cmd')):
        yield 'not the same process'
    if [content.totals[event] for event in tree.events] != \
            [int(word) for word in tree.header['summary'].split(' ')]:
        yield 'not the same totals'
    if options.fewer:
        for key, (_, costs) in own.items():
            if key != FOLDED and any(a > b for a, b in zip(costs, wanted_own[key][1])):
                yield '%s: self cost %s, in the profile %s' % (key, costs, wanted_own[key])
        return
    for key in sorted(set(own) | set(wanted_own), key=str):
        nothing = [0, [0] * len(tree.events)]
        if own.get(key, nothing) != wanted_own.get(key, nothing):
            yield '%s: self cost %s, in the profile %s' % (key, own.get(key), wanted_own.get(key))
    begun = {node.function for node in tree.nodes if not node.caller}
    returns = 0
    for key in sorted(set(calls) | set(wanted_calls), key=str):
        if key not in calls and set(key) <= begun:
            returns += wanted_calls[key][0]
        elif calls.get(key) != wanted_calls.get(key):
            yield '%s: calls %s, in the profile %s' % (key, calls.get(key), wanted_calls.get(key))
    if returns != options.returns:
        yield '%d returns to where nobody came from' % returns


def run(options):
    """The lines of the answer."""
    tree = Tree(options.file)
    tree.check_siblings()
    if options.command == 'nodes':
        return list(show_nodes(tree, options.self))
    if options.command == 'totals':
        return ['%s %s' % pair for pair in zip(tree.events, tree.header['summary'].split(' '))]
    return list(differences(tree, profile.read(options.profile), options))


def main():
    """The command; the exit status."""
    parser = argparse.ArgumentParser(description=re.sub(r'\n.*', '', __doc__))
    parser.add_argument('--returns', type=int, default=0)
    parser.add_argument('--fewer', action='store_true')
    parser.add_argument('--self', action='store_true')
    parser.add_argument('command', choices=('nodes', 'totals', 'compare'))
    parser.add_argument('file')
    parser.add_argument('profile', nargs='?')
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding='utf-8', errors='surrogateescape')
    try:
        lines = run(options)
    except (profile.Malformed, OSError) as error:
        print('calltree.py: %s' % error, file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    return 1 if options.command == 'compare' and lines else 0


if __name__ == '__main__':
    sys.exit(main())
