/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmarks of google-benchmark whose loops cost what can be counted. */
#include <costgrind/google-benchmark.hpp>

#include <cstdlib>
#include <string>
#include <vector>

/* n times: an addition, a decrement and a jump, three instructions. */
static void work(long n)
{
	long sum = 0;

	__asm__ volatile("0: addq %1, %0\n\tdecq %1\n\tjnz 0b" : "+r"(sum), "+r"(n) : : "cc");
}

static void BM_spin(benchmark::State &state)
{
	work(12345);
	for (auto _ : state)
		work(state.range(0));
	work(23456);
	state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_spin)->Arg(1000)->Arg(2000);

static void BM_while(benchmark::State &state)
{
	while (state.KeepRunning())
		work(state.range(0));
}
BENCHMARK(BM_while)->Arg(1000)->Arg(2000);

static void BM_empty(benchmark::State &state)
{
	for (auto _ : state) {
	}
}
BENCHMARK(BM_empty);

/* What is paused differs, what is measured does not. */
static void BM_paused(benchmark::State &state)
{
	for (auto _ : state) {
		work(1000);
		state.PauseTiming();
		work(state.range(0));
		state.ResumeTiming();
	}
}
BENCHMARK(BM_paused)->Arg(1000)->Arg(50000);

/* What benchmarks ask for that would have them run more often, or other names. */
BENCHMARK(BM_spin)->Name("timed")->Arg(1000)->MinTime(5);
BENCHMARK(BM_spin)->Name("repeated")->Arg(1000)->Repetitions(1);
BENCHMARK(BM_spin)->Name("averaged")->Arg(1000)->Repetitions(7)->ReportAggregatesOnly();
BENCHMARK(BM_spin)->Name("fixed")->Arg(1000)->Iterations(1);
BENCHMARK(BM_spin)->Name("fixed")->Arg(1000)->Iterations(2);
BENCHMARK(BM_spin)->Name("complex")->Arg(1000)->Arg(2000)->Complexity();
BENCHMARK(BM_spin)->Name("named")->Args({1000, 7})->ArgNames({"n", "seed"})->UseRealTime();

class Fixture : public benchmark::Fixture {
    public:
	using benchmark::Fixture::SetUp;
	using benchmark::Fixture::TearDown;
	void SetUp(benchmark::State &) override
	{
		work(34567);
	}
	void TearDown(benchmark::State &) override
	{
		work(45678);
	}
};
BENCHMARK_DEFINE_F(Fixture, spin)(benchmark::State &state)
{
	for (auto _ : state)
		work(state.range(0));
}
BENCHMARK_REGISTER_F(Fixture, spin)->Arg(1000)->Arg(2000);

template <typename T> static void BM_template(benchmark::State &state)
{
	for (auto _ : state)
		work(sizeof(T) * 1000);
}
BENCHMARK(BM_template<std::vector<char>>);

BENCHMARK(BM_spin)->Name("threads")->Arg(1000)->Threads(1)->Threads(2);

#ifdef SKIPPING
static void BM_error(benchmark::State &state)
{
	for (auto _ : state) {
		state.SkipWithError("no data");
		break;
	}
}
BENCHMARK(BM_error);
BENCHMARK(BM_spin)->Name("after")->Arg(1000);
#endif
