#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that JSON is as a JSON Schema (draft 7) says, so far as the schemas here need that.

    schema.py [-s] SCHEMA FILE...    prints a line for each file that is not, status 1

A schema may refer to others in docs/schemas.  A keyword that is not known here is an error: it would not be checked.  With
strict=True (-s), a member that an object's schema does not name is one, too.
"""
import json
import pathlib
import re
import sys

# Those that say nothing about what is valid.
PROSE = {'$schema', '$id', 'title', 'description', 'definitions'}
FOLDER = pathlib.Path(__file__).resolve().parents[1] / 'docs' / 'schemas'
TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None)}


class Mismatch(ValueError):
    """str() begins with the place, as in .functions[3].self."""


def is_type(value, kind):
    """True if a value has a type of JSON Schema; 1.0 is an integer there, not here."""
    if kind in ('integer', 'number'):
        return isinstance(value, int if kind == 'integer' else (int, float)) and \
            not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def same(value, other):
    """Equal, and of one type: True is no 1."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


class Checker:
    """A schema, with its definitions."""

    def __init__(self, schema, strict=False):
        self.root = schema
        self.strict = strict

    def check(self, value, schema=None, place=''):
        """Raises Mismatch if a value is not as a schema says; the whole schema, if none is given."""
        schema = self.root if schema is None else schema
        for keyword, wanted in schema.items():
            if keyword not in PROSE:
                getattr(self, 'check_' + keyword.replace('$', ''))(value, wanted, place)
        if self.strict and isinstance(value, dict) and 'properties' in schema:
            for key in value:
                if key not in schema['properties']:
                    raise Mismatch('%s: unknown member "%s"' % (place, key))

    def check_ref(self, value, wanted, place):
        file, _, path = wanted.partition('#')
        checker = Checker(read(FOLDER / file), self.strict) if file else self
        schema = checker.root
        for word in path.split('/')[1:]:
            schema = schema[word]
        checker.check(value, schema, place)

    def check_allOf(self, value, wanted, place):  # pylint: disable=invalid-name
        for schema in wanted:
            self.check(value, schema, place)

    def check_type(self, value, wanted, place):
        kinds = wanted if isinstance(wanted, list) else [wanted]
        if not any(is_type(value, kind) for kind in kinds):
            raise Mismatch('%s: expected %s' % (place, ' or '.join(kinds)))

    def check_const(self, value, wanted, place):
        if not same(value, wanted):
            raise Mismatch('%s: expected %r' % (place, wanted))

    def check_enum(self, value, wanted, place):
        if not any(same(value, one) for one in wanted):
            raise Mismatch('%s: expected one of %r' % (place, wanted))

    def check_anyOf(self, value, wanted, place):  # pylint: disable=invalid-name
        messages = []
        for schema in wanted:
            try:
                self.check(value, schema, place)
                return
            except Mismatch as error:
                messages.append(str(error))
        raise Mismatch('%s: none of %s' % (place, '; '.join(messages)))

    def check_required(self, value, wanted, place):
        for key in wanted:
            if isinstance(value, dict) and key not in value:
                raise Mismatch('%s: no member "%s"' % (place, key))

    def check_properties(self, value, wanted, place):
        if isinstance(value, dict):
            for key in value:
                if key in wanted:
                    self.check(value[key], wanted[key], '%s.%s' % (place, key))

    # (Of a schema without properties: which members are additional would not be known here.)
    def check_additionalProperties(self, value, wanted, place):  # pylint: disable=invalid-name
        if isinstance(value, dict):
            for key in value:
                self.check(value[key], wanted, '%s.%s' % (place, key))

    def check_items(self, value, wanted, place):
        if isinstance(value, list):
            for i, item in enumerate(value):
                self.check(item, wanted, '%s[%d]' % (place, i))

    def check_minimum(self, value, wanted, place):
        if is_type(value, 'number') and value < wanted:
            raise Mismatch('%s: expected %s or more' % (place, wanted))

    def check_pattern(self, value, wanted, place):
        if isinstance(value, str) and not re.search(wanted, value):
            raise Mismatch('%s: expected text like %s' % (place, wanted))


def read(path):
    """The JSON in a file."""
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def main(*arguments):
    """The command; the exit status."""
    strict = arguments[0] == '-s'
    path, *files = arguments[strict:]
    checker = Checker(read(path), strict)
    status = 0
    for file in files:
        try:
            checker.check(read(file))
        except ValueError as error:
            print('%s: %s' % (file, error))
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
