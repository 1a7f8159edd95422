# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts words."""
import sys

count = {}
for line in sys.stdin:
    for word in line.strip('.\n').split()[1:]:
        count[word] = count.get(word, 0) + 1
for word in sorted(count, key=lambda word: (-count[word], word)):
    print('%s %d' % (word, count[word]))
