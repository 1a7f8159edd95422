#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prefetch instructions, derived by hand; prefetchers in both engines, on a program.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

# derived LETTER: "line: events" of what "#LETTER" says in the program.
derived() {
	awk -v mark="#$1" '!/^ \*/ {
		for (i = 1; i <= NF && $i != mark; i++)
			;
		if (i >= NF)
			next
		words = ""
		for (i++; i <= NF && $i !~ /^#/; i++)
			words = words " " $i
		print NR ":" words
	}' "$asm/prefetches.S"
}

# found PROFILE EVENTS: the same of a profile, of events in that list.
found() {
	counts lines "$1" prefetches.S | awk -v events=" $2 " '/^[0-9]/ {
		words = ""
		for (i = 2; i <= NF; i++) {
			split($i, part, "=")
			if (index(events, " " part[1] " "))
				words = words " " part[1] (part[2] == 1 ? "" : "=" part[2])
		}
		if (words != "")
			print $1 words
	}'
}

printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 256K 8 lru" "L3 1M 16 lru" \
	>small.machine
asm_build prefetches
for engine in inline plain; do
	caches="--machine=small.machine"
	asm_run prefetches $engine.no --engine=$engine --counting=architectural
	is "$engine: misses" "$(found $engine.no "D1mr D1mw L2dr L2dw DLmr DLmw")" "$(derived d)"
	asm_run prefetches $engine.yes --engine=$engine --counting=architectural --prefetch=yes
	is "$engine: misses with --prefetch=yes" \
		"$(found $engine.yes "D1mr D1mw L2dr L2dw DLmr DLmw")" "$(derived d)"
	is "$engine: what was asked for" "$(found $engine.yes "Pf PfU PfL PfX")" "$(derived p)"
	asm_run prefetches $engine.valgrind --engine=$engine --prefetch=yes --counting=valgrind
	is "$engine, --counting=valgrind: nothing" "$(found $engine.valgrind "Pf PfU PfL PfX")" ""
done
asm_again prefetches inline.yes --engine=inline --counting=architectural --prefetch=yes
caches="--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64"
asm_run prefetches two --counting=architectural
is "two levels: prefetch instructions do nothing" "$(found two "D1mr" | wc -l)" 5

# One of everything: streams, strides, a list that is prefetched by hand.
build walk "$top_srcdir/tests/programs/walk_ahead.c" -O2 -g
# A hit has a line prefetched, for which a dirty one goes to memory.
printf '%s\n' "machine tight" "line 64" "L1I 8K 4 lru" "L1D 4K 4 lru" "L2 8K 2 lru nine" "L3 16K 2 lru nine" \
	"prefetch L1D next-line" "prefetch L2 stream streams=8 distance=4" >tight.machine
for options in --machine=generic "--machine=zen4 --write-back=yes" "--machine=skylake --separate-threads=yes" \
	"--machine=tight.machine --write-back=yes --miss-classes=yes" \
	"--machine=small.machine --toggle-collect=chase"; do
	for engine in inline plain; do
		# shellcheck disable=SC2086 # several options in one variable
		costgrind -q --costgrind-out-file=$engine.out --prefetch=yes --engine=$engine \
			--counting=architectural --cache-sim=yes --fair-sched=yes --deterministic=yes $options ./walk >/dev/null 2>err
		is "$options, $engine: exit status" $? 0
		is "$options, $engine: errors" "$(cat err)" ""
		cat $engine.out* | sed '/^pid: /d; /^cmd: /d' >$engine.all
		rm -f $engine.out*
	done
	is "$options: both engines" "$(cat plain.all)" "$(cat inline.all)"
done

# Prefetchers find streams and strides.
misses() {
	costgrind -q --costgrind-out-file=walk.out --cache-sim=yes --machine=generic --prefetch="$1" ./walk >/dev/null
	counts totals walk.out | sed 's/.*D1mr=\([0-9]*\).*/\1/'
}
no=$(misses no)
yes=$(misses yes)
if [ "$no" -gt 8000 ] && [ "$yes" -lt $((no / 2)) ]; then
	ok "few of the misses are left"
else
	not_ok "few of the misses are left" "$no without, $yes with prefetchers"
fi

done_testing
