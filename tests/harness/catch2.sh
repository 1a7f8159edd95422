#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# catch2.hpp: each BENCHMARK of Catch2 is a region.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/benches.sh"
. "$top_srcdir/tests/recipes.sh"

install_headers
# Catch2 itself, which takes the most to compile, is shared by the programs, and not optimized.
printf '#define %s\n' CATCH_CONFIG_MAIN CATCH_CONFIG_ENABLE_BENCHMARKING >main.cpp
echo '#include <catch2/catch.hpp>' >>main.cpp
build main.o ./main.cpp -c
build sums "$top_srcdir/tests/programs/bench_catch.cpp" main.o -std=c++14 -O2 -Wall -Wextra -pedantic -Werror -I include

costgrind -q --cache-sim=no --costgrind-out-file=sums.prof ./sums >sums.out 2>&1
is 'exit status' $? 0
is 'names, each once' "$(regions sums.prof | cut -f 1,2)" 'sums/of 1000	1
sums/of 2000	1
sums/of an index	1
sums/of nothing: <empty>	1
sums/prepared	1
other sums/of 1000	1'
is 'more work costs what it does' "$(difference sums.prof 'sums/of 2000' 'sums/of 1000')" 3000
is 'in another test case, too' "$(difference sums.prof 'other sums/of 1000' 'sums/of 1000')" 0
is 'set-up costs nothing' "$(difference sums.prof sums/prepared 'sums/of 1000')" 0
own=$(cost sums.prof 'sums/of nothing: <empty>' Ir)
if [ "$own" -le 10 ]; then
	ok 'an empty benchmark costs next to nothing'
else
	not_ok 'an empty benchmark costs next to nothing' "it costs $own"
fi
costgrind -q --cache-sim=no --costgrind-out-file=alone.prof ./sums 'other sums' >alone.out 2>&1
is 'a test case alone' "$? $(regions alone.prof)" "0 $(regions sums.prof | grep '^other')"

# What cannot be measured fails its test case.
for test in unmeasured throwing; do
	costgrind -q --cache-sim=no --costgrind-out-file=$test.prof ./sums $test >$test.out 2>&1
	is "$test: exit status" $? 1
done
is 'unmeasured: says why' "$(grep -c '^  benchmark not measured: it did not call measure(): forgotten$' unmeasured.out)" 1
is 'throwing: says why' "$(grep -c '^  no data$' throwing.out)" 1

# Without the tool.
./sums 'other sums' --benchmark-samples 3 >native.out 2>&1
is 'without the tool, Catch2 measures' "$? $(grep -c '^benchmark name  *samples  *iterations  *estimated' native.out) $(grep -c '^of 1000  *3 ' native.out)" '0 1 1'

# The document's example.
recipes_of=BENCH.md recipe catch2 | sed '/CATCH_CONFIG_MAIN/d' >example.cpp
build example ./example.cpp main.o -I include
costgrind -q --cache-sim=no --costgrind-out-file=example.prof ./example >example.out 2>&1
is 'example' "$? $(regions example.prof | cut -f 1,2)" '0 sorting/of 1000 numbers	1'

done_testing
