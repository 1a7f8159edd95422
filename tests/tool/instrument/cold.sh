#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Code that is cold at first, where another translation of it is in the way: functions that are
# redirected to wrappers, which call them.  (engines.sh compares everything else.)
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

build_program wrapped

costgrind -q --engine=plain --costgrind-out-file=plain ./wrapped 300 >plain.text 2>plain.err
is "plain engine: what the program says" "$(cat plain.text)" "300 300 89700"
for runs in 0 1 5 100 149 150; do
	costgrind -q --cold-runs=$runs --costgrind-out-file=cold ./wrapped 300 >cold.text 2>cold.err
	is "cold for $runs runs: exit status" $? 0
	is "cold for $runs runs: what the program says" "$(cat cold.text)" "300 300 89700"
	is "cold for $runs runs: errors" "$(cat cold.err)" ""
	is "cold for $runs runs: the same counts" "$(sed '/^pid: /d; /^cmd: /d' cold)" \
		"$(sed '/^pid: /d; /^cmd: /d' plain)"
done

# Code without symbols that is of another unit when it is translated again.
build moved "$top_srcdir/tests/programs/moved.S" -nostdlib -static
costgrind -q --engine=plain --costgrind-out-file=plain ./moved 2>plain.err
for runs in 0 1 2 3 4 5 97 98 99 100 101 102 198 200; do
	costgrind -q --cold-runs=$runs --costgrind-out-file=cold ./moved 2>cold.err
	is "another unit, cold for $runs runs: errors" "$(cat cold.err)" ""
	is "another unit, cold for $runs runs: the same counts" "$(sed '/^pid: /d; /^cmd: /d' cold)" \
		"$(sed '/^pid: /d; /^cmd: /d' plain)"
done

# ... after it was discarded together with another block.
build libtaken_along_by.so "$top_srcdir/tests/programs/taken_along_by.S" -nostdlib -shared
build taken_along "$top_srcdir/tests/programs/taken_along.S" -nostdlib ./libtaken_along_by.so -Wl,-rpath,.
costgrind -q --engine=plain --costgrind-out-file=plain ./taken_along 2>plain.err
for runs in 0 1 2 5 10 50 200; do
	costgrind -q --cold-runs=$runs --costgrind-out-file=cold ./taken_along 2>cold.err
	is "taken along, cold for $runs runs: errors" "$(cat cold.err)" ""
	is "taken along, cold for $runs runs: the same counts" "$(sed '/^pid: /d; /^cmd: /d' cold)" \
		"$(sed '/^pid: /d; /^cmd: /d' plain)"
done

# ... as it happens in a large program: functions of Python's that another object jumps to.
if costgrind -q --deterministic=yes --cpu=avx2+rdrand --cache-sim=no --costgrind-out-file=python \
	/usr/bin/python3 -c 'import hashlib' 2>python.err; then
	is "another unit, Python" "$(cat python.err)" ""
elif grep -q 'only where the processor has' python.err; then
	skip_here "another unit, Python" "$(tail -n 1 python.err)"
else
	is "another unit, Python" "$(cat python.err)" ""
fi

# A branch is predicted before what comes after it faults.
build waiting_branch "$top_srcdir/tests/programs/waiting_branch.S" -nostdlib -static
for counting in valgrind architectural; do
	for engine in plain inline; do
		costgrind -q --engine=$engine --counting=$counting --branch-sim=yes \
			--costgrind-out-file=$engine ./waiting_branch 2>$engine.err
		is "a branch before a fault, $counting, $engine: errors" "$(cat $engine.err)" ""
	done
	is "a branch before a fault, $counting: the same counts" "$(sed '/^pid: /d; /^cmd: /d' inline)" \
		"$(sed '/^pid: /d; /^cmd: /d' plain)"
done

done_testing
