/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/context.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/numbers.h"

enum {
	LEVEL_SIZE = 16, /* bytes of "'4294967295" with its NUL */
};

void contexts_init(struct contexts *contexts)
{
	*contexts = (struct contexts){ .table = VG_(HT_construct)("costgrind.contexts") };
}

static UWord spec_key(const struct context_spec *spec)
{
	UWord key = spec->function->id;

	key = key * 31 + (Addr)spec->owner;
	key = key * 31 + (Addr)spec->owner_site;
	key = (key * 31 + spec->thread) * 2 + spec->dropped;
	key = key * 31 + spec->level;
	for (UInt i = 0; i < spec->n_callers; i++)
		key = key * 31 + spec->callers[i]->id;
	return key;
}

/* The node to look up by: only its key counts. */
struct lookup {
	struct context *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct context_spec *spec; /* cppcheck-suppress unusedStructMember */
};

static Word differs(const void *wanted, const void *node)
{
	const struct context_spec *spec = ((const struct lookup *)wanted)->spec;
	const struct context *context = node;

	if (context->function != spec->function || context->owner != spec->owner ||
	    context->owner_site != spec->owner_site || context->thread != spec->thread ||
	    context->level != spec->level || context->dropped != spec->dropped ||
	    context->n_callers != spec->n_callers)
		return 1;
	for (UInt i = 0; i < spec->n_callers; i++)
		if (context->callers[i] != spec->callers[i])
			return 1;
	return 0;
}

/* NULL if there is none. */
static struct context *look_up(struct contexts *contexts, const struct context_spec *spec)
{
	const struct lookup wanted = { .key = spec_key(spec), .spec = spec };

	return VG_(HT_gen_lookup)(contexts->table, &wanted, differs);
}

struct context *contexts_find(struct contexts *contexts, const struct context_spec *spec)
{
	struct context *context = look_up(contexts, spec);

	if (context != NULL)
		return context;
	context = VG_(perm_malloc)(sizeof(*context) + spec->n_callers * sizeof(context->callers[0]),
				   8);
	*context = (struct context){
		.key = spec_key(spec),
		.function = spec->function,
		.owner = spec->owner,
		.owner_site = spec->owner_site,
		.id = contexts->n++,
		.thread = spec->thread,
		.level = spec->level,
		.dropped = spec->dropped,
		.n_callers = spec->n_callers,
	};
	for (UInt i = 0; i < spec->n_callers; i++)
		context->callers[i] = spec->callers[i];
	VG_(HT_add_node)(contexts->table, context);
	return context;
}

/* The description of a context's twin, but for its owner. */
static struct context_spec spec_of_twin(const struct context *context)
{
	return (struct context_spec){
		.function = context->function,
		.owner_site = context->owner_site,
		.thread = context->thread,
		.level = context->level,
		.dropped = !context->dropped,
		.n_callers = context->n_callers,
		.callers = context->callers,
	};
}

static struct context *join(struct context *context, struct context *twin)
{
	context->twin = twin;
	twin->twin = context;
	return twin;
}

struct context *contexts_twin(struct contexts *contexts, struct context *context)
{
	struct context_spec spec;

	if (context->twin != NULL)
		return context->twin;
	spec = spec_of_twin(context);
	if (context->owner != NULL)
		spec.owner = contexts_twin(contexts, context->owner);
	return join(context, contexts_find(contexts, &spec));
}

struct context *contexts_known_twin(struct contexts *contexts, struct context *context)
{
	struct context_spec spec;
	struct context *twin;

	if (context->twin != NULL)
		return context->twin;
	spec = spec_of_twin(context);
	if (context->owner != NULL) {
		spec.owner = contexts_known_twin(contexts, context->owner);
		if (spec.owner == NULL)
			return NULL;
	}
	twin = look_up(contexts, &spec);
	return twin != NULL ? join(context, twin) : NULL;
}

void contexts_zero(struct contexts *contexts, UInt thread)
{
	struct context *context;

	VG_(HT_ResetIter)(contexts->table);
	while ((context = VG_(HT_Next)(contexts->table)) != NULL)
		if (thread == 0 || context->thread == thread)
			context->n_skipped = 0;
}

/* Adds bytes to the end of a name. */
static void append(HChar *name, UInt *len, const HChar *chars, UInt n)
{
	VG_(memcpy)(name + *len, chars, n);
	*len += n;
	name[*len] = '\0';
}

/* True if its name is more than its function's name, which most contexts use. */
static Bool has_own_name(const struct context *context)
{
	return context->level > 1 || context->n_callers != 0;
}

static void name_context(struct context *context)
{
	const struct text *text = context->function->name;
	SizeT size = text->len + LEVEL_SIZE;
	HChar *name;
	UInt len = 0;

	context->name = text->chars;
	context->name_len = text->len;
	if (!has_own_name(context))
		return;
	for (UInt i = 0; i < context->n_callers; i++)
		size += 1 + context->callers[i]->name->len;
	name = VG_(malloc)("costgrind.name", size);
	append(name, &len, text->chars, text->len);
	if (context->level > 1)
		len += VG_(snprintf)(name + len, LEVEL_SIZE, "'%u", context->level);
	for (UInt i = 0; i < context->n_callers; i++) {
		append(name, &len, "'", 1);
		append(name, &len, context->callers[i]->name->chars,
		       context->callers[i]->name->len);
	}
	context->name = name;
	context->name_len = len;
}

static Int context_order(const void *a, const void *b)
{
	const struct context *left = *(const struct context *const *)a;
	const struct context *right = *(const struct context *const *)b;
	Int order = by_number(left->thread, right->thread);

	if (order == 0)
		order = by_number(left->function->rank, right->function->rank);
	for (UInt i = 0; order == 0 && i < left->n_callers && i < right->n_callers; i++)
		order = by_number(left->callers[i]->rank, right->callers[i]->rank);
	if (order == 0)
		order = by_number(left->n_callers, right->n_callers);
	if (order == 0)
		order = by_number(left->level, right->level);
	return order != 0 ? order : by_number(left->id, right->id);
}

void contexts_rank(struct contexts *contexts)
{
	UInt n;
	struct context **all = (struct context **)VG_(HT_to_array)(contexts->table, &n);

	if (all == NULL)
		return;
	VG_(ssort)(all, n, sizeof(*all), context_order);
	for (UInt i = 0; i < n; i++) {
		all[i]->rank = i;
		if (all[i]->name == NULL)
			name_context(all[i]);
	}
	VG_(free)(all);
}

void contexts_forget_names(struct contexts *contexts)
{
	struct context *context;

	VG_(HT_ResetIter)(contexts->table);
	while ((context = VG_(HT_Next)(contexts->table)) != NULL) {
		if (context->name != NULL && has_own_name(context))
			VG_(free)((void *)(Addr)context->name);
		context->name = NULL;
	}
}
