#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind control: processes are found, shown and steered; what is shown is what the file has
# that is written then; a line for each that cannot be talked to.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
build idle "$top_srcdir/tests/programs/idle.c" -O1 -g -static -pthread
cp idle "$(printf 'odd\033[31m\nname')"
cp idle "other_idle$$" # no other process is called so
export VALGRIND_LIB="$COSTGRIND_LIB"

# started NAME TOOL OPTIONS... PROGRAM...: starts it, waiting at a FIFO; its pid is in $started.
started() {
	started_name=$1
	started_tool=$2
	shift 2
	mkfifo "$started_name.in"
	"$VALGRIND" --tool="$started_tool" --vgdb-prefix="$PWD/vgdb" "$@" \
		<"$started_name.in" >"$started_name.out" 2>"$started_name.err" &
	started=$!
	pids="$pids $started"
}
pids=
trap 'kill $pids 2>/dev/null' EXIT
started first costgrind --counting=valgrind --cache-sim=no --costgrind-out-file=first.cg ./idle "a b" \
	"$(printf '\033]0;x\a')"
first=$started
exec 3>first.in
started odd costgrind --costgrind-out-file=odd.cg "./$(printf 'odd\033[31m\nname')"
odd=$started
exec 4>odd.in
# As costgrind starts it from a folder with blanks in its name.
started silent "../../../../../../../../../../../..$COSTGRIND_LIB/costgrind" --vgdb=no --costgrind-out-file=silent.cg "./other_idle$$"
silent=$started
exec 5>silent.in
started theirs callgrind --callgrind-out-file=theirs.cg ./idle
theirs=$started
exec 6>theirs.in
started flat cachegrind --cachegrind-out-file=flat.cg ./idle
flat=$started
exec 7>flat.in

# control ARGS...: leaves what was printed in said and told, with pids as words; prints the exit status.
control() {
	timeout 60 "$command" control --timeout=20 "$@" >said.raw 2>told.raw
	control_status=$?
	for control_file in said told; do
		sed -e "s/\\b$first\\b/FIRST/g; s/\\b$odd\\b/ODD/g; s/\\b$silent\\b/SILENT/g" \
			-e "s/\\b$theirs\\b/THEIRS/g; s/\\b$flat\\b/FLAT/g; s,$PWD,PWD,g; s/idle$$/idle/g" \
			-e 's/^costgrind control: //' $control_file.raw >$control_file
	done
	echo $control_status
}
# are_waiting: all of them.
are_waiting() {
	# shellcheck disable=SC2086 # several words
	"$command" control $pids >list 2>&1 || return
	[ "$(grep -c ' waiting  ' list)" = 5 ]
}
for _ in $(seq 200); do
	are_waiting && break
	sleep 0.1
done
sleep 0.5

# shellcheck disable=SC2086 # several words
is "a list" "$(control $pids; sed 's/^ *//' said)" "0
pid  tool                    state     program
FIRST  costgrind               waiting   ./idle a b \\x1b]0;x\\x07
ODD  costgrind               waiting   ./odd\\x1b[31m\\x0aname
SILENT  costgrind               waiting   ./other_idle
THEIRS  callgrind               waiting   ./idle
FLAT  cachegrind              waiting   ./idle"
is "... as JSON" "$(control --format=json $odd; python3 -c '
import json
for process in json.load(open("said.raw"))["processes"]:
    print(process["tool"], process["costgrind"], process["state"], process["program"])')" "0
costgrind True waiting ['./odd\\x1b[31m\\nname']"

# -- what is shown ------------------------------------------------------------------------

# total FILE: the first number of totals:
total() {
	sed -n 's/^totals: \([0-9]*\).*/\1/p' "$1"
}
# shown_total: the total that --totals shows.
shown_total() {
	sed -n 's/,//g; s/^ *\([0-9]*\) .*thread 1$/\1/p' said
}
is "totals" "$(control --totals=Ir $first)" 0
seen=$(shown_total)
is "totals are what functions cost" "$(control --watch --count=1 $first)
$(sed -n 's/,//g; s/^ *\([0-9]*\) .*since the last part$/\1/p' said)" "0
$seen"
# shellcheck disable=SC2153 # tests/run sets it
vgdb=$VALGRIND_BIN/vgdb
"$vgdb" --vgdb-prefix="$PWD/vgdb" --pid="$first" "status functions" >functions.txt 2>vgdb.err
is "... all of them" "$(awk '/^function:/ { n += $2 } /^totals:/ { t = $2 } END { print n - t, t }' \
	functions.txt)" "0 $seen"
is "... what leaf costs by itself" "$(sed -n 's/,//g; s/^ *[0-9.]* *\([0-9]*\) .* leaf \[idle\]$/\1/p' said)" \
	"$(sed -n 's/^function: \([0-9]*\)\t.*\tleaf$/\1/p' functions.txt)"
is "the first of them only" "$("$vgdb" --vgdb-prefix="$PWD/vgdb" --pid="$first" status functions 2 \
	2>vgdb.err | grep -c ^function:) $("$vgdb" --vgdb-prefix="$PWD/vgdb" --pid="$first" \
	status functions x 2>vgdb.err)" "2 status functions x: expected a number from 1 on"
is "calls that are under way" "$(control --back --events=Ir $first; awk '/\[[0-2]\]/ {
	print $(NF - 2), $(NF - 1), $NF }' said)" "0
1 [0] read
1 [1] wait_here
1 [2] main"
is "numbers" "$(control --stat $first; sed 's/[0-9,]* contexts/N contexts/; s/[0-9][0-9,]*,/N,/
	s/[0-9,]* distinct/N distinct/' said)" "0
FIRST: ./idle a b \\x1b]0;x\\x07
  threads         1
  parts written   0
  events          Ir
  functions       N, N contexts
  calls           N, N distinct
  blocks          N, N distinct"
is "all of it as JSON" "$(control --stat --totals --back --format=json $first)
$(python3 -c '
import json
process = json.load(open("said.raw"))["processes"][0]
thread = process["threads"][0]
print(process["program"] == ["./idle", "a b", "\x1b]0;x\x07"], process["stat"]["events"])
print(thread["totals"]["Ir"], thread["frames"][2])')" "0
True ['Ir']
$seen $(python3 -c '
import json
frame = json.load(open("said.raw"))["processes"][0]["threads"][0]["frames"][2]
print({"function": "main", "calls": 1, "inclusive": frame["inclusive"]})')"
is "pids that shells offer" "$("$command" --complete control $odd)" "$odd$(printf '\t')./odd\\x1b[31m\\x0aname"
is "an event that is not recorded" "$(control --totals=Ir,Dw $first; cat told)" "1
FIRST: Dw: no such event is recorded"

# -- what is done -------------------------------------------------------------------------

is "dump" "$(control --dump='a hint' $first; cat said)" "0
FIRST: written: PWD/first.cg.1"
is "... has what was shown" "$(total first.cg.1)" "$seen"
is "... and the hint" "$(sed -n 's/^desc: Trigger: //p' first.cg.1)" "dump a hint"
is "nothing was counted since" "$(control -e $first; shown_total)" "0
0"
printf x >&3
sleep 0.5
is "... until the program goes on" "$(control --totals --dump $first; shown_total)" "0
$(total first.cg.2)"
is "... twice leaf" "$(python3 "$top_srcdir/tests/profile.py" calls first.cg.2 |
	awk -F '\t' '$5 == "leaf" { n += $6; print $2, n }' | tail -n 1)" "twice 2"
printf x >&3
sleep 0.5
is "zero, then off" "$(control --zero --instr=off $first; cat said)" "0
FIRST: set to zero
FIRST: instrumentation is off"
is "... is seen" "$(control -s -e -b $first; sed 1d said)" "0
  instrumentation is off"
printf x >&3
sleep 0.5
is "on: it is not known yet what runs" "$(control -q -i on $first; cat said; control -e $first; shown_total)" \
	"0
0"
is "a program by the end of its name" "$(control "her_idle$$"; sed 1d said | awk '{ print $1, $NF }')" \
	"0
SILENT ./other_idle"
is "two that are named so, and one again" "$(control ./idle "$first" 2>&1; sed 1d said |
	grep -c -E 'FIRST|THEIRS|FLAT')" "0
3"

# -- collection ---------------------------------------------------------------------------

started dry costgrind --counting=valgrind --cache-sim=no --collect-atstart=no --instr-atstart=no \
	--costgrind-out-file=dry.cg ./idle
dry=$started
exec 9>dry.in
# dry_is_waiting: whether it can be asked.
dry_is_waiting() {
	"$command" control $dry >list 2>&1 && grep -q ' waiting  ' list
}
for _ in $(seq 200); do
	dry_is_waiting && break
	sleep 0.1
done
sleep 0.5
# dried: what was said, with its pid as a word.
dried() {
	sed "s/\\b$dry\\b/DRY/g" said
}
is "counting that goes nowhere" "$(control --instr=on $dry; dried)" "0
DRY: instrumentation is on; collection: off"
printf x >&9
sleep 0.5
is "... is 0, and says why" "$(control --totals --back $dry; dried | grep -v '\[')" "0
DRY: ./idle
  collection is off (--collect=on switches it on)
  Ir
   0 thread 1
  Ir      calls thread 1"
is "... for the calls under way too" "$(dried | awk '/ \[1\] / { print $1, $2 }' | head -n 1)" "0 0"
is "... in numbers" "$(control --stat $dry; dried | grep collection)" "0
  collection is off (--collect=on switches it on)"
is "... in JSON" "$(control --totals --format=json $dry)
$(python3 -c '
import json
process = json.load(open("said.raw"))["processes"][0]
print(process["collection"], process["totals"], process["threads"][0]["totals"])')" "0
off {'Ir': 0} {'Ir': 0}"
is "... watched" "$(control --watch --count=1 $dry; dried | sed -n '3p; /last part/p')" "0
collection is off (--collect=on switches it on)
         0  since the last part"
is "... dumped" "$(control --dump $dry; dried)" "0
DRY: written: PWD/dry.cg.1; nothing was collected: collection is off"
is "on, whatever it was" "$(control --collect=on $dry; dried; control --collect=on $dry; dried)" "0
DRY: collection: on
0
DRY: collection: on"
printf x >&9
sleep 0.5
is "... counts" "$(control -q --totals --dump $dry; shown_total)" "0
$(total dry.cg.2)"
is "... from there on" "$(python3 "$top_srcdir/tests/profile.py" calls dry.cg.2 |
	awk -F '\t' '$5 == "leaf" { n += $6; print $2, n }' | tail -n 1)" "twice 2"
is "off and on with counting" "$(control --instr=off --collect=off $dry; dried
	control --instr=on --collect=auto $dry; dried)" "0
DRY: instrumentation is off
DRY: collection: off
0
DRY: instrumentation is on
DRY: collection: off"
is "Callgrind cannot" "$(control --collect=on $theirs; cat told; control --collect=no $theirs; cat told)" "1
THEIRS: Callgrind has no command for that
2
--collect: 'no': expected on, off or auto"

# Files by threads, of threads that all wait: what waiting costs, and nothing.
started apart costgrind --cache-sim=no --collect-systime=usec --separate-threads=yes \
	--collect-atstart=no --costgrind-out-file=apart.cg ./idle thread
apart=$started
exec 9>apart.in # dry's, which is over
# apart_wait: both threads.
apart_wait() {
	"$command" control --stat $apart 2>&1 | grep -q 'threads  *2' &&
		"$command" control $apart | grep -q ' waiting  '
}
for _ in $(seq 200); do
	apart_wait && break
	sleep 0.1
done
sleep 0.5
control --collect=on $apart >status
sleep 0.2
control --collect=off $apart >status
is "threads that only wait" "$(control --totals=Ir,sysTime $apart; sed -n 's/,//g
	s/^ *0 *[1-9][0-9]* \(thread\)/\1/p' said)" "0
thread 1
thread 2"
seen=$(sed -n 's/,//g; s/^ *0 *\([0-9]*\) thread.*/\1/p' said)
is "... have files" "$(control -q --dump $apart; for file in apart.cg.1-01 apart.cg.1-02; do
	awk '/^totals:/ { print $4 }' $file; done)" "0
$seen"
is "if there are no costs, the first has one" "$(control --dump $apart
	sed "s/^$apart/APART/" said; ls apart.cg.2*)" "0
APART: written: PWD/apart.cg.2-01; nothing was collected: collection is off
apart.cg.2-01"
control --collect=on $apart >status
sleep 0.2
printf x >&9
sleep 0.5
control --collect=off $apart >status
is "a call that collection found under way is collected when it ends" "$(control -q --dump $apart
	awk '/^totals:/ { print $3, ($4 >= 200000) }' apart.cg.3-01)" "0
1 1"
is "... before it is killed, too" "$(control --kill $apart; sed "s/^$apart/APART/" said; ls apart.cg-*)" "0
APART: killed; written: PWD/apart.cg-01; nothing was collected: collection is off
apart.cg-01"

# -- who cannot be talked to --------------------------------------------------------------

is "each has a line, the others go on" "$(control --dump $silent $theirs $flat $odd; cat said told)" "1
THEIRS: dumped
ODD: written: PWD/odd.cg.1
SILENT: it was started with --vgdb=no (costgrind run --stable does that)
FLAT: Cachegrind has no commands but to be killed"
(exit 0) &
dead=$!
wait $dead
is "no such processes" "$(control --stat $dead $$ nothing_like_this; sed "s/^$dead/DEAD/; s/^$$/SHELL/" told)" \
	"1
DEAD: there is no such process
SHELL: does not run under costgrind, Callgrind or Cachegrind
nothing_like_this: no program whose name ends so runs under costgrind, Callgrind or Cachegrind"
kill -STOP $odd
sleep 0.2
is "one that is stopped" "$(control --stat $odd; cat told)" "1
ODD: it is stopped by a signal, and answers when it is continued: kill -CONT ODD"
kill -CONT $odd
is "another place for pipes" "$(control --stat --vgdb-prefix=./nowhere $odd; cat told)" "1
ODD: found no pipe ./nowhere-from-vgdb-to-ODD-by-...: is it still starting, or a forked child? if not, --vgdb-prefix as it was started with"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	is "another user's" "$(setpriv --reuid=65534 --clear-groups "$command" control --stat $first 2>&1 |
		sed "s/ $first: / /")" "costgrind control: it is another user's, who alone can do this (not even root can)"
	is "another user's: only words are seen" "$(setpriv --reuid=65534 --clear-groups \
		"$command" control $silent 2>&1 | sed -n "s/^ *$silent  *\([a-z]*\) .*/\1/p")" costgrind
else
	skip_here "another user's" "not root"
	skip_here "another user's: only words are seen" "not root"
fi
if unshare -rpf --mount-proc true 2>/dev/null; then
	is "none at all" "$(unshare -rpf --mount-proc "$command" control 2>&1; echo $?)" \
		"costgrind control: nothing runs under costgrind, Callgrind or Cachegrind
1"
else
	skip_here "none at all" "no namespace of processes"
fi

# Anybody makes files in /tmp; the more of them, the surer one of them is found first.
for i in 1 2 3 4 5 6 7 8; do
	for name in from-vgdb-to to-vgdb-from; do
		ln -s nowhere "vgdb-$name-$odd-by-link$i-on-h"
		: >"vgdb-$name-$odd-by-file$i-on-h"
		mkfifo "vgdb-$name-$odd-by-other$i-on-h" "vgdb-$name-$odd-by-half$i-on-h"
	done
	for name in link file other; do
		: >"vgdb-shared-mem-vgdb-$odd-by-$name$i-on-h"
	done
done
# An owner is given by root only; without, these are not whole.
chown 65534 vgdb-*-"$odd"-by-other* 2>chown.err || rm -f vgdb-shared-mem-vgdb-"$odd"-by-other*
is "pipes of others" "$(control --totals $odd; cat told)" 0
rm vgdb-*-"$odd"-by-link* vgdb-*-"$odd"-by-file* vgdb-*-"$odd"-by-other* vgdb-*-"$odd"-by-half*

mkfifo own.in
COSTGRIND_OPTS="-q --vgdb-prefix=$(unspaced "$PWD")/elsewhere" "$VALGRIND" --tool=costgrind --cycles=no \
	--costgrind-out-file=own.cg ./idle <own.in >own.out 2>own.err &
own=$!
pids="$pids $own"
exec 8>own.in
for _ in $(seq 100); do
	ls elsewhere-* >elsewhere.ls 2>&1 && break
	sleep 0.1
done
is "pipes named by COSTGRIND_OPTS" "$(control --totals $own; cat told)" 0

# -- interruptions ------------------------------------------------------------------------

is "keys that interrupt let the program live" "$(python3 "$top_srcdir/tests/cmds/control/interrupts.py" "$command" \
	$odd "$PWD/vgdb")" 30
is "... and answer" "$(control --totals $odd)" 0
# An ignored SIGCHLD is inherited, and would hide how vgdb ended.
is "without SIGCHLD" "$(python3 -c '
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$command" control --timeout=20 --totals=Ir $odd >ignored.out 2>&1
	echo $?)" 0

# A vgdb that does what the real one does in places where it fails.
mkdir fake
printf '#!/bin/sh\n' >fake/valgrind
chmod +x fake/valgrind
# faked TEXT ARGS...: with a vgdb of these commands.
faked() {
	printf '#!/bin/sh\n%s\n' "$1" >fake/vgdb
	chmod +x fake/vgdb
	shift
	VALGRIND=$PWD/fake/valgrind control "$@"
}
is "no answer in time" "$(faked 'sleep 20' --timeout=1 --stat $odd; cat told)" "1
ODD: no answer in 1 s (--timeout)"
is "ptrace is refused" "$(faked 'while :; do
	echo "syscall failed: Operation not permitted" >&2
	echo "attach main pid PTRACE_ATTACH pid 1 -1" >&2
	sleep 0.1
done' --stat $odd; cut -c1-64 told)" "1
ODD: it waits in the kernel, and vgdb may not wake it by ptrace:"
is "vgdb fails" "$(faked 'echo "vgdb error: $(printf "\033")[2J" >&2; exit 1' --stat $odd; cat told)" "1
ODD: vgdb: vgdb error: \\x1b[2J"
is "an answer that is none" "$(faked 'echo nonsense' --stat $odd; cat told)" "1
ODD: its answer: expected the state of a run"
is "names that talk to terminals" "$(faked 'printf "instrumentation: on\nevents: Ir\nthreads: 1\n"
printf "events-1: 5\nfunction-1-0: a\033[31mb\n"' --back $odd; sed -n '$p' said)" "0
   .          . [0] a\\x1b[31mb"
is "events that talk to terminals" "$(faked 'printf "instrumentation: on\nevents: I\033r\nthreads: 1\n"
printf "events-1: 1234567\nfunction-1-0: main\n"' --totals $odd; sed 1d said)" "0
     I\\x1br
  1,234,567 thread 1"
for list in ',' 'Ir,' ',Ir' 'Ir,,Dr'; do
	is "no name in $list" "$(control --totals --events="$list"; cat told)" "2
--events: '$list': expected names of events"
done
is "usage" "$(control --count=2; cat told; control --instr=maybe; cat told
	control --watch --dump; cat told; control --kill --format=json 1; cat told
	control --kill; cat told)" "2
--count: expected --watch
2
--instr: 'maybe': expected on or off
2
--watch: expected no other action, and text
2
--format=json: expected --list, --stat, --totals or --back
2
--kill: expected pids or names after it"
is "one of two to be watched" "$(control --watch --count=1 $first $dead; cat told)" "1
$dead: there is no such process"
is "one to be watched" "$(control --watch $first $odd $theirs; cat told)" "1
--watch: expected one process, found 3: FIRST, ODD, ..."

# -- the end ------------------------------------------------------------------------------

printf x >&3
sleep 0.5
control -e $first >status
seen=$(shown_total)
is "kill" "$(control --kill $first $theirs $flat; cat said)" "0
FIRST: killed; written: PWD/first.cg
THEIRS: killed; its last part was dumped before, the file without a number is empty
FLAT: ended by SIGTERM, so that Cachegrind writes its file"
is "... the file is whole" "$("$command" check first.cg >check.out 2>&1; echo $?) $(total first.cg)" \
	"0 $seen"
is "... with all that was counted" "$(python3 "$top_srcdir/tests/profile.py" calls first.cg |
	awk -F '\t' '$5 == "leaf" { n += $6; print $2, n }' | tail -n 1)" "twice 2"
is "... Callgrind's" "$([ -s theirs.cg.2 ] && "$command" check -q theirs.cg.2; echo $?)" 0
is "... Cachegrind's" "$([ -s flat.cg ] && "$command" check -q flat.cg; echo $?)" 0
is "they are gone" "$(control $first; cat told)" "1
FIRST: there is no such process"
mkdir odd.cg
is "a profile that cannot be written" "$(control --kill $odd; cat told; kill -0 $odd && echo lives)" "1
ODD: costgrind: PWD/odd.cg: is a directory; no profile was written
lives"
done_testing
