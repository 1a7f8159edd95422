# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind branches fails once: it says so, or all of its output is there; it never dies.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/golden/branches/inputs/* .
build kinds ./kinds.s -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000 -Wl,-Tdata=0x404000

failing_ready "$program"

fails_each text "$program" branches -q -o out kinds.cg
fails_each json "$program" branches -q -o out --format=json --threshold=0 kinds.cg
fails_each "without code" "$program" branches -q -o out --sysroot=nowhere --format=csv kinds.cg
done_testing
