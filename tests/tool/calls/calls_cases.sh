#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls in small programs in C.  Of what is the C library's, only that it does not come between.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

# case_calls NAME FLAGS CALLER... -- ARGUMENT...: runs tests/cases/NAME; $got is what functions
# called so call: how often, from all lines, and what that cost.
case_calls() {
	scene=case_${1%.*}
	case_source=$1
	case_flags=$2
	shift 2
	callers=" "
	while [ "$1" != -- ]; do
		callers="$callers$1 "
		shift
	done
	shift
	# shellcheck disable=SC2086 # several flags in one variable
	build "$scratch/$scene" "$case_source" -g $case_flags
	run --cache-sim=no --costgrind-out-file=p "./$scene" "$@"
	exits 0
	got=$(profile calls p | awk -F '\t' -v callers="$callers" '
		index(callers, " " $2 " ") && $5 !~ /^_dl_/ {
			sub(/.*=/, "", $7)
			count[$2 " > " $5] += $6
			cost[$2 " > " $5] += $7
		}
		END {
			for (arc in count)
				print arc, count[arc], cost[arc]
		}' | LC_ALL=C sort)
}

# without_costs: of $got.
without_costs() {
	printf '%s\n' "$got" | sed 's/ [0-9]*$//'
}

# A million turns of a loop that begins where its function does, of 2 instructions, and ret.
case_calls lp.S "" main f --
is "$scene: calls" "$got" "main > f 1 2000001"

# The compiler may put what hot() rarely does elsewhere.
case_calls cold.c -O2 main hot hot.cold --
is "$scene: calls" "$(without_costs)" "hot > bad 20
main > hot 100"

# The same with names that are demangled: "f(int) [clone .cold]".
case_calls cold_throw.cpp -O2 main "f(int)" "f(int) [clone .cold]" --
is "$scene: calls" "$(without_costs | grep -v __cxa)" "f(int) > note(int) 14
main > f(int) 10"
is "$scene: callers of what throws" "$(without_costs | grep __cxa_throw)" "f(int) > __cxa_throw 7"

# rec(4) calls itself, and at the end leaf(), as main and inner do.
case_calls tg.c "-O1 -fno-inline -fno-optimize-sibling-calls" main inner rec "rec'2" --
is "$scene: calls" "$(without_costs)" "inner > leaf 6
main > inner 3
main > leaf 2
main > rec 1
rec > rec'2 1
rec'2 > leaf 1
rec'2 > rec'2 3"

# Functions of the program itself: each call of cmp() is by the C library.
case_calls t.c -O1 fib "fib'2" main --
# fib(n) is called 2 x F(n + 1) - 1 times: fib(15) 1,973 times, by itself but for one.
is "$scene: calls of fib" "$(without_costs | grep '> fib')" "fib > fib'2 2
fib'2 > fib'2 1970
main > fib 1"

# Five signals, and a longjmp() over six frames; hwork() is called by the handler and by main.
case_calls sg.c "-O1 -fno-inline" h main deep "deep'2" --
is "$scene: calls" "$(without_costs | grep -v '> signal\|> longjmp\|> raise')" "deep > deep'2 1
deep'2 > deep'2 4
h > hwork 5
main > _setjmp 1
main > deep 1
main > hwork 1"
hwork=$(printf '%s\n' "$got" | sed -n 's/^main > hwork 1 //p')
# 10,000 turns of its loop instead of 100, five times.
is "$scene: cost of the handler's calls" "$(printf '%s\n' "$got" | sed -n 's/^h > hwork 5 //p')" \
	"$((5 * (hwork + 9900 * (hwork / 100))))"

# 100 faults, each left by siglongjmp().
case_calls segv.c -O1 main h -- 100
is "$scene: calls" "$(without_costs | grep -v '> atoi\|> strto\|> signal')" "h > longjmp 100
main > __sigsetjmp 100"

# Three exceptions, caught in main.
case_calls ex.cpp -O1 main "mid(int)" "thrower(int)" --
is "$scene: calls" "$(without_costs | grep -v '__cxa\|std::')" "main > leaf(int) 3
main > mid(int) 3
mid(int) > thrower(int) 3
thrower(int) > leaf(int) 3"

done_testing
