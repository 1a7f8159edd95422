#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports of two profiles whose source was renamed in between: functions, and their lines, are the new file's.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

# lines OLD NEW: "function file:line old new" of each line of a report.
lines() {
	"$program" report -q --detail=0 -o both.html "$1" "$2" >report.log 2>&1
	python3 "$top_srcdir/tests/report.py" data both.html | python3 -c '
import json, sys
data = json.load(sys.stdin)
texts, functions, lines = data["strings"], data["functions"], data["lines"]
file = lambda index: texts[data["files"][index]]
at = 0
for d, place, line, new, old in zip(lines["d_function"], lines["file"], lines["line"], lines["costs"], data["other"]["lines"]["costs"]):
    at += d
    print(texts[functions["name"][at]], file(functions["file"][at]), f"{file(place)}:{line}", *old, *new)'
}

# A function that was inlined into another file's moves with the file.
profile() {
	printf '%s\n' 'events: Ir' 'ob=/home/ann/prog' "fl=/home/ann/$1" 'fn=main' "1 $2" "5 $3" 'fn=work' "9 $4" \
		'fl=/home/ann/other.c' 'fn=other' '3 7' "fi=/home/ann/$1" "20 $5"
}
profile old.c 100 20 30 40 >old
profile new.c 101 20 35 44 >new
is "a file that was renamed is one" "$(lines old new)" "\
main /home/ann/new.c /home/ann/new.c:1 100 101
main /home/ann/new.c /home/ann/new.c:5 20 20
work /home/ann/new.c /home/ann/new.c:9 30 35
other /home/ann/other.c /home/ann/new.c:20 40 44
other /home/ann/other.c /home/ann/other.c:3 7 7"

# A file that is split stays: a function has its own lines in the file where it is now, and no other one's.
printf '%s\n' 'events: Ir' 'ob=/home/ann/prog' 'fl=/home/ann/a.c' 'fn=main' '1 11' '5 22' \
	'fl=/home/ann/b.c' 'fn=work' '9 33' 'fl=/home/ann/other.c' 'fn=other' '3 7' 'fi=/home/ann/a.c' '20 44' >parted
is "of one that was split, functions have their own lines" "$(lines old parted | sort)" "\
main /home/ann/a.c /home/ann/a.c:1 100 11
main /home/ann/a.c /home/ann/a.c:5 20 22
other /home/ann/other.c /home/ann/a.c:20 0 44
other /home/ann/other.c /home/ann/old.c:20 40 0
other /home/ann/other.c /home/ann/other.c:3 7 7
work /home/ann/b.c /home/ann/b.c:9 30 33"

# The first page has what changed most, not what costs most, which is main.
if command -v node >/dev/null; then
	"$program" report -q -o both.html old new
	is "by change" "$(node "$top_srcdir/tests/cards.js" both.html -- 'choice.older = choice.profile.older,
		lookView.hottest("self", choice.measure.column(choice.self), () => true)
			.map(i => choice.profile.functions.names[i]).join(" ")' both.html 2>&1)" "both.html: work other"
else
	skip "by change" "no node"
fi
done_testing
