#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that what costgrind bench prints is what its readers take: bench_forms.py FORM FILE prints what it read, one
line each; status 1 and a line if it is not."""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree


def number(value):
    assert isinstance(value, (int, float)) and not isinstance(value, bool), value
    return value


def junit(text):
    """By JUnit's XSD: counts match the elements, each case has a name and a class."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == 'testsuites' and len(root) == 1, root.tag
    suite = root[0]
    cases = suite.findall('testcase')
    assert suite.tag == 'testsuite' and len(cases) == len(suite)
    assert set(suite.attrib) == {'name', 'tests', 'failures', 'errors', 'skipped'}
    assert int(suite.get('tests')) == len(cases)
    assert int(suite.get('failures')) == len(suite.findall('testcase/failure'))
    for case in cases:
        assert set(case.attrib) == {'classname', 'name'}
        failure = case.find('failure')
        if failure is not None:
            assert set(failure.attrib) == {'type', 'message'}
            yield f"{case.get('name')}|{failure.get('type')}|{failure.get('message')}"


def github(text):
    """As the runner of GitHub's actions reads commands: properties and message, each with its escapes."""
    for line in text.splitlines():
        match = re.fullmatch(r'::(error|warning) ([^:]*)::(.*)', line)
        assert match, line
        properties = dict(item.split('=', 1) for item in match.group(2).split(','))
        assert set(properties) <= {'file', 'line', 'title'}, line
        assert 'line' not in properties or int(properties['line']) > 0, line
        values = [properties.get(key, '') for key in ('file', 'line', 'title')] + [match.group(3)]
        for value in values:
            assert re.fullmatch(r'([^%]|%25|%0D|%0A|%3A|%2C)*', value), line
        yield '|'.join([match.group(1)] + [re.sub('%(..)', lambda m: chr(int(m.group(1), 16)), v) for v in values])


def smaller(text):
    """github-action-benchmark: an array of name, unit and value; names are unique."""
    seen = set()
    for entry in json.loads(text):
        assert set(entry) == {'name', 'unit', 'value'}, entry
        assert isinstance(entry['name'], str) and entry['name'] not in seen
        seen.add(entry['name'])
        yield f"{entry['name']}|{entry['unit']}|{number(entry['value'])}"


def bmf(text):
    """Bencher: benchmarks, measures, metrics."""
    for name, measures in json.loads(text).items():
        assert measures and isinstance(measures, dict)
        for measure, metric in measures.items():
            assert set(metric) == {'value'}, metric
            yield f"{name}|{measure}|{number(metric['value'])}"


def main():
    forms = {'junit': junit, 'github': github, 'customSmallerIsBetter': smaller, 'bmf': bmf}
    try:
        with open(sys.argv[2], encoding='utf-8') as file:
            for line in forms[sys.argv[1]](file.read()):
                print(line)
    except (AssertionError, ValueError, ElementTree.ParseError) as error:
        sys.exit(f'{sys.argv[2]}: {error!r}')


main()
