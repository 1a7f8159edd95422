# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the tests of jumps of hand-counted programs share; sourced after
# tests/lib.sh and tests/asm/exact.sh.
#
# A program is jumps_NAME.S in this folder and begins at main.  Each line's
# jumps are in comments (jumps.py says how), derived by hand, and must be what
# the profile says, whichever engine counted and whatever else was simulated.

use_oracle # jumps_exact compares both engines

jumps() {
	python3 "$asm/jumps.py" "$@"
}

# jumps_build NAME [FLAGS...]
jumps_build() {
	jumps_name=$1
	shift
	asm_build "jumps_$jumps_name" -Wl,-e,main "$@"
}

# jumps_are NAME WHAT OPTIONS...: with these options, the profile has what is derived.
jumps_are() {
	jumps_name=jumps_$1
	jumps_what=$2
	shift 2
	asm_run "$jumps_name" "$jumps_name.out" --collect-jumps=yes "$@"
	is "$jumps_name: $jumps_what" \
		"$(jumps found "$jumps_name.out" "$jumps_name.S" | LC_ALL=C sort)" \
		"$(jumps want "$asm/$jumps_name.S" | LC_ALL=C sort)"
}

without_pid() {
	sed '/^pid: /d' "$jumps_name.$1"
}

# jumps_exact NAME [OPTIONS...]: in all ways to count and to write.
jumps_exact() {
	jumps_exact=$1
	shift
	jumps_are "$jumps_exact" "lines alone" --dump-instr=no "$@"
	jumps_are "$jumps_exact" "no simulation" --cache-sim=no --branch-sim=no "$@"
	jumps_are "$jumps_exact" "plain engine" --engine=plain "$@"
	cp "$jumps_name.out" "$jumps_name.plain"
	jumps_are "$jumps_exact" "addresses and lines" "$@"
	is "$jumps_name: executed as often as their instructions" \
		"$(jumps executed "$jumps_name.out")" ""
	is "$jumps_name: the plain engine's profile" "$(without_pid plain)" "$(without_pid out)"
}
