#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind PROG ARGS, which runs a program and shows a table; costgrind doctor.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
command=$top_builddir/costgrind
unset VALGRIND_LIB PAGER

# --- a program ---

COSTGRIND_OPTS=--cycles=no "$command" "$scratch/script" print ran exit 3 >quick.txt 2>quick.err
is "exit status" $? 3
is "the program's output comes first" "$(sed -n 1,2p quick.txt)" "ran"
file=$(sed -n 's/^more: costgrind why \([^ ]*\) .*/\1/p' quick.txt)
is "what to do next" "$(tail -n 1 quick.txt)" \
	"more: costgrind why $file   (or annotate, or report)"
is "no banner and no table of the tool's" "$(cat quick.err)" ""
is "there is a profile" "$(profile totals "$file" | sed -n '1s/ .*//p')" Ir
is "without cycles, estimated ones lead, and it says so" \
	"$(COSTGRIND_OPTS='--cycles=no' "$command" "$scratch/script" print |
		sed -n 's/^no \(cycles\).*/\1/p; s/^ *EstCyc  *\(Self\) .*function  *hottest line *$/\1/p')" "cycles
Self"
COSTGRIND_OPTS="-v --machine=zen4 --cycles=yes" "$command" "$scratch/script" print >quick.txt 2>quick.err
file=$(sed -n 's/^more: costgrind why \([^ ]*\) .*/\1/p' quick.txt)
# Numbers are the profile's, as in CSV, in the same order.
cat >screen.py <<'END'
import csv, re, sys
def scaled(value):
    if value < 9999.5:
        return '{:,}'.format(int(value + 0.5))
    unit = -1
    while value >= 999.95 or unit < 0:
        value, unit = value / 1000, unit + 1
    return '%.1f %s' % (value, 'kMG'[unit])
rows = list(csv.DictReader(open(sys.argv[1])))
lines = open(sys.argv[2]).read().splitlines()
cost = lambda row: int(row['Cyc']) / 10
total = next(row for row in rows if row['record'] == 'totals')
print('total', '%s cycles, %.2f instructions per cycle, ' % (scaled(cost(total)), int(total['Ir']) / cost(total)) in
      '\n'.join(lines))
want = [(scaled(cost(row)), scaled(int(row['Ir'])), '%.1f %%' % (100 * cost(row) / cost(total)), row['function'])
        for row in rows if row['record'] == 'function'][:12]
row_form = re.compile(r' *([0-9][0-9.,]*(?: [kMG])?)  +([0-9.]+ %|<0.1 %)  +(?:[0-9.]+ %|<0.1 %)  +\S.*?  +([0-9][0-9.,]*(?: [kMG])?)  (.+?)(?:  |$)')
got = [(m.group(1), m.group(3), m.group(2), m.group(4)) for m in map(row_form.match, lines) if m]
print('functions', len(got) > 5 and got == want[:len(got)])
END
"$command" annotate --format=csv --auto=no "$file" >quick.csv
is "what it cost, and the functions that cost most" "$(python3 screen.py quick.csv quick.txt)" "total True
functions True"
is "cycles are as in the tool's table" "$(sed -n 's/.*Cycles:  *\([0-9,]*\)  (.*/\1/p' quick.err | tr -d ,)" \
	"$(sed -n 's/^totals,,,,,,,\([0-9]*\)[0-9],.*/\1/p' quick.csv)"
is "the tool's table, with -v" "$(grep -c 'Cycles: ' quick.err)" 1
# shown OPTION NAME: what is shown of a run with the option in COSTGRIND_OPTS, if that is NAME.
shown() {
	TAG=tag COSTGRIND_OPTS="--cycles=no $1" "$command" "$scratch/script" print ran >quick.txt 2>quick.err
	sed -n 's/^more: costgrind why \([^ ]*\) .*/\1/p' quick.txt
	cat quick.err
}
is "a name of the profile in COSTGRIND_OPTS" "$(shown --costgrind-out-file=named)" named
is "with all that it may have in it" "$(shown '--costgrind-out-file=%q{TAG}.%%.%p' | sed 's/[0-9][0-9]*$/N/')" tag.%.N
is "one for this tool alone" "$(shown --costgrind:costgrind-out-file=alone)" alone
is "the last one, not VALGRIND_OPTS'" "$(VALGRIND_OPTS=--costgrind-out-file=first; export VALGRIND_OPTS
	shown "--costgrind-out-file=second --costgrind-out-file=third")" third
is "one of VALGRIND_OPTS" "$(VALGRIND_OPTS=--costgrind-out-file=first; export VALGRIND_OPTS; shown)" first
echo '--costgrind-out-file=of.home' >"$HOME/.valgrindrc"
mkdir below
is "one of .valgrindrc at home" "$(cd below && shown)" of.home
is "VALGRIND_OPTS', not .valgrindrc's at home" "$(VALGRIND_OPTS=--costgrind-out-file=first; export VALGRIND_OPTS; shown)" first
echo '--costgrind:costgrind-out-file=of.folder' >below/.valgrindrc
is "./.valgrindrc's, not VALGRIND_OPTS'" \
	"$(VALGRIND_OPTS=--costgrind-out-file=first; export VALGRIND_OPTS; cd below && shown)" of.folder
is "COSTGRIND_OPTS', not ./.valgrindrc's" "$(cd below && shown --costgrind-out-file=last)" last
chmod o+w below/.valgrindrc
is "not one of a file that everybody may write" "$(cd below && shown | grep -v '^==')" of.home
rm -r below "$HOME/.valgrindrc"
is "the rank" "$(SLURM_PROCID=7; export SLURM_PROCID; shown --costgrind-out-file=of.%r)" of.7
is "one that is not known: where it is" "$(shown --costgrind-out-file=part.%n; ls part.*)" \
	"costgrind run: found no profile to show; look where --costgrind-out-file=part.%n puts it
$(ls part.* 2>/dev/null)"
COSTGRIND_OPTS="--costgrind-out-file=named" "$command" ./nothing >quick.txt 2>quick.err
is "never one of another run" "$? $(cat quick.txt; grep -c puts quick.err)" "127 0"
"$command" "$scratch/script" print --help >quick.txt 2>quick.err
is "after the program nothing is an option of ours" "$? $(sed -n 1p quick.txt)" "0 --help"
for option in --help help; do
	"$command" $option >quick.txt 2>quick.err
	is "$option says where bugs go" "$(sed -n '$p' quick.txt | grep -c '^Report bugs to .*costgrind doctor')" 1
done
(
	mkdir -p bin && cp "$scratch/script" bin/quickprog
	PATH=$PWD/bin:$PATH "$command" quickprog print found 2>quick.err
) >quick.txt
is "a program in PATH" "$(sed -n 1p quick.txt)" found
"$command" ./nothing >quick.txt 2>quick.err
is "no such program" "$? $(cat quick.txt)" "127 "
seconds='for i in 1 2 3 4 5 6 7 8 9 10 11; do sleep 1; done'
PAGER='' python3 "$top_srcdir/tests/cmds/on_terminal.py" "$command" sh -c "$seconds" >quick.txt &
long=$!
"$command" run -- sh -c "$seconds" 2>unseen.txt &
unseen=$!
PAGER='' python3 "$top_srcdir/tests/cmds/on_terminal.py" "$command" run -- sh -c "$seconds" >run.txt
PAGER='sed s/^/paged:/' python3 "$top_srcdir/tests/cmds/on_terminal.py" "$command" sleep 0 >short.txt
is "its table has no pager" "$(grep -c '^paged:' short.txt) $(grep -c ' function' short.txt)" "0 1"
wait $long $unseen
is "a long run on a terminal says once how to watch it" \
	"$(grep -c 'still running; watch it: costgrind control --watch [0-9][0-9]*$' quick.txt) $(
		grep -c 'control --watch' quick.txt run.txt unseen.txt short.txt | tr '\n' ' ')" \
	"1 quick.txt:1 run.txt:1 unseen.txt:0 short.txt:0 "
printf 'events: Ir\nfn=f\n1 2\n' >some.out
"$command" ./some.out >quick.txt 2>quick.err
is "a profile" "$? $(cat quick.txt quick.err)" "2 costgrind: ./some.out: expected a command or a program; \
profiles are shown by 'costgrind annotate ./some.out'"
"$command" anotate >quick.txt 2>quick.err
is "no word at all" "$? $(cat quick.txt quick.err)" \
	"2 costgrind: no command 'anotate', did you mean 'annotate'?"
# proposed WORDS...: the command line that is proposed.
proposed() {
	"$command" "$@" 2>&1 >/dev/null | sed -n "s/^costgrind: $1: expected a command before options, as in '\(.*\)'\$/\1/p"
}
is "options of run without the word" "$(proposed --trace-children=yes ./script print a)" \
	"costgrind run --trace-children=yes ./script ..."
is "after --" "$(proposed -q -- ./script)" "costgrind run -q -- ./script"
is "what is proposed works" "$(cd "$scratch" && "$command" run --trace-children=yes ./script print a 2>err.txt)" a
is "options before a command" "$(proposed --no-annotate --brief annotate some.out)" \
	"costgrind annotate --no-annotate --brief ..."
is "options alone" "$("$command" --brief 2>&1)" "costgrind: no command '--brief', try 'costgrind help'"
# shellcheck disable=SC2016 # for the inner shell
"$command" sh -c 'kill -TERM $$' >quick.txt 2>quick.err
is "a program that is killed" $? 143

# --- Python ---

if [ -x /usr/bin/python3.11 ]; then
	mkdir -p bin below
	ln -s /usr/bin/python3.11 bin/python3
	cat >script.py <<'END'
#!/usr/bin/env python3
import helper

def look_up(items):
    seen = []
    for item in items:
        if item not in seen:
            seen.append(item)
    return helper.length(seen)

print(look_up([str(i % 90) for i in range(900)]))
END
	printf 'def length(items):\n    return len(items)\n' >helper.py
	chmod +x script.py
	# python WORDS...: what is shown of a run from another folder.
	python() {
		(cd below && PATH=$OLDPWD/bin:/usr/bin:/bin COSTGRIND_OPTS='--cache-sim=no --cycles=no' \
			"$command" "$@" >../quick.txt 2>../quick.err)
	}
	# shares_alike: the function's own share, with the C below it, is that with its callees, but for a call of length(),
	# which may be what tips the last digit.
	shares_alike() {
		awk '$2 == "M" && /look_up +script.py:4$/ { print $3 - $5 <= 0.11 && $5 - $3 <= 0.11 ? "yes" : $0 }' quick.txt
	}
	for words in ../script.py "python3 ../script.py"; do
		# shellcheck disable=SC2086 # several words
		python $words
		is "$words: its functions, with the C below them" \
			"$(sed -n 1p quick.txt; shares_alike)" "90
yes"
		is "... and imports as one" "$(grep -c -E ' imports *$' quick.txt)" 1
		is "... it says so" "$(cat quick.err)" \
			"costgrind: a Python program, so --python=yes is on; --python=no is faster"
		is "... without the call tree" "$(find below -name 'tree*' | grep -c .)" 0
	done
	file=$(sed -n 's/^more: costgrind why \([^ ]*\) .*/\1/p' quick.txt)
	annotated() {
		(cd below && "$command" annotate --auto=yes --width=100 "$file" >../quick.txt 2>../quick.err)
		echo "$(grep -c 'def look_up(items):' quick.txt) $(grep -c 'script.py: not read as a source' quick.err)"
	}
	is "a script in another folder is its source" "$(annotated)" "1 0"
	chmod 600 script.py
	is "not, if others may not read it" "$(annotated)" "0 1"
	chmod 755 script.py
	python --python=no python3 ../script.py
	is "unless it is not wanted: what to do is said" "$(cat quick.err; tr '\n' ' ' <quick.txt |
		grep -c 'this is a Python program: costgrind --python=yes python3 ../script.py has its functions')" 1
else
	skip "Python" "there is no /usr/bin/python3.11"
fi

# --- doctor ---

mkdir tmp%d
TMPDIR=$PWD/tmp%d "$command" doctor >doctor.txt 2>doctor.err
is "doctor: status, errors" "$? $(cat doctor.err)" "0 "
is "doctor: Valgrind" "$(sed -n 's/^Valgrind *//p' doctor.txt)" \
	"$("$VALGRIND" --version), $VALGRIND"
is "doctor: the tool" "$(sed -n 's/^tool  *//p' doctor.txt)" \
	"$(cd "$top_builddir" && pwd -P)/valgrind-lib/$(cd "$top_builddir/tool" && echo costgrind-*-linux)"
is "doctor: a trial" "$(grep -c '^trial  *profiled [0-9]* instructions' doctor.txt)" 1
is "doctor: caches" "$(grep -c -E '^(I1|D1|LL) cache  *[0-9]+ B, [0-9]+ B, ' doctor.txt)" 3
is "doctor: caches of this machine" "$(sed -n 's/^\(L[1-4][di]\?\)  *\([0-9]* B, [0-9]*-way\), .*/\1 \2/p' doctor.txt)" \
	"$(costgrind -v -v --costgrind-out-file=/dev/null true 2>&1 |
		sed -n 's/^==[0-9]*== \(L[1-4][di]\?\) of this machine: \([0-9]* B, [0-9]*-way\), .*/\1 \2/p')"
is "doctor: the rest" "$(sed -n '/^source lines/,$s/ .*//p' doctor.txt | tr '\n' ' ')" \
	"source vgdb kcachegrind dot objdump "
mkdir -p empty
PATH=$PWD/empty "$command" doctor >doctor.txt 2>doctor.err
is "doctor: programs that are missing" "$? $(sed -n 's/^\(vgdb\|dot\)  *//p' doctor.txt)" \
	"0 missing: commands to running programs (Debian: valgrind)
missing: call graphs in KCachegrind (Debian: graphviz)"
VALGRIND=$PWD/nothing "$command" doctor >doctor.txt 2>doctor.err
is "doctor: no Valgrind" "$? $(sed -n 's/^Valgrind  *//p' doctor.txt)" \
	"1 missing: $PWD/nothing (Debian: valgrind)"
VALGRIND_LIB=$PWD/empty "$command" doctor >doctor.txt 2>doctor.err
is "doctor: no tool" "$? $(sed -n 's/^tool  *//p' doctor.txt)" \
	"1 $PWD/empty/$(cd "$top_builddir/tool" && echo costgrind-*-linux): No such file or directory"
tool=$(cd "$top_builddir" && pwd -P)/valgrind-lib/$(cd "$top_builddir/tool" && echo costgrind-*-linux)
is "doctor: a stale VALGRIND_LIB" "$(sed -n 's/^VALGRIND_LIB  *//p' doctor.txt)" \
	"is stale, unset it: without it, the tool is $tool"
is "doctor: VALGRIND_LIB" "$(VALGRIND_LIB=$(unspaced "$top_builddir")/valgrind-lib "$command" doctor | sed -n 's/^VALGRIND_LIB  *//p')" \
	"is set; without it, the tool is $tool"
for word in '' run stable; do
	is "a tool that cannot start: $word" "$(VALGRIND_LIB=$PWD/empty "$command" $word true 2>&1; echo $?)" \
		"costgrind ${word:-run}: $PWD/empty/${tool##*/}: failed to start tool 'costgrind': No such file or directory; \
VALGRIND_LIB is stale, see 'costgrind doctor'
1"
done
is "a Valgrind that is gone" "$(VALGRIND=$PWD/nothing "$command" run true 2>&1; echo $?)" \
	"costgrind run: $PWD/nothing: No such file or directory, see 'costgrind doctor'
1"
# What the program was built without, and what is missing for what it was built with.
is "doctor: built with" "$("$command" doctor | sed -n 's/^built  *//p' | sed 's/without/with/g')" "with Capstone, with elfutils, with debuginfod"
if "$command" doctor | grep -q '^built .*with debuginfod'; then
	is "doctor: no servers" "$(DEBUGINFOD_URLS='' "$command" doctor | sed -n 's/^ *\(--debuginfod\)/\1/p')" \
		"--debuginfod fetches nothing: expected servers in DEBUGINFOD_URLS"
	is "doctor: servers" "$(DEBUGINFOD_URLS=http://localhost "$command" doctor | grep -c debuginfod)" 1
else
	skip "doctor: servers" "costgrind was built without debuginfod"
fi
"$command" doctor me >doctor.txt 2>doctor.err
is "doctor: no argument" "$? $(cat doctor.txt doctor.err)" "2 costgrind doctor: me: expected no argument"
# --- a program that executes another one in its place ---

is "what came after was not profiled, and that is said" \
	"$(COSTGRIND_OPTS=--cycles=no "$command" /bin/sh -c 'exec true' |
		grep -c 'another program in its place; costgrind run --trace-children=yes profiles that, too$')" 1
"$command" "$scratch/script" print ran >quick.txt 2>quick.err
file=$(sed -n 's/^more: costgrind why \([^ ]*\) .*/\1/p' quick.txt)
is "the first finding is there, in the words of why" "$(sed -n '/^why: /,/^$/p' quick.txt | tr '\n' ' ' | sed 's/ *$//')" \
	"why: $("$command" why --format=json "$file" | sed -n 's/^ *"claim": "\(.*\)",$/\1/p' | sed -n 1p)"
done_testing
