#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a profile with many functions, for the time that its report takes in a browser.

    bigprofile.py FUNCTIONS LINES >FILE

Function i calls functions 2 i + 1 and 2 i + 2, each from one line, once; it has costs on that many lines.
"""

import sys


def file_name(i):
    return f'/src/module_{i // 100}/file_{i // 100}.c'


def function_name(i):
    return f'module_{i // 100}::Class<{i % 17}>::method_{i}(unsigned long)'


def main():
    functions, lines = int(sys.argv[1]), int(sys.argv[2])
    costs = [[(i * 7919 + event * 104729) % 9973 + 1 for event in range(3)] for i in range(functions)]
    inclusive = [[cost * lines for cost in row] for row in costs]
    for i in range(functions - 1, 0, -1):
        parent = inclusive[(i - 1) // 2]
        for event, cost in enumerate(inclusive[i]):
            parent[event] += cost
    out = sys.stdout
    out.write('# callgrind format\nversion: 1\ncreator: test\ncmd: big\n'
              'positions: line\nevents: Ir Dr D1mr\n')
    out.write('summary: %d %d %d\n\n' % tuple(inclusive[0]))
    out.write('ob=(1) /usr/bin/big\n')
    for i in range(functions):
        out.write(f'fl={file_name(i)}\nfn={function_name(i)}\n')
        text = ' %d %d %d\n' % tuple(costs[i])
        out.write(''.join(f'{line + i % 100 * 100 + 1}{text}' for line in range(lines)))
        for callee in (2 * i + 1, 2 * i + 2):
            if callee < functions:
                out.write(f'cfi={file_name(callee)}\ncfn={function_name(callee)}\n')
                out.write(f'calls=1 {callee % 100 * 100 + 1}\n')
                out.write(f'{i % 100 * 100 + 1} ' + ' '.join(map(str, inclusive[callee])) + '\n')
        out.write('\n')


main()
