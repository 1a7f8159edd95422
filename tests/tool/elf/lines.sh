#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Line programs of real objects, of gcc, clang and the assembler, in each version: all rows are those that readelf finds.
. "$top_srcdir/tests/lib.sh"

printlines=$top_builddir/tests/tool/elf/printlines
if ! command -v readelf >/dev/null; then
	echo "1..0 # SKIP there is no readelf"
	exit 0
fi

# same NAME FILE: rows of the file, at least one.
same() {
	LC_ALL=C readelf -W --debug-dump=decodedline "$2" 2>/dev/null |
		awk 'NF >= 3 && ($2 == "-" || $2 ~ /^[0-9]+$/) && $3 ~ /^(0|0x[0-9a-f]+)$/ {
			sub(/^0x/, "", $3); print $1, $2, $3 }' >want
	"$printlines" "$2" >got
	is "$1: exit status" $? 0
	is "$1" "$(diff want got | head -n 10)" ""
	is "$1: there are some" "$(head -n 5 got | grep -c .)" 5
}

mkdir sub
cat >sub/inner.h <<'END'
static inline long twice(long n)
{
	return n + (n & 12345);
}
END
cat >outer.c <<'END'
#include "inner.h"
long table[100];
__thread long local;
long sum(int n)
{
	long all = local;

	for (int i = 0; i < n; i++)
		all += twice(table[i]);
#line 70000
	return all * 3;
}
__attribute__((section(".text.apart"))) long other(int n)
{
	return sum(n) + 1;
}
END
for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		skip "$compiler" "it is not there"
		continue
	fi
	for options in -gdwarf-2 -gdwarf-3 -gdwarf-4 -gdwarf-5 "-gdwarf-5 -gdwarf64" "-gdwarf-4 -O2 -ffunction-sections" \
		"-gdwarf-5 -O2 -fPIC"; do
		# shellcheck disable=SC2086 # several options
		if ! $compiler -O1 $options -Isub -c -o outer.o outer.c 2>build.log; then
			skip "$compiler $options" "$(head -n 1 build.log)"
			continue
		fi
		same "$compiler $options" outer.o
		is "$compiler $options: paths" "$("$printlines" outer.o paths | LC_ALL=C sort | xargs)" \
			"$PWD/outer.c $PWD/sub/inner.h"
	done
done
# What is linked: its own sources, and what comes with the compiler.
same "a program of several units" "$top_builddir/costgrind"
is "a program of several units: paths" "$("$printlines" "$top_builddir/costgrind" paths | grep -vc '^/')" 0

done_testing
