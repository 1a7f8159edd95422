# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a program when costgrind control, which asks it, is interrupted at a terminal.

usage: interrupts.py COSTGRIND PID PREFIX

Keys come at several moments after the start of the command, which is a job in the foreground.  The
program waits in the kernel, so that vgdb holds it by ptrace().  Prints a line for each time that
it has ended, stays stopped or stays held, or that the command does not end; then how many times.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

COSTGRIND, PID, PREFIX = sys.argv[1:]
WATCH, STAT = "--watch=0.1", "--stat"
DELAYS = (0.02, 0.05, 0.08, 0.11, 0.14, 0.17)


def be_shell(words):
    """Runs the command as a shell would, and continues it when it is stopped."""
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(words[0], words)
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            os._exit(0)
        time.sleep(0.2)
        # As shells do: what the command has just started may have been stopped with it.
        os.killpg(job, signal.SIGCONT)


def state():
    """State and tracer of the program; ("gone", 0)."""
    try:
        lines = dict(line.split(":\t", 1) for line in open("/proc/%s/status" % PID) if ":\t" in line)
    except OSError:
        return "gone", 0
    return lines["State"][0], int(lines["TracerPid"])


def settled():
    """As state(), but what passes by within some seconds is waited for."""
    for _ in range(100):
        now = state()
        if now in (("S", 0), ("R", 0)):
            break
        time.sleep(0.05)
    return now


def attempt(words, keys, delay):
    shell, terminal = pty.fork()
    if shell == 0:
        be_shell([COSTGRIND, "control", "--timeout=20", "--vgdb-prefix=" + PREFIX] + words + [PID])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    begin = time.monotonic()
    output = b""
    while time.monotonic() < begin + 20 and not os.waitpid(shell, os.WNOHANG)[0]:
        # Of --watch, from the first page on.
        if words == [WATCH] and b"look " not in output:
            shown = time.monotonic()
        elif words == [STAT]:
            shown = begin
        if keys and time.monotonic() > shown + delay:
            os.write(terminal, keys[0])
            keys, shown = keys[1:], time.monotonic()
        if select.select([terminal], [], [], 0.002)[0]:
            try:
                output += os.read(terminal, 65536)
            except OSError:
                time.sleep(0.002)
    ended = time.monotonic() < begin + 20
    os.close(terminal)
    return ended, settled()


def main():
    times = 0
    for words, keys in (([STAT], [b"\x03"]), ([STAT], [b"\x03", b"\x03"]), ([STAT], [b"\x1a"]),
                        ([WATCH], [b"\x03"]), ([WATCH], [b"\x1a", b"q"])):
        for delay in DELAYS:
            ended, after = attempt(words, list(keys), delay)
            times += 1
            if not ended or after not in (("S", 0), ("R", 0)):
                print(words, keys, delay, "ended" if ended else "goes on", after)
            if after[0] == "gone":
                return
    print(times)


main()
