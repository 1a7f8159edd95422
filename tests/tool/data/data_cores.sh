#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --data=yes with several cores: misses of all of them are on the objects that they used, and add up to the profile's.
# Barriers make threads take turns, whatever the schedule.
. "$top_srcdir/tests/programs/scenes.sh"

build_program cores -pthread -O1
scene_program=cores
scene_machine="--cache-sim=yes --machine=generic --cores=4"

# found EVENT PATTERN: of objects of that name.
found() {
	data objects "$scene/d" "$2" | sed -n "s/.*[ :]$1=\([0-9]*\).*/\1/p"
}

# 24 KiB are 384 lines; each of four threads has as many of its own.
scene_run private
adds_up
is "private: each thread misses its lines once" "$(found D1mr '^own$')" $((4 * 384))

# 16 KiB are 256 lines, written by one core and read by another.
scene_run handover
adds_up
is "handover: the reader misses all of them in each round" "$(found D1mr '^handed$')" $((100 * 256))
is "handover: the writer at first only" "$(found D1mw '^handed$')" 256
is "handover: who" "$(data users handover/d '^handed$' | sed 's/:[0-9]* / /; s/\(D1m[rw]=[0-9]*\) .*/\1/')" \
	"fill 256 D1mw=256
sum 25600 D1mr=25600"

scene_run handover --sharing=yes
adds_up "--sharing=yes"
# A line moves when it is read, and when it is written again; both threads use the same bytes.
is "handover: lines that moved" "$(found DshT '^handed$') $(found DshF '^handed$')" "$((100 * 256 + 99 * 256)) "

scene_run false
adds_up
is "false: one line, missed where it was counted" "$(data users false/d '^together$' | sed 's/:.*//')" count

done_testing
