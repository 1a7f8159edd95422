# SPDX-License-Identifier: GPL-3.0-or-later
"""What comparetime.py measures natively: the clock rate, user times, and where a program is when its time is sampled.

All runs are on one processor, at addresses that are the same each time, and held to the code that they
choose under Valgrind: CPUID says less there, and the C library and OpenSSL go by it. Both can be
made to choose so by their environment, which is derived here from what the dynamic linker finds with and without Valgrind.
"""

import collections
import ctypes
import hashlib
import os
import re
import shutil
import statistics
import struct
import subprocess

import bench

ADDR_NO_RANDOMIZE = 0x0040000
ENOUGH_SAMPLES = 2000  # for shares of functions of some percent
MAX_SAMPLED_RUNS = 8
SAMPLES_PER_SECOND = 4000
STEADY = 0.98  # of the best clock

# Features that glibc.cpu.hwcaps can take away: (number of the leaf, register, bit) of --list-diagnostics.
HWCAPS = {
    (0, 2, 0): 'SSE3', (0, 2, 9): 'SSSE3', (0, 2, 12): 'FMA', (0, 2, 19): 'SSE4_1', (0, 2, 20): 'SSE4_2',
    (0, 2, 22): 'MOVBE', (0, 2, 23): 'POPCNT', (0, 2, 28): 'AVX',
    (1, 1, 3): 'BMI1', (1, 1, 5): 'AVX2', (1, 1, 8): 'BMI2', (1, 1, 9): 'ERMS', (1, 1, 11): 'RTM',
    (1, 1, 16): 'AVX512F', (1, 1, 17): 'AVX512DQ', (1, 1, 28): 'AVX512CD', (1, 1, 30): 'AVX512BW',
    (1, 1, 31): 'AVX512VL', (2, 2, 5): 'LZCNT', (2, 2, 16): 'FMA4', (3, 0, 1): 'XSAVEC',
}


class Elf:
    """The segments of an object: where in the file its addresses are."""

    def __init__(self, path):
        self.path = path
        self.loads = []  # (offset, bytes in the file, address)
        self.interpreter = None
        with open(path, 'rb') as stream:
            data = stream.read(64)
            if data[:5] != b'\x7fELF\x02':
                return
            start, size, count = struct.unpack('<32xQ14xHH', data[:58])[:3]
            for i in range(count):
                stream.seek(start + i * size)
                kind, _, offset, address, _, in_file = struct.unpack('<IIQQQQ', stream.read(40))
                if kind == 1:
                    self.loads.append((offset, in_file, address))
                if kind == 3:
                    stream.seek(offset)
                    self.interpreter = stream.read(in_file).rstrip(b'\0').decode()

    def address(self, place):
        """What is at this place of the file, or None."""
        for offset, in_file, address in self.loads:
            if offset <= place < offset + in_file:
                return place - offset + address
        return None

    def code(self, wanted):
        """The bytes of the instruction at this address, and more; None if they are not in the file."""
        for offset, in_file, address in self.loads:
            if address <= wanted < address + in_file:
                with open(self.path, 'rb') as stream:
                    stream.seek(wanted - address + offset)
                    return stream.read(15)
        return None


def digest(path):
    """Which program it is: samples of one have no meaning for another."""
    with open(path, 'rb') as stream:
        return hashlib.sha1(stream.read()).hexdigest()


# -- what a program chooses its code by ------------------------------------------


def linker_says(command, environment):
    """key -> value, of --list-diagnostics and --list-tunables."""
    said = {}
    for option, line in (('--list-diagnostics', r'x86\.cpu_features\.([a-z]+.*)=0x([0-9a-f]+)$'),
                         ('--list-tunables', r'(glibc\.cpu\.x86_\w+): 0x([0-9a-f]+)')):
        done = subprocess.run(command + [option], check=False, capture_output=True, text=True, env=environment)
        for key, value in re.findall(line, done.stdout, re.MULTILINE):
            said[key] = int(value, 16)
    return said


def register(said, leaf, number, kind):
    """A register of CPUID; kind: cpuid, or active, what the C library makes of it."""
    return said.get('features[%#x].%s[%#x]' % (leaf, kind, number), 0)


def absent(native, simulated, leaf, number):
    """The bits of a register that Valgrind does not show."""
    return register(native, leaf, number, 'cpuid') & ~register(simulated, leaf, number, 'cpuid')


def restrictions(native, simulated):
    """The variables that make of native what the linker says when simulated."""
    hwcaps = ['-' + name for (leaf, number, bit), name in HWCAPS.items()
              if (register(native, leaf, number, 'active') & ~register(simulated, leaf, number, 'active')) >> bit & 1]
    tunables = []
    for key, value in simulated.items():
        if native.get(key) == value:
            continue
        # That one has no name there, and no meaning without AVX-512.
        if key.startswith('preferred.') and key != 'preferred.Prefer_No_AVX512':
            hwcaps.append(('' if value else '-') + key[len('preferred.'):])
        if key.startswith('glibc.'):
            tunables.append('%s=%#x' % (key, value))
    if hwcaps:
        tunables.insert(0, 'glibc.cpu.hwcaps=' + ','.join(hwcaps))
    variables = {'GLIBC_TUNABLES': ':'.join(tunables)} if tunables else {}
    leaf1 = absent(native, simulated, 0, 3) | absent(native, simulated, 0, 2) << 32
    leaf7 = absent(native, simulated, 1, 1) | absent(native, simulated, 1, 2) << 32
    if leaf1 | leaf7:
        variables['OPENSSL_ia32cap'] = '~%#x:~%#x' % (leaf1, leaf7)
    return variables


def restricted_environment(program):
    """What programs run in, both natively and under the tool; program: any that is linked dynamically.  Also a list
    of what could not be made the same."""
    environment = bench.child_environment()
    linker = Elf(program).interpreter
    if not linker:
        return environment, []
    native = linker_says([linker], environment)
    simulated = linker_says([os.environ['VALGRIND'], '-q', '--tool=none', linker], environment)
    environment.update(restrictions(native, simulated))
    left = restrictions(linker_says([linker], environment), simulated).get('GLIBC_TUNABLES', '')
    return environment, [word.split('.')[-1] for word in re.split('[:,]', left) if word]


# -- runs ------------------------------------------------------------------------


class Machine:
    """Runs programs, on one processor."""

    def __init__(self):
        self.clock_program = bench.build('time/clockrate')
        self.environment, self.differences = restricted_environment(self.clock_program)
        self.processors = os.sched_getaffinity(0)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.personality(ADDR_NO_RANDOMIZE) < 0:
            raise bench.Failed('addresses cannot be kept from being random here')
        self.perf = shutil.which('perf')

    def measure(self):
        """The text of this computer's machine, as it is now, less what others take of its last level."""
        text, _ = self.run([os.path.join(os.environ['top_builddir'], 'costgrind'), 'machine', '-q', '--measure',
                            '--output=-'], 'costgrind machine --measure')
        return text.decode()

    def run(self, command, name, anywhere=False):
        """(standard output, user time in seconds) on one processor; anywhere: what takes long, and is not timed."""
        # Inherited by what is started, as the personality is.
        os.sched_setaffinity(0, self.processors if anywhere else {max(self.processors)})
        output, usage = bench.run_child(command, name, self.environment)
        return output, usage.ru_utime

    def clock(self):
        """Cycles in a nanosecond, now."""
        return float(self.run([self.clock_program], 'clockrate')[0])

    def time(self, command, name, runs):
        """What is saved of a program: user times, with the smaller one of the clocks before and after each run;
        and what it prints."""
        seconds, clocks = [], []
        before = self.clock()
        for _ in range(runs):
            output, taken = self.run(command, name)
            after = self.clock()
            seconds.append(taken)
            clocks.append(min(before, after))
            before = after
        return {'seconds': seconds, 'clocks': clocks, 'digest': digest(command[0]),
                'output': hashlib.sha1(output).hexdigest()}

    def time_rounds(self, program, name):
        """The same of a program of rounds.h, which measures itself and the clock."""
        output, _ = self.run([program, name, '0'], name)
        rounds = [tuple(map(float, line.split())) for line in output.decode().splitlines()]
        return {'seconds': [nanoseconds / 1e9 for nanoseconds, _ in rounds], 'clocks': [clock for _, clock in rounds],
                'digest': digest(program)}

    def sample(self, command, name):
        """A list of [object, address, samples], or None if there is no perf."""
        if not self.perf:
            return None
        path = os.path.join(bench.SCRATCH, 'time', 'perf.data')
        counts = collections.Counter()
        for _ in range(MAX_SAMPLED_RUNS):
            self.run([self.perf, 'record', '-q', '-e', 'cpu-clock:u', '-F', str(SAMPLES_PER_SECOND), '-o', path,
                      '--'] + command, 'perf record ' + name)
            shown, _ = self.run([self.perf, 'script', '-i', path, '-F', 'ip', '--show-mmap-events'], 'perf script')
            counts.update(placed(shown.decode(errors='replace')))
            if sum(counts.values()) >= ENOUGH_SAMPLES:
                break
        return [[path, address, count] for (path, address), count in sorted(counts.items())]


def steady_cycles(native):
    """From what time() returned: the cycles of each run during which the clock was at its best. Where it seems slower,
    others disturb it, and the run as well, but not by as much."""
    least = STEADY * max(native['clocks'])
    return [1e9 * seconds * clock for seconds, clock in zip(native['seconds'], native['clocks']) if clock >= least]


def cycles(native):
    """Those of the run that took fewest."""
    return min(steady_cycles(native))


def spread(native):
    """By what part the median run is above the fastest. Of a hundred short runs, some are always disturbed."""
    return statistics.median(steady_cycles(native)) / cycles(native) - 1


MAPPED = re.compile(r'PERF_RECORD_MMAP2? .*: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (\S+) .*: (\S+) (.*)$')


def placed(shown):
    """(object, address in it) of each sample of what perf script prints."""
    mappings = []  # (start, end, place in the file, path), the newest last
    objects = {}
    for line in shown.splitlines():
        found = MAPPED.match(line.strip())
        if found:
            start, size = int(found[1], 16), int(found[2], 16)
            mappings.append((start, start + size, int(found[3], 0), found[5]))
        elif re.fullmatch(r'\s*[0-9a-f]+\s*', line):
            yield place_of(int(line, 16), mappings, objects)


def place_of(address, mappings, objects):
    """See placed(); objects: path -> Elf."""
    for start, end, place, path in reversed(mappings):
        if start <= address < end:
            if not os.path.exists(path):
                return path, 0
            if path not in objects:
                objects[path] = Elf(path)
            return os.path.realpath(path), objects[path].address(address - start + place) or 0
    return '???', 0
