#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runners of benchmarks that start Callgrind: gungraun and CodSpeed's, by their own lines of options.  What they read is what
# they would read from the installed Callgrind.
. "$top_srcdir/tests/lib.sh"

reader=$top_srcdir/tests/harness/callgrind_readers.py
mkdir theirs
ln -s "$(readlink -f "$top_builddir/valgrind-lib/default.supp" | xargs dirname)"/* theirs/
ln -s "$top_builddir/valgrind-lib-dropin" dropin

# gungraun 0.16 clears the environment except what options keep, and has each benchmark in a function below a module of
# this name, which toggles collection.
cat >bench.cpp <<'END'
#include <cstdio>
#include <cstring>
#include <vector>

namespace bench::__iai_callgrind_wrapper_mod
{
__attribute__((noinline)) long sum(const std::vector<long> &numbers)
{
	long all = 0;
	for (long number : numbers)
		all = all * 31 + number;
	return all;
}
}

int main(int argc, char **argv)
{
	std::vector<long> numbers(static_cast<size_t>(argc) * 1000, 7);
	/* Its own options of a run: which benchmark. */
	return printf("%ld %s\n", bench::__iai_callgrind_wrapper_mod::sum(numbers), argv[argc - 1]) < 0;
}
END
build bench ./bench.cpp -O1 -g
for side in theirs dropin; do
	env -i VALGRIND_LIB="$(unspaced "$PWD")/$side" setarch -R "$VALGRIND" --tool=callgrind --error-exitcode=0 --trace-children=yes \
		--fair-sched=try --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --cache-sim=yes --compress-strings=no \
		--compress-pos=no --dump-line=yes --dump-instr=no --combine-dumps=no --separate-threads=yes \
		'--toggle-collect=*::__iai_callgrind_wrapper_mod::*' "--callgrind-out-file=$PWD/$side.sum.out.#%p" \
		"--log-file=$PWD/$side.sum.log.#%p" ./bench --gungraun-run 0 0 >$side.txt 2>&1
	is "gungraun, $side: exit status, output" "$? $(cat $side.txt)" "0 $(./bench --gungraun-run 0 0)"
	python3 "$reader" gungraun $side.sum >$side.read 2>&1
	is "gungraun, $side: every file and line is one that it knows" $? 0
done
is "gungraun: what it reads" "$(cat dropin.read)" "$(cat theirs.read)"
is "gungraun: the benchmark" "$(grep -c 'bench::__iai_callgrind_wrapper_mod::sum.* [1-9][0-9]* ' dropin.read)" 1
is "gungraun: the head of the log" "$(sed -n 's/^==[0-9]*== \(Command\|Parent PID\):.*/\1/p' dropin.sum.log.*)" "Command
Parent PID"

# What CodSpeed's crates and plugins ask for.
cat >requests.c <<'END'
#include <stdio.h>
#include <valgrind/callgrind.h>

static volatile long sum;

static __attribute__((noinline)) void benchmark(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

int main(void)
{
	if (RUNNING_ON_VALGRIND == 0)
		puts("NOTICE: codspeed is enabled, but no performance measurement will be made");
	CALLGRIND_DUMP_STATS_AT("Metadata: codspeed-rust 4.0.0");
	for (int n = 100; n <= 10000; n *= 10) {
		char name[64];

		snprintf(name, sizeof(name), "benches/sum.rs::sum[%d]", n);
		benchmark(n);
		CALLGRIND_ZERO_STATS;
		CALLGRIND_START_INSTRUMENTATION;
		benchmark(n);
		CALLGRIND_STOP_INSTRUMENTATION;
		CALLGRIND_DUMP_STATS_AT(name);
	}
	return printf("%ld\n", sum) < 0;
}
END
build requests ./requests.c -O1 -g
cat >run.sh <<'END'
#!/usr/bin/env bash
bash -c "$1"
status=$?
echo -n "$status" > "$2"
END
chmod +x run.sh
for side in theirs dropin; do
	mkdir $side.folder
	# Callgrind has this option in CodSpeed's Valgrind only.
	skip=
	[ $side = theirs ] || skip=--obj-skip=/usr/bin/python3.11
	VALGRIND_LIB=$(unspaced "$PWD")/$side setarch -R "$VALGRIND" -q --tool=callgrind --trace-children=yes --cache-sim=yes \
		--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --instr-atstart=no --collect-systime=nsec --compress-strings=no \
		--combine-dumps=yes --dump-line=no --read-inline-info=yes '--trace-children-skip=*esbuild' ${skip:+"$skip"} \
		"--callgrind-out-file=$PWD/$side.folder/%p.out" "--log-file=$PWD/$side.folder/valgrind.log" \
		"$PWD/run.sh" ./requests "$PWD/$side.status" >$side.txt 2>&1
	is "CodSpeed, $side: exit statuses, output" "$? $(cat $side.status $side.txt)" "0 0$(./requests | tail -n 1)"
	python3 "$reader" codspeed "$(grep -l Metadata $side.folder/*.out)" >$side.read
done
# more FILE: for each benchmark, what it has more than the one before.
more() {
	awk '!/^Ir/ { name = $0 }
		/^Ir/ && name ~ /sum/ {
			printf "%s", name
			for (i = 2; i <= NF; i += 2) {
				printf " %d", $i - before[i]
				before[i] = $i
			}
			print ""
		}' "$1" | sed 1d
}
# The block that ends in STOP is in no part of Callgrind's, and the same in each of ours (docs/COMPATIBILITY.md).
is "CodSpeed: what more iterations cost" "$(more dropin.read)" "$(more theirs.read)"
is "CodSpeed: at most 20 instructions more each time" \
	"$(awk '/^Ir [1-9]/ { ir[FILENAME, FNR == NR ? ++n : ++m] = $2 }
		END { for (i = 1; i <= m; i++) { d = ir["dropin.read", i] - ir["theirs.read", i]; print (n == 3 && d >= 0 && d <= 20) } }' \
		theirs.read dropin.read)" "1
1
1"
is "CodSpeed: parts" "$(grep '^Client Request' dropin.read)" "Client Request: Metadata: codspeed-rust 4.0.0
Client Request: benches/sum.rs::sum[100]
Client Request: benches/sum.rs::sum[1000]
Client Request: benches/sum.rs::sum[10000]"
done_testing
