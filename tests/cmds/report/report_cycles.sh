#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports of profiles that have cycles: they lead, in cycles, and cards are made of what cycles are spent on.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
expected=$top_srcdir/tests/golden/report
profile=$top_srcdir/tests/golden/annotate/inputs/cycles.cg

# report ARGS...: of report.py.
report() {
	python3 "$top_srcdir/tests/report.py" "$@"
}

# data HTML EXPRESSION: of what is in the page.
data() {
	report data "$1" | python3 -c "import json, sys
data = json.load(sys.stdin)
shown = {one['name']: one for one in data['events'] + data['derived']}
first = (data['events'] + data['derived'])[data['event']]
print($2)"
}

"$program" report -q -o cycles.html "$profile"
is "cycles lead" "$(data cycles.html "first['name'], first['long']")" "Cyc Cycles of zen4 (tenths)"
sed 's/^desc: Machine: .*/desc: Machine: host, AMD EPYC 9B14 (AMD, family 25, model 17)/; s/Cycles of zen4/Cycles of host/' "$profile" >host.cg
"$program" report -q -o host.html host.cg
is "of the host, by the processor's name" "$(data host.html "first['long']")" "Cycles of AMD EPYC 9B14 (tenths)"
is "what is counted in tenths" "$(data cycles.html "*sorted(name for name in shown if 'decimals' in shown[name])")" \
	"CyBase CyBr CyDep CyFe CyMem CyTlb Cyc"
is "the data" "$("$program" convert -q --to=json -o cycles.json "$profile"
	report check "$top_srcdir/docs/schemas/report.schema.json" cycles 2>&1)" ""

"$program" report -q --format=json -o - "$profile" >alone.json
is "the data alone is what the page has" "$(report raw cycles.html | python3 -c 'import json, sys
print(json.load(sys.stdin) == json.load(open("alone.json")))')" True
"$program" report -q --format=json "$profile"
is "is called after the profile" "$(cmp alone.json cycles.cg.json)" ""
# Without cycles, there are the findings that costgrind why makes of counts; the page has cards of its own.
for file in "$top_srcdir"/tests/profiles/costgrind-*.cg "$top_srcdir"/tests/profiles/callgrind-*.cg "$top_srcdir"/tests/golden/why/inputs/*.cg; do
	"$program" report -q --format=json -o data.json "$file"
	python3 "$top_srcdir/tests/schema.py" -s "$top_srcdir/docs/schemas/report.schema.json" data.json
	"$program" why -q --format=json "$file" >said.json 2>/dev/null
	python3 -c 'import json, sys
found, said = json.load(open("data.json"))["why"], json.load(open("said.json"))
same = ("kind", "claim", "share", "cost", "event", "advice", "ruled_out", "next_command")
if [found["has_cycles"], [[one.get(key) for key in same] for one in found["findings"]]] != \
		[said["has_cycles"], [[one.get(key) for key in same] for one in said["findings"]]]:
	print(sys.argv[1])' "$file" 2>&1
	sed -n 's/.*"has_cycles": \(.*\),/\1/p' said.json >>cycles_of
done >log 2>&1
is "findings of all profiles are costgrind why's" "$(cat log)" ""
is "... with cycles, and without" "$(sort -u cycles_of | tr '\n' ' ')" "false true "
"$program" report --format=xml "$profile" 2>err
is "in no other format" "$? $(cat err)" "2 costgrind report: --format: 'xml': expected html or json"

# -- a formula ---------------------------------------------------------------------

"$program" report -q --cycles='Ir + 0.5*D1m + 30 LLm' -o formula.html "$profile"
is "a formula leads" "$(data formula.html "first['name'], first['decimals'], first['weights'][:10]")" \
	"EstCyc 1 [10, 0, 0, 0, 5, 5, 300, 300, 300, 0]"
"$program" report -q --cycles='Cyc - CyFe + 0.25 Bm' -o formula.html "$profile"
is "a formula of cycles" "$(data formula.html "first['decimals'], first['weights'][10:17]")" "2 [25, 10, 10, 0, 10, 10, 10]"
"$program" report -q --cycles=1,5.5,35 -o formula.html "$profile"
is "weights with decimals" "$(data formula.html "first['decimals'], first['weights'][:9]")" \
	"1 [10, 10, 10, 45, 45, 45, 295, 295, 295]"

# refused FORMULA: status and message.
refused() {
	"$program" report -q --cycles="$1" -o none.html "$profile" 2>err
	echo $? "$(cat err)"
}
is "no such event" "$(refused 'Ir + 2*Foo')" "2 costgrind report: --cycles: expected an event in the formula, found 'Foo'"
is "nothing that was recorded" "$(refused 'Bim')" \
	"2 costgrind report: --cycles: expected an event that was recorded in the formula"
is "weights that are too fine" "$(refused '1048.577 Ir')" \
	"2 costgrind report: --cycles: expected weights of fewer digits"
form="expected a formula such as 'Ir + 0.5*D1m + 30 LLm' (three decimals at most), or cycles of L1, LL, memory and perhaps \
mispredictions, such as 1,5,35"
for formula in 'Ir +' '0.1234 Ir' '1,2' '1.,2,3' '-' '.5 Ir' ''; do
	is "no formula: $formula" "$(refused "$formula")" "2 costgrind report: --cycles: '$formula': $form"
done
for formula in '0 Ir' '-1*Ir' '0 Ir - 2 D1m' '0,0,0' '0,0,0,0'; do
	is "no weight: $formula" "$(refused "$formula")" "2 costgrind report: --cycles: '$formula': expected a weight above 0"
done
is "no weight of what was recorded" "$(refused 'Bim - Ir')" \
	"2 costgrind report: --cycles: expected a weight above 0 of an event that was recorded"
is "less than nothing" "$(refused 'Dr - Ir')" \
	"2 costgrind report: --cycles: expected a formula that is not below 0 for the whole program"
is "nothing was written" "$(ls none.html 2>/dev/null)" ""

# -- what the page says -------------------------------------------------------------

if ! command -v node >/dev/null; then
	skip "cards" "no node"
	done_testing
fi

# cards HTML [EXPRESSION]: by the page's own code.
cards() {
	report raw "$1" >raw.json
	node "$top_srcdir/tests/cards.js" "$1" raw.json ${2:+"$2"} 2>&1
}
# Of which core: line 40 has 20,000 instructions in 6,000 cycles.
width() {
	sed "s/^desc: Machine.*/&\ndesc: Core: zen4, width $1, rob 320; cycles of L1D 4/" "$profile" >core.cg
	"$program" report -q -o core.html core.cg
	cards core.html | sed -n 's/^ *\(.*instructions in each\)/\1/p'
}
is "of what the core takes" "$(width 4)" "3.3 instructions in each of these cycles, of 4 that the core takes."
is "never more" "$(width 3)" \
	"As many instructions in each of these cycles as the core takes, 3: a compare and its jump are one to it."
cards cycles.html >cards.got
golden_compare "cards" cards.got "$expected/cards.expected"
"$program" report -q --cycles='Ir + 0.5*D1m + 30 LLm' -o formula.html "$profile"
cards formula.html >formula.got
is "cards by a formula" "$(sed -n '2,3p' formula.got | grep -o 'of all [a-z ]*')" "of all estimated cycles at work"
is "say nothing about other cycles" "$(grep -cw 'Cyc\|all cycles' formula.got)" 0
is "instructions per cycle" "$(cards cycles.html 'ratesOf(choice.measures, choice.totals)[0].slice(0, 2).join(" ")')" \
	"Instr. per cycle $(cards cycles.html \
		'(choice.measures.get("Ir").sum(choice.totals) / choice.measures.get("Cyc").sum(choice.totals)).toFixed(2)')"
is "parts in the terms of top-down analysis" \
	"$(cards cycles.html 'STACK_PARTS.map(([text, , event]) => `${event} ${text}`).join(", ")')" \
	"CyBase core bound, CyDep dependencies, CyFe front end, CyBr bad speculation, CyMem memory bound, CyTlb TLB"
is "what most cycles are spent on" "$(cards cycles.html 'choice.profile.functions.names.map((name, i) =>
	`${name}: ${mostlyOf(event => choice.self[event][i])}`).join(", ")')" "main: core, chase: DRAM, work: core"
is "where memory is asked, by cycles of the profile's core" "$(sed 's/^desc: Machine.*/&\ndesc: Core: zen4, cycles of L1D 4, LL 60, memory 100/' \
	"$profile" >levels.cg
	"$program" report -q -o levels.html levels.cg
	cards levels.html '[...choice.profile.levels.map(({name, cycles}) => `${name} ${cycles}`),
		levelOf(event => ({D1mr: 100, DLmr: 30})[choice.profile.events[event].name] || 0),
		levelOf(event => ({D1mr: 100, DLmr: 40})[choice.profile.events[event].name] || 0)].join(", ")')" "LL 60, DRAM 100, LL, DRAM"
is "which a column explains" "$(cards cycles.html 'choice.measures.get("CyDep").long')" \
	"Cycles, dependencies (latency: instructions wait for the results of earlier ones)"
is "in cycles" "$(cards cycles.html 'choice.measures.get("Cyc").sum(choice.totals)')" 100000.3
is "as text" "$(cards cycles.html '[99.94, 999.94, 1234.5, -0.3].map(count).join(" ")')" "99.9 999.9 1,235 -0.3"
is "without the text about tenths" "$(cards cycles.html 'choice.measures.first.long')" "Cycles of zen4"
is "columns of lines" "$(cards cycles.html 'codeColumns(1, 4).map(measure => measure.name).join(" ")')" "Cyc Ir CyMem CyDep"
# Each sentence of cards, in their order, of profiles with cycles and without, and of objects of data.
sed 's/ Cy\([A-Z]\)/ X\1/g; /^event: Cyc/d' "$profile" >counts.cg
printf '%s\n' 'events: D1mr DLmr' 'event: EstCyc = 10 D1mr + 140 DLmr' 'ob=[heap]' 'fl=[data]' \
	'fn=make list.c:3 < main list.c:9, 64 B' '0 500 400' '8 300 200' 'fn=table list.c:1, 4096 B' '0 100 90' >objects.cg
for file in "$profile" counts.cg objects.cg; do
	"$program" report -q -o same.html "$file"
	is "the same as costgrind why: $(basename "$file")" "$(cards same.html 'new Findings().all().flatMap(({reasons}) => reasons).flatMap(
		({text, advice, evidence}) => [text, advice, ...evidence]).filter(Boolean).sort().join("\n")')" \
		"$("$program" why --format=json "$file" | python3 -c 'import json, sys
texts = []
for one in json.load(sys.stdin)["findings"]:
	texts += [one["claim"], one.get("advice", ""), *one["evidence"]["facts"], *["Ruled out: " + text for text in one["ruled_out"]]]
print(*sorted(filter(None, texts)), sep="\n")')"
done
# Nothing that is made for the first page and for a function asks for what is not there; nor with two profiles.
sed 's/ 320000$/ 250000/; s/ 385000 / 315000 /' "$profile" >less.cg
"$program" report -q -o two.html "$profile" less.cg
views="stateBegin(choice.profile); choose(); lookView.build(); lookView.update(); functionView.figure(1).length"
is "views" "$(cards cycles.html "$views") $(cards two.html "$views")" "6 6"
is "of two profiles" "$(cards two.html | sed -n '1,5p')" "== work.c:10 (Costs less than before  Waits for DRAM)
chase costs 7,000 cycles less than before, 7.0 % of the older total, mostly memory waiting.
   40,000 before, 33,000 now.
   At work.c:10, 7,000 fewer.
chase spends 35.5 % of all cycles at work.c:10, 75.8 % of them waiting for DRAM."
# Of the same events under other names, or without parts, nothing is known.
sed 's/CyBase/Other/g' "$profile" >other.cg
"$program" report -q -o other.html other.cg
is "cycles of something else" "$(data other.html "first['name']")" EstCyc
is "and estimates have their cards" "$(cards other.html | grep -c 'Misses the last level')" 2
done_testing
