#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# protoc decodes what we write for pprof, and its sums are the profile's.
. "$top_srcdir/tests/lib.sh"

if ! command -v protoc >/dev/null 2>&1; then
	skip "pprof" "not installed: protoc (scripts/setup view)"
	done_testing
fi

# decoded FILE WORDS...
decoded() {
	gzip -dc "$1" | protoc --proto_path="$top_srcdir/tests/view" --decode=Stacks stacks.proto \
		>decoded || return
	shift
	python3 "$top_srcdir/tests/view/pprof.py" "$@" <decoded 2>&1
}

# own_of PROFILE EVENT: what functions cost themselves in a profile of ours.  Levels of recursion
# are one function in a call tree.
own_of() {
	python3 "$top_srcdir/tests/profile.py" cells "$1" | awk -F '\t' -v event="$2" '{
		n = split($4, counts, " ")
		for (i = 1; i <= n; i++)
			if (index(counts[i], event "=") == 1)
				sum[$2] += substr(counts[i], length(event) + 2)
	} END { for (name in sum) printf "%s\t%.0f\n", name, sum[name] }' | LC_ALL=C sort
}

build numbers "$top_srcdir/tests/view/numbers.c" -O2 -g
program=$top_builddir/costgrind
costgrind --cache-sim=yes --branch-sim=yes --dump-instr=yes --collect-jumps=yes --call-tree=yes \
	--separate-recs=1 --costgrind-out-file=all.out ./numbers >numbers.stdout 2>numbers.log
mv tree.*.costgrind tree.costgrind

for from in all.out tree.costgrind; do
	"$program" convert --to=pprof -o $from.pb.gz $from
	is "$from: totals" "$(decoded $from.pb.gz totals | sed '/^EstCyc /d')" \
		"$(python3 "$top_srcdir/tests/profile.py" totals all.out)"
	# The profile has the formula, the call tree has none.
	is "$from: derived" "$(decoded $from.pb.gz totals | grep '^EstCyc ')" "$(test $from != all.out ||
		"$program" annotate -q --auto=no --width=unlimited --show=EstCyc --show-percs=no $from |
		sed -n 's/^\([0-9,]*\)  *PROGRAM TOTALS.*/EstCyc \1/p' | tr -d ,)"
	is "$from: program" "$(decoded $from.pb.gz program)" "$PWD/numbers"
	for event in Ir D1mr Bcm; do
		is "$from: own costs in $event" "$(decoded $from.pb.gz own $event)" \
			"$(own_of all.out $event)"
	done
done
is "a profile: stacks are derived" "$(decoded all.out.pb.gz comments | grep -c derived)" 1
is "a call tree: stacks are as they were" "$(decoded tree.costgrind.pb.gz comments | grep -c derived)" 0
done_testing
