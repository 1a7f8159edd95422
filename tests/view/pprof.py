# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in a profile of pprof that protoc has decoded.

    protoc --decode=Stacks stacks.proto <PROFILE | pprof.py totals|own EVENT|comments|program

totals: lines "event sum", own: lines "name<tab>cost" of the functions that have
some, sorted; program: the first object, which pprof takes for it.  An unknown field, or a number that stands for nothing, is an error.
"""
import ast
import re
import sys
from collections import Counter


def read(lines):
    """A message as {field: [value or message...]}."""
    message = {}
    for line in lines:
        line = line.strip()
        if line == '}':
            break
        key, colon, value = line.partition(':')
        if colon and re.match(r'\w+\Z', key):
            value = value.strip()
            message.setdefault(key, []).append(
                ast.literal_eval('b' + value).decode() if value.startswith('"') else
                value == 'true' if value in ('true', 'false') else int(value))
        else:
            message.setdefault(line.split(' ')[0], []).append(read(lines))
    if any(re.match(r'\d', key) for key in message):
        sys.exit('unknown field %s' % sorted(message))
    return message


def one(message, key):
    """A field that is there once; 0 where nothing is said."""
    value, = message.get(key, [0])
    return value


def main():
    profile = read(iter(sys.stdin))
    texts = profile['text']
    columns = [texts[one(column, 'first')] for column in profile['column']]
    names = {one(function, 'id'): texts[one(function, 'name')]
             for function in profile['function']}
    places = {one(place, 'id'): [names[one(line, 'first')] for line in place['line']]
              for place in profile['place']}
    objects = {one(object, 'id') for object in profile.get('object', [])}
    if texts[0] != '' or any(one(place, 'object') not in objects | {0}
                             for place in profile['place']):
        sys.exit('no first text, or an object that is not there')
    own = [Counter() for _ in columns]
    for stack in profile['stack']:
        for sums, cost in zip(own, stack['cost'], strict=True):
            sums[places[stack['place'][0]][0]] += cost
        if not all(place in places for place in stack['place']):
            sys.exit('a place that is not there')
    if sys.argv[1] == 'totals':
        for column, sums in zip(columns, own):
            print(column, sum(sums.values()))
    elif sys.argv[1] == 'program':
        print(texts[one(profile['object'][0], 'path')])
    elif sys.argv[1] == 'comments':
        print('\n'.join(texts[i] for i in profile.get('comment', [])))
    else:
        sums = own[columns.index(sys.argv[2])]
        print('\n'.join(sorted('%s\t%d' % item for item in sums.items() if item[1])))


main()
