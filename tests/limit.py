#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/limit.py SECONDS REASON USED COMMAND [ARGUMENT...]

Runs a command in a session of its own, with limits that a busy machine does not change:
SECONDS of processor time for all of its processes together, and TEST_IDLE (120) seconds in which
none of them gets any.  One that reaches a limit is killed, with a line in the file REASON that says which
limit it was.  The file USED gets the processor time, in seconds, of the command and all that was waited for.
Exit status: the command's, 128 more than the signal that it died by, or 124.
"""
import os
import resource
import signal
import subprocess
import sys
import time

# Seconds of the clock: a test that waits for something which does not come.
IDLE = int(os.environ.get("TEST_IDLE", "120"))
POLL = 0.5
TICK = 1 / os.sysconf("SC_CLK_TCK")


def processes(session):
    """Of each process of a session: its id, the processor time of it and of children that it waited for
    in ticks, and whether it has ended: then it only waits to be waited for."""
    for pid in os.listdir("/proc"):
        if not pid.isdigit():
            continue
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                # Behind the name, which may have blanks: field 3 of proc(5) is the first.
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it has just ended
        # The first thread of a process may have ended, and others go on.
        ended = fields[0] in (b"Z", b"X") and int(fields[17]) <= 1
        if int(fields[3]) == session:
            yield int(pid), sum(int(field) for field in fields[11:15]), ended


def gone(session, seconds):
    """True if no process of a session is left; waits for that, but not longer."""
    end = time.monotonic() + seconds
    while any(not ended for _, _, ended in processes(session)):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def kill(session):
    """Ends the process group first, to let it clean up, and then all of the session."""
    try:
        os.killpg(session, signal.SIGTERM)
    except ProcessLookupError:
        pass
    # Background jobs of an interactive shell have process groups of their own.  Again, as one may
    # have started another process after it was listed.
    for _ in range(10):
        if gone(session, 1):
            return
        for pid, _, _ in processes(session):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass  # it has just ended, or is another user's


def watch(child, limit):
    """The reason to kill it, or None when it has ended by itself."""
    most, changed = 0.0, time.monotonic()
    while True:
        try:
            child.wait(POLL)
            return None
        except subprocess.TimeoutExpired:
            pass
        used = sum(ticks for _, ticks, _ in processes(child.pid)) * TICK
        if used > limit:
            return f"used {used:.0f} s of processor time, the limit is {limit} s"
        if used > most:
            most, changed = used, time.monotonic()
        elif time.monotonic() - changed > IDLE:
            return f"did nothing for {IDLE} s"


def main():
    limit, reason_file, used_file, command = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
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
        child.poll()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(used_file, "w", encoding="utf-8") as file:
        file.write(f"{used.ru_utime + used.ru_stime:.1f}\n")
    if reason:
        return 124
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


sys.exit(main())
