#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which bytes of a line --sharing=yes compares: of blocks that are given out again, of references to two lines, of threads on
# one core.  Barriers make threads take turns; each turn moves a line by a read and by a write.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program cores -pthread -O1

caches="--cache-sim=yes --machine=generic --sharing=yes"

# way NAME: a run.
way() {
	scene "$1"
	run --costgrind-out-file=p ../cores "$1"
	exits 0
}

# of_count EVENT: its sum in the function that counts.
of_count() {
	profile cells p | awk -F '\t' -v event="$1" '
		$2 == "count" {
			n = split($4, words, " ")
			for (i = 1; i <= n; i++)
				if (sub("^" event "=", "", words[i]))
					sum += words[i]
		}
		END { print sum + 0 }'
}

way reused
is "reused: a new block leaves its neighbour's bytes as they are" "$(of_count DshF) $(of_count DshT)" \
	"0 $((100 * 2 + 99 * 2))"

way across
is "across: the line that moved, if the reference has two" \
	"$(sed -n 's/^desc: Shared lines: \([^,]*\),.*, \([^,]*\) | across | .*/\1 \2/p' data.p.costgrind | sort)" \
	"396 false 1 lines at 64
4 false 1 lines at 0"

caches="$caches --cores=2"
way one-core
is "one core: what a thread did before its core lost the line is over" "$(of_count DshF) $(of_count DshT)" \
	"$((100 * 2 + 98 * 2)) 2"

done_testing
