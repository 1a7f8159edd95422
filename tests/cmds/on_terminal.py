# SPDX-License-Identifier: GPL-3.0-or-later
"""on_terminal.py [--rows=N] COMMAND...: runs it with a terminal for standard output and standard error.

The terminal belongs to a session and has N lines [24]; 0 is no size, as where nobody sits.  What is written there is
printed, carriage returns as \\r, escapes as \\e; the exit status is the command's.
"""
import fcntl
import os
import struct
import sys
import termios

words = sys.argv[1:]
rows = 24
if words[0].startswith("--rows="):
    rows = int(words.pop(0)[len("--rows="):])

# When the leader of a session ends, the kernel throws away what has not been read yet.  So the leader is not the
# command: it writes this after the command has ended, and stays until all is read.
END = b"\0end of the session\0"

controller, terminal = os.openpty()
drained, draining = os.pipe()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 0, 0, 0))
child = os.fork()
if child == 0:
    os.close(controller)
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    os.dup2(terminal, 1)
    os.dup2(terminal, 2)
    os.close(terminal)
    os.close(draining)
    command = os.fork()
    if command == 0:
        os.close(drained)
        os.execvp(words[0], words)
    status = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    os.write(1, END)
    os.read(drained, 1)
    os._exit(status & 0xff)
os.close(terminal)
text = b""
while not text.endswith(END):
    text += os.read(controller, 65536)
text = text[:-len(END)]
os.close(draining)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\\r").replace(b"\033", b"\\e")
sys.stdout.buffer.write(text)
sys.exit(status)
