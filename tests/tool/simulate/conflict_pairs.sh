#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which instructions push each other out of D1 (desc: Conflicts): who, how far apart, and only what is collected.
. "$top_srcdir/tests/lib.sh"

build misses "$top_srcdir/tests/bench/misses.c" -O2 -g

# run FUNCTION KERNEL VARIANT: a profile of that function.
run() {
	costgrind -q --counting=architectural --machine=zen2 --miss-classes=yes --toggle-collect="$1" \
		--costgrind-out-file=profile ./misses "$2" "$3" 1 >stdout 2>&1
}

# total EVENT: of the profile.
total() {
	awk -v event="$1" '/^events:/ { for (i = 2; i <= NF; i++) if ($i == event) column = i }
		/^totals:/ { print column <= NF ? $column : 0 }' profile
}

run conflict_before conflict before
line=$(grep -n 'sum += rows\[row\]' "$top_srcdir/tests/bench/misses.c" | cut -d: -f1)
conflicts=$(total D1conf)
is "a column with itself, by its rows" \
	"$(sed -n 's/^desc: Conflicts: [0-9]* of //p' profile | sed "s|$top_srcdir/tests/bench/||g")" \
	"$conflicts in D1, 4096 bytes apart: misses.c:$line conflict_before <-> misses.c:$line conflict_before"
is "nearly all" "$(sed -n 's/^desc: Conflicts: \([0-9]*\) of.*/\1/p' profile |
	awk -v all="$conflicts" '{ print ($1 > all * 0.99), (all > 28000) }')" "1 1"
run conflict_after conflict after
is "none where rows are a line longer" "$(grep -c '^desc: Conflicts' profile)" 0
run now conflict before
is "none of what is not collected" "$(grep -c '^desc: Conflicts' profile)" 0

# Two instructions of a line that push each other out are one pair of the line with itself, not two that read alike.
cat >pair.c <<'END'
#include <stdio.h>
static struct { float a[4096], b[4096]; } both;
void scale(float *a, const float *b, int n);
__attribute__((noinline)) void scale(float *a, const float *b, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = b[i] * 2 + a[i];
}
int main(void)
{
	for (int round = 0; round < 10; round++)
		scale(both.a, both.b, 1024);
	return printf("%f\n", both.a[5]) < 0;
}
END
build pair "$PWD/pair.c" -O1 -g
# A profile of scale(), in a direct-mapped D1.
pair() {
	costgrind -q --miss-classes=yes --D1=16384,1,64 --toggle-collect=scale --costgrind-out-file=profile ./pair \
		>stdout 2>&1
}
# met: what is said about the pairs, without how many there were of each.
met() {
	sed -n "s|$PWD/||g; s/^desc: Conflicts: [0-9]* of //p" profile
}
pair
conflicts=$(total D1conf)
is "a line with itself, once" "$(met)" "$conflicts in D1, 16384 bytes apart: pair.c:7 scale <-> pair.c:7 scale"
is "with nearly all of them" "$(sed -n 's/^desc: Conflicts: \([0-9]*\) .*/\1/p' profile |
	awk -v all="$conflicts" '{ print ($1 > all * 0.99), (all > 20000) }')" "1 1"
# Without lines, instructions are named by their addresses in the object.
strip --strip-debug pair
pair
is "the object, where there are no lines" "$(met | sed 's/.*apart: //; s/0x[0-9a-f]*/ADDRESS/g' | sort -u)" \
	"ADDRESS scale [pair] <-> ADDRESS scale [pair]"
for address in $(met | grep -o '0x[0-9a-f]*' | sort -u); do
	is "an instruction of the object: $address" "$(objdump -d --no-show-raw-insn pair |
		awk -v at="${address#0x}:" '/^[0-9a-f]+ </ { name = $2 } $1 == at { print name }')" "<scale>:"
done
done_testing
