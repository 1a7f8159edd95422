# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind annotate --layout finds the loop that was put across the edge of a fetch window, and not the same one that
# was put at its beginning, by what runs counted: with jumps and without, with cycles, wherever the program is loaded.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

command=$top_builddir/costgrind

# windows PROFILE [OPTIONS...]: the event, how many loops are hot, and what is said about each that is placed badly.
windows() {
	"$command" annotate --layout --format=json "$@" | python3 \
		"$top_srcdir/tests/tool/simulate/loop_windows.py"
}

line=$(grep -n '^	jne	1b' "$asm/windows.S" | cut -d : -f 1)
row="crossing $line 58 12 999 2/1 2/1 2/1 16"
build windows "$asm/windows.S" -nostdlib -static -g
build windows.pie "$asm/windows.S" -nostdlib -static-pie -g
for program in windows windows.pie; do
	costgrind -q --cache-sim=no --collect-jumps=yes --costgrind-out-file=jumps.out "./$program"
	costgrind -q --costgrind-out-file=plain.out "./$program"
	costgrind -q --branch-detail=yes --machine=generic --costgrind-out-file=taken.out "./$program"
	costgrind -q --cycles=yes --machine=zen5 --costgrind-out-file=cycles.out "./$program"
	is "$program: with jumps" "$(windows jumps.out)" "Ir 2
$row"
	is "$program: without" "$(windows plain.out)" "EstCyc 2
$row"
	is "$program: with taken branches" "$(windows taken.out | tail -n 1)" "$row"
	is "$program: by cycles" "$(windows cycles.out)" "Cyc 2
$row"
	# The object is not there: what is recorded is enough.
	is "$program: without the object" "$(windows jumps.out -q --sysroot=/nowhere)" "Ir 2
$row"
done
costgrind -q --dump-instr=no --costgrind-out-file=lines.out ./windows
is "without instructions" "$("$command" annotate --layout lines.out 2>&1)" \
	"costgrind annotate: --layout: expected costs of instructions, found none: they are recorded with --dump-instr=yes"
done_testing
