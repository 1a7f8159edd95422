#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The branch predictors of machines against those in Python that go by the rules alone (predictors.py), on the branches of
# small programs and on random ones: bit for bit.
. "$top_srcdir/tests/lib.sh"

# agrees NAME SIZE RETURNS TARGETS: the model says about each line of the file trace what is said there, and there
# are some of each kind.
agrees() {
	agrees_name=$1
	shift
	python3 "$top_srcdir/tests/compare/predictors.py" "$@" <trace >said
	is "$agrees_name: exit status" $? 0
	is "$agrees_name: wrong" "$(grep -v '^[a-z]* [0-9]*$' said; sed -n 's/^wrong //p' said)" 0
	is "$agrees_name: kinds without a branch" "$(grep ' 0$' said | grep -v wrong)" ""
}

# program NAME SIZE RETURNS TARGETS COMMAND...: runs it with predictors that are so large; of the exact model, if SIZE
# begins with "exact".
program() {
	program_name=$1 program_size=$2 program_returns=$3 program_targets=$4
	program_model=machine program_text=TAGE program_kb=${program_size#exact}
	case $program_size in exact*) program_model=exact program_text="exact TAGE" ;; esac
	shift 4
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 1M 16 lru" \
		"branch tage$program_kb" "ras $program_returns" "btb $program_targets" >small.machine
	costgrind -q --engine=plain --machine=small.machine --branch-model=$program_model --branch-sim=yes --branch-detail=yes \
		--trace-branches=yes --log-file=trace --costgrind-out-file=out "$@" >stdout
	is "$program_name, $program_size: exit status" $? 0
	agrees "$program_name, $program_size" "$program_size" "$program_returns" "$program_targets"
	is "$program_name, $program_size: predictors" "$(sed -n 's/^desc: Branches: //p' out)" \
		"$program_text of ${program_kb%k} KB, $program_returns return addresses, $program_targets targets"
}

# The sum of bits over the trace is what the profile says.
totals_agree() {
	is "$1: totals" "$(python3 "$top_srcdir/tests/profile.py" totals out | grep '^[B]')" \
		"$(awk '{ sub(/^.*branch: /, "") }
			function bit(n) { return int($4 / n) % 2 }
			$1 == "branch" { bc++; bcm += bit(1); bct += bit(4); bcb += bit(8); bch += bit(16) }
			$1 == "jump" { bi++; bim += bit(1) }
			$1 == "return" { br++; brm += bit(1) }
			{ btm += bit(2) }
			END { print "Bc " bc; print "Bcm " bcm; print "Bi " bi; print "Bim " bim
				print "Br " br; print "Brm " brm; print "Btm " btm
				print "Bct " bct; print "Bcb " bcb; print "Bch " bch }' trace)"
}

head -c 1200 "$top_srcdir/tests/compare/levels.py" >text
for size in 8k 64k exact8k exact64k; do
	program gzip $size 16 512 gzip -c text
	totals_agree "gzip, $size"
	program sort $size 32 4096 env LC_ALL=C sort text
	program awk $size 5 60 awk '{ for (i = 1; i <= NF; i++) n[$i]++ } END { for (w in n) print n[w] }' text
done

# Of these seeds the first has a loop that is driven out by another one.
for trial in "8k 15 16 64" "64k 2 32 8192" "exact8k 15 16 64" "exact64k 2 32 8192"; do
	# shellcheck disable=SC2086 # four words
	set -- $trial
	"$top_builddir/tests/sim/branches/predictor_test" "$1" "$2" 100000 >trace
	agrees "random, $1" "$1" "$3" "$4"
done

# A model that always agrees would be of no use.
awk '$2 == "branch" && ++n == 50000 { $5 = 3 - $5 % 4 } { print }' trace >changed
is "an outcome that is changed is found" \
	"$(python3 "$top_srcdir/tests/compare/predictors.py" exact64k 32 8192 <changed | tail -n 1)" "wrong 1"
done_testing
