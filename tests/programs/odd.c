/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that a profile cannot show as they are.  Each of the functions is
 * called once and executes two instructions.
 */

/* C has no such names for functions; labels that begin with .L leave no symbol. */
#define ODD(name, label)           \
 ".text\n"                         \
 ".type \"" name "\", @function\n" \
 "\"" name "\":\n" label ": nop\n" \
 "ret\n"                           \
 ".size \"" name "\", . - " label "\n"

__asm__(ODD("(3) id", ".Lid"));
__asm__(ODD(" blanks ", ".Lblanks"));
__asm__(ODD("b\303\251 \377=+1", ".Lbytes"));
__asm__(".data\n"
	".balign 8\n"
	"odd_functions: .quad .Lid, .Lblanks, .Lbytes\n"
	".text\n");

extern void (*const odd_functions[3])(void) __asm__("odd_functions");

#line 101 "(7) id.c"
__attribute__((naked, noinline)) static void in_id(void)
{
	__asm__("nop\n\tret");
}

#line 201 "with blanks .c "
__attribute__((naked, noinline)) static void in_blanks(void)
{
	__asm__("nop\n\tret");
}

#line 301 "b\303\251 \377=+1.c"
__attribute__((naked, noinline)) static void in_bytes(void)
{
	__asm__("nop\n\tret");
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		odd_functions[i]();
	in_id();
	in_blanks();
	in_bytes();
	return 0;
}
