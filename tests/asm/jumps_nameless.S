/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code without symbols, which is changed; it has addresses, but no lines.
 *	FIRST	ff cf		dec %edi
 *		75 fc		jnz FIRST	with 5: 4/5
 *		c3		ret
 * then	74 fc			jz FIRST	with 1: 1/2, at the same place
 *	SECOND	e9 ...		jmp FIRST + 4	1: to code of the same section, so within
 *						the function that is called
 */
#define FIRST 0x10000000
#define SECOND 0x10000100
#define SYS_MMAP 9
#define SYS_EXIT 60

	.text
	.globl	main
	.type	main, @function
main:
	mov	$SYS_MMAP, %eax
	mov	$FIRST, %edi
	mov	$4096, %esi
	mov	$7, %edx		/* PROT_READ | PROT_WRITE | PROT_EXEC */
	mov	$0x32, %r10d		/* MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED */
	mov	$-1, %r8
	xor	%r9d, %r9d
	syscall
	movl	$0xfc75cfff, FIRST
	movb	$0xc3, FIRST + 4
	movb	$0xe9, SECOND
	movl	$FIRST - SECOND - 1, SECOND + 1
	mov	$5, %edi
	call	FIRST
	movb	$0x74, FIRST + 2
	mov	$1, %edi
	call	FIRST
	call	SECOND
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.data
	.long	0			/* without data, there would be no symbols */
