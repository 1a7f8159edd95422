/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code made at run time, named and named again, and memory taken out of the caches.  The
 * code is leaf(n), of 2 n + 2 instructions, at the beginning of a page and in its middle.
 */
#include <string.h>
#include <sys/mman.h>

#include "tool/costgrind.h"

enum { PAGE = 4096, HALF = PAGE / 2, LINES = 64, LINE = 64 };

static const unsigned char leaf[] = {
	0x89, 0xf9, /* mov %edi, %ecx */
	0xff, 0xc9, /* dec %ecx */
	0x75, 0xfc, /* jnz . - 2 */
	0xc3,       /* ret */
};

static volatile unsigned char memory[LINES * LINE] __attribute__((aligned(PAGE)));

static void call(const void *code, unsigned times, unsigned n)
{
	void (*function)(unsigned);

	memcpy(&function, &code, sizeof(function));
	while (times-- != 0)
		function(n);
}

#define TOUCH(name)                               \
 static __attribute__((noinline)) void name(void) \
 {                                                \
  for (int i = 0; i < LINES; i++)                 \
   (void)memory[i * LINE];                        \
 }

TOUCH(touch_cold)
TOUCH(touch_warm)
TOUCH(touch_evicted)

int main(void)
{
	unsigned char *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(code, leaf, sizeof(leaf));
	memcpy(code + HALF, leaf, sizeof(leaf));
	COSTGRIND_NAME_CODE(code, PAGE, "jit::page");
	call(code, 1, 10);
	COSTGRIND_NAME_CODE(code, sizeof(leaf), "jit::first");
	call(code, 3, 10);
	call(code + HALF, 1, 20); /* still of the page */
	/* As often as it takes for code to be hot, before it has another name and after that. */
	call(code, 1000, 1);
	COSTGRIND_NAME_CODE(code, sizeof(leaf), "jit::again");
	call(code, 1000, 2);
	COSTGRIND_NAME_CODE(code, PAGE, "");
	call(code, 1, 30);
	COSTGRIND_NAME_CODE(code, 0, "nothing");

	touch_cold();
	touch_warm();
	COSTGRIND_EVICT(memory + 10 * LINE + 63, 2 * LINE); /* ends in lines 10 to 12 */
	touch_evicted();
	return 0;
}
