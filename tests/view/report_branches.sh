#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The report's view of branches, and its card of a branch that depends on data; without branches there is no view.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browsers.sh
. "$top_srcdir/tests/browsers.sh"

build branchkinds "$top_srcdir/tests/programs/branchkinds.c" -O2 -g
costgrind -q --machine=generic --branch-detail=yes --collect-jumps=yes --costgrind-out-file=branches ./branchkinds
report branches.html branches
costgrind -q --machine=generic --costgrind-out-file=without ./branchkinds
report without.html without

browsers_look report_branches.py branches without "$top_srcdir/tests/programs/branchkinds.c"
done_testing
