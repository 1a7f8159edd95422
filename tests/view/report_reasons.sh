#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the first page of a report says of lines whose reasons are known (misses.c), of a short run, and of recursion.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browsers.sh
. "$top_srcdir/tests/browsers.sh"

build misses "$top_srcdir/tests/view/misses.c" -O1 -g
costgrind --cache-sim=yes --branch-sim=yes --dump-instr=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
	--costgrind-out-file=reasons ./misses >misses.stdout 2>misses.log
is "profile of misses" $? 0
report reasons.html reasons

costgrind --cache-sim=yes --costgrind-out-file=short /bin/true >short.stdout 2>short.log
is "profile of a short run" $? 0
report short.html short

cp misses without
strip without
costgrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --costgrind-out-file=stripped ./without \
	>stripped.stdout 2>stripped.log
is "profile of a stripped program" $? 0
report stripped.html stripped

# The same program, its source three lines longer at the top, is no change of any line.
{ printf '/*\n * Longer.\n */\n' && cat "$top_srcdir/tests/view/misses.c"; } >misses.c
build moved "$PWD/misses.c" -O1 -g
costgrind --cache-sim=yes --branch-sim=yes --dump-instr=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
	--costgrind-out-file=moved.out ./moved >moved.stdout 2>moved.log
is "profile of a source that is longer" $? 0
sed "s,$PWD/moved,$PWD/misses,; s,$PWD/misses\.c,$top_srcdir/tests/view/misses.c," moved.out >moved
report moved.html reasons moved

# a and b call each other: main calls a for 60 and b for 40, and c, which calls x, too.
cat >cycle <<'END'
# callgrind format
version: 1
creator: test
positions: line
events: Ir
summary: 155

fl=cycle.c
fn=main
1 10
cfn=a
calls=1 2
1 60
cfn=b
calls=1 3
1 40
cfn=c
calls=1 5
1 45

fn=a
2 5
cfn=b
calls=9 3
2 95

fn=b
3 15
cfn=a
calls=8 2
3 95
cfn=x
calls=1 4
3 80

fn=x
4 120

fn=c
5 5
cfn=x
calls=1 4
5 40
END
report cycle.html cycle

browsers_look report_reasons.py reasons "$top_srcdir/tests/view/misses.c" short stripped cycle moved
done_testing
