#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls that go the way of one before do not go where they should not: one place calls many
# functions, in many contexts, at changing levels of recursion, and what it calls changes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# --- many targets ---

# t(i) costs i + 3, with hub 3 more; it is called three times by main, and three times by jumper.
# main: 1 + 3 x (1 + 20 x 5 + 2) + 3.  The sum of all t(i) with hub is 20 x 6 + 190 = 310.
many=$(seq 0 19 | awk '{
	with_calls = "Ir=" 3 * ($1 + 6) " Dr=9 Dw=6"
	print "t" $1 ": Ir=" 6 * ($1 + 3) " Dr=6 Dw=6"
	print "main > t" $1 " 3 " with_calls
	print "jumper > t" $1 " 3 " with_calls
	print "t" $1 " > hub 6 Ir=18 Dr=12 Dw=6"
}')
many="main: Ir=313 Dr=60 Dw=120 Bc=63 Bi=60
jumper: Ir=60 Dr=60 Bi=60
hub: Ir=240 Dr=120 Dw=120
leaf: Ir=120 Dr=120
main > jumper 60 Ir=990 Dr=240 Dw=120 Bi=60
hub > leaf 120 Ir=120 Dr=120
$many"

# As hub's place is in 40 contexts, and leaf in 20.
contexts=$(seq 0 19 | awk '
function via(caller, context,	t) {
	t = "t" $1 "\047" caller
	print t ": Ir=" 3 * ($1 + 3) " Dr=3 Dw=3"
	print context " > " t " 3 Ir=" 3 * ($1 + 6) " Dr=9 Dw=6"
	sub(/\047main$/, "", caller)
	print t " > hub\047t" $1 "\047" caller " 3 Ir=9 Dr=6 Dw=3"
	print "hub\047t" $1 "\047" caller ": Ir=6 Dr=3 Dw=3"
	print "hub\047t" $1 "\047" caller " > leaf\047hub\047t" $1 " 3 Ir=3 Dr=3"
}
{
	via("main", "main")
	via("jumper\047main", "jumper\047main")
	print "leaf\047hub\047t" $1 ": Ir=6 Dr=6"
}')
contexts="main: Ir=313 Dr=60 Dw=120 Bc=63 Bi=60
jumper'main: Ir=60 Dr=60 Bi=60
main > jumper'main 60 Ir=990 Dr=240 Dw=120 Bi=60
$contexts"

calls_build targets
for engine in plain inline; do
	calls_with targets "$many" --engine=$engine
	calls_with targets "$contexts" --separate-callers=2 --engine=$engine
done

# --- levels ---

# As in calls_levels.S, three times:
#	y(3) x y'2(2) x'2 y'3(1)
#	y(4) x y'2(3) x'2 y'3(2) x'3 y'3(1)
calls_build levels
for engine in plain inline; do
	calls_exact levels --engine=$engine
	calls_with levels "main: Ir=34 Dw=12 Bc=3
x: Ir=24 Dr=12 Dw=12
x'2: Ir=12 Dr=6 Dw=6
x'3: Ir=6 Dr=3 Dw=3
y: Ir=45 Dr=12 Dw=9 Bc=12
y'2: Ir=33 Dr=9 Dw=6 Bc=9
y'3: Ir=30 Dr=9 Dw=3 Bc=9
main > x 3 Ir=15 Dr=6 Dw=3 Bc=3
main > y 9 Ir=135 Dr=45 Dw=36 Bc=27
x > y 3 Ir=9 Dr=3 Bc=3
x > y'2 9 Ir=81 Dr=27 Dw=18 Bc=18
x'2 > y'3 6 Ir=36 Dr=12 Dw=6 Bc=9
x'3 > y'3 3 Ir=9 Dr=3 Bc=3
y > x 9 Ir=99 Dr=36 Dw=27 Bc=18
y'2 > x'2 6 Ir=48 Dr=18 Dw=12 Bc=9
y'3 > x'3 3 Ir=15 Dr=6 Dw=3 Bc=3" --separate-recs=3 --engine=$engine
done

# --- other code ---

calls_build remade
for engine in plain inline; do
	calls_exact remade --engine=$engine
	is "calls_remade, $engine: code made" "$(calls graph calls_remade.out | grep '^0x')" \
"0x0000000010000000: Ir=60 Dr=18 Dw=6 Bi=12
0x0000000010000000 > callback 12 Ir=12 Dr=12"
done

# Libraries of one layout, loaded one after the other at the same address: work is 9 or 19 x nop and
# ret, or nop and a jump to rest, which is ret.
cat >library.S <<'END'
	.text
	.globl	work
	.type	work, @function
work:
#ifdef NOPS
	.rept	NOPS
	nop
	.endr
	ret
#else
	nop
	jmp	rest
#endif
	.size	work, . - work
	.type	rest, @function
rest:	ret
	.size	rest, . - rest
	.data
	.long	0
	.section .note.GNU-stack, "", @progbits
END
build one.so ./library.S -DNOPS=9 -shared -nostdlib
build two.so ./library.S -DNOPS=19 -shared -nostdlib
build three.so ./library.S -shared -nostdlib
build_program reload -O1 -ldl
scene libraries
for engine in plain inline; do
	run --engine=$engine --cache-sim=no --costgrind-out-file=p ../reload 5 ../one.so ../two.so \
		../three.so
	exits 0
	is "$scene, $engine: addresses" "$(sort -u "$scratch/$scene.out" | grep -c .)" 1
	is "$scene, $engine: calls of their functions" "$(profile calls p | awk -F '\t' '
		$5 == "work" || $5 == "rest" {
			sub(/.*\//, "", $1)
			sub(/.*\//, "", $4)
			print $1, $4, $5, $6, $7
		}' | LC_ALL=C sort)" \
"reload one.so work 5 Ir=50
reload three.so work 5 Ir=15
reload two.so work 5 Ir=100
three.so three.so rest 5 Ir=5"
done

done_testing
