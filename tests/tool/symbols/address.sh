#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Addresses of instructions are those that "objdump -d" shows for their object,
# and functions are those that the object's symbols name there.
. "$top_srcdir/tests/lib.sh"

profile() {
	python3 "$top_srcdir/tests/profile.py" "$@"
}

# A constant that is in one instruction of each object marks it; it runs as often as n says.
cat >library.c <<'EOF'
extern int value(int);
static int (*volatile indirect)(int) = value;
static __attribute__((noinline)) int inner(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		__asm__ volatile("movl $0x5eed1, %%r10d" ::: "r10");
		sum += indirect(i);
	}
	return sum;
}
int in_library(int n);
int in_library(int n)
{
	return inner(n) + value(n);
}
EOF
cat >program.c <<'EOF'
#include <stdio.h>
extern int in_library(int);
int value(int);
int value(int i)
{
	return i ^ 3;
}
static __attribute__((noinline)) int inner(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		__asm__ volatile("movl $0x5eed2, %%r10d" ::: "r10");
		sum += i;
	}
	return sum;
}
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 7; i++)
		sum += inner(100) + in_library(30);
	printf("%d\n", sum);
	return 0;
}
EOF

# instructions OBJECT: "address label" of each instruction, as objdump sees it.
instructions() {
	LC_ALL=C objdump -d -w --no-show-raw-insn "$1" | awk '
/^[0-9a-f]+ <.*>:$/ { label = substr($0, index($0, "<") + 1); sub(/>:$/, "", label) }
/^ *[0-9a-f]+:\t/ { sub(/:.*/, ""); print "0x" $1, label }'
}

# sized OBJECT: names of the functions whose symbols say how long they are.
sized() {
	LC_ALL=C readelf -sW "$1" | awk '$4 == "FUNC" && $3 != "0" { print $8 }'
}

# addresses WHAT PROFILE OBJECT...: all addresses in these objects are instructions there; in all
# but the system's objects, which may have their symbols elsewhere, functions are right too.
addresses() {
	what=$1
	profile_file=$2
	shift 2
	profile insns "$profile_file" >insns.tsv
	for object; do
		awk -F '\t' -v object="$object" '$1 == object' insns.tsv >mine
		instructions "$object" >theirs
		name=$what:$(basename "$object")
		awk '{ print $1 }' theirs | sort >known
		awk -F '\t' '{ print $3 }' mine | sort -u >used
		is "$name: is there" "$([ -s used ] && echo yes)" yes
		is "$name: addresses that are no instructions" "$(comm -13 known used)" ""
		case $object in
		"$PWD"/*) ;;
		*) continue ;;
		esac
		sized "$object" >sized.txt
		# Valgrind calls _start "(below main)".  It need not know where a function
		# without a size ends, nor the entries of the procedure linkage table: that
		# code goes by the address at which it was called.
		awk -F '\t' '
FILENAME == "theirs" { split($0, word, " "); label[word[1]] = word[2]; next }
FILENAME == "sized.txt" { sized[$1] = 1; next }
{
	want = label[$3]
	if ($2 != (want == "_start" ? "(below main)" : want) && ($2 !~ /^0x[0-9a-f]*$/ || want in sized))
		print $3 ": " $2 ", not " want
}' theirs sized.txt mine >wrong
		is "$name: functions that do not lie there" "$(cat wrong)" ""
	done
}

# executed PROFILE OBJECT CONSTANT: how often the instruction with this constant ran.
executed() {
	address=$(LC_ALL=C objdump -d -w --no-show-raw-insn "$2" | awk -v constant="\$$3," '
index($0, constant) { sub(/:.*/, ""); print "0x" $1 }')
	profile insns "$1" | awk -F '\t' -v object="$2" -v address="$address" '
$1 == object && $3 == address { print $2, $5 }'
}

# run_program WHAT: builds with the flags in $flags, profiles, compares.
run_program() {
	# shellcheck disable=SC2086 # several flags in one variable
	build "program-$1" "$PWD/program.c" -g -O1 $flags "$PWD/library.so"
	costgrind -q --costgrind-out-file="$1.out" --cache-sim=no "./program-$1" >/dev/null
	is "$1: exit status" $? 0
	is "$1: objects that are no files" "$(profile insns "$1.out" | cut -f 1 | sort -u |
		while read -r object; do [ -f "$object" ] || echo "$object"; done)" ""
	# The system's objects: what the program has mapped, the loader among them.
	system=$(profile insns "$1.out" | cut -f 1 | sort -u | grep -v "^$PWD/")
	# shellcheck disable=SC2086 # several objects
	addresses "$1" "$1.out" "$PWD/program-$1" "$PWD/library.so" $system
	is "$1: executions of a known instruction" \
		"$(executed "$1.out" "$PWD/program-$1" 0x5eed2)" "inner Ir=700"
	is "$1: executions of a known instruction of the library" \
		"$(executed "$1.out" "$PWD/library.so" 0x5eed1)" "inner Ir=210"
}

build library.so "$PWD/library.c" -g -O1 -shared -fPIC
# The table is used: calls of the C library go through it.
flags="-fPIE -pie -Wl,-z,lazy"
run_program pie
flags="-fno-pie -no-pie"
run_program fixed

# --- functions so small that several of them share 64 bytes ----------------------

cat >close.S <<'EOF'
	.macro function name, nops
	.type	\name, @function
\name:	.rept \nops
	nop
	.endr
	ret
	.size	\name, . - \name
	.endm

	.text
	.globl	_start
	.type	_start, @function
_start:	call	long
	call	third
	call	first
	call	second
	call	last
	call	first
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start
	.p2align 6
	function first, 1
	function second, 2
	function third, 0
	nop			# of none
	function long, 100
	function last, 3
	.data			# without which Valgrind reads no symbols
	.quad	0
	.section .note.GNU-stack, "", @progbits
EOF
build close "$PWD/close.S" -nostdlib -static
for runs in 0 1 200; do
	costgrind -q --dump-instr=yes --cold-runs=$runs --costgrind-out-file=close.out ./close
	is "small functions, cold for $runs runs: instructions of each" \
		"$(profile insns close.out | awk -F '\t' '{ n[$2]++ } END { for (name in n) print name, n[name] }' |
			sort)" "(below main) 9
first 2
last 4
long 101
second 3
third 1"
done

done_testing
