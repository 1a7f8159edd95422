#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The installed cg_diff and ours find the same difference of each function, the same header and
# summary, under the name cg_diff and as costgrind diff --flat; and cg_annotate reads it.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/compare/lib/cachegrind.sh
. "$top_srcdir/tests/compare/lib/cachegrind.sh"

tools=$VALGRIND_BIN
check() {
	python3 "$top_srcdir/tests/cmds/diff/diff_check.py" "$@"
}
ln -s "$top_builddir/costgrind" cg_diff

# frame FILE: all but the functions; the blank at the end of "events:" is Cachegrind's.
frame() {
	sed -n '/^desc:/p; /^cmd:/p; /^events:/s/ *$//p; /^summary:/p' "$1"
}

# sorted FILE: its functions, one a line, without those that the two count as nothing.
sorted() {
	awk '/^fl=/ { file = $0 } /^fn=/ { fn = $0 } /^0/ { print file, fn, $0 }' "$1" | LC_ALL=C sort
}

# compare NAME OLD NEW
compare() {
	"$tools/cg_diff" "$2" "$3" >theirs 2>theirs.log
	./cg_diff "$2" "$3" >ours 2>ours.log
	is "$1: exit status" "$? $(cat ours.log)" "0 "
	is "$1: header and summary" "$(frame ours)" "$(frame theirs)"
	is "$1: functions" "$(sorted ours)" "$(sorted theirs)"
	is "$1: there are some" "$(grep -c '^fn=' ours)" "$(grep -c '^fn=' theirs)"
	"$top_builddir/costgrind" diff --flat -o flat "$2" "$3" >flat.log 2>&1
	is "$1: costgrind diff --flat" "$? $(check flat flat theirs 2>&1)" "0 "
	is "$1: its summary" "$(frame flat)" "$(frame theirs)"
	"$tools/cg_annotate" flat >annotated 2>annotated.log
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
	./cg_diff "$@" t_c.a t_c.b >ours 2>ours.log
	is "$modified_name: exit status" "$? $(cat ours.log)" "0 "
	is "$modified_name: header and summary" "$(frame ours)" "$(frame theirs)"
	is "$modified_name: functions" "$(sorted ours)" "$(sorted theirs)"
}

modified "names of files" '--mod-filename=s,.*/,,'
modified "groups" '--mod-filename=s/^(.*)\/([^\/]*)$/$2 in $1/' '--mod-funcname=s{(\w)(\w*)}{\2\1}gi'
modified "all functions are one" --mod-funcname=s/.*/all/ '--mod-filename=s/.+/any/s'
modified "of two expressions, the last counts" --mod-funcname=s/main/first/ --mod-funcname=s/a/o/ \
	'--mod-filename=s,.*,first,' '--mod-filename=s,.*/,,'
modified "nothing matches" --mod-funcname=s/nosuchname/x/

# Unrelated programs.
profile sed.a --cache-sim=yes --branch-sim=yes /bin/sed -n p /etc/passwd
compare "unrelated programs" sed.a cold_c.a

# -- exit codes -----------------------------------------------------------------------

# dies NAME ARGS...: with the status of the installed one.
dies() {
	dies_name=$1
	shift
	"$tools/cg_diff" "$@" >/dev/null 2>&1
	dies_want=$?
	./cg_diff "$@" >/dev/null 2>&1
	is "$dies_name: exit status as there" "$?" "$dies_want"
}
dies "one file" t_c.a
dies "three files" t_c.a t_c.a t_c.a
dies "no such option" --foo t_c.a t_c.b
dies "different events" cold_c.a al_c.a
dies "no such file" t_c.a nowhere
dies "an empty file" /dev/null t_c.a

# -- what is not the same on purpose: one line on what was expected --------------------------------

# fails NAME STATUS MESSAGE ARGS...
fails() {
	fails_name=$1
	fails_want="$2 $3"
	shift 3
	fails_got=$(./cg_diff "$@" 2>&1 >/dev/null | head -n 1)
	./cg_diff "$@" >/dev/null 2>&1
	is "$fails_name" "$? $fails_got" "$fails_want"
}
usage="usage: cg_diff [options] <cachegrind-out-file1> <cachegrind-out-file2>"
fails "one file" 255 "$usage" t_c.a
fails "three files" 255 "$usage" t_c.a t_c.a t_c.a
fails "no such option" 255 "$usage" --foo t_c.a t_c.b
fails "a bad expression" 255 "cg_diff: --mod-filename: 's/a': expected s/OLD/NEW/, in column 4: \
expected '/' at the end of OLD" --mod-filename=s/a t_c.a t_c.b
fails "different events" 255 "cg_diff: events don't match" cold_c.a al_c.a
is "its help" "$(./cg_diff --help | head -n 1)" "$usage"
is "its version" "$(./cg_diff --version)" "cg_diff-$("$top_builddir/costgrind" --version | sed 's/.*-//') (costgrind)"
is "by another path" "$("$PWD/cg_diff" t_c.a t_c.b | md5sum)" "$(./cg_diff t_c.a t_c.b | md5sum)"
done_testing
