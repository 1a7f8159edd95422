#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind branches finds of a program's branches what they were made to be.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

source=$programs/branchkinds.c

# line_of COMMENT: the number of the line that has it.
line_of() {
	sed -n "\\,/\\* $1 \\*/,=" "$source"
}

# found PROFILE COMMENT CLASS: kind, whether it is hard, lines of its loads, and the number of its targets.
found() {
	"$top_builddir/costgrind" branches -q --format=json --threshold=0 --top=100000 "$1" | python3 \
		"$top_srcdir/tests/tool/simulate/branch_kinds.py" "$(line_of "$2")" "$3"
}

for level in -O0 -O1 -O2; do
	build_program branchkinds $level -static
	costgrind -q --machine=generic --branch-detail=yes --collect-jumps=yes \
		--costgrind-out-file=detail.out "$scratch/branchkinds"
	depends=$(line_of data-dependent)
	is "$level: data-dependent" "$(found detail.out data-dependent conditional)" \
		"data-dependent True $depends"
	is "$level: data-dependent, of a pair" "$(found detail.out 'the first' conditional | cut -d ' ' -f 1,2)" \
		"data-dependent True"
	is "$level: correlated" "$(found detail.out correlated conditional | cut -d ' ' -f 1,2)" "correlated False"
	# At -O1 it jumps back, from within the loop.
	[ $level = -O1 ] ||
		is "$level: biased" "$(found detail.out biased conditional)" "biased True $(line_of biased)"
	is "$level: loop exit" "$("$top_builddir/costgrind" branches -q detail.out | grep -c 'loop exit  *hard  *turns')" 1
	is "$level: targets" "$(found detail.out indirect indirect | sed 's/\.constprop\.0//g')" \
		"indirect call None one 50 two 26 three 25"
done

# The same sum of rows as of the profile.
costgrind -q --machine=generic --branch-sim=yes --costgrind-out-file=plain.out "$scratch/branchkinds"
"$top_builddir/costgrind" branches -q --format=json --threshold=0 --top=1000000 plain.out >plain.json
is "each misprediction is in a row" "$(python3 -c '
import json
data = json.load(open("plain.json"))
print(sum(row["missed"] for row in data["branches"]) == data["missed"], data["not_shown_missed"], data["has_detail"])')" \
	"True 0 False"
is "without detail, the option is named" "$("$top_builddir/costgrind" branches -q plain.out | tail -n 1)" \
	"How often branches were taken, and so their kinds, is not known: it is recorded with --branch-detail=yes."
costgrind -q --machine=generic --costgrind-out-file=none.out "$scratch/branchkinds"
"$top_builddir/costgrind" branches none.out >text 2>&1
is "no branches" "$? $(cat text)" "1 costgrind branches: none.out: expected conditional branches (event Bc), found none: \
they are recorded with --branch-sim=yes"
done_testing
