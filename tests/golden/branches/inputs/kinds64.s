// As kinds.s, for AArch64.
	.text
	.globl _start
	.type _start, %function
_start:
	ldrb	w2, [x0, x1]		// loads
	add	x1, x1, #1
	cmp	w2, #127
	b.ls	1f			// of flags
	add	x3, x3, #1
1:	ldr	x5, [x6, #8]		// loads an address
	ldr	w4, [x5]		// loads
	str	w4, [x29, #16]
	ldr	w7, [x9]		// not it
	ldr	w8, [x29, #16]
	cbnz	w8, 2f			// of a register
	ldp	x10, x11, [x12]		// loads both
	tbz	x11, #3, 2f		// of a bit
	ret
2:	bl	_start
	cbz	w0, 3f			// of a result
	fcmp	d0, d1
	b.mi	3f
3:	ret
	.size _start, .-_start
