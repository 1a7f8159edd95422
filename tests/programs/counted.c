/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Five programs, one by -DWORK=name: what measured() does is counted, and depends
 * on nothing outside: no library, no address, no time.
 */
#include <stdio.h>

enum {
	N = 300,
};

/* Kept from the compiler, which might do it all. */
static volatile unsigned seed = 12345;

static unsigned next_number(unsigned *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16;
}

/* Copies and clears, which the compiler makes rep instructions of, if it is asked to. */
struct page {
	unsigned char bytes[1000];
};

static unsigned copies(unsigned state)
{
	static struct page pages[4];
	unsigned sum = 0;

	for (int i = 0; i < 20; i++) {
		struct page *from = &pages[next_number(&state) % 4];
		struct page *to = &pages[next_number(&state) % 4];

		from->bytes[next_number(&state) % sizeof(from->bytes)]++;
		*to = *from;
		sum += to->bytes[i];
		if (i % 7 == 0)
			*to = (struct page){ .bytes = { 1 } };
	}
	return sum;
}

static void sort_range(unsigned *values, int low, int high)
{
	unsigned pivot = values[(low + high) / 2];
	int i = low, j = high;

	while (i <= j) {
		while (values[i] < pivot)
			i++;
		while (values[j] > pivot)
			j--;
		if (i <= j) {
			unsigned value = values[i];

			values[i++] = values[j];
			values[j--] = value;
		}
	}
	if (low < j)
		sort_range(values, low, j);
	if (i < high)
		sort_range(values, i, high);
}

static unsigned sorts(unsigned state)
{
	static unsigned values[N];

	for (int i = 0; i < N; i++)
		values[i] = next_number(&state);
	sort_range(values, 0, N - 1);
	return values[N / 2];
}

/* Bit strings in memory, and bits in registers. */
static unsigned bits(unsigned state)
{
	static unsigned long set[64];
	unsigned long found = 0, mask = state;

	for (int i = 0; i < N; i++) {
		unsigned long bit = next_number(&state) % (64 * 64);
		unsigned char carry;

		__asm__ volatile("btsq %2, %1; setc %0"
				 : "=q"(carry), "+m"(set)
				 : "r"(bit)
				 : "cc", "memory");
		found += carry;
		__asm__ volatile("btcq %1, %0" : "+r"(mask) : "r"(bit) : "cc");
	}
	return (unsigned)(found + __builtin_popcountl(mask));
}

/* Long doubles and doubles; and jumps by a table. */
static unsigned numbers(unsigned state)
{
	long double sum = 0;
	double product = 1;

	for (int i = 1; i < N; i++) {
		unsigned number = next_number(&state);

		switch (number % 6) {
		case 0:
			sum += number;
			break;
		case 1:
			product *= 1.5;
			break;
		case 2:
			sum /= 3;
			break;
		case 3:
			product -= i;
			break;
		case 4:
			sum -= product;
			break;
		default:
			product = (double)sum / number;
			break;
		}
	}
	return sum > product;
}

static void *back[5]; /* of the compiler's own setjmp: the library's is another program */

static __attribute__((noinline)) int dive(int depth, unsigned *state)
{
	if (depth == 0 && next_number(state) % 2 == 0)
		__builtin_longjmp(back, 1);
	return depth == 0 ? 1 : dive(depth - 1, state) + dive(depth - 1, state);
}

static unsigned jumps(unsigned state)
{
	unsigned volatile caught = 0;
	unsigned sum = 0;

	for (int volatile i = 0; i < 20; i++) {
		if (__builtin_setjmp(back) == 0)
			sum += (unsigned)dive(i % 6, &state);
		else
			caught++;
	}
	return sum + caught;
}

__attribute__((noinline)) unsigned measured(unsigned state)
{
	(void)copies;
	(void)sorts;
	(void)bits;
	(void)numbers;
	(void)jumps;
	return WORK(state);
}

int main(void)
{
	printf("%u\n", measured(seed));
	return 0;
}
