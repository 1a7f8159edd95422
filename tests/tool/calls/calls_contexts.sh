#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options that tell calls apart by callers, or leave functions out.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

calls_build contexts
calls_exact contexts
calls_agree contexts

# --- callers ---

calls_with contexts "main: Ir=8 Dw=4
a'main: Ir=3 Dr=1 Dw=2
b'main: Ir=2 Dr=1 Dw=1
c'a: Ir=4 Dr=2 Dw=2
c'b: Ir=2 Dr=1 Dw=1
leaf'c: Ir=3 Dr=3
leaf'main: Ir=1 Dr=1
r'main: Ir=4 Dr=1 Dw=1 Bc=1
r'2'main: Ir=3 Dr=1 Bc=1
main > a'main 1 Ir=9 Dr=5 Dw=4
main > b'main 1 Ir=5 Dr=3 Dw=2
main > leaf'main 1 Ir=1 Dr=1
main > r'main 1 Ir=7 Dr=2 Dw=1 Bc=2
r'main > r'2'main 1 Ir=3 Dr=1 Bc=1
a'main > c'a 2 Ir=6 Dr=4 Dw=2
b'main > c'b 1 Ir=3 Dr=2 Dw=1
c'a > leaf'c 2 Ir=2 Dr=2
c'b > leaf'c 1 Ir=1 Dr=1" --separate-callers=1

three="main: Ir=8 Dw=4
a'main: Ir=3 Dr=1 Dw=2
b'main: Ir=2 Dr=1 Dw=1
c'a'main: Ir=4 Dr=2 Dw=2
c'b'main: Ir=2 Dr=1 Dw=1
leaf'c'a'main: Ir=2 Dr=2
leaf'c'b'main: Ir=1 Dr=1
leaf'main: Ir=1 Dr=1
r'main: Ir=4 Dr=1 Dw=1 Bc=1
r'2'main: Ir=3 Dr=1 Bc=1
main > a'main 1 Ir=9 Dr=5 Dw=4
main > b'main 1 Ir=5 Dr=3 Dw=2
main > leaf'main 1 Ir=1 Dr=1
main > r'main 1 Ir=7 Dr=2 Dw=1 Bc=2
r'main > r'2'main 1 Ir=3 Dr=1 Bc=1
a'main > c'a'main 2 Ir=6 Dr=4 Dw=2
b'main > c'b'main 1 Ir=3 Dr=2 Dw=1
c'a'main > leaf'c'a'main 2 Ir=2 Dr=2
c'b'main > leaf'c'b'main 1 Ir=1 Dr=1"
calls_with contexts "$three" --separate-callers=3
calls_with contexts "$three" --separate-callers=255

# Of leaf alone: the rest is as without the option.
rest="main: Ir=8 Dw=4
a: Ir=3 Dr=1 Dw=2
b: Ir=2 Dr=1 Dw=1
r: Ir=4 Dr=1 Dw=1 Bc=1
r'2: Ir=3 Dr=1 Bc=1
main > a 1 Ir=9 Dr=5 Dw=4
main > b 1 Ir=5 Dr=3 Dw=2
main > r 1 Ir=7 Dr=2 Dw=1 Bc=2
r > r'2 1 Ir=3 Dr=1 Bc=1"
calls_with contexts "$rest
c: Ir=6 Dr=3 Dw=3
leaf'c'a: Ir=2 Dr=2
leaf'c'b: Ir=1 Dr=1
leaf'main: Ir=1 Dr=1
main > leaf'main 1 Ir=1 Dr=1
a > c 2 Ir=6 Dr=4 Dw=2
b > c 1 Ir=3 Dr=2 Dw=1
c > leaf'c'a 2 Ir=2 Dr=2
c > leaf'c'b 1 Ir=1 Dr=1" --separate-callers2=leaf
# All but leaf: its context is one, its callers' are not.
calls_with contexts "main: Ir=8 Dw=4
a'main: Ir=3 Dr=1 Dw=2
b'main: Ir=2 Dr=1 Dw=1
c'a: Ir=4 Dr=2 Dw=2
c'b: Ir=2 Dr=1 Dw=1
leaf: Ir=4 Dr=4
r'main: Ir=4 Dr=1 Dw=1 Bc=1
r'2'main: Ir=3 Dr=1 Bc=1
main > a'main 1 Ir=9 Dr=5 Dw=4
main > b'main 1 Ir=5 Dr=3 Dw=2
main > leaf 1 Ir=1 Dr=1
main > r'main 1 Ir=7 Dr=2 Dw=1 Bc=2
r'main > r'2'main 1 Ir=3 Dr=1 Bc=1
a'main > c'a 2 Ir=6 Dr=4 Dw=2
b'main > c'b 1 Ir=3 Dr=2 Dw=1
c'a > leaf 2 Ir=2 Dr=2
c'b > leaf 1 Ir=1 Dr=1" --separate-callers=1 '--separate-callers0=l*f'

# --- groups ---

# What is called from its own group is its caller once more, in level 2.
calls_with contexts "$rest
a'2: Ir=4 Dr=2 Dw=2
c: Ir=2 Dr=1 Dw=1
leaf: Ir=4 Dr=4
main > leaf 1 Ir=1 Dr=1
a > a'2 2 Ir=6 Dr=4 Dw=2
a'2 > leaf 2 Ir=2 Dr=2
b > c 1 Ir=3 Dr=2 Dw=1
c > leaf 1 Ir=1 Dr=1" --fn-group1=a --fn-group1=c
calls_with contexts "$rest
c: Ir=6 Dr=3 Dw=3
leaf: Ir=4 Dr=4
main > leaf 1 Ir=1 Dr=1
a > c 2 Ir=6 Dr=4 Dw=2
b > c 1 Ir=3 Dr=2 Dw=1
c > leaf 3 Ir=3 Dr=3" --fn-group1=a --fn-group2=c

# --- functions left out ---

# c in a: 2 x 2, in b: 2.
calls_with contexts "main: Ir=8 Dw=4
a: Ir=7 Dr=3 Dw=4
b: Ir=4 Dr=2 Dw=2
r: Ir=4 Dr=1 Dw=1 Bc=1
r'2: Ir=3 Dr=1 Bc=1
leaf: Ir=4 Dr=4
main > a 1 Ir=9 Dr=5 Dw=4
main > b 1 Ir=5 Dr=3 Dw=2
main > leaf 1 Ir=1 Dr=1
main > r 1 Ir=7 Dr=2 Dw=1 Bc=2
r > r'2 1 Ir=3 Dr=1 Bc=1
a > leaf 2 Ir=2 Dr=2
b > leaf 1 Ir=1 Dr=1" --fn-skip=c
# All of this is of the lines that call.
is "calls_contexts: lines of a" "$(calls found calls_contexts.with calls_contexts.S | grep ': a > ')" \
"$(grep -n '	call	c.*a c 1' "$asm/calls_contexts.S" | sed 's/:.*/: a > leaf 1 Ir=1 Dr=1/')"

# A chain of them: a and c in main, c in b.
calls_with contexts "main: Ir=15 Dr=3 Dw=8
b: Ir=4 Dr=2 Dw=2
r: Ir=4 Dr=1 Dw=1 Bc=1
r'2: Ir=3 Dr=1 Bc=1
leaf: Ir=4 Dr=4
main > b 1 Ir=5 Dr=3 Dw=2
main > leaf 3 Ir=3 Dr=3
main > r 1 Ir=7 Dr=2 Dw=1 Bc=2
r > r'2 1 Ir=3 Dr=1 Bc=1
b > leaf 1 Ir=1 Dr=1" --fn-skip=a --fn-skip=c
# All but main.
calls_with contexts "main: Ir=30 Dr=11 Dw=11 Bc=2" '--fn-skip=?' --fn-skip=leaf
# What is skipped is no caller either.
calls_with contexts "main: Ir=8 Dw=4
a: Ir=7 Dr=3 Dw=4
b: Ir=4 Dr=2 Dw=2
r: Ir=4 Dr=1 Dw=1 Bc=1
r'2: Ir=3 Dr=1 Bc=1
leaf'a'main: Ir=2 Dr=2
leaf'b'main: Ir=1 Dr=1
leaf'main: Ir=1 Dr=1
main > a 1 Ir=9 Dr=5 Dw=4
main > b 1 Ir=5 Dr=3 Dw=2
main > leaf'main 1 Ir=1 Dr=1
main > r 1 Ir=7 Dr=2 Dw=1 Bc=2
r > r'2 1 Ir=3 Dr=1 Bc=1
a > leaf'a'main 2 Ir=2 Dr=2
b > leaf'b'main 1 Ir=1 Dr=1" --fn-skip=c --separate-callers2=leaf

# One that calls from several places: main with f, 16 + 21.
calls_build skip
for engine in plain inline; do
	calls_exact skip --engine=$engine
	calls_with skip "main: Ir=37 Dr=3 Dw=15 Bc=3
copier: Ir=12 Dr=12 Dw=6
aside: Ir=6 Dr=3 Dw=3
leaf: Ir=3 Dr=3
main > copier 6 Ir=12 Dr=12 Dw=6
main > aside 3 Ir=6 Dr=3 Dw=3
main > leaf 3 Ir=3 Dr=3" --fn-skip=f --engine=$engine
done

# --- a jump that is a return and a call ---

calls_build tail
calls_with tail "main: Ir=30 Dw=9 Bc=4
chain1: Ir=2
chain2: Ir=2
chain3: Ir=4 Dr=2
maybe: Ir=10 Dr=2 Bc=4
other: Ir=4 Dr=2
tick: Ir=9 Bc=3
tock: Ir=9 Dr=1 Bc=3
into: Ir=2 Bc=1
next: Ir=2 Dr=1
pushed: Ir=3 Dr=1 Dw=1
by_return: Ir=1 Dr=1
main > chain1 1 Ir=2
main > chain2 1 Ir=2
main > chain3 2 Ir=4 Dr=2
main > maybe 4 Ir=10 Dr=2 Bc=4
main > other 2 Ir=4 Dr=2
main > tick 3 Ir=9 Bc=3
main > tock 3 Ir=9 Dr=1 Bc=3
main > into 1 Ir=2 Bc=1
main > next 1 Ir=2 Dr=1
main > pushed 1 Ir=3 Dr=1 Dw=1
main > by_return 1 Ir=1 Dr=1" --pop-on-jump

done_testing
