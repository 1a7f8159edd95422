#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind stable: each cause is planted in a function of tests/programs/depends.c, and is named.
. "$top_srcdir/tests/lib.sh"
VALGRIND=$VALGRIND_ITSELF # the environment is what is measured

command=$top_builddir/costgrind
unset VALGRIND_LIB
build depends "$top_srcdir/tests/programs/depends.c" -O1 -g -pthread
# The % is not one of the tool's signs for a name.
TMPDIR=$PWD/tmp%d
mkdir tmp%d
export TMPDIR
pids=yes
"$command" run --stable --print ./depends | grep -q '^pid *cannot be fixed here$' && pids=no

# errors: what is said, except about lacking namespaces.
errors() {
	grep -v '^costgrind stable: warning: --stable: left as it is: [a-z, ]*pid' err
}
# named: the planted functions of a report, each with what it depends on.
named() {
	sed -n 's/^ *[0-9,]* *[0-9,]* *[0-9,]* *[0-9.<]*%  *\([a-z, ]*[a-z]\) .*:\(on_[a-z]*\) .*/\2 \1/p' |
		sort
}

# --- nothing ---

"$command" stable ./depends >report 2>err
is "a stable program: status" $? 0
is "a stable program: errors" "$(errors)" ""
is "a stable program: last line" "$(tail -n 1 report)" stable
is "a stable program: no function" "$(sed -n '/^-- Functions/{n;p;}' report)" ""
is "nothing is left behind" "$(ls tmp%d)" ""

# --- each of them ---

causes="clock environment heap load pid random stack time"
[ "$pids" = yes ] || skip_here "pid is named" "no namespaces of pids here"
# shellcheck disable=SC2086 # several words
"$command" stable ./depends $causes >report 2>err
is "all causes: status" $? 3
is "all causes: last line" "$(tail -n 1 report)" unstable
is "each is named" "$(named <report)" "$(for cause in $causes; do
	[ "$cause $pids" = "pid no" ] && cause=run
	echo "on_$cause $cause" | sed 's/^on_run/on_pid/'
done)"
is "a run for each" "$(sed -n 's/^ *\([0-9]*\) .*  \([a-z]*\): .*/\2 \1/p' report | tr '\n' ' ')" \
	"run $([ "$pids" = yes ] && echo 2 || echo 8) stack 3 environment 1 heap 2 load 1 time 1 clock 1 $([ "$pids" = no ] ||
		echo 'pid 1 ')threads 1 random 1 "

# on_heap() executes 4 instructions for a round and has 100 rounds more for each of 7 steps: the
# spread is a multiple of that.
"$command" stable --causes=heap --format=json ./depends heap >report.json 2>err
is "JSON: status" $? 3
is "JSON" "$(python3 "$top_srcdir/tests/cmds/stable/stable_json.py")" "costgrind-stable 1 Ir False
['./depends', 'heap']
[('run', 2), ('heap', 2)]
['heap'] True 0 True
True"

# --- threads ---

# A Valgrind that says that it is one whose --fair-sched does nothing.
printf '#!/bin/sh\n[ "$1" = --version ] && echo valgrind-3.27.1 && exit\nexec "%s" "$@"\n' "$VALGRIND" >old_valgrind
chmod +x old_valgrind
VALGRIND=$PWD/old_valgrind "$command" stable --causes=heap ./depends threads heap >report 2>err
is "threads that take no turns" "$(grep -c 'warning: threads take turns as they like: .* in valgrind-3\.27\.1,' err)" 1
VALGRIND=$PWD/old_valgrind "$command" stable --causes=heap ./depends heap >report 2>err
is "one thread needs none" "$(grep -c 'take turns' err)" 0
is "the doctor knows it" "$(VALGRIND=$PWD/old_valgrind "$command" doctor 2>err | grep -c '^ .*--fair-sched=yes does not work')" 1

"$command" stable ./depends threads heap >report 2>err
is "threads: status" $? 3
is "threads are told from others" "$(named <report | grep -v '^on_heap')" "on_threads threads"
is "threads: more runs" "$(sed -n 's/^ *\([0-9]*\) .* run: .*/\1/p' report)" 8

# --- options ---

"$command" stable --causes=heap --threshold=50 ./depends heap >report 2>err
is "threshold: status" $? 0
is "threshold: what is below" "$(sed -n 's/^-- Functions: //p' report |
	sed 's/^[0-9]* \(.*;\) [0-9]* /\1 /')" "changed themselves; below --threshold"
"$command" stable --causes=heap --keep=machine ./depends >report 2>err
is "keep machine: heap is tried" "$? $(tail -n 1 report)" "0 stable"
"$command" stable --causes=time,clock,random --keep=machine ./depends >report 2>err
is "keep machine: others are not" "$(sed -n '/^not tried/p' report)" \
	"not tried: time: it is the system's (--keep=machine)
not tried: clock: it is the system's (--keep=machine)
not tried: random: it is the system's (--keep=machine)"
"$command" stable --causes=stack -j 1 --output=report.txt ./depends >report 2>err
is "output to a file" "$? $(cat report) $(tail -n 1 report.txt)" "0  stable"
"$command" stable --causes=stack --cache-sim=yes --event=D1mr ./depends >report 2>err
is "another event" "$(sed -n 's/^runs *least \([^ ]*\) .*/\1/p' report)" D1mr
# shellcheck disable=SC2016 # for that shell
echo 0123456789 | "$command" stable --causes=run --threshold=0 sh -c \
	'read word; i=${#word}; while [ $i -gt 0 ]; do i=$((i - 1)); done; [ ${#word} = 10 ]' \
	>report 2>err
is "standard input for each run" "$? $(tail -n 1 report)" "0 stable"
"$command" stable --causes=pid,stack --threshold=0 sh -c 'exit $(($$ % 7))' >report 2>err
status=$?
if [ "$pids" = yes ]; then
	is "other exit statuses" "$status $(grep ended report)" \
		"3 runs ended with different exit statuses"
fi

# --- what cannot be ---

"$command" stable >out 2>err
is "no program" "$? $(errors)" "2 costgrind stable: expected a program to run"
"$command" stable ./nothing >out 2>err
is "no such program" "$? $(errors)" "127 costgrind stable: ./nothing: No such file or directory"
"$command" stable --causes=moon ./depends >out 2>err
is "no such cause" "$? $(errors)" "2 costgrind stable: --causes=moon: expected run, stack,\
 environment, heap, load, time, clock, pid, threads, random"
"$command" stable --causes=stack --cache-sim=yes ./depends >report 2>err
is "the event of every view" "$(sed -n 's/^runs *least \([^ ]*\) .*/\1/p' report)" Cyc
"$command" stable --causes=stack --cache-sim=yes --event=D1m --format=json ./depends >one 2>err
is "a derived event" "$(python3 -c 'import json; print(json.load(open("one"))["event"])')" D1m
"$command" stable --event=D1mr ./depends >out 2>err
is "no such event" "$? $(errors)" "2 costgrind stable: --event=D1mr: not recorded: expected --cache-sim=yes, too"
for event in EstCyc=--cache-sim=yes Bm=--branch-sim=yes sysCpuTime=--collect-systime=nsec Ge=--collect-bus=yes; do
	"$command" stable --event="${event%%=*}" ./depends >out 2>err
	is "${event%%=*} is not recorded" "$? $(errors)" \
		"2 costgrind stable: --event=${event%%=*}: not recorded: expected ${event#*=}, too"
done
"$command" stable --event=Moons ./depends >out 2>err
is "an event that nobody knows" "$? $(errors)" "2 costgrind stable: --event=Moons: no such event was recorded; \
'costgrind help events' lists them"
is "the help says what is compared" "$("$command" stable --help | grep -c 'Ir; Cyc with --cache-sim=yes')" 1
"$command" stable --nonsense ./depends >out 2>err
is "an option that nobody knows" "$? $(sed -n '/nonsense/p' err | wc -l)" "1 1"
"$command" stable ./depends >out 2>err &
pid=$!
sleep 1
kill -TERM "$pid"
wait "$pid"
is "interrupted: status, nothing left" "$? $(cat out) $(ls tmp%d)" "143  "

done_testing
