#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# callgrind_annotate shows the same of our profile as of Callgrind's: the self cost of functions of
# the C library.  (All other tests of this folder let it read each profile that they make.)
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

input text text 300

# profiled TOOL OPTION...: a run of a program that allocates much, into ./TOOL.profile.
profiled() {
	tool=$1
	shift
	env -i PATH=/usr/bin:/bin LC_ALL=C PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 \
		VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool="$tool" \
		"--$tool-out-file=$tool.profile" --cache-sim=yes --branch-sim=yes \
		--I1=2048,2,32 --D1=4096,4,128 --LL=32768,8,64 "$@" \
		/usr/bin/perl "$top_srcdir/tests/compare/inputs/words.pl" <text >"$tool.stdout" 2>"$tool.log"
	is "$tool: exit status" $? 0
}

# self_cost TOOL FUNCTION: added up over its source files and, of Callgrind, levels of recursion.
# Reads and writes are one number, since a modify is a read here and a write there.
self_cost() {
	"$annotator" --threshold=100 --show-percs=no --auto=no "$1.profile" |
		awk -v name="$2" '
		{
			rest = $0
			for (i = 1; i <= 13; i++) {
				if ($i !~ /^[0-9,.]+$/)
					next
				sub(/^ *[^ ]+ */, "", rest)
			}
			sub(/ \[[^[]*\]$/, "", rest)
			sub(/\x27[0-9]+$/, "", rest)
			sub(/^.*:/, "", rest)
			if (rest != name)
				next
			found = 1
			gsub(/,/, "")
			for (i = 1; i <= 13; i++)
				sum[i] += $i == "." ? 0 : $i
		}
		END {
			if (found)
				print "Ir=" sum[1], "Dr+Dw=" sum[2] + sum[3], "I1mr=" sum[4],
				      "D1mr+D1mw=" sum[5] + sum[6], "ILmr=" sum[7],
				      "DLmr+DLmw=" sum[8] + sum[9], "Bc=" sum[10], "Bcm=" sum[11],
				      "Bi=" sum[12], "Bim=" sum[13]
		}'
}

profiled callgrind
profiled costgrind --counting=valgrind
annotates perl costgrind.profile

# Functions whose superblocks are all their own: they begin in them and do not run on into the next
# function, and nobody calls others from them through a stub, which Callgrind charges to the caller.
for function in _int_malloc malloc free; do
	want=$(self_cost callgrind $function)
	is "self cost of $function" "$(self_cost costgrind $function)" "$want"
	case $want in
	"Ir="[1-9][0-9][0-9][0-9]*) ok "$function was called" ;;
	*) not_ok "$function was called" "$want" ;;
	esac
done

done_testing
