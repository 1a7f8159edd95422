/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines threads fight over (--sharing=yes), once there are several.  Every reference to data is noted, with the bytes
 * that it reads or writes.
 *
 * A *tenure* of a thread begins when its reference has another core give up or pass on the line.  What the thread has done
 * to the line in this tenure and in the one before is compared with what the thread on another core that used it last has done in
 * its current one: a transfer is *true* if one of them has written bytes that the other one used, else *false*.
 *
 * Turns of threads are much longer than in reality.  So references *at once* are counted, too, in virtual time: each thread's
 * clock is its own instructions, from when its creator had that many.  What threads do to a line in the same slice of
 * SLICE instructions counts as done at once, and of two threads the smaller number of references, if one of them writes.  That
 * does not depend on who runs when.
 */
#include "tool/data/state.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/numbers.h"
#include "tool/counts/context.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/state.h"

enum {
	SLICE = 10000, /* instructions: as in docs/THREADS.md */
	RECENT_SLICES = 4,
	RECENT_LINE_BITS = 12, /* log2 of the lines that are found at once */
};

/* What a thread has done to a line in a slice. */
struct slice_use {
	ULong slice; /* + 1; 0: none */
	ULong n;     /* references */
	struct byte_use use;
};

/* A thread that has used a line. */
struct line_user {
	UInt serial; /* of the thread */
	UInt thread; /* its number */
	UInt core;
	const struct site *site; /* of its last reference */
	const struct context *context;
	ULong when;                  /* that was, in references that were noted */
	ULong wrote;                 /* when it last wrote to the line */
	ULong began;                 /* when its last tenure did by a transfer */
	struct byte_use before, now; /* in the tenure before, and in this one */
	struct slice_use slices[RECENT_SLICES];
};

struct used_line {
	struct used_line *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord line;             /* its address */
	UInt n;
	struct line_user *users;
};

static struct byte_use use_add(struct byte_use a, struct byte_use b)
{
	return (struct byte_use){ a.read | b.read, a.written | b.written };
}

/* True if one of them writes what the other one uses. */
static Bool overlap(struct byte_use a, struct byte_use b)
{
	return ((a.read | a.written) & b.written) != 0 || (a.written & b.read) != 0;
}

/* --- lines ------------------------------------------------------------------------------- */

static UWord bytes_of_line(void)
{
	return 1UL << tool_simulate.machine->d1.line_bits;
}

/* The bytes first .. last of a line; a bit is one byte or, of lines of more than 64, several. */
static ULong byte_mask(UWord first, UWord last)
{
	const UWord bytes = bytes_of_line() <= 64 ? 1 : bytes_of_line() / 64;

	first /= bytes;
	last /= bytes;
	return (~0UL >> (63 - (last - first))) << first;
}

static struct used_line *find_line(UWord line)
{
	struct sharing *sharing = &tool_data.sharing;
	struct used_line **recent =
		&sharing->recent[line * 0x9e3779b97f4a7c15UL >> (64 - RECENT_LINE_BITS)];

	if (*recent != NULL && (*recent)->line == line)
		return *recent;
	*recent = VG_(HT_lookup)(sharing->lines, line);
	if (*recent == NULL) {
		*recent = VG_(calloc)("costgrind.used_line", 1, sizeof(**recent));
		(*recent)->line = line;
		VG_(HT_add_node)(sharing->lines, *recent);
	}
	return *recent;
}

static void free_line(void *node)
{
	struct used_line *line = node;

	if (line->users != NULL)
		VG_(free)(line->users);
	VG_(free)(line);
}

static void forget_recent(void)
{
	VG_(memset)(tool_data.sharing.recent, 0,
		    (1UL << RECENT_LINE_BITS) * sizeof(tool_data.sharing.recent[0]));
}

static void use_forget(struct byte_use *use, ULong mask)
{
	use->read &= ~mask;
	use->written &= ~mask;
}

/* Forgets what was done to the bytes of a line from start, size of them, which may reach beyond it. */
static void forget_bytes(struct used_line *line, Addr start, SizeT size)
{
	const Addr end = line->line + bytes_of_line() - 1, last = start + (size - 1);
	const UWord first = start < line->line ? 0 : start - line->line;
	const ULong mask = byte_mask(first, (last < end ? last : end) - line->line);

	for (UInt i = 0; i < line->n; i++) {
		struct line_user *user = &line->users[i];

		use_forget(&user->before, mask);
		use_forget(&user->now, mask);
		for (UInt slice = 0; slice < RECENT_SLICES; slice++)
			use_forget(&user->slices[slice].use, mask);
	}
}

/* A line may have other blocks, too: what was done to them is kept. */
void sharing_forget(Addr start, SizeT size)
{
	struct sharing *sharing = &tool_data.sharing;
	Addr line;

	if (sharing->lines == NULL || VG_(HT_count_nodes)(sharing->lines) == 0 || size == 0)
		return;
	if (size / bytes_of_line() > VG_(HT_count_nodes)(sharing->lines)) {
		struct used_line *used;

		VG_(HT_ResetIter)(sharing->lines);
		while ((used = VG_(HT_Next)(sharing->lines)) != NULL) {
			if (used->line + bytes_of_line() - 1 >= start &&
			    used->line <= start + (size - 1))
				forget_bytes(used, start, size);
		}
		return;
	}
	for (line = start & ~(bytes_of_line() - 1); line - start < size || line <= start;
	     line += bytes_of_line()) {
		struct used_line *used = VG_(HT_lookup)(sharing->lines, line);

		if (used != NULL)
			forget_bytes(used, start, size);
	}
}

void sharing_fork(void)
{
	struct sharing *sharing = &tool_data.sharing;

	if (sharing->lines == NULL)
		return;
	VG_(HT_destruct)(sharing->lines, free_line);
	sharing->lines = VG_(HT_construct)("costgrind.used_lines");
	forget_recent();
}

static struct line_user *find_user(struct used_line *line, const struct thread *thread)
{
	struct line_user *user;

	for (UInt i = 0; i < line->n; i++)
		if (line->users[i].serial == thread->serial)
			return &line->users[i];
	line->users = VG_(realloc)("costgrind.line_users", line->users,
				   (line->n + 1) * sizeof(*line->users));
	user = &line->users[line->n++];
	VG_(memset)(user, 0, sizeof(*user));
	user->serial = thread->serial;
	user->thread = thread->number;
	return user;
}

/* The thread on another core that used the line last, or NULL. */
static const struct line_user *find_rival(const struct used_line *line, UInt core)
{
	const struct line_user *rival = NULL;

	for (UInt i = 0; i < line->n; i++)
		if (line->users[i].core != core && line->users[i].when != 0 &&
		    (rival == NULL || line->users[i].when > rival->when))
			rival = &line->users[i];
	return rival;
}

/* True if a thread on another core has used the line since one on this core did, or, if writes, wrote to it. */
static Bool is_wanted(const struct used_line *line, UInt core, Bool writes)
{
	const struct line_user *rival = find_rival(line, core);

	for (UInt i = 0; i < line->n && rival != NULL; i++)
		if (line->users[i].core == core &&
		    (writes ? line->users[i].wrote : line->users[i].when) > rival->when)
			return False;
	return rival != NULL;
}

/* True if the line came to the core, by another thread on it, after the user's last reference. */
static Bool came_since(const struct used_line *line, const struct line_user *user, UInt core)
{
	for (UInt i = 0; i < line->n; i++)
		if (line->users[i].core == core && line->users[i].began > user->when)
			return True;
	return False;
}

/* --- pairs ------------------------------------------------------------------------------- */

static Word compare_pairs(const void *a, const void *b)
{
	const struct sharing_pair *left = a, *right = b;

	return left->object != right->object || left->line != right->line ||
	       left->sides[0].site != right->sides[0].site ||
	       left->sides[1].site != right->sides[1].site ||
	       left->sides[0].context != right->sides[0].context ||
	       left->sides[1].context != right->sides[1].context;
}

static void add_to_side(struct sharing_side *side, const struct line_user *user)
{
	const struct byte_use all = use_add(user->before, user->now);
	const UInt width = (UInt)__builtin_popcountll(all.read | all.written);

	side->threads |= 1UL << (user->thread & 63);
	side->use = use_add(side->use, all);
	if (width > side->width)
		side->width = width;
}

/* Of a user and its rival, on an object whose line begins at that offset. */
static struct sharing_pair *find_pair(const struct line_user *user, const struct line_user *rival,
				      struct data_object *object, PtrdiffT line)
{
	const Bool is_first = user->site->address != rival->site->address
				      ? user->site->address < rival->site->address
				      : user->serial < rival->serial;
	const struct line_user *sides[2] = { is_first ? user : rival, is_first ? rival : user };
	struct sharing_pair wanted = { .object = object, .line = line };
	struct sharing_pair *pair;

	for (UInt i = 0; i < 2; i++) {
		wanted.sides[i].site = sides[i]->site;
		wanted.sides[i].context = sides[i]->context;
	}
	wanted.key = ((UWord)object >> 4) * 31 + (UWord)line * 7 +
		     ((UWord)wanted.sides[0].site >> 3) * 3 + ((UWord)wanted.sides[1].site >> 3);
	pair = VG_(HT_gen_lookup)(tool_data.sharing.pairs, &wanted, compare_pairs);
	if (pair == NULL) {
		pair = VG_(malloc)("costgrind.sharing_pair", sizeof(*pair));
		*pair = wanted;
		VG_(HT_add_node)(tool_data.sharing.pairs, pair);
	}
	for (UInt i = 0; i < 2; i++)
		add_to_side(&pair->sides[i], sides[i]);
	return pair;
}

/* --- references -------------------------------------------------------------------------- */

/* The clock of the running thread, in its own instructions. */
static ULong clock_now(const struct thread *thread)
{
	const struct sharing *sharing = &tool_data.sharing;
	const ULong began = thread->number < sharing->n_clocks ? sharing->clocks[thread->number]
							       : 0;

	return began + tool_counts.hot->totals[EVENT_IR];
}

void sharing_create_thread(UInt child)
{
	struct sharing *sharing = &tool_data.sharing;
	const struct thread *parent = tool_calls.threads.running;
	ULong now;

	if (!sharing->is_on)
		return;
	now = parent == NULL ? 0 : clock_now(parent);
	if (child >= sharing->n_clocks) {
		sharing->clocks = VG_(realloc)("costgrind.clocks", sharing->clocks,
					       (child + 16) * sizeof(sharing->clocks[0]));
		VG_(memset)(sharing->clocks + sharing->n_clocks, 0,
			    (child + 16 - sharing->n_clocks) * sizeof(sharing->clocks[0]));
		sharing->n_clocks = child + 16;
	}
	/* An earlier thread of this number may have left its instructions. */
	sharing->clocks[child] = now - threads_hot(child)->totals[EVENT_IR];
}

/* Adds a reference to the slice that a thread is in; returns that. */
static const struct slice_use *add_to_slice(struct line_user *user, ULong slice,
					    struct byte_use use)
{
	struct slice_use *at = &user->slices[slice % RECENT_SLICES];

	if (at->slice != slice + 1)
		*at = (struct slice_use){ .slice = slice + 1 };
	at->n++;
	at->use = use_add(at->use, use);
	return at;
}

/* A thread on another core that did at least as much to the line in the same slice, if one of the two wrote; or NULL. */
static const struct line_user *find_at_once(const struct used_line *line,
					    const struct line_user *user,
					    const struct slice_use *own, enum sharing_kind *kind)
{
	for (UInt i = 0; i < line->n; i++) {
		const struct line_user *other = &line->users[i];
		const struct slice_use *its = &other->slices[(own->slice - 1) % RECENT_SLICES];

		if (other->core == user->core || its->slice != own->slice || its->n < own->n ||
		    (its->use.written | own->use.written) == 0)
			continue;
		*kind = overlap(its->use, own->use) ? SHARING_TRUE : SHARING_FALSE;
		return other;
	}
	return NULL;
}

/* Notes what is done to a line; its user's references are up to date.  Returns the kind of the transfer, if it is one. */
static enum sharing_kind note_line(const struct miss *reference, UWord at, struct byte_use use,
				   Bool is_moved)
{
	const struct thread *thread = tool_calls.threads.running;
	struct used_line *line = find_line(at);
	struct line_user *user = find_user(line, thread);
	const UInt core = tool_simulate.running->core;
	const ULong slice = clock_now(thread) / SLICE;
	const struct line_user *rival = is_moved ? find_rival(line, core) : NULL;
	/* An upgrade after its own read goes on with the tenure that the read began. */
	const Bool is_transfer = rival != NULL && rival->when > user->when;
	const Bool begins = is_transfer || came_since(line, user, core);
	enum sharing_kind kind = SHARING_NONE, kind_at_once = SHARING_NONE;
	const struct line_user *at_once;
	const struct slice_use *own;

	user->core = core;
	user->site = reference->site;
	user->context = reference->context;
	user->when = ++tool_data.sharing.n_noted;
	if (use.written != 0)
		user->wrote = user->when;
	if (is_transfer)
		user->began = user->when;
	own = add_to_slice(user, slice, use);
	at_once = line->n > 1 ? find_at_once(line, user, own, &kind_at_once) : NULL;
	if (begins) {
		user->before = user->now;
		user->now = (struct byte_use){ 0, 0 };
	}
	user->now = use_add(user->now, use);
	if (rival != NULL)
		kind = overlap(use_add(user->before, user->now), rival->now) ? SHARING_TRUE
									     : SHARING_FALSE;
	if (rival != NULL || at_once != NULL) {
		PtrdiffT offset;
		struct data_object *object = data_object_of(reference, &offset);

		offset -= (PtrdiffT)(reference->address - at);
		if (rival != NULL)
			find_pair(user, rival, object, offset)->n[kind]++;
		if (at_once != NULL)
			find_pair(user, at_once, object, offset)->n_at_once[kind_at_once]++;
	}
	return kind;
}

/* Which of the lines first .. last, if there are several, has moved, as it seems: one that another core has used since. */
static UWord find_moved(UWord first, UWord last, Bool writes)
{
	const UWord size = bytes_of_line();

	for (UWord line = first; line < last; line += size)
		if (is_wanted(find_line(line), tool_simulate.running->core, writes))
			return line;
	return last;
}

/* What a reference to data did, after it was made; is_moved: lines came from, or were taken from, other cores. */
static enum sharing_kind note_reference(const struct miss *reference, Bool writes, Bool is_moved)
{
	const UWord size = bytes_of_line();
	const Addr first = reference->address, last = first + reference->size - 1;
	const struct miss by = *reference;
	const UWord moved = is_moved ? find_moved(first & ~(size - 1), last & ~(size - 1), writes)
				     : 0;
	enum sharing_kind kind = SHARING_NONE;

	for (UWord line = first & ~(size - 1); line <= last; line += size) {
		const ULong mask = byte_mask(line < first ? first - line : 0,
					     last - line < size ? last - line : size - 1);
		const struct byte_use use = {
			reference->kind == REFERENCE_READ ? mask : 0,
			writes ? mask : 0,
		};
		const enum sharing_kind of_line =
			note_line(&by, line, use, is_moved && line == moved);

		if (of_line != SHARING_NONE)
			kind = of_line;
		if (line + size < line)
			break;
	}
	/* Nobody is known to have used it: what was written before there were several threads, or by one that is over. */
	if (is_moved && kind == SHARING_NONE)
		kind = SHARING_TRUE;
	if (kind != SHARING_NONE)
		data_note_transfer(reference, kind);
	return kind;
}

void sharing_start(void)
{
	struct sharing *sharing = &tool_data.sharing;

	sharing->is_on = True;
	sharing->lines = VG_(HT_construct)("costgrind.used_lines");
	sharing->pairs = VG_(HT_construct)("costgrind.sharing_pairs");
	sharing->recent = VG_(calloc)("costgrind.recent_lines", 1UL << RECENT_LINE_BITS,
				      sizeof(sharing->recent[0]));
	tool_simulate.note_sharing = note_reference;
}

void sharing_zero(void)
{
	struct sharing *sharing = &tool_data.sharing;

	if (sharing->pairs == NULL)
		return;
	VG_(HT_destruct)(sharing->pairs, VG_(free));
	sharing->pairs = VG_(HT_construct)("costgrind.sharing_pairs");
}
