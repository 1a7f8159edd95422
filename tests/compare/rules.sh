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

# What stands between the start of the block and the fault, both included, a thousand times; in
# front of it once the instruction that only the first block has.
build "$scratch/f2" f2.S -g -nostdlib -static
# f2 GEOMETRY [EVENT=N...]: further losses on the line of the nops.
f2() {
	geometry=$1
	shift
	# shellcheck disable=SC2086 # several options
	compare_in "$geometry" f2 $registers \
		--lost "???:5 Ir=1" \
		--lost "???:6 Ir=4000 $*" \
		--lost "???:7 Ir=1000" \
		--lost "???:8 Ir=1000 Dr=1000 D1mr=1 DLmr=1" \
		"$scratch/f2"
}
# The loop begins at byte 32 of the code: a line of its own only where lines have 32 bytes, and of
# that, the handler shares the end.
f2 small I1mr=1
f2 direct
f2 odd

# Register moves, four nops, and the faulting load of line 0, which stays in both caches.
build "$scratch/segv" segv.c -g -O1
compare_in large segv --lost "main:6 Ir=6000 Dr=1000 D1mr=1 DLmr=1" "$scratch/segv" 1000

# --- line-zero: Cachegrind's empty caches hold line 0 ---

if grep -qw avx /proc/cpuinfo; then
	build "$scratch/zero" zero.S -g -nostdlib -static
	# shellcheck disable=SC2086 # several options
	compare zero $registers --line-zero "(below main):21 D1mr=1 DLmr=1" "$scratch/zero"
else
	skip zero "no AVX"
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
