#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Callgrind's call graph is ours: what does not return as it was called, C++, and threads.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"
. "$top_srcdir/tests/compare/lib/calling.sh"

programs=$top_srcdir/tests/programs

# Small programs: see calls_small.sh.  spin() is a loop from its first instruction on.
small=--share=3

build "$scratch/unwind" "$programs/unwind.c" -g -O1
# Not of coroutines: Callgrind has calls between them, by where their stacks are (tests/tool/calls/calls_frames.sh).
for how in jump builtin; do
	calls "unwind $how" $small "$scratch/unwind" $how
done
# The dynamic linker's start, the code that returns from handlers, and two of these that do not.
calls "unwind signals" --share=4 --handler on_usr1 --handler on_usr2 --handler on_hup \
	--handler on_term --roots 4 "$scratch/unwind" signals

# Callgrind takes the clean-ups and handlers of exceptions, cold parts, for functions.
build "$scratch/exceptions" "$programs/exceptions.cpp" -g -O1
calls "exceptions -O1" $small "$scratch/exceptions"
build "$scratch/exceptions2" "$programs/exceptions.cpp" -g -O2
calls "exceptions -O2" --share=3 "$scratch/exceptions2"
build "$scratch/throw" ex.cpp -g -O1
calls throw "$scratch/throw"
build "$scratch/objects" "$programs/objects.cpp" -g -O0
calls "objects -O0" "$scratch/objects"
build "$scratch/objects2" "$programs/objects.cpp" -g -O2
calls "objects -O2" $small "$scratch/objects2"
strip -w -K main -K '*is_even*' -o "$scratch/stripped" "$scratch/objects2"
calls "objects, stripped" $small "$scratch/stripped"

# A thread of its own, which races with its maker.
build "$scratch/threads" "$programs/threads.c" -g -O1 -pthread
calls threads $small --root clone --valgrind=--fair-sched=yes --tries 20 \
	"$scratch/threads" one_after_another 1 1000

# --- what each thread counts ---

# run_threads NAME [OPTIONS...] PROGRAM ARGUMENTS...: writes NAME, or NAME-01 and so on.
run_threads() {
	run_name=$1
	shift
	costgrind --cache-sim=yes --branch-sim=yes --dump-instr=yes --I1=2048,2,32 \
		--D1=4096,4,128 --LL=32768,8,64 --costgrind-out-file="$run_name" "$@" \
		>"$run_name.log" 2>&1
}

# Twenty of them, which do the same each time; there are two at a time, and two numbers.
build "$scratch/relay" relay.S -g -nostdlib -static
run_threads relay.all "$scratch/relay"
run_threads relay.each --separate-threads=yes "$scratch/relay"
is "relay: files" "$(echo relay.each-*)" "relay.each-01 relay.each-02"
conserves "relay: all" relay.all
conserves "relay: each, and together" --total relay.all relay.each-*

# Those that race are not the same twice.
for how in one_after_another together end_by_exit; do
	rm -f threads.out*
	run_threads threads.out --separate-threads=yes "$scratch/threads" $how 5 1000
	conserves "threads, $how, each" threads.out-*
	run_threads threads.out "$scratch/threads" $how 5 1000
	conserves "threads, $how, all" --root clone threads.out
done
run_threads threads.out "$scratch/threads" signals_from_inside 5 1000
conserves "threads, signals_from_inside, all" --root clone --roots 2 threads.out

count_rules
done_testing
