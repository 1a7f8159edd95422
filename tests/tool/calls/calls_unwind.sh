#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls that do not end by a return: longjmp, exceptions, stack switches, signal handlers.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

calls_build unwind
calls_exact unwind

calls_build switch -DCO_STACK=low
calls_with switch "main: Ir=5 Dw=1
go: Ir=11 Dr=1 Dw=3 Bc=3
swap: Ir=12 Dr=6 Dw=3
swap'2: Ir=12 Dr=6 Dw=3
co: Ir=9 Dw=6
work: Ir=3 Dr=3
main > go 1 Ir=47 Dr=16 Dw=15 Bc=3
go > swap 3 Ir=36 Dr=15 Dw=12
swap > co 3 Ir=24 Dr=9 Dw=9
co > work 3 Ir=3 Dr=3
co > swap'2 3 Ir=12 Dr=6 Dw=3" --log-file=low.log

calls_build switch -DCO_STACK=high
calls_with switch "main: Ir=2 Dw=1
main'2: Ir=3
go: Ir=11 Dr=1 Dw=3 Bc=3
swap: Ir=16 Dr=8 Dw=4
swap'2: Ir=8 Dr=4 Dw=2
co: Ir=9 Dw=6
work: Ir=3 Dr=3
main > go 1 Ir=6 Dr=2 Dw=2
main > co 1 Ir=44 Dr=14 Dw=13 Bc=3
go > swap 1 Ir=4 Dr=2 Dw=1
co > work 3 Ir=3 Dr=3
co > swap 3 Ir=32 Dr=11 Dw=7 Bc=3
swap > go 3 Ir=20 Dr=5 Dw=4 Bc=3
go > swap'2 2 Ir=8 Dr=4 Dw=2
go > main'2 1 Ir=3" --log-file=high.log

calls_build signal
calls_exact signal

calls_build fault
for engine in plain inline; do
	calls_exact fault --engine=$engine --sigill-diagnostics=no --log-file=fault.log
done

done_testing
