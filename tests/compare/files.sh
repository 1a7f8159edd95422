#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What options change in a file, and that they change no count.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

caches="--I1=2048,2,32 --D1=4096,4,128 --LL=32768,8,64"

build "$scratch/t" t.c -g -O1 -static
build "$scratch/throw" ex.cpp -g -O1 # with libraries
build "$scratch/shared" t.c -g -O1
build "$scratch/inl" inl.c -g -O1 -static

# profiled FILE PROGRAM [OPTIONS...]
profiled() {
	profiled_out=$1
	profiled_program=$2
	shift 2
	# shellcheck disable=SC2086 # several options
	costgrind -q --costgrind-out-file="$profiled_out" $caches "$@" "./$profiled_program" \
		>/dev/null 2>"$profiled_out.log" && return
	not_ok "$profiled_program $*: exit status $?" "$(cat "$profiled_out.log")"
}

# without_pid FILE: with the number in that line masked, and nothing else.
without_pid() {
	sed 's/^pid: [0-9][0-9]*$/pid: N/' "$1"
}

# without_lines: of cells read from standard input, the sums by file and function.
without_lines() {
	awk -F '\t' '
		{
			key = $1 "\t" $2
			n = split($4, words, " ")
			for (i = 1; i <= n; i++) {
				split(words[i], count, "=")
				sum[key, count[1]] += count[2]
				keys[key]
			}
		}
		END {
			n = split("Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim", events, " ")
			for (key in keys) {
				line = ""
				for (i = 1; i <= n; i++)
					if (sum[key, events[i]])
						line = line (line == "" ? "" : " ") events[i] "=" sum[key, events[i]]
				print key "\t0\t" line
			}
		}' | sort
}

# unchanged PROGRAM OPTIONS...: the same counts as in the file "PROGRAM".
unchanged() {
	name=$*
	program=$1
	shift
	profiled other "$program" --branch-sim=yes "$@"
	is "$name: totals" "$(profile totals other)" "$(profile totals "$program.profile")"
	is "$name: cells" "$(profile cells other)" "$(profile cells "$program.profile")"
	annotates "$name" other
}

for program in t throw inl; do
	profiled "$program.profile" "$program" --branch-sim=yes
	annotates "$program" "$program.profile"
	profiled again "$program" --branch-sim=yes
	without_pid "$program.profile" >first
	without_pid again >second
	is "$program: the same bytes" "$(diff first second)" ""

	unchanged "$program" --dump-instr=no
	unchanged "$program" --compress-strings=no
	unchanged "$program" --compress-pos=no
	unchanged "$program" --compress-strings=no --compress-pos=no
	unchanged "$program" --dump-instr=no --compress-strings=no --compress-pos=no

	profiled other "$program" --branch-sim=yes --dump-line=no
	is "$program --dump-line=no: totals" "$(profile totals other)" \
		"$(profile totals "$program.profile")"
	is "$program --dump-line=no: cells" "$(profile cells other | without_lines)" \
		"$(profile cells "$program.profile" | without_lines)"
	is "$program --dump-line=no: lines" "$(profile cells other | cut -f 3 | sort -u)" 0
	is "$program --dump-line=no: instructions" "$(profile insns other | cut -f 1-3,5)" \
		"$(profile insns "$program.profile" | cut -f 1-3,5)"
	# Of a profile without lines, Callgrind's too, it cannot annotate sources without complaining.
	annotates --auto=no "$program --dump-line=no" other
done

# --- which events, and that each is Cachegrind's whatever else is counted ---

# counted CACHE-SIM BRANCH-SIM EVENTS
counted() {
	name="--cache-sim=$1 --branch-sim=$2"
	profiled other shared --cache-sim="$1" --branch-sim="$2" --skip-plt=no --separate-recs=1 --names=core
	# shellcheck disable=SC2086 # several options
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=cachegrind -q --vex-guest-chase=no $caches \
		--cache-sim="$1" --branch-sim="$2" --cachegrind-out-file=reference ./shared \
		>/dev/null 2>reference.log
	is "$name: events" "$(sed -n 's/^events: //p' other)" "$3"
	is "$name: totals" "$(profile totals other | sort)" "$(profile totals reference | sort)"
	is "$name: cells" "$(profile cells other | sorted_counts)" \
		"$(profile cells reference | sorted_counts)"
	annotates "$name" other
}

# sorted_counts: of cells read from standard input, a line for each count; code without a symbol
# is ???, not called by its address.
sorted_counts() {
	awk -F '\t' '
		{
			sub(/^0x[0-9a-f]+( \[PLT\])?$/, "???", $2)
			n = split($4, words, " ")
			for (i = 1; i <= n; i++) {
				split(words[i], count, "=")
				sum[$1 "\t" $2 "\t" $3 " " count[1]] += count[2]
			}
		}
		END { for (key in sum) printf "%s=%.0f\n", key, sum[key] }' | sort
}

caches_only="Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw"
branches="Bc Bcm Bi Bim"
counted no no "Ir"
counted no yes "Ir $branches"
counted yes no "$caches_only"
counted yes yes "$caches_only $branches"

done_testing
