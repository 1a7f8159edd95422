#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Code that does not last, and code that is not executed to its end: what is unmapped, replaced or
# rewritten while it is in use, what a debugger stops in, and a thousand faults of each kind.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# Nothing is replaced in them: each line misses once.
caches="--I1=1048576,16,64 --D1=1048576,16,64 --LL=8388608,16,64"

# under ENGINE [OPTIONS...] PROGRAM [ARGUMENTS...]: leaves ENGINE.out, ENGINE.printed, and
# ENGINE.profile without process number and command line.
under() {
	under_engine=$1
	shift
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --engine="$under_engine" --costgrind-out-file="$under_engine.out" \
		--branch-sim=yes --sigill-diagnostics=no $caches "$@" \
		>"$under_engine.printed" 2>"$under_engine.err"
	is "$scene, $under_engine: exit status" $? 0
	sed 's/^pid: .*/pid:/; s/^cmd: .*/cmd:/' "$under_engine.out" >"$under_engine.profile"
	is "$scene, $under_engine: errors" "$(grep 'error' "$under_engine.err")" ""
}

engines_agree() {
	is "$scene: engines" "$(diff inline.profile plain.profile | head -n 20)" ""
}

# --- code that does not last ---

n=600
build_program lifetime -O1 -pthread

# What the profile has of code without symbols: file, address, counts.
made_code() {
	profile insns "$1" | awk -F '\t' '
		$2 ~ /^0x00000000100000/ || $1 == "???" { sub(/.*\//, "", $1); print $1, $3, $5 }'
}

# has_made COUNTS: under both engines.
has_made() {
	is "$scene, inline: made code" "$(made_code inline.out)" "$1"
	is "$scene, plain: made code" "$(made_code plain.out)" "$1"
}

# goes HOW
goes() {
	scene "$1"
	under inline ../lifetime "$1" $n
	under plain ../lifetime "$1" $n
}

# Code that was written is in LL; what the kernel maps is not.  Each code of three, called twice:
# nop nop ret, nop ret, ret.
goes unmapped
has_made "??? 0x10000000 Ir=$((2 * n)) Dr=$((2 * n / 3)) I1mr=1
??? 0x10000001 Ir=$((4 * n / 3)) Dr=$((2 * n / 3))
??? 0x10000002 Ir=$((2 * n / 3)) Dr=$((2 * n / 3))"
engines_agree

# nop nop ret and nop ret, each called n times.
goes mapped_over
has_made "one 0x10000000 Ir=$n I1mr=1 ILmr=1
one 0x10000001 Ir=$n
one 0x10000002 Ir=$n Dr=$n
two 0x10000000 Ir=$n
two 0x10000001 Ir=$n Dr=$n"
engines_agree

# From syscall in one to nop nop ret in two, and from there to ret in one.
goes mapped_by_itself
has_made "one 0x10000000 Ir=$((n / 2)) I1mr=1 ILmr=1
one 0x10000002 Ir=$((n / 2)) Dr=$((n / 2))
two 0x10000000 Ir=$((n / 2))
two 0x10000002 Ir=$((n / 2))
two 0x10000003 Ir=$((n / 2))
two 0x10000004 Ir=$((n / 2)) Dr=$((n / 2))"
engines_agree

# Only the syscall.
goes unmapped_by_itself
has_made "one 0x10000000 Ir=$n I1mr=1 ILmr=1"
engines_agree

# nop nop and the load of address 0, then nop nop ret of the other file.  (The engines differ in the
# instruction that is said to have called the other file's code: nothing really has.)
goes mapped_by_handler
has_made "one 0x10000000 Ir=$n I1mr=1 ILmr=1
one 0x10000001 Ir=$n
one 0x10000002 Ir=$n Dr=$n D1mr=1 DLmr=1
two 0x10000002 Ir=$n
two 0x10000003 Ir=$n
two 0x10000004 Ir=$n Dr=$n"

# A thread: syscall, then ud2 of the other file; the main one: ret.  How often the main one looks
# whether the thread waits is not the same in two runs.
goes mapped_by_thread
has_made "one 0x10000000 Ir=$n I1mr=1 ILmr=1
two 0x10000000 Ir=$n Dr=$n
two 0x10000002 Ir=$n"

# mov ret.
goes stack
for engine in inline plain; do
	is "$scene, $engine: made code" "$(made_code $engine.out | sed 's/0x1f[0-9a-f]*/on the stack/')" \
"??? on the stack Ir=$n I1mr=1
??? on the stack Ir=$n Dr=$n"
done
engines_agree

# mov incl dec jnz, n times, and ret.  How many of the branches are mispredicted depends on those
# before, which are the compiler's and the C library's; it is held against the other engine only.
goes changed_by_itself
for engine in inline plain; do
	is "$scene, $engine: made code" "$(made_code $engine.out | sed 's/ Bcm=[0-9]*$//')" \
"??? 0x10000000 Ir=$n I1mr=1
??? 0x10000005 Ir=$n Dr=$n
??? 0x1000000b Ir=$n
??? 0x1000000d Ir=$n Bc=$n
??? 0x1000000f Ir=1 Dr=1"
done
engines_agree

# --- libraries that come and go at the same address ---

# Two libraries of one layout, with 9 and with 19 instructions before the ret.
cat >"$scratch/library.S" <<'EOF'
	.text
	.globl	work
	.type	work, @function
work:
	.rept	NOPS
	nop
	.endr
	ret
	.size	work, . - work
	.data
	.long	0
	.section .note.GNU-stack, "", @progbits
EOF
build "$scratch/one.so" "$scratch/library.S" -DNOPS=9 -shared -nostdlib
build "$scratch/two.so" "$scratch/library.S" -DNOPS=19 -shared -nostdlib
build_program reload -O1 -ldl
scene libraries
for engine in inline plain; do
	under $engine ../reload 100 ../one.so ../two.so
	is "$scene, $engine: addresses" "$(sort "$engine.printed" | uniq | grep -c .)" 1
	is "$scene, $engine: work" "$(profile insns $engine.out | awk -F '\t' '
		$2 == "work" {
			sub(/.*\//, "", $1)
			match($5, /Ir=[0-9]*/)
			count[$1] += substr($5, RSTART + 3, RLENGTH - 3)
		}
		END { print "one", count["one.so"] "; two", count["two.so"] }')" "one 1000; two 2000"
done
engines_agree

# --- a breakpoint ---

# gdb_run ENGINE COMMANDS...: what `under` leaves, with gdb at it; gdb.out.
vgdb=$VALGRIND_BIN/vgdb
gdb_run() {
	gdb_engine=$1
	shift
	# Not the other engine's, with its process number, while the new process is yet to open it.
	: >gdb.err
	# shellcheck disable=SC2086 # several options in one variable
	VALGRIND_LIB="$COSTGRIND_LIB" timeout -k 5 30 "$VALGRIND" --tool=costgrind \
		--counting=valgrind -q --engine="$gdb_engine" --costgrind-out-file=gdb.profile.raw \
		--branch-sim=yes $caches --vgdb=yes --vgdb-error=0 --vgdb-prefix="$PWD/vgdb" \
		../stepped 2>gdb.err &
	gdb_pid=
	for _ in $(seq 100); do
		gdb_pid=$(sed -n 's/^==\([0-9]*\)==.*TO DEBUG THIS.*/\1/p' gdb.err)
		[ -z "$gdb_pid" ] || break
		sleep 0.1
	done
	timeout 20 gdb -nx -batch -ex 'set pagination off' \
		-ex "target remote | '$vgdb' '--vgdb-prefix=$PWD/vgdb' --wait=10 --pid=$gdb_pid" "$@" \
		../stepped >gdb.out 2>&1
	wait $!
	is "$scene, $gdb_engine: exit status" $? 0
	sed 's/^pid: .*/pid:/; s/^cmd: .*/cmd:/' gdb.profile.raw >gdb.profile
	is "$scene, $gdb_engine: as without gdb" \
		"$(diff "$gdb_engine.profile" gdb.profile | head -n 20)" ""
	is "$scene, $gdb_engine: errors" "$(grep 'internal error' gdb.err)" ""
}

scene gdb
if command -v gdb >/dev/null && [ -x "$vgdb" ]; then
	build "$scratch/stepped" "$programs/stepped.S" -nostdlib -static -g -Wl,-e,main \
		-Wl,--build-id=none
	for engine in inline plain; do
		under $engine ../stepped
		is "$scene, $engine: counts" "$(calls graph $engine.out)" "$(calls want \
			"$programs/stepped.S" | sed 's/^[0-9]*: //')"
		# The second breakpoint is set while the code of its block runs, and so is removed.
		gdb_run $engine -ex 'break step' -ex continue -ex continue -ex 'break middle' \
			-ex continue -ex 'break late' -ex continue -ex 'delete 2' -ex continue \
			-ex 'tbreak middle' -ex continue -ex stepi -ex delete -ex continue
		is "$scene, $engine: stops" \
			"$(sed -n 's/^\(Temporary b\|B\)reakpoint \([0-9]\), .*/\2/p' gdb.out | xargs)" \
			"1 1 2 3 1 4"
	done
else
	skip "$scene" "no gdb"
fi

# --- faults ---

scene faults
build "$scratch/faulty" "$programs/faults.S" -nostdlib -static -g -Wl,-e,main -Wl,--build-id=none
for engine in inline plain; do
	under $engine ../faulty
	is "$scene, $engine: own costs" "$(calls graph $engine.out | grep -v ' > ')" \
		"$(calls want "$programs/faults.S")"
done
engines_agree

done_testing
