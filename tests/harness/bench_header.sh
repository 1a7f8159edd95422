#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.h: benchmarks in C and C++.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/benches.sh"

. "$top_srcdir/tests/recipes.sh"

install_headers
warnings='-Wall -Wextra -pedantic -Werror'
names='spin/1000
spin/2000
empty
prepared/1000
prepared/2000
allocating
lines
kept/1000
kept/2000
clobbered/1000
clobbered/2000
kinds'

# Counts of each language and compiler: what the measured part costs is the same in all.
while read -r name compiler standard; do
	case $standard in
	c++*) language=c++ ;;
	*) language=c ;;
	esac
	for level_room in -O0:30 -O2:5; do
		level=${level_room%:*}
		program=$name$level
		# shellcheck disable=SC2086 # several words
		if ! $compiler -x $language -std=$standard $level $warnings -I include -o "$program" \
			"$top_srcdir/tests/programs/bench_plain.c" >"$program.log" 2>&1; then
			not_ok "$program: compiles without warnings" "$(cat "$program.log")"
			continue
		fi
		costgrind --cache-sim=no --costgrind-out-file="$program.prof" "./$program" >"$program.out" 2>&1
		is "$program: exit status" $? 0
		is "$program: names" "$(regions "$program.prof" | cut -f 1,2)" "$(echo "$names" | sed 's/$/	1/')"
		is "$program: work costs what it does" \
			"$(difference "$program.prof" spin/2000 spin/1000) $(difference "$program.prof" prepared/2000 prepared/1000)" \
			"3000 3000"
		# clang, unless it optimizes, makes a jump of an empty block.
		is "$program: an empty benchmark costs nothing" "$(cost "$program.prof" empty Ir)" "$(case $program in clang*-O0) echo 1 ;; *) echo 0 ;; esac)"
		# What is left is that arguments are loaded, and work() called.
		for own in spin/1000 prepared/1000; do
			own_cost=$(($(cost "$program.prof" "$own" Ir) - 3000))
			if [ "$own_cost" -ge 0 ] && [ "$own_cost" -le "${level_room#*:}" ]; then
				ok "$program: nothing else costs much in $own"
			else
				not_ok "$program: nothing else costs much in $own" "it costs $own_cost"
			fi
		done
		# However loops are unrolled, an iteration takes a multiplication or a store.
		for kept in kept clobbered; do
			more=$(difference "$program.prof" $kept/2000 $kept/1000)
			if [ "$more" -ge 500 ]; then
				ok "$program: $kept is not optimized away"
			else
				not_ok "$program: $kept is not optimized away" "1000 iterations cost $more"
			fi
		done
	done
done <<-END
	gcc-c11 $CC c11
	g++-14 $CXX c++14
	g++-20 $CXX c++20
	clang-c11 clang c11
	clang++-20 clang++ c++20
END

program=gcc-c11-O2

# Which benchmarks run makes no difference.
regions $program.prof | sort >together
: >alone
for benchmark in $names; do
	costgrind --cache-sim=no --costgrind-out-file=alone.prof ./$program "$benchmark" >alone.log 2>&1
	regions alone.prof >>alone
done
is 'each alone costs what it costs among all' "$(sort alone)" "$(cat together)"

# What has been read before the measured run is in the cache.
for option in '' --no-warm-up; do
	costgrind --D1=32768,8,64 --LL=8388608,16,64 --costgrind-out-file=lines.prof ./$program $option lines >lines.log 2>&1
	is "lines that miss, by option '$option'" "$(cost lines.prof lines D1mr)" "$(case $option in '') echo 0 ;; *) echo 64 ;; esac)"
done

# Other tools run the same, each benchmark twice.
"$VALGRIND" -q --tool=none ./$program >none.out 2>none.err
is 'under another tool' "$? $(cat none.out none.err)" '0 '

# Without a tool.
./$program --rounds=7 --time=0.01 'empty' 'spin/?000' >timed 2>timed.err
is 'times: exit status' "$? $(cat timed.err)" '0 '
is 'times: first line' "$(head -n 1 timed | tr -s ' ')" 'benchmark median 95 % confidence interval iterations'
is 'times: benchmarks' "$(sed -n '2,$s/ .*//p' timed)" 'spin/1000
spin/2000
empty'
is 'times: medians lie in their intervals, more work takes longer' "$(awk '
	BEGIN { unit["ns"] = 1; unit["us"] = 1e3; unit["ms"] = 1e6; unit["s"] = 1e9 }
	NR == 1 { next }
	NF != 8 || $5 != "to" || $3 != $7 || $8 < 1 || !($4 <= $2 && $2 <= $6) { print "odd: " $0 }
	$1 ~ /^spin/ { if ($2 * unit[$3] <= last) print "not longer: " $0; last = $2 * unit[$3] }' timed)" ''

# Names and options.
is 'list' "$(./$program --list)" "$names"
is 'list of some' "$(./$program --list '*/1*' lines)" 'spin/1000
prepared/1000
lines
kept/1000
clobbered/1000'
is 'names after --' "$(./$program --list -- 'e*y')" empty
while read -r option message; do
	./$program "$option" >bad.out 2>&1
	is "refuses $option" "$? $(cat bad.out)" "2 $program: $option: $message"
done <<-END
	spin no benchmark has such a name (--list has all)
	spin/1000? no benchmark has such a name (--list has all)
	-x unknown option (--help has all)
	--rounds=5 expected a number from 6 to 1000
	--rounds=1001 expected a number from 6 to 1000
	--rounds=9x expected a number from 6 to 1000
	--rounds= expected a number from 6 to 1000
	--time=0 expected seconds, at most 3600
	--time=nan expected seconds, at most 3600
	--time=1s expected seconds, at most 3600
END
is 'help' "$(./$program --help)" "usage: $program [--list] [--no-warm-up] [--rounds=N] [--time=SECONDS] [NAME...]"
./$program --list >/dev/full 2>full.err
is 'a full disk' "$? $(cat full.err)" "1 $program: cannot write to standard output"

# Benchmarks that are none.
# shellcheck disable=SC2086 # several words
build faults "$top_srcdir/tests/programs/bench_faults.c" $warnings -std=c11 -I include
x255=$(printf '%255s' '' | tr ' ' x)
faults="faults: left: two benchmarks have this name
faults: x$x255: the name is longer than 255 bytes
faults: unreached: not measured: it did not reach COSTGRIND_MEASURE
faults: left: not measured: it left COSTGRIND_MEASURE before its end
faults: twice: not measured: it reached COSTGRIND_MEASURE more than once"
./faults --rounds=6 --time=0.001 >faults.out 2>faults.err
is 'faults, timed' "$? $(cat faults.err)" "1 $faults"
is 'faults: what is right is timed' "$(sed -n '2,$s/  .*//p' faults.out)" "right <a: b>/-1
$(echo "$x255" | cut -c 1-255)"
costgrind -q --cache-sim=no --costgrind-out-file=faults.prof ./faults >faults.out 2>faults.err
is 'faults, counted' "$? $(cat faults.err)" "1 $faults"
is 'faults: regions' "$(regions faults.prof | cut -f 1,2)" "right <a: b>/-1	1
$x255	1"
# The document's example.
recipes_of=BENCH.md recipe plain >sum.c
# shellcheck disable=SC2086 # several words
build sum ./sum.c -O2 $warnings -I include
costgrind -q --cache-sim=no --costgrind-out-file=sum.prof ./sum >sum.out 2>&1
is 'example' "$? $(cat sum.out) $(regions sum.prof | cut -f 1,2)" "0  sum/100	1
sum/10000	1"
# Its loop is the compiler's.
is 'example: 9,900 numbers more' "$(($(difference sum.prof sum/10000 sum/100) % 9900))" 0

done_testing
