#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of generated code, as programs write them for perf and GDB.  A call of leaf(10) has 22 instructions, of
# the longer one 23.
. "$top_srcdir/tests/lib.sh"
use_oracle

build jitting "$top_srcdir/tests/programs/jitting.c" -O1 -g -static -I"$top_srcdir" -I/usr/include/valgrind

# run WHAT... [OPTIONS]: profile p
run() {
	rm -f p ./*.map ./*.dump
	costgrind -q --cache-sim=no --costgrind-out-file=p "$@" 2>err
	is "$test: messages" "$(cat err)" ""
}

# called: the functions that generated code is, with what their calls are and cost.
called() {
	python3 "$top_srcdir/tests/profile.py" calls p | awk -F '\t' '$2 == "call" && $5 !~ /\/jitting$/ {
		sub(/ .*/, "", $7); print $5, $6, $7 }' | LC_ALL=C sort
}

# lines: files, functions, lines and instructions of generated code.
lines() {
	python3 "$top_srcdir/tests/profile.py" cells p | grep -E '^/sources|^org/' | sed 's/ Rep=.*//'
}

for options in --engine=inline --engine=plain --cold-runs=0 --collect-jumps=yes --inline=calls \
	--call-tree=yes --separate-callers=2 --deterministic=yes; do
	test="map, $options"
	# shellcheck disable=SC2086 # several options
	run $options ./jitting map perf-4242.map
	case $options in
	*callers*) ;; # names have callers in them
	*)
		is "$test: functions" "$(called | grep -v '^0x')" "JS:~second 2 Ir=46
anew 10 Ir=220
fourth 1000 Ir=23000
in two pieces 5 Ir=110
not the first 7 Ir=161
org.a.Third\$In::third 1000 Ir=22000
py::first 3 Ir=66
told 11 Ir=242
winner 9 Ir=198"
		is "$test: functions without a name" "$(called | grep '^0x' | cut -d ' ' -f 2-)" "6 Ir=132
8 Ir=176"
		;;
	esac
	is "$test: files and lines" "$(lines | cut -f 1,3,4)" "/sources/first.py	0	Ir=66
/sources/second.js	7	Ir=46
org/a/Third.java	0	Ir=22000"

	test="dump, $options"
	# shellcheck disable=SC2086 # several options
	run $options ./jitting dump jit-7.dump
	is "$test: lines" "$(lines | cut -f 1,3,4)" "/sources/dumped.x	10	Ir=5
/sources/dumped.x	11	Ir=100
/sources/dumped.x	10	Ir=4
/sources/dumped.x	11	Ir=80
/sources/other.x	12	Ir=5
/sources/other.x	12	Ir=4"

	test="gdb, $options"
	# shellcheck disable=SC2086 # several options
	run $options ./jitting gdb
	case $options in
	*callers*) ;;
	*)
		is "$test: functions" "$(called | sed 's/^0x[^ ]*/ADDRESS/')" "ADDRESS 5 Ir=115
f_one 3 Ir=66
f_two 10 Ir=220"
		;;
	esac
done

test="registered before counting began"
run --instr-atstart=no ./jitting gdb
is "$test" "$(called | grep '^f_')" "f_one 3 Ir=66
f_two 10 Ir=220"

for opens in creat openat openat2; do
	test="opened by $opens"
	rm -f perf-5.map
	costgrind -q --cache-sim=no --costgrind-out-file=p ./jitting opened $opens perf-5.map 2>err
	if [ $? = 77 ]; then
		skip "$test" "this Valgrind, or kernel, does not know it"
	else
		is "$test" "$(called)" "known 3 Ir=66"
	fi
done

test="off"
for what in "map perf-4242.map" "dump jit-7.dump" gdb; do
	# shellcheck disable=SC2086 # several words
	run ./jitting $what
	with=$(sed -n '/^summary:/p' p)
	# shellcheck disable=SC2086 # several words
	run --generated-names=no ./jitting $what
	is "$test: $what: the same costs" "$(sed -n '/^summary:/p' p)" "$with"
	is "$test: $what" "$(called | grep -cvE '^(0x|told)')" 0
done

done_testing
