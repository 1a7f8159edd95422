#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Under their names, the tool takes what Callgrind and Cachegrind take, hidden options too, in any
# order, and makes the same of it: exit status, events, positions; and refuses what they refuse.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
export HOME="$PWD"

# shape LIBRARY TOOL OPTION...: what a run with these options is like.
shape() {
	library=$1
	tool=$2
	shift 2
	rm -f shape.out*
	VALGRIND_LIB=$library "$VALGRIND" --tool="$tool" "--$tool-out-file=shape.out" "$@" \
		"$scratch/script" spin 10 >shape.stdout 2>shape.err
	echo "exit status $?"
	sed -n '/^positions:/p; /^events:/s/ *$//p' shape.out* 2>shape.none
}

# alike TOOL OPTION...: both are, and what is written is not nothing.
alike() {
	theirs=$(shape "$COSTGRIND_LIB" "$@")
	is "$*" "$(shape "$unspaced_builddir/valgrind-lib-dropin" "$@")" "$theirs"
	case $theirs in
	*events*) ;;
	*) not_ok "$*: accepted" "$theirs" ;;
	esac
}

# both_refuse TOOL OPTION...
both_refuse() {
	is "refused: $*" "$(shape "$unspaced_builddir/valgrind-lib-dropin" "$@" | head -n 1) there: \
$(shape "$COSTGRIND_LIB" "$@" | head -n 1)" "exit status 1 there: exit status 1"
}

# --- all options that are in the installed programs, and not in all tools ---

# words TOOL: what looks like an option in its program.
words() {
	strings -n 4 "$top_builddir/valgrind-lib/$1"-*-linux | grep -o '^--[a-zA-Z0-9][a-zA-Z0-9-]*' |
		sort -u
}

words none >none.words
for tool in callgrind cachegrind; do
	words $tool | comm -23 - none.words >$tool.words
	is "$tool: all options are known" "$(while read -r option; do
		grep -q "(\"$option\"" "$top_srcdir/writer/shared/optionlist.h" || echo "$option"
	done <$tool.words)" ""
done
is "there are some" "$(grep -cx -e --cacheuse -e --separate-recs -e --dump-bbs callgrind.words)" 3

# --- Callgrind: what is on the command line later wins, and any option of caches switches them on ---

d1=--D1=1024,2,64
for options in "" \
	"--simulate-wb=no" "--simulate-hwpref=no" "--simulate-sectors=no" "--cacheuse=no" "$d1" \
	"--simulate-wb=no --cache-sim=no" "--cache-sim=no --simulate-wb=yes" \
	"--simulate-wb=yes --cache-sim=no" "--simulate-sectors=yes" \
	"--cache-sim=no $d1" "$d1 --cache-sim=no" \
	"--cacheuse=yes" "--cacheuse=yes --dump-instr=no" "--dump-instr=no --cacheuse=yes" \
	"--cacheuse=yes --simulate-wb=yes" "--simulate-hwpref=yes --cacheuse=yes" \
	"--simulate-wb=yes --simulate-hwpref=yes" \
	"--simulate-cache=yes --trace-jump=yes" "--L2=65536,16,64" \
	"--dump-instr=yes --dump-line=no" "--dump-line=no" \
	"--branch-sim=yes --collect-bus=yes --collect-systime=nsec"; do
	# shellcheck disable=SC2086 # several options in one variable
	alike callgrind $options
done

# --- Callgrind: hidden options, and values that look wrong ---

for option in --dump-bbs=yes --mangle-names=no --compress-mangled=yes --ct-vstart=1000000000 \
	--pop-on-jump --pop-on-jump=yes --pop-on-jump=main --separate-callers=auto --fn-skip= \
	--fn-group1=main --dump-every-bb=5000000000 --separate-recs=1 --toggle-collect=main \
	--separate-callers2=main --separate-recs3=main --zero-before=main --instr-atstart=no; do
	alike callgrind $option
done
alike callgrind --toggle-collect=nothing --collect-atstart=yes

# What they take and do something else with is reported (tests/tool/options/option_callgrind.sh).
for option in --ct-verbose=0 --collect-alloc=no --dump-bb=no; do
	alike callgrind $option
done

for option in --collect-alloc=maybe --simulate-sectors=1 --dump-bb --ct-verbose=x \
	--separate-recs=two --I1=1024 --nonsense=1 --cache-sm=yes --fn-groupx=main; do
	both_refuse callgrind $option
done

# --- Cachegrind ---

for options in "" "--cache-sim=no" "--cache-sim=yes" "--branch-sim=yes" \
	"--cache-sim=no --branch-sim=yes" "--cache-sim=no $d1" "$d1 --LL=65536,16,64 --cache-sim=yes" \
	"--L2=65536,16,64 --cache-sim=yes"; do
	# shellcheck disable=SC2086 # several options in one variable
	alike cachegrind $options
done
both_refuse cachegrind --cache-sim=maybe
both_refuse cachegrind --I1=1024

done_testing
