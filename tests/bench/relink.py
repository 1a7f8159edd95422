#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far counts move when a program is linked anew: scripts/compare-relink has the rest.

    relink.py SOURCES SCRATCH BUILDS [PROGRAM...]

Each program of SOURCES is built BUILDS times, of the same objects: in another order, between objects that nobody uses, with other
alignments of functions and orders of sections, and runs in an environment of another length.  Only work() is counted.  Printed is
how far each count moves, (largest - least) / mean, as Markdown.

Status 1 if instructions move, if misses move by less than 1 %, so that nothing is shown, or if neutral ones move by more than
a tenth of that.
"""
import os
import random
import re
import subprocess
import sys

EVENTS = {
    'Ir': ('Ir',),
    'D1m': ('D1mr', 'D1mw'),
    'D1neutral': ('D1cold', 'D1cap', 'D1anti'),
    'CyBase': ('CyBase',),
    'CyDep': ('CyDep',),
    'CyFe': ('CyFe',),
    'CyBr': ('CyBr',),
    'CyMem': ('CyMem',),
    'Cyc': ('CyBase', 'CyDep', 'CyFe', 'CyBr', 'CyMem', 'CyTlb'),
}
ALIGNMENTS = ('16', '32', '64', '128')
LINKER = ([], ['-Wl,--sort-section=name'], ['-Wl,--sort-section=alignment'], ['-Wl,-z,norelro'],
          ['-Wl,-z,noseparate-code'])
SECTIONS = (('.text', '.nops'), ('.data', '.zero'), ('.section .rodata', '.zero'), ('.bss', '.zero'))
SECONDS = 300  # of a run


def compile_other(compiler, name, draw):
    """An object that nobody uses, with up to 4 KiB of each section; its path."""
    with open(name + '.s', 'w', encoding='utf-8') as file:
        for section, directive in SECTIONS:
            file.write('%s\n.balign 16\n%s %d\n' % (section, directive, 16 * draw.randrange(1, 256)))
        file.write('.section .note.GNU-stack,"",@progbits\n')
    subprocess.run(compiler + ['-c', '-o', name + '.o', name + '.s'], check=True)
    return name + '.o'


def build(source, scratch, draw):
    """Links a program in a way that is drawn; its path."""
    with open(source, encoding='utf-8') as file:
        parts = int(re.search(r'PARTS = (\d+)', file.read()).group(1))
    compiler = os.environ.get('CC', 'cc').split() + ['-O2', '-g', '-falign-functions=' + draw.choice(ALIGNMENTS)]
    objects = []
    for part in range(parts):
        path = os.path.join(scratch, 'part%d.o' % part)
        subprocess.run(compiler + ['-c', '-DPART=%d' % part, '-o', path, source], check=True)
        objects += [path, compile_other(compiler, os.path.join(scratch, 'other%d' % part), draw)]
    draw.shuffle(objects)
    program = os.path.join(scratch, os.path.basename(source)[:-2])
    subprocess.run(compiler + ['-o', program] + objects + draw.choice(LINKER), check=True)
    return program


def totals_of(program, scratch, draw):
    """By event, what work() costs."""
    profile = os.path.join(scratch, 'relink.cg')
    subprocess.run([os.environ.get('VALGRIND', 'valgrind'), '--tool=costgrind', '-q', '--miss-classes=yes', '--cycles=yes',
                    '--machine=zen2', '--toggle-collect=work', '--costgrind-out-file=' + profile, program],
                   check=True, timeout=SECONDS, env=dict(os.environ, PADDING='x' * draw.randrange(4096)))
    with open(profile, encoding='utf-8') as file:
        lines = [line.split() for line in file if line.startswith(('events:', 'totals:'))]
    names, numbers = ([line for line in lines if line[0] == word][-1][1:] for word in ('events:', 'totals:'))
    return dict(zip(names, map(int, numbers + ['0'] * (len(names) - len(numbers)))))


def spread(numbers):
    """In percent of their mean."""
    mean = sum(numbers) / len(numbers)
    return 100 * (max(numbers) - min(numbers)) / mean if mean else 0.0


def main():
    """See above."""
    sources, scratch, builds, *names = sys.argv[1:]
    print('| program | %s | mean D1m | mean D1neutral |' % ' | '.join(EVENTS))
    print('|---|' + '--:|' * (len(EVENTS) + 2))
    wrong = []
    for name in names or sorted(name[:-2] for name in os.listdir(sources) if name.endswith('.c')):
        draw = random.Random(name)
        rows = [totals_of(build(os.path.join(sources, name + '.c'), scratch, draw), scratch, draw)
                for _ in range(int(builds))]
        counts = {event: [sum(row[part] for part in parts) for row in rows] for event, parts in EVENTS.items()}
        moves = {event: spread(column) for event, column in counts.items()}
        print('| `%s` | %s | %s |' % (name, ' | '.join('%.2f %%' % move for move in moves.values()), ' | '.join(
            '{:,.0f}'.format(sum(counts[event]) / len(rows)) for event in ('D1m', 'D1neutral'))), flush=True)
        wrong += ['%s: instructions move' % name] * (moves['Ir'] > 0) + \
            ['%s: misses hardly move' % name] * (moves['D1m'] < 1) + \
            ['%s: neutral misses move by more than a tenth of that' % name] * (moves['D1neutral'] * 10 > moves['D1m'])
    print(*wrong, sep='\n', end='\n' if wrong else '', file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == '__main__':
    main()
