#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Locks (--sharing=yes): how often each was taken, by whom, and how much ran while it was held.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program locks -pthread -O1

# The dynamic linker's work would count as done under the lock.
export LD_BIND_NOW=1

# locks OPTION...: a run.
locks() {
	run --costgrind-out-file=p --cache-sim=yes --machine=generic --sharing=yes "$@" ./locks
	exits 0
}

# lock NAME FIELD...: those fields of the lock's lines.
lock() {
	name=$1
	shift
	sed -n 's/^desc: Lock: //p' data.p.costgrind | awk -F ' [|] ' -v name="$name" -v fields="$*" '
		$1 == name {
			n = split(fields, field, " ")
			for (i = 1; i <= n; i++)
				printf "%s%s", $field[i], i < n ? " " : "\n"
		}'
}

# sites NAME: lines, functions and acquisitions of the places that took the lock.
sites() {
	awk -v name="$1" '
		/^desc: Lock: / { wanted = index($0, "desc: Lock: " name " | ") == 1 }
		/^desc: Lock at: / && wanted { sub(/.*locks\.c:/, ""); print }' data.p.costgrind
}

line=$(grep -n 'pthread_mutex_lock(&many)' "$top_srcdir/tests/programs/locks.c" | cut -d: -f1)
locks
# To unlock takes its argument, a call and a jump through a table.
each=103
is "four threads: each acquisition, and what ran under it" "$(lock many 3 4 7 8)" \
	"mutex 80000 $((80000 * each)) $each"
is "four threads: the place" "$(sites many)" "$line | take_many | 80000 | $((80000 * each)) | $each"
is "four threads: it changed hands" "$([ "$(lock many 5)" -ge 3 ] && echo yes)" yes
is "all instructions" "$(lock many 9)" "$(sed -n 's/^summary: \([0-9]*\).*/\1/p' p)"
is "recursive: the outermost" "$(lock nested 3 4)" "mutex 5"
is "a lock that others only tried" "$(lock tried 4 5 6)" "1 0 10"
is "readers and a writer" "$(lock shared 3 4)" "rwlock 4"
is "spin lock: what ran under it" "$(lock spin 3 4 7)" "spin lock 7 $((7 * (1000 + 3)))"
is "destroyed and made again: two locks" "$(lock remade 4)" "1
1"
is "in the heap: named by who allocated it" "$(sed -n 's/^desc: Lock: \(main locks.c:[0-9]*, 40 B | .heap. | mutex | 1\) .*/\1/p' \
	data.p.costgrind)" "main locks.c:$(grep -n malloc "$top_srcdir/tests/programs/locks.c" | cut -d: -f1), 40 B | [heap] | mutex | 1"
waits=$(sites waited | awk -F ' [|] ' '$2 == "wait_for_it" { sum += $3 } END { print sum }')
is "a wait releases the lock, and takes it again" "$(lock waited 4)" "$((waits + 1))"

# Other turns change who takes a lock when, but not what runs under it.
locks --slice=500
is "other turns: the same work" "$(lock many 4 7 8)" "80000 $((80000 * each)) $each"

done_testing
