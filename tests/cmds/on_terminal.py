# SPDX-License-Identifier: GPL-3.0-or-later
"""on_terminal.py COMMAND...: runs it with a terminal for standard output and standard error.

What it writes there is printed, carriage returns as \\r, escapes as \\e; the exit status is its own.
"""
import os
import sys

controller, terminal = os.openpty()
child = os.fork()
if child == 0:
    os.close(controller)
    os.dup2(terminal, 1)
    os.dup2(terminal, 2)
    os.close(terminal)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(terminal)
text = b""
while True:
    try:
        data = os.read(controller, 65536)
    except OSError:  # the terminal was closed by all
        break
    if not data:
        break
    text += data
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\\r").replace(b"\033", b"\\e")
sys.stdout.buffer.write(text)
sys.exit(status)
