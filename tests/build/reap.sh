#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/reap.py cleans up all that it has started, whatever ends it: processes, in other sessions and
# orphans too, and its folder.
. "$top_srcdir/tests/lib.sh"

cat >daemons <<'EOF2'
setsid sleep 777 &
echo $! >>pids
setsid sh -c 'sleep 777 & echo $! >>pids'
echo "$REAP_DIR" >folder
echo $PPID >inner
mv folder started
exec sleep "$1"
EOF2

# left: what there is of it, in ten seconds at most.
left() {
	for left_try in 1 2 3 4 5 6 7 8 9 10; do
		left_text=$([ ! -e "$(cat started)" ] || cat started
			while read -r pid; do
				grep -s '^State:' "/proc/$pid/status" | grep -v '[ZX] ('
			done <pids)
		[ "$left_text" ] || return
		sleep 1
	done
	echo "after $left_try s: $left_text"
}

# begin: in the background; waits until all is started.
begin() {
	rm -f pids started
	python3 "$top_srcdir/tests/reap.py" sh daemons 300 &
	outer=$!
	until [ -e started ]; do
		sleep 0.1
	done
}

python3 "$top_srcdir/tests/reap.py" sh daemons 0
is "the command ends: nothing is left" "$? $(left)" "0 "
python3 "$top_srcdir/tests/reap.py" sh -c 'exit 7'
is "the status is the command's" $? 7
begin
is "something is there before" "$(grep -c . pids) $(test -d "$(cat started)" && echo folder)" "2 folder"
kill -TERM $outer
wait $outer
is "it is asked to end: nothing is left" "$? $(left)" "143 "
begin
kill -KILL $outer
wait $outer
is "it is killed: nothing is left" "$? $(left)" "137 "
begin
kill -KILL "$(cat inner)"
wait $outer
is "the other one is killed: nothing is left" "$? $(left)" "137 "
done_testing
