/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As Go writes it: the types are in a unit of their own, to which the code's unit refers, and the
 * variable's location is a block, in DWARF 4.  Five rounds over 1,024 points of 64 bytes read the member b.
 */
	.text
	.globl	main
	.type	main, @function
main:
	mov	$5, %ecx
1:	xor	%eax, %eax
	lea	points(%rip), %rdi
2:	add	8(%rdi), %rax
	add	$64, %rdi
	lea	points+65536(%rip), %rdx
	cmp	%rdx, %rdi
	jne	2b
	dec	%ecx
	jnz	1b
	xor	%eax, %eax
	ret
main_end:
	.size	main, . - main

	.section .mybss, "aw", @nobits
	.balign	64
	.type	points, @object
points:
	.skip	65536
	.size	points, . - points

	.section .debug_abbrev, "", @progbits
	.uleb128 1, 0x11	/* compile unit, with children: language */
	.byte	1
	.uleb128 0x13, 0x0b, 0, 0
	.uleb128 2, 0x24	/* base type: name, size, encoding */
	.byte	0
	.uleb128 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0
	.uleb128 3, 0x13	/* structure: name, size */
	.byte	1
	.uleb128 0x03, 0x08, 0x0b, 0x0b, 0, 0
	.uleb128 4, 0x0d	/* member: name, type, place */
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b, 0, 0
	.uleb128 5, 0x01	/* array: type, size */
	.byte	1
	.uleb128 0x49, 0x13, 0x0b, 0x06, 0, 0
	.uleb128 6, 0x21	/* subrange: count */
	.byte	0
	.uleb128 0x37, 0x05, 0, 0
	.uleb128 7, 0x2e	/* subprogram: name, code */
	.byte	0
	.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x01, 0, 0
	.uleb128 8, 0x34	/* variable: name, place as a block, type in another unit */
	.byte	0
	.uleb128 0x03, 0x08, 0x02, 0x0a, 0x49, 0x10, 0, 0
	.byte	0

	.section .debug_info, "", @progbits
info:
types:	.4byte	types_end - . - 4
	.2byte	4
	.4byte	.debug_abbrev
	.byte	8
	.uleb128 1
	.byte	22		/* Go */
number:	.uleb128 2
	.string	"long"
	.byte	8, 5
point:	.uleb128 3
	.string	"point"
	.byte	64
	.uleb128 4
	.string	"a"
	.4byte	number - types
	.byte	0
	.uleb128 4
	.string	"b"
	.4byte	number - types
	.byte	8
	.byte	0
all:	.uleb128 5
	.4byte	point - types
	.4byte	65536
	.uleb128 6
	.2byte	1024
	.byte	0, 0
types_end:

code:	.4byte	code_end - . - 4
	.2byte	4
	.4byte	.debug_abbrev
	.byte	8
	.uleb128 1
	.byte	22
	.uleb128 7
	.string	"main"
	.8byte	main, main_end
	.uleb128 8
	.string	"points"
	.byte	9, 3
	.8byte	points
	.4byte	all - info
	.byte	0
code_end:

	.section .note.GNU-stack, "", @progbits
