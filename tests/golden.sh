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

# golden_list DIR SED COMMAND...: for each line "NAME: ARGUMENTS" of DIR/list, compares what COMMAND
# ARGUMENTS prints, and its exit status, with DIR/NAME.expected; SED masks what differs by place.
# The test golden_skipped cannot be made here, for golden_reason.
golden_list() {
	golden_dir=$1
	golden_sed=$2
	shift 2
	grep -v '^#' "$golden_dir/list" >list
	set -f
	while read -r golden_line; do
		golden_name=${golden_line%%:*}
		if [ "$golden_name" = "${golden_skipped-}" ]; then
			skip "golden: $golden_name" "$golden_reason"
			continue
		fi
		# shellcheck disable=SC2086 # several words
		golden_run "$@" ${golden_line#*:} | LC_ALL=C sed "$golden_sed" >"$golden_name.got"
		golden_compare "$golden_name" "$golden_name.got" "$golden_dir/$golden_name.expected"
	done <list
	set +f
	for golden_file in "$golden_dir"/*.expected; do
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
