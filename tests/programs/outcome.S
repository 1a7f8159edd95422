/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * f() has 22 instructions: mov, 10 dec, 10 jnz, ret.  The program has 2 + ASKS * 5 + 2 + 44 + 4, and
 * asks for the time ASKS times: by time() or, with TSC, by rdtsc.
 */
#ifndef ASKS
#define ASKS 1
#endif
	.globl	_start
	.type	_start, @function
_start:	mov	$ASKS, %ebx
	nop
1:	mov	$201, %eax
	xor	%edi, %edi
#ifdef TSC
	rdtsc
#else
	syscall
#endif
	dec	%ebx
	jnz	1b
	call	f
	call	f
	mov	$60, %eax
	xor	%edi, %edi
	nop
	syscall
	.size	_start, . - _start

	.type	f, @function
f:	mov	$10, %ecx
1:	dec	%ecx
	jnz	1b
	ret
	.size	f, . - f
	.data /* without one, Valgrind reads no symbols */
	.quad	0
	.section .note.GNU-stack, "", @progbits
