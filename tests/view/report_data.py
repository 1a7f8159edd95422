#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at data in reports: types, objects, the roofline.

    report_data.py BROWSER FOLDER DATA SOURCE WITHOUT PLAIN

FOLDER is for the browser's own files, and for pictures; DATA, WITHOUT and PLAIN are pages without their .html, with data,
without types and objects of it, and of a profile that has none of it; SOURCE is data.c.
"""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]
from report import HASH, TABLE, Look, line_number, text_of

TABS = 'return [...document.querySelectorAll("nav a")].map(link => link.textContent)'
ROWS = 'return [...document.querySelectorAll(".rows .row")].map(row => ' \
    '[...row.querySelectorAll(".cell")].map(cell => cell.innerText.replace(/\\s+/g, " ").trim()))'
CARDS = 'document.querySelectorAll(".finding details").forEach(part => part.open = true); ' \
    'return [...document.querySelectorAll(".finding")].map(card => card.innerText)'
FIGURES = 'return [...document.querySelectorAll("figure")].map(figure => [figure.querySelector("figcaption").textContent, ' \
    '[...figure.querySelectorAll("text:not(.offset)")].map(text => text.textContent), ' \
    '[...figure.querySelectorAll("rect.field[data-help]")].map(box => box.dataset.help.split("\\n")[0])])'
HEATS = 'return [...document.querySelectorAll("figure:first-of-type rect.field[data-help]")].map(box => ' \
    '[box.dataset.help.split(":")[0], Number(box.style.getPropertyValue("--heat"))])'


def types(seen, path):
    """The table, the strips of a struct, its members and functions; another type by a click."""
    browser = seen.browser
    browser.size(1400, 800)
    browser.open(f'{path}.html', '#view=types')
    rows = browser.run(ROWS)
    seen.check('types: what is no type is last', [row[1] for row in rows].index('struct client') <
               [row[1][0] for row in rows].index('('), rows)
    seen.same('types: what costs most is chosen', browser.run(text_of('.detail h2')), 'struct client  160 B, 3 lines of 64 B')
    figures = browser.run(FIGURES)
    seen.same('types: two drawings', [title for title, *_ in figures], ['As it is, if it begins with a line', 'Proposed'])
    seen.same('types: members where they are', sorted(figures[0][2]),
              ['balance: 8 B at 152', 'flags: 4 B at 144', 'hole of 4 B at 148', 'last_seen: 8 B at 136', 'name[]: 128 B at 8',
               'name[]: 128 B at 8', 'name[]: 128 B at 8', 'next: 8 B at 0'])
    seen.check('types: and where they could be', {'next: 8 B at 0', 'last_seen: 8 B at 8'} <= set(figures[1][2]), figures[1])
    heats = dict(browser.run(HEATS))
    seen.check('types: heat', max(heats.values()) == 1 and heats['next'] > 0 and heats['last_seen'] > 0 and
               heats['name[]'] < 0.01, heats)
    members = {row[3]: row for row in browser.run(TABLE % 'Members')}
    seen.same('types: offset, size, line of a member', members.get('last_seen', [])[:3], ['136', '8', '2'])
    users = [row[1] for row in browser.run(TABLE % 'Functions that refer to it')]
    seen.check('types: functions', users[0] == 'count_idle' and 'add_client' in users, users)
    browser.picture(seen.folder / 'report-types.png')
    browser.click('.rows .row:nth-child(2)')
    seen.check('types: a click chooses one', 'type=' in browser.run(HASH) and
               'struct client ' not in browser.run(text_of('.detail h2')), browser.run(HASH))
    # By the last column.
    browser.run('[...document.querySelectorAll(".rows .head button")].at(-1).click()')
    seen.check('types: sorted by another column', browser.run(
        'return document.querySelectorAll(".rows .head [aria-sort]").length') == 1)
    seen.quiet('types')


def objects(seen, path, source):
    """The map, the table, and of a chosen one where and by whom it is missed."""
    browser = seen.browser
    where = f'add_client data.c:{line_number(source, "/* allocated */")}'
    browser.open(f'{path}.html', '#view=data')
    rows = browser.run(ROWS)
    seen.check('objects: by kind', {'[heap]', 'data'} <= {row[2] for row in rows}, rows)
    shown = [row[1] for row in rows]
    cut = browser.run('return [...document.querySelectorAll(".rows .row")].map(row => row.children[1])'
                      '.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)')
    seen.check('objects: names use the room available', cut == [] and any('\u2026' in name for name in shown), [cut, shown])
    names = browser.run('return [...document.querySelectorAll(".rows .row")].map(row => '
                        'row.children[1].querySelector("[data-help]").dataset.help)')
    row = next(([cells[0], name, *cells[2:]] for cells, name in zip(rows, names)
                if name.startswith(f'struct client, {where}') and cells[2] == '[heap]'), ['', ''])
    seen.check('objects: who allocated, how much', row[1].endswith('main data.c:53, 160 B') or ', 160 B' in row[1], row)
    boxes = browser.run('return [...document.querySelectorAll(".box")].map(box => box.dataset.help)')
    seen.check('objects: a box of each', any(box.startswith(where) for box in boxes) and len(boxes) > 3, boxes)
    browser.run('[...document.querySelectorAll(".box")].find(box => box.dataset.help.startsWith(arguments[0]) && '
                'box.dataset.help.endsWith("[heap]")).dispatchEvent(new MouseEvent("click", {bubbles: true}))', where)
    seen.same('objects: a click chooses one', browser.run(text_of('.detail h2')), 'struct client  160 B, [heap]')
    seen.check('objects: the chain', browser.run(text_of('.chain')).startswith(f'allocated by {where}called by main data.c:'),
               browser.run(text_of('.chain')))
    members = {entry[2]: entry[0] for entry in browser.run(TABLE % 'Members that miss')}
    seen.same('objects: members', [members.get('next'), members.get('last_seen')], ['0', '136'])
    seen.same('objects: who misses', browser.run(TABLE % 'Functions that miss on it')[0][0], 'count_idle')
    browser.picture(seen.folder / 'report-objects.png')
    browser.run('const pick = document.querySelector(".tools select"); pick.value = "D1mr"; '
                'pick.dispatchEvent(new Event("change"))')
    seen.check('objects: another event', 'event=D1mr' in browser.run(HASH) and
               browser.run('return document.querySelector(".rows .head button").textContent').startswith('D1mr'))
    browser.click('.chain a')
    seen.same('objects: the allocation leads to its line', browser.run(text_of('h1')), 'add_client')
    seen.quiet('objects')


def roofline(seen, path):
    """Points, roofs, a table; Enter opens a function."""
    browser = seen.browser
    browser.open(f'{path}.html', '#view=roofline')
    roofs = browser.run('return [...document.querySelectorAll(".roofline text")].map(text => text.textContent)')
    seen.check('roofline: roofs', any('operations a cycle' in text for text in roofs) and
               any('memory' in text and 'B/cycle' in text for text in roofs), roofs)
    row = next((row for row in browser.run(ROWS) if row[-1] == 'smooth'), [''])
    seen.check('roofline: operations of a loop', row[0].startswith(f'{(65536 - 2) * 5 * 10:,}'), row)
    points = browser.run('return [...document.querySelectorAll(".box")].map(box => [box.dataset.help.split("\\n")[0], '
                         'box.querySelectorAll("circle").length])')
    seen.check('roofline: a point for each place', ['smooth', 4] in points or ['smooth', 3] in points, points)
    browser.picture(seen.folder / 'report-roofline.png')
    browser.run('document.querySelector(".picture").focus()')
    browser.keys('Down', 'Enter')
    seen.check('roofline: a function opens', 'view=function' in browser.run(HASH), browser.run(HASH))
    seen.quiet('roofline')


def cards(seen, path):
    """Both kinds, which lead to the views."""
    browser = seen.browser
    browser.open(f'{path}.html')
    found = browser.run(CARDS)
    card = next((card for card in found if card.startswith('Hot members on different lines')), '')
    seen.check('the card of a struct', 'next, last_seen of struct client are hot' in card and '% fewer' in card, found)
    card = next((card for card in found if card.startswith('Data: ')), '')
    seen.check('the card of an object', 'struct client allocated by add_client' in card and 'next (0), last_seen (136)' in card, found)
    browser.run('[...document.querySelectorAll(".finding")].find(card => card.innerText.startsWith("Hot members"))'
                '.querySelector("h3 a").click()')
    seen.same('a card leads to its type', browser.run(text_of('.detail h2')).split('  ')[0], 'struct client')
    seen.quiet('cards')


def layouts(seen, path):
    """Dark, on a phone, on paper: nothing is wider than the page."""
    browser = seen.browser
    for width, media in ((1400, ''), (380, ''), (760, 'print')):
        browser.size(width, 900)
        for view in ('types', 'data', 'roofline'):
            browser.open(f'{path}.html', f'#view={view}')
            browser.media(media)
            wide = browser.run('return document.documentElement.scrollWidth - innerWidth')
            browser.media('')
            seen.check(f'{view} at {width} {media or "screen"}', wide <= 0, wide)
    browser.size(1400, 900)
    seen.quiet('layouts')


def without(seen, path, plain_path):
    """No tabs where there is no data."""
    seen.browser.open(f'{path}.html', '#view=types')
    tabs = seen.browser.run(TABS)
    seen.check('no data', 'Types' not in tabs and 'Objects' not in tabs and 'Roofline' in tabs, tabs)
    seen.browser.open(f'{plain_path}.html', '#view=roofline')
    seen.same('no roofline', seen.browser.run(TABS),
              ['Where to look', 'Functions', 'Function', 'Flame graph', 'Call graph', 'Tree map'])
    seen.quiet('without data')


def main(browser, folder, path, source, without_path, plain_path):
    seen = Look(browser, folder)
    try:
        types(seen, path)
        objects(seen, path, source)
        roofline(seen, path)
        cards(seen, path)
        layouts(seen, path)
        without(seen, without_path, plain_path)
    finally:
        seen.browser.close()


main(*sys.argv[1:])
