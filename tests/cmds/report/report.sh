#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind report: its page and its data, taken apart by tests/report.py.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
tests=$top_srcdir/tests
profiles=$tests/profiles

# report ARGS...: of report.py.
report() {
	python3 "$tests/report.py" "$@"
}

# page_data NAME: of the data on standard input.
page_data() {
	python3 "$tests/cmds/report/page_data.py" "$1"
}

# fails NAME STATUS MESSAGES ARGS...: the command ends with a status and these lines.
fails() {
	fails_name=$1
	fails_want="$2 $3"
	shift 3
	fails_got=$("$program" report "$@" 2>&1 >/dev/null)
	is "$fails_name" "$? $fails_got" "$fails_want"
}

# -- the numbers -------------------------------------------------------------------

# Of all kinds: contexts, recursion, parts, threads, Cachegrind's, Xdebug's, negative counts.
set --
for path in "$profiles"/callgrind-all.cg "$profiles"/callgrind-callers.cg \
	"$profiles"/callgrind-recursion.cg "$profiles"/callgrind-parts.cg \
	"$profiles"/callgrind-threads.cg "$profiles"/cachegrind-branches.cg \
	"$profiles"/xdebug3.cg "$profiles"/spec-extended.cg "$profiles"/spec-positions.cg \
	"$profiles"/pprof.cg "$profiles"/costgrind-all.cg "$tests"/cmds/inputs/difference.out \
	"$tests"/golden/annotate/inputs/levels.cg; do
	name=$(basename "$path")
	"$program" report -q --detail=0 -o "$name.html" "$path"
	"$program" convert -q --to=json -o "$name.json" "$path"
	set -- "$@" "$name"
done
printf 'events: Ir\n' >empty
printf 'events: Ir\nfn=f\n1 5\n' >one
# Beyond what a double holds, and what is added up there.
printf 'events: A B\nfn=f\n1 18446744073709551610 9007199254740993\ncfn=g\ncalls=1 1\n2 3\nfn=g\n7 3\n' >large
# So are lines, and a pid.
printf 'pid: 9007199254740993\nevents: Ir\nfn=f\n18446744073709551615 5\ncfn=g\ncalls=1 1\n9007199254740993 3\nfn=g\n7 3\n' >far
for name in empty one large far; do
	"$program" report -q --detail=0 -o "$name.html" "$name"
	"$program" convert -q --to=json -o "$name.json" "$name"
done
is "pages, their data, and what convert says" \
	"$(report check "$top_srcdir/docs/schemas/report.schema.json" "$@" one large far 2>&1)" ""
is "an empty profile" "$(report page empty.html; report functions empty.html)" ""
is "one function" "$(report functions one.html)" "f 5 | 5"
is "large numbers" "$(report functions large.html)" \
	"f 18446744073709551610 9007199254740993 | 18446744073709551613 9007199254740993
g 3 0 | 3 0"
is "what the tests' own reader says" \
	"$(report profile costgrind-all.cg.html "$profiles/costgrind-all.cg")" ""
# What the page knows about events is what all of costgrind knows: names, and the weights of cycles.
"$program" help events | sed -n '/^Events/,/^A rep/s/^  \([A-Za-z0-9]*\) .*/\1/p' >events.txt
is "the page's events that cost" "$(sed -n 's/^const EVENT_COSTS = //p' one.html | grep -o '"[A-Za-z0-9]*":' |
	tr -d '":' | grep -xFf events.txt | tr '\n' ' ')" "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bcm Bim Brm "
is "the page's names of events" "$(sed -n 's/^const EVENT_NAMES = //p' one.html | grep -o '"[A-Za-z0-9]*"' | tr -d '"' >names.txt
	grep -cxF CyFe names.txt; grep -vxFf events.txt names.txt)" 1
is "the page's cycles" "$(sed -n 's/^\(REFERENCE\|L1_MISS\|LL_MISS\|MISPREDICTION\): \([-(0-9) ]*\),$/\2/p' one.html |
	while read -r cycles; do eval "echo \$(($cycles))"; done | tr '\n' ' ')" "1 4 30 10 "
is "annotate's cycles" "$("$program" annotate --help | sed -n 's/.*where Cyc was recorded \[\(.*\)\].*/\1/p')" 1,5,35,0
# A comparison that cannot fail is none.
is "another profile is noticed" "$(report same one.html callgrind-all.cg.json >other.log; echo $?)" 1
# by_page HTML: whether what the page's own unpack.js makes of its data is what report.py does: functions,
# arcs, calls, names, lines, instructions; and how many of the latter there are.
by_page() {
	report data "$1" >unpacked.json
	report raw "$1" >raw.json
	cat >unpack.js <<-'END'
	const fs = require('fs'), vm = require('vm');
	const read = (path) => JSON.parse(fs.readFileSync(path, 'utf8'));
	vm.runInThisContext(fs.readFileSync(process.argv[2], 'utf8'));
	const data = unpackReport(read('raw.json')), right = read('unpacked.json');
	const rows = (columns) => columns[0].length === 0 ? [] :
		Array.from(columns[0], (_, i) => columns.map((column) => column[i]));
	const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
	const code = data.code.map((code, i) => [code.text, right.code[i].text, code.line, right.code[i].line]);
	console.log(right.functions.inclusive.length > 0,
		same(rows(data.functions.inclusive), right.functions.inclusive),
		same(rows(data.arcs.costs), right.arcs.costs), same(data.arcs.count, right.arcs.count),
		same(rows(data.line_calls.costs), right.line_calls.costs),
		same(data.line_calls.count, right.line_calls.count), same(data.strings, right.strings),
		same(data.lines.line, right.lines.line), same(data.line_calls.line, right.line_calls.line),
		code.every((item) => same(item[0], item[1]) && same(item[2], item[3])),
		new Set(code.flatMap((item) => item[0].map((text) => data.strings[text]))).size);
	END
	node unpack.js "$top_srcdir/cmds/report/page/unpack.js" 2>&1
}
if command -v node >/dev/null; then
	is "what the page makes of it" "$(by_page callgrind-callers.cg.html)" \
		"true true true true true true true true true true 0"
	is "of functions in cycles, too" "$(by_page levels.cg.html)" "true true true true true true true true true true 0"
	is "whose costs are whole" "$(report functions levels.cg.html | grep '^b ')" "b 1000 | 11010"
	# The flame graph that is derived from calls: "function;function cost" as collapsed stacks are, and its whole.
	cat >derived.js <<-'END'
	(() => {
		const tree = treeFor(false), {names} = choice.profile.functions;
		return tree.function.map((_, node) =>
			(tree.path(node).map(index => names[index]).join(';') || 'all') + ' ' +
			(node ? tree.self[node] : tree.total[0])).join('\n');
	})()
	END
	"$program" report -q --detail=0 -o cycle.html "$tests/golden/convert/inputs/cycle.cg"
	# loop'2 and b are a cycle: 20 + 1000 of their own and 10000 of c, which a paid with 11020.  In the other profile, read
	# and refill cost 100 + 40, and parse claims 160.
	is "boxes of cycles" "$(node "$tests/cards.js" levels.cg.html -- "$(cat derived.js)" levels.cg.html cycle.html 2>&1)" \
		"levels.cg.html: all 11131
main 1
main;loop 10
main;loop;a 100
main;loop;a;loop'2 20
main;loop;a;loop'2;b 1000
main;loop;a;loop'2;c 10000
cycle.html: all 187
main 10
thread 7
main;parse 30
main;parse;read 100
main;parse;read;refill 40"
	# Calls have no prefetches: there are no columns of them.
	cat >columns.js <<-'END'
	['Ir', 'Unused'].map(name => {
		Object.assign(choice, {measure: choice.measures.get(name), inclusive: choice.profile.functions.inclusive});
		Object.assign(functionsView, {items: [], table: {element: {clientWidth: 1000}}});
		return functionsView.columns().map(column => column.key).join(' ');
	}).join(', ') + ', ' + choice.measures.list.filter(measure => measure.isOwn).map(measure => measure.name).join(' ')
	END
	"$program" report -q -o prefetch.html "$tests/golden/annotate/inputs/prefetch.cg"
	is "columns of what is not inclusive" "$(node "$tests/cards.js" prefetch.html -- "$(cat columns.js)" prefetch.html 2>&1)" \
		"prefetch.html: inclusive self calls name where, self calls name where, Pf PfU Unused"
	# Of each measure that nowhere is below 0, of each profile: what self costs add up to.
	cat >whole.js <<-'END'
	choice.measures.list.map(measure => {
		choice.measure = measure;
		const self = measure.column(choice.profile.functions.self);
		const [all, sum] = [treeFor(false).total[0], sumOf(self)];
		return self.some(cost => cost < 0) || Math.abs(all - sum) <= 1e-12 * sum ? '' : `${measure.name} ${all} of ${sum} `;
	}).join('')
	END
	mkdir whole
	for path in "$profiles"/*.cg "$tests"/golden/*/inputs/*.cg "$tests"/cmds/inputs/*.out; do
		"$program" report -q --detail=0 -o "whole/$(basename "$path").html" "$path" 2>/dev/null
	done
	is "the box of all" "$(node "$tests/cards.js" levels.cg.html -- "$(cat whole.js)" whole/*.html 2>&1 >whole.log
		sed 's/.*: //' whole.log | tr -d '\n'; test "$(wc -l <whole.log)" -gt 75 || wc -l <whole.log)" ""
else
	skip "what the page makes of it" "no node"
fi

# -- what is in it -----------------------------------------------------------------

# 1 and 2 of 10,000 are below 0.05 %, 5 is not.
printf 'events: Ir\nfn=a\n1 9992\nfn=b\n1 1\nfn=c\n1 2\nfn=d\n1 5\n' >shares
"$program" report -q -o shares.html shares
# What is shown first, and what has no lines.
first() {
	report data "$1" | page_data first
}
golden_annotate=$top_srcdir/tests/golden/annotate/inputs
"$program" report -q -o lineless.html "$golden_annotate/lineless.cg"
is "what has no lines" "$(first lineless.html)" "Ir 45.0 % of Ir has no source lines: \
libfoo.so.1 (30.0 %), libbar.so.1 (14.5 %); compile with -g, install debug packages, or set \
DEBUGINFOD_URLS, and run it again"
"$program" report -q -o first.html "$golden_annotate/hash.cg"
is "estimated cycles are first" "$(first first.html)" "EstCyc None"
"$program" report -q --event=D1m -o first.html "$golden_annotate/hash.cg"
is "a derived event is first" "$(first first.html)" "D1m None"
"$program" report -q -o lineless.html "$golden_annotate/hash.cg" "$golden_annotate/lineless.cg"
is "of two profiles, the newer one's" "$(first lineless.html | cut -c-9)" "Ir 45.0 %"

is "functions below 0.05 % are summed" "$(report data shares.html | page_data left_out)" \
	"0.0005 {'functions': 2, 'costs': [3]} [0, 3] [[9992], [5]]"

cat >classes <<'END'
events: Ir
fn=plain
1 1
fn=ns::Class<int, a::b>::method<c::d>(e::f const&) const
1 1
fn=std::vector<int> ns::make<int>(int)
1 1
fn=(anonymous namespace)::helper(x::y)
1 1
fn=Stream::operator<<(int)
1 1
fn=<T as core::Trait>::call
1 1
fn=App->run
1 1
fn=leaf()'ns::caller'main
1 1
fn=x::rec()'2
1 1
END
"$program" report -q -o classes.html classes
is "what functions belong to" "$(report data classes.html | page_data classes)" \
	"''
'ns::Class<int, a::b>'
'ns'
'(anonymous namespace)'
'Stream'
'<T as core::Trait>'
'App'
''
'x'"

printf "events: Ir\nfn=f'g'main\n1 1\nfn='q\n1 2\nfn=q'\n1 3\nfn=a''b\n1 4\nfn='\n1 5\nfn=g'main\n1 6\n" >quotes
"$program" report -q -o quotes.html quotes
is "names with callers, and other quotes" "$(report functions quotes.html; report raw quotes.html |
	grep -c '\[[0-9]*,[0-9]*\]')" "f'g'main 1 | 1
'q 2 | 2
q' 3 | 3
a''b 4 | 4
' 5 | 5
g'main 6 | 6
1"

"$program" report -q -o parts.html "$profiles/callgrind-parts.cg"
is "parts add up" "$(report data parts.html | page_data parts)" \
	"8 True"

# Of more than 20 million numbers (parts, functions, events), there are the totals only.
# most PARTS: of 1,000 functions, 200 events.
most() {
	awk -v parts="$1" 'BEGIN {
		for (e = 1; e <= 200; e++)
			events = events " E" e
		for (part = 1; part <= parts; part++) {
			printf "part: %d\nevents:%s\nfn=f1\n1 2\n", part, events
			for (f = 2; part == 1 && f <= 1000; f++)
				printf "fn=f%d\n1 1\n", f
			print ""
		}
	}' >"most.$1"
	"$program" report -q -o most.html "most.$1"
	report raw most.html | page_data numbers
}
is "as many parts as there may be" "$(most 100)" "1001 2 100 100"
is "and one more" "$(most 101)" "1001 2 None None"
rm most.*

# As long as a line can be.
{
	printf 'desc: Note: '
	printf '\342\202\254%.0s' $(seq 1000)
	printf '\nevents: Ir\nfn=f\n1 1\n'
} >long
"$program" report -q -o long.html long
is "a long desc line" "$(report data long.html | python3 -c 'import json, sys
print(json.load(sys.stdin)["headers"] == ["Note: " + "\u20ac" * 1000])')" True

# The name that is shown is not the one by which they are known.
printf 'part: 1\npositions: line\nevents: Ir\nob=./a/./p\nfl=./a/./b.c\nfn=f\n1 3\n\npart: 2\n%s\n' \
	'events: Ir
ob=./a/./p
fl=./a/./b.c
fn=f
1 4
fn=g
1 5' >unclean
"$program" report -q -o unclean.html unclean
is "parts of functions in files with odd names" "$(report data unclean.html | page_data parts_of_functions)" "[[[3, 0]], [[4, 5]]] [[[3, 0]], [[4, 5]]]"

cp "$tests"/cmds/inputs/diff_*.cg .
"$program" report -q -o both.html diff_old.cg diff_new.cg
is "two profiles" "$(report functions both.html; report data both.html | page_data both)" \
	"main 1000 5 | 5000 16
parse 3600 10 | 4000 11
report 0 0 | 0 0
check 400 1 | 400 1
[5000, 16] [4500, 20] [[1000, 5], [3000, 12], [500, 3], [0, 0]] [[4500, 20], [3000, 12], [500, 3], [0, 0]]
[(0, 10, [1000, 5], [1000, 5]), (1, 20, [1000, 4], [1000, 4]), (1, 21, [2600, 6], [2000, 8]), \
(2, 40, [0, 0], [500, 3]), (3, 30, [400, 1], [0, 0])]"

# Of each, what it says about the run, several lines of a type included, if parts do not say something else.
printf 'desc: Machine: %s\ndesc: P: 1\ndesc: P: 2\npart: 1\nevents: Ir\nfn=f\n1 1\n\npart: 2\ndesc: P: 2\ndesc: P: %s\nevents: Ir\nfn=f\n1 1\n' \
	old 1 >said.old
sed 's/: old/: new/' said.old >said.new
"$program" report -q -o both.html said.old said.new
is "two profiles: what they say" "$(report data both.html | page_data headers)" "['Machine: new', 'P: 1', 'P: 2'] ['Machine: old', 'P: 1', 'P: 2']"

# Of calls, too, whatever the other profile has: cycles of both together are cycles of neither.
wrong=
for seed in 1 2 3 4 5 6 7 8; do
	python3 "$top_srcdir/tests/cmds/report/random_pair.py" $seed older newer
	"$program" report -q --detail=0 -o pair.html older newer
	"$program" convert -q --to=json -o older.json older
	"$program" convert -q --to=json -o newer.json newer
	wrong=$wrong$(report both pair.html older.json newer.json 2>&1)
	report raw pair.html | grep -q '"p_costs"' || wrong="$wrong not packed"
done
is "calls of two profiles" "$wrong" ""
if command -v node >/dev/null; then
	"$program" report -q --detail=0 -o pair.html older newer
	report data pair.html >unpacked.json
	report raw pair.html >raw.json
	cat >other.js <<-'END'
	const other = data.other, want = right.other;
	for (const [table, single, several] of [['functions', 'calls', ['self', 'inclusive']],
		['arcs', 'count', ['costs']], ['line_calls', 'count', ['costs']], ['lines', '', ['costs']]])
		console.log(table, !single || same(Array.from(other[table][single]), want[table][single]),
			...several.map((name) => want[table][name].length > 5 && same(rows(other[table][name]), want[table][name])));
	END
	cat other.js >>unpack.js
	is "what the page makes of both" "$(node unpack.js "$top_srcdir/cmds/report/page/unpack.js" 2>&1 | tail -n +2)" \
		"functions true true true
arcs true true
line_calls true true
lines true true"
fi
is "one is not the other" "$(report both pair.html newer.json older.json >other.log; echo $?)" 1
"$program" convert -q --to=json -o large.json large
sed 's/ 3$/ 4/' large >larger
"$program" convert -q --to=json -o larger.json larger
"$program" report -q --detail=0 -o pair.html large larger
is "large numbers of both" "$(report both pair.html large.json larger.json)" ""
printf 'events: A B\nfn=f\n1 1 1\ncfn=g\ncalls=9223372036854775808 1\n2 3\ncfn=f\ncalls=18446744073709551615 1\n2 3\nfn=g\n7 3\n' >often
"$program" convert -q --to=json -o often.json often
"$program" report -q --detail=0 -o often.html often
sed 's/calls=[0-9]*/calls=1/' often >rarely
"$program" convert -q --to=json -o rarely.json rarely
"$program" report -q --detail=0 -o pair.html often rarely
is "very many calls" "$(report same often.html often.json; report both pair.html often.json rarely.json)" ""

# -- files of one run ----------------------------------------------------------------

# run NAME PID PART THREAD: a profile; what is empty is not said.
run() {
	printf '%scmd: ./p %s\n%s%sevents: Ir\nfn=f\n1 %s\n' "${2:+pid: $2
}" "$1" "${3:+part: $3
}" "${4:+thread: $4
}" "${3:-1}${4:-1}" >"$1.$2.$3.$4"
}
# told A B: what is said about a report of two.
told() {
	"$program" report -o two.html "$@" 2>&1 | sed 's/^costgrind report: //; $d'
}
run p 7 1 1
run p 7 1 2
run p 7 2 1
run p 7 2 2
run p 8 1 2
run p 7 '' 1
run p 7 '' 2
run p 7 '' ''
run p '' 1 2
run q 7 1 2
way="of one run, not an older and a newer one; to have them side by side: \
costgrind merge --as=parts -o ALL FILE..."
is "two threads of one run" "$(told p.7.1.1 p.7.1.2; told p.7..1 p.7..2)" "warning: these are threads $way
warning: these are threads $way"
is "two parts of one run" "$(told p.7.2.1 p.7.1.1; told p.7.2.1 p.7.1.2)" "warning: these are parts $way
warning: these are parts $way"
"$program" merge -q --as=parts -o p.thread.1 p.7.1.1 p.7.2.1
"$program" merge -q --as=parts -o p.thread.2 p.7.1.2 p.7.2.2
is "several parts of each" "$(told p.thread.1 p.thread.2 | grep -v 'warning: Input: ')" "warning: these are parts $way"
is "what may be older and newer" "$(told p.7.1.1 p.7.1.1; told p.7.1.1 p.8.1.2; told p.7.1.1 q.7.1.2
	told p.7.. p.7.1.2; told p..1.2 p.7.1.1; told p.7.1.1 p.7..2)" ""
is "told, but not with -q" "$("$program" report -q -o two.html p.7.1.1 p.7.1.2 2>&1)" ""
is "the way" "$("$program" merge -q --as=parts -o all p.7.1.1 p.7.1.2 && "$program" report -q -o all.html all &&
	report data all.html | page_data threads)" \
	"[('part 1, thread 1', 7), ('part 2, thread 2', 7)] [[[11]], [[12]]]"

# -- call trees --------------------------------------------------------------------

# tree_of HTML: each node as its parent, function and first cost.
tree_of() {
	report data "$1" | page_data tree
}

cp "$tests/golden/convert/inputs/sum.tree" tree.24275.costgrind
"$program" convert --to=callgrind -o costgrind.out.24275 tree.24275.costgrind
sed '2s/^/pid: 24275\n/' costgrind.out.24275 >with_pid && mv with_pid costgrind.out.24275
nodes="(0, 'main', 20) (1, 'add', 30) (2, 'sqrt', 50) (1, 'sqrt', 9) (1, '-', 80) (0, 'on_alarm', 3)"
"$program" report -q -o tree.html tree.24275.costgrind
is "a call tree" "$(tree_of tree.html | sed "s/'<rest>'/'-'/")" "(0, '-', 0) $nodes"
"$program" report -q --detail=0 -o tree.html costgrind.out.24275
is "the tree next to the profile" "$(tree_of tree.html | sed "s/'<rest>'/'-'/")" "(0, '-', 0) $nodes"
# 10 % of 192 are 19.2: sqrt in main and on_alarm are less.
"$program" report -q --detail=10 -o tree.html costgrind.out.24275
is "chains that cost little" "$(tree_of tree.html | sed "s/'<rest>'/'-'/")" \
	"(0, '-', 0) (0, 'main', 20) (1, 'add', 30) (2, 'sqrt', 50) (1, '-', 9) (1, '-', 80) (0, '-', 3)"
# With an older one: nodes of both, and what is dear in either stays.
sed 's/^pid: .*/pid: 24274/; s/^0 1 1 20/0 1 1 25/; s/^2 3 6 50/2 3 6 40/; s/^handlers: 1/fn=(4) log\n1 4 1 21\n&/
	s/(4) on_alarm/(5) on_alarm/; s/^0 4 1 3/0 5 1 3/
	s/^summary: 192/summary: 208/; s/^totals: 192/totals: 208/' tree.24275.costgrind >tree.24274.costgrind
"$program" convert --to=callgrind -o older_tree tree.24274.costgrind
sed '2s/^/pid: 24274\n/' older_tree >costgrind.out.24274
trees_of() {
	report data "$1" | page_data older_tree
}
"$program" report -q --detail=0 -o tree.html costgrind.out.24274 costgrind.out.24275
is "chains of both" "$(tree_of tree.html | sed "s/'<rest>'/'-'/"; trees_of tree.html)" \
	"(0, '-', 0) $nodes (1, 'log', 0)
[0, 25, 30, 40, 9, 80, 3, 21]"
is "their data" "$(report check "$top_srcdir/docs/schemas/report.schema.json" tree)" ""
"$program" report -q --detail=10 -o tree.html costgrind.out.24274 costgrind.out.24275
is "chains that cost little in both" "$(tree_of tree.html | sed "s/'<rest>'/'-'/"; trees_of tree.html)" \
	"(0, '-', 0) (0, 'main', 20) (1, 'add', 30) (2, 'sqrt', 50) (1, '-', 9) (1, '-', 80) (0, '-', 3) (1, 'log', 0)
[0, 25, 30, 40, 9, 80, 3, 21]"
mv tree.24274.costgrind not_beside
"$program" report -q -o tree.html costgrind.out.24274 costgrind.out.24275
is "a tree of the newer one only" "$(trees_of tree.html)" None
sed 's,/home/ann/sum.c,./elf/./elf/sum.c,' tree.24275.costgrind >clean.tree
sed 's,/home/ann/sum.c,./elf/./elf/sum.c,' costgrind.out.24275 >odd
"$program" report -q --detail=0 --call-tree=clean.tree -o tree.html odd
is "functions in files with odd names" "$(tree_of tree.html | sed "s/'<rest>'/'-'/")" "(0, '-', 0) $nodes"
sed 's/^0 1 1 20/0 1 1 21/; s/^totals: 192/totals: 193/; s/^summary: 192/summary: 193/' \
	tree.24275.costgrind >other.tree
cp other.tree tree.24275.costgrind
"$program" report -q -o tree.html costgrind.out.24275
is "a tree of another run" "$(tree_of tree.html)" None
"$program" report -q --call-tree=other.tree -o tree.html costgrind.out.24275
is "but if it is named" "$(tree_of tree.html | cut -c 1-30)" "(0, '-', 0) (0, 'main', 21) (1"
cp "$tests/golden/convert/inputs/trace.cg" .
"$program" report -q --detail=0 -o tree.html trace.cg
is "a trace" "$(tree_of tree.html; report data tree.html | python3 -c 'import json, sys
print(json.load(sys.stdin)["tree"]["events"])')" \
	"(0, '-', 0) (0, '{main}', 660) (1, 'Lib->size', 208) (2, 'php::strlen', 31) \
(1, 'Lib->size', 300) (4, 'Lib->size', 20) (5, 'php::strlen', 7) (1, 'php::strlen', 42)
[0]"
fails "no call tree" 1 "costgrind report: one:1: expected '# costgrind call tree'" \
	--call-tree=one costgrind.out.24275

# -- source and machine code ---------------------------------------------------------

cp "$tests"/golden/code/inputs/loop.* .
# shellcheck disable=SC2086 # the compiler may be several words
if ! $CC -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000 -Wl,-Tdata=0x404000 \
	-Wl,--build-id=none -o loop loop.s 2>loop.log; then
	skip "machine code" "cannot assemble"
else
	touch -d 2020-01-01 loop loop.s
	"$program" report -o loop.html loop.cg 2>loop.log
	is "messages" "$(cat loop.log)" "costgrind report: wrote loop.html, with 1 source file (53 lines)"
	golden report/code report code loop.html
	golden report/sources report sources loop.html
	! command -v node >/dev/null || is "what the page makes of instructions" "$(by_page loop.html)" \
		"true true true true true true true true true true 22"
	touch -d 2037-01-01 loop loop.s
	"$program" report -o stale.html loop.cg 2>loop.log
	is "what is newer than the profile" "$(cat loop.log; report data stale.html | page_data stale)" \
		"costgrind report: warning: loop: changed after the profile was made, so its code may not be what was executed
costgrind report: warning: loop.s: changed after the profile was made, so lines may not fit
costgrind report: wrote stale.html, with 1 source file (53 lines)
{True} {'changed after the profile was made'}"
	# The older one jumped back five times; the way over the filling, which the newer one never took.
	sed 's/^0x401007 9 3/0x401007 9 6/; s/^0x401009 10 3/0x401009 10 6/; s/^0x40100b 11 3/0x40100b 11 6/
		s/jcnd=2.3/jcnd=5\/6/; s/^totals: 33/totals: 43/; /^summary/d; s/^0x40104f 19 1/0x401035 17 1\n&/' \
		loop.cg >slow.cg
	touch -d 2021-01-01 slow.cg loop.cg
	touch -d 2020-01-01 loop loop.s
	"$program" report -q -o change.html slow.cg loop.cg
	golden report/change report change change.html
	is "its data" "$(report check "$top_srcdir/docs/schemas/report.schema.json" change)" ""
	# A program that was built anew after the first run: its first code cannot be seen any more.
	touch -d 2020-06-01 loop
	touch -d 2020-01-01 slow.cg
	sed -i '/^0x401035/d; s/^totals: 43/totals: 42/' slow.cg
	# moved SED: what is said if the older profile is edited; "_start: offset" if it is believed.
	moved() {
		sed "$1" slow.cg >moved.cg
		touch -d 2020-01-01 moved.cg
		"$program" report -q -o moved.html moved.cg loop.cg
		report change moved.html | grep '^_start:' | sed 's/changed after the profile was made/changed/'
	}
	is "nothing is there but what was recorded" "$(moved ''; report change moved.html | grep -c '^0x40100[79b].* 6 0$')" \
		"_start: offset, changed
3"
	is "elsewhere, and other lines" "$(moved 's/0x4010/0x4110/g; s/^0x\([0-9a-f]*\) \([0-9]*\)/0x\1 1\2/')" \
		"_start: offset, changed"
	is "another place" "$(moved 's/^0x401012/0x401013/')" \
		"_start: unknown, changed, other places of what was executed"
	is "fewer places" "$(moved '/^0x40105f/d')" \
		"_start: unknown, changed, more, or fewer, instructions that were executed"
	is "another file" "$(moved 's/^0x401000 7/fi=other.s\n&/; s/^0x401005/fe=loop.s\n&/')" "_start: unknown, changed, lines of other files"
	is "lines in another order" "$(moved 's/^0x401000 7/0x401000 9/')" "_start: unknown, changed, lines in another order"
	is "another call" "$(moved '0,/cfn=fact/s/cfn=fact/cfn=free_label/')" "_start: unknown, changed, other calls"
	is "another jump" "$(moved 's/0x401007 9$/0x401005 8/')" "_start: unknown, changed, other jumps"
	is "another reference" "$(moved 's/^0x401056 20 1/& 1/')" \
		"_start: unknown, changed, other references for each execution"
	is "another block" "$(moved 's/^0x401009 10 6/0x401009 10 5/')" \
		"_start: unknown, changed, other blocks that are executed together"
	is "without instructions" "$(moved 's/^positions: .*/positions: line/; s/^0x[0-9a-f]* //; s/ 0x[0-9a-f]* / /')" \
		"_start: unknown, the older profile has no costs of instructions"
	# Without symbols: what begins elsewhere, since its first instructions were not executed, is the same code.
	touch -d 2022-01-01 slow.cg
	sed 's/^fn=_start/fn=0x401007/; /^0x401000/d; /^0x401005/d' slow.cg >late.cg
	sed 's/^fn=_start/fn=0x401000/' loop.cg >early.cg
	cp loop kept
	strip loop
	touch -d 2020-06-01 loop
	"$program" report -q -o bare.html late.cg early.cg
	is "without symbols" "$(report change bare.html | sed -n 's/^[^:]*: \([a-z].*\)/\1/p' | sort -u)" file
	mv kept loop
	touch -d 2020-06-01 loop
	touch -d 2020-01-01 slow.cg
	# Two programs that are there: an instruction is another one.
	sed 's/xor %eax, %eax/sub %eax, %eax/' loop.s >loop2.s
	# shellcheck disable=SC2086 # as above
	$CC -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000 -Wl,-Tdata=0x404000 -Wl,--build-id=none \
		-o loop2 loop2.s 2>>loop.log
	sed 's/^ob=.*/ob=loop2/' slow.cg >loop2.cg
	"$program" report -q -o text.html loop2.cg loop.cg
	golden report/text report change text.html
	"$program" report -q --no-asm --no-source -o bare.html loop.cg
	is "without" "$(report code bare.html; report sources bare.html)" ""
fi

# -- hostile texts -------------------------------------------------------------------

{
	cat <<'END'
</script><script>alert(1)</script>
<!-- "quotes" 'more' \ & &lt; ]]>
END
	printf '\001\033[31m \342\200\250 \377\376 end\n'
	head -c 1000000 /dev/zero | tr '\0' x
	printf '\nlast'
} >hostile.c
printf 'cmd: ./</script><b>"&\nevents: Ir\nfl=hostile.c\nfn=</script><!--"\\\033\377\n1 5\n4 5\n5 5\nfn=f\342\200\250\n1 1\n' \
	>hostile
"$program" report -q -o hostile.html hostile
is "the page" "$(report page hostile.html)" ""
is "its title" "$(sed -n 's/^<title>\(.*\)<.title>$/\1/p' hostile.html)" "script&gt;&lt;b&gt;&quot;&amp;"
is "names" "$(report functions hostile.html)" '</script><!--"\\\\x1b\\xff 15 | 15
f\u2028 1 | 1'
report sources hostile.html >hostile.lines
# 1,000 bytes of the long line, and " ...".
is "lines" "$(cut -c 1-70 hostile.lines; awk 'NR == 4 { print length($0) - length("hostile.c:4:") }' hostile.lines)" \
	"hostile.c:1:</script><script>alert(1)</script>
hostile.c:2:<!-- \"quotes\" \\'more\\' \\\\ & &lt; ]]>
hostile.c:3:\\x01\\x1b[31m \\u2028 \\\\xff\\\\xfe end
hostile.c:4:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
hostile.c:5:last
1004"
"$program" report -q --title='</title>@DATA@' -o titled.html one
is "a title" "$(report page titled.html; grep '^<title>' titled.html)" "<title>&lt;/title&gt;@DATA@</title>"

# -- source that is none ---------------------------------------------------------------

# A profile may name any file.  This one's lines 1, 1000 and 2000 cost: these, and eight about each.
seq 2000 >one.c
printf 'last' >two.c
printf 'text\nno\0text\n' >binary.c
truncate -s 1000M endless.c
mkfifo fifo.c
printf 'events: Ir\n' >anything
for path in one.c two.c binary.c endless.c fifo.c /dev/zero /dev/tty . /proc/self/environ /proc/kcore \
	/proc/kmsg missing.c; do
	printf 'fl=%s\nfn=in_%s\n1 5\n' $path $path >>anything
done
printf 'fl=one.c\nfn=in_one.c\n1000 5\n2000 5\n' >>anything
touch -d 2020-01-01 ./*.c
got=$(timeout 20 "$program" report -v -o anything.html anything 2>&1)
is "any file as source" "$? $got" "0 costgrind report: reading anything
costgrind report: one.c: 35 lines
costgrind report: two.c: 1 line
costgrind report: warning: binary.c: is no text, so it is left out
costgrind report: wrote anything.html, with 2 source files (36 lines)"
is "what is of it in the page" "$(report sources anything.html | cut -d : -f 1 | uniq -c)" \
	"     35 one.c
      1 two.c"
is "and told with the page on standard output" "$(timeout 20 "$program" report -o - anything 2>&1 >/dev/null)" \
	"costgrind report: warning: binary.c: is no text, so it is left out
costgrind report: wrote to standard output, with 2 source files (36 lines)"
is "or not" "$("$program" report -q -o - anything 2>&1 >/dev/null)" ""
is "none wanted" "$("$program" report --source=no -o bare.html anything 2>&1; report sources bare.html)" \
	"costgrind report: wrote bare.html"
rm endless.c

# -- usage and failures ----------------------------------------------------------------

golden report/help "$program" help report
fails "no file" 2 "costgrind report: expected one profile or two, try 'costgrind help report'"
fails "three files" 2 "costgrind report: expected one profile or two, found 3; threads, parts or processes of a \
run become one: costgrind merge --as=parts -o ALL FILE..." one one one
fails "standard input twice" 2 "costgrind report: only one of FILE and OTHER can be standard input" - -
fails "no such share" 2 "costgrind report: --detail: 'x': expected a percentage of 0 to 100" --detail=x one
fails "no such event" 1 "costgrind report: one: expected an event 'Dr', found none with that name" \
	--event=Dr -o out one
is "nothing is left of it" "$(find . -name 'out' -o -name '.*out*')" ""
fails "a missing file" 1 "costgrind report: missing: cannot open: No such file or directory" missing
fails "no profile" 1 "costgrind report: /dev/null: expected a profile, found an empty file" /dev/null
fails "no event in common" 1 "costgrind report: warning: events: OLD Ir, NEW A B
costgrind report: the profiles have no event in common" one large
fails "a full disk" 1 "costgrind report: /dev/full: No space left on device" -o /dev/full one
got=$("$program" report -o - one 2>&1 >/dev/full)
is "standard output full" "$? $got" "1 costgrind report: standard output: No space left on device"
fails "no such folder" 1 "costgrind report: nowhere/out: No such file or directory" -o nowhere/out one
echo kept >out
fails "a failure leaves what was there" 1 "costgrind report: missing: cannot open: No such file or directory" \
	-o out missing
is "what was there" "$(cat out)" kept
mkdir -p deep/er here
(cp one deep/er/prof.1 && cd here && "$program" report ../deep/er/prof.1) 2>where.log
is "the page's name" "$(cat where.log; ls here)" "costgrind report: wrote prof.1.html
prof.1.html"
is "standard input and output" "$("$program" report -o - - <one 2>where.log | report functions /dev/stdin; cat where.log)" "f 5 | 5"
# -- sources in another folder -----------------------------------------------------

for version in one two; do
	cat >$version.cg <<END
# callgrind format
version: 1
creator: test
positions: line
events: Ir
summary: 30

ob=/bin/program
fl=/src/$version/main.c
fn=main
1 10

fl=/usr/include/same.h
fn=same
1 20
END
done
"$program" report -o moved.html one.cg two.cg 2>moved.err
is "sources in another folder: told" "$? $(sed -n 1p moved.err)" "0 costgrind report: warning: the folder \
/src/one of OLD seems to be /src/two in NEW: --source-map=/src/one=/src/two puts 1 function in the same file"
"$program" report -o moved.html --source-map=/src/one=/src/two one.cg two.cg 2>moved.err
is "sources in another folder: mapped" "$? $(grep -c warning moved.err)" "0 0"
"$program" report -o moved.html one.cg one.cg 2>moved.err
is "the same folder: no warning" "$? $(grep -c warning moved.err)" "0 0"

done_testing
