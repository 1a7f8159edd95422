#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --collect-jumps: jumps within functions, derived by hand.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/jumps.sh"

jumps_build plain
jumps_exact plain
asm_run jumps_plain without.out
is "without the option: no jumps" "$(grep '^j' without.out)" ""
asm_run jumps_plain without.out --collect-jumps=no
is "--collect-jumps=no: no jumps" "$(grep '^j' without.out)" ""
is "with jumps: the same costs and calls" \
	"$(profile insns jumps_plain.out; profile calls jumps_plain.out)" \
	"$(profile insns without.out; profile calls without.out)"

jumps_build frames
jumps_exact frames

jumps_build fault
jumps_exact fault

# --- contexts ---

# jumps_with NAME JUMPS OPTIONS...: with these options, the profile has these jumps instead.
jumps_with() {
	jumps_name=jumps_$1
	jumps_wanted=$2
	shift 2
	asm_run "$jumps_name" "$jumps_name.with" --collect-jumps=yes "$@"
	is "$jumps_name: $*" "$(jumps found "$jumps_name.with" "$jumps_name.S" | LC_ALL=C sort)" \
		"$jumps_wanted"
}

jumps_build contexts
jumps_exact contexts
for engine in inline plain; do
	jumps_with contexts "41: loop'a 2/3 > 40
41: loop'b 6/9 > 40
49: r'2'main 1/2 > 48
49: r'main 1/2 > 48
51: r'2'main 1/1 > 53" --separate-callers=1 --engine=$engine
	jumps_with contexts "41: loop 8/12 > 40
49: r 2/4 > 48
51: r 1/2 > 53" --separate-recs=1 --engine=$engine
	jumps_with contexts "49: r 1/2 > 48
49: r'2 1/2 > 48
51: r'2 1/1 > 53" --fn-skip=loop --engine=$engine
done

# --- other files, and no file ---

jumps_build files
for positions in --dump-instr=yes --dump-instr=no --compress-strings=no --engine=plain; do
	jumps_with files "11: main 2 > jumps_files.inc:3
16: main 1/2 > 11
jumps_files.inc:5: main 4/6 > jumps_files.inc:4
jumps_files.inc:6: main 2 > 15" $positions
done

jumps_build nameless
for engine in inline plain; do
	jumps_with nameless "???:0: 0x0000000010000000 5/7 > ???:0
???:0: 0x0000000010000100 1 > ???:0" --engine=$engine
	is "jumps_nameless: addresses, --engine=$engine" "$(jumps taken jumps_nameless.with)" \
		"???: 0x10000002 > 0x10000000 jcnd 5
???: 0x10000100 > 0x10000004 jump 1"
done
jumps_with nameless "" --dump-instr=no

# --- the linkage table ---

# Each of three entries, when it is first used, goes to its next instruction, by the word that the
# resolver will set, and from there to the start of the table.
build libplt.so "$asm/calls_plt.S" -DLIBRARY -shared -nostdlib -g -Wl,-z,lazy
build jumps_plt "$asm/calls_plt.S" -nostdlib -no-pie -g -Wl,-e,main ./libplt.so -Wl,-rpath,"$PWD" \
	-Wl,-z,lazy
plt_jumps() {
	asm_run jumps_plt plt.out --collect-jumps=yes "$@" >/dev/null
	profile jumps plt.out | awk -F '\t' '
		$1 ~ /plt/ { print ($2 ~ / \[PLT\]$/ ? "table" : $2), $9, $10 "/" $11 }' | sort | uniq -c
}
is "a linkage table that is skipped" "$(plt_jumps | sed 's/^ *//')" "1 main jcnd 2/3"
is "a linkage table that is not" "$(plt_jumps --skip-plt=no | sed 's/^ *//')" \
	"1 main jcnd 2/3${newline}6 table jump 1/1"

# --- threads and processes ---

# spin_jumps FILES...: jumps in the known loop, added up.
spin_jumps() {
	for file; do
		profile jumps "$file"
	done | awk -F '\t' '
		$2 ~ /^spin/ && $3 == $6 && $4 == $7 { taken += $10; executed += $11 }
		END { print taken "/" executed }'
}

build_program threads -pthread -static # starts faster
scene jumps_of_threads
run --cache-sim=no --collect-jumps=yes --costgrind-out-file=p ../threads together 4 1000
is "$scene: all at once" "$(spin_jumps p)" "7992/8000"
run --cache-sim=no --collect-jumps=yes --separate-threads=yes --costgrind-out-file=apart \
	../threads together 4 1000
is "$scene: all of them" "$(spin_jumps apart-*)" "7992/8000"
is "$scene: one of them" "$(spin_jumps apart-03)" "1998/2000"

cd "$scratch" || exit 1
build_program script -static
scene jumps_of_processes
run --cache-sim=no --collect-jumps=yes --costgrind-out-file=p \
	../script spin 1000 fork spin 10 end spin 100
is "$scene: the parent" "$(spin_jumps p)" "1098/1100"
is "$scene: the child" "$(spin_jumps p-*)" "9/10"

done_testing
