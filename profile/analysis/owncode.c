/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls between functions of libraries are a graph.  Its cycles are joined into one node each, and the nodes are
 * taken with callers first; the share of a node is the sum over the calls that lead into it from outside: of own
 * code, the caller itself, of another node, what that one's share is.
 */
#define _GNU_SOURCE /* memmem(), memrchr() */
#include "profile/analysis/owncode.h"

#include <stdlib.h>
#include <string.h>

#include "profile/analysis/inclusive.h"
#include "profile/common/dictionary.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

/* -- whose code it is ------------------------------------------------------------------------ */

static bool begins(struct name path, const char *folder)
{
	size_t len = strlen(folder);

	return path.len >= len && memcmp(path.text, folder, len) == 0;
}

static bool contains(struct name path, const char *part)
{
	return memmem(path.text, path.len, part, strlen(part)) != NULL;
}

bool owncode_is_of_system(struct name path)
{
	/* Where compilers have their headers is theirs, wherever they are installed. */
	return begins(path, "/usr/") || begins(path, "/lib/") || begins(path, "/lib64/") ||
	       begins(path, "/lib32/") || begins(path, "/libx32/") || begins(path, "<frozen ") ||
	       contains(path, "/include/c++/") || contains(path, "/lib/gcc/") ||
	       contains(path, "/lib64/gcc/") || contains(path, "/lib/clang/");
}

bool owncode_is_python(const struct model *model, uint32_t function)
{
	static const char python[] = "[python]";
	const struct name object =
		model_name(model, NAME_OBJECT, model->functions[function].object);

	return object.len == strlen(python) && memcmp(object.text, python, object.len) == 0;
}

uint32_t owncode_python_import(const struct model *model)
{
	static const char file[] = "<frozen importlib._bootstrap>", name[] = "_find_and_load";
	const uint32_t in_file = dictionary_find(&model->names[NAME_FILE], file, strlen(file)),
		       is_name = dictionary_find(&model->names[NAME_FUNCTION], name, strlen(name));

	for (uint32_t i = 0; i < model->n_functions && in_file != DICTIONARY_NONE; i++)
		if (model->functions[i].file == in_file && model->functions[i].name == is_name)
			return i;
	return MODEL_NO_FUNCTION;
}

/* True if a path has a folder such as "/lib/python3.11/": the version tells it from somebody's own "lib/python". */
static bool has_python_folder(struct name path, const char *folder)
{
	const char *at = memmem(path.text, path.len, folder, strlen(folder));
	const size_t len = at ? (size_t)(path.text + path.len - at) - strlen(folder) : 0;

	return len > 0 && at[strlen(folder)] >= '0' && at[strlen(folder)] <= '9';
}

bool owncode_is_python_library(struct name path)
{
	/* What python -c and an interactive session run has no file either, but is the program's. */
	const bool is_made = begins(path, "<") && !begins(path, "<string>") &&
			     !begins(path, "<stdin>");

	return is_made || has_python_folder(path, "/lib/python") ||
	       has_python_folder(path, "/lib64/python") || contains(path, "/site-packages/") ||
	       contains(path, "/dist-packages/");
}

bool owncode_is_interpreter(struct name object)
{
	static const char python[] = "python3.";
	const char *slash = memrchr(object.text, '/', object.len);
	struct name base = object;

	if (slash) {
		base.text = slash + 1;
		base.len -= (size_t)(slash + 1 - object.text);
	}
	if (begins(base, "lib")) {
		base.text += strlen("lib");
		base.len -= strlen("lib");
	}
	return begins(base, python) && base.len > strlen(python) &&
	       base.text[strlen(python)] >= '0' && base.text[strlen(python)] <= '9';
}

/* A path without "./" before it. */
static struct name without_dot(struct name path)
{
	if (begins(path, "./")) {
		path.text += 2;
		path.len -= 2;
	}
	return path;
}

/*
 * glibc names its sources relative to its own folder: ../sysdeps/x86_64/start.S, and Debian's ./malloc/./malloc/malloc.c.  In a
 * program that has no shared objects these are among the program's functions, by object.
 */
static bool is_of_static_glibc(const struct model *model, struct name file)
{
	static const char *const folders[] = {
		"csu/",          "ctype/",  "elf/",    "io/",   "libio/",  "locale/",
		"malloc/",       "math/",   "misc/",   "nptl/", "nss/",    "posix/",
		"stdio-common/", "stdlib/", "string/", "time/", "wcsmbs/",
	};
	const struct name path = without_dot(file);
	bool is_glibc = begins(file, "../sysdeps/");

	for (size_t i = 0; !is_glibc && i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct name rest = path;

		if (!begins(path, folders[i]))
			continue;
		rest.text += strlen(folders[i]);
		rest.len -= strlen(folders[i]);
		is_glibc = begins(without_dot(rest), folders[i]);
	}
	for (uint32_t i = 0; is_glibc && i < model->names[NAME_OBJECT].count; i++)
		if (contains(model_name(model, NAME_OBJECT, i), ".so"))
			return false;
	return is_glibc && model->names[NAME_OBJECT].count > 0;
}

bool owncode_file_is_own(const struct model *model, uint32_t file)
{
	const struct name path = model_name(model, NAME_FILE, file);

	return file != DICTIONARY_UNKNOWN && !owncode_is_of_system(path) &&
	       !owncode_is_python_library(path);
}

bool owncode_object_is_own(const struct model *model, uint32_t object)
{
	const struct name path = model_name(model, NAME_OBJECT, object);
	const bool is_made = begins(path, "<") || begins(path, "[");

	return is_made || (!owncode_is_of_system(path) && !owncode_is_interpreter(path) &&
			   !owncode_is_python_library(path));
}

bool owncode_is_own(const struct model *model, uint32_t function)
{
	const struct model_function *names = &model->functions[function];

	return owncode_file_is_own(model, names->file) &&
	       owncode_object_is_own(model, names->object) &&
	       !is_of_static_glibc(model, model_name(model, NAME_FILE, names->file));
}

/* -- calls of libraries ---------------------------------------------------------------------- */

struct arc {
	uint32_t caller, callee; /* callee is of a library */
	double cost;             /* at least 0 */
	double count;
};

struct work {
	struct owncode *owncode;
	const struct model *model;
	const struct metric *metric;
	struct arc *arcs; /* by caller; by node of the callee, once sorted */
	size_t n_arcs, capacity;
	uint32_t *node; /* by function of a library */
	size_t n_nodes;
	size_t *first_in; /* by node: its arcs; n_nodes + 1 numbers */
	/* What the node at work is shared by: by own function, and which of these are not 0. */
	double *part;
	uint32_t *touched;
	size_t n_touched;
};

static void collect_arcs(struct work *work)
{
	const struct model *model = work->model;
	const bool *is_own = work->owncode->is_own;

	for (uint32_t caller = 0; caller < model->n_functions; caller++)
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			struct model_cursor cursor;
			struct model_call call;

			model_calls(model, caller, part, &cursor);
			while (model_next_call(&cursor, &call)) {
				int128 cost = metric_value(work->metric, call.costs, false);

				if (is_own[call.callee] || call.callee == caller)
					continue;
				work->arcs = heap_grow(work->arcs, &work->capacity,
						       work->n_arcs + 1, sizeof(*work->arcs));
				work->arcs[work->n_arcs++] = (struct arc){
					.caller = caller,
					.callee = call.callee,
					.cost = cost > 0 ? (double)cost : 0,
					.count = (double)call.count,
				};
			}
		}
}

/* Each cycle of functions of libraries is a node, and each other function of one. */
static void join_cycles(struct work *work)
{
	const size_t n = work->model->n_functions;
	const bool *is_own = work->owncode->is_own;
	size_t *first = heap_zeroed(n + 1, sizeof(*first)), at = 0;
	uint32_t *to = heap_alloc((work->n_arcs + 1) * sizeof(*to));
	uint32_t *cycle = heap_zeroed(n + 1, sizeof(*cycle));

	/* Arcs are by caller, as they were collected. */
	for (size_t i = 0; i < n; i++) {
		first[i + 1] = first[i];
		for (; at < work->n_arcs && work->arcs[at].caller == i; at++)
			if (!is_own[i])
				to[first[i + 1]++] = work->arcs[at].callee;
	}
	work->n_nodes =
		cycles_find(&(struct cycle_graph){ .n = n, .first = first, .to = to }, cycle);
	for (size_t i = 0; i < n; i++)
		if (!is_own[i])
			work->node[i] = cycle[i] ? cycle[i] - 1 : (uint32_t)work->n_nodes++;
	free(first);
	free(to);
	free(cycle);
}

/* Sorts arcs by the node of the callee; those within a node are left out. */
static void sort_arcs(struct work *work)
{
	const bool *is_own = work->owncode->is_own;
	const uint32_t *node = work->node;
	struct arc *sorted = heap_alloc((work->n_arcs + 1) * sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; i < work->n_arcs; i++) {
		const struct arc *arc = &work->arcs[i];

		if (is_own[arc->caller] || node[arc->caller] != node[arc->callee])
			work->arcs[n++] = *arc;
	}
	work->n_arcs = n;
	work->first_in = heap_zeroed(work->n_nodes + 1, sizeof(*work->first_in));
	for (size_t i = 0; i < n; i++)
		work->first_in[node[work->arcs[i].callee] + 1]++;
	for (size_t i = 0; i < work->n_nodes; i++)
		work->first_in[i + 1] += work->first_in[i];
	for (size_t i = n; i-- > 0;)
		sorted[--work->first_in[node[work->arcs[i].callee] + 1]] = work->arcs[i];
	/* Each entry is now where the node before it begins. */
	memmove(work->first_in, work->first_in + 1, work->n_nodes * sizeof(*work->first_in));
	work->first_in[work->n_nodes] = n;
	free(work->arcs);
	work->arcs = sorted;
}

/* -- shares ---------------------------------------------------------------------------------- */

static void add_part(struct work *work, uint32_t function, double part)
{
	if (part <= 0)
		return;
	if (work->part[function] == 0)
		work->touched[work->n_touched++] = function;
	work->part[function] += part;
}

static int compare_callers(const void *a, const void *b)
{
	const struct owncode_caller *of_a = a, *of_b = b;

	if (of_a->part != of_b->part)
		return of_a->part > of_b->part ? -1 : 1;
	return (of_a->function > of_b->function) - (of_a->function < of_b->function);
}

/* The share of a node whose callers have theirs, by node in shares. */
static struct owncode_share make_share(struct work *work, const struct owncode_share *shares,
				       uint32_t node)
{
	const struct arc *arc = &work->arcs[work->first_in[node]];
	const struct arc *end = &work->arcs[work->first_in[node + 1]];
	struct owncode_share share = { .others = 0 };
	struct owncode_caller *callers;
	double costs = 0, counts = 0;

	for (const struct arc *at = arc; at < end; at++) {
		costs += at->cost;
		counts += at->count;
	}
	/* Calls that cost nothing are shared by how many there are. */
	if (costs == 0 && counts == 0)
		return (struct owncode_share){ .nobody = 1 };
	work->n_touched = 0;
	for (; arc < end; arc++) {
		double part = costs > 0 ? arc->cost / costs : arc->count / counts;
		const struct owncode_share *from;

		if (work->owncode->is_own[arc->caller]) {
			add_part(work, arc->caller, part);
			continue;
		}
		from = &shares[work->node[arc->caller]];
		for (size_t i = 0; i < from->n; i++)
			add_part(work, from->callers[i].function, part * from->callers[i].part);
		share.others += part * from->others;
		share.nobody += part * from->nobody;
	}
	callers = heap_alloc((work->n_touched + 1) * sizeof(*callers));
	for (size_t i = 0; i < work->n_touched; i++) {
		uint32_t function = work->touched[i];

		callers[i] = (struct owncode_caller){ function, work->part[function] };
		work->part[function] = 0;
	}
	qsort(callers, work->n_touched, sizeof(*callers), compare_callers);
	share.n = work->n_touched < OWNCODE_CALLERS ? work->n_touched : OWNCODE_CALLERS;
	for (size_t i = share.n; i < work->n_touched; i++)
		share.others += callers[i].part;
	share.callers =
		memcpy(arena_alloc(&work->owncode->arena, (share.n + 1) * sizeof(*callers), 8),
		       callers, share.n * sizeof(*callers));
	free(callers);
	return share;
}

/* Nodes whose callers all have their shares come next (Kahn). */
static void share_all(struct work *work)
{
	const bool *is_own = work->owncode->is_own;
	struct owncode_share *shares = heap_zeroed(work->n_nodes + 1, sizeof(*shares));
	size_t *n_waits = heap_zeroed(work->n_nodes + 1, sizeof(*n_waits));
	size_t *first_out = heap_zeroed(work->n_nodes + 2, sizeof(*first_out));
	uint32_t *out = heap_alloc((work->n_arcs + 1) * sizeof(*out));
	uint32_t *queue = heap_alloc((work->n_nodes + 1) * sizeof(*queue));
	size_t n = 0;

	for (size_t i = 0; i < work->n_arcs; i++) {
		const struct arc *arc = &work->arcs[i];

		if (is_own[arc->caller])
			continue;
		n_waits[work->node[arc->callee]]++;
		first_out[work->node[arc->caller] + 2]++;
	}
	for (size_t i = 0; i < work->n_nodes; i++)
		first_out[i + 2] += first_out[i + 1];
	for (size_t i = 0; i < work->n_arcs; i++)
		if (!is_own[work->arcs[i].caller])
			out[first_out[work->node[work->arcs[i].caller] + 1]++] =
				work->node[work->arcs[i].callee];
	for (uint32_t i = 0; i < work->n_nodes; i++)
		if (n_waits[i] == 0)
			queue[n++] = i;
	for (size_t i = 0; i < n; i++) {
		uint32_t node = queue[i];

		shares[node] = make_share(work, shares, node);
		for (size_t k = first_out[node]; k < first_out[node + 1]; k++)
			if (--n_waits[out[k]] == 0)
				queue[n++] = out[k];
	}
	for (size_t i = 0; i < work->model->n_functions; i++)
		if (!is_own[i])
			work->owncode->shares[i] = shares[work->node[i]];
	free(shares);
	free(n_waits);
	free(first_out);
	free(out);
	free(queue);
}

/* Rounds sums of what was dealt out, so that all of it is dealt out in the end. */
void owncode_split(const struct owncode_share *share, int128 cost, int128 *of_callers,
		   int128 *others, int128 *nobody)
{
	int128 dealt = 0;
	double sum = 0;

	*others = *nobody = 0;
	for (size_t i = 0; i < share->n; i++) {
		bool is_last = i + 1 == share->n && share->others == 0 && share->nobody == 0;
		int128 until;

		sum += share->callers[i].part;
		until = is_last ? cost : (int128)((double)cost * sum);
		until = until > cost ? cost : until < dealt ? dealt : until;
		of_callers[i] = until - dealt;
		dealt = until;
	}
	if (share->others > 0 && share->nobody == 0)
		*others = cost - dealt;
	else if (share->others > 0)
		*others = (int128)((double)(cost - dealt) * share->others /
				   (share->others + share->nobody));
	*nobody = cost - dealt - *others;
}

static void charge(struct work *work)
{
	struct owncode *owncode = work->owncode;
	const struct model *model = work->model;
	uint64_t costs[PROFILE_MAX_EVENTS];
	int128 of_callers[OWNCODE_CALLERS], others, nobody;

	for (uint32_t part = 0; part < model_cost_parts(model); part++)
		for (uint32_t i = 0; i < model->n_functions; i++) {
			const struct owncode_share *share = &owncode->shares[i];

			if (owncode->is_own[i])
				continue;
			model_self(model, i, part, costs);
			owncode_split(share, metric_value(work->metric, costs, false), of_callers,
				      &others, &nobody);
			for (size_t k = 0; k < share->n; k++)
				owncode->charged[share->callers[k].function] += of_callers[k];
			owncode->others += others;
			owncode->nobody += nobody;
		}
}

int owncode_compute_by(struct owncode *owncode, const struct model *model,
		       const struct metric *metric,
		       bool (*is_own)(const struct model *model, uint32_t function))
{
	const size_t n = model->n_functions + 1;
	struct work work = { .owncode = owncode, .model = model, .metric = metric };

	*owncode = (struct owncode){ .model = model };
	arena_init(&owncode->arena);
	if (model->is_signed)
		return PROFILE_RANGE;
	owncode->is_own = arena_alloc(&owncode->arena, n * sizeof(*owncode->is_own), 1);
	owncode->shares = arena_alloc(&owncode->arena, n * sizeof(*owncode->shares), 8);
	owncode->charged = arena_alloc(&owncode->arena, n * sizeof(*owncode->charged), 16);
	memset(owncode->shares, 0, n * sizeof(*owncode->shares));
	memset(owncode->charged, 0, n * sizeof(*owncode->charged));
	for (uint32_t i = 0; i < model->n_functions; i++) {
		owncode->is_own[i] = is_own(model, i);
		owncode->n_own += owncode->is_own[i];
	}
	work.node = heap_zeroed(n, sizeof(*work.node));
	work.part = heap_zeroed(n, sizeof(*work.part));
	work.touched = heap_alloc(n * sizeof(*work.touched));
	collect_arcs(&work);
	join_cycles(&work);
	sort_arcs(&work);
	share_all(&work);
	charge(&work);
	free(work.arcs);
	free(work.node);
	free(work.first_in);
	free(work.part);
	free(work.touched);
	return PROFILE_OK;
}

int owncode_compute(struct owncode *owncode, const struct model *model, const struct metric *metric)
{
	return owncode_compute_by(owncode, model, metric, owncode_is_own);
}

void owncode_release(struct owncode *owncode)
{
	arena_release(&owncode->arena);
}
