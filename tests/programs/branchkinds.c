/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A branch of each kind, one a function: what it depends on is made beforehand, from one generator of
 * numbers.  Empty statements of asm keep each a jump.
 */
#include <stdint.h>

enum { N = 20000 };

static unsigned char data[N];
static volatile unsigned sink;

static uint32_t state = 12345;

static uint32_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* Any way, as the data says. */
__attribute__((noinline)) static unsigned depends(const unsigned char *bytes)
{
	unsigned sum = 0;

	for (int i = 0; i < N; i++)
		if (bytes[i] < 128) { /* data-dependent */
			__asm__ volatile("");
			sum += 3;
		}
	return sum;
}

/* The second one goes the way of the first one, which is any. */
__attribute__((noinline)) static unsigned follows(const unsigned char *bytes)
{
	unsigned sum = 0;

	for (int i = 0; i < N; i++) {
		unsigned is_low = bytes[i] < 128;

		__asm__ volatile("" : "+r"(is_low));
		if (is_low) { /* the first */
			__asm__ volatile("");
			sum += 5;
		}
		__asm__ volatile("" : "+r"(is_low));
		if (is_low) { /* correlated */
			__asm__ volatile("");
			sum += 7;
		}
	}
	return sum;
}

/* Rarely. */
__attribute__((noinline)) static unsigned seldom(const unsigned char *bytes)
{
	unsigned sum = 0;

	for (int i = 0; i < N; i++)
		if (bytes[i] < 8) { /* biased */
			__asm__ volatile("");
			sum += 11;
		}
	return sum;
}

/* As often as the data says, at least three times. */
__attribute__((noinline)) static unsigned turns(const unsigned char *bytes)
{
	unsigned sum = 0;

	for (int i = 0; i < N; i++) {
		int left = 3 + (bytes[i] & 15);

		do { /* loop exit */
			__asm__ volatile("");
			sum++;
		} while (--left > 0);
	}
	return sum;
}

/* Three targets, the first one half of the time. */
__attribute__((noinline)) static unsigned one(unsigned x)
{
	return x + 1;
}

__attribute__((noinline)) static unsigned two(unsigned x)
{
	return x + 2;
}

__attribute__((noinline)) static unsigned three(unsigned x)
{
	return x + 3;
}

__attribute__((noinline)) static unsigned calls(const unsigned char *bytes)
{
	static unsigned (*const functions[4])(unsigned) = { one, one, two, three };
	unsigned sum = 0;

	for (int i = 0; i < N; i++)
		sum += functions[bytes[i] & 3](sum); /* indirect */
	return sum;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		data[i] = (unsigned char)(draw() >> 11);
	sink = depends(data) + follows(data) + seldom(data) + turns(data) + calls(data);
	return 0;
}
