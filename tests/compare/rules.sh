#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The differences between Cachegrind's counts and ours, each by its rule of docs/SIMULATION.md.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

# --- fork: Cachegrind's children begin with the costs of their parent ---

build "$scratch/fork" fork.c -g -O1
compare fork --inherits end "$scratch/fork" run

# --- fault: Cachegrind loses what it has queued when an instruction faults ---

# A handler that steps over an instruction needs the true registers.
registers='--valgrind=--px-default=allregs-at-mem-access
	--valgrind=--px-file-backed=allregs-at-mem-access'

# Lines 21 to 24 are what the block runs up to the load that faults.  The first of them misses I1 and
# LL; Cachegrind counts that at line 25, the first that it has of this line of code.  Line 0 of the
# data stays where it is.
build "$scratch/f2" f2.S -g -nostdlib -static -Wl,--build-id=none -Wl,-Ttext=0x400000 \
	-Wl,-Tdata=0x600000
# shellcheck disable=SC2086 # several options
compare f2 $registers \
	--lost "(below main):21 Ir=1000 I1mr=1 ILmr=1" \
	--lost "(below main):22 Ir=1000" \
	--lost "(below main):23 Ir=1000" \
	--lost "(below main):24 Ir=1000 Dr=1000 D1mr=1 DLmr=1" \
	--lost "(below main):25 I1mr=-1 ILmr=-1" \
	"$scratch/f2"

# Register moves, four nops, and the faulting load of line 0, which stays in both caches.
build "$scratch/segv" segv.c -g -O1
compare_in large segv --lost "main:6 Ir=6000 Dr=1000 D1mr=1 DLmr=1" "$scratch/segv" 1000

# --- line-zero: Cachegrind's empty caches hold line 0 ---

if grep -qw avx /proc/cpuinfo; then
	build "$scratch/zero" zero.S -g -nostdlib -static
	# shellcheck disable=SC2086 # several options
	compare zero $registers --line-zero "(below main):21 D1mr=1 DLmr=1" "$scratch/zero"
else
	skip_here zero "no AVX"
fi

# --- dead-load: Cachegrind lets Valgrind remove loads of rbp that are not used ---

build "$scratch/frame" frame.S -g -nostdlib -static
compare frame --dead-load "(below main):12 Dr=1" "$scratch/frame"
compare "frame, kept" --valgrind=--px-file-backed=unwindregs-at-mem-access "$scratch/frame"

# --- name: bytes that readers do not bear are written as \xNN ---

cp "$top_srcdir/tests/cases/st.c" "$scratch/$(printf 'tab\there, Latin-1 \351, UTF-8 \303\251.c')"
build "$scratch/name" "$scratch/$(printf 'tab\there, Latin-1 \351, UTF-8 \303\251.c')" -g -O1
compare name "$scratch/name"
is "name: by the rule" "${compare_text##*, }" "1 by rule name"

done_testing
