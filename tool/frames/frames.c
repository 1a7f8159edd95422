/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/frames/frames.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/interpreted.h"
#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/counts/block.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"
#include "tool/frames/cpython.h"
#include "tool/frames/state.h"
#include "tool/symbols/builds.h"
#include "tool/symbols/elfimage.h"
#include "tool/symbols/symbol.h"

/* All of those that there are. */
static const struct frame_reader *const readers[] = { &cpython_3_11 };

enum {
	N_READERS = sizeof(readers) / sizeof(readers[0]),
};

/* Code that is, or was, at an address, and the function that it is. */
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

static void refuse(const struct function *function, const struct elf_image *image)
{
	const UInt version = cpython_version(image);

	tool_frames.loops.refused[tool_frames.loops.n_refused++] = function->body;
	if (version == 0)
		message_error(
			"--python=yes: %s is older than Python 3.11, which alone is known: its "
			"functions are not told apart",
			function->object->chars);
	else
		message_error(
			"--python=yes: %s is Python %u.%u, of which only 3.11 is known: its functions "
			"are not told apart",
			function->object->chars, version >> 8, version & 0xff);
}

/* The loop of a function of that name, if there is a reader for it. */
static struct frame_loop *add_loop(const struct function *function, Addr address)
{
	struct frame_loops *loops = &tool_frames.loops;
	struct frame_loop *loop = &loops->loops[loops->n];
	struct elf_image image;

	if (loops->n == MAX_LOOPS || !builds_image(address, &image))
		return NULL;
	for (UInt i = 0; i < N_READERS; i++) {
		struct reader_facts facts = { 0, 0 };

		if (!is_loop_of(readers[i], function) || !readers[i]->recognise(&image, &facts))
			continue;
		*loop = (struct frame_loop){
			.object = function->object,
			.body = function->body,
			.reader = readers[i],
			.facts = facts,
			.functions = text_intern(&tool_symbols.objects, readers[i]->object,
						 VG_(strlen)(readers[i]->object)),
			};
		loops->n++;
		return loop;
	}
	refuse(function, &image);
	return NULL;
}

static Bool has_loop_name(const struct function *function)
{
	for (UInt i = 0; i < N_READERS; i++)
		if (is_loop_of(readers[i], function))
			return True;
	return False;
}

static struct frame_loop *find_loop(const struct function *function, Addr address)
{
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

/* -- functions ----------------------------------------------------------------- */

static const struct text *intern(struct text_table *table, const HChar *chars)
{
	return text_intern(table, chars, VG_(strlen)(chars));
}

/* All costs of a function stand at its first line. */
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

/* The function that code is; NULL if that is not to be made out. */
static struct function *name_code(const struct frame_loop *loop, Addr code)
{
	struct code_source source;
	struct function *function;

	if (!loop->reader->describe(code, &source))
		return NULL;
	function = symbols_interpreted(&tool_symbols, loop->functions,
				       intern(&tool_symbols.files, source.file),
				       intern(&tool_symbols.names, source.name), source.line);
	place_function(function, source.line);
	VG_(free)(source.name);
	VG_(free)(source.file);
	return function;
}

/* The function of a frame, likewise. */
static struct function *function_of(const struct frame_loop *loop, Addr frame)
{
	const Addr code = loop->reader->code(&loop->facts, frame);
	struct code_identity identity;
	struct frame_code *known;

	if (code == 0)
		return NULL;
	known = VG_(HT_lookup)(tool_frames.loops.codes, code);
	loop->reader->identify(code, &identity);
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

void frames_changed(Addr word, struct frame_loop *loop)
{
	struct thread *thread = tool_calls.threads.running;
	const Addr frame = *(const Addr *)word;
	const struct block *block;
	struct function *function;
	Addr running;
	SizeT n;

	if (!interpreted_runs(thread, loop->body))
		return;
	running = interpreted_frame(thread);
	/* Called by what runs, it is none of those that are active: these may be very many. */
	if (running == 0 || loop->reader->previous(frame) != running) {
		if (interpreted_find(thread, frame, &n)) {
			if (n != 0)
				interpreted_return(thread, n);
			return;
		}
		/* Counting began when its caller was active: that is known from now on. */
		if (n != 0 && loop->reader->previous(running) == frame)
			interpreted_return(thread, n);
	}
	if (!loop->reader->begins(&loop->facts, frame, word))
		return;
	function = function_of(loop, frame);
	if (function == NULL)
		return;
	block = blocks_by_number(&tool_counts.blocks, (UInt)tool_counts.hot->block);
	loop->has_called = True;
	interpreted_call(thread, function, frame, block_last_site(block));
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
		return; /* of the programs that Python, or a script, starts, few are Python */
	message_error("--python=yes: %s: the profile has no Python functions",
		      loops->n != 0 ? "it is not to be seen where the interpreter keeps its frame"
		      : loops->n_refused != 0
			      ? "no interpreter ran that is known, which is CPython 3.11"
			      : "no interpreter of Python ran");
}
