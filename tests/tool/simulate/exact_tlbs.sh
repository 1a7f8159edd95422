#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --tlb-sim: which references miss TLBs, derived by hand; huge pages as mappings come and go.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

# derived EVENT: line numbers of the references that miss.
derived() {
	awk -v event="$1" '/#t/ {
		sub(/.*#t/, "")
		for (i = 1; i <= NF; i++)
			if ($i == event)
				print NR
	}' "$asm/pages.S"
}

# missed PROFILE EVENT: the lines of the program that have missed.
missed() {
	counts lines "$1" pages.S | sed -n "s/^\([0-9]*\): .*\<$2=1\>.*/\1/p"
}

# machine L1 DTLB: a machine whose TLBs are small.
machine() {
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 $1" "L1D 32K 8 $1" "L2 64K 16 lru" "L3 1M 16 lru" \
		"ITLB 2 2 4K" "DTLB $2" "STLB 8 8 4K,2M"
}

asm_build pages
for policy in lru plru srrip; do
	machine $policy "4 4 4K" >small.machine
	caches="--machine=small.machine --tlb-sim=yes"
	for options in --engine=plain --engine=inline --cold-runs=0 --inline-data=no --inline-fetches=no; do
		asm_run pages out $options
		for event in ITm DTm ISm DSm; do
			is "$policy, $options: $event" "$(missed out $event)" "$(derived $event)"
		done
	done
done

# --- transparent huge pages ---

cat >huge.c <<'END'
#include <sys/mman.h>

enum { HUGE = 2 << 20, PAGE = 4096 };

#define STEP __attribute__((noinline)) void
#define EACH(page) for (volatile char *at = region; at != region + HUGE; at += PAGE) if (at != (page)) *at;

STEP whole(volatile char *region) { EACH(0) }
STEP split(volatile char *region) { EACH(region + 5 * PAGE) }
STEP again(volatile char *region) { EACH(0) }
STEP parts(volatile char *region) { EACH(0) }

int main(void)
{
	char *memory = mmap(0, 4 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *region = memory + (HUGE - ((unsigned long)memory & (HUGE - 1)));

	whole(region);
	munmap(region + 5 * PAGE, PAGE);
	split(region);
	mmap(region, HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	again(region);
	mprotect(region + HUGE, PAGE, PROT_READ); /* two mappings */
	parts(region + HUGE);
	return 0;
}
END
build huge "$PWD/huge.c" -O1 -static
machine lru "64 64 4K,2M" >small.machine

# of FUNCTION EVENT: what it has missed.
of() {
	counts functions out | sed -n "s/^$1: .*\<$2=\([0-9]*\).*/\1/p"
}

for engine in inline plain; do
	costgrind -q --machine=small.machine --tlb-sim=yes --pages=both --engine=$engine --costgrind-out-file=out ./huge
	# Each return finds the page of the stack gone, where 512 pages have been.
	is "$engine, a whole region: small pages" "$(of whole DTm)" 513
	is "$engine, ... one huge page" "$(of whole DTm2M)" 1
	is "$engine, a page of it unmapped: split" "$(of split DTm) $(of split DTm2M)" "512 512"
	is "$engine, mapped anew: one again" "$(of again DTm) $(of again DTm2M)" "513 1"
	is "$engine, two mappings: small pages" "$(of parts DTm) $(of parts DTm2M)" "513 513"
	mv out $engine
	for pages in thp thp=both 2M; do
		costgrind -q --machine=generic --tlb-sim=yes --pages=$pages --engine=$engine \
			--costgrind-out-file=$engine.$pages ./huge
	done
done
for profile in "" .thp .thp=both .2M; do
	is "both engines${profile:+, $profile}" "$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' "plain$profile")" \
		"$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' "inline$profile")"
done

# --- what is refused ---

refuses() {
	refused_want=$1
	shift
	costgrind -q --costgrind-out-file=none "$@" ./huge >refused 2>&1
	is "refused: $*" "$? $(cat refused)" "1 costgrind: $refused_want"
}

refuses "--pages: needs --tlb-sim=yes" --pages=thp
refuses "--pages=4G: expected 4K, 2M, thp or both" --tlb-sim=yes --pages=4G
for option in --cacheuse=yes --simulate-wb=yes --simulate-hwpref=yes; do
	refuses "--tlb-sim=yes: cannot be combined with ${option%=*}=yes, which simulates two levels of caches" --tlb-sim=yes $option
done
for option in --machine=cachegrind --D1=4096,4,64; do
	refuses "--tlb-sim=yes: cannot be combined with two levels of caches, which have no TLBs; give --machine=NAME, or a file made by costgrind machine --format=file host" \
		--tlb-sim=yes $option
done
sed '/TLB/d' small.machine >none.machine
refuses "--tlb-sim=yes: the machine has no ITLB and DTLB; give another --machine" --tlb-sim=yes \
	--machine=none.machine
itlb=$(grep -n '^ITLB' small.machine | cut -d : -f 1)
refuses "small.machine:$itlb: expected entries for pages of 2M in the ITLB" --tlb-sim=yes --machine=small.machine --pages=2M
refuses "--machine=generic: expected lines of a first-level cache no longer than a page of 4096 bytes" --tlb-sim=yes \
	--machine=generic --D1=65536,2,8192

is "the header has the TLBs" "$(sed -n 's/^desc: \(.*TLB: .*\)/\1/p' inline)" "ITLB: 2 entries, fully associative, 4K
DTLB: 64 entries, fully associative, 4K,2M
STLB: 8 entries, fully associative, 4K,2M"

done_testing
