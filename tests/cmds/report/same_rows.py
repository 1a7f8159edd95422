# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows on a page are those that costgrind prints.

    same_rows.py objects      raw.json, of a page, and objects.json; prints some of them
    same_rows.py rooflines    roofline.json, of a page, and said.json
"""
import json
import sys


def objects():
    raw, said = json.load(open('raw.json')), json.load(open('objects.json'))
    data = raw['data_objects']
    names = [event['name'] for event in data['events']]
    by_name = {(o['name'], o['kind']): o for o in said['objects']}
    wrong = []
    for row in data['rows']:
        other = by_name[row['name'], row['kind']]
        known = dict(zip(names, row['costs']))
        if known['D1mr'] + known['D1mw'] != other['costs'][1] or \
                [p['offset'] for p in row['pieces']] != [p['offset'] for p in other['pieces']]:
            wrong.append(row['name'])
    sums = [sum(column) for column in zip(*(row['costs'] for row in data['rows'] + data['rests']))]
    print('wrong:', *wrong, 'sums' if sums != data['totals'] else '')
    print(len(data['rows']), [(rest['kind'], rest['objects']) for rest in data['rests']])
    strings, functions = raw['strings'], raw['functions']
    for row in data['rows'][:3]:
        print(row['kind'], row['pieces'], [(user['function'], user['count'], user['number'] is not None and
              strings[functions['name'][user['number']]]) for user in row['users']])


def rooflines():
    raw, said = json.load(open('roofline.json')), json.load(open('said.json'))
    data, functions = raw['roofline'], raw['functions']['name']
    wrong = [key for key in ('machine', 'line') if said[key] != data[key]]
    for ours, theirs in zip(data['functions'], said['functions']):
        if any(ours[key] != theirs[key] for key in ours if key != 'function'):
            wrong.append(theirs['function'])
        if 'function' in ours and raw['strings'][functions[ours['function']]] != theirs['function']:
            wrong.append('name')
    print('wrong:', *wrong, len(data['functions']) == len(said['functions']), len(data['places']))


globals()[sys.argv[1]](*sys.argv[2:])
