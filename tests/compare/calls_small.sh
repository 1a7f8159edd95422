#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Callgrind's call graph is ours: small programs with hard cases.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"
. "$top_srcdir/tests/compare/lib/calling.sh"

# Three functions need a rule in every program: mempcpy() of the dynamic linker, which jumps into
# the midst of its memcpy(), and _Exit(), whose last block Callgrind loses.  These programs have but
# some two hundred, nearly all of them of the dynamic linker.
small=--share=3

# build_case NAME [FLAGS...]: builds tests/cases/NAME as ./NAME without its ending.
build_case() {
	case_source=$1
	shift
	build "$scratch/${case_source%.*}" "$case_source" -g "$@"
}

for name in t al st rp tg kil ex cold inl; do
	build_case $name.c -O1
	calls $name $small "$scratch/$name"
done
build_case sg.c -O1
calls sg $small --handler h --roots 2 "$scratch/sg"
build_case lp.S
calls lp $small "$scratch/lp"

# span.S, in which no function is as with Callgrind, is derived by hand: tests/asm/span.S.

build_case dlm.c -O1 -ldl
build "$scratch/libq.so" q.c -g -O1 -shared -fPIC
calls dlm $small --unloaded libq.so --copy "$scratch/libq.so" "$scratch/dlm"

# Threads that do not race; there are two functions.
build_case relay.S -nostdlib -static
calls relay --share=50 "$scratch/relay"

count_rules
done_testing
