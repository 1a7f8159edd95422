#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --collect-alloc=yes: what functions allocate, by hand (tests/programs/allocations.c); that all of it adds up; that no
# other count is another one; and, of real programs, what memcheck says.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

exact="-O1 -fno-builtin -fno-inline-functions-called-once"
# shellcheck disable=SC2086 # several options in one variable
build_program allocations $exact -foptimize-sibling-calls -pthread
# shellcheck disable=SC2086
build "$scratch/allocations_static" "$programs/allocations.c" -g -gdwarf-4 $exact -foptimize-sibling-calls \
	-pthread -static
build "$scratch/objects_new" "$programs/objects_new.cpp" -g -gdwarf-4 -O1

# allocated FUNCTION PROFILE: blocks, bytes and blocks freed of all calls of it.
allocated() {
	profile calls "$2" | awk -F '\t' -v function_name="$1" '
		{ sub(/'"'"'[0-9]*$/, "", $5); caller = $2; sub(/'"'"'[0-9]*$/, "", caller) }
		$5 == function_name && caller != function_name {
			n = split($7, words, " ")
			for (i = 1; i <= n; i++) {
				split(words[i], pair, "=")
				sums[pair[1]] += pair[2]
			}
		}
		END { printf "%d %d %d\n", sums["allocCount"], sums["allocSize"], sums["freeCount"] }'
}

# all FILE FUNCTION...: a line for each of them.
all() {
	all_file=$1
	shift
	for all_function; do
		printf '%s %s\n' "$all_function" "$(allocated "$all_function" "$all_file")"
	done
}

want="simple 1 100 1
kinds 5 5309 5
reallocations 4 675 4
failures 1 8 1
nothing 1 0 1
recursion 10 55 10
tails 1 30 1
tail 1 30 0
jumps 1 40 1
handlers 0 0 1
stacks 0 0 0
on_stack 1 1 1
pools 0 0 0"
functions="simple kinds reallocations failures nothing recursion tails tail jumps handlers stacks on_stack pools"

# check NAME PROGRAM OPTIONS...: with these options.
check() {
	check_name=$1
	check_program=$2
	shift 2
	scene "$check_name"
	run -q --collect-alloc=yes --costgrind-out-file=p "$@" "$scratch/$check_program"
	exits 0
	# shellcheck disable=SC2086 # several functions
	is "$check_name: by function" "$(all p $functions)" "$want"
	conserves "$check_name: sums" --roots 3 p # a handler, and another stack
}

for engine in inline plain; do
	check "list-$engine" allocations --engine=$engine --cache-sim=no
	check "caches-$engine" allocations --engine=$engine
	check "static-$engine" allocations_static --engine=$engine --cache-sim=no
done
check tree allocations --cache-sim=no --call-tree=yes
check recs allocations --cache-sim=no --separate-recs=1
check plt allocations --cache-sim=no --skip-plt=no
check data allocations --data=yes
check calls allocations --cache-sim=no --inline=calls
is "where it is: the allocator" "$(profile cells ../list-inline/p | awk -F '\t' '$4 ~ /alloc(Count|Size)=/ { print $2 }' |
	grep -v -e memalign -e aligned | sort -u | tr '\n' ' ')" "calloc malloc realloc reallocarray valloc "

scene callers
run -q --collect-alloc=yes --cache-sim=no --separate-callers=1 --costgrind-out-file=p ../allocations
is "callers: totals" "$(profile totals p | grep -v -e Ir -e Rep)" "$(profile totals ../list-inline/p | grep -v -e Ir -e Rep)"
conserves "callers: sums" --roots 3 p

scene own
run -q --collect-alloc=yes --cache-sim=no --alloc-fn=pool_take:size=2 --costgrind-out-file=p ../allocations
is "own allocator" "$(all p pools pool_take)" "pools 2 300 0
pool_take 2 300 0"

# Each is said once, whether allocations, data or both ask for it.
for asks in "--collect-alloc=yes --data=no" "--collect-alloc=yes --data=yes" "--data=yes"; do
	scene "unmatched $asks"
	# shellcheck disable=SC2086 # several options
	run $asks --cache-sim=yes --alloc-fn=pool_take:size=2 --alloc-fn='pool_got*:size=1' --alloc-fn=grab:size=1 \
		--costgrind-out-file=p ../allocations
	is "$asks: own allocator that was not seen" "$(sed -n 's/^==[0-9]*== costgrind: \(.*such a name\)$/\1/p' "$scratch/$scene.err")" \
		"--alloc-fn=pool_got*:size=1: no function that was run has such a name
--alloc-fn=grab:size=1: no function that was run has such a name"
done

scene left
run -q --collect-alloc=yes --cache-sim=no --fn-skip=malloc --costgrind-out-file=p ../allocations
is "skipped: the caller's" "$(profile cells p | awk -F '\t' '$2 == "leaf" { print $4 }' | tr ' ' '\n' | grep allocCount)" \
	"allocCount=13"

# Only what runs while collected counts.
scene toggled
run -q --collect-alloc=yes --cache-sim=no --toggle-collect=kinds --costgrind-out-file=p ../allocations
is "toggled" "$(profile totals p | grep -v -e Ir -e Rep | tr '\n' ' ')" \
	"allocCount 5 allocSize 5309 freeCount 5 "
scene parts
run -q --collect-alloc=yes --cache-sim=no --dump-before=kinds --dump-after=kinds --costgrind-out-file=p ../allocations
is "parts: kinds" "$(profile totals p.2 | grep -v -e Ir -e Rep | tr '\n' ' ')" \
	"allocCount 5 allocSize 5309 freeCount 5 "
for event in allocCount allocSize freeCount; do
	is "parts: $event" "$(for part in p p.*; do profile totals "$part"; done |
		awk -v event=$event '$1 == event { sum += $2 } END { print sum }')" \
		"$(profile totals ../list-inline/p | sed -n "s/^$event //p")"
done

scene threads
run -q --collect-alloc=yes --cache-sim=no --costgrind-out-file=p ../allocations threads
is "threads: another one frees" "$(all p thread)" "thread 1 77 1"

# --- C++ ---

for engine in inline plain; do
	scene cpp-$engine
	run -q --collect-alloc=yes --cache-sim=no --engine=$engine --costgrind-out-file=p ../objects_new
	is "$scene" "$(all p 'singles()' 'arrays()' 'others()' 'placed()' 'thrown()')" "singles() 1 40 1
arrays() 1 120 1
others() 2 168 2
placed() 0 0 0
thrown() 0 0 1" # the exception, for which operator new itself has allocated
	is "$scene: the outermost" "$(profile cells p | awk -F '\t' '
		$2 == "operator new(unsigned long)" || $2 == "operator new[](unsigned long)" { print $2, $4 }' |
		sed 's/ Ir=[0-9]*//' | grep alloc)" "operator new(unsigned long) allocCount=1 allocSize=40
operator new[](unsigned long) allocCount=1 allocSize=120"
done

# --- nothing else changes ---

scene others
run -q --costgrind-out-file=without ../allocations
run -q --collect-alloc=yes --costgrind-out-file=with ../allocations
profile cells without >without.cells
is "no other count is another one" "$(profile cells with | sed 's/ alloc[A-Z][a-z]*=[0-9]*//g; s/ freeCount=[0-9]*//' |
	cmp - without.cells 2>&1)" ""

# --- against memcheck ---

# memcheck PROGRAM...: blocks, bytes, blocks freed.
memcheck() {
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=memcheck --run-libc-freeres=no --run-cxx-freeres=no "$@" 2>&1 >/dev/null |
		sed -n 's/,//g; s/.*total heap usage: \([0-9]*\) allocs \([0-9]*\) frees \([0-9]*\) bytes.*/\1 \3 \2/p'
}

# ours PROGRAM...: the same.
ours() {
	costgrind -q --collect-alloc=yes --cache-sim=no --costgrind-out-file=ours.out "$@" 2>&1 >/dev/null | cat >&2
	profile totals ours.out | sed -n 's/^\(allocCount\|allocSize\|freeCount\) //p' | tr '\n' ' ' | sed 's/ $//'
}

scene memcheck
if [ -n "$(memcheck true)" ]; then
	is "memcheck: list" "$(ours "$scratch/allocations" threads)" "$(memcheck "$scratch/allocations" threads)"
	if command -v sqlite3 >/dev/null; then
		set -- sqlite3 :memory: "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1
			from c where x < 500) insert into t select x, x * x from c; select sum(b) from t group by a % 10"
		is "memcheck: sqlite3" "$(ours "$@")" "$(memcheck "$@")"
	else
		skip "memcheck: sqlite3" "no sqlite3"
	fi
else
	skip "memcheck" "no memcheck"
fi

done_testing
