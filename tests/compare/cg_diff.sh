#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff --flat finds the difference of each function that the installed cg_diff finds, with each of its options,
# and writes it as that does; and cg_annotate reads it.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/compare/lib/cachegrind.sh
. "$top_srcdir/tests/compare/lib/cachegrind.sh"

tools=$VALGRIND_BIN
check() {
	python3 "$top_srcdir/tests/cmds/diff/diff_check.py" "$@"
}

# frame FILE: all but the functions; the blank at the end of "events:" is Cachegrind's.
frame() {
	sed -n '/^desc:/p; /^cmd:/p; /^events:/s/ *$//p; /^summary:/p' "$1"
}

# sorted FILE: its functions, one a line; costgrind leaves those out that did not change.
sorted() {
	awk '/^fl=/ { file = $0 } /^fn=/ { fn = $0 } /^0/ && / -?[1-9]/ { print file, fn, $0 }' "$1" | LC_ALL=C sort
}

# flat OPTION... OLD NEW: ours, into a file of that name.
flat() {
	"$top_builddir/costgrind" diff --flat -o ours "$@" >ours.log 2>&1
}

# compare NAME OLD NEW
compare() {
	"$tools/cg_diff" "$2" "$3" >theirs 2>theirs.log
	flat "$2" "$3"
	is "$1" "$? $(check flat ours theirs 2>&1)" "0 "
	is "$1: header and summary" "$(frame ours)" "$(frame theirs)"
	is "$1: functions" "$(sorted ours)" "$(sorted theirs)"
	"$tools/cg_annotate" ours >annotated 2>annotated.log
	is "$1: cg_annotate reads it" "$? $(cat annotated.log)" "0 "
	is "$1: the totals" \
		"$(sed -n 's/ *([^)]*)//g; s/ *PROGRAM TOTALS//p' annotated | tr -d , | xargs)" \
		"$(sed -n 's/^summary: //p' theirs | xargs)"
}

n=0
for source in al.c cold.c ex.c inl.c rp.c sg.c st.c t.c tg.c ex.cpp cold_throw.cpp; do
	name=${source%.*}_${source##*.}
	n=$((n + 1))
	case $((n % 3)) in
	0) set -- --cache-sim=no --branch-sim=no ;;
	1) set -- --cache-sim=yes --branch-sim=no ;;
	2) set -- --cache-sim=yes --branch-sim=yes ;;
	esac
	build "$name" "$source" -g -O1 -pthread
	build "$name.2" "$source" -g -O2 -pthread
	profile "$name.a" "$@" "./$name"
	profile "$name.b" "$@" "./$name.2"
	compare "$name" "$name.a" "$name.b"
done
compare "a profile and itself" t_c.a t_c.a
compare "back" t_c.b t_c.a

# -- expressions ---------------------------------------------------------------------

# modified NAME OPTION...: as the installed one does.
modified() {
	modified_name=$1
	shift
	"$tools/cg_diff" "$@" t_c.a t_c.b >theirs 2>theirs.log
	flat "$@" t_c.a t_c.b
	is "$modified_name: exit status" "$?" 0
	is "$modified_name: header and summary" "$(frame ours)" "$(frame theirs)"
	is "$modified_name: functions" "$(sorted ours)" "$(sorted theirs)"
}

modified "names of files" '--mod-filename=s,.*/,,'
modified "groups" '--mod-filename=s/^(.*)\/([^\/]*)$/$2 in $1/' '--mod-funcname=s{(\w)(\w*)}{\2\1}gi'
modified "all functions are one" --mod-funcname=s/.*/all/ '--mod-filename=s/.+/any/s'
modified "nothing matches" --mod-funcname=s/nosuchname/x/

# Unrelated programs.
profile sed.a --cache-sim=yes --branch-sim=yes /bin/sed -n p /etc/passwd
compare "unrelated programs" sed.a cold_c.a
done_testing
