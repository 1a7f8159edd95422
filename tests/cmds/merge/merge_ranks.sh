#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind merge: which ranks of a job are in the sum, and which are missing.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

# rank N LIST: the profile of a rank, N.out, that names the ranks of the list.
rank() {
	printf 'desc: Rank: %d\ndesc: Ranks: %s\nevents: Ir\nfn=f\n1 %d\n' "$1" "$2" "$((1 << $1))" >"$1.out"
}

for n in 0 1 2 3 4 5 6 7; do
	rank $n 0-7
done

# merges NAME STATUS MESSAGE ARGUMENTS...: what it says, without its name.
merges() {
	merges_name=$1
	merges_want="$2 $3"
	shift 3
	rm -f sum
	"$program" merge -o sum "$@" >out 2>err
	is "$merges_name" "$? $(sed 's/^costgrind merge: //' err)" "$merges_want"
}

merges "all" 0 "" [0-7].out
is "all are said" "$(grep '^desc:' sum)" "desc: Rank: 0-7
desc: Ranks: 0-7
desc: Merged profiles: 8"
merges "three are missing" 0 "warning: no profile of 3 of 8 ranks: 1,4-5" [02367].out
is "which are in the sum" "$(grep '^desc: Rank: ' sum)" "desc: Rank: 0,2-3,6-7"
merges "quiet" 0 "" -q [02367].out
for how in --as=parts --as=threads --statistics=all --by=function --events=common; do
	merges "$how" 0 "warning: no profile of 3 of 8 ranks: 1,4-5" $how [02367].out
done

# A tree of merges knows what one merge does, and has the same bytes.
"$program" merge -q -o whole 6.out 0.out 2.out 7.out 3.out
"$program" merge -q -o left 6.out 2.out
"$program" merge -q -o right 7.out 3.out 0.out
merges "a tree" 0 "warning: no profile of 3 of 8 ranks: 1,4-5" right left
is "a tree has the same bytes" "$(cmp whole sum 2>&1)" ""
merges "a tree that is complete" 0 "" right 1.out left [45].out
"$program" merge -q --as=parts -o parts 6.out 2.out
merges "ranks as parts" 0 "warning: no profile of 6 of 8 ranks: 0-1,3-5,7" parts

# A rank is the thread of its number; what is none, or of a rank that is there, comes after all that are expected.
printf 'events: Ir\nfn=f\n1 1\n' >none.out
cp 2.out again.out
"$program" merge -q --as=threads -o threads 6.out 0.out none.out again.out 2.out whole
is "ranks as threads" "$(sed -n 's/^thread: //p; s/^desc: Rank: /is /p' threads | tr '\n' ' ')" \
	"6 is 6 0 is 0 8 2 is 2 9 is 2 10 is 0,2-3,6-7 "
"$program" report -q -o page threads
is "ranks as parts of the page" "$(python3 "$top_srcdir/tests/report.py" data page |
	grep -o '"name": *"part [^"]*"' | sed 's/.*"\(part.*\)"/\1/')" "part 1, rank 6
part 2, rank 0
part 3, thread 8
part 4, rank 2
part 5, thread 9
part 6, thread 10"
"$program" merge -q --as=threads -o threads none.out none.out
is "no ranks: from 1 on" "$(grep ^thread threads)" "thread: 1
thread: 2"

# Several processes of one rank are nothing strange.
cp 3.out child.out
merges "processes of one rank" 0 "" [0-7].out child.out

# What is expected may be said: then it is an error if it is not there.
merges "--ranks: there" 0 "" --ranks=2,6-7 [02367].out
merges "--ranks: missing" 1 "--ranks=0-3: 1 of 4 ranks without a profile: 1" --ranks=0-3 [02367].out
is "--ranks: no sum" "$(cat sum 2>&1)" "cat: sum: No such file or directory"
merges "--ranks: also without a message for less" 1 \
	"--ranks=0-3: 1 of 4 ranks without a profile: 1" -q --ranks=0-3 [02367].out
merges "--ranks: no list" 2 "--ranks: 'x': expected ranks such as 0,17,100-110" --ranks=x 0.out

# Profiles that do not mention ranks: nothing is expected, nor is anything new.
printf 'events: Ir\nfn=f\n1 1\n' >plain
merges "no ranks" 0 "" plain
is "no ranks: nothing is said" "$(grep -c '^desc' sum)" 0
merges "no ranks, --ranks" 1 "--ranks=0-1: 2 of 2 ranks without a profile: 0-1" --ranks=0-1 plain
merges "some without a rank" 0 "warning: no profile of 7 of 8 ranks: 1-7" 0.out plain
# A line of that name that is no list is like any other.
sed 's/Rank: 0/Rank: captain/; s/Ranks: .*/Ranks: all/' 0.out >words
merges "no lists" 0 "" words
is "no lists: as they are" "$(grep '^desc' sum)" "desc: Rank: captain
desc: Ranks: all"
# Ranks may be compared.
"$program" diff 0.out 1.out >out 2>err
is "diff" "$? $(cat err)" "0 "

done_testing
