# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the tests of call graphs of hand-counted programs share; sourced after
# tests/lib.sh and tests/asm/exact.sh.
#
# A program is calls_NAME.S in this folder and begins at main.  Each function's
# own costs and each line's calls, with what these cost, are in comments
# (calls.py says how), derived by hand, and must be what the profile says.
# Derivations leave out what depends on caches and predictors, but for one test.

calls() {
	python3 "$asm/calls.py" "$@"
}

# calls_build NAME [FLAGS...]
calls_build() {
	calls_name=$1
	shift
	asm_build "calls_$calls_name" -Wl,-e,main "$@"
}

# calls_exact NAME [OPTIONS...]: the profile of ./calls_NAME has what is derived.
calls_exact() {
	calls_name=calls_$1
	shift
	asm_run "$calls_name" "$calls_name.out" "$@"
	is "$calls_name: calls" "$(calls found "$calls_name.out" "$calls_name.S")" \
		"$(calls want "$asm/$calls_name.S")"
	asm_again "$calls_name" "$calls_name.out" "$@"
}

# calls_with NAME GRAPH OPTIONS...: with these options, the profile has this graph instead, whose
# lines come in any order.
calls_with() {
	calls_name=calls_$1
	calls_graph=$2
	shift 2
	asm_run "$calls_name" "$calls_name.with" "$@"
	is "$calls_name: $*" "$(calls graph "$calls_name.with" | LC_ALL=C sort)" \
		"$(printf '%s\n' "$calls_graph" | LC_ALL=C sort)"
	asm_again "$calls_name" "$calls_name.with" "$@"
}

# calls_agree NAME [--except CALLS]: after calls_exact, Callgrind's calls and their costs are the
# same, but for some more.  (Self costs are not: Callgrind loses a program's last block.)
calls_agree() {
	calls_name=calls_$1
	calls_except=${3-}
	# shellcheck disable=SC2086 # several options in one variable
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=callgrind -q \
		--callgrind-out-file="$calls_name.callgrind" --cache-sim=yes --branch-sim=yes \
		--dump-instr=yes $caches "./$calls_name" 2>"$calls_name.log"
	is "$calls_name: Callgrind's calls" \
		"$(calls calls "$calls_name.callgrind" | LC_ALL=C sort)" \
		"$({
			calls calls "$calls_name.out"
			[ -z "$calls_except" ] || printf '%s\n' "$calls_except"
		} | LC_ALL=C sort)"
}
