# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints N ports that nobody has, and that the kernel gives nobody who does not ask for them.

    ports.py N
"""
import random
import socket
import sys

held = []
while len(held) < int(sys.argv[1]):
    held.append(socket.socket())
    try:
        held[-1].bind(("127.0.0.1", random.randrange(20000, 32000)))
    except OSError:
        held.pop()
print(*(one.getsockname()[1] for one in held))
