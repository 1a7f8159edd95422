# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of the distribution for bench.py, which nobody tuned for, with inputs made here.

Inputs are the same on every machine: their random numbers have a seed.  What a program
computes depends on its version, and so figures of one machine only can be compared.
"""

import functools
import os
import random
import shutil
import subprocess

from collections import namedtuple

# A command's program by its own path, since a name in PATH may be a script that looks for another;
# make is called with the input's file, and the command's words say {input}.  One that looks at
# clocks executes more or fewer instructions each time, by that part of them at most.
Program = namedtuple('Program', 'path words make suffix varies', defaults=['txt', 0])

WORDS = 4096  # different ones in a text


def text(path, lines):
    """Words whose frequency falls as it does in languages: some compress well, some do not."""
    numbers = random.Random(1)
    words = [''.join(numbers.choices('abcdefghijklmnoprstuvw', k=numbers.randint(2, 11)))
             for _ in range(WORDS)]
    weights = [1 / (i + 1) for i in range(WORDS)]
    with open(path, 'w', encoding='ascii') as stream:
        for _ in range(lines):
            line = numbers.choices(words, weights, k=10)
            print('%06d' % numbers.randrange(1000000), *line, file=stream)


def script(contents):
    """Makes a file with these contents."""
    def write(path):
        with open(path, 'w', encoding='ascii') as stream:
            stream.write(contents)
    return write


def preprocessed(path):
    """A program of the bench and the headers it includes, as the compiler proper reads them."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls.c')
    subprocess.run(['gcc', '-std=gnu11', '-E', '-P', '-o', path, source,
                    '-I', os.path.join(os.path.dirname(source), '..', '..')], check=True)


# What a log's reader does: split, count by key, sort.
PERL = r'''
my ($seed, %count, %last, @notes) = (1);
sub note {
	my ($line, $number) = @_;
	return if $line !~ /^user(\d+) (\d*?)7/ || $number < 10;
	push @notes, join '-', reverse($1, lc(substr($line, 0, 3)), $2 ^ $number);
	shift @notes if @notes > 100;
}
for my $i (1 .. 60000) {
	$seed = ($seed * 1103515245 + 12345) % 2147483648;
	my $key = 'user' . ($seed % 5000);
	$count{$key}++;
	$last{$key} .= chr(97 + $seed % 26) if length($last{$key} // '') < 40;
	note(sprintf('%s %d', $key, $seed >> 8), $i) if $i % 4 == 0;
}
my $sum = 0;
for my $key (sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count) {
	my @parts = split /e/, $last{$key};
	$sum += $count{$key} * @parts;
}
print "$sum $notes[-1] @{[scalar @notes]}\n";
'''

PYTHON = r'''
class Account:
    def __init__(self, name):
        self.name = name
        self.balance = 0
        self.entries = []

    def book(self, amount):
        self.balance += amount
        if len(self.entries) < 50:
            self.entries.append(amount)
        return self.is_covered()

    def is_covered(self):
        return self.balance >= 0

seed = 1
accounts = [Account('a%d' % i) for i in range(300)]
covered = 0
for i in range(60000):
    seed = (seed * 1103515245 + 12345) % 2147483648
    covered += accounts[seed % 300].book(seed % 1000 - 480)
print(covered, sum(sorted(a.balance for a in accounts)[:10]))
'''

# What a build's scripts do: lists, patterns, arithmetic, functions.
DASH = r'''
seed=1
next() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
}
strip() {
	word=$1
	while :; do
		case $word in
		*x*) word=${word%%x*}${word#*x} ;;
		*) return ;;
		esac
	done
}
sum=0 list=
i=0
while [ $i -lt 6000 ]; do
	next
	list="$list ${seed}x$((seed % 7))x.o"
	i=$((i + 1))
	if [ $((i % 40)) -eq 0 ]; then
		for name in $list; do
			strip "${name%.o}"
			sum=$(((sum + ${#word} + word % 13) % 65536))
		done
		list=
	fi
done
echo $sum $seed
'''

# A loop over hashes, fields and substitutions.
GAWK = r'''
BEGIN {
	seed = 1
	for (i = 0; i < 60000; i++) {
		seed = (seed * 69069 + 12345) % 4294967296
		key = "user" seed % 3000
		count[key]++
		line = key " " int(seed / 7) " " i
		n = split(line, fields)
		gsub(/[aeiou]/, "-", line)
		length_of[n] += length(line)
		if (line ~ /9+ .*1$/)
			matched++
	}
	for (key in count)
		if (count[key] > most)
			most = count[key]
	print most, matched, length_of[3]
}
'''

SQL = r'''
create table t(a integer primary key, b integer, c text);
with recursive n(i, s) as (select 1, 1 union all
	select i + 1, (s * 1103515245 + 12345) % 2147483648 from n where i < 20000)
insert into t select i, s % 1000, 'text ' || (s % 5000) from n;
create index byb on t(b);
select b, count(*), max(c) from t group by b having count(*) > 28 order by 2 desc, 1 limit 10;
select count(*) from t x join t y on x.b = y.b where x.c < y.c;
select sum(length(c)), count(distinct c) from t where c like '%1%';
'''


def object_file(path):
    """The same program, compiled, with debug information."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls.c')
    subprocess.run(['gcc', '-std=gnu11', '-g', '-c', '-o', path, source,
                    '-I', os.path.join(os.path.dirname(source), '..', '..')], check=True)


def c_library():
    """The path of the static C library, if there is one; else a name that ld does not find."""
    if not shutil.which('gcc'):
        return 'libc.a'
    return subprocess.run(['gcc', '-print-file-name=libc.a'], check=True,
                          stdout=subprocess.PIPE).stdout.decode().strip()


def compiler():
    """The path of the compiler proper, or None."""
    if not shutil.which('gcc'):
        return None
    path = subprocess.run(['gcc', '-print-prog-name=cc1'], check=True,
                          stdout=subprocess.PIPE).stdout.decode().strip()
    return path if os.path.isabs(path) else None


@functools.lru_cache
def programs():
    """All, by name; the compiler is asked once where its own program is."""
    return {
        'cc1': Program(compiler(), '-quiet -O2 -fpreprocessed {input} -o -', preprocessed, 'i'),
        'dash': Program('/bin/dash', '{input}', script(DASH)),
        # It keeps its process's number as text.
        'gawk': Program('/usr/bin/gawk', '-f {input}', script(GAWK), varies=1e-6),
        'gzip': Program('/usr/bin/gzip', '-9 -n -c {input}', lambda path: text(path, 18000)),
        # A map of what goes where, as the file itself has no place.
        'ld': Program('/usr/bin/ld', '-M -r -o /dev/null {input} --whole-archive ' + c_library(),
                      object_file, 'o'),
        # It looks at a clock.
        'lz4': Program('/usr/bin/lz4', '-9 -c -q {input}', lambda path: text(path, 18000),
                       varies=1e-6),
        'openssl': Program('/usr/bin/openssl', 'dgst -sha256 -r {input}',
                           lambda path: text(path, 300000)),
        'perl': Program('/usr/bin/perl', '{input}', script(PERL)),
        'python': Program('/usr/bin/python3', '-s -S -B {input}', script(PYTHON)),
        # Several times over, as one is done before the rest has started to weigh.
        'readelf': Program('/usr/bin/readelf', '-W -a --debug-dump=info,decodedline' + 8 * ' {input}',
                           object_file, 'o'),
        # tests/bench has a sort, too.
        'sort-lines': Program('/usr/bin/sort', '--parallel=1 -S 100M {input}',
                        lambda path: text(path, 60000)),
        'sqlite': Program('/usr/bin/sqlite3', '-batch -init {input} :memory: .quit', script(SQL)),
        'x264': Program('/usr/bin/ffmpeg', '-v error -nostdin -filter_complex_threads 1 -f lavfi '
                        '-i testsrc2=size=192x108:rate=25:duration=0.4 -c:v libx264 -threads 1 '
                        '-x264-params threads=1 -f h264 -', None, varies=1e-2),
        'xz': Program('/usr/bin/xz', '-T1 -c {input}', lambda path: text(path, 6000)),
    }


def missing(program):
    """True if this machine has no such program."""
    return not program.path or not os.access(program.path, os.X_OK)


def prepare(name, folder, is_current):
    """Makes the input, unless it is_current(path, [what it is made by]); returns the command."""
    program = programs()[name]
    path = os.path.join(folder, '%s.%s' % (name, program.suffix))
    if program.make and not is_current(path, [__file__]):
        program.make(path + '.new')
        os.replace(path + '.new', path)
    return [program.path] + [word.replace('{input}', path) for word in program.words.split()]
