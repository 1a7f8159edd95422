#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --tlb-sim against a list of pages that is fed with Lackey's trace of the same run.
. "$top_srcdir/tests/lib.sh"

cat >walk.c <<'END'
static char pages[200 * 4096];

/* Some pages again and again, others now and then; references on two pages among them. */
int main(void)
{
	unsigned state = 1;
	long sum = 0;

	for (int i = 0; i < 20000; i++) {
		state = state * 1103515245 + 12345;
		sum += *(long *)(pages + (state >> 16) % (i % 4 ? 20 * 4096 : 199 * 4096));
	}
	return (int)sum & 1;
}
END
build walk "$PWD/walk.c" -O1 -static
for tlbs in "8,8 16,16 64,8" "4,2 12,4 40,4" "2,1 3,1 21,3"; do
	# shellcheck disable=SC2086 # three words
	set -- $tlbs
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 1M 16 lru" \
		"ITLB $(echo "$1" | tr , ' ') 4K" "DTLB $(echo "$2" | tr , ' ') 4K" \
		"STLB $(echo "$3" | tr , ' ') 4K" >small.machine
	costgrind -q --machine=small.machine --tlb-sim=yes --counting=valgrind --costgrind-out-file=out ./walk
	VALGRIND_LIB=$unspaced_builddir/valgrind-lib "$VALGRIND" -q --tool=lackey --trace-mem=yes \
		--vex-guest-chase=no --vex-iropt-unroll-thresh=0 --log-file=trace ./walk
	is "$tlbs: ITm DTm ISm DSm" "$(sed -n 's/^summary: .* \([0-9]* [0-9]* [0-9]* [0-9]*\)$/\1/p' out)" \
		"$(python3 "$top_srcdir/tests/compare/tlbs.py" "$@" <trace)"
done
done_testing
