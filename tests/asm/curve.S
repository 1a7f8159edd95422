/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What caches of other sizes would miss.  After "#m" are the counts of the line, derived by hand, of the columns that
 * differ from the one before: M64K=5 M128K=2 says that M96K is 5, and M192K and all after it are 2.  Of S lines, a
 * cache misses a line if S others or more were asked for since: 64 KiB are 1024 lines, 96 KiB 1536, 128 KiB 2048, 1 MiB 16384.
 */

/* A line, n others that nobody has asked for before: one line of source. */
#define STREAM(n) add (%rbx), %rax; mov $n, %ecx; 1: add $64, %rbx; add (%rbx), %rax; dec %ecx; jnz 1b

	.text
	.globl	_start
	.type	_start, @function
_start:
	/* 100 KiB, 1600 lines, ten times.  Between two touches of a line come 1599 others. */
	mov	$10, %edx
2:	mov	$cycle, %ebx
	mov	$1600, %ecx
3:	add	(%rbx), %rax		#m M64K=16000 M128K=1600
	add	$64, %rbx
	dec	%ecx
	jnz	3b
	dec	%edx
	jnz	2b

	/* Likewise with writes, and with what reads and writes one place, which is one reference. */
	mov	$10, %edx
4:	mov	$written, %ebx
	mov	$1600, %ecx
5:	mov	%rax, (%rbx)		#m M64K=16000 M128K=1600
	add	$64, %rbx
	dec	%ecx
	jnz	5b
	dec	%edx
	jnz	4b
	mov	$10, %edx
6:	mov	$modified, %ebx
	mov	$1600, %ecx
7:	add	%rax, (%rbx)		#m M64K=16000 M128K=1600
	add	$64, %rbx
	dec	%ecx
	jnz	7b
	dec	%edx
	jnz	6b

	/* As large as a size, and a line larger. */
	mov	$edges, %ebx
	STREAM(1023)			#m M64K=1024
	add	edges, %rax
	add	$64, %rbx
	mov	%rbx, %rsi
	STREAM(1024)			#m M64K=1025
	add	(%rsi), %rax		#m M64K=1 M96K=0
	add	$64, %rbx
	mov	%rbx, %rsi
	STREAM(1535)			#m M64K=1536
	add	(%rsi), %rax		#m M64K=1 M96K=0
	add	$64, %rbx
	mov	%rbx, %rsi
	STREAM(1536)			#m M64K=1537
	add	(%rsi), %rax		#m M64K=1 M128K=0
	add	$64, %rbx
	mov	%rbx, %rsi
	STREAM(16383)			#m M64K=16384
	add	(%rsi), %rax		#m M64K=1 M1M=0
	add	$64, %rbx
	mov	%rbx, %rsi
	STREAM(16384)			#m M64K=16385
	add	(%rsi), %rax		#m M64K=1 M1536K=0

	/* On two lines: what misses one of them misses.  The newest but one, and one that nobody has asked for. */
	add	60(%rbx), %rax		#m M64K=1
	/* A line, 1100 others, and that one with its neighbour, after which came the line, too. */
	add	$128, %rbx
	mov	%rbx, %rsi
	STREAM(1100)			#m M64K=1101
	add	(%rsi), %rax		#m M64K=1 M96K=0
	add	-4(%rsi), %rax		#m M64K=1 M96K=0
	add	-4(%rsi), %rax

	mov	%rax, %rdx		/* loads of what nobody needs are none */
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.data
	.quad	0			/* a file with no data at all is not looked into */

	.bss
	.balign	4096
cycle:	.skip	1600 * 64
written: .skip	1600 * 64
modified: .skip	1600 * 64
edges:	.skip	(1024 + 1025 + 1536 + 1537 + 16384 + 16385 + 1200) * 64
