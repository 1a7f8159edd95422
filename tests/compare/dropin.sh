#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Under their names, the tool writes what Callgrind and Cachegrind write: Cachegrind's file
# byte for byte but for "cmd:", Callgrind's parts with the same sums. Each of the installed scripts reads
# these, and callgrind_control talks to it.
. "$top_srcdir/tests/lib.sh"

# Two directories of tools, of names of one length: the client's environment has them.
mkdir theirs
ln -s "$(readlink -f "$top_builddir/valgrind-lib/default.supp" | xargs dirname)"/* theirs/
ln -s "$top_builddir/valgrind-lib-dropin" dropin
mkdir files
touch -d "2020-01-01 00:00" files/one files/two files/three files
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 PYTHONHASHSEED=0

# run_both TOOL OPTIONS... PROGRAM...: leaves profiles theirs.* and dropin.*.
run_both() {
	run_tool=$1
	shift
	rm -f profile* theirs.* dropin.*
	for side in theirs dropin; do
		VALGRIND_LIB=$(unspaced "$PWD")/$side "$VALGRIND" --tool="$run_tool" --"$run_tool"-out-file=profile \
			"$@" >$side.stdout 2>$side.log
		echo "exit status $?" >>$side.stdout
		for file in profile*; do
			mv "$file" "$side.$file"
		done
	done
}

# said FILE: what is printed, but for copyright, messages about caches and numbers.  What Callgrind
# has collected lacks the last block.
said() {
	sed -e 's/^==[0-9]*== *//' -e '/^--/d' -e '/^Copyright/d' \
		-e 's/[0-9][0-9,]*\(\.[0-9]*\)\?/N/g' -e 's/\([:(+]\)  */\1 /g' -e '/^$/d' \
		-e 's/^\(Collected :\).*/\1/' "$1"
}

# flat NAME OPTIONS... PROGRAM...
flat() {
	flat_name=$1
	shift
	run_both cachegrind "$@"
	is "cachegrind, $flat_name" "$(diff theirs.profile dropin.profile 2>&1 | head -n 20)" ""
	is "cachegrind, $flat_name: messages" "$(said dropin.log)" "$(said theirs.log)"
	is "cachegrind, $flat_name: output" "$(cat dropin.stdout)" "$(cat theirs.stdout)"
}

build requests "$top_srcdir/tests/programs/callgrind_requests.c" -O1 -g
build threads "$top_srcdir/tests/programs/callgrind_threads.c" -O1 -g -pthread
caches="--I1=2048,2,32 --D1=4096,4,64 --LL=32768,8,64"
# Cachegrind's own last level, unless that is wrong.
detected=
core_misreads_caches && detected=--LL=8388608,16,64
# shellcheck disable=SC2086 # none or one
{
	flat "defaults" $detected ./requests
	flat "branches" $detected --branch-sim=yes ls -lA files
}
# What the last of them has is what the scripts say about it.
sum=$(sed -n 's/^summary: *//p' dropin.profile | xargs)
totals() {
	sed -n 's/ *([^)]*)//g; s/ *PROGRAM TOTALS.*//p' | tr -d , | xargs
}
bin=$VALGRIND_BIN
is "cg_annotate reads it" "$("$bin/cg_annotate" dropin.profile 2>&1 | totals)" "$sum"
grep -q '^desc:' dropin.profile || sed -i '1i desc: no caches' dropin.profile # cg_merge since 3.21 wants one
is "cg_merge reads it" "$("$bin/cg_merge" dropin.profile 2>/dev/null | sed -n 's/^summary: *//p' | xargs)" "$sum"
is "cg_diff reads it" "$("$bin/cg_diff" dropin.profile dropin.profile 2>&1 | sed -n 's/^summary: *//p' | xargs)" \
	"$(echo "$sum" | sed 's/[0-9][0-9]*/0/g')"
# shellcheck disable=SC2086 # several words
flat "small caches" $caches --branch-sim=yes sort "$top_srcdir/COPYING"
# shellcheck disable=SC2086 # none or one
flat "instructions only" $detected --cache-sim=no ls files
# shellcheck disable=SC2086 # none or one
flat "a shell" $detected --branch-sim=yes sh -c 'for i in 1 2 3; do echo $i; done'
# shellcheck disable=SC2086 # none or one
flat "perl" $detected perl -e 'print join(",", sort map { $_ * 7 % 13 } 1 .. 500)'

# sums SIDE: the "summary:" lines of all parts, with zeroes at their ends; and why they were written.
sums() {
	for file in "$1".profile*; do
		[ -s "$file" ] || continue # Callgrind's of no thread
		echo "${file#"$1".} $(sed -n 's/ 0\( 0\)*$//; s/^summary: //p; s/^part: /part /p; s/^desc: Trigger: //p' \
			"$file" | tr '\n' ' ')"
	done
}

# parts NAME OPTIONS... PROGRAM...
parts() {
	parts_name=$1
	shift
	run_both callgrind "$@"
	is "callgrind, $parts_name" "$(sums dropin)" "$(sums theirs)"
	is "callgrind, $parts_name: messages" "$(said dropin.log)" "$(said theirs.log)"
	is "callgrind, $parts_name: output" "$(cat dropin.stdout)" "$(cat theirs.stdout)"
}

# references SIDE: without misses.  When one thread ends and the other goes on is the kernel's
# choice, and then caches have other lines.
references() {
	sums "$1" | sed -E 's/ ([0-9]+ [0-9]+ [0-9]+)( [0-9]+)* $/ \1/'
}

# parts_by_thread NAME OPTIONS... PROGRAM...
parts_by_thread() {
	parts_name=$1
	shift
	# shellcheck disable=SC2086 # several words
	run_both callgrind $caches --separate-threads=yes "$@"
	is "callgrind, $parts_name" "$(references dropin)" "$(references theirs)"
}

# Without caches, Callgrind's parts lack the last block before they are written.
# shellcheck disable=SC2086
{
	parts "requests" $caches ./requests
	parts "branches" $caches --branch-sim=yes --dump-instr=yes ./requests
	parts "toggle" $caches --toggle-collect=mid ./requests
	parts "before" $caches --dump-before=mid ./requests
	parts "after" $caches --dump-after=recurse ./requests
	parts "zero" $caches --zero-before=recurse ./requests
	parts "collected later" $caches --collect-atstart=no ./requests
	parts_by_thread "threads" ./threads
	parts_by_thread "threads and functions" --dump-before=second --zero-before=third ./threads
	parts_by_thread "threads that collect nothing" --toggle-collect=second ./threads
	parts_by_thread "nothing collected" --collect-atstart=no ./threads
	parts "a program" $caches --branch-sim=yes ls -lA files
}
is "callgrind_annotate reads it" "$("$bin/callgrind_annotate" --show-percs=no dropin.profile 2>/dev/null | totals)" \
	"$(sed -n 's/^summary: *//p' dropin.profile | xargs)"

# misses_of_walk FILE: of D1, reads, in function walk().
misses_of_walk() {
	PYTHONDONTWRITEBYTECODE=1 python3 -c 'import sys
sys.path.insert(0, sys.argv[1])
import profile
print(sum(counts.get("D1mr", 0) for (function, _, _), counts in profile.read(sys.argv[2]).costs.items()
          if "walk" in function))' "$top_srcdir/tests" "$1"
}

# START empties the caches under Callgrind's name, but not under costgrind's own.  (Callgrind's
# "summary:" is 0 then.)
build restart "$top_srcdir/tests/programs/restart.c" -O1 -g
# shellcheck disable=SC2086
run_both callgrind $caches --D1=8192,4,64 ./restart
is "callgrind, START: misses" "$(misses_of_walk dropin.profile)" 128
is "callgrind, START: misses there" "$(misses_of_walk theirs.profile)" 128
# shellcheck disable=SC2086
VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" -q --tool=costgrind $caches --D1=8192,4,64 \
	--costgrind-out-file=own.profile ./restart
is "costgrind, START: misses" "$(misses_of_walk own.profile)" 64

# callgrind_control, on a program that takes as long as it needs.
build spin "$top_srcdir/tests/programs/spin.c" -O1 -g
control=$VALGRIND_BIN/callgrind_control
VALGRIND_LIB=$(unspaced "$PWD")/dropin "$VALGRIND" --tool=callgrind --callgrind-out-file=spin.out ./spin \
	>spin.stdout 2>spin.log &
pid=$!
trap 'kill $pid 2>/dev/null' EXIT
for _ in $(seq 100); do
	grep -q 'For interactive control' spin.log && break
	sleep 0.1
done
sleep 1

# controlled OPTIONS...: without the lines that name the process and the command.
controlled() {
	timeout 60 "$control" "$@" 2>&1 | sed -e '/^PID [0-9]*: /d; /^sending command/d' \
		-e 's/[0-9][0-9]*\(,[0-9][0-9]*\)*\([^0-9]\|$\)/N\2/g; s/  */ /g; /^ *$/d'
}
is "callgrind_control finds it" "$("$control" $pid)" "PID $pid: ./spin"
is "callgrind_control -s" "$(controlled -s $pid)" " Number of running threads: N, thread IDs: N
 Events collected: Ir
 Functions: N (executed N, contexts N)
 Basic blocks: N (executed N, call sites N)"
is "callgrind_control -b" "$(controlled -b $pid | grep -E 'Frame|main|outer' | head -n 5)" \
	" Frame: Backtrace for Thread N
 [ N] outer (N x)
 [ N] outer (N x)
 [ N] outer (N x)
 [ N] main (N x)"
is "callgrind_control -e" "$(controlled -e Ir $pid)" " Totals: Ir 
 Th N N "
is "callgrind_control -d" "$(controlled --dump=hint $pid) $(sed -n 's/^desc: Trigger: //p' spin.out.1)" \
	" OK. dump hint"
is "callgrind_control -z" "$(controlled -z $pid)" " OK."
is "callgrind_control -i off" "$(controlled -i off $pid)" " OK."
is "... and its state" "$(controlled -s $pid)" \
	" No information available as instrumentation is switched off."
is "callgrind_control -i on" "$(controlled --instr=on $pid)" " OK."
# The call that was under way when it was switched on has no count.
for _ in $(seq 50); do
	calls=$(controlled -b $pid | sed -n '1p; /work/p')
	case $calls in
	*"work (N x)"*) break ;;
	esac
	sleep 0.1
done
is "... and its calls" "$calls" \
	" Frame: Backtrace for Thread N
 [ N] work (N x)"
kill $pid
wait $pid 2>/dev/null
is "its last part" "$(sed -n 's/^part: //p' spin.out)" 2
done_testing
