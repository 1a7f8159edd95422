# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls that are refused with RecursionError, which are none: of functions, from C, of generators."""


def endless(n):
    return endless(n + 1)


def through_c(n):
    return max([n], key=through_c)


def generator(n):
    yield from generator(n + 1)


def mixed(n):
    return [mixed(x) for x in (n, n)]


def once_more(n):
    try:
        return once_more(n + 1)
    except RecursionError:
        after()
        return n


def after():
    pass


def main():
    for function in endless, through_c, mixed, once_more:
        try:
            function(0)
        except RecursionError:
            after()
    try:
        list(generator(0))
    except RecursionError:
        after()


main()
