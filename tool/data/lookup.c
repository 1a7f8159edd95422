/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/data/lookup.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/counts/context.h"
#include "tool/counts/site.h"
#include "tool/data/state.h"
#include "tool/simulate/missobserver.h"

/* --- views -------------------------------------------------------------------------------- */

static Word compare_views(const void *a, const void *b)
{
	const struct data_view *left = a, *right = b;

	return left->object != right->object || left->site != right->site ||
	       left->context != right->context;
}

static struct data_view *find_in_table(const struct data_view *wanted)
{
	struct data_view *view = VG_(HT_gen_lookup)(tool_data.views, wanted, compare_views);

	if (view != NULL)
		return view;
	view = VG_(calloc)("costgrind.view", 1,
			   sizeof(*view) + tool_data.n_columns * sizeof(view->counts[0]));
	VG_(memcpy)(view, wanted, sizeof(*wanted));
	VG_(HT_add_node)(tool_data.views, view);
	return view;
}

static struct data_view *find_view(struct data_object *object, const struct data_user *user)
{
	const struct data_view wanted = {
		.key = ((UWord)object >> 4) * 31 + ((UWord)user->site >> 3) * 7 +
		       ((UWord)user->context >> 4),
		.object = object,
		.site = user->site,
		.context = user->context,
	};
	struct data_view **recent =
		&tool_data.recent_views[wanted.key * 0x9e3779b97f4a7c15UL >> (64 - DATA_VIEW_BITS)];

	if (*recent == NULL || compare_views(*recent, &wanted) != 0)
		*recent = find_in_table(&wanted);
	return *recent;
}

void data_views_zero(void)
{
	struct data_view *view;

	VG_(HT_ResetIter)(tool_data.views);
	while ((view = VG_(HT_Next)(tool_data.views)) != NULL) {
		view->n = 0;
		VG_(memset)(view->counts, 0, tool_data.n_columns * sizeof(view->counts[0]));
	}
}

/* --- which object ------------------------------------------------------------------------- */

static ULong epoch_now(void)
{
	return VG_(current_DiEpoch)().n;
}

static struct data_cached *cached_of(const struct miss *miss, const struct data_user *user)
{
	const UWord half = miss->kind == REFERENCE_FETCH ? DATA_CACHED / 2 : 0;

	return &tool_data.cached[half + (UWord)user->site / sizeof(*user->site) % (DATA_CACHED / 2)];
}

/* Whether what an instruction has missed on last holds this address, too. */
static Bool holds(const struct data_cached *cached, Addr address)
{
	if (address - cached->start >= cached->size || tool_data.allocators.has_layers)
		return False;
	return cached->serial == (cached->block != NULL ? cached->block->serial : epoch_now());
}

/* Of memory in no block: an allocator's own, or what was mapped by known calls; else the object given. */
static struct data_object *find_owner(Addr address, struct data_object *object, Addr *origin)
{
	struct data_object *own = allocators_running();
	const struct heap_block *mapping;

	if (own != NULL)
		return own;
	mapping = heap_map_find(&tool_data.mappings, address);
	if (mapping == NULL)
		return object;
	*origin = mapping->start;
	return tool_data.objects.by_number[mapping->object];
}

/* Says what is there, and how much around the address. */
static struct data_object *find_in_no_block(struct data_cached *cached, Addr address)
{
	struct data_extent extent = { 0, 0, 0 };
	struct data_object *object =
		data_objects_at(&tool_data.objects, &tool_calls.threads, address, &extent);

	cached->start = extent.start;
	cached->size = extent.size;
	cached->origin = extent.origin;
	return object->key.kind == DATA_MEMORY ? find_owner(address, object, &cached->origin)
					       : object;
}

/* The block that holds an address, or NULL. */
static const struct heap_block *find_block(Addr address)
{
	struct data_recent *recent =
		&tool_data.recent[address / 64 * 0x9e3779b97f4a7c15UL >> (64 - DATA_RECENT_BITS)];

	if (tool_data.allocators.has_layers)
		return heap_map_find(&tool_data.heap, address);
	if (recent->block == NULL || recent->block->serial != recent->serial ||
	    address - recent->block->start >= recent->block->size) {
		recent->block = heap_map_find(&tool_data.heap, address);
		recent->serial = recent->block == NULL ? 0 : recent->block->serial;
	}
	return recent->block;
}

static struct data_object *find_object(struct data_cached *cached, const struct miss *miss)
{
	const struct heap_block *block;

	if (miss->kind == REFERENCE_FETCH) {
		/* All that an instruction fetches is of its object file. */
		cached->size = ~(SizeT)0;
		return data_objects_code(&tool_data.objects, miss->site);
	}
	block = find_block(miss->address);
	if (block == NULL)
		return find_in_no_block(cached, miss->address);
	cached->start = cached->origin = block->start;
	cached->size = block->size;
	cached->block = block;
	cached->serial = block->serial;
	return tool_data.objects.by_number[block->object];
}

static void find(struct data_cached *cached, const struct miss *miss, const struct data_user *user)
{
	struct data_cached found = { .site = user->site, .context = user->context };
	struct data_object *object = find_object(&found, miss);

	if (found.block == NULL)
		found.serial = epoch_now();
	if (cached->site != user->site || cached->context != user->context ||
	    cached->view->object != object)
		found.view = find_view(object, user);
	else
		found.view = cached->view;
	*cached = found;
}

struct data_user data_user_of(const struct miss *miss)
{
	struct data_user user = { miss->site, miss->context };

	for (; user.context->owner != NULL; user.context = user.context->owner)
		user.site = user.context->owner_site;
	/* As its costs in the profile. */
	if (user.context->function->only_site != NULL)
		user.site = user.context->function->only_site;
	return user;
}

struct data_at data_look_up(const struct miss *miss, const struct data_user *user)
{
	struct data_cached *cached = cached_of(miss, user);

	if (cached->site != user->site || cached->context != user->context ||
	    !holds(cached, miss->address))
		find(cached, miss, user);
	return (struct data_at){
		.view = cached->view,
		.offset = cached->origin == 0 ? 0 : miss->address - cached->origin,
	};
}
