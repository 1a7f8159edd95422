#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --collect-faults=yes: first touches of pages, by hand (tests/programs/pages.c), in both engines, whatever is simulated; as
# many as the kernel has; and no other count is another one.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

build_program pages -O1 -fno-optimize-sibling-calls -static

# touched FILE FUNCTION...: a line for each.
touched() {
	touched_file=$1
	shift
	for touched_function; do
		profile calls "$touched_file" | awk -F '\t' -v function_name="$touched_function" '
			$5 == function_name && match($7, /Pg=[0-9]*/) {
				sum += substr($7, RSTART + 3, RLENGTH - 3)
			}
			END { printf "%s %d\n", function_name, sum }'
	done
}

functions="first reading again discarded moved protected breaks straddling faulting execute"
want="first 12
reading 5
again 12
discarded 5
moved 2
protected 1
breaks 16
straddling 2
faulting 1
execute 1"
small="--D1=1024,2,64 --I1=1024,2,64"
tlbs="--tlb-sim=yes --machine=skylake-client"
case "$("$top_builddir/costgrind" machine list 2>/dev/null)" in
*skylake-client*) ;;
*) tlbs="--tlb-sim=yes" ;;
esac

# check NAME OPTIONS...
check() {
	check_name=$1
	shift
	scene "$check_name"
	run -q --collect-faults=yes --costgrind-out-file=p "$@" ../pages
	exits 0
	# shellcheck disable=SC2086 # several functions
	is "$check_name: by function" "$(touched p $functions)" "$want"
	conserves "$check_name: sums" --roots 2 p
}

for engine in inline plain; do
	check "list-$engine" --engine=$engine
	# shellcheck disable=SC2086 # several options in one variable
	check "small-$engine" --engine=$engine $small
	check "data-$engine" --engine=$engine --data=yes
	is "$engine: where" "$(profile cells ../list-$engine/p | awk -F '\t' '$2 == "write_pages" && match($4, /Pg=[0-9]*/) {
		sum += substr($4, RSTART + 3, RLENGTH - 3) } END { print sum }')" "$((12 + 12 + 5 + 2 + 1 + 16))"
done
scene engines
run -q --collect-faults=yes --costgrind-out-file=p --engine=inline ../pages
run -q --collect-faults=yes --costgrind-out-file=q --engine=plain ../pages
is "engines agree" "$(profile cells p)" "$(profile cells q)"
check cold --cold-runs=0
check called --inline-data=no --inline-fetches=no
check tree --call-tree=yes
check wb --simulate-wb=yes
check classes --miss-classes=yes
# shellcheck disable=SC2086
scene tlbs && costgrind -q $tlbs --collect-faults=yes --costgrind-out-file=p ../pages
# shellcheck disable=SC2086
is "tlbs: by function" "$(touched p $functions)" "$want"
# shellcheck disable=SC2086
costgrind -q $tlbs --costgrind-out-file=without ../pages
profile cells without >without.cells
is "tlbs: no other count is another one" "$(profile cells p | sed 's/ Pg=[0-9]*//' | cmp - without.cells 2>&1)" ""

scene others
run -q --costgrind-out-file=without ../pages
run -q --collect-faults=yes --costgrind-out-file=p ../pages
profile cells without >without.cells
is "no other count is another one" "$(profile cells p | sed 's/ Pg=[0-9]*//' | cmp - without.cells 2>&1)" ""

scene child
run -q --collect-faults=yes --costgrind-out-file=p ../pages child
is "a child has its parent's" "$(touched "$(echo p-*)" child)" "child 1"

scene own
is "as many as the kernel's minor faults" "$("$scratch/pages" own)" "$(touched ../list-inline/p first | cut -d' ' -f2)"

scene without_caches
run --collect-faults=yes --cache-sim=no --costgrind-out-file=p ../pages
is "without caches" "$(grep -c 'simulating the caches' "$scratch/$scene.err")" 1

done_testing
