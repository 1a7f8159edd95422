# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/same-profiles [-k DIR] [-r REGEX] OLD NEW

Shows that two builds do the same: OLD and NEW are build directories.  A fixed list of programs runs
under both tools with a fixed list of option sets, and a fixed list of commands reads the profiles, of
the OLD tool and of tests/profiles.  Every file, standard output, standard error and exit status is
compared byte for byte; only process numbers and the version are masked.  Both builds work in one directory,
in turn, since counts depend on the length of its name.

Where the builds differ OLD runs once more: what does not even equal itself is named as unstable, and is
no difference.  Prints each difference, then "N same, N different, N unstable"; exits 3 if anything is
different.  -k keeps both sides in DIR.  -r compares only runs whose name (PROGRAM-SET, such as t-cycles) the
expression matches, and no commands.  All of it takes some minutes.
"""

import argparse
import concurrent.futures
import filecmp
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent

# name: how it is built (sources below tests/, flags) and run.  Threads take turns by the clock of the
# machine in places, so programs have one.
BUILT = {
    "t": (["cases/t.c"], ["-g", "-O1"], []),
    "sg": (["cases/sg.c"], ["-g"], []),
    "segv": (["cases/segv.c"], ["-g"], ["30"]),
    "span": (["cases/span.S"], ["-nostdlib", "-static"], []),
    "lp": (["cases/lp.S"], ["-no-pie"], []),
    "f2": (["cases/f2.S"], ["-nostdlib", "-static"], []),
    "cold": (["cases/cold.c"], ["-O2", "-g"], []),
    "exc": (["cases/ex.cpp"], ["-g", "-O1"], []),
    "tg": (["cases/tg.c"], ["-g"], []),
    "inl": (["cases/inl.c"], ["-g", "-O2"], []),
    "fork": (["cases/fork.c"], ["-g"], []),
    "walks": (["programs/walks.c"], ["-g", "-O1"], []),
    "boxes": (["programs/heaptypes.c"], ["-g", "-O1"], []),
    "thrown": (["programs/exceptions.cpp"], ["-g", "-O1"], []),
}
SYSTEM = {
    "gzip": ["gzip", "-c", str(SOURCE / "configure.ac")],
    "sort": ["sort", str(SOURCE / "COPYING")],
    "perl": ["perl", "-e", "$s += $_ % 7 for 1..3000; print $s"],
    "bash": ["bash", "-c", "for ((i = 0; i < 300; i++)); do s=$((s + i)); done; echo $s"],
    "sqlite3": ["sqlite3", ":memory:", "create table t(a); insert into t values(1),(2); select sum(a) from t"],
}
SETS = {
    "default": [],
    "ir": ["--cache-sim=no", "--dump-instr=no"],
    "two-levels": ["--counting=valgrind", "--branch-sim=yes", "--collect-jumps=yes",
                   "--I1=16384,4,64", "--D1=16384,4,64", "--LL=1048576,16,64"],
    # How often a line is used depends on random bytes that the kernel gives.
    "old-simulators": ["--counting=valgrind", "--deterministic=yes", "--cacheuse=yes", "--simulate-wb=yes",
                       "--simulate-hwpref=yes", "--I1=16384,4,64", "--D1=16384,4,64", "--LL=1048576,16,64"],
    "cycles": ["--machine=zen3", "--cycles=yes", "--branch-detail=yes"],
    "plru": ["--machine=icelake", "--cycles=yes", "--prefetch=yes", "--write-back=yes", "--tlb-sim=yes", "--pages=both"],
    "classes": ["--machine=generic", "--miss-classes=yes", "--miss-curve=exact"],
    "data": ["--machine=generic", "--data=yes", "--collect-alloc=yes"],
    "contexts": ["--machine=generic", "--separate-callers=3", "--call-tree=yes", "--collect-faults=yes"],
    "inline": ["--cache-sim=no", "--inline=calls", "--syscall-calls=yes"],
    "operations": ["--cache-sim=no", "--collect-flops=yes", "--collect-bytes=yes", "--mix=yes",
                   "--collect-bus=yes"],
    "as-cachegrind": ["--machine=cachegrind", "--format=cachegrind", "--D1=32768,8,64", "--I1=32768,8,64",
                      "--LL=8388608,16,64"],
    "toggled": ["--machine=generic", "--collect-atstart=no", "--toggle-collect=main", "--dump-before=main"],
}
# What reads one profile; F is its name.
READERS = [
    "annotate F", "annotate --inclusive=yes --tree=both --show-percs=no F", "annotate --auto=no --list=file:function F",
    "annotate --asm --auto=no --top=3 F", "annotate --layout F", "annotate --by=type F",
    "annotate --format=json --auto=no F", "annotate --format=csv F", "annotate --format=markdown --top=5 F",
    "check F", "merge F F", "diff F F", "report -o - F",
    "branches F", "branches --format=json F", "curve F", "curve --format=json F", "roofline --machine=zen3 F",
    "convert --to=callgrind F", "convert --to=callgrind-portable F", "convert --to=cachegrind F",
    "convert --to=xdebug F", "convert --to=webgrind5 F", "convert --to=collapsed F", "convert --to=speedscope F",
    "convert --to=pprof F", "convert --to=dot F", "convert --to=json F", "convert --to=csv F", "convert --to=types F",
]
DATA_READERS = ["annotate --by=object F", "annotate --by=object --format=json F", "report -o - F", "convert --to=types F"]
# What reads two.
PAIR_READERS = ["diff F G", "diff --format=json F G", "diff --format=markdown F G", "diff --limits='total Ir +1%' F G",
                "merge F G", "report -o - F G", "annotate F G"]
OTHERS = ["help", "help events", "--version"] + ["help " + command for command in (
    "run", "annotate", "merge", "check", "compare", "diff", "stable", "control", "view", "machine", "branches", "curve",
    "roofline", "doctor", "convert", "report")] + ["machine " + name for name in ("zen4", "icelake", "generic")]


def masked(data):
    data = re.sub(rb"==\d+==", b"==PID==", data)
    data = re.sub(rb"(?m)^(pid: )\d+$", rb"\1PID", data)
    return re.sub(rb"([Cc]ostgrind(?: version )?[ -])\d+\.\d+\.\d+[^\s\",<]*", rb"\1VERSION", data)


class Build:
    """One of the two; what it wrote ends up in its own part of the scratch directory."""

    def __init__(self, build, scratch, side, valgrind):
        self.build = build
        self.scratch = scratch
        self.side = scratch / side
        self.valgrind = valgrind

    def work(self, kind, name, command):
        """Runs command in scratch/at/NAME, where lib is this build's; moves the directory to SIDE/KIND/NAME."""
        at = self.scratch / "at" / name
        place = self.side / kind / name
        for path in (at, place):
            shutil.rmtree(path, ignore_errors=True)
        at.mkdir(parents=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        (at / "lib").symlink_to(self.build / "valgrind-lib")
        done = subprocess.run(command, cwd=at, stdin=subprocess.DEVNULL, check=False, capture_output=True,
                              env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
                                   "COLUMNS": "120", "VALGRIND_LIB": str(at / "lib")})
        (at / "lib").unlink()
        (at / "stdout").write_bytes(done.stdout)
        (at / "stderr").write_bytes(done.stderr)
        (at / "status").write_text(f"{done.returncode}\n", encoding="ascii")
        for path in at.iterdir():
            path.write_bytes(masked(path.read_bytes()))
            # A child's files have its process number in their names.
            path.rename(at / re.sub(r"\d{3,}", "PID", path.name))
        at.rename(place)

    def profile(self, program, arguments, options, name):
        self.work("runs", name, ["setarch", "-R", self.valgrind, "--tool=costgrind", "--costgrind-out-file=profile",
                                 *options, program, *arguments])

    def read(self, words, files, name):
        self.work("reads", name, [self.build / "costgrind", *(files.get(word, word) for word in shlex.split(words))])


def unlike(one, other):
    """Names of files that one lacks or that differ."""
    names = {path.name for path in one.iterdir()} | {path.name for path in other.iterdir()}
    return sorted(name for name in names if not ((one / name).is_file() and (other / name).is_file() and
                                                 filecmp.cmp(one / name, other / name, shallow=False)))


def compared(work, old, new, kind, name):
    """Does work for both builds; returns the name and what became of it."""
    work(old)
    work(new)
    differing = unlike(old.side / kind / name, new.side / kind / name)
    if not differing:
        return name, "same", []
    once = old.side / kind / (name + ".once")
    shutil.rmtree(once, ignore_errors=True)
    (old.side / kind / name).rename(once)
    work(old)
    unstable = set(unlike(once, old.side / kind / name))
    shutil.rmtree(once)
    differing = [file for file in differing if file not in unstable]
    return name, "different" if differing else "unstable", differing or sorted(unstable)


def programs(scratch):
    """Compiles them; returns name -> (program, arguments)."""
    found = {}
    for name, (sources, flags, arguments) in BUILT.items():
        compiler = "c++" if sources[0].endswith("pp") else "cc"
        program = scratch / "bin" / name
        done = subprocess.run([compiler, *flags, "-w", "-o", program, *(SOURCE / "tests" / source for source in sources),
                               *([] if "-nostdlib" in flags else ["-lm", "-lpthread"])], check=False)
        if done.returncode == 0:
            found[name] = (program, arguments)
        else:
            print(f"same-profiles: {name} cannot be built", file=sys.stderr)
    for name, (program, *arguments) in SYSTEM.items():
        if shutil.which(program):
            found[name] = (shutil.which(program), ["--", *arguments][1:])
    return found


def jobs(scratch, old, only):
    """(kind, name, work) of all that is to be compared, in two rounds: runs, then what reads them.  Only the runs that an expression
    matches, if it is not None."""
    runs = []
    for name, (program, arguments) in programs(scratch).items():
        for options, words in SETS.items():
            # System programs run with some sets only: they take longer, and are seeded by chance.
            if name in SYSTEM:
                if options not in ("default", "two-levels", "cycles"):
                    continue
                words = [*words, "--deterministic=yes"]
            job = f"{name}-{options}"
            if only is not None and not only.search(job):
                continue
            runs.append(("runs", job, lambda build, p=program, a=arguments, w=words, j=job: build.profile(p, a, w, j)))
    yield runs
    if only is not None:
        return

    reads = []

    def add(words, files, job):
        reads.append(("reads", job, lambda build: build.read(words, files, job)))

    def number(words):
        return re.sub(r"[^A-Za-z0-9=:]+", "_", words)

    for name in ("t-two-levels", "t-cycles", "t-classes", "walks-operations", "exc-contexts", "boxes-data",
                 "inl-inline", "tg-toggled", "perl-default"):
        profile = old.side / "runs" / name / "profile"
        for words in DATA_READERS if name.endswith("-data") else READERS:
            add(words, {"F": profile}, f"{name}-{number(words)}")
    shipped = sorted((SOURCE / "tests" / "profiles").glob("*.cg"))
    for path in shipped:
        for words in READERS[:1] + READERS[6:7] + READERS[9:13] + READERS[18:27]:
            add(words, {"F": path}, f"{path.stem}-{number(words)}")
    pairs = [(old.side / "runs" / one / "profile", old.side / "runs" / other / "profile")
             for one, other in (("t-two-levels", "tg-two-levels"), ("t-cycles", "inl-cycles"),
                                ("perl-default", "bash-default"))]
    for count, (one, other) in enumerate(pairs):
        for words in PAIR_READERS:
            add(words, {"F": one, "G": other}, f"pair{count}-{number(words)}")
    for words in OTHERS:
        add(words, {}, f"other-{number(words)}")
    yield reads


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1], usage=__doc__.split("\n")[0])
    parser.add_argument("-k", metavar="DIR", help="keep both sides there")
    parser.add_argument("-r", metavar="REGEX", type=re.compile, help="only runs with such a name, and no commands")
    parser.add_argument("old", metavar="OLD", type=pathlib.Path)
    parser.add_argument("new", metavar="NEW", type=pathlib.Path)
    arguments = parser.parse_args()
    valgrind = shutil.which("valgrind")
    for build in (arguments.old, arguments.new):
        if not (build / "costgrind").exists() or not (build / "valgrind-lib").is_dir():
            parser.error(f"{build}: is no build directory: costgrind and valgrind-lib/ were expected there")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(arguments.k or scratch).resolve()
        (scratch / "bin").mkdir(parents=True)
        old = Build(arguments.old.resolve(), scratch, "old", valgrind)
        new = Build(arguments.new.resolve(), scratch, "new", valgrind)
        count = {"same": 0, "different": 0, "unstable": 0}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for batch in jobs(scratch, old, arguments.r):
                done = [pool.submit(compared, work, old, new, kind, name) for kind, name, work in batch]
                for future in done:
                    name, what, files = future.result()
                    count[what] += 1
                    if what != "same":
                        print(f"{what}: {name}: {' '.join(files)}")
    print(", ".join(f"{number} {what}" for what, number in count.items()))
    return 3 if count["different"] else 0


sys.exit(main())
