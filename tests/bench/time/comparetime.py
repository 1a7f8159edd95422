#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of scripts/compare-time that builds, runs, compares and prints; it has the options.

Takes directories and programs from the environment, as scripts/compare-time sets it. All is left in
tests/scratch/bench of the build directory.
"""

import getopt
import json
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position
import bench
import timenative
import timeprofile
import timeprograms

DOCUMENT = os.path.join(bench.SOURCE, 'docs', 'CYCLES.md')
DOCUMENT_BEGIN = '<!-- scripts/compare-time --update-docs writes from here -->\n'
SCRATCH = os.path.join(bench.SCRATCH, 'time')
BOUND = 10  # % by which a kernel may be wrong
UNSTEADY = 5  # % by which a kernel's rounds may differ natively, the median one from the fastest
CLOSE = 5  # % that the sides of a pair have to differ by

USAGE = 'usage: scripts/compare-time [--kernels|--pairs] [OPTION...]; its head has the options'


class Usage(Exception):
    """The words of the command line make no sense; str() says why."""


class Options:
    """What the command line says."""

    def __init__(self, args):
        self.what = 'programs'
        self.metric = 'Cyc'
        self.fit = self.update = False
        self.only = None
        self.tool_options = []
        self.runs = 7
        self.functions = 0
        self.limit = None
        self.format = 'text'
        self.save = self.compare = self.native_only = self.reuse_native = None
        names = ['kernels', 'pairs', 'metric=', 'fit', 'only=', 'tool-options=', 'runs=', 'functions=', 'limit=',
                 'format=', 'save=', 'compare=', 'native-only=', 'reuse-native=', 'update-docs']
        try:
            pairs, rest = getopt.gnu_getopt(args, '', names)
        except getopt.GetoptError as error:
            raise Usage(str(error)) from None
        if rest:
            raise Usage('%s is no option; programs are named by --only' % rest[0])
        for name, value in pairs:
            self.take(name[2:], value)
        if self.update and (self.what != 'programs' or self.only or self.fit or self.metric != 'Cyc'):
            raise Usage('--update-docs is for Cyc of all programs')
        if self.native_only and self.reuse_native:
            raise Usage('--native-only measures what --reuse-native has')

    def take(self, name, value):
        """One option."""
        if name in ('kernels', 'pairs'):
            self.what = name
        elif name in ('fit', 'update-docs'):
            setattr(self, name.partition('-')[0], True)
        elif name == 'only':
            self.only = value.replace(',', ' ').split()
        elif name == 'tool-options':
            self.tool_options += shlex.split(value)
        elif name in ('runs', 'functions', 'limit'):
            if not re.fullmatch('[1-9][0-9]{0,3}', value):
                raise Usage('--%s takes a number from 1 on, not %s' % (name, value))
            setattr(self, name, int(value))
        elif name == 'format' and value not in ('text', 'markdown'):
            raise Usage('--format is text or markdown, not %s' % value)
        else:
            setattr(self, name.replace('-', '_'), value)

    def choose(self, names):
        """Those of the names that --only says."""
        for name in self.only or []:
            if name not in names:
                raise Usage('no %s among %s: there are %s' % (name, self.what, ' '.join(names)))
        return [name for name in names if not self.only or name in self.only]

    def tool(self, profile):
        """The words before a program's."""
        # Stubs of the PLT are functions, so that their jumps have calls, too.
        words = [os.environ['VALGRIND'], '-q', '--tool=costgrind', '--machine=' + MACHINE, '--cache-sim=yes',
                 '--branch-sim=yes', '--skip-plt=no']
        if self.metric == 'Cyc':
            words.append('--cycles=yes')
        return words + ['--costgrind-out-file=' + profile] + self.tool_options


def tell(text):
    """What is being done."""
    print('compare-time: ' + text, file=sys.stderr, flush=True)


def load(path):
    """What --save or --native-only has written; nothing if there is no such file."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding='utf-8') as stream:
        return json.load(stream)


MACHINE = os.path.join(SCRATCH, 'host.machine')
LAST_LEVEL = re.compile(r'^L[2-4] .*', re.MULTILINE)


def is_here(name):
    """True if this machine has the program; says so if not."""
    if not timeprograms.is_missing(name):
        return True
    tell('%s is not here, and left out (scripts/setup bench)' % name)
    return False


# -- measuring -------------------------------------------------------------------


class Measurement:
    """Runs what is asked for; native and simulated are dicts by name."""

    def __init__(self, options):
        self.options = options
        self.machine = timenative.Machine()
        if self.machine.differences:
            tell('differs from what Valgrind shows, and stays so: %s' % ' '.join(self.machine.differences))
        self.known = {}
        if options.reuse_native:
            known = load(options.reuse_native)
            if 'machine' not in known:
                raise bench.Failed('%s does not say what machine it is of: measure again' % options.reuse_native)
            self.known, self.text = known.get(options.what, {}), known['machine']
        else:
            tell('measures this computer')
            self.text = self.machine.measure()
        with open(MACHINE, 'w', encoding='utf-8') as stream:
            stream.write(self.text)
        self.native = {}
        self.simulated = {}
        self.is_whole = True

    def natively(self, name, program, measure):
        """Has it measured, unless a file has its times; whether that went well."""
        if not self.options.reuse_native:
            self.native[name] = measure()
            return True
        if name not in self.known:
            tell('%s is left out, as %s has no times of it' % (name, self.options.reuse_native))
            return False
        self.native[name] = self.known[name]
        if self.native[name]['digest'] != timenative.digest(program):
            tell('warning: %s is not the program that was timed' % name)
        return True

    def profile(self, name, command, more=()):
        """Runs the tool; the profile's path, and what the program printed."""
        path = os.path.join(SCRATCH, name + '.profile')
        if os.path.exists(path):
            os.remove(path)
        words = self.options.tool(path) + list(more) + command
        output, _ = self.machine.run(words, '%s under the tool' % name, anywhere=True)
        if not os.path.exists(path):
            raise bench.Failed('%s: no profile was written' % name)
        return path, output

    def program(self, name, sampled=True):
        """A whole program; sampled: with the shares of its functions."""
        tell(name)
        command = timeprograms.prepare(name)
        options = self.options

        def measure():
            native = self.machine.time(command, name, options.runs)
            native['samples'] = self.machine.sample(command, name) if sampled else None
            return native

        if not self.natively(name, command[0], measure) or options.native_only:
            return
        path, _ = self.profile(name, command)
        cycles, components = timeprofile.read_totals(path, options.metric)
        self.simulated[name] = {'cycles': cycles, 'components': components}
        if sampled and self.native[name].get('samples'):
            shares = timeprofile.Shares(path, options.metric)
            native = shares.native(self.native[name]['samples'])
            self.simulated[name].update({
                'stripped': shares.is_stripped(),
                'differences': timeprofile.differences(native, shares, options.functions)})
            if not timeprofile.is_one_function(native):
                self.simulated[name].update({
                    'overlap': timeprofile.overlap(native, shares.shares),
                    'allotted': timeprofile.overlap(native, shares.allotted),
                    'top': timeprofile.agrees_at_top(native, shares.allotted)})

    def round(self, program, name, count):
        """A function of a program of rounds.h; cycles are for one time."""
        tell(name)
        if not self.natively(name, program, lambda: self.machine.time_rounds(program, name)):
            return
        self.native[name]['count'] = count
        if self.options.native_only:
            return
        # In C++ it has its parameters.
        path, _ = self.profile(name, [program, name, '1'], ['--toggle-collect=measured_round*'])
        cycles, components = timeprofile.read_totals(path, self.options.metric)
        self.simulated[name] = {'cycles': cycles / count, 'components': components}

    def listed(self, program):
        """The functions of a program of rounds.h: name -> (program, count)."""
        words = self.machine.run([program], program)[0].decode().split()
        return {name: (program, int(count)) for name, count in zip(words[::2], words[1::2])}

    def attempt(self, name, run, *arguments):
        """Runs what may fail without harm to the others."""
        try:
            run(*arguments)
        except bench.Failed as failed:
            tell('%s is left out: %s' % (name, failed))
            self.is_whole = False

    def programs(self):
        """All that are chosen."""
        for name in self.options.choose(timeprograms.names()):
            if is_here(name):
                self.attempt(name, self.program, name)

    def kernels(self):
        """Likewise."""
        listed = self.listed(bench.build('time/timekernels'))
        for name in self.options.choose(list(listed)):
            self.round(listed[name][0], name, listed[name][1])

    def pairs(self):
        """Those of timepairs.c and of the real programs: rounds of a driver, or whole programs."""
        sides = self.listed(bench.build('time/timepairs'))
        for name in filter(is_here, timeprograms.DRIVERS):
            sides.update(self.listed(timeprograms.build_driver(name)))
        sides.update((name, None) for name in timeprograms.sides() if is_here(name))
        for name in choose_sides(self.options, list(sides)):
            if sides[name]:
                self.round(sides[name][0], name, sides[name][1])
            else:
                self.attempt(name, self.program, name, False)

    def save(self, path):
        """Keeps what else the file has."""
        saved = load(path)
        saved['machine'] = self.text
        kept = saved.setdefault(self.options.what, {})
        for name, native in self.native.items():
            kept[name] = dict(native)
            if name in self.simulated:
                kept[name]['simulated'] = self.simulated[name]
        with open(path + '.new', 'w', encoding='utf-8') as stream:
            json.dump(saved, stream, indent=1, sort_keys=True)
            stream.write('\n')
        os.replace(path + '.new', path)


def native_cycles(native):
    """Those of one time, if it is a round."""
    return timenative.cycles(native) / native.get('count', 1)


# -- tables ----------------------------------------------------------------------


def table(rows, style):
    """Rows of texts, the head first."""
    if style == 'markdown':
        return bench.markdown(rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append('  '.join(cells).rstrip() + '\n')
    fence = '```\n' if style == 'block' else ''
    return fence + ''.join(lines) + fence


class Ratios:
    """Of each name, cycles of the model in those that the processor took."""

    def __init__(self, options, measurement):
        self.plain = {}
        for name, simulated in measurement.simulated.items():
            self.plain[name] = simulated['cycles'] / native_cycles(measurement.native[name])
        positive = [ratio for ratio in self.plain.values() if ratio > 0]
        self.scale = 1 / bench.geometric_mean(positive) if options.fit and positive else 1
        self.scaled = {name: ratio * self.scale for name, ratio in self.plain.items()}

    def errors(self, names):
        """Absolute ones, in %."""
        return [abs(self.scaled[name] - 1) * 100 for name in names]

    def fitted(self):
        """What is said about the scale."""
        return 'Fitted: all cycles of the model are multiplied by %.3f.\n' % self.scale if self.scale != 1 else ''


def mean(numbers):
    """Of a list that is not empty."""
    return sum(numbers) / len(numbers)


def summary(title, names, ratios, measurement):
    """A line of the figures by which a model is judged."""
    scaled = {name: ratios.scaled[name] for name in names}
    most, least = max(scaled, key=scaled.get), min(scaled, key=scaled.get)
    text = '%s (%d): mean absolute error %.1f %%, ratios %.2f (%s) to %.2f (%s)' % (
        title, len(names), mean(ratios.errors(names)), scaled[least], least, scaled[most], most)
    compared_ones = [name for name in names if 'overlap' in measurement.simulated[name]]
    if compared_ones:
        for key in ('overlap', 'allotted'):
            overlaps = {name: measurement.simulated[name][key] for name in compared_ones}
            worst = min(overlaps, key=overlaps.get)
            text += ', %s %.1f %%, at worst %.1f %% (%s)' % (
                key, 100 * mean(list(overlaps.values())), 100 * overlaps[worst], worst)
        text += ', top function agrees in %d of %d' % (
            sum(measurement.simulated[name]['top'] for name in compared_ones), len(compared_ones))
    return text + '.\n'


def component_cells(simulated, events):
    """Shares in %."""
    return ['%.0f' % (100 * simulated['components'].get(event, 0)) for event in events]


def component_events(measurement):
    """Those of all profiles, in their order."""
    events = {}
    for simulated in measurement.simulated.values():
        events.update(simulated['components'])
    return list(events)


def programs_report(options, measurement):
    """The table of programs, and its summaries."""
    ratios = Ratios(options, measurement)
    events = component_events(measurement)
    rows = [['program', 'set', 'native, Mcyc', options.metric + ', M', 'ratio', 'overlap, %'] +
            [event + ', %' for event in events]]
    any_stripped = False
    for name, simulated in measurement.simulated.items():
        native = measurement.native[name]
        stripped = simulated.get('stripped', False)
        any_stripped |= stripped
        rows.append([name + (' *' if stripped else ''), timeprograms.set_of(name),
                     '%.0f' % (native_cycles(native) / 1e6),
                     '%.0f' % (simulated['cycles'] * ratios.scale / 1e6), '%.2f' % ratios.scaled[name],
                     '%.1f' % (100 * simulated['overlap']) if 'overlap' in simulated else '-'] +
                    component_cells(simulated, events))
    text = table(rows, options.format) + '\n'
    if any_stripped:
        text += '* stripped: functions are those that the tool found by their calls.\n'
    text += ratios.fitted()
    for title, names in list(timeprograms.SETS.items()) + [('all', timeprograms.names())]:
        names = [name for name in names if name in measurement.simulated]
        if names:
            text += summary(title, names, ratios, measurement)
    return text + differing_functions(options, measurement), mean(ratios.errors(ratios.scaled))


def differing_functions(options, measurement):
    """With --functions: where the model sees time that is elsewhere."""
    text = ''
    if not options.functions:
        return text
    for name, simulated in measurement.simulated.items():
        rows = [['share of time in %', 'native', options.metric, 'allotted']]
        rows += [['%s (%s)' % (function[:80], os.path.basename(obj))] + ['%.1f' % (100 * share) for share in shares]
                 for obj, function, *shares in simulated.get('differences', [])]
        if len(rows) > 1:
            text += '\n%s:\n\n%s' % (name, table(rows, options.format))
    return text


def kernels_report(options, measurement):
    """The table of kernels."""
    ratios = Ratios(options, measurement)
    events = component_events(measurement)
    rows = [['kernel', 'native, cyc', options.metric, 'error, %', ''] + [event + ', %' for event in events]]
    unsteady = [name for name in measurement.simulated
                if 100 * timenative.spread(measurement.native[name]) > UNSTEADY]
    for name, simulated in measurement.simulated.items():
        error = 100 * ratios.scaled[name] - 100
        verdict = 'unsteady' if name in unsteady else '' if abs(error) <= BOUND else 'beyond'
        rows.append([name, '%.2f' % native_cycles(measurement.native[name]),
                     '%.2f' % (simulated['cycles'] * ratios.scale), '%+.0f' % error, verdict] +
                    component_cells(simulated, events))
    text = table(rows, options.format) + '\n' + ratios.fitted()
    if unsteady:
        text += 'Left out, as their rounds differ by over %d %%: %s.\n' % (UNSTEADY, ' '.join(unsteady))
    errors = ratios.errors([name for name in ratios.scaled if name not in unsteady])
    if not errors:
        return text, 0
    right = sum(error <= BOUND for error in errors)
    text += 'Within %d %%: %d of %d kernels; mean absolute error %.1f %%.\n' % (
        BOUND, right, len(errors), mean(errors))
    return text, mean(errors)


def pairs_report(options, measurement):
    """The table of pairs; the other number is how many the model has wrong."""
    rows = [['pair', 'native, cyc: fast', 'slow', 'slower by, %', options.metric + ': fast', 'slow', 'slower by, %',
             'verdict']]
    wrong = []
    pairs = [name[:-len('-fast')] for name in measurement.simulated
             if name.endswith('-fast') and name[:-len('fast')] + 'slow' in measurement.simulated]
    for pair in pairs:
        sides = [pair + '-fast', pair + '-slow']
        native = [native_cycles(measurement.native[side]) for side in sides]
        model = [measurement.simulated[side]['cycles'] for side in sides]
        slower = [100 * (cycles[1] / cycles[0] - 1) for cycles in (native, model)]
        verdict = 'right' if slower[0] * slower[1] > 0 else 'wrong'
        if abs(slower[0]) < CLOSE:
            verdict = 'too close'
        if verdict == 'wrong':
            wrong.append(pair)
        rows.append([pair] + ['%.0f' % cycles for cycles in native] + ['%+.0f' % slower[0]] +
                    ['%.0f' % cycles for cycles in model] + ['%+.0f' % slower[1], verdict])
    right = [row[0] for row in rows[1:] if row[-1] == 'right']
    real = [pair for pair in pairs if timeprograms.is_real(pair)]
    return table(rows, options.format) + '\nRight: %d of %d pairs, %d of %d of them of real programs.\n' % (
        len(right), len(pairs), len(set(right) & set(real)), len(real)), len(wrong)


def compared(options, measurement):
    """With --compare: the ratio that each had, and has."""
    old = load(options.compare).get(options.what, {})
    rows = [['ratio', 'before', 'now']]
    for name, simulated in measurement.simulated.items():
        if 'simulated' in old.get(name, {}):
            rows.append([name, '%.3f' % (old[name]['simulated']['cycles'] / native_cycles(old[name])),
                         '%.3f' % (simulated['cycles'] / native_cycles(measurement.native[name]))])
    if len(rows) == 1:
        return '\nNothing to compare in %s.\n' % options.compare
    errors = [mean([abs(float(row[i]) - 1) * 100 for row in rows[1:]]) for i in (1, 2)]
    return '\n%s\nMean absolute error: %.1f %% before, %.1f %% now.\n' % (table(rows, options.format), *errors)


def facts(options, measurement):
    """What was measured, and on what."""
    clocks = [max(native['clocks']) for native in measurement.native.values()]
    pages = re.search(r'\[(\w+)\]', bench.first_line(['cat', '/sys/kernel/mm/transparent_hugepage/enabled']))
    said = [bench.commit(), bench.first_line([os.environ['VALGRIND'], '--version']), bench.processor(),
            '%.2f to %.2f cycles in a ns' % (min(clocks), max(clocks)),
            'huge pages: ' + (pages[1] if pages else 'unknown')]
    said += LAST_LEVEL.findall(measurement.text)[-1:]
    if options.tool_options:
        said.append('options: ' + shlex.join(options.tool_options))
    return 'Measured: %s.\n\n' % '; '.join(said)


# -- the command -----------------------------------------------------------------

REPORTS = {'programs': programs_report, 'kernels': kernels_report, 'pairs': pairs_report}


def choose_sides(options, names):
    """--only names pairs, not their sides."""
    pairs = options.choose(list(dict.fromkeys(name.rpartition('-')[0] for name in names)))
    return [name for name in names if name.rpartition('-')[0] in pairs]


def report(options, measurement):
    """Prints all tables; the exit status."""
    text, error = REPORTS[options.what](options, measurement)
    text = facts(options, measurement) + text
    if options.compare:
        text += compared(options, measurement)
    print(text, end='')
    if options.update:
        options.format = 'block'
        options.functions = 0
        bench.update_document(DOCUMENT, DOCUMENT_BEGIN,
                              facts(options, measurement) + programs_report(options, measurement)[0])
    if options.what == 'pairs':
        return 1 if error else 0
    if options.limit is not None and error > options.limit:
        tell('the mean absolute error is %.1f %%, above %d %%' % (error, options.limit))
        return 1
    return 0


def main(args):
    """The command; the exit status."""
    try:
        options = Options(args)
        bench.TOLD_BY = 'compare-time'
        os.makedirs(SCRATCH, exist_ok=True)
        bench.is_busy(0)
        measurement = Measurement(options)
        getattr(measurement, options.what)()
        for path in (options.native_only, options.save):
            if path:
                measurement.save(path)
        status = 0 if measurement.is_whole else 1
        if options.native_only:
            return status
        if not measurement.simulated:
            raise bench.Failed('there is nothing to compare')
        return report(options, measurement) or status
    except Usage as error:
        print('compare-time: %s (%s)' % (error, USAGE), file=sys.stderr)
        return 2
    except (bench.Failed, timeprofile.profiles.Malformed, OSError, ValueError) as error:
        print('compare-time: %s' % error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
