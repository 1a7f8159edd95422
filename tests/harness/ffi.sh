#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# libcostgrind-regions.so: regions of programs that call C functions by name.
. "$top_srcdir/tests/lib.sh"

library=$top_builddir/libcostgrind-regions.so

# By the dynamic linker alone, so that all is known but what the library does.
cat >calls.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	void (*begin)(const char *), (*end)(const char *);
	int (*is_running)(void);
	void *symbols[] = { dlsym(library, "costgrind_region_begin"), dlsym(library, "costgrind_region_end"),
			    dlsym(library, "costgrind_is_running") };

	memcpy(&begin, &symbols[0], sizeof(begin));
	memcpy(&end, &symbols[1], sizeof(end));
	memcpy(&is_running, &symbols[2], sizeof(is_running));
	for (int i = 0; i < 3; i++) {
		begin("empty/<0>");
		end("empty/<0>");
	}
	begin("loop: 1000");
	__asm__ volatile("mov $1000, %%ecx\n1: dec %%ecx\n\tjnz 1b" : : : "ecx", "cc");
	end("loop: 1000");
	return printf("%d\n", is_running()) < 0;
}
END
build calls ./calls.c -O1
is "without the tool" "$(./calls "$library")" 0
is "another tool" "$("$VALGRIND" -q --tool=none ./calls "$library" 2>&1)" 0
costgrind -q --cache-sim=no --costgrind-out-file=calls.out ./calls "$library" >calls.txt 2>&1
is "with it" "$? $(cat calls.txt)" "0 1"
regions calls.out >calls.regions
is "names, times" "$(cut -f 1,2 calls.regions)" "empty/<0>	3
loop: 1000	1"
is "calls cost the same each time, next to nothing: three times that, and once with 1 + 2 * 1000 instructions" \
	"$(awk -F '\t' '{ ir[NR] = $3 } END { print ir[1] % 3, ir[2] - ir[1] / 3, (ir[1] < 30) }' calls.regions)" "0 2001 1"

# As docs/BENCH.md has it.
cat >regions.py <<'END'
import ctypes
import sys

regions = ctypes.CDLL(sys.argv[1])
print(regions.costgrind_is_running())


def squares(n):
    return sum(i * i for i in range(n))


squares(10)
for n in 10, 1000:
    name = b"squares/%d" % n
    regions.costgrind_region_begin(name)
    squares(n)
    regions.costgrind_region_end(name)
END
export PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1
is "Python: without the tool" "$(python3 regions.py "$library")" 0
for run in 1 2; do
	costgrind -q --cache-sim=no --costgrind-out-file=python.out python3 regions.py "$library" >python.txt 2>&1
	is "Python: with it, run $run" "$? $(cat python.txt)" "0 1"
	regions python.out >python.$run
done
is "Python: names, times" "$(cut -f 1,2 python.1)" "squares/10	1
squares/1000	1"
is "Python: twice the same" "$(cat python.1)" "$(cat python.2)"
is "Python: what is measured" "$(awk -F '\t' '{ print ($3 > (NR == 1 ? 1000 : 30000)) }' python.1)" "1
1"
done_testing
