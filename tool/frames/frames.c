/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/frames/frames.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/calls.h"
#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/counts/block.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"
#include "tool/symbols/builds.h"
#include "tool/symbols/elfimage.h"
#include "tool/symbols/symbol.h"

/* All readers. */
static const struct frame_reader *const readers[] = { &cpython };

enum {
	N_READERS = sizeof(readers) / sizeof(readers[0]),
};

/* Code that is or was at an address, and its function. */
struct frame_code {
	struct frame_code *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;               /* address */
	struct code_identity identity;
	struct function *function;
};

void frames_init(void)
{
	if (tool_frames.options.python)
		tool_frames.loops.codes = VG_(HT_construct)("costgrind.frames");
}

/* -- loops --------------------------------------------------------------------- */

static Bool is_loop_of(const struct frame_reader *reader, const struct function *function)
{
	return VG_(strcmp)(function->name->chars, reader->loop) == 0;
}

static Bool is_refused(const struct function *function)
{
	for (UInt i = 0; i < tool_frames.loops.n_refused; i++)
		if (tool_frames.loops.refused[i] == function->body)
			return True;
	return tool_frames.loops.n_refused == MAX_LOOPS;
}

static void refuse(const struct function *function, const HChar *why)
{
	tool_frames.loops.refused[tool_frames.loops.n_refused++] = function->body;
	message_error("--python=yes: %s is %s: its functions are not told apart",
		      function->object->chars, why);
}

/* The loop of a function of that name, if there is a reader for it. */
static struct frame_loop *add_loop(const struct function *function, Addr address)
{
	struct frame_loops *loops = &tool_frames.loops;
	struct frame_loop *loop = &loops->loops[loops->n];
	HChar why[READER_WHY_SIZE] = "";
	struct elf_image image;

	if (loops->n == MAX_LOOPS || !builds_image(address, &image))
		return NULL;
	for (UInt i = 0; i < N_READERS; i++) {
		struct reader_facts facts = { 0 };

		if (!is_loop_of(readers[i], function) ||
		    !readers[i]->recognise(&image, &facts, why))
			continue;
		*loop = (struct frame_loop){
			.object = function->object,
			.body = function->body,
			.reader = readers[i],
			.facts = facts,
			.base = facts.layout.thread_record == 0 ? BASE_THREAD : BASE_UNKNOWN,
			.place = facts.layout.record_current,
			.functions = text_intern(&tool_symbols.objects, readers[i]->object,
						 VG_(strlen)(readers[i]->object)),
			};
		loops->n++;
		return loop;
	}
	refuse(function, why);
	return NULL;
}

static Bool has_loop_name(const struct function *function)
{
	for (UInt i = 0; i < N_READERS; i++)
		if (is_loop_of(readers[i], function))
			return True;
	return False;
}

/* A piece of a loop shows that its build is unknown. */
static void look_for_pieces(const struct function *function)
{
	for (UInt i = 0; i < tool_frames.loops.n; i++) {
		struct frame_loop *loop = &tool_frames.loops.loops[i];
		const HChar *pieces = loop->reader->pieces;

		if (loop->given_up || function->object != loop->object ||
		    VG_(strncmp)(function->name->chars, pieces, VG_(strlen)(pieces)) != 0)
			continue;
		loop->given_up = True;
		message_error(
			"--python=yes: %s is built with tail calls, which is not known: its functions "
			"are not told apart",
			function->object->chars);
	}
}

static struct frame_loop *find_loop(const struct function *function, Addr address)
{
	look_for_pieces(function);
	for (UInt i = 0; i < tool_frames.loops.n; i++) {
		struct frame_loop *loop = &tool_frames.loops.loops[i];

		if (function->body == loop->body ||
		    (function->anonymous && !function->plt && function->object == loop->object))
			return loop;
	}
	return has_loop_name(function) && !is_refused(function) ? add_loop(function, address)
								: NULL;
}

struct frame_loop *frames_loop_of(const struct function *function, Addr address)
{
	struct frame_loops *loops = &tool_frames.loops;

	if (loops->codes == NULL)
		return NULL;
	if (loops->asked != function) {
		loops->asked = function;
		loops->found = find_loop(function, address);
	}
	return loops->found;
}

static struct frame_loop *find_beside(Addr address)
{
	struct frame_loops *loops = &tool_frames.loops;
	const NSegment *segment = VG_(am_find_nsegment)(address);

	if (segment != NULL && segment->kind == SkFileC)
		return NULL;
	for (UInt i = 0; i < loops->n; i++)
		if (loops->loops[i].base == BASE_THREAD)
			return &loops->loops[i];
	return NULL;
}

struct frame_loop *frames_loop_beside(const struct function *function, Addr address)
{
	struct frame_loops *loops = &tool_frames.loops;

	if (loops->n == 0)
		return NULL;
	if (loops->asked_beside != function) {
		loops->asked_beside = function;
		loops->found_beside = find_beside(address);
	}
	return loops->found_beside;
}

/* -- functions ----------------------------------------------------------------- */

static const struct text *intern(struct text_table *table, const HChar *chars)
{
	return text_intern(table, chars, VG_(strlen)(chars));
}

/* All costs of a function are counted at its first line. */
static void place_function(struct function *function, UInt line)
{
	const struct source_location place = {
		.function = function,
		.file = function->file,
		.line = line,
		.inlined = NOT_INLINED,
	};

	if (function->only_site == NULL)
		function->only_site = sites_find(&tool_counts.sites, (Addr)function, 1, &place);
}

/* The function of code; NULL if it cannot be determined. */
static struct function *name_code(const struct frame_loop *loop, Addr code)
{
	struct code_source source;
	struct function *function;

	if (!loop->reader->describe(&loop->facts, code, &source))
		return NULL;
	function = symbols_interpreted(&tool_symbols, loop->functions,
				       intern(&tool_symbols.files, source.file),
				       intern(&tool_symbols.names, source.name), source.line);
	place_function(function, source.line);
	VG_(free)(source.name);
	VG_(free)(source.file);
	return function;
}

/* The function of a frame; NULL if it cannot be determined. */
static struct function *function_of(const struct frame_loop *loop, Addr frame)
{
	const Addr code = loop->reader->code(&loop->facts, frame);
	struct code_identity identity;
	struct frame_code *known;

	if (code == 0)
		return NULL;
	known = VG_(HT_lookup)(tool_frames.loops.codes, code);
	loop->reader->identify(&loop->facts, code, &identity);
	if (known == NULL) {
		known = VG_(malloc)("costgrind.frames", sizeof(*known));
		*known = (struct frame_code){ .key = code };
		VG_(HT_add_node)(tool_frames.loops.codes, known);
	} else if (VG_(memcmp)(&known->identity, &identity, sizeof(identity)) == 0) {
		return known->function;
	}
	known->identity = identity;
	known->function = name_code(loop, code);
	return known->function;
}

/* -- while it runs ------------------------------------------------------------- */

/*
 * The thread goes on in another interpreter, and comes back when the loop with the outermost frame
 * there ends.
 */
static void switch_thread(const struct hot *hot, Addr state)
{
	struct frame_loops *loops = &tool_frames.loops;

	if (loops->n_switches == MAX_SWITCHES)
		VG_(memmove)(&loops->switches[0], &loops->switches[1],
			     --loops->n_switches * sizeof(loops->switches[0]));
	loops->switches[loops->n_switches++] = (struct thread_switch){
		.thread = tool_calls.threads.running->number,
		.from = hot->interpreter,
		.to = state,
	};
}

static void switch_back(struct hot *hot)
{
	struct frame_loops *loops = &tool_frames.loops;
	UInt i = loops->n_switches;

	while (i-- > 0) {
		const struct thread_switch *last = &loops->switches[i];

		if (last->thread != tool_calls.threads.running->number ||
		    last->to != hot->interpreter)
			continue;
		hot->interpreter = last->from;
		loops->n_switches--;
		VG_(memmove)(&loops->switches[i], &loops->switches[i + 1],
			     (loops->n_switches - i) * sizeof(loops->switches[0]));
		return;
	}
}

/* A thread begins, whose number may have belonged to one that ended in another interpreter. */
static void forget_switches(UInt thread)
{
	struct frame_loops *loops = &tool_frames.loops;
	UInt n = 0;

	for (UInt i = 0; i < loops->n_switches; i++)
		if (loops->switches[i].thread != thread)
			loops->switches[n++] = loops->switches[i];
	loops->n_switches = n;
}

void frames_entered(Addr state, struct frame_loop *loop)
{
	struct hot *hot = tool_counts.hot;

	if (hot->interpreter == 0 && tool_frames.loops.n_switches != 0)
		forget_switches(tool_calls.threads.running->number);
	if (loop->base == BASE_THREAD && hot->interpreter != 0 && hot->interpreter != state)
		switch_thread(hot, state);
	hot->interpreter = state;
	hot->interpreter_full = loop->reader->refuses_loop(&loop->facts, state);
}

void frames_found(struct frame_loop *loop)
{
	if (loop->base == BASE_THREAD && tool_counts.hot->interpreter == 0)
		tool_counts.hot->interpreter = loop->reader->thread(&loop->facts);
}

/* The frame of the function that a frame returns to, or is stopped in. */
static Addr caller_of(const struct frame_loop *loop, Addr frame)
{
	return loop->reader->function_frame(&loop->facts,
					    loop->reader->previous(&loop->facts, frame));
}

/*
 * True if the loop on top ends, if its word is in the thread's state: the value of the loop before,
 * kept in the frame that represents the loop, is restored.
 */
static Bool ends(const struct frame_loop *loop, struct hot *hot, Addr stored, Addr frame)
{
	Bool ended;

	if (loop->base != BASE_THREAD)
		return False;
	ended = hot->interpreter_left != 0 &&
		loop->reader->previous(&loop->facts, hot->interpreter_left) == stored;
	hot->interpreter_left = frame == 0 ? stored : 0;
	if (ended && stored == 0)
		switch_back(hot);
	return ended;
}

/* True if the call of a function, the loop's first if running is 0, is refused. */
static Bool is_refused_call(const struct frame_loop *loop, const struct hot *hot, Addr running,
			    Addr word)
{
	Addr thread = hot->interpreter;

	if (loop->facts.layout.runtime_thread != 0)
		thread = loop->reader->thread(&loop->facts);
	else if (running == 0)
		return hot->interpreter_full;
	return loop->reader->word(&loop->facts, thread) == word &&
	       loop->reader->refuses_call(&loop->facts, thread);
}

void frames_missed(struct frame_loop *loop)
{
	if (loop->misses || loop->base != BASE_THREAD)
		return;
	loop->misses = True;
	message_error(
		"--python=yes: the interpreter's frame changes unseen, as by a just-in-time compiler "
		"or greenlets: calls are missing, or another function's");
}

/* A function begins, or is resumed, in the running thread's loop. */
static void call(struct frame_loop *loop, Addr frame)
{
	const struct block *block;
	struct function *function;

	if (!loop->reader->begins(&loop->facts, frame))
		return;
	function = function_of(loop, frame);
	if (function == NULL)
		return;
	block = blocks_by_number(&tool_counts.blocks, (UInt)tool_counts.hot->block);
	loop->has_called = True;
	interpreted_call(tool_calls.threads.running, function, frame, block_last_site(block));
}

/*
 * The frame of the loop is an active one, as others have returned; or control returns to the loop
 * itself (frame is 0), or the loop ends. Otherwise False.
 */
static Bool go_back(struct frame_loop *loop, Addr frame, Bool ended, Addr running)
{
	struct thread *thread = tool_calls.threads.running;
	SizeT n = 0;

	if (interpreted_find(thread, frame, &n) || frame == 0 || ended) {
		if (n != 0)
			interpreted_return(thread, n);
		return True;
	}
	/* Counting began while its caller was active, which is known from now on. */
	if (n != 0 && caller_of(loop, running) == frame)
		interpreted_return(thread, n);
	else if (n != 0)
		frames_missed(loop);
	return False;
}

void frames_changed(Addr word, struct frame_loop *loop)
{
	struct hot *hot = tool_counts.hot;
	const Addr stored = *(const Addr *)word;
	const Addr frame = loop->reader->function_frame(&loop->facts, stored);
	const Bool ended = ends(loop, hot, stored, frame);
	const Addr refused = hot->interpreter_refused;
	Addr running;

	hot->interpreter_refused = 0;
	if (loop->given_up || !interpreted_runs(tool_calls.threads.running, loop->body))
		return;
	running = interpreted_frame(tool_calls.threads.running);
	/*
	 * 3.14 resumes generators, and calls some functions, without checking the depth of calls:
	 * if the refused frame calls something, it does run.
	 */
	if (refused != 0 && frame != 0 && caller_of(loop, frame) == refused &&
	    caller_of(loop, refused) == running) {
		call(loop, refused);
		running = refused;
	}
	/* If called by what runs, it is not one of the active ones, which may be very many. */
	if ((frame == 0 || ended || running == 0 || caller_of(loop, frame) != running) &&
	    go_back(loop, frame, ended, running))
		return;
	if (is_refused_call(loop, hot, running, word))
		hot->interpreter_refused = frame;
	else
		call(loop, frame);
}

void frames_end(void)
{
	const struct frame_loops *loops = &tool_frames.loops;

	if (loops->codes == NULL)
		return;
	for (UInt i = 0; i < loops->n; i++)
		if (loops->loops[i].has_called)
			return;
	if (loops->n == 0 && loops->n_refused == 0 && (tool_self.forked || tool_self.executed))
		return; /* few of the programs that Python, or a script, starts are Python */
	message_error("--python=yes: %s: the profile has no Python functions",
		      loops->n != 0 ? "it is not to be seen where the interpreter keeps its frame"
		      : loops->n_refused != 0
			      ? "no interpreter ran that is known, which are CPython 3.11 to 3.14"
			      : "no interpreter of Python ran");
}
