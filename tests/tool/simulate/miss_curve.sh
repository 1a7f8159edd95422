#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --miss-curve: columns derived by hand; columns against first levels of these sizes; that nothing else changes, that both
# engines agree, and how far samples are from the truth.
. "$top_srcdir/tests/asm/misses.sh"
use_oracle

# steps: of lines "name: events", the sizes whose events differ from the one before.
steps() {
	awk '{
		split("", missed)
		words = ""
		for (i = 2; i <= NF; i++)
			if ($i ~ /^M[0-9]+[KM]=/)
				missed[substr($i, 1, index($i, "=") - 1)] = substr($i, index($i, "=") + 1)
		before = 0
		for (i = 1; i <= split("64K 96K 128K 192K 256K 384K 512K 768K 1M 1536K 2M 3M 4M 6M 8M 12M 16M 24M 32M " \
				"48M 64M 96M 128M 192M 256M", sizes); i++) {
			if (missed["M" sizes[i]] + 0 != before)
				words = words " M" sizes[i] "=" missed["M" sizes[i]] + 0
			before = missed["M" sizes[i]] + 0
		}
		if (words != "")
			print $1 words
	}'
}

curve_desc() {
	sed -n 's/^desc: Miss curve: //p' "$1"
}

# --- by hand ---

asm_build curve
derived=$(awk '/#m M/ { sub(/.*#m/, ""); print NR ":" $0 }' "$asm/curve.S")
for d1 in "48K 12 lru" "64K 8 lru" "32K 512 lru" "512 1 lru" "16K 4 fifo" "32K 8 srrip"; do
	machine "$d1" >small.machine
	for options in --engine=plain --engine=inline "--cold-runs=0 --inline-data=no" --write-back=yes; do
		caches="--machine=small.machine --miss-curve=exact"
		# shellcheck disable=SC2086 # several options in one variable
		asm_run curve out $options
		is "D1 $d1 $options: by hand" "$(counts lines out curve.S | steps)" "$derived"
		is "D1 $d1 $options: no classes" "$(counts totals out | grep -c cold)" 0
	done
	[ "$d1" != "48K 12 lru" ] || mv out first
done
judged "by hand: never rises" falls first
is "by hand: exact" "$(curve_desc first)" exact
machine "2K 4 lru" | sed 's/^line.*/line 32/' >lines.machine
caches="--machine=lines.machine --miss-curve=exact"
for engine in plain inline; do
	asm_run curve out --engine=$engine
	# Every other line is asked for: 50 KiB of 100, 100 KiB of lines of 64.
	is "lines of 32 bytes, $engine" "$(counts lines out curve.S | steps | head -n 1)" "$(echo "$derived" | head -n 1 |
		sed 's/M64K.*/M64K=1600/')"
done

# --- a real program, against first levels of these sizes ---

cat >words.awk <<'END'
BEGIN {
	for (i = 0; i < 2000; i++)
		n[i % 1997] = n[i % 1997] i
	for (k in n)
		s += length(n[k])
	print s
}
END

# real OUT OPTIONS...: a real program.
real() {
	real_out=$1
	shift
	costgrind -q --cache-sim=yes --costgrind-out-file="$real_out" "$@" /usr/bin/mawk -f words.awk >/dev/null
	is "mawk $*: exit status" $? 0
}

real exact --machine=zen4 --miss-curve=exact
judged "mawk: never rises" falls exact
conserves "mawk: calls add up" exact
# Ways of one set; then what a fully associative one of the size would miss, by classes.
for size in 65536 98304 131072; do
	real other --machine=cachegrind --D1=$size,$((size / 64)),64 --LL=8388608,16,64
	judged "mawk: D1 of $size bytes" size M$((size / 1024))K exact other
done
for column in M192K M256K M512K M1M; do
	case $column in
	M192K) size=196608,12,64 ;;
	M256K) size=262144,8,64 ;;
	M512K) size=524288,8,64 ;;
	M1M) size=1048576,8,64 ;;
	esac
	real other --machine=cachegrind "--D1=$size" --LL=8388608,16,64 --miss-classes=yes
	is "mawk: D1 of $size, fully associative" "$(counts totals exact | sed "s/.* $column=\([0-9]*\).*/\1/")" \
		"$(counts totals other | sed 's/.*D1cold=\([0-9]*\) D1cap=\([0-9]*\) .*D1anti=\([0-9]*\).*/\1 \2 \3/' |
			awk '{ print $1 + $2 + $3 }')"
done

# --- machines and options: both engines, and nothing else changes ---

cat >blend.c <<'END'
#include <stdlib.h>
#include <string.h>

enum { LINES = 2500 };

static char lines[LINES * 64 + 8];

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The C library's code and data, a heap, and 160 KiB in no order; references on two lines among them. */
int main(void)
{
	char(*words)[24] = calloc(100, sizeof(*words));
	unsigned state = 7;
	long sum = 0;

	for (int i = 0; i < 100; i++)
		for (int j = 0; j < 10; j++) {
			state = state * 1103515245 + 12345;
			words[i][j] = (char)('a' + (state >> 16) % 26);
		}
	qsort(words, 100, sizeof(*words), compare);
	for (int i = 0; i < 20000; i++) {
		state = state * 1103515245 + 12345;
		sum += *(volatile long *)(lines + (state >> 8) % (LINES * 64));
		if (i % 3 == 0)
			lines[i % LINES * 64]++;
	}
	return (int)sum & words[0][0] & 0;
}
END
build blend "$PWD/blend.c" -O1 -g -static

# blend OUT OPTIONS...
blend() {
	blend_out=$1
	shift
	costgrind -q --cache-sim=yes --costgrind-out-file="$blend_out" "$@" ./blend
	is "$*: exit status" $? 0
}

printf '%s\n' "machine odd" "line 64" "L1I 4K 2 fifo" "L1D 4K 4 srrip" "L2 12K 6 srrip inclusive" "L3 40K 10 mru inclusive" \
	>odd.machine
printf '%s\n' "machine related" "line 64" "L1I 4K 2 srrip" "L1D 6K 6 random" "L2 12K 6 lru inclusive" "L3 32K 8 lru victim" \
	>related.machine
blend exact --miss-curve=exact --machine=zen2
sizes=$(counts totals exact | grep -o 'M64K=.*')
all="--write-back=yes --tlb-sim=yes --prefetch=yes"
for options in "--machine=odd.machine --miss-classes=yes" --machine=related.machine "--machine=skylake $all" \
	"--machine=zen4 --cycles=yes --branch-sim=yes" "--machine=neoverse-n1 $all --miss-classes=yes" \
	"--I1=2048,2,32 --D1=1024,2,32 --LL=8192,4,128 --branch-sim=yes"; do
	for curve in exact sampled; do
		for engine in inline plain; do
			# Cycles are the inline engine's alone.
			[ "$engine ${options#*--cycles}" = "plain $options" ] || [ $engine = inline ] || continue
			# shellcheck disable=SC2086 # several options in one variable
			blend $engine.$curve --engine=$engine --miss-curve=$curve $options
			without_run $engine.$curve >$engine.text
		done
		[ ! -f plain.text ] ||
			is "$options, $curve: both engines" "$(diff inline.text plain.text | head -n 20)" ""
		judged "$options, $curve: never rises" falls inline.$curve
		rm -f plain.text
	done
	# shellcheck disable=SC2086 # several options in one variable
	blend without $options
	judged "$options: others" others inline.exact without
	judged "$options, sampled: others" others inline.sampled without
	case $options in
	*D1=1024*) ;;
	# Of lines of 64 bytes, whatever the first level is.
	*) is "$options: sizes" "$(counts totals inline.exact | grep -o 'M64K=.*')" "$sizes" ;;
	esac
	is "$options: exact and sampled" "$(curve_desc inline.exact), $(curve_desc inline.sampled), $(curve_desc without)" \
		"exact, sampled, one line of 8, "
done
for option in --cold-runs=0 --inline-data=no --inline-fetches=no --separate-recs=2 --dump-instr=yes; do
	blend with --machine=zen4 --miss-curve=exact $option
	blend without --machine=zen4 $option
	judged "zen4 $option: others" others with without
	is "zen4 $option: sizes" "$(counts totals with | grep -o 'M64K=.*')" "$sizes"
done

# --- requests, children, threads ---

build_program missing -O1 -pthread -static -I"$top_srcdir"
machine "48K 12 lru" >small.machine

# sizes_of FUNCTION PROFILE: what it misses.
sizes_of() {
	counts functions "$2" | grep "^$1: " | steps | sed 's/^[^ ]* *//'
}

for engine in inline plain; do
	costgrind -q --machine=small.machine --cache-sim=yes --miss-curve=exact --engine=$engine --fair-sched=yes \
		--deterministic=yes --costgrind-out-file=part ./missing
	is "missing, $engine: exit status" $? 0
	mv part-* child
	# What was never asked for, or not since it was evicted, misses all sizes.
	is "$engine: first" "$(sizes_of first part.1)" "M64K=64"
	is "$engine: again" "$(sizes_of again part.1)" ""
	is "$engine: three lines are evicted" "$(sizes_of partly_evicted part.1)" "M64K=3"
	# 4096 lines, which are 256 KiB, and where it returns to.
	is "$engine: sweep" "$(sizes_of sweep part.1)" "M64K=4097 M384K=4096"
	is "$engine: pushed out" "$(sizes_of swept_out part.1)" "M64K=64 M384K=0"
	is "$engine: sizes at zero" "$(sizes_of after_zero part)" "M64K=64 M384K=0"
	is "$engine: all evicted" "$(sizes_of all_evicted part)" "M64K=64"
	is "$engine: the parent's lines in a child" "$(sizes_of parents_in_child child)" "M64K=64 M384K=0"
	is "$engine: the child's own" "$(sizes_of own_of_child child)" "M64K=64"
	is "$engine: ... are not the parent's" "$(sizes_of own_of_parent part)" "M64K=64"
	is "$engine: of a thread" "$(sizes_of of_thread part)" "M64K=64"
	is "$engine: ... are everyone's" "$(sizes_of after_thread part)" "M64K=64 M384K=0"
	for file in part part.1 child; do
		judged "$engine, $file: never rises" falls $file
		is "$engine, $file: exact" "$(curve_desc $file)" exact
	done
	# Not of threads: which one waits for the other is not always the same.
	cat part.1 child | sed '/^pid: /d; /^cmd: /d; /^part: /d; /^desc: Options: /d' >$engine.missing
	rm part*
done
is "missing: both engines" "$(diff inline.missing plain.missing | head -n 20)" ""

build_program threads -pthread -static
costgrind -q --cache-sim=yes --miss-curve=sampled --separate-threads=yes --costgrind-out-file=threads.out ./threads together 4 1000
is "threads: exit status" $? 0
judged "threads: never rises" falls threads.out-0[1-9]

# Where nothing is collected, lines are asked for nevertheless.
cat >collected.c <<'END'
static volatile char array[1600 * 64] __attribute__((aligned(4096)));

#define CYCLE(name)                               \
 __attribute__((noinline)) void name(void)        \
 {                                                \
  for (int i = 0; i < 1600; i++)                  \
   (void)array[i * 64];                           \
 }

CYCLE(outside)
CYCLE(inside)

int main(void)
{
	outside();
	inside();
	return 0;
}
END
build collected "$PWD/collected.c" -O1 -g -static
for engine in inline plain; do
	costgrind -q --machine=small.machine --cache-sim=yes --miss-curve=exact --toggle-collect=inside --engine=$engine \
		--costgrind-out-file=out ./collected
	# And where it returns to.
	is "collected, $engine" "$(sizes_of inside out)" "M64K=1601 M128K=0"
done

# --- samples ---

cat >wide.c <<'END'
enum { LINES = 1 << 16 };

static char lines[LINES * 64] __attribute__((aligned(4096)));

/* 4 MiB, first ones more often than others. */
int main(void)
{
	unsigned state = 1, sum = 0;

	for (int i = 0; i < 400000; i++) {
		unsigned span;

		state = state * 1103515245 + 12345;
		span = (unsigned)LINES >> (state >> 16 & 3);
		state = state * 1103515245 + 12345;
		sum += (unsigned)*(volatile char *)(lines + (state >> 8) % span * 64);
	}
	return (int)sum;
}
END
build wide "$PWD/wide.c" -O1 -static
for curve in exact sampled; do
	costgrind --machine=small.machine --cache-sim=yes --miss-curve=$curve --costgrind-out-file=wide.$curve ./wide 2>wide.$curve.log
	is "wide, $curve: exit status" $? 0
	judged "wide, $curve: never rises" falls wide.$curve
	conserves "wide, $curve: calls add up" wide.$curve
	costgrind -q --machine=small.machine --cache-sim=yes --miss-curve=$curve --costgrind-out-file=again ./wide
	is "wide, $curve: the same again" "$(without_run again | cmp - "$(without_run wide.$curve >want && echo want)" 2>&1)" ""
done
costgrind -q --machine=small.machine --cache-sim=yes --miss-curve=sampled --format=cachegrind --costgrind-out-file=wide.flat ./wide
is "Cachegrind's format" "$(curve_desc wide.flat) $("$top_builddir/costgrind" curve wide.flat | cksum)" \
	"sampled, one line of 8 $("$top_builddir/costgrind" curve wide.sampled | cksum)"
is "wide: an exact curve is said to be one" "$(grep -o 'Miss curve: .*' wide.exact.log)" "Miss curve:    exact"
is "wide: which lines are sampled" \
	"$(sed -n 's/.*Miss curve: *//p' wide.sampled.log | sed 's/([0-9]*,[0-9]*)/(n)/; s/[0-9.]*%/n%/')" \
	"one line of 8 looked at (n), standard error up to n%"
is "wide: within four times the error of the closing line" \
	"$( (counts totals wide.exact && counts totals wide.sampled) | grep -o 'M64K=.*' | tr ' ' '\n' |
		awk -F = -v error="$(sed -n 's/.*standard error up to \([0-9.]*\)%/\1/p' wide.sampled.log)" '
			$1 in exact {
				off = 100 * ($2 - exact[$1]) / exact[$1]
				if (10 * exact[$1] >= exact["M64K"] && (off > 4 * error || -off > 4 * error))
					print $1, exact[$1], $2, error
				n++
				next
			}
			{ exact[$1] = $2 }
			END { print n, "columns" }')" "25 columns"

# --- what is refused ---

for option in --cacheuse=yes --simulate-wb=yes --simulate-hwpref=yes; do
	refuses ./collected "--miss-curve: cannot be combined with $option, which does not classify misses" --miss-curve=sampled $option
done
refuses ./collected "--miss-curve=maybe: expected no, sampled or exact" --miss-curve=maybe
refuses ./collected "--miss-curve: cannot be combined with a D1 of more than 64 KiB, the smallest size of the curve" --miss-curve=exact \
	--machine=cachegrind --D1=131072,8,64 --LL=8388608,16,64
refused_by_dropins ./collected --miss-curve=exact --miss-curve

done_testing
