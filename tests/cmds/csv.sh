#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# CSV of all commands: no text is a formula to a spreadsheet, each can be had back, and numbers stay
# numbers.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
checks() {
	python3 "$top_srcdir/tests/cmds/csv_names.py" "$@"
}
checks write

# back FIELDS: the names that are in these fields of CSV, with one "'" taken off each, and what could
# still be a formula.
back() {
	checks back "$@"
}

"$program" convert --to=csv -o out.csv old.cg
is "convert: names" "$(back function)" "missing"
is "the title of an event" "$(head -n 1 out.csv | tr -d '\r' | sed 's/.*calls,//')" "Ir,'=Dr"
is "an object and a file" "$(sed -n '2s/,1,.*//p' out.csv | cut -d, -f2-3)" "'=object,'@file.c"
"$program" annotate --format=csv --threshold=0 --tree=both old.cg >out.csv
is "annotate: names" "$(back function)" "missing"
"$program" diff --format=csv --threshold=0 --lines old.cg new.cg >out.csv
is "diff: names" "$(back function callee)" "missing"
is "a number below 0 is one" "$(python3 -c 'import csv
print(*sorted({row["change"] for row in csv.DictReader(open("out.csv")) if row["kind"] == "self"}))')" "-10 0"
"$program" diff -q -o minus.cg old.cg new.cg
"$program" convert --to=csv minus.cg | tr -d '\r' >out.csv
is "of a difference, too" "$(sed -n '2s/.*,//; 2p' out.csv; sed -n '2s/,[^,]*$//; 2s/.*,//; 2p' out.csv)" "0
-10"
# A source line that begins like one.
printf '\t=1+1;\nx\n' >'@file.c'
printf 'events: Ir\nfl=@file.c\nfn=f\n1 5\n' >source.cg
"$program" annotate --format=csv --auto=yes source.cg >out.csv
is "a line of a source" "$(grep -c "'	=1+1;" out.csv)" 1
done_testing
