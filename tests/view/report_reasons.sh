#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the first page of a report says about lines whose reasons are known (misses.c), of a short run, and of recursion.
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

# What costs most has no lines; a trifle is mispredicted, 1 % of the cycles.
cat >unlined <<'END'
# callgrind format
version: 1
creator: test
positions: line
events: Ir Bc Bcm
summary: 10000 400 10

ob=/home/ann/prog
fl=unlined.c
fn=main
1 3000 0 0
2 2000 100 9
3 1500 0 0

fl=???
fn=bare
0 3500 300 1
END
report unlined.html unlined

# Of a machine with an L2, two programs: f is served by L2, g by L3 alone, and walks; h prefetches what is not used, and w
# what comes late.
leveled() {
	cat <<-END
		# callgrind format
		version: 1
		creator: test
		desc: Machine: $1
		desc: D1 cache: 32768 B, 64 B, 8-way associative, $2
		desc: L2 cache: 1048576 B, 64 B, 16-way associative, lru, nine
		desc: LL cache: 33554432 B, 64 B, 16-way associative, L3, lru, nine
		desc: Prefetcher: L2 stream
		desc: Prefetcher: $3
		positions: line
		events: Ir Dr Dw D1mr D1mw L2dr L2dw ILmr DLmr DLmw Pf PfU PfL PfX ITm DTm ISm DSm ISm2M DSm2M
		event: EstCyc = Ir + Dr + Dw + 4 D1mr + 4 D1mw + 30 ILmr + 30 DLmr + 30 DLmw

		ob=/home/ann/prog
		fl=levels.c
		fn=f
		1 10000 4000 0 2000 0 10
		fn=g
		2 10000 4000 0 2000 0 1900 0 0 20 0 0 0 0 0 0 1000 0 900 0 45
		fn=h
		3 10000 4000 0 200 0 100 0 0 0 0 1200 300 40 800
		fn=w
		4 10000 4000 0 200 0 100 0 0 0 0 1500 1400 1000 50
		fn=t
		5 10000 4000 0 0 0 0 0 0 0 0 0 0 0 0 800 0 20
	END
}
leveled "lake, one of four" "lru" "L1D next-line" >levels
report levels.html levels
leveled "sea, another" "plru (assumed)" "L1D ip-stride" >other
report machines.html levels other

# Frames before main, and what the loader does besides.
cat >start <<'END'
# callgrind format
version: 1
creator: test
positions: line
events: Ir
summary: 1000

ob=/lib64/ld-linux-x86-64.so.2
fl=???
fn=0x0000000000001ab70
0 10
cfn=_dl_start
calls=1 0
0 90
cob=/home/ann/prog
cfn=_start
calls=1 0
0 900

fn=_dl_start
0 90

ob=/home/ann/prog
fn=_start
0 1
cob=/lib/libc.so.6
cfn=__libc_start_main@@GLIBC_2.34
calls=1 0
0 899

ob=/lib/libc.so.6
fn=__libc_start_main@@GLIBC_2.34
0 2
cfn=(below main)
calls=1 0
0 897

fn=(below main)
0 7
cob=/home/ann/prog
cfi=start.c
cfn=main
calls=1 1
0 890

ob=/home/ann/prog
fl=start.c
fn=main
1 400
cfn=std::vector<std::pair<int, int> >::f()
calls=1 9
2 490

fn=std::vector<std::pair<int, int> >::f()
9 490
END
report start.html start

# One line that misses for a known reason, with a working set of a known size: docs/MISSES.md.
mkdir bench
build bench/misses "$top_srcdir/tests/bench/misses.c" -O2 -g
costgrind --machine=zen2 --miss-classes=yes --miss-curve=exact --dump-instr=yes --toggle-collect=conflict_before \
	--costgrind-out-file=classes bench/misses conflict before 40 >classes.stdout 2>classes.log
is "profile with reasons of misses" $? 0
report classes.html classes

browsers_look report_reasons.py reasons "$top_srcdir/tests/view/misses.c" short stripped cycle moved unlined start levels \
	machines classes
done_testing
