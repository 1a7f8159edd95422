#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --collect-flops: operations of each kind and width of instructions, derived by hand; a product of matrices, which has
# 2 n^3 of them however it is compiled; and that nothing else changes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

has_decoder || {
	skip "operations" "built without a decoder"
	done_testing
}

want="Ir=256 FlS=424 FlD=179 FlX=30 Fl128=59 Fl256=45"
asm_build flops
for engine in inline plain; do
	exact flops "$want" --cache-sim=no --branch-sim=no --collect-flops=yes --engine=$engine
	asm_run flops $engine.out --collect-flops=yes --engine=$engine
	is "$engine, with caches and branches" "$(counts totals $engine.out | grep -o 'FlS.*')" \
		"$(echo "$want" | grep -o 'FlS.*')"
done
is "both engines" "$(grep -v '^pid: \|^cmd: ' plain.out)" "$(grep -v '^pid: \|^cmd: ' inline.out)"

# Without the option, all else is the same.
asm_run flops without.out
is "what else is counted" "$(counts lines without.out flops.S)" \
	"$(counts lines inline.out flops.S | sed 's/ Fl[A-Z0-9]*=[0-9]*//g')"

cat >dgemm.c <<'END'
enum { N = 24 }; /* a multiple of all lanes */

double a[N][N], b[N][N], c[N][N];
float f[N][N], g[N][N], h[N][N];

__attribute__((noinline)) void dgemm(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] * b[k][j];
}

__attribute__((noinline)) void sgemm(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				h[i][j] += f[i][k] * g[k][j];
}

int main(void)
{
	dgemm();
	sgemm();
	sgemm();
	return 0;
}
END

EVENTS="FlS FlD"
export EVENTS
n3=$((24 * 24 * 24))
# compiled FLAGS: what the functions count.
compiled() {
	build gemm "$PWD/dgemm.c" -static "$@"
	for engine in inline plain; do
		costgrind -q --cache-sim=no --collect-flops=yes --engine=$engine --costgrind-out-file=out ./gemm
		is "dgemm, $engine, $*" "$(counts functions out | grep -o '^dgemm:.*' | grep -o 'FlD=[0-9]*')" "FlD=$((2 * n3))"
		is "sgemm, $engine, $*" "$(counts functions out | grep -o '^sgemm:.*' | grep -o 'FlS=[0-9]*')" "FlS=$((4 * n3))"
		is "... called" "$(calls graph out | grep '^main >' | sort)" "main > dgemm 1 FlD=$((2 * n3))
main > sgemm 2 FlS=$((4 * n3))"
	done
}

compiled -O1
compiled -O3 -msse2 -ffast-math
compiled -O3 -mavx2 -mfma -ffast-math
compiled -O1 -mfma -ffp-contract=fast

# A transform of 2^k points has n/2 log2(n) butterflies: a product of complex numbers (6 operations), a sum and a
# difference (2 each).
cat >fft.c <<'END'
enum { K = 8, N = 1 << K };

double re[N], im[N], cosines[N / 2], sines[N / 2];

__attribute__((noinline)) void fft(void)
{
	for (int half = 1, step = N / 2; half < N; half *= 2, step /= 2)
		for (int first = 0; first < N; first += 2 * half)
			for (int j = 0; j < half; j++) {
				int a = first + j, b = a + half;
				double x = re[b] * cosines[j * step] - im[b] * sines[j * step];
				double y = re[b] * sines[j * step] + im[b] * cosines[j * step];

				re[b] = re[a] - x;
				im[b] = im[a] - y;
				re[a] += x;
				im[a] += y;
			}
}

int main(void)
{
	fft();
	return 0;
}
END
for flags in -O1 "-O3 -mavx2"; do # (fused, compilers multiply twice where that is cheaper)
	# shellcheck disable=SC2086 # several flags
	build fft "$PWD/fft.c" -static $flags
	costgrind -q --cache-sim=no --collect-flops=yes --costgrind-out-file=out ./fft
	is "fft, 5 n log n, $flags" "$(counts functions out | grep '^fft:' | grep -o 'FlD=[0-9]*')" "FlD=$((5 * 256 * 8))"
done

done_testing
