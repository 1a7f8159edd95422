#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Callgrind's call graph is ours: programs that interpret and compile.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"
. "$top_srcdir/tests/compare/lib/calling.sh"

input text text 100
input code.c c 1
input queries sql 30
if ! { gcc -O2 -S code.c && gcc -c code.s; }; then
	not_ok "compile the input"
	done_testing
fi

# The shares of the smaller ones are as in calls_text.sh.
calls_installed perl perl --input="$scratch/text" \
	/usr/bin/perl "$top_srcdir/tests/compare/inputs/words.pl"
calls_installed python3 python3 --input="$scratch/text" \
	/usr/bin/python3 -S "$top_srcdir/tests/compare/inputs/words.py"
calls_installed gcc cc1 "$(gcc -print-prog-name=cc1)" -quiet -O0 -frandom-seed=1 \
	../code.c -o -
calls_installed binutils as --share=1.5 /usr/bin/as -o code.o ../code.s
calls_installed binutils ld --share=1.5 /usr/bin/ld -r -o all.o ../code.o
calls_installed binutils objdump --share=1.5 /usr/bin/objdump -d ../code.o
calls_installed sqlite3 sqlite3 --input="$scratch/queries" \
	/usr/bin/sqlite3 -batch :memory:

count_rules
done_testing
