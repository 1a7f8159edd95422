#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff: folders of sources that moved, and what is before main().
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

# tree FOLDER COST: a profile of sources in a folder.
tree() {
	printf 'events: Ir\nfl=%s/src/main.c\nfn=main\n1 10\nfl=%s/src/list.c\nfn=push\n2 %d\nfn=pop\n9 5\n' \
		"$1" "$1" "$2"
	# Two functions of one name, in files of one name; and sources that do not move.
	printf 'fl=%s/src/a/init.c\nfn=init\n1 1\nfl=%s/src/b/init.c\nfn=init\n1 2\n' "$1" "$1"
	printf 'fl=./malloc/malloc.c\nfn=malloc\n3 3\nfl=/usr/include/x.h\nfn=x\n1 1\nfl=???\nfn=0x77\n0 1\n'
}

# said OLD NEW OPTION...: what diff warns of.
said() {
	"$program" diff --format=csv "$@" 2>&1 >report.csv | sed 's/^costgrind diff: warning: //'
}

tree /builds/17 40 >old.cg
tree /builds/18 41 >new.cg
proposal="--source-map=/builds/17=/builds/18"
is "proposed" "$(said old.cg new.cg)" \
	"the folder /builds/17 of OLD seems to be /builds/18 in NEW: $proposal puts 5 functions in the same file"
is "what is called the same is the same, but for the two of one name" \
	"$(cut -d , -f 1,2,5,9,10 report.csv | grep ^self)" "\
self,gone,init,2,0
self,new,init,0,2
self,gone,init,1,0
self,new,init,0,1
self,renamed,push,40,41
self,renamed,main,10,10
self,renamed,pop,5,5"
"$program" diff -q --format=csv --renames=no old.cg new.cg >report.csv
is "nothing is assumed" "$(grep -c '^self,gone' report.csv)" 5
is "taken: nothing more is proposed" "$(said $proposal old.cg new.cg)" ""
is "taken: what changed" "$(grep '^self' report.csv)" "\
self,,???,/builds/18/src/list.c,push,,,Ir,40,41,1,,,,"
is "quiet" "$(said -q old.cg new.cg)" ""
is "of one folder" "$(said old.cg old.cg)" ""
# One file in two objects that the other profile does not have.
for side in old:one:two new:three:four; do
	object=${side#*:}
	printf 'events: Ir\nfl=/b/src/x.c\nob=%s\nfn=f\n1 1\nob=%s\nfn=f\n1 1\n' "${object%:*}" "${object#*:}" >"${side%%:*}.cg"
done
is "of one file" "$(said old.cg new.cg)" ""

# One folder in the other: as given, the option would change both.
for pair in /b:/b/new /b/old:/b; do
	tree "${pair%:*}" 40 >old.cg
	tree "${pair#*:}" 41 >new.cg
	proposal=$(said old.cg new.cg | sed 's/.*\(--source-map=[^ ]*\) .*/\1/')
	is "$pair: the proposal does what it says" \
		"$proposal $(said "$proposal" old.cg new.cg; grep -c '^self' report.csv)" \
		"--source-map=$(echo "/b/new=/b /b/old=/b" | tr ' ' '\n' | grep "${pair#/b:}\|${pair%:/b}=") 1"
done

# Another depth; what would be left of /x/src/main.c without the common end, "", is no folder.
tree /home/ann/work/x 1 >old.cg
tree /x 1 >new.cg
is "another depth" "$(said old.cg new.cg | sed 's/.*\(--source-map=[^ ]*\) .*/\1/')" \
	"--source-map=/home/ann/work/x=/x"

# Paths that begin at the build's folder.
tree b1 40 >old.cg
tree b2 41 >new.cg
is "no absolute paths" "$(said old.cg new.cg | sed 's/.*\(--source-map=[^ ]*\) .*/\1/')" "--source-map=b1=b2"
is "no absolute paths: taken" "$(said --source-map=b1=b2 old.cg new.cg; grep -c '^self' report.csv)" 1

# No folder that most have: files that were moved about, functions that are others.
printf 'events: Ir\nfl=/p/a/x.c\nfn=f\n1 1\nfl=/p/b/y.c\nfn=g\n1 1\n' >old.cg
printf 'events: Ir\nfl=/p/c/x.c\nfn=f\n1 1\nfl=/p/d/y.c\nfn=g\n1 1\n' >new.cg
is "no folder of most" "$(said old.cg new.cg)" ""
printf 'events: Ir\nfl=/p/c/x.c\nfn=h\n1 1\nfl=/p/c/z.c\nfn=f\n1 1\n' >new.cg
is "other functions, other files" "$(said old.cg new.cg)" ""

# What is before main().
below() {
	printf 'events: Ir\nob=/lib64/ld-linux-x86-64.so.2\nfn=0x000000000001cd70\n1 1\ncob=prog\ncfn=_start\ncalls=1\n2 %d\n' $((40 + $1))
	printf 'ob=prog\nfn=_start\n1 1\ncfn=(below main)\ncalls=1\n2 %d\nfn=(below main)\n1 1\n' $((30 + $1))
	printf 'cfn=__libc_start_main@@GLIBC_2.34\ncalls=1\n2 %d\n' $((20 + $1))
	printf 'fn=__libc_start_main@@GLIBC_2.34\n1 1\ncfn=main\ncalls=1\n2 %d\n' $((10 + $1))
	printf 'fn=main\n1 1\ncfn=work\ncalls=1\n2 %d\nfn=work\n1 %d\n' $((5 + $1)) $((5 + $1))
}
below 0 >old.cg
below 3 >new.cg
"$program" diff --format=json old.cg new.cg >below.json
is "callers end at main" "$(python3 -c 'import json
print([row["function"] for row in json.load(open("below.json"))["callers"]])')" "['main']"
"$program" diff old.cg new.cg >below.txt
is "and are counted so" "$(grep -A 2 'only call what' below.txt)" "\
-- Functions that only call what changed, inclusive: 1
OLD Ir  NEW Ir  change        %  function
     6       9      +3  +50.00%  main [prog]"
is "calls begin at main" "$(sed -n '/^-- Calls/,$p' below.txt)" "\
-- Calls, inclusive: 1
calls  OLD Ir  NEW Ir  change        %  caller > callee
    1       5       8      +3  +60.00%  main [prog] > work [prog]"
is "in JSON, too" "$(python3 -c 'import json
report = json.load(open("below.json"))
print(report["changed_calls"], [row["caller"]["function"] for row in report["calls"]])')" "1 ['main']"
sed 's/^\(fn=_start\)/\1\n9 1/' old.cg >own.cg
"$program" diff --format=csv own.cg new.cg >own.csv
is "their own costs are listed" "$(grep -c '^self,,prog,???,_start,' own.csv)" 1

done_testing
