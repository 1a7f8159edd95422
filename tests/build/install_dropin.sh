#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install-dropin puts costgrind under other programs' names into a directory of its own.
. "$top_srcdir/tests/lib.sh"

make -s -C "$top_builddir" install-dropin DESTDIR="$PWD/root" >make.log 2>&1
is "make install-dropin" "$?" 0
dropin=$(find root -type d -name dropin)
is "the names" "$(cd "$dropin" && echo *)" "callgrind_annotate callgrind_control cg_annotate cg_diff cg_merge"
is "nowhere else" "$(find root -name 'c*_annotate' -o -name 'cg_*' | grep -c -v "^$dropin/")" 0
cp "$top_srcdir/tests/cmds/inputs/plain.cg" .
is "cg_merge" "$("$dropin/cg_merge" plain.cg 2>&1 | sed -n '$p')" "summary: 13 6"
is "cg_annotate" "$("$dropin/cg_annotate" plain.cg | grep -c 'PROGRAM TOTALS')" 1
library=$(find root -type d -name valgrind-lib-dropin)
tool=$(cd "$top_builddir/tool" && echo costgrind-*-linux)
is "tools in the place of others" "$(for name in callgrind cachegrind costgrind; do
	basename "$(readlink "$library/$name-${tool#costgrind-}")"
done | sort -u)" "$tool"
is "the others as they are" "$(readlink "$library"/none-*-linux)" \
	"$(readlink "$top_builddir"/valgrind-lib/none-*-linux)"
make -s -C "$top_builddir" uninstall-dropin DESTDIR="$PWD/root" >make.log 2>&1
is "make uninstall-dropin" "$? $(find root -name '*dropin*')" "0 "
done_testing
