# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs whose time comparetime.py compares with a model's cycles: those of tests/bench and of workloads.c, and
some of the distribution, with inputs of tests/bench/distribution.py that are larger here.

Half of them are `tuning`: constants of the model may be chosen by them. The others are `final`: their
error is what the model is worth.
"""

import os
import shutil

from collections import namedtuple

import bench
import distribution

# make writes the input, or is None; {input} in the words is that.
Command = namedtuple('Command', 'path words make suffix', defaults=['txt'])

TUNING = ('calls compress fft heap gzip perl sqlite sort-lines awk python-json chase list switch nbody '
          'matmul-naive json distance modulo').split()
FINAL = ('index interp raytrace sort cc1 openssl python xz bzip2 zstd triad hash branches queens '
         'matmul-blocked strings sieve').split()
BENCH = 'calls compress fft heap index interp raytrace sort'.split()

AWK = r'''
{
	for (i = 2; i <= NF; i++) {
		count[$i]++
		if ($i ~ /^[a-f]+[g-m]/)
			length_of[length($i)]++
	}
	if (NR % 3 == 0)
		text = substr(toupper($2) "-" $3 text, 1, 60)
}
END {
	for (word in count)
		sum += count[word] * length(word)
	print NR, sum, length_of[5], text
}
'''

PYTHON_JSON = r'''
import json
records = [{'id': i, 'name': 'user %d' % (i * 7919 % 10007), 'score': i * 37 % 1000 / 8,
            'tags': ['t%d' % (i * k % 97) for k in range(i % 6)], 'known': i % 3 == 0} for i in range(6000)]
total = 0
for turn in range(6):
    text = json.dumps(records, indent=turn % 2 or None)
    total += len(text) + sum(len(record['tags']) for record in json.loads(text))
print(total)
'''


def text(lines):
    """Makes a file of so many lines."""
    return lambda path: distribution.text(path, lines)


def commands():
    """Those of the distribution, by name."""
    known = distribution.programs()
    return {
        'awk': Command(shutil.which('mawk'), '-f %s {input}' % os.path.join(bench.SCRATCH, 'time', 'words.awk'),
                       text(150000)),
        'bzip2': Command(shutil.which('bzip2'), '-c {input}', text(50000)),
        'cc1': known['cc1'],
        'gzip': Command(known['gzip'].path, '-9 -n -c {input}', text(50000)),
        'openssl': Command(known['openssl'].path, 'dgst -sha256 -r' + 8 * ' {input}', text(300000)),
        'perl': Command(known['perl'].path, '{input}',
                        distribution.script(distribution.PERL.replace('60000', '240000'))),
        'python': Command(known['python'].path, '-s -S -B {input}',
                          distribution.script(distribution.PYTHON.replace('60000', '300000'))),
        'python-json': Command(known['python'].path, '-s -S -B {input}', distribution.script(PYTHON_JSON)),
        'sort-lines': Command(known['sort-lines'].path, '--parallel=1 -S 100M {input}', text(180000)),
        'sqlite': known['sqlite'],
        'xz': known['xz'],
        'zstd': Command(shutil.which('zstd'), '-q -9 --single-thread -c {input}', text(60000)),
    }


def names():
    """All, in the order of tables."""
    return TUNING + FINAL


def is_missing(name):
    """Whether this machine has no such program."""
    command = commands().get(name)
    return command is not None and distribution.missing(command)


def prepare(name):
    """Builds the program or makes its input; returns the words of its command."""
    folder = os.path.join(bench.SCRATCH, 'time')
    command = commands().get(name)
    if command is None:
        return [bench.build(name)] if name in BENCH else [bench.build('time/workloads'), name]
    path = os.path.join(folder, '%s.%s' % (name, command.suffix))
    if name == 'awk':
        distribution.script(AWK)(os.path.join(folder, 'words.awk'))
    if command.make and not bench.is_current(path, [__file__, distribution.__file__]):
        command.make(path + '.new')
        os.replace(path + '.new', path)
    return [command.path] + [word.replace('{input}', path) for word in command.words.split()]
