/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One call of code that is unmapped and mapped again, each time as other code:
 *	nop nop nop nop nop ret		Ir=6 Dr=1
 *	call *%rbx, ret			Ir=2 Dr=1 Dw=1 Bi=1, with callback 3, Dr=2
 *	ret				Ir=1 Dr=1
 *	jmp *%rbx			Ir=1 Bi=1, with callback 2, Dr=1
 * Each is called three times before the next one comes, and all of that twice.
 * Of main, a code takes 4 + 8 + 3 + 3 x 3 + 3 = 27 instructions.
 */
#define MADE 0x10000000
#define SYS_MMAP 9
#define SYS_MUNMAP 11
#define SYS_EXIT 60

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=228 Dr=8 Dw=32 Bc=34 Bi=24
	mov	$MADE, %r12d
	mov	$callback, %ebx
	mov	$2, %r13d
1:	xor	%r14d, %r14d
2:	mov	$SYS_MUNMAP, %eax
	mov	%r12, %rdi
	mov	$4096, %esi
	syscall
	mov	$SYS_MMAP, %eax
	mov	%r12, %rdi
	mov	$4096, %esi
	mov	$7, %edx		/* PROT_READ | PROT_WRITE | PROT_EXEC */
	mov	$0x32, %r10d		/* MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED */
	mov	$-1, %r8
	xor	%r9d, %r9d
	syscall
	mov	codes(, %r14, 8), %rax
	mov	%rax, (%r12)
	mov	$3, %r15d
3:	call	*%r12			#> main 0x0000000010000000 24 Ir=72 Dr=30 Dw=6 Bi=12
	dec	%r15d
	jnz	3b
	inc	%r14d
	cmp	$4, %r14d
	jne	2b
	dec	%r13d
	jnz	1b
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	callback, @function
callback:				#@ callback Ir=12 Dr=12
	ret
	.size	callback, . - callback

	.data
codes:	.byte	0x90, 0x90, 0x90, 0x90, 0x90, 0xc3, 0, 0
	.byte	0xff, 0xd3, 0xc3, 0, 0, 0, 0, 0
	.byte	0xc3, 0, 0, 0, 0, 0, 0, 0
	.byte	0xff, 0xe3, 0, 0, 0, 0, 0, 0
