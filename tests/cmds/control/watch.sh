#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind control --watch on a terminal: what it shows follows the program, and the terminal is
# afterwards as it was.
. "$top_srcdir/tests/lib.sh"

if ! command -v tmux >/dev/null; then
	skip "watch" "no tmux (Debian: tmux)"
	done_testing
fi
ln -s "$top_builddir/costgrind" costgrind # a name that can be typed
build phases "$top_srcdir/tests/programs/phases.c" -O1 -g
export VALGRIND_LIB="$COSTGRIND_LIB"
"$VALGRIND" --tool=costgrind --cache-sim=no --costgrind-out-file=p \
	--vgdb-prefix="$PWD/vgdb" ./phases turn >run.out 2>run.err &
pid=$!
# By a relative name, since a socket's has to be short.
tmux() {
	command tmux -S socket -f /dev/null "$@"
}
trap 'tmux kill-server 2>/dev/null; kill $pid 2>/dev/null' EXIT

# until_true TEXT COMMAND...: tries for some seconds until the command is true; TEXT is the test's name.
until_true() {
	until_name=$1
	shift
	for _ in $(seq 100); do
		"$@" && ok "$until_name" && return
		sleep 0.1
	done
	not_ok "$until_name" "$(shown)"
}
shown() {
	tmux capture-pane -p
}
# first_is NAME: whether the function that cost most is called so.
# shellcheck disable=SC2317 # until_true() calls it
first_is() {
	[ "$(shown | awk '/\[/ && /%|\./ { print $(NF - 1); exit }')" = "$1" ]
}
# shellcheck disable=SC2317 # until_true() calls it
has() {
	shown | grep -q -- "$1"
}
state() {
	tmux display-message -p '#{cursor_flag} #{alternate_on}'
}
# left: whether the shell's screen is back, with a cursor.
# shellcheck disable=SC2317 # until_true() calls it
left() {
	[ "$(state)" = "1 0" ]
}
# typed WORDS: gives the shell in the terminal a line.
typed() {
	tmux send-keys -l "$1"
	tmux send-keys Enter
}
watching() {
	typed clear
	typed "./costgrind control --watch=0.2 $pid"
}

# runs: whether the program can be asked by now.
# shellcheck disable=SC2317 # until_true() calls it
runs() {
	timeout 20 "$top_builddir/costgrind" control --stat "$pid" >stat.out 2>&1
}
until_true "the program runs" runs
# shellcheck disable=SC2086 # several words
PS1='$ ' tmux new-session -d -x 100 -y 24 "env VALGRIND='$VALGRIND' sh"
until_true "a shell" has '[#$]'
typed "stty -a | sed 1d >before" # the size is in line 1
watching
until_true "the first phase" first_is early
is "no cursor, another screen" "$(state)" "0 1"
is "one screen of lines" "$(shown | wc -l)" 24
: >turn
until_true "the second phase" first_is late
tmux resize-window -x 60 -y 10
until_true "a smaller window" has 'since the last look'
is "... is not overrun" "$(shown | awk 'length($0) > 60' | wc -l) $(shown | wc -l)" "0 10"
tmux resize-window -x 100 -y 24
tmux send-keys q
until_true "the shell's screen, a cursor" left
typed 'echo status=$?'
until_true "q ends it" has 'status=0'
typed "stty -a | sed 1d >now; mv now after; clear"
until_true "the mode" test -s after
is "... is as it was" "$(cat after)" "$(cat before)"

watching
until_true "watching again" first_is late
tmux send-keys C-c
until_true "the screen after SIGINT" left
typed 'echo status=$?'
until_true "SIGINT ends it" has 'status=130'
rm after
typed "stty -a | sed 1d >now; mv now after; clear"
until_true "... and the mode" test -s after
is "... as it was" "$(cat after)" "$(cat before)"

watching
until_true "once more" first_is late
kill "$(pgrep -f "^[.]/costgrind control --watch=0.2 $pid")"
until_true "the screen after SIGTERM" left
typed 'echo status=$?'
until_true "SIGTERM ends it" has 'status=143'
rm after
typed "stty -a | sed 1d >now; mv now after; clear"
until_true "... and the mode, too" test -s after
is "... and the mode is the same" "$(cat after)" "$(cat before)"

"$VALGRIND" --tool=costgrind --cycles=no --cache-sim=yes --branch-sim=yes --costgrind-out-file=w \
	--vgdb-prefix="$PWD/vgdb" ./phases turn >wide.out 2>wide.err &
wide=$!
trap 'tmux kill-server 2>/dev/null; kill $pid $wide 2>/dev/null' EXIT
# shellcheck disable=SC2317 # until_true() calls it
wide_runs() {
	timeout 20 "$top_builddir/costgrind" control --stat "$wide" >stat.out 2>&1
}
until_true "a program with 20 events" wide_runs
tmux resize-window -x 80 -y 24
typed clear
typed "./costgrind control --watch=0.2 $wide"
until_true "names, though there are 80 columns" first_is late
until_true "... and fewer events" has '^[1-9] of 21 events fit: --events chooses$'
tmux send-keys q
until_true "q again" left
tmux resize-window -x 100 -y 24

watching
until_true "the last time" first_is late
kill $pid
until_true "the program ends" has "$pid: it ended"
is "the terminal is restored" "$(state)" "1 0"
done_testing
