/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inlined functions, as debug information written by hand tells of them
 * (DWARF 4, or 5 with -DDWARF=5), with --inline=calls.
 *
 *	f	5 times		a, whose code is in two ranges, and in it b; op 3 times, in
 *				f's cold part too, once; clear, which begins with a rep
 *				instruction; wrap, which is a call and nothing else
 *	a	once		by itself: the same function as the one inlined in f
 *	h	once		u, whose first instruction was moved out of a loop; v, mixed with h's
 *				own code; w, whose jump is the loop's
 *	r	r(3)		r in r, which calls r
 *	k	once, -DAPART	what is counted wrongly: x, called twice in one line, as v looks that
 *				is called once; y, partly before the loop that calls it
 *				3 times, and code without y between
 *
 * Of f, 5 times, with what it calls:
 *	f	Ir=6 Dr=1 Bc=1
 *	a	Ir=3 Dw=1
 *	b	Ir=1+2*3 Bc=3
 *	g	Ir=2 Dr=1
 *	op	3 times Ir=3 Bc=1, and once Ir=2
 *	clear	4 rounds are Ir=5 Dw=4 Bc=5; and Ir=1
 *	wrap	Ir=1 Dw=1
 *	s	Ir=1 Dr=1
 */
#ifndef DWARF
#define DWARF 4
#endif
/* Before an instruction: it is of this line. */
#define AT	   .loc 1 __LINE__;
#define CALL(name) name##_line = __LINE__

	.file	1 "calls_inlined.S"
	.file	2 "calls_inlined.h"
	.text
text_begin:
	/* Before f, as compilers place it: the first executed instruction of op is not here. */
	.type	f.cold, @function
f.cold:
op_cold:
	.loc	2 7
	nop
	jmp	3f
op_cold_end:
	.size	f.cold, . - f.cold

	.globl	main
	.type	main, @function
main:					#@ main Ir=23 Dw=8 Bc=5
	AT mov	$5, %ebx
1:	AT call	f			#> main f 5 Ir=141 Dr=15 Dw=30 Bc=48
	AT dec	%ebx
	jnz	1b
	AT call	a			#> main a 1 Ir=3 Dr=1
	AT call	h			#> main h 1 Ir=24 Dr=1 Bc=5
	AT mov	$3, %edi
	AT call	r			#> main r 1 Ir=9 Dr=2 Dw=1 Bc=3
#ifdef APART
	AT call	k
#endif
	AT mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	f, @function
f:					#@ f Ir=30 Dr=5 Bc=5
	AT nop
	CALL(a)				#> f a 5 Ir=60 Dr=5 Dw=5 Bc=15
a_first:				#@ a Ir=18 Dr=1 Dw=5
	AT nop
	CALL(b)				#> a b 5 Ir=35 Bc=15
b_begin:				#@ b Ir=35 Bc=15
	AT mov	$3, %ecx
2:	AT dec	%ecx
	jnz	2b
b_end:
	AT call	g			#> a g 5 Ir=10 Dr=5
a_first_end:
	/* As clang has it: the line is not known, the file is left over.  (GNU as ignores that.) */
	.loc	2 0
	nop
a_second:
	AT nop
a_second_end:
	AT test	$1, %bl
	jz	3f
	CALL(op)			#> f op<u64,&str> 3 Ir=11 Bc=3
op_hot:
	.loc	2 5
	nop
	cmp	$1, %ebx
	.loc	2 6
	je	f.cold
op_hot_end:
3:	AT mov	$buffer, %edi
	CALL(clear)			#> f clear 5 Ir=30 Dw=20 Bc=25
clear_begin:				#@ clear Ir=30 Dw=20 Bc=25
	AT rep stosb
	AT xor	%eax, %eax
clear_end:
	CALL(wrap)			#> f wrap 5 Ir=10 Dr=5 Dw=5
wrap_begin:				#@ wrap Ir=5 Dw=5
	AT call	s			#> wrap s 5 Ir=5 Dr=5
wrap_end:
	AT ret
f_end:
	.size	f, . - f

	.type	a, @function
a:
	AT nop
	nop
	ret
a_end:
	.size	a, . - a

	.type	g, @function
g:					#@ g Ir=10 Dr=5
	AT mov	$4, %ecx
	ret
g_end:
	.size	g, . - g

	.type	s, @function
s:					#@ s Ir=5 Dr=5
	AT ret
s_end:
	.size	s, . - s

	.type	h, @function
h:					#@ h Ir=14 Dr=1 Bc=3
	AT mov	$3, %ecx
	CALL(u)				#> h u 3 Ir=4
u_before:				#@ u Ir=4
	AT nop
u_before_end:
5:	AT nop
u_begin:
	AT nop
u_end:
	AT dec	%ecx
	jnz	5b
	CALL(v)				#> h v 1 Ir=2
v_begin:				#@ v Ir=2
	AT nop
v_middle:
	AT mov	$2, %ecx
v_rest:
	AT nop
v_end:
6:	AT nop
	CALL(w)				#> h w 2 Ir=4 Bc=2
w_begin:				#@ w Ir=4 Bc=2
	AT dec	%ecx
	jnz	6b
w_end:
	AT ret
h_end:
	.size	h, . - h

	/* The r in r is on the second level of recursion, and so is the one that this calls. */
	.type	r, @function
r:					#@ r Ir=3 Dr=1 Bc=1
	AT dec	%edi
	jz	4f
	CALL(r)				#> r r'2 1 Ir=6 Dr=1 Dw=1 Bc=2
r_begin:				#@ r'2 Ir=6 Dr=1 Dw=1 Bc=2
	AT dec	%edi
	jz	4f
	AT call	r			#> r'2 r'2 1 Ir=3 Dr=1 Bc=1
r_end:
4:	AT ret
r_end_of_all:
	.size	r, . - r

#ifdef APART
	.type	k, @function
k:
	AT mov	$3, %ecx
	CALL(x)
x_begin:
	AT nop
x_end:
	AT nop
x_again:
	AT nop
x_again_end:
	CALL(y)
y_before:
	AT nop
y_before_end:
	AT jmp	8f
7:	AT nop
y_begin:
	AT nop
y_end:
8:	AT dec	%ecx
	jns	7b
	AT ret
k_end:
	.size	k, . - k
#endif
text_end:

	.data
buffer:
	.long	0

	.section .debug_abbrev, "", @progbits
abbreviations:
	.macro	attributes pairs:vararg
	.uleb128 \pairs, 0, 0
	.endm
	.uleb128 1, 0x11 /* compile unit */
	.byte	1
	attributes 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0x11, 0x01, 0x12, 0x01
	.uleb128 2, 0x2e /* function that is only inlined: name, inline */
	.byte	0
	attributes 0x03, 0x08, 0x20, 0x0b
	.uleb128 3, 0x2e /* function: name, begin, end */
	.byte	1
	attributes 0x03, 0x08, 0x11, 0x01, 0x12, 0x01
	.uleb128 4, 0x1d /* inlined function: origin, begin, end, file and line of the call */
	.byte	1
	attributes 0x31, 0x13, 0x11, 0x01, 0x12, 0x01, 0x58, 0x0b, 0x59, 0x06
	.uleb128 5, 0x1d /* the same in several ranges */
	.byte	1
	attributes 0x31, 0x13, 0x55, 0x17, 0x58, 0x0b, 0x59, 0x06
	.byte	0

	.section .debug_line, "", @progbits
lines:
	.section .debug_info, "", @progbits
unit:
	.long	unit_end - unit_begin
unit_begin:
	.short	DWARF
#if DWARF >= 5
	.byte	1, 8
	.long	abbreviations
#else
	.long	abbreviations
	.byte	8
#endif
	.uleb128 1
	.string	"calls_inlined.S"
	.string	"/source"
	.long	lines
	.quad	text_begin, text_end

	.macro	abstract label, name
\label:	.uleb128 2
	.string	"\name"
	.byte	1
	.endm
	.macro	function name, begin, end
	.uleb128 3
	.string	"\name"
	.quad	\begin, \end
	.endm
	.macro	inlined origin, begin, end, line
	.uleb128 4
	.long	\origin - unit
	.quad	\begin, \end
	.byte	1
	.long	\line
	.endm
	.macro	scattered origin, where, line
	.uleb128 5
	.long	\origin - unit
	.long	\where
	.byte	1
	.long	\line
	.endm
	.macro	end
	.byte	0
	.endm

	abstract a_origin, a
	abstract b_origin, b
	abstract op_origin, "op<u64,&str>"
	abstract clear_origin, clear
	abstract wrap_origin, wrap
	abstract u_origin, u
	abstract v_origin, v
	abstract w_origin, w
	abstract r_origin, r
	function f, f, f_end
	scattered a_origin, a_ranges, a_line
	inlined	b_origin, b_begin, b_end, b_line
	end
	end
	scattered op_origin, op_ranges, op_line
	end
	inlined	clear_origin, clear_begin, clear_end, clear_line
	end
	inlined	wrap_origin, wrap_begin, wrap_end, wrap_line
	end
	end
	function a, a, a_end
	end
	function h, h, h_end
	scattered u_origin, u_ranges, u_line
	end
	scattered v_origin, v_ranges, v_line
	end
	inlined	w_origin, w_begin, w_end, w_line
	end
	end
	function r, r, r_end_of_all
	inlined	r_origin, r_begin, r_end, r_line
	end
	end
#ifdef APART
	abstract x_origin, x
	abstract y_origin, y
	function k, k, k_end
	inlined	x_origin, x_begin, x_end, x_line
	end
	inlined	x_origin, x_again, x_again_end, x_line
	end
	scattered y_origin, y_ranges, y_line
	end
	end
#endif
	end
unit_end:

#if DWARF >= 5
	.section .debug_rnglists, "", @progbits
	.long	lists_end - lists_begin
lists_begin:
	.short	5
	.byte	8, 0
	.long	0
	.macro	range begin, end
	.byte	4 /* begin and end, from the unit's */
	.uleb128 \begin - text_begin, \end - text_begin
	.endm
	.macro	range_end
	.byte	0
	.endm
#else
	.section .debug_ranges, "", @progbits
	.macro	range begin, end
	.quad	\begin - text_begin, \end - text_begin
	.endm
	.macro	range_end
	.quad	0, 0
	.endm
#endif
a_ranges:
	range	a_first, a_first_end
	range	a_second, a_second_end
	range_end
op_ranges:
	range	op_cold, op_cold_end
	range	op_hot, op_hot_end
	range_end
u_ranges:
	range	u_before, u_before_end
	range	u_begin, u_end
	range_end
v_ranges:
	range	v_begin, v_middle
	range	v_rest, v_end
	range_end
#ifdef APART
y_ranges:
	range	y_before, y_before_end
	range	y_begin, y_end
	range_end
#endif
lists_end:
