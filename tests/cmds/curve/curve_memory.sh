# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind curve fails once: it says so, or all of its output is there; it never dies.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/golden/curve/inputs/* .
failing_ready "$program"

fails_each text "$program" curve -o out curves.cg lookup
fails_each json "$program" curve -o out --format=json --inclusive=yes curves.cg main
fails_each line "$program" curve -o out --format=csv curves.cg src/curves.c:10
fails_each drawing "$program" curve --svg=out curves.cg
done_testing
