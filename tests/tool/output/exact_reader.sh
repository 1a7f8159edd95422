#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The reader on which the other tests rely: what is wrong in a profile is an
# error, with the file and the line, and nothing on standard output.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

# rejects WHAT SCRIPT MESSAGE [COMMAND]: "file:line: MESSAGE" if sed changes the good profile so.
rejects() {
	sed "$2" "$good" >bad.out
	if cmp -s "$good" bad.out; then
		not_ok "$1" "the change changes nothing"
		return
	fi
	python3 "$top_srcdir/tests/profile.py" "${4:-totals}" bad.out >stdout 2>stderr
	is "$1" "$? $(wc -c <stdout) $(sed 's/:[0-9]*:/:LINE:/' stderr)" \
		"1 0 profile.py: bad.out:LINE: $3"
}

asm_build span
asm_run span good.out
good=good.out

rejects "wrong totals" 's/^totals: 105/totals: 106/' \
	'totals Ir is 106, but the body adds up to 105'
rejects "a cost that is in no total" '/^totals/i 0x1 1 1' \
	'totals Ir is 105, but the body adds up to 106'
rejects "no totals" '/^totals/d' 'no "totals:" line'
rejects "a line after the totals" '/^totals/a fn=(1)' 'a line after the totals'
rejects "an unknown line" '/^totals/i rec=1' "unknown line 'rec=1'"
rejects "an unknown header line" '/^pid:/i arch: amd64' "unknown header line 'arch'"
rejects "a header line in the wrong place" '/^events:/a pid: 1' '"pid:" comes too late'
rejects "two lines of events" 's/^\(events:\).*/&\n&/' '"events:" appears twice'
rejects "an event that appears twice" 's/^events: Ir/& Ir/' 'an event appears twice'
rejects "a wrong version" 's/^version: 1/version: 2/' 'expected "version: 1"'
rejects "an undefined function" '/^totals/i fn=(99)' 'function id 99 is not defined'
rejects "an undefined object" '/^totals/i ob=(99)' 'object id 99 is not defined'
rejects "a function that is defined twice" '/^totals/i fn=(1) again' \
	'function id 1 is defined twice'
rejects "a function of two files" '/^totals/i fl=(99) elsewhere.c\nfn=(1)' \
	"function id 1 stood for $PWD/span of $(sed -n 's/^fl=(1) //p' good.out)"
rejects "an empty name" '/^totals/i fl=' 'an empty name'
rejects "a name like an id" '/^totals/i fl=(1' "neither an id nor a name: '(1'"
rejects "a blank at the end of a name" '/^totals/i fl=(99) x ' \
	"a name with control characters or blanks at an end: 'x '"
rejects "a cost without a function" '/^totals/i fl=(1)\n0x1 1 1' \
	'a cost before the names of its object, file and function'
rejects "too many columns" '/^totals/i fl=(1)\nfn=(1)\n0x1 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14' \
	'14 counts for 13 events'
rejects "too few positions" '/^totals/i fl=(1)\nfn=(1)\n0x1' '1 positions, expected instr line'
rejects "no counts" '/^totals/i fl=(1)\nfn=(1)\n0x1 1' 'no counts'
rejects "a relative first position" '/^totals/i fl=(1)\nfn=(1)\n+1 1 1' \
	'a relative position without one before it'
rejects "a position below 0" '/^totals/i fl=(1)\nfn=(1)\n0x1 1 1\n-2 * 1' \
	'a position that is no 64-bit number'
rejects "a blank at the end of a cost line" '/^totals/i fl=(1)\nfn=(1)\n0x1 1 1 ' \
	"unknown line '0x1 1 1 '"
rejects "a tab" '/^totals/i fl=(1)\nfn=(1)\n0x1\t1 1' "unknown line '0x1\\t1 1'"
rejects "a count of more than 64 bits" '/^totals/i fl=(1)\nfn=(1)\n0x1 1 18446744073709551616' \
	'does not fit 64 bits: 18446744073709551616'
rejects "a number that begins with 0" '/^totals/i fl=(1)\nfn=(1)\n0x1 1 01' \
	"unknown line '0x1 1 01'"
rejects "no calls" '/^totals/i cfn=(1)\ncalls=0 0x1 1\n0x1 1 1' \
	'"calls=0": readers take its cost for a self cost'
rejects "calls without a callee" '/^totals/i calls=1 0x1 1\n0x1 1 1' '"calls=" without "cfn="'
rejects "calls without a cost" '/^totals/i cfn=(1)\ncalls=1 0x1 1' 'no cost line after "calls="'
# jumps WHAT LINES MESSAGE: of lines in the midst of a function; an id 1 is a name of it.
jumps() {
	rejects "$1" "/^totals/i fl=(1)\\nfn=(1)\\n$2" "$3"
}

jumps "a jump that is never made" 'jump=0 0x1 1\n0x1 1' \
	'a jump that was never taken, or more often than executed'
jumps "a jump taken too often" 'jcnd=3/2 0x1 1\n0x1 1' \
	'a jump that was never taken, or more often than executed'
jumps "a conditional jump with one count" 'jcnd=2 0x1 1\n0x1 1' \
	'"jcnd=" has two counts, "jump=" has one'
jumps "a jump with two counts" 'jump=2/2 0x1 1\n0x1 1' '"jcnd=" has two counts, "jump=" has one'
jumps "a conditional jump without a slash" 'jcnd=2 2 0x1 1\n0x1 1' \
	'3 target positions, expected instr line'
jumps "a jump without a position" 'jump=1 0x1 1' 'no position after a jump'
jumps "a jump with a cost" 'jump=1 0x1 1\n0x1 1 1' 'counts at the source of a jump'
jumps "a relative target" '0x1 1 0\njump=1 +1 1\n0x1 1' "not a number: '+1'"
jumps "two lines of one jump" 'jump=1 0x1 1\n0x2 2\njump=1 0x1 1\n0x2 2' \
	'two lines for the same jump'
jumps "a jump to another function" 'jfn=(1)\njump=1 0x1 1\n0x1 1' \
	'"jfn=": only jumps inside functions are written'
jumps "an id for the file of a jump" 'jfi=(99) x.h\njump=1 0x1 1\n0x1 1' \
	'an id is defined where some readers do not look'
jumps "a jump to its own file" 'jfi=(1)\njump=1 0x1 1\n0x1 1' \
	'"jfi=" of the file that the jump is in'
jumps "the file of no jump" 'jfi=x.h\n0x1 1 0' '"jfi=" or "jfn=" without a jump'
rejects "a carriage return" '/^totals/s/$/\r/' 'carriage return'
rejects "a NUL" '/^totals/s/$/\x00/' 'NUL byte'
rejects "what is not UTF-8" '/^cmd/s/$/\xff/' 'not UTF-8'
head -c -1 good.out >cut.out
python3 "$top_srcdir/tests/profile.py" totals cut.out >stdout 2>stderr
is "the last line has no end" "$? $(cat stdout)$(sed 's/:[0-9]*:/:LINE:/' stderr)" \
	"1 profile.py: cut.out:LINE: the last line has no end"

asm_run span lines.out --dump-instr=no
python3 "$top_srcdir/tests/profile.py" insns lines.out >stdout 2>stderr
is "no instructions" "$? $(cat stdout stderr)" \
	"1 profile.py: lines.out: no instruction positions"
is "lines alone: the same cells" "$(python3 "$top_srcdir/tests/profile.py" cells lines.out)" \
	"$(python3 "$top_srcdir/tests/profile.py" cells good.out)"
for option in --compress-strings=no --compress-pos=no --dump-line=no; do
	asm_run span other.out $option
	is "$option: the same totals" "$(counts totals other.out)" "$(counts totals good.out)"
	[ $option = --dump-line=no ] && continue
	is "$option: the same instructions" \
		"$(python3 "$top_srcdir/tests/profile.py" insns other.out)" \
		"$(python3 "$top_srcdir/tests/profile.py" insns good.out)"
done

asm_reference span reference.out
good=reference.out
rejects "Cachegrind: wrong summary" 's/^summary: 105/summary: 106/' \
	'summary Ir is 106, but the body adds up to 105'
rejects "Cachegrind: no summary" '/^summary/d' 'no "summary:" line'
rejects "Cachegrind: too many columns" '/^summary/i 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1' \
	'14 counts for 13 events'
rejects "Cachegrind: a cost without a function" '0,/^fn=/{/^fn=/d}' \
	'a cost before the names of its file and function'
rejects "Cachegrind: an unknown line" '/^summary/i fi=x' "not a number: 'fi=x'"

done_testing
