#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind check: grammar, sums, calls, and each row of the matrix of readers.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/* .

# says NAME STATUS TEXT [OPTIONS...]: what check says about ./p, but for readers and the number of notes,
# and its exit status.
says() {
	says_name=$1
	says_want="$2 $3"
	shift 3
	says_got=$("$program" check "$@" p 2>&1)
	says_status=$?
	is "$says_name" "$says_status $(printf '%s\n' "$says_got" |
		grep -v ': note: [a-z0-9_-]* [a-z]' | sed 's/, [0-9]* notes*$//')" "$says_want"
}

# -- grammar ------------------------------------------------------------------------

head='# callgrind format
positions: line
events: Ir Dr
'
printf '%sfl=(1) a.c\nfn=(1) f\n1 5 6\ntotals: 5 6\n' "$head" >p
says "a good profile" 0 "p: good, 1 part, 1 function"
printf '%sfn=(1) f\n1 5 6 7\nfoo\n2 x\n' "$head" >p
says "what is not of the grammar" 3 'p:5:7: error: expected at most 2 counts (the first of several)
p: error: 3 lines break the grammar
p: bad, 1 part, 0 functions, 2 errors'
says "errors only" 3 'p:5:7: error: expected at most 2 counts (the first of several)
p: error: 3 lines break the grammar' -q
printf 'version: 2\nevents: Ir\n' >p
says "another version" 3 'p:1:10: error: expected version 0 or 1 of the format, version 2 is not known'
printf 'events: Ir\nfn=f\n1 18446744073709551616\n' >p
says "a count beyond 64 bits" 3 "p:3:3: error: expected a count of 64 bits
p: bad, 1 part, 0 functions, 1 error"
printf 'events: Ir\nfn=f\n1 18446744073709551615\n1 1\n' >p
says "a sum beyond 64 bits" 3 "p:4: error: a sum of counts is beyond 64 bits"
printf 'events: Ir\nfn=f\n1 x\n1 18446744073709551615\n1 1\n' >p
says "an error before the one that ends reading" 3 "p:3:3: error: expected a count
p:5: error: a sum of counts is beyond 64 bits"
printf 'events: Ir\nfn=f\n1 9223372036854775807\n2 1\nfn=g\n1 -1\n' >p
says "a sum of 2^63 next to a count below 0" 3 "p:6: error: a sum of counts is beyond 64 bits"
# Modulo 2^64, whether the file says so before or after the sum has passed it.
printf 'events: Ir\nfn=f\n1 8192\n2 18446744073709547520\n3 1\nfn=g\n1 -1\ntotals: 4096\n' >p
says "counts below 0 as 2^64 more, before one" 0 "p: good, 1 part, 2 functions"
printf 'events: Ir\nfn=g\n1 -1\nfn=f\n1 8192\n2 18446744073709547520\n3 1\ntotals: 4096\n' >p
says "... and after one" 0 "p: good, 1 part, 2 functions"
: >p
says "an empty file" 3 "p: error: expected a profile, found an empty file
p: bad, 0 parts, 0 functions, 1 error"
printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n' >p
says "no more than the beginning of a header" 3 "p: error: expected a profile, found no 'events:' line
p: bad, 0 parts, 0 functions, 1 error"

# -- nothing was collected ------------------------------------------------------------

nothing="nothing was collected, all costs are 0: was collection or instrumentation off all the time?"
printf '%ssummary: 0 0\ntotals: 0 0\n' "$head" >p
says "a profile of zeros" 0 "p: warning: $nothing
p: good, 1 part, 0 functions, 1 warning"
says "... strictly" 3 "p: warning: $nothing
p: good, 1 part, 0 functions, 1 warning" --strict
printf '%sfn=f\n1 0 0\ntotals: 0 0\n\nevents: Ir Dr\ntotals: 0 0\n' "$head" >p
says "... in two parts" 0 "p: warning: $nothing
p: good, 2 parts, 1 function, 1 warning"
printf '%stotals: 0 0\n\nevents: Ir Dr\nfn=f\n1 0 1\ntotals: 0 1\n' "$head" >p
says "one of two parts" 0 "p:4: note: part 1 of 2: nothing was collected
p: good, 2 parts, 1 function"
printf '%sfn=f\n1 -1 2\nfn=g\n1 1 -2\ntotals: 0 0\n' "$head" >p
says "a difference is none" 0 "p: good, 1 part, 2 functions"

# -- totals -------------------------------------------------------------------------

printf '%ssummary: 5 6\nfn=(1) f\n1 5 6\ntotals: 5 6\n' "$head" >p
says "summary and totals fit" 0 "p: good, 1 part, 1 function"
printf '%ssummary: 7 6\nfn=(1) f\n1 5 6\ntotals: 5 6\n' "$head" >p
says "summary above totals" 0 "p:4: note: summary: says Ir 7, totals: says 5
p: good, 1 part, 1 function"
printf '%ssummary: 5 5\nfn=(1) f\n1 5 6\ntotals: 5 6\n' "$head" >p
says "summary below totals" 0 "p:4: warning: summary: says Dr 5, totals: says 6
p: good, 1 part, 1 function, 1 warning"
says "summary below totals, strictly" 3 "p:4: warning: summary: says Dr 5, totals: says 6
p: good, 1 part, 1 function, 1 warning" --strict
printf '%sfn=(1) f\n1 5 6\ntotals: 5 7\n' "$head" >p
says "totals above the costs" 3 "p:6: error: totals: says Dr 7, the costs add up to 6
p: bad, 1 part, 1 function, 1 error"
printf '%sfn=(1) f\n1 5 6\n2 1\ntotals: 5 6\n' "$head" >p
says "totals below the costs" 3 "p:7: error: totals: says Ir 5, the costs add up to 6
p: bad, 1 part, 1 function, 1 error"
printf '%ssummary: 4 6\nfn=(1) f\n1 5 6\n' "$head" >p
says "summary below the costs, without totals" 0 \
	"p:4: warning: summary: says Ir 4, the costs add up to 5
p: good, 1 part, 1 function, 1 warning"
printf '%sfn=(1) f\n1 5 6\ntotals: 5 6\n%sfn=(1) f\n1 2\ntotals: 3\n' "$head" "${head#*format?}" >p
says "the totals of a second part" 3 "p:11: error: totals: says Ir 3, the costs add up to 2
p: bad, 2 parts, 1 function, 1 error"
printf 'events: Ir\nfn=f\n1 -5\n2 3\ntotals: -3\n' >p
says "totals below 0" 3 "p:5: error: totals: says Ir -3, the costs add up to -2
p: bad, 1 part, 1 function, 1 error"

# -- ends ---------------------------------------------------------------------------

# cut FILE TEXT: what is left of a file before the last line that begins with a text.
cut_before() {
	awk -v text="$2" '{ lines[NR] = $0; if (index($0, text) == 1) last = NR }
		END { for (i = 1; i < last; i++) print lines[i] }' "$1"
}
# cuts NAME FILE TEXT LINE EXPECTED: FILE is good, and is not without that line, which belongs in LINE.
cuts() {
	is "$1: whole" "$("$program" check -q "$2"; echo $?)" 0
	cut_before "$2" "$3" >p
	is "$1: cut short" "$("$program" check p | grep ': error:')" \
		"p:$4: error: expected \"$5\" at the end, the profile may be cut short"
}
profiles=$top_srcdir/tests/profiles
for name in callgrind-plain costgrind-plain valgrind-3.2; do
	cuts "$name" "$profiles/$name.cg" totals: \
		"$(cut_before "$profiles/$name.cg" totals: | wc -l)" totals:
done
cuts cachegrind-plain "$profiles/cachegrind-plain.cg" summary: \
	"$(cut_before "$profiles/cachegrind-plain.cg" summary: | wc -l)" summary:
# Wherever they are cut, in the last line too.
for name in callgrind-plain costgrind-plain valgrind-3.2 cachegrind-plain callgrind-parts; do
	size=$(wc -c <"$profiles/$name.cg")
	last=$(tail -n 1 "$profiles/$name.cg" | wc -c)
	for length in 0 1 10 20 40 $(seq $((size - last - 20)) $((size - 1))); do
		head -c "$length" "$profiles/$name.cg" >p
		"$program" check -q p >/dev/null && echo "$length of $size"
	done >missed
	is "$name: cut anywhere" "$(cat missed)" ""
done
callgrind='# callgrind format
creator: callgrind-3.19.0
positions: line
events: Ir Dr
summary: 5 6

fn=(1) f
1 5 6
'
feed='p:9: error: expected a line feed at the end, the profile may be cut short'
printf '%stotals: 5 6' "$callgrind" >p
says "cut before the last line feed" 3 "$feed
p: bad, 1 part, 1 function, 1 error"
printf '%stotals: 5' "$callgrind" >p
says "cut after the first total" 3 "$feed
p:9: error: totals: says Dr 0, the costs add up to 6
p: bad, 1 part, 1 function, 2 errors"
printf '%stotals:' "$callgrind" >p
says "cut before the first total" 3 "$feed
p:9: error: totals: says Ir 0, the costs add up to 5
p: bad, 1 part, 1 function, 2 errors"
printf '%sfn=(1) f\n1 5 6\ntotals:\n' "$head" >p
says "no total, of no known writer" 3 "p:6: error: totals: says Ir 0, the costs add up to 5
p: bad, 1 part, 1 function, 1 error"
printf '%sfn=(1) f\n1 5 6\ntotals: 5 6' "$head" >p
says "no line feed, of no known writer" 0 "p: good, 1 part, 1 function"
# Callgrind leaves out what is 0 at the end of a line.
printf '%stotals: 5\n' "$callgrind" | sed 's/ 6$//' >p
says "zeros that are left out" 0 "p: good, 1 part, 1 function"
printf 'cmd: a\nevents: Ir Dr\nfl=a.c\nfn=f\n1 5 6\nsummary: 5\n' >p
says "Cachegrind's summary cut short" 3 "p:6: error: expected a count for each event in \"summary:\", \
the profile may be cut short
p:6: warning: summary: says Dr 0, the costs add up to 6
p: bad, 1 part, 1 function, 1 error, 1 warning"
# Each part ends in such a line; the creator is in the first one only.
sed '0,/^totals:/{/^totals:/d;}' "$profiles/callgrind-parts.cg" >p
is "the first part cut short" "$("$program" check p | grep -c ': error: expected "totals:" at')" 1
cut_before "$profiles/callgrind-parts.cg" totals: >p
is "the last part cut short" "$("$program" check p | grep -c ': error: expected "totals:" at')" 1
# What convert --to=xdebug writes ends in "summary:", as what Xdebug writes has one.
"$program" convert --to=xdebug -o traced.xd "$profiles/costgrind-all.cg"
is "convert --to=xdebug" "$("$program" check traced.xd | grep -v ': note: ')" \
	"traced.xd: good, 1 part, 4 functions, 2 notes"
is "annotate of it" "$("$program" annotate traced.xd 2>&1 >/dev/null)" ""
cut_before traced.xd summary: >p
is "convert --to=xdebug, cut short" "$("$program" check p | grep ': error:' | sed 's/^p:[0-9]*/p/')" \
	"p: error: expected \"summary:\" at the end, the profile may be cut short"
# Others write no such line.
for name in pprof xdebug3 spec-extended crlf; do
	is "$name needs none" "$("$program" check "$profiles/$name.cg" | grep 'at the end')" ""
done
printf 'version: 1\ncmd: a\nevents: Ir\nfl=a\nfn=f\n1 5\n' >p
is "a file with version: is not Cachegrind's" "$("$program" check p | grep 'at the end')" ""

# -- profiles of other writers --------------------------------------------------------

# Nothing is refused that Callgrind's or KCachegrind's reader takes, but a sum beyond 64 bits: for each file
# what check and convert end with, and the sum of all own costs, by hand.
mkdir odd
(cd odd && python3 "$top_srcdir/tests/cmds/check/odd_profiles.py")
python3 "$top_srcdir/tests/cmds/check/odd_readings.py" "$program" odd/* >odd.got 2>odd.errors
is "profiles of other writers" "$(cat odd.got)" "anon.cg 0 0 0 15 384
appended.cg 0 0 0 30 768
bom.cg 0 0 0 7
calls.cg 0 0 0 2
cut.cg 3 0 0 15 384
decimals.cg 0 0 0 54 1008
events.cg 0 0 0 201 201
int.cg 0 0 0 -2147483643 4096
liar.cg 0 0 0 100
lines.cg 0 0 0 2
many.cg 0 0 0 59997
massif.cg 0 0 0 30
names.cg 0 0 0 5951
negative.cg 0 0 0 15 4096
nomain.cg 0 0 0 10 -16
nosummary.cg 0 0 0 15 384
nul-appended.cg 0 0 0 30 768
nul.cg 0 0 0 15 384
over.cg 3 1 1
part.cg 0 0 0 1
relative.cg 0 0 0 2
ring.cg 0 0 0 18
rubyprof.cg 0 0 0 53
samples.cg 0 0 0 4
shares.cg 0 0 0 303 2
stackprof.cg 0 0 0 9
top.cg 0 0 0 18446744073709551615
utf16.cg 3 1 1
utf16bom.cg 3 1 1
vmprof.cg 0 0 0 7
wrapped.cg 0 0 0 15 4096
xdebug.bz2 0 0 0 15 384
xdebug.gz 0 0 0 15 384
xdebug.xz 0 0 0 15 384"
utf16='expected text in UTF-8, this is in UTF-16 (iconv -f UTF-16'
is "what is said about them" "$(grep '^costgrind convert' odd.errors)" \
	"costgrind convert: warning: odd/cut.cg:30: expected more after this line, the profile is cut short
costgrind convert: warning: odd/decimals.cg:6: counts with decimals, rounded to integers
costgrind convert: odd/over.cg:7: a sum of counts is beyond 64 bits
costgrind convert: odd/utf16.cg:1: ${utf16}LE -t UTF-8 converts it)
costgrind convert: odd/utf16bom.cg:1: $utf16 -t UTF-8 converts it)"
is "... and noted" "$(cd odd && "$program" check decimals.cg wrapped.cg bom.cg part.cg relative.cg massif.cg |
	grep -e rounded -e subtracted -e ignored)" \
	"decimals.cg:6: note: counts with decimals, rounded to integers
wrapped.cg:14: note: counts of 2^63 or more next to others below 0: 2^64 is subtracted
bom.cg:1: note: a byte order mark, ignored
part.cg:7: note: more counts than events, the last ones ignored
relative.cg:6: note: a relative position beyond 2^64, which is subtracted
massif.cg:3: note: pid:, part: or thread: is no number, ignored"

# -- profiles that are cut short, and what is left of them -----------------------------------

# Wherever a writer was killed after its header, commands read what is whole, with one warning.
for name in callgrind-plain costgrind-plain cachegrind-plain callgrind-parts; do
	size=$(wc -c <"$profiles/$name.cg")
	header=$(sed '/^events:/q' "$profiles/$name.cg" | wc -c)
	for length in $(seq $((header + 1)) $(((size - header) / 60 + 1)) $((size - 1))); do
		head -c "$length" "$profiles/$name.cg" >p
		"$program" annotate --auto=no p 2>&1 >/dev/null | sed 's/:[0-9]*:.*/:/'
		echo "$?"
	done | sort -u >cut.said
	is "$name: read wherever it is cut" "$(cat cut.said)" "0
costgrind annotate: warning: p:"
done
sed '/^totals:/d' "$profiles/costgrind-plain.cg" | head -n -3 >p
"$program" check --salvage -o whole.cg p >/dev/null 2>&1
is "check --salvage of a file that is cut short" $? 3
is "... is a profile" "$("$program" check whole.cg | grep -v ': note: [a-z0-9_-]* [a-z]')" \
	"whole.cg:$(sed -n '/^desc: Salvaged/=' whole.cg): warning: salvaged from a profile that was cut short
whole.cg:$(sed -n '/^summary:/=' whole.cg): note: $("$program" check whole.cg | sed -n 's/.*note: \(summary: says\)/\1/p')
whole.cg: good, 1 part, 4 functions, 1 warning, 7 notes"
is "... with all that is whole" "$("$program" convert -q --to=csv whole.cg)" "$("$program" convert -q --to=csv p)"
is "... and says what was wrong" "$(grep '^desc: Salvaged' whole.cg)" \
	"desc: Salvaged: line $(wc -l <p): expected \"totals:\" at the end, the profile may be cut short"
# Of a whole one, all that it says, parts by part.
for name in costgrind-all callgrind-parts callgrind-jumps-instr cachegrind-plain xdebug3 spec-extended; do
	"$program" check -q --salvage -o whole.cg "$profiles/$name.cg"
	echo "exit status $?" >&2
	echo "exit status 0"
	"$program" convert -q --to=callgrind "$profiles/$name.cg" | grep -v -e '^totals' -e '^$'
	"$program" convert -q --to=callgrind whole.cg | grep -v -e '^totals' -e '^$' >&2
done >want 2>got
is "check --salvage of whole files" "$(cat got)" "$(cat want)"
is "no -o" "$("$program" check --salvage p 2>&1; echo $?)" "costgrind check: --salvage needs -o FILE, the profile to write
2"
is "-o alone" "$("$program" check -o x p 2>&1; echo $?)" "costgrind check: expected -o FILE with --salvage only
2"
is "two files" "$("$program" check --salvage -o x p p 2>&1; echo $?)" "costgrind check: expected one profile with --salvage
2"
: >p
is "nothing to salvage" "$("$program" check -q --salvage -o none.cg p; echo $?; ls none.cg 2>&1 | wc -w)" \
	"p: error: expected a profile, found an empty file
3
9"

# -- places -------------------------------------------------------------------------

printf '%sfl=(1) a.c\nfn=(1) f\n1 5 6\nfl=(2) b.c\n2 5 6\n' "$head" >p
is "fl= without fn=" "$("$program" check p | grep -e 'after fl=' -e good)" \
	"p:8: note: no fn= after fl=: the costs belong to the previous function
p: good, 1 part, 1 function, 2 notes"
sed 's/^fl=a.c/&\n1 1 1/;s/^summary.*/summary: 14 7/' plain.cg >p
is "fl= without fn= in Cachegrind's format" "$("$program" check p | grep 'after fl=')" \
	"p:$(($(sed -n '/^fl=a.c/=' p) + 1)): note: no fn= after fl=: the costs belong to <unspecified>, \
as in cg_annotate"

# -- calls --------------------------------------------------------------------------

# main 20 + 400 + 400, func1 100 + 300, func2 700 paid by both: the example of the specification.
cp "$top_srcdir/tests/profiles/spec-extended.cg" p
says "calls that add up" 0 "p: good, 1 part, 3 functions"
sed 's/^51 300$/51 301/' "$top_srcdir/tests/profiles/spec-extended.cg" >p
is "a call that costs too much" "$("$program" check p | grep ': warning:')" \
	"p: warning: func2: with its calls Instructions 700, but calls of it cost 701"
is "that is a failure, strictly" "$("$program" check -q --strict p; echo $?)" 3
printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\n
fn=(1) main\n1 5\ncfn=(2) _Exit\ncalls=1 1\n2 6\nfn=(2)\n1 4\n
totals: 9\n' >last
is "Callgrind loses the last block" "$("$program" check --strict last | grep ': with its'; echo $?)" \
	"last: note: _Exit: with its calls Ir 4, but calls of it cost 6 (Callgrind loses the own cost of the \
last block)
0"
is "that is no failure" "$("$program" check -q --strict last; echo $?)" 0
sed 's/callgrind-3/costgrind-3/' last >q
is "others do not" "$("$program" check -q --strict q; echo $?)" 3
# func1 then spends 401 and is paid 400, which is legal: it may have run without being called.
is "a function that ran without being called" \
	"$("$program" check -v p | grep 'also without')" \
	"p: note: functions that ran also without being called: 1"
# Even and odd call each other: 10 + 20 = 30 in all, paid by main; their calls of each other do not
# matter.
printf 'events: Ir\nfn=main\n1 5\ncfn=even\ncalls=1 1\n2 30\nfn=even\n1 10\ncfn=odd\ncalls=9 1\n2 999
fn=odd\n1 20\ncfn=even\ncalls=9 1\n3 888\n' >p
is "functions that call each other" "$("$program" check p | grep ": warning:")" ""
sed 's/^2 30$/2 31/' p >q
is "functions that call each other, paid too much" "$("$program" check q | grep ": warning:")" \
	"q: warning: even: with its calls Ir 30, but calls of it cost 31"
printf 'events: Ir\nfn=main\n1 1\n' >p
for f in a b c d e f g h i j; do
	printf 'cfn=%s\ncalls=1 1\n1 2\n' $f
done >>p
is "many such functions" "$("$program" check p | grep ": warning:" | sed -n '1p;$p')" \
	"p: warning: a: with its calls Ir 0, but calls of it cost 2
p: warning: more functions whose calls cost too much: 2"
long=$(printf '%01100d' 0 | tr 0 x)
printf 'events: Ir\nfn=main\n1 1\ncfn=%s\ncalls=1 1\n1 2\n' "$long" >p
is "a long name" "$("$program" check p | grep ': warning:' | tr -s x)" \
	"p: warning: x...: with its calls Ir 0, but calls of it cost 2"
printf 'events: %s\nfn=f\n1 1\ntotals: 3\n' "$long" >p
is "a long name of an event" "$("$program" check p | grep ': error:' | tr -s x)" \
	"p:4: error: totals: says x... 3, the costs add up to 1"
is "our own profiles add up" "$("$program" check -q --strict "$top_srcdir"/tests/profiles/costgrind-*.cg
	echo $?)" 0

# -- readers ------------------------------------------------------------------------

golden check/readers "$program" check --readers
"$program" check --readers >matrix
awk -F ' [|] ' '{ print $3 }' matrix | sort -u >features
: >crafted

# stumbles FEATURE [CONTENT]: exactly the readers of the matrix stumble over ./p, and where.
stumbles() {
	printf '%s\n' "$1" >>crafted
	awk -F ' [|] ' -v feature="$1" '$3 == feature { print $1 " " $4 ": " $3 }' matrix >want
	[ -s want ] || echo "no reader in the matrix" >want
	"$program" check -v p >got.all 2>&1
	grep -F ": $1" got.all | grep -v '^p: [gb]' | sed 's/^p:[0-9]*:* *note: //' >got
	is "$1" "$(cat got)" "$(cat want)"
	if [ "${2-}" ]; then
		is "$1: line" "$(grep -F ": $1" got.all | sed -n '1s/^p:\([0-9]*\).*/\1/p')" "$2"
	fi
}

printf '%sfn=(1) f\n1 5 6\n' "$head" >p
is "what all readers but the strict can read" "$("$program" check p)" \
	"p: note: cg_annotate cannot read it: not in Cachegrind's own format
p: good, 1 part, 1 function, 1 note"
stumbles "not in Cachegrind's own format"
stumbles "several events"
printf '%sfn=(1) f\0g\n1 5 6\n' "$head" >p
stumbles "a NUL byte" 4
printf '%sfn=(1) f\n 1 5 6\n' "$head" >p
stumbles "a blank before a line" 5
printf '%sfn=(1) f\n1 5 6 \n' "$head" >p
stumbles "a blank after counts" 5
printf '%sfn=(1) f\n1 5 -6\n' "$head" >p
stumbles "a count below 0" 5
printf '%sfn=(1) f\n1 5.5 6\n' "$head" >p
stumbles "a count with decimals" 5
for change in '1s/^/\o357\o273\o277/' 's/^1 2 3/1 2.0 3/' 's/^summary.*/& 5/'; do
	sed "$change" plain.cg >p
	"$program" check p | grep -c 'cg_annotate cannot'
done >got
is "what cg_annotate cannot read" "$(cat got)" "1
1
1"
printf '%sfn=f\n1 5 6\n' "$head" >p
stumbles "a name without an id" 4
printf '%sfn=(1) f\n1-3 5 6\n' "$head" >p
stumbles "a range as a position" 5
printf '%sfn=(1) f\n1 5 6\n+2147483648 5 6\n' "$head" >p
stumbles "a relative position of 2^31 or more" 6
stumbles "relative positions" 6
printf '%sfn=(1) f\n1 5 6\nfn=(2) g\n+3 5 6\n' "$head" >p
stumbles "a relative position right after fn=" 7
printf '%sfn=(1) f\n1\t5 6\n' "$head" >p
stumbles "a tab between numbers" 5
for event in Cycles Rep I2mr; do
	printf '# callgrind format\npositions: line\nevents: %s\nfn=(1) f\n1 5\n' $event >p
	stumbles "an event that gungraun does not know"
done
printf '# callgrind format\npositions: line\nevents: IR sysCpuTime DLdmw L1hits\nfn=(1) f\n1 5 1 1 1\n' >p
is "events that gungraun knows" "$("$program" check --for=gungraun p | grep ': error:')" ""
printf '%sfn=(1) f\ncfni=g\n1 5 6\ncfni=???\n1 5 6\n' "$head" >p
stumbles "cfni=" 5
is "cfni= is of the grammar" "$("$program" check -q p; echo $?)" 0
printf '%sfl=(1) a.c\nfn=(1) f\n1 5 6\nfl=(2) b.c\n2 5 6\n' "$head" >p
stumbles "costs after fl= without fn=" 8
sed 's/^fl=a.c/&\n1 1 1/;s/^summary.*/summary: 14 7/' plain.cg >p
stumbles "costs of <unspecified>" "$(($(sed -n '/^fl=a.c/=' p) + 1))"
is "cg_annotate can read it" "$("$program" check p | grep -c 'cg_annotate cannot')" 0
printf '# callgrind format\npositions: line\nevents: Time_(10ns)\nfn=(1) f\n1 5\n' >p
stumbles "an event whose name is no identifier"
printf '%sfn=(1) f\n1 5 6\nfn=(1) f\n2 5 6\n' "$head" >p
stumbles "an id defined again" 6
printf '%sfn=(1) f\n1 5 6\nfn=(1) g\n2 5 6\n' "$head" >p
stumbles "an id defined as another name" 6
printf '%sfn=(1) f\njfi=(2) b.c\njump=1 2\n1\n' "$head" >p
stumbles "an id defined by jfi= or jfn=" 5
stumbles "jumps" 6
printf '# callgrind format\narch: arm\npositions: line\nevents: Ir\nfn=(1) f\n1 5\n' >p
stumbles "an unknown header line" 2
printf '%sfn=(1) f\ncfn=(2) g\ncalls=0 1\n1 5 6\nfn=(2)\n1 5 6\n' "$head" >p
stumbles "calls=0" 6
stumbles "names by ids" 8
printf '%sevent: Ir : Instructions\nfn=(1) f\n1 5 6\n' "$head" >p
stumbles "event: after events:" 4
printf '# callgrind format\npositions: line\nevent: x = Ir - Dr\nevents: Ir Dr\nfn=(1) f\n1 5 6\n' >p
stumbles "event: with a difference"
printf '%sfn=(1) f\n1 5\n' "$head" >p
stumbles "fewer counts than events" 5
printf '%sfn=(1) f\nfi=(1) a.h\n1 5 6\n' "$head" >p
stumbles "fi= or fe=" 5
printf '%sfl=(1) /a/x.c\nfn=(1) f\n1 5 6\nfl=(2) /b/x.c\nfn=(2) f\n1 5 6\n' "$head" >p
stumbles "functions that differ by folders only"
stumbles "functions of one name"
printf '%sfl=(1) /a/x.c\nfn=(1) f\n1 5 6\nfl=(2) /b/y.c\nfn=(2) f\n1 5 6\n' "$head" >p
is "functions of other files do not differ by folders only" \
	"$("$program" check -v p | grep folders)" ""
printf '%sfn=(1) f\njcnd=1 2 3\n1\n' "$head" >p
stumbles "jcnd= with a blank between its counts" 5
printf '%sfn=(1) f\njfn=(2) g\njump=1 2\n1\n' "$head" >p
stumbles "jfn=" 5
python3 -c 'print("# callgrind format\npositions: line\nevents:", *("E%d" % i for i in range(201)))
print("fn=(1) f\n1", *range(201))' >p
stumbles "more than 200 events"
printf '# callgrind format\nevents: Ir\nfn=(1) f\n1 5\n' >p
stumbles "no positions:" 2
printf '%sfn=(1) f\n1 5 6\n2 5 6\n' "$head" >p
stumbles "not as Xdebug writes it"
python3 -c 'print("cmd: " + 2100 * "x" + "\nevents: Ir\nfn=(1) f\n1 5")' >p
stumbles "nothing in the first 2047 bytes identifies the format"
mkfifo pipe
cat p >pipe &
is "a pipe is read once" "$(timeout 20 "$program" check pipe | grep -c 'first 2047 bytes'; echo $?)" "1
0"
stumbles "the first line is not \"# callgrind format\"" 1
printf '# callgrind format\ncmd: a\npositions: line\nevents: Ir\nfn=(1) f\n1 5
cmd: b\nevents: Ir\nfn=(1) f\n1 5\n' >p
stumbles "parts of several command lines"
stumbles "several parts" 7
printf '%sfn=(1) f\n1 5 6\n%sfn=(1)\n2 5 6\n' "$head" "${head#*format?}" >p
stumbles "an id of an earlier part" 8
printf '%sfn=(1) f\n1 5 6\n%sfn=(1) f\n2 5 6\nfn=(1)\n' "$head" "${head#*format?}" >p
is "an id that is defined in each part" "$("$program" check -v p | grep 'earlier part')" ""
printf '%spid: 5\nfn=(1) f\n1 5 6\n' "$head" >p
stumbles "pid:, part: or thread: after events:" 4
printf '# callgrind format\npositions: instr bb line\nevents: Ir\nfn=(1) f\n1 2 3 5\n' >p
stumbles "positions: with bb" 2
stumbles "positions: with instr"
printf '%sfn=(1) f\n1 5 6\ncfn=(1)\nrcalls=1 1\n1 5 6\n' "$head" >p
stumbles "rcalls=" 7
stumbles "recursion"
printf '# callgrind format\nsummary: 5\npositions: line\nevents: Ir\nfn=(1) f\n1 5\n' >p
stumbles "summary: before events:" 2

# That takes a file of 4 GiB: tests/cmds/merge/merger_test.c.
echo "4 GiB or more" >>crafted
is "each feature of the matrix was tried" "$(sort -u crafted)" "$(cat features)"

cp plain.cg p
is "Cachegrind's format" "$("$program" check p | grep cg_annotate)" ""
for change in 's/^summary.*/summary: 1 1/' '/^summary/d' 's/^fl=b.c/fi=b.c/' '/^cmd/d' 's/^cmd/pid: 1\n&/' \
	's/^cmd/creator: x\n&/' 's/^fl=b.c/ob=x\n&/' 's/^3 5/0x3 5/;s/ 0$/ 0x0/' '1s/^/# callgrind format\n/' \
	's/^3 5/+3 5/' 's/^summary/totals/' 's/^events/positions: line\n&/' \
	'/^cmd/d;s/^events.*/&\ncmd: a/' 's/^cmd.*/&\ndesc: a: b/' 's/^events.*/&\ndesc: a: b/' \
	's/^cmd/event: Ir : a\n&/' '1s/^/version: 1\n/' 's/^cmd/\n&/' 's/^events/# a\n&/' \
	's/^cmd: /cmd:/' 's/^cmd.*/&\n&/' 's/^fn=.*/&\ncfni=g/'; do
	sed "$change" plain.cg >p
	"$program" check p | grep -q 'cg_annotate cannot read it' || echo "$change"
done >missed
is "what is not Cachegrind's format" "$(cat missed)" ""

# -- gates --------------------------------------------------------------------------

golden check/for "$program" check --for=speedscope,gprof2dot rank0.out plain.cg
is "a gate that is open" "$("$program" check -q --for=kcachegrind rank0.out; echo $?)" 0
golden check/text "$program" check rank0.out plain.cg
golden check/verbose "$program" check -v rank0.out
golden check/help "$program" help check

fails() {
	fails_name=$1
	fails_want="$2 $3"
	shift 3
	fails_got=$("$program" check "$@" 2>&1 >out)
	is "$fails_name" "$? $fails_got" "$fails_want"
}

fails "no file" 2 "costgrind check: expected profiles to check"
fails "no such option" 2 "costgrind check: --all: no such option, try 'costgrind help check'" --all
fails "no such reader" 2 "costgrind check: --for: 'kcachegrind,vim': expected names of readers with \
commas between, see --readers" \
	--for=kcachegrind,vim rank0.out
fails "a missing file" 1 "costgrind check: missing: cannot open: No such file or directory" \
	missing rank0.out
is "the others are checked" "$(sed -n '$p' out)" "rank0.out: good, 1 part, 2 functions, 6 notes"
printf 'missing\n' >list
fails "a missing file in a list" 1 "costgrind check: missing: cannot open: No such file or directory" \
	--files-from list
fails "a missing list" 1 "costgrind check: nowhere: No such file or directory" --files-from nowhere
got=$("$program" check rank0.out 2>&1 >/dev/full)
is "standard output full" "$? $got" "1 costgrind check: standard output: No space left on device"
is "standard input" "$("$program" check -q - <rank0.out; echo $?)" 0
gzip -k rank0.out
is "a compressed file" "$("$program" check rank0.out.gz | sed -n '$p')" \
	"rank0.out.gz: good, 1 part, 2 functions, 6 notes"
done_testing
