#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --miss-classes: classes and conflicts derived by hand; that classes add up to misses, whatever the machine has, that nothing
# else changes, and that both engines agree.
. "$top_srcdir/tests/asm/misses.sh"
use_oracle

conflicts() {
	sed -n 's/^desc: Conflicts: //p' "$1" | sed 's,/[^ ]*/,,g'
}

# --- by hand ---

# found PROFILE: "line: events" of data misses and their classes.
found() {
	counts lines "$1" misses.S | awk '/^[0-9]/ {
		words = ""
		for (i = 2; i <= NF; i++)
			if ($i ~ /^D1/)
				words = words " " $i
		if (words != "")
			print $1 words
	}'
}

asm_build misses -DN=512
derived=$(awk '/#m D1/ { sub(/.*#m/, ""); print NR ":" $0 }' "$asm/misses.S")
machine "48K 12 lru" >small.machine
for options in --engine=plain --engine=inline "--cold-runs=0 --inline-data=no" --write-back=yes; do
	caches="--machine=small.machine --miss-classes=yes"
	# shellcheck disable=SC2086 # several options in one variable
	asm_run misses out $options
	is "misses $options: lines that miss" "$(found out)" "$derived"
	judged "misses $options: sums" sums out
	# The 26 of 13 lines are less than a hundredth.  Of the transpose, the last write before the first one of a row
	# is one of a, in one set each.
	is "misses $options: conflicts" "$(conflicts out)" \
		"228928 of 229402 in D1, 4096 bytes apart: misses.S:98 (below main) <-> misses.S:98 (below main)"
	[ "$options" != --engine=inline ] || mv out inline
done
# Those of data, and four of code.
is "misses: every line of L2 and L3 was asked for once" \
	"$(counts totals inline | sed 's/.* L2cold/L2cold/')" \
	"L2cold=69661 L2cap=0 L2conf=0 LLcold=69661 LLcap=0 LLconf=0"

# With 32 KiB, the transpose's column is as large as F.
machine "32K 8 lru" >smaller.machine
caches="--machine=smaller.machine --miss-classes=yes"
asm_run misses smaller
is "32 KiB: the transpose" "$(found smaller | tail -n 1)" \
	"98: D1mw=262144 D1cold=32768 D1cap=229376"
is "32 KiB: 13 lines of a set of 8" "$(found smaller | grep '^75:')" \
	"75: D1mr=38 D1cold=12 D1conf=26"
is "32 KiB: 26 conflicts are chance" "$(conflicts smaller)" ""

# Fully associative, nothing conflicts.
machine "32K 512 lru" >full.machine
caches="--machine=full.machine --miss-classes=yes"
asm_run misses full
is "fully associative: no conflicts" "$(counts totals full | grep -o 'D1conf=.* D1anti=[0-9]*')" "D1conf=0 D1anti=0"
is "fully associative: none in the header" "$(conflicts full)" ""

asm_build conflicts
machine "4K 1 lru" >direct.machine
for engine in inline plain; do
	caches="--machine=direct.machine --miss-classes=yes"
	asm_run conflicts $engine.out --engine=$engine
	is "two arrays, $engine: conflicts" "$(conflicts $engine.out)" \
"112 of 228 in D1, 4096 bytes apart: conflicts.S:13 (below main) <-> conflicts.S:14 (below main)
112 of 228 in D1, 4096 bytes apart: conflicts.S:14 (below main) <-> conflicts.S:13 (below main)"
	is "two arrays, $engine: D1" "$(counts totals $engine.out | grep -o 'D1cold=.* D1anti=[0-9]*')" \
		"D1cold=36 D1cap=0 D1conf=228 D1anti=0"
done
asm_again conflicts inline.out
costgrind -q --costgrind-out-file=none --cache-sim=yes --machine=direct.machine ./conflicts
is "without the option: no conflicts, no classes" "$(grep -c 'Conflicts\|cold' none)" 0

# --- requests, children, threads ---

build_program missing -O1 -pthread -static -I"$top_srcdir"

# class_of FUNCTION PROFILE: its misses of D1.
class_of() {
	counts functions "$2" | sed -n "s/^$1: .*\(D1mr=.*\)/\1/p" | tr ' ' '\n' | grep '^D1' | tr '\n' ' '
}

for engine in inline plain; do
	costgrind -q --machine=small.machine --cache-sim=yes --miss-classes=yes --engine=$engine --fair-sched=yes \
		--deterministic=yes --costgrind-out-file=part ./missing
	is "missing, $engine: exit status" $? 0
	mv part-* child
	is "$engine: first" "$(class_of first part.1)" "D1mr=64 D1cold=64 "
	is "$engine: again" "$(class_of again part.1)" ""
	is "$engine: three lines are evicted" "$(class_of partly_evicted part.1)" "D1mr=3 D1cold=3 "
	is "$engine: pushed out" "$(class_of swept_out part.1)" "D1mr=64 D1cap=64 "
	# And where it returns to.
	is "$engine: ... by lines that were cold" "$(class_of sweep part.1)" "D1mr=4097 D1cold=4096 D1cap=1 "
	is "$engine: counts at zero" "$(class_of after_zero part)" "D1mr=64 D1cap=64 "
	is "$engine: all evicted" "$(class_of all_evicted part)" "D1mr=64 D1cold=64 "
	is "$engine: the parent's lines in a child" "$(class_of parents_in_child child)" "D1mr=64 D1cap=64 "
	is "$engine: the child's own" "$(class_of own_of_child child)" "D1mr=64 D1cold=64 "
	is "$engine: ... are not the parent's" "$(class_of own_of_parent part)" "D1mr=64 D1cold=64 "
	is "$engine: of a thread" "$(class_of of_thread part)" "D1mr=64 D1cold=64 "
	is "$engine: ... are everyone's" "$(class_of after_thread part)" "D1mr=64 D1cap=64 "
	judged "$engine: sums" sums part part.1 child
	# Not of threads: which one waits for the other is not always the same.
	cat part.1 child | sed '/^pid: /d; /^cmd: /d; /^part: /d; /^desc: Options: /d' >$engine.missing
	rm part*
done
is "missing: both engines" "$(diff inline.missing plain.missing | head -n 20)" ""

# --- what is not collected, and what was dumped ---

cat >collected.c <<'EOF'
#include "tool/costgrind.h"

static volatile char array[20 * 4096] __attribute__((aligned(4096)));

#define CYCLE(name, times)                        \
 __attribute__((noinline)) void name(void)        \
 {                                                \
  for (int i = 0; i < (times) * 20; i++)          \
   (void)array[i % 20 * 4096];                    \
 }

CYCLE(outside, 100)
CYCLE(inside, 10)

int main(void)
{
	outside();
	inside();
	COSTGRIND_DUMP("first");
	inside();
	return 0;
}
EOF
build collected "$PWD/collected.c" -O1 -g -static -I"$top_srcdir"
for engine in inline plain; do
	costgrind -q --machine=small.machine --cache-sim=yes --miss-classes=yes --toggle-collect=inside --engine=$engine \
		--costgrind-out-file=out ./collected
	# 20 lines of a set of 12: all miss, and all of them were there.  The first one follows one of outside().
	is "collected, $engine" "$(conflicts out.1)" \
		"199 of 200 in D1, 4096 bytes apart: collected.c:13 inside <-> collected.c:13 inside"
	is "collected, $engine, after a profile" "$(conflicts out)" \
		"200 of 200 in D1, 4096 bytes apart: collected.c:13 inside <-> collected.c:13 inside"
	rm out*
done

# --- machines and options ---

cat >words.awk <<'EOF'
BEGIN {
	for (i = 0; i < 500; i++)
		n[i % 97] = n[i % 97] i
	for (k in n)
		s += length(n[k])
	print s
}
EOF

# real OUT OPTIONS...: a real program.
real() {
	real_out=$1
	shift
	costgrind -q --cache-sim=yes --costgrind-out-file="$real_out" "$@" /usr/bin/mawk -f words.awk >/dev/null
	is "mawk $*: exit status" $? 0
}

for file in "$top_srcdir"/data/machines/*.machine; do
	name=${file##*/}
	name=${name%.machine}
	option=
	[ "$name" != cachegrind ] || option=--LL=262144,16,64
	real "$name.profile" --machine="$name" ${option:+$option} --miss-classes=yes
	judged "$name: sums" sums "$name.profile"
done

printf '%s\n' "machine odd" "line 64" "L1I 4K 2 fifo" "L1D 4K 4 srrip" "L2 12K 6 srrip inclusive" "L3 40K 10 mru inclusive" \
	>odd.machine
printf '%s\n' "machine related" "line 64" "L1I 4K 2 srrip" "L1D 6K 6 random" "L2 12K 6 lru inclusive" "L3 32K 8 lru victim" \
	>related.machine
all="--write-back=yes --tlb-sim=yes --prefetch=yes"
for options in --machine=odd.machine "--machine=related.machine --write-back=yes" "--machine=skylake $all" \
	"--I1=2048,2,32 --D1=1024,2,32 --LL=8192,4,128 --branch-sim=yes"; do
	for engine in inline plain; do
		# shellcheck disable=SC2086 # several options in one variable
		real $engine.real --engine=$engine --miss-classes=yes $options
		without_run $engine.real >$engine.text
	done
	# shellcheck disable=SC2086 # several options in one variable
	real without $options
	judged "$options: sums" sums inline.real
	judged "$options: others" others inline.real without
	is "$options: both engines" "$(diff inline.text plain.text | head -n 20)" ""
done
# An inclusive level takes lines out of D1, which nobody there has pushed out.
printf '%s\n' "machine inclusive" "line 64" "L1I 32K 8 lru" "L1D 4K 64 lru" "L2 4K 1 lru inclusive" "L3 1M 16 lru" >inclusive.machine
real inclusive.real --machine=inclusive.machine --miss-classes=yes
is "inclusive: conflicts in a D1 that has none of its own" \
	"$(counts totals inclusive.real | grep -c 'D1conf=[1-9]') $(conflicts inclusive.real | grep -c ' 0 bytes')" "1 0"
for option in --cycles=yes "--cycles=yes $all" "--counting=architectural --branch-model=tage8k"; do
	# shellcheck disable=SC2086 # several options in one variable
	real with --machine=zen4 $option --miss-classes=yes
	# shellcheck disable=SC2086 # several options in one variable
	real without --machine=zen4 $option
	judged "zen4 $option: sums" sums with
	judged "zen4 $option: others" others with without
done

# --- threads ---

build_program threads -pthread -static
for options in "--machine=zen4" "--machine=related.machine --separate-threads=yes --fair-sched=yes"; do
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --cache-sim=yes --miss-classes=yes --costgrind-out-file=threads.out $options ./threads together 4 1000
	is "threads $options: exit status" $? 0
	judged "threads $options: sums" sums threads.out*
	rm threads.out*
done

# --- what is refused ---

for option in --cacheuse=yes --simulate-wb=yes --simulate-hwpref=yes; do
	refuses ./conflicts "--miss-classes=yes: cannot be combined with ${option%=*}=yes, which does not classify misses" --miss-classes=yes $option
done
refuses ./conflicts "--miss-classes=maybe: expected yes or no" --miss-classes=maybe
refused_by_dropins ./conflicts --miss-classes=yes --miss-classes=yes

done_testing
