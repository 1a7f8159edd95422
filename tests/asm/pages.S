/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which references miss TLBs.  ITLB: two pages; DTLB: four; STLB: eight, so that each page is walked for
 * once.  Data pages are A to E, code is on pages 1 to 3; after "#t" are the events of the line, derived by
 * hand, and above some the pages of a TLB, the one used last first.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx		#t ITm ISm
	add	0x0000(%rbx), %edx	#t DTm DSm
	add	0x1000(%rbx), %edx	#t DTm DSm
	add	0x2000(%rbx), %edx	#t DTm DSm
	add	0x3000(%rbx), %edx	#t DTm DSm
	/* D C B A: all are there */
	add	0x0000(%rbx), %edx	#t
	/* A D C B */
	add	0x4000(%rbx), %edx	#t DTm DSm
	/* E A D C; on A and B: A is touched first, so that C goes */
	add	0x0ffe(%rbx), %edx	#t DTm
	/* B A E D */
	add	0x0040(%rbx), %edx	#t
	add	0x2000(%rbx), %edx	#t DTm
	/* C A B E: the line of C was in D1 */
	add	0x4000(%rbx), %edx	#t
	add	0x3000(%rbx), %edx	#t DTm
	jmp	one			#t
four:
	/* 1 3 */
	mov	$60, %eax		#t ITm
	xor	%edi, %edi		#t
	syscall				#t

	.balign	4096
one:
	nop				#t ITm ISm
	/* 2 1 */
	jmp	two			#t
	.org	one + 4094
three:
	/* on 2 and 3 */
	mov	$1, %ecx		#t
	jmp	four			#t
two:
	/* 3 2 */
	nop				#t ITm ISm
	jmp	three			#t
	.size	_start, . - _start

	.data
data:
	.skip	5 * 4096
