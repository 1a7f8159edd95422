#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Objects of data and the roofline in reports, of profiles by hand: all add up, they are what annotate and roofline say, and
# reports of profiles without them show none of it; cards of objects.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

unset PAGER NO_COLOR
raw() {
	python3 "$top_srcdir/tests/report.py" raw "$1"
}

# has FILE: which of the three views the report of a profile has data for.
has() {
	"$program" report -q -o has.html "$1" && raw has.html |
		python3 -c 'import json, sys; data = json.load(sys.stdin)
print(*[key for key in ("types", "data_objects", "roofline") if key in data])'
}

# A walk of a list that misses at two offsets, a table, 500 variables of one miss each, and the allocator.
cat >clients.cg <<'END'
# callgrind format
version: 1
creator: hand-1.0
cmd: clients
pid: 7
desc: D1 cache: 32768 B, 64 B, 8-way associative
desc: LL cache: 8388608 B, 64 B, 16-way associative
desc: Data profile: data.7.costgrind
positions: line
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
ob=/home/ann/clients
fl=/home/ann/clients.c
fn=count_idle
50 30000 20000 0 0 8000 0 0 6000 0
fn=add_client
18 10000 3000 3000 0 500 1000 0 500 1000
fn=sum
60 9000 3000 0 0 1500 0 0 500 0
END
cat >data.7.costgrind <<'END'
# callgrind format
version: 1
creator: hand-1.0
cmd: clients
pid: 7
desc: Data of: clients.cg
positions: line
events: D1mr D1mw DLmr DLmw Lines SpLoss1
event: EstCyc = 10 D1mr + 10 D1mw + 140 DLmr + 140 DLmw : Cycles of misses
ob=[heap]
fl=[data]
fn=add_client clients.c:18 < main clients.c:39, 152 B
0 5000 0 4000 0 5000 260000
144 3000 0 2000 0 3000 168000
fn=</script><b>x</b> clients.c:70, 40 B to 4096 B
0 500 0 0 0 500 0
ob=[allocators]
fl=[data]
fn=add_client clients.c:18 < main clients.c:39
0 0 1000 500 1000 0 0
ob=/home/ann/clients
fl=[data]
fn=table
8 1000 0 500 0 1000 1000
END
awk 'BEGIN { print "ob=/lib/libc.so.6\nfl=[data]"; for (i = 1; i <= 500; i++) printf "fn=v%d\n0 1\n", i }' >>data.7.costgrind
cat >>data.7.costgrind <<'END'
ob=/home/ann/clients
fl=/home/ann/clients.c
fn=count_idle
cob=[heap]
cfi=[data]
cfn=add_client clients.c:18 < main clients.c:39, 152 B
calls=20000 0
50 8000 0 6000 0 8000 428000
fn=elsewhere
cob=/home/ann/clients
cfi=[data]
cfn=table
calls=1000 0
9 1000 0 500 0 1000 1000
END

"$program" report -o clients.html clients.cg >/dev/null 2>log
is "exit status" "$? $(grep -c '^costgrind report: wrote' log)" "0 1"
is "page and data" "$(python3 "$top_srcdir/tests/report.py" check "$top_srcdir/docs/schemas/report.schema.json" clients 2>&1)" ""
"$program" annotate -q --by=object --format=json clients.cg >objects.json
raw clients.html >raw.json
is "objects are as in annotate --by=object; all add up" "$(python3 "$top_srcdir/tests/cmds/report/same_rows.py" objects 2>&1)" "wrong: 
4 [('/lib/libc.so.6', 500)]
[heap] [{'offset': 0, 'costs': [5000, 0, 4000, 0, 5000, 260000]}, {'offset': 144, 'costs': [3000, 0, 2000, 0, 3000, 168000]}] \
[('count_idle', 20000, 'count_idle')]
[allocators] [{'offset': 0, 'costs': [0, 1000, 500, 1000, 0, 0]}] []
/home/ann/clients [{'offset': 8, 'costs': [1000, 0, 500, 0, 1000, 1000]}] [('elsewhere', 1000, False)]"

if command -v node >/dev/null; then
	node "$top_srcdir/tests/cards.js" clients.html raw.json >cards 2>&1
	is "cards of objects" "$(awk '/^==/ { is_data = /[(]Data: / } is_data' cards)" "== add_client clients.c:18 (Data: LL misses)
75.0 % of all LL misses of data are on blocks of 152 B allocated by add_client clients.c:18: 10.5 of 64 bytes of each line \
are used.
-> Put side by side what is used together, and the rest elsewhere.
   Misses are at offsets 0, 144.
   6,000 of 8,000 LL misses, 8,000 of 11,000 D1 misses.
   By count_idle (100.0 %).
   Allocated by add_client clients.c:18 < main clients.c:39.
== add_client clients.c:18 (Data: LL misses)
18.8 % of all LL misses of data are on what the allocator that add_client clients.c:18 calls touches itself.
-> Allocate less often: keep blocks, or take them from a pool.
   1,500 of 8,000 LL misses, 1,000 of 11,000 D1 misses."
	# Without use of lines, where misses are says it.
	sed 's/ Lines SpLoss1//; /^[0-9]/s/^\([0-9]*\( [0-9]*\)\{4\}\).*/\1/' data.7.costgrind >unused && mv data.7.costgrind whole &&
		mv unused data.7.costgrind
	"$program" report -q -o unused.html clients.cg
	raw unused.html >unused.json
	is "a card without use of lines" "$(node "$top_srcdir/tests/cards.js" unused.html unused.json | sed -n '/Data: /{n;p;n;p;q;}')" \
		"75.0 % of all LL misses of data are on blocks of 152 B allocated by add_client clients.c:18.
-> Put side by side what is used together, and the rest elsewhere."
	mv whole data.7.costgrind
else
	skip "cards" "no node"
fi

is "why of the profile has the same sentences" "$("$program" why -q --format=json clients.cg | python3 -c 'import json, sys
print([(one["data"], one["claim"], one["share"]) for one in json.load(sys.stdin)["findings"] if one["kind"] == "data"] ==
	[(one["data"], one["claim"], one["share"]) for one in json.load(open("raw.json"))["why"]["findings"] if one["kind"] == "data"])')" True
is "of the data profile itself" "$(has data.7.costgrind)" "data_objects"
mv data.7.costgrind away
"$program" report -o gone.html clients.cg 2>log
is "a data profile that is gone" "$? $(sed 1q log)" \
	"0 costgrind report: warning: clients.cg: expected data objects in data.7.costgrind, which it names, found no such file"
is "... has no view" "$(has clients.cg)" ""
printf 'events: Ir\nfn=f\n1 x\n' >data.7.costgrind
"$program" report -o broken.html clients.cg 2>log
is "a broken one" "$? $(cat log)$(ls broken.html 2>/dev/null)" "1 costgrind report: data.7.costgrind:3:3: expected a count"

# -- roofline ---------------------------------------------------------------------------------

cp "$top_srcdir/tests/golden/roofline/inputs/roofline.cg" .
is "operations and bytes" "$(has roofline.cg)" "roofline"
raw has.html >roofline.json
"$program" roofline --format=json roofline.cg >said.json
is "rows are costgrind roofline's" "$(python3 "$top_srcdir/tests/cmds/report/same_rows.py" rooflines 2>&1)" "wrong: True 4"
printf '%s\n' "events: FlS FlD FlX BytR BytW" "fn=f" "1 0 0 0 256 0" >integers.cg
is "no operations, no view" "$(has integers.cg)" ""
printf '%s\n' "events: Ir Dr Dw D1mr D1mw" "fn=f" "1 5 2 1 1" >plain.cg
is "no roofline" "$(has plain.cg)" ""
# Sums of several profiles, and files of several parts, have the objects of all.
mkdir sums
cd sums || exit 1
# one PID MISSES: a profile of a process, and its objects.
one() {
	printf '%s\n' 'version: 1' 'creator: hand-1.0' 'cmd: x' "pid: $1" 'part: 1' "desc: Data profile: data.$1" 'positions: line' \
		'events: Ir D1mr D1mw DLmr DLmw' 'fl=a.c' 'fn=f' "1 10 $2 0 0 0" "totals: 10 $2 0 0 0" >"p.$1"
	printf '%s\n' 'version: 1' 'creator: hand-1.0' 'cmd: x' "pid: $1" 'part: 1' "desc: Data of: p.$1" 'positions: line' \
		'event: EstCyc = 10 D1mr + 10 D1mw + 150 DLmr + 150 DLmw' 'events: D1mr D1mw DLmr DLmw' 'ob=[heap]' 'fl=[data]' \
		'fn=make a.c:7 < f a.c:1, 8 B' "0 $2" 'fl=a.c' 'ob=x' 'fn=f' 'cob=[heap]' 'cfi=[data]' 'cfn=make a.c:7 < f a.c:1, 8 B' \
		'calls=9 0' "1 $2" "totals: $2 0 0 0" >"data.$1"
}
one 7 3
one 8 40
one 9 500
# misses FILE: of the objects in the report of a profile, and what is said.
misses() {
	"$program" report --source=no -o page.html "$1" 2>&1 | sed 's/^costgrind report: //; /^wrote page/d'
	raw page.html | python3 -c 'import json, sys
print(*[row["costs"][0] for row in json.load(sys.stdin).get("data_objects", {"rows": []})["rows"]])'
}
for profiles in '7 8' '8 9' '7 8 9'; do
	# shellcheck disable=SC2046 # several words
	set -- $(echo "$profiles" | sed 's/[0-9]/p.&/g')
	sum=$(($(echo "$profiles" | sed 's/7/3/; s/8/40/; s/9/500/; s/ /+/g')))
	"$program" merge -o sum "$@"
	is "a sum of $profiles" "$(misses sum)" "$sum"
	"$program" merge --as=parts -o parts "$@"
	is "parts: $profiles" "$(misses parts)" "$sum"
	cat "$@" >all
	is "one after the other: $profiles" "$(misses all)" "$sum"
	is "in annotate: $profiles" "$("$program" annotate -q --by=object --format=csv --show=D1mr sum | grep -c "^object,.*,$sum$")" 1
done
"$program" merge -o sum p.7 p.8
"$program" merge -o more sum p.9
is "a sum of a sum" "$(misses more)" 543
is "the lines of a sum" "$(sed -n 's/^desc: Data profile: //p' more | tr '\n' ' ')" "data.7 data.8 data.9 "
sed '/^desc: Data profile/d' p.9 >p.none
"$program" merge -o some p.7 p.8 p.none
is "some have none" "$(misses some; grep -c '^desc: Data profile' some)" "
0"
one 8 41
is "another run's" "$(misses sum)" "warning: sum: expected its data objects in data.7, found those of p.7 (D1mr of 44, not 43)"
one 8 40
mkdir elsewhere
"$program" merge -o elsewhere/sum p.7 p.8
is "a sum in another folder" "$(misses elsewhere/sum)" \
	"warning: elsewhere/sum: expected data objects in elsewhere/data.7, which it names, found no such file"
cp data.7 data.8 elsewhere
is "... with its data profiles" "$(misses elsewhere/sum)" 43
cd .. || exit 1
done_testing
