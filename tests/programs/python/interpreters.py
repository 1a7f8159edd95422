# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpreters that are run in the midst of functions of another one."""

try:
    import _interpreters as interpreters

    run = interpreters.exec
except ImportError:
    import _xxsubinterpreters as interpreters

    run = interpreters.run_string

CODE = """
exec(compile("def f(n): return n and f(n - 1)\\nfor _ in range(7): f(3)", __file__, "exec"))
"""


def outer(n):
    other = interpreters.create()
    for _ in range(n):
        within(other)
        after()
    interpreters.destroy(other)
    for _ in range(5):
        after()


def within(other):
    inner()
    run(other, CODE.replace("__file__", repr(__file__)))
    inner()


def inner():
    pass


def after():
    inner()


outer(3)
print("4 1 <module>\n84 1 f\n1 18 outer\n3 28 within\n14 34 inner\n8 38 after")
