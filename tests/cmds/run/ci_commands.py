#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the commands of docs/CI.md and of the files for CI services, as a shell script.

    ci_commands.py block NAME FILE    the code block after <!-- NAME --> in a Markdown file
    ci_commands.py step NAME FILE     the "run: |" of a step in an action
    ci_commands.py script FILE        the list under "script:"
    ci_commands.py defaults FILE      NAME='value' of each input (an action) or variable (a job)

Of YAML, it knows what these files have; anything else is an error.
"""

import re
import sys


def block(name, lines):
    start = lines.index('<!-- %s -->' % name) + 2
    return lines[start:lines.index('```', start)]


def step(name, lines):
    start = lines.index('    - name: %s' % name)
    start = lines.index('      run: |', start) + 1
    body = []
    for line in lines[start:]:
        if line and not line.startswith(' ' * 8):
            break
        body.append(line[8:])
    return body


def script(lines):
    body = []
    for line in lines[lines.index('  script:') + 1:]:
        if not line.startswith('    - '):
            break
        body.append(line[6:])
    return body


def defaults(lines):
    found = []
    name = None
    for line in lines:
        match = re.match(r'  ([a-z-]+):$', line)
        name = match.group(1).upper().replace('-', '_') if match else name
        match = re.match(r'    default: ?(.*)', line)
        if match:
            found.append((name, match.group(1).strip('"')))
        match = re.match(r'    ([A-Z_]+): (.*)', line)
        if match:
            found.append((match.group(1), match.group(2).strip('"')))
    return ["%s='%s'" % pair for pair in found]


def main():
    what, path = sys.argv[1], sys.argv[-1]
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    if what == 'block':
        result = block(sys.argv[2], lines)
    elif what == 'step':
        result = step(sys.argv[2], lines)
    elif what == 'script':
        result = script(lines)
    else:
        result = defaults(lines)
    if not result:
        sys.exit('%s: nothing found' % path)
    print('\n'.join(result))


main()
