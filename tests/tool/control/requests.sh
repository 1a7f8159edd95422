#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Client requests that give names to generated code, that take memory out of the caches, and that count.
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

# -- counters ------------------------------------------------------------------------------

build counter "$top_srcdir/tests/programs/counter.c" -O1 -g -static -pthread -I"$top_srcdir" -I/usr/include/valgrind
# counter OPTIONS... -- WORDS...: what the program prints.
counter() {
	counter_options=
	while [ "$1" != -- ]; do
		counter_options="$counter_options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # several options
	costgrind -q $caches $counter_options --costgrind-out-file=p ./counter "$@"
}
for engine in inline plain; do
	for threads in no yes; do
		is "$engine, --separate-threads=$threads: dumps and zeroes do not change counters" \
			"$(counter --engine=$engine --separate-threads=$threads -- requests | uniq -c | awk '{ print $1, ($2 > 0) }')" "6 1"
	done
	is "$engine: a thread's counter begins with it" "$(counter --engine=$engine -- threads)" "1
1"
	# Empty caches miss.  The sums that profiles define: EstCyc = Ir + Dr + Dw + 4 of L1's misses + 30 of LL's.
	counter --engine=$engine -- events Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Drefs L1m LLm L1hit LLhit RAMhit EstCyc >counts
	is "$engine: derived events" "$(awk '{ n[$1] = $2 } END {
		l1 = n["I1mr"] + n["D1mr"] + n["D1mw"]; ll = n["ILmr"] + n["DLmr"] + n["DLmw"]
		refs = n["Ir"] + n["Dr"] + n["Dw"]
		print (ll > 0), n["Drefs"] - n["Dr"] - n["Dw"], n["L1m"] - l1, n["LLm"] - ll, n["L1hit"] - refs + l1,
			n["LLhit"] - l1 + ll, n["RAMhit"] - ll, n["EstCyc"] - refs - 4 * l1 - 30 * ll }' counts)" \
		"1 0 0 0 0 0 0 0"
done
is "events that are not counted" "$(counter --cache-sim=no -- events L1hit EstCyc Cyc Bm Drefs L1m)" \
	"L1hit -1
EstCyc -1
Cyc -1
Bm -1
Drefs -1
L1m -1"
if has_decoder; then
	counter --counting=architectural --machine=zen4 --cycles=yes -- events CyBase CyDep CyFe CyBr CyMem CyTlb Cyc >counts
	is "cycles, in tenths" "$(awk '$1 != "Cyc" { sum += $2 } END { print (sum > 0), $2 - sum }' counts)" "1 0"
else
	skip "cycles, in tenths" "built without a decoder"
fi
done_testing
