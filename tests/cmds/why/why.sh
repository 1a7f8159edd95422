#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind why prints what is in tests/golden/why, as annotate_test.sh has it; what real programs show is in
# tests/tool/cycles/why.sh.
: "${CC:=cc}"
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/why
program=$top_builddir/costgrind
work=$PWD

unset PAGER NO_COLOR DEBUGINFOD_CACHE_PATH DEBUGINFOD_URLS
cp "$golden"/inputs/* .

printf 'long sum(const long *at)\n{\n\n\n\n\n\n\n\n\treturn *at + sum(at + 1);\n\n}\n' >sums.c
# Without cycles; with names that talk to terminals, to Markdown and to spreadsheets; without costs; a difference.
sed 's/ Cy\([A-Z]\)/ X\1/g; /^event: Cyc/d' cycles.cg >counts.cg
awk '{ gsub(/fn=work/, "fn==1+\033[31m|*x*`y`"); gsub(/fl=work.c/, "fl=a,\"b\"\033.c"); print }' cycles.cg >hostile.cg
printf '%s\n' "events: Ir" "fl=f.c" "fn=f" "1 500" "2 300" >nothing.cg
printf '%s\n' "events: Ir" "fn=f" "1 0" >empty.cg
printf '%s\n' "events: Ir" "fn=f" "1 -5" >difference.cg
# A program of the system, without sources.
sed 's,^ob=.*,ob=/usr/bin/words,; s,^fl=.*,fl=???,; s,^cob=.*,cob=/usr/lib/libc.so.6,; s,^cfi=.*,cfi=???,' libraries.cg >system.cg
# Misses by reason: what is proposed follows what was counted.
sed -n '/^creator/,/^desc: LL/p; /^part/p' cycles.cg >classes.cg
cat >>classes.cg <<END
desc: Core: zen4, width 6, rob 320; cycles of L1D 4, L2 14, memory 400
desc: Conflicts: 90 of 100 in D1, 4096 bytes apart: work.c:10 work <-> work.c:12 work
positions: line
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw CyBase CyDep CyFe CyBr CyMem CyTlb D1cold D1cap D1conf LLcold LLcap LLconf
event: Cyc = CyBase + CyDep + CyFe + CyBr + CyMem + CyTlb : Cycles (tenths)
fl=work.c
fn=work
10 500 200 0 0 100 0 0 0 0 1000 0 0 0 20000 0 0 10 90
20 500 200 0 0 100 0 0 0 0 1000 0 0 0 19000 0 10 85 5
30 500 200 0 0 100 0 0 0 0 1000 0 0 0 18000 0 100 0 0
40 500 200 0 0 100 0 0 100 0 1000 0 0 0 17000 0 0 100 0 0 100 0
END

# Threads that shared a core's D1 may have missed there for that reason only; with cores of their own they have not.
sed 's/^desc: Conflicts/desc: Threads: 4\ndesc: L2 cache: 1048576 B, 64 B, 16-way associative\n&/' classes.cg >threads.cg
sed 's/^desc: Threads/desc: Cores: 4, threads in the order of creation\n&/' threads.cg >cores.cg

golden_list "$golden" "s,$work,WORK,g" "$program" why

for format in json csv; do
	"$program" why --format=$format hostile.cg >hostile.$format 2>/dev/null
done
is "the schema" "$(for file in cycles libraries contexts counts misses data nothing hostile classes python system; do
	"$program" why --format=json $file.cg >"$file.json" 2>/dev/null
	python3 "$top_srcdir/tests/schema.py" -s "$top_srcdir/docs/schemas/why.schema.json" "$file.json" 2>&1
done)" ""
is "fields of CSV" "$(python3 -c 'import csv
print(*{len(row) for row in csv.reader(open("hostile.csv", newline=""))})')" 13
is "no sentence twice" "$(for file in cycles libraries contexts counts misses data classes python system; do
	python3 -c 'import collections, json, re, sys
said = collections.Counter()
for one in json.load(open(sys.argv[1]))["findings"]:
	for text in [one["claim"], one.get("advice")] + one["evidence"]["facts"] + one["ruled_out"]:
		said.update(re.split(r"(?<=[.:]) (?=[A-Z])", text) if text else [])
print(end="".join(f"{sys.argv[1]}: {text}\n" for text, n in said.items() if n > 1))' "$file.json"
done)" ""
"$program" why hostile.cg >text 2>&1
is "no control characters" "$(LC_ALL=C tr -d '\n\t -~\200-\377' <text | wc -c)" 0

sed '1a desc: Core: none' nothing.cg >coreless.cg
is "of a machine without a core, that it has none" "$("$program" why coreless.cg | sed -n 2p)" \
	"This machine has no core table, so what is said is estimated from counts; --machine=NAME simulates one that has."
printf 'events: Ir\nob=/usr/bin/python3.11\nfl=call.c\nfn=PyObject_Call\n1 5\n' >interpreter.cg
is "how to see functions of Python" "$("$program" why interpreter.cg | grep Note)" \
	"Note: this is a Python program: costgrind --python=yes PROG ARGS has its functions."

# With --inline=calls, inlined functions are called by their own first instruction; real calls come from elsewhere.
for at in 0x20 0x18; do
	printf '%s\n' "positions: instr line" "events: Ir" "fl=$work/f.c" "fn=f" "0x10 1 90000" "cfn=small" \
		"calls=20000 0x20 8" "$at 2 100000" "fn=small" "0x20 8 100000" >calls_$at.cg
done
is "no advice to inline what is inlined" "$("$program" why calls_0x20.cg | grep -c "Many small calls")" 0
is "advice to inline what is not" "$("$program" why calls_0x18.cg | grep -c "Many small calls")" 1

# The longest line fits into the columns.
sed "s/chase/$(printf '%2000s' x | tr ' ' x)/" cycles.cg >long.cg
for file in cycles libraries hostile long; do
	for width in 40 80 100 200; do
		"$program" why --width=$width $file.cg >text 2>&1
		is "$file fits into $width columns" \
			"$(python3 -c 'import sys
print(max(len(line.rstrip("\n")) for line in open("text", errors="surrogateescape")) <= int(sys.argv[1]))' $width)" True
	done
done

# What machine code says about accesses.  All instructions are executed as often, but the second one of "rarely"; the first
# one of each function misses.
# shellcheck disable=SC2086 # the compiler may be several words
$CC -nostdlib -static -no-pie -Wl,-Ttext=0x401000 -Wl,--build-id=none -o chases chases.s >log 2>&1 ||
	not_ok "assemble chases.s" "$(cat log)"
sleep 1
objdump -d --no-show-raw-insn chases | awk -v object="$PWD/chases" '
	BEGIN {
		print "version: 1\npositions: instr line\nevents: Ir Dr Dw D1mr D1mw DLmr DLmw CyBase CyDep CyFe CyBr CyMem CyTlb"
		print "event: Cyc = CyBase + CyDep + CyFe + CyBr + CyMem + CyTlb : Cycles (tenths)"
		print "ob=" object "\nfl=chases.s"
	}
	/^0/ { name = substr($2, 2, length($2) - 3); print "fn=" name; n = 0 }
	/^ / {
		n++
		often = name == "seldom" && n == 2 ? 1 : 1000
		print "0x" substr($1, 1, length($1) - 1), 100 * ++line, often, often, 0, n == 1 ? "900 0 0 0 10 0 0 0 90000" : ""
	}
	END { print "totals: 0" }' >chases.cg
# said EXPRESSION NAME...: of the finding of each function, called one.
said() {
	said_what=$1
	shift
	for name; do
		"$program" why -q --format=json chases.cg "$name" >chases.json
		python3 -c 'import json, sys
one = json.load(open("chases.json"))["findings"][0]
print(one["function"], eval(sys.argv[1]))' "$said_what" 2>&1
	done
}
is "pointer chases" "$(said '"pointer chase" in one["claim"]' itself copied index twice seldom before)" "itself True
copied True
index True
twice True
seldom True
before True"
is "no pointer chases" "$(said '"pointer chase" in one["claim"]' other_load stride register_stride neither computed)" \
	"other_load False
stride False
register_stride False
neither False
computed False"
is "strides" "$(said 'next((fact[:47] for fact in one["evidence"]["facts"] if "advances" in fact), "none")' stride register_stride itself)" \
	"stride Its address advances by 24 B each time (addq \$0
register_stride Its address advances by a register's value (add
itself none"
is "the word of a function" "$("$program" annotate -q chases.cg 2>/dev/null |
	awk '/pointer chase/ { print $(NF - 1) }' | sort | tr '\n' ' ')" "before copied index itself seldom twice "
# The same where D1 has the data: waiting is for results then.
sed 's/900 0 0 0 10 0 0 0 90000$/0 0 0 0 10 90000 0 0 0 0/' chases.cg >near.cg
"$program" why -q --format=json near.cg itself >near.json
is "a pointer chase in D1" "$(python3 -c 'import json
one = json.load(open("near.json"))["findings"][0]
print(one["kind"], one["title"], "several sums" in one["advice"], sep="; ")')" \
	"dependencies; Waits for results: pointer chase; False"
"$program" why -q --format=json near.cg neither >near.json
is "no pointer chase in D1" "$(python3 -c 'import json
one = json.load(open("near.json"))["findings"][0]
print(one["kind"], one["title"], "several sums" in one["advice"], sep="; ")')" \
	"dependencies; Waits for results; True"

# A function without a line among the first ones: what its return waits for is nobody's, as of a line.
{
	sed '/^fn=/,$d' chases.cg
	objdump -d --no-show-raw-insn chases | awk '
		/^0/ { is_in = $2 == "<returns>:"; if (is_in) print "fn=returns" }
		is_in && /^ / { print "0x" substr($1, 1, length($1) - 1), ++line, 1000, 0, 0, 0, 0, 0, 0, 2000, /ret/ ? 9000 : 0 }'
	echo "fl=filler.c"
	echo "fn=filler"
	for line in 1 2 3 4 5 6 7 8; do echo "0 $line 1000 0 0 0 0 0 0 20000"; done
} >returns.cg
is "no return waits" "$("$program" why -q --format=json returns.cg | python3 -c 'import json, sys
print(*[(one["kind"], one["share"] > 3) for one in json.load(sys.stdin)["findings"] if one["function"] == "returns"])')" \
	"('core bound', True)"

# A few allocations are not many; they are calls of a library.
sed 's/^calls=[0-9]* /calls=2 /' libraries.cg >few.cg
is "few allocations" "$("$program" why few.cg | grep -c -e 'Many allocations' -e 'reuse')" 0
is "are calls" "$("$program" why few.cg | grep -c '^ *malloc (libc.so.6) takes 46.1 %')" 1
sed 's/^calls=[0-9]* /calls=99999999999 /' libraries.cg >hostile_counts.cg
is "no more than all" "$("$program" why hostile_counts.cg | grep -o '[0-9.]* % of all cycles' | awk '$1 > 100')" ""

# Where misses are classified, but none of a place's was, there is no more to ask for.
sed 's/ 0 0 10 90$//; s/ 0 10 85 5$//; s/ 0 100 0 0$//; s/ 0 0 100 0 0 100 0$//' classes.cg >unclassified.cg
is "no class, no run" "$("$program" why unclassified.cg 2>/dev/null | grep -c miss-classes=yes)" 0

# A long line of source is cut off, but not within a character.
printf 'x%200s\n' '' | sed 's/ /\xc3\xa9/g' >utf8.c
printf '%s\n' 'events: Ir' 'fl=utf8.c' 'fn=f' '1 9' >utf8.cg
is "whole characters" "$("$program" why --format=json utf8.cg | python3 -c 'import json, sys
source = json.loads(sys.stdin.buffer.read().decode())["findings"][0]["source"]
print(len(source.encode()), set(source) == {"x", "é"})')" "199 True"
is "none without machine code" "$("$program" why -q --asm=no chases.cg | grep -c 'pointer chase')" 0

# By a call tree, what libraries of Python and C cost is the nearest own function's, and what a module does while it is imported is
# the import's.  By calls alone, all would be <module>'s, which calls the library that calls handle.
cp "$top_srcdir/tests/cmds/inputs/python.tree" tree.7.costgrind
"$program" convert --to=callgrind -o costgrind.out.7 tree.7.costgrind
# python_shares: of each finding, the first words and the share.
python_shares() {
	"$program" why -q --format=json costgrind.out.7 | python3 -c 'import json, sys
for one in json.load(sys.stdin)["findings"]:
	print(one["title"], one["function"], one["share"], one.get("source"), *one["evidence"]["facts"][:1])'
}
is "Python by a call tree" "$(python_shares)" "Python handle 52.2946 None Most of that is encode: 30 calls, 42.7 %.
Python <module> 22.412 None Most of that is run: 1 call, 21.3 %.
Imports _find_and_load 14.6211 None"
rm tree.7.costgrind
is "Python by calls" "$(python_shares)" "Python <module> 74.7065 None Most of that is run: 1 call, 73.6 %.
Python handle 52.2946 None Most of that is encode: 30 calls, 42.7 %.
Imports _find_and_load 14.6211 None"

# Commands are made of what a profile says, and are to be pasted.
# next_run CMD OPTIONS: the commands that run the program once more.
next_run() {
	CMD=$1 OPTIONS=$2 awk '/^cmd:/ { print "cmd: " ENVIRON["CMD"]
		print "desc: Options: " ENVIRON["OPTIONS"]; next } { print }' cycles.cg >pasted.cg
	"$program" why pasted.cg | sed -n 's/.*Next: \(costgrind run.*miss-classes.*\)/\1/p' | sort -u
}
is "a command without defaults" "$(next_run './d -x a=b' '--cycles=yes --machine=zen4 --branch-sim=yes --tlb-sim=yes')" \
	"costgrind run --machine=zen4 --miss-classes=yes ./d -x a=b"
is "no option" "$(next_run './d' '')" "costgrind run --miss-classes=yes ./d"
# shellcheck disable=SC2016 # not expanded: that is the point
is "no command that is not safe to paste" "$(for cmd in './d; touch y' './d $(touch y)' './d `y`' '-x ./d' './d  x' './d >y' \
	"./d 'y'" './d ~' './d *'; do next_run "$cmd" ''; done
for options in '$(touch /tmp/x)' '--a=b;c' 'touch' '--a  --b' '--x=yes touch'; do next_run ./d "$options"; done)" ""

gzip -c cycles.cg >cycles.cg.gz
is "compressed, from standard input" "$("$program" why - <cycles.cg.gz | grep -v Next | cksum)" \
	"$("$program" why cycles.cg | grep -v Next | cksum)"
"$program" why -o out cycles.cg
is "to a file" "$? $("$program" why cycles.cg | cmp - out)" "0 "
"$program" why cycles.cg >/dev/full 2>err
is "a full disk" "$? $(cat err)" "1 costgrind why: standard output: No space left on device"
# Functions of libraries that one line calls are one finding.
cat >one_line.cg <<'END'
events: Ir
ob=/home/ann/prog
fl=/home/ann/main.c
fn=main
2 100
cob=/usr/lib/libx.so
cfi=
cfn=first
calls=3 0
3 500
cob=/usr/lib/libx.so
cfi=
cfn=second
calls=3 0
3 300
cob=/usr/lib/libx.so
cfi=
cfn=third
calls=3 0
4 100
ob=/usr/lib/libx.so
fl=
fn=first
0 500
fn=second
0 300
fn=third
0 100
END
is "one line's calls of libraries" \
	"$("$program" why --width=unlimited one_line.cg | grep -E '^ *[0-9]+\.|takes|Other functions')" \
" 1. 50.0 %  Calls a library
    first (libx.so) takes 50.0 % of all instructions: 50.0 % for main at main.c:3.
    - Other functions that run for this line: second 30.0 %.
 2. 10.0 %  Many instructions
 3. 10.0 %  Calls a library
    third (libx.so) takes 10.0 % of all instructions: 10.0 % for main at main.c:4."
done_testing
