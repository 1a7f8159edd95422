#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a C program of 100,000 functions to standard output, for the bench.

    functions.py >functions.c

Each function has a line or two of its own, does next to nothing, and is called
a few times, through the table of its group; one of twenty calls its neighbour,
too.  So a tool comes to new code again and again, each time under another name,
and in the end has as many functions and calls to write.  The same text each
time.
"""

GROUPS = 1000
GROUP_SIZE = 100
PASSES = 3
CALLS = 20  # one function in this many calls another

# What a function does, with two numbers of its own.
BODIES = ['total += {a};', 'total ^= state[{b}];', 'state[{b}] += {a};', 'state[{b}] ^= total;']

HEAD = """\
#include "tests/bench/bench.h"

typedef void operation(void);

static uint32_t total = 1;
static uint32_t state[16];
"""

FUNCTION = """
static void {name}(void)
{{
	{body}
}}
"""

GROUP = """
static void group{number}(void)
{{
	static operation *const operations[] = {{
		{names}
	}};

	for (int i = 0; i < {size}; i++)
		operations[i]();
}}
"""

MAIN = """
int main(void)
{{
	static operation *const groups[] = {{
		{names}
	}};
	uint64_t sum = 0;

	for (int i = 0; i < {size} * {passes}; i++) {{
		groups[i % {size}]();
		sum = checksum_add(sum, total);
	}}
	return report("functions", sum);
}}
"""


def random_numbers(state):
    """Numbers that look random: not Python's, which may change with its version."""
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def names(prefix, first, count):
    """The elements of a table."""
    return ',\n\t\t'.join('%s%d' % (prefix, number) for number in range(first, first + count))


def function(number, numbers):
    """The text of one function."""
    body = BODIES[next(numbers) % len(BODIES)].format(a=next(numbers), b=next(numbers) % 16)
    if number % CALLS == CALLS - 1:
        body = 'function%d();\n\t' % (number - 1) + body
    return FUNCTION.format(name='function%d' % number, body=body)


def main():
    """The program, from top to bottom."""
    numbers = random_numbers(37)
    print(HEAD, end='')
    for group in range(GROUPS):
        first = group * GROUP_SIZE
        for number in range(first, first + GROUP_SIZE):
            print(function(number, numbers), end='')
        print(GROUP.format(number=group, names=names('function', first, GROUP_SIZE),
                           size=GROUP_SIZE), end='')
    print(MAIN.format(names=names('group', 0, GROUPS), size=GROUPS, passes=PASSES), end='')


if __name__ == '__main__':
    main()
