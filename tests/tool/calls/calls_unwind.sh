#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls that do not end by a return: longjmp, exceptions, stack switches, signal handlers.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

calls_build unwind
calls_exact unwind

# Where the other stack is makes no difference.
for place in low high; do
	calls_build switch -DCO_STACK=$place
	calls_exact switch --log-file=switch.log
done

calls_build signal
calls_exact signal

calls_build fault
for engine in plain inline; do
	calls_exact fault --engine=$engine --sigill-diagnostics=no --log-file=fault.log
done

done_testing
