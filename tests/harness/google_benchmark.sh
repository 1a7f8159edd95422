#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# google-benchmark.hpp: each benchmark of google-benchmark is a region.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/benches.sh"
. "$top_srcdir/tests/recipes.sh"

install_headers
warnings='-Wall -Wextra -pedantic -Werror'
source=$top_srcdir/tests/programs/bench_google.cpp
names='BM_spin/1000
BM_spin/2000
BM_while/1000
BM_while/2000
BM_empty
BM_paused/1000
BM_paused/50000
timed/1000/min_time:5.000
repeated/1000/repeats:1
averaged/1000/repeats:7
fixed/1000/iterations:1
fixed/1000/iterations:2
complex/1000
complex/2000
named/n:1000/seed:7/real_time
Fixture/spin/1000
Fixture/spin/2000
BM_template<std::vector<char>>
threads/1000/threads:1
threads/1000/threads:2'
entered() {
	case $1 in
	BM_paused/* | *threads:2) echo 2 ;;
	*) echo 1 ;;
	esac
}

while read -r program compiler standard; do
	# shellcheck disable=SC2086 # several words
	if ! $compiler -std=$standard -O2 $warnings -I include -o "$program" "$source" -lbenchmark -lpthread \
		>"$program.log" 2>&1; then
		not_ok "$program: compiles without warnings" "$(cat "$program.log")"
		continue
	fi
	profile=$program.prof
	costgrind -q --cache-sim=no --costgrind-out-file="$profile" "./$program" >"$program.out" 2>&1
	is "$program: exit status" "$? $(cat "$program.out")" "0 "
	is "$program: names as the framework prints them, and how often each began" \
		"$(regions "$profile" | cut -f 1,2)" "$(echo "$names" | while read -r name; do
			echo "$name	$(entered "$name")"
		done)"
	is "$program: more work costs what it does" \
		"$(for name in BM_spin BM_while complex Fixture/spin; do difference "$profile" $name/2000 $name/1000; done | tr '\n' ' ')" \
		'3000 3000 3000 3000 '
	is "$program: what is paused costs nothing" "$(difference "$profile" BM_paused/50000 BM_paused/1000)" 0
	# The same function, however often the benchmark asks to run, in one thread and in two.
	one=$(cost "$profile" BM_spin/1000 Ir)
	for name in timed/1000/min_time:5.000 repeated/1000/repeats:1 averaged/1000/repeats:7 \
		fixed/1000/iterations:1 complex/1000 named/n:1000/seed:7/real_time threads/1000/threads:1; do
		is "$program: $name costs one run" "$(cost "$profile" $name Ir)" "$one"
	done
	is "$program: two threads cost twice as much" "$(cost "$profile" threads/1000/threads:2 Ir)" $((2 * one))
	# An iteration more is the work and the loop's few instructions.
	more=$(difference "$profile" fixed/1000/iterations:2 fixed/1000/iterations:1)
	if [ "$more" -ge 3000 ] && [ "$more" -le 3020 ]; then
		ok "$program: two iterations, if it asks for them"
	else
		not_ok "$program: two iterations, if it asks for them" "the second costs $more"
	fi
	own=$(cost "$profile" BM_empty Ir)
	if [ "$own" -le 20 ]; then
		ok "$program: an empty benchmark costs next to nothing"
	else
		not_ok "$program: an empty benchmark costs next to nothing" "it costs $own"
	fi
done <<-END
	g++-14 $CXX c++14
	clang++-20 clang++ c++20
END

# Which benchmarks run makes no difference, nor what they are run with.
program=g++-14
for filter in '^BM_spin/2000$' '^Fixture/spin/1000$' 'min_time' 'threads:2$'; do
	costgrind -q --cache-sim=no --costgrind-out-file=alone.prof ./$program --benchmark_filter="$filter" \
		--benchmark_repetitions=3 --benchmark_min_time=1 --benchmark_enable_random_interleaving=true >alone.out 2>&1
	is "alone: $filter" "$? $(cat alone.out) $(regions alone.prof)" "0  $(regions $program.prof | grep "$(echo "$filter" | sed 's/\$$/	/')")"
done

# What the command line asks for.
is 'list' "$(costgrind -q --costgrind-out-file=list.prof ./$program --benchmark_list_tests=true 2>&1)" "$names"
is 'list: nothing is measured' "$(regions list.prof)" ''
costgrind -q --costgrind-out-file=none.prof ./$program --benchmark_filter=nosuch >none.out 2>&1
is 'no such benchmark' "$? $(cat none.out)" '1 Failed to match any benchmarks against regex: nosuch'
costgrind -q --costgrind-out-file=none.prof ./$program --nosuch >none.out 2>&1
is 'an unknown option' "$? $(cat none.out)" "1 ./$program: error: unrecognized command-line flag: --nosuch"

# Without the tool.
./$program --benchmark_min_time=0.001 --benchmark_filter='BM_spin|averaged' --benchmark_format=csv >native.csv 2>native.err
is 'without the tool: exit status' $? 0
is 'without the tool: what the framework prints' "$(sed -n 's/^"\([^"]*\)".*/\1/p' native.csv)" 'BM_spin/1000
BM_spin/2000
averaged/1000/repeats:7_mean
averaged/1000/repeats:7_median
averaged/1000/repeats:7_stddev
averaged/1000/repeats:7_cv'

# What cannot be measured.
strip -o stripped ./$program
costgrind -q --costgrind-out-file=stripped.prof ./stripped >stripped.out 2>&1
is 'stripped' "$? $(cat stripped.out)" '1 benchmarks cannot be measured: Valgrind does not see the calls of google-benchmark; is the program stripped?'
build skipping "$source" -O2 -DSKIPPING -I include -lbenchmark -lpthread
costgrind -q --cache-sim=no --costgrind-out-file=skipping.prof ./skipping --benchmark_filter='BM_error|after' >skipping.out 2>&1
is 'SkipWithError' "$? $(cat skipping.out)" '1 BM_error: not measured: no data (SkipWithError)'
is 'SkipWithError: the next one is measured' "$(regions skipping.prof | grep after)" "after/1000	1	$(cost $program.prof BM_spin/1000 Ir)"

# The document's example.
recipes_of=BENCH.md recipe google >fill.cpp
build fill ./fill.cpp -O2 -Wall -I include -lbenchmark -lpthread
costgrind -q --cache-sim=no --costgrind-out-file=fill.prof ./fill >fill.out 2>&1
is 'example' "$? $(cat fill.out) $(regions fill.prof | cut -f 1,2)" '0  BM_fill/100	1
BM_fill/10000	1'

done_testing
