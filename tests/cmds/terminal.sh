#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What commands do on a terminal only: a pager, colours, progress.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/* .
unset NO_COLOR LESS
export TERM=dumb

# on_terminal COMMAND...
on_terminal() {
	python3 "$top_srcdir/tests/cmds/on_terminal.py" "$@"
}

# -- a pager ---------------------------------------------------------------------

plain=$("$program" annotate --auto=no rank0.out)
is "the pager has it all" "$(PAGER='sed s/^/paged:/' on_terminal "$program" annotate --auto=no \
	--color=never rank0.out)" "$("$program" annotate --auto=no rank0.out | sed 's/^/paged:/')"
is "no pager: cat" "$(PAGER='cat' on_terminal "$program" annotate --auto=no --color=never rank0.out)" \
	"$plain"
is "no pager: empty" "$(PAGER='' on_terminal "$program" annotate --auto=no --color=never rank0.out)" \
	"$plain"
is "no pager for a file" "$(PAGER='sed s/^/paged:/' on_terminal "$program" annotate --auto=no \
	-o out rank0.out; cat out)" "$plain"
is "no pager for what programs read" "$(PAGER='sed s/^/paged:/' on_terminal "$program" annotate \
	--auto=no --format=csv rank0.out)" "$("$program" annotate --auto=no --format=csv rank0.out)"
is "a pager that is left early" "$(PAGER='head -n 2' on_terminal "$program" annotate --auto=no \
	--color=never rank0.out; echo $?)" "$(printf '%s\n' "$plain" | head -n 2; echo 0)"
is "check has a pager" "$(PAGER='sed s/^/paged:/' on_terminal "$program" check -q --readers |
	grep -c -v ^paged:)" 0
is "COSTGRIND_PAGER comes first" "$(COSTGRIND_PAGER='sed s/^/ours:/' PAGER='sed s/^/paged:/' on_terminal "$program" annotate \
	--auto=no --color=never rank0.out)" "$("$program" annotate --auto=no rank0.out | sed 's/^/ours:/')"
is "no pager: --no-pager" "$(PAGER='sed s/^/paged:/' on_terminal "$program" annotate --no-pager --auto=no --color=never rank0.out)" \
	"$plain"
is "no pager: a terminal without a size" "$(PAGER='sed s/^/paged:/' on_terminal --rows=0 "$program" annotate --auto=no \
	--color=never rank0.out)" "$plain"
# In a group of its own it is in the background: a pager would be stopped.
is "no pager: in the background" "$(PAGER='sed s/^/paged:/' on_terminal sh -c "timeout 60 '$program' annotate --auto=no \
	--color=never rank0.out; exit")" "$plain"
is "no pager: another session's terminal" "$(PAGER='sed s/^/paged:/' on_terminal setsid -w "$program" annotate --auto=no \
	--color=never rank0.out)" "$plain"
# shellcheck disable=SC2016 # for the shell that the pager is
is "options of less" "$(unset LESS; PAGER='echo $LESS $LV; cat >rest' on_terminal "$program" annotate --auto=no rank0.out
	LESS=x PAGER='echo $LESS; cat >rest' on_terminal "$program" annotate --auto=no rank0.out)" "FRX -c
x"
for pager in ./nowhere nowhere 'nowhere -x'; do
	is "a pager that does not exist: $pager" "$(PAGER=$pager on_terminal "$program" annotate \
		--auto=no --color=never rank0.out; echo $?)" "$(printf '%s\n\n0\n' "$plain")"
done

# -- long names -------------------------------------------------------------------

cat >names.cg <<'END'
events: Ir
ob=/usr/lib/here/libc++.so
fl=/home/ann/project/source.cpp
fn=ns::table<std::map<long, std::pair<long, long> > >::add(std::vector<int> const&, long)
1 90
fn=short_one
2 10
END
is "long names are folded to the width" "$(PAGER='' on_terminal sh -c "stty cols 70 <&1
	'$program' annotate --show=Ir --auto=no --brief --color=never names.cg" | grep 'cpp:')" \
	"90 (90.00%)  source.cpp:ns::table<...>::add(...) [libc++.so]
10 (10.00%)  source.cpp:short_one [libc++.so]"
is "where there is room, they are whole" "$(PAGER='' on_terminal sh -c "stty cols 250 <&1
	'$program' annotate --auto=no --brief --color=never names.cg")" \
	"$("$program" annotate --auto=no --brief --width=250 names.cg)"

# -- many columns -----------------------------------------------------------------

cp "$top_srcdir/tests/profiles/costgrind-all.cg" .
# on COLUMNS OPTIONS...: what annotate prints on such a terminal.
on() {
	on_columns=$1
	shift
	PAGER='' on_terminal sh -c "stty cols $on_columns <&1
		'$program' annotate -q --brief --auto=no --color=never $* costgrind-all.cg"
}
# widest: characters of the longest line, names of files and rules aside.
widest() {
	sed '/^-*$/d; s/\\r//' | awk '{ if (length($0) > n) n = length($0) } END { print n }'
}
all=$("$program" annotate -q --brief --auto=no --width=unlimited costgrind-all.cg)
for columns in 70 80 120 160; do
	is "$columns columns" "$(($(on $columns | widest) <= columns))" 1
done
is "instructions have a column where there is room" \
	"$(on 45 | sed -n 1p | grep -c Instrs) $(on 120 | sed -n 1p | grep -c Instrs)" "0 1"
is "what is asked for is there" "$(on 60 --show=Ir,Dr,Dw,D1mr,D1mw | sed -n 2p | tr -s ' ')" "Ir Dr Dw D1mr D1mw"
is "enough room" "$(on 900)" "$all"
COLUMNS=60 "$program" annotate -q --brief --auto=no -o all.txt costgrind-all.cg
is "no terminal: 120 columns" "$(cat all.txt)" \
	"$("$program" annotate -q --brief --auto=no --width=120 costgrind-all.cg)"

# -- machine code -----------------------------------------------------------------

cp "$top_srcdir"/tests/golden/code/inputs/loop* .
title() {
	PAGER='' on_terminal sh -c "stty cols $1 <&1
		'$program' annotate -q --brief '--asm=*fact*' --color=never long.cg" |
		sed -n 's/^-- Machine code: //p'
}
sed 's/fn=fact/fn=ns::table<std::map<long, std::pair<long, long> > >::fact/' loop.cg >long.cg
is "a title is folded to the width" "$(($(title 70 | wc -L) <= 70 - 17)) $(title 70 | grep -c '<\.\.\.>.*, 0x')" "1 1"

# -- colours ----------------------------------------------------------------------

count_escapes() {
	if grep -q '\\e\['; then echo some; else echo none; fi
}
is "colours" "$(PAGER='cat' on_terminal "$program" annotate --auto=no rank0.out | count_escapes)" some
is "--color=never" "$(PAGER='cat' on_terminal "$program" annotate --auto=no --color=never rank0.out |
	count_escapes)" none
is "NO_COLOR" "$(NO_COLOR=1 PAGER='cat' on_terminal "$program" annotate --auto=no rank0.out |
	count_escapes)" none

# -- progress ---------------------------------------------------------------------

# More than a pipe holds, so that reading has begun before three seconds pass.
slowly() {
	head -n 5 rank0.out
	yes '# This is a comment.' | head -n 20000
	sleep 3.2
	yes '# What is told is told every few megabytes.' | head -n 300000
	tail -n +6 rank0.out
}
is "no progress before two seconds" "$(on_terminal "$program" merge -o out rank0.out)" ""
slowly | on_terminal "$program" merge -o slow - >merge.told &
slowly | on_terminal "$program" merge -q -o quiet - >quiet.told &
slowly | PAGER='cat' on_terminal "$program" check - >check.told &
slowly | PAGER='cat' on_terminal "$program" annotate --auto=no --color=never - >annotate.told
wait
wiped='\\r[ ]{24}\\r'
for command in merge check annotate; do
	if grep -q -E "^(\\\\rreading: *[0-9]+ MiB)+$wiped" "$command.told"; then
		ok "progress of $command, wiped in the end"
	else
		not_ok "progress of $command" "$(cat "$command.told")"
	fi
done
is "no progress if it is quiet" "$(cat quiet.told)" ""
is "the same result" "$(cat slow)" "$("$program" merge - <rank0.out)"
done_testing
