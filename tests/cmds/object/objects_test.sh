# SPDX-License-Identifier: GPL-3.0-or-later
# Object files that are damaged, cut or hostile: what reads them neither dies, nor runs on, nor breaks
# what it promises (tests/fuzz/fuzz_object.c).  Damage is the same in each run.
. "$top_srcdir/tests/lib.sh"

reader=$top_builddir/tests/fuzz/fuzz_object

# damaged NAME COUNT: none of that many damaged copies of an object does any harm.
damaged() {
	mkdir -p "damaged.$1"
	python3 "$top_srcdir/tests/cmds/object/damaged_copies.py" "$1" "damaged.$1" "$2"
	timeout 100 "$reader" "damaged.$1" >"$1.out" 2>"$1.err"
	is "$1: $2 damaged copies" "$? $(grep -c '^ok' "$1.out") $(head -n 20 "$1.err")" "0 $2 "
}

for name in loop loop32; do
	cp "$top_srcdir/tests/golden/code/inputs/$name.s" .
done
build loop ./loop.s -nostdlib -static -no-pie -g -Wl,--build-id=0x0123
build loop32 ./loop32.s -m32 -nostdlib -static -no-pie -g
build calls "$top_srcdir/tests/cases/al.c" -g -O1
# Symbols compressed by xz.
objcopy -S --keep-symbol=main calls functions
xz functions
strip -o mini calls
objcopy --add-section=.gnu_debugdata=functions.xz mini
damaged loop 150
damaged mini 100
damaged loop32 50
damaged calls 150

# The command, too: it shows what it can, or says what is wrong.
cp "$top_srcdir"/tests/golden/code/inputs/loop.* .
mkdir damaged
wrong=
for file in damaged.loop/000[0-5]?; do
	cp "$file" damaged/loop
	timeout 20 "$top_builddir/costgrind" annotate -q --asm --sysroot=damaged loop.cg >text 2>errors
	status=$?
	[ "$status" -le 1 ] || wrong="$wrong $file: exit status $status $(cat errors)"
done
is "annotate --asm of 60 of them" "$wrong" ""
done_testing
