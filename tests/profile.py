#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests' own reader of profiles: Callgrind's format and Cachegrind's.

    profile.py totals FILE    lines "Event count", in the file's order of events
    profile.py summary FILE   the same of the "summary:" line
    profile.py cells FILE     file, function, line and the counts that are not 0
    profile.py insns FILE     object, function, address, line and the counts
    profile.py calls FILE     object, function and line of the call, object and
                              function called, how often, and the inclusive counts
    profile.py jumps FILE     object, function, file, line and address (0 without instruction
                              positions) of the jump, file, line and address that it goes to,
                              "jump" or "jcnd", how often it was taken and executed

It shares nothing with the programs that write profiles, and it is strict: what
is not known to be right (an unknown line, an undefined id, a column too many, a
sum that does not fit its body) is an error with file and line, status 1, and
nothing is printed on standard output.  Files of costgrind must also keep to
the rules that viewers need and that Callgrind itself does not always keep.
One part a file; "bb" positions are not known.
"""

import functools
import operator
import re
import signal
import sys

MAX_COUNT = 2**64 - 1
MAX_DELTA = 2**31 - 1  # KCachegrind reads relative positions as 32-bit numbers

NUMBER = r'(?:0x[0-9a-f]+|0|[1-9][0-9]*)'
EVENT_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*\Z')
EVENT_SPEC = re.compile(r'[A-Za-z_][A-Za-z0-9_]*(?: = [^:]*[^: ])?(?: : .+)?\Z')
HEADER_LINE = re.compile(r'([a-z]+):(?: (.*))?\Z')
NAME_LINE = re.compile(r'(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn|jfi|jfn)=(.*)\Z')
COMPRESSED_NAME = re.compile(r'\((0|[1-9][0-9]*)\)(?: (.+))?\Z')
ONE_NUMBER = re.compile(NUMBER + r'\Z')
COST_LINE = re.compile(r'(?:[-+]?%s|\*)(?: (?:[-+]?%s|\*))*\Z' % (NUMBER, NUMBER))
CALLS_LINE = re.compile(r'calls=(%s)((?: (?:[-+]?%s|\*))+)\Z' % (NUMBER, NUMBER))
STEP = re.compile(r'[-+]%s\Z' % NUMBER)
JUMP_LINE = re.compile(r'(jump|jcnd)=(%s)(?:/(%s))?((?: (?:[-+]?%s|\*))+)\Z' %
                       ((NUMBER,) * 3))
BLANKS_AT_ENDS = re.compile(r'\A\s|\s\Z')
CONTROL = re.compile(r'[\x00-\x1f\x7f]')

# Header keys by the order in which they must appear; keys of one rank may mix.
HEADER_RANK = {
    'pid': 1, 'cmd': 2, 'part': 3, 'thread': 4, 'desc': 5,
    'event': 6, 'positions': 6, 'events': 7, 'summary': 8,
}
HEADER_REPEATED = ('desc', 'event')

# Kinds of name that share one numbering.
NUMBERING = {
    'ob': 'object', 'cob': 'object',
    'fl': 'file', 'fi': 'file', 'fe': 'file', 'cfi': 'file', 'cfl': 'file', 'jfi': 'file',
    'fn': 'function', 'cfn': 'function', 'jfn': 'function',
}


class Malformed(Exception):
    """The file is not a profile as it should be; str() is one line."""


class Profile:
    """What a file says.  Counts are in dicts by event name.

    events   list of event names, in the file's order
    places   (object, its own file, function, address, file, line) -> counts that are not all 0, a list
             in the order of the events: what cells, insns and costs are made of when asked for.  Of
             Cachegrind's format, an object and a file of its own are None.
    call_places  the same of a call and the function called -> [count, inclusive counts, address where it was
             entered]: what calls and arcs are made of when asked for
    totals   sum of the body's self costs, every event
    summary  the "summary:" line, every event, or None
    cells    (file, function, line) -> counts that are not 0
    insns    (object, function, address, line) -> counts that are not 0;
             None if the file has no instruction positions
    calls    (object, file, function, line) of the call, (object, file,
             function) called -> [count, inclusive counts]
    costs    function, address, (file, line) -> counts that are not 0; a function is
             (object, its own file, name), an address None without instruction positions
    arcs     function, address, (file, line) of the call, function called
             -> [count, inclusive counts, address where it was entered]
    jumps    function, address, (file, line) of the jump, address, (file, line)
             of its target, "jump" or "jcnd" -> [taken, executed]; those that
             leave their function (jfn=, which is not ours) are left out
    header   other header lines: key -> text
    desc     list of the texts after "desc: "
    event_specs  list of the texts after "event: "
    """

    def __init__(self):
        self.events = []
        self.totals = {}
        self.summary = None
        self.has_objects = self.has_insns = False
        self.places = {}
        self.call_places = {}
        self.jumps = {}
        self.header = {}
        self.desc = []
        self.event_specs = []

    def sums(self, key_of):
        """Of the places that have a key together: key -> counts that are not all 0, a list in the order
        of the events."""
        table = {}
        for place, counts in self.places.items():
            key = key_of(place)
            known = table.get(key)
            table[key] = counts if known is None else list(map(operator.add, known, counts))
        return table

    def table(self, key_of):
        """The same with counts by name, those that are not 0."""
        return {key: {event: count for event, count in zip(self.events, counts) if count}
                for key, counts in self.sums(key_of).items()}

    @functools.cached_property
    def cells(self):
        """See above."""
        return self.table(cell_of_place)

    @functools.cached_property
    def insns(self):
        """See above."""
        return self.table(insn_of_place) if self.has_insns else None

    @functools.cached_property
    def costs(self):
        """See above."""
        return self.table(cost_of_place) if self.has_objects else {}

    @functools.cached_property
    def calls(self):
        """See above."""
        table = {}
        for (obj, _, function, _, file, line, callee), (count, counts, _) in self.call_places.items():
            key = (obj, file, function, line), callee
            known = table.get(key, (0, (0,) * len(self.events)))
            table[key] = known[0] + count, list(map(operator.add, known[1], counts))
        return {key: [count, dict(zip(self.events, counts))] for key, (count, counts) in table.items()}

    @functools.cached_property
    def arcs(self):
        """See above."""
        return {cost_of_place(place[:6]) + place[6:]: [count, dict(zip(self.events, counts)), target]
                for place, (count, counts, target) in self.call_places.items()}


# Keys of Profile's tables, of a place.
cell_of_place = operator.itemgetter(4, 2, 5)
function_of_place = operator.itemgetter(0, 1, 2)
insn_of_place = operator.itemgetter(0, 2, 3, 5)


def cost_of_place(place):
    """See above."""
    return place[:3], place[3], place[4:]


def add_counts(table, key, counts):
    """Adds what is not 0 to table[key]; a cost of zeros leaves no cell."""
    for event, count in counts.items():
        if count:
            cell = table.setdefault(key, {})
            cell[event] = cell.get(event, 0) + count


class Lines:
    """The lines of a file, with the number of the last one taken for messages."""

    def __init__(self, path, errors):
        self.path = path
        self.number = 0
        with open(path, 'rb') as stream:
            data = stream.read()
        if not data:
            self.fail('the file is empty')
        for what, byte in (('NUL byte', b'\0'), ('carriage return', b'\r')):
            if byte in data:
                self.number = data.count(b'\n', 0, data.index(byte)) + 1
                self.fail(what)
        try:
            text = data.decode('utf-8', errors)
        except UnicodeDecodeError as error:
            self.number = data.count(b'\n', 0, error.start) + 1
            self.fail('not UTF-8')
        self.lines = text.split('\n')
        if self.lines.pop() != '':
            self.number = len(self.lines) + 1
            self.fail('the last line has no end')

    def fail(self, message):
        """Raises Malformed with the place."""
        raise Malformed('%s:%d: %s' % (self.path, self.number, message))

    def next(self):
        """The next line, or None at the end."""
        if self.number == len(self.lines):
            return None
        self.number += 1
        return self.lines[self.number - 1]

    def push_back(self):
        """Makes next() give the last line again."""
        self.number -= 1


class Numbers(dict):
    """The values of texts: most are in a file many times.  Texts that are not 64-bit numbers are
    not in it: ValueError."""

    def __missing__(self, text):
        if not ONE_NUMBER.match(text):
            raise ValueError
        value = int(text, 16 if text.startswith('0x') else 10)
        if value > MAX_COUNT:
            raise ValueError
        return self.setdefault(text, value)


class Steps(dict):
    """The values of relative positions.  Texts that are none, or of more than 31 bits: ValueError."""

    def __missing__(self, text):
        value = 0 if text == '*' else int(text, 0) if STEP.match(text) else MAX_COUNT
        if abs(value) > MAX_DELTA:
            raise ValueError
        return self.setdefault(text, value)


class CountLists(dict):
    """Of texts of several counts: the list in the order of the events, and whether one is not 0.  Texts that
    are no counts, or too many: ValueError."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def __missing__(self, text):
        values = [self.reader.numbers[word] for word in text.split(' ')]
        lacking = len(self.reader.profile.events) - len(values)
        if lacking < 0:
            raise ValueError
        values += [0] * lacking
        return self.setdefault(text, (values, any(values)))


class Reader:
    """What the readers of both formats share: numbers, columns and sums."""

    def __init__(self, lines):
        self.lines = lines
        self.profile = Profile()
        self.numbers = Numbers()

    def fail(self, message):
        """Raises Malformed with the place."""
        self.lines.fail(message)

    def parse_number(self, text):
        """A count or a position."""
        try:
            return self.numbers[text]
        except ValueError:
            self.fail('does not fit 64 bits: %s' % text if ONE_NUMBER.match(text) else
                      'not a number: %r' % text)

    def parse_list(self, words):
        """Counts in the order of the events; what is not given is 0."""
        events = self.profile.events
        if len(words) > len(events):
            self.fail('%d counts for %d events' % (len(words), len(events)))
        if not words:
            self.fail('no counts')
        try:
            values = [self.numbers[word] for word in words]
        except ValueError:
            values = [self.parse_number(word) for word in words]  # says what is wrong
        values += [0] * (len(events) - len(values))
        return values

    def parse_counts(self, words):
        """The same by name."""
        return dict(zip(self.profile.events, self.parse_list(words)))

    def set_events(self, words):
        """The "events:" line."""
        for word in words:
            if not EVENT_NAME.match(word):
                self.fail('not the name of an event: %r' % word)
        if len(set(words)) != len(words):
            self.fail('an event appears twice')
        self.profile.events = words

    def add_self_cost(self, place, counts):
        """Adds to the costs of the body; zeros leave no place."""
        if any(counts):
            places = self.profile.places
            known = places.get(place)
            places[place] = counts if known is None else list(map(operator.add, known, counts))

    def compare_sum(self, what, counts):
        """Fails unless the counts given in the file are the sum of its body, which is complete."""
        sums = map(sum, zip(*self.profile.places.values())) if self.profile.places else \
            [0] * len(self.profile.events)
        self.profile.totals = dict(zip(self.profile.events, sums))
        for event in self.profile.events:
            if counts[event] != self.profile.totals[event]:
                self.fail('%s %s is %d, but the body adds up to %d' %
                          (what, event, counts[event], self.profile.totals[event]))


class CachegrindReader(Reader):
    """desc: lines, cmd:, events:, then fl=, fn= and cost lines, last summary:."""

    def read(self):
        """The whole file."""
        self.read_header()
        self.read_body()
        return self.profile

    def take(self, prefix):
        """The rest of a line that must begin so."""
        line = self.lines.next()
        if line is None or not line.startswith(prefix):
            self.fail('expected %r' % prefix)
        return line[len(prefix):]

    def read_header(self):
        """Up to and with the events."""
        line = self.lines.next()
        while line is not None and line.startswith('desc: '):
            self.profile.desc.append(line[len('desc: '):])
            line = self.lines.next()
        self.lines.push_back()
        self.profile.header['cmd'] = self.take('cmd: ')
        # Cachegrind 3.19 leaves a blank at the end if the caches alone are simulated.
        self.set_events(self.take('events: ').removesuffix(' ').split(' '))

    def read_body(self):
        """The rest."""
        file = function = None
        while True:
            line = self.lines.next()
            if line is None:
                self.fail('no "summary:" line')
            elif line.startswith('fl='):
                file, function = line[3:], None
            elif line.startswith('fn='):
                function = line[3:]
            elif line.startswith('summary: '):
                break
            else:
                words = line.split(' ')
                number = self.parse_number(words[0])
                if file is None or function is None:
                    self.fail('a cost before the names of its file and function')
                self.add_self_cost((None, None, function, None, file, number), self.parse_list(words[1:]))
        self.profile.summary = self.parse_counts(line.split(' ')[1:])
        self.compare_sum('summary', self.profile.summary)
        if self.lines.next() is not None:
            self.fail('a line after the summary')


class CallgrindReader(Reader):
    """The format of Callgrind, one part."""

    def __init__(self, lines):
        super().__init__(lines)
        self.profile.has_objects = True
        self.ours = False  # written by costgrind, which keeps to more rules
        self.rank = 0
        self.columns = []  # positions at the start of a cost line
        self.last = None  # values of the last ones; None: there is none yet
        self.absolute = True  # the next cost line must not be relative
        self.names = {'object': {}, 'file': {}, 'function': {}}
        self.owners = {}  # function id -> (object, file) under which it came first
        self.ids = {}  # spec -> id of the name last given, None if in full
        self.object = self.file = self.function_file = self.function = None
        self.switched = False  # fi= or fe= since the last fl= or fn=
        self.callee_object = self.callee_file = self.callee = None
        self.jump_file = self.jump_function = None
        self.steps = Steps()
        self.count_lists = CountLists(self)

    def read(self):
        """The whole file."""
        self.read_start()
        while self.read_header_line():
            pass
        if not self.profile.events:
            self.fail('no "events:" line')
        if not self.columns:
            self.fail('no "positions:" line')
        self.read_steps()
        while self.read_body_line():
            self.read_steps()
        while True:
            line = self.lines.next()
            if line is None:
                return self.profile
            if line:
                self.fail('a line after the totals')

    def read_start(self):
        """The lines that must be the first three."""
        self.lines.next()
        if self.lines.next() != 'version: 1':
            self.fail('expected "version: 1"')
        line = self.lines.next() or ''
        if not line.startswith('creator: '):
            self.fail('expected "creator: "')
        creator = line[len('creator: '):]
        self.profile.header['version'] = '1'
        self.profile.header['creator'] = creator
        self.ours = creator.startswith('costgrind')

    def read_header_line(self):
        """Takes one line; whether it belongs to the header."""
        line = self.lines.next()
        if line is None:
            self.fail('no "totals:" line')
        if line == '' or line.startswith('#'):
            return True
        match = HEADER_LINE.match(line)
        if not match or match.group(1) == 'totals':
            self.lines.push_back()
            return False
        key, value = match.group(1), (match.group(2) or '')
        if key not in HEADER_RANK:
            self.fail('unknown header line %r' % key)
        if HEADER_RANK[key] < self.rank:
            self.fail('"%s:" comes too late' % key)
        self.rank = HEADER_RANK[key]
        if key in self.profile.header and key not in HEADER_REPEATED:
            self.fail('"%s:" appears twice' % key)
        self.set_header(key, value)
        return True

    def set_header(self, key, value):
        """Understands one header line."""
        profile = self.profile
        if key == 'desc':
            if ': ' not in value and not value.endswith(':'):
                self.fail('"desc:" without a type')
            profile.desc.append(value)
            return
        if key == 'event':
            if not EVENT_SPEC.match(value):
                self.fail('not "event: name [= formula] [: long name]"')
            profile.event_specs.append(value)
            return
        profile.header[key] = value
        if key in ('pid', 'part', 'thread'):
            self.parse_number(value)
        elif key == 'positions':
            if value not in ('line', 'instr', 'instr line'):
                self.fail('unknown positions %r' % value)
            self.columns = value.split(' ')
            profile.has_insns = 'instr' in self.columns
        elif key == 'events':
            self.set_events(value.split(' '))
        elif key == 'summary':
            profile.summary = self.parse_counts(value.split(' '))

    def next_in_body(self):
        """The next line, without the blank that Callgrind leaves after target positions."""
        line = self.lines.next()
        if line is None or self.ours or NAME_LINE.match(line):
            return line
        return line.removesuffix(' ')

    def read_body_line(self):
        """Takes one line; False after the totals."""
        line = self.next_in_body()
        if line is None:
            self.fail('no "totals:" line')
        if line == '' or line.startswith('#'):
            return True
        if line[0] in '+-*0123456789' and not self.jump_file and not self.jump_function and \
                COST_LINE.match(line):
            self.read_cost(line)
            return True
        if line.startswith('totals: '):
            self.compare_sum('totals', self.parse_counts(line.split(' ')[1:]))
            return False
        jump = JUMP_LINE.match(line)
        if (self.jump_file or self.jump_function) and not jump and not line.startswith('j'):
            self.fail('"jfi=" or "jfn=" without a jump')
        if jump:
            self.read_jump(*jump.groups())
        elif NAME_LINE.match(line):
            self.read_name(*NAME_LINE.match(line).groups())
        elif CALLS_LINE.match(line):
            self.read_calls(*CALLS_LINE.match(line).groups())
        else:
            self.fail('unknown line %r' % line)
        return True

    def read_steps(self):
        """Takes the self costs that come next with two relative positions, which are most lines of a large
        profile, with less ado.  Any other line, and what is wrong, is left to read_body_line()."""
        if self.absolute or None in (self.last, self.function) or len(self.columns) != 2 or self.jump_file or \
                self.jump_function:
            return
        (address, source_line), places = self.last, self.profile.places
        texts, number = self.lines.lines, self.lines.number
        try:
            while number < len(texts):
                words = texts[number].split(' ', 2)
                to_address, to_line = address + self.steps[words[0]], source_line + self.steps[words[1]]
                counts, is_some = self.count_lists[words[2]]
                if min(to_address, to_line) < 0 or max(to_address, to_line) > MAX_COUNT:
                    break
                address, source_line, number = to_address, to_line, number + 1
                if is_some:
                    place = self.object, self.function_file, self.function, address, self.file, source_line
                    known = places.get(place)
                    places[place] = counts if known is None else list(map(operator.add, known, counts))
        except (IndexError, ValueError):
            pass
        self.last, self.lines.number = [address, source_line], number

    def lookup(self, spec, text):
        """The name after "spec="; learns it if it has an id."""
        match = COMPRESSED_NAME.match(text)
        if not match:
            if re.match(r'\([0-9]', text):
                self.fail('neither an id nor a name: %r' % text)
            name = text
            self.ids[spec] = None
        else:
            number, name = int(match.group(1)), match.group(2)
            names = self.names[NUMBERING[spec]]
            if name is None and number not in names:
                self.fail('%s id %d is not defined' % (NUMBERING[spec], number))
            if name is not None and number in names:
                self.fail('%s id %d is defined twice' % (NUMBERING[spec], number))
            if name is not None and self.ours and spec == 'jfi':
                self.fail('an id is defined where some readers do not look')
            name = names.setdefault(number, name)
            self.ids[spec] = number
        if name == '':
            self.fail('an empty name')
        if self.ours and (CONTROL.search(name) or BLANKS_AT_ENDS.search(name)):
            self.fail('a name with control characters or blanks at an end: %r' % name)
        return name

    def read_name(self, spec, text):
        """A line "spec=name"."""
        name = self.lookup(spec, text)
        if spec == 'ob':
            self.object, self.function = name, None
        elif spec == 'fl':
            self.file = self.function_file = name
            self.function = None
            self.switched = False
        elif spec in ('fi', 'fe'):
            self.file = name
            self.switched = True
        elif spec == 'fn':
            self.start_function(name)
        elif spec == 'cob':
            self.callee_object = name
        elif spec in ('cfi', 'cfl'):
            self.callee_file = name
        elif spec in ('jfi', 'jfn'):
            self.set_jump(spec, name)
        elif spec == 'cfn':
            self.callee = name
            if self.ours:
                self.check_owner('cfn', self.callee_object or self.object,
                                 self.callee_file or self.file)

    def start_function(self, name):
        """fn=: back in the file of the last fl=."""
        if self.object is None or self.function_file is None:
            self.fail('"fn=" before "ob=" and "fl="')
        if self.switched and self.file != self.function_file:
            # Some readers go back to the file of fl=, others stay in the file of fi=.
            self.fail('"fn=" after "fi=" without an "fl=" between them')
        self.switched = False
        self.file = self.function_file
        self.function = name
        if self.ours:
            self.absolute = True
            self.check_owner('fn', self.object, self.file)

    def check_owner(self, spec, obj, file):
        """KCachegrind binds an id to the object and file of its first appearance."""
        number = self.ids[spec]
        if number is not None and self.owners.setdefault(number, (obj, file)) != (obj, file):
            self.fail('function id %d stood for %s of %s' % ((number,) + self.owners[number]))

    def read_positions(self, words):
        """Address and line of the first columns, which become the base of the next ones; None and 0 if
        there is no such column."""
        if len(words) < len(self.columns):
            self.fail('%d positions, expected %s' % (len(words), ' '.join(self.columns)))
        values = []
        for i in range(len(self.columns)):
            word = words[i]
            if word[0] not in '+-*':
                values.append(self.parse_number(word))
                continue
            if self.last is None or (self.ours and self.absolute):
                self.fail('a relative position without one before it')
            delta = 0 if word == '*' else self.parse_number(word[1:])
            if self.ours and delta > MAX_DELTA:
                self.fail('a relative position of more than 31 bits')
            values.append(self.last[i] - delta if word[0] == '-' else self.last[i] + delta)
            if not 0 <= values[i] <= MAX_COUNT:
                self.fail('a position that is no 64-bit number')
        self.last = values
        self.absolute = False
        return values[0] if self.profile.has_insns else None, \
            values[-1] if self.columns[-1] == 'line' else 0

    def take_cost(self, line):
        """Positions and counts of a cost line."""
        if self.function is None:
            self.fail('a cost before the names of its object, file and function')
        words = line.split(' ')
        at = self.read_positions(words)
        for word in words[len(self.columns):]:
            if word[0] in '+-*':
                self.fail('more positions than %s' % ' '.join(self.columns))
        return at, words[len(self.columns):]

    def read_cost(self, line):
        """A self cost."""
        (address, source_line), words = self.take_cost(line)
        self.add_self_cost((self.object, self.function_file, self.function, address, self.file,
                            source_line), self.parse_list(words))

    def place(self, at):
        """The function, address and line that a cost belongs to."""
        return (self.object, self.function_file, self.function), at[0], (self.file, at[1])

    def read_calls(self, count, positions):
        """calls= and its inclusive cost, which is in no sum."""
        if self.callee is None:
            self.fail('"calls=" without "cfn="')
        if self.parse_number(count) == 0:
            self.fail('"calls=0": readers take its cost for a self cost')
        target = self.check_target(positions).get('instr')
        line = self.next_in_body()
        if line is None or not COST_LINE.match(line):
            self.fail('no cost line after "calls="')
        at, words = self.take_cost(line)
        callee = (self.callee_object or self.object, self.callee_file or self.file, self.callee)
        counts = self.parse_list(words)
        arc = self.profile.call_places.setdefault(
            (self.object, self.function_file, self.function, at[0], self.file, at[1], callee),
            [0, [0] * len(counts), target])
        arc[0] += self.parse_number(count)
        arc[1] = list(map(operator.add, arc[1], counts))
        self.callee_object = self.callee_file = self.callee = None

    def set_jump(self, spec, name):
        """jfi= or jfn=: of the next jump."""
        if spec == 'jfi':
            self.jump_file = name
            if self.ours and name == self.file:
                self.fail('"jfi=" of the file that the jump is in')
            return
        self.jump_function = name
        if self.ours:
            self.fail('"jfn=": only jumps inside functions are written')

    def read_jump(self, kind, taken, executed, positions):
        """jump= or jcnd= and the position of its source."""
        target = self.check_target(positions)
        line = self.next_in_body()
        if line is None or not COST_LINE.match(line):
            self.fail('no position after a jump')
        at, words = self.take_cost(line)
        if words:
            self.fail('counts at the source of a jump')
        if (kind == 'jcnd') != (executed is not None):
            self.fail('"jcnd=" has two counts, "jump=" has one')
        counts = [self.parse_number(taken), self.parse_number(executed or taken)]
        if self.ours and not 0 < counts[0] <= counts[1]:
            self.fail('a jump that was never taken, or more often than executed')
        if self.jump_function is None:
            place = (target.get('instr'), (self.jump_file or self.file, target.get('line', 0)))
            known = self.profile.jumps.setdefault(self.place(at) + place + (kind,), [0, 0])
            if self.ours and known[0]:
                self.fail('two lines for the same jump')
            known[0] += counts[0]
            known[1] += counts[1]
        self.jump_file = self.jump_function = None

    def check_target(self, positions):
        """Target positions are of the declared kinds and, but for Callgrind's, absolute.

        Returns the values by kind.
        """
        words = positions.split(' ')[1:]
        if len(words) != len(self.columns):
            self.fail('%d target positions, expected %s' % (len(words), ' '.join(self.columns)))
        values = {}
        for i, word in enumerate(words):
            if self.ours or word[0] not in '+-*':
                values[self.columns[i]] = self.parse_number(word)
                continue
            if self.last is None:
                self.fail('a relative target without a position before it')
            delta = 0 if word == '*' else self.parse_number(word[1:])
            values[self.columns[i]] = self.last[i] + (-delta if word[0] == '-' else delta)
        return values


def read(path):
    """The Profile in the file; raises Malformed or OSError."""
    with open(path, 'rb') as stream:
        callgrind = stream.readline() == b'# callgrind format\n'
    if callgrind:
        return CallgrindReader(Lines(path, 'strict')).read()
    # Cachegrind writes names as they are, whatever their encoding.
    return CachegrindReader(Lines(path, 'surrogateescape')).read()


def show_counts(events, counts):
    """The counts that are not 0, as words."""
    return ' '.join('%s=%d' % (event, counts[event]) for event in events if event in counts)


def show_calls(profile):
    """Lines about all calls; the files of caller and callee do not tell them apart."""
    numbers, costs = {}, {}
    for (caller, callee), (number, counts) in profile.calls.items():
        key = (caller[0], caller[2], caller[3], callee[0], callee[2])
        numbers[key] = numbers.get(key, 0) + number
        add_counts(costs, key, counts)
    return ['%s\t%s\t%d\t%s\t%s\t%d\t%s' %
            (key + (numbers[key], show_counts(profile.events, costs.get(key, {}))))
            for key in sorted(numbers)]


def show_jumps(profile):
    """Lines about all jumps, in the order of their places."""
    return ['%s\t%s\t%s\t%d\t0x%x\t%s\t%d\t0x%x\t%s\t%d\t%d' %
            ((function[0], function[2]) + place + (address or 0,) + target + (to or 0, kind) +
             tuple(profile.jumps[function, address, place, to, target, kind]))
            for function, address, place, to, target, kind in
            sorted(profile.jumps, key=lambda key: (key[0], key[1] or 0, key[2], key[3] or 0) + key[4:])]


def total_lines(profile):
    """Of each event."""
    return ['%s %d' % (event, profile.totals[event]) for event in profile.events]


def show(command, path):
    """Lines of the answer to one command."""
    profile = read(path)
    events = profile.events
    if command == 'totals':
        return total_lines(profile)
    if command == 'summary':
        if profile.summary is None:
            raise Malformed('%s: no "summary:" line' % path)
        return ['%s %d' % (event, profile.summary[event]) for event in events]
    if command == 'cells':
        return ['%s\t%s\t%d\t%s' % (key + (show_counts(events, profile.cells[key]),))
                for key in sorted(profile.cells)]
    if command == 'calls':
        return show_calls(profile)
    if command == 'jumps':
        return show_jumps(profile)
    if profile.insns is None:
        raise Malformed('%s: no instruction positions' % path)
    return ['%s\t%s\t0x%x\t%d\t%s' % (key + (show_counts(events, profile.insns[key]),))
            for key in sorted(profile.insns, key=lambda key: (key[0], key[2], key[1], key[3]))]


def main(args):
    """The command; the exit status."""
    if len(args) != 2 or args[0] not in ('totals', 'summary', 'cells', 'insns', 'calls', 'jumps'):
        print('usage: profile.py totals|summary|cells|insns|calls|jumps FILE', file=sys.stderr)
        return 2
    try:
        lines = show(*args)
    except (Malformed, OSError) as error:
        print('profile.py: %s' % error, file=sys.stderr)
        return 1
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough
    sys.stdout.reconfigure(encoding='utf-8', errors='surrogateescape')
    for line in lines:
        print(line)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
