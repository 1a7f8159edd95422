#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What --counting=architectural counts is what the processor executes, step by step.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

programs=$top_srcdir/tests/programs
build singlestep "$programs/singlestep.c" -O2

has_decoder || {
	skip "all of it" "built without a decoder"
	done_testing
}

./singlestep /bin/true 2>steps || {
	skip "all of it" "no ptrace here: $(cat steps)"
	done_testing
}

# ours COMMAND...: the events that singlestep prints, as costgrind counts them.
ours() {
	costgrind -q --counting=architectural --cache-sim=no --branch-sim=yes --branch-model=cachegrind \
		--sigill-diagnostics=no --costgrind-out-file=ours.out "$@" >/dev/null 2>ours.err || true
}

# --- whole programs without a library ---

for name in alias arch_faults arch_loads branches division faults generated indirect modify pattern \
	rep replace resume sizes straddle stream; do
	if [ $name = arch_loads ] && ! grep -qw avx /proc/cpuinfo; then
		skip $name "no AVX"
		continue
	fi
	asm_build $name
	./singlestep "./$name" 2>steps
	ours "./$name"
	is "$name" "$(counts totals ours.out | sed 's/ Bcm=[0-9]*//; s/ Bim=[0-9]*//')" "$(cat steps)"
done

# --- a function of C programs ---

# called FUNCTION: the inclusive counts of its calls, in the same form.
called() {
	python3 "$top_srcdir/tests/profile.py" calls ours.out | awk -F '\t' -v name="$1" '
	$5 == name {
		split("Ir Bc Bi Rep", events, " ")
		n = split($NF, words, " ")
		for (i = 1; i <= n; i++) {
			split(words[i], pair, "=")
			sums[pair[1]] += pair[2]
		}
		for (i = 1; i <= 4; i++)
			printf "%s%s=%d", i == 1 ? "" : " ", events[i], sums[events[i]]
		print ""
	}'
}

# function_of NAME FLAGS...: measured() of that work, built so.
function_of() {
	name=$1
	shift
	build "$name" "$programs/counted.c" -g -static -fno-pie -no-pie "-DWORK=$name" "$@"
	address=$(nm "$name" | sed -n 's/^0*\([0-9a-f]*\) T measured$/\1/p')
	./singlestep -f "$address" "./$name" >/dev/null 2>steps
	ours "./$name"
	is "$name $*" "$(called measured)" "$(cat steps)"
}

rep_option=
case $("$CC" --version) in
*clang*) ;;
*) rep_option=-mstringop-strategy=rep_byte ;;
esac
function_of copies -O2 ${rep_option:+"$rep_option"}
function_of sorts -O1
function_of bits -O2
function_of numbers -O0
function_of jumps -O2

done_testing
