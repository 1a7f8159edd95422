# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind convert fails once: it says so, never dies, and never leaves half an
# output.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

command=$top_builddir/costgrind
cp "$top_srcdir"/tests/golden/convert/inputs/* "$top_srcdir"/tests/profiles/costgrind-all.cg .

failing_ready "$command"

"$command" convert --to=webgrind6 -o diamond.w6 diamond.cg

while read -r arguments; do
	# shellcheck disable=SC2086 # several words
	fails_each "$arguments" "$command" convert -o out $arguments
done <<END
--to=callgrind diamond.cg
--to=callgrind --threshold=40 diamond.cg
--to=callgrind-portable diamond.cg
--to=cachegrind diamond.cg
--to=json diamond.cg
--to=csv diamond.cg
--to=webgrind4 diamond.cg
--to=webgrind4 trace.cg
--to=webgrind7 diamond.cg
--to=webgrind7 --from=webgrind diamond.w6
--to=collapsed sum.tree
--to=webgrind4 deep.tree
--to=pprof sum.tree
--to=xdebug diamond.cg
--to=xdebug --max-calls=25 cycle.cg
--to=dot diamond.cg
--to=pprof diamond.cg
--to=pprof --event=Time_(10ns) trace.cg
--to=speedscope cycle.cg
--to=speedscope trace.cg
--to=collapsed cycle.cg
--to=collapsed-diff --event=Ir older.cg newer.cg
--to=callgrind --event=Ir costgrind-all.cg
--to=callgrind --event=EstCyc costgrind-all.cg
END
done_testing
