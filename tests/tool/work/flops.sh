#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --collect-flops: operations of each kind and width of instructions, derived by hand; a product of matrices, which has
# 2 n^3 of them however it is compiled; and that nothing else changes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

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

done_testing
