# SPDX-License-Identifier: GPL-3.0-or-later
# Object files that are damaged, cut or hostile: what reads them neither dies, nor runs on, nor breaks
# what it promises (tests/fuzz/fuzz_object.c).  Damage is the same in each run.
. "$top_srcdir/tests/lib.sh"

reader=$top_builddir/tests/fuzz/fuzz_object

# damaged NAME COUNT: none of so many damaged copies of an object does any harm.
damaged() {
	mkdir -p "damaged.$1"
	python3 - "$1" "damaged.$1" "$2" <<'END'
import random
import struct
import sys

source, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(source, "rb") as file:
    whole = file.read()
chance = random.Random(8)
for i in range(count):
    data = bytearray(whole)
    if chance.randrange(4) == 0:
        data = data[:chance.randrange(len(data))]
    for _ in range(chance.choice((1, 2, 5, 20, 100))):
        if len(data) < 16:
            break
        size = chance.choice((1, 2, 4, 8))
        at = chance.randrange(len(data) - 8)
        if chance.random() < 0.5:
            at = at // 4 * 4
        value = chance.choice((0, 1, 0x7f, 0x80, 0xff, 0xffffffff, 2**63 - 1, 2**64 - 1, len(whole),
                               chance.getrandbits(64)))
        data[at:at + size] = struct.pack("<Q", value)[:size]
    with open(f"{folder}/{i:05}", "wb") as file:
        file.write(data)
END
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
