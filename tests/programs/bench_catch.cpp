/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmarks of Catch2 whose bodies cost what can be counted. */
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#include <costgrind/catch2.hpp>

/* n times: an addition, a decrement and a jump, three instructions. */
static long work(long n)
{
	long sum = 0;

	__asm__ volatile("0: addq %1, %0\n\tdecq %1\n\tjnz 0b" : "+r"(sum), "+r"(n) : : "cc");
	return sum;
}

TEST_CASE("sums")
{
	work(12345);
	BENCHMARK("of 1000")
	{
		return work(1000);
	};
	work(23456);
	BENCHMARK("of 2000")
	{
		return work(2000);
	};
	BENCHMARK("of an index", i)
	{
		return work(1000 + i);
	};
	BENCHMARK("of nothing: <empty>")
	{
	};
	BENCHMARK_ADVANCED("prepared")(Catch::Benchmark::Chronometer meter)
	{
		const long n = work(34567) != 0 ? 1000 : 0;

		meter.measure([&] { return work(n); });
		work(45678);
	};
	REQUIRE(work(1) == 1);
}

TEST_CASE("other sums")
{
	BENCHMARK("of 1000")
	{
		return work(1000);
	};
}

TEST_CASE("unmeasured", "[.]")
{
	BENCHMARK_ADVANCED("forgotten")(Catch::Benchmark::Chronometer)
	{
	};
}

TEST_CASE("throwing", "[.]")
{
	BENCHMARK("broken")
	{
		throw std::runtime_error("no data");
	};
}
