#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --machine: which caches are simulated, what profile and summary say about them, and what is refused.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

build_program script -static
program=$PWD/script

# simulated [OPTION...]: machine and caches of a run, as its profile has them.
simulated() {
	costgrind -q --costgrind-out-file=out "$@" "$program" spin 10 2>err || cat err
	sed -n 's/^desc: \(Machine: [a-z0-9-]*\).*/\1/p; s/^desc: \(.. cache: .*\)/\1/p' out
}

# refuses NAME WANT OPTION...: one line of stderr, and status 1; the program does not run.
refuses() {
	refused_name=$1
	refused_want=$2
	shift 2
	costgrind -q --costgrind-out-file=none "$@" "$program" spin 10 >refused.out 2>refused.err
	is "$refused_name" "$? $(cat refused.out refused.err)" "1 costgrind: $refused_want"
}

# --- which machine it is ---

generic="Machine: generic
I1 cache: 32768 B, 64 B, 8-way associative, lru
D1 cache: 49152 B, 64 B, 12-way associative, lru
L2 cache: 1048576 B, 64 B, 16-way associative, lru, nine
LL cache: 33554432 B, 64 B, 16-way associative, L3, lru, nine"
two="I1 cache: 32768 B, 64 B, 8-way associative
D1 cache: 49152 B, 64 B, 12-way associative
LL cache: 33554432 B, 64 B, 16-way associative"

is "generic" "$(simulated --machine=generic)" "$generic"
is "with --deterministic=yes it is generic" "$(simulated --deterministic=yes)" "$generic"
is "... unless another one is given" "$(simulated --deterministic=yes --machine=zen4 | head -n 1)" "Machine: zen4"
is "without options it is the host" "$(simulated | head -n 1)" "Machine: host"
is "cachegrind: two levels" "$(simulated --deterministic=yes --machine=cachegrind)" "Machine: cachegrind
$two"
is "an option for a cache: two levels, the others as they are" "$(simulated --deterministic=yes --D1=4096,4,64)" \
	"Machine: cachegrind
$(echo "$two" | sed 's/^D1.*/D1 cache: 4096 B, 64 B, 4-way associative/')"
is "... with a machine: that level of it" "$(simulated --machine=generic --LL=4096,4,64 --I1=8192,2,64)" \
	"$(echo "$generic" | sed 's/^LL.*/LL cache: 4096 B, 64 B, 4-way associative/
		s/^I1.*/I1 cache: 8192 B, 64 B, 2-way associative/')"
for option in --cacheuse=yes --simulate-wb=yes --simulate-hwpref=yes; do
	is "$option: two levels" "$(simulated --deterministic=yes $option)" "Machine: cachegrind
$two"
	refuses "$option: no other machine" "--machine=zen4: cannot be combined with ${option%=*}=yes, which simulates two levels of \
caches (--machine=cachegrind)" $option --machine=zen4
done
for option in --machine=cachegrind --D1=4096,4,64 --cacheuse=yes; do
	refuses "$option: no dirty lines" "--write-back=yes: cannot be combined with two levels of caches, which do not track dirty lines; \
give --machine=NAME, or a file made by costgrind machine --format=file host" --write-back=yes $option
done
is "without caches, no machine" "$(simulated --cache-sim=no --machine=zen4)" ""

# --- all presets can be simulated, by both engines alike ---

costgrind --machine=help "$program" >help.out 2>help.err
is "help: exit status, stderr" "$? $(cat help.err)" "0 "
is "help: names" "$(sed 's/ .*//' help.out | tr '\n' ' ')" "host cachegrind generic goldencove icelake neoverse-n1 \
sapphirerapids skylake skylake-sp zen2 zen3 zen4 zen5 FILE "
is "help: costgrind run needs no program" "$("$top_builddir/costgrind" run --machine=help 2>&1)" "$(cat help.out)"
while read -r name _; do
	[ "$name" != FILE ] || continue
	dirty=--write-back=yes
	[ "$name" != cachegrind ] || dirty=--write-back=no
	for engine in inline plain; do
		costgrind -q --machine="$name" $dirty --engine=$engine --costgrind-out-file=$engine \
			"$program" spin 1000 2>err </dev/null
		is "$name, $engine" "$? $(cat err)" "0 "
	done
	is "$name: both engines count alike" "$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' plain | cksum)" \
		"$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' inline | cksum)"
done <help.out

# TLBs, with first levels of both kinds, and of dirty lines.
for name in zen4 skylake generic; do
	for engine in inline plain; do
		costgrind -q --machine="$name" --write-back=yes --tlb-sim=yes --pages=both --engine=$engine \
			--costgrind-out-file=$engine "$program" spin 1000 2>err </dev/null
		is "$name with TLBs, $engine" "$? $(cat err)" "0 "
	done
	is "$name with TLBs: both engines count alike" "$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' plain | cksum)" \
		"$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' inline | cksum)"
done

# --- what is assumed is said ---

is "what is assumed is said" "$(simulated --machine=zen4 | sed -n '/^LL/p')" \
	"LL cache: 33554432 B, 64 B, 16-way associative, L3, plru (assumed), victim (assumed)"

# --- files ---

printf '%s\n' "machine mine  a machine of my own" "line 64" "L1I 32K 8 lru" "L1D 3K 6 lru" \
	"L2 96K 12 fifo ; no power of two of sets" "L3 3M 12 lru" "L4 48M 24 random_3" >mine
is "a file, of four levels" "$(simulated --machine=mine)" "Machine: mine
I1 cache: 32768 B, 64 B, 8-way associative, lru
D1 cache: 3072 B, 64 B, 6-way associative, lru
L2 cache: 98304 B, 64 B, 12-way associative, fifo
L3 cache: 3145728 B, 64 B, 12-way associative, lru
LL cache: 50331648 B, 64 B, 24-way associative, L4, random_3"
is "its events" "$(sed -n 's/^events: //p' out)" \
	"Ir Dr Dw I1mr D1mr D1mw L2ir L2dr L2dw L3ir L3dr L3dw ILmr DLmr DLmw"
simulated --machine=mine --write-back=yes >/dev/null
is "with dirty lines" "$(sed -n 's/^events: //p' out)" \
	"Ir Dr Dw I1mr D1mr D1mw L2ir L2dr L2dw L3ir L3dr L3dw ILmr DLmr DLmw Wb"
is "its description" "$(sed -n 's/^desc: Machine: //p' out)" "mine (file 74cde9c7), a machine of my own"

sed 's/fifo/FiFo/; s/random/RANDOM/; s/8 lru/8 LRU/' mine >capitals
is "policies are said in small letters" "$(simulated --machine=capitals)" "$(simulated --machine=mine)"

sed 's/fifo/fiffo/' mine >wrong
refuses "a file that is wrong: file, line, column" "wrong:5:11: expected policy, lru, fifo, random, random_SEED, plru, mru, \
mru_n, srrip, drrip, lru3plru4, or qlru_hXY_mX_rN_uN, found 'fiffo'" --machine=wrong
{ cat mine && echo "cost L2 14" && echo "cost STLB 7"; } >wrong
refuses "a cost of what is not there" "wrong:9:6: expected a level that the machine has, found 'STLB'" --machine=wrong
refuses "no such machine" "--machine=zen9: no such machine, nor a file; expected cachegrind, generic, goldencove, \
icelake, neoverse-n1, sapphirerapids, skylake, skylake-sp, zen2, zen3, zen4, zen5, host or a file" --machine=zen9
refuses "no name" "--machine=: expected the name of a machine, or a file; --machine=help lists them" --machine=
mkdir folder
refuses "a folder" "--machine=folder: cannot be read" --machine=folder
: >empty
refuses "an empty file" "empty:1:1: expected the line machine NAME, found none" --machine=empty

sed '/^prefetch/d' mine >without
costgrind --machine=without --prefetch=yes --costgrind-out-file=none "$program" spin 10 2>err
is "no prefetchers" "$? $(sed -n 's/^.*\(--prefetch=yes: .*\)/\1/p' err)" \
	"0 --prefetch=yes: the machine has no prefetchers; what is counted is the program's own prefetch instructions"
costgrind --machine=zen4 --LL=65536,16,64 --costgrind-out-file=small "$program" spin 10 2>err
is "an option's cache that is smaller than the one before" "$? $(sed -n 's/^.*\(the caches: .*\)/\1/p' err)" \
	"0 the caches: LL has 65536 bytes, less than the 1048576 of L2"

# Cachegrind's format says about the machine what the other one does, so that a gate can refuse.
costgrind -q --format=cachegrind --machine=zen4 --tlb-sim=yes --costgrind-out-file=flat "$program" spin 10 2>err
is "Cachegrind's format names the machine" "$(sed -n 's/^desc: \(Machine: zen4\|DTLB\|Options: .*\).*/\1/p; s/^desc: LL.*, L3, /LL /p' flat)" \
	"LL plru (assumed), victim (assumed)
Machine: zen4
DTLB
Options: --tlb-sim=yes"

# Pages of two sizes are compared with a warning.
for pages in 4K thp; do
	costgrind -q --machine=zen4 --tlb-sim=yes --pages=$pages --costgrind-out-file=$pages "$program" spin 10 2>err
done
"$top_builddir/costgrind" diff 4K thp 2>err >diffed
is "pages of two sizes can be compared" "$? $(grep -c Options: err)" "0 1"

# Children that run in another folder find it.
cat >child.sh <<'END'
cd folder && exec "$1" spin 10
END
costgrind -q --trace-children=yes --machine=mine --costgrind-out-file="$PWD/child.%p" /bin/sh child.sh "$program" 2>err
is "a child in another folder: exit status" "$? $(cat err)" "0 "
is "a child in another folder: the same machine" "$(sed -n 's/^desc: Machine: //p' child.[0-9]* | sort | uniq -c | sed 's/^ *//')" \
	"2 mine (file 74cde9c7), a machine of my own"

# --- under other tools' names ---

for name in callgrind cachegrind; do
	VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=$name -q --machine=zen4 \
		"$program" spin 10 >"$name.out" 2>&1
	is "$name has no other machine" "$? $(cat $name.out)" "1 costgrind: --machine=zen4: needs --tool=costgrind"
done

# --- summary ---

# table [OPTION...]: its lines, without their numbers.
table() {
	costgrind --machine=mine --costgrind-out-file=out "$@" "$program" spin 1000 2>err
	sed -n 's/^==[0-9]*== //; /^Machine/!s/  *[0-9(].*//; /^\(Machine\|I\|D\|L\)/p' err
}
is "summary: a line for each level that missed" "$(table)" "\
Machine:       mine (file 74cde9c7), a machine of my own
I   refs:
I1  misses:
D1  misses:
L2  misses:
L3  misses:
LL  misses:"
is "... in which code and data are" "$(sed -n 's/.*LL  misses: *\([0-9,]*\) .*/\1/p' err | tr -d ,)" \
	"$(profile totals out | awk '/^(ILmr|DLmr|DLmw) / { n += $2 } END { print n }')"
if has_decoder; then
	costgrind --machine=zen4 --cycles=yes --costgrind-out-file=out "$program" spin 1000 2>err
	is "summary: cycles come first" "$(sed -n 's/^==[0-9]*== //; /^Cycles/,$s/: .*//p' err | grep -v '^ ' | head -n 3 | tr '\n' ' ')" "Cycles Spent on Machine "
	is "... with instructions per cycle" "$(sed -n 's/.*Cycles: *\([0-9,]*  (.*\)/\1/p' err | tr -d ,)" "$(profile totals out | awk '
		/^Ir / { ir = $2 }
		/^Cy/ { tenths += $2 }
		END { printf "%d  (%.2f instructions per cycle)\n", tenths / 10, 10 * ir / tenths }')"
	is "... and what they are spent on" "$(sed -n '/Spent on:/,/Machine:/{/Machine/d; s/^==[0-9]*== //; s/Spent on://; s/^ *//p}' err |
		paste -sd' ')" "$(profile totals out | awk '
		BEGIN {
			name["CyBase"] = "core bound"; name["CyDep"] = "dependencies"; name["CyFe"] = "front end"
			name["CyBr"] = "bad speculation"; name["CyMem"] = "memory bound"; name["CyTlb"] = "TLB"
		}
		$1 in name { part[$1] = $2; sum += $2 }
		END { for (event in part) printf "%s %.1f%%\n", name[event], 100 * part[event] / sum }' |
		awk '{ share = $NF; sub("%", "", share); print share, $0 }' | sort -rn | sed 's/[^ ]* //; / 0.0%/d' | paste -sd, | sed 's/,/, /g')"
	is "... in lines of 80 columns at most" "$(sed -n '/Cycles:/,/Machine:/{/Machine:/d; p}' err | awk 'length > 80')" ""
fi
is "summary, -v: each kind of each level" "$(table -v)" "\
Machine:       mine (file 74cde9c7), a machine of my own
I   refs:
I1  misses:
L2i misses:
L3i misses:
LLi misses:
I1  miss rate:
L2i miss rate:
L3i miss rate:
LLi miss rate:
D   refs:
D1  misses:
L2d misses:
L3d misses:
LLd misses:
D1  miss rate:
L2d miss rate:
L3d miss rate:
LLd miss rate:
LL refs:
LL misses:
LL miss rate:"

done_testing
