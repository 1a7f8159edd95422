#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind diff fails once: it says so, or does without; it never dies, and
# never leaves half a file.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/diff_*.cg "$top_srcdir"/tests/cmds/inputs/renamed_*.cg .
printf 'total Ir +1\nself work* Ir +0\n' >limits

failing_ready "$program"

fails_plainly=yes
fails_each text "$program" diff -q --fold-names --lines --limits=limits --join -o out renamed_old.cg renamed_new.cg
fails_each columns "$program" diff -q --for=kcachegrind -o out renamed_old.cg renamed_new.cg
fails_each json "$program" diff -q --format=json --lines --mod-funcname=s/a/b/ --source-map=/b=/c --flat -o out \
	diff_old.cg diff_new.cg
fails_each markdown "$program" diff -q --format=markdown --limits=limits renamed_old.cg renamed_new.cg
fails_each csv "$program" diff -q --format=csv --show=Cyc,L1hit diff_old.cg diff_new.cg
cp "$top_srcdir"/tests/cmds/inputs/objects_*.cg "$top_srcdir"/tests/cmds/inputs/data.*.costgrind .
fails_each objects "$program" diff -q --by=object objects_old.cg objects_new.cg
mkdir base
fails_each "a baseline" "$program" diff -q --save=x --baselines=base renamed_new.cg
done_testing
