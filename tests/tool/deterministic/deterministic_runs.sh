#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --deterministic=yes: the same profile in every run, counts that it leaves alone, and what it says about
# the rest.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# counted FILE: a profile without what tells how it was made.
counted() {
	sed '/^pid: /d; /^cmd: /d; /^desc: Options: /d; /^desc: CPU: /d; /^desc: Kernel: /d; /^desc: Folder: /d' "$1"
}

# steady NAME PROGRAM ARGUMENTS...: in three runs the same output, and profiles of the same bytes.
steady() {
	scene "$1"
	shift
	for steady_run in 1 2 3; do
		mkdir "../$scene.$steady_run"
		costgrind -q --deterministic=yes --trace-children=yes \
			--costgrind-out-file="../$scene.$steady_run/p" "$@" \
			>"../$scene.$steady_run.out" 2>&1 </dev/null
		# Children have their pid in their file's name; their order is the text's.
		find "../$scene.$steady_run" -type f -exec sed '/^pid: /d' {} + |
			LC_ALL=C sort | cksum >"../$scene.$steady_run.sum"
	done
	cd "$scratch" || exit 1
	[ -s "$scene.1/p" ] || not_ok "$scene: no profile" "$(cat "$scene.1.out")"
	is "$scene: output again" "$(cat "$scene.2.out")" "$(cat "$scene.1.out")"
	is "$scene: ... and again" "$(cat "$scene.3.out")" "$(cat "$scene.1.out")"
	is "$scene: profile again" "$(cat "$scene.2.sum")" "$(cat "$scene.1.sum")"
	is "$scene: ... and again" "$(cat "$scene.3.sum")" "$(cat "$scene.1.sum")"
}

# No seed of hashes is set by hand.
unset PYTHONHASHSEED PERL_HASH_SEED PERL_PERTURB_KEYS
if [ -x /usr/bin/python3 ]; then
	steady python /usr/bin/python3 -c '
import os, random, time, uuid
print(hash("abc"), random.random(), time.time(), time.monotonic(), os.cpu_count(), uuid.uuid4())
print({str(i) for i in range(20)})
time.sleep(0.1)
print(time.time())'
else
	skip "python" "there is no /usr/bin/python3"
fi
perl=$(command -v perl)
steady perl "$perl" -e '
my %h = map { $_ => 1 } 1 .. 100;
print join(",", keys %h), " ", rand(), " ", time(), "\n";
select(undef, undef, undef, 0.1);
printf "%d\n", time();'
# One process after the other: of a pipeline, which ends first is up to the kernel, and bash sees it.
steady bash /bin/bash -c 'date; sleep 0.1; date +%N; LC_ALL=C ls / >list; sort -R list; uname -a'
steady date /bin/date
is "date: which" "$(LC_ALL=C TZ=UTC costgrind -q --deterministic=yes --costgrind-out-file=p /bin/date)" \
	"Thu Jan  1 00:00:00 UTC 2026"
printf '%s\n' c b a >letters
steady sort /usr/bin/sort "$scratch/letters"

# Another seed gives another run.
costgrind -q --deterministic=yes --seed=1 --costgrind-out-file=other "$perl" -e '
my %h = map { $_ => 1 } 1 .. 100;
print join(",", keys %h), "\n";' >other.out
if [ "$(cut -d' ' -f1 perl.1.out | head -1)" = "$(cat other.out)" ]; then
	not_ok "perl: --seed" "$(cat other.out)"
else
	ok "perl: --seed"
fi

# --- children ---

# Each has chance of its own, and time goes on in it.
build "$scratch/forks" "$programs/forks.c" -O1
costgrind -q --deterministic=yes --costgrind-out-file=p ./forks >forks.1
costgrind -q --deterministic=yes --costgrind-out-file=p --engine=plain ./forks >forks.2
is "forks: again" "$(cat forks.2)" "$(cat forks.1)"
is "forks: random numbers are apart" "$(grep -c random forks.1) $(sort -u forks.1 | grep -c random)" \
	"4 4"
is "forks: time goes on" "$(grep -v random forks.1)" "child: later, CPU time begins
child: later, CPU time begins
parent: later"

# --- what fails ---

# With pointers to nowhere and times that are none, in the same way as without the option.
build "$scratch/badcalls" "$programs/badcalls.c" -O1
costgrind -q --cache-sim=no --costgrind-out-file=p ./badcalls >badcalls.want
is "badcalls: exit status without" $? 0
for engine in inline plain; do
	costgrind -q --cache-sim=no --deterministic=yes --engine=$engine --costgrind-out-file=p \
		./badcalls >badcalls.got
	is "badcalls: $engine: exit status" $? 0
	is "badcalls: $engine" "$(cat badcalls.got)" "$(cat badcalls.want)"
done

# --- counts ---

# A program without any such question is counted as ever.
for program in straight calls_system calls_signal; do
	asm_build $program
	for counting in valgrind architectural; do
		# shellcheck disable=SC2086 # several options in one variable
		for deterministic in no yes; do
			costgrind -q --counting=$counting --branch-sim=yes --collect-systime=no \
				--deterministic=$deterministic --costgrind-out-file=p.$deterministic \
				--I1=1024,2,32 --D1=512,2,32 --LL=4096,4,64 ./$program
		done
		is "$program: counts, $counting" "$(counted p.yes)" \
			"$(counted p.no)"
	done
done

# When off, it leaves no trace in generated code.
is "off: generated code" "$(costgrind --costgrind-out-file=p --trace-flags=00100000 \
	--trace-notbelow=0 ./straight 2>&1 | grep -c 'timedwait_begin')" 0
is "on: generated code" "$(costgrind --costgrind-out-file=p --trace-flags=00100000 \
	--trace-notbelow=0 --deterministic=yes ./straight 2>&1 | grep -c 'timedwait_begin' |
	sed 's/^[1-9][0-9]*$/some/')" some

# The caches that CPUID tells of are simulated.
costgrind -q --deterministic=yes --costgrind-out-file=p ./straight
is "geometry" "$(sed -n 's/^desc: \(.*\) cache: /\1 /p' p)" "I1 32768 B, 64 B, 8-way associative, lru
D1 49152 B, 64 B, 12-way associative, lru
L2 1048576 B, 64 B, 16-way associative, lru, nine
LL 33554432 B, 64 B, 16-way associative, L3, lru, nine"

# What the program was shown is part of the fingerprint.
fingerprint() {
	costgrind -q --costgrind-out-file=p "$@" ./straight
	sed -n 's/^desc: \(Options: .*\)/\1/p; s/^desc: \(CPU: .*\)/\1/p; s/^desc: \(Kernel: .*\)/\1/p' p
}
is "fingerprint" "$(fingerprint --deterministic=yes)" "Options: --deterministic=yes
CPU: baseline
Kernel: Linux 5.10.0"
is "fingerprint: of everything" "$(fingerprint --deterministic=yes --leave=usage,files --cpu=sse42+erms \
	--cpus=2 --seed=3 --clock-start=0 --clock-rate=5)" "Options: --deterministic=yes --leave=usage,files \
--cpu=sse42+erms --cpus=2 --seed=3 --clock-start=0 --clock-rate=5
CPU: sse42+erms
Kernel: Linux 5.10.0"
is "fingerprint: of what is left" "$(fingerprint --deterministic=yes --leave=cpu,system)" \
	"$(fingerprint | sed '1i\
Options: --deterministic=yes --leave=cpu,system')"

# --- what may differ all the same ---

build_program outsiders -O1 -pthread
scene outside
run --costgrind-out-file=p --deterministic=yes ../outsiders
exits 0
copies=$(grep -c spliced "$scratch/outside.out")
is "outsiders: what is said" "$(sed -n 's/^==[0-9]*== costgrind: \(may differ.*\)/\1/p' \
	"$scratch/outside.err" | sed 's/[0-9]* process ids/N process ids/')" \
	"may differ from run to run: 1 thread, 1 child process, N process ids, 2 signals from outside, \
1 timer, 1 read of a socket, $((copies + 1)) read$([ "$copies" -eq 0 ] || echo s) of \
$([ "$copies" -eq 0 ] && echo a pipe || echo pipes), 1 read of a terminal, 1 notice of the kernel's, \
1 file of /proc or /sys, 1 other clock\
$([ "$copies" -eq 0 ] || echo , 1 read of real random bytes)"
run --costgrind-out-file=p ../outsiders
is "outsiders: nothing without the option" "$(grep -c 'may differ' "$scratch/outside.err")" 0
cd "$scratch" || exit 1
is "nothing to say" "$(costgrind --deterministic=yes --costgrind-out-file=p ./straight 2>&1 |
	grep -c 'may differ')" 0

# --- sealed off ---

build "$scratch/sealed" "$programs/sealed.c" -O1 -pthread
if ./sealed >sealed.plain 2>&1; then
	costgrind -q --deterministic=yes --costgrind-out-file=p ./sealed >sealed.1 2>sealed.err
	is "sealed: exit status" $? 0
	costgrind -q --deterministic=yes --costgrind-out-file=p ./sealed >sealed.2 2>>sealed.err
	is "sealed: again" "$(cat sealed.2)" "$(cat sealed.1)"
	is "sealed: all lines" "$(sed '1s/^[0-9a-f]\{16\}$/bytes/; 2s/\..*//' sealed.1)" "bytes
1767225601"
else
	skip "sealed" "no seccomp here"
fi
done_testing
