#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/reap.py COMMAND [ARGUMENT...]

Runs a command, with REAP_DIR, a new folder under a short name, in its environment.  When the command has ended, or
this is asked to end, all that came of it is ended too, daemons with sessions of their own included, and the folder
removed.  Exit status: the command's, or 128 more than the signal that it died by.
"""
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)


def prctl(option, value):
    """For this process; an error is one of the test."""
    if LIBC.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def parents():
    """Of each process that has not ended: the one that waits for it."""
    found = {}
    for pid in os.listdir("/proc"):
        if not pid.isdigit():
            continue
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                # Behind the name, which may have blanks.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except OSError:
            continue  # it has just ended
        if state not in (b"Z", b"X"):
            found[int(pid)] = int(parent)
    return found


def descendants():
    """Orphans are children of this process, as if it were the first."""
    of, found, latest = parents(), set(), {os.getpid()}
    while latest:
        latest = {pid for pid, parent in of.items() if parent in latest} - found
        found |= latest
    return found


def end(number, seconds):
    """Sends a signal to all that is left, and waits for them so long; whether nothing is left."""
    until = time.monotonic() + seconds
    sent = set()
    while left := descendants():
        for pid in left - sent:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        sent |= left
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def run(command, environment, when_orphaned):
    """A command's status; then, or when this is asked to end, nothing is left of it.  When this process dies,
    whatever of, the command gets a signal."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)

    def clean():
        shutil.rmtree(environment["REAP_DIR"], ignore_errors=True)

    def stop(number, _frame):
        for other in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            signal.signal(other, signal.SIG_IGN)
        end(signal.SIGKILL, 10)
        clean()
        os._exit(128 + number)

    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, stop)
    child = subprocess.Popen(command, env=environment,
                             preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, when_orphaned))
    status = child.wait()
    end(signal.SIGTERM, 5) or end(signal.SIGKILL, 10)
    clean()
    return status if status >= 0 else 128 - status


def main(command):
    """Twice, one in the other: of these, the one that is left ends what the other one has started."""
    if "REAP_INSIDE" in os.environ:
        environment = {name: text for name, text in os.environ.items() if name != "REAP_INSIDE"}
        return run(command, environment, signal.SIGKILL)
    folder = tempfile.mkdtemp(prefix="costgrind.")
    return run([sys.executable, sys.argv[0]] + command, dict(os.environ, REAP_DIR=folder, REAP_INSIDE="yes"),
               signal.SIGTERM)


sys.exit(main(sys.argv[1:]))
