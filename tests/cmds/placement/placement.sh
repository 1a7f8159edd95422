#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind annotate --layout prints what is in tests/golden/placement, as annotate_test.sh has it.  The
# program that the profile is of is assembled here, and lies at fixed addresses.
: "${CC:=cc}"
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/placement
program=$top_builddir/costgrind
work=$PWD

unset PAGER NO_COLOR DEBUGINFOD_CACHE_PATH DEBUGINFOD_URLS
cp "$golden"/inputs/* .
# shellcheck disable=SC2086 # the compiler may be several words
$CC -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000 -Wl,--build-id=none -o loops loops.s >log 2>&1 ||
	not_ok "assemble loops.s" "$(cat log)"
mkdir bare
strip -o bare/loops loops
# Profiles are newer than what they are of.
sleep 1
touch loops.cg

# Without jumps, so that counts alone say how often they were taken; with Bct, too.
awk '/^j(cnd|ump)=/ { getline; next } { print }' loops.cg >plain.cg
awk '/^events:/ { print "events: Ir Dr Bct"; next }
	/^j(cnd|ump)=/ { split($1, part, /[=\/]/); getline; sub(/0x/, "0x"); taken = part[2]; at = $1; next }
	/^0x/ && $1 == at { print $1, $2, $3, $4 + 0, taken; at = ""; next } { print }' loops.cg >taken.cg
# With cycles of the machine, where a loop that executes little has most; with caches.
awk '/^events:/ { print "events: Ir Dr CyBase CyMem"; next }
	/^0x/ && NF > 2 { print $1, $2, $3, $4 + 0, $3 * 3, $1 == "0x4014fc" ? 900000 : 0; next } { print }' \
	loops.cg >cycles.cg
awk '/^events:/ { print "events: Ir Dr I1mr D1mr ILmr DLmr"; next }
	/^0x/ && NF > 2 { print $1, $2, $3, $4 + 0, $1 == "0x4014fc" ? "0 1000 0 1000" : "0 0"; next } { print }' \
	loops.cg >misses.cg
# Loops that lie well only; none.
awk '/^fn=/ { keep = /placed|seldom/ } /^[^f0j]/ || keep || !NF' loops.cg >well.cg
printf '%s\n' "positions: instr line" "events: Ir" "ob=loops" "fl=loops.s" "fn=_start" "0x401000 6 9" >nothing.cg
# Names that talk to terminals, to Markdown and to spreadsheets; a file that no assembler reads.
awk '{ gsub(/fn=twice/, "fn==1+\033[31m|*x*`y`"); gsub(/fl=loops.s/, "fl=a,\"b\"\033.c"); print }' loops.cg >hostile.cg
sed 's/^fl=.*/fl=src\/loops.c/' loops.cg >compiled.cg
# Without instructions; a difference; without executed instructions.
sed 's/^positions: .*/positions: line/; s/^0x[0-9a-f]* //; /^j/d' plain.cg >lines.cg
printf '%s\n' "positions: instr line" "events: Ir" "fn=f" "0x10 1 -1" >difference.cg
printf '%s\n' "positions: instr line" "events: Dr" "fn=f" "0x10 1 1" >no_ir.cg

golden_list "$golden" "s,$work,WORK,g" "$program" annotate

# What counts alone say is what was recorded, in these loops.
"$program" annotate -q --brief --layout loops.cg >recorded
is "without jumps" "$("$program" annotate -q --brief --layout plain.cg | cmp - recorded 2>&1)" ""

for file in loops plain hostile well nothing; do
	"$program" annotate -q --layout --format=json $file.cg >$file.json
	"$program" annotate -q --layout --format=csv $file.cg >$file.csv
done
# checks NAME ARGUMENTS...
checks() {
	python3 "$top_srcdir/tests/cmds/placement/placement_checks.py" "$@"
}
is "JSON is as its schema says" "$(python3 "$top_srcdir/tests/schema.py" \
	"$top_srcdir/docs/schemas/annotate.schema.json" ./*.json)" ""
is "CSV has the same" "$(checks same_csv loops plain hostile well nothing 2>&1)" ""
"$program" annotate --layout hostile.cg >text 2>&1
is "no control characters" "$(LC_ALL=C tr -d '\n\t -~\200-\377' <text | wc -c)" 0

# The report has the same rows.
for file in loops plain lines; do
	"$program" report -q -o page_$file.html $file.cg
done
"$program" report -q --asm=no -o page_bare.html loops.cg
is "the data of pages" "$(python3 "$top_srcdir/tests/report.py" check \
	"$top_srcdir/docs/schemas/report.schema.json" page_loops page_plain page_lines page_bare 2>&1)" ""
for file in loops plain; do
	python3 "$top_srcdir/tests/report.py" data page_$file.html >data.json
	is "rows of a page: $file" "$(checks same_rows $file.json)" "True True"
done
for file in lines bare; do
	is "a page without loops: $file" "$(python3 "$top_srcdir/tests/report.py" data page_$file.html |
		python3 -c 'import json, sys; print(json.load(sys.stdin).get("layout"))')" None
done

# Cards of the page: by instructions of the two hottest; by cycles of those that wait for code, which says what can be
# lost, and not of the hottest one, which waits for memory (cold).
awk '/^events:/ { print "events: Ir Dr CyBase CyFe CyMem"; next }
	/^0x/ && NF > 2 { print $1, $2, $3, $4 + 0, $3 * 3, $1 ~ /^0x40103/ ? $3 * much : 0,
		$1 == "0x4014fc" ? 900000 : 0; next } { print }' much=1 loops.cg >waits.cg
sed 's/CyFe/CyDep/' waits.cg >no_waits.cg
# cards FILE: place and title of each that is of a loop, then what it says.
cards() {
	"$program" report -q -o cards.html "$1"
	python3 "$top_srcdir/tests/report.py" raw cards.html >raw.json
	node "$top_srcdir/tests/cards.js" cards.html raw.json 2>&1 | awk '/^==/ { place = $2; shown = 0 }
		/^A loop of/ { print place; shown = 4 } /^[a-z_]* spends/ { shown = 0 } shown-- > 0'
}
if command -v node >/dev/null; then
	is "cards" "$(cards loops.cg)" "loops.s:11
A loop of _start, 12 B, has 23.6 % of all instructions: it touches 2 fetch windows of 64 B where 1 would do.
-> Put .balign 16 before the loop.
   Code at 0x401038 to 0x401044, 19,990 turns.
   What that costs is not known: the share is of the windows that are too many.
loops.s:32
A loop of first, 12 B, has 14.1 % of all instructions: it touches 2 fetch windows of 32 B where 1 would do.
   Code at 0x4010d8 to 0x4010e4, 11,988 turns."
	is "cards of cycles" "$(cards waits.cg | sed -n 1,4p)" "loops.s:11
A loop of _start, 12 B, waits for code for 3.0 % of all cycles: it touches 2 fetch windows of 64 B where 1 would do.
-> Put .balign 16 before the loop.
   Code at 0x401038 to 0x401044, 19,990 turns."
	is "... that are not known to wait for code" "$(cards no_waits.cg)" ""
else
	skip "cards" "no node"
fi

# An object that is newer may not be what ran.
touch -d '2020-01-01 00:00' loops.cg
is "a newer object" "$("$program" annotate --layout loops.cg 2>&1 >text)" \
	"costgrind annotate: warning: loops: changed after the profile was made, so its code may not be what was executed"
done_testing
