# SPDX-License-Identifier: GPL-3.0-or-later
"""counts.py COUNTER PROGRAM: runs it, and prints how often each of its functions was called.

"calls line name", sorted, as the counter reports them:

setprofile	sys.setprofile(), of all threads
cprofile	cProfile, of this thread: no function of Python's own, so that nothing else
		counts for the limit of recursion
none		prints nothing: to be counted from outside
"""

import cProfile
import sys
import threading


def with_setprofile(run, program):
    calls = {}

    def note(frame, event, arg):
        if event == "call" and frame.f_code.co_filename == program:
            code = frame.f_code
            # Each thread has counts of its own: another one may go on between the two.
            key = threading.get_ident(), code.co_firstlineno, code.co_qualname
            calls[key] = calls.get(key, 0) + 1

    threading.setprofile(note)
    sys.setprofile(note)
    run()
    sys.setprofile(None)
    threading.setprofile(None)
    sums = {}
    for (_, *key), n in calls.items():
        sums[tuple(key)] = sums.get(tuple(key), 0) + n
    return sums


def with_cprofile(run, program):
    calls = {}
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    run()
    profile.disable()
    for entry in profile.getstats():
        if not isinstance(entry.code, str) and entry.code.co_filename == program:
            key = entry.code.co_firstlineno, entry.code.co_qualname
            calls[key] = calls.get(key, 0) + entry.callcount
    return calls


def with_none(run, program):
    run()
    return {}


def main():
    program = sys.argv[2]
    with open(program) as file:
        code = compile(file.read(), program, "exec")
    module = {"__name__": "__main__", "__file__": program}
    counter = {"setprofile": with_setprofile, "cprofile": with_cprofile, "none": with_none}
    calls = counter[sys.argv[1]](lambda: exec(code, module), program)
    for (line, name), n in sorted(calls.items()):
        print(n, line, name)


main()
