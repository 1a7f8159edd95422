/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind sharing: the lines that threads fight over, and by which bytes, and the locks that they take, as a data profile with
 * --sharing=yes says (docs/FORMAT.md).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/viewcommand.h"
#include "cmds/data/objects.h"
#include "profile/common/desc.h"

static const char command[] = "sharing";

#define SHARED_DESC    "Shared lines"
#define LOCK_DESC      "Lock"
#define LOCK_SITE_DESC "Lock at"

enum {
	DEFAULT_TOP = 8,
	/* Of desc lines, between " | ": */
	N_FIELDS = 9,
	N_LOCK_FIELDS = 9,
	N_LOCK_SITE_FIELDS = 5,
	USUAL_LINE = 64,
	PLACE_TEXT = 512,
};

/* One of the two places; texts are the arena's. */
struct side {
	uint64_t first, last; /* bytes of the line */
	const char *access;   /* "r", "w" or "rw" */
	uint64_t width;       /* bytes that a thread uses, at most */
	const char *threads;
	const char *file; /* NULL: not known */
	uint64_t line;
	const char *function;
};

/* What two places of a program do to lines of an object. */
struct shared {
	uint64_t n_false, n_true;       /* transfers */
	uint64_t once_false, once_true; /* references at once */
	uint64_t n_lines;
	int64_t offset; /* of the first line in the object, in bytes */
	const char *object, *group;
	struct side sides[2];
};

/* A lock, or a place that takes it; texts are the arena's. */
struct lock {
	const char *name, *group, *kind; /* of a place: function and file; NULL */
	uint64_t line;                   /* of a place */
	uint64_t n_taken, n_changes;     /* the latter by another thread than before */
	uint64_t n_found_taken;
	uint64_t held, longest; /* instructions: in all holds, in one */
	size_t number;          /* of a lock, as it was read; of a place, its lock's */
};

struct locks {
	struct lock *all;
	size_t n, capacity;
};

struct sharing_command {
	struct view_command view;
	size_t most; /* rows that people see */
};

struct sharing {
	struct shared *all;
	size_t n, capacity;
	uint64_t n_false, n_true;
	uint64_t line_size;
	struct locks locks, places; /* places by lock */
	uint64_t instructions;      /* of all threads, in all parts */
	size_t most;
};

const struct option_rule sharing_options[] = {
	{ "--top", 0, OPTION_VALUE, "N", "Show N pairs of places at most [8]",
	  OPTION_COUNT(struct sharing_command, most, "a number of pairs, 1 or more", 1, SIZE_MAX) },
	VIEW_COMMAND_OPTIONS,
	{ .name = NULL },
};

/* -- reading ------------------------------------------------------------------------------------- */

/* Takes a number and the text after it; false if they are not there. */
static bool take(const char **at, uint64_t *value, const char *after)
{
	char *end;

	if (**at < '0' || **at > '9')
		return false;
	*value = strtoull(*at, &end, 10);
	if (strncmp(end, after, strlen(after)) != 0)
		return false;
	*at = end + strlen(after);
	return true;
}

/* "/home/ann/a.c:51", or "???:0", for which *file becomes NULL. */
static bool read_place(char *text, const char **file, uint64_t *line)
{
	char *colon = strrchr(text, ':');
	const char *at = colon ? colon + 1 : text;

	if (!colon || !take(&at, line, "") || *at != '\0')
		return false;
	*colon = '\0';
	*file = strcmp(text, "???") != 0 ? text : NULL;
	return true;
}

static const char *const accesses[] = { "r", "w", "rw" };

/* "0-31 rw, 8 B a thread, threads 2-5", "/home/ann/a.c:51", "count" */
static bool read_side(struct side *side, char *const *fields)
{
	const char *at = fields[0];
	size_t len;

	if (!take(&at, &side->first, "-") || !take(&at, &side->last, " "))
		return false;
	len = strcspn(at, ",");
	side->access = NULL;
	for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++)
		if (strlen(accesses[i]) == len && strncmp(at, accesses[i], len) == 0)
			side->access = accesses[i];
	if (!side->access)
		return false;
	at += len;
	if (strncmp(at, ", ", 2) != 0)
		return false;
	at += 2;
	if (!take(&at, &side->width, " B a thread, threads "))
		return false;
	side->threads = at;
	side->function = fields[2];
	return read_place(fields[1], &side->file, &side->line);
}

/* Cuts a text at each " | "; false if that does not make n of it. */
static bool cut(char *text, char **words, size_t n)
{
	size_t i = 0;

	for (char *next = text; next; i++) {
		char *end = strstr(next, " | ");

		if (i == n)
			return false;
		words[i] = next;
		if (end)
			*end = '\0';
		next = end ? end + 3 : NULL;
	}
	return i == n;
}

/* False if the value of a line has another form; it is in the arena. */
static bool read_shared(struct shared *shared, char *value)
{
	char *words[N_FIELDS], *end;
	const char *at = value;

	if (!cut(value, words, N_FIELDS) || !take(&at, &shared->n_false, " false, ") ||
	    !take(&at, &shared->n_true, " true, at once ") ||
	    !take(&at, &shared->once_false, " false, ") ||
	    !take(&at, &shared->once_true, " true, ") || !take(&at, &shared->n_lines, " lines at "))
		return false;
	shared->offset = strtoll(at, &end, 10);
	if (end == at || *end != '\0')
		return false;
	shared->object = words[1];
	shared->group = words[2];
	return read_side(&shared->sides[0], words + 3) && read_side(&shared->sides[1], words + 6);
}

static bool is_same_side(const struct side *a, const struct side *b)
{
	return strcmp(a->threads, b->threads) == 0 && a->line == b->line &&
	       strcmp(a->function, b->function) == 0 &&
	       strcmp(a->file ? a->file : "", b->file ? b->file : "") == 0;
}

/* Reads n numbers, each of them a word; false if one is none. */
static bool take_words(char *const *words, uint64_t *const *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = words[i];

		if (!take(&at, values[i], "") || *at != '\0')
			return false;
	}
	return true;
}

/* "counter+8", "/home/ann/prog", "mutex", "80000", ... */
static bool read_lock(struct lock *lock, uint64_t *instructions, char *value)
{
	char *words[N_LOCK_FIELDS];
	uint64_t *const values[] = { &lock->n_taken, &lock->n_changes, &lock->n_found_taken,
				     &lock->held,    &lock->longest,   instructions };

	if (!cut(value, words, N_LOCK_FIELDS))
		return false;
	lock->name = words[0];
	lock->group = words[1];
	lock->kind = words[2];
	return take_words(words + 3, values, sizeof(values) / sizeof(values[0]));
}

/* "/home/ann/a.c:5", "work", "80000", ... */
static bool read_lock_place(struct lock *place, char *value)
{
	char *words[N_LOCK_SITE_FIELDS];
	uint64_t *const values[] = { &place->n_taken, &place->held, &place->longest };

	if (!cut(value, words, N_LOCK_SITE_FIELDS))
		return false;
	place->name = words[1];
	return read_place(words[0], &place->group, &place->line) &&
	       take_words(words + 2, values, sizeof(values) / sizeof(values[0]));
}

/* Adds a lock or a place to the others, or to the same one of an earlier part; returns its index. */
static size_t add_lock(struct locks *locks, const struct lock *lock)
{
	for (size_t i = 0; i < locks->n; i++) {
		struct lock *same = &locks->all[i];

		if ((lock->kind ? strcmp(same->kind, lock->kind) != 0
				: same->number != lock->number) ||
		    same->line != lock->line || strcmp(same->name, lock->name) != 0 ||
		    strcmp(same->group ? same->group : "", lock->group ? lock->group : "") != 0)
			continue;
		same->n_taken += lock->n_taken;
		same->n_changes += lock->n_changes;
		same->n_found_taken += lock->n_found_taken;
		same->held += lock->held;
		same->longest = same->longest > lock->longest ? same->longest : lock->longest;
		return i;
	}
	locks->all = heap_grow(locks->all, &locks->capacity, locks->n + 1, sizeof(*locks->all));
	locks->all[locks->n] = *lock;
	if (lock->kind)
		locks->all[locks->n].number = locks->n;
	return locks->n++;
}

/* Most instructions first. */
static int compare_locks(const void *left, const void *right)
{
	const struct lock *a = left, *b = right;

	if (a->held != b->held)
		return a->held > b->held ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* By lock. */
static int compare_places(const void *left, const void *right)
{
	const struct lock *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return compare_locks(left, right);
}

/* The same pair of an earlier part, or NULL. */
static struct shared *find_same(const struct sharing *sharing, const struct shared *shared)
{
	for (size_t i = 0; i < sharing->n; i++) {
		struct shared *same = &sharing->all[i];

		if (strcmp(same->object, shared->object) == 0 &&
		    strcmp(same->group, shared->group) == 0 &&
		    is_same_side(&same->sides[0], &shared->sides[0]) &&
		    is_same_side(&same->sides[1], &shared->sides[1]))
			return same;
	}
	return NULL;
}

/* Has a side use the bytes of another one, too. */
static void widen(struct side *side, const struct side *by)
{
	side->first = side->first < by->first ? side->first : by->first;
	side->last = side->last > by->last ? side->last : by->last;
	side->width = side->width > by->width ? side->width : by->width;
	if (strcmp(side->access, by->access) != 0)
		side->access = "rw";
}

static void add_shared(struct sharing *sharing, const struct shared *shared)
{
	struct shared *same = find_same(sharing, shared);

	if (same) {
		same->n_false += shared->n_false;
		same->n_true += shared->n_true;
		same->once_false += shared->once_false;
		same->once_true += shared->once_true;
		same->n_lines = same->n_lines > shared->n_lines ? same->n_lines : shared->n_lines;
		for (unsigned i = 0; i < 2; i++)
			widen(&same->sides[i], &shared->sides[i]);
		return;
	}
	sharing->all =
		heap_grow(sharing->all, &sharing->capacity, sharing->n + 1, sizeof(*sharing->all));
	sharing->all[sharing->n++] = *shared;
}

static uint64_t transfers_of(const struct shared *shared)
{
	return shared->n_false + shared->n_true;
}

/* Most transfers and references at once first. */
static int compare(const void *left, const void *right)
{
	const struct shared *a = left, *b = right;
	const uint64_t of_a = transfers_of(a) + a->once_false + a->once_true;
	const uint64_t of_b = transfers_of(b) + b->once_false + b->once_true;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return strcmp(a->object, b->object);
}

static uint64_t total_of(const struct model *model, const char *event)
{
	const size_t i = model_event(model, event);
	uint64_t sum = 0;

	for (size_t part = 0; i < model->n_events && part < model->n_parts; part++)
		if (model->parts[part].summary)
			sum += model->parts[part].summary[i];
	return sum;
}

/*
 * Reads a desc line, if it is one of these; *lock is the number of the last lock, or SIZE_MAX, and *instructions what all threads
 * executed.  False if the line has another form.
 */
static bool read_line(struct sharing *sharing, const struct part_desc *desc, size_t *lock,
		      uint64_t *instructions, struct arena *arena)
{
	char *value = arena_copy(arena, desc->value, strlen(desc->value));

	if (strcmp(desc->type, SHARED_DESC) == 0) {
		struct shared shared;

		if (!read_shared(&shared, value))
			return false;
		add_shared(sharing, &shared);
	} else if (strcmp(desc->type, LOCK_DESC) == 0) {
		struct lock read = { .line = 0 };

		if (!read_lock(&read, instructions, value))
			return false;
		*lock = add_lock(&sharing->locks, &read);
	} else if (strcmp(desc->type, LOCK_SITE_DESC) == 0) {
		struct lock read = { .number = *lock };

		if (*lock == SIZE_MAX || !read_lock_place(&read, value))
			return false;
		add_lock(&sharing->places, &read);
	}
	return true;
}

/* Finds what the parts of a data profile say.  Returns an exit code. */
static int read_sharing(struct sharing *sharing, const struct model *model, struct arena *arena)
{
	const char *line = model_desc(model, "D1 line");

	sharing->line_size = line ? strtoull(line, NULL, 10) : USUAL_LINE;
	sharing->n_false = total_of(model, "DshF");
	sharing->n_true = total_of(model, "DshT");
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		size_t lock = SIZE_MAX;
		uint64_t instructions = 0;

		for (size_t k = 0; k < part->header.n_descs; k++) {
			const struct part_desc *desc = &part->header.descs[k];

			if (read_line(sharing, desc, &lock, &instructions, arena))
				continue;
			complain(command,
				 "%s: expected the form of docs/FORMAT.md, found \"desc: %s: %s\"",
				 part->file ? part->file : "???", desc->type, desc->value);
			return EXIT_FAILED;
		}
		sharing->instructions += instructions;
	}
	if (sharing->locks.n > 0)
		qsort(sharing->locks.all, sharing->locks.n, sizeof(struct lock), compare_locks);
	if (sharing->places.n > 0)
		qsort(sharing->places.all, sharing->places.n, sizeof(struct lock), compare_places);
	if (sharing->n > 0)
		qsort(sharing->all, sharing->n, sizeof(*sharing->all), compare);
	return EXIT_FINE;
}

/* -- the view ------------------------------------------------------------------------------------ */

static const struct document_column side_columns[] = {
	{ .key = "first" },   { .key = "last" }, { .key = "access" }, { .key = "width" },
	{ .key = "threads" }, { .key = "file" }, { .key = "line" },   { .key = "function" },
};

static void put_side_values(struct document *document, void *ctx, size_t i)
{
	const struct side *side = &((const struct shared *)ctx)->sides[i];

	document_cell(document, cell_count((int128)side->first));
	document_cell(document, cell_count((int128)side->last));
	document_cell(document, cell_string(side->access));
	document_cell(document, cell_count((int128)side->width));
	document_cell(document, cell_string(side->threads));
	document_cell(document, cell_string(side->file));
	document_cell(document, cell_count((int128)side->line));
	document_cell(document, cell_string(side->function));
}

/* "count, cores.c:51", without the latter if no file is known. */
static void put_place(struct document *document, const char *function, const char *file,
		      uint64_t line)
{
	const char *slash = file ? strrchr(file, '/') : NULL;

	document_name(document, function);
	if (!file)
		return;
	document_prose(document, ", ");
	document_words(document, slash ? slash + 1 : file);
	document_prose(document, ":%" PRIu64, line);
}

/* "  [/home/ann/prog]" */
static void put_group(struct document *document, const char *group)
{
	document_prose(document, "  [");
	document_words(document, group);
	document_prose(document, "]");
}

/* "  - bytes 0-31 written, 8 by each thread: count, cores.c:51, threads 2-5" */
static void put_side(struct document *document, const struct side *side)
{
	document_prose(document, "  - bytes %" PRIu64 "-%" PRIu64 " %s", side->first, side->last,
		       strcmp(side->access, "r") == 0   ? "read"
		       : strcmp(side->access, "w") == 0 ? "written"
							: "read and written");
	if (side->width < side->last - side->first + 1)
		document_prose(document, ", %" PRIu64 " by each thread", side->width);
	document_prose(document, ": ");
	put_place(document, side->function, side->file, side->line);
	document_prose(document, ", threads %s\n", side->threads);
}

static void put_name(struct document *document, const struct shared *shared)
{
	document_name(document, shared->object);
	if (shared->offset < 0)
		document_prose(document, " and what is before it");
	else
		document_prose(document, " + %" PRId64, shared->offset);
	put_group(document, shared->group);
}

/* "count cores.c:51", for CSV; cut to fit. */
static const char *place_text(char text[PLACE_TEXT], const struct side *side)
{
	snprintf(text, PLACE_TEXT, "%s %s:%" PRIu64, side->function,
		 side->file ? side->file : "???", side->line);
	return text;
}

static const char *advice(const struct shared *shared)
{
	const uint64_t n_false = shared->n_false + shared->once_false;
	const uint64_t n_true = shared->n_true + shared->once_true;

	if (n_false == 0 && n_true == 0)
		return NULL;
	if (n_false > n_true)
		return "give each thread lines of its own: align and pad to a line, or count in a local "
		       "variable and add up at the end";
	return "threads use the same bytes: keep a copy for each thread and merge at the end, or hand over "
	       "more at a time";
}

static void put_details(struct document *document, void *ctx, size_t i)
{
	struct sharing *sharing = ctx;
	struct shared *shared = &sharing->all[i];
	const struct document_view sides = {
		.table = { .key = "sides",
			   .columns = side_columns,
			   .n = sizeof(side_columns) / sizeof(side_columns[0]) },
		.n_rows = 2,
		.put_row = put_side_values,
		.ctx = shared,
	};

	document_view(document, &sides);
	document_prose(document, "\n%zu. ", i + 1);
	put_name(document, shared);
	document_prose(document, "\n");
	put_side(document, &shared->sides[0]);
	if (!is_same_side(&shared->sides[0], &shared->sides[1]))
		put_side(document, &shared->sides[1]);
	if (advice(shared))
		document_prose(document, "  - Do: %s.\n", advice(shared));
}

static const struct document_column columns[] = {
	{ .key = "false", .field = "false" },
	{ .key = "true", .field = "true" },
	{ .key = "at_once_false", .field = "at_once_false" },
	{ .key = "at_once_true", .field = "at_once_true" },
	{ .title = "moved" },
	{ .title = "false" },
	{ .title = "at once" },
	{ .title = "lines", .key = "lines", .field = "lines" },
	{ .key = "offset", .field = "offset" },
	{ .key = "file", .field = "file" },
	{ .field = "place_1" },
	{ .field = "place_2" },
	{ .title = "of", .key = "object", .field = "object" },
};

static void put_row(struct document *document, void *ctx, size_t i)
{
	const struct shared *shared = &((const struct sharing *)ctx)->all[i];
	const int128 once = (int128)shared->once_false + (int128)shared->once_true;
	const int128 moved = (int128)transfers_of(shared);
	char places[2][PLACE_TEXT];

	document_cell(document, cell_count((int128)shared->n_false));
	document_cell(document, cell_count((int128)shared->n_true));
	document_cell(document, cell_count((int128)shared->once_false));
	document_cell(document, cell_count((int128)shared->once_true));
	document_cell(document, cell_count(moved));
	document_cell(document, moved != 0 ? cell_share((int128)shared->n_false, moved)
					   : cell_share((int128)shared->once_false, once));
	document_cell(document, cell_count(once));
	document_cell(document, cell_count((int128)shared->n_lines));
	document_cell(document, cell_count((int128)shared->offset));
	document_cell(document, cell_string(shared->group));
	for (unsigned k = 0; k < 2; k++)
		document_cell(document, cell_string(place_text(places[k], &shared->sides[k])));
	document_begin_words(document, cell_string(shared->object));
	put_name(document, shared);
	document_end_words(document);
}

/* -- locks --------------------------------------------------------------------------------------- */

static const struct document_column place_columns[] = {
	{ .key = "file" },  { .key = "line" }, { .key = "function" },
	{ .key = "taken" }, { .key = "held" }, { .key = "longest" },
};

/* The places of a lock: n, from the first one on. */
struct lock_places {
	const struct lock *first;
	size_t n;
};

static void put_place_values(struct document *document, void *ctx, size_t i)
{
	const struct lock_places *places = ctx;
	const struct lock *place = &places->first[i];

	document_cell(document, cell_string(place->group));
	document_cell(document, cell_count((int128)place->line));
	document_cell(document, cell_string(place->name));
	document_cell(document, cell_count((int128)place->n_taken));
	document_cell(document, cell_count((int128)place->held));
	document_cell(document, cell_count((int128)place->longest));
}

static void put_lock_place(struct document *document, const struct lock *lock,
			   const struct lock *place)
{
	document_prose(document, "  - %.1f %% of these instructions, in %" PRIu64 " holds: ",
		       lock->held > 0 ? 100.0 * (double)place->held / (double)lock->held : 0.0,
		       place->n_taken);
	put_place(document, place->name, place->group, place->line);
	document_prose(document, "\n");
}

static struct lock_places places_of(const struct sharing *sharing, const struct lock *lock)
{
	struct lock_places places = { sharing->places.all, 0 };
	size_t i = 0;

	while (i < sharing->places.n && sharing->places.all[i].number != lock->number)
		i++;
	places.first += i;
	while (i + places.n < sharing->places.n &&
	       sharing->places.all[i + places.n].number == lock->number)
		places.n++;
	return places;
}

/*
 * How many times as fast the threads can become together if nothing but this lock keeps them from running at the same time
 * (Amdahl, 1967); 0: that is not known.  Readers of a rwlock run at the same time.
 */
static double bound_of(const struct sharing *sharing, const struct lock *lock)
{
	return lock->held > 0 && strcmp(lock->kind, "rwlock") != 0
		       ? (double)sharing->instructions / (double)lock->held
		       : 0.0;
}

static void put_lock_details(struct document *document, void *ctx, size_t i)
{
	const struct sharing *sharing = ctx;
	const struct lock *lock = &sharing->locks.all[i];
	struct lock_places places = places_of(sharing, lock);
	const struct document_view view = {
		.table = { .key = "places",
			   .columns = place_columns,
			   .n = sizeof(place_columns) / sizeof(place_columns[0]) },
		.n_rows = places.n,
		.put_row = put_place_values,
		.ctx = &places,
	};

	document_view(document, &view);
	document_prose(document, "\n");
	document_name(document, lock->name);
	if (bound_of(sharing, lock) > 0)
		document_prose(document,
			       ": at most %.3g times as fast as one thread, by any number of cores",
			       bound_of(sharing, lock));
	document_prose(document, "\n");
	for (size_t k = 0; k < places.n; k++)
		put_lock_place(document, lock, &places.first[k]);
}

static const struct document_column lock_columns[] = {
	{ .title = "held", .key = "share" },
	{ .key = "held", .field = "held" },
	{ .key = "instructions", .field = "instructions" },
	{ .title = "taken", .key = "taken", .field = "taken" },
	{ .title = "by another", .key = "changes", .field = "changes" },
	{ .title = "found taken", .key = "found_taken", .field = "found_taken" },
	{ .title = "longest", .key = "longest", .field = "longest" },
	{ .title = "", .key = "kind", .field = "kind", .is_left = true },
	{ .key = "file", .field = "file" },
	{ .title = "lock", .key = "object", .field = "object" },
};

static void put_lock(struct document *document, void *ctx, size_t i)
{
	const struct sharing *sharing = ctx;
	const struct lock *lock = &sharing->locks.all[i];

	document_cell(document, cell_share((int128)lock->held, (int128)sharing->instructions));
	document_cell(document, cell_count((int128)lock->held));
	document_cell(document, cell_count((int128)sharing->instructions));
	document_cell(document, cell_count((int128)lock->n_taken));
	document_cell(document, cell_count((int128)lock->n_changes));
	document_cell(document, cell_count((int128)lock->n_found_taken));
	document_cell(document, cell_count((int128)lock->longest));
	document_cell(document, cell_string(lock->kind));
	document_cell(document, cell_string(lock->group));
	document_begin_words(document, cell_string(lock->name));
	document_name(document, lock->name);
	put_group(document, lock->group);
	document_end_words(document);
}

/* People see locks under which a thousandth of all instructions ran, or more. */
static bool lock_is_shown(void *ctx, size_t i)
{
	const struct sharing *sharing = ctx;
	const struct lock *lock = &sharing->locks.all[i];

	return i < sharing->most && (double)lock->held * 1000.0 >= (double)sharing->instructions;
}

/* -- both ---------------------------------------------------------------------------------------- */

static bool is_shown(void *ctx, size_t i)
{
	const struct sharing *sharing = ctx;

	return i < sharing->most;
}

static void put(struct document *document, void *ctx)
{
	const struct sharing *sharing = ctx;
	const uint64_t all = sharing->n_false + sharing->n_true;
	const struct document_view lines = {
		.table = { .key = "shared",
			   .record = "shared",
			   .columns = columns,
			   .n = sizeof(columns) / sizeof(columns[0]) },
		.n_rows = sharing->n,
		.put_row = put_row,
		.is_shown = document_is_prose(document) ? is_shown : NULL,
		.put_details = put_details,
		.ctx = ctx,
	};
	const struct document_view locks = {
		.table = { .key = "locks",
			   .record = "lock",
			   .columns = lock_columns,
			   .n = sizeof(lock_columns) / sizeof(lock_columns[0]) },
		.n_rows = sharing->locks.n,
		.put_row = put_lock,
		.is_shown = document_is_prose(document) ? lock_is_shown : NULL,
		.put_details = put_lock_details,
		.ctx = ctx,
	};
	char text[INT128_TEXT];

	document_value(document, "false", cell_count((int128)sharing->n_false));
	document_value(document, "true", cell_count((int128)sharing->n_true));
	document_value(document, "line_size", cell_count((int128)sharing->line_size));
	int128_print(text, (int128)all, true);
	if (all == 0)
		document_prose(document, "No line moved between cores.\n");
	else
		document_prose(
			document,
			"%s times a line moved between cores, %.1f %% of them by false sharing: threads "
			"use different bytes of a line of %" PRIu64 ".\n\n",
			text, 100.0 * (double)sharing->n_false / (double)all, sharing->line_size);
	document_view(document, &lines);
	if (sharing->locks.n > 0)
		document_prose(document,
			       "\nLocks, by the share of all instructions that ran while they were "
			       "held; how often they were found taken depends on turns:\n\n");
	document_view(document, &locks);
}

/* -- the command --------------------------------------------------------------------------------- */

static const char *const fields[] = {
	"record",  "false",       "true",    "at_once_false", "at_once_true", "lines",
	"offset",  "place_1",     "place_2", "held",          "instructions", "taken",
	"changes", "found_taken", "longest", "kind",          "file",         "object",
};

static int show(struct sharing_command *sharing, const struct model *model)
{
	struct sharing shown = { .most = sharing->most };
	const struct view_command_view view = { fields, sizeof(fields) / sizeof(fields[0]), put,
						NULL, &shown };
	struct arena arena;
	int code;

	arena_init(&arena);
	code = read_sharing(&shown, model, &arena);
	if (code == EXIT_FINE)
		code = view_command_print(&sharing->view, &view);
	free(shown.all);
	free(shown.locks.all);
	free(shown.places.all);
	arena_release(&arena);
	return code;
}

/* A profile names its data profile, which has what is to be shown. */
static int show_file(struct sharing_command *sharing, const char *path)
{
	struct model model, data;
	bool is_there = false;
	int code = view_command_read(&sharing->view, &model, &path, 1);

	model_init(&data);
	if (code == EXIT_FINE)
		code = datafile_read(&data, &is_there, &model, path, &sharing->view.loading,
				     command);
	if (code == EXIT_FINE) {
		const struct model *shown = is_there ? &data : &model;

		if (model_event(shown, "DshF") == shown->n_events ||
		    (!is_there && !model_desc(&model, "Data of"))) {
			complain(
				command,
				"%s: expected lines that threads share (event DshF of a data profile), found "
				"none: they are recorded with --sharing=yes",
				path);
			code = EXIT_FAILED;
		} else {
			code = show(sharing, shown);
		}
	}
	model_release(&data);
	model_release(&model);
	return code;
}

int sharing_main(int argc, char **argv)
{
	struct sharing_command sharing = { .most = DEFAULT_TOP };
	int n = 0, code;

	(void)argc;
	view_command_init(&sharing.view, command);
	code = options_read(sharing_options, &sharing.view.common, argv, &n, &sharing);
	if (code == OPTIONS_GO_ON && n != 1) {
		complain(command, "expected one profile, found %d, try 'costgrind help sharing'",
			 n);
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON)
		code = show_file(&sharing, argv[1]);
	view_command_release(&sharing.view);
	return code;
}
