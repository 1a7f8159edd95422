#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2034 # read by what is sourced
# Counts as the architecture has them.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

has_decoder || {
	skip "all of it" "built without a decoder"
	done_testing
}

asm_build rep
# Ir: 17 single instructions and 7 of rep.  Rep: 12 + 5 + 0 + 12 + 2 + 3 + 0.
exact_architectural rep "Ir=24 Dr=43 Dw=20 I1mr=4 D1mr=2 D1mw=3 ILmr=2 DLmr=1 DLmw=2 Bc=0 Bcm=0 Bi=0 Bim=0 Rep=34"

# What users read about it is true, with no option at all.
VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind --costgrind-out-file=default \
	./rep >default.out 2>default.err
is "the default" "$(python3 "$top_srcdir/tests/asm/counts.py" totals default | grep -o -e '^Ir=24 ' -e 'Rep=34\>')" \
	"Ir=24 
Rep=34"
is "... is what help events says" "$("$top_builddir/costgrind" help events | sed "/^Similar counters/,\$d" | grep -E '^  (Ir|Rep) ')" \
	"  Ir          Instructions executed; a rep instruction is one, whatever its iterations (below)
  Rep         Iterations of rep instructions, which are not in Ir; none with --counting=valgrind"

asm_build modify
# Less than in exact_modify: bts in a register 2 reads and a write, five locked ones a read and a
# branch each.
exact_architectural modify "Ir=36 Dr=26 Dw=5 I1mr=4 D1mr=3 D1mw=1 ILmr=2 DLmr=2 DLmw=1 \
Bc=0 Bcm=0 Bi=0 Bim=0 Rep=0"

asm_build sizes
exact_architectural sizes "Ir=15 Dr=5 Dw=6 I1mr=3 D1mr=1 D1mw=6 ILmr=2 DLmr=0 DLmw=6 \
Bc=0 Bcm=0 Bi=0 Bim=0 Rep=0"

# What calls cost, of all events and of as few as there can be.
calls_build rep
for engine in inline plain; do
	EVENTS="Ir Dr Dw Bc Bi Rep"
	export EVENTS
	calls_exact rep --counting=architectural --engine=$engine
	EVENTS="Ir Rep"
	calls_with rep "main: Ir=10
main > fill 2 Ir=18 Rep=16
fill: Ir=10 Rep=10
fill > copy 2 Ir=8 Rep=6
copy: Ir=8 Rep=6" --counting=architectural --engine=$engine --cache-sim=no --branch-sim=no
done

# The code is one line, and D1 and LL have one set each, larger than all that is touched.
caches="--I1=16384,4,1024 --D1=8192,256,32 --LL=16384,256,64"
if grep -qw avx /proc/cpuinfo; then
	asm_build arch_loads
	exact_architectural arch_loads "Ir=74 Dr=25 Dw=3 I1mr=1 D1mr=19 D1mw=2 ILmr=1 DLmr=13 \
DLmw=2 Bc=2 Bcm=1 Bi=2 Bim=2 Rep=0"
else
	skip arch_loads "no AVX, so Valgrind has no xsave"
fi
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
	asm_build arch_pieces
	exact_architectural arch_pieces "Ir=25 Dr=14 Dw=4 I1mr=1 D1mr=7 D1mw=2 ILmr=1 DLmr=6 \
DLmw=2 Bc=0 Bcm=0 Bi=0 Bim=0 Rep=0"
else
	skip arch_pieces "no AVX2 and FMA"
fi

asm_build arch_faults
# Rep: 5 + 8 + 1 + 1 + 3 + 1.
exact_architectural arch_faults "Ir=49 Dr=14 Dw=15 I1mr=1 D1mr=1 D1mw=3 ILmr=1 DLmr=1 DLmw=3 \
Bc=1 Bcm=1 Bi=5 Bim=5 Ge=2 Rep=19" --collect-bus=yes

done_testing
