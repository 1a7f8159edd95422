#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debug information that Valgrind's reader gives up on does not end the run, and is not complained of.
. "$top_srcdir/tests/lib.sh"

cat >one.c <<'END'
int two(int);
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += two(i);
	return sum & 1 ? 3 : 2;
}
END
cat >two.c <<'END'
int two(int);
int two(int i)
{
	return i ^ 5;
}
END

# runs NAME PROGRAM [OPTIONS...]: it ends as it would without Valgrind, two() was called 1,000 times, and nothing was complained of.
runs() {
	runs_name=$1
	runs_program=$2
	shift 2
	costgrind -q --costgrind-out-file=out "$@" "./$runs_program" >log 2>&1
	is "$runs_name: exit status, messages" "$? $(cat log)" "2 "
	is "$runs_name: two is called" \
		"$(python3 "$top_srcdir/tests/profile.py" calls out | awk -F '\t' '$5 == "two" { print $6 }')" 1000
}

# -- forms that 3.19 does not know --

if command -v clang >/dev/null; then
	clang -g -O0 -c one.c && clang -g -O0 -c two.c && clang -o units one.o two.o
	runs "clang, two units" units
	runs "clang, two units, inlined" units --inline=calls

	clang -g -O0 -shared -fPIC -o libtwo.so one.c two.c
	cat >load.c <<'END'
#include <dlfcn.h>
int main(void)
{
	int (*two)(int) = (int (*)(int))dlsym(dlopen("./libtwo.so", RTLD_NOW), "two");
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += two(i);
	return sum & 1 ? 3 : 2;
}
END
	build load ./load.c -g -O0
	runs "a plugin of clang's" load
else
	skip "clang" "there is no clang"
fi
build split ./one.c two.c -gsplit-dwarf -O0
runs "split" split

# -- damage --

# damage SECTION: the program, with 16 bytes of the section destroyed.
cat >damage.py <<'END'
import re
import subprocess
import sys

table = subprocess.run(["readelf", "-SW", "whole"], capture_output=True, text=True, check=True).stdout
at = re.search(r"\] " + re.escape(sys.argv[1]) + r"\s+\S+\s+\S+ (\S+) (\S+)", table)
offset, size = int(at[1], 16), int(at[2], 16)
with open("whole", "rb") as file:
    data = bytearray(file.read())
for i in range(offset + size // 4, offset + min(size, size // 4 + 16)):
    data[i] = 0xFF
with open("damaged", "wb") as file:
    file.write(data)
END
build whole ./one.c two.c -g -O0
cp whole damaged
for section in .debug_info .debug_abbrev .debug_line .debug_str .debug_line_str .strtab .eh_frame; do
	readelf -SW whole | grep -q " $section " || continue
	python3 damage.py $section
	for inline in lines calls; do
		costgrind -q --costgrind-out-file=out --inline=$inline ./damaged >log 2>&1
		is "damaged $section, --inline=$inline" "$? $(grep -i 'giv.* up' log)" "2 "
	done
done

# Of version 4, the size of a range of lines is byte 14 of a table; a size of 0 makes the core divide by it.
$CC -gdwarf-4 -O0 -o range one.c two.c
python3 - <<'END'
import re
import subprocess

table = subprocess.run(["readelf", "-SW", "range"], capture_output=True, text=True, check=True).stdout
start = int(re.search(r"\] \.debug_line\s+\S+\s+\S+ (\S+)", table)[1], 16)
with open("range", "r+b") as file:
    file.seek(start + 14)
    file.write(b"\0")
END
runs "lines in ranges of none" range

# The core has the file open when it gives up: names of sections that are nowhere.
cat >open.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
int main(void)
{
	int before = open("/dev/null", O_RDONLY);

	return !dlopen("./libnames.so", RTLD_NOW) ? 3 : open("/dev/null", O_RDONLY) - before;
}
END
build open ./open.c
$CC -g -shared -fPIC -o libnames.so two.c
python3 - <<'END'
import struct

with open("libnames.so", "r+b") as file:
    header = file.read(64)
    sections, names = struct.unpack_from("<Q", header, 40)[0], struct.unpack_from("<H", header, 62)[0]
    size = file.seek(0, 2)
    file.seek(sections + 64 * names + 24)
    file.write(struct.pack("<Q", size - 4))
END
costgrind -q --costgrind-out-file=out ./open >log 2>&1
is "a file that the core gave up is closed" "$? $(cat log)" "1 "

done_testing
