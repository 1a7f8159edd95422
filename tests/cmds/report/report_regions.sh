#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Regions on the page: data as the schema says, the same as annotate and diff --by=region, and what rows show.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/regions_*.cg "$top_srcdir/tests/profiles/costgrind-regions.cg" .

# regions HTML: of each, its name, times, threads, first cost, and what it was.
regions() {
	python3 "$top_srcdir/tests/report.py" raw "$1" >raw.json
	python3 -c 'import json
for row in json.load(open("raw.json")).get("regions", []):
    older = row.get("older")
    print(row["name"], row["times"], row["threads"], row["costs"][0], "not over" if row["open"] else "over",
          "gone" if row["gone"] else older["costs"][0] if older else "none", sep=", ")'
}
"$program" report -q -o one.html costgrind-regions.cg
"$program" report -q -o two.html regions_old.cg regions_new.cg
is "page and data" "$(python3 "$top_srcdir/tests/report.py" check "$top_srcdir/docs/schemas/report.schema.json" one two 2>&1)" ""
is "of one profile" "$(regions one.html)" "crc/64: <a b>, 3, 2, 120, over, none
crc/64, 1, 1, 7, not over, none
empty\\x20, 1, 1, 0, over, none"
"$program" diff -q --by=region --format=csv --show=Ir regions_old.cg regions_new.cg | sed -n 's/^region,//p' >said
is "of two, as diff has them" "$(regions two.html | sed 's/, by/ by/' | sort | awk -F ', ' '{ print $4, $6, $1 }' | sort)" \
	"$(sed 's/"//g; s/, by/ by/' said | awk -F , '{ print $9, $8, $4 }' | sort)"
printf '%s\n' 'pid: 1' 'desc: Region: 1 times, 1 threads, costs 5: a/1' 'desc: Region: 2 times, 1 threads, costs 10: a/2' \
	'events: Ir' 'fn=f' '1 100' >old.cg
printf '%s\n' 'pid: 2' 'desc: Region: 3 times, 1 threads, costs 15: a/2' 'desc: Region: 1 times, 1 threads, not over, costs 7: a/3' \
	'events: Ir' 'fn=f' '1 100' >new.cg
"$program" report -q -o changes.html old.cg new.cg
is "what is new, and what is gone" "$(regions changes.html)" "a/2, 3, 1, 15, over, 10
a/3, 1, 1, 7, not over, none
a/1, 0, 0, 0, over, gone"
printf '%s\n' 'events: Ir' 'fn=f' '1 100' >plain.cg
"$program" report -q -o plain.html plain.cg
is "none" "$(regions plain.html)$(python3 "$top_srcdir/tests/report.py" raw plain.html | grep -c '"regions"')" 0

if command -v node >/dev/null; then
	python3 "$top_srcdir/tests/report.py" raw changes.html >raw.json
	cat >view.js <<'END'
fill = (element, attributes, children) => children.flat(2).filter(Boolean).join('');
document = {createElement: tag => tag};
fittedTo = name => name;
widthsFor = () => ({});
const shown = [];
Object.assign(regionsView, {note: {}, showRows(rows, columns) {
	this.rows = rows;
	shown.push(columns.map(({title}) => title).join(' '),
		...rows.map((row, at) => columns.slice(1).map(({cell}) => [cell(at, {})].flat().join('')).join('|')));
}});
choice.older = choice.profile.older;
regionsView.update();
[regionsView.note.textContent, ...shown].join('\n')
END
	is "what rows show" "$(node "$top_srcdir/tests/cards.js" changes.html raw.json "$(cat view.js)" 2>&1)" \
		"3 regions, with all that was called in them  ·  3 changed since old.cg
Ir Δ Ir Δ % Times Threads Region
+5|+50.0 %|2 to 3|1|a/2
+7||1|1|a/3 (not over)
−5|−100.0 %|1 to 0|1 to 0|a/1 (gone)"
else
	skip "what rows show" "no node"
fi

done_testing
