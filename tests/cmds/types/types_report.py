# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares raw.json, the data of a report, with types.json and objects.json, which are annotate's."""
import json
raw, said, objects = (json.load(open(name)) for name in ('raw.json', 'types.json', 'objects.json'))
names = [event['name'] for event in raw['events']]
at = [names.index(name) for name in ('D1mr', 'Dr', 'Dw')]
data = raw['types']
def add(rows, key='counts'):
    return [sum(column) for column in zip(*(row[key] for row in rows))]
def some(costs):
    return [costs[i] for i in at]
wrong = [] if add(data['rows'] + [{'counts': data['rest']}]) == raw['totals'] else ['totals']
known = {row['type']: row for row in said['types']}
for row in data['rows']:
    other = known[row['type']]
    if some(row['counts']) != [count or 0 for count in other['counts']]:
        wrong.append(row['type'])
    if 'members' not in row:
        continue
    if add(row['members']) != row['counts']:
        wrong.append('members of ' + row['type'])
    members = {(member['member'], member.get('offset')): member for member in other['members']}
    for member in row['members']:
        twin = members[member['member'], member.get('offset')]
        if some(member['counts']) != [count or 0 for count in twin['counts']]:
            wrong.append(row['type'] + '.' + member['member'])
    layout = row.get('layout')
    if layout and not [m['name'] for m in layout['members'] if m['hot']] == layout['hot'] == other['layout']['hot']:
        wrong.append('hot members of ' + row['type'])
    order = sorted(layout['members'], key=lambda member: member['new_offset']) if layout else []
    if layout and layout.get('better') and [m['name'] for m in order] != other['layout']['better']:
        wrong.append('order of ' + row['type'])
    if any(use > cost for use, cost in zip(add(row['uses']), row['counts'])):
        wrong.append('uses of ' + row['type'])
item = next(row for row in data['rows'] if row['type'] == 'struct item')
users = {raw['strings'][raw['functions']['name'][use['function']]] for use in item['uses'] if use['counts'][at[0]]}
rows = raw['data_objects']
if add(rows['rows'] + rows['rests'], 'costs') != rows['totals']:
    wrong.append('objects')
for row in rows['rows']:
    other = next(o for o in objects['objects'] if (o['name'], o['kind']) == (row['name'], row['kind']))
    if row.get('type') != other.get('type'):
        wrong.append(row['name'])
    if row.get('members') and add(row['members'], 'costs') != row['costs']:
        wrong.append('members of ' + row['name'])
for i, name in enumerate(event['name'] for event in rows['events']):
    if name in names and rows['totals'][i] != raw['totals'][names.index(name)]:
        wrong.append(name)
print('wrong:', *wrong)
print(item['size'], [member['member'] for member in item['members']], len(users) > 0)
