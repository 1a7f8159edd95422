#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of docs/SCALE.md do what it says: a tree of merges is one merge of all.
. "$top_srcdir/tests/lib.sh"

mkdir bin profiles
ln -s "$top_builddir/costgrind" bin/costgrind
PATH=$PWD/bin:$PATH
unset -f costgrind # that of lib.sh

# block NAME: the commands behind "tested: NAME".
block() {
	awk -v name="<!-- tested: $1 -->" '
		$0 == name { wanted = 1; next }
		wanted && /^```sh$/ { inside = 1; next }
		inside && /^```$/ { exit }
		inside' "$top_srcdir/docs/SCALE.md"
}

n=300
python3 - $n <<'EOF'
import sys
for rank in range(int(sys.argv[1])):
    with open('profiles/rank.%d.out' % rank, 'w') as out:
        out.write('# callgrind format\npid: %d\ncmd: ./app\nevents: Ir Dr\n' % (1000 + rank))
        for f in range(rank % 7, 40, 1 + rank % 3):
            out.write('fl=f%d.c\nfn=f%d\n' % (f // 4, f))
            out.write('1 %d %d\n2 %d\ncfn=f0\ncalls=%d 1\n3 %d\n'
                      % (rank, f, rank * f, rank + 1, 10 * rank))
EOF
find profiles -name '*.out' | sort -R --random-source="$top_srcdir/tests/lib.sh" >shuffled
costgrind merge --files-from shuffled -o wanted
is "all are in it" "$(grep '^desc:' wanted)" "desc: Merged profiles: $n"

if command -v parallel >/dev/null; then
	mkdir -p .parallel && : >.parallel/will-cite
	for name in parallel levels; do
		block $name >$name.sh
		sh -eu $name.sh >$name.log 2>&1
		is "$name: exit status" "$? $(cat $name.log)" "0 "
		if cmp -s all.out wanted; then
			ok "$name: the same bytes"
		else
			not_ok "$name: the same bytes" "$(diff all.out wanted | head -n 20)"
		fi
		is "$name: nothing is left" "$(find . -name 'level*' ! -name '*.sh' ! -name '*.log')" ""
		rm -f all.out
	done
else
	skip "a tree" "GNU parallel is not installed (Debian: parallel)"
fi

# A stand-in for Slurm runs each job at once.
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
block list >list.sh
block array >array.sh
block submit >submit.sh
{ sh -eu list.sh && sh -eu submit.sh; } >slurm.log 2>&1
is "Slurm: exit status" "$? $(cat slurm.log)" "0 "
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

# Memory does not grow with the number of profiles: 128 MiB, with the program, are enough.
python3 - <<'EOF'
with open('large.out', 'w') as out:
    out.write('positions: instr line\nevents: Ir\n')
    for f in range(600):
        out.write('fl=f.c\nfn=f%d\n' % f)
        out.writelines('0x%x %d %d\n' % (f * 4096 + 4 * i, i, i) for i in range(40))
EOF
yes large.out | head -n 300 >many
(
	# shellcheck disable=SC3045 # every sh of Debian has -v
	ulimit -v 131072
	costgrind merge -q --files-from many -o many.out
)
is "memory" "$? $(grep '^totals:' many.out)" "0 totals: $((300 * 600 * 780))"
done_testing
