#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Jumps between functions and within them.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

calls_build tail
calls_exact tail
calls_agree tail

calls_build jumps
calls_exact jumps

calls_build cold
calls_exact cold

done_testing
