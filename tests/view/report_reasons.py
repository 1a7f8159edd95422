#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the reasons that reports give.

    report_reasons.py BROWSER FOLDER REASONS SOURCE SHORT STRIPPED CYCLE MOVED UNLINED START LEVELS
        MACHINES CLASSES

FOLDER is for the browser's own files, and pictures; REASONS and the following, but SOURCE, are profiles with NAME.html next to them (MOVED: what changed since
REASONS; MACHINES: since LEVELS), SOURCE is misses.c.
"""

import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]
import profile  # tests/profile.py hides the library's

from report import Look, line_number

# With what is folded away.
CARDS = 'document.querySelectorAll(".finding details").forEach(part => part.open = true); ' \
    'return [...document.querySelectorAll(".finding")].map(card => card.innerText)'


def card_of(cards, place):
    return next((card for card in cards if place in card), '')


def costs_of(data, line):
    """Costs of a line of the source, in all functions."""
    sums = {}
    for (_, _, place), counts in data.costs.items():
        if place[1] == line and place[0].endswith('misses.c'):
            for event, value in counts.items():
                sums[event] = sums.get(event, 0) + value
    return sums


def weights(path, name):
    """Of a derived event, as the profile says: {event: weight}."""
    formula = re.search(f'^event: {name} = ([^:]*)', pathlib.Path(path).read_text(), re.M)[1]
    return {words[-1]: int(words[0]) if words[1:] else 1 for words in map(str.split, formula.split('+'))}


def reasons(seen, path, source):
    browser = seen.browser
    browser.size(1400, 900)
    browser.open(f'{path}.html')
    cards = browser.run(CARDS)
    data = profile.read(path)

    def said(text, *words):
        line = line_number(source, text)
        card = card_of(cards, f'misses.c:{line}')
        costs = costs_of(data, line)
        refs, misses = (sum(costs.get(event, 0) for event in events) for events in (('Dr', 'Dw'), ('D1mr', 'D1mw')))
        for word in words:
            word = word.format(rate=f'{100 * misses / refs:.1f} %', refs=f'{refs:,}')
            seen.check(f'{text}: {word}', word in card, card)
        return card

    rate = '{rate} of its {refs} data references miss D1.'
    said('sum += big[i * PAGE]', 'Misses D1, hits in LL', rate, 'advances by 4,096 B each time',
         "1 of D1's 64 sets, in which 8 lines stay", 'Pad rows by a line')
    card = said('sum += *at', 'Misses D1, hits in LL', "advances by a register's value (addq %")
    seen.check('a stride that is not known has no number', 'advances by 4,096' not in card, card)
    card = said('sum += matrix[row][column]', 'Misses the last level', 'advances by 4,040 B')
    seen.check('columns that stay are not told to waste lines', 'little is used' not in card, card)
    card = said('node = node->next', 'Misses D1, hits in LL: pointer chase', rate, 'Put nodes that follow each other side by side')
    seen.check('no stride is named where none is known', 'advances by' not in card, card)
    said('sum += big[i];', 'Many instructions', 'last-level misses')
    seen.check('lines of the loader are not named', not any('_dl_' in card for card in cards), cards)
    seen.quiet('reasons')


def short(seen, path):
    browser = seen.browser
    browser.open(f'{path}.html')
    first = browser.run(CARDS)[0]
    seen.check('a short run is its start', first.startswith('The dynamic loader'), first)
    data = profile.read(path)
    whole = part = 0
    for (owner, _, _), counts in data.costs.items():
        cost = sum(weight * counts.get(event, 0) for event, weight in weights(path, 'EstCyc').items())
        whole += cost
        part += cost if '/ld-linux' in owner[0] else 0
    seen.check('with its share', f'takes {100 * part / whole:.1f} % of all estimated cycles' in first, first)
    loaders = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-2.31.so', '/lib/ld.so.1', '/lib/ld-musl-x86_64.so.1',
               '/usr/bin/ld.bfd', '/usr/bin/ld', '/lib/libldap.so.2', '/lib/ldap.so']
    seen.same('what is a loader', browser.run('return arguments[0].map(isLoader)', loaders), [True] * 4 + [False] * 4)
    seen.quiet('short')


def stripped(seen, path):
    browser = seen.browser
    browser.open(f'{path}.html')
    note = 'return (document.querySelector("[aria-label=\'Where to look\'] .note") || {}).textContent || ""'
    said = browser.run(note)
    seen.check('what has no lines is named', 'has no source lines: without (' in said and 'Functions are named' in said, said)
    first = browser.run(CARDS)[0]
    seen.check('functions are named', '\n0x' in first and '0x' in first.split('spends')[0], first)
    seen.quiet('stripped')


def cycle(seen, path):
    """main 155: 10 of its own; a for 60, b for 40, together all of the cycle's 100; c 45."""
    browser = seen.browser
    browser.open(f'{path}.html', '#view=flame')
    nodes = browser.run("""
        const tree = treeFor(false);
        const name = index => new URLSearchParams(functionLink(index).slice(1)).get('fn');
        return tree.parent.map((_, node) => [tree.path(node).map(name).join(' '), tree.self[node], tree.total[node]]);""")
    # Of each call into it, a's own 5 % and b's 15 % and 80 % in x.
    wanted = [['', 0, 155], ['main', 10, 155], ['main a', 3, 60], ['main a b', 9, 57], ['main a b x', 48, 48],
              ['main b', 6, 40], ['main b a', 2, 2], ['main b x', 32, 32], ['main c', 5, 45], ['main c x', 40, 40]]
    seen.same('a cycle has no more than it costs', sorted([path, round(own, 6), round(total, 6)]
                                                          for path, own, total in nodes), wanted)
    seen.quiet('cycle')


def moved(seen, path):
    """Only the numbers of lines have changed."""
    browser = seen.browser
    browser.open(f'{path}.html')
    cards = browser.run(CARDS)
    seen.check('lines that have moved have not changed', cards and not any('than before' in card for card in cards), cards)
    lines = browser.run('return [...document.querySelectorAll("table[aria-label=\'Lines that changed most\'] tbody tr")]'
                        '.map(row => row.textContent)')
    seen.same('nor are they among the lines that changed most', lines, [])
    browser.open(f'{path}.html', '#fn=sweep')
    note = browser.run('return document.querySelector(".source .note").textContent')
    seen.check('the source says by how many', 'Lines were 3 higher up in ' in note, note)
    heads = browser.run('return [...document.querySelectorAll(".source .head .cell")].map(cell => cell.textContent)')
    seen.check('and has no change of lines', not any('\u0394' in head for head in heads), heads)
    for want, lines in ((0, [[1, 10, 10], [2, 5, 4]]), (2, [[1, 0, 10], [2, 0, 5], [3, 10, 0], [4, 5, 0]]),
                        (0, [[1, 10, 0], [2, 0, 3], [3, 7, 7]]), (-1, [[4, 9, 0], [5, 70, 9], [6, 0, 70]])):
        seen.same(f'{lines} moved', browser.run(
            'return bestShift(new Map(arguments[0].map(([line, now, before]) => [line, {now, before}])))', lines), want)
    seen.quiet('moved')


def unlined(seen, path):
    """A line is a line, and a card is of lines."""
    browser = seen.browser
    browser.open(f'{path}.html')
    cards = browser.run(CARDS)
    seen.check('what has no line says so', cards[0].startswith('Code whose lines are not known\nbare'), cards)
    seen.check('the hottest line has a number', cards[1].startswith('Many instructions\nunlined.c:1 in main'), cards)
    seen.same('and is one card', len(cards), 4)
    heads = 'return [...document.querySelectorAll(".%s .head .cell")].map(cell => cell.textContent)'
    browser.open(f'{path}.html', '#fn=main&event=Ir')
    seen.check('mispredictions have a column next to the source', 'Bm' in ' '.join(browser.run(heads % 'source')) or
               'Bcm' in ' '.join(browser.run(heads % 'source')), browser.run(heads % 'source'))
    browser.open(f'{path}.html', '#view=functions')
    rows = browser.run('return [...document.querySelectorAll(".rows .row")].map(row => row.innerText.split("\\n"))')
    titles = browser.run('return document.querySelector(".rows .head").innerText')
    seen.check('and in the list of functions', 'Self Bm' in titles, titles)
    seen.check('with what they are', any('9' in row and 'main' in row and '90.0\u00a0%' in row for row in rows), rows)
    seen.quiet('unlined')


def start(seen, path):
    """What runs before main is one frame, and no cost is lost."""
    browser = seen.browser
    browser.open(f'{path}.html', '#view=flame')
    nodes = browser.run("""
        const tree = treeFor(false);
        const {names} = choice.profile.functions;
        return tree.parent.map((_, node) => [tree.path(node).map(index => names[index]).join(' > '), tree.self[node],
            tree.total[node]]);""")
    vector = 'std::vector<std::pair<int, int> >::f()'
    seen.same('frames before main', sorted(nodes), [
        ['', 0, 1000], ['(below main)', 20, 1000], ['(below main) > _dl_start', 90, 90], ['(below main) > main', 400, 890],
        [f'(below main) > main > {vector}', 490, 490]])
    browser.open(f'{path}.html', '#view=functions')
    text = browser.run('return document.querySelector("main").innerText')
    seen.check('a name has one spelling', vector.replace('> >', '>>') in text and '> >' not in text, text)
    for name, plain in ((vector, vector.replace('> >', '>>')), ('a<b<c<d> > >', 'a<b<c<d>>>'), ('operator>(a, b)', 'operator>(a, b)'),
                        ('f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)',
                         'f(std::string const&)')):
        seen.same(f'plain: {name}', browser.run('return plainName(arguments[0])', name), plain)
    seen.quiet('start')


def levels(seen, path):
    """The smallest level that has what D1 misses is named; TLBs and prefetchers have their cards."""
    browser = seen.browser
    browser.open(f'{path}.html')
    cards = browser.run(CARDS)
    for line, words in (
            (1, ['Misses D1, hits in L2', '50.0 % of its 4,000 data references miss D1.']),
            (2, ['Misses D1, hits in L3', 'Walks the page table', '1,000 misses of the TLB, of which 900 walk the page table',
                 'Pages of 2 MiB would save 95.0 % of these walks']),
            (3, ['Prefetches what is not used', 'Of 1,200 lines that prefetchers bring in here, 66.7 % are never used']),
            (4, ['Prefetched too late', 'prefetchers bring in 1,000 lines too late']),
            (5, ['Misses the first TLB', '800 misses of the TLB, of which 20 walk', 'fewer pages'])):
        card = card_of(cards, f'levels.c:{line} ')
        for word in words:
            seen.check(f'levels.c:{line}: {word}', word in card, card)
    head = browser.run('return [...document.querySelectorAll(".machine")].map(line => line.innerText)')
    seen.check('one machine is in the head', len(head) == 1 and head[0].startswith('Simulated, lake: D1 32 KiB'), head)
    seen.quiet('levels')


def machines(seen, path):
    """Of two profiles, both machines."""
    browser = seen.browser
    browser.open(f'{path}.html')
    head = browser.run('return [...document.querySelectorAll(".machine")].map(line => line.innerText)')
    seen.same('both machines are in the head', [re.split(' +\u00b7', line)[0] for line in head],
              ['Before, lake: D1 32 KiB, 8-way, lru', 'Now, sea: D1 32 KiB, 8-way, plru (assumed)'])
    rows = browser.run('document.querySelector("details.run").open = true; '
                       'return [...document.querySelectorAll("details.run tbody tr")]'
                       '.map(row => [...row.cells].map(cell => cell.textContent))')
    seen.same('what is the same, and what is not', rows, [
        ['Machine', 'lake, one of four', 'sea, another'],
        ['D1 cache', '32768 B, 64 B, 8-way associative, lru', '32768 B, 64 B, 8-way associative, plru (assumed)'],
        ['L2 cache', 'the same', '1048576 B, 64 B, 16-way associative, lru, nine'],
        ['LL cache', 'the same', '33554432 B, 64 B, 16-way associative, L3, lru, nine'],
        ['Prefetcher', 'the same', 'L2 stream'],
        ['Prefetcher', 'L1D next-line', 'L1D ip-stride'],
    ])
    seen.quiet('machines')


def alone(seen, selector, width, name):
    """A picture of one element of the page, which loses all others."""
    browser = seen.browser
    browser.size(width, 900)
    height = browser.run('const element = document.querySelector(arguments[0]); '
                         'document.body.replaceChildren(element); '
                         'element.querySelectorAll("details").forEach(part => part.open = true); '
                         'document.documentElement.style.cssText = document.body.style.cssText = "display: block; height: auto"; '
                         'return Math.ceil(element.getBoundingClientRect().bottom)', selector)
    browser.size(width, height)
    browser.picture(seen.folder / f'{name}.png')


def classes(seen, path):
    """Two lines of cache that push each other out, and 256 KiB that are gone through again and again."""
    browser = seen.browser
    browser.size(1400, 900)
    browser.open(f'{path}.html')
    card = browser.run(CARDS)[0]
    pair = re.search(r'^desc: (Conflicts: \d+ of \d+ in D1, 4096 bytes apart)', pathlib.Path(path).read_text(), re.M)[1]
    for word in ('Conflicts in D1', 'Pad one of the arrays by a line of 64 B', 'Its misses of D1 are', pair):
        seen.check(f'conflicts: {word}', word in card, card)
    alone(seen, '.finding', 760, 'report-conflicts')

    figure = 'const figure = document.querySelector(".curve").parentElement; '
    for scheme in ('dark', 'light'):
        browser.scheme(scheme)
        browser.size(1000, 700)
        browser.open(f'{path}.html', '#fn=conflict_before')
        seen.same(f'{scheme}: knees in words', browser.run(figure + 'return figure.innerText.split("\\n").join(" ")'),
                  'Cache sizes self knee at 384 KiB, fits from 384 KiB')
        # Bars as high as their shares, those before the knee full ones, next to each other, in their figure.
        bars = browser.run(figure + """
            const box = figure.getBoundingClientRect();
            const bars = [...figure.querySelectorAll('.curve i')].map(bar => bar.getBoundingClientRect());
            return {n: bars.length, places: bars.every((bar, i) => bar.width > 3 && bar.height > 8 &&
                bar.left >= (i ? bars[i - 1].right : box.left) - 0.5 && bar.right <= box.right),
                shares: [...figure.querySelectorAll('.curve i')].map(bar => Number(bar.style.getPropertyValue('--share')))};
        """)
        seen.check(f'{scheme}: 25 bars, none over another', bars['n'] == 25 and bars['places'], bars)
        seen.check(f'{scheme}: they fall at the knee', min(bars['shares'][:5]) > 0.9 and max(bars['shares'][5:]) < 0.1, bars)
        levels = browser.run('return [...document.querySelectorAll(".curve .level")].map(bar => '
                             '[getComputedStyle(bar).borderLeftColor, getComputedStyle(document.body).color])')
        seen.check(f'{scheme}: levels are lines in the colour of texts',
                   len(levels) == 2 and all(line == text for line, text in levels), levels)
    browser.picture(seen.folder / 'report-curve.png')
    seen.quiet('classes')


def main(browser, folder, *words):
    path, source, short_path, stripped_path, cycle_path, moved_path, unlined_path, start_path, \
        levels_path, machines_path, classes_path = words
    seen = Look(browser, folder)
    try:
        reasons(seen, path, source)
        short(seen, short_path)
        stripped(seen, stripped_path)
        cycle(seen, cycle_path)
        moved(seen, moved_path)
        unlined(seen, unlined_path)
        start(seen, start_path)
        levels(seen, levels_path)
        machines(seen, machines_path)
        classes(seen, classes_path)
    finally:
        seen.browser.close()


main(*sys.argv[1:])
