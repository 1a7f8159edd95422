# SPDX-License-Identifier: GPL-3.0-or-later
"""
stable_runs.py [-c] [-m] [-s] [-u USER] [-l] [-x OPTIONS] N COMMAND PROGRAM [ARGS...]

Runs a program N times by `COMMAND run --stable OPTIONS` (words are split at blanks), each time in
another directory, with another environment, umask, standard streams, signals ignored, limits and,
with -c, as a copy of another name.  With -u, every other run is by that user; with -l, both
processors are busy meanwhile.  With -m, lines "pid:" and "cmd:" do not count; with -s, all
directories' names are as long as each other.

Prints how many different profiles there were, and of the first the totals line, and what the
program wrote to standard output; exit status 1 and a message if a run failed.
"""
import argparse
import hashlib
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile


def surroundings(chance):
    """An environment of up to 10 KB, with names that programs look at."""
    names = ["LANG", "LC_CTYPE", "TERM", "USER", "TZ", "LD_BIND_NOW", "PYTHONPATH", "PERL5LIB",
             "GLIBC_TUNABLES", "MALLOC_PERTURB_", "COLUMNS", "PS1", "XDG_RUNTIME_DIR", "CI"]
    env = {name: "x" * chance.randrange(1, 30) for name in names if chance.random() < 0.5}
    env.update({"V%d" % i: "v" * chance.randrange(500) for i in range(chance.randrange(20))})
    env["PATH"] = os.environ["PATH"] + ":/" + "p" * chance.randrange(40)
    env["HOME"] = "/" + "h" * chance.randrange(60)
    return env


def settle(chance):
    """In the child, before it becomes the command."""
    os.umask(chance.choice([0o22, 0o77, 0o2]))
    for number in (signal.SIGUSR1, signal.SIGPIPE, signal.SIGHUP):
        if chance.random() < 0.5:
            signal.signal(number, signal.SIG_IGN)
    stack = chance.choice([8, 16, 64]) << 20
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if hard == resource.RLIM_INFINITY or stack <= hard:
        resource.setrlimit(resource.RLIMIT_STACK, (stack, hard))
    os.nice(chance.randrange(3))


class Runner:
    def __init__(self, options, top):
        self.options = options
        self.top = top
        self.found = {}
        self.text = None

    def start(self, number):
        chance = random.Random(number)
        options = self.options
        lengths = (9, 9) if options.same else (chance.randrange(1, 60), chance.randrange(1, 30))
        folder = os.path.join(self.top, "%02d" % number, "d" * lengths[0], "e" * lengths[1])
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o777)
        program = options.program
        if options.copy:
            name = "p" * chance.randrange(1, 40)
            shutil.copy(program, os.path.join(folder, name))
            program = chance.choice(["./" + name, os.path.join(folder, name)])
        profile = os.path.join(folder, "out")
        words = [options.command, "run", "--stable", *shlex.split(options.options), "-q",
                 "--costgrind-out-file=" + chance.choice(["out", profile]), "--",
                 program, *options.args]
        if options.user and number % 2 == 1:
            words = ["setpriv", "--reuid", options.user, "--regid", options.user,
                     "--clear-groups", *words]
        errors = tempfile.TemporaryFile()
        out = tempfile.TemporaryFile() if chance.random() < 0.5 else subprocess.PIPE
        return number, profile, out, errors, subprocess.Popen(
            words, cwd=folder, env=surroundings(chance), stdout=out, stdin=subprocess.DEVNULL,
            stderr=errors, preexec_fn=lambda: settle(chance))

    def finish(self, number, profile, out, errors, child):
        text = child.communicate()[0]
        if text is None:
            out.seek(0)
            text = out.read()
        errors.seek(0)
        message = errors.read()
        if child.returncode != 0 or message or not os.path.exists(profile):
            sys.exit("run %d: status %d, %r" % (number, child.returncode, message))
        with open(profile, "rb") as file:
            data = file.read()
        os.unlink(profile)
        if self.options.merely:
            data = b"\n".join(line for line in data.split(b"\n")
                              if not line.startswith((b"pid:", b"cmd:")))
        self.text = text
        self.found.setdefault(hashlib.sha256(data).hexdigest(), data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-c", dest="copy", action="store_true")
    parser.add_argument("-m", dest="merely", action="store_true")
    parser.add_argument("-s", dest="same", action="store_true")
    parser.add_argument("-u", dest="user")
    parser.add_argument("-l", dest="load", action="store_true")
    parser.add_argument("-x", dest="options", default="")
    parser.add_argument("n", type=int)
    parser.add_argument("command")
    parser.add_argument("program")
    parser.add_argument("args", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(2 if options.load else 0)]
    try:
        with tempfile.TemporaryDirectory() as top:
            os.chmod(top, 0o777)
            runner = Runner(options, top)
            # Two at a time: they are not to disturb each other, either.
            going = []
            for number in range(options.n):
                if len(going) == 2:
                    runner.finish(*going.pop(0))
                going.append(runner.start(number))
            for run in going:
                runner.finish(*run)
    finally:
        for child in busy:
            child.kill()
            child.wait()
    first = next(iter(runner.found.values()))
    print("%d different" % len(runner.found))
    print(next(line for line in first.decode().split("\n") if line.startswith("totals:")))
    sys.stdout.flush()
    sys.stdout.buffer.write(runner.text)


main()
