/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmarks with bench.h whose measured parts cost what can be counted; C11 and C++14 alike. */
#include <costgrind/bench.h>

/* n times an addition, a decrement and a jump: three instructions. */
static long long work(long long n)
{
	long long sum = 0;

	__asm__ volatile("0: addq %1, %0\n\tdecq %1\n\tjnz 0b" : "+r"(sum), "+r"(n) : : "cc");
	return sum;
}

static void spin(struct costgrind_bench *bench)
{
	COSTGRIND_MEASURE(bench)
	{
		costgrind_keep(work(bench->argument));
	}
}

static void empty(struct costgrind_bench *bench)
{
	COSTGRIND_MEASURE(bench)
	{
	}
}

/* What is before and after the measured part is not measured. */
static void prepared(struct costgrind_bench *bench)
{
	costgrind_keep(work(77 * bench->argument));
	COSTGRIND_MEASURE(bench)
	{
		costgrind_keep(work(bench->argument));
	}
	costgrind_keep(work(99 * bench->argument));
}

/* Memory comes from the same place each time, once there was a warm-up run. */
static void allocating(struct costgrind_bench *bench)
{
	COSTGRIND_MEASURE(bench)
	{
		void *memory = malloc(40);

		costgrind_keep(memory);
		free(memory);
	}
}

/* 64 lines of 64 bytes, which nothing else touches. */
static unsigned char table[4096] __attribute__((aligned(64))) = { 1 };

static void lines(struct costgrind_bench *bench)
{
	COSTGRIND_MEASURE(bench)
	{
		unsigned sum = 0;

		for (size_t i = 0; i < sizeof(table); i += 64)
			sum += ((volatile unsigned char *)table)[i];
		costgrind_keep(sum);
	}
}

/* Without costgrind_keep(), the compiler would leave the loop out. */
static void kept(struct costgrind_bench *bench)
{
	COSTGRIND_MEASURE(bench)
	{
		unsigned hash = 1;

		for (long long i = 0; i < bench->argument; i++)
			hash = hash * 31 + (unsigned)i;
		costgrind_keep(hash);
	}
}

/* Without costgrind_clobber(), only the last of the stores would be left. */
static void clobbered(struct costgrind_bench *bench)
{
	long long stored = 0;

	costgrind_keep(&stored);
	COSTGRIND_MEASURE(bench)
	{
		for (long long i = 0; i < bench->argument; i++) {
			stored = i;
			costgrind_clobber();
		}
	}
}

/* Values of all kinds can be kept. */
static void kinds(struct costgrind_bench *bench)
{
	const struct pair {
		long a, b, c;
	} pair = { 1, 2, 3 };
	const double array[3] = { 1, 2, 3 };
	const char *const text = "text";
	long double wide = 4;
	float narrow = 5;
	char small = 6;

	COSTGRIND_MEASURE(bench)
	{
		costgrind_keep(pair);
		costgrind_keep(array);
		costgrind_keep(array[1]);
		costgrind_keep(text);
		costgrind_keep("literal");
		costgrind_keep(&pair);
		costgrind_keep(wide);
		costgrind_keep(narrow * 2);
		costgrind_keep(small);
		costgrind_keep(small == 6);
		costgrind_keep(1);
		costgrind_keep(2.5);
	}
}

COSTGRIND_BENCH_MAIN
{
	COSTGRIND_BENCH(spin, 1000, 2000);
	COSTGRIND_BENCH(empty);
	COSTGRIND_BENCH(prepared, 1000, 2000);
	COSTGRIND_BENCH(allocating);
	COSTGRIND_BENCH(lines);
	COSTGRIND_BENCH(kept, 1000, 2000);
	COSTGRIND_BENCH(clobbered, 1000, 2000);
	COSTGRIND_BENCH(kinds);
}
