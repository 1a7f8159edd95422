#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind branches prints what is in tests/golden/branches, as annotate_test.sh has it.  The program that
# the profile is of is assembled here, and lies at fixed addresses.
: "${CC:=cc}"
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/branches
program=$top_builddir/costgrind
work=$PWD

unset PAGER NO_COLOR DEBUGINFOD_CACHE_PATH DEBUGINFOD_URLS
cp "$golden"/inputs/* .
# shellcheck disable=SC2086 # the compiler may be several words
$CC -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000 -Wl,-Tdata=0x404000 -Wl,--build-id=none \
	-o kinds kinds.s >log 2>&1 || not_ok "assemble kinds.s" "$(cat log)"
if ! clang --target=aarch64-linux-gnu -fuse-ld=lld -nostdlib -static -g -Wl,-Ttext=0x401000 -Wl,--build-id=none \
	-o kinds64 kinds64.s >log 2>&1; then
	# shellcheck disable=SC2034 # for golden_list
	golden_skipped=aarch64 golden_reason="clang cannot make programs for AArch64 (Debian: clang, lld)"
fi
mkdir bare
strip -o bare/kinds kinds
# Profiles are newer than what they are of.
sleep 1
touch kinds.cg kinds64.cg

# Without what --branch-detail=yes records; without jumps, too; without instructions.
sed 's/ Bct Bcb Bch$/ X1 X2 X3/' kinds.cg >jumps.cg
awk '/^j(cnd|ump)=/ { getline; next } { print }' jumps.cg >plain.cg
sed 's/^positions: .*/positions: line/; s/^0x[0-9a-f]* //; s/^\(calls=[0-9]*\) 0x[0-9a-f]*/\1/' plain.cg >lines.cg
# Names that talk to terminals, to Markdown and to spreadsheets.
awk '{ gsub(/fn=slots/, "fn==1+\033[31m|*x*`y`"); gsub(/fl=kinds.s/, "fl=a,\"b\"\033.s"); print }' lines.cg >hostile.cg
# Nothing mispredicted; no branches; a difference.
awk '/^0x/ { $5 = $5 ? 0 : $5; $7 = $7 ? 0 : $7; $9 = $9 ? 0 : $9 } { print }' kinds.cg >quiet.cg
printf '%s\n' "events: Ir" "fn=f" "1 5" >nothing.cg
printf '%s\n' "events: Bc Bcm" "fn=f" "1 5 -1" >difference.cg

golden_list "$golden" "s,$work,WORK,g" "$program" branches

# checks NAME [ARGUMENTS...]
checks() {
	python3 "$top_srcdir/tests/cmds/branches/branch_checks.py" "$@"
}

for file in kinds jumps plain lines hostile quiet; do
	"$program" branches --format=json $file.cg 2>/dev/null >$file.json
	"$program" branches --format=csv $file.cg 2>/dev/null >$file.csv
done
is "JSON and CSV are well formed" "$(checks well_formed kinds jumps plain lines hostile quiet 2>&1)" ""
for file in "$top_srcdir"/tests/profiles/*branches.cg "$top_srcdir"/tests/profiles/*all.cg; do
	"$program" branches -q --threshold=0 --sort=executed --format=json "$file" >"${file##*/}.json" 2>/dev/null || rm "${file##*/}.json"
done
is "the schema" "$(python3 "$top_srcdir/tests/schema.py" -s "$top_srcdir/docs/schemas/branches.schema.json" ./*.json 2>&1)" ""
is "... of many" "$(find . -name '*.json' | awk 'END { print (NR > 7) }')" 1
# first KEY ARGS...: of the first branch.
first() {
	first_key=$1
	shift
	"$program" branches -q --format=json "$@" | python3 -c 'import json, sys
print(json.load(sys.stdin)["branches"][0].get(sys.argv[1]))' "$first_key"
}
next=$(first next_command kinds.cg)
is "machine code is shown by" "$next" "costgrind annotate --asm=kinds:0x40100b --show=Bc,Bcm kinds.cg"
# shellcheck disable=SC2086 # several words
is "... that" "$("$program" ${next#costgrind } 2>/dev/null | grep -c '9,000.*40100b: jbe')" 1
next=$(first next_command lines.cg)
is "source is shown by" "$next" "costgrind annotate --source=kinds.s --show=Bc,Bcm lines.cg"
# shellcheck disable=SC2086
is "... that" "$("$program" ${next#costgrind } 2>/dev/null | grep -c '9,000.*jbe.*# data-dependent')" 1
# shellcheck disable=SC2016 # they are names
for name in '$(x).cg' 'a b.cg' "it's.cg" 'a;b.cg'; do
	cp kinds.cg "./$name"
	is "nothing to paste: $name" "$(first next_command "$name")" None
done
is "of two profiles" "$(first next_command kinds.cg kinds.cg)" None
is "from standard input" "$(first next_command - <kinds.cg)" None
is "a branch that is never mispredicted" "$(first claim --sort=executed quiet.cg)" \
	"The conditional branch at kinds.s:9 (0x40100b) in _start is mispredicted 0 times."
"$program" branches hostile.cg >text 2>&1
is "no control characters" "$(LC_ALL=C tr -d '\n\t -~\200-\377' <text | wc -c)" 0

gzip -c kinds.cg >kinds.cg.gz
is "compressed, from standard input" "$("$program" branches -q - <kinds.cg.gz | cksum)" \
	"$("$program" branches -q kinds.cg | cksum)"
"$program" branches -q -o out kinds.cg
is "to a file" "$? $("$program" branches -q kinds.cg | cmp - out)" "0 "

# The report has the same rows.
for file in kinds plain lines nothing; do
	"$program" report -q -o page_$file.html $file.cg
done
is "the data of pages" "$(python3 "$top_srcdir/tests/report.py" check \
	"$top_srcdir/docs/schemas/report.schema.json" page_kinds page_plain page_lines page_nothing 2>&1)" ""
for file in kinds plain lines; do
	"$program" branches -q --format=json --threshold=0.1 --top=100 $file.cg >rows.json
	python3 "$top_srcdir/tests/report.py" data page_$file.html >data.json
	is "rows of a page: $file" "$(checks same_rows)" "True True"
done
is "a page without branches" "$(python3 "$top_srcdir/tests/report.py" data page_nothing.html |
	python3 -c 'import json, sys; print(json.load(sys.stdin).get("branches"))')" None

# An object that is newer may not be what ran.
touch -d '2020-01-01 00:00' kinds.cg
is "a newer object" "$("$program" branches kinds.cg 2>&1 >text)" \
	"costgrind branches: warning: kinds: changed after the profile was made, so its code may not be what was executed"
done_testing
