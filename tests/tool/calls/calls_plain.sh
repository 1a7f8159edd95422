#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls, and the inclusive cost of each event.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

EVENTS="Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim"
export EVENTS
calls_build plain
calls_exact plain
calls_agree plain

# By instruction; the addresses are those in the comments.
want="0x40000a: main > 0x400040: a 1 Ir=13 Dr=7 Dw=4 I1mr=3 D1mr=1 ILmr=3 DLmr=1
0x40000f: main > 0x400080: b 1 Ir=5 Dr=3 Dw=1
0x400019: main > 0x400080: b 3 Ir=15 Dr=9 Dw=3
0x400022: main > 0x400080: b 1 Ir=5 Dr=3 Dw=1
0x400024: main > 0x4000c0: c 1 Ir=2 Dr=2
0x400040: a > 0x400080: b 1 Ir=5 Dr=3 Dw=1 I1mr=2 D1mr=1 ILmr=2 DLmr=1
0x400045: a > 0x400080: b 1 Ir=5 Dr=3 Dw=1
0x400081: b > 0x4000c0: c 7 Ir=14 Dr=14 I1mr=1 D1mr=1 ILmr=1 DLmr=1"
is "calls_plain: calls by instruction" "$(calls sites calls_plain.out)" "$want"
graph=$(calls graph calls_plain.out)
calls_with plain "$graph" --dump-line=no
is "calls_plain: calls by instruction, without lines" "$(calls sites calls_plain.with)" "$want"

# However they are written.
calls_with plain "$graph" --dump-instr=no
is "calls_plain: calls, without instructions" \
	"$(calls found calls_plain.with calls_plain.S)" "$(calls want "$asm/calls_plain.S")"
calls_with plain "$graph" --compress-strings=no --compress-pos=no
is "calls_plain: calls by instruction, not compressed" "$(calls sites calls_plain.with)" "$want"

# Not all events are recorded.
without_misses=$(printf '%s\n' "$graph" | sed 's/ [ID][1L]m[rw]=[0-9]*//g; s/ Bim*=[0-9]*//g
	s/ Bcm*=[0-9]*//g; s/ D[rw]=[0-9]*//g')
calls_with plain "$without_misses" --cache-sim=no --branch-sim=no

done_testing
