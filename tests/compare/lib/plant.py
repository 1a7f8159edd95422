# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants an error in a profile, to see whether it is found.

    plant.py ERROR [FUNCTION [OTHER [THIRD]]] <PROFILE >CHANGED

    summary                    one more Ir in the summary
    self FUNCTION              one more Ir of a function, in the totals and the summary too
    move FUNCTION OTHER        one Ir of OTHER is FUNCTION's
    count FUNCTION OTHER       FUNCTION calls OTHER once more
    cost FUNCTION OTHER        these calls cost one more Ir
    event FUNCTION OTHER       these calls cost one more of the last event
    callee FUNCTION OTHER THIRD  these calls are of THIRD; OTHER must be known by number
    drop FUNCTION OTHER        there are no such calls

Where there are several lines to change, it is the first.  Nothing else is understood of the
profile than what this takes; it must be one with positions "instr line".
"""

import re
import sys

NAME = re.compile(r'c?fn=\((\d+)\)(?: (.*))?\Z')
N_POSITIONS = 2


def more(line, by, event=0):
    """A cost line with more of an event."""
    words = line.split(' ')
    counts = [int(word) for word in words[N_POSITIONS:]]
    counts += [0] * (event + 1 - len(counts))
    counts[event] += by
    return ' '.join(words[:N_POSITIONS] + [str(count) for count in counts])


class Profile:
    """Lines of a profile, and what is where."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.ids = {}
        self.costs = {}  # function -> number of its first cost line
        self.calls = {}  # (function, function called) -> number of the first calls= line
        self.n_events = 0
        function = called = None
        after_calls = False
        for number, line in enumerate(self.lines):
            match = NAME.match(line)
            if match:
                if match.group(2):
                    self.ids[match.group(1)] = match.group(2)
                name = self.ids[match.group(1)]
                if line.startswith('c'):
                    called = name
                else:
                    function = name
            elif line.startswith('events:'):
                self.n_events = len(line.split()) - 1
            elif line.startswith('calls='):
                self.calls.setdefault((function, called), number)
                after_calls = True
            elif re.match(r'[-+*0-9]', line):
                if not after_calls:
                    self.costs.setdefault(function, number)
                after_calls = False

    def change(self, number, by, event=0):
        """More of an event in a cost line."""
        self.lines[number] = more(self.lines[number], by, event)

    def change_sums(self, *keys):
        """One more Ir in lines like "totals:"."""
        for number, line in enumerate(self.lines):
            key, _, rest = line.partition(': ')
            if key in keys:
                first, *others = rest.split(' ')
                self.lines[number] = ' '.join([key + ':', str(int(first) + 1)] + others)

    def plant(self, error, names):
        """Makes the change."""
        if error == 'summary':
            self.change_sums('summary')
        elif error == 'self':
            self.change(self.costs[names[0]], 1)
            self.change_sums('summary', 'totals')
        elif error == 'move':
            self.change(self.costs[names[0]], 1)
            self.change(self.costs[names[1]], -1)
        else:
            self.plant_in_calls(error, self.calls[names[0], names[1]], names)

    def plant_in_calls(self, error, number, names):
        """The same in a calls= line and those around it."""
        if error == 'count':
            count, rest = self.lines[number][len('calls='):].split(' ', 1)
            self.lines[number] = 'calls=%d %s' % (int(count) + 1, rest)
        elif error == 'cost':
            self.change(number + 1, 1)
        elif error == 'event':
            self.change(number + 1, 1, self.n_events - 1)
        elif error == 'callee':
            if ' ' in self.lines[number - 1]:
                raise ValueError('others need the name: %s' % self.lines[number - 1])
            self.lines[number - 1] = 'cfn=' + names[2]
        elif error == 'drop':
            positions = self.lines[number + 1].split(' ')[:N_POSITIONS]
            first = number
            while re.match(r'c(ob|fi|fn)=', self.lines[first - 1]):
                first -= 1
            if first < number - 1 and ' ' in self.lines[number - 1]:
                raise ValueError('others need the name: %s' % self.lines[number - 1])
            if first < number - 1:
                self.lines[first:number] = ['#'] * (number - first)
            self.lines[number] = '#'
            self.lines[number + 1] = ' '.join(positions + ['0'])
        else:
            raise ValueError(error)


def main():
    """The command."""
    profile = Profile(sys.stdin.read())
    profile.plant(sys.argv[1], sys.argv[2:])
    print('\n'.join(profile.lines))


if __name__ == '__main__':
    main()
