/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which line of a set goes, by policy.  D1 is one set of four ways (256 bytes, 64 a line); each
 * reference is to another line, A at 0, B at 64 and so on, and after it "#m" says which policies
 * miss, derived by hand.  What is in ways 0 to 3 after it:
 *
 *	lru	most recent first, its order; the last one goes
 *	fifo	the line goes that came first
 *	plru	bits: the root and its two children, 1 = the victim is on the right
 *	mru	bits of ways 0 to 3: used since all were; the first way without one goes
 *	srrip	ages: a line comes with 2, a hit makes it 0; at a miss all grow until one is 3, and the
 *		first of age 3 goes
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx
	add	0x000(%rbx), %edx	/* A */ #m lru fifo plru mru srrip
	add	0x040(%rbx), %edx	/* B */ #m lru fifo plru mru srrip
	add	0x080(%rbx), %edx	/* C */ #m lru fifo plru mru srrip
	/* lru DCBA, plru 00-0, mru 0001, srrip 2222 */
	add	0x0c0(%rbx), %edx	/* D */ #m lru fifo plru mru srrip
	/* lru ADCB, plru 11-0, mru 1001, srrip 0222 */
	add	0x000(%rbx), %edx	/* A */ #m
	/* lru EADC; fifo EBCD; plru ABED 01-1; mru AECD 1101; srrip AECD 1233 */
	add	0x100(%rbx), %edx	/* E */ #m lru fifo plru mru srrip
	/* lru BEAD; plru ABED 10-1; mru AEBD 0010; srrip AEBD 1223 */
	add	0x040(%rbx), %edx	/* B */ #m lru mru srrip
	/* lru CBEA; plru ABEC 00-0; mru CEBD 1010; srrip AEBC 1222 */
	add	0x080(%rbx), %edx	/* C */ #m lru plru mru srrip
	/* lru ACBE; fifo EACD; plru ABEC 11-0; mru CABD 1110; srrip AEBC 0222 */
	add	0x000(%rbx), %edx	/* A */ #m fifo mru
	/* lru DACB; plru ABDC 01-1; mru CABD 0001; srrip ADBC 1233 */
	add	0x0c0(%rbx), %edx	/* D */ #m lru plru srrip
	/* lru EDAC; plru AEDC 10-1; mru EABD 1001; srrip ADEC 1223 */
	add	0x100(%rbx), %edx	/* E */ #m lru plru mru srrip
	/* lru BEDA; fifo EABD; plru AEDB 00-0; mru EABD 1011; srrip ADEB 1222 */
	add	0x040(%rbx), %edx	/* B */ #m lru fifo plru srrip
	/* lru FBED; fifo EABF; plru FEDB 11-0; mru EFBD 0100; srrip AFEB 2233 */
	add	0x140(%rbx), %edx	/* F */ #m lru fifo plru mru srrip
	/* srrip: a line that was used once outlives what comes by */
	add	0x000(%rbx), %edx	/* A */ #m lru plru mru
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.data
	.balign	64
data:	.skip	0x180
