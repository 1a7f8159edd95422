#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files next to profiles: each profile names its own, whatever the process, and readers take no other run's.
. "$top_srcdir/tests/programs/scenes.sh"

build_program dataobjects -O1 -pthread -static -I"$top_srcdir"
printf '%s\n' "machine tiny" "line 64" "L1I 32K 8 lru" "L1D 4K 4 lru" "L2 8M 16 lru" "L3 32M 16 lru" >tiny.machine
program=$top_builddir/costgrind

# runs DIRECTORY SCENE [OPTIONS...]: there, with data and call trees.
runs() {
	runs_dir=$1
	runs_scene=$2
	shift 2
	mkdir -p "$runs_dir"
	(cd "$runs_dir" && costgrind -q --machine=../tiny.machine --data=yes --call-tree=yes "$@" ../dataobjects "$runs_scene") >/dev/null
}

# names DIRECTORY: of the files, pids as PID.
names() {
	(cd "$1" && for names_file in *; do echo "$names_file"; done | sed 's/[0-9][0-9][0-9]*/PID/') | xargs
}

# links DIRECTORY: which file each profile names, and which profile that names.
links() {
	(
		cd "$1" || exit
		grep '^desc: Data profile: ' ./* | while IFS=: read -r links_profile _ _ links_data; do
			links_data=${links_data# }
			echo "${links_profile#./} $links_data $(sed -n 's/^desc: Data of: //p' "$links_data")"
		done | sed 's/[0-9][0-9][0-9]*/PID/g'
	)
}

runs usual list
is "the usual name" "$(names usual)" "costgrind.out.PID data.PID.costgrind tree.PID.costgrind"
is "... its data file" "$(links usual)" "costgrind.out.PID data.PID.costgrind costgrind.out.PID"

# In a namespace of their own, all processes have the same pid.
runs named list --costgrind-out-file=a.out
runs named reuse --costgrind-out-file=b.out
runs named list --costgrind-out-file=%%.out
is "by the profile's name" "$(names named)" "%.out a.out b.out data.%.out.costgrind data.a.out.costgrind data.b.out.costgrind \
tree.%.out.costgrind tree.a.out.costgrind tree.b.out.costgrind"
is "... each its own" "$(links named)" "%.out data.%.out.costgrind %.out
a.out data.a.out.costgrind a.out
b.out data.b.out.costgrind b.out"

# KCachegrind takes all that begins as a profile does for a part of it.
runs begins list --costgrind-out-file=data
runs begins list --costgrind-out-file=t
is "no name begins as the profile's does" "$(names begins)" \
	"costgrind.data.data.costgrind costgrind.tree.t.costgrind data data.t.costgrind t tree.data.costgrind"

# No two have a name in common, whichever was written last.
for out in 77 costgrind.out.77 q costgrind.out.q; do
	runs unlike list --costgrind-out-file=$out
done
is "each profile has its own" "$(cd unlike && for file in *data.*; do
	echo "$file $(sed -n 's/^desc: Data of: //p' "$file")"
done | LC_ALL=C sort)" "costgrind.data.77.costgrind 77
data.77.costgrind costgrind.out.77
data.costgrind.out.q.costgrind costgrind.out.q
data.q.costgrind q"
is "... and a report finds its call tree" "$(for out in 77 costgrind.out.77 q costgrind.out.q; do
	"$program" report -q -o out.html "unlike/$out" 2>&1
	python3 "$top_srcdir/tests/report.py" raw out.html | python3 -c 'import json, sys
print("tree" in json.load(sys.stdin))'
done | xargs) $(cd unlike && for file in *tree.*; do echo "$file"; done | LC_ALL=C sort | xargs)" "True True True True \
costgrind.tree.77.costgrind tree.77.costgrind tree.costgrind.out.q.costgrind tree.q.costgrind"

runs child children --costgrind-out-file=p
is "a child" "$(names child)" \
	"data.p-PID.costgrind data.p.costgrind p p-PID tree.p-PID.costgrind tree.p.costgrind"
is "... its data file" "$(links child)" "p data.p.costgrind p
p-PID data.p-PID.costgrind p-PID"

long=$(printf '%0220d' 0 | tr 0 p)
runs long list --costgrind-out-file="$long"
is "a long name" "$(names long)" "data.PID.costgrind $long tree.PID.costgrind"

# --- parts ---

runs parts parts --costgrind-out-file=p
is "parts name their own" "$(links parts)" "p data.p.costgrind p
p.1 data.p.costgrind.1 p.1"
for part in p p.1; do
	suffix=${part#p}
	is "$part: by object is what the data file has" "$("$program" annotate -q --by=object --format=csv parts/$part | cksum)" \
		"$("$program" annotate -q --by=object --format=csv "parts/data.p.costgrind$suffix" | cksum)"
	is "$part: the report has its call tree" "$("$program" report -q -o out.html parts/$part 2>&1 &&
		python3 "$top_srcdir/tests/report.py" raw out.html | python3 -c 'import json, sys
print("tree" in json.load(sys.stdin))')" True
done
runs combined parts --costgrind-out-file=p --combine-dumps=yes
is "parts in one file" "$(links combined)" "p data.p.costgrind.1 p
p data.p.costgrind p"
is "... have all their data" "$("$program" annotate --by=object --format=csv combined/p 2>&1 | cksum)" \
	"$("$program" annotate --by=object --format=csv combined/data.p.costgrind.1 combined/data.p.costgrind | cksum)"

sed 's/^\(desc: Data profile: .*\)\.1$/\1/' parts/p.1 >parts/wrong
is "another part's data" "$("$program" annotate --by=object parts/wrong 2>&1)" \
	"costgrind annotate: parts/wrong: expected its data objects in parts/data.p.costgrind, found those of p (part 2, not 1)"

# --- threads ---

runs threads reuse --costgrind-out-file=p --separate-threads=yes
is "files of threads, and one of all" "$(names threads)" "data.p.costgrind p-PID p-PID tree.p.costgrind"
is "all threads: once" "$("$program" annotate --by=object --format=csv threads/p-* 2>&1 | cksum)" \
	"$("$program" annotate --by=object --format=csv threads/data.p.costgrind | cksum)"
is "one thread: told" "$("$program" annotate --by=object threads/p-02 2>&1 >/dev/null | sed 's/(D1m.*)/(WHY)/; s/(I1m.*)/(WHY)/')" \
	"costgrind annotate: warning: threads/p-02: expected its data objects in threads/data.p.costgrind, found those of all threads of the process (WHY)"

# objects FILE ARGS...: what the report of a thread has of objects of data.
objects() {
	"$program" report -q -o "$1.html" "$@" 2>&1
	python3 "$top_srcdir/tests/report.py" raw "$1.html" |
		python3 -c 'import json, sys; print(len(json.load(sys.stdin).get("data_objects", {"rows": []})["rows"]) > 0)'
}
"$program" merge --as=parts -o threads/all threads/p-0*
"$program" merge --as=threads -o threads/apart threads/p-0*
is "objects in the report of all threads" "$(objects threads/all) $(objects threads/apart)" "True True"
is "... and in the report of one, chosen among them" \
	"$(objects threads/all --thread=2) $(objects threads/apart --thread=2) $(objects threads/all --part=1)" "True True True"
# by_object ARGS...: how many rows there are, and what is said.
by_object() {
	"$program" annotate --by=object --format=csv "$@" 2>said | grep -c '^object,'
	sed 's/(D1m.*)/(WHY)/; s/(I1m.*)/(WHY)/' said
}
"$program" annotate --by=object --format=csv threads/apart >all.csv
for option in --thread=2 --part=1; do
	is "annotate --by=object $option: objects of all threads, and it says so" "$(by_object $option threads/apart)" \
		"$(grep -c '^object,' all.csv)
costgrind annotate: warning: threads/apart: expected its data objects in threads/data.p.costgrind, found those of all \
threads of the process (WHY)"
done

# Hits of L1 are in no data file: they cost nothing there.
is "--cycles of hits and misses" "$("$program" annotate -q --by=object --cycles=1,5,35 --show=EstCyc,L1m,LLm --format=json combined/p |
	python3 -c 'import json, sys
estimate, first, last = json.load(sys.stdin)["totals"]
print(first > last > 0, estimate == 5 * (first - last) + 35 * last)')" "True True"
is "one warning if it is cut short" "$(head -n -2 parts/data.p.costgrind >short
	"$program" annotate --by=object short 2>&1 >/dev/null | grep -c "may be cut short")" 1
is "what is gone, with the profile that names it" "$(mv parts/data.p.costgrind.1 away
	"$program" annotate --by=object parts/p.1 2>&1)" \
	"costgrind annotate: parts/p.1: expected data objects in parts/data.p.costgrind.1, which it names, found no such file"

# --- another run's ---

mv named/data.b.out.costgrind named/data.a.out.costgrind
pids=$(sed -n 's/^pid: //p' named/a.out)
other="named/a.out: expected its data objects in named/data.a.out.costgrind, found those of b.out (process \
$(sed -n 's/^pid: //p' named/b.out), not $pids)"
is "another process" "$("$program" annotate --by=object named/a.out 2>&1)" "costgrind annotate: $other"
is "... in a report" "$("$program" report -o out.html named/a.out 2>&1 | grep -v wrote)" "costgrind report: warning: $other"
is "... in a comparison" "$("$program" diff --by=object named/a.out named/%.out 2>&1)" "costgrind diff: $other"
sed -i "s/^pid: .*/pid: $pids/" named/data.a.out.costgrind
is "another command" "$("$program" annotate --by=object named/a.out 2>&1)" \
	"costgrind annotate: named/a.out: expected its data objects in named/data.a.out.costgrind, \
found those of b.out (of '../dataobjects reuse', not of '../dataobjects list')"
sed -i 's/^cmd: .*/cmd: ..\/dataobjects list/' named/data.a.out.costgrind
is "other sums" "$("$program" annotate --by=object named/a.out 2>&1 | sed 's/(.*/(WHY/')" \
	"costgrind annotate: named/a.out: expected its data objects in named/data.a.out.costgrind, found those of b.out (WHY"
cp parts/p renamed
cp parts/data.p.costgrind .
is "a profile that was renamed has its data" "$("$program" annotate -v --by=object renamed 2>&1 | sed -n 's/^Command: *//p')" \
	"../dataobjects parts"

done_testing
