#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --mix: instructions by class, derived by hand, in both ways of counting; classes add up to instructions.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

has_decoder || {
	skip "classes" "built without a decoder"
	done_testing
}

asm_build mix
for engine in inline plain; do
	exact mix "Ir=134 Ld=52 St=46 Jmp=8 Al=19 Fa=6 Mul=10 Div=6 Cv=6 Shf=4 Mov=62 Nop=6 Sys=7" \
		--cache-sim=no --branch-sim=no --mix=yes --engine=$engine
	asm_run mix $engine.out --mix=yes --engine=$engine
done
is "both engines" "$(grep -v '^pid: \|^cmd: ' plain.out)" "$(grep -v '^pid: \|^cmd: ' inline.out)"
exact_architectural mix "Ir=118 Rep=16 Ld=44 St=30 Jmp=8 Al=19 Fa=6 Mul=10 Div=6 Cv=6 Shf=4 Mov=46 Nop=6 Sys=7" \
	--cache-sim=no --branch-sim=no --mix=yes

asm_run mix without.out
is "what else is counted" "$(counts lines without.out mix.S)" \
	"$(counts lines inline.out mix.S | sed -E 's/ (Ld|St|Jmp|Al|Fa|Mul|Div|Cv|Shf|Mov|Nop|Sys)=[0-9]*//g')"

# added PROFILE: lines whose classes are not Ir, and how many there are in all.
added() {
	awk '/^events:/ { for (i = 2; i <= NF; i++) column[$i] = i }
		/^totals:/ {
			n = split("Jmp Al Fa Mul Div Cv Shf Mov Nop Sys", classes, " ")
			for (i = 1; i <= n; i++)
				sum += $column[classes[i]]
			print $column["Ir"] - sum
		}' "$1"
}

for counting in valgrind architectural; do
	for engine in inline plain; do
		costgrind -q --cache-sim=no --counting=$counting --engine=$engine --mix=yes --costgrind-out-file=out \
			awk 'BEGIN { for (i = 0; i < 2000; i++) s += sqrt(i) * 1.5; print s }' >awk.out
		is "$counting, $engine: classes of awk add up" "$(added out)" 0
	done
done

done_testing
