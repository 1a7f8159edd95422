#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Function hooks: arguments at entry, results where control is back, none of calls that are unwound;
# and no count is another one for them.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# traced FILE: the lines of --trace-calls, without pids; the result of handles, which has none, is any.
traced() {
	sed -n 's/^--[0-9]*-- \([0-9]*: .*[(].*\)/\1/
		s/\(: handles.* = \).*/\1?/
		/^[0-9]*: /p' "$1"
}

# body PROFILE: all but what names the run.
body() {
	sed '/^pid: /d; /^cmd: /d; /^desc: Timerange/d' "$1"
}

# both NAME WANT OPTIONS...: two engines, with caches and without, and cold code trace the same.
both() {
	both_name=$1
	both_want=$2
	shift 2
	for both_how in --engine=inline --engine=plain --cache-sim=no --cold-runs=0 --cold-runs=1 \
		--call-tree=yes --separate-threads=yes; do
		# shellcheck disable=SC2086 # several options in one variable
		costgrind -q $caches --costgrind-out-file=both.out $both_how "$@" >both.text 2>both.err
		is "$both_name: $both_how" "$(traced both.err)" "$both_want"
	done
}

# --- by hand: tests/asm/hooks.S ---

asm_build hooks -Wl,-e,main
both arguments "\
1: sum6(0x1, 0x2, 0x3, 0x4, 0x5, 0x6)
1: sum6(0x1, 0x2, 0x3, 0x4, 0x5, 0x6) = 0x15
1: factorial(0x3)
1:   factorial(0x2)
1:   factorial(0x1)
1:   factorial(0x1) = 0x1
1:   factorial(0x2) = 0x2
1: factorial(0x3) = 0x6" --trace-calls6=sum6 --trace-calls1=factorial ./hooks

# Who returns is the last one.
both "tail calls" "\
1: tail1(0x7)
1:   tail2(0x8)
1:   tail3(0x9)
1:   tail3(0x9) = 0x12
1:   tail2(0x8) = 0x12
1: tail1(0x7) = 0x12" --trace-calls1='tail?' ./hooks
both "tail calls: the first one" "\
1: tail1(0x7)
1: tail1(0x7) = 0x12" --trace-calls1=tail1 ./hooks
both "tail calls: one in the middle" "\
1: tail2(0x8)
1: tail2(0x8) = 0x12" --trace-calls1=tail2 ./hooks
both "tail calls: the last one" "\
1: tail3(0x9)
1: tail3(0x9) = 0x12" --trace-calls1=tail3 ./hooks
both "tail calls: falling through" "\
1: fallen_into(0x11)
1: fallen_into(0x11) = 0x12" --trace-calls1=fallen_into ./hooks

both "a loop to the beginning, a call of the middle" "\
1: countdown(0x3)
1: countdown(0x3) = 0xc0" --trace-calls1=countdown --trace-calls1=entered_late ./hooks
both "a return from several levels" "\
1: skips_levels(0x4)
1:   skips_levels(0x3)
1:   skips_levels(0x2)
1:   skips_levels(0x1)
1:   skips_levels(0x3) = 0x1c
1: skips_levels(0x4) = 0x5c" --trace-calls1=skips_levels ./hooks
both "unusual returns" "\
1: returns_by_jump(0x20)
1: returns_by_jump(0x20) = 0x21
1: takes_argument_away(0x21)
1: takes_argument_away(0x21) = 0x22
1: goes_on_by_return(0x22)
1:   returned_into(0x23)
1:   returned_into(0x23) = 0x24
1: goes_on_by_return(0x22) = 0x24
1: keeps_return_address(0x30)
1:   returns_by_jump(0x31)
1:   returns_by_jump(0x31) = 0x32
1: keeps_return_address(0x30) = 0x32" --trace-calls1='*return*' --trace-calls1=takes_argument_away ./hooks
both "calls that are unwound" "\
1: throws(0x40)
1:   thrower(0x40)" --trace-calls1='throw*' ./hooks

# What control comes back to: all have the same two return addresses.  The first call is on the stack
# above, which looks like one that called what is below.
both "three stacks" "\
1: works(0xa0)
1:   works(0xa1)
1: works(0xa0) = 0xa0
1:   works(0xa1) = 0xa1" --trace-calls1=works ./hooks
costgrind -q --costgrind-out-file=swaps.out --trace-calls1=swap ./hooks 2>swaps.err
is "three stacks: the switch itself" "$(traced swaps.err | sed 's/:  */: /')" "\
1: swap(0x2)
1: swap(0x0)
1: swap(0x2) = 0x0
1: swap(0x2)
1: swap(0x1)
1: swap(0x2) = 0x1
1: swap(0x2)
1: swap(0x0) = 0x2
1: swap(0x0)
1: swap(0x2) = 0x0
1: swap(0x2)
1: swap(0x1) = 0x2
1: swap(0x1)
1: swap(0x2) = 0x1
1: swap(0x2)
1: swap(0x0) = 0x2
1: swap(0x0)
1: swap(0x2) = 0x0
1: swap(0x2)
1: swap(0x1) = 0x2
1: swap(0x1)
1: swap(0x2) = 0x1"

# --- no count is another one ---

# unchanged PROGRAM... : with all functions hooked, the profile is what it is without.
unchanged() {
	for unchanged_how in --engine=inline --engine=plain "--cache-sim=no --cold-runs=0" \
		"--branch-sim=yes --separate-callers=2 --collect-jumps=yes"; do
		# shellcheck disable=SC2086 # several options in one variable
		costgrind -q $caches --costgrind-out-file=without $unchanged_how "$@" >without.text
		# shellcheck disable=SC2086
		costgrind -q $caches --costgrind-out-file=with --trace-calls6='*' $unchanged_how "$@" \
			>with.text 2>with.err
		is "$*: all functions hooked, $unchanged_how" "$(body with | cksum)" "$(body without | cksum)"
		is "$*: they are traced" "$(($(traced with.err | wc -l) > 20))" 1
	done
}

unchanged ./hooks
for program in tail switch unwind signal plain recursion; do
	asm_build "calls_$program" -Wl,-e,main -DCO_STACK=low
done
unchanged ./calls_tail
unchanged ./calls_switch
unchanged ./calls_unwind
unchanged ./calls_signal
unchanged ./calls_recursion

# As many are entered as the profile has calls.
costgrind -q --costgrind-out-file=tail --trace-calls0='*' ./calls_tail 2>tail.err
is "calls_tail: entered as often as called" \
	"$(traced tail.err | sed -n '/ = /d; s/^1: *\(.*\)()$/\1/p' | grep -vx main | LC_ALL=C sort | uniq -c |
		awk '{ print $2, $1 }')" \
	"$(python3 "$top_srcdir/tests/profile.py" calls tail |
		awk -F '\t' '{ sub(/\x27.*/, "", $5); n[$5] += $6 } END { for (f in n) print f, n[f] }' |
		LC_ALL=C sort)"

# --- with the C library ---

build_program hooked -O2 -pthread -fno-optimize-sibling-calls -Wl,-z,lazy

# Through stubs, the resolver, and bound at once: what the program itself saw.
for bind in '' 1; do
	scene "allocator$bind"
	LD_BIND_NOW=$bind
	export LD_BIND_NOW
	run --trace-calls1=malloc --trace-calls2=calloc --trace-calls2=realloc ../hooked allocator
	exits 0
	is "$scene: arguments and results" \
		"$(traced "$scratch/$scene.err" | sed -n 's/^1: \(.* = \)/\1/p' | head -3)" \
		"$(cat "$scratch/$scene.out")"
done
unset LD_BIND_NOW
scene stubs
run --skip-plt=no --trace-calls1='*PLT*' --trace-calls1='*plt*' ../hooked allocator
is "stubs are no functions" "$status $(traced "$scratch/$scene.err")" "0 "
cd "$scratch" || exit 1

# Five threads at once; the thread of works(4) ends in it.
for engine in inline plain; do
	costgrind -q --engine=$engine --costgrind-out-file=threads.out --trace-calls1=works \
		./hooked threads 2>threads.err
	is "threads, $engine" "$(traced threads.err | LC_ALL=C sort)" "\
2: works(0x1)
2: works(0x1) = 0x10
3: works(0x2)
3: works(0x2) = 0x20
4: works(0x3)
4: works(0x3) = 0x30
5: works(0x4)"
done

once="\
1: deep(0x2)
1:   deep(0x1)
1:   deep(0x0)
1: level(0x2)
1:   level(0x1)
1:   level(0x0)
1:   level(0x0) = 0x0
1:   level(0x1) = 0x1
1: level(0x2) = 0x2"
both longjmp "$once$newline$once" --trace-calls1=deep --trace-calls1=level ./hooked jumps

# A handler does not nest in what it interrupts.
both signals "\
1: interrupted(0x20)
1: handles(0xa)
1:   inside(0xa)
1:   inside(0xa) = 0xb
1: handles(0xa) = ?
1: interrupted(0x20) = 0x21
1: interrupted(0x30)
1: handles(0xa)
1:   inside(0xa)
1:   inside(0xa) = 0xb
1: inside(0x40)
1: inside(0x40) = 0x41
1: catches(0x50)
1:   interrupted(0x60)
1: handles(0xa)
1:   inside(0xa)
1:   inside(0xa) = 0xb
1: catches(0x50) = 0x51" --trace-calls1=interrupted --trace-calls1=handles --trace-calls1=inside \
	--trace-calls1=catches ./hooked signals

both contexts "\
1: runs(0x0)
1: runs(0x1)
1: runs(0x0) = 0x20
1: runs(0x1) = 0x22" --trace-calls1=runs ./hooked contexts
costgrind -q --costgrind-out-file=fork.%p --trace-calls1=forks ./hooked fork 2>fork.err
is "fork: it returns twice" "$(traced fork.err)" "\
1: forks(0x7)
1: forks(0x7) = 0x8
1: forks(0x7) = 0x7"

# --- the option ---

costgrind -q --costgrind-out-file=none --trace-calls7=f ./hooks 2>none.err
is "--trace-calls7: too many arguments" "$? $(sed 's/^==[0-9]*== //; 1q' none.err)" \
	"1 costgrind: --trace-calls7=f: expected --trace-calls<n>=<pattern> with n from 0 to 6"

done_testing
