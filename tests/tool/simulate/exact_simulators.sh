#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Write-back, prefetcher and uses of lines, each by itself and with the others.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

# exact_both NAME TOTALS OPTION...: both engines find this.
exact_both() {
	for engine in inline plain; do
		exact "$@" --branch-sim=no --engine=$engine
	done
}

asm_build writeback
exact_both writeback "Ir=38 Dr=19 Dw=4 I1mr=7 D1mr=16 D1mw=2 ILmr=4 DLmr=13 DLmw=2 \
ILdmr=1 DLdmr=2 DLdmw=1" --simulate-wb=yes

asm_build stream
exact_both stream "Ir=27 Dr=18 Dw=3 I1mr=7 D1mr=17 D1mw=3 ILmr=3 DLmr=10 DLmw=1" \
	--simulate-hwpref=yes

# Its writes all miss D1, so that the prefetcher sees no more of them; what is dirty stays.
exact_both stream "Ir=27 Dr=18 Dw=3 I1mr=7 D1mr=17 D1mw=3 ILmr=3 DLmr=10 DLmw=1 \
ILdmr=0 DLdmr=0 DLdmw=0" --simulate-hwpref=yes --simulate-wb=yes

asm_build uses
exact_both uses "Ir=12 Dr=7 Dw=1 I1mr=3 D1mr=6 D1mw=0 ILmr=2 DLmr=4 DLmw=0 \
AcCost1=6141 SpLoss1=194 AcCost2=4242 SpLoss2=292" --cacheuse=yes

# --- all of them at once ---

# of EVENTS: those counts out of the totals read.
of() {
	tr ' ' '\n' | grep -E "^($1)=" | tr '\n' ' '
}

basic="Ir|Dr|Dw|I1mr|D1mr|D1mw|ILmr|DLmr|DLmw"
dirty="ILdmr|DLdmr|DLdmw"
uses="AcCost[12]|SpLoss[12]"

# Uses change nothing else, whatever it is combined with.
for program in writeback stream uses; do
	for engine in inline plain; do
		asm_run $program without.out --simulate-wb=yes --simulate-hwpref=yes --engine=$engine
		asm_run $program all.out --simulate-wb=yes --simulate-hwpref=yes --cacheuse=yes \
			--engine=$engine
		is "$program: others without uses ($engine)" \
			"$(counts totals all.out | of "$basic|$dirty")" \
			"$(counts totals without.out | of "$basic|$dirty")"
		mv all.out "$engine.all"
	done
	is "$program: all, in both engines" "$(counts lines plain.all $program.S)" \
		"$(counts lines inline.all $program.S)"
done

# In "uses" nothing is in a row, and what is dirty stays.
asm_run uses all.out --simulate-wb=yes --simulate-hwpref=yes --cacheuse=yes
is "uses: the same with all" "$(counts totals all.out | of "$basic|$uses")" \
	"$(echo "$exact_totals" | of "$basic|$uses")"
is "uses: nothing is written back" "$(counts totals all.out | of "$dirty")" \
	"ILdmr=0 DLdmr=0 DLdmw=0 "
# --- contexts, and what is written ---

# The context that fetched a line pays its costs: the sum is the same however contexts are kept
# apart.  (The reader checks that the body adds up to the totals.)
build calls "$top_srcdir/tests/asm/calls_contexts.S" -nostdlib -static -g -Wl,--build-id=none \
	-Wl,-e,main -Wl,-Ttext=0x400000 -Wl,-Tdata=0x600000
for options in --separate-callers=3 "--separate-recs=1 --skip-plt=no" --dump-instr=no; do
	asm_run calls plain.out --cacheuse=yes
	# shellcheck disable=SC2086 # several options in one variable
	asm_run calls other.out --cacheuse=yes $options
	is "calls: totals with $options" "$(counts totals other.out)" "$(counts totals plain.out)"
done

# --- a profile in between ---

# With nothing to become, none is written before; with a file that is no program, one is.
asm_build refused
asm_run refused once.out --cacheuse=yes
printf '\001\002\003\004' >f
chmod +x f
for engine in inline plain; do
	asm_run refused twice.out --cacheuse=yes --engine=$engine
	is "refused: every line ($engine)" "$(counts lines twice.out refused.S)" \
		"$(counts lines once.out refused.S)"
done
is "refused: first data line, two uses of 4 B" \
	"$(counts lines once.out refused.S | sed -n 's/^12: .*\(AcCost1.*\)/\1/p')" \
	"AcCost1=500 SpLoss1=24 AcCost2=500 SpLoss2=56"

done_testing
