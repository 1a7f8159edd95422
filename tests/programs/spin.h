/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The known loop: spin(n), n > 0, executes 2 * n + 1 instructions, all of
 * them of the one source line that begins with __asm__, and makes one data
 * reference, the read by which it returns.
 */
#ifndef TESTS_PROGRAMS_SPIN_H
#define TESTS_PROGRAMS_SPIN_H

__attribute__((naked, noinline)) static void spin(unsigned n __attribute__((unused)))
{
	__asm__("1:	decl %edi\n"
		"	jnz 1b\n"
		"	ret\n");
}

#endif
