#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Callgrind's counts of bus locks and system calls are ours.  Of where it charges them not all is
# right: tests/tool/process/systime.sh has that.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

input text text 300

# profiled TOOL OPTION... PROGRAM ARGUMENTS...: its run, into ./TOOL.profile.
profiled() {
	tool=$1
	shift
	env -i PATH=/usr/bin:/bin LC_ALL=C PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 \
		VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool="$tool" \
		"--$tool-out-file=$tool.profile" --vex-guest-chase=no --cache-sim=no \
		--collect-bus=yes --collect-systime=usec "$@" <text >"$tool.stdout" 2>"$tool.log"
	is "$tool $1: exit status" $? 0
}

# summary TOOL: Ge and sysCount.  (In Callgrind's "totals:" the last system call is missing.)
summary() {
	sed -n 's/^events: //p; s/^summary: //p' "$1.profile" | awk '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		NR == 2 { print "Ge=" $column["Ge"], "sysCount=" $column["sysCount"] }'
}

# same NAME PROGRAM ARGUMENTS...
same() {
	name=$1
	shift
	profiled callgrind "$@"
	profiled costgrind --counting=valgrind "$@"
	is "$name: Ge and sysCount" "$(summary costgrind)" "$(summary callgrind)"
	case $(summary costgrind) in
	"Ge="[1-9]*" sysCount="[1-9]*) ok "$name: there are some" ;;
	*) not_ok "$name: there are some" "$(summary costgrind)" ;;
	esac
	annotates "$name" costgrind.profile
}

same perl /usr/bin/perl "$top_srcdir/tests/compare/inputs/words.pl"
same sort sort -u
same xz xz -1 -c
# Twenty threads, one after the other.
build "$scratch/relay" relay.S -g -nostdlib -static
profiled callgrind "$scratch/relay"
profiled costgrind --counting=valgrind "$scratch/relay"
is "relay: sysCount" "$(summary costgrind)" "$(summary callgrind)"

done_testing
