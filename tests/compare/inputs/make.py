#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the input of a compared program: the same bytes every time.

    inputs.py text LINES      English-like words, a line number in front
    inputs.py numbers LINES   three decimal numbers a line
    inputs.py c FUNCTIONS     a C file that needs no header
    inputs.py sql ROWS        statements for sqlite3
"""

import sys

WORDS = ('cache line set way hit miss branch loop call return stack heap page word byte load '
         'store fetch index tag block victim history counter target predict straddle evict '
         'modify allocate the a of to in is and it that for with as on be at').split()


class Random:
    """Numbers of a linear congruential generator; Python's own may change with its version."""

    def __init__(self):
        self.state = 20240229

    def below(self, limit):
        """A number from 0 to limit - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def text(random, count):
    """Lines of words."""
    for number in range(1, count + 1):
        words = [WORDS[random.below(len(WORDS))] for _ in range(3 + random.below(9))]
        yield '%d %s.' % (number, ' '.join(words))


def numbers(random, count):
    """Lines of numbers of different lengths."""
    for _ in range(count):
        yield '%d %d %d' % (random.below(1000000), random.below(100), random.below(10000))


C_FUNCTION = '''
struct s%(n)d { int a; struct s%(n)d *next; double d[%(size)d]; };
static int f%(n)d(struct s%(n)d *s, int n)
{
	int sum = %(k)d;
	for (int i = 0; i < n && s; i++, s = s->next) {
		switch ((s->a + i) %% %(m)d) {
		case 0: sum += s->a; break;
		case 1: sum ^= n << %(shift)d; break;
		default: s->d[i %% %(size)d] *= sum; break;
		}
	}
	return sum;
}
int g%(n)d(void *p) { return f%(n)d(p, %(k)d) + f%(n)d(p, %(m)d); }'''


def c_source(random, count):
    """Functions with loops, switches and structs."""
    for number in range(count):
        yield C_FUNCTION % {'n': number, 'size': 2 + random.below(7), 'k': random.below(500),
                            'm': 3 + random.below(5), 'shift': 1 + random.below(4)}


def sql(random, count):
    """A table with an index, and questions about it."""
    yield 'CREATE TABLE t(a INTEGER, b TEXT, c INTEGER);'
    yield 'BEGIN;'
    for _ in range(count):
        yield "INSERT INTO t VALUES(%d, '%s', %d);" % (
            random.below(1000), WORDS[random.below(len(WORDS))], random.below(100000))
    yield 'COMMIT;'
    yield 'CREATE INDEX i ON t(b, a);'
    yield 'SELECT b, count(*), sum(c), max(a) FROM t GROUP BY b ORDER BY 2 DESC, 1;'
    yield "SELECT x.a, y.c FROM t x JOIN t y ON x.a = y.a AND x.b = 'way' AND y.b < 'c' LIMIT 50;"
    yield "UPDATE t SET c = c + 1 WHERE b LIKE '%st%';"
    yield 'SELECT sum(c) FROM t;'


KINDS = {'text': text, 'numbers': numbers, 'c': c_source, 'sql': sql}


def main(args):
    """The command; the exit status."""
    if len(args) != 2 or args[0] not in KINDS or not args[1].isdigit():
        print(__doc__, file=sys.stderr)
        return 2
    for line in KINDS[args[0]](Random(), int(args[1])):
        print(line)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
