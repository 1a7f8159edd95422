#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --inline: inlined functions as functions that are called, as lines, or not at all; with debug
# information that was written by hand.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

# Without -g, or the assembler would write debug information of its own.
inlined_build() {
	inlined_version=$1
	shift
	build calls_inlined "$asm/calls_inlined.S" -DDWARF="$inlined_version" "$@" -nostdlib -static \
		-Wl,--build-id=none -Wl,-Ttext=0x400000 -Wl,-Tdata=0x600000 -Wl,-e,main
}

for version in 5 4; do
	inlined_build $version
	for option in --engine=inline --engine=plain --dump-instr=no --compress-strings=no; do
		asm_run calls_inlined inlined.out --inline=calls $option
		is "DWARF $version: functions and calls, $option" \
			"$(calls found inlined.out calls_inlined.S)" \
			"$(calls want "$asm/calls_inlined.S")"
		conserves "DWARF $version: adds up, $option" inlined.out
	done
done

# What docs/SIMULATION.md says about calls=: x is called twice, y 3 times.  Costs are right.
inlined_build 4 -DAPART
asm_run calls_inlined inlined.out --inline=calls
is "two calls in one line are one, and code before a loop is one more" \
	"$(calls graph inlined.out | grep '^k >')" "k > x 1 Ir=2
k > y 4 Ir=4"
inlined_build 4

# --- addresses ---

# address LABEL
address() {
	nm calls_inlined | awk -v name="$1" '$3 == name { sub(/^0*/, "", $1); print "0x" $1 }'
}

# A call of an inlined function is where its first instruction is, which is what it calls.  That of
# op is not the cold one, and clear's is the rep instruction.
asm_run calls_inlined inlined.out --inline=calls
is "calls of what is inlined" \
	"$(calls sites inlined.out | sed 's/ [A-Z].*//' | awk '$1 == $4 ":" || $1 == $4')" \
	"$(while read -r label caller callee; do
		echo "$(address "$label"): $caller > $(address "$label"): $callee"
	done <<'END'
a_first f a 5
b_begin a b 5
op_hot f op<u64,&str> 3
clear_begin f clear 5
wrap_begin f wrap 5
u_before h u 3
v_begin h v 1
w_begin h w 2
r_begin r r'2 1
END
)"

# --- files ---

is "op is of the file that its lines are in" \
	"$(python3 "$top_srcdir/tests/profile.py" cells inlined.out |
		awk -F '\t' '$2 ~ /^op/ { sub(/.*\//, "", $1); sub(/ .*/, "", $4); print $1, $3, $4 }')" \
"calls_inlined.h 5 Ir=6
calls_inlined.h 6 Ir=3
calls_inlined.h 7 Ir=2"
is "no function has lines of another file" "$(grep -E '^f[ie]=' inlined.out)" ""

# callgrind_annotate and other readers take it for a function like any other.
annotator=$(command -v callgrind_annotate)
if [ -n "$annotator" ]; then
	is "callgrind_annotate: callers and callees of a" "$(
		$annotator --tree=both --inclusive=yes --threshold=100 --show=Ir --show-percs=no \
			--auto=no inlined.out 2>&1 | awk '
			/\* .*:main / { on = 0 }
			NF == 0 { if (hit) printf "%s", text; text = ""; hit = 0 }
			{ sub(/^ */, ""); sub(/ \[[^[]*\]$/, ""); gsub(/[^ ]*\//, "") }
			NF { text = text $0 "\n" }
			/\*  calls_inlined.S:a$/ { hit = 1 }' | tr -s ' ')" \
"60 < calls_inlined.S:f (5x)
3 < calls_inlined.S:main (1x)
63 * calls_inlined.S:a
35 > calls_inlined.S:b (5x)
10 > calls_inlined.S:g (5x)"
else
	skip "callgrind_annotate" "it is not installed"
fi

# --- jumps ---

# Jumps into inlined functions and out of them do not count: f's jump past op stays in f.
asm_run calls_inlined inlined.out --inline=calls --collect-jumps=yes
is "jumps" "$(python3 "$top_srcdir/tests/profile.py" jumps inlined.out |
	cut -f 2,5,8- | tr '\t' ' ' | LC_ALL=C sort)" \
"b 0x400037 0x400035 jcnd 10 15
f 0x400043 0x40004b jcnd 2 5
h 0x40006e 0x40006a jcnd 2 3
main 0x40000f 0x400008 jcnd 4 5
op<u64,&str> 0x400049 0x400000 jcnd 1 3
r'2 0x40007f 0x40008a jcnd 1 1"

# --- with other options ---

# The call of s is all of wrap; s is a part of it, and wrap is called 5 times, not 10.
calls_with inlined "a: Ir=18 Dr=1 Dw=5
b: Ir=35 Bc=15
clear: Ir=30 Dw=20 Bc=25
f: Ir=30 Dr=5 Bc=5
g: Ir=10 Dr=5
h: Ir=14 Dr=1 Bc=3
main: Ir=23 Dw=8 Bc=5
op<u64,&str>: Ir=11 Bc=3
r'2: Ir=6 Dr=1 Dw=1 Bc=2
r: Ir=3 Dr=1 Bc=1
u: Ir=4
v: Ir=2
w: Ir=4 Bc=2
wrap: Ir=10 Dr=5 Dw=5
a > b 5 Ir=35 Bc=15
a > g 5 Ir=10 Dr=5
f > a 5 Ir=60 Dr=5 Dw=5 Bc=15
f > clear 5 Ir=30 Dw=20 Bc=25
f > op<u64,&str> 3 Ir=11 Bc=3
f > wrap 5 Ir=10 Dr=5 Dw=5
h > u 3 Ir=4
h > v 1 Ir=2
h > w 2 Ir=4 Bc=2
main > a 1 Ir=3 Dr=1
main > f 5 Ir=141 Dr=15 Dw=30 Bc=48
main > h 1 Ir=24 Dr=1 Bc=5
main > r 1 Ir=9 Dr=2 Dw=1 Bc=3
r > r'2 1 Ir=6 Dr=1 Dw=1 Bc=2
r'2 > r'2 1 Ir=3 Dr=1 Bc=1" --inline=calls --fn-skip=s
asm_run calls_inlined inlined.plain --inline=calls --fn-skip=s --engine=plain
is "skipped code that is called first: the plain engine" "$(calls graph inlined.plain)" \
	"$(calls graph calls_inlined.with)"

# A function that is skipped is a part of what it is inlined in: of the line of the call.
calls_with inlined "b: Ir=35 Bc=15
clear: Ir=30 Dw=20 Bc=25
f: Ir=45 Dr=5 Dw=5 Bc=5
g: Ir=10 Dr=5
h: Ir=14 Dr=1 Bc=3
main: Ir=26 Dr=1 Dw=8 Bc=5
op<u64,&str>: Ir=11 Bc=3
r'2: Ir=6 Dr=1 Dw=1 Bc=2
r: Ir=3 Dr=1 Bc=1
s: Ir=5 Dr=5
u: Ir=4
v: Ir=2
w: Ir=4 Bc=2
wrap: Ir=5 Dw=5
f > b 5 Ir=35 Bc=15
f > clear 5 Ir=30 Dw=20 Bc=25
f > g 5 Ir=10 Dr=5
f > op<u64,&str> 3 Ir=11 Bc=3
f > wrap 5 Ir=10 Dr=5 Dw=5
h > u 3 Ir=4
h > v 1 Ir=2
h > w 2 Ir=4 Bc=2
main > f 5 Ir=141 Dr=15 Dw=30 Bc=48
main > h 1 Ir=24 Dr=1 Bc=5
main > r 1 Ir=9 Dr=2 Dw=1 Bc=3
r > r'2 1 Ir=6 Dr=1 Dw=1 Bc=2
r'2 > r'2 1 Ir=3 Dr=1 Bc=1
wrap > s 5 Ir=5 Dr=5" --inline=calls --fn-skip=a
a_line=$(grep -n 'CALL(a)' "$asm/calls_inlined.S" | sed 's/:.*//')
is "skipped: at the line of the call" "$(python3 "$top_srcdir/tests/profile.py" cells \
	calls_inlined.with | awk -F '\t' -v line="$a_line" '$2 == "f" && $3 == line { print $4 }' |
	sed 's/ .*//')" Ir=15
is "skipped: what is called is called there" "$(calls found calls_inlined.with calls_inlined.S |
	grep -E '> [bg] ' | sed 's/:.*>/ >/')" \
"$a_line > b 5 Ir=35 Bc=15
$a_line > g 5 Ir=10 Dr=5"

calls_with inlined "a'f: Ir=15 Dw=5
a'main: Ir=3 Dr=1
b'a: Ir=35 Bc=15
clear'f: Ir=30 Dw=20 Bc=25
f'main: Ir=30 Dr=5 Bc=5
g'f: Ir=10 Dr=5
h'main: Ir=14 Dr=1 Bc=3
main: Ir=23 Dw=8 Bc=5
op<u64,&str>'f: Ir=11 Bc=3
r'2'main: Ir=6 Dr=1 Dw=1 Bc=2
r'main: Ir=3 Dr=1 Bc=1
s'f: Ir=5 Dr=5
u'h: Ir=4
v'h: Ir=2
w'h: Ir=4 Bc=2
wrap'f: Ir=5 Dw=5
a'f > b'a 5 Ir=35 Bc=15
a'f > g'f 5 Ir=10 Dr=5
f'main > a'f 5 Ir=60 Dr=5 Dw=5 Bc=15
f'main > clear'f 5 Ir=30 Dw=20 Bc=25
f'main > op<u64,&str>'f 3 Ir=11 Bc=3
f'main > wrap'f 5 Ir=10 Dr=5 Dw=5
h'main > u'h 3 Ir=4
h'main > v'h 1 Ir=2
h'main > w'h 2 Ir=4 Bc=2
main > a'main 1 Ir=3 Dr=1
main > f'main 5 Ir=141 Dr=15 Dw=30 Bc=48
main > h'main 1 Ir=24 Dr=1 Bc=5
main > r'main 1 Ir=9 Dr=2 Dw=1 Bc=3
r'2'main > r'2'main 1 Ir=3 Dr=1 Bc=1
r'main > r'2'main 1 Ir=6 Dr=1 Dw=1 Bc=2
wrap'f > s'f 5 Ir=5 Dr=5" --inline=calls --separate-callers=1
for option in --separate-recs=1 --skip-direct-rec=yes; do
	asm_run calls_inlined inlined.out --inline=calls $option
	is "one level of recursion, $option" "$(calls graph inlined.out | grep -E '^r|> r')" \
"r: Ir=9 Dr=2 Dw=1 Bc=3
main > r 1 Ir=9 Dr=2 Dw=1 Bc=3
r > r 2 Ir=9 Dr=2 Dw=1 Bc=3"
done
asm_run calls_inlined inlined.out --inline=calls --separate-threads=yes
is "threads apart" "$(calls found inlined.out-01 calls_inlined.S)" \
	"$(calls want "$asm/calls_inlined.S")"
asm_run calls_inlined inlined.out --inline=calls --read-inline-info=no
is "--read-inline-info=no is not heeded" "$(calls found inlined.out calls_inlined.S)" \
	"$(calls want "$asm/calls_inlined.S")"

# --- lines, and nothing ---

# f_lines PROFILE: file, line and Ir of what is in f.
f_lines() {
	python3 "$top_srcdir/tests/profile.py" cells "$1" | awk -F '\t' '
		$2 == "f" { sub(/.*\//, "", $1); sub(/ .*/, "", $4); print $1, $3, $4 }'
}

# line TEXT: the number of the line of the program that has it.
line() {
	grep -nF "$1" "$asm/calls_inlined.S" | sed 's/:.*//'
}

asm_run calls_inlined inlined.no --inline=no
f_lines inlined.no >lines
is "no: what is inlined is of the line that calls it" \
	"$(grep -E " ($a_line|$(line 'CALL(op)')|$(line 'CALL(clear)')|$(line 'CALL(wrap)')) " lines)" \
"calls_inlined.S $a_line Ir=50
calls_inlined.S $(line 'CALL(op)') Ir=11
calls_inlined.S $(line 'CALL(clear)') Ir=30
calls_inlined.S $(line 'CALL(wrap)') Ir=5"
is "no: of no other file" "$(grep -c calls_inlined.h inlined.no)" 0
is "no: functions" "$(calls graph inlined.no)" \
"a: Ir=3 Dr=1
f: Ir=126 Dr=5 Dw=30 Bc=48
g: Ir=10 Dr=5
h: Ir=24 Dr=1 Bc=5
main: Ir=23 Dw=8 Bc=5
r: Ir=6 Dr=1 Dw=1 Bc=2
r'2: Ir=3 Dr=1 Bc=1
s: Ir=5 Dr=5
f > g 5 Ir=10 Dr=5
f > s 5 Ir=5 Dr=5
main > a 1 Ir=3 Dr=1
main > f 5 Ir=141 Dr=15 Dw=30 Bc=48
main > h 1 Ir=24 Dr=1 Bc=5
main > r 1 Ir=9 Dr=2 Dw=1 Bc=3
r > r'2 1 Ir=3 Dr=1 Bc=1"

asm_run calls_inlined inlined.lines --inline=lines
is "lines: the functions are the same" "$(calls graph inlined.lines)" "$(calls graph inlined.no)"
is "lines: op has its own" "$(f_lines inlined.lines | grep 'calls_inlined.h [1-9]')" \
"calls_inlined.h 5 Ir=6
calls_inlined.h 6 Ir=3
calls_inlined.h 7 Ir=2"
asm_run calls_inlined inlined.default
is "lines: the default" "$(sed '/^pid:/d' inlined.default)" \
	"$(sed '/^pid:/d' inlined.lines)"
# What the core knows about inlined functions changes nothing as long as nobody asks.
asm_run calls_inlined inlined.read --read-inline-info=yes
is "lines: with --read-inline-info=yes" "$(sed '/^pid:/d' inlined.read)" \
	"$(sed '/^pid:/d' inlined.lines)"

done_testing
