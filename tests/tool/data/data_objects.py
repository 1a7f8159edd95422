#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests look at in files of --data=yes.

    data_objects.py objects FILE [PATTERN]  object file, name and events of each object that matches
    data_objects.py rows FILE PATTERN       offset and events of its pieces
    data_objects.py users FILE PATTERN      function, line and events of who missed on it, how often
    data_objects.py sums PROFILE... FILE    nothing, if misses of the file equal the profiles'
                                            together, users' misses the objects', and
                                            the classes of each object, if there are any, its misses
"""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
import profile  # tests/profile.py hides the library's


def words(events, counts):
    """Those that are not 0."""
    return ' '.join('%s=%d' % (event, counts[event]) for event in events if counts.get(event, 0))


def by_object(data):
    """Events of each object (object file, name)."""
    objects = collections.defaultdict(collections.Counter)
    for (group, name), counts in data.sums(lambda place: (place[0], place[2])).items():
        objects[group, name].update(dict(zip(data.events, counts)))
    return objects


def main(args):
    """The command; the exit status."""
    command, path = args[0], args[-1] if args[0] == 'sums' else args[1]
    data = profile.read(path)
    pattern = re.compile(args[2] if command != 'sums' and len(args) > 2 else '')
    if command == 'objects':
        for (group, name), counts in sorted(by_object(data).items()):
            if pattern.search(name):
                print('%s %s: %s' % (group, name, words(data.events, counts)))
    elif command == 'rows':
        rows = data.sums(lambda place: (place[2], place[5]))
        for (name, line), counts in sorted(rows.items()):
            if pattern.search(name):
                print('%d: %s' % (line, words(data.events, dict(zip(data.events, counts)))))
    elif command == 'users':
        for key, (count, costs) in sorted(users(data).items()):
            if pattern.search(key[2]):
                print('%s:%d %d %s' % (key[0], key[1], count, words(data.events, costs)))
    else:
        return sums([profile.read(name) for name in args[1:-1]], data)
    return 0


def users(data):
    """Of (function, line, object): how often, and the events."""
    found = {}
    for ((_, _, function, line), (_, _, name)), (count, counts) in data.calls.items():
        costs = found.setdefault((function, line, name), [0, collections.Counter()])
        costs[0] += count
        costs[1].update(counts)
    return found


def sums(profiles, data):
    """As in the head."""
    status = 0
    for event in data.events:
        if event == 'Lines':
            continue  # there are none in a profile
        total = sum(one.totals[event] for one in profiles)
        if total != data.totals[event]:
            print('%s: %d in the profile, %d on data' % (event, total, data.totals[event]))
            status = 1
    missed = collections.defaultdict(collections.Counter)
    for (_, _, name), (_, costs) in users(data).items():
        missed[name].update(costs)
    of_objects = collections.defaultdict(collections.Counter)
    for (_, name), counts in by_object(data).items():
        of_objects[name].update(counts)
        classes = sum(counts[event] for event in ('D1cold', 'D1cap', 'D1conf'))
        if 'D1cold' in data.events and classes != counts['D1mr'] + counts['D1mw']:
            print('%s: %d misses by classes: %s' % (name, classes, words(data.events, counts)))
            status = 1
    for name in sorted(set(missed) | set(of_objects)):
        if words(data.events, missed[name]) != words(data.events, of_objects[name]):
            print('%s: %s by users, %s of itself' % (name, words(data.events, missed[name]),
                                                    words(data.events, of_objects[name])))
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
