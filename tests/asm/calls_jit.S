/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code that was made while the program runs, and that calls back.
 *
 *	first	nop, call *%rbx, ret	Ir=3 Dr=1 Dw=1 Bi=1, with callback 4, Dr=2
 *	second	nop, jmp *%rbx		Ir=2 Bi=1: a tail call; with callback 3, Dr=1
 *	third	jmp first		Ir=1: code without symbols is all one, so that a
 *					jump in it is no call; with what comes 5, Dr=2 Dw=1
 *	fourth	call first, ret		Ir=2 Dr=1 Dw=1, with first 6, Dr=3, Dw=2
 *	then first is changed to nop nop ret, Ir=3 Dr=1
 */
#define FIRST 0x10000000
#define SECOND 0x10000100
#define THIRD 0x10000200
#define FOURTH 0x10000300
#define SYS_MMAP 9
#define SYS_EXIT 60

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=33 Dw=14 Bc=3
	mov	$SYS_MMAP, %eax
	mov	$FIRST, %edi
	mov	$4096, %esi
	mov	$7, %edx		/* PROT_READ | PROT_WRITE | PROT_EXEC */
	mov	$0x32, %r10d		/* MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED */
	mov	$-1, %r8
	xor	%r9d, %r9d
	syscall
	movl	$0xc3d3ff90, FIRST
	movl	$0xe3ff90, SECOND
	movl	$0xfffdfbe9, THIRD
	movb	$0xff, THIRD + 4
	movl	$0xfffcfbe8, FOURTH
	movw	$0xc3ff, FOURTH + 4
	mov	$callback, %ebx
	mov	$3, %ebp
1:	call	FIRST			#> main 0x0000000010000000 3 Ir=12 Dr=6 Dw=3 Bi=3
	dec	%ebp
	jnz	1b
	call	SECOND			#> main 0x0000000010000100 1 Ir=3 Dr=1 Bi=1
	call	THIRD			#> main 0x0000000010000200 1 Ir=5 Dr=2 Dw=1 Bi=1
	call	FOURTH			#> main 0x0000000010000300 1 Ir=6 Dr=3 Dw=2 Bi=1
	movl	$0xc39090, FIRST
	call	FIRST			#> main 0x0000000010000000 1 Ir=3 Dr=1
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	callback, @function
callback:				#@ callback Ir=6 Dr=6
	ret
	.size	callback, . - callback

	.data
	.long	0			/* without data, there would be no symbols */
