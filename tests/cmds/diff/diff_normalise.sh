#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff --normalise: NEW scaled to OLD's total of an event.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

# fails NAME STATUS MESSAGE ARGS...: diff ends with a status and this line, and prints nothing.
fails() {
	fails_name=$1
	fails_want="$2 costgrind diff: $3"
	shift 3
	fails_got=$("$program" diff "$@" 2>&1)
	is "$fails_name" "$? $fails_got" "$fails_want"
}

printf 'events: Ir Dr\nfn=f\n1 100 10\nfn=g\n1 50 5\ncfn=f\ncalls=3 1\n1 100 10\n' >old.cg
printf 'events: Ir Dr\nfn=f\n1 101 13\n2 100 17\nfn=g\n1 99 5\ncfn=f\ncalls=7 1\n1 201 30\n' >new.cg

# By hand, halves of NEW: f 201 / 2 = 100.5, that is 101; g 49.5, that is 50; Dr 15, 2.5, that is 3.
"$program" diff --normalise --threshold=0 --lines --show=Ir,Dr old.cg new.cg >text
is "text" "$(cat text)" "\
The same number of instructions

NEW is scaled by 150 / 300, so that both have the same Ir; its counts are rounded

-- Functions: 2 changed themselves, 0 of them new, 0 gone
OLD Ir  NEW Ir  change       %  Dr  function
   100     101      +1  +1.00%  +5  f
    50      50       0          -2  g

-- Totals of the events that changed
OLD  NEW  change        %  event
 15   18      +3  +20.00%  Dr

-- Calls, inclusive: 1
 calls  OLD Ir  NEW Ir  change       %  Dr  caller > callee
3 to 4     100     101      +1  +1.00%  +5  g > f

-- Lines of the functions above
OLD Ir  NEW Ir  change        %  Dr  line
     0      50     +50           +9  ???:2 (f)
   100      51     -49  -49.00%  -3  ???:1 (f)
    50      50       0           -2  ???:1 (g)"
is "without the option" "$("$program" diff old.cg new.cg | sed -n '1p; /^150/p')" "100.0 % more instructions: 67 % of it in f
150  300    +150  +100.00%  Ir"

# By another event, 15 / 35.
"$program" diff --normalise=Dr --format=json old.cg new.cg >report.json
is "JSON, by another event" "$(python3 -c 'import json
report = json.load(open("report.json"))
print(report["normalised"], report["totals"])')" \
	"{'Dr': {'old': 15, 'new': 35}} {'Ir': {'old': 150, 'new': 129}, 'Dr': {'old': 15, 'new': 15}}"
is "CSV" "$("$program" diff --normalise --format=csv old.cg new.cg | sed -n '2,4p')" "\
normalised,,,,,,,Ir,150,300,,,,,
total,,,,,,,Ir,150,150,0,,,,
total,,,,,,,Dr,15,18,3,,,,"
is "Markdown" "$("$program" diff --normalise --format=markdown old.cg new.cg | sed -n 5p)" \
	"NEW is scaled by 150 / 300, so that both have the same \`Ir\`; its counts are rounded"

# By a derived event.
events='Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw'
printf 'events: %s\nfn=f\n1 10 4 3 2 1 1 1 1\nfn=g\n1 7 1\n' "$events" >est.cg
printf 'events: %s\nfn=f\n1 20 8 6 4 2 2 2 2\nfn=g\n1 14 2\n' "$events" >twice.cg
"$program" diff --normalise=EstCyc --format=csv --threshold=0 est.cg twice.cg >derived.csv
is "by a derived event" "$(sed -n 2p derived.csv; grep -vc '^kind\|^total.*,0,,,\|^normalised' derived.csv)" \
	"normalised,,,,,,,EstCyc,101,202,,,,,
0"
printf 'event: Sum = Ir + 2 Dr\n' | cat - old.cg >own.old
printf 'event: Sum = Ir + 2 Dr\n' | cat - new.cg >own.new
is "by one that the profiles define" \
	"$("$program" diff --normalise=Sum --format=csv own.old own.new | sed -n '2,4p')" "\
normalised,,,,,,,Sum,180,370,,,,,
total,,,,,,,Ir,150,146,-4,,,,
total,,,,,,,Dr,15,17,2,,,,"
printf 'event: Drop = Ir - Dr\nevents: Ir Dr\nfn=f\n1 5 1\n' >plus.cg
printf 'event: Drop = Ir - Dr\nevents: Ir Dr\nfn=f\n1 1 5\n' >minus.cg
fails "a derived event below 0" 1 \
	"--normalise: minus.cg: NEW has a total of less than 0 of Drop, expected more than 0" --normalise=Drop \
	plus.cg minus.cg

# A run of three times the length is the same, and limits are held to that.
awk '/^[0-9]/ { print $1, 3 * $2, 3 * $3; next } /^calls/ { print "calls=9 1"; next } { print }' old.cg >long.cg
"$program" diff --normalise --format=csv --threshold=0 old.cg long.cg >same.csv
is "a longer run is the same" "$(grep -vc '^kind\|^total\|^normalised' same.csv)" 0
printf 'any Ir +0\ntotal Dr +0\n' >limits
"$program" diff -q --limits limits old.cg long.cg >/dev/null 2>&1
is "limits: not scaled" "$?" 3
"$program" diff -q --limits limits --normalise old.cg long.cg >/dev/null
is "limits: scaled" "$?" 0
"$program" diff -q --limits limits --normalise old.cg new.cg >/dev/null 2>err
is "limits: broken by what is scaled" "$? $(sed 's/.*limits:/limits:/' err)" "\
3 limits:1: broken: any Ir +0: ???:f: 100 to 101 (+1.00%)
limits:2: broken: total Dr +0: 15 to 18 (+20.00%)"

# Numbers near the ends of 64 bits.
printf 'events: Ir\nfn=f\n1 18446744073709551615\n' >huge.cg
printf 'events: Ir\nfn=f\n1 18446744073709551614\n' >less.cg
is "large numbers" "$("$program" diff --normalise --format=csv --threshold=0 huge.cg less.cg | sed -n '3,$p')" \
	"total,,,,,,,Ir,18446744073709551615,18446744073709551615,0,,,,"
printf 'events: Ir Dr\nfn=f\n1 1 18446744073709551615\n' >wide.cg
printf 'events: Ir Dr\nfn=f\n1 2 1\n' >two.cg
fails "beyond 64 bits" 1 "a sum of counts is beyond 64 bits" --normalise two.cg wide.cg

printf 'events: Ir Dr\nfn=f\n1 0 5\n' >none.cg
fails "OLD is 0" 1 "--normalise: none.cg: OLD has a total of 0 of Ir, expected more than 0" --normalise none.cg new.cg
fails "NEW is 0" 1 "--normalise: none.cg: NEW has a total of 0 of Ir, expected more than 0" --normalise old.cg none.cg
is "another event is not" "$("$program" diff --normalise=Dr --format=csv old.cg none.cg 2>&1 | sed -n 2p)" \
	"normalised,,,,,,,Dr,15,5,,,,,"
printf 'events: Ir Dr\nfn=f\n1 -5 5\n' >minus.cg
fails "below 0" 1 "--normalise: minus.cg: NEW has a total of less than 0 of Ir, expected more than 0" \
	--normalise old.cg minus.cg
fails "no such event" 2 "--normalise: neither profile has an event 'Bc'" --normalise=Bc old.cg new.cg
printf 'events: Ir\nfn=f\n1 10\n' >one.cg
for which in OLD NEW; do
	if [ $which = OLD ]; then
		set -- one.cg new.cg
	else
		set -- new.cg one.cg
	fi
	is "no such event in $which" "$("$program" diff -q --force --normalise=Dr "$@" 2>&1)" \
		"costgrind diff: --normalise: $which has no event 'Dr'"
done
fails "two events" 2 "--normalise: 'Ir,Dr': expected the name of one event" --normalise=Ir,Dr old.cg new.cg
fails "with -o" 2 "expected --normalise without -o: a profile is of counts, not of scaled ones" \
	--normalise -o x old.cg new.cg
fails "with --output" 2 "expected --normalise without --output: a profile is of counts, not of scaled ones" \
	--output=x --normalise old.cg new.cg
fails "one file" 2 "expected two files, OLD and NEW" --normalise --save=x old.cg

done_testing
