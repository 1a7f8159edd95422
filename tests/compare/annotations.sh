# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind annotate says about profiles what the installed callgrind_annotate and cg_annotate say: totals,
# self costs of each function in each file, inclusive costs.  Where they are wrong, ours is what
# the profile holds, derived by hand.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
compare=$top_srcdir/tests/compare/annotations.py
bin=$VALGRIND_BIN
count=0

# That of Valgrind 3.21 and later is another program, whose layout annotations.py does not read.
is_python=
head -n 1 "$bin/cg_annotate" | grep -q python && is_python=yes

# same SCRIPT NAME PROFILE [OPTION]: both say the same.
same() {
	[ "$is_python" ] && [ "$1" = cg_annotate ] && return
	same_text=$(python3 "$compare" "$command" "$bin/$1" ${4+"$4"} "$3" 2>&1)
	is "$1: $2" "$? $same_text" "0 "
	count=$((count + 1))
}

# recorded PROFILE: its events, without the derived ones that the scripts do not know.
recorded() {
	"$command" convert --to=callgrind "$1" | sed -n 's/^events: //p' | sed 1q | tr ' ' ,
}

# differs NAME PROFILE WHY TOTALS [PATTERN COUNTS]: callgrind_annotate says something else; the right
# totals, and counts of the CSV record that a pattern finds.
differs() {
	differs_text=$(python3 "$compare" "$command" "$bin/callgrind_annotate" "$2" 2>&1) &&
		not_ok "callgrind_annotate has no fault in $1: $3" "$differs_text"
	"$command" annotate -q --auto=no --threshold=0 --inclusive=no --format=csv \
		--show="$(recorded "$2")" "$2" >csv
	is "$1, right totals ($3)" "$(sed -n 's/^totals,,,,,,,//p' csv)" "$4"
	[ $# -lt 6 ] || is "$1, right costs" "$(sed -n "s/^$5,//p" csv)" "$6"
}

stored=$top_srcdir/tests/profiles
differs "bb positions" "$stored/callgrind-bb.cg" "it does not know bb" 59,25,16,4,2,1,4,2,1
differs "several parts" "$stored/callgrind-parts.cg" "it takes the last summary" \
	59,25,16,4,2,1,4,2,1 'function,.*,main,[^,]*,,,' 16,1,7,1,1,1,1,1,1
differs "cache lines" "$stored/callgrind-wb.cg" "summary: has no AcCost1 to SpLoss2" \
	59,25,16,4,2,1,4,2,1,1650,332,1650,332,0,1,2537,1550
differs "CRLF" "$stored/crlf.cg" "names end in CR" 9 'function,a.c,f,,,,' 5
differs "the grammar" "$stored/grammar.cg" "hexadecimal counts, ranges, cfl=" 39,3,5,2
differs "pprof" "$stored/pprof.cg" "calls=0 is taken for self cost" 80000000 \
	'function,.*,main.handle,[^,]*,,,' 30000000
differs "no file" "$stored/spec-positions.cg" "without fl= it loses costs" 12 'function,???,func,,,,' 12
differs "Xdebug 2" "$stored/xdebug2.cg" "a callee named by its id is in the caller's file" \
	"$("$command" annotate -q --auto=no --format=csv "$stored/xdebug2.cg" |
		sed -n 's/^totals,,,,,,,//p')"

for file in "$stored"/*.cg; do
	name=${file##*/}
	case $name in
	callgrind-bb.cg | callgrind-parts.cg | callgrind-wb.cg | crlf.cg | grammar.cg | pprof.cg | \
		spec-positions.cg | xdebug2.cg) continue ;;
	esac
	same callgrind_annotate "$name" "$file"
	case $name in
	cachegrind-*) same cg_annotate "$name" "$file" ;;
	esac
done

# run TOOL OUT [OPTIONS] PROGRAM: a profile made now.
run() {
	run_tool=$1
	run_out=$2
	shift 2
	VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool="$run_tool" \
		"--$run_tool-out-file=$run_out" "$@" >stdout 2>log
	[ -s "$run_out" ] || not_ok "$run_tool writes $run_out" "$(cat log)"
}

# Ours reads sources below the current directory; those elsewhere, a profile of Cachegrind's may not
# name, as it has no objects.  The names lead there from outside: where they begin with the current
# directory, callgrind_annotate cuts that off.
mkdir -p here/cases
for source in al.c inl.c inl.h st.c rp.c; do
	cp "$top_srcdir/tests/cases/$source" here/cases
done
ln -s here/cases cases
cases=$PWD/cases
cd here || exit 1
build al "$cases/al.c" -g -O1 # with libraries, profiles are ten times as long
build inl "$cases/inl.c" -g -O1 -static
build st "$cases/st.c" -g -O0 -static
build rp "$cases/rp.c" -g -O0 -static
for program in al inl st rp; do
	run callgrind "$program.plain" "./$program"
	run callgrind "$program.all" --cache-sim=yes --branch-sim=yes --dump-instr=yes \
		--collect-jumps=yes "./$program"
	run callgrind "$program.apart" --separate-recs=4 --separate-callers=2 \
		--compress-strings=no --compress-pos=no "./$program"
	# Otherwise the loader has a function "(below main)", too, and callgrind_annotate knows only one of them.
	run costgrind "$program.cost" --branch-sim=yes --names=core "./$program"
	run cachegrind "$program.lines" --branch-sim=yes "./$program"
	# With caches, Callgrind's calls have the last block of the program, the function that it
	# is in has not; the script takes what calls of a function cost for its inclusive cost.
	same callgrind_annotate "$program, all" "$program.all" --but=_Exit
	for kind in plain apart cost lines; do
		same callgrind_annotate "$program, $kind" "$program.$kind"
	done
	same cg_annotate "$program, lines" "$program.lines"

	# Of the lines of the source that are shown, both know the same sum.
	theirs=$("$bin/cg_annotate" --show-percs=no --threshold=0 --context=0 "$program.lines" 2>/dev/null |
		sed -n 's/,//g; s/ *events annotated$//p; s/ *annotated: .* line numbers known$//p' | xargs)
	ours=$("$command" annotate -q --threshold=0 --format=json \
		--show="$(recorded "$program.lines")" "$program.lines" | python3 -c '
import json, sys
print(*[count or 0 for count in json.load(sys.stdin)["coverage"]["shown"]])')
	is "$program: events annotated" "$ours" "$(echo "$theirs" | tr . 0)"
done
done_testing
