/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast profiles are read (scripts/bench-profile):
 *
 *	profile_bench generate MEGABYTES >FILE	a profile as Callgrind writes them with
 *						--dump-instr=yes, of thirteen events
 *	profile_bench model FILE		a full model; prints MB/s of processor time,
 *						the model's memory as a share of the
 *						file, and a hash of the canonical text
 *	profile_bench functions FILE		the same, of functions and calls only
 *
 * What is read must add up to the file's totals:, or the exit status is 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "profile/common/heap.h"
#include "profile/model/build.h"
#include "tests/common/models.h"
#include "writer/writer.h"

enum {
	N_EVENTS = 13,
	FUNCTIONS_A_FILE = 20,
	FUNCTION_SIZE = 4096,    /* bytes of code */
	BYTES_A_FUNCTION = 2750, /* of text, about */
};

static int write_stdout(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	return fwrite(data, 1, len, stdout) == len ? 0 : 5;
}

/* xorshift64*, as in tests/common/check.h. */
static uint64_t below(uint64_t *state, uint64_t bound)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d) % bound;
}

static void put_name(struct writer *writer, enum position_spec spec, uint32_t key)
{
	char text[128];
	struct name name = { text, 0, key };
	const char *format = spec == SPEC_FN || spec == SPEC_CFN
				     ? "project::module_%u::function_%u(int, char const*)"
				     : "/home/ann/project/source/module_%u/file_%u.cpp";

	name.len = (size_t)snprintf(text, sizeof(text), format, key % 97, key);
	writer_position(writer, spec, &name);
}

/* Most instructions cost one Ir; every third reads or writes; some miss, some branch. */
static void make_costs(uint64_t *state, uint64_t runs, uint64_t costs[N_EVENTS])
{
	uint64_t kind = below(state, 12);

	memset(costs, 0, N_EVENTS * sizeof(*costs));
	costs[0] = runs;
	if (kind < 3)
		costs[1] = runs;
	else if (kind == 3)
		costs[2] = runs;
	else if (kind == 4)
		costs[9] = runs;
	if (kind == 0)
		costs[4] = below(state, runs + 1);
	if (kind == 4)
		costs[10] = below(state, runs + 1);
	if (kind == 5)
		costs[3] = 1 + below(state, 3);
}

static void put_line(struct writer *writer, const struct position *at, const uint64_t *costs,
		     uint64_t *totals)
{
	for (int i = 0; i < N_EVENTS; i++)
		totals[i] += costs[i];
	writer_cost(writer, at, costs, N_EVENTS);
}

static void put_calls(struct writer *writer, uint32_t callee, const struct position *at,
		      uint64_t count)
{
	const struct position target = { 0x400000 + (uint64_t)callee * FUNCTION_SIZE,
					 10 + callee % 1000 };
	const uint64_t costs[N_EVENTS] = { count * 523, count * 120, count * 61, 3, count / 7,
					   0,           3,           count / 90, 0, count * 44 };

	put_name(writer, SPEC_CFI, callee / FUNCTIONS_A_FILE);
	put_name(writer, SPEC_CFN, callee);
	writer_calls(writer, count, &target);
	writer_cost(writer, at, costs, N_EVENTS);
}

static void put_function(struct writer *writer, uint32_t function, uint32_t n_functions,
			 uint64_t *state, uint64_t *totals)
{
	struct position at = { 0x400000 + (uint64_t)function * FUNCTION_SIZE,
			       10 + function % 1000 };
	uint64_t runs = 1 + below(state, 100000);
	uint64_t costs[N_EVENTS];

	writer_blank(writer);
	put_name(writer, SPEC_FL, function / FUNCTIONS_A_FILE);
	put_name(writer, SPEC_FN, function);
	for (uint64_t i = 40 + below(state, 160); i > 0; i--) {
		if (below(state, 8) == 0)
			runs = 1 + below(state, 100000);
		if (below(state, 200) == 0)
			put_name(writer, SPEC_FI,
				 (uint32_t)below(state, n_functions) / FUNCTIONS_A_FILE);
		make_costs(state, runs, costs);
		put_line(writer, &at, costs, totals);
		if (below(state, 20) == 0)
			put_calls(writer, (uint32_t)below(state, n_functions), &at, runs);
		at.instr += 1 + below(state, 8);
		at.line += below(state, 4) == 0 ? below(state, 5) : 0;
	}
}

static int generate(uint64_t megabytes)
{
	static const char *const names[N_EVENTS] = { "Ir",   "Dr",   "Dw",   "I1mr", "D1mr",
						     "D1mw", "ILmr", "DLmr", "DLmw", "Bc",
						     "Bcm",  "Bi",   "Bim" };
	const struct writer_options options = { POSITION_INSTR | POSITION_LINE, true, true };
	const struct env env = { heap_env.alloc, heap_env.release, write_stdout, NULL };
	uint32_t n_functions = (uint32_t)(megabytes * 1000000 / BYTES_A_FUNCTION);
	uint64_t totals[N_EVENTS] = { 0 }, state = UINT64_C(0x9e3779b97f4a7c15);
	const struct name object = { "/home/ann/project/program", 25, 0 };
	struct writer writer;
	int error;

	writer_init(&writer, &env, &options);
	writer_format(&writer);
	writer_version(&writer);
	writer_positions(&writer);
	writer_events(&writer, names, N_EVENTS);
	writer_position(&writer, SPEC_OB, &object);
	for (uint32_t i = 0; i < n_functions; i++)
		put_function(&writer, i, n_functions, &state, totals);
	writer_totals(&writer, totals);
	error = writer_finish(&writer);
	writer_release(&writer);
	return error != 0 || fflush(stdout) != 0;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* True if all was read, as far as the file says. */
static int adds_up(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];

		if (part->totals &&
		    memcmp(part->sums, part->totals, part->n * sizeof(*part->sums)) != 0)
			return 0;
	}
	return 1;
}

static int metric(const char *path, bool functions_only)
{
	const struct builder_options options = { .no_positions = functions_only };
	struct reader_report report;
	struct profile_error error;
	struct rusage usage;
	struct model model;
	char line[PROFILE_ERROR_LINE];
	double start = seconds(), time;
	uint64_t hash;

	model_init(&model);
	if (model_read(&model, path, NULL, &options, &report, &error) != PROFILE_OK) {
		profile_error_line(&error, line, sizeof(line));
		fprintf(stderr, "profile_bench: %s\n", line);
		return 1;
	}
	time = seconds() - start;
	getrusage(RUSAGE_SELF, &usage); /* before the canonical text needs memory */
	if (!adds_up(&model) || canon_hash(&model, &hash) != PROFILE_OK) {
		fprintf(stderr, "profile_bench: %s: the costs do not add up to totals:\n", path);
		return 1;
	}
	printf("%.1f MB, %.3f s, %.0f MB/s, model %.2f, process %.2f of the file, "
	       "%zu functions, hash %016" PRIx64 "\n",
	       (double)report.bytes / 1e6, time, (double)report.bytes / 1e6 / time,
	       (double)model_bytes(&model) / (double)report.bytes,
	       (double)usage.ru_maxrss * 1024 / (double)report.bytes, model.n_functions, hash);
	model_release(&model);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "generate") == 0)
		return generate(strtoull(argv[2], NULL, 10));
	if (argc == 3 && strcmp(argv[1], "model") == 0)
		return metric(argv[2], false);
	if (argc == 3 && strcmp(argv[1], "functions") == 0)
		return metric(argv[2], true);
	fprintf(stderr, "usage: profile_bench generate MEGABYTES | model FILE | functions FILE\n");
	return 2;
}
