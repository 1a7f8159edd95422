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

# golden_list DIR COMMAND [SKIPPED REASON]: for each line "NAME: ARGUMENTS" of DIR/list, compares
# what COMMAND ARGUMENTS prints on standard output with DIR/NAME.expected.  The test SKIPPED cannot
# be made here, for REASON.
golden_list() {
	grep -v '^#' "$1/list" >list
	set -f
	while read -r golden_line; do
		golden_name=${golden_line%%:*}
		if [ "$golden_name" = "${3-}" ]; then
			skip "golden: $golden_name" "$4"
			continue
		fi
		# shellcheck disable=SC2086 # several words
		"$2" ${golden_line#*:} >"$golden_name.got"
		golden_compare "$golden_name" "$golden_name.got" "$1/$golden_name.expected"
	done <list
	set +f
	for golden_file in "$1"/*.expected; do
		golden_name=${golden_file##*/}
		grep -q "^${golden_name%.expected}:" list || not_ok "$golden_name belongs to no test"
	done
}

# golden_compare NAME GOT EXPECTED: or makes EXPECTED what GOT is.
golden_compare() {
	if [ "${UPDATE_GOLDEN-}" ] && ! cmp -s "$2" "$3"; then
		cp "$2" "$3"
	fi
	if cmp -s "$2" "$3"; then
		ok "golden: $1"
	else
		not_ok "golden: $1" "$(diff "$3" "$2" 2>&1)"
	fi
}

# golden_run COMMAND...: prints both streams and the exit status.
golden_run() {
	timeout 60 "$@" >stdout 2>stderr
	golden_status=$?
	cat stdout
	sed 's/^/stderr: /' stderr
	echo "exit status $golden_status"
}
