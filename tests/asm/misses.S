/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why references miss, by class.  D1 has 48 KiB: 64 sets of 12 ways, LRU, 768 lines of 64 bytes; 4096 bytes
 * further on is the same set.  F is a fully associative one of 768 lines.  After "#m" are the counts of the
 * line, derived by hand; other lines miss nothing.  Every array begins on a page.
 *
 * -DN=512: rows and columns of the transpose; "#m" holds for these.
 */
#ifndef N
#define N 64
#endif

	.text
	.globl	_start
	.type	_start, @function
_start:
	/* A stream: 1536 lines, each once.  What was never asked for misses cold. */
	mov	$stream, %ebx
	mov	$1536, %ecx
1:	add	(%rbx), %rax		#m D1mr=1536 D1cold=1536
	add	$64, %rbx
	dec	%ecx
	jnz	1b

	/*
	 * 1.5 caches, 1152 lines, three times.  Between two touches of a line come 1151 others: too many for F.
	 * D1 has 18 lines for each set of 12.
	 */
	mov	$3, %edx
2:	mov	$cycle, %ebx
	mov	$1152, %ecx
3:	add	(%rbx), %rax		#m D1mr=3456 D1cold=1152 D1cap=2304
	add	$64, %rbx
	dec	%ecx
	jnz	3b
	dec	%edx
	jnz	2b

	/* What fits, 600 lines, 10 or 9 a set: misses once. */
	mov	$4, %edx
4:	mov	$fitting, %ebx
	mov	$600, %ecx
5:	add	(%rbx), %rax		#m D1mr=600 D1cold=600
	add	$64, %rbx
	dec	%ecx
	jnz	5b
	dec	%edx
	jnz	4b

	/*
	 * A line of set 0, then 13 pages but their lines of set 0: 819 lines, more than F has.  In D1 nothing has
	 * come into set 0: it hits, and F misses.
	 */
	add	quiet, %rax		#m D1mr=1 D1cold=1
	mov	$quiet, %ebx
	mov	$13, %edx
6:	add	$64, %rbx
	mov	$63, %ecx
7:	add	(%rbx), %rax		#m D1mr=819 D1cold=819
	add	$64, %rbx
	dec	%ecx
	jnz	7b
	dec	%edx
	jnz	6b
	add	quiet, %rax		#m D1anti=1
	add	quiet, %rax		/* F has it again */

	/*
	 * 13 lines of set 0, three times: one more than the set has room for, and far fewer than F has.  The first of
	 * them is the one above: D1 and F have it, and then come 12 others.
	 */
	mov	$3, %edx
8:	mov	$quiet, %ebx
	mov	$13, %ecx
9:	add	(%rbx), %rax		#m D1mr=38 D1cold=12 D1conf=26
	add	$4096, %rbx
	dec	%ecx
	jnz	9b
	dec	%edx
	jnz	8b

	/* On two lines, one asked for before and one not: one miss, cold. */
	add	stream + 1536 * 64 - 4, %rax #m D1mr=1 D1cold=1

	/*
	 * b[j][i] = a[i][j], 512 x 512, a row a page.  a misses once a line: 512 * 64.  The column of b is 512
	 * lines of one set of 12: each write misses, and 8 columns in a row are on the same lines: each first one is
	 * cold, 512 * 64 of 512 * 512.  Of the others, 511 lines of b and at most 65 of a were asked for since: F has
	 * them.  (With 32 KiB, 512 lines, F has not: 511 and 64 or more.)
	 */
	xor	%esi, %esi		/* i */
10:	mov	%esi, %ebx
	shl	$12, %ebx
	add	$a, %rbx
	lea	b(, %rsi, 8), %rdi
	mov	$N, %ecx
11:	add	(%rbx), %rax		#m D1mr=32768 D1cold=32768
	mov	%rax, (%rdi)		#m D1mw=262144 D1cold=32768 D1conf=229376
	add	$8, %rbx
	add	$4096, %rdi
	dec	%ecx
	jnz	11b
	inc	%esi
	cmp	$N, %esi
	jne	10b

	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.data
	.quad	0			/* a file with no data at all is not looked into */

	.bss
	.balign	4096
stream:	.skip	1536 * 64 + 4096
cycle:	.skip	1152 * 64
	.balign	4096
fitting: .skip	600 * 64
	.balign	4096
quiet:	.skip	14 * 4096
a:	.skip	N * 4096
b:	.skip	N * 4096
