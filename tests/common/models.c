/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memfd_create() */
#include "tests/common/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/filters/filters.h"
#include "profile/model/build.h"
#include "profile/model/model.h"
#include "writer/out.h"

/* -- profiles in memory -------------------------------------------------------- */

int read_profile(const struct reader_text *text, const struct reader_options *options,
		 const struct visitor *visitor, struct reader_report *report,
		 struct profile_error *error)
{
	int fd = memfd_create("profile", MFD_CLOEXEC), status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || write(fd, text->data, text->len) != (ssize_t)text->len)
		abort();
	status = reader_read(path, options, visitor, report, error);
	if (error)
		error->file = text->name;
	close(fd);
	return status;
}

/* -- the canonical text -------------------------------------------------------- */

static void put_name(struct out *out, const char *label, const struct name *name)
{
	out_text(out, label);
	out_decimal(out, name->len); /* whatever is in it, it ends there */
	out_char(out, ':');
	out_bytes(out, name->text, name->len);
}

static void put_text(struct out *out, const char *label, const char *text)
{
	const struct name name = { text ? text : "", text ? strlen(text) : 0, 0 };

	if (text)
		put_name(out, label, &name);
}

static void put_number(struct out *out, const char *label, uint64_t number)
{
	out_text(out, label);
	out_decimal(out, number);
}

static void put_position(struct out *out, const char *label, const struct position *at)
{
	out_text(out, label);
	out_hex(out, at->instr);
	put_number(out, " ", at->line);
}

static void put_costs(struct out *out, const uint64_t *costs, size_t n)
{
	while (n > 0 && costs[n - 1] == 0)
		n--;
	out_text(out, " =");
	for (size_t i = 0; i < n; i++)
		put_number(out, " ", costs[i]);
	out_char(out, '\n');
}

static int status_of(const struct out *out)
{
	if (out->error == 0)
		return PROFILE_OK;
	return out->error == OUT_NO_MEMORY ? PROFILE_NO_MEMORY : PROFILE_IO;
}

static int visit_part(void *ctx, const struct part *part)
{
	struct out *out = ctx;

	out_text(out, "part");
	put_text(out, " creator ", part->index == 0 ? part->creator : NULL);
	put_text(out, " cmd ", part->cmd);
	if (part->has_pid)
		put_number(out, " pid ", part->pid);
	if (part->has_number)
		put_number(out, " part ", part->number);
	if (part->has_thread)
		put_number(out, " thread ", part->thread);
	put_number(out, " positions ", part->positions);
	out_char(out, '\n');
	for (size_t i = 0; i < part->n_descs; i++) {
		put_text(out, "desc ", part->descs[i].type);
		put_text(out, " ", part->descs[i].value);
		out_char(out, '\n');
	}
	for (size_t i = 0; i < part->n_regions; i++) {
		const struct part_region *region = &part->regions[i];

		put_text(out, "region ", region->name);
		put_number(out, " times ", region->times);
		put_number(out, " threads ", region->threads);
		put_number(out, " open ", region->is_open);
		put_costs(out, region->costs, region->n_costs);
	}
	for (size_t i = 0; i < part->n_definitions; i++) {
		put_text(out, "event ", part->definitions[i].name);
		put_text(out, " = ", part->definitions[i].formula);
		put_text(out, " : ", part->definitions[i].long_name);
		out_char(out, '\n');
	}
	for (size_t i = 0; i < part->n_events; i++)
		put_text(out, " ", part->events[i]);
	out_char(out, '\n');
	if (part->n_summary > 0) {
		out_text(out, "summary");
		put_costs(out, part->summary, part->n_summary);
	}
	return status_of(out);
}

static int visit_place(void *ctx, const struct place *place)
{
	struct out *out = ctx;

	put_name(out, "in ", &place->object);
	put_name(out, " ", &place->file);
	put_name(out, " ", &place->function);
	put_name(out, " ", &place->source);
	out_char(out, '\n');
	return status_of(out);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct out *out = ctx;

	put_position(out, "", at);
	put_costs(out, costs, n_costs);
	return status_of(out);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct out *out = ctx;

	put_position(out, "", &call->at);
	put_number(out, " calls ", call->count);
	put_name(out, " ", &call->callee.object);
	put_name(out, " ", &call->callee.file);
	put_name(out, " ", &call->callee.function);
	put_position(out, " at ", &call->target);
	put_costs(out, call->costs, call->n_costs);
	return status_of(out);
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	struct out *out = ctx;

	put_position(out, "", &jump->at);
	out_text(out, jump->is_conditional ? " jcnd " : " jump ");
	put_number(out, "", jump->followed);
	put_number(out, "/", jump->executed);
	put_name(out, " ", &jump->file);
	if (jump->has_function)
		put_name(out, " ", &jump->function);
	put_position(out, " to ", &jump->target);
	out_char(out, '\n');
	return status_of(out);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct out *out = ctx;

	if (part->n_totals > 0) {
		out_text(out, "totals");
		put_costs(out, part->totals, part->n_totals);
	}
	return status_of(out);
}

int canon_write(const struct model *model, const struct env *env)
{
	const struct walk_options options = { .order = WALK_BY_NAME };
	struct out out;
	const struct visitor visitor = { &out,       visit_part, visit_place,    visit_cost,
					 visit_call, visit_jump, visit_part_end, NULL };
	int status;

	out_init(&out, env);
	status = model_walk(model, &options, &visitor);
	if (!status) {
		out_flush(&out);
		status = status_of(&out);
	}
	out_release(&out);
	return status;
}

struct hashing {
	uint64_t hash;
};

static void *hashing_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return heap_alloc(size);
}

static void hashing_release(void *ctx, void *memory)
{
	(void)ctx;
	free(memory);
}

static int hashing_write(void *ctx, const void *data, size_t len)
{
	struct hashing *hashing = ctx;
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		hashing->hash = (hashing->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return 0;
}

int canon_hash(const struct model *model, uint64_t *hash)
{
	struct hashing hashing = { UINT64_C(0xcbf29ce484222325) };
	const struct env env = { hashing_alloc, hashing_release, hashing_write, &hashing };
	int status = canon_write(model, &env);

	*hash = hashing.hash;
	return status;
}

/* -- reading and adding up ----------------------------------------------------- */

int model_read(struct model *model, const char *path, const struct reader_options *reading,
	       const struct builder_options *building, struct reader_report *report,
	       struct profile_error *error)
{
	struct reader_options options = reading ? *reading : (struct reader_options){ 0 };
	struct builder builder;
	int status;

	if (error) {
		memset(error, 0, sizeof(*error));
		error->file = path;
	}
	options.names = model->names;
	builder_init(&builder, model, building);
	builder_begin_file(&builder, path, model->names);
	status = reader_read(path, &options, &builder.visitor, report, error);
	if (!status)
		status = builder_finish(&builder);
	profile_error_complete(error, status);
	builder_release(&builder);
	return status;
}

int model_add(struct model *to, const struct model *from, int64_t factor)
{
	struct scaling scaling;
	struct builder builder;
	int status;

	builder_init(&builder, to, NULL);
	scaling_init(&scaling, &builder.visitor, factor, 1);
	builder_begin_file(&builder, NULL, from->names);
	status = model_walk(from, NULL, &scaling.filter.visitor);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}
