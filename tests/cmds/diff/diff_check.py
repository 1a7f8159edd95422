#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds difference profiles up, on its own: costgrind has no part in it.

    diff_check.py new OLD DIFFERENCE NEW      OLD + DIFFERENCE = NEW, by the events of DIFFERENCE
    diff_check.py opposite FORTH BACK         FORTH + BACK = 0
    diff_check.py flat A B                    the same counts for each function of a file
    diff_check.py csv FILE FILE               changes of the second are the first's, negated
    diff_check.py apart OLD NEW COLUMNS       Up - Down of COLUMNS is NEW - OLD, of the program, each
                                              function, caller and callee, and each line of functions
                                              that begin and end where they did; nothing is below 0

Prints nothing if it is so, else what is not.
"""

import collections
import csv
import re
import sys


def number(text, last):
    if text == '*':
        return last
    return last + int(text, 0) if text[0] in '+-' else int(text, 0)


def read(path):
    """Counts by (kind, object, file, function, positions, callee if there is one, event)."""
    counts = collections.Counter()
    names = {}
    events = []
    object = callee_object = '???'
    file = source = function = callee = callee_file = None
    position = (0,)
    calls = None

    def move(words):
        return tuple(number(word, last) for word, last in zip(words, position))

    def name(kind, text):
        match = re.match(r'\((\d+)\)(?: (.*))?$', text)
        if not match:
            return text
        if match.group(2) is not None:
            names[kind, match.group(1)] = match.group(2)
        return names[kind, match.group(1)]

    skips = False  # the source of a jump
    for text in open(path, encoding='utf-8', errors='surrogateescape'):
        text = text.rstrip('\n')
        key, equals, value = text.partition('=')
        if text.startswith('positions:'):
            position = (0,) * (len(text.split()) - 1)
        elif skips:
            position = move(text.split())
            skips = False
        elif text.startswith('events:'):
            events = text.split()[1:]
        elif text[:1].isdigit() or text[:1] in ('+', '-', '*'):
            words = text.split()
            position = move(words)
            for event, word in zip(events, words[len(position):]):
                if calls is None:
                    counts['self', object, source, function, position, event] += int(word)
                else:
                    counts['call', object, file, function, position, callee_object,
                           callee_file, callee, event] += int(word)
            if calls is not None:
                counts['call', object, file, function, position, callee_object, callee_file,
                       callee, 'calls'] += calls
            calls = callee_file = None
            callee_object = object
        elif key == 'jfi':
            name('file', value)
        elif key == 'jfn':
            name('function', value)
        elif not equals or ':' in key:
            pass
        elif key == 'ob':
            object = callee_object = name('object', value)
        elif key == 'cob':
            callee_object = name('object', value)
        elif key == 'fl':
            file = source = name('file', value)
        elif key in ('fi', 'fe'):
            source = name('file', value)
        elif key == 'fn':
            function = name('function', value)
            source = file
        elif key in ('cfi', 'cfl'):
            callee_file = name('file', value)
        elif key == 'cfn':
            callee = name('function', value)
            callee_file = callee_file or source
        elif key == 'calls':
            calls = int(value.split()[0])
        elif key in ('jump', 'jcnd'):
            skips = True
        else:
            sys.exit('%s: %s: not known' % (path, text))
    return counts


def events_of(path):
    for text in open(path, encoding='utf-8', errors='surrogateescape'):
        if text.startswith('events:'):
            return set(text.split()[1:])
    sys.exit('%s: no events' % path)


def flat(counts):
    sums = collections.Counter()
    for key, count in counts.items():
        if key[0] == 'self':
            sums[key[2], key[3], key[5]] += count
    return sums


def subtract(a, b):
    difference = collections.Counter(a)
    difference.subtract(b)
    return {key: count for key, count in difference.items() if count != 0}


def changes(path, sign):
    with open(path, newline='', encoding='utf-8', errors='surrogateescape') as file:
        return sorted((row['kind'], row['file'], row['function'], row['callee'], row['line'],
                       row['event'], sign * int(row['change'])) for row in csv.DictReader(file))


def folded(name):
    """Without what tells clones and hashes apart."""
    return re.sub(r'(\.(constprop|part)\.\d+)+$|::h[0-9a-f]{16}$', '', name)


def net(columns):
    """Up - Down; what is below 0, or not Up or Down, ends it."""
    counts = collections.Counter()
    for key, count in columns.items():
        match = re.match(r'(.*)(Up|Down)$', key[-1])
        if count < 0 or not (match or (key[-1] == 'calls' and count > 0)):
            sys.exit('%s %d' % (' '.join(map(str, key)), count))
        if match:
            counts[key[:-1] + (match.group(1),)] += count if match.group(2) == 'Up' else -count
    return counts


def by_function(counts):
    sums = collections.Counter()
    for key, count in counts.items():
        if key[0] == 'self':
            sums['program', key[-1]] += count
            sums['self', folded(key[3]), key[-1]] += count
        elif key[-1] != 'calls':
            sums['call', folded(key[3]), folded(key[7]), key[-1]] += count
    return sums


def extents(counts):
    """First and last line of each function in each source."""
    found = {}
    for key in counts:
        if key[0] == 'self' and key[4][-1] > 0:
            lines = found.setdefault(key[2:4], [key[4][-1]] * 2)
            lines[:] = [min(lines[0], key[4][-1]), max(lines[1], key[4][-1])]
    return found


def by_line(counts, places):
    sums = collections.Counter()
    for key, count in counts.items():
        if key[0] == 'self' and key[2:4] in places:
            sums['line', *key[2:4], key[4][-1], key[-1]] += count
    return sums


def apart(old, new, columns):
    events = {key[-1] for key in old} & {key[-1] for key in new}
    sides = [collections.Counter({key: count for key, count in side.items() if key[-1] in events})
             for side in (old, new)]
    difference = net(columns)
    ends = [extents(side) for side in sides]
    stay = {place for place in ends[1] if ends[0].get(place) == ends[1][place]}
    rest = {}
    for sums in by_function, lambda counts: by_line(counts, stay):
        total = sums(sides[0])
        total.update(sums(difference))
        rest.update(subtract(total, sums(sides[1])))
    for place in ends[1]:
        if place in ends[0] and place not in stay:
            lines = {key[4][-1] for key in difference if key[0] == 'self' and key[2:4] == place}
            if lines - {0, ends[1][place][0]}:
                rest['moved', *place, str(sorted(lines))] = 1
    return rest


def main():
    what, paths = sys.argv[1], sys.argv[2:]
    if what == 'csv':
        if changes(paths[0], 1) != changes(paths[1], -1) or not changes(paths[0], 1):
            print('different')
        return
    profiles = [read(path) for path in paths]
    if what == 'new' and '/dev/null' not in paths:
        wanted = events_of(paths[1]) | {'calls'}
        profiles = [collections.Counter({key: count for key, count in profile.items()
                                         if key[-1] in wanted}) for profile in profiles]
    if what == 'new':
        profiles[0].update(profiles[1])
        rest = subtract(profiles[0], profiles[2])
    elif what == 'apart':
        rest = apart(*profiles)
    elif what == 'opposite':
        profiles[0].update(profiles[1])
        rest = subtract(profiles[0], {})
    else:
        rest = subtract(flat(profiles[0]), flat(profiles[1]))
    if not any(profiles):
        print('nothing was read')
    for key, count in sorted(rest.items(), key=str)[:20]:
        print(*key, count)


main()
