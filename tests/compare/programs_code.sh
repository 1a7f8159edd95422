#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cachegrind's counts are ours: programs that compile.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

input code.c c 2
input queries sql 300
if ! { gcc -O2 -S code.c && gcc -c code.s; }; then
	not_ok "compile the input"
	done_testing
fi

compare_installed gcc cc1 "$(gcc -print-prog-name=cc1)" -quiet -O0 -frandom-seed=1 ../code.c -o -
compare_installed binutils as /usr/bin/as -o code.o ../code.s
compare_installed binutils ld /usr/bin/ld -r -o all.o ../code.o
compare_installed binutils objdump /usr/bin/objdump -d ../code.o
compare_installed sqlite3 sqlite3 --input="$scratch/queries" /usr/bin/sqlite3 -batch :memory:

done_testing
