#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The substitutions that the unit test knows, made by the perl that cg_diff runs on.
. "$top_srcdir/tests/lib.sh"

table=$top_srcdir/tests/golden/expressions.txt
lines=$(grep -vc '^#\|^$' "$table")
is "perl makes the same of names" \
	"$(perl "$top_srcdir/tests/compare/lib/expressions.pl" <"$table" 2>&1)" \
	"$((lines / 3)) expressions, 0 wrong"
done_testing
