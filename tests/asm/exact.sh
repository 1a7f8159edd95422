# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the tests of hand-counted programs share; sourced after tests/lib.sh.
#
# A program is NAME.S in this folder.  Each of its instructions has its counts
# in a comment "#= Ir=1 ...", derived by hand; the test script has the totals,
# added up by hand.  Both must be what the profile says, and what Cachegrind
# says where Cachegrind is right.
#
# Caches, unless a test says otherwise.  Two lines of L1 make one of LL:
#	I1	16 sets of 2 lines of 32 B	set = address bits 5 to 8
#	D1	 8 sets of 2 lines of 32 B	set = address bits 5 to 7
#	LL	16 sets of 4 lines of 64 B	set = address bits 6 to 9
# (Lines of less than 32 B are refused: a register of AVX must fit in one.)
# Code is at 0x400000 and data at 0x600000 unless a test says otherwise: both
# are set 0 of every cache.

caches="--I1=1024,2,32 --D1=512,2,32 --LL=4096,4,64"
asm=$top_srcdir/tests/asm

# asm_build NAME [FLAGS...]: builds ./NAME.  Later flags win over the addresses here.
asm_build() {
	asm_name=$1
	shift
	build "$asm_name" "$asm/$asm_name.S" -nostdlib -static -g -Wl,--build-id=none \
		-Wl,-Ttext=0x400000 -Wl,-Tdata=0x600000 "$@"
}

counts() {
	python3 "$asm/counts.py" "$@"
}

# asm_run NAME OUT [OPTIONS...]: profiles ./NAME, into OUT.
asm_run() {
	asm_program=$1
	asm_out=$2
	shift 2
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --costgrind-out-file="$asm_out" --cache-sim=yes --branch-sim=yes $caches \
		"$@" "./$asm_program"
	is "$asm_program: exit status" $? 0
}

# asm_again NAME OUT [OPTIONS...]: after asm_run, without code that is cold at first, and with code
# that is so once only, the same comes out.
asm_again() {
	asm_program=$1
	asm_first=$2
	shift 2
	case " $* " in
	*" --collect-systime="*) return ;; # time is another one each time
	esac
	for asm_runs in 0 1; do
		asm_run "$asm_program" "$asm_first.again" --cold-runs=$asm_runs "$@"
		is "$asm_program: the same if cold for $asm_runs runs" \
			"$(sed '/^pid: /d; /^cmd: /d' "$asm_first.again")" \
			"$(sed '/^pid: /d; /^cmd: /d' "$asm_first")"
	done
}

# asm_reference NAME OUT [OPTIONS...]: the same by Cachegrind.
asm_reference() {
	asm_program=$1
	asm_out=$2
	shift 2
	# shellcheck disable=SC2086 # several options in one variable
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=cachegrind -q --vex-guest-chase=no \
		--vex-iropt-unroll-thresh=0 --cachegrind-out-file="$asm_out" --cache-sim=yes \
		--branch-sim=yes $caches "$@" "./$asm_program" 2>"$asm_out.log"
}

# exact NAME TOTALS [OPTIONS...]: the profile of ./NAME has these totals and the derived counts on
# every line.
exact() {
	exact_name=$1
	exact_totals=$2
	shift 2
	asm_run "$exact_name" "$exact_name.out" "$@"
	is "$exact_name: totals" "$(counts totals "$exact_name.out")" "$exact_totals"
	is "$exact_name: summary" "$(counts summary "$exact_name.out")" "$exact_totals"
	is "$exact_name: every line" "$(counts lines "$exact_name.out" "$exact_name.S")" \
		"$(counts want "$asm/$exact_name.S")"
	asm_again "$exact_name" "$exact_name.out" "$@"
}

# exact_architectural NAME TOTALS [OPTIONS...]: the same with --counting=architectural, in both
# engines.
exact_architectural() {
	exact_name=$1
	exact_totals=$2
	shift 2
	for exact_engine in inline plain; do
		set -- "$@" --counting=architectural --engine=$exact_engine
		asm_run "$exact_name" "$exact_name.arch" "$@"
		is "$exact_name, architectural, $exact_engine: totals" \
			"$(counts totals "$exact_name.arch")" "$exact_totals"
		is "$exact_name, architectural, $exact_engine: every line" \
			"$(counts lines "$exact_name.arch" "$exact_name.S")" \
			"$(counts architectural "$asm/$exact_name.S")"
		asm_again "$exact_name" "$exact_name.arch" "$@"
	done
}

# agrees NAME [FUNCTION]: after exact, Cachegrind finds the same, and the same by function; code
# without a symbol, if it is reached by jumps, is of FUNCTION with us.
agrees() {
	asm_reference "$1" "$1.cachegrind"
	is "$1: Cachegrind's totals" "$(counts totals "$1.cachegrind")" "$exact_totals"
	is "$1: Cachegrind's lines" "$(counts lines "$1.cachegrind" "$1.S")" \
		"$(counts want "$asm/$1.S")"
	is "$1: Cachegrind's functions" "$(counts functions "$1.cachegrind" "${2:-???}")" \
		"$(counts functions "$1.out")"
}
