# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes a command with a file in memory of a kind, as if costgrind had handed it over.

    forge.py KIND COMMAND...
"""
import os
import resource
import struct
import sys

magic, pid, image, path = 0x32484743, os.getpid(), 0, b'/tmp/elsewhere'
if sys.argv[1] == 'pid':
    pid += 1
elif sys.argv[1] == 'path':
    path = b'x' * 4096
elif sys.argv[1] == 'relative':
    path = b'../elsewhere'
elif sys.argv[1] == 'image':
    image = 1
message = struct.pack('<IiIB3xi256s4096s', magic, pid, 7, 1, image, b'', path)
if sys.argv[1] == 'short':
    message = message[:100]
fd = os.memfd_create('costgrind.handover', 0)
os.write(fd, message)
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
soft = min(soft, 1000)
resource.setrlimit(resource.RLIMIT_NOFILE, (soft + 1, hard))
os.dup2(fd, soft)
os.set_inheritable(soft, True)
os.close(fd)
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
os.execvp(sys.argv[2], sys.argv[2:])
