#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --miss-classes and --miss-curve=exact against lists of lines that are fed with Lackey's trace of the same run.
. "$top_srcdir/tests/lib.sh"

cat >transpose.c <<'END'
enum { N = 64, PITCH = 512 };

static double a[N][PITCH] __attribute__((aligned(4096))), b[N][PITCH] __attribute__((aligned(4096)));

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			b[j][i] = a[i][j] + 1;
	return (int)b[1][2] & 2;
}
END
cat >walk.c <<'END'
static char lines[600 * 64 + 8];

/* Some lines again and again, others now and then, a stream in between; references on two lines among them. */
int main(void)
{
	unsigned state = 1;
	long sum = 0;

	for (int i = 0; i < 12000; i++) {
		state = state * 1103515245 + 12345;
		sum += *(volatile long *)(lines + (state >> 16) % (i % 5 ? 50 * 64 : i % 2 ? 130 * 64 : 600 * 64));
		if (i % 1000 == 0)
			for (int j = 0; j < 90; j++)
				*(volatile char *)(lines + (i / 1000 + j) * 64) = 1;
	}
	return (int)sum & 1;
}
END
cat >sort.c <<'END'
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The C library's code and data, and a heap. */
int main(void)
{
	char(*words)[24] = calloc(300, sizeof(*words));
	unsigned state = 7;

	for (int i = 0; i < 300; i++)
		for (int j = 0; j < 10; j++) {
			state = state * 1103515245 + 12345;
			words[i][j] = (char)('a' + (state >> 16) % 26);
		}
	qsort(words, 300, sizeof(*words), compare);
	return words[0][0] == 'z';
}
END
cat >wide.c <<'END'
enum { LINES = 24000 };

static char lines[LINES * 64 + 8];

/* Working sets from 100 KiB to all of them, one after the other and at random; references on two lines among them. */
int main(void)
{
	unsigned state = 1;
	long sum = 0;

	for (int n = 1600; n < LINES; n = n * 3 / 2) {
		for (int i = 0; i < 2 * n; i++)
			lines[i % n * 64]++;
		for (int i = 0; i < 6000; i++) {
			state = state * 1103515245 + 12345;
			sum += *(volatile long *)(lines + (state >> 8) % ((unsigned)n * 64));
		}
	}
	return (int)sum & 1;
}
END
for program in transpose walk sort wide; do
	build $program "$PWD/$program.c" -O1 -static
	VALGRIND_LIB=$unspaced_builddir/valgrind-lib "$VALGRIND" -q --tool=lackey --trace-mem=yes \
		--vex-guest-chase=no --vex-iropt-unroll-thresh=0 --log-file=trace ./$program
	want=$(python3 "$top_srcdir/tests/compare/misses.py" sizes <trace)
	for d1 in 65536,8,64 32768,8,64 8192,128,64; do
		for engine in inline plain; do
			costgrind -q --machine=cachegrind --D1=$d1 --LL=8388608,16,64 --miss-curve=exact --engine=$engine \
				--cache-sim=yes --costgrind-out-file=out ./$program
			is "$program, $engine, sizes with D1 of $d1" \
				"$(python3 "$top_srcdir/tests/asm/counts.py" totals out | grep -o 'M64K=.*')" "$want"
		done
	done
	[ $program != wide ] || continue
	# Sets and ways of L1I, L1D, L2 and L3.
	for caches in "8,2 16,4 32,4 64,8" "4,4 8,12 64,2 32,16" "1,16 64,1 1,256 512,1"; do
		# shellcheck disable=SC2086 # four words
		set -- $caches
		printf '%s\n' "machine small" "line 64" >small.machine
		for level in "L1I $1" "L1D $2" "L2 $3" "L3 $4"; do
			echo "$level" | awk -F '[ ,]' '{ print $1, $2 * $3 * 64, $3, "lru" }' >>small.machine
		done
		want=$(python3 "$top_srcdir/tests/compare/misses.py" "$@" <trace)
		for engine in inline plain; do
			costgrind -q --machine=small.machine --miss-classes=yes --engine=$engine \
				--cache-sim=yes --costgrind-out-file=out ./$program
			is "$program, $engine, $caches" \
				"$(python3 "$top_srcdir/tests/asm/counts.py" totals out | grep -o 'I1cold=.*')" "$want"
		done
	done
done
done_testing
