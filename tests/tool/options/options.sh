#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options: what each does, and the words with which a wrong one is refused.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster

# --- values of the wrong kind ---

for option in cache-sim branch-sim simulate-wb simulate-hwpref cacheuse collect-bus dump-instr \
	dump-line compress-strings compress-pos collect-jumps; do
	refused "--$option=maybe: expected yes or no" --$option=maybe
done
refused "--cache-sim=: expected yes or no" --cache-sim=
refused "--cache-sim=yesterday: expected yes or no" --cache-sim=yesterday
refused "--cache-sim=YES: expected yes or no" --cache-sim=YES
refused "--collect-jumps: expected --collect-jumps=yes|no" --collect-jumps
refused "--branch-sim: expected --branch-sim=yes|no" --branch-sim
for value in yes line "" "calls "; do
	refused "--inline=$value: expected no, lines or calls" "--inline=$value"
done
refused "--inline: expected --inline=no|lines|calls" --inline
for value in "" maybe ms YES sec nsecs; do
	refused "--collect-systime=$value: expected no, yes, msec, usec or nsec" \
		"--collect-systime=$value"
done
refused "--collect-systime: expected --collect-systime=no|yes|msec|usec|nsec" --collect-systime
countings="architectural or valgrind"
if ! has_decoder; then
	countings=valgrind
	refused "--counting=architectural: this tool was built without Capstone, expected valgrind" \
		--counting=architectural
	for option in --collect-flops=yes --collect-bytes=yes --mix=yes --cycles=yes; do
		refused "$option: this tool was built without Capstone, which decodes instructions" "$option"
	done
	is "--version without a decoder" "$("$top_builddir/costgrind" --version | sed 's/^[^ ]*//')" " (tool without Capstone)"
fi
refused "--counting=foo: expected $countings" --counting=foo
refused "--counting=: expected $countings" --counting=
refused "--D1: expected --D1=<size>,<assoc>,<line>" --D1
refused "--costgrind-out-file: expected --costgrind-out-file=<file>" --costgrind-out-file

costgrind -q --no-such-option=1 "$scratch/script" print ran >unknown.out 2>unknown.err
is "unknown option" "$(echo "status $?"; cat unknown.out unknown.err)" \
"status 1
valgrind: Unknown option: --no-such-option=1
valgrind: Use --help for more information or consult the user manual."
# One that is like one of ours, or of Valgrind's: no prefix of it either.
for meant in --I1x=1,1,1:--I1 --cache-sm=no:--cache-sim --cahce-sim=no:--cache-sim \
	--collect-system=yes:--collect-systime --colect-jump:--collect-jumps \
	--separate-caller3=f:--separate-callers --fn_skip=f:--fn-skip --D=1,2,3:--D1 \
	--trace-childen=yes:--trace-children --smc-chek=all:--smc-check --L2=1048576,16,64:--LL; do
	refused "${meant%:--*}: no such option, did you mean --${meant##*:--}?" "${meant%:--*}"
done

# Superblocks are many; milliseconds of 49 days are enough.
refused "--dump-every-bb=1000000000000000000: expected a number from 0 to 999999999999999999" \
	--dump-every-bb=1000000000000000000
refused "--dump-every-bb=-1: expected a number from 0 to 999999999999999999" --dump-every-bb=-1
refused "--dump-every-ms=4294967296: expected a number from 0 to 4294967295" \
	--dump-every-ms=4294967296

# --- shapes of caches that cannot be ---

syntax="must be <size>,<associativity>,<line size>, three decimal numbers, for example 32768,8,64"
for shape in "" 32768 32768,8 32768,8,64,1 "32768,8," ,8,64 32k,8,64 -32768,8,64 "32768, 8,64" \
	0x8000,8,64 32768:8:64; do
	refused "--D1=$shape: $syntax" "--D1=$shape"
done
too_large="a number is too large: size may be at most 4611686018427387903, \
associativity 2147483647, line size 1073741824"
refused "--D1=18446744073709551616,8,64: $too_large" --D1=18446744073709551616,8,64
refused "--D1=4611686018427387904,8,64: $too_large" --D1=4611686018427387904,8,64
refused "--D1=32768,2147483648,64: $too_large" --D1=32768,2147483648,64
refused "--D1=32768,8,4294967360: $too_large" --D1=32768,8,4294967360
refused "--I1=0,8,64: size is 0: must be associativity * line size times a power of two, \
for example 32768 for 8 and 64" --I1=0,8,64
refused "--I1=32768,0,64: associativity is 0: must be 1 (direct-mapped) or more, for example 8" \
	--I1=32768,0,64
refused "--I1=32768,8,0: line size is 0: must be a power of two from 32 on, for example 64" \
	--I1=32768,8,0
refused "--D1=100,2,48: line size 48 is no power of two; nearest legal: line size 32 or 64" \
	--D1=100,2,48
refused "--D1=32768,8,8: line size 8 is too small: must be at least 32" --D1=32768,8,8
refused "--LL=64,1,64: size 64 is not above line size 64; nearest legal: size 128" --LL=64,1,64
refused "--LL=64,1,128: size 64 is not above line size 128; nearest legal: size 256" --LL=64,1,128
refused "--LL=1024,32,64: associativity 32 is above the number of lines, 16 (size 1024 / line \
size 64); nearest legal: size 2048, or associativity 16" --LL=1024,32,64
refused "--D1=100,2,32: size 100 is no multiple of associativity 2 * line size 32 = 64; nearest \
legal: size 64 or 128" --D1=100,2,32
refused "--LL=24576,8,64: the number of sets, 48 (size 24576 / associativity 8 / line size 64), \
is no power of two; nearest legal: size 16384 or 32768, or associativity 6 or 12" --LL=24576,8,64
# A reference must not need three lines: none is shorter than the largest register.
small="line size 16 is smaller than the largest register of the simulated CPU, use 32 or more"
refused "--I1=1024,1,16: $small" --I1=1024,1,16
refused "--D1=1024,1,16: $small" --D1=1024,1,16
refused "--LL=1024,1,16: $small" --LL=1024,1,16
# What is proposed is accepted.
refused "--I1=1024,2,3: line size 3 is no power of two; nearest legal: line size 32" --I1=1024,2,3

# --- what is simulated ---

# recorded OPTION...: the events of a profile with these options.
recorded() {
	costgrind -q --costgrind-out-file=events.out "$@" "$scratch/script" spin 10 &&
		profile totals events.out | sed 's/ .*//' | tr '\n' ' '
}

# Of the machines that are simulated by default: three levels; with Callgrind's simulators: two, and its predictors.
three_events="Dr Dw I1mr D1mr D1mw L2ir L2dr L2dw ILmr DLmr DLmw"
caches_events="Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw"
callgrinds_branches="Bc Bcm Bi Bim"
branches_events="$callgrinds_branches Br Brm Btm"
is "events by default" "$(recorded)" "Ir $three_events "
is "events with branches" "$(recorded --branch-sim=yes)" "Ir $three_events $branches_events "
# What counts by default is said last on no command line: there is no option then.
by_default() {
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind -q --cache-sim=no \
		--costgrind-out-file=events.out "$scratch/script" spin 10 &&
		profile totals events.out | sed 's/ .*//' | tr '\n' ' '
}
if has_decoder; then
	is "events of what counts by default" "$(by_default)" "Ir Rep "
	mkdir lib
	ln -s "$COSTGRIND_LIB"/* lib
	for name in callgrind cachegrind; do
		for tool in "$COSTGRIND_LIB"/costgrind-*; do
			ln -sf "$(readlink -f "$tool")" "lib/$name-${tool##*/costgrind-}"
		done
		VALGRIND_LIB=$(unspaced "$PWD")/lib "$VALGRIND" --tool=$name -q --costgrind-out-file=events.out \
			--cache-sim=no "$scratch/script" spin 10
		is "events of what counts by default, called $name" \
			"$(profile totals events.out | sed 's/ .*//')" Ir
	done
	is "events by architecture" "$(recorded --branch-sim=yes --counting=architectural)" \
		"Ir $three_events $branches_events Rep "
else
	is "events of what counts by default" "$(by_default)" "Ir "
fi
is "events of branches alone" "$(recorded --cache-sim=no --branch-sim=yes)" "Ir $branches_events "
is "events of instructions alone" "$(recorded --cache-sim=no)" "Ir "
is "events of instructions and bus locks" "$(recorded --cache-sim=no --collect-bus=yes)" "Ir Ge "
for unit in yes msec usec; do
	is "events of instructions and system calls, $unit" \
		"$(recorded --cache-sim=no --collect-systime=$unit)" "Ir sysCount sysTime "
done
is "events of instructions and system calls, nsec" \
	"$(recorded --cache-sim=no --collect-systime=nsec)" "Ir sysCount sysTime sysCpuTime "
is "no events of system calls" "$(recorded --cache-sim=no --collect-systime=nsec \
	--collect-systime=no)" "Ir "
is "events of all options" \
	"$(recorded --branch-sim=yes --collect-bus=yes --collect-systime=nsec)" \
	"Ir $three_events $branches_events Ge sysCount sysTime sysCpuTime "
write_back_events="$caches_events ILdmr DLdmr DLdmw"
use_events="AcCost1 SpLoss1 AcCost2 SpLoss2"
is "events with write-back" "$(recorded --simulate-wb=yes)" "Ir $write_back_events "
is "events with the prefetcher" "$(recorded --simulate-hwpref=yes)" "Ir $caches_events "
is "events with uses" "$(recorded --cacheuse=yes)" "Ir $caches_events $use_events "
is "events with all" \
	"$(recorded --cacheuse=yes --simulate-wb=yes --simulate-hwpref=yes --branch-sim=yes)" \
	"Ir $write_back_events $callgrinds_branches $use_events "
for option in --simulate-wb --simulate-hwpref --cacheuse; do
	costgrind --costgrind-out-file=events.out --cache-sim=no $option=yes \
		"$scratch/script" spin 10 2>events.err
	is "$option needs the caches" \
		"$(sed -n '/simulating/s/^==[0-9]*== //p' events.err)" \
		"costgrind: --cache-sim=no $option=yes: simulating the caches"
	is "$option does not switch off" "$(recorded --cache-sim=no $option=yes $option=no)" "Ir "
done
is "the last of two options wins" "$(recorded --cache-sim=no --cache-sim=yes)" "Ir $three_events "

long_names() {
	header event events.out | sed -n '/ = /!p'
}

recorded --branch-sim=yes >events.txt
is "long names of events" "$(long_names)" \
"Ir : Instructions executed
Dr : Data reads
Dw : Data writes
I1mr : L1 instruction fetch misses
D1mr : L1 data read misses
D1mw : L1 data write misses
L2ir : L2 instruction fetch misses
L2dr : L2 data read misses
L2dw : L2 data write misses
ILmr : Last-level instruction fetch misses
DLmr : Last-level data read misses
DLmw : Last-level data write misses
Bc : Conditional branches executed
Bcm : Conditional branches mispredicted
Bi : Indirect branches executed
Bim : Indirect branches mispredicted
Br : Returns executed
Brm : Returns mispredicted
Btm : Branch target buffer misses"
is "derived events" "$(header event events.out | sed -n '/ = /p')" \
"EstCyc = Ir + Dr + Dw + 4 I1mr + 4 D1mr + 4 D1mw + 30 ILmr + 30 DLmr + 30 DLmw : \
Estimated cycles"
recorded --simulate-wb=yes --cacheuse=yes >events.txt
is "long names of events of simulators" "$(long_names | sed -n '/^ILd/,$p')" \
"ILdmr : Last-level fetch misses with write-back
DLdmr : Last-level data read misses with write-back
DLdmw : Last-level data write misses with write-back
AcCost1 : L1 lines: 1000 / uses of each
SpLoss1 : L1 lines: bytes never used
AcCost2 : Last-level lines: 1000 / uses of each
SpLoss2 : Last-level lines: bytes never used"
recorded --cache-sim=no >events.txt
is "no caches are described where none is simulated" \
	"$(header desc events.out | grep -c 'cache: ')" 0

# --- which caches ---

# described OPTION...: the two levels that we write into the header, and what we say before the end.
described() {
	costgrind --machine=cachegrind --costgrind-out-file=ours.out "$@" "$scratch/script" spin 10 2>ours.err &&
		header desc ours.out | grep ' cache: '
}

# Cachegrind's words for the same options, in our spacing.  Where it takes another last level
# than the machine has, that is tests/tool/options/host_caches.sh's.
reference() {
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=cachegrind --cache-sim=yes \
		--cachegrind-out-file=theirs.out "$@" "$scratch/script" spin 10 2>theirs.err &&
		header desc theirs.out | sed 's/:  */: /'
}

# compared WHAT OPTION...: our caches are Cachegrind's, but for a last level that it misreads
# (tests/tool/options/host_caches.sh has what it is).
compared() {
	what=$1
	shift
	but=
	case $* in
	*--LL=*) ;;
	*) ! core_misreads_caches || but=/^LL/d ;;
	esac
	is "caches with $what" "$(described "$@" | sed "$but")" "$(reference "$@" | sed "$but")"
}

# silent: the last run said nothing but where the profile is.
silent() {
	is "caches with $what: nothing to say" "$(said)" ""
}

# said: what the last run said about caches.
said() {
	sed -n 's/^==[0-9]*== costgrind: //p' ours.err | grep -v '^profile written to '
}

compared "none given"
# Cachegrind says in two lines what it makes of a last-level cache that cannot be simulated as it is.
if core_misreads_caches; then
	# shellcheck disable=SC2046,SC2183 # three words
	is "a rounded last-level cache is reported" "$(said | grep -c 'is simulated as')" \
		"$(described | grep -c -v "^[ID]1\|^LL cache: $(printf '%s B, %s B, %s-way associative' \
			$(kernel_last_level | awk '{ print $1, $3, $2 }'))$")"
else
	is "a rounded last-level cache is reported" "$(said)" "$(tr -d , <theirs.err | sed -n '
	s/.* specified LL cache: line_size [0-9]*  assoc \([0-9]*\)  total_size \([0-9]*\)$/\2 B, \1-way/p
	s/.* simulated LL cache: line_size [0-9]*  assoc \([0-9]*\)  total_size \([0-9]*\)$/\2 B, \1-way/p' |
		sed 'N; s/\(.*\)\n\(.*\)/last-level cache of this machine, \1, is simulated as \2/')"
fi
detected=$(header desc ours.out)
compared "I1 given" --I1=16384,4,32
compared "D1 given" --D1=24576,6,64
compared "LL given" --LL=3145728,12,64
silent
for name in callgrind cachegrind; do
	VALGRIND_LIB=$top_builddir/valgrind-lib-dropin "$VALGRIND" --tool=$name --cache-sim=yes \
		--format=callgrind --costgrind-out-file=old.out --L2=262144,8,128 \
		"$scratch/script" spin 10 2>old.err
	is "$name: LL by its old name" "$(header desc old.out | grep '^LL cache: ')" \
		"LL cache: 262144 B, 128 B, 8-way associative"
done
compared "I1 and D1 given" --I1=16384,1,64 --D1=8192,256,32
compared "I1 and LL given" --I1=16384,4,64 --LL=1048576,16,64
silent
compared "D1 and LL given" --D1=16384,4,64 --LL=1048576,1,64
silent
compared "all given" --I1=16384,4,64 --D1=32768,8,64 --LL=1048576,16,64
silent
is "descriptions of given caches" "$(header desc ours.out | sed -n '/ cache: /p')" \
"I1 cache: 16384 B, 64 B, 4-way associative
D1 cache: 32768 B, 64 B, 8-way associative
LL cache: 1048576 B, 64 B, 16-way associative"
described --D1=4096,1,64 >described.txt
is "description of a direct-mapped cache" "$(sed -n 's/^D1 //p' described.txt)" \
	"cache: 4096 B, 64 B, direct-mapped"
is "what is not given is detected" "$(sed '/^D1/d' described.txt)" \
	"$(printf '%s\n' "$detected" | sed -n '/^I1 cache\|^LL cache/p')"
ours_collected=$(sed -n 's/^summary: \([0-9]*\).*/\1/p' ours.out | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\(,\|$\)/\1,\2\3/; ta')
is "the other lines of description" "$(header desc ours.out | sed '/ cache: /d
	s/block 0 - [1-9][0-9]*$/block 0 - N/; s/^\(CPU\|Kernel\|Environment\|Program\|Folder\): .*/\1/
	s/^\(Machine: [a-z]*\),.*/\1/')" \
"Machine: cachegrind
Counting: valgrind
CPU
Kernel
Environment
Program
Folder
Timerange: Basic block 0 - N
Trigger: Program termination
Collected: $ours_collected of $ours_collected instructions
Ended: exit 0"

# --- what is written ---

# written_with OPTION...: a profile with these options, into options.out.
written_with() {
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q $caches --costgrind-out-file=options.out "$@" "$scratch/script" spin 1000
	is "exit status with $*" $? 0
}

written_with --branch-sim=yes
cp options.out default.out
profile cells default.out >default.cells
profile insns default.out >default.insns
awk -F '\t' -v OFS='\t' '{ $4 = 0; print }' default.insns >without_lines.insns
is "the known loop" "$(spun default.out)" "$(spins 1000)"
is "positions by default" "$(header positions default.out)" "instr line"

written_with --branch-sim=yes --dump-instr=no
is "positions of lines" "$(header positions options.out)" line
is "costs by line, from lines" "$(profile cells options.out | cmp - default.cells 2>&1)" ""

written_with --branch-sim=yes --dump-line=no
is "positions of instructions" "$(header positions options.out)" instr
is "costs by instruction, from instructions" \
	"$(profile insns options.out | cmp - without_lines.insns 2>&1)" ""

# shellcheck disable=SC2086 # several options in one variable
costgrind $caches --branch-sim=yes --costgrind-out-file=options.out --dump-line=no --dump-instr=no \
	"$scratch/script" spin 1000 2>neither.err
is "positions if neither is wanted" "$(header positions options.out)" line
is "neither is wanted: messages" "$(sed -n 's/^==[0-9]*== costgrind: //p' neither.err)" \
"--dump-line=no --dump-instr=no: using source line as position
profile written to $scratch/options.out (replaced); show it by costgrind annotate or report, or kcachegrind"
is "costs by line if neither is wanted" \
	"$(profile cells options.out | cmp - default.cells 2>&1)" ""
costgrind -q --costgrind-out-file=options.out --dump-line=no --dump-instr=no \
	"$scratch/script" spin 10 2>neither.err
is "neither is wanted: silent with -q" "$(cat neither.err)" ""

written_with --branch-sim=yes --compress-strings=no
is "names without numbers" \
	"$(grep -c '^[a-z]*=([0-9]' options.out)/$(profile insns options.out | cmp - default.insns)" 0/
is "names with numbers" "$(grep -v '^calls=' default.out | grep -c '^[a-z]*=[^(]')" 0

written_with --branch-sim=yes --compress-pos=no
is "positions that are no differences" \
	"$(grep -c '^[-+*]\|^0x[0-9a-f]* [-+*]' options.out)/$(profile insns options.out |
		cmp - default.insns)" 0/
is "positions that are differences" "$(grep -c '^[+][0-9]' default.out | sed 's/^[1-9].*/many/')" \
	many

# --- options of the core that must not change anything ---

# Chasing and unrolling would change what is counted.
written_with --branch-sim=yes --vex-guest-chase=yes --vex-iropt-unroll-thresh=400
is "costs with chasing and unrolling wanted" \
	"$(profile insns options.out | cmp - default.insns 2>&1)" ""
written_with --branch-sim=yes --vex-guest-max-insns=10
is "costs with short superblocks" "$(spun options.out)" "$(spins 1000)"

# More words of the core's do no harm.
for option in -v "-v -v" --stats=yes --trace-flags=10000000 --profile-flags=00000000; do
	# shellcheck disable=SC2086 # several options in one variable
	written_with $option 2>verbose.err
	is "costs with $option" "$(spun options.out)" "$(spins 1000)"
done
costgrind -q --stats=yes --costgrind-out-file=options.out "$scratch/script" spin 1000 2>stats.err
is "--stats=yes: superblocks" "$(sed -n 's/^--[0-9]*-- costgrind: superblocks entered: *//p' stats.err)" \
	"$(sed -n 's/^desc: Timerange: Basic block 0 - //p' options.out)"

done_testing
