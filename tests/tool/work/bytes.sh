#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --collect-bytes: bytes read and written, derived by hand: of each size, as often as strings say, of lanes that are not
# masked, at faults; in both ways of counting; and that nothing else changes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

has_decoder || {
	skip "bytes" "built without a decoder"
	done_testing
}

asm_build bytes
for engine in inline plain; do
	exact bytes "Ir=339 BytR=2696 BytW=1946" --cache-sim=no --branch-sim=no --collect-bytes=yes --engine=$engine
	asm_run bytes $engine.out --collect-bytes=yes --collect-flops=yes --engine=$engine
	is "$engine, with caches and branches" "$(counts totals $engine.out | grep -o 'BytR.*')" "BytR=2696 BytW=1946"
done
is "both engines" "$(grep -v '^pid: \|^cmd: ' plain.out)" "$(grep -v '^pid: \|^cmd: ' inline.out)"
exact_architectural bytes "Ir=273 Rep=68 BytR=2696 BytW=1946" --cache-sim=no --branch-sim=no --collect-bytes=yes

asm_run bytes without.out
is "what else is counted" "$(counts lines without.out bytes.S)" \
	"$(counts lines inline.out bytes.S | sed 's/ Byt[RW]=[0-9]*//g; s/ Fl[A-Z0-9]*=[0-9]*//g')"

# A triad of n doubles reads 2 n of them and writes n, with 2 n operations.
cat >triad.c <<'END'
enum { N = 1000 };

double a[N], b[N], c[N];

__attribute__((noinline)) void triad(double s)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
	triad(argc);
	return argv == 0;
}
END
for flags in -O1 "-O3 -msse2" "-O3 -mavx2 -mfma"; do
	# shellcheck disable=SC2086 # several flags
	build triad "$PWD/triad.c" -static $flags
	costgrind -q --cache-sim=no --collect-bytes=yes --collect-flops=yes --costgrind-out-file=out ./triad
	# The return address is read, too.
	is "triad, $flags" "$(counts functions out | grep '^triad:' | grep -oE '(FlD|BytR|BytW)=[0-9]+' | tr '\n' ' ')" \
		"FlD=2000 BytR=16008 BytW=8000 "
done

for option in --collect-flops=yes --collect-bytes=yes; do
	costgrind -q --costgrind-out-file=none ${option%yes}maybe ./triad >refused 2>&1
	is "refused: ${option%yes}maybe" "$? $(cat refused)" "1 costgrind: ${option%yes}maybe: expected yes or no"
done

done_testing
