#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind annotate prints what is in tests/golden/annotate: of each line "NAME: ARGUMENTS" of
# the list there, NAME.expected has standard output, standard error and the exit status.  With
# UPDATE_GOLDEN, these files are written.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/golden.sh
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/annotate
command=$top_builddir/costgrind
here=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/annotate_test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

unset PAGER NO_COLOR
cp "$golden"/inputs/* "$top_srcdir"/tests/profiles/* "$work" || exit 1
cd "$work" || exit 1
# A source is stale if it is newer than the profile: dates must not come from the checkout.
mkdir -p old/src
cp copy.s old/src/copy.s
touch -d '2020-01-01 00:00' ./*.src ./*.s old/src/copy.s
touch -d '2020-02-01 00:00' ./*.cg

golden_list "$golden" "" "$command" annotate

# What the format says about its own example: inclusive costs of three functions.
is "the specification's example" "$("$command" annotate --inclusive --auto=no --show-percs=no \
	--format=csv spec-extended.cg | sed -n 's/^function,[^,]*,\([^,]*\),.*,\([0-9]*\)$/\1 \2/p')" \
	"main 820
func2 700
func1 400"

set --
for file in *.cg; do
	case $file in
	empty*.cg | broken.cg) ;;
	*) set -- "$@" "$file" ;;
	esac
done
is "JSON and CSV of all profiles are well formed" \
	"$(python3 "$top_srcdir/tests/cmds/annotate/annotate_formats.py" "$command" "$@")" ""

# Findings are the first ones of costgrind why; not of differences, other formulas of cycles, and what else is asked for.
cp "$top_srcdir"/tests/golden/why/inputs/*.cg .
# findings COMMAND ARGS...: how many, and a sum of what they say.
findings() {
	"$command" "$@" -q --format=json 2>/dev/null | python3 -c 'import json, sys, zlib
found = json.load(sys.stdin).get("findings")
print("none" if found is None else "%d %d" % (len(found[:8]), zlib.crc32(json.dumps(found[:8]).encode())))'
}
for file in cycles libraries contexts stripped values misses data hash nested; do
	is "findings of $file" "$(findings annotate $file.cg)" "$(findings why $file.cg)"
	is "... though no sources are annotated" "$(findings annotate --auto=no $file.cg)" "$(findings why $file.cg)"
done
sed '/^fn=/,$d' cycles.cg >many.cg
for i in 1 2 3 4 5 6 7 8 9 10; do
	printf 'fn=f%d\n%d 500 200 0 0 100 0 0 0 0 1000 0 0 0 1%d000 0 0 0\n' $i $i $i
done >>many.cg
is "no more than eight" "$("$command" annotate -q --format=json many.cg | grep -c '"claim"') \
$("$command" why -q --format=json many.cg | grep -c '"claim"')" "8 10"
is "no findings of a difference" "$(findings annotate --diff cycles.cg cycles.cg)" none
is "... by another formula" "$(findings annotate --cycles=Ir+5*D1m cycles.cg)" none
is "... by type" "$(findings annotate --by=rank ranks.cg)" none

# Nothing that is printed can talk to a terminal.
"$command" annotate hostile.cg >text 2>&1
is "no control characters" "$(LC_ALL=C tr -d '\n\t -~\200-\377' <text | wc -c)" 0

# Warnings: a source that is newer than the oldest profile.
touch -d '2020-01-15 00:00' older.cg 2>/dev/null
cp hash.cg older.cg
touch -d '2020-01-15 00:00' older.cg
touch -d '2020-01-20 00:00' hash.src
is "no warning for a source older than the profile" "$("$command" annotate hash.cg 2>&1 >/dev/null)" ""
is "warning for a source newer than one of the profiles" \
	"$("$command" annotate hash.cg older.cg 2>&1 >text)" \
	"costgrind annotate: warning: hash.src: changed after the profile was made, so lines may not fit"
is "that warning is in the output" "$(grep -c -e '-- WARNING: hash.src changed after' text)" 1
is "quiet" "$("$command" annotate -q hash.cg older.cg 2>&1 >/dev/null)" ""

# Compressed, and from standard input.
gzip -c <hash.cg >hash.cg.gz
is "gzip" "$("$command" annotate --format=csv --auto=no hash.cg.gz)" \
	"$("$command" annotate --format=csv --auto=no hash.cg)"
is "standard input" "$("$command" annotate --format=csv --auto=no - <hash.cg)" \
	"$("$command" annotate --format=csv --auto=no hash.cg)"

# A function that is called is the one that has costs, wherever the program was built:
# callgrind_annotate cuts the working directory off one's file and not off the other's.
printf 'events: Ir\nfl=%s/x.c\nfn=main\n1 1\ncfi=%s/x.c\ncfn=f\ncalls=2 5\n1 20\nfn=f\n5 20\n' \
	"$PWD" "$PWD" >cwd.cg
is "the working directory in names of files" \
	"$("$command" annotate --show=Ir --width=unlimited --inclusive --tree=caller --show-percs=no --auto=no cwd.cg |
		sed -n "s,$PWD,CWD,; /[<*] /p")" \
	"21  *  CWD/x.c:main
20  < CWD/x.c:main (2x)
20  *  CWD/x.c:f"

# The opposite of the least count is beyond 64 bits.
printf 'events: Ir\nfl=a.c\nfn=f\n1 -9223372036854775808\n' >least.cg
printf 'events: Ir\nfl=a.c\nfn=f\n1 1\n' >one.cg
is "NEW - OLD of the least count" "$("$command" annotate --diff least.cg one.cg 2>&1; echo $?)" \
	"costgrind annotate: least.cg:4: a sum of counts is beyond 64 bits
1"
is "NEW is standard input" "$(sed 's/^1 .*/1 5/' one.cg |
	"$command" annotate --diff --auto=no --format=csv one.cg - | sed -n 's/^totals,*//p')" 4

# Failing writes: exit status 1, one line, nothing under the final name.
is "full disk" "$("$command" annotate hash.cg 2>&1 >/dev/full; echo $?)" \
	"costgrind annotate: standard output: No space left on device
1"
is "full disk, -o" "$("$command" annotate -o /dev/full hash.cg 2>&1; echo $?)" \
	"costgrind annotate: /dev/full: No space left on device
1"
is "no such directory" "$("$command" annotate -o nosuch/out hash.cg 2>&1; echo $?)" \
	"costgrind annotate: nosuch/out: No such file or directory
1"
# (-f counts blocks of 512 bytes.)
is "file too large" "$( (ulimit -f 1; trap '' XFSZ; "$command" annotate --show=Ir,Dr,Dw,D1mr --context=100 -o out hash.cg copy.cg past.cg) 2>&1 | tail -n 1)" \
	"costgrind annotate: out: File too large"
is "nothing is left of it" "$(find . -name '*out*' -o -name '.out*')" ./stdout
"$command" annotate -o whole hash.cg
is "-o" "$(cat whole)" "$("$command" annotate hash.cg)"
is "closed output" "$("$command" annotate hash.cg 2>&1 >&-; echo $?)" \
	"costgrind annotate: standard output: Bad file descriptor
1"

# A source whose name is no UTF-8: it is shown as a merged profile would spell it.
printf 'events: Ir\nfl=caf\351.src\nfn=f\351\n1 7\nfn=f\350\n2 5\n' >latin.cg
printf 'one\ntwo\fthree\n' >"$(printf 'caf\351.src')"
touch -d '2020-01-01 00:00' caf*.src
is "a source whose name is no UTF-8" "$("$command" annotate --show=Ir --list=none --show-percs=no latin.cg |
	sed -n '/^-- Auto/p;/one$/p')" '-- Auto-annotated source: caf\xe9.src
 7  one'
is "functions whose names are no UTF-8" "$("$command" annotate --format=json latin.cg |
	sed '/"findings"/,$d' | grep -o '"function": "[^"]*"')" '"function": "f\\xe9"
"function": "f\\xe8"'
is "no control characters in CSV" "$("$command" annotate --format=csv latin.cg | grep two)" \
	'line,caf\xe9.src,,,2,,two\x0cthree,5'

# Sources that are no files.
mkdir -p fake && mkfifo fake/copy.s
is "a FIFO is no source" \
	"$("$command" annotate -q --list=none --source-map=/build/one/src=fake mapped.cg |
		grep -c '^  fake/copy.s$')" 1

# A machine without a core table.
sed 's/^desc: Machine: .*/desc: Machine: host, AMD EPYC (AMD, family 26, model 2)\ndesc: Core: none/
	s/ Cy\([A-Z]\)/ X\1/g; /^event: Cyc/d' cycles.cg >coreless.cg
is "of a machine without a core, that it has none, and no option that fails there" \
	"$("$command" annotate -q --auto=no coreless.cg | sed -n '1s/.*, on/on/p; /core/p')" "on AMD EPYC
this machine has no core table, so the order is by EstCyc, an estimate (--machine=NAME simulates one that has)"

# The interpreter of a Python program alone.
printf 'events: Ir\nob=/usr/bin/python3.11\nfn=PyObject_Call\n0 5\nob=/lib/libc.so.6\nfn=strlen\n0 995\n' >interpreter.cg
python="this is a Python program: costgrind --python=yes PROG ARGS has its functions"
is "how to see functions of Python" "$("$command" annotate -q --width=unlimited interpreter.cg | grep Python)" \
	"$python; the interpreter's own need debug symbols (Debian: python3.11-dbg)."
is "with debug symbols" "$(sed 's/^fn=Py/fl=call.c\n&/' interpreter.cg | "$command" annotate -q --width=unlimited - | grep Python)" \
	"$python."
is "other programs with little of it" "$(sed 's,/usr/bin/,/usr/lib/lib,' interpreter.cg | "$command" annotate -q - | grep Python)" ""
is "... with much of it" "$(sed 's,/usr/bin/\(.*\),/usr/lib/lib\1.so.1.0,; s/^0 5$/0 500/' interpreter.cg |
	"$command" annotate -q - | grep -c Python)" 1
is "where they are, nothing" "$( (cat interpreter.cg && printf 'ob=[python]\nfl=a.py\nfn=f\n1 1\n') |
	"$command" annotate -q - | grep Python)" ""

"$command" help events >explained
is "help events explains each event and column" \
	"$(for event in Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw ILdmr DLdmr DLdmw Bc Bcm Bi Bim AcCost1 \
		SpLoss1 AcCost2 SpLoss2 Ge sysCount sysTime sysCpuTime Rep L1m LLm Bm L1hit LLhit RAMhit EstCyc; do
		grep -q "^  $event  *[A-Z(]" explained || echo "$event"
	done)" ""
is "help events names what processors count" \
	"$(grep -c -e '^  Ir  *instructions; INST_RETIRED.ANY; ' -e '^  CyFe  *TMA: Frontend Bound$' explained)" 2
"$command" help annotate >explained
is "help annotate lists each option" \
	"$(sed -n 's/^	{ "\(--[a-z-]*\)".*/\1/p' "$top_srcdir/cmds/annotate/annotate.c" | while read -r option; do
		grep -q -e "$option" explained || echo "$option"
	done)" ""
# Options of the scripts, as they may be written.
is "options of cg_annotate" \
	"$("$command" annotate --no-show-percs --no-annotate --show Ir hash.cg | grep TOTALS)" \
	"1,300  PROGRAM TOTALS"
is "expressions of cg_annotate" \
	"$("$command" annotate --show=Ir --auto=no --mod-funcname=s/copy.*/move/ --mod-filename s:one:two: mapped.cg |
		grep move)" \
	"30 (90.91%)  /build/two/./src/copy.s:move
 3 ( 9.09%)  /buildings/src/copy.s:move"
sed '/^summary:/d' cachegrind-plain.cg >cut.cg
: >empty.cg
is "an empty file next to a profile" "$("$command" annotate hash.cg empty.cg 2>&1 >text; echo $?)" \
	"costgrind annotate: empty.cg: expected a profile, found an empty file
1"
is "... and no more than a header" "$(echo 'version: 1' | "$command" annotate - 2>&1; echo $?)" \
	"costgrind annotate: -: expected a profile, found no 'events:' line
1"
mkdir sources
printf '/* A source */\n' | tee sources/copy.s >sources/other.s
is "a source that the profile names: how to see it" "$("$command" annotate copy.cg sources/copy.s 2>&1; echo $?)" \
	"costgrind annotate: sources/copy.s: expected a profile; a source is shown by --source=sources/copy.s
1"
is "... and what it does not name" "$("$command" annotate copy.cg sources/other.s 2>&1; echo $?)" \
	"costgrind annotate: sources/other.s:1:1: expected a header line, costs, or one of ob= fl= fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd=
1"
{ sed '/^totals:/d' callgrind-plain.cg; printf 'totals:'; } >cut.out
is "cut in its last line" "$("$command" annotate cut.out 2>&1 >text; echo $?)" "costgrind annotate: \
warning: cut.out:$(($(wc -l <cut.out) + 1)): expected a line feed at the end, the profile may be cut short
0"
printf 'desc: a: b\ncmd: ./a\nevents: Ir\nfl=a.c\nfn=f\n1 5\nfl=b.c\n2 7\nsummary: 12\n' >nofn.cg
want="7 (58.33%)  b.c:<unspecified>
5 (41.67%)  a.c:f"
is "fl= without fn= in Cachegrind's format" "$("$command" annotate --show=Ir --auto=no nofn.cg | grep '[ab]\.c:')" "$want"
is "the same when merged" \
	"$("$command" merge nofn.cg | "$command" annotate --show=Ir --auto=no - | grep '[ab]\.c:')" "$want"
sed '1s/^/# callgrind format\n/' nofn.cg >calls.cg
is "the function stays in Callgrind's format" \
	"$("$command" annotate --show=Ir --auto=no calls.cg | grep '[ab]\.c:')" "12 (100.0%)  a.c:f"
sed '/^cfni=/d' codspeed.cg >plainer.cg
is "names of inlined functions are left out" \
	"$("$command" annotate --auto=no --format=json codspeed.cg | sed s/codspeed/plainer/)" \
	"$("$command" annotate --auto=no --format=json plainer.cg)"
is "as --inline=lines has it" "$("$command" annotate --show=Ir --auto=no codspeed.cg | grep inlined.c:)" \
	"34 (66.67%)  /home/ann/inlined.c:main [/home/ann/inlined]
15 (29.41%)  /home/ann/inlined.c:twice [/home/ann/inlined]"
is "cut short" "$("$command" annotate cut.cg 2>&1 >text; echo $?)" "costgrind annotate: warning: \
cut.cg:$(wc -l <cut.cg): expected \"summary:\" at the end, the profile may be cut short
0"
is "cut short, quietly" "$("$command" annotate -q cut.cg 2>&1 >text; echo $?)" 0

# Lines of sources and names talk to no terminal, by controls of one byte or two.
printf 'int f;\033[31m\302\233m\177\302\240\n' >control.c
printf 'events: Ir\nfl=control.c\nfn=f\302\205\n1 5\n' >control.cg
for format in text markdown csv json; do
	is "control characters: $format" "$("$command" annotate --format=$format control.cg |
		LC_ALL=C grep -c "$(printf '[\001-\010\013-\014\016-\037\177]\\|\302[\200-\237]')")" 0
done
is "control characters: as they are shown" "$("$command" annotate control.cg | sed -n 's/.*\(int f;\)/\1/p')" \
	"$(printf 'int f;\\x1b[31m\\xc2\\x9bm\\x7f\302\240')"

# A build in another folder: where others are, or here.
mkdir -p builds/2/src
printf 'int f;\n' >builds/2/src/f.c
printf 'events: Ir\nfl=/builds/1/src/f.c\nfn=f\n1 5\n' >moved.1
printf 'events: Ir\nfl=%s/builds/2/src/f.c\nfn=f\n1 5\n' "$PWD" >moved.2
now="the folder /builds/1 seems to be $PWD/builds/2 now: --source-map=/builds/1=$PWD/builds/2 finds 1 source"
is "sources that moved: with others" "$("$command" annotate moved.1 moved.2 2>&1 >/dev/null)" \
	"costgrind annotate: warning: $now"
is "sources that moved: here" "$(cd builds/2 && "$command" annotate ../../moved.1 2>&1 >/dev/null)" \
	"costgrind annotate: warning: $now"
is "sources that moved: quietly" "$("$command" annotate -q moved.1 moved.2 2>&1 >/dev/null)" ""
is "sources that moved: taken" "$("$command" annotate --source-map="/builds/1=$PWD/builds/2" moved.1 2>&1 | grep -c 'int f;')" 1
# What is here under that name is no source, however it is called.
mkfifo builds/2/src/fifo.c
truncate -s 100M builds/2/src/large.c
for name in fifo large; do
	for folder in /builds/1 "$PWD/builds/2"; do
		printf 'events: Ir\nfl=%s/src/%s.c\nfn=f\n1 5\n' "$folder" $name >moved.3
		is "sources that are none: $name.c in $folder" "$(cd builds/2 && "$command" annotate ../../moved.3 2>&1 >/dev/null)" ""
	done
done
is "sources that are nowhere" "$("$command" annotate moved.1 2>&1 >/dev/null)" ""
cd "$here" || exit 1
done_testing
