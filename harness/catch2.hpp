/* SPDX-License-Identifier: MIT-0 */
/*
 * catch2.hpp: benchmarks of Catch2 as regions of costgrind.
 *
 * This file may be copied into any program, and changed, without any condition.  It needs
 * costgrind.h next to it, valgrind.h, which comes with Valgrind, and Catch2 2.9 or later, or 3.
 *
 *	#define CATCH_CONFIG_ENABLE_BENCHMARKING	// version 2
 *	#include <catch2/catch.hpp>
 *	#include <costgrind/catch2.hpp>
 *
 * in each file with benchmarks, after Catch2's header; the benchmarks stay as they are.
 *
 * By itself, the program does what it did.  Under costgrind, or any tool of Valgrind, the body of
 * each BENCHMARK, and what a BENCHMARK_ADVANCED passes to measure(), runs twice: first to warm up,
 * and then as a region with the name "test case/benchmark".
 */
#ifndef HARNESS_CATCH2_HPP
#define HARNESS_CATCH2_HPP

#include <stdexcept>
#include <string>
#include <utility>

#ifndef INTERNAL_CATCH_BENCHMARK
# error "include Catch2's benchmarks before (version 2: CATCH_CONFIG_ENABLE_BENCHMARKING)"
#endif

#include "costgrind.h"

namespace costgrind
{
namespace catch2
{

/* In place of the clock: what is between start() and finish() is a region. */
class Meter : public Catch::Benchmark::Detail::ChronometerConcept
{
public:
	/* Without a name, no region. */
	explicit Meter(const char *name) : region(name)
	{
	}
	void start() override
	{
		is_started = true;
		COSTGRIND_REGION_BEGIN_IF(region != nullptr, region != nullptr ? region : "");
	}
	void finish() override
	{
		COSTGRIND_REGION_PAUSE;
		if (region != nullptr)
			COSTGRIND_REGION_END_PAUSED(region);
	}
	bool is_started = false;

private:
	const char *region;
};

/* --skip-benchmarks, which is there since version 3. */
template <typename Config>
auto is_skipped(const Config &config, int) -> decltype(config.skipBenchmarks())
{
	return config.skipBenchmarks();
}
template <typename Config> bool is_skipped(const Config &, long)
{
	return false;
}

/* What BENCHMARK assigns its body to. */
class Benchmark
{
public:
	explicit Benchmark(std::string title) : name(std::move(title))
	{
	}
	explicit operator bool() const
	{
		return true;
	}
	template <typename Function> Benchmark &operator=(Function function)
	{
		if (!RUNNING_ON_VALGRIND) {
			Catch::Benchmark::Benchmark native(std::move(name));

			native = function;
		} else if (!is_skipped(*Catch::getCurrentContext().getConfig(), 0)) {
			count(function);
		}
		return *this;
	}

private:
	void count(Catch::Benchmark::Detail::BenchmarkFunction function) const
	{
		const std::string test(Catch::getResultCapture().getCurrentTestName());
		const std::string region = test + "/" + name;
		Meter warm_up(nullptr), measured(region.c_str());

		function(Catch::Benchmark::Chronometer(warm_up, 1));
		function(Catch::Benchmark::Chronometer(measured, 1));
		if (!measured.is_started)
			throw std::logic_error(
				"benchmark not measured: it did not call measure(): " + name);
	}

	std::string name;
};

} // namespace catch2
} // namespace costgrind

/* BENCHMARK and BENCHMARK_ADVANCED, with whatever prefix, expand to these. */
#undef INTERNAL_CATCH_BENCHMARK
#undef INTERNAL_CATCH_BENCHMARK_ADVANCED
#define INTERNAL_CATCH_BENCHMARK(benchmark, name, index) \
 if (costgrind::catch2::Benchmark benchmark{ name })     \
 benchmark = [&](int index)
#define INTERNAL_CATCH_BENCHMARK_ADVANCED(benchmark, name) \
 if (costgrind::catch2::Benchmark benchmark{ name })       \
 benchmark = [&]

#endif
