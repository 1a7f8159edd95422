#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each option of the installed cg_annotate and callgrind_annotate, and cg_annotate's since Valgrind 3.21, as
# in costgrind annotate: the same rows of numbers.  script_options.py has the table; cg_merge.sh and cg_diff.sh are
# for the options of these.
. "$top_srcdir/tests/lib.sh"

bin=$VALGRIND_BIN
# Sources are below the current directory, by names that lead there from outside: callgrind_annotate cuts that off.
mkdir -p here/cases
for source in al.c inl.c inl.h; do
	cp "$top_srcdir/tests/cases/$source" here/cases
done
ln -s here/cases cases
cases=$PWD/cases
cd here || exit 1
ln -s cases sources
build old "$cases/inl.c" -g -O1 -static
build new "$cases/inl.c" -g -O2 -static
build al "$cases/al.c" -g -O0 -static
# run TOOL OUT PROGRAM
run() {
	VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool="$1" --cache-sim=yes --branch-sim=yes \
		"--$1-out-file=$2" "$3" >stdout 2>log
	[ -s "$2" ] || not_ok "$1 writes $2" "$(cat log)"
}
run cachegrind old.lines ./old
run cachegrind new.lines ./new
run callgrind al.calls ./al

python3 "$top_srcdir/tests/compare/script_options.py" "$top_builddir/costgrind" "$bin" old.lines new.lines al.calls \
	"$top_srcdir/tests/profiles/callgrind-plain.cg" "$top_srcdir/tests/golden/annotate/inputs/waves.cg" \
	"$cases/inl.c" >compared 2>errors
is "the table" "$? $(cat errors)" "0 "
grep '^#' compared >differences
while read -r result name; do
	case $result in
	ok) ok "$name" ;;
	bad) not_ok "$name" "$(grep "^# $name: " differences)" ;;
	esac
done <compared
grep -q '^skip' compared && skip "options of cg_annotate" "$bin/cg_annotate is of Valgrind 3.21 or later"
is "rows" "$(grep -c -v '^#' compared)" "$(grep -c '^    (".*", C' "$top_srcdir/tests/compare/script_options.py")"
done_testing
