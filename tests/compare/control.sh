#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Under the name callgrind_control, costgrind prints what the installed one does, of Callgrind and
# of costgrind in its place; and sees costgrind too.
. "$top_srcdir/tests/lib.sh"

build idle "$top_srcdir/tests/programs/idle.c" -O1 -g -static
theirs=$VALGRIND_BIN/callgrind_control
mkdir bin
ln -s "$top_builddir/costgrind" bin/callgrind_control
mkfifo one.in two.in three.in
trap 'kill $one $two $three 2>/dev/null' EXIT
"$VALGRIND" --tool=callgrind --cache-sim=yes --callgrind-out-file=one.cg ./idle x y <one.in >one.out 2>one.err &
one=$!
VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=callgrind \
	--callgrind-out-file=two.cg ./idle <two.in >two.out 2>two.err &
two=$!
VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind --costgrind-out-file=three.cg ./idle <three.in >three.out 2>three.err &
three=$!
exec 3>one.in 4>two.in 5>three.in

# ours ARGS...
ours() {
	timeout 60 bin/callgrind_control "$@"
}
for _ in $(seq 100); do
	ours -b $one $two $three 2>/dev/null | grep -c wait_here | grep -q '^3$' && break
	sleep 0.1
done

# same NAME ARGS...: both print the same, but for what each calls itself.
same() {
	same_name=$1
	shift
	timeout 60 "$theirs" "$@" 2>/dev/null >their.txt
	same_status=$?
	ours "$@" >our.txt 2>our.err
	is "$same_name" "$? $(sed "s,bin/callgrind_control,$theirs," our.txt)" \
		"$same_status $(grep -v '^(C)' their.txt | sed '/^Observe/{n;}')"
	cat our.err
}
same "no action" $one
# Several come in the order in which its hash has them.
is "no action, of two" "$(ours $one $two | sort)" \
	"$(timeout 60 "$theirs" $one $two 2>/dev/null | grep -v '^(C)' | sort)"
same "-s" -s $one
same "-b" --back $one
same "-e" -e $one
same "-e Ir" -e Ir $one
same "-e -b" -e -b $one
same "-s -e -b -v" --stat -e -b -v $one
same "-d" -d $one
same "-d WORD" -d word $one
same "--dump=WORD -v" --dump=word -v $one
same "-i off" -i off $one
same "... and -s" -s $one
same "--instr=on" --instr=on $one
same "-z" -z $one
same "costgrind in its place: -s -e -b" -s -e -b $two
same "... -b" -b $two
same "... --dump=WORD" --dump=word $two
same "... --instr=off" --instr=off $two
same "... --zero" --zero $two
is "dumps have hints" "$(sed -n 's/^desc: Trigger: //p' one.cg.[1-6] two.cg.[1-2] | sort | uniq -c |
	sed 's/^ *//')" "2 dump
6 dump word"
same "a name" ./idle x
same "-h" -h
same "--help" --help
same "-l, which it does not have" -l
same "--long" --long
same "-i without a word" -i
same "-i with another word" -i maybe $one
same "--instr with another word" --instr=maybe
same "nothing of that name" nothing_like_this
same "nothing at that prefix" --vgdb-prefix="$PWD/nowhere" 99999999
is "--version" "$(ours --version)" "$("$top_builddir/costgrind" --version)"
is "costgrind by its own name" "$(ours $three)" "PID $three: ./idle"
is "-k" "$(ours -k $three)
$("$top_builddir/costgrind" check -q three.cg; echo $?)" "PID $three: ./idle
  OK.
0"
kill $two
is "-k of Callgrind, with a last part" "$(ours --kill $one; [ -s one.cg.7 ] && echo whole)" \
	"PID $one: ./idle x y
  OK.
whole"
done_testing
