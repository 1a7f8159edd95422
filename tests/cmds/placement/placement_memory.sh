#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind annotate --layout fails once: it says so, or all of its output is there; it never dies.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/golden/placement/inputs/* .
build loops ./loops.s -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000

failing_ready "$program"

fails_each text "$program" annotate -q -o out --layout loops.cg
fails_each json "$program" annotate -q -o out --layout --format=json loops.cg
fails_each "without code" "$program" annotate -q -o out --layout --sysroot=nowhere --format=csv loops.cg
done_testing
