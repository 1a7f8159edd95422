#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of docs/SCALE.md do what it says: a tree of merges is one merge of all.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/recipes.sh"

on_path
mkdir profiles

# Each block is run by a test, here or below tests/cluster, and nothing in the document is a block but those and
# what their commands print.
is "each block is some test's" "$(sed -n 's/^<!-- tested: \(.*\) -->$/\1/p' "$top_srcdir/docs/SCALE.md" |
	while read -r name; do
		grep -Eq "(recipe|follow|shows|tree) $name\\>" "$0" "$top_srcdir"/tests/cluster/*.sh || echo "$name"
	done)" ""
is "no block is untested" "$(awk '/^```/ && (inside = !inside) && before !~ /^<!-- tested: [a-z]+ -->$/ { print NR }
	{ before = $0 }' "$top_srcdir/docs/SCALE.md")" ""

n=300
python3 "$top_srcdir/tests/cmds/merge/rank_profiles.py" ranks $n
find profiles -name '*.out' | sort -R --random-source="$top_srcdir/tests/lib.sh" >shuffled
costgrind merge --files-from shuffled -o wanted
is "all are in it" "$(grep '^desc:' wanted)" "desc: Merged profiles: $n"

# tree NAME: merges in steps.
tree() {
	follow "$1"
	is "$1: exit status" "$? $(cat "$1.out" "$1.err")" "0 "
	if cmp -s all.out wanted; then
		ok "$1: the same bytes"
	else
		not_ok "$1: the same bytes" "$(diff all.out wanted | head -n 20)"
	fi
	is "$1: nothing is left" "$(find . -name 'level*' ! -name "$1.*")" ""
	rm -f all.out
}

if command -v parallel >/dev/null; then
	mkdir -p .parallel && : >.parallel/will-cite
	tree parallel
	tree levels
else
	skip "a tree" "GNU parallel is not installed (Debian: parallel)"
fi

# A substitute for Slurm runs each job at once.
cat >bin/sbatch <<'EOF'
#!/bin/sh
for word; do
	case $word in
	--array=0-*) last=${word#--array=0-} ;;
	esac
	previous=${latest-}
	latest=$word
done
if [ "$previous" = --wrap ]; then
	exec sh -c "$latest"
fi
for task in $(seq 0 "$last"); do
	SLURM_ARRAY_TASK_ID=$task sh "$latest" || exit
done
echo 77
EOF
chmod +x bin/sbatch
recipe array >array.sh
{ follow list && follow submit; }
is "Slurm: exit status" "$? $(cat list.out list.err submit.out submit.err)" "0 "
if cmp -s all.out wanted; then
	ok "Slurm: the same bytes"
else
	not_ok "Slurm: the same bytes" "$(diff all.out wanted | head -n 20)"
fi

# The other questions of the table.
costgrind merge --statistics=min,avg,max --by=function -o balance.out profiles/rank.*.out
is "statistics" "$? $(grep '^events:' balance.out)" "0 events: IrMin IrAvg IrMax DrMin DrAvg DrMax"
costgrind merge --as=threads -o ranks.out profiles/rank.*.out
is "threads" "$? $(grep -c '^thread: ' ranks.out)" "0 $n"

# Four ranks: each works 300 more than the one before; main() costs 50 in each.
for rank in 0 1 2 3; do
	printf '%s\n' "desc: Rank: $rank" 'events: Ir' 'fl=a.c' 'fn=main' '1 50' 'fn=work' \
		"2 $((1000 + 300 * rank))" >rank.$rank.out
done
shows ranks

# Memory does not grow with the number of profiles: 128 MiB, with the program, are enough.
python3 "$top_srcdir/tests/cmds/merge/rank_profiles.py" large
yes large.out | head -n 300 >many
(
	# shellcheck disable=SC3045 # every sh of Debian has -v
	ulimit -v 131072
	costgrind merge -q --files-from many -o many.out
)
is "memory" "$? $(grep '^totals:' many.out)" "0 totals: $((300 * 600 * 780))"
done_testing
