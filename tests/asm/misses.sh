# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What tests of misses share: why they are ones, and where they would be none.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/programs/programs.sh"

# machine D1: its second and third level have room for all.
machine() {
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D $1" "L2 8M 16 lru" "L3 32M 16 lru"
}

# without_run PROFILE: without what names the run.
without_run() {
	sed '/^pid: /d; /^cmd: /d; /^desc: Options: /d' "$1"
}

# judged NAME COMMAND ARGUMENTS...: what must hold of profiles.
judged() {
	judged_name=$1
	shift
	is "$judged_name" "$(python3 "$top_srcdir/tests/tool/simulate/miss_classes.py" "$@" 2>&1)" ""
}

# refuses PROGRAM WHAT OPTIONS...: it does not run with these, and says what.
refuses() {
	refused_program=$1
	refused_want=$2
	shift 2
	costgrind -q --costgrind-out-file=none "$@" "$refused_program" >refused 2>&1
	is "refused: $*" "$? $(cat refused)" "1 costgrind: $refused_want"
}

# refused_by_dropins PROGRAM OPTION WANT: not under the names of Valgrind's tools either, which says WANT.
refused_by_dropins() {
	for name in callgrind cachegrind; do
		VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=$name -q "$2" --cache-sim=yes \
			--$name-out-file=none "$1" >refused 2>&1
		is "$name: refused" "$? $(cat refused)" "1 costgrind: $3: needs --tool=costgrind"
	done
}
