#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at branches in reports.

    report_branches.py BROWSER FOLDER BRANCHES WITHOUT SOURCE

FOLDER is for the browser's own files; BRANCHES and WITHOUT are profiles with NAME.html next to them, with branches and
without, of SOURCE.
"""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]
from report import Look, line_number

TABS = 'return [...document.querySelectorAll("nav a")].map(link => link.textContent)'
ROWS = 'return [...document.querySelectorAll(".rows .row")].map(row => ' \
    '[...row.querySelectorAll(".cell")].map(cell => cell.textContent))'
HEADS = 'return [...document.querySelectorAll(".rows .head .cell")].map(cell => cell.textContent)'
CARDS = 'document.querySelectorAll(".finding details").forEach(part => part.open = true); ' \
    'return [...document.querySelectorAll(".finding")].map(card => card.innerText)'


def branches(seen, path, source):
    """The view, sorted in two ways, and a card."""
    browser = seen.browser
    depends = f'branchkinds.c:{line_number(source, "/* data-dependent */")}'
    browser.open(f'{path}.html', '#view=branches')
    seen.same('the tab', browser.run(TABS)[6], 'Branches')
    heads = browser.run(HEADS)
    seen.same('columns', [head.split('\u00a0')[0].split(' ')[0] for head in heads],
              ['Missed', 'Executed', 'Rate', 'Taken', 'Static', 'Counter', 'History', 'Kind', 'Where', 'Instruction',
               'Depends'])
    rows = {row[8].split(' ')[0]: row for row in browser.run(ROWS)}
    row = rows.get(depends, [''] * 11)
    seen.same('its kind', row[7], 'data-dependent, hard')
    seen.check('what it depends on', row[10].startswith(f'data loaded at {depends}: '), row)
    seen.same('executions', row[1], '20,000')
    row = rows.get(f'branchkinds.c:{line_number(source, "/* indirect */")}', [''] * 11)
    seen.check('targets', row[10].startswith('3 targets: one 49.6'), row)
    browser.run('[...document.querySelectorAll(".rows .head button")][1].click()')
    executed = [int(row[1].replace(',', '')) for row in browser.run(ROWS)]
    seen.check('by executions', executed == sorted(executed, reverse=True) and len(executed) > 3, executed)
    browser.open(f'{path}.html')
    cards = browser.run(CARDS)
    card = next((card for card in cards if depends in card.split('\n')[1]), '')
    advice = 'The condition is on data in no order: sort it, or compute without a branch.'
    seen.check('what to do, said once', sum(advice in card for card in cards) == 1, cards)
    for words in ('Mispredicted branches', 'conditional branches are mispredicted'):
        seen.check(f'the card: {words}', words in card, card)
    seen.quiet('branches')


def without(seen, path):
    """No view."""
    seen.browser.open(f'{path}.html', '#view=branches')
    tabs = seen.browser.run(TABS)
    seen.check('no tab without branches', 'Branches' not in tabs and len(tabs) >= 6, tabs)
    seen.quiet('without branches')


def main(browser, folder, path, without_path, source):
    seen = Look(browser, folder)
    try:
        branches(seen, path, source)
        without(seen, without_path)
    finally:
        seen.browser.close()


main(*sys.argv[1:])
