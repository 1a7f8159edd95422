#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/limit.py SECONDS REASON COMMAND [ARGUMENT...]

Runs a command in a session of its own, with limits that a busy machine does not change:
SECONDS of processor time for all of its processes together, and TEST_IDLE (120) seconds in which
none of them gets any.  One that reaches a limit is killed, with a line in the file REASON that says which
limit it was.  Exit status: the command's, 128 more than the signal that it died by, or 124.
"""
import os
import signal
import subprocess
import sys
import time

# Seconds of the clock: a test that waits for something which does not come.
IDLE = int(os.environ.get("TEST_IDLE", "120"))
POLL = 0.5
TICK = 1 / os.sysconf("SC_CLK_TCK")


def session_time(session):
    """Processor time of a session's processes so far, and of children that they waited for; seconds."""
    ticks = 0
    for pid in os.listdir("/proc"):
        if not pid.isdigit():
            continue
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                # Behind the name, which may have blanks: field 3 of proc(5) is the first.
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks * TICK


def kill(session):
    """Ends the process group first, to let it clean up, and then all of the session."""
    for number in signal.SIGTERM, signal.SIGKILL:
        try:
            os.killpg(session, number)
        except ProcessLookupError:
            return
        time.sleep(1)


def watch(child, limit):
    """The reason to kill it, or None when it has ended by itself."""
    most, changed = 0.0, time.monotonic()
    while True:
        try:
            child.wait(POLL)
            return None
        except subprocess.TimeoutExpired:
            pass
        used = session_time(child.pid)
        if used > limit:
            return f"used {used:.0f} s of processor time, the limit is {limit} s"
        if used > most:
            most, changed = used, time.monotonic()
        elif time.monotonic() - changed > IDLE:
            return f"did nothing for {IDLE} s"


def main():
    limit, reason_file, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    child = subprocess.Popen(command, start_new_session=True)

    def stop(number, _frame):
        kill(child.pid)
        sys.exit(128 + number)

    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, stop)
    reason = watch(child, limit)
    if reason:
        with open(reason_file, "w", encoding="utf-8") as file:
            file.write(reason + "\n")
        kill(child.pid)
        return 124
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


sys.exit(main())
