#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options of contexts: which values they take, the words with which a wrong one is refused; what
# they do to a profile is tested elsewhere.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster

# accepted OPTION...: the program runs as if there were none, and nobody says anything.
accepted() {
	costgrind -q --cache-sim=no --costgrind-out-file=accepted.out "$@" \
		"$scratch/script" print ran >accepted.txt 2>&1
	is "accepted: $*" "$(echo "status $?"; cat accepted.txt)" "status 0${newline}ran"
}

# --- yes or no ---

for option in separate-threads skip-plt skip-direct-rec; do
	accepted --$option=yes
	accepted --$option=no
	refused "--$option=: expected yes or no" --$option=
	refused "--$option=on: expected yes or no" --$option=on
	refused "--$option: expected --$option=yes|no" --$option
done

# --- numbers ---

accepted --separate-callers=0 --separate-recs=1
accepted --separate-callers=3 --separate-recs=2
accepted --separate-callers=255 --separate-recs=65535
accepted --separate-callers=007
for value in "" 256 -1 +1 " 1" "1 " 0x10 1.5 3k autos 4294967296 18446744073709551617; do
	refused "--separate-callers=$value: expected a number from 0 to 255" "--separate-callers=$value"
done
refused "--separate-callers: expected --separate-callers=<n>" --separate-callers
refused "--separate-callers=auto: not implemented, in Callgrind neither; expected a number from 0 \
to 255" --separate-callers=auto
# With level 0, nothing would be recorded.
for value in "" 0 00 65536 -1 0x10 two 4294967297; do
	refused "--separate-recs=$value: expected a number from 1 to 65535" "--separate-recs=$value"
done
refused "--separate-recs: expected --separate-recs=<n>" --separate-recs

# --- patterns ---

accepted --fn-skip=main
accepted --fn-skip=main --fn-skip=main '--fn-skip=std::*' '--fn-skip=?' --fn-skip=a=b
accepted --obj-skip=/lib/libc.so.6 '--obj-skip=*/libm?.so*'
accepted --pop-on-jump --pop-on-jump=main '--pop-on-jump=_dl_*'
for option in fn-skip obj-skip pop-on-jump; do
	refused "--$option=: expected a name or a pattern after =" --$option=
done
refused "--fn-skip: expected --fn-skip=<pattern>" --fn-skip
refused "--obj-skip: expected --obj-skip=<pattern>" --obj-skip

# Not taken for patterns, as Callgrind does.
for value in yes no; do
	refused "--pop-on-jump=$value: expected a pattern of names of functions; \
--pop-on-jump alone is for all functions" --pop-on-jump=$value
done
accepted --pop-on-jump=yes_or_no

# --- patterns with a number ---

accepted --separate-callers0=main '--separate-callers255=*' --separate-callers=1
accepted --separate-recs1=main '--separate-recs65535=*' --separate-recs=1
accepted --fn-group1=main '--fn-group65535=*'
accepted '--fn-group1=f(char*)' --fn-group1=a=b
for option in separate-callers separate-recs fn-group; do
	min=1
	max=65535
	[ $option != separate-callers ] || min=0 max=255
	form="expected --$option<n>=<pattern> with n from $min to $max"
	refused "--${option}3=: expected a name or a pattern after =" --${option}3=
	refused "--${option}3: $form" --${option}3
	refused "--${option}3x=main: $form" --${option}3x=main
	refused "--${option}65536=main: $form" --${option}65536=main
	refused "--${option}4294967297=main: $form" --${option}4294967297=main
	[ $min -eq 0 ] || refused "--${option}0=main: $form" --${option}0=main
done
refused "--separate-callers256=main: expected --separate-callers<n>=<pattern> with n from 0 to 255" \
	--separate-callers256=main
refused "--fn-group=main: expected --fn-group<n>=<pattern> with n from 1 to 65535" --fn-group=main
refused "--fn-group: expected --fn-group<n>=<pattern> with n from 1 to 65535" --fn-group

# The first wrong one is reported.
refused "--separate-recs=0: expected a number from 1 to 65535" --separate-callers=3 \
	--separate-recs=0 --fn-group0=main

# --- many of them ---

set --
for letter in a b c d e f g h i j k l m n o p q r s t u v w x y z; do
	set -- "$@" "--separate-callers2=$letter*" "--fn-skip=*::$letter" "--obj-skip=*$letter?"
done
costgrind -q --cache-sim=no --costgrind-out-file=accepted.out "$@" \
	"$scratch/script" print ran >accepted.txt 2>&1
is "accepted: 78 rules" "$(echo "status $?"; cat accepted.txt)" "status 0${newline}ran"
# Stars upon stars: the time to match does not explode.
accepted '--fn-skip=*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b'

# --- patterns that match nothing ---

# told OPTION...: what is said about patterns.
told() {
	costgrind --cache-sim=no --costgrind-out-file=accepted.out "$@" \
		"$scratch/script" print ran 2>told.err >told.out
	sed -n 's/^==[0-9]*== costgrind: \(.*such a name\)$/\1/p' told.err
}

is "a pattern of no function" "$(told --fn-skip=main --fn-skip=mian '--obj-skip=*/script' \
	'--obj-skip=script' --separate-callers2=nobody '--fn-group1=m*n' --pop-on-jump)" \
"--fn-skip=mian: no function that was run has such a name
--obj-skip=script: no object that was run has such a name
--separate-callers2=nobody: no function that was run has such a name"
is "a pattern of no function, with -q" "$(told -q --fn-skip=mian)" ""

# --- names that only begin alike ---

for meant in --separate-callersx=main:--separate-callers --separate-recs-2=main:--separate-recs \
	--fn-groupx=main:--fn-group --fn-skip2=main:--fn-skip --pop-on-jumps:--pop-on-jump \
	--pop-on-jump2=main:--pop-on-jump --skip-plt2=yes:--skip-plt; do
	refused "${meant%:--*}: no such option, did you mean --${meant##*:--}?" "${meant%:--*}"
done

done_testing
