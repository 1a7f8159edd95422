#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Parts of a run, collection, regions and instrumentation, by options and by requests: what each
# part has of functions whose costs are known (tests/programs/parts.c).
. "$top_srcdir/tests/lib.sh"

build parts "$top_srcdir/tests/programs/parts.c" -O1 -g -static -I"$top_srcdir" -I/usr/include/valgrind

# parts_run [OPTIONS...] -- WORDS...: leaves p and p.1, p.2 and so on.
parts_run() {
	run_options=
	while [ "$1" != -- ]; do
		run_options="$run_options $1"
		shift
	done
	shift
	rm -f p p.*
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --cache-sim=no $run_options --costgrind-out-file=p ./parts "$@" >run.out 2>run.err
	sed 's/^==[0-9]*== //' run.err >run.said
}

# shown: of each part why it was written, what leaf and mid have cost, and the calls of mid.
shown() {
	for part in $(find . -name 'p.*' | sed 's,./,,' | LC_ALL=C sort -t. -k2n) p; do
		echo "$part: $(sed -n 's/^desc: Trigger: //p' "$part")"
		python3 "$top_srcdir/tests/asm/counts.py" functions "$part" | grep -E '^(leaf|mid):'
		python3 "$top_srcdir/tests/profile.py" calls "$part" |
			awk -F '\t' '$5 == "mid" { print $2 " > mid " $6 " " $7 }'
	done
}

# mid(n): 6 n + 11 with what it calls, 7 of it its own.
parts_run -- 10 dump 20 dump 30
is "dump" "$(shown)" "p.1: Client Request: between
leaf: Ir=64
mid: Ir=7
act > mid 1 Ir=71
p.2: Client Request: between
leaf: Ir=124
mid: Ir=7
act > mid 1 Ir=131
p: Program termination
leaf: Ir=184
mid: Ir=7
act > mid 1 Ir=191"
is "nothing is said" "$(cat run.err)" ""
is "part numbers" "$(sed -n 's/^part: //p' p.1 p.2 p | tr '\n' ' ')" "1 2 3 "
is "stretches of time follow each other" \
	"$(sed -n 's/^desc: Timerange: Basic block \([0-9]*\) - \([0-9]*\)/\1 \2/p' p.1 p.2 p |
		awk 'NR > 1 && $1 != last { print "gap" } { last = $2 }')" ""

parts_run -- 10 zero 20
is "zero" "$(shown)" "p: Program termination
leaf: Ir=124
mid: Ir=7
act > mid 1 Ir=131"

parts_run -- 10 toggle 20 toggle 30
is "toggle" "$(shown)" "p: Program termination
leaf: Ir=248
mid: Ir=14
act > mid 2 Ir=262"

parts_run --collect-atstart=no -- 10 toggle 20
is "collect from a request on" "$(shown)" "p: Program termination
leaf: Ir=124
mid: Ir=7
act > mid 1 Ir=131"

parts_run --toggle-collect=mid -- 10 20
is "a function that is collected" "$(shown)
$(python3 "$top_srcdir/tests/asm/counts.py" totals p)" "p: Program termination
leaf: Ir=188
mid: Ir=14
act > mid 2 Ir=202
Ir=202"
is "... is called by what is not" "$(python3 "$top_srcdir/tests/profile.py" calls p |
	awk -F '\t' '$5 == "act" { print $2, $7 }')" "main Ir=202"

parts_run --toggle-collect=mid --collect-atstart=yes -- 10 20
is "a function that is not collected" "$(shown)" "p: Program termination
act > mid 2 "

parts_run --toggle-collect=leaf -- 10
is "a callee that is collected" "$(shown)" "p: Program termination
leaf: Ir=64
act > mid 1 Ir=64"

parts_run '--collect-region=in*' -- 10 +inner 20 -inner 30 +outer +inner 40 -outer 50 -inner 60
is "regions that are collected" "$(shown)" "p: Program termination
leaf: Ir=672
mid: Ir=21
act > mid 3 Ir=693"
parts_run -- +all 10 +two 20 -all +two 30 -two -two
is "regions have lines" "$(sed -n 's/^desc: Region: //p' p | sed 's/costs [0-9]*/costs N/')" \
	"1 times, 1 threads, costs N: all
2 times, 1 threads, costs N: two"
# region_cost WORDS...: of the only region.
region_cost() {
	parts_run -- "$@"
	sed -n 's/^desc: Region: .* costs \(.*\): .*/\1/p' p
}
is "... with their costs" "$(($(region_cost +one 20 -one) - $(region_cost +one 10 -one)))" 60
parts_run '--collect-region=*' --dump-regions=yes -- 10 +one 20 -one 30 +one 20 -one +two +one 40 -one -two +one 50 -one
is "a part for each region" "$(sed -n 's/^desc: \(Trigger\|Region\): //p' p.1 p.2 p.3 p | sed 's/costs [0-9]*/costs N/')" "--dump-regions=yes
--dump-regions=yes
2 times, 1 threads, costs N: one
--dump-regions=yes
1 times, 1 threads, costs N: one
1 times, 1 threads, costs N: two
Program termination
1 times, 1 threads, costs N: one"
is "... with its costs" "$(shown | grep leaf)" "leaf: Ir=248
leaf: Ir=244
leaf: Ir=304"
parts_run -- +open 10 dump 20
is "a region over two parts" "$(sed -n 's/^desc: Region: \(.*\), costs.*/\1/p' p.1 p)" \
	"1 times, 1 threads, not over
1 times, 1 threads, not over"

parts_run -- 10 warm 20 warm 30 cold 40 cold 50
is "warm-up" "$(shown)" "p: Program termination
leaf: Ir=368
mid: Ir=14
act > mid 2 Ir=382"

parts_run --instr-atstart=no -- 10 start 20 stop 30
is "instrumentation from a request on" "$(shown)" "p: Program termination
leaf: Ir=124
mid: Ir=7
act > mid 1 Ir=131"
parts_run --instr-atstart=no -- 10
is "no instrumentation" "$(python3 "$top_srcdir/tests/profile.py" summary p) $(sed 's/^==[0-9]*== //' run.err)" \
	"Ir 0 costgrind: nothing was collected: instrumentation was off all the time (--instr-atstart=no)"
parts_run --instr-at-start=no -- 10 start 10 start stop stop 20 start 30
is "on and off again" "$(shown)" "p: Program termination
leaf: Ir=248
mid: Ir=14
act > mid 2 Ir=262"

parts_run --dump-before=mid -- 10 20
is "a part before a function" "$(shown)" "p.1: --dump-before=mid
p.2: --dump-before=mid
leaf: Ir=64
mid: Ir=7
act > mid 1 Ir=71
p: Program termination
leaf: Ir=124
mid: Ir=7
act > mid 1 Ir=131"
parts_run --dump-after=mid -- 10 20
is "a part after a function" "$(shown)" "p.1: --dump-after=mid
leaf: Ir=64
mid: Ir=7
act > mid 1 Ir=71
p.2: --dump-after=mid
leaf: Ir=124
mid: Ir=7
act > mid 1 Ir=131
p: Program termination"
parts_run --dump-after=leaf -- 10
is "parts within a function" "$(shown)" "p.1: --dump-after=leaf
leaf: Ir=22
mid: Ir=2
act > mid 1 Ir=24
p.2: --dump-after=leaf
leaf: Ir=42
mid: Ir=3
act > mid 1 Ir=45
p: Program termination
mid: Ir=2
act > mid 1 Ir=2"
parts_run --zero-before=mid -- 10 20
is "zero before a function" "$(shown)" "p: Program termination
leaf: Ir=124
mid: Ir=7
act > mid 1 Ir=131"
parts_run --zero-before=mid --dump-before=mid -- 10
is "both: the part is written" "$(find . -name 'p.*')" ./p.1

parts_run --dump-every-bb=20000 -- 20000 20000
is "a part every 20000 superblocks" "$([ -e p.1 ] && [ -e p.2 ] && sed -n 's/^desc: Trigger: //p' p.1)" \
	"--dump-every-bb=20000"
is "... which add up" "$(for part in p p.*; do
	python3 "$top_srcdir/tests/asm/counts.py" functions "$part"
done | awk -F = '/^leaf:/ { n += $2 } END { print n }')" 240008
parts_run --dump-every-ms=1 -- 3000000
is "a part every millisecond" "$([ -e p.1 ] && sed -n 's/^desc: Trigger: //p' p.1)" \
	"--dump-every-ms=1"

parts_run -- desc 10 dump 20
is "a line of the program's" "$(sed -n 's/^desc: Input: //p' p.1 p)" "large file
large file"
parts_run -- count
is "a counter" "$(cat run.out)" "2 611 0"

# Patterns that match nothing, and requests that make no sense.
costgrind --cache-sim=no --toggle-collect=nosuch --dump-after=leaf* --costgrind-out-file=p ./parts 1 2>&1 |
	sed -n 's/^==[0-9]*== costgrind: \(--.*\)/\1/p' >unmatched
is "a pattern that matches nothing" "$(cat unmatched)" \
	"--toggle-collect=nosuch: no function that was run has such a name"
parts_run -- fault -none cold odd 10
is "requests that make no sense" "$(cat run.said)" \
	'costgrind: COSTGRIND_REGION_END(""): expected the name of a region that this thread has begun
costgrind: COSTGRIND_REGION_END("none"): expected the name of a region that this thread has begun
costgrind: COSTGRIND_WARM_END: expected COSTGRIND_WARM_BEGIN before
costgrind: unknown client request 0x435303e7'
is "... do no harm" "$(shown)" "p: Program termination
leaf: Ir=64
mid: Ir=7
act > mid 1 Ir=71"

# A part that cannot be written: its costs are in the next one.
mkdir p.1
costgrind -q --cache-sim=no --costgrind-out-file=p ./parts 10 dump 20 2>run.err
is "a part that cannot be written" "$? $(grep -c 'p.1: ' run.err) $(
	python3 "$top_srcdir/tests/asm/counts.py" functions p | grep leaf:)" "0 1 leaf: Ir=188"
rmdir p.1

# A handler that is left by a jump leaves collection as it was.
build leaving "$top_srcdir/tests/programs/leaving.c" -O1 -g -I"$top_srcdir" -I/usr/include/valgrind
# left_by WAY OPTIONS...: which of first(), second() and third() have costs.
left_by() {
	left_way=$1
	shift
	costgrind -q --cache-sim=no "$@" --costgrind-out-file=left ./leaving "$left_way" 2>left.err
	echo "$? $(python3 "$top_srcdir/tests/asm/counts.py" functions left |
		sed -n 's/^\(first\|second\|third\): .*/\1/p' | tr '\n' ' ')$(cat left.err)"
}
is "toggles around a handler that jumps" "$(left_by toggle)" "0 first third "
is "warm-up around it" "$(left_by warm)" "0 first third "
is "a region around it" "$(left_by region --collect-region=region)" "0 second "
is "a function around it" "$(left_by none --toggle-collect=interrupt)" "0 "
# Between the first and the second, a part is written.
is "texts that cannot be read" "$(left_by text)" "0 second third "

# Very many.
# shellcheck disable=SC2046 # words
parts_run -- $(yes dump | head -n 2000)
is "2000 parts" "$(find . -name 'p.*' | wc -l) $(sed -n 's/^part: //p' p)" "2000 2001"
done_testing
