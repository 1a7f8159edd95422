# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls in the child of a fork, in a handler of a signal, and in what ends a process."""

import atexit
import os
import signal


def handler(number, frame):
    inside()


def inside():
    pass


def in_child(n):
    return n if n == 0 else in_child(n - 1)


def at_end():
    inside()


atexit.register(at_end)
signal.signal(signal.SIGUSR1, handler)
for _ in range(3):
    os.kill(os.getpid(), signal.SIGUSR1)
child = os.fork()
if child == 0:
    in_child(5)
    os._exit(0)
os.waitpid(child, 0)
