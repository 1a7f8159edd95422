#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds difference profiles up, on its own: costgrind has no part in it.

    diff_check.py new OLD DIFFERENCE NEW      OLD + DIFFERENCE = NEW, by the events of DIFFERENCE
    diff_check.py opposite FORTH BACK         FORTH + BACK = 0
    diff_check.py flat A B                    the same counts for each function of a file
    diff_check.py csv FILE FILE               changes of the second are minus those of the first

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
