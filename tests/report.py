#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the page of costgrind report apart.

    report.py page HTML             the frame, the policy and its hashes, nothing from outside
    report.py raw HTML              the data as it is in the page, as JSON
    report.py data HTML             the data as docs/REPORT.md describes it, as JSON
    report.py check SCHEMA NAME...  all of that for NAME.html: the page, the data as the schema
                                    says, and as in NAME.json (same, below) if that is there
    report.py same HTML JSON        whether functions, calls and lines are what costgrind convert
                                    --to=json says about the profile
    report.py profile HTML PROFILE  the same, by the tests' own reader of profiles
    report.py both HTML OLD NEW     "same" of a page of two profiles, with the JSON of both
    report.py functions HTML        a line for each: name, self and inclusive costs
    report.py sources HTML          "file:line:text"
    report.py code HTML             "function address text: costs"
    report.py change HTML           of two profiles: "function: way, why", and "address text: older costs"
                                    of each instruction that cost anything, with what is new and gone

Reports what is wrong in a line each, status 1.
"""
import base64
import collections
import gzip
import hashlib
import html.parser
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import profile as reader  # noqa: E402  tests/profile.py
import schema  # noqa: E402  tests/schema.py

REFERENCES = re.compile(r'''https?:|["'(]//|\burl\((?!#)|@import|\bimport\b|\bfetch\(|XMLHttpRequest|'''
                        r'WebSocket|EventSource|sendBeacon|importScripts|\beval\(|innerHTML')
# The name of a language, which nobody fetches.
NAMESPACE = 'http://www.w3.org/2000/svg'


class Page(html.parser.HTMLParser):
    """The elements of a page: wrong things, contents of script and style, the policy."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.wrong = []
        self.inside = None
        self.texts = collections.defaultdict(list)  # by style, script, data, title
        self.policy = None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in ('link', 'iframe', 'object', 'embed', 'base', 'img', 'form', 'frame'):
            self.wrong.append('an element <%s>' % tag)
        for key, value in attrs.items():
            if key in ('src', 'srcset', 'action', 'data', 'poster', 'background', 'style') or \
                    key.startswith('on') or (key == 'href' and not value.startswith('#')):
                self.wrong.append('an attribute %s="%s"' % (key, value))
        if tag == 'meta' and attrs.get('http-equiv', '').lower() == 'content-security-policy':
            self.policy = attrs['content']
        if tag in ('style', 'script', 'title'):
            self.inside = 'data' if attrs.get('id') == 'data' else tag
            self.texts[self.inside].append('')
            if self.inside == 'script' and self.policy is None:
                self.wrong.append('a script before the policy')

    def handle_endtag(self, tag):
        if tag in ('style', 'script', 'title'):
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside][-1] += data


def parse(path):
    """The page in a file."""
    with open(path, encoding='utf-8', newline='') as file:
        page = Page()
        page.feed(file.read())
        page.close()
    return page


def sources_of(policy):
    """By directive, the list of what it allows."""
    return {words[0]: words[1:] for words in
            (directive.split() for directive in policy.split(';')) if words}


def check_page(page):
    """What is wrong with it."""
    wrong = list(page.wrong)
    for kind in ('style', 'script', 'data', 'title'):
        if len(page.texts[kind]) != 1:
            wrong.append('%d of %s' % (len(page.texts[kind]), kind))
    if page.policy is None:
        return wrong + ['no policy']
    allowed = sources_of(page.policy)
    for directive, wanted in (('default-src', ["'none'"]), ('base-uri', ["'none'"]),
                              ('form-action', ["'none'"])):
        if allowed.get(directive) != wanted:
            wrong.append('%s %s' % (directive, allowed.get(directive)))
    for kind in ('style', 'script'):
        text = page.texts[kind][0]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        if allowed.get(kind + '-src') != ["'sha256-%s'" % digest]:
            wrong.append('%s-src %s is not of what is there, %s' %
                         (kind, allowed.get(kind + '-src'), digest))
        found = REFERENCES.search(text.replace(NAMESPACE, ''))
        if found:
            wrong.append('%s refers to something: %s' % (kind, found.group()))
    for directive in allowed:
        if directive not in ('default-src', 'base-uri', 'form-action', 'style-src', 'script-src') \
                and (directive, allowed[directive]) != ('img-src', ['data:']):
            wrong.append('%s %s' % (directive, allowed[directive]))
    if not re.fullmatch(r'\s*[A-Za-z0-9+/]*={0,2}\s*', page.texts['data'][0]):
        wrong.append('the data is not base64')
    return wrong


def raw_text(page):
    """The JSON in a page."""
    return gzip.decompress(base64.b64decode(page.texts['data'][0])).decode('utf-8')


# -- what is left out ---------------------------------------------------------------------

def sums(differences):
    """Columns d_."""
    result, total = [], 0
    for number in differences:
        total += int(number)
        result.append(total)
    return result


def costs_of(columns, n):
    """A list of costs for each of n rows."""
    full = [[0] * n if column == 0 else [int(value) for value in column] for column in columns]
    for column in full:
        if len(column) != n:
            raise ValueError('a column of %d for %d rows' % (len(column), n))
    return [list(row) for row in zip(*full)] if full else [[] for _ in range(n)]


def add(to, costs, factor=1):
    """Adds costs to others."""
    for i, cost in enumerate(costs):
        to[i] += factor * cost


def rows_of(table, **names):
    """A list of tuples: of columns by their names in the file, keyed by what they become."""
    columns = [sums(table[name]) if name.startswith('d_') else table[name]
               for name in names.values()]
    return list(zip(*columns))


def unpack(data):
    """Puts back what is not in the file, as cmds/report/page/unpack.js does."""
    strings = data['strings']
    for i, text in enumerate(strings):
        if not isinstance(text, str):
            assert max(text) < i
            strings[i] = strings[text[0]] + "'" + strings[text[1]]
    functions, arcs, calls = data['functions'], data['arcs'], data['line_calls']
    n = len(functions['name'])
    functions['self'] = costs_of(functions['self'], n)
    arcs['from'] = sums(arcs['d_from'])
    for table, rows in ((arcs, arcs['from']), (calls, calls['d_function'])):
        packed = 'p_' if 'p_costs' in table else ''
        table['costs'] = costs_of(table[packed + 'costs'], len(rows))
        table['count'] = [int(count) for count in table[packed + 'count']]
    calls['function'] = sums(calls['d_function'])
    other = data['other']
    for table in [calls, data['lines']] + data['code']:
        table['line'] = sums(table['d_line']) if 'd_line' in table else [int(line) for line in table['line']]
    if 'p_costs' in arcs:
        unpack_arcs(functions, arcs, set(sums(other['arcs']['d_only'])) if other else ())
        unpack_calls(arcs, calls)
    else:
        functions['inclusive'] = costs_of(functions['inclusive'], n)
    lines = data['lines']
    lines['function'] = sums(lines['d_function'])
    lines['costs'] = costs_of(lines['costs'], len(lines['function']))
    unpack_texts(data)
    for code in data['code']:
        code['address'] = sums(code['d_address'])
        following = code['d_address'][1:] + [0]
        code['size'] = [int(size) + int(step) for size, step in zip(code['p_size'], following)]
        code['costs'] = costs_of(code['costs'], len(code['address']))
    if other:
        unpack_other(data, other)
    return data


def unpack_texts(data):
    """0 is the first text that was not yet there, others are given by how far from the first one."""
    named = next_one = data['first_text']
    for code in data['code']:
        code['text'] = []
        for number in code['p_text']:
            code['text'].append(named + number - (number > 0) if number else next_one)
            next_one = max(next_one, code['text'][-1] + 1)


def unpack_other(data, other):
    """What the older profile has by the rows of the newer one: p_ is to be added to that."""
    for table, single, several in (('functions', 'calls', ('self', 'inclusive')),
                                   ('arcs', 'count', ('costs',)),
                                   ('line_calls', 'count', ('costs',)), ('lines', None, ('costs',))):
        older, newer = other[table], data[table]
        packed = 'p_' if 'p_' + several[0] in older else ''
        for name in several:
            older[name] = costs_of(older[packed + name], len(newer[name]))
            for row, costs in zip(older[name], newer[name] if packed else ()):
                add(row, costs)
        if single:
            older[single] = [int(count) + (int(base) if packed else 0) for count, base in
                             zip(older[packed + single], newer[single])]
    if other['tree']:
        tree, n = other['tree'], len(data['tree']['function'])
        packed = 'p_' if 'p_costs' in tree else ''
        tree['costs'] = costs_of(tree[packed + 'costs'], n)
        for row, costs in zip(tree['costs'], costs_of(data['tree']['costs'], n) if packed else ()):
            add(row, costs)
    for older, newer in zip(other['code'], data['code']):
        if older['way'] != 'unknown':
            packed = 'p_' if 'p_costs' in older else ''
            older['costs'] = costs_of(older[packed + 'costs'], len(newer['costs']))
            for row, costs in zip(older['costs'], newer['costs'] if packed else ()):
                add(row, costs)
            older['new'] = sums(older['d_new'])


def unpack_arcs(functions, arcs, only):
    """The last arc to each function; from these inclusive costs.  only: those that another profile has."""
    n, cycle = len(functions['name']), functions['cycle']
    whole = functions.get('whole', [0] * n)
    outgoing, incoming = [[] for _ in range(n)], [[] for _ in range(n)]
    for i, (caller, callee) in enumerate(zip(arcs['from'], arcs['to'])):
        if caller != callee and i not in only:
            outgoing[caller].append(i)
            incoming[callee].append(i)
    for callee in range(n):
        if incoming[callee]:
            arcs['count'][incoming[callee][-1]] += functions['calls'][callee] - \
                sum(arcs['count'][i] for i in incoming[callee])
    inclusive = [None] * n
    functions['inclusive'] = inclusive
    stack = list(range(n))
    while stack:
        function = stack.pop()
        if inclusive[function] is not None:
            continue
        missing = [arcs['to'][i] for i in outgoing[function]
                   if cycle[arcs['to'][i]] == 0 and inclusive[arcs['to'][i]] is None]
        if missing:
            stack += [function] + missing
            continue
        costs = list(functions['self'][function])
        for i in outgoing[function]:
            if whole[function] or cycle[function] == 0 or cycle[function] != cycle[arcs['to'][i]]:
                add(costs, arcs['costs'][i])
        inclusive[function] = costs
        if incoming[function] and cycle[function] == 0:
            last = arcs['costs'][incoming[function][-1]]
            add(last, costs)
            for i in incoming[function][:-1]:
                add(last, arcs['costs'][i], -1)


def unpack_calls(arcs, calls):
    """The last call of a function from any line of another one."""
    groups = collections.defaultdict(list)
    for i, pair in enumerate(zip(calls['function'], calls['to'])):
        groups[pair].append(i)
    for a, pair in enumerate(zip(arcs['from'], arcs['to'])):
        for i in groups[pair][-1:]:
            calls['count'][i] = arcs['count'][a]
            calls['costs'][i] = list(arcs['costs'][a])
            for j in groups[pair][:-1]:
                calls['count'][i] -= calls['count'][j]
                add(calls['costs'][i], calls['costs'][j], -1)


# -- comparisons ----------------------------------------------------------------------------

def named(data):
    """(object, file, name) of each function."""
    strings, functions = data['strings'], data['functions']
    files = [strings[i] for i in data['files']]
    objects = [strings[i] for i in data['objects']]
    return [(objects[o], files[f], strings[n]) for o, f, n in
            zip(functions['object'], functions['file'], functions['name'])]


def tables_of(data, side=None):
    """All that is compared, by names; of the main profile, or of data['other']."""
    names = named(data)
    files = [data['strings'][i] for i in data['files']]
    functions, arcs, lines, calls = ({**data[key], **(side or data)[key]} for key in
                                     ('functions', 'arcs', 'lines', 'line_calls'))
    return {
        'self': {name: costs for name, costs in zip(names, functions['self']) if any(costs)},
        'inclusive': dict(zip(names, functions['inclusive'])),
        'called': dict(zip(names, map(int, functions['calls']))),
        'arcs': {(names[a], names[b]): (count, costs) for a, b, count, costs in
                 zip(arcs['from'], arcs['to'], arcs['count'], arcs['costs'])},
        'lines': {(names[f], files[file], line): costs for f, file, line, costs in
                  zip(lines['function'], lines['file'], lines['line'], lines['costs'])
                  if any(costs)},
        'line_calls': {(names[f], files[file], line, names[to]): (count, costs)
                       for f, file, line, to, count, costs in
                       zip(calls['function'], calls['file'], calls['line'], calls['to'],
                           calls['count'], calls['costs'])},
    }


def tables_of_json(profile):
    """The same of costgrind convert --to=json."""
    functions = profile['functions']
    names = [(f.get('object', '???'), f['file'], f['function']) for f in functions]
    tables = {key: {} for key in ('self', 'inclusive', 'called', 'arcs', 'lines', 'line_calls')}
    for name, function in zip(names, functions):
        if any(function['self']):
            tables['self'][name] = function['self']
        tables['inclusive'][name] = function['inclusive']
        tables['called'][name] = function['called']
        for line in function['costs']:
            if any(line['costs']):
                key = name, line.get('source', name[1]), line.get('line', 0)
                add(tables['lines'].setdefault(key, [0] * len(line['costs'])), line['costs'])
        for call in function['calls']:
            to = names[call['callee']]
            for table, key in ((tables['arcs'], (name, to)),
                               (tables['line_calls'], (name, call.get('source', name[1]),
                                                       call.get('line', 0), to))):
                count, costs = table.get(key, (0, [0] * len(call['costs'])))
                costs = list(costs)
                add(costs, call['costs'])
                table[key] = count + call['count'], costs
    return tables


def tables_of_profile(path):
    """Self costs, lines and arcs by tests/profile.py."""
    profile = reader.read(path)

    def row(costs):
        return [costs.get(event, 0) for event in profile.events]

    tables = {'self': {}, 'lines': {}, 'arcs': {}}
    for (function, _, (file, line)), costs in profile.costs.items():
        for table, key in ((tables['self'], function), (tables['lines'], (function, file, line))):
            add(table.setdefault(key, [0] * len(profile.events)), row(costs))
    for (function, _, _, callee), arc in profile.arcs.items():
        count, costs = tables['arcs'].get((function, callee), (0, [0] * len(profile.events)))
        add(costs, row(arc[1]))
        tables['arcs'][function, callee] = count + arc[0], costs
    return tables


def costly(tables):
    """The same without what is nothing: rows that one of two profiles does not have."""
    def is_any(value):
        return value[0] or any(value[1]) if isinstance(value, tuple) else \
            any(value) if isinstance(value, list) else value

    return {kind: {key: value for key, value in table.items() if is_any(value)}
            for kind, table in tables.items()}


def compare_both(data, old_path, new_path):
    """What differs, of both profiles of a page."""
    wrong = []
    for side, path in ((data['other'], old_path), (None, new_path)):
        with open(path, encoding='utf-8') as file:
            wanted = json.load(file)
        names = [event['name'] for event in wanted['events']]
        events = [names.index(event['name']) for event in data['events']]
        for function in wanted['functions']:
            for key in ('self', 'inclusive'):
                function[key] = [function[key][event] for event in events]
            for place in function['costs'] + function['calls']:
                place['costs'] = [place['costs'][event] for event in events]
        wrong += compare(costly(tables_of(data, side)), costly(tables_of_json(wanted)))
    return wrong


def compare(got, want):
    """What differs, of the tables that are wanted."""
    wrong = []
    for kind, table in want.items():
        for key in sorted(set(got[kind]) | set(table), key=repr):
            if got[kind].get(key) != table.get(key):
                wrong.append('%s of %s: %s, not %s' % (kind, key, got[kind].get(key),
                                                       table.get(key)))
        if not wrong and len(table) == 0 and kind == 'self':
            wrong.append('nothing to compare')
    return wrong[:20]


# -- the command ------------------------------------------------------------------------------

def print_functions(data):
    for (_, _, name), own, inclusive in zip(named(data), data['functions']['self'],
                                            data['functions']['inclusive']):
        print(ascii(name)[1:-1], *own, '|', *inclusive)


def print_sources(data):
    for source in data['sources']:
        file = data['strings'][data['files'][source['file']]]
        for i, line in enumerate(source['text'].split('\n')):
            print('%s:%d:%s' % (os.path.basename(file), source['first'] + i, ascii(line)[1:-1]))


def print_code(data):
    for code in data['code']:
        for address, text, costs in zip(code['address'], code['text'], code['costs']):
            print(code['name'], hex(address), data['strings'][text] + ':', *costs)


def print_change(data):
    """Totals are the older profile's code's; nothing may get lost."""
    for code, older in zip(data['code'], data['other']['code']):
        print('%s: %s' % (code['name'], ', '.join(filter(None, (older['way'], older['file'],
                                                                older['why'])))))
        if older['way'] == 'unknown':
            continue
        for i, costs in enumerate(older['costs']):
            if any(costs) or i in older['new']:
                print(hex(code['address'][i]), data['strings'][code['text'][i]] + ':', *costs,
                      *['new'] * (i in older['new']))
        if older['gone']['instructions']:
            print('gone:', older['gone']['instructions'], *older['gone']['costs'])


def wrong_charges(data):
    """Nothing is lost where libraries are charged to their callers; of packed data."""
    columns = data.get('charges', {'self': []})['self']
    return [f'charges of {event["name"]} add up to something else'
            for event, charged, own in zip(data['events'], columns, data['functions']['self'])
            if sum(map(int, charged or [0])) != sum(map(int, own or [0]))]


def print_charges(data):
    """Self costs with libraries' costs charged to callers, and whose part of which function is charged to whom."""
    charges = data.get('charges')
    if charges is None:
        return
    names = [name for _, _, name in named(data)]
    print(charges['to'], 'exact' if charges['exact'] else 'by shares', *(
        [] if charges['imports'] is None else ['imports:', names[charges['imports']]]))
    for i, name in enumerate(names):
        print('own' if charges['is_own'][i] else 'library', ascii(name)[1:-1],
              *(column[i] if column else 0 for column in charges['self']))
    for function, caller, part in zip(charges['function'], charges['caller'], charges['part']):
        print(names[function], 'for', f'{names[caller]}:', f'{part:.4g}')


def check(schema_path, names):
    """The page, its data and what it is of, for each name; the exit status."""
    checker = schema.Checker(schema.read(schema_path), strict=True)
    status = 0
    for name in names:
        page = parse(name + '.html')
        wrong = check_page(page)
        if not wrong:
            data = json.loads(raw_text(page))
            checker.check(data)
            wrong = wrong_charges(data)
            unpack(data)
        if not wrong and os.path.exists(name + '.json'):
            with open(name + '.json', encoding='utf-8') as file:
                wrong = compare(tables_of(data), tables_of_json(json.load(file)))
        for line in wrong:
            print('%s: %s' % (name, line))
            status = 1
    return status


def main(action, path, *others):
    """The command; the exit status."""
    if action == 'check':
        return check(path, others)
    page = parse(path)
    if action == 'page':
        wrong = check_page(page)
    elif action == 'raw':
        print(raw_text(page))
        wrong = []
    else:
        data = unpack(json.loads(raw_text(page)))
        wrong = []
        if action == 'same':
            with open(others[0], encoding='utf-8') as file:
                wrong = compare(tables_of(data), tables_of_json(json.load(file)))
        elif action == 'both':
            wrong = compare_both(data, *others)
        elif action == 'profile':
            wrong = compare(tables_of(data), tables_of_profile(others[0]))
        elif action == 'data':
            print(json.dumps(data))
        else:
            {'functions': print_functions, 'sources': print_sources,
             'code': print_code, 'change': print_change,
             'charges': print_charges}[action](data)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
