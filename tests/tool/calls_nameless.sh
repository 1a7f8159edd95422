#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Code without symbols goes by where it was called.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

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

done_testing
