/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is an object file with machine code and debug information: whatever it holds, each instruction is read and
 * written once, types of that are found, and rows, members and uses add up to the profile.
 */
#define _GNU_SOURCE /* memfd_create() */
#include "cmds/types/typecosts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmds/object/disassembly.h"
#include "cmds/object/objectfile.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"
#include "tests/common/models.h"

enum { MAX_INSTRUCTIONS = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Adds costs of the instructions from start to end; returns how many. */
static size_t add_code(struct bytes *profile, const struct objectfile *object, uint64_t start,
		       uint64_t end, size_t most)
{
	struct disassembly *disassembly;
	struct disassembled instruction;
	uint64_t at = start;
	size_t n = 0;

	if (disassembly_open(&disassembly, objectfile_machine(object), SYNTAX_INTEL) != NULL)
		return 0;
	for (; at < end && n < most; n++) {
		char line[64];
		size_t len;
		const unsigned char *code = objectfile_code(object, at, &len);

		if (!code)
			break;
		disassembly_next(disassembly, code, len, at, &instruction);
		snprintf(line, sizeof(line), "0x%" PRIx64 " %zu 2 3 5 7\n", at, n % 7);
		bytes_add_text(profile, line);
		at += instruction.len;
	}
	disassembly_free(disassembly);
	return n;
}

/* A profile of an object's code; that many instructions have costs. */
static void make_profile(struct bytes *profile, const struct objectfile *object, const char *path)
{
	uint64_t at = 0, start, end;
	size_t left = MAX_INSTRUCTIONS;

	bytes_add_text(profile, "version: 1\npositions: instr line\nevents: Dr Dw D1mr D1mw\nob=");
	bytes_add_text(profile, path);
	bytes_add_text(profile, "\nfl=f.c\nfn=f\n");
	while (at != UINT64_MAX && left > 0) {
		struct object_symbol symbol;
		size_t len;

		if (objectfile_symbol(object, at, &symbol)) {
			start = symbol.start;
			end = symbol.end;
		} else if (!objectfile_gap(object, at, &start, &end)) {
			break;
		}
		if (objectfile_code(object, at, &len))
			left -= add_code(profile, object, start, end, left);
		at = end;
	}
}

static void add(uint64_t *sums, const uint64_t *costs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sums[i] += costs[i];
}

static void check_members(const struct type_row *row, size_t n_events)
{
	uint64_t sums[4] = { 0 };

	for (size_t i = 0; i < row->n_members; i++) {
		require(row->members[i].name[strlen(row->members[i].name)] == '\0');
		add(sums, row->members[i].costs, n_events);
	}
	require(row->n_members == 0 || memcmp(sums, row->costs, n_events * sizeof(sums[0])) == 0);
}

static void check(const struct type_costs *costs, const struct model *model)
{
	uint64_t rows[4] = { 0 }, uses[4] = { 0 }, totals[PROFILE_MAX_EVENTS];
	size_t size = model->n_events * sizeof(rows[0]);

	require(model->n_events == 4 && model_totals(model, totals));
	for (size_t i = 0; i < costs->n; i++) {
		require(costs->rows[i].name != NULL);
		check_members(&costs->rows[i], model->n_events);
		add(rows, costs->rows[i].costs, model->n_events);
	}
	for (size_t i = 0; i < costs->n_uses; i++) {
		require(costs->uses[i].row < costs->n);
		add(uses, costs->uses[i].costs, model->n_events);
	}
	require(memcmp(rows, totals, size) == 0 && memcmp(uses, totals, size) == 0);
}

static void find_types(const struct model *model)
{
	const struct metric_source source = { .events = model->events,
					      .n_events = model->n_events };
	const struct typecosts_options options = { .oldest = NULL };
	struct type_costs costs;
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	metrics_init(&metrics, &source, &arena);
	require(typecosts_make(&costs, model, &metrics, &metrics.all[0], &options) == PROFILE_OK);
	check(&costs, model);
	typecosts_release(&costs);
	arena_release(&arena);
}

static void read_model(struct model *model, const struct bytes *profile)
{
	struct reader_options reading = { .names = model->names };
	const struct reader_text text = { profile->text, profile->len, "profile" };
	struct profile_error error;
	struct builder builder;

	builder_init(&builder, model, NULL);
	builder_begin_file(&builder, "profile", model->names);
	require(read_profile(&text, &reading, &builder.visitor, NULL, &error) == PROFILE_OK);
	require(builder_finish(&builder) == PROFILE_OK);
	builder_release(&builder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct objectfile_options options = { .sysroot = NULL };
	int fd = memfd_create("object", MFD_CLOEXEC);
	struct objectfile *object;
	struct bytes profile;
	struct model model;
	char path[64];

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (objectfile_open(&object, path, NULL, &options) == NULL) {
		bytes_init(&profile);
		make_profile(&profile, object, path);
		objectfile_free(object);
		model_init(&model);
		read_model(&model, &profile);
		if (model.n_events == 4)
			find_types(&model);
		model_release(&model);
		bytes_release(&profile);
	}
	close(fd);
	return 0;
}
