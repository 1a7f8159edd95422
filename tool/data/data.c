/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An observer of misses (tool/simulate/missobserver.h), which finds for each miss the object that it is on, and adds it to the
 * counts of that object, of a piece of it, and of the instruction on that object.  A hit costs nothing.
 *
 * All events of misses of caches are columns, including misses of fetches, so that their sums are the profile's.  With
 * --cacheuse=yes, so are uses of lines.
 *
 * Most instructions miss on the object that they missed on last.  This is cached for each instruction, with the piece of memory
 * that the object is known to occupy.
 */
#include "tool/data/state.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/counts/context.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"
#include "tool/simulate/lastpath.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/state.h"

/* --- where a miss is --------------------------------------------------------------------- */

/* Where a miss is. */
struct data_at {
	struct data_view *view;
	SizeT offset; /* bytes from the beginning of the object */
};

/* The instruction and context that a miss is counted for: the caller's, if code is skipped. */
struct data_user {
	const struct site *site;
	const struct context *context;
};

/* --- views ------------------------------------------------------------------------------- */

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

static void zero_views(void)
{
	struct data_view *view;

	VG_(HT_ResetIter)(tool_data.views);
	while ((view = VG_(HT_Next)(tool_data.views)) != NULL) {
		view->n = 0;
		VG_(memset)(view->counts, 0, tool_data.n_columns * sizeof(view->counts[0]));
	}
}

/* --- which object ------------------------------------------------------------------------ */

static ULong epoch_now(void)
{
	return VG_(current_DiEpoch)().n;
}

static struct data_cached *cached_of(const struct miss *miss, const struct data_user *user)
{
	const UWord half = miss->kind == REFERENCE_FETCH ? DATA_CACHED / 2 : 0;

	return &tool_data.cached[half + (UWord)user->site / sizeof(*user->site) % (DATA_CACHED / 2)];
}

/* True if the object that an instruction last missed on holds this address, too. */
static Bool holds(const struct data_cached *cached, Addr address)
{
	if (address - cached->start >= cached->size || tool_data.allocators.has_layers)
		return False;
	return cached->serial == (cached->block != NULL ? cached->block->serial : epoch_now());
}

/* For memory in no block: the object of the allocator, or of the calls that mapped it, or else the object given. */
static struct data_object *find_mapper(Addr address, struct data_object *object, Addr *origin)
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

/* Finds the object of an address in no block, and what is known around it. */
static struct data_object *find_in_no_block(struct data_cached *cached, Addr address)
{
	struct data_extent extent = { 0, 0, 0 };
	struct data_object *object = data_objects_at(&tool_calls.threads, address, &extent);

	cached->start = extent.start;
	cached->size = extent.size;
	cached->origin = extent.origin;
	return object->key.kind == DATA_MEMORY ? find_mapper(address, object, &cached->origin)
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
		/* All that an instruction fetches is in its object file. */
		cached->size = ~(SizeT)0;
		return data_objects_code(miss->site);
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

/* Returns instruction and context that a miss is counted for. */
static struct data_user user_of(const struct miss *miss)
{
	struct data_user user = { miss->site, miss->context };

	for (; user.context->owner != NULL; user.context = user.context->owner)
		user.site = user.context->owner_site;
	/* Like its costs in the profile. */
	if (user.context->function->only_site != NULL)
		user.site = user.context->function->only_site;
	return user;
}

/* Where a miss is, in a context that is not dropped. */
static struct data_at look_up(const struct miss *miss, const struct data_user *user)
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

/* --- columns ----------------------------------------------------------------------------- */

/* Columns: events of misses, and of uses of lines, in the order of the profile; then lines. */
static void find_columns(Bool uses_lines)
{
	const struct levels *levels = &tool_counts.levels;
	Bool wanted[N_EVENTS] = { False };

	for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
		for (UInt level = 0; level < levels->n; level++) {
			wanted[levels->missed[kind][level]] = True;
			for (UInt class = 0;
			     class < N_MISS_CLASSES && tool_simulate.reasons.has_classes; class ++)
				wanted[levels->reasons[kind][level][class]] = True;
		}
	wanted[EVENT_DSHF] = wanted[EVENT_DSHT] = tool_simulate.options.counted[GROUP_SHARING];
	for (UInt i = 0; i < tool_counts.events.n + tool_counts.events.n_hidden; i++) {
		const enum event event = tool_counts.events.events[i];

		if (!wanted[event] && !(uses_lines && event_table[event].group == GROUP_USE))
			continue;
		tool_data.column_of[event] = (UChar)tool_data.events.n;
		tool_data.events.events[tool_data.events.n++] = event;
	}
	tool_data.n_columns = tool_data.events.n + (uses_lines ? 1 : 0);
}

/* Adds the events of a miss to counts by column, of the instruction and of the object. */
static void count_miss(ULong *counts, ULong *row, const struct miss *miss)
{
	const struct levels *levels = &tool_counts.levels;
	const enum event *missed = levels->missed[miss->kind];

	for (UInt level = 0; level < miss->served; level++) {
		const UInt column = tool_data.column_of[missed[level]];

		counts[column]++;
		row[column]++;
	}
	if (!tool_simulate.reasons.has_classes)
		return;
	for (UInt level = 0; level < miss->served && level < levels->n; level++) {
		const UInt column =
			tool_data.column_of[levels->reasons[miss->kind][level]
							   [tool_simulate.reasons.last.of[level]]];

		counts[column]++;
		row[column]++;
	}
}

static void note_miss(const struct miss *miss)
{
	const struct data_user user = user_of(miss);
	struct data_at at;

	if (user.context->dropped)
		return;
	at = look_up(miss, &user);
	at.view->n++;
	count_miss(at.view->counts, data_object_row(at.view->object, at.offset), miss);
}

struct data_object *data_object_at(Addr address, PtrdiffT *offset)
{
	const struct miss there = { .kind = REFERENCE_READ, .address = address };
	struct data_cached found = { .size = 0 };
	struct data_object *object = find_object(&found, &there);

	*offset = found.origin == 0 ? 0 : (PtrdiffT)(address - found.origin);
	return object;
}

struct data_object *data_object_of(const struct miss *reference, PtrdiffT *offset)
{
	const struct data_user user = user_of(reference);
	const struct data_at at = look_up(reference, &user);

	*offset = (PtrdiffT)at.offset;
	return at.view->object;
}

void data_note_transfer(const struct miss *reference, enum sharing_kind kind)
{
	const UInt column = tool_data.column_of[kind == SHARING_FALSE ? EVENT_DSHF : EVENT_DSHT];
	const struct data_user user = user_of(reference);
	struct data_at at;

	if (user.context->dropped)
		return;
	at = look_up(reference, &user);
	at.view->counts[column]++;
	data_object_row(at.view->object, at.offset)[column]++;
}

/* --- lines ------------------------------------------------------------------------------- */

/*
 * With --cacheuse=yes: how many lines of an object came into the first level, and what they cost when they left it (sim/lastlevel.h).  A
 * line belongs to the object, and the offset in it, of the reference that brought it in, whatever else is in the line.
 *
 * Lines are charged to an owner: a piece of what an instruction has missed on an object.  All lines of a piece have the
 * same owner, so there are not more owners than pieces.
 */
struct data_line_owner {
	struct data_line_owner *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct data_view *view; /* NULL: the context is dropped */
	SizeT offset;           /* in the object */
	struct line_owner base;
};

static struct data_line_owner *owner_of(struct line_owner *base)
{
	return (void *)((HChar *)base - __builtin_offsetof(struct data_line_owner, base));
}

static Word compare_owners(const void *a, const void *b)
{
	const struct data_line_owner *left = a, *right = b;

	if (left->view != right->view || left->offset != right->offset)
		return 1;
	return left->view == NULL &&
	       (left->base.site != right->base.site || left->base.context != right->base.context);
}

static struct data_line_owner *find_owner(const struct data_at *at, const struct line_owner *by)
{
	struct data_line_owner wanted = {
		.view = at->view,
		.offset = at->offset,
		.base = *by,
	};
	struct data_line_owner *owner;

	wanted.key = at->view == NULL ? (UWord)by->site / 8 * 31 + (UWord)by->context / 16
				      : (UWord)at->view / 16 * 31 + at->offset;
	owner = VG_(HT_gen_lookup)(tool_data.line_owners, &wanted, compare_owners);
	if (owner != NULL)
		return owner;
	owner = VG_(malloc)("costgrind.line_owner", sizeof(*owner));
	*owner = wanted;
	VG_(HT_add_node)(tool_data.line_owners, owner);
	return owner;
}

static void count_line(const struct data_at *at)
{
	const UInt column = tool_data.n_columns - 1;

	at->view->counts[column]++;
	data_object_row(at->view->object, at->offset)[column]++;
}

static struct line_owner *note_came(const struct line_owner *by, const struct miss *miss)
{
	const struct data_user user = user_of(miss);
	struct data_at at = { NULL, 0 };

	if (!user.context->dropped) {
		at = look_up(miss, &user);
		if (miss->served == 1)
			count_line(&at);
		at.offset = data_object_piece(at.view->object, at.offset);
	}
	return &find_owner(&at, by)->base;
}

static void charge_line(ULong *counts, const struct line_charge *charge)
{
	const Bool is_first = charge->level == 1;
	ULong *access_cost = &counts[tool_data.column_of[is_first ? EVENT_ACCOST1 : EVENT_ACCOST2]];
	ULong *space_loss = &counts[tool_data.column_of[is_first ? EVENT_SPLOSS1 : EVENT_SPLOSS2]];

	*access_cost += charge->is_undone ? -charge->access_cost : charge->access_cost;
	*space_loss += charge->is_undone ? -charge->space_loss : charge->space_loss;
}

static void note_charged(struct line_owner *base, const struct line_charge *charge)
{
	const struct data_line_owner *owner = owner_of(base);

	if (owner->view == NULL)
		return;
	charge_line(owner->view->counts, charge);
	charge_line(data_object_row(owner->view->object, owner->offset), charge);
}

/* Watches lines from now on, if their uses are simulated; returns True if they are. */
static Bool watch_lines(void)
{
	static const struct line_watcher watcher = { note_came, note_charged };

	if (!tool_simulate.has_last_path || !lastpath_watch(&tool_simulate.last_path, &watcher))
		return False;
	tool_data.line_owners = VG_(HT_construct)("costgrind.line_owners");
	return True;
}

/* --- the run ----------------------------------------------------------------------------- */

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.heap", 1, size);
}

static void create_thread(UInt child)
{
	sharing_create_thread(child);
	locks_create_thread(child);
}

static void fork_child(void)
{
	sharing_fork();
	locks_fork();
}

static void begin(void)
{
	tool_data.is_on = True;
	tool_data.uses_lines = watch_lines();
	find_columns(tool_data.uses_lines);
	heap_map_init(&tool_data.heap, allocate, VG_(free));
	heap_map_init(&tool_data.mappings, allocate, VG_(free));
	data_objects_init(tool_data.n_columns);
	tool_data.views = VG_(HT_construct)("costgrind.views");
	allocators_start();
	if (tool_simulate.options.counted[GROUP_SHARING]) {
		sharing_start();
		locks_start();
	}
}

static void begin_anew(void)
{
	sharing_zero();
	locks_zero();
	zero_views();
	data_objects_zero();
}

/* Which allocators were seen, and how much memory is of none. */
static void tell(void)
{
	const struct allocators *allocators = &tool_data.allocators;
	ULong n = 0, unknown = 0, n_views;
	struct data_view **views;
	UInt count;

	for (UInt i = 0; i < allocators->n_seen; i++)
		message_note("data: %llu blocks by %s", allocators->seen[i].n,
			     allocators->seen[i].name);
	if (allocators->n_seen == 0 && tool_calls.has_instrumented)
		message_note("data: no allocator was seen; --alloc-fn names one");
	views = (struct data_view **)VG_(HT_to_array)(tool_data.views, &count);
	for (UInt i = 0; i < count; i++) {
		n_views = views[i]->n;
		n += n_views;
		if (views[i]->object->key.kind == DATA_MEMORY)
			unknown += n_views;
	}
	if (views != NULL)
		VG_(free)(views);
	if (unknown != 0)
		message_note(
			"data: %llu of %llu misses are in no block: of an allocator that was not "
			"seen, or freed",
			unknown, n);
}

const struct miss_observer data_observer = {
	.start = begin,
	.missed = note_miss,
	.create_thread = create_thread,
	.fork = fork_child,
	.zero = begin_anew,
	.finish = tell,
};
