#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Under the name cg_merge: its options, its output, its exit statuses.  Rows of
# docs/COMPATIBILITY.md; tests/compare/cg_merge.sh compares with the real one.
. "$top_srcdir/tests/lib.sh"

ln -s "$top_builddir/costgrind" cg_merge
cp "$top_srcdir"/tests/cmds/inputs/* .

usage='cg_merge: Merges multiple cachegrind output files into one
cg_merge: usage: cg_merge [-o outfile] [files-to-merge]'

# merge ARGS...: both streams and the exit status, with any Valgrind as in 3.19 and 3.20.
merge() {
	./cg_merge --layout=3.19 "$@" 2>&1
	echo "exit status $?"
}

plain='desc: I1 cache:         32768 B, 64 B, 8-way associative
desc: D1 cache:         32768 B, 64 B, 8-way associative
desc: LL cache:         262144 B, 64 B, 8-way associative
cmd: ./prog a b
events: Ir Dr
fl=a.c
fn=f
1   4 6 
2   8 0 
fl=b.c
fn=g
3   12 2 
10   2 4 
summary: 26 12'

is "files, standard output; desc and cmd are those of the first" "$(merge plain.cg bigger.cg)" \
	"cg_merge: parsing plain.cg
cg_merge: parsing bigger.cg
cg_merge: merging bigger.cg
cg_merge: warning: the files are of different caches
cg_merge: writing (stdout)
$plain
exit status 0"
is "-o outfile" "$(merge -o out plain.cg bigger.cg | tail -n 2)" "cg_merge: writing out
exit status 0"
is "what is in it" "$(cat out)" "$plain"
is "-o behind the files" "$(merge plain.cg bigger.cg -o behind | tail -n 1)" "exit status 0"
is "what is in it then" "$(cat behind)" "$plain"
is "no arguments" "$(merge)" "$usage
exit status 1"
is "an outfile, but no files" "$(merge -o nothing)" "$usage
exit status 1"
is "-o without a name" "$(merge plain.cg -o)" "cg_merge: -o: expected a value
exit status 1"
is "-h" "$(merge -h)" "$usage
exit status 0"
is "--help" "$(merge --help plain.cg)" "$usage
exit status 0"
is "--version" "$(merge --version | sed 's/-[0-9.]*$//')" "costgrind
exit status 0"
is "other events" "$(sed 's/Ir Dr/Ir Dw/' plain.cg >writes.cg && merge plain.cg writes.cg)" \
	"cg_merge: parsing plain.cg
cg_merge: parsing writes.cg
cg_merge: merging writes.cg
cg_merge: writes.cg: expected the events of the files before it; not in all of them: Dr Dw \
(--events=common takes the others)
exit status 1"
is "a missing file" "$(merge missing)" "cg_merge: parsing missing
cg_merge: missing: cannot open: No such file or directory
exit status 1"
is "no folder for the outfile" "$(merge -o nowhere/out plain.cg | tail -n 2)" \
	"cg_merge: nowhere/out: No such file or directory
exit status 1"
is "a file twice is added twice" "$(merge plain.cg plain.cg | grep -e warning -e summary)" \
	"cg_merge: warning: plain.cg: named twice, added twice
summary: 26 12"
is "the order of the files" "$(merge plain.cg bigger.cg | sed -n '/^events/,$p')" \
	"$(merge bigger.cg plain.cg | sed -n '/^events/,$p')"

# Since Valgrind 3.21 it is silent, names each file once, and has no blanks for looks.
python() {
	./cg_merge --layout=3.21 "$@" 2>&1
	echo "exit status $?"
}
printf 'desc: d\ncmd: c\nevents: Ir\nfl=b.c\nfn=h\n7 1\nfl=b.c\nfn=g\n3 5\nfl=a.c\nfn=f\n1 2\nsummary: 8\n' >files.cg
is "3.21: each file once" "$(python files.cg files.cg | grep -v warning)" "desc: d
cmd: c
events: Ir
fl=a.c
fn=f
1 4
fl=b.c
fn=g
3 10
fn=h
7 2
summary: 16
exit status 0"
is "3.21: -o outfile says nothing" "$(python -o out plain.cg)" "exit status 0"
is "3.21: what is in it" "$(sed -n '/^fl=b/,$p' out)" "fl=b.c
fn=g
3 6 1
10 1 2
summary: 13 6"
is "3.21: a missing file" "$(python missing)" "cg_merge: missing: cannot open: No such file or directory
exit status 1"
is "no such layout" "$(./cg_merge --layout=3.18 plain.cg 2>&1)" \
	"cg_merge: --layout: '3.18': expected 3.19 or 3.21"

# What it gets wrong.
is "a full disk" "$(merge -o /dev/full plain.cg | tail -n 1)" "exit status 1"
printf 'desc: d\ncmd: c\nevents: Ir\nfl=a\nfn=f\n1 18446744073709551615\n1 3\nsummary: 2\n' >large.cg
is "a sum beyond 64 bits" "$(merge large.cg | tail -n 2)" \
	"cg_merge: large.cg:8: a sum of counts is beyond 64 bits
exit status 1"

# What it refuses.
is "calls, instructions and objects" "$(merge rank0.out | sed -n '/^events/,$p')" 'events: Ir Dr
fl=ring.c
fn=main
10   3 1 
11   2 0 
fl=ring.c
fn=work
20   30 10 
fl=vec.h
fn=work
5   10 2 
summary: 45 13
cg_merge: warning: Cachegrind'\''s format has no calls and jumps, they are left out
exit status 0'
sed '/^summary:/d' plain.cg >cut.cg
is "cut short" "$(merge plain.cg cut.cg)" "cg_merge: parsing plain.cg
cg_merge: parsing cut.cg
cg_merge: cut.cg:$(wc -l <cut.cg): expected \"summary:\" at the end
exit status 1"
sed 's/^summary: \([0-9]*\).*/summary: \1/' plain.cg >cut.cg
is "cut short in its last line" "$(merge cut.cg)" "cg_merge: parsing cut.cg
cg_merge: cut.cg:$(wc -l <cut.cg): expected a count for each event in \"summary:\"
exit status 1"
printf 'desc: a: b\ncmd: a\nevents: Ir\nfl=a.c\nfn=f\n1 5\nfl=b.c\n2 7\nsummary: 12\n' >nofn.cg
is "fl= without fn=" "$(merge nofn.cg | sed -n '/^[a-z0-9]*=/p;/^[0-9]/p')" "fl=a.c
fn=f
1   5 
fl=b.c
fn=<unspecified>
2   7 "
: >empty.cg
is "an empty file" "$(merge empty.cg)" "cg_merge: parsing empty.cg
cg_merge: empty.cg: expected a profile, found no 'events:' line
exit status 1"
printf 'events: Ir Dr\nfl=a.c\nfn=f\n1 5\n2 . 3\n\n# no summary\n3 -4\n' >loose.cg
is "fewer counts, dots, comments, counts below 0, no summary" "$(merge loose.cg)" \
	"cg_merge: parsing loose.cg
cg_merge: writing (stdout)
desc: Creator: $(./cg_merge --version)
cmd: ???
events: Ir Dr
fl=a.c
fn=f
1   5 0 
2   0 3 
3   -4 0 
summary: 1 3
exit status 0"
done_testing
