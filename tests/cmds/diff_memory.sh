#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind diff fails once: it says so, or does without; it never dies, and
# never leaves half a file.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/diff_*.cg "$top_srcdir"/tests/cmds/inputs/renamed_*.cg .
printf 'total Ir +1\nself work* Ir +0\n' >limits

build failing.so "$top_srcdir/tests/programs/failing_malloc.c" -shared -fPIC -O1
if LD_PRELOAD=$PWD/failing.so "$program" --version 2>&1 | grep -q -i sanitizer; then
	echo "1..0 # SKIP the command is built with sanitizers, which have a malloc of their own"
	exit 0
fi

# fails_each NAME STATUS ARGUMENTS...: a file `out` that is there is what it is without failures.
fails_each() {
	fails_name=$1
	fails_good=$2
	shift 2
	fails_count=$(LD_PRELOAD=$PWD/failing.so "$program" diff -q "$@" 2>&1 >/dev/null |
		sed -n 's/^allocations: //p')
	rm -f whole
	[ ! -e out ] || mv out whole
	fails_wrong=
	fails_stopped=0
	n=1
	while [ "$n" -le "$fails_count" ]; do
		FAIL_AT=$n LD_PRELOAD=$PWD/failing.so "$program" diff -q "$@" >stdout 2>stderr
		status=$?
		case $status in
		"$fails_good") ;;
		1)
			fails_stopped=$((fails_stopped + 1))
			[ "$(grep -vc "limits:[12]: broken: " stderr)" -eq 1 ] || fails_wrong="$fails_wrong $n: $(cat stderr)"
			;;
		*) fails_wrong="$fails_wrong $n: exit status $status $(cat stderr)" ;;
		esac
		[ ! -e out ] || cmp -s out whole || fails_wrong="$fails_wrong $n: half a file"
		[ -z "$(find . -name '.*.partial')" ] || fails_wrong="$fails_wrong $n: a partial file"
		rm -f out
		n=$((n + 1))
	done
	is "$fails_name: $fails_count allocations" "$fails_wrong" ""
	if [ "$fails_count" -ge 40 ] && [ "$fails_stopped" -gt 20 ]; then
		ok "$fails_name: $fails_stopped of them are told"
	else
		not_ok "$fails_name: $fails_stopped of $fails_count are told"
	fi
}

fails_each text 3 --fold-names --lines --limits=limits --join -o out renamed_old.cg renamed_new.cg
fails_each json 0 --format=json --lines --mod-funcname=s/a/b/ --source-map=/b=/c --flat -o out \
	diff_old.cg diff_new.cg
fails_each markdown 3 --format=markdown --limits=limits renamed_old.cg renamed_new.cg
fails_each csv 0 --format=csv --show=Cyc,L1hit diff_old.cg diff_new.cg
mkdir base
fails_each "a baseline" 0 --save=x --baselines=base renamed_new.cg
done_testing
