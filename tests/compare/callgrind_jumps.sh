#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Jumps inside functions, against Callgrind's (callgrind_jumps.py has the rules).
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

input text text 300
build "$scratch/throw" ex.cpp -g -O1
build "$scratch/loops" "$top_srcdir/tests/asm/calls_jumps.S" -nostdlib -static -g -Wl,-e,main

# profiled TOOL OPTION... PROGRAM ARGUMENTS...: a run into ./TOOL.profile.
profiled() {
	profiled_tool=$1
	shift
	env -i PATH=/usr/bin:/bin LC_ALL=C PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 \
		VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool="$profiled_tool" \
		"--$profiled_tool-out-file=$profiled_tool.profile" --vex-guest-chase=no \
		--cache-sim=no --dump-instr=yes --collect-jumps=yes \
		"$@" <text >"$profiled_tool.stdout" 2>"$profiled_tool.log"
	is "$agree_name: exit status of $profiled_tool" $? 0
}

# jumps_agree NAME PROGRAM ARGUMENTS...
jumps_agree() {
	agree_name=$1
	shift
	profiled callgrind "$@"
	profiled costgrind --counting=valgrind --names=core "$@"
	if agree_text=$(python3 "$top_srcdir/tests/compare/callgrind_jumps.py" costgrind.profile \
		callgrind.profile 2>&1); then
		ok "$agree_name: jumps as Callgrind has them"
		printf '# %s\n' "$agree_text"
	else
		not_ok "$agree_name: jumps as Callgrind has them" "$agree_text"
	fi
	is "$agree_name: executed as often as their instructions" \
		"$(python3 "$top_srcdir/tests/asm/jumps.py" executed costgrind.profile)" ""
	annotates "$agree_name" costgrind.profile
}

jumps_agree "loops" ./loops
jumps_agree exceptions ./throw
jumps_agree perl /usr/bin/perl "$top_srcdir/tests/compare/inputs/words.pl"
if [ -x /usr/bin/bc ]; then
	jumps_agree bc /usr/bin/bc -l -q "$top_srcdir/tests/compare/inputs/digits.bc"
else
	skip bc "no /usr/bin/bc (Debian: bc)"
fi

done_testing
