/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks over memory up and down, with reads, writes, modifies and references
 * that straddle lines, in different strides.  Its last system call is made by
 * the instruction that made others, so that the lines of the last block were
 * fetched before it.
 */
#include <string.h>
#include <sys/syscall.h>

enum {
	SIZE = 1 << 18, /* bytes */
};

static unsigned char memory[SIZE];
static unsigned sum;

static void read_upwards(unsigned stride)
{
	for (unsigned i = 0; i + 8 <= SIZE; i += stride) {
		unsigned long word;

		memcpy(&word, memory + i, sizeof(word));
		sum += (unsigned)word;
	}
}

static void write_downwards(unsigned stride)
{
	for (unsigned i = SIZE - 8; i >= stride; i -= stride)
		memcpy(memory + i, &sum, sizeof(sum));
}

static void modify_all_over(void)
{
	unsigned place = 12345;

	for (unsigned i = 0; i < 20000; i++) {
		place = place * 1103515245 + 12345;
		memory[place >> 8 & (SIZE - 1)]++;
	}
}

__attribute__((noinline)) static long call_system(long number, long argument)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(argument)
			 : "rcx", "r11", "memory");
	return result;
}

int main(void)
{
	const struct {
		long number, argument;
	} calls[] = { { SYS_getppid, 0 }, { SYS_getuid, 0 }, { SYS_exit_group, 0 } };

	for (unsigned stride = 4; stride < 400; stride = stride * 2 + 3) {
		read_upwards(stride);
		write_downwards(stride + 1);
		modify_all_over();
	}
	for (unsigned i = 0; i < 3; i++)
		call_system(calls[i].number, calls[i].argument);
	return 1;
}
