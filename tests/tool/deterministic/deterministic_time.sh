#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --deterministic=yes: the clock, and whoever waits by it.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# --- to the ns, by hand: the comments in tests/programs/clock.S ---

build clock "$programs/clock.S" -nostdlib -static -g
for engine in inline plain; do
	for counting in valgrind architectural; do
		for runs in 0 200; do
			is "clock: $engine engine, $counting, cold for $runs" \
				"$(costgrind -q --costgrind-out-file=p --cache-sim=no --engine=$engine \
					--counting=$counting --cold-runs=$runs --deterministic=yes ./clock |
					od -An -v -t d8 | tr -s ' ')" " 1767225600 1004
 1000 2008
 0 3012
 0 4016
 1000 5005024
 0 6028
 29 930
 1767225600 0"
		done
	done
done
is "clock: --clock-start" "$(costgrind -q --costgrind-out-file=p --deterministic=yes \
	--clock-start=4102444800 ./clock | od -An -v -t d8 | tr -s ' ' | sed -n '1,2p; $p')" \
	" 4102444800 1004
 1000 2008
 4102444800 0"
# Each of the instructions and questions above takes 3 ns and 3 us, and then 0.7; the nap what it takes.
is "clock: --clock-rate=3000" "$(costgrind -q --costgrind-out-file=p --deterministic=yes \
	--clock-rate=3000 ./clock | od -An -v -t d8 | tr -s ' ')" " 1767225600 3012
 1000 6024
 0 9036
 0 12048
 1000 5015072
 0 18084
 87 2790
 1767225600 0"
is "clock: --clock-rate=700" "$(costgrind -q --costgrind-out-file=p --deterministic=yes \
	--clock-rate=700 ./clock | od -An -v -t d8 | tr -s ' ')" " 1767225600 702
 1000 1405
 0 2108
 0 2811
 1000 5003516
 0 4219
 20 651
 1767225600 0"

# real_date N: whether N is a time of this year, not of the canonical clock's beginning.
real_date() {
	[ "$1" -gt 1767312000 ] || [ "$(date +%s)" -lt 1767312000 ]
}
costgrind -q --costgrind-out-file=p --deterministic=yes --leave=clock ./clock |
	od -An -v -t d8 | tr -s ' ' >left
if real_date "$(sed -n '1s/^ \([0-9]*\).*/\1/p' left)"; then
	ok "clock: --leave=clock"
else
	not_ok "clock: --leave=clock" "$(cat left)"
fi
is "clock: --leave=clock leaves CPU time canonical" "$(sed -n '3,4p; 6,7p' left)" " 0 3012
 0 4016
 0 6028
 29 930"
costgrind -q --costgrind-out-file=p --deterministic=yes --leave=usage,tsc ./clock |
	od -An -v -t d8 | tr -s ' ' >left
is "clock: --leave=usage,tsc leaves the clock canonical" "$(sed -n '1,2p; 8p' left)" \
	" 1767225600 1004
 1000 2008
 1767225600 0"
if [ "$(sed -n '7s/^ \([0-9]*\) .*/\1/p' left)" -gt 1000000 ]; then
	ok "clock: --leave=tsc"
else
	not_ok "clock: --leave=tsc" "$(cat left)"
fi

# --- all ways to wait ---

build_program waits -O1 -pthread -lrt
waited="nanosleep: 20 ms
clock_nanosleep: 20 ms
clock_nanosleep until: 30 ms
clock_nanosleep until a date: 30 ms
clock_nanosleep until long ago: 0 ms
poll: 20 ms
poll of what is ready: 0 ms
ppoll: 20 ms
select: 20 ms
select leaves 100.020000
select of what is ready: 0 ms
pselect: 20 ms
epoll_wait: 20 ms
pthread_cond_timedwait by date: 40 ms
pthread_cond_timedwait by clock: 40 ms
sem_timedwait: 20 ms
pthread_mutex_timedlock: 20 ms
sigtimedwait: 20 ms
semtimedop: 20 ms
mq_timedreceive: 20 ms
timerfd: 20 ms
timerfd until a date: 20 ms
alarm: 1000 ms
alarm left 100
alarm that does not ring: 20 ms
getitimer 0.01
setitimer: 20 ms
timer_settime until: 20 ms
timer_settime with a thread: 20 ms
sem_timedwait with a handler: 200 ms
two threads: 50 ms
one deadline: 60 ms
asking: 20 ms"
for engine in inline plain; do
	before=$(date +%s%N)
	is "$engine: waits" "$(costgrind -q --costgrind-out-file=p --cache-sim=no --engine=$engine \
		--deterministic=yes ./waits)" "$waited"
	after=$(date +%s%N)
	# They really wait: 1,850 ms in all.
	if [ $(((after - before) / 1000000)) -ge 1850 ]; then
		ok "$engine: waiting takes its time"
	else
		not_ok "$engine: waiting takes its time" "$(((after - before) / 1000000)) ms"
	fi
done
is "waits with a processor of many features" "$(costgrind -q --costgrind-out-file=p --cache-sim=no \
	--deterministic=yes --cpu=sse42+erms ./waits)" "$waited"

# --- time of other processes ---

# Under Valgrind, so that a test that hangs ends.
slowly() {
	VALGRIND_LIB=$COSTGRIND_LIB timeout 60 "$VALGRIND" --tool=costgrind -q --cache-sim=no \
		--costgrind-out-file=p --deterministic=yes "$@"
}
# shellcheck disable=SC2016 # for the other shell
is "profiled children: their time is their parent's" "$(slowly --trace-children=yes /bin/bash -c \
	'SECONDS=0; sleep 0.5; sleep 0.5; date +%s; sleep 1; echo $SECONDS; date +%s')" "1767225601
2
1767225602"
# shellcheck disable=SC2016 # for the other shell
is "profiled children: who waits by them gets there" "$(slowly --trace-children=yes /bin/bash -c \
	'end=$(($(date +%s) + 1)); while [ $(date +%s) -lt $end ]; do sleep 0.3; done; echo done')" "done"
# shellcheck disable=SC2016 # for the other shell
is "other children: who waits by them gets there" "$(slowly /bin/bash -c \
	'SECONDS=0; while [ $SECONDS -lt 1 ]; do sleep 0.3; done; echo done')" "done"
is "other children: short ones take no time" "$(slowly /bin/bash -c \
	'sleep 0.1; printf "%(%s)T\n" -1')" 1767225600
slowly --trace-children=yes /bin/bash -c 'mktemp -u; mktemp -u' >names
is "profiled children: chance goes on" "$(sort -u names | wc -l)" 2
is "other children do not see it" "$(slowly /bin/ls -l /proc/self/fd >/dev/null
	slowly /bin/bash -c 'ls -l /proc/self/fd' | grep -c memfd)" 0

# Of a socket that may not wait longer.
build "$scratch/impatient" "$programs/impatient.c" -O1
is "SO_RCVTIMEO" "$(slowly ./impatient)" "waited 60 ms, then 60 ms
did not wait"
done_testing
