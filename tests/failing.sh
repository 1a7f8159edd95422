# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Commands of which each allocation fails once; sourced after lib.sh.
#
#	failing_ready "$command"
#	fails_each NAME "$command" annotate -o out hash.cg

# failing_ready COMMAND: builds what makes allocations fail.  Ends the test where that cannot be.
failing_ready() {
	build failing.so "$top_srcdir/tests/programs/failing_malloc.c" -shared -fPIC -O1
	failing_library=$(unspaced "$PWD")/failing.so
	if LD_PRELOAD=$failing_library "$1" --version 2>&1 | grep -q -i sanitizer; then
		echo "1..0 # SKIP the command is built with sanitizers, which have a malloc of their own"
		exit 0
	fi
}

# fails_each NAME COMMAND...: runs COMMAND once for each allocation, which then fails.  Either it
# goes on as it does without failures (same exit status, same standard output, same file "out", if
# it writes one), or it exits with 1, says one line more than it does without failures, and leaves
# no part of "out".  With fails_plainly set, tables may have lost their columns' widths.
fails_each() {
	fails_name=$1
	shift
	rm -f out
	FAIL_AT=0 LD_PRELOAD=$failing_library "$@" >right.stdout 2>right.stderr
	fails_good=$?
	fails_count=$(sed -n 's/^allocations: //p' right.stderr)
	fails_said=$(grep -vc '^allocations: ' right.stderr)
	rm -f right
	[ ! -e out ] || mv out right
	fails_wrong=
	fails_stopped=0
	fails_at=1
	while [ "$fails_at" -le "$fails_count" ]; do
		FAIL_AT=$fails_at LD_PRELOAD=$failing_library "$@" >stdout 2>stderr
		fails_judge $?
		# Thousands of rounds: what starts no program here, like rm for what is not there, saves half of the time.
		for fails_part in .*.partial */.*.partial; do
			[ -e "$fails_part" ] || continue
			fails_tell "a partial file is left"
			rm -f "$fails_part"
		done
		[ ! -e out ] || rm out
		fails_at=$((fails_at + 1))
	done
	[ -z "$(find . -name '.*.partial')" ] || fails_tell "a partial file is left, deep down"
	is "$fails_name: $fails_count allocations" "$fails_wrong" ""
	if [ "$fails_count" -ge 20 ] && [ "$fails_stopped" -gt $((fails_count / 2)) ]; then
		ok "$fails_name: most of them are told"
	else
		not_ok "$fails_name: $fails_stopped of $fails_count are told"
	fi
}

# fails_judge STATUS: of one run.
fails_judge() {
	if [ "$1" -eq "$fails_good" ]; then
		fails_same || fails_tell "other output"
		[ ! -e right ] || cmp -s out right || fails_tell "another file"
	elif [ "$1" -eq 1 ]; then
		fails_stopped=$((fails_stopped + 1))
		fails_lines=0
		while read -r _; do
			fails_lines=$((fails_lines + 1))
		done <stderr
		[ "$fails_lines" -ge 1 ] || fails_tell "nothing is said"
		[ "$fails_lines" -le $((fails_said + 1)) ] ||
			fails_tell "$(cat stderr)"
		[ ! -e out ] || cmp -s out right || fails_tell "half a file is left"
	else
		fails_tell "exit status $1 $(cat stderr)"
	fi
}

# fails_same: whether standard output has all that it has without failures.
fails_same() {
	if [ "${fails_plainly-}" ]; then
		tr -d ' ' <stdout >got.words
		tr -d ' ' <right.stdout | cmp -s - got.words
	else
		cmp -s stdout right.stdout
	fi
}

# fails_tell WHAT: remembers what was wrong.
fails_tell() {
	fails_wrong="$fails_wrong $fails_at: $1"
}
