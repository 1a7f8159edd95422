# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Commands without memory; sourced after lib.sh.
#
#	failing_ready "$command"
#	fails_some NAME "$command" annotate -o out hash.cg

# failing_ready COMMAND: builds what makes allocations fail.  Ends the test where that cannot be.
failing_ready() {
	build failing.so "$top_srcdir/tests/programs/failing_malloc.c" -shared -fPIC -O1
	failing_library=$(unspaced "$PWD")/failing.so
	if LD_PRELOAD=$failing_library "$1" --version 2>&1 | grep -q -i sanitizer; then
		echo "1..0 # SKIP the command is built with sanitizers, which have a malloc of their own"
		exit 0
	fi
}

# fails_some NAME COMMAND...: runs COMMAND some 30 times, each time without memory for another allocation: the first ten, and
# others at equal distances.  Either it goes on as it does with memory (a library did without; same exit status, standard output,
# file "out", if it writes one), or it exits with 1, prints another line, and leaves no part of "out".
fails_some() {
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
	fails_runs=0
	fails_at=1
	while [ "$fails_at" -le "$fails_count" ]; do
		FAIL_AT=$fails_at LD_PRELOAD=$failing_library "$@" >stdout 2>stderr
		fails_judge $?
		fails_runs=$((fails_runs + 1))
		[ ! -e out ] || rm out
		fails_at=$((fails_at + 1))
		[ "$fails_at" -le 10 ] || fails_at=$((fails_at + fails_count / 20))
	done
	[ -z "$(find . -name '.*.partial')" ] || fails_tell "a partial file is left"
	is "$fails_name: $fails_runs of $fails_count allocations" "$fails_wrong" ""
	if [ "$fails_stopped" -gt $((fails_runs / 2)) ]; then
		ok "$fails_name: most of them are reported"
	else
		not_ok "$fails_name: $fails_stopped of $fails_runs are reported"
	fi
}

# fails_judge STATUS: of one run.
fails_judge() {
	if [ "$1" -eq "$fails_good" ]; then
		cmp -s stdout right.stdout || fails_tell "other output"
		[ ! -e right ] || cmp -s out right || fails_tell "another file"
	elif [ "$1" -eq 1 ]; then
		fails_stopped=$((fails_stopped + 1))
		# Of a file that cannot be opened for it, as the system says it.
		fails_lines=0
		fails_told=0
		while IFS= read -r fails_line || [ "$fails_line" ]; do
			fails_lines=$((fails_lines + 1))
			case $fails_line in
			'costgrind: out of memory' | *': Cannot allocate memory') fails_told=$((fails_told + 1)) ;;
			esac
		done <stderr
		if [ "$fails_told" -ne 1 ] || [ "$fails_lines" -gt $((fails_said + 1)) ]; then
			fails_tell "$(cat stderr)"
		fi
		[ ! -e out ] || cmp -s out right || fails_tell "half a file is left"
	else
		fails_tell "exit status $1 $(cat stderr)"
	fi
}

# fails_tell WHAT: remembers what was wrong.
fails_tell() {
	fails_wrong="$fails_wrong $fails_at: $1"
}
