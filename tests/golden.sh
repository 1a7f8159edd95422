# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Tests whose output is in a file; sourced after lib.sh.
#
#	golden merge/sum "$program" merge a b
#
# compares what a command prints, on both streams, and its exit status with
# tests/golden/merge/sum.expected.  make update-golden rewrites that file.

# golden NAME COMMAND...
golden() {
	golden_file=$top_srcdir/tests/golden/$1.expected
	golden_name=$1
	shift
	golden_text=$("$@" 2>&1 && echo "exit status 0" || echo "exit status $?")
	if [ "${UPDATE_GOLDEN-}" ]; then
		mkdir -p "$(dirname "$golden_file")"
		printf '%s\n' "$golden_text" >"$golden_file"
	fi
	is "$golden_name" "$golden_text" "$(cat "$golden_file")"
}
