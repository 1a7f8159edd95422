#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who waits at a terminal for a large profile sees how far it is.
. "$top_srcdir/tests/lib.sh"

if ! command -v script >/dev/null; then
	skip "progress" "no script (Debian: bsdutils)"
	done_testing
fi

# slowly FILE: runs a program whose profile goes to a FIFO that is read after three seconds; its
# messages go to a terminal, which writes FILE.
build ./al al.c -g -O1
slowly() {
	rm -f fifo
	mkfifo fifo
	{ sleep 3; cat >"$1.profile"; } <fifo &
	VALGRIND_LIB=$COSTGRIND_LIB script -qefc "exec '$VALGRIND' --tool=costgrind --cycles=no $2 \
		--costgrind-out-file=fifo ./al" /dev/null >"$1" 2>&1 </dev/null
	wait
}

told='costgrind: writing the profile: [0-9]* %'
slowly waiting ""
is "progress: told on a terminal" "$(grep -c "$told" waiting)" 1
is "progress: the profile is whole" "$(tail -n 1 waiting.profile | cut -d: -f1)" totals
slowly quiet -q
is "progress: not with -q" "$(grep -c "$told" quiet)" 0

rm -f fifo
mkfifo fifo
{ sleep 3; cat >piped.profile; } <fifo &
costgrind --costgrind-out-file=fifo ./al >piped 2>&1
wait
is "progress: not into a file" "$(grep -c "$told" piped)" 0

done_testing
