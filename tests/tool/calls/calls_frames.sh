#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# longjmp(), exceptions, contexts and signals of the C library: each call is of the function that
# makes it, before and after.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# own_calls: of $program in ./p, calls between its own functions: how many, and what the known loop
# cost.  Those of the names that begin with C's underscore or a digit are the compiler's, as are some others.
own_calls() {
	profile calls p | awk -F '\t' -v program="/$program\$" '
		$2 == "frame_dummy" || $5 ~ /register_tm_clones$/ { next }
		$1 ~ program && $4 ~ program && $2 !~ /^[_0-9]/ && $5 !~ /^[_0-9]/ {
			gsub(/\(anonymous namespace\)::|\([a-z ]*\)/, "", $2)
			gsub(/\(anonymous namespace\)::|\([a-z ]*\)/, "", $5)
			arc = $2 " > " $5
			count[arc] += $6
			sub(/^Ir=/, "", $7)
			cost[arc] += $5 ~ /^spin/ ? $7 : 0
		}
		END {
			for (arc in count)
				print arc, count[arc] (cost[arc] ? " " cost[arc] : "")
		}' | LC_ALL=C sort
}

# has_calls CALLS
has_calls() {
	is "$scene: calls" "$(own_calls | grep -v '^main >\|> check\|> make\|> install')" "$1"
}

program=unwind
build_program unwind -O1

scene jump
run --cache-sim=no --costgrind-out-file=p ../unwind jump
exits 0
has_calls "jump > jump_one 5
jump > spin 5 $(spins 4 4 4 4 4)
jump_one > jump_two 5
jump_three > spin 5 $(spins 3 3 3 3 3)
jump_two > jump_three 5"

# Levels 2 to 8 are called by 1 to 7; 5 to 8 are left, and 1 to 3 spin when they are returned to.
scene builtin
run --cache-sim=no --costgrind-out-file=p ../unwind builtin
exits 0
has_calls "builtin > builtin_recurse 1
builtin > spin 1 $(spins 8)
builtin_recurse > builtin_recurse'2 1
builtin_recurse > spin 1 $(spins 7)
builtin_recurse'2 > builtin_recurse'2 6
builtin_recurse'2 > builtin_throw 1
builtin_recurse'2 > spin 3 $(spins 7 7 6)
builtin_throw > spin 1 $(spins 5)"
# By level, what each of them has called.
scene builtin_levels
run --cache-sim=no --costgrind-out-file=p --separate-recs=9 ../unwind builtin
exits 0
has_calls "builtin > builtin_recurse 1
builtin > spin 1 $(spins 8)
builtin_recurse > builtin_recurse'2 1
builtin_recurse > spin 1 $(spins 7)
builtin_recurse'2 > builtin_recurse'3 1
builtin_recurse'2 > spin 1 $(spins 7)
builtin_recurse'3 > builtin_recurse'4 1
builtin_recurse'3 > spin 1 $(spins 7)
builtin_recurse'4 > builtin_recurse'5 1
builtin_recurse'4 > spin 1 $(spins 6)
builtin_recurse'5 > builtin_recurse'6 1
builtin_recurse'6 > builtin_recurse'7 1
builtin_recurse'7 > builtin_recurse'8 1
builtin_recurse'8 > builtin_throw 1
builtin_throw > spin 1 $(spins 5)"

# 1,000 turns; the stack does not grow: no function is active more often than there are contexts.
for how in contexts contexts_up; do
	scene $how
	run --cache-sim=no --costgrind-out-file=p --separate-recs=100 ../unwind $how
	exits 0
	is "$scene: the known loop" "$(own_calls | grep '> spin')" \
"contexts_turns > spin 1000 $((1000 * $(spins 11)))
coroutine_one > spin 1000 $((1000 * $(spins 9)))
coroutine_two > spin 1000 $((1000 * $(spins 10)))"
	is "$scene: deepest level" "$(grep -o "swapcontext'[0-9]*" p)" ""
	is "$scene: calls of a context's own function" "$(own_calls | grep "[a-z]'[0-9]")" ""
done

# Coroutines that go on in each other, not in main: the same wherever their stacks are.
program=coroutines
build_program coroutines -O1 -pthread -Wl,-z,now
for case in contexts-up contexts-down contexts-local jumps-up jumps-down jumps-apart jumps-local \
	longjmp-up longjmp-down; do
	how=${case%-*}
	scene $case
	run --cache-sim=no --costgrind-out-file=p ../coroutines "$how" "${case#*-}"
	exits 0
	prints 101
	is "$scene: the known loop, and turns" "$(own_calls | grep '> spin\|> yield_to')" \
		"main > spin 1 $(spins 3)
main > yield_to 1
ping > spin 100 $((100 * $(spins 5)))
ping > yield_to 101
pong > spin 200 $((100 * $(spins 7 8)))
pong > yield_to 100"
	is "$scene: none is active within itself" "$(grep "\(ping\|pong\|yield_to\|switch.*\|jump\)'2" p)" ""
	# What a function of the program calls, but for what depends on PLACE and the dynamic linker.
	profile calls p | cut -f 2,3,5,6,7 |
		awk -F '\t' '$1 ~ /^(main|ping|pong|yield_to|switch|jump|make)/ && $3 !~ /mmap|strcmp/' \
			>"$scratch/$case.calls"
	is "$scene: what calls cost" "$(cat "$scratch/$case.calls")" "$(cat "$scratch/$how-up.calls")"
done
# Without the 11 instructions a turn of ping's loop.
is "jumps: pong's loops, and 3 functions of at most 20 instructions each a turn" "$(
	awk '$1 == "make" && $3 == "pong" { sub(/.*=/, ""); print ($0 >= 100 * 32 && $0 < 100 * (32 + 60)) }' \
		"$scratch/jumps-down.calls"
)" 1
# With a call tree, which is compared with totals; nothing is said.
scene coroutines-tree
run --cache-sim=no --call-tree=yes --toggle-collect=yield_to --dump-every-bb=1000 --costgrind-out-file=p ../coroutines jumps up
exits 0
is "$scene: messages" "$(grep -c 'internal error' "$scratch/$scene.err")" 0
for engine in inline plain; do
	scene coroutines-threads-$engine
	run --cache-sim=no --call-tree=yes --engine=$engine --costgrind-out-file=p ../coroutines threads
	exits 0
	is "$scene: messages" "$(grep -c 'internal error' "$scratch/$scene.err")" 0
	is "$scene: calls" "$(own_calls | grep -v ' > 0x')" "leave_on > schedule 1
main > run_in_threads 1
main > spin 1 $(spins 3)
make > travel 1
run_in_threads > jump 1
run_second > jump 1
run_second > spin 1 $(spins 4)
schedule > jump 1
travel > jump 1
travel > leave_on 1
travel > spin 2 $(spins 5 6)"
done
program=unwind

# 10 times USR1; USR2 with USR1; HUP with USR2 with USR1, left; TERM with HUP and so on, both left.
scene signals
run --cache-sim=no --costgrind-out-file=p ../unwind signals
exits 0
has_calls "on_hup > spin 20 $((20 * $(spins 15)))
on_term > spin 10 $((10 * $(spins 16)))
on_usr1 > spin 40 $((40 * $(spins 12)))
on_usr2 > spin 60 $((30 * $(spins 13 14)))
signals > signals_raise 40
signals > spin 20 $((10 * $(spins 18 19)))
signals_raise > spin 20 $((20 * $(spins 17)))"

# relay() is called 10 times by main(), 5 of them with an exception, and once with one by nested().
program=exceptions
build "$scratch/exceptions" "$programs/exceptions.cpp" -g -O1
scene thrown
run --cache-sim=no --costgrind-out-file=p ../exceptions
exits 0
is "$scene: calls" "$(own_calls)" \
"Guard::~Guard > spin 17 $((17 * $(spins 2)))
cleaner > Guard::~Guard 11
cleaner > spin 5 $((5 * $(spins 5)))
cleaner > thrower 11
main > nested 1
main > recurse 1
main > relay 10
main > spin 11 $((5 * $(spins 11 12) + $(spins 13)))
nested > relay 1
nested > spin 3 $(spins 8 9 10)
nested > thrower 1
recurse > Guard::~Guard 1
recurse > recurse'2 1
recurse'2 > Guard::~Guard 5
recurse'2 > recurse'2 4
recurse'2 > thrower 1
relay > cleaner 11
relay > spin 11 $((5 * $(spins 6) + 6 * $(spins 7)))
thrower > spin 18 $((13 * $(spins 3) + 5 * $(spins 4)))"

done_testing
