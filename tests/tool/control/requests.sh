#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Client requests that give names to generated code, and that take memory out of the caches.
. "$top_srcdir/tests/lib.sh"

build generated "$top_srcdir/tests/programs/generated.c" -O1 -g -static -I"$top_srcdir" -I/usr/include/valgrind
caches="--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64"

# try_with NAME OPTIONS...: leaf(n) has 2 n + 2 instructions.
try_with() {
	try_name=$1
	shift
	# shellcheck disable=SC2086 # several options
	costgrind -q $caches "$@" --costgrind-out-file=p ./generated >out 2>err
	is "$try_name: messages" "$(sed 's/^==[0-9]*== //; s/0x[0-9a-f]*/ADDRESS/' err)" \
		"costgrind: COSTGRIND_NAME_CODE(ADDRESS, 0, \"nothing\"): expected a size above 0"
	is "$try_name: code and its names" \
		"$(python3 "$top_srcdir/tests/profile.py" calls p |
			awk -F '\t' '$2 == "call" { sub(/^0x.*/, "ADDRESS", $5); sub(/ .*/, "", $7); print $5, $6, $7 }')" \
		"ADDRESS 1 Ir=62
jit::again 1000 Ir=6000
jit::first 1003 Ir=4066
jit::page 2 Ir=64"
}

# misses FUNCTION
misses() {
	python3 "$top_srcdir/tests/asm/counts.py" functions p | grep "^$1:" | grep -oE '(D1|DL)mr=[0-9]+' |
		tr '\n' ' '
}

for engine in inline plain; do
	try_with $engine --engine=$engine
	is "$engine: cold" "$(misses touch_cold)" "D1mr=64 DLmr=64 "
	is "$engine: warm" "$(misses touch_warm)" ""
	is "$engine: evicted" "$(misses touch_evicted)" "D1mr=3 DLmr=3 "
done
try_with "write-back" --simulate-wb=yes
is "write-back: evicted" "$(misses touch_evicted)" "D1mr=3 DLmr=3 "
try_with "uses" --cacheuse=yes
is "uses: evicted" "$(misses touch_evicted)" "D1mr=3 DLmr=3 "
try_with "hot at once" --cold-runs=0 --call-tree=yes
done_testing
