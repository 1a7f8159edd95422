#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind convert writes what is in tests/golden/convert: of each line "NAME: ARGUMENTS" of
# the list there, NAME.expected has standard output, standard error and the exit status.  With
# UPDATE_GOLDEN, these files are written.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/golden.sh
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/convert
command=$top_builddir/costgrind
here=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/convert_test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cp "$golden"/inputs/* "$top_srcdir"/tests/profiles/* "$work" || exit 1
cd "$work" || exit 1

# Files of webgrind: their bytes are compared below, by other means.
cp "$top_srcdir/tests/golden/annotate/inputs/huge.cg" "$top_srcdir/tests/golden/annotate/inputs/nested.cg" \
	"$top_srcdir/tests/golden/annotate/inputs/prefetch.cg" "$top_srcdir/tests/golden/annotate/inputs/cycles.cg" .
# Three costs of 3, 4 and 5 tenths: one cycle, and two tenths that nothing is left of.
printf '%s\n' 'cmd: ./tenths' 'events: CyBase CyMem' fl=t.c fn=a '1 1 2' fn=b '2 4' fn=c '3 0 5' 'totals: 5 7' >tenths.cg
sed 's/^events: .*/events: CyBase CyMem ILmr/' sum.tree >cycles.tree
printf '%s\n' 'cmd: ./bytes' 'events: Ir sysBytes' fl=t.c fn=a '1 1 4096' 'totals: 1 4096' >bytes.cg
for name in diamond huge none pair trace; do
	for number in 4 5 6 7; do
		"$command" convert -q --to=webgrind$number -o $name.w$number $name.cg || exit 1
	done
done

# Where the version is in an output, there is N.
version=$("$command" --version | sed 's/^costgrind-//')
golden_list "$golden" "s/costgrind-$version/costgrind-N/" "$command" convert
rm tenths.cg cycles.tree

# What reads the schemas of JSON finds what is wrong.
profile_schema=$top_srcdir/docs/schemas/profile.schema.json
"$command" convert --to=json -o right.json diamond.cg
schema() {
	python3 "$top_srcdir/tests/schema.py" "$profile_schema" "$1" 2>&1
}
is "schema: right" "$(schema right.json)" ""
sed 's/"called": [0-9]*/"called": -1/' right.json >wrong.json
is "schema: a number" "$(schema wrong.json)" "wrong.json: .functions[0].called: expected 0 or more"
sed 's/"called": [0-9]*/"called": "1"/' right.json >wrong.json
is "schema: a type" "$(schema wrong.json)" "wrong.json: .functions[0].called: expected integer"
sed '/"called": /d' right.json >wrong.json
is "schema: a member" "$(schema wrong.json)" 'wrong.json: .functions[0]: no member "called"'
sed 's/"version": 1/"version": true/' right.json >wrong.json
is "schema: a constant" "$(schema wrong.json)" "wrong.json: .version: expected 1"

# profiles NAME...
profiles() {
	python3 "$top_srcdir/tests/cmds/convert/convert_profiles.py" "$@"
}

# Long names, a deep chain, many callers of one function.
profiles names chain many rest
set --
for file in *.cg; do
	set -- "$@" "$file"
done
is "what is written says what was read" \
	"$(python3 "$top_srcdir/tests/cmds/convert/convert_check.py" "$command" "$@" 2>&1)" ""
is "chains that are too long begin anew" \
	"$("$command" convert --to=collapsed chain.cg | sed -n 's/^<rest>;\([^;]*\) .*/\1/p' | tr '\n' ' ')" \
	"f256 f511 f766 "

is "what has no room is below its callers" "$("$command" convert --to=collapsed many.cg | grep -c '^<rest>')" 0
# Of 10,000,000, chains of less than 100 are no stacks of their own.
profiles near
is "as near as they all are" "$("$command" convert --to=collapsed rest.cg | grep -v ';a[0-9]* \|hot 1000$\|side\|main 4')" \
"main;hot;<rest>;f 2000
main;hot;<rest>;g 20
main;hot;a38;h 8
main;hot;a39;i 5
x 1
x;j 7
y 1
y;j 7"

# The tool's own profiles come out as they were.
for file in costgrind-*.cg; do
	"$command" convert --to=callgrind "$file" >copy
	case $file in
	*uncompressed*) ;;
	*) is "callgrind: $file as it was" "$(cmp "$file" copy 2>&1)" "" ;;
	esac
done

# By the rules of who reads callgrind-portable, nothing is wrong with it but what is with the names in
# it: two functions of one name, no event that is Valgrind's.
complaints() {
	reader=$1
	shift
	for file in *.cg; do
		case $reader in
		gungraun) grep -q -i '^events:.* \(Ir\|Dr\|Dw\|Ge\|sysCount\)' "$file" || continue ;;
		esac
		"$command" convert --to=callgrind-portable "$@" -o portable.out "$file" 2>/dev/null &&
			"$command" check --for="$reader" portable.out
	done | grep ' error: ' | grep -v 'gprof2dot takes them for one function: functions of one name'
}
is "callgrind-portable: speedscope" "$(complaints speedscope)" ""
is "callgrind-portable: Qt Creator" "$(complaints qtcreator)" ""
is "callgrind-portable: gprof2dot" "$(complaints gprof2dot)" ""
is "callgrind-portable --ids=no: gungraun" "$(complaints gungraun --ids=no)" ""
# Events of costgrind's own, what is computed from them, and from that.
printf '# callgrind format\nversion: 1\ncreator: costgrind-0.1\nevent: Ir : Instructions
event: Rep : Rounds\nevent: Both = Ir + Rep\nevent: Twice = 2 Both\nevent: Three = 3 Ir\npositions: line
events: Ir Rep Dr\nsummary: 10 5 1\n\nfl=(1) a.c\nfn=(1) f\n1 5 3 1\ncfn=(2) g\ncalls=1 1\n2 5 2\n
fl=(1)\nfn=(2)\n1 5 2\n\ntotals: 10 5 1\n' >rep.own
is "check --for=gungraun knows Rep" "$("$command" check --for=gungraun rep.own | grep 'refuses the')" \
	"rep.own: error: gungraun refuses the file: an event that gungraun does not know"
"$command" convert --to=callgrind-portable --ids=no -o rep.portable rep.own 2>rep.err
is "callgrind-portable leaves out Rep" "$(cat rep.err; sed -n '/^event/p;/^summary/p;/^[0-9]/p' rep.portable)" \
	"costgrind convert: warning: rep.own: events left out, Valgrind's tools have none with that name: Rep
event: Ir : Instructions
event: Three = 3 Ir
events: Ir Dr
summary: 10 1
1 5 1
2 5 0
1 5 0"
is "gungraun then reads it" "$("$command" check -q --for=gungraun rep.portable; echo $?)" 0
is "quietly" "$("$command" convert -q --to=callgrind-portable rep.own 2>&1 >/dev/null)" ""
is "if there is no other, it stays" \
	"$("$command" convert --to=callgrind-portable --event=Rep rep.own 2>&1 | grep ^events:)" "events: Rep"

is "callgrind-portable: gungraun wants no ids" "$([ -n "$(complaints gungraun)" ] && echo told)" told

# Formulas of events that are gone would mean something else; long names and formulas of the rest stay.
printf 'event: Ir : Instructions\nevent: Est = Ir + 4 I1mr\nevent: Twice = 2 Est\nevent: Three = 3 Ir
events: Ir I1mr\nfl=a.c\nfn=f\n1 5 1\n' >formulas.cg
lost="costgrind convert: warning: formulas of events that are left out are left out too, 2 of them"
definitions="event: Ir : Instructions
event: Three = 3 Ir"
for format in callgrind callgrind-portable; do
	is "$format: formulas of other events" \
		"$("$command" convert --to=$format --event=Ir formulas.cg 2>&1 >formulas.out; grep ^event: formulas.out)" \
		"$lost
$definitions"
done
is "json: formulas of other events" "$("$command" convert --to=json --event=Ir formulas.cg 2>&1 >formulas.json
	python3 -c 'import json; print([event["name"] for event in json.load(open("formulas.json"))["derived_events"]])')" \
	"$lost
['Three']"
is "webgrind: formulas of other events" "$("$command" convert --to=webgrind7 -o formulas/ formulas.cg 2>&1
	grep ^event: formulas/cachegrind.out.formulas.cg)" "costgrind convert: wrote two files for Webgrind: \
in its config.php, \$profilerDir and \$storageDir both have to be '$(pwd -P)/formulas'"
is "formulas where none are written" "$("$command" convert --to=csv --event=Ir formulas.cg 2>&1 >/dev/null)" ""
is "formulas, quietly" "$("$command" convert -q --to=callgrind --event=Ir formulas.cg | grep ^event:)" "$definitions"
is "formulas of all events" "$("$command" convert --to=callgrind formulas.cg 2>&1 | grep -c ^event:)" 4

# A derived event is what a profile with a column of it would give, in all formats; of two parts, here.
profiles derived
formats=$(sed -n 's/^	ROW("\([a-z0-9-]*\)", .*/\1/p' "$top_srcdir/cmds/convert/formats.h")
for event in EstCyc Own; do
	for format in $formats; do
		other=
		[ "$format" != collapsed-diff ] || other=d.cg
		# shellcheck disable=SC2086 # a name, or none
		(cd None && "$command" convert -q --to="$format" --event=$event d.cg $other) >derived 2>&1
		# shellcheck disable=SC2086
		(cd $event && "$command" convert -q --to="$format" d.cg $other) >recorded 2>&1
		is "$format: --event=$event" "$(cmp derived recorded 2>&1)$([ -s derived ] || echo none)" ""
	done
done
is "totals of annotate" "$("$command" annotate --show=EstCyc --format=csv None/d.cg | sed -n 's/^totals.*,/totals: /p')" \
	"$("$command" convert -q --to=callgrind-portable --event=EstCyc None/d.cg | grep ^totals)"
printf 'event: Less = Dr - Ir\nevent: Huge = 4 Ir\nevents: Ir Dr\nfl=a.c\nfn=f\n1 5 7\n2 3 1\n' >less.cg
is "derived counts below 0" "$("$command" convert --to=csv --event=Less less.cg | tr -d '\r' | cut -d, -f7,12)" "line,Less
1,2
2,-2"
is "where there are none" "$("$command" convert --to=collapsed --event=Less less.cg 2>&1; echo $?)" \
	"costgrind convert: less.cg: --to=collapsed: expected no counts below 0
1"
sed 's/^2 3 1/2 5000000000000000000 1/' less.cg >beyond.cg
is "derived counts beyond 64 bits" "$("$command" convert --to=csv --event=Huge beyond.cg 2>&1; echo $?)" \
	"costgrind convert: beyond.cg:7: a sum of counts is beyond 64 bits
1"
is "what cannot be derived" "$("$command" convert --to=csv --event=EstCyc less.cg 2>&1; echo $?)" \
	"costgrind convert: less.cg: expected an event 'EstCyc', found none with that name
1"

# Call trees.
is "stacks of call trees are as they were" \
	"$(python3 "$top_srcdir/tests/cmds/convert/convert_tree_check.py" "$command" ./*.tree 2>&1)" ""
is "a call tree from a pipe" "$("$command" convert --from=tree --to=collapsed - <sum.tree)" \
	"$("$command" convert --to=collapsed sum.tree)"

printf '# costgrind call tree\nversion: 1\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nfn=(1) main\nfn=(2) f
0 1 1 10 4 3 2 1 1 1 1\n1 2 3 7 1\ntotals: 17 5 3 2 1 1 1 1\n' >derived.tree
is "a derived event of a call tree" "$("$command" convert --to=collapsed --event=EstCyc derived.tree)" "main 93
main;f 8"
# What gets large is said before it is written: a name of 10 MB in the stacks of N functions, in N + 1 lines.
stacks() {
	awk -v n="$1" 'BEGIN {
		name = "m"
		while (length(name) < 10000000) name = name name name name name name name name name name
		print "events: Ir\nfl=a.c\nfn=" name "\n1 1"
		for (i = 1; i <= n; i++) print "cfn=f" i "\ncalls=1 1\n1 1"
		for (i = 1; i <= n; i++) print "fn=f" i "\n1 1"
	}'
}
stacks 48 >under.cg
stacks 50 >over.cg
is "not so large" "$("$command" convert --to=collapsed -o /dev/null under.cg 2>&1)" ""
is "how large it gets" "$("$command" convert --to=collapsed over.cg 2>large.err | wc -c) $(cat large.err)" \
	"510000344 costgrind convert: warning: over.cg: --to=collapsed writes 510 MB; --threshold, --event or --part make it less"
is "... quietly" "$("$command" convert -q --to=collapsed -o /dev/null over.cg 2>&1)" ""
rm under.cg over.cg

# Names of imported files are escaped as names of profiles are, so that no format has control characters.
printf '# costgrind call tree\nversion: 1\ncmd: a\302\233b\nevents: Ir\nfl=(1) f\033.c\nfn=(1) ma\033[31m\302\233in\n0 1 1 5\ntotals: 5\n' >control.tree
for to in callgrind xdebug collapsed speedscope dot json csv; do
	is "names of a call tree: $to" "$("$command" convert --to=$to control.tree | LC_ALL=C tr -d '\n\r' |
		LC_ALL=C grep -c "$(printf '[\001-\010\013-\037\177]\\|\302[\200-\237]')")" 0
done
is "names of a call tree" "$("$command" convert --to=collapsed control.tree)" 'ma\x1b[31m\xc2\x9bin 5'
is "what a call tree has not" "$("$command" convert --to=collapsed --event=Bm derived.tree 2>&1; echo $?)" \
	"costgrind convert: derived.tree: expected an event 'Bm', found none with that name
1"

# Webgrind.
is "hex dumps" "$(python3 "$top_srcdir/tests/cmds/convert/webgrind_dumps.py" \
	"$command" pair.cg 2>&1)" ""
is "webgrind is webgrind7" "$("$command" convert --to=webgrind pair.cg | cmp - pair.w7 2>&1)" ""
mkdir pairs
"$command" convert -q --to=webgrind -o pairs/ diamond.cg
cp diamond.cg callgrind.out.12
"$command" convert -q --to=webgrind6 -o pairs callgrind.out.12
is "the pairs that webgrind looks for" "$(cd pairs && echo *)" \
	"cachegrind.out.12 cachegrind.out.12.webgrind cachegrind.out.diamond.cg cachegrind.out.diamond.cg.webgrind"
is "the preprocessed file of a pair" "$(cmp diamond.w7 pairs/cachegrind.out.diamond.cg.webgrind 2>&1)" ""
is "it is not older" "$(find pairs -name cachegrind.out.12 -newer pairs/cachegrind.out.12.webgrind)" ""
is "the trace of a pair" "$(cat pairs/cachegrind.out.diamond.cg)" \
	"$("$command" convert --to=xdebug --event=Ir diamond.cg)"
is "... without ids before version 7" "$(cat pairs/cachegrind.out.12)" \
	"$("$command" convert --to=xdebug --ids=no --event=Ir diamond.cg)"
# What Webgrind makes of it where it does not find the other file: fl=, fn= and one line of costs are a block,
# cfn= and the second line after it a call, of a function that is there.
printf 'events: Ir\nfl=a.c\nfn=main\n1 5\n2 7\ncfn=f\ncalls=2 1\n3 40\nfn=f\n1 10\n2 20\ncfn=f\ncalls=1 1\n3 10
cfi=b.c\ncfn=g\ncalls=3 1\n4 10\nfl=b.c\nfn=g\n1 4\n2 6\n' >lines.cg
"$command" convert -q --to=webgrind -o pairs/ lines.cg
is "what Webgrind reads of the trace" "$(python3 "$top_srcdir/tests/cmds/convert/webgrind_reads.py" pairs/cachegrind.out.lines.cg)" "[('f', 30), ('g', 10), ('main', 12)] [('f', 3), ('g', 3), ('main', 1)] \
[(('f', 'f'), 10), (('f', 'g'), 10), (('main', 'f'), 40)]"
sed 's/^calls=3/calls=250000/' lines.cg >calls.cg
"$command" convert -q --to=webgrind -o pairs/ calls.cg
is "... of 250,000 calls, and three" "$(grep -c '^fn=' pairs/cachegrind.out.calls.cg) $(
	"$command" convert -q --to=xdebug --max-calls=100000 calls.cg | cmp - pairs/cachegrind.out.calls.cg 2>&1)" "99999 "
cp diamond.cg pairs/cachegrind.out.13
"$command" convert -q --to=webgrind -o pairs/ pairs/cachegrind.out.13
is "a profile that is there stays" "$(cmp diamond.cg pairs/cachegrind.out.13 2>&1)" ""
is "its preprocessed file" "$(cmp diamond.w7 pairs/cachegrind.out.13.webgrind 2>&1)" ""
is "what Webgrind has to know" "$("$command" convert --to=webgrind -o pairs diamond.cg 2>&1)" \
	"costgrind convert: wrote two files for Webgrind: in its config.php, \$profilerDir and \$storageDir both \
have to be '$(pwd -P)/pairs'"
is "... quietly" "$("$command" convert -q --to=webgrind -o pairs diamond.cg 2>&1)" ""
"$command" convert -q --to=webgrind -o made/ diamond.cg
is "a directory that is not there is made" "$(cd made && echo *)" \
	"cachegrind.out.diamond.cg cachegrind.out.diamond.cg.webgrind"
"$command" convert -q --to=webgrind -o some//more/of/them/ diamond.cg
is "so are those that it is in" "$(cd some/more/of/them && echo *)" \
	"cachegrind.out.diamond.cg cachegrind.out.diamond.cg.webgrind"
"$command" convert --to=webgrind -o "$PWD/some/more/two" diamond.cg
is "without a slash at its end it is a file" "$(cmp diamond.w7 some/more/two 2>&1)" ""
is "a file where a directory should be" "$("$command" convert --to=webgrind -o diamond.cg/a/b/ diamond.cg 2>&1; echo $?)" \
	"costgrind convert: diamond.cg/a/b/: Not a directory
1"
ulimit_small() {
	(
		ulimit -f 0
		trap '' XFSZ
		"$command" convert --to=webgrind -o "$1" diamond.cg 2>&1
		echo $?
	)
}
is "a directory that nothing came into is not left" "$(ulimit_small small/; ls -d small 2>/dev/null)" \
	"costgrind convert: small/cachegrind.out.diamond.cg: File too large
1"
is "nor one whose last part cannot be made" \
	"$("$command" convert --to=webgrind -o "half/$(printf '%300s' ' ' | tr ' ' x)/" diamond.cg 2>&1 |
		sed 's/x\{300\}/LONG/'; ls -d half 2>/dev/null)" \
	"costgrind convert: half/LONG/: File name too long"
is "nor are those that it is in" "$(ulimit_small some/a//b/c/; ls some)" \
	"costgrind convert: some/a//b/c/cachegrind.out.diamond.cg: File too large
1
more"
is "what was there stays" "$(ulimit_small pairs/; ls -d pairs)" \
	"costgrind convert: pairs/cachegrind.out.diamond.cg: File too large
1
pairs"
for words in annotate check merge report 'diff diamond.cg' 'convert --to=csv'; do
	# shellcheck disable=SC2086 # several words
	is "$words: a file of Webgrind's" "$("$command" $words diamond.w7 2>&1 | sed 's/^.*diamond.w7:1: //; s/^error: //; /: bad, /d')" \
		"expected a profile, this is a file of Webgrind's (costgrind convert --from=webgrind reads it)"
done

# Xdebug: as many blocks and calls as there were.
xdebug() {
	"$command" convert --to=xdebug "$@"
}
profiles loops
for most in 1000000 18002 18001 1000 5; do
	xdebug --max-calls=$most -o loops.xd loops.cg 2>loops.err
	is "--max-calls=$most" "$(python3 "$top_srcdir/tests/cmds/convert/convert_calls.py" "$most" 2>&1)" ""
done
is "of 18,002 calls" "$(cat loops.err; grep ^desc loops.xd)" "costgrind convert: warning: loops.cg: 18002 calls are \
written as 5, in proportion, one at least for each caller, callee and line (--max-calls=5); costs are as they were
desc: Calls: 5 of 18002, in proportion; costs are of all"
is "quietly" "$(xdebug -q --max-calls=5 -o loops.xd loops.cg 2>&1)" ""
is "each needs one" "$(xdebug --max-calls=1 loops.cg 2>/dev/null)" "$(cat loops.xd)"
for most in 0 x 1000000001; do
	is "--max-calls=$most" "$(xdebug --max-calls=$most loops.cg 2>&1; echo $?)" \
		"costgrind convert: --max-calls: '$most': expected a number from 1 to 1000000000
2"
done
is "a directory for one file" "$("$command" convert --to=csv -o pairs diamond.cg 2>&1; echo $?)" \
	"costgrind convert: pairs: Is a directory
1"

# Where it goes.
"$command" convert --to=csv one.cg >right
"$command" convert --to=csv -o whole one.cg
is "-o" "$(cmp whole right 2>&1)" ""
is "standard input" "$("$command" convert --to=csv - <one.cg)" "$(cat right)"
is "gzip" "$(gzip -c <one.cg | "$command" convert --to=csv -)" "$(cat right)"
is "there are formats" "$(echo "$formats" | grep -c -x -e callgrind -e csv)" 2
"$command" help convert >explained
for format in $formats; do
	if [ "$format" = collapsed-diff ]; then
		set -- older.cg older.cg
	else
		set -- one.cg
	fi
	is "$format: in the help" "$(grep -c -w -e "$format" explained | sed 's/^[1-9].*/yes/')" yes
	# types is of a program, and of a file: tests/cmds/types/types.sh has it.
	[ "$format" != types ] || continue
	is "$format: full disk" "$("$command" convert --to="$format" "$@" 2>&1 >/dev/full; echo $?)" \
		"costgrind convert: standard output: No space left on device
1"
	is "$format: full disk, -o" "$("$command" convert --to="$format" -o /dev/full "$@" 2>&1; echo $?)" \
		"costgrind convert: /dev/full: No space left on device
1"
	is "$format: no such directory" "$("$command" convert --to="$format" -o nosuch/out "$@" 2>&1; echo $?)" \
		"costgrind convert: nosuch/out: No such file or directory
1"
	is "$format: bad input leaves what was there" \
		"$(echo before >out; "$command" convert --to="$format" -o out nosuch.cg nosuch.cg 2>/dev/null; cat out)" \
		before
done
is "nothing else is left" "$(find . -name '.*' -type f)" ""
cd "$here" || exit 1
done_testing
