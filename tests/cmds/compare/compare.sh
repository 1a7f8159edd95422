#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind compare 'OLD ARGS' 'NEW ARGS': what changed, command lines, failures, times.
. "$top_srcdir/tests/lib.sh"
VALGRIND=$VALGRIND_ITSELF # the environment is made by the command

command=$top_builddir/costgrind
unset VALGRIND_LIB
build work "$top_srcdir/tests/programs/worker.c" -O1 -g
TMPDIR=$PWD/tmp
mkdir tmp
export TMPDIR

# compare ARGS...: standard output in ./report, errors in ./err.  Nothing may be left over.
compare() {
	"$command" compare "$@" >report 2>err </dev/null
	compare_status=$?
	[ -z "$(ls tmp)" ] || not_ok "compare $*: something is left over" "$(ls tmp)"
	return "$compare_status"
}
# json KEYS...: a member of the report, as Python prints it.
json() {
	python3 -c 'import functools, json, sys
print(functools.reduce(lambda value, key: value[int(key) if key.isdigit() else key],
                       sys.argv[1:], json.load(open("report"))))' "$@"
}
# fails NAME STATUS ERRORS ARGS...
fails() {
	fails_name=$1
	fails_status=$2
	fails_errors=$3
	shift 3
	compare "$@"
	is "$fails_name" "$? $(cat report)
$(cat err)" "$fails_status 
$fails_errors"
}

# --- what changed ---

# 25 % more rounds, of as many instructions each.
compare --format=json './work 100000' './work 125000'
is "25 % more work: status" "$? $(cat err)" "0 "
is "both are named" "$(json old) $(json new)" "./work 100000 ./work 125000"
is "25 % more work: its function" "$(json verdict function) $(json functions 0 function)" "work work"
rounds=$(python3 -c 'import json
self = json.load(open("report"))["functions"][0]["self"]["Ir"]
print((self["new"] - self["old"]) / 25000, (self["new"] - self["old"]) % 25000)')
case $rounds in
[1-9]*".0 0") ok "25 % more work: as many instructions a round" ;;
*) not_ok "25 % more work: as many instructions a round" "$rounds" ;;
esac
is "the schema" "$(python3 "$top_srcdir/tests/schema.py" -s "$top_srcdir/docs/schemas/diff.schema.json" report)" ""
cp report once
compare --format=json './work 100000' './work 125000'
is "the same bytes again" "$(cmp once report)" ""

# What diff says about two stable runs, but for the names.
"$command" run --stable -q --costgrind-out-file=old.cg ./work 100000 >out 2>err </dev/null
"$command" run --stable -q --costgrind-out-file=new.cg ./work 125000 >out 2>err </dev/null
for options in --format=text --format=csv "--format=markdown --lines=yes" "--sort=Ir --calls=no --threshold 1"; do
	# shellcheck disable=SC2086 # several options
	"$command" diff $options old.cg new.cg >expected 2>err
	# shellcheck disable=SC2086
	compare $options './work 100000' './work 125000'
	is "as diff $options" "$(sed 's,\./work 100000,old.cg,; s,\./work 125000,new.cg,' report)" "$(cat expected)"
done

compare --format=json './work 100000' './work 100000'
is "equal: status" "$? $(cat err)" "0 "
is "equal: nothing changed" "$(json changed) $(json functions)" "0 []"

# Words of other lengths: the surroundings are the same all the same.
compare './work 7' './work 1000000'
is "no warning" "$? $(cat err)" "0 "

# Options of the tool, and input that both read from its beginning.
printf 'some text' | "$command" compare --cache-sim=no --show=Ir --format=csv './work 1' ./work\ 1 >report 2>err
is "options of the tool, one input" "$? $(cat err) $(cut -d, -f1,8 report | tr '\n' ' ')" "0  kind,event total,Ir "

# --- limits ---

echo 'total Ir +30%' >kept
echo 'self work Ir +20%' >broken
compare --limits=kept './work 100000' './work 125000'
is "a limit that is kept" $? 0
compare --limits=broken './work 100000' './work 125000'
is "a limit that is broken: status" $? 3
is "a limit that is broken: who says so" "$(grep -c '^costgrind compare: broken:1: ' err)" 1

# --- command lines ---

build words "$top_srcdir/tests/programs/words.c"
# words LINE: the arguments that a program is given, as it says them.
words() {
	compare --show-output --cache-sim=no "$1" "$1"
	sed -n '/^\[/p' err | uniq
}
is "blanks and quotes" "$(words "./words  a\\ b 'c  \"d\"' \"e 'f' \\\"g\\\"\" h''i ''	\"\\n\"")" \
	"[a b][c  \"d\"][e 'f' \"g\"][hi][][\\n]"
is "what only looks like a shell's" "$(words "./words '\$HOME' \"*\" \\; '|'")" '[$HOME][*][;][|]'
fails "a quote that does not end" 2 "costgrind compare: OLD: './work 'a': expected another '" "./work 'a" ./work
# shellcheck disable=SC1003 # as it is
fails "a backslash at the end" 2 "costgrind compare: NEW: './work \\': expected a character after the backslash" ./work './work \'
# shellcheck disable=SC2016 # as it is
fails "a variable" 2 "costgrind compare: NEW: './work \"\$N\"': '\$' needs a shell: expected it in single quotes, or --shell" \
	'./work 1' './work "$N"'
fails "redirection" 2 "costgrind compare: OLD: './work 1 <x': '<' needs a shell: expected it in single quotes, or --shell" \
	'./work 1 <x' './work 1'
fails "an empty command" 2 "costgrind compare: NEW: ' ': expected a command" ./work ' '
fails "one command" 2 "costgrind compare: expected two commands, each quoted as one word, 'OLD ARGS' 'NEW ARGS'" ./work
fails "none" 2 "costgrind compare: expected a program to run"
fails "--new alone" 2 "costgrind compare: --new: expected --old=GITREV, too" --new=HEAD ./work
fails "a name for profiles" 2 "costgrind compare: --costgrind-out-file: expected none, the profiles are removed" \
	--costgrind-out-file=x ./work ./work
fails "a page of another kind" 2 "costgrind compare: -o: 'x.txt': expected a name that ends in .html" -o x.txt ./work ./work

# By a shell, all that it starts counts.
# shellcheck disable=SC2016
compare --shell --format=json './work 1000' 'n=1000; ./work 1000; for i in 1 2 3; do ./work $n; done | cat'
is "a shell" "$? $(cat err)" "0 "
is "a shell: all processes" "$(python3 -c 'import json
self = [f["self"]["Ir"] for f in json.load(open("report"))["functions"] if f["function"] == "work"][0]
print(self["new"] == 4 * self["old"] > 4000)')" True

# --- output of the programs ---

compare './work 10' './work 20'
is "their output is dropped" "$(grep -c 'on standard' report err)" "report:0
err:0"
compare --show-output --format=json './work 10' './work 20'
is "their output is shown" "$(grep -c 'on standard output' err) $(grep -c 'on standard error' err) $(json old)" "2 2 ./work 10"

# --- failures ---

fails "an exit status" 1 "on standard error why
costgrind compare: NEW: ./work: exited with 7 (--ignore-failure compares them anyway)" './work 1' './work 1 7 why'
fails "a crash" 1 "on standard error 
costgrind compare: OLD: ./work: killed by signal 11 (--ignore-failure compares them anyway)" './work 1 -11' './work 1'
compare -i --format=json './work 1000 3' './work 100000 -11'
is "failures are ignored" "$? $(json verdict function) $(cat err)" \
	"0 work costgrind compare: warning: Ended: OLD exit 3, NEW signal 11"
fails "no such file" 1 "costgrind compare: OLD: ./nothing: No such file or directory" './nothing 1' './work 1'
fails "no such program" 1 "costgrind compare: NEW: nothing-of-the-name: No such file or directory" './work 1' nothing-of-the-name
fails "no program" 1 "costgrind compare: NEW: $PWD/err: Permission denied" './work 1' "$PWD/err"
compare --nonsense=1 './work 1' './work 2'
is "an option that nobody knows" "$? $(sed -n '/nonsense/p' err | wc -l)" "1 1"

# A reader that goes away.
"$command" compare './work 1000' './work 2000' 2>err | head -n 1 >report
is "a pipe that is closed: nothing is left" "$(cat err) $(ls tmp)" " "

# --- time ---

compare --time=8 --format=json './work 100000' './work 125000'
is "times: status" "$? $(cat err)" "0 "
is "times: the schema" "$(python3 "$top_srcdir/tests/schema.py" -s "$top_srcdir/docs/schemas/diff.schema.json" report)" ""
is "times: what is said" "$(python3 -c 'import json
time = json.load(open("report"))["time"]
print(time["pairs"], time["confidence"])
for kind in "cpu", "wall":
    one = time[kind]
    print(kind, one["old"] > 0, one["new"] > 0, 0 < one["low"] <= one["ratio"] <= one["high"])')" "8 95
cpu True True True
wall True True True"
compare --time=5 --format=json './work 1000' './work 1000'
is "too few for an interval" "$(python3 -c 'import json
time = json.load(open("report"))["time"]
print(time["pairs"], sorted(time["cpu"]))')" "5 ['new', 'old', 'ratio']"
compare --time=6 './work 100000' './work 125000'
number='[+-][0-9]*\.[0-9]'
is "side by side" "$(grep -cx "cycles +[0-9.]* %   time $number % ($number \.\.\. $number), 6 pairs of native runs" report)" 1
is "a table of both" "$(sed -n 's/.*  \(user + system\|wall clock\)$/\1/p' report)" "user + system
wall clock"
compare --time=1 --format=csv './work 1' './work 1'
is "in CSV" "$(sed -n 's/^\(time,.*,\)\(cpu\|wall\),0\.[0-9]*,0\.[0-9]*,-\{0,1\}0\.[0-9]*,,,,$/\2/p' report | tr '\n' ' ')" "cpu wall "
fails "no number" 2 "costgrind compare: --time=many: expected a number from 1 to 1000" --time=many ./work ./work

# They alternate: OLD NEW, NEW OLD, after the two that are counted.
# shellcheck disable=SC2016
compare --shell --time=3 'echo O >>order' 'echo N >>order'
is "the order of native runs" "$(tail -n 6 order | tr '\n' ' ')" "O N N O O N "

# --- the page ---

compare -o page.html --time=1 './work 1000' './work 2000'
is "a page: status, and what is said" "$? $(grep -c 'wrote page.html' err) $(sed -n 1p report | grep -c work)" "0 1 1"
python3 "$top_srcdir/tests/report.py" data page.html >data.json
is "a page: both are named, no command has what is gone" "$(python3 -c 'import json, sys
text = open("data.json").read()
print("./work 1000" in text, "./work 2000" in text, sys.argv[1] in text)' "$TMPDIR")" "True True False"
compare --report -q './work 1000' './work 2000'
is "its usual name" "$(ls compare.html) $(cat err)" "compare.html "

# --- interrupted ---

for signal in 2 15; do
	# (A shell has what it starts in the background ignore SIGINT.)
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$command" compare './work 1' 'sleep 60.75' >report 2>err &
	pid=$!
	for _ in $(seq 300); do pgrep -f 'tool=costgrind.*/sleep 60[.]75' >sleeping && break; sleep 0.1; done
	kill "-$signal" "$pid"
	wait "$pid"
	is "signal $signal: status, output" "$? $(cat report err)" "$((128 + signal)) "
	is "signal $signal: no folder, no process" "$(ls tmp) $(pgrep -f 'sleep 60[.]75')" " "
done

done_testing
