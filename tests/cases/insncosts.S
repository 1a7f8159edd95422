/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each instruction costs is derived by hand: behind #=, counts of events (those that are 0 are left
 * out), calls and jumps, as tests/tool/work/machinecode.sh reads them.  The loop has ten rounds, and
 * ecx is odd in five of them.
 */
	.text
	.globl _start
	.type _start, @function
_start:
	mov $10, %ecx                   #= Ir=1
1:	mov counter(%rip), %rax         #= Ir=10 Dr=10
	add %rcx, %rax                  #= Ir=10
	mov %rax, counter(%rip)         #= Ir=10 Dw=10
	test $1, %cl                    #= Ir=10
	jz 2f                           #= Ir=10 Bc=10 jump=5/10
	call odd                        #= Ir=5 Dw=5 calls=5
2:	dec %ecx                        #= Ir=10
	jnz 1b                          #= Ir=10 Bc=10 jump=9/10
	mov pointer(%rip), %rdx         #= Ir=1 Dr=1
	call *%rdx                      #= Ir=1 Dw=1 Bi=1 calls=1
	jmp 3f                          #= Ir=1 jump=1/1
	nop
	nop
3:	incq counter(%rip)              #= Ir=1 Dr=1
	mov $60, %eax                   #= Ir=1
	xor %edi, %edi                  #= Ir=1
	syscall                         #= Ir=1
	hlt
	.size _start, . - _start

	.type odd, @function
odd:
	push %rbx                       #= Ir=6 Dw=6
	pop %rbx                        #= Ir=6 Dr=6
	ret                             #= Ir=6 Dr=6
	.size odd, . - odd

	.data
	.balign 8
counter:
	.quad 0
pointer:
	.quad odd
	.section .note.GNU-stack, "", @progbits
