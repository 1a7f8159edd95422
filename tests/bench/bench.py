#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of scripts/bench that builds, runs, measures and prints.

    bench.py [-n RUNS] [-o OPTIONS] [-f] [--all-columns] [--update-docs] [PROGRAM...]

Takes directories and programs from the environment, as scripts/bench sets it.
Everything is left in tests/scratch/bench of the build directory, all single
runs in runs.csv there.  Status 1 if anything was not as it should be: a run
that fails, takes too long, writes no profile or prints something else than the
program prints alone.
"""

import collections
import getopt
import glob
import math
import os
import re
import shlex
import subprocess
import sys
import threading

import distribution

SOURCE = os.environ['top_srcdir']
SCRATCH = os.path.join(os.environ['top_builddir'], 'tests', 'scratch', 'bench')
DOCUMENT = os.path.join(SOURCE, 'docs', 'PERFORMANCE.md')
DOCUMENT_BEGIN = '<!-- scripts/bench --update-docs writes from here -->\n'
DOCUMENT_END = '<!-- to here -->\n'

TOLD_BY = 'bench'  # what messages begin with; the name of another command that uses this file

LIMIT = 600  # seconds that a run may take
MIN_RUNS = 3  # for a table that is kept

# Debugging information as in a program that one profiles.  bigcode and functions are all code and
# no loop, so that a better optimisation only makes them longer to build; functions takes 15 s as
# it is.
FLAGS = ['-std=gnu11', '-O2', '-g']
CXX_FLAGS = ['-std=gnu++17', '-O2', '-g']
OTHER_FLAGS = {
    'bigcode': ['-std=gnu11', '-O1', '-g'],
    'functions': ['-std=gnu11', '-O0', '-fomit-frame-pointer', '-g'],
}

# Not this machine's caches: the misses would differ from machine to machine.
CACHES = ['--I1=32768,8,64', '--D1=32768,8,64', '--LL=8388608,16,64']

# The same work as the others do; -o --counting=architectural has the default measured.
VALGRIND_COUNTING = ['--counting=valgrind']

# What is compared, in the order in which it runs.  out is the option for the file, which none has
# not; those that are not usual are left out without --all-columns.
Column = collections.namedtuple('Column', 'title tool out options usual', defaults=[True])
ALL_COLUMNS = [
    Column('none', 'none', None, []),
    # Callgrind takes an option for a cache as a wish to simulate it.
    Column('Callgrind', 'callgrind', '--callgrind-out-file', [], False),
    Column('Callgrind, all', 'callgrind', '--callgrind-out-file',
           ['--cache-sim=yes', '--branch-sim=yes', '--dump-instr=yes'] + CACHES),
    Column('Cachegrind, all', 'cachegrind', '--cachegrind-out-file',
           ['--cache-sim=yes', '--branch-sim=yes'] + CACHES),
    Column('costgrind', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cache-sim=no', '--branch-sim=no'] + CACHES),
    Column('costgrind, caches', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cache-sim=yes', '--branch-sim=no'] + CACHES, False),
    Column('costgrind, all', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cache-sim=yes', '--branch-sim=yes'] + CACHES),
    # Its own count of instructions, the caches of this machine.
    Column('costgrind, no cycles', 'costgrind', '--costgrind-out-file', ['--cycles=no']),
    # Three levels that are the same everywhere: next to "all", what the third one costs.
    Column('costgrind, generic', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cycles=no', '--branch-sim=yes', '--machine=generic']),
    # Next to "generic", what it costs to know why it misses, and where it would not.
    Column('costgrind, classes', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cycles=no', '--branch-sim=yes', '--machine=generic', '--miss-classes=yes'],
           False),
    Column('costgrind, curve', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cycles=no', '--branch-sim=yes', '--machine=generic', '--miss-curve=sampled'],
           False),
    Column('costgrind, exact curve', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cycles=no', '--branch-sim=yes', '--machine=generic', '--miss-curve=exact'],
           False),
    # What the machine at hand would do, TLBs too; and its cycles, which need all of that.
    Column('costgrind, TLBs', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cycles=no', '--branch-sim=yes', '--tlb-sim=yes'], False),
    Column('costgrind, cycles', 'costgrind', '--costgrind-out-file',
           VALGRIND_COUNTING + ['--cycles=yes']),
]
COLUMNS = [column for column in ALL_COLUMNS if column.usual]


def place_of(title):
    """The number of a usual column among those that are measured."""
    return [column.title for column in COLUMNS].index(title)


# What one run took; of several, the smallest of each.
Cost = collections.namedtuple('Cost', 'seconds kib')


class Failed(Exception):
    """Something is not as it should be; str() is what is printed, mostly one line."""


# -- building ------------------------------------------------------------------


def source_of(program, suffix='.c'):
    """Where the program is written; with the suffix .py, what writes it."""
    return os.path.join(SOURCE, 'tests', 'bench', program + suffix)


def all_programs():
    """The names of all of them."""
    paths = glob.glob(source_of('*')) + glob.glob(source_of('*', '.py'))
    names = {os.path.splitext(os.path.basename(path))[0] for path in paths}
    return sorted(names - {'bench', 'branchpairs', 'distribution', 'misses', 'profile_bench',
                           'relink'})


def groups():
    """All of them, by the names of the tables; this project's come last."""
    return {'programs of the distribution': sorted(distribution.programs()),
            'programs of tests/bench': all_programs()}


def generate(program):
    """Has the program written, if it is one that is; returns where its source is, and what that
    is made of."""
    generator = source_of(program, '.py')
    if not os.path.exists(generator):
        source = source_of(program, '.cpp' if os.path.exists(source_of(program, '.cpp')) else '.c')
        return source, [source]
    written = os.path.join(SCRATCH, program + '.c')
    if not is_current(written, [generator]):
        with open(written + '.new', 'wb') as stream:
            command = [sys.executable, '-B', generator]
            if subprocess.run(command, stdout=stream, check=False).returncode != 0:
                raise Failed('%s does not write a program' % generator)
        os.replace(written + '.new', written)
    return written, [generator, written]


def is_current(built, sources):
    """True if the file built is there, and younger than all its sources."""
    return os.path.exists(built) and all(
        os.path.getmtime(path) < os.path.getmtime(built) for path in sources)


def build(program, libraries=()):
    """Compiles the program, unless the same was compiled before; returns its path."""
    source, sources = generate(program)
    folder = os.path.dirname(source_of(program))
    shared = glob.glob(os.path.join(folder, '*.h')) + glob.glob(os.path.join(folder, '*.inc'))
    built = os.path.join(SCRATCH, program)
    compiler = (shlex.split(os.environ['CXX']) + CXX_FLAGS if source.endswith('.cpp') else
                shlex.split(os.environ['CC']) + OTHER_FLAGS.get(program, FLAGS))
    command = compiler + ['-I', SOURCE, '-o', built, source, *libraries, '-lm']
    log = built + '.build'  # the command, so that with another one it is compiled again
    old = ''
    if os.path.exists(log) and is_current(built, sources + shared):
        with open(log, encoding='utf-8') as stream:
            old = stream.read()
    if old != shlex.join(command):
        print('%s: compiling %s' % (TOLD_BY, program), file=sys.stderr, flush=True)
        if subprocess.run(command, check=False).returncode != 0:
            raise Failed('%s does not compile' % program)
        with open(log, 'w', encoding='utf-8') as stream:
            stream.write(shlex.join(command))
    return built


# -- running -------------------------------------------------------------------


def child_environment():
    """What a run sees: the same for every user, as far as that goes; and no random order of
    hashes, which makes other counts each time."""
    return {'PATH': os.environ['PATH'], 'HOME': SCRATCH, 'LC_ALL': 'C',
            'PERL_HASH_SEED': '0', 'PYTHONHASHSEED': '0',
            'VALGRIND_LIB': os.environ['COSTGRIND_LIB']}


def run_child(command, name, environment):
    """Runs the command; returns (standard output, what resource.getrusage() would report for it).  Its
    name is for messages."""
    out_path = os.path.join(SCRATCH, 'stdout')
    err_path = os.path.join(SCRATCH, 'stderr')
    with open(out_path, 'wb') as out, open(err_path, 'wb') as err:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 cwd=SCRATCH, env=environment)
        # valgrind is a launcher, which becomes the tool in the same process.  Its
        # largest size is at least Python's, from which it was forked: less than any tool's.
        timer = threading.Timer(LIMIT, child.kill)
        timer.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        finally:
            timer.cancel()
            if child.returncode is None:
                child.kill()
    if child.returncode != 0:
        with open(err_path, encoding='utf-8', errors='replace') as stream:
            told = ''.join('\n    ' + line.rstrip() for line in stream.readlines()[-10:])
        raise Failed('%s: exit status %d:\n    %s%s' %
                     (name, child.returncode, shlex.join(command), told))
    with open(out_path, 'rb') as stream:
        return stream.read(), usage


def run(command, name):
    """Runs the command; returns (standard output, Cost)."""
    output, usage = run_child(command, name, child_environment())
    return output, Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def instructions_in(path, name):
    """The Ir of a profile, from its last line: if that is there, so is the rest.  Not all of it is
    read, since the size of Python is the least that is measured of what it starts."""
    try:
        with open(path, 'rb') as stream:
            stream.seek(max(0, os.path.getsize(path) - 4096))
            last = stream.read().rstrip(b'\n').rpartition(b'\n')[2]
    except FileNotFoundError:
        raise Failed('%s: no profile was written' % name) from None
    found = re.match(rb'(?:summary|totals): ([1-9][0-9]*)', last)
    if not found:
        raise Failed('%s: no totals at the end of the profile %s' % (name, path))
    return int(found[1])


class Bench:
    """The measurement of one program."""

    def __init__(self, program, extra):
        """extra: options for costgrind."""
        self.program = program
        self.extra = extra
        self.varies = 0  # a part of the instructions; distribution.Program
        if program in distribution.programs():
            self.command = distribution.prepare(program, SCRATCH, is_current)
            self.varies = distribution.programs()[program].varies
        else:
            self.command = [build(program)]
        self.expected = run(self.command, program)[0]
        self.costs = [[] for _ in COLUMNS]
        self.instructions = None  # the Ir of costgrind's profiles, whatever else they count
        if not self.expected:
            raise Failed('%s prints nothing' % program)

    def round(self):
        """Runs everything once."""
        for column, costs in zip(COLUMNS, self.costs):
            costs.append(self.run_column(column))

    def run_column(self, column):
        """The Cost of one run."""
        name = '%s under %s' % (self.program, column.title)
        profile = os.path.join(SCRATCH, column.tool + '.out')
        command = [os.environ['VALGRIND'], '--tool=' + column.tool] + column.options
        if column.out:
            command.append('%s=%s' % (column.out, profile))
            if os.path.exists(profile):
                os.remove(profile)
        if column.tool == 'costgrind':
            command += self.extra
        output, cost = run(command + self.command, name)
        if output != self.expected:
            raise Failed('%s: it prints %.200r, and alone %.200r' % (name, output, self.expected))
        if column.out:
            instructions = instructions_in(profile, name)
            if column.tool == 'costgrind' and column.title != 'costgrind, no cycles':
                self.require_instructions(instructions, name)
        return cost

    def require_instructions(self, instructions, name):
        """What is simulated makes no difference to how much is executed."""
        if self.instructions is None:
            self.instructions = instructions
        if abs(self.instructions - instructions) > self.varies * instructions:
            raise Failed('%s: %d instructions, and before %d' %
                         (name, instructions, self.instructions))

    def best(self):
        """A Cost for each column."""
        return [Cost(min(cost.seconds for cost in costs), min(cost.kib for cost in costs))
                for costs in self.costs]


def is_possible(bench):
    """True if Valgrind itself can run a program of the distribution here: its libraries may have been
    made for a processor that it does not know.  If not, says so."""
    if bench.program not in distribution.programs():
        return True
    try:
        bench.run_column(COLUMNS[place_of('none')])
    except Failed as failed:
        print('bench: %s is left out, as Valgrind cannot run it here: %s' %
              (bench.program, str(failed).partition(':\n')[0]), file=sys.stderr, flush=True)
        return False
    return True


def measure(programs, runs, extra):
    """Builds and measures; returns a dict, by program, of what best() says."""
    benches = [Bench(program, extra) for program in programs]
    benches = [bench for bench in benches if is_possible(bench)]
    with open(os.path.join(SCRATCH, 'runs.csv'), 'w', encoding='utf-8') as table:
        print('program,round,tool,seconds,KiB', file=table)
        for bench in benches:
            for number in range(runs):
                print('bench: %s, round %d of %d' % (bench.program, number + 1, runs),
                      file=sys.stderr, flush=True)
                bench.round()
                for column, costs in zip(COLUMNS, bench.costs):
                    print('%s,%d,"%s",%.3f,%d' % ((bench.program, number + 1, column.title) +
                                                  costs[-1]), file=table, flush=True)
    return {bench.program: bench.best() for bench in benches}


# -- tables --------------------------------------------------------------------


def geometric_mean(numbers):
    """Of ratios: it is the same whichever is the denominator."""
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers))


def markdown(rows):
    """A table of rows of texts, with the head first; columns are aligned for a
    terminal too."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append('| ' + ' | '.join(cells) + ' |\n')
    rule = ['-' * widths[0]] + ['-' * (width - 1) + ':' for width in widths[1:]]
    lines.insert(1, '| ' + ' | '.join(rule) + ' |\n')
    return ''.join(lines)


def time_table(results):
    """Seconds under none and multiples of them."""
    none, ours = place_of('none'), place_of('costgrind, all')
    callgrind, cachegrind = place_of('Callgrind, all'), place_of('Cachegrind, all')
    rows = [['program', 'none, s'] + [column.title for column in COLUMNS[1:]] +
            ['Callgrind / all', 'all / Cachegrind']]
    ratios = []
    for program, costs in results.items():
        # Less than a tick of the clock: of a program that is too short to be here.
        seconds = [max(cost.seconds, 0.001) for cost in costs]
        numbers = [value / seconds[none] for value in seconds[1:]]
        numbers += [seconds[callgrind] / seconds[ours], seconds[ours] / seconds[cachegrind]]
        ratios.append(numbers)
        rows.append([program, '%.2f' % seconds[none]] + ['%.2f' % number for number in numbers])
    means = ['%.2f' % geometric_mean(numbers) for numbers in zip(*ratios)]
    worst = max(range(len(ratios)), key=lambda i: ratios[i][-1])
    rows.insert(1, ['geometric mean', ''] + means)
    return '%s\nWorst against Cachegrind: `%s`, %.2f of its time.\n' % (
        markdown(rows), list(results)[worst], ratios[worst][-1])


def size_text(results):
    """A line in mebibytes: geometric means, and the program that is largest against Callgrind."""
    titles = ['none', 'Callgrind, all', 'Cachegrind, all', 'costgrind', 'costgrind, all',
              'costgrind, cycles']
    places = [place_of(title) for title in titles]
    ours, callgrind = place_of('costgrind, all'), place_of('Callgrind, all')
    worst = max(results, key=lambda name: results[name][ours].kib / results[name][callgrind].kib)

    def listed(kibs):
        return ', '.join('%.0f' % (kib / 1024) for kib in kibs)

    return ('Maximum resident size, MiB, of %s: geometric means %s; largest against Callgrind '
            '`%s`, %s.\n' % (
                '; '.join(titles),
                listed(geometric_mean([costs[i].kib for costs in results.values()])
                       for i in places),
                worst, listed(results[worst][i].kib for i in places)))


def first_line(command):
    """The first line that the command prints, or '' if it cannot be run."""
    try:
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=child_environment())
    except OSError:
        return ''
    return done.stdout.decode(errors='replace').partition('\n')[0].strip()


def commit():
    """Which source it is."""
    git = ['git', '-c', 'safe.directory=*', '-C', SOURCE]
    name = first_line(git + ['rev-parse', '--short=12', 'HEAD'])
    if not name:
        return 'no commit'
    changes = first_line(git + ['status', '--porcelain', '--untracked-files=no', '--', '.',
                                ':!docs'])
    return 'commit %s%s' % (name, ' with changes' if changes else '')


def processor():
    """The model, from the first line with one."""
    with open('/proc/cpuinfo', encoding='utf-8') as stream:
        for line in stream:
            key, _, value = line.partition(':')
            if key.strip() == 'model name':
                return value.strip()
    return 'unknown processor'


def report(results, options, busy):
    """What is printed, and what goes into the document."""
    compiler = first_line(shlex.split(os.environ['CC']) + ['--version'])
    facts = [commit(), first_line([os.environ['VALGRIND'], '--version']), compiler,
             '%d x %s' % (os.cpu_count(), processor()), 'rounds: %d' % options.runs]
    if options.extra:
        facts.append('costgrind with ' + shlex.join(options.extra))
    if busy:
        facts.append('other programs ran too')
    text = 'Measured: %s.\n' % '; '.join(facts)
    for title, programs in groups().items():
        measured = {name: results[name] for name in programs if name in results}
        if measured:
            text += ('\nUser and system time of %s; of none in seconds, of the others in multiples '
                     'of that:\n\n%s\n%s' % (title, time_table(measured), size_text(measured)))
    return text


def update_document(path, first_mark, text):
    """Replaces the lines between the marks, each a line; the second is DOCUMENT_END."""
    with open(path, encoding='utf-8') as stream:
        document = stream.read()
    before, begin, rest = document.partition(first_mark)
    _, end, after = rest.partition(DOCUMENT_END)
    if not begin or not end:
        raise Failed('%s: the marks of the table are not there' % path)
    with open(path + '.new', 'w', encoding='utf-8') as stream:
        stream.write(before + begin + '\n' + text + '\n' + end + after)
    os.replace(path + '.new', path)


# -- the command ---------------------------------------------------------------


class Usage(Exception):
    """The words of the command line make no sense; str() says why."""


class Options:
    """What the command line says."""

    def __init__(self, args):
        self.runs = MIN_RUNS
        self.extra = []
        self.force = False
        self.update = False
        self.all_columns = False
        try:
            pairs, self.programs = getopt.gnu_getopt(args, 'n:o:f', ['all-columns', 'update-docs'])
        except getopt.GetoptError as error:
            raise Usage(str(error)) from None
        for name, value in pairs:
            if name == '-n':
                if not re.fullmatch('[1-9][0-9]{0,3}', value):
                    raise Usage('-n takes a number from 1 on, not %s' % value)
                self.runs = int(value)
            elif name == '-o':
                self.extra += shlex.split(value)
            elif name == '-f':
                self.force = True
            elif name == '--all-columns':
                self.all_columns = True
            else:
                self.update = True
        self.check()

    def check(self):
        """Raises Usage for what cannot be."""
        known = [program for group in groups().values() for program in group]
        for program in self.programs:
            if program not in known:
                raise Usage('no program %s: there are %s' % (program, ' '.join(known)))
        if self.update and (self.programs or self.extra or self.runs < MIN_RUNS):
            raise Usage('--update-docs is for all programs, without -o, and at least %d runs' %
                        MIN_RUNS)
        self.programs = self.programs or known
        absent = [name for name, program in distribution.programs().items()
                  if name in self.programs and distribution.missing(program)]
        for name in absent:
            if self.update:
                raise Failed('no %s here: run scripts/setup bench' % name)
            print('bench: %s is not here, and left out (scripts/setup bench)' % name,
                  file=sys.stderr)
        self.programs = [name for name in self.programs if name not in absent]


def is_busy(own):
    """True if other processes compute too, and so take caches and turbo clocks; own is our part of the
    load.  Warns if so."""
    load = os.getloadavg()[0]
    most = 0.5 * os.cpu_count() + own
    if load > most:
        print('%s: warning: the load average is %.2f, above %.1f: the figures say little' %
              (TOLD_BY, load, most), file=sys.stderr, flush=True)
    return load > most


def require_quiet(options, busy):
    """A table that is kept is not measured while other programs run."""
    if busy and options.update and not options.force:
        raise Failed('--update-docs: wait until nothing else runs, or say -f')


def check_tool(options):
    """What is measured must be what the commit says."""
    built = glob.glob(os.path.join(os.environ['COSTGRIND_LIB'], 'costgrind-*'))
    if not built or not os.path.exists(built[0]):
        raise Failed('no tool in %s: run make first' % os.environ['COSTGRIND_LIB'])
    sources = [path for folder in ('sim', 'writer', 'tool')
               for path in glob.glob(os.path.join(SOURCE, folder, '**', '*.[ch]'), recursive=True)]
    if is_current(built[0], sources):
        return
    told = 'the tool is older than its sources'
    if options.update:
        raise Failed(told + ': run make first')
    print('bench: warning: %s' % told, file=sys.stderr)


def main(args):
    """The command; the exit status."""
    try:
        options = Options(args)
        if options.all_columns:
            COLUMNS[:] = ALL_COLUMNS
        os.makedirs(SCRATCH, exist_ok=True)
        check_tool(options)
        busy = is_busy(0)
        require_quiet(options, busy)
        results = measure(options.programs, options.runs, options.extra)
        busy = is_busy(1) or busy
        text = report(results, options, busy)
        print(text, end='')
        require_quiet(options, busy)
        if options.update:
            update_document(DOCUMENT, DOCUMENT_BEGIN, text)
    except Usage as error:
        print('bench: %s\nusage: scripts/bench [-n RUNS] [-o OPTIONS] [-f] [--all-columns] '
              '[--update-docs] [PROGRAM...]' % error, file=sys.stderr)
        return 2
    except (Failed, OSError) as error:
        print('bench: %s' % error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
