/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a file.  A model is made of it, if it is a profile; what is
 * written of that makes an equal model (if no name had to be escaped), or at least
 * one of the same sums.  Less itself, it is nothing.
 *
 * First byte: bit 0 lenient, bit 1 parts apart, bit 2 no positions, bit 3 order by name.
 */
#include "profile/analysis/inclusive.h"
#include "profile/analysis/metric.h"
#include "profile/analysis/owncode.h"
#include "profile/format/emit.h"
#include "profile/model/build.h"
#include "profile/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "tests/common/models.h"
#include "tests/common/test_env.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Reads a text into an empty model; false if it is no profile, or its sums are too large. */
static bool read_model(struct model *model, const char *text, size_t len, unsigned bits)
{
	const struct reader_options reading = { .lenient = bits & 1, .names = model->names };
	const struct builder_options options = { .separate_parts = bits & 2,
						 .no_positions = bits & 4 };
	struct builder builder;
	int status;

	builder_init(&builder, model, &options);
	builder_begin_file(&builder, "input", model->names);
	status = read_profile(&(struct reader_text){ text, len, "input" }, &reading,
			      &builder.visitor, NULL, NULL);
	if (status == PROFILE_OK)
		status = builder_finish(&builder);
	builder_release(&builder);
	require(status != PROFILE_NO_MEMORY && status != PROFILE_STOPPED);
	return status == PROFILE_OK;
}

/* False if parts that become one have sums that are too large. */
static bool write_model(const struct model *model, struct test_env *t, unsigned bits)
{
	const struct writer_options writing = { .compress_names = bits & 16,
						.compress_positions = bits & 32 };
	const struct walk_options walking = { .order = bits & 8 ? WALK_BY_NAME : WALK_AS_READ };
	struct emitter emitter;
	int status;

	emitter_init(&emitter, &t->env, &writing);
	status = model_walk(model, &walking, &emitter.visitor);
	require(status == PROFILE_OK || (status == PROFILE_RANGE && model->n_parts > 1));
	require(emitter_finish(&emitter) == 0);
	emitter_release(&emitter);
	return status == PROFILE_OK;
}

static void check_totals(const struct model *model, const struct model *again)
{
	uint64_t totals[PROFILE_MAX_EVENTS], other[PROFILE_MAX_EVENTS];

	require(model->n_events == again->n_events);
	if (!model_totals(model, totals))
		return;
	require(model_totals(again, other));
	require(memcmp(totals, other, model->n_events * sizeof(*totals)) == 0);
}

static void check_equal(const struct model *model, const struct model *again)
{
	struct test_env left, right;

	test_env_init(&left);
	test_env_init(&right);
	require(canon_write(model, &left.env) == PROFILE_OK);
	require(canon_write(again, &right.env) == PROFILE_OK);
	require(left.len == right.len && memcmp(left.text, right.text, left.len) == 0);
	require(test_env_release(&left));
	require(test_env_release(&right));
}

/* True if all is written as it is: no control character, nothing but ASCII, no odd name. */
static bool is_plain(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((text[i] < ' ' && text[i] != '\n') || text[i] > '~' || text[i] == '\\')
			return false;
	return true;
}

/* What is written of a model makes an equal one. */
static void check_writing(const struct model *model, bool plain, unsigned bits)
{
	struct test_env t;
	struct model again;

	test_env_init(&t);
	model_init(&again);
	if (write_model(model, &t, bits)) {
		require(read_model(&again, t.text, t.len, bits & ~5U));
		if (model->n_parts > 0)
			check_totals(model, &again);
		if (plain && is_plain(t.text, t.len))
			check_equal(model, &again);
	}
	model_release(&again);
	require(test_env_release(&t));
}

static void check_inclusive(const struct model *model)
{
	struct inclusive inclusive;
	int status = inclusive_compute(&inclusive, model, NULL);

	require(status == PROFILE_OK || status == PROFILE_RANGE);
	if (status == PROFILE_OK)
		for (size_t i = 0; i < inclusive.n_functions; i++)
			require(inclusive.cycle[i] <= inclusive.n_cycles);
	inclusive_release(&inclusive);
}

/* What own code costs, and what it, others and nobody are charged with, adds up to everything. */
static void check_own_code(const struct model *model)
{
	const struct metric_source source = { .events = model->events,
					      .n_events = model->n_events };
	struct owncode owncode;
	struct metrics metrics;
	struct arena arena;
	int128 sum, all = 0;

	if (model->is_signed || model->n_events == 0)
		return;
	arena_init(&arena);
	metrics_init(&metrics, &source, &arena);
	require(owncode_compute(&owncode, model, &metrics.all[0]) == PROFILE_OK);
	sum = owncode.others + owncode.nobody;
	for (uint32_t i = 0; i < model->n_functions; i++) {
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			uint64_t costs[PROFILE_MAX_EVENTS];

			model_self(model, i, part, costs);
			all += costs[0];
			sum += owncode.is_own[i] ? costs[0] : 0;
		}
		require(owncode.charged[i] >= 0 && (owncode.is_own[i] || owncode.charged[i] == 0));
		sum += owncode.charged[i];
	}
	require(sum == all && owncode.nobody >= 0 && owncode.others >= 0);
	owncode_release(&owncode);
	arena_release(&arena);
}

/* Less itself, all is 0. */
static void check_difference(struct model *model, const char *text, size_t len, unsigned bits)
{
	struct model same;
	int status;

	model_init(&same);
	require(read_model(&same, text, len, bits));
	status = model_add(model, &same, -1);
	require(status == PROFILE_OK || status == PROFILE_RANGE);
	if (status == PROFILE_OK) {
		uint64_t totals[PROFILE_MAX_EVENTS];

		require(model_totals(model, totals));
		for (size_t i = 0; i < model->n_events; i++)
			require(totals[i] == 0);
	}
	model_release(&same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned bits = size > 0 ? data[0] : 0;
	struct test_env env;
	struct model model;

	if (size > 0) {
		data++;
		size--;
	}
	test_env_init(&env);
	model_init(&model);
	if (read_model(&model, (const char *)data, size, bits)) {
		check_inclusive(&model);
		check_own_code(&model);
		check_writing(&model, is_plain((const char *)data, size), bits);
		check_difference(&model, (const char *)data, size, bits);
	}
	model_release(&model);
	require(test_env_release(&env));
	return 0;
}
