# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs whose time comparetime.py compares with a model's cycles: from tests/bench and workloads.c, and
some of the distribution, with inputs of tests/bench/distribution.py that are larger here.

Half of them are `tuning`: constants of the model may be chosen by them. The others are `final`: their
error is what the model is worth. So is the error of the `real` ones: libraries of the distribution with a driver in
real/ each, and programs whose load is code of their own language.
"""

import json
import os
import random
import shlex
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
REAL = 'leveldb png nlohmann-json eigen rapidjson lua jq redis'.split()
SETS = {'tuning': TUNING, 'final': FINAL, 'real': REAL}
BENCH = 'calls compress fft heap index interp raytrace sort'.split()

# Of real/: a header that its library installs, and what it is linked with.
Driver = namedtuple('Driver', 'header libraries')
DRIVERS = {
    'leveldb': Driver('leveldb/db.h', ['-lleveldb']),
    'png': Driver('png.h', ['-lpng']),
    'nlohmann-json': Driver('nlohmann/json.hpp', []),
    'eigen': Driver('eigen3/Eigen/Dense', []),
    'rapidjson': Driver('rapidjson/document.h', []),
}

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


# Strings, tables, methods and closures.
LUA = r"""
local seed = 1
local function below(limit)
	seed = (seed * 1103515245 + 12345) % 2147483648
	return seed // 256 % limit
end

local Account = {}
Account.__index = Account
function Account.new(name)
	return setmetatable({name = name, balance = 0, entries = {}}, Account)
end
function Account:book(amount)
	self.balance = self.balance + amount
	self.entries[#self.entries % 50 + 1] = amount
	return self.balance >= 0
end

local function each_pair(text)
	local at = 1
	return function()
		local first, last, key, value = text:find('(%a+)=(%d+)', at)
		if first then
			at = last + 1
			return key, tonumber(value)
		end
	end
end

local accounts, lines, covered = {}, {}, 0
for i = 1, 400 do
	accounts[i] = Account.new('a' .. i)
end
for i = 1, 800000 do
	if accounts[below(400) + 1]:book(below(1000) - 480) then
		covered = covered + 1
	end
end
for i = 1, 60000 do
	lines[i] = string.format('id=%d score=%d name=%d', i, below(1000), below(5000))
end
local sums = {id = 0, score = 0, name = 0}
for _, line in ipairs(lines) do
	for key, value in each_pair(line) do
		sums[key] = sums[key] + value
	end
end
table.sort(accounts, function(a, b) return a.balance < b.balance or a.balance == b.balance and a.name < b.name end)
table.sort(lines)
print(covered, sums.score, sums.name, accounts[1].name, lines[100], #table.concat(lines, '\n'):upper())
"""

# The same text, piece by piece or at once.
LUA_CONCAT = r"""
local size = 0
for turn = 1, 80 do
	local %s
	for i = 1, 2000 do
		%s
	end
	%s
	size = size + #text
end
print(size)
"""

JQ = ("group_by(.score % 40 | floor) | map({key: .[0].name, value: (map(.score) | add), tags: (map(.tags[]) | unique | "
      "length), known: (map(select(.known)) | length)}) | sort_by(.value) | map(.key |= ascii_upcase) | "
      "{first: .[0], last: .[-1], all: map(tostring | length) | add}")


def text(lines):
    """Makes a file of that many lines."""
    return lambda path: distribution.text(path, lines)


def records(path):
    """Makes a list of objects, in JSON."""
    numbers = random.Random(1)
    with open(path, 'w', encoding='ascii') as stream:
        json.dump([{'id': i, 'name': 'user %d' % numbers.randrange(10000), 'score': numbers.randrange(5000) / 8,
                    'tags': ['t%d' % numbers.randrange(100) for _ in range(i % 6)], 'known': i % 3 == 0}
                   for i in range(12000)], stream)


def log_of(commands_of):
    """Makes the configuration of a redis-server that executes commands: commands_of(random numbers) is the
    list, as its append-only file has them: in one process, and before it would serve anyone. The last one ends it."""
    def write(path):
        folder = path.removesuffix('.new') + '.d'
        os.makedirs(os.path.join(folder, 'log'), exist_ok=True)
        with open(os.path.join(folder, 'log', 'log.manifest'), 'w', encoding='ascii') as stream:
            stream.write('file log.1.incr.aof seq 1 type i\n')
        with open(os.path.join(folder, 'log', 'log.1.incr.aof'), 'w', encoding='ascii', newline='') as stream:
            for command in commands_of(random.Random(1)) + ['SHUTDOWN NOSAVE NOW FORCE']:
                words = command.split(' ')
                stream.write('*%d\r\n' % len(words) + ''.join('$%d\r\n%s\r\n' % (len(word), word) for word in words))
        distribution.script('port 0\nunixsocket redis.sock\nloglevel warning\nsave ""\nappendonly yes\n'
                            'appenddirname log\nappendfilename log\ndir "%s"\n' % folder)(path)
    return write


def redis_server():
    """Its path, or None. The server and the checker of its files are one program, which looks at its own name. Debian's
    package of the checker, unlike the server's, starts no service."""
    checker, server = shutil.which('redis-check-rdb'), os.path.join(bench.SCRATCH, 'time', 'redis-server')
    if checker and not os.path.exists(server):
        os.symlink(checker, server)
    return server if checker else None


def redis_commands(numbers):
    """What a site with users, scores and recent entries asks for."""
    commands_made = []
    for i in range(40000):
        user = numbers.randrange(4000)
        commands_made += [
            'SET session:%d token-%d' % (user, numbers.randrange(1 << 30)), 'GET session:%d' % numbers.randrange(4000),
            'HINCRBY user:%d visits 1' % user, 'ZINCRBY scores %d user:%d' % (numbers.randrange(50), user),
            'LPUSH recent:%d entry-%d' % (user % 50, i), 'LTRIM recent:%d 0 99' % (user % 50),
            'SADD tag:%d user:%d' % (numbers.randrange(100), user)]
        if i % 20 == 0:
            commands_made += ['ZREVRANGE scores 0 20 WITHSCORES', 'LRANGE recent:%d 0 -1' % (user % 50),
                              'SINTERSTORE both tag:%d tag:%d' % (user % 100, numbers.randrange(100)),
                              'SORT tag:%d ALPHA LIMIT 0 10' % (user % 100)]
    return commands_made


def redis_hashes(numbers):
    """Fields of 40 hashes of 500."""
    return [numbers.choice(['HGET hash:%d field-%d', 'HINCRBY hash:%d field-%d 1']) %
            (numbers.randrange(40), numbers.randrange(500)) for _ in range(100000)]


def commands():
    """Those of the distribution, by name."""
    known = distribution.programs()
    return {
        'awk': Command(shutil.which('mawk'), '-f %s {input}' % os.path.join(bench.SCRATCH, 'time', 'words.awk'),
                       text(150000)),
        'bzip2': Command(shutil.which('bzip2'), '-c {input}', text(50000)),
        'cc1': known['cc1'],
        'gzip': Command(known['gzip'].path, '-9 -n -c {input}', text(50000)),
        'jq': Command(shutil.which('jq'), '-c %s {input}' % shlex.quote(JQ), records, 'json'),
        'lua': Command(shutil.which('lua5.4'), '{input}', distribution.script(LUA), 'lua'),
        'openssl': Command(known['openssl'].path, 'dgst -sha256 -r' + 8 * ' {input}', text(300000)),
        'perl': Command(known['perl'].path, '{input}',
                        distribution.script(distribution.PERL.replace('60000', '240000'))),
        'python': Command(known['python'].path, '-s -S -B {input}',
                          distribution.script(distribution.PYTHON.replace('60000', '300000'))),
        'python-json': Command(known['python'].path, '-s -S -B {input}', distribution.script(PYTHON_JSON)),
        'redis': Command(redis_server(), '{input}', log_of(redis_commands), 'conf'),
        'sort-lines': Command(known['sort-lines'].path, '--parallel=1 -S 100M {input}', text(180000)),
        'sqlite': known['sqlite'],
        'xz': known['xz'],
        'zstd': Command(shutil.which('zstd'), '-q -9 --single-thread -c {input}', text(60000)),
    }


def sides():
    """Of pairs of whole programs: NAME-fast and NAME-slow as in timepairs.c."""
    jq, lua, redis = shutil.which('jq'), shutil.which('lua5.4'), redis_server()
    return {
        'jq-fields-fast': Command(jq, "'map({id, name}) | length' {input}", records, 'json'),
        'jq-fields-slow': Command(jq, "'map(del(.score, .tags, .known)) | length' {input}", records, 'json'),
        'lua-concat-fast': Command(lua, '{input}', distribution.script(LUA_CONCAT % (
            'pieces = {}', "pieces[i] = 'piece ' .. i", 'local text = table.concat(pieces)')), 'lua'),
        'lua-concat-slow': Command(lua, '{input}', distribution.script(LUA_CONCAT % (
            "text = ''", "text = text .. 'piece ' .. i", '')), 'lua'),
        'redis-hash-fast': Command(redis, '{input} --hash-max-listpack-entries 64', log_of(redis_hashes), 'conf'),
        'redis-hash-slow': Command(redis, '{input} --hash-max-listpack-entries 1000', log_of(redis_hashes), 'conf'),
    }


def names():
    """All, in the order of tables."""
    return [name for programs in SETS.values() for name in programs]


def set_of(name):
    """The set that it is in."""
    return next(title for title, programs in SETS.items() if name in programs)


def is_real(pair):
    """True if the pair is made of one of the real programs, by its first word."""
    return pair.partition('-')[0] in [name.partition('-')[0] for name in REAL]


def command_of(name):
    """What runs a program that is not built here, or a side of a pair; None if it is built."""
    return commands().get(name) or sides().get(name)


def is_missing(name):
    """True if this machine has no such program, or not what it is made of."""
    if name in DRIVERS:
        return not os.environ['CXX'] or not os.path.exists(os.path.join('/usr/include', DRIVERS[name].header))
    command = command_of(name)
    return command is not None and distribution.missing(command)


def build_driver(name):
    """The path of a driver of real/."""
    os.makedirs(os.path.join(bench.SCRATCH, 'time', 'real'), exist_ok=True)
    return bench.build('time/real/' + name, DRIVERS[name].libraries)


def prepare(name):
    """Builds the program or makes its input; returns the words of its command."""
    folder = os.path.join(bench.SCRATCH, 'time')
    if name in DRIVERS:
        return [build_driver(name), 'work']
    command = command_of(name)
    if command is None:
        return [bench.build(name)] if name in BENCH else [bench.build('time/workloads'), name]
    path = os.path.join(folder, '%s.%s' % (name, command.suffix))
    if name == 'awk':
        distribution.script(AWK)(os.path.join(folder, 'words.awk'))
    if command.make and not bench.is_current(path, [__file__, distribution.__file__]):
        command.make(path + '.new')
        os.replace(path + '.new', path)
    return [command.path] + [word.replace('{input}', path) for word in shlex.split(command.words)]
