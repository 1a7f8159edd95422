# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that spreadsheets might take for formulas.

    csv_names.py write           into the profiles old.cg and new.cg
    csv_names.py back FIELD...   which of them these fields of out.csv do not have, with one "'" taken off each; and what
                                 could still be a formula
"""
import csv
import re
import sys

NAMES = ['=1+1', '+1', '-1', '@sum', "'quoted", "''", "'=1", '"=1"', '=a,"b"', 'a=1', 'plain', 'f\\x09']


def write():
    for n, path in enumerate(('old.cg', 'new.cg')):
        with open(path, 'w') as out:
            out.write('events: Ir =Dr\nob==object\nfl=@file.c\n')
            for i, name in enumerate(NAMES):
                out.write('fn=(%d) %s\n1 %d %d\n' % (i + 1, name, 100 + i - n * 10, 5))
                out.write('cfn=(1)\ncalls=1 1\n2 3\n')


def back(*fields):
    found = set()
    rows = list(csv.reader(open('out.csv', newline='')))
    for row in rows:
        for text in row:
            if re.match(r'\s*[=+@-]', text) and not re.fullmatch(r'-?\d+(\.\d+)?', text):
                print('formula', text)
    for row in rows[1:]:
        for field in fields:
            text = row[rows[0].index(field)]
            found.add(text[1:] if text[:1] == "'" else text)
    print('missing', *sorted(set(NAMES) - found))


globals()[sys.argv[1]](*sys.argv[2:])
