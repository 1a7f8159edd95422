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
