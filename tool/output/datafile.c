/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that says which data the program misses on (--data=yes); docs/FORMAT.md has its form. */
#include "tool/output/state.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/numbers.h"
#include "tool/counts/context.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"
#include "tool/data/state.h"
#include "tool/output/output.h"
#include "tool/simulate/state.h"
#include "writer/writer.h"

/* The object file that objects of a kind are written in; variables are in their own. */
static const HChar *const groups[N_DATA_KINDS] = {
	[DATA_HEAP] = "[heap]",
	[DATA_GLOBAL] = "[variables]",
	[DATA_STACK] = "[stack]",
	[DATA_FILE] = "[files]",
	[DATA_ALLOCATOR] = "[allocators]",
	[DATA_MAPPING] = "[mappings]",
	[DATA_MEMORY] = "[memory]",
	[DATA_CODE] = "[code]",
};

/* An object with the names under which it is written. */
struct named_object {
	const struct data_object *object;
	const struct text *group, *name;
};

enum {
	DATA_MAX_COLUMNS = N_EVENTS + 1, /* all, and lines */
};

/* A file that is being written. */
struct data_writing {
	struct writer *writer;
	struct named_object *objects; /* by number */
	const struct text *no_file;
};

/* --- names ------------------------------------------------------------------------------- */

/* A text that grows. */
struct growing {
	HChar *chars;
	UInt len, room;
};

static void append(struct growing *text, const HChar *chars)
{
	const UInt len = (UInt)VG_(strlen)(chars);

	if (text->len + len + 1 > text->room) {
		text->room = 2 * (text->len + len + 1);
		text->chars = VG_(realloc)("costgrind.data_name", text->chars, text->room);
	}
	VG_(memcpy)(text->chars + text->len, chars, len + 1);
	text->len += len;
}

static void append_number(struct growing *text, const HChar *before, ULong number)
{
	HChar chars[24];

	append(text, before);
	VG_(snprintf)(chars, sizeof(chars), "%llu", number);
	append(text, chars);
}

static void append_address(struct growing *text, Addr address)
{
	HChar chars[24];

	VG_(snprintf)(chars, sizeof(chars), "0x%lx", address);
	append(text, chars);
}

/* The last part of a path. */
static const HChar *last_part(const HChar *path)
{
	const HChar *slash = VG_(strrchr)(path, '/');

	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

/* "parse parse.c:120", "parse" if no line is known, or an address instead of a name. */
static void append_site(struct growing *text, const struct site *site)
{
	const struct source_location place = site_place(site);

	if (place.function->anonymous)
		append_address(text, place.address);
	else
		append(text, place.function->name->chars);
	if (place.line == 0)
		return;
	append(text, " ");
	append(text, last_part(place.file->chars));
	append_number(text, ":", place.line);
}

/* ", 48 B", ", 16 to 96 B", ", elements of 48 B" */
static void append_size(struct growing *text, const struct data_object *object)
{
	if (object->element != 0 && !object->is_irregular) {
		append_number(text, ", elements of ", object->element);
	} else {
		append_number(text, ", ", object->least);
		if (object->most != object->least)
			append_number(text, " to ", object->most);
	}
	append(text, " B");
}

/* "parse parse.c:120 < main main.c:7, 48 B"; without the size for an allocator's own memory. */
static const struct text *name_of_blocks(const struct data_object *object)
{
	struct growing text = { NULL, 0, 0 };
	const struct text *name;

	if (object->key.n_sites == 0)
		append(&text, "(unknown caller)");
	for (UInt i = 0; i < object->key.n_sites; i++) {
		if (i != 0)
			append(&text, " < ");
		append_site(&text, object->key.sites[i]);
	}
	if (object->key.kind != DATA_ALLOCATOR)
		append_size(&text, object);
	name = data_objects_name(text.chars);
	VG_(free)(text.chars);
	return name;
}

static Bool is_of_calls(enum data_kind kind)
{
	return kind == DATA_HEAP || kind == DATA_ALLOCATOR || kind == DATA_MAPPING;
}

static struct named_object name_object(const struct data_object *object)
{
	const struct data_key *key = &object->key;
	const HChar *group = groups[key->kind];

	if (key->kind == DATA_GLOBAL)
		group = key->group->chars;
	return (struct named_object){
		.object = object,
		.group = data_objects_name(group),
		.name = is_of_calls(key->kind) ? name_of_blocks(object)
					       : data_objects_name(key->name->chars),
	};
}

static struct name name_of(const struct text *text)
{
	return (struct name){ text->chars, text->len, text->id };
}

static struct name name_of_chars(const HChar *chars)
{
	return name_of(data_objects_name(chars));
}

/* The name of a function; its number belongs to object, file and name together. */
static struct name name_of_function(const HChar *object, const HChar *file, const HChar *name)
{
	struct growing all = { NULL, 0, 0 };
	struct name function = name_of_chars(name);

	append(&all, object);
	append(&all, "\n");
	append(&all, file);
	append(&all, "\n");
	append(&all, name);
	function.key = data_objects_name(all.chars)->id;
	VG_(free)(all.chars);
	return function;
}

static struct name name_of_named(const struct data_writing *writing,
				 const struct named_object *named)
{
	return name_of_function(named->group->chars, writing->no_file->chars, named->name->chars);
}

/* --- objects ----------------------------------------------------------------------------- */

static Bool has_counts(const ULong *counts)
{
	for (UInt i = 0; i < tool_data.n_columns; i++)
		if (counts[i] != 0)
			return True;
	return False;
}

static const ULong *row_of(const struct data_object *object, UInt row)
{
	return object->rows + (SizeT)row * tool_data.n_columns;
}

static void write_counts(struct writer *writer, const struct position *position,
			 const ULong *counts)
{
	uint64_t columns[DATA_MAX_COLUMNS];

	for (UInt i = 0; i < tool_data.n_columns; i++)
		columns[i] = counts[i];
	writer_cost(writer, position, columns, tool_data.n_columns);
}

static void write_object(const struct data_writing *writing, const struct named_object *named)
{
	const struct data_object *object = named->object;
	const struct name group = name_of(named->group), name = name_of_named(writing, named);
	const struct name file = name_of(writing->no_file);
	Bool is_begun = False;

	for (UInt row = 0; row < object->n_rows; row++) {
		if (!has_counts(row_of(object, row)))
			continue;
		if (!is_begun) {
			writer_blank(writing->writer);
			writer_position(writing->writer, SPEC_OB, &group);
			writer_position(writing->writer, SPEC_FL, &file);
			writer_position(writing->writer, SPEC_FN, &name);
			is_begun = True;
		}
		write_counts(writing->writer,
			     &(struct position){ .line = data_object_row_offset(object, row) },
			     row_of(object, row));
	}
}

static Int object_order(const void *a, const void *b)
{
	const struct named_object *left = a, *right = b;
	Int order = by_number(left->object->key.kind, right->object->key.kind);

	if (order == 0)
		order = VG_(strcmp)(left->group->chars, right->group->chars);
	return order != 0 ? order : VG_(strcmp)(left->name->chars, right->name->chars);
}

static void write_objects(const struct data_writing *writing)
{
	const UInt n = tool_data.objects.n;
	struct named_object *sorted =
		VG_(malloc)("costgrind.sorted", (n + (SizeT)(n == 0)) * sizeof(*sorted));

	VG_(memcpy)(sorted, writing->objects, n * sizeof(*sorted));
	VG_(ssort)(sorted, n, sizeof(*sorted), object_order);
	for (UInt i = 0; i < n; i++)
		write_object(writing, &sorted[i]);
	VG_(free)(sorted);
}

/* --- who misses on them ------------------------------------------------------------------ */

/* A view, and the object under which it is written. */
struct view_row {
	const struct data_view *view;
	const struct named_object *object;
};

static Int view_order(const void *a, const void *b)
{
	const struct view_row *left = a, *right = b;
	const struct data_view *of_left = left->view, *of_right = right->view;
	Int order = by_number(of_left->context->rank, of_right->context->rank);

	if (order == 0)
		order = place_order(of_left->context->function, site_place(of_left->site),
				    site_place(of_right->site), tool_output.options.dump_instr);
	if (order == 0)
		order = object_order(left->object, right->object);
	return order;
}

/* True if two are written as one row; addresses distinguish rows if the profile has addresses. */
static Bool is_same_row(const struct view_row *a, const struct view_row *b)
{
	return a->view->context == b->view->context &&
	       (!tool_output.options.dump_instr ||
		site_place(a->view->site).address == site_place(b->view->site).address) &&
	       a->view->site->scope->file == b->view->site->scope->file &&
	       a->view->site->line == b->view->site->line && a->object->group == b->object->group &&
	       a->object->name == b->object->name;
}

static void write_function(const struct data_writing *writing, const struct context *context)
{
	const struct function *function = context->function;
	const struct name object = name_of_chars(function->object->chars);
	const struct name file = name_of_chars(function->file->chars);
	const struct name name =
		name_of_function(function->object->chars, function->file->chars, context->name);

	writer_blank(writing->writer);
	writer_position(writing->writer, SPEC_OB, &object);
	writer_position(writing->writer, SPEC_FL, &file);
	writer_position(writing->writer, SPEC_FN, &name);
}

static void write_callee(const struct data_writing *writing, const struct named_object *object)
{
	const struct name group = name_of(object->group), name = name_of_named(writing, object);
	const struct name file = name_of(writing->no_file);

	writer_position(writing->writer, SPEC_COB, &group);
	writer_position(writing->writer, SPEC_CFI, &file);
	writer_position(writing->writer, SPEC_CFN, &name);
}

/* Writes the rows that are the same as the first one, as one; returns how many. */
static UInt write_rows(const struct data_writing *writing, const struct view_row *first, UInt n)
{
	const struct source_location place = site_place(first->view->site);
	ULong counts[DATA_MAX_COLUMNS] = { 0 }, n_misses = 0;
	UInt i = 0;

	for (; i < n && is_same_row(first, first + i); i++) {
		n_misses += first[i].view->n;
		for (UInt column = 0; column < tool_data.n_columns; column++)
			counts[column] += first[i].view->counts[column];
	}
	write_callee(writing, first->object);
	/* Readers misread 0 calls; what missed only in an earlier part counts as one. */
	writer_calls(writing->writer, n_misses == 0 ? 1 : n_misses,
		     &(struct position){ .line = 0 });
	write_counts(writing->writer,
		     &(struct position){ .instr = place.address, .line = place.line }, counts);
	return i;
}

static void write_views(const struct data_writing *writing, struct view_row *rows, UInt n)
{
	const struct text *file = NULL;
	UInt last = 0;

	VG_(ssort)(rows, n, sizeof(*rows), view_order);
	for (UInt i = 0; i < n;) {
		const struct context *context = rows[i].view->context;
		const struct text *next = rows[i].view->site->scope->file;

		if (i == 0 || context != rows[last].view->context) {
			write_function(writing, context);
			file = context->function->file;
		}
		if (next != file) {
			const struct name name = name_of_chars(next->chars);

			writer_position(writing->writer,
					next == context->function->file ? SPEC_FE : SPEC_FI, &name);
			file = next;
		}
		last = i;
		i += write_rows(writing, &rows[i], n - i);
	}
}

static void write_users(const struct data_writing *writing)
{
	UInt n, n_rows = 0;
	struct data_view **views = (struct data_view **)VG_(HT_to_array)(tool_data.views, &n);
	struct view_row *rows =
		VG_(malloc)("costgrind.rows", (n + (SizeT)(n == 0)) * sizeof(*rows));

	/* A line that was there when counts were set to zero may have costs without a miss. */
	for (UInt i = 0; i < n; i++)
		if (views[i]->n != 0 || has_counts(views[i]->counts))
			rows[n_rows++] = (struct view_row){
				views[i],
				&writing->objects[views[i]->object->number],
			};
	write_views(writing, rows, n_rows);
	VG_(free)(rows);
	if (views != NULL)
		VG_(free)(views);
}

/* --- lines that threads fight over ------------------------------------------------------- */

enum { PAIRS_TOLD = 64, LOCKS_TOLD = 64 };

/* "2-4,7": the numbers of threads modulo 64. */
static void append_threads(struct growing *text, ULong threads)
{
	const HChar *before = "";

	for (UInt i = 0; i < 64; i++) {
		UInt last = i;

		if ((threads >> i & 1) == 0)
			continue;
		while (last < 63 && (threads >> (last + 1) & 1) != 0)
			last++;
		append_number(text, before, i);
		if (last != i)
			append_number(text, "-", last);
		before = ",";
		i = last;
	}
}

/* " | 0-7 rw, 8 B a thread, threads 2-4 | cores.c:40 | count" */
static void append_side(struct growing *text, const struct sharing_side *side)
{
	const struct source_location place = site_place(side->site);
	const ULong all = side->use.read | side->use.written;
	const ULong bytes = tool_simulate.caches.d1.geometry.line_size <= 64
				    ? 1
				    : tool_simulate.caches.d1.geometry.line_size / 64;

	append_number(text, " | ", (ULong)__builtin_ctzll(all) * bytes);
	append_number(text, "-", (64 - (ULong)__builtin_clzll(all)) * bytes - 1);
	append(text, side->use.read == 0 ? " w" : side->use.written == 0 ? " r" : " rw");
	append_number(text, ", ", side->width * bytes);
	append(text, " B a thread, threads ");
	append_threads(text, side->threads);
	append(text, " | ");
	append(text, place.line == 0 ? "???" : place.file->chars);
	append_number(text, ":", place.line);
	append(text, " | ");
	append(text, side->context->name);
}

/* Pairs of an object and two lines of source, whatever lines of the cache. */
struct told_pair {
	struct sharing_pair sum;
	UInt n_lines;
};

static ULong weight_of(const struct sharing_pair *pair)
{
	ULong weight = 0;

	for (UInt i = 0; i < N_SHARING_KINDS; i++)
		weight += pair->n[i] + pair->n_at_once[i];
	return weight;
}

/* 0: they read alike but for their numbers, and the line. */
static Int text_order(const struct sharing_pair *a, const struct sharing_pair *b)
{
	Int order = by_number(a->object->number, b->object->number);

	for (UInt i = 0; i < 2 && order == 0; i++) {
		const struct sharing_side *left = &a->sides[i], *right = &b->sides[i];

		order = by_number(left->context->rank, right->context->rank);
		if (order == 0)
			order = place_order(left->context->function, site_place(left->site),
					    site_place(right->site), False);
	}
	return order;
}

static Int pair_text_order(const void *a, const void *b)
{
	const struct told_pair *left = a, *right = b;
	const Int order = text_order(&left->sum, &right->sum);

	return order != 0 ? order
			  : (left->sum.line > right->sum.line) - (left->sum.line < right->sum.line);
}

static Int pair_weight_order(const void *a, const void *b)
{
	const struct told_pair *left = a, *right = b;
	const Int order = by_number(weight_of(&right->sum), weight_of(&left->sum));

	return order != 0 ? order : pair_text_order(a, b);
}

static void add_pair(struct told_pair *to, const struct sharing_pair *pair)
{
	for (UInt i = 0; i < N_SHARING_KINDS; i++) {
		to->sum.n[i] += pair->n[i];
		to->sum.n_at_once[i] += pair->n_at_once[i];
	}
	for (UInt i = 0; i < 2; i++) {
		struct sharing_side *side = &to->sum.sides[i];

		side->threads |= pair->sides[i].threads;
		side->use.read |= pair->sides[i].use.read;
		side->use.written |= pair->sides[i].use.written;
		if (pair->sides[i].width > side->width)
			side->width = pair->sides[i].width;
	}
}

/* Puts pairs that read alike together; returns how many are left. */
static UInt merge_pairs(struct told_pair *pairs, UInt n)
{
	UInt n_left = 0;
	PtrdiffT line = 0;

	VG_(ssort)(pairs, (SizeT)n, sizeof(pairs[0]), pair_text_order);
	for (UInt i = 0; i < n; i++) {
		struct told_pair *last = n_left > 0 ? &pairs[n_left - 1] : NULL;

		if (last == NULL || text_order(&last->sum, &pairs[i].sum) != 0) {
			line = pairs[i].sum.line;
			pairs[n_left++] = pairs[i];
			continue;
		}
		last->n_lines += pairs[i].sum.line != line;
		line = pairs[i].sum.line;
		add_pair(last, &pairs[i].sum);
	}
	return n_left;
}

/* "40 false, 0 true, at once 3000 false, 0 true, 1 line at 0 | counters | /home/ann/prog | ... | ..." */
static void write_pair(const struct data_writing *writing, const struct told_pair *told)
{
	const struct sharing_pair *pair = &told->sum;
	const struct named_object *object = &writing->objects[pair->object->number];
	struct growing text = { NULL, 0, 0 };

	append_number(&text, "", pair->n[SHARING_FALSE]);
	append_number(&text, " false, ", pair->n[SHARING_TRUE]);
	append_number(&text, " true, at once ", pair->n_at_once[SHARING_FALSE]);
	append_number(&text, " false, ", pair->n_at_once[SHARING_TRUE]);
	append_number(&text, " true, ", told->n_lines);
	append_number(&text, pair->line < 0 ? " lines at -" : " lines at ",
		      (ULong)(pair->line < 0 ? -pair->line : pair->line));
	append(&text, " | ");
	append(&text, object->name->chars);
	append(&text, " | ");
	append(&text, object->group->chars);
	for (UInt i = 0; i < 2; i++)
		append_side(&text, &pair->sides[i]);
	writer_desc(writing->writer, "Shared lines", text.chars);
	VG_(free)(text.chars);
}

static void write_sharing(const struct data_writing *writing)
{
	VgHashNode **nodes;
	struct told_pair *pairs;
	UInt n;

	if (!tool_data.sharing.is_on)
		return;
	nodes = VG_(HT_to_array)(tool_data.sharing.pairs, &n);
	pairs = VG_(malloc)("costgrind.told_pairs", (n + 1) * sizeof(*pairs));
	for (UInt i = 0; i < n; i++)
		pairs[i] = (struct told_pair){ *(const struct sharing_pair *)nodes[i], 1 };
	if (nodes != NULL)
		VG_(free)(nodes);
	n = merge_pairs(pairs, n);
	VG_(ssort)(pairs, n, sizeof(pairs[0]), pair_weight_order);
	for (UInt i = 0; i < n && i < PAIRS_TOLD; i++)
		write_pair(writing, &pairs[i]);
	VG_(free)(pairs);
}

/* --- locks ------------------------------------------------------------------------------- */

static const HChar *const lock_kinds[N_LOCK_KINDS] = { "mutex", "rwlock", "spin lock" };

/* Most work under the lock first; then as they were met. */
static Int lock_order(const void *a, const void *b)
{
	const struct lock *left = *(struct lock *const *)a, *right = *(struct lock *const *)b;
	Int order = by_number(right->held, left->held);

	if (order == 0)
		order = by_number(right->n, left->n);
	return order != 0 ? order : by_number(left->key, right->key);
}

static Int lock_site_order(const void *a, const void *b)
{
	const struct lock_site *left = a, *right = b;
	const Int order = by_number(right->held, left->held);

	return order != 0 ? order : by_number(right->n, left->n);
}

/* "queue+8 | /home/ann/prog | mutex | 80000 | 12 | 9 | 800000 | 10 | 2500000" */
static void write_lock(const struct data_writing *writing, const struct lock *lock, ULong total)
{
	const struct named_object *object = &writing->objects[lock->object->number];
	struct growing text = { NULL, 0, 0 };

	append(&text, object->name->chars);
	if (lock->offset != 0)
		append_number(&text, "+", (ULong)lock->offset);
	append(&text, " | ");
	append(&text, object->group->chars);
	append(&text, " | ");
	append(&text, lock_kinds[lock->kind]);
	append_number(&text, " | ", lock->n);
	append_number(&text, " | ", lock->n_changes);
	append_number(&text, " | ", lock->n_taken);
	append_number(&text, " | ", lock->held);
	append_number(&text, " | ", lock->longest);
	append_number(&text, " | ", total);
	writer_desc(writing->writer, "Lock", text.chars);
	VG_(free)(text.chars);
}

/* "queue.c:40 | put | 40000 | 400000 | 10" */
static void write_lock_site(const struct data_writing *writing, const struct lock_site *site)
{
	struct growing text = { NULL, 0, 0 };

	append(&text, site->place.line == 0 ? "???" : site->place.file->chars);
	append_number(&text, ":", site->place.line);
	append(&text, " | ");
	append(&text, site->place.function->name->chars);
	append_number(&text, " | ", site->n);
	append_number(&text, " | ", site->held);
	append_number(&text, " | ", site->longest);
	writer_desc(writing->writer, "Lock at", text.chars);
	VG_(free)(text.chars);
}

/* Writes the places that took a lock, in one line what is in one line of source. */
static void write_lock_sites(const struct data_writing *writing, const struct lock *lock)
{
	const SizeT size = lock->n_sites * sizeof(struct lock_site);
	struct lock_site *sites = VG_(malloc)("costgrind.told_sites", size);
	UInt n = 0;

	for (UInt i = 0; i < lock->n_sites; i++) {
		const struct lock_site *site = &lock->sites[i];
		UInt k = 0;

		while (k < n && (sites[k].place.line != site->place.line ||
				 sites[k].place.file != site->place.file ||
				 sites[k].place.function != site->place.function))
			k++;
		if (k == n) {
			sites[n++] = *site;
			continue;
		}
		sites[k].n += site->n;
		sites[k].held += site->held;
		if (site->longest > sites[k].longest)
			sites[k].longest = site->longest;
	}
	VG_(ssort)(sites, n, sizeof(struct lock_site), lock_site_order);
	for (UInt i = 0; i < n && i < LOCKS_TOLD; i++)
		if (sites[i].n != 0 || sites[i].held != 0)
			write_lock_site(writing, &sites[i]);
	VG_(free)(sites);
}

static void write_locks(const struct data_writing *writing)
{
	struct lock **locks;
	ULong totals[N_EVENTS];
	UInt n = 0;

	for (struct lock *lock = tool_data.locks.last; lock != NULL; lock = lock->older)
		n++;
	if (n == 0)
		return;
	locks_settle();
	threads_totals(totals);
	locks = VG_(malloc)("costgrind.told_locks", n * sizeof(struct lock *));
	n = 0;
	for (struct lock *lock = tool_data.locks.last; lock != NULL; lock = lock->older)
		if (lock->n != 0 || lock->held != 0)
			locks[n++] = lock;
	VG_(ssort)(locks, n, sizeof(struct lock *), lock_order);
	for (UInt i = 0; i < n && i < LOCKS_TOLD; i++) {
		write_lock(writing, locks[i], totals[EVENT_IR]);
		write_lock_sites(writing, locks[i]);
	}
	VG_(free)(locks);
}

/* --- all of it --------------------------------------------------------------------------- */

static void find_totals(uint64_t totals[DATA_MAX_COLUMNS])
{
	VG_(memset)(totals, 0, DATA_MAX_COLUMNS * sizeof(totals[0]));
	for (UInt i = 0; i < tool_data.objects.n; i++) {
		const struct data_object *object = tool_data.objects.by_number[i];

		for (UInt row = 0; row < object->n_rows; row++)
			for (UInt column = 0; column < tool_data.n_columns; column++)
				totals[column] += row_of(object, row)[column];
	}
}

/* What a miss costs in cycles, beyond the cost of missing the level before it, on a typical machine. */
enum {
	WAIT_FIRST = 10,
	WAIT_BETWEEN = 30,
	WAIT_LAST = 150,
};

/* The wait for an event that is the miss of a level; else 0. */
static UInt wait_of(enum event event)
{
	const struct levels *levels = &tool_counts.levels;

	for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
		for (UInt level = 0; level < levels->n; level++)
			if (levels->missed[kind][level] == event)
				return level == 0              ? WAIT_FIRST
				       : level + 1 < levels->n ? WAIT_BETWEEN
							       : WAIT_LAST;
	return 0;
}

/* EstCyc = 10 I1mr + 10 D1mr + ...: objects are shown in this order. */
static void write_estimate(struct writer *writer)
{
	HChar formula[256];
	UInt len = 0;

	for (UInt i = 0; i < tool_data.events.n; i++) {
		const enum event event = tool_data.events.events[i];

		if (wait_of(event) != 0)
			len += VG_(snprintf)(formula + len, (Int)(sizeof(formula) - len), "%s%u %s",
					     len == 0 ? "" : " + ", wait_of(event),
					     event_table[event].name);
	}
	tl_assert(len < sizeof(formula) - 1);
	writer_event(writer, EVENT_ESTIMATE, formula, "Estimated cycles of misses");
}

/* Readers need it to tell how much of a line was used. */
static void write_line_size(struct writer *writer)
{
	HChar text[24];

	VG_(snprintf)(text, sizeof(text), "%u bytes", tool_simulate.caches.d1.geometry.line_size);
	writer_desc(writer, "D1 line", text);
}

/* The name of the profile, with the suffix of this file unless its parts are in one file. */
static void write_profile_name(struct writer *writer, const struct output_file *file)
{
	const struct output *profile = &tool_output.output;
	struct growing name = { NULL, 0, 0 };

	append(&name, profile->base);
	if (!profile->combines)
		append(&name, file->name + VG_(strlen)(file->output->base));
	writer_desc(writer, "Data of", name.chars);
	VG_(free)(name.chars);
}

static void write_header(const struct data_writing *writing, const struct output_file *file,
			 const HChar *trigger, const uint64_t *totals)
{
	struct writer *writer = writing->writer;
	const char *names[DATA_MAX_COLUMNS];

	writer_format(writer);
	writer_version(writer);
	writer_creator(writer, "costgrind-" COSTGRIND_VERSION);
	writer_pid(writer, (uint64_t)VG_(getpid)());
	descs_write_command(writer);
	writer_part(writer, parts_number());
	if (machinedescs_name() != NULL)
		writer_desc(writer, "Machine", machinedescs_name());
	write_profile_name(writer, file);
	if (tool_data.uses_lines || tool_data.sharing.is_on)
		write_line_size(writer);
	writer_desc(writer, "Trigger", trigger);
	write_sharing(writing);
	write_locks(writing);
	/* Who looks at instructions must know that they are the ones that ran. */
	if (tool_output.options.dump_instr)
		fingerprint_write_builds(writer);
	for (UInt i = 0; i < tool_data.events.n; i++) {
		const struct event_row *info = &event_table[tool_data.events.events[i]];

		names[i] = info->name;
		writer_event(writer, info->name, NULL, info->long_name);
	}
	if (tool_data.uses_lines) {
		names[tool_data.events.n] = LINE_USES_EVENT;
		writer_event(writer, LINE_USES_EVENT, NULL, LINE_USES_EVENT_NAME);
	}
	write_estimate(writer);
	writer_positions(writer);
	writer_events(writer, names, tool_data.n_columns);
	writer_summary(writer, totals);
}

Int datafile_write(struct output_file *file, const HChar *trigger)
{
	const struct env env = output_env(file);
	const struct writer_options options = {
		.positions = POSITION_LINE | (tool_output.options.dump_instr ? POSITION_INSTR : 0U),
		.compress_names = tool_output.options.compress_strings,
		.compress_positions = tool_output.options.compress_pos,
	};
	const UInt n = tool_data.objects.n;
	struct writer writer;
	struct data_writing writing = {
		.writer = &writer,
		.objects = VG_(malloc)("costgrind.named",
				       (n + (SizeT)(n == 0)) * sizeof(*writing.objects)),
			       .no_file = data_objects_name("[data]"),
		};
	uint64_t totals[DATA_MAX_COLUMNS];
	Int error;

	for (UInt i = 0; i < n; i++)
		writing.objects[i] = name_object(tool_data.objects.by_number[i]);
	find_totals(totals);
	writer_init(&writer, &env, &options);
	write_header(&writing, file, trigger, totals);
	write_objects(&writing);
	write_users(&writing);
	writer_blank(&writer);
	writer_totals(&writer, totals);
	error = writer_finish(&writer);
	writer_release(&writer);
	VG_(free)(writing.objects);
	tl_assert(error >= 0); /* memory does not run out here, and the order of calls is right */
	return error;
}
