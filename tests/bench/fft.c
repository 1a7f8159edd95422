/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fourier transforms of sizes that are powers of two: of a long vector, and of
 * a square, once with the columns where they are, and once with a few columns at
 * a time copied together.
 *
 * The vector and its roots of unity are larger than an LL of 8 MiB.  The
 * elements of a column are a power of two apart, so that all belong in one set
 * of a cache: where they are, nearly each reference is a miss in D1, and
 * together, nearly each is a hit.  Both give the same numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

enum {
	VECTOR_BITS = 19, /* 8 MiB */
	SQUARE_BITS = 9,  /* 4 MiB; elements of a column are 8 KiB apart */
	SQUARE = 1 << SQUARE_BITS,
	SQUARES = 3,  /* times that it is done */
	TOGETHER = 4, /* columns that are copied together: one line of a cache */
	ROOTS = 1 << (VECTOR_BITS - 1),
};

struct complex {
	double re, im;
};

/* Elements stride apart, 1 << bits of them. */
struct series {
	struct complex *data;
	size_t stride;
	unsigned int bits;
};

/* roots[k] is exp(2 * pi * i * k / (2 * ROOTS)). */
static struct complex *roots;

static struct complex multiply(struct complex a, struct complex b)
{
	return (struct complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

/* By halving angles, with nothing but square roots, which are the same everywhere. */
static void roots_init(void)
{
	struct complex turn = { -1, 0 }; /* half a turn, then a quarter and so on */

	roots = allocate(ROOTS, sizeof(*roots));
	roots[0] = (struct complex){ 1, 0 };
	for (size_t step = ROOTS / 2; step; step /= 2) {
		double re = sqrt((1 + turn.re) / 2);

		turn = step == ROOTS / 2 ? (struct complex){ 0, 1 }
					 : (struct complex){ re, turn.im / (2 * re) };
		for (size_t i = 0; i < ROOTS; i += 2 * step)
			roots[i + step] = multiply(roots[i], turn);
	}
}

/* Exchanges elements whose numbers are each other's bits backwards. */
static void reverse_order(const struct series *series)
{
	size_t size = (size_t)1 << series->bits;
	size_t reversed = 0;

	for (size_t i = 0; i < size; i++) {
		size_t bit = size / 2;

		if (i < reversed) {
			struct complex *a = &series->data[i * series->stride];
			struct complex *b = &series->data[reversed * series->stride];
			struct complex kept = *a;

			*a = *b;
			*b = kept;
		}
		for (; reversed & bit; bit /= 2)
			reversed ^= bit;
		reversed |= bit;
	}
}

/* In place; sign is -1 forwards and 1 backwards, without division by the size. */
NOINLINE static void transform(const struct series *series, double sign)
{
	size_t size = (size_t)1 << series->bits;
	size_t stride = series->stride;

	reverse_order(series);
	for (size_t half = 1; half < size; half *= 2) {
		size_t root_step = ROOTS / half;

		for (size_t group = 0; group < size; group += 2 * half) {
			struct complex *low = &series->data[group * stride];
			struct complex *high = low + half * stride;

			for (size_t i = 0; i < half; i++) {
				struct complex root = roots[i * root_step];
				struct complex a = low[i * stride];
				struct complex b;

				root.im *= sign;
				b = multiply(high[i * stride], root);
				low[i * stride] = (struct complex){ a.re + b.re, a.im + b.im };
				high[i * stride] = (struct complex){ a.re - b.re, a.im - b.im };
			}
		}
	}
}

static void transform_rows(struct complex *square, double sign)
{
	for (size_t row = 0; row < SQUARE; row++)
		transform(&(struct series){ &square[row * SQUARE], 1, SQUARE_BITS }, sign);
}

static void transform_columns(struct complex *square, double sign)
{
	for (size_t column = 0; column < SQUARE; column++)
		transform(&(struct series){ &square[column], SQUARE, SQUARE_BITS }, sign);
}

NOINLINE static void transform_columns_together(struct complex *square, double sign)
{
	static struct complex columns[TOGETHER][SQUARE];

	for (size_t first = 0; first < SQUARE; first += TOGETHER) {
		for (size_t row = 0; row < SQUARE; row++) {
			for (size_t i = 0; i < TOGETHER; i++)
				columns[i][row] = square[row * SQUARE + first + i];
		}
		for (size_t i = 0; i < TOGETHER; i++)
			transform(&(struct series){ columns[i], 1, SQUARE_BITS }, sign);
		for (size_t row = 0; row < SQUARE; row++) {
			for (size_t i = 0; i < TOGETHER; i++)
				square[row * SQUARE + first + i] = columns[i][row];
		}
	}
}

static void fill(struct complex *data, size_t size)
{
	uint64_t seed = 11;

	for (size_t i = 0; i < size; i++) {
		data[i].re = random_next(&seed) / 4294967296.0 - 0.5;
		data[i].im = random_next(&seed) / 4294967296.0 - 0.5;
	}
}

/* Requires that data are what fill() made, but for rounding. */
static void require_filled(const struct complex *data, size_t size, double factor)
{
	struct complex *first = allocate(size, sizeof(*first));
	double worst = 0;

	fill(first, size);
	for (size_t i = 0; i < size; i++) {
		double error = fabs(data[i].re * factor - first[i].re) +
			       fabs(data[i].im * factor - first[i].im);

		worst = error > worst ? error : worst;
	}
	require(worst < 1e-10, "back and forth is not where it began");
	free(first);
}

/* Of the results, that many digits as do not depend on the order of operations. */
static uint64_t sum_up(uint64_t sum, const struct complex *data, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		sum = checksum_add(sum, (uint64_t)(int64_t)(data[i].re * 1e6));
		sum = checksum_add(sum, (uint64_t)(int64_t)(data[i].im * 1e6));
	}
	return sum;
}

static uint64_t run_vector(uint64_t sum)
{
	size_t size = (size_t)1 << VECTOR_BITS;
	struct complex *vector = allocate(size, sizeof(*vector));
	struct series series = { vector, 1, VECTOR_BITS };

	fill(vector, size);
	transform(&series, -1);
	sum = sum_up(sum, vector, size);
	transform(&series, 1);
	require_filled(vector, size, 1.0 / (double)size);
	free(vector);
	return sum;
}

static uint64_t run_square(uint64_t sum)
{
	size_t size = (size_t)SQUARE * SQUARE;
	struct complex *apart = allocate(size, sizeof(*apart));
	struct complex *together = allocate(size, sizeof(*together));

	fill(apart, size);
	fill(together, size);
	transform_rows(apart, -1);
	transform_columns(apart, -1);
	transform_rows(together, -1);
	transform_columns_together(together, -1);
	require(memcmp(apart, together, size * sizeof(*apart)) == 0,
		"columns together are not columns apart");
	sum = sum_up(sum, together, size);
	transform_columns(apart, 1);
	transform_rows(apart, 1);
	require_filled(apart, size, 1.0 / (double)size);
	free(together);
	free(apart);
	return sum;
}

int main(void)
{
	uint64_t sum = 0;

	roots_init();
	sum = run_vector(sum);
	for (int i = 0; i < SQUARES; i++)
		sum = run_square(sum);
	free(roots);
	return report("fft", sum);
}
