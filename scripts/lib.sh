# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the checks share; sourced in the source directory.

# need PROGRAM PACKAGE: ends the script if there is no such program.
need() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "${0##*/}: $1 not found (Debian: $2)" >&2
	exit 1
}

# existing FOLDER...: prints those that exist; not all of the layout is built yet.
existing() {
	for folder; do
		[ ! -d "$folder" ] || echo "$folder"
	done
}

# sources FIND-EXPRESSION...: prints the files of ours below the source folders for which it holds.
# Programs of tests/cases are there to be odd, tests/scratch is what tests leave.
sources() {
	# shellcheck disable=SC2046 # several folders
	find $(existing isa sim writer tool harness profile cmds tests) \
		\( -path tests/cases -o -path tests/scratch \) -prune -o \
		-type f \( "$@" \) -print | sort
}
