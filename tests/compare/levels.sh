#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The caches of machines against a simulator in Python that goes by the rules alone (levels.py), on
# the references that another tool, lackey, has seen: the totals of all events are equal.
. "$top_srcdir/tests/lib.sh"

source=$top_srcdir/tests/programs/traced.c

# in_valgrind OPTION...: under a tool, with the same translation, environment and names in it, so that
# all addresses are the same.
in_valgrind() {
	env -i PATH=/usr/bin:/bin VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q \
		--vex-guest-chase=no --vex-iropt-unroll-thresh=0 "$@"
}

# machine NAME LEVEL...: a machine of small caches, in NAME.machine.
machine() {
	machine_name=$1
	shift
	printf '%s\n' "machine $machine_name" "line 64" "$@" >"$machine_name.machine"
}

# Levels whose sets are a power of two or not, of each relation; and the policies and
# relations of the processors that people have.
small="L1I 1K 2 lru"
machine nine "$small" "L1D 1K 2 lru" "L2 8K 4 lru nine" "L3 32K 8 lru nine"
machine odd "$small" "L1D 1K 2 lru" "L2 6K 4 lru nine" "L3 15K 5 lru nine"
machine inclusive "$small" "L1D 1K 4 lru" "L2 4608 3 lru inclusive" "L3 10K 5 lru inclusive"
machine victim "$small" "L1D 2K 4 lru" "L2 3K 3 lru nine" "L3 7K 7 lru victim"
machine four "$small" "L1D 1K 2 lru" "L2 3K 4 lru nine" "L3 3K 6 lru victim" "L4 18K 9 lru inclusive index=hash"
machine simple "$small" "L1D 1K 4 fifo" "L2 4K 8 mru inclusive" "L3 15K 5 fifo nine index=hash:7"
machine zen "L1I 1K 4 plru" "L1D 1K 4 plru" "L2 4K 8 plru inclusive" "L3 8K 16 plru victim"
machine lake "L1I 1K 8 plru" "L1D 1536 12 lru3plru4" "L2 4K 8 qlru_h00_m1_r0_u1 nine" \
	"L3 12K 16 qlru_h00_m1_r0_u1 inclusive index=hash"
machine server "L1I 1K 8 plru" "L1D 1K 8 plru" "L2 4K 16 qlru_h00_m1_r0_u1 nine" \
	"L3 7744 11 qlru_h11_m1_r0_u0 victim index=hash"
of_relations="nine odd inclusive victim four simple zen lake server"

# Caches of one set, each larger than the one before.
growing=
for ways in 16 24 32 64 128 256 512; do
	machine full$ways "$small" "L1D 1K 2 lru" "L2 $((ways * 64)) $ways lru nine" "L3 64K 8 lru nine"
	growing="$growing full$ways"
done

# totals MACHINE OPTION...: of a run on it.
totals() {
	totals_machine=$1
	shift
	in_valgrind --tool=costgrind --counting=valgrind --cycles=no --costgrind-out-file="$totals_machine.out" \
		--machine="$totals_machine.machine" "$@" >"$totals_machine.stdout" 2>"$totals_machine.err" ||
		cat "$totals_machine.err"
	python3 "$top_srcdir/tests/profile.py" totals "$totals_machine.out" 2>&1
}

# agrees PROGRAM MACHINE...: on each of the machines.
agrees() {
	agrees_program=$1
	shift
	in_valgrind --tool=lackey --trace-mem=yes --log-file=trace "./$agrees_program" \
		"$agrees_program" >lackey.stdout 2>lackey.err
	printf '%s.machine\n' "$@" | xargs python3 "$top_srcdir/tests/compare/levels.py" trace 2>levels.err
	is "$agrees_program: a trace, and what comes of it" "$? $(cat levels.err)" "0 "
	for name; do
		is "$agrees_program, $name" \
			"$(totals "$name" --write-back=yes "./$agrees_program" "$agrees_program")" \
			"$(cat "$name.want")"
		# Without write-back and relations, other parts of the tool serve.
		case $name in nine | odd | lake)
			is "$agrees_program, $name, without write-back" \
				"$(totals "$name" "./$agrees_program" "$agrees_program")" \
				"$(sed '/^Wb /d' "$name.want")"
			;;
		esac
	done
	rm trace
}

build tree "$source" -O2 -static
build matrix "$source" -O2 -static
build sort "$source" -O2 # the dynamic linker's references, too
# shellcheck disable=SC2086 # lists of machines
{
	agrees tree $of_relations $growing
	agrees matrix $of_relations
	agrees sort $of_relations
}

# misses EVENT MACHINE...: the event's counts.
misses() {
	misses_event=$1
	shift
	for name; do
		sed -n "s/^$misses_event //p" "$name.counts"
	done
}

# Each line that a fully associative cache of LRU has, a larger one has too.
for name in $growing; do
	python3 "$top_srcdir/tests/profile.py" totals "$name.out" >"$name.counts"
done
for event in L2ir L2dr L2dw; do
	# shellcheck disable=SC2086 # a list of machines
	counts=$(misses $event $growing)
	is "misses fall as a cache of one set grows: $event" "$counts" "$(echo "$counts" | sort -rn)"
	is "... and there are fewer: $event" \
		"$(($(echo "$counts" | head -n 1) > $(echo "$counts" | tail -n 1)))" 1
done

done_testing
