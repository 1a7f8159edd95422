# SPDX-License-Identifier: GPL-3.0-or-later
# Machine code is what objdump -d shows, instruction by instruction, in libraries that are installed;
# exceptions are listed in disassembly.py, and below 1 % in each.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/tests/cmds/object/disassemble

# library NAME: the file that programs get for it (NAME.so may be a script for the linker).
library() {
	find /lib/ /usr/lib/ /lib64/ /usr/lib64/ -maxdepth 2 -name "$1.so.[0-9]*" -type f 2>/dev/null |
		grep -v gdb | sort | head -n 1
}

compared=0
for name in libc libm libstdc++ libz libcrypto libzstd liblzma libgcc_s; do
	[ $compared -lt 5 ] || break
	file=$(library $name)
	[ -n "$file" ] || continue
	text=$(python3 "$top_srcdir/tests/compare/disassembly.py" "$program" "$file" 2>&1)
	status=$?
	echo "$text" | sed 's/^[^#]/# &/'
	is "$name as in objdump" $status 0
	compared=$((compared + 1))
done
is "five libraries" "$compared" 5
done_testing
