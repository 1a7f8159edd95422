#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Instrumentation that starts in the midst of calls: with --stack-seed=yes the profile is, to the
# last count, the one of a run that saw these calls and set all to zero at that place.
. "$top_srcdir/tests/lib.sh"
use_oracle

# build_seeds NAME [FLAGS...]
build_seeds() {
	build_name=$1
	shift
	build "$build_name" "$top_srcdir/tests/programs/seeds.c" -g -pthread "$@" -I"$top_srcdir" \
		-I/usr/include/valgrind
}
build_seeds seeds -O2 -fno-optimize-sibling-calls -static
build_seeds seeds_tail -O2
build_seeds seeds_slow -O0 -static
build thrown "$top_srcdir/tests/programs/thrown.cpp" -O1 -g -static -I"$top_srcdir" \
	-I/usr/include/valgrind
strip -o seeds_nameless seeds_tail

profile() {
	python3 "$top_srcdir/tests/profile.py" "$@" 2>&1
}

# content FILE: costs of each line of each function, and of each call; but not how the dynamic
# linker, which is on no stack any more, came to the program's start, nor from which line of theirs
# functions of the C library came to another by a jump, if they did.
# shellcheck disable=SC2317 # called by its name
content() {
	profile cells "$1" && profile calls "$1" | awk -F '\t' '
		BEGIN { OFS = FS }
		$1 ~ /\/ld-linux/ && ($2 == "(below main)" || $5 == "(below main)") { next }
		$2 ~ /^(qsort|pthread_kill|pthread_join|__futex_abs|tail)/ { $3 = "" }
		{ print }'
}

# seen PROGRAM PLACE [OPTIONS...]: the profile ./seen; and the profile ./started, of a run that starts there.
seen() {
	seen_program=$1
	seen_place=$2
	shift 2
	costgrind -q --cache-sim=no "$@" --costgrind-out-file=seen "./$seen_program" "$seen_place" zero
}
started() {
	started_program=$1
	started_place=$2
	shift 2
	costgrind -q --cache-sim=no --instr-atstart=no "$@" --costgrind-out-file=started \
		"./$started_program" "$started_place" start
}

# compared HOW PROGRAM PLACE [OPTIONS...]: no difference, and something is there.
compared() {
	compared_how=$1
	shift
	rm -f seen started
	seen "$@" >seen.said 2>&1
	started "$@" >started.said 2>&1
	$compared_how seen >>seen.said
	$compared_how started >>started.said
	is "$*" "$(diff seen.said started.said)" ""
	[ "$(wc -l <started.said)" -gt 10 ] || not_ok "$*: a profile" "$(cat started.said)"
}

# All bytes after the header: instructions by their addresses, too.
# shellcheck disable=SC2317
body() {
	sed '1,/^summary:/d' "$1"
}
same() {
	compared body "$@"
}

# arcs FILE FUNCTION...: calls from and to these functions, with their counts and costs.
arcs() {
	arcs_file=$1
	shift
	profile calls "$arcs_file" | awk -F '\t' -v names=" $* " '
		index(names, " " $2 " ") && index(names, " " $5 " ") { print $2, $5, $6, $7 }'
}

for place in plain recursion mutual aligned growing inlined jump threads deep; do
	same seeds $place
done
same thrown -
same seeds_slow recursion
same seeds recursion --engine=plain
same seeds mutual --separate-callers=2 --separate-recs=5
same seeds recursion --call-tree=yes
same seeds inlined --inline=calls
same seeds recursion --fn-skip=recurse --skip-direct-rec=yes
same seeds mutual --fn-group1=odd --fn-group1=even
same seeds recursion --toggle-collect=inner
# Of handlers, threads and qsort(), the library makes tail calls.
compared content seeds_tail tail
compared content seeds_tail from_thread
compared content seeds library
compared content seeds signals
compared content seeds_slow alternate
compared content seeds_slow signal_jump
compared content seeds signals --collect-atstart=no --toggle-collect=handle_inner

# Without symbols, a function that was called through a pointer goes by where it is.
started seeds_nameless recursion
conserves "without symbols" started
# Without unwind information: nothing is known below, until it is returned to.
started seeds bare
conserves "without unwind information" started
is "... calls" "$(arcs started main around_bare bare bare_middle middle | cut -d' ' -f1-3)" \
"around_bare bare 1
bare bare_middle 1
bare_middle middle 1
main around_bare 1"
# As Callgrind has it: what is returned to is a call by what it is returned from; levels of recursion
# are not known, and the costs of main() are all that is known about it.
levels() {
	profile calls started | awk -F '\t' '$5 ~ /^recurse/ { print $2, $5, $6 }'
}
started seeds_slow recursion
is "levels of recursion" "$(levels)" "act recurse 1
recurse recurse'2 1
recurse'2 recurse'2 3"
started seeds_slow recursion --stack-seed=no
is "levels of recursion, unknown" "$(levels)" "act recurse 1
recurse recurse 4"
done_testing
