#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The summary at the end of a run is Cachegrind's, in text and numbers, plus one line.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

# Not linked dynamically: ld.so looks at bytes after the end of LD_PRELOAD, which are random, and
# with very small caches one sees where that leads it.
build_program script -static
build_program no_data -nostdlib -static

# without_pid FILE: messages; the pid must be the same in all lines.
without_pid() {
	awk '
		NR == 1 { prefix = $1 " " }
		index($0, prefix) != 1 { print "another prefix: " $0; next }
		{ print substr($0, length(prefix) + 1) }' "$1"
}

# From 3.21 on Cachegrind writes "I refs:  " for "I   refs:"; under its own name this tool does not.
cachegrind_summary() {
	grep -v '^--' "$1" >summary.txt
	without_pid summary.txt | sed '1,/^$/d; s/^\([ID]\) refs:  /\1   refs:/'
}

machine="Machine:       cachegrind, two levels of LRU, as Cachegrind has them: of this computer, or as options say"

# same_summary NAME OPTIONS... PROGRAM...: with the options in $own, which Cachegrind does not have
same_summary() {
	name=$1
	shift
	costgrind $own --costgrind-out-file=ours.out "$@" 2>ours.err
	is "$name: exit status" $? 0
	is "$name: the machine" "$(without_pid ours.err | grep -c "^$machine\$")" \
		"$(without_pid ours.err | grep -c '^I1  misses')"
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=cachegrind --vex-guest-chase=no \
		--vex-iropt-unroll-thresh=0 --cachegrind-out-file=/dev/null --cache-sim=yes \
		"$@" 2>theirs.err
	is "$name: summary" "$(without_pid ours.err | sed "1,/^\$/d; /^costgrind: children /d; /^$machine\$/d")" \
"$(cachegrind_summary theirs.err)

costgrind: profile written to $scratch/ours.out$replaced; show it by costgrind annotate or report, or kcachegrind"
	replaced=" (replaced)"
}

replaced=
own=
# shellcheck disable=SC2086 # several options in one variable
{
	same_summary "caches" $caches ./script spin 1000
	same_summary "caches and branches" $caches --branch-sim=yes ./script spin 1000
	own=--machine=cachegrind # where no option is about a cache, it is the computer's
	same_summary "branches" --cache-sim=no --branch-sim=yes ./script spin 1000
	own=
	same_summary "instructions" --cache-sim=no ./script spin 1000
	same_summary "other caches" --I1=512,1,32 --D1=1024,2,64 --LL=8192,4,128 --branch-sim=yes \
		./script spin 1000
	# Wide numbers in the first column only, and the widths that come from branches.
	same_summary "millions" $caches --branch-sim=yes ./script spin 5000000
	same_summary "a process that waits for others" $caches --branch-sim=yes \
		./script spin 10 system 2 : spin 10
	costgrind $caches --branch-sim=yes --costgrind-out-file=ours.out ./no_data 2>ours.err
}
# Cachegrind shows 2 branches here, 1 + 1: to divide by them it has made the zeros ones.
is "the summary of three instructions" "$(without_pid ours.err | sed '1,/^$/d; /profile written/d')" \
"
$machine
I   refs:      3
I1  misses:    1
LLi misses:    1
I1  miss rate: 33.33%
LLi miss rate: 33.33%

D   refs:      0  (0 rd   + 0 wr)
D1  misses:    0  (0 rd   + 0 wr)
LLd misses:    0  (0 rd   + 0 wr)
D1  miss rate: 0.0% (0.0%     + 0.0%  )
LLd miss rate: 0.0% (0.0%     + 0.0%  )

LL refs:       1  (1 rd   + 0 wr)
LL misses:     1  (1 rd   + 0 wr)
LL miss rate:  33.3% (33.3%     + 0.0%  )

Branches:      0  (0 cond + 0 ind)
Mispredicts:   0  (0 cond + 0 ind)
Mispred rate:  0.0% (0.0%     + 0.0%   )"

# The numbers of the summary are the profile's.
# shellcheck disable=SC2086 # several options in one variable
costgrind $caches --branch-sim=yes --costgrind-out-file=ours.out ./script spin 1000 2>ours.err
is "the summary's numbers are the profile's" \
	"$(sed -n 's/^==[0-9]*== \([ID]   refs\|[ID]1  misses\|LL[id] misses\|Branches\|Mispredicts\): *//p' \
		ours.err | tr -d ', ' | sed 's/(\(.*\)\(rd\|cond\)+\(.*\)\(wr\|ind\))/ \1 \3/')" \
	"$(profile totals ours.out | awk '
		{ n[$1] = $2 }
		function two(a, b) { printf "%d %d %d\n", n[a] + n[b], n[a], n[b] }
		END {
			print n["Ir"]
			print n["I1mr"]
			print n["ILmr"]
			two("Dr", "Dw")
			two("D1mr", "D1mw")
			two("DLmr", "DLmw")
			two("Bc", "Bi")
			two("Bcm", "Bim")
		}')"

costgrind -q --costgrind-out-file=quiet.out ./script spin 1000 print finished >quiet.txt 2>&1
is "nothing with -q" "$(cat quiet.txt)" "finished"
is "the profile with -q" "$(spun quiet.out)" "$(spins 1000)"

costgrind --log-file=log --costgrind-out-file=logged.out ./script spin 1000 print finished >logged.txt 2>&1
is "nothing on stderr with --log-file" "$(cat logged.txt)" "finished"
is "the end of the log" "$(without_pid log | tail -n 1)" "$(written "$scratch/logged.out")"

done_testing
