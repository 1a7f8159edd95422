#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Callgrind's call graph is ours: programs that work on text and files.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"
. "$top_srcdir/tests/compare/lib/calling.sh"

input text text 300
input numbers numbers 300
gzip -nc text >text.gz

# What needs a rule are, in all of them, mempcpy(), in the dynamic linker and in the library, and
# _Exit(): more than 1 % of the functions of a small program, 2 % at most.
calls_installed coreutils sort --share=2 /usr/bin/sort -k2,2 -k1,1n ../text
calls_installed coreutils ls --share=2 /usr/bin/ls -l /usr/bin/env
calls_installed sed sed --share=2 /usr/bin/sed -E 's/([a-z]+) ([a-z]+)/\2_\1/g; /miss/d' ../text
calls_installed mawk mawk --share=2 /usr/bin/mawk \
	'{ n[$2] += NF; s += length($0) * $3 } END { for (; i < 100; i++) t += n[i] * i; print s, t }' \
	../numbers
calls_installed bc bc --share=2 /usr/bin/bc -lq "$top_srcdir/tests/compare/inputs/digits.bc"
calls_installed gzip gzip --share=2 /usr/bin/gzip -nc ../text
calls_installed gzip "gzip -d" --share=2 /usr/bin/gzip -dc ../text.gz
calls_installed bzip2 bzip2 --share=2 /usr/bin/bzip2 -1c ../text
calls_installed xz-utils xz --share=2 /usr/bin/xz -1 -T1 -c ../numbers
calls_installed tar tar --share=2 /usr/bin/tar -C .. -cf - --mtime=@0 --numeric-owner --owner=0 \
	--group=0 --mode=644 text numbers

count_rules
done_testing
