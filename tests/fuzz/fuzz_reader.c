/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a file.  Whatever it holds, the visitor receives what its header
 * promises, in order; and the same if each cost line begins with a blank, which
 * has the reader take its careful way instead of its quick one.
 *
 * Bit 0 of the first byte: lenient.
 */
#include "profile/format/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/common/heap.h"
#include "tests/common/models.h"
#include "tests/common/test_env.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An input may ask for more memory than the fuzzer allows: that is no finding. */
void heap_exhausted(void)
{
	_exit(0);
}

/* What was reported, as a hash, and what may be reported next. */
struct listener {
	uint64_t hash;
	size_t n_events;
	bool in_part, has_place, is_signed;
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void add(struct listener *listener, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		listener->hash = (listener->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void add_number(struct listener *listener, uint64_t number)
{
	add(listener, &number, sizeof(number));
}

static void add_name(struct listener *listener, const struct name *name)
{
	require(name->text[name->len] == '\0' && name->key != NAME_NO_KEY && name->len > 0);
	require(memchr(name->text, '\n', name->len) == NULL);
	add_number(listener, name->key);
	add(listener, name->text, name->len);
}

static void add_place(struct listener *listener, const struct place *place)
{
	add_name(listener, &place->object);
	add_name(listener, &place->file);
	add_name(listener, &place->function);
	add_name(listener, &place->source);
}

static void add_costs(struct listener *listener, const uint64_t *costs, size_t n)
{
	require(n <= listener->n_events);
	add(listener, costs, n * sizeof(*costs));
	add_number(listener, n);
}

static int visit_part(void *ctx, const struct part *part)
{
	struct listener *listener = ctx;

	require(!listener->in_part && part->n_events > 0 && part->n_events <= PROFILE_MAX_EVENTS);
	listener->in_part = true;
	listener->has_place = false;
	listener->n_events = part->n_events;
	for (size_t i = 0; i < part->n_events; i++)
		add(listener, part->events[i], strlen(part->events[i]) + 1);
	add_number(listener, part->positions);
	return PROFILE_OK;
}

static int visit_place(void *ctx, const struct place *place)
{
	struct listener *listener = ctx;

	require(listener->in_part);
	listener->has_place = true;
	add_place(listener, place);
	return PROFILE_OK;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct listener *listener = ctx;

	require(listener->has_place);
	add(listener, at, sizeof(*at));
	add_costs(listener, costs, n_costs);
	return PROFILE_OK;
}

static int visit_call(void *ctx, const struct call *call)
{
	struct listener *listener = ctx;

	require(listener->has_place);
	add_place(listener, &call->callee);
	add_number(listener, call->count);
	add(listener, &call->target, sizeof(call->target));
	add(listener, &call->at, sizeof(call->at));
	add_costs(listener, call->costs, call->n_costs);
	return PROFILE_OK;
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	struct listener *listener = ctx;

	require(listener->has_place);
	require(jump->is_conditional || jump->executed == jump->followed);
	add_name(listener, &jump->file);
	add_name(listener, &jump->function);
	add_number(listener, jump->followed);
	add_number(listener, jump->executed);
	add(listener, &jump->target, sizeof(jump->target));
	add(listener, &jump->at, sizeof(jump->at));
	return PROFILE_OK;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct listener *listener = ctx;

	require(listener->in_part && part->n_events == listener->n_events);
	require(part->is_signed == listener->is_signed);
	listener->in_part = false;
	for (size_t i = 0; i < part->n_descs; i++)
		require(part->descs[i].type[0] != '\0' && part->descs[i].value != NULL);
	for (size_t i = 0; i < part->n_regions; i++) {
		const struct part_region *region = &part->regions[i];

		require(region->name[0] != '\0');
		require(region->n_costs > 0 && region->n_costs <= part->n_events);
		add(listener, region->name, strlen(region->name));
		add(listener, region->costs, region->n_costs * sizeof(uint64_t));
	}
	add(listener, part->summary, part->n_summary * sizeof(uint64_t));
	add(listener, part->totals, part->n_totals * sizeof(uint64_t));
	return PROFILE_OK;
}

static int visit_negative(void *ctx)
{
	struct listener *listener = ctx;

	require(!listener->is_signed);
	listener->is_signed = true;
	return PROFILE_OK;
}

/* The hash of what was reported, and of what became of it. */
static uint64_t read_input(const char *data, size_t size, bool lenient)
{
	struct listener listener = { .hash = 1 };
	const struct visitor visitor = { &listener,  visit_part, visit_place,    visit_cost,
					 visit_call, visit_jump, visit_part_end, visit_negative };
	struct reader_report report;
	struct profile_error error;
	struct reader_options options = { .lenient = lenient };
	int status;

	status = read_profile(&(struct reader_text){ data, size, "input" }, &options, &visitor,
			      &report, &error);
	require(status == PROFILE_OK || status == PROFILE_SYNTAX || status == PROFILE_IO);
	require(status == (int)error.status || (status == PROFILE_OK && lenient));
	require(status != PROFILE_SYNTAX || error.text[0] != '\0');
	require(status != PROFILE_OK || !listener.in_part);
	require(report.skipped == 0 || lenient);
	add_number(&listener, (uint64_t)status);
	add_number(&listener, report.skipped);
	add_number(&listener, status == PROFILE_SYNTAX ? error.line : 0);
	return listener.hash;
}

/* Puts a blank before each line that begins as one of costs does. */
static size_t indent(const uint8_t *data, size_t size, char *to)
{
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		if ((i == 0 || data[i - 1] == '\n') && strchr("0123456789+-*", data[i]) && data[i])
			to[used++] = ' ';
		to[used++] = (char)data[i];
	}
	return used;
}

static bool is_compressed(const uint8_t *data, size_t size)
{
	static const char *const magics[] = { "\x1f\x8b", "\x28\xb5", "\xfd\x37", "BZ" };

	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (size >= 2 && memcmp(data, magics[i], 2) == 0)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool lenient = size > 0 && (data[0] & 1);
	char *indented;
	uint64_t hash;

	if (size > 0) {
		data++;
		size--;
	}
	hash = read_input((const char *)data, size, lenient);
	if (is_compressed(data, size))
		return 0;
	indented = malloc(2 * size + 1);
	if (!indented)
		abort();
	require(hash == read_input(indented, indent(data, size, indented), lenient));
	free(indented);
	return 0;
}
