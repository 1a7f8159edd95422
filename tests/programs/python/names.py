# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions whose names are of each kind of text that CPython has, and code at addresses that others had."""


def grüße():
    pass


def 名前():
    pass


class 𐐀:
    def method(self):
        return [lambda: 1 for _ in range(2)]


# No line of a profile may end in a name.
strange = compile("def f(): pass\nf()", "two\nlines\t\x7f.py", "exec")

grüße()
名前()
for function in 𐐀().method():
    function()
exec(strange)
for i in range(300):
    space = {}
    exec(f"def made_{i % 100:02}():\n    return {i}\n" f"made_{i % 100:02}()", space)
    del space
