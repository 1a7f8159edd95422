#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff: unlike runs, bad usage, files that cannot be read or written, hostile names.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
cp "$top_srcdir/tests/cmds/inputs/diff_old.cg" old.cg
cp "$top_srcdir/tests/cmds/inputs/diff_new.cg" new.cg

# fails NAME STATUS MESSAGES ARGS...: diff ends with a status and these lines.
fails() {
	fails_name=$1
	fails_want="$2 $3"
	shift 3
	fails_got=$("$program" diff "$@" 2>&1 >/dev/null)
	is "$fails_name" "$? $fails_got" "$fails_want"
}

# -- unlike runs -----------------------------------------------------------------

sed 's/^desc: I1 cache.*/desc: I1 cache: 16384 B, 64 B, 4-way associative\ndesc: Counting: architectural/
	s/^events: Ir I1mr/events: Ir I1mw/; /^event:/d' new.cg >unlike.cg
fails "unlike runs" 1 "costgrind diff: events: OLD Ir I1mr, NEW Ir I1mw
costgrind diff: I1 cache: OLD 32768 B, 64 B, 8-way associative, NEW 16384 B, 64 B, 4-way associative
costgrind diff: Counting: OLD (not said), NEW architectural
costgrind diff: the runs are not comparable; --force compares them anyway" old.cg unlike.cg
fails "unlike runs by force" 0 "costgrind diff: warning: events: OLD Ir I1mr, NEW Ir I1mw
costgrind diff: warning: I1 cache: OLD 32768 B, 64 B, 8-way associative, NEW 16384 B, 64 B, 4-way associative
costgrind diff: warning: Counting: OLD (not said), NEW architectural" --force old.cg unlike.cg

# Another build of the program is what is compared; of other things that counts may depend on, it says so.
builds() {
	sed "s,^events:,desc: Environment: $1 variables\ndesc: Program: $1$1 /prog\ndesc: Build-id: 0$1 /lib/libc.so.6\n&," "$2"
}
builds 1 old.cg >built_old.cg
builds 2 new.cg >built_new.cg
fails "another environment and library" 0 "costgrind diff: warning: Environment: OLD 1 variables, NEW 2 variables
costgrind diff: warning: build of libc.so.6: OLD 01, NEW 02" built_old.cg built_new.cg
fails "if quiet" 0 "" -q built_old.cg built_new.cg
fails "said by one of them" 0 "" old.cg built_new.cg
fails "with what cannot be compared" 1 "costgrind diff: Options: OLD --fn-skip=f, NEW (not said)
costgrind diff: the runs are not comparable; --force compares them anyway" \
	"$(sed 's/^events:/desc: Options: --fn-skip=f\n&/' built_old.cg >skipped.cg && echo skipped.cg)" built_new.cg
# How threads take turns matters where there are several.
sed 's/^events:/desc: Options: --fair-sched=try\n&/' old.cg >turns_old.cg
fails "turns of one thread" 0 "" turns_old.cg new.cg
fails "... the other way" 0 "" new.cg turns_old.cg
sed 's/^events:/desc: Threads: 4\n&/' new.cg >turns_new.cg
fails "turns of several" 1 "costgrind diff: Options: OLD --fair-sched=try, NEW (not said)
costgrind diff: the runs are not comparable; --force compares them anyway" turns_old.cg turns_new.cg
for n in 1 2 3 4 5 6 7 8 9; do
	sed -i "s,^events:,desc: Build-id: a1 /lib/lib$n.so\n&," built_old.cg
	sed -i "s,^events:,desc: Build-id: b2 /lib/lib$n.so\n&," built_new.cg
done
is "many builds" "$("$program" diff built_old.cg built_new.cg 2>&1 >/dev/null | sed -n '8,$p')" \
	"costgrind diff: warning: build of lib6.so: OLD a1, NEW b2
costgrind diff: warning: 3 more builds and the like differ"

is "the events of both" \
	"$("$program" diff -q --force --format=csv old.cg unlike.cg | grep '^total')" \
	"total,,,,,,,Ir,4500,5000,500,,,,"
sed 's/^events: Ir I1mr/events: Dr Dw/; /^event:/d' new.cg >other.cg
fails "no event in common" 1 "costgrind diff: the profiles have no event in common" \
	-q --force old.cg other.cg

# -- usage -----------------------------------------------------------------------

fails "no file" 2 "costgrind diff: expected two files, OLD and NEW"
fails "one file" 2 "costgrind diff: expected two files, OLD and NEW" old.cg
fails "three files" 2 "costgrind diff: expected two files, OLD and NEW" old.cg old.cg new.cg
fails "OLD twice" 2 "costgrind diff: expected one file, NEW, with --against" --against=x old.cg new.cg
fails "standard input twice" 2 "costgrind diff: only one of OLD and NEW can be standard input" - -
fails "no such option" 2 "costgrind diff: --foo: no such option, try 'costgrind help diff'" --foo
fails "no such format" 2 "costgrind diff: --format: 'xml': expected text, markdown, json or csv" \
	--format=xml old.cg new.cg
fails "no such threshold" 2 "costgrind diff: --threshold: '101': expected a percentage from 0 to 100" \
	--threshold=101 old.cg new.cg
fails "no such event" 2 "costgrind diff: neither profile has an event 'Dw'" --show=Ir,Dw old.cg new.cg
fails "an empty event" 2 "costgrind diff: neither profile has an event ''" --show=Ir, old.cg new.cg
fails "two events to rank by" 2 "costgrind diff: --sort: 'Ir,Dr': expected the name of one event" \
	--sort=Ir,Dr old.cg new.cg

# -- files -----------------------------------------------------------------------

fails "a missing file" 1 "costgrind diff: missing: cannot open: No such file or directory" \
	old.cg missing
fails "an empty file" 1 "costgrind diff: /dev/null: expected a profile, found an empty file" \
	/dev/null new.cg
printf 'events: Ir\nfn=f\n1 1\nfoo\n' >bad.cg
printf 'events: Ir\nfn=f\n1 1\n' >good.cg
fails "no profile" 1 "costgrind diff: bad.cg:4:1: expected a header line, costs, or one of ob= fl= \
fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd=" good.cg bad.cg
"$program" diff --lenient --format=csv good.cg bad.cg >lenient.csv 2>lenient.log
is "no profile, lenient" "$? $(cat lenient.csv)" "0 kind,state,object,file,function,callee,line,event,old,new,change,old_function,callee_file,callee_object,old_file
total,,,,,,,Ir,1,1,0,,,,"
is "and a warning" "$(cat lenient.log)" "costgrind diff: warning: bad.cg: 1 lines skipped, the first: bad.cg:4:1: expected a header line, \
costs, or one of ob= fl= fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd="
got=$("$program" diff old.cg new.cg 2>&1 >/dev/full)
is "standard output full" "$? $got" "1 costgrind diff: standard output: No space left on device"
fails "a full disk" 1 "costgrind diff: /dev/full: No space left on device" -o /dev/full old.cg new.cg
fails "a full disk, flat" 1 "costgrind diff: /dev/full: No space left on device" \
	--flat -o /dev/full old.cg new.cg
fails "no such folder" 1 "costgrind diff: nowhere/out: No such file or directory" \
	-o nowhere/out old.cg new.cg
echo kept >out
fails "a failure leaves what was there" 1 \
	"costgrind diff: missing: cannot open: No such file or directory" -o out old.cg missing
is "what was there" "$(cat out)" kept
printf 'events: Ir\nfn=f\n1 18446744073709551615\n' >large.cg
printf 'events: Ir\nfn=f\n1 1\n' >one.cg
fails "a difference beyond 64 bits" 1 "costgrind diff: a sum of counts is beyond 64 bits" \
	-o out one.cg large.cg
is "but it can be reported" "$("$program" diff --format=csv one.cg large.cg | tail -n 2 | head -n 1)" \
	"self,,???,???,f,,,Ir,1,18446744073709551615,18446744073709551614,,,,"

# -- names -----------------------------------------------------------------------

printf 'events: Ir\nfl=a|b`"<i>.c\nfn=\033[31mf``,"x"\\\n1 1\nfn=\377\303\244\n1 2\n' >hostile.1
printf 'events: Ir\nfl=a|b`"<i>.c\nfn=\033[31mf``,"x"\\\n1 3\nfn=\377\303\244\n1 5\n' >hostile.2
is "text" "$("$program" diff --calls=no hostile.1 hostile.2 | grep 31m)" \
	"     1       3      +2  +200.00%  a|b\`\"<i>.c:\\x1b[31mf\`\`,\"x\"\\"
is "Markdown" "$("$program" diff --format=markdown hostile.1 hostile.2 | tail -n 1)" \
	"| 1 | 3 | +2 | +200.00% | \`\`\`a\\|b\`\"<i>.c:\\x1b[31mf\`\`,\"x\"\\\`\`\` |"
is "JSON" "$("$program" diff --format=json hostile.1 hostile.2 | python3 -c 'import json, sys
print(*(ascii(row["function"]) for row in json.load(sys.stdin)["functions"]))')" \
	"'\\\\xff\\xe4' '\\\\x1b[31mf\`\`,\"x\"\\\\'"
is "CSV" "$("$program" diff --format=csv hostile.1 hostile.2 | python3 -c 'import csv, sys
sys.stdin.reconfigure(errors="surrogateescape", newline="")
print(*(ascii(row["function"]) for row in csv.DictReader(sys.stdin) if row["kind"] == "self"))')" \
	"'\\\\xff\\xe4' '\\\\x1b[31mf\`\`,\"x\"\\\\'"
done_testing
