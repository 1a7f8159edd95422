/* SPDX-License-Identifier: MIT-0 */
/*
 * google-benchmark.hpp: benchmarks of google-benchmark as regions of costgrind.
 *
 * This file may be copied into any program, and changed, without any condition.  It needs
 * costgrind.h next to it, valgrind.h, which comes with Valgrind, and google-benchmark 1.7 or later.
 *
 *	#include <costgrind/google-benchmark.hpp>
 *
 * in one file of a program that is linked with libbenchmark takes the place of BENCHMARK_MAIN(), or
 * of libbenchmark_main; the benchmarks stay as they are.  A program with its own main() defines
 * COSTGRIND_GOOGLE_BENCHMARK_NO_MAIN before, and calls costgrind::google_benchmark_main().
 *
 * By itself, the program does what it did.  Under costgrind, or any tool of Valgrind, each
 * benchmark runs twice, with one iteration or as many as Iterations() says: first to warm up, and
 * then to be measured.  Its loop is a region with the name that the framework prints, without what
 * is before and after the loop, fixtures, and what is between PauseTiming() and ResumeTiming().
 *
 * The framework has no hook at the loop, but Valgrind can put one there: it calls the functions at
 * the end of this file in place of the framework's ("function wrapping" in valgrind.h), whether
 * the library is shared or static.  It finds them by the program's symbols, so the program must not
 * be stripped.
 */
#ifndef HARNESS_GOOGLE_BENCHMARK_HPP
#define HARNESS_GOOGLE_BENCHMARK_HPP

#include <atomic>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "costgrind.h"

namespace costgrind
{
namespace google_benchmark
{

/* Its namespace depends on the version. */
using Benchmark = std::remove_pointer<decltype(::benchmark::RegisterBenchmark(
	"", std::declval<void (*)(::benchmark::State &)>()))>::type;

struct Suite {
	/* All that are registered, and those for which Iterations() was called. */
	std::vector<Benchmark *> registered;
	std::vector<void *> fixed;
	/* Of all that run, in their order. */
	std::vector<std::string> names;
	/* The one that runs. */
	std::size_t current = 0;
	/* How many loops of it have begun, one for each thread, and how many of these were measured. */
	std::atomic<int> begun{ 0 };
	std::atomic<int> measured{ 0 };
	bool is_failed = false;

	/* (Benchmarks register before main(), in any order with the construction of globals.) */
	static Suite &get()
	{
		static Suite suite;

		return suite;
	}
};

/* Of the benchmark's loop that this thread is in. */
struct Loop {
	const char *region = nullptr; /* while it is measured */
	bool is_counted = false;      /* between begin() and end() */

	static Loop &get()
	{
		static thread_local Loop loop;

		return loop;
	}
	/* What a region is to be begun with now: its name, or NULL. */
	const char *begin()
	{
		if (region == nullptr || is_counted)
			return nullptr;
		is_counted = true;
		return region;
	}
	/* Ends the region, which is paused. */
	void end()
	{
		if (is_counted)
			COSTGRIND_REGION_END_PAUSED(region);
		is_counted = false;
	}
};

/* Prints failures only: the results are in the profile. */
class Reporter : public ::benchmark::BenchmarkReporter
{
public:
	bool ReportContext(const Context &) override
	{
		return true;
	}
	void ReportRuns(const std::vector<Run> &runs) override
	{
		Suite &suite = Suite::get();

		/* Averages of both runs are reported after them. */
		if (runs.empty() || runs.front().run_type != Run::RT_Iteration)
			return;
		std::string error;
		for (const Run &run : runs) {
			if (error.empty())
				error = message(run, 0);
		}
		if (error.empty() && suite.measured < runs.front().threads)
			error = "its loop was not reached";
		if (!error.empty()) {
			std::cerr << suite.names[suite.current] << ": not measured: " << error
				  << std::endl;
			suite.is_failed = true;
		}
		suite.current++;
		suite.begun = 0;
		suite.measured = 0;
	}

private:
	/* Why a run was given up, if it was; the members have other names since version 1.8. */
	template <typename R> static auto message(const R &run, int) -> decltype(run.error_message)
	{
		return run.error_occurred ? run.error_message + " (SkipWithError)" : std::string();
	}
	template <typename R> static auto message(const R &run, long) -> decltype(run.skip_message)
	{
		return run.skipped ? run.skip_message + " (skipped)" : std::string();
	}
};

/* No time, for --benchmark_min_time: since version 1.8, which gave states names, with a unit. */
template <typename S> auto no_time(int) -> decltype(std::declval<const S &>().name(), std::string())
{
	return "0s";
}
template <typename S> std::string no_time(long)
{
	return "0";
}

inline void set_flags(std::vector<std::string> flags)
{
	std::string program = ::benchmark::BenchmarkReporter::Context::executable_name;
	std::vector<char *> words{ &program[0] };

	for (std::string &flag : flags)
		words.push_back(&flag[0]);
	int count = static_cast<int>(words.size());
	words.push_back(nullptr);
	::benchmark::Initialize(&count, words.data());
}

/* Keeps the framework from running anything, unless it only lists names. */
class Prober : public ::benchmark::BenchmarkReporter
{
public:
	bool is_asked = false;

	bool ReportContext(const Context &) override
	{
		is_asked = true;
		return false;
	}
	void ReportRuns(const std::vector<Run> &) override
	{
	}
};

/* The names of the benchmarks that a filter selects, in the order in which they run. */
inline std::vector<std::string> list_names(const std::string &filter)
{
	Prober prober;
	std::ostringstream list;
	std::vector<std::string> names;

	prober.SetOutputStream(&list);
	set_flags({ "--benchmark_list_tests=true" });
	::benchmark::RunSpecifiedBenchmarks(&prober, filter);
	set_flags({ "--benchmark_list_tests=false" });
	std::istringstream lines(list.str());
	for (std::string name; std::getline(lines, name);)
		names.push_back(name);
	return names;
}

/* A filter of these names of all, by the names that they have now. */
inline std::string filter_of(const std::vector<std::string> &names,
			     const std::vector<std::string> &all,
			     const std::vector<std::string> &all_now)
{
	std::string filter;
	std::size_t n = 0;

	if (names.size() == all.size())
		return ".";
	for (std::size_t i = 0; i < all.size() && n < names.size(); i++) {
		if (all[i] != names[n])
			continue;
		filter += n++ == 0 ? "^(" : "|";
		for (char letter : all_now[i]) {
			if (std::string("\\.[]{}()*+?|^$").find(letter) != std::string::npos)
				filter += '\\';
			filter += letter;
		}
	}
	return filter + ")$";
}

/* Under a tool: each benchmark twice, without a regard to time. */
inline int count()
{
	Suite &suite = Suite::get();
	Prober prober;
	Reporter reporter;

	/* If the command line asks for the list, this is all; so it is if no benchmark has such a name. */
	if (::benchmark::RunSpecifiedBenchmarks(&prober) == 0)
		return 1;
	if (!prober.is_asked)
		return 0;
	if (suite.registered.empty()) {
		std::cerr
			<< "benchmarks cannot be measured: Valgrind does not see the calls of google-benchmark; "
			   "is the program stripped?"
			<< std::endl;
		return 1;
	}
	const std::vector<std::string> all = list_names(".");
	suite.names = list_names(::benchmark::GetBenchmarkFilter());
	/* Flags yield to what a benchmark itself asks for, so that is changed, and with it the names. */
	for (Benchmark *benchmark : suite.registered) {
		bool is_fixed = false;

		for (void *fixed : suite.fixed)
			is_fixed |= fixed == benchmark;
		benchmark->Repetitions(2)->ReportAggregatesOnly(false);
		/* Not 0, which is refused, but taken for none. */
		if (!is_fixed)
			benchmark->MinTime(1e-300);
	}
	set_flags({ "--benchmark_repetitions=2",
		    "--benchmark_min_time=" + no_time<::benchmark::State>(0),
		    "--benchmark_min_warmup_time=0", "--benchmark_enable_random_interleaving=false",
		    "--benchmark_report_aggregates_only=false",
		    "--benchmark_display_aggregates_only=false" });
	::benchmark::RunSpecifiedBenchmarks(&reporter,
					    filter_of(suite.names, all, list_names(".")));
	if (suite.current != suite.names.size()) {
		std::cerr << "not all benchmarks were measured: " << suite.current << " of "
			  << suite.names.size() << std::endl;
		suite.is_failed = true;
	}
	return suite.is_failed;
}

} // namespace google_benchmark
} // namespace costgrind

/* -- what Valgrind calls in place of the framework's functions ---------- */

/* NAME is a mangled name, encoded as valgrind.h says: Zu is _, ZZ is Z, Za any text. */
#define COSTGRIND_WRAPPER_(type, name, ...)                                                      \
 extern "C" __attribute__((used, noinline)) type I_WRAP_SONAME_FNNAME_ZZ(Za, name)(__VA_ARGS__); \
 extern "C" type I_WRAP_SONAME_FNNAME_ZZ(Za, name)(__VA_ARGS__)

/*
 * A region is begun by the last thing that a wrapper does, and paused by the first one: all else is
 * done by functions that it calls, so that it has no registers to restore before it returns.
 */
#define COSTGRIND_BEGIN_(name)                                                \
 do {                                                                         \
  const char *const costgrind_name = (name);                                  \
                                                                              \
  COSTGRIND_REGION_BEGIN_IF(costgrind_name != nullptr,                        \
			    costgrind_name != nullptr ? costgrind_name : ""); \
 } while (0)

namespace costgrind
{
namespace google_benchmark
{

__attribute__((noinline)) inline const char *start(::benchmark::State *state, OrigFn original)
{
	Suite &suite = Suite::get();
	Loop &loop = Loop::get();

	/* One that was left without a last iteration (SkipWithError()) stays open: it was not measured. */
	loop = Loop();
	CALL_FN_v_W(original, state);
	/* The loops of the first run have all begun before any of the second. */
	if (suite.begun++ < state->threads() || suite.current >= suite.names.size())
		return nullptr;
	suite.measured++;
	loop.region = suite.names[suite.current].c_str();
	return loop.begin();
}

__attribute__((noinline)) inline void finish(::benchmark::State *state, OrigFn original)
{
	Loop::get().end();
	Loop::get().region = nullptr;
	CALL_FN_v_W(original, state);
}

__attribute__((noinline)) inline void pause(::benchmark::State *state, OrigFn original)
{
	Loop::get().end();
	CALL_FN_v_W(original, state);
}

__attribute__((noinline)) inline const char *resume(::benchmark::State *state, OrigFn original)
{
	CALL_FN_v_W(original, state);
	return Loop::get().begin();
}

} // namespace google_benchmark
} // namespace costgrind

/* State::StartKeepRunning(): before the first iteration, in each thread. */
COSTGRIND_WRAPPER_(void, ZuZZN9benchmark5State16StartKeepRunningEv, ::benchmark::State *state)
{
	OrigFn original;

	VALGRIND_GET_ORIG_FN(original);
	COSTGRIND_BEGIN_(costgrind::google_benchmark::start(state, original));
}

/* State::FinishKeepRunning(): after the last iteration. */
COSTGRIND_WRAPPER_(void, ZuZZN9benchmark5State17FinishKeepRunningEv, ::benchmark::State *state)
{
	OrigFn original;

	COSTGRIND_REGION_PAUSE;
	VALGRIND_GET_ORIG_FN(original);
	costgrind::google_benchmark::finish(state, original);
}

/* State::PauseTiming() */
COSTGRIND_WRAPPER_(void, ZuZZN9benchmark5State11PauseTimingEv, ::benchmark::State *state)
{
	OrigFn original;

	COSTGRIND_REGION_PAUSE;
	VALGRIND_GET_ORIG_FN(original);
	costgrind::google_benchmark::pause(state, original);
}

/* State::ResumeTiming() */
COSTGRIND_WRAPPER_(void, ZuZZN9benchmark5State12ResumeTimingEv, ::benchmark::State *state)
{
	OrigFn original;

	VALGRIND_GET_ORIG_FN(original);
	COSTGRIND_BEGIN_(costgrind::google_benchmark::resume(state, original));
}

/* internal::RegisterBenchmarkInternal(), of a pointer or a reference to one. */
COSTGRIND_WRAPPER_(void *, ZuZZN9benchmark8internal25RegisterBenchmarkInternalEZa, void *argument)
{
	void *benchmark;
	OrigFn original;

	VALGRIND_GET_ORIG_FN(original);
	CALL_FN_W_W(benchmark, original, argument);
	costgrind::google_benchmark::Suite::get().registered.push_back(
		static_cast<costgrind::google_benchmark::Benchmark *>(benchmark));
	return benchmark;
}

/* Benchmark::Iterations(long) */
COSTGRIND_WRAPPER_(void *, ZuZZN9benchmarkZa9Benchmark10IterationsEl, void *benchmark,
		   long iterations)
{
	void *result;
	OrigFn original;

	VALGRIND_GET_ORIG_FN(original);
	CALL_FN_W_WW(result, original, benchmark, iterations);
	costgrind::google_benchmark::Suite::get().fixed.push_back(benchmark);
	return result;
}

#undef COSTGRIND_WRAPPER_
#undef COSTGRIND_BEGIN_

namespace costgrind
{

/* What BENCHMARK_MAIN() does, and returns the exit status: 1 if a benchmark was not measured. */
inline int google_benchmark_main(int argc, char **argv)
{
	int status = 0;

	::benchmark::Initialize(&argc, argv);
	if (::benchmark::ReportUnrecognizedArguments(argc, argv))
		return 1;
	if (RUNNING_ON_VALGRIND)
		status = google_benchmark::count();
	else
		::benchmark::RunSpecifiedBenchmarks();
	::benchmark::Shutdown();
	return status;
}

} // namespace costgrind

#ifndef COSTGRIND_GOOGLE_BENCHMARK_NO_MAIN
int main(int argc, char **argv)
{
	return costgrind::google_benchmark_main(argc, argv);
}
#endif

#endif
