/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the branch predictors of a machine with 16 return addresses make of branches of each kind (sim/branches/).  A branch
 * target buffer with room for all misses each branch when it is first taken: Btm.
 *
 * A conditional branch is "not taken", weakly, at first; the first outcome "taken" is mispredicted and turns that.  No
 * two branches here share a cell.  At "#?", it depends on tables of hashes how soon a branch is known: the
 * number after it is a bound of Bcm.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	hundred, %ecx		#= Ir=1
	/*
	 * T 99 times, then N: the first and the last one are mispredicted.  What was learned for the history of the
	 * first, of N alone, does not speak up again.
	 */
1:	dec	%ecx			#= Ir=100
	jnz	1b			#= Ir=100 Bc=100 Bcm=2 Btm=1

	/* A loop of 5 turns, 400 times: known after some 20 exits. */
	mov	many, %edx		#= Ir=1
2:	mov	five, %ecx		#= Ir=400
3:	dec	%ecx			#= Ir=2000
	jnz	3b			#? 20 #= Ir=2000 Bc=2000 Btm=1
	dec	%edx			#= Ir=400
	jnz	2b			#? 20 #= Ir=400 Bc=400 Btm=1

	/* Alternation: known after some more. */
	mov	many, %edx		#= Ir=1
4:	test	$1, %dl			#= Ir=400
	jz	5f			#? 20 #= Ir=400 Bc=400 Btm=1
	nop				#= Ir=200
5:	dec	%edx			#= Ir=400
	jnz	4b			#? 20 #= Ir=400 Bc=400 Btm=1

	/* N, as was predicted; the buffer does not learn of it. */
	mov	five, %ecx		#= Ir=1
6:	cmp	$9, %ecx		#= Ir=5
	jz	7f			#= Ir=5 Bc=5
	/*
	 * T T T T N: the first and the last one.
	 */
	dec	%ecx			#= Ir=5
	jnz	6b			#= Ir=5 Bc=5 Bcm=2 Btm=1
7:
	/* Jumps that are not asked for: taken always, unknown at first. */
	jmp	8f			#= Ir=1 Btm=1
	ud2
8:	mov	five, %ecx		#= Ir=1
	mov	target, %eax		#= Ir=1
	/* The first target is mispredicted, and expected from then on. */
8:	jmp	*%rax			#= Ir=5 Bi=5 Bim=1 Btm=1
	ud2
behind:
	dec	%ecx			#= Ir=5
	jnz	8b			#= Ir=5 Bc=5 Bcm=2 Btm=1

	/*
	 * 20 calls; the stack has the last 16 return addresses: the ones that f20 to f5 go back to.  f4 to f1 find
	 * what is left in the ring, which others went back to.  The second time it is the same.
	 */
	call	f1			#= Ir=1 Btm=1
	call	f1			#= Ir=1 Btm=1
	/*
	 * 40 calls, 39 of them of itself: the ring has the same address 16 times, however often that is
	 * taken away.  The last return finds it, too, and goes elsewhere.
	 */
	mov	forty, %ecx		#= Ir=1
	call	again			#= Ir=1 Btm=1
	/* A call to an address in a register is a jump, and puts its return address on the stack. */
	mov	function, %eax		#= Ir=1
	mov	five, %ecx		#= Ir=1
8:	call	*%rax			#= Ir=5 Bi=5 Bim=1 Btm=1
	dec	%ecx			#= Ir=5
	jnz	8b			#= Ir=5 Bc=5 Bcm=2 Btm=1
	/* A return to another place than after the call. */
	call	stray			#= Ir=1 Btm=1
	ud2
	mov	$60, %eax		#= Ir=1
	xor	%edi, %edi		#= Ir=1
	syscall				#= Ir=1

	.type	leaf, @function
leaf:	ret				#= Ir=5 Br=5 Btm=1

	.type	stray, @function
stray:	addq	$2, (%rsp)		#= Ir=1
	ret				#= Ir=1 Br=1 Brm=1 Btm=1

	.type	again, @function
again:	dec	%ecx			#= Ir=40
	/* N 39 times, as was predicted, then T. */
	jz	1f			#= Ir=40 Bc=40 Bcm=1 Btm=1
	call	again			#= Ir=39 Btm=1
1:	ret				#= Ir=40 Br=40 Brm=1 Btm=1

	.type	f1, @function
f1:	call	f2; ret		#= Ir=4 Br=2 Brm=2 Btm=2
f2:	call	f3; ret		#= Ir=4 Br=2 Brm=2 Btm=2
f3:	call	f4; ret		#= Ir=4 Br=2 Brm=2 Btm=2
f4:	call	f5; ret		#= Ir=4 Br=2 Brm=2 Btm=2
f5:	call	f6; ret		#= Ir=4 Br=2 Btm=2
f6:	call	f7; ret		#= Ir=4 Br=2 Btm=2
f7:	call	f8; ret		#= Ir=4 Br=2 Btm=2
f8:	call	f9; ret		#= Ir=4 Br=2 Btm=2
f9:	call	f10; ret		#= Ir=4 Br=2 Btm=2
f10:	call	f11; ret		#= Ir=4 Br=2 Btm=2
f11:	call	f12; ret		#= Ir=4 Br=2 Btm=2
f12:	call	f13; ret		#= Ir=4 Br=2 Btm=2
f13:	call	f14; ret		#= Ir=4 Br=2 Btm=2
f14:	call	f15; ret		#= Ir=4 Br=2 Btm=2
f15:	call	f16; ret		#= Ir=4 Br=2 Btm=2
f16:	call	f17; ret		#= Ir=4 Br=2 Btm=2
f17:	call	f18; ret		#= Ir=4 Br=2 Btm=2
f18:	call	f19; ret		#= Ir=4 Br=2 Btm=2
f19:	call	f20; ret		#= Ir=4 Br=2 Btm=2
f20:	ret				#= Ir=2 Br=2 Btm=1

	.data
five:	.long	5
forty:	.long	40
hundred:
	.long	100
many:	.long	400
/* In registers, Valgrind would know them, and that the first jump has but one target. */
target:	.long	behind
function:
	.long	leaf
