#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cachegrind's counts are ours: programs that pack and unpack.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

input text text 3000
input numbers numbers 1000
gzip -nc text >text.gz
bzip2 -c text >text.bz2

compare_installed gzip gzip /usr/bin/gzip -nc ../text
compare_installed gzip "gzip -d" /usr/bin/gzip -dc ../text.gz
compare_installed bzip2 bzip2 /usr/bin/bzip2 -1c ../text
compare_installed bzip2 "bzip2 -d" /usr/bin/bzip2 -dc ../text.bz2
compare_installed xz-utils xz /usr/bin/xz -1 -T1 -c ../numbers
compare_installed coreutils sha256sum /usr/bin/sha256sum ../text
compare_installed tar tar /usr/bin/tar -C .. -cf - --mtime=@0 --numeric-owner --owner=0 \
	--group=0 --mode=644 text numbers

done_testing
