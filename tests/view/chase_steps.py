#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of docs/MACHINES.md: which level serves a pointer chase (tests/programs/chase.c), by its size.

    chase_steps.py measure CHASE MACHINE... >CSV
    chase_steps.py draw CSV >SVG

MACHINE is a name; NAME=lru is that machine with LRU in place of its policies.  The environment is as
tests/run sets it; scripts/update-chase does all of it.
"""

import csv
import math
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tool', 'simulate'))
import chase  # pylint: disable=wrong-import-position

SMALLEST, LARGEST = 2**10, 2**28  # bytes
EIGHTHS = (6, 7, 8, 9, 10, 11, 12, 13, 14, 16)  # of a level's size, where there is something to see
WARM_UP, PASSES = 12, 2
MANY_PASSES = 2**26  # bytes up to which there is time for that many; above, one each


# --- measuring -----------------------------------------------------------------------------------------

def sizes_of(levels):
    """Steps of 2 and 1.5, and around each level smaller ones."""
    sizes = {2**i for i in range(10, 29)} | {3 * 2**i for i in range(9, 27)}
    total = 0
    for n_bytes, _ in levels.values():
        total += n_bytes
        # A victim holds other lines than the level before it.
        for size in (n_bytes, total):
            sizes |= {size * eighths // 8 // chase.LINE * chase.LINE for eighths in EIGHTHS}
    return sorted(size for size in sizes if SMALLEST <= size <= LARGEST)


def with_lru(name, folder):
    """A file of the machine with other policies."""
    path = os.path.join(folder, name + '.machine')
    with open(path, 'w', encoding='utf-8') as out:
        out.write(re.sub(r'(?m)^(L\S+ +\S+ \S+) \w+', r'\1 lru', chase.machine_text(name, 'file')))
    return path


def level_text(item):
    """What the picture says about a level."""
    words = [item['item'], chase.text_of(item['size']), item['policy']]
    if item.get('relation', 'nine') != 'nine':
        words.append(item['relation'])
    return ' '.join(words)


def measure(program, machines):
    print('machine', *chase.LEVELS, 'size', 'reads', 'D1mr', 'L2dr', 'DLmr', sep=',', flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for machine in machines:
            name = with_lru(machine[:-4], folder) if machine.endswith('=lru') else machine
            texts = [level_text(item) for item in chase.items(name).values()]
            for size in sizes_of(chase.levels(name)):
                passes = (WARM_UP, PASSES) if size <= MANY_PASSES else (1, 1)
                print(machine, *texts, size, *chase.run(program, name, size, *passes), sep=',', flush=True)


# --- drawing -------------------------------------------------------------------------------------------

WIDTH, LEFT, RIGHT = 920, 56, 36
TOP, PANEL, GAP, BOTTOM = 74, 104, 46, 46
INK, FAINT, MARK = '#24292f', '#6e7781', '#d1242f'
DASHED = ' stroke-dasharray="3 3"'
# Bands from the top down, and who serves the reads in them.
BANDS = (('#dbe9f6', 'L1D'), ('#9ecae1', 'L2'), ('#3f8fc5', 'L3'), ('#0b3c6f', 'memory'))


def x_of(size):
    share = math.log2(size / SMALLEST) / math.log2(LARGEST / SMALLEST)
    return LEFT + share * (WIDTH - LEFT - RIGHT)


class Picture:
    def __init__(self, height):
        self.lines = [
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
            'font-family="Helvetica, Arial, \'DejaVu Sans\', sans-serif" font-size="12">' %
            (WIDTH, height, WIDTH, height),
            '<rect width="100%" height="100%" fill="#fff"/>']

    def text(self, x, y, text, fill=INK, anchor='start', more=''):
        self.lines.append('<text x="%.1f" y="%.1f" fill="%s" text-anchor="%s"%s>%s</text>' %
                          (x, y, fill, anchor, more, text))

    def line(self, x1, y1, x2, y2, stroke, more=''):
        self.lines.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"%s/>' %
                          (x1, y1, x2, y2, stroke, more))

    def area(self, points, base, fill):
        """What is below a curve."""
        ends = [(points[-1][0], base), (points[0][0], base)]
        self.lines.append('<path d="M%s Z" fill="%s"/>' %
                          (' L'.join('%.1f,%.1f' % point for point in points + ends), fill))


def draw_panel(picture, top, rows):
    base = top + PANEL
    first = rows[0]
    name = first['machine']
    title = name[:-4] + ', with LRU' if name.endswith('=lru') else name
    picture.text(LEFT, top - 22, title, more=' font-size="14" font-weight="bold"')
    picture.text(WIDTH - RIGHT, top - 22, ' &#183; '.join(first[level] for level in chase.LEVELS), FAINT, 'end')
    picture.lines.append('<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>' %
                         (LEFT, top, WIDTH - LEFT - RIGHT, PANEL, BANDS[0][0]))
    for (fill, _), event in zip(BANDS[1:], ('D1mr', 'L2dr', 'DLmr')):
        points = [(x_of(int(row['size'])), base - PANEL * int(row[event]) / int(row['reads'])) for row in rows]
        picture.area(points, base, fill)
    for level in chase.LEVELS:
        size = first[level].split()[1]
        x = x_of(chase.number(size))
        picture.line(x, top - 4, x, base, MARK, DASHED)
        picture.text(x, top - 7, size, MARK, 'middle', ' font-size="11"')
    for percent in (0, 50, 100):
        y = base - PANEL * percent / 100
        picture.line(LEFT - 4, y, LEFT, y, FAINT)
        picture.text(LEFT - 8, y + 4, '%d %%' % percent, FAINT, 'end', ' font-size="11"')


def draw(rows):
    machines = list(dict.fromkeys(row['machine'] for row in rows))
    height = TOP + len(machines) * (PANEL + GAP) + BOTTOM - GAP + 26
    picture = Picture(height)
    picture.text(LEFT, 24, 'Which level serves the reads of a pointer chase, by the memory that it goes round in',
                 more=' font-size="16" font-weight="bold"')
    x = LEFT
    for fill, text in BANDS:
        picture.lines.append('<rect x="%d" y="36" width="14" height="14" fill="%s"/>' % (x, fill))
        picture.text(x + 20, 47.5, text)
        x += 88
    picture.line(x + 10, 43, x + 30, 43, MARK, DASHED)
    picture.text(x + 36, 47.5, 'size of a level, as published')
    for i, machine in enumerate(machines):
        draw_panel(picture, TOP + 26 + i * (PANEL + GAP), [row for row in rows if row['machine'] == machine])
    base = TOP + 26 + len(machines) * (PANEL + GAP) - GAP
    for i in range(10, 29, 2):
        x = x_of(2**i)
        picture.line(x, base, x, base + 5, FAINT)
        picture.text(x, base + 20, re.sub('([KM])', r' \1iB', chase.text_of(2**i)), INK, 'middle')
    picture.lines.append('</svg>')
    print('\n'.join(picture.lines))


def main(args):
    if args[0] == 'measure':
        measure(args[1], args[2:])
    else:
        with open(args[1], encoding='utf-8') as text:
            draw(list(csv.DictReader(text)))


if __name__ == '__main__':
    main(sys.argv[1:])
