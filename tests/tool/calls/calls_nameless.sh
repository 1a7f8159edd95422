#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Code without symbols goes by where it was called.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

# stripped NAME GRAPH: without symbols, ./calls_NAME has this graph, with addresses for names.
stripped() {
	want=$2
	for function in $(nm "calls_$1" | awk '$2 ~ /[tT]/ { print $3 }'); do
		address=0x$(nm "calls_$1" | awk -v name="$function" '$3 == name { print $1 }')
		want=$(printf '%s\n' "$want" |
			sed "s/^$function\\>/$address/; s/> $function\\>/> $address/")
	done
	strip "calls_$1"
	calls_with "$1" "$want" --log-file=stripped.log
}

# as_before NAME: without symbols, the calls are the same, and so are Callgrind's.
as_before() {
	calls_build "$1"
	asm_run "calls_$1" "calls_$1.symbols"
	stripped "$1" "$(calls graph "calls_$1.symbols")"
	mv "calls_$1.with" "calls_$1.out"
	calls_agree "$1"
}

as_before plain
as_before recursion
as_before contexts

# Without symbols, nobody knows that a jump goes to another function: code that is jumped to is of
# the function that was called.
calls_build tail
stripped tail "main: Ir=30 Dw=9 Bc=4
chain1: Ir=6 Dr=1
chain3: Ir=2 Dr=1
maybe: Ir=14 Dr=4 Bc=4
tick: Ir=18 Dr=1 Bc=6
into: Ir=4 Dr=1 Bc=1
pushed: Ir=4 Dr=2 Dw=1
main > chain1 1 Ir=6 Dr=1
main > chain3 1 Ir=2 Dr=1
main > maybe 4 Ir=14 Dr=4 Bc=4
main > tick 1 Ir=18 Dr=1 Bc=6
main > into 1 Ir=4 Dr=1 Bc=1
main > pushed 1 Ir=4 Dr=2 Dw=1"

calls_build jit
calls_exact jit
is "calls_jit: calls of the code made" \
	"$(python3 "$top_srcdir/tests/profile.py" calls calls_jit.out | sed -n 's/^???	//p' |
		sed 's/ [ID][1L]m[rw]=[0-9]*//g; s/ Bim=[0-9]*//g; s/	[^	]*calls_jit	/	calls_jit	/')" \
"0x0000000010000000	0	calls_jit	callback	4	Ir=4 Dr=4
0x0000000010000100	0	calls_jit	callback	1	Ir=1 Dr=1
0x0000000010000200	0	calls_jit	callback	1	Ir=1 Dr=1
0x0000000010000300	0	???	0x0000000010000000	1	Ir=4 Dr=2 Dw=1 Bi=1"

# Where there are symbols, code without them is a part of the function that jumps to it.
calls_build stray
calls_exact stray --engine=plain
calls_exact stray
is "calls_stray: functions without symbols" "$(calls graph calls_stray.out | grep '^0x')" \
"0x0000000000400200: Ir=12 Dr=3
0x0000000000400210: Ir=3
0x0000000000400220: Ir=18 Dr=9
0x0000000010000000: Ir=6 Bi=3
0x0000000000400210 > leaf 3 Ir=3 Dr=3
0x0000000010000000 > 0x0000000000400220 3 Ir=6 Dr=3"
# Callgrind takes each jump by a return instruction for a call, even within a function.
calls_agree stray --except "pusher > 0x0000000000400220 3 Ir=6 Dr=3"

# Tail calls of leaf are no calls any more, but for what a stub or another object jumps to.
stray="main: Ir=69 Dw=46 Bc=3
away: Ir=42 Dr=6 Dw=6
goes: Ir=15 Dr=3
one: Ir=9 Dr=3
two: Ir=9 Dr=3
pusher: Ir=15 Dr=6 Dw=3
catcher: Ir=15 Dr=3 Dw=3
far_catcher: Ir=15 Dr=3 Dw=3
relay: Ir=3 Dw=3
thrower: Ir=12 Bi=6
rec: Ir=15 Dr=3 Dw=3 Bc=3
rec'2: Ir=24 Dr=6 Dw=3 Bc=6
linked: Ir=9 Dr=3 Bi=3
found: Ir=9 Dr=3 Bi=3
outside: Ir=6 Bi=3
leaf: Ir=9 Dr=9
0x0000000000400200: Ir=12 Dr=3
0x0000000000400210: Ir=6 Dr=3
0x0000000000400220: Ir=18 Dr=9
0x0000000010000000: Ir=6 Bi=3
main > away 6 Ir=48 Dr=12 Dw=6
main > goes 3 Ir=15 Dr=3
main > one 3 Ir=9 Dr=3
main > two 3 Ir=9 Dr=3
main > pusher 3 Ir=15 Dr=6 Dw=3
main > catcher 3 Ir=21 Dr=3 Dw=3 Bi=3
main > far_catcher 3 Ir=24 Dr=3 Dw=6 Bi=3
main > rec 3 Ir=39 Dr=9 Dw=6 Bc=9
main > 0x0000000000400200 3 Ir=12 Dr=3
main > 0x0000000000400210 3 Ir=6 Dr=3
main > 0x0000000000400220 3 Ir=6 Dr=3
main > linked 3 Ir=12 Dr=6 Bi=3
main > found 3 Ir=15 Dr=6 Bi=3
main > outside 3 Ir=18 Dr=3 Bi=6
away > leaf 6 Ir=6 Dr=6
catcher > thrower 3 Ir=6 Bi=3
far_catcher > relay 3 Ir=9 Dw=3 Bi=3
relay > thrower 3 Ir=6 Bi=3
rec > rec'2 3 Ir=24 Dr=6 Dw=3 Bc=6
rec'2 > rec'2 3 Ir=9 Dr=3 Bc=3
linked > leaf 3 Ir=3 Dr=3
found > 0x0000000000400220 3 Ir=6 Dr=3
outside > 0x0000000010000000 3 Ir=12 Dr=3 Bi=3
0x0000000010000000 > 0x0000000000400220 3 Ir=6 Dr=3"
stripped stray "$stray"
stripped_stray=$calls_graph
calls_with stray "$stripped_stray" --engine=plain

done_testing
