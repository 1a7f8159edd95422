/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/convert/webgrind.h"

#include <inttypes.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/model/walk.h"

/* -- numbers and names ----------------------------------------------------------------- */

void webgrind_put(struct webgrind *webgrind, uint64_t number)
{
	char bytes[4];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> (8 * i) & 0xff);
	out_bytes(&webgrind->out, bytes, sizeof(bytes));
}

/* Divided by a power of ten, halves up. */
static uint64_t divide(uint64_t cost, uint64_t divisor)
{
	return cost / divisor + (cost % divisor >= divisor - divisor / 2 && divisor > 1);
}

void webgrind_put_cost(struct webgrind *webgrind, uint64_t cost)
{
	webgrind_put(webgrind, divide(cost, webgrind->divisor));
}

void webgrind_put_count(struct webgrind *webgrind, uint64_t count)
{
	if (count > WEBGRIND_MOST) {
		count = WEBGRIND_MOST;
		webgrind->n_saturated++;
	}
	webgrind_put(webgrind, count);
}

static struct name unknown(void)
{
	return (struct name){ "???", 3, DICTIONARY_UNKNOWN };
}

/* Of the function at a place of the order. */
static struct name name_of(const struct webgrind *webgrind, size_t i, enum name_kind kind)
{
	const struct model *model = webgrind->graph.model;
	const struct model_function *function;

	if (i >= webgrind->graph.n) {
		if (webgrind->graph.n == 0 || kind == NAME_FILE)
			return unknown();
		return (struct name){ "<rest>", strlen("<rest>"), NAME_NO_KEY };
	}
	function = &model->functions[webgrind->order[i]];
	return model_name(model, kind, kind == NAME_FILE ? function->file : function->name);
}

/* A line; what would end it becomes a blank. */
static void put_line(struct out *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n')
			out_char(out, ' ');
		else
			out_char(out, text[i]);
	}
	out_char(out, '\n');
}

void webgrind_put_names(struct webgrind *webgrind, size_t i)
{
	const struct name file = name_of(webgrind, i, NAME_FILE);
	const struct name function = name_of(webgrind, i, NAME_FUNCTION);

	put_line(&webgrind->out, file.text, file.len);
	put_line(&webgrind->out, function.text, function.len);
}

uint64_t webgrind_names_size(const struct webgrind *webgrind, size_t i)
{
	return (uint64_t)name_of(webgrind, i, NAME_FILE).len + 1 +
	       name_of(webgrind, i, NAME_FUNCTION).len + 1;
}

/* -- the frame ---------------------------------------------------------------------------- */

static void take_most(struct webgrind *webgrind, uint64_t cost)
{
	if (cost > webgrind->most)
		webgrind->most = cost;
}

int webgrind_init(struct webgrind *webgrind, struct conversion *conversion, unsigned version)
{
	const struct model *model = conversion->model;
	uint64_t summary[PROFILE_MAX_EVENTS];
	int status;

	*webgrind = (struct webgrind){ .conversion = conversion, .version = version, .divisor = 1 };
	out_init(&webgrind->out, conversion->env);
	status = callgraph_init(&webgrind->graph, model);
	if (status)
		return status;
	if (!model_summary(model, summary))
		return PROFILE_RANGE;
	webgrind->order = model_functions_by_name(model);
	webgrind->rank = heap_zeroed(model->env, model->n_functions, sizeof(*webgrind->rank));
	if (!webgrind->order || !webgrind->rank)
		return PROFILE_NO_MEMORY;
	/* Readers of a file without functions stop with an error. */
	webgrind->n = model->n_functions > 0 ? model->n_functions : 1;
	webgrind->n_records = webgrind->n;
	webgrind->summary = summary[0];
	take_most(webgrind, summary[0]);
	for (size_t i = 0; i < model->n_functions; i++) {
		webgrind->rank[webgrind->order[i]] = (uint32_t)i;
		take_most(webgrind, callgraph_inclusive(&webgrind->graph, (uint32_t)i));
		take_most(webgrind, callgraph_self(&webgrind->graph, (uint32_t)i));
	}
	for (size_t i = 0; i < webgrind->graph.n_arcs; i++)
		take_most(webgrind, webgrind->graph.arcs[i].cost);
	return PROFILE_OK;
}

void webgrind_release(struct webgrind *webgrind)
{
	const struct env *env = webgrind->conversion->model->env;

	format_close(webgrind->conversion, &webgrind->out);
	callgraph_release(&webgrind->graph);
	env->release(env->ctx, webgrind->order);
	env->release(env->ctx, webgrind->rank);
}

static void put_header(struct out *out, const char *key, const char *value)
{
	out_text(out, key);
	out_text(out, ": ");
	put_line(out, value, strlen(value));
}

static void put_header_number(struct out *out, const char *key, uint64_t value)
{
	out_text(out, key);
	out_text(out, ": ");
	out_decimal(out, value);
	out_char(out, '\n');
}

/* "desc: type: value" for what the file has changed. */
static void put_descs(struct webgrind *webgrind, const struct part *part)
{
	struct out *out = &webgrind->out;

	if (part && part->creator)
		put_header(out, "desc: Profile of", part->creator);
	for (size_t i = 0; part && i < part->n_descs; i++) {
		if (part->descs[i].value[0] == '\0')
			continue; /* a line without ": " is none */
		out_text(out, "desc: ");
		put_header(out, part->descs[i].type, part->descs[i].value);
	}
	if (webgrind->divisor > 1)
		put_header_number(out, "desc: Costs divided by", webgrind->divisor);
	if (webgrind->n_saturated > 0)
		put_header_number(out, "desc: Counts above 4294967295, written as that",
				  webgrind->n_saturated);
	if (webgrind->invocations)
		put_header(out, "desc: " WEBGRIND_SYNTHETIC, webgrind->invocations);
}

/*
 * Webgrind shows links to functions if what of the creator is digits and dots is a
 * version above 2.1.
 */
static void put_headers(struct webgrind *webgrind)
{
	const struct model *model = webgrind->conversion->model;
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	struct out *out = &webgrind->out;

	put_header(out, "version", "1");
	out_text(out, "creator: webgrind-");
	out_decimal(out, webgrind->version);
	out_text(out, ".0 by costgrind-" COSTGRIND_VERSION "\n");
	if (part && part->has_pid)
		put_header_number(out, "pid", part->pid);
	put_header(out, "cmd", part && part->cmd && part->cmd[0] ? part->cmd : "???");
	put_header_number(out, "part", part && part->has_number ? part->number : 1);
	put_descs(webgrind, part);
	put_header(out, "positions", "line");
	out_text(out, "events: ");
	out_text(out, format_event(webgrind->conversion));
	if (webgrind->divisor > 1) {
		out_text(out, "_x");
		out_decimal(out, webgrind->divisor);
	}
	out_char(out, '\n');
	put_header_number(out, "summary", divide(webgrind->summary, webgrind->divisor));
}

static int refuse_size(struct webgrind *webgrind, uint64_t size)
{
	return profile_error_set(&webgrind->conversion->error, PROFILE_RANGE,
				 "--to=webgrind%u: %" PRIu64 " functions and calls take %" PRIu64
				 " bytes, and addresses end at 4294967295: join small functions "
				 "by --threshold=0.1",
				 webgrind->version, webgrind->n_records, size);
}

int webgrind_write(struct webgrind *webgrind)
{
	uint64_t most_address = webgrind->conversion->most_address;
	uint64_t address = WEBGRIND_HEAD + 4 * (uint64_t)webgrind->n, header_address;

	if (most_address == 0)
		most_address = WEBGRIND_MOST;
	while (divide(webgrind->most, webgrind->divisor) > WEBGRIND_MOST)
		webgrind->divisor *= 10;
	webgrind->table = address;
	for (size_t i = 0; i < webgrind->n; i++)
		webgrind->table += webgrind->size(webgrind, i);
	header_address = webgrind->table + webgrind->table_size;
	if (header_address > most_address)
		return refuse_size(webgrind, header_address);
	webgrind_put(webgrind, webgrind->version);
	webgrind_put(webgrind, header_address);
	webgrind_put(webgrind, webgrind->n);
	for (size_t i = 0; i < webgrind->n; i++) {
		webgrind_put(webgrind, address);
		address += webgrind->size(webgrind, i);
	}
	for (size_t i = 0; i < webgrind->n; i++)
		webgrind->put_record(webgrind, i);
	if (webgrind->put_table)
		webgrind->put_table(webgrind);
	put_headers(webgrind);
	return PROFILE_OK;
}
