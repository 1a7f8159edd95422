#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines of code that programs register with debuggers: from an object that the assembler has made, with line
# programs of each version, in several states; and from those that lli registers.
. "$top_srcdir/tests/lib.sh"

build registering "$top_srcdir/tests/programs/registering.c" -O1 -g -static

# A call with 10 has 22 instructions: 1 in line 10, 20 in line 11, 1 in line 12 of another file.  The second function is
# in a section of its own.
cat >code.s <<'END'
	.file 1 "/sources/registered.x"
	.file 2 "/sources/other.x"
	.text
	nop
	.type first,@function
first:
	.loc 1 10
	mov %edi,%ecx
	.loc 1 11
1:	dec %ecx
	jnz 1b
	.loc 2 12
	ret
	.size first,.-first
	.section .text.second,"ax",@progbits
	.type second,@function
second:
	.loc 2 20
	mov %edi,%ecx
	.loc 2 19
	nop
	.loc 2 21
1:	dec %ecx
	jnz 1b
	ret
	.size second,.-second
END

# run PROGRAM...: profile p
run() {
	rm -f p
	costgrind -q --cache-sim=no --costgrind-out-file=p "$@" 2>err
	is "$test: messages" "$(cat err)" ""
}

# lines [FILE]: files, functions, lines and instructions of files below /sources, or of that one, each once.
lines() {
	python3 "$top_srcdir/tests/profile.py" cells p | sed 's/ Rep=.*//; s/Ir=//' |
		awk -F '\t' -v want="${1:-^/sources/}" '$1 ~ want { sum[$1 " " $2 " " $3] += $4 }
			END { for (key in sum) print key, sum[key] }' | LC_ALL=C sort
}

whole="/sources/other.x first 12 1
/sources/other.x second 19 2
/sources/other.x second 20 2
/sources/other.x second 21 42
/sources/registered.x first 10 1
/sources/registered.x first 11 20"

for version in 2 3 4 5; do
	test="DWARF $version"
	if ! as --gdwarf-$version -o "code$version.o" code.s 2>build.log; then
		skip "$test" "the assembler does not know it: $(head -n 1 build.log)"
		continue
	fi
	test="DWARF $version, relocations left"
	run ./registering "code$version.o" left first second
	is "$test" "$(lines)" "$whole"
	sum=$(sed -n '/^summary:/p' p)
	test="DWARF $version, relocations done"
	run ./registering "code$version.o" "done" first second
	is "$test" "$(lines)" "$whole"
	# Addresses are 0 and offsets of names wrong: names of functions are left.
	test="DWARF $version, relocations neither done nor told"
	run ./registering "code$version.o" none first second
	is "$test" "$(lines .)" "$(lines . | grep -v /sources)"
	is "$test: functions" "$(lines '^[?]' | grep -E ' (first|second) ')" "??? first 0 22
??? second 0 46"
	test="DWARF $version, damaged"
	run ./registering "code$version.o" damaged first second
	is "$test: functions" "$(lines . | grep -cE ' (first|second) ')" 2
	test="DWARF $version, off"
	run --generated-names=no ./registering "code$version.o" left first second
	is "$test: the same costs" "$(sed -n '/^summary:/p' p)" "$sum"
done

# --- lli: with ORC, it has no jitdump file ------------------------------------------------------

lli=$(command -v lli || command -v lli-14 || :)
clang=$(command -v clang || command -v clang-14 || :)
if [ ! "$lli" ] || [ ! "$clang" ]; then
	skip "lli" "there is no lli, or no clang"
	done_testing
fi
cat >jit.c <<'END'
static volatile int seen;
__attribute__((noinline)) static void leaf(int n)
{
	seen = n;
	seen = n + 1;
}
int main(void)
{
	for (int i = 0; i < 10; i++)
		leaf(i);
	return 0;
}
END
for version in 4 5; do
	test="lli, DWARF $version"
	if ! "$clang" -O1 -gdwarf-$version -S -emit-llvm -o jit.ll jit.c 2>build.log; then
		skip "$test" "$(head -n 1 build.log)"
		continue
	fi
	run "$lli" -jit-kind=orc jit.ll
	is "$test: costs of leaf are in its lines" "$(lines '/jit[.]c$' | grep ' leaf ' | sed "s,$PWD/,,; s/ [0-9]*\$//" | xargs)" \
		"jit.c leaf 4 jit.c leaf 5 jit.c leaf 6"
	is "$test: the file is where it was compiled" "$(lines '/jit[.]c$' | grep -c "^$PWD/jit.c leaf ")" 3
done

done_testing
