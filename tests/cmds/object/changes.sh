#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which registers instructions change, as types are followed by: vectors of each width, and what Capstone does not know.
. "$top_srcdir/tests/lib.sh"

disassemble=$top_builddir/tests/cmds/object/disassemble

# changes INSTRUCTION NUMBER...: it changes these.
changes() {
	printf '.text\n.globl f\n.type f,@function\nf: %s\n.size f,.-f\n' "$1" >f.s
	if ! build f.o ./f.s -c 2>/dev/null; then
		skip "$1" "the assembler does not know it"
		return
	fi
	is "$1" "$("$disassemble" f.o changes | sed 's/ :.*//; s/^: .*//')" "$2"
}

changes "mov %rdi, %r9" 9
changes "mov %rdi, (%rsi)" ""
changes "movdqu (%rdi), %xmm3" 20
changes "vpaddq %ymm1, %ymm2, %ymm15" 32
changes "vpaddq %zmm1, %zmm2, %zmm3" 20
changes "vmovdqu64 (%rdi), %zmm0" 17
changes "vmovdqu64 (%rdi), %zmm16" ""
changes "vmovups %zmm0, (%rdi)" ""
changes "vpxorq %zmm5, %zmm5, %zmm5" 22
changes "vaddpd (%rsi), %zmm1, %zmm4{%k1}" 21
# Of AVX-512 in forms that are too new for Capstone: any.  Capstone 5 knows the first one.
any="17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32"
if [ "$("$disassemble" --version)" -lt 5 ]; then
	changes "vpmadd52luq (%rsi), %zmm3, %zmm1" "$any"
else
	changes "vpmadd52luq (%rsi), %zmm3, %zmm1" 18
fi
changes "vaddph %zmm1, %zmm2, %zmm3" "$any"

done_testing
