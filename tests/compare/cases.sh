#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cachegrind's counts are ours: small programs with hard cases.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

# build_case NAME [FLAGS...]: builds tests/cases/NAME as ./NAME without its ending.
build_case() {
	case_source=$1
	shift
	build "$scratch/${case_source%.*}" "$case_source" -g "$@"
}

# Of a run, most is the dynamic linker's, and most of its time goes into reading what debuggers want to know about the C
# library: one program has it, and the programs of programs_*.sh.
build_case al.c -O1
compare al "$scratch/al"
for name in t st sg rp tg kil ex cold inl; do
	build_case $name.c -O1 -static
	compare $name "$scratch/$name"
done
build_case lp.S
compare lp "$scratch/lp"
build_case span.S -nostdlib -static
compare span "$scratch/span"
build "$scratch/throw" ex.cpp -g -O1
compare throw "$scratch/throw"

# Costs of a library that is gone when the profile is written.
build_case dlm.c -O1 -ldl
build "$scratch/libq.so" q.c -g -O1 -shared -fPIC
compare dlm --copy "$scratch/libq.so" "$scratch/dlm"

# Threads.  Programs with pthreads are not repeatable: who is first after clone() is the
# kernel's affair.
build_case relay.S -nostdlib -static
compare relay "$scratch/relay"

# Many guarded references in a block; of more instructions, Valgrind's own tables overflow.
if grep -qw avx2 /proc/cpuinfo; then
	build_case gat2.s -nostdlib -static
	compare gat2 --valgrind=--vex-guest-max-insns=20 "$scratch/gat2"
else
	skip_here gat2 "no AVX2"
fi

done_testing
