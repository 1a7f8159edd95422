# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind convert fails once: it says so, never dies, and never leaves half an
# output.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
cp "$top_srcdir"/tests/golden/convert/inputs/* .

build failing.so "$top_srcdir/tests/programs/failing_malloc.c" -shared -fPIC -O1
if LD_PRELOAD=$PWD/failing.so "$command" --version 2>&1 | grep -q -i sanitizer; then
	echo "1..0 # SKIP the command is built with sanitizers, which have a malloc of their own"
	exit 0
fi

"$command" convert --to=webgrind6 -o diamond.w6 diamond.cg

# fails_each ARGUMENTS...
fails_each() {
	"$command" convert "$@" >right 2>/dev/null
	fails_count=$(LD_PRELOAD=$PWD/failing.so "$command" convert "$@" 2>&1 >/dev/null |
		sed -n 's/^allocations: //p')
	fails_wrong=
	fails_stopped=0
	n=1
	while [ "$n" -le "$fails_count" ]; do
		FAIL_AT=$n LD_PRELOAD=$PWD/failing.so "$command" convert -o out "$@" >stdout 2>stderr
		status=$?
		case $status in
		0) cmp -s out right || fails_wrong="$fails_wrong $n: not all of the output" ;;
		1)
			fails_stopped=$((fails_stopped + 1))
			[ "$(wc -l <stderr)" -eq 1 ] || fails_wrong="$fails_wrong $n: $(cat stderr)"
			[ ! -e out ] || fails_wrong="$fails_wrong $n: output is there"
			;;
		*) fails_wrong="$fails_wrong $n: exit status $status $(cat stderr)" ;;
		esac
		[ ! -e .out.partial ] || fails_wrong="$fails_wrong $n: a partial file is left"
		rm -f out .out.partial
		n=$((n + 1))
	done
	is "$1: $fails_count allocations" "$fails_wrong" ""
	if [ "$fails_count" -ge 20 ] && [ "$fails_stopped" -ge $((fails_count - 3)) ]; then
		ok "$1: $fails_stopped of them are told"
	else
		not_ok "$1: $fails_stopped of $fails_count are told"
	fi
}

while read -r arguments; do
	# shellcheck disable=SC2086 # several words
	fails_each $arguments
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
--to=dot diamond.cg
--to=pprof diamond.cg
--to=pprof --event=Time_(10ns) trace.cg
--to=speedscope cycle.cg
--to=speedscope trace.cg
--to=collapsed cycle.cg
--to=collapsed-diff --event=Ir older.cg newer.cg
END
done_testing
