#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Collection: what is shown of a run while it goes on is what a profile has that is written then, and
# says if collection is off; orders to all threads; why a profile is empty.
. "$top_srcdir/tests/lib.sh"
use_oracle

command=$top_builddir/costgrind
build parts "$top_srcdir/tests/programs/parts.c" -O1 -g -static -I"$top_srcdir" -I/usr/include/valgrind
build collection "$top_srcdir/tests/programs/collection.c" -O1 -g -pthread -I/usr/include/valgrind

# run OPTIONS... PROGRAM WORDS...: leaves what was said in run.err, without the pid, and p, p.1 and so on.
run() {
	rm -f p p.* p-*
	costgrind --cache-sim=no --costgrind-out-file=p "$@" >run.out 2>run.raw
	sed 's/^==[0-9]*== //' run.raw >run.err
}
# self_cost FILE NAME: of the function.
self_cost() {
	python3 "$top_srcdir/tests/asm/counts.py" functions "$1" | sed -n "s/^$2: Ir=\\([0-9]*\\).*/\\1/p"
}
# total FILE: the first number of totals:
total() {
	sed -n 's/^totals: \([0-9]*\).*/\1/p' "$1"
}

# -- what is shown is what is written -----------------------------------------------------

# Collection is off when the words are done, so the looks collect nothing.
# agrees NAME COLLECTED OPTIONS... -- WORDS...: mid has cost COLLECTED.
agrees() {
	agrees_name=$1
	agrees_mid=$2
	agrees_options=
	shift 2
	while [ "$1" != -- ]; do
		agrees_options="$agrees_options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # several options in one variable
	run $agrees_options ./parts "$@" '=status internal' '=status functions' '=dump'
	is "$agrees_name: collected" "$(self_cost p.1 mid)" "$agrees_mid"
	is "... totals, of the thread too, and functions" "$(awk '/^totals:|^events-1:/ { print $2 }
		/^function: / { sum += $2 } END { print sum + 0 }' run.err | sort -u)" "$(total p.1)"
	is "... calls of act, one of them under way" "$(awk -v caller="${agrees_caller-main}" '
		/^function-/ { name = $2 } /^calls-/ && name == caller { n = $2 }
		/^events-1-/ && name == caller { cost = $2 }
		END { print n + 0, cost + 0 }' run.err)" \
		"$(python3 "$top_srcdir/tests/profile.py" calls p.1 |
			awk -F '\t' -v caller="${agrees_caller-main}" '$2 == caller && $5 == "act" { split($7, cost, "="); n += $6; sum += cost[2] }
				END { print n + 0, sum + 0 }')"
	is "... collection is off" "$(grep '^collection:' run.err | sort -u)" "collection: off"
}
agrees "nothing was collected" "" --collect-atstart=no -- 10 20
agrees "until an order" 7 -- 10 '=collection off' 20
agrees "until a request" 7 -- 10 toggle 20
agrees "from a request on" 14 --collect-atstart=no -- 10 toggle 20 30 toggle 40
agrees "a function" 21 --toggle-collect=mid -- 10 20 30
agrees "regions" 7 --collect-region=b -- +a 10 -a +b 20 -b
agrees "a request that faults" 7 -- 10 fault warm 20
agrees_caller=handle
agrees "a handler" 7 --collect-atstart=no -- 10 signal 20 toggle 30 toggle
agrees "a handler, and what it has interrupted" 14 --collect-atstart=no -- toggle 10 toggle 20 \
	signal toggle 30 toggle
agrees "a handler of what is collected" 14 -- 10 signal 20 '=collection off' 30
unset agrees_caller
agrees "after a stop" 14 -- 10 stop 20 start 30 toggle
agrees "after a part that had more" 7 -- 10 20 '=zero' 30 toggle

# All columns; lines that stay in the caches are charged when they go.
run --cacheuse=yes --I1=32768,8,64 --D1=16384,4,64 --LL=8388608,16,64 ./parts 10 '=collection off' '=status internal' '=status functions' '=dump' \
	'=status internal' '=status functions' '=dump'
is "use of cache lines: totals and functions" "$(awk '/^totals:/ { $1 = ""; print }' run.err)" \
	"$(for part in p.1 p.1 p.2 p.2; do sed -n 's/^totals://p' $part; done)"
is "... add up" "$(awk '/^function: / { n += $12 } /^totals:/ { want = $12 } /^written: .*p.1$/ {
	print (n == want && n > 0) }' run.err)" 1
is "... and nothing is told from the last part's lines" "$(grep '^nothing' run.err)" \
	"nothing was collected: collection is off"

# -- orders -------------------------------------------------------------------------------

# collects NAME WANT OPTIONS... -- WORDS...: leaf has cost WANT.
collects() {
	collects_name=$1
	collects_want=$2
	collects_options=
	shift 2
	while [ "$1" != -- ]; do
		collects_options="$collects_options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # several options in one variable
	run -q $collects_options ./parts "$@"
	is "$collects_name" "$(self_cost p leaf)" "$collects_want"
}
# leaf has 6 n + 4 of mid(n).
collects "on" 124 --collect-atstart=no -- 10 '=collection on' 20
is "... is answered" "$(grep collection run.err)" "collection: on"
collects "twice is once" 308 --collect-atstart=no -- 10 '=collection on' 20 '=collection on' 30
collects "off" 64 -- 10 '=collection off' 20
collects "... wins over a toggle" 64 -- 10 '=collection off' toggle 20 toggle 30
collects "... over functions" 64 --toggle-collect=mid -- 10 '=collection off' 20
collects "... and over regions" 64 --collect-region=a -- +a 10 '=collection off' 20 -a
collects "on wins over functions" 188 --toggle-collect=leaf -- '=collection on' 10 20
collects "... over regions" 188 --collect-region=a -- '=collection on' 10 +a 20 -a
collects "... and over stretches that warm up" 188 -- '=collection on' 10 warm 20
collects "auto: as requests have said" 248 -- 10 '=collection off' 20 toggle 30 toggle \
	'=collection auto' 30 toggle '=collection auto' 40
is "... is off then" "$(grep -c 'collection: off' run.err)" 2
collects "another word" 64 -- 10 '=collection maybe' warm 20
is "... is named" "$(cat run.err)" "collection maybe: expected on, off or auto"
run -q --collect-atstart=no ./parts 10 stop '=instrumentation on' '=collection' 20
is "instrumentation that is of no use says so" "$(cat run.err)" "collection: off
collection: off
costgrind: nothing was collected: collection was off all the time (--collect-atstart=no)"

# A handler, what it has interrupted, a thread that waits in the kernel, and one to come.
for options in --cache-sim=no --cache-sim=yes --engine=plain --call-tree=yes --separate-threads=yes \
	--collect-systime=nsec --branch-sim=yes; do
	run $options --collect-atstart=no --costgrind-out-file=p ./collection
	cost=0
	for file in p.1 p.1-*; do
		[ -f "$file" ] && cost=$((cost + $(self_cost "$file" leaf)))
	done
	is "all threads and handlers ($options)" "$cost" $((62 + 82 + 102 + 142 + 182))
	is "... counters agree" "$(grep -c error run.err)" 0
	[ -f p.1 ] || continue
	is "... the parts are good" "$("$command" check -q p.1 p; echo $?)" 0
	# A negative time is a very large one.
	is "... times are" "$(sed -n 's/^totals: //p' p.1 | tr ' ' '\n' | awk 'length($0) > 15')" ""
done
rm -f ./*.costgrind # call trees
run -q --collect-atstart=no --separate-threads=yes ./collection
is "after an order of off, nothing; after one of auto, neither" "$(sed -n 's/^totals: //p' p-01)" 0

# -- a profile of zeros -------------------------------------------------------------------

# why OPTIONS... PROGRAM WORDS...: what the closing lines say about it.
why() {
	run "$@"
	sed -n 's/^costgrind: nothing was collected: //p' run.err
}
is "collection was off" "$(why --collect-atstart=no ./parts 10)" \
	"collection was off all the time (--collect-atstart=no)"
is "check says so" "$("$command" check p 2>&1 | grep -v ': note: ' |
	sed 's/, [0-9]* notes//'; "$command" check -q --strict p; echo $?)" \
	"p: warning: nothing was collected, all costs are 0: was collection or instrumentation off all the time?
p: good, 1 part, 0 functions, 1 warning
3"
is "instrumentation was off" "$(why --instr-atstart=no ./parts 10)" \
	"instrumentation was off all the time (--instr-atstart=no)"
is "instrumentation was inherited" "$(why --instr-atstart=inherit ./parts 10)" \
	"instrumentation was off all the time (--instr-atstart=inherit)"
is "no such function" "$(why --toggle-collect=mid --toggle-collect=nothing ./parts)" \
	"no such function was entered (--toggle-collect=mid)"
is "no such region" "$(why --collect-region=a ./parts +b 10)" \
	"no such region was begun (--collect-region=a)"
is "an order" "$(why --collect-atstart=no ./parts '=collection off' 10)" \
	"collection was off (costgrind control --collect=off)"
is "zeroed" "$(why --collect-atstart=no ./parts toggle 10 toggle zero 10)" \
	"nothing that is collected ran since all was set to zero"
is "a part is none" "$(why --collect-atstart=no ./parts toggle 10 toggle dump 10)" ""
is "nor is what was collected" "$(why ./parts 10)" ""
is "with -q, too" "$(why -q --collect-atstart=no ./parts 10)" \
	"collection was off all the time (--collect-atstart=no)"
is "... in one line" "$(wc -l <run.err)" 1
run -q --collect-atstart=no ./parts 10 '=dump' '=collection on' '=dump' '=instrumentation off' \
	'=dump' '=dump'
is "what a dump says" "$(sed "s,$PWD,PWD," run.err)" "written: PWD/p.1
nothing was collected: collection is off
collection: on
written: PWD/p.2
written: PWD/p.3
written: PWD/p.4
nothing was collected: instrumentation is off"
done_testing
