#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The test build has the product's engine, and the product has no other.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build rep
for build in product oracle; do
	[ $build = product ] || use_oracle
	asm_run rep profile --branch-sim=yes --counting=valgrind
	# The environment has VALGRIND_LIB, which is not the same.
	sed '/^pid: /d; /^desc: Environment: /d' profile >$build
	is "$build: it counts" "$(grep -c '^summary: [1-9]' $build)" 1
done
is "the same profile" "$(cat oracle)" "$(cat product)"
is "the environment is as long" "${#ORACLE_LIB}" "$(echo "$ORACLE_LIB" | sed 's,oracle-tools$,valgrind-lib,' | tr -d '\n' | wc -c)"

# refused VALGRIND_LIB OPTION: the exit status and what is said.
refused() {
	VALGRIND_LIB=$1 "$VALGRIND" --tool=costgrind -q "$2" ./rep 2>refused.err
	echo "$? $(cat refused.err)"
}

product_lib=${ORACLE_LIB%oracle-tools}valgrind-lib
for engine in plain inline; do
	is "--engine=$engine in the product" "$(refused "$product_lib" --engine=$engine)" \
		"1 costgrind: --engine=$engine: the second engine is in the test build only (make oracle)"
done
is "no such engine" "$(refused "$ORACLE_LIB" --engine=fast)" "1 costgrind: --engine=fast: expected --engine=inline|plain"
VALGRIND_LIB=$ORACLE_LIB "$VALGRIND" --tool=costgrind -q --machine=zen4 --engine=plain --costgrind-out-file=plain ./rep
is "no cycles, which it does not count" "$(counts totals plain | grep -c Cy)" 0
done_testing
