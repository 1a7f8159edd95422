/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls through a procedure linkage table: the program (without LIBRARY) and
 * the library that it uses.  What the linker makes of them, and what that
 * costs, the test says.
 */
	.macro	call_out function
#ifdef NO_PLT
	call	*\function@GOTPCREL(%rip)
#else
	call	\function@plt
#endif
	.endm

	.text
#ifdef LIBRARY
	.globl	libwork
	.type	libwork, @function
libwork:
	nop
	ret
	.size	libwork, . - libwork

	.globl	libtwice
	.type	libtwice, @function
libtwice:
	call_out libwork
	ret
	.size	libtwice, . - libtwice
#else
	.globl	main
	.type	main, @function
main:
#ifdef ADDRESS
	mov	libwork@GOTPCREL(%rip), %rax
#endif
	call_out libwork
	mov	$3, %ebx
1:	call_out libwork
	dec	%ebx
	jnz	1b
	call_out libtwice
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main
#endif

	.data
	.long	0			/* without data, there would be no symbols */
	.section .note.GNU-stack, "", @progbits
