#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What calls.py finds: errors that are planted in a profile, and what only seems to satisfy a rule.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"
. "$top_srcdir/tests/compare/lib/calling.sh"

compare_folder=$top_srcdir/tests/compare
programs=$top_srcdir/tests/programs

# both NAME [OPTIONS...] PROGRAM ARGUMENTS...: compares, and keeps the profiles as NAME.reference
# and NAME.ours.
both() {
	both_name=$1
	calls "$@"
	cp callgrind.out/profile.* "$both_name.reference"
	cp costgrind.out/profile.* "$both_name.ours"
}

# plant PROFILE ERROR...: makes PROFILE.planted.
plant() {
	plant_profile=$1
	shift
	python3 "$compare_folder/lib/plant.py" "$@" <"$plant_profile" >"$plant_profile.planted" &&
		return
	not_ok "plant $*"
	return 1
}

# finds NAME WANT COMMAND...: the command fails, and prints WANT.
finds() {
	finds_name=$1
	finds_want=$2
	shift 2
	finds_text=$(python3 "$@" 2>&1)
	finds_status=$?
	case "$finds_status $finds_text" in
	"1 "*"$finds_want"*) ok "$finds_name" ;;
	*) not_ok "$finds_name" "status $finds_status, wanted: $finds_want" "$finds_text" ;;
	esac
}

# differs NAME WANT [OPTIONS...] ERROR...: planted in NAME.ours, the error is found; the options are
# callgrind.py's.
differs() {
	differs_name=$1
	differs_want=$2
	shift 2
	differs_options=--share=100
	while case $1 in --*) ;; *) false ;; esac do
		differs_options="$differs_options $1"
		shift
	done
	plant "$differs_name.ours" "$@" || return
	# shellcheck disable=SC2086 # several options
	finds "$differs_name: $*" "$differs_want" "$compare_folder/callgrind.py" $differs_options \
		"$differs_name.reference" "$differs_name.ours.planted"
}

# adds_up_not NAME WANT ERROR...: planted in NAME.ours, the error is found by conserve.py.
adds_up_not() {
	adds_name=$1
	adds_want=$2
	shift 2
	plant "$adds_name.ours" "$@" || return
	finds "$adds_name: $* (sums)" "$adds_want" "$compare_folder/conserve.py" \
		"$adds_name.ours.planted"
}

# --- errors where no rule is ---

build "$scratch/unwind" "$programs/unwind.c" -g -O1
both builtin --share=3 "$scratch/unwind" builtin
differs builtin summary summary
differs builtin "unwind:builtin 0x" self builtin
differs builtin "unwind:builtin 0x" move builtin builtin_throw
differs builtin "builtin_recurse: Callgrind 1, costgrind 2" count builtin builtin_recurse
differs builtin "builtin_recurse'2: Callgrind 1, costgrind 1" \
	cost builtin_recurse "builtin_recurse'2"
differs builtin "Bim       Callgrind 1, costgrind 2" event main builtin
differs builtin "builtin_throw: Callgrind 1, costgrind 0" drop "builtin_recurse'2" builtin_throw
differs builtin "builtin_throw: Callgrind 0, costgrind 1" callee builtin spin builtin_throw

adds_up_not builtin "summary: is not totals:" summary
adds_up_not builtin "builtin: with what is called Ir is 282, but callers paid 281" self builtin
adds_up_not builtin "builtin: with what is called Ir is 282, but callers paid 281" \
	move builtin builtin_throw
adds_up_not builtin "builtin: with what is called Ir is 281, but callers paid 282" cost main builtin
adds_up_not builtin "main: with what is called Bim" event main builtin
started=$(python3 "$compare_folder/conserve.py" --roots 0 builtin.ours | sed 's/.*: //')
adds_up_not builtin "2 roots, not 1: $started; builtin
" drop main builtin

# Functions come as their objects' paths do; what is said about them comes by their names.
cat >named <<END
# callgrind format
version: 1
creator: costgrind-test
pid: 1
cmd: named
part: 1
positions: instr line
events: Ir
summary: 5

ob=/opt/x
fl=a.c
fn=early
0x1 1 2

ob=/usr/x
fl=a.c
fn=late
0x2 1 3

totals: 5
END
sed 's/early/latest/' named >renamed
finds "roots" "2 roots, not 1: early; late" "$compare_folder/conserve.py" named
finds "roots in another order" "2 roots, not 1: late; latest" "$compare_folder/conserve.py" renamed

# --- rules ---

finds "share" "more than 0.1 % of the functions needed a rule" "$compare_folder/callgrind.py" \
	--share=0.1 builtin.reference builtin.ours

# section, last: not anything in such functions.
differs builtin 0x0000000000001000 self 0x0000000000001000
differs builtin _Exit self _Exit
# loop: not a call instruction.
differs builtin "builtin_recurse'2: Callgrind 5, costgrind 0" \
	drop "builtin_recurse'2" "builtin_recurse'2"
# body: the costs stay where they belong, and what calls either is compared.
differs builtin memcpy move mempcpy memcpy
differs builtin "calls ld-linux-x86-64.so.2:mempcpy" cost _dl_new_object mempcpy
adds_up_not builtin "mempcpy: with what is called" drop mempcpy memcpy

# handler: what handlers cost is not to be had for nothing, nor is more of it.
build "$scratch/sg" sg.c -g -O1
both sg --share=3 --handler h --roots 2 "$scratch/sg"
finds "sg: not said to be a handler" summary "$compare_folder/callgrind.py" --share=3 \
	sg.reference sg.ours
differs sg "h 0x" --handler=h self h
differs sg "hwork: Callgrind 5, costgrind 6" --handler=h count h hwork
plant sg.reference summary &&
	finds "sg: Callgrind's summary" summary "$compare_folder/callgrind.py" --share=3 --handler h \
		sg.reference.planted sg.ours

# cold: what cold parts call is compared.
build "$scratch/exceptions" "$programs/exceptions.cpp" -g -O2
both exceptions --share=3 "$scratch/exceptions"
relay='(anonymous namespace)::relay(int)'
differs exceptions "calls exceptions:spin(unsigned int)" count "$relay" "spin(unsigned int)"
differs exceptions "relay(int) 0x" move "$relay" '(anonymous namespace)::nested()'

# unloaded: only where it is said.
build "$scratch/dlm" dlm.c -g -O1 -ldl
build "$scratch/libq.so" q.c -g -O1 -shared -fPIC
both dlm --share=3 --unloaded libq.so --copy "$scratch/libq.so" "$scratch/dlm"
finds "dlm: not said to be unloaded" "libq.so:q 0x" "$compare_folder/callgrind.py" --share=3 \
	dlm.reference dlm.ours
differs dlm "libq.so:q 0x" --unloaded=libq.so self q

done_testing
