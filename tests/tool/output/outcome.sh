#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a profile says about the run: how many of the executed instructions it has, how the program ended,
# how often it asked for a time that is a count of instructions.
. "$top_srcdir/tests/lib.sh"

# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
build parts "$top_srcdir/tests/programs/parts.c" -O1 -g -static -I"$top_srcdir" -I/usr/include/valgrind
build ends "$top_srcdir/tests/programs/ends.c" -O1 -g -pthread -static -I"$top_srcdir" -I/usr/include/valgrind
build collection "$top_srcdir/tests/programs/collection.c" -O1 -g -pthread -static -I/usr/include/valgrind
# build_outcome NAME FLAGS...
build_outcome() {
	build_name=$1
	shift
	build "$build_name" "$top_srcdir/tests/programs/outcome.S" -nostdlib -static "$@"
}
build_outcome once

# run OPTIONS... PROGRAM WORDS...: leaves err, without the pid, and p, p.1 and so on.
run() {
	rm -f p p.* p-*
	costgrind -q --cache-sim=no --costgrind-out-file=p "$@" >out 2>raw
	run_status=$?
	sed 's/^==[0-9]*== //' raw >err
}
# desc TYPE FILE...
desc() {
	desc_type=$1
	shift
	sed -n "s/^desc: $desc_type: //p" "$@"
}
# collected FILE...: of each, "N of M"; other lines than that are shown whole.
collected() {
	desc Collected "$@" | sed 's/^\([0-9,]* of [0-9,]*\) instructions$/\1/'
}
# plain: without commas.
plain() {
	tr -d ,
}

# -- how much was collected ------------------------------------------------------------------

for engine in inline plain; do
	run --engine=$engine ./once
	is "$engine: all" "$(collected p)" "57 of 57"
	run --engine=$engine --toggle-collect=f ./once
	is "$engine: a function" "$(collected p); $(cat err)" "44 of 57; "
	run --engine=$engine --toggle-collect=nosuch ./once
	is "$engine: nothing, which is said with -q, too" "$run_status $(collected p); $(cat err)" \
		"0 0 of 57; costgrind: nothing was collected: no such function was entered (--toggle-collect=nosuch)"
	run --engine=$engine --instr-atstart=no ./once
	is "$engine: without instrumentation" "$(collected p); $(desc Instrumentation p)" "0 of 0; off for a part of the run"
	run --engine=$engine --toggle-collect=f --call-tree=yes --separate-callers=2 ./once
	is "$engine: more contexts" "$(collected p)" "44 of 57"
	run --engine=$engine ./parts 5000
	is "$engine: with commas" "$(collected p | plain)" \
		"$(sed -n 's/^summary: \([0-9]*\)$/\1 of \1/p' p)"
	is "$engine: ... in threes" "$(collected p | grep -cE '^[0-9]{1,3}(,[0-9]{3})+ of [0-9]{1,3}(,[0-9]{3})+$')" 1
done
for option in --deterministic=yes --branch-sim=yes --separate-recs=3 --inline=calls --dump-instr=yes; do
	run $option --toggle-collect=f ./once
	is "$option" "$(collected p)" "44 of 57"
done
if has_decoder; then
	run --counting=architectural --toggle-collect=f ./once
	is "architectural" "$(collected p)" "44 of 57"
	run --cache-sim=yes --machine=zen4 --counting=architectural --cycles=yes --toggle-collect=f ./once
	is "with cycles" "$(collected p)" "44 of 57"
else
	skip "architectural" "built without a decoder"
fi
run --format=cachegrind --toggle-collect=f ./once
is "in Cachegrind's format" "$(collected p) $(desc Ended p)" "44 of 57 exit 0"

# Of each part what it covers: mid(n) has 6 n + 11 instructions, collected or not.
# executed WORDS...: what the last part executed.
executed() {
	run ./parts "$@"
	collected p | sed 's/.* of //' | plain
}
is "since a part" "$(($(executed 10 dump toggle 30) - $(executed 20 dump toggle 20)))" 60
is "since costs were zero" "$(($(executed 10 zero 30 toggle) - $(executed 20 zero 20 toggle)))" 60
run ./parts 10 fork 20
mv p-* child
run ./parts 5000 fork 20
is "since a fork" "$(collected p-*)" "$(collected child)"
rm child
is "... all of it" "$(collected p-* | plain)" "$(sed -n 's/^summary: \([0-9]*\)$/\1 of \1/p' p-*)"
run ./parts toggle 10 dump 20 toggle 30 dump
is "parts have what they collected" "$(collected p.1 p.2 p | sed 's/ of .*//' | plain)" \
	"$(sed -n 's/^summary: \([0-9]*\)$/\1/p' p.1 p.2 p)"

# Threads and handlers, some of them collected.
for engine in inline plain; do
	run --engine=$engine --separate-threads=yes ./ends handled
	is "$engine: threads" "$(collected p-* | plain)" "$(sed -n 's/^summary: \([0-9]*\)$/\1 of \1/p' p-*)"
	is "$engine: ... two of them" "$(collected p-* | wc -l)" 2
	run --engine=$engine --collect-atstart=no --separate-threads=yes ./collection
	is "$engine: ... and handlers, some of them collected" \
		"$(for file in p.1-*; do collected "$file"; done | plain | awk '{ print $1, ($1 < $3) }')" \
		"$(sed -n 's/^summary: \([0-9]*\)$/\1 1/p' p.1-*)"
done

run ./parts 10 stop 20 start 30
is "instrumentation was off" "$(desc Instrumentation p)" "off for a part of the run"
run ./parts 10 dump 20 stop 30 dump 40 start 50 dump 60
is "... in which parts" "$(for file in p.1 p.2 p.3 p; do echo "$(desc Instrumentation $file);"; done | tr '\n' ' ')" \
	"; off for a part of the run; off for a part of the run; ; "

# -- how it ended ----------------------------------------------------------------------------

# ends HOW STATUS END
ends() {
	for engine in inline plain; do
		run --engine=$engine ./ends "$1"
		is "$engine: $1" "$run_status $(desc Ended p)" "$2 $3"
	done
}
ends exit 5 "exit 5"
ends group 9 "exit 9"
ends fault 139 "signal 11"
ends handled 0 "exit 0"
ends kill 137 "signal 9"
ends raise 137 "signal 9"
ends after_exit 134 "signal 6"
ends last 2 "exit 2"
ends wide 44 "exit 44"
ends region 1 "exit 1"
is "a region that a thread ends in" "$(desc Region p | sed 's/, costs .*:/:/')" "1 times, 1 threads, not over: work"
run ./parts +one 10 -one +two 20 +one =dump
is "regions at the end" "$(desc Region p | sed 's/, costs .*:/:/')" "1 times, 1 threads, not over: one
1 times, 1 threads, not over: two"
is "a dump is no end" "$(desc Ended p.1);$(desc Ended p)" ";exit 0"
run ./parts +one 10 zero -one +one 10 -one
is "regions that are over" "$(desc Region p | sed 's/, costs .*:/:/')" "2 times, 1 threads: one"
run ./parts 10 fork 20
is "a child" "$(desc Ended p p-*)" "exit 0
exit 0"
run ./parts 10 exec nothing 20
is "no program was executed" "$(desc Ended p)" "exit 0"

# -- the time --------------------------------------------------------------------------------

# asked OPTIONS... PROGRAM: what the profile and the closing lines say.
asked() {
	rm -f p
	costgrind --cache-sim=no --costgrind-out-file=p "$@" >out 2>raw
	echo "$(desc 'Time asked' p); $(grep -c 'asked for the time' raw)"
}
build_outcome few -DASKS=300
build_outcome many -DASKS=301
build_outcome very_many -DASKS=12345
build_outcome tsc -DASKS=301 -DTSC
for engine in inline plain; do
	is "$engine: 300 times" "$(asked --engine=$engine --deterministic=yes ./few)" "; 0"
	is "$engine: 301 times" "$(asked --engine=$engine --deterministic=yes ./many)" "301 times; 1"
	is "$engine: rdtsc" "$(asked --engine=$engine --deterministic=yes ./tsc)" "301 times; 1"
done
is "very many" "$(asked --deterministic=yes ./very_many)" "12,345 times; 1"
is "... are said to be" "$(sed -n 's/^==[0-9]*== costgrind: \(the program asked.*\)/\1/p' raw)" \
	"the program asked for the time 12,345 times, which is a count of instructions: what runs for a fixed time does less when it gets slower; fix its number of iterations"
is "real time" "$(asked ./many) $(asked --deterministic=yes --leave=clock ./many) $(asked --deterministic=yes --leave=tsc ./tsc)" \
	"; 0 ; 0 ; 0"

# -- once ------------------------------------------------------------------------------------

# facts FILE...: what they say about the process, each line with its file.
facts() {
	grep -E '^desc: (Not profiled|Time asked): ' "$@"
}
run ./parts true 10 dump 20 dump 30 true true dump 40
is "what was executed since the last part" "$(facts p p.*)" "p.1:desc: Not profiled: 1 program: /bin/true
p.3:desc: Not profiled: 1 program: /bin/true"
is "... added up" "$("$top_builddir/costgrind" merge -q p p.* | facts)" "desc: Not profiled: 1 program: /bin/true"
run ./parts true zero 10
is "... or since costs were zero" "$(facts p)" ""
run --deterministic=yes --separate-threads=yes ./ends asks
is "what is of all threads is in the file of the first one" "$(facts p-*)" "p-01:desc: Not profiled: 1 program: /bin/true
p-01:desc: Time asked: 301 times"
is "... added up" "$("$top_builddir/costgrind" merge -q p-* | facts)" "desc: Not profiled: 1 program: /bin/true
desc: Time asked: 301 times"

# -- both engines ----------------------------------------------------------------------------

for words in "once" "parts 10 toggle 20 toggle" "parts +one 10" "parts 10 toggle 20 dump 30"; do
	for engine in inline plain; do
		# shellcheck disable=SC2086 # several words
		run --deterministic=yes --engine=$engine ./$words
		sed '/^pid: /d' p >$engine
	done
	is "both engines write the same: $words" "$(cmp inline plain; grep -c '^desc: Collected' inline)" 1
done
done_testing
