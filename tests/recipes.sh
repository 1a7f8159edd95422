# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# The commands of docs/SCALE.md, or the document that $recipes_of names, as they are there; sourced after lib.sh.  A test says
#
#	recipe NAME
#
# for the block after "<!-- tested: NAME -->"; tests/cmds/merge/scale.sh sees that each block is some test's.

# recipe NAME: prints the block.
recipe() {
	awk -v name="<!-- tested: $1 -->" '
		$0 == name { wanted = 1; next }
		wanted && !inside && /^```/ { inside = 1; next }
		inside && /^```$/ { exit }
		inside' "$top_srcdir/docs/${recipes_of:-SCALE.md}"
}

# follow NAME: runs it as a script NAME.sh; its standard output and error are NAME.out and NAME.err.
follow() {
	recipe "$1" >"$1.sh"
	sh -eu "$1.sh" >"$1.out" 2>"$1.err"
}

# shows NAME: of a block with "$ COMMAND" and what that prints, the commands print just this.
shows() {
	recipe "$1" >"$1.want"
	sed -n 's/^\$ //p' "$1.want" >"$1.sh"
	while IFS= read -r shows_command; do
		printf '$ %s\n' "$shows_command"
		sh -eu -c "$shows_command" </dev/null 2>&1
	done <"$1.sh" >"$1.got"
	is "$1: shows what the document says" "$(cat "$1.got")" "$(cat "$1.want")"
}

# lacks PROGRAM...: prints those that are not there, each after a blank.
lacks() {
	for lacks_program; do
		command -v "$lacks_program" >/dev/null 2>&1 || printf ' %s' "$lacks_program"
	done
}

# on_path: costgrind, by which the recipes call the command, is the one that was built; a folder bin
# in the test's own is the first of the path.
on_path() {
	unset -f costgrind # lib.sh's
	mkdir -p bin
	ln -s "$top_builddir/costgrind" bin/costgrind
	PATH=$PWD/bin:$PATH
}

# adds_up NAME SUM PROFILE...: cost by cost and call by call, by the tests' own reader of profiles.
adds_up() {
	adds_up_name=$1
	shift
	adds_up_text=$(python3 "$top_srcdir/tests/cluster/sums.py" "$@" 2>&1)
	is "$adds_up_name" "$? $adds_up_text" "0 "
}

# own_cost PROFILE FUNCTION: its own instructions.
own_cost() {
	python3 "$top_srcdir/tests/profile.py" cells "$1" | awk -F '\t' -v name="$2" '$2 == name {
		split($4, counts, /[= ]/)
		sum += counts[2]
	} END { printf "%.0f\n", sum }'
}
