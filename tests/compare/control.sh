#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind control says about a program under Callgrind, and of one under costgrind in its place, what the installed
# callgrind_control says about it: numbers, totals, frames; and what either has done, the other sees.
. "$top_srcdir/tests/lib.sh"

build idle "$top_srcdir/tests/programs/idle.c" -O1 -g -static
mkfifo one.in two.in
trap 'kill $one $two 2>/dev/null' EXIT
"$VALGRIND" --tool=callgrind --cache-sim=yes --callgrind-out-file=one.cg ./idle x y <one.in >one.out 2>one.err &
one=$!
VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=callgrind --cache-sim=yes \
	--callgrind-out-file=two.cg ./idle <two.in >two.out 2>two.err &
two=$!
exec 3>one.in 4>two.in

theirs() {
	timeout 60 "$VALGRIND_BIN/callgrind_control" "$@" 2>/dev/null
}
ours() {
	timeout 60 "$top_builddir/costgrind" control "$@"
}
# Both have come to wait; what is asked of them then does not change.
for _ in $(seq 100); do
	ours -b $one $two 2>/dev/null | grep -c wait_here | grep -q '^2$' && break
	sleep 0.1
done

# The same lines of both.
their_numbers() {
	theirs -s -e -b "$1" | sed 's/\([0-9]\),\([0-9]\)/\1\2/g; s/\([0-9]\),\([0-9]\)/\1\2/g; s/  */ /g; s/^ //; s/ $//
		/^$/d; /^Number of running/d; /^Events collected/d; /^\[/{s/ \. / 0 /g; s/ \. / 0 /g}'
}
our_numbers() {
	ours -s -e -b --format=json "$1" | python3 "$top_srcdir/tests/compare/control.py"
}
for pid in "$one" "$two"; do
	name=Callgrind
	[ "$pid" = "$two" ] && name="costgrind in its place"
	is "$name: the program" "$(theirs "$pid")" "$(ours --format=json "$pid" | python3 -c '
import json, sys
process = json.load(sys.stdin)["processes"][0]
print("PID %d: %s" % (process["pid"], " ".join(process["program"])))')"
	is "$name: numbers" "$(our_numbers "$pid")" "$(their_numbers "$pid")"
	is "$name: there are some" "$(our_numbers $pid | grep -c '[1-9][0-9][0-9].* wait_here\|^Th 1 [1-9].* [1-9]\|^Functions: [1-9]')" 2
	theirs --dump=theirs "$pid" >dump
	is "$name: a dump by callgrind_control" "$(tail -n 1 dump)" "  OK."
	ours --dump=ours "$pid" >dump
	theirs --instr=off "$pid" >off
	is "$name: switched off by callgrind_control" \
		"$(our_state=$(ours -s --format=json "$pid"); echo "$our_state" | grep -c '"instrumentation": false')" 1
	ours --instr=on "$pid" >on
	is "$name: switched on by costgrind control" "$(theirs -s $pid | grep -c 'switched off')" 0
	theirs -z "$pid" >zero
	is "$name: set to zero by callgrind_control" "$(tail -n 1 zero)" "  OK."
done
is "dumps have hints" "$(cat one.cg.1 one.cg.2 two.cg.1 two.cg.2 | sed -n 's/^desc: Trigger: //p' | xargs)" \
	"dump theirs dump ours dump theirs dump ours"
kill $two
ours --kill $one >killed
is "--kill" "$? $(find . -name 'one.cg.3' -size +0c)" "0 ./one.cg.3"
done_testing
