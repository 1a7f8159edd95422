#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What no simulation here sees, as large as docs/SIMULATION.md says.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program limits -O1 -static -pthread

# misses EVENT FUNCTION OPTIONS... MODE: of what a function reads by a volatile pointer.
misses() {
	event=$1
	function=$2
	shift 2
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q $caches --dump-instr=no --costgrind-out-file=limits.out "$@" 2>limits.err
	line=$(grep -n "volatile char.*$(echo "$function" | sed 's/walk_pages/frames/; s/walk_own/memory/')" \
		"$programs/limits.c" | cut -d: -f1)
	python3 "$top_srcdir/tests/profile.py" cells limits.out | awk -F '\t' -v event="$event" \
		-v name="$function" -v line="$line" '
	$2 == name && $3 == line && match($NF, event "=[0-9]+") {
		sum += substr($NF, RSTART + length(event) + 1, RLENGTH - length(event) - 1)
	}
	END { print sum + 0 }'
}

# A way of LL is 16 pages, so pages whose numbers are equal modulo 16 share sets, which have 16
# ways.  More than that push each other out, all of them each time.
uneven=$(python3 "$top_srcdir/tests/tool/counts/uneven_pages.py")
is "pages side by side: each line misses LL once" \
	"$(misses DLmr walk_pages ./limits even)" $((240 * 64))
is "pages anywhere" "$(misses DLmr walk_pages ./limits uneven)" "$uneven"
# Each thread goes over its memory in less than 400,000 blocks, so at most 4 times 100,000 at a time
# and what is left: the other's lines may have gone at each of 9 changes, as often as the core makes
# them, or at none.
once=$((24 * 1024 / 64))
got=$(misses D1mr walk_own ./limits threads)
if [ "$got" -ge $((2 * once)) ] && [ "$got" -le $((2 * once + 9 * once)) ]; then
	ok "threads: each line misses D1 once, and at a change of threads once more at most"
else
	not_ok "threads: each line misses D1 once, and at a change of threads once more at most" "$got"
fi

done_testing
