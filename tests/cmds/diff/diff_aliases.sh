#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Limits of functions that a profile has under another name: aliases, and equal functions that the
# linker has folded into one.
. "$top_srcdir/tests/lib.sh"

# said OLD NEW: what limits come to.
said() {
	status=0
	"$top_builddir/costgrind" diff --no-pager --limits=limits "$1" "$2" 2>said.err >said.out || status=$?
	echo "exit $status"
	sed 's/^costgrind diff: limits://' said.err
}

build plain alias.c -O1 -g
costgrind -q --cache-sim=no --costgrind-out-file=plain.out ./plain
cat >limits <<'EOT'
self alpha Ir +0
self alias.c:alpha Ir +0
self zeta Ir +0
self alphas Ir +0
inclusive "alpha" Ir +1% soft
EOT
is "an alias" "$(said plain.out plain.out)" "exit 3
1: unmatched: self alpha Ir +0: fits no function: alpha runs as zeta
2: unmatched: self alias.c:alpha Ir +0: fits no function: alpha runs as zeta
4: unmatched: self alphas Ir +0: fits no function
costgrind diff: warning: limits:5: inclusive \"alpha\" Ir +1% soft: fits no function: alpha runs as zeta"
costgrind -q --cache-sim=no --dump-instr=no --costgrind-out-file=lines.out ./plain
said lines.out lines.out >lines.said
is "without addresses" "$(sed -n 2p lines.said)" \
	"1: unmatched: self alpha Ir +0: fits no function: alpha runs as zeta"

for linker in gold lld; do
	if ! $CC -O1 -g -gdwarf-4 -ffunction-sections -fuse-ld=$linker -Wl,--icf=all -o folded \
		"$top_srcdir/tests/cases/alias.c" 2>/dev/null; then
		skip "folded by $linker" "no such linker"
		continue
	fi
	costgrind -q --cache-sim=no --costgrind-out-file=folded.out ./folded
	echo 'self volume Ir +0' >limits
	is "folded by $linker in NEW" "$(said plain.out folded.out)" "exit 3
1: gone: self volume Ir +0: every function it matched has disappeared: volume runs as area"
	is "folded by $linker in both" "$(said folded.out folded.out)" "exit 3
1: unmatched: self volume Ir +0: fits no function: volume runs as area"
	"$top_builddir/costgrind" diff --format=json --limits=limits folded.out folded.out 2>/dev/null >folded.json
	is "folded by $linker: JSON" "$(grep -c 'volume runs as area' folded.json)" 1
done

# Another build in the object's place says nothing about this one.
$CC -O2 -o plain "$top_srcdir/tests/cases/alias.c"
echo 'self alpha Ir +0' >limits
is "another build" "$(said plain.out plain.out)" "exit 3
1: unmatched: self alpha Ir +0: fits no function"
rm plain
is "no object" "$(said plain.out plain.out)" "exit 3
1: unmatched: self alpha Ir +0: fits no function"

done_testing
