/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPython 3.11 to 3.14, by its frames; tool/frames/layout.h has where things are.
 *
 * A function is called when sys.setprofile() says so: its instruction RESUME reports "call", or an
 * exception is thrown into its frame. Both come right after the frame has become the loop's, with
 * exceptions: a generator, coroutine or asynchronous generator is made by a frame of the thread's
 * own that gives up before; a frame too many is refused with RecursionError; and since 3.12 there
 * are stubs, whose code says that it has no events.
 *
 * Since 3.12 the first frame of a loop returns to one that represents the loop; since 3.13 the word
 * is in the thread's state, so a loop that ends restores what was there when it began.
 */
#include "tool/frames/reader.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "tool/common/guest.h"
#include "tool/symbols/elfimage.h"

enum {
	TEXT_KIND_SHIFT = 2, /* in the state of a text: */
	TEXT_KIND_MASK = 7,  /* bytes per character: 1, 2 or 4 */
	TEXT_COMPACT = 1 << 5,
	TEXT_ASCII = 1 << 6,
	MAX_TEXT = 4096, /* characters of a name; more are cut off */
	LAST_ASCII = 0x7e,
	FIRST_ASCII = 0x20,
};

/* The owner of a frame: the thread, an object, or from this number on the loop. */
enum {
	OWNED_BY_THREAD = 0,
	OWNED_BY_LOOP = 3,
};

/* Flags of code: it is run by an object that keeps its frame, or is a stub. */
enum {
	FLAG_GENERATOR = 0x20,
	FLAG_COROUTINE = 0x80,
	FLAG_ASYNC_GENERATOR = 0x200,
	FLAG_NO_EVENTS = 0x2000000,
};

enum {
	VERSION_SHIFT = 16, /* of Py_Version: from the minor version's lowest bit */
	VERSION_FIRST = 3 << 8 | 11,
	VERSION_TABLE = 3 << 8 | 13, /* the first that has one */
	VERSION_LAST = 3 << 8 | 14,
	TAGS = 7,            /* bits of a pointer to code that do not belong to the address */
	MAX_STUBS = 4,       /* between two functions */
	MAX_STATES = 100000, /* threads or interpreters, at most */
};

static Bool is_readable(Addr address, SizeT size)
{
	return address != 0 && VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ);
}

static Addr pointer_at(Addr address)
{
	return *(const Addr *)address;
}

static Int int_at(Addr address)
{
	return *(const Int *)address;
}

/* -- versions ------------------------------------------------------------------ */

/* As major << 8 | minor; 0: older than 3.11, which does not say. */
static UInt version_of(const struct elf_image *image)
{
	const Addr version = elfimage_symbol(image, "Py_Version");

	return is_readable(version, sizeof(UWord)) ? (UInt)(pointer_at(version) >> VERSION_SHIFT)
						   : 0;
}

/* For a version that has a table. */
static Bool read_layout(UInt version, struct reader_facts *facts, HChar *why)
{
	enum layout_table result = LAYOUT_TABLE_UNKNOWN;
	UChar table[LAYOUT_TABLE_SIZE];

	if (is_readable(facts->runtime, sizeof(table))) {
		VG_(memcpy)(table, (const void *)facts->runtime, sizeof(table));
		result = layout_read_table(table, version, &facts->layout);
	}
	if (result == LAYOUT_TABLE_READ)
		return True;
	VG_(snprintf)(why, READER_WHY_SIZE, "Python %u.%u %s", version >> 8, version & 0xff,
		      result == LAYOUT_TABLE_UNLOCKED
			      ? "without the global lock, which is not known"
			      : "whose table of offsets (_Py_DebugOffsets) is not as known");
	return False;
}

static Bool recognise(const struct elf_image *image, struct reader_facts *facts,
		      HChar why[READER_WHY_SIZE])
{
	const UInt version = version_of(image);

	facts->loop = elfimage_symbol(image, cpython.loop);
	facts->runtime = elfimage_symbol(image, "_PyRuntime");
	facts->code_type = elfimage_symbol(image, "PyCode_Type");
	if (version == 0) {
		VG_(snprintf)(why, READER_WHY_SIZE,
			      "older than Python 3.11, the first that is known");
		return False;
	}
	if (version < VERSION_FIRST || version > VERSION_LAST || facts->code_type == 0) {
		VG_(snprintf)(why, READER_WHY_SIZE, "Python %u.%u; 3.11 to 3.14 are supported",
			      version >> 8, version & 0xff);
		return False;
	}
	if (version >= VERSION_TABLE)
		return read_layout(version, facts, why);
	facts->layout = version == VERSION_FIRST ? layout_3_11 : layout_3_12;
	return True;
}

/* -- threads ------------------------------------------------------------------- */

/* The pointer that is at a place of a structure; 0 if it cannot be read. */
static Addr pointer_in(Addr structure, UWord place)
{
	return structure != 0 && is_readable(structure + place, sizeof(Addr))
		       ? pointer_at(structure + place)
		       : 0;
}

/* The interpreter's thread that this one is, if any; the latest if it has several states. */
static Addr thread_among(const struct python_layout *layout, Addr interpreter, Addr self)
{
	Addr thread = pointer_in(interpreter, layout->interpreter_threads);

	for (UInt i = 0; i < MAX_STATES && is_readable(thread, layout->thread_size); i++) {
		if (pointer_at(thread + layout->thread_id) == self &&
		    (layout->thread_record != 0 ||
		     pointer_at(thread + layout->record_current) != 0))
			return thread;
		thread = pointer_at(thread + layout->thread_next);
	}
	return 0;
}

static Addr thread_of(const struct reader_facts *facts)
{
	const struct python_layout *layout = &facts->layout;
	Addr self, interpreter, thread = 0;

	if (layout->runtime_thread != 0) {
		thread = pointer_in(facts->runtime, layout->runtime_thread);
		return is_readable(thread, layout->thread_size) ? thread : 0;
	}
	/* What pthread_self() is on this machine. */
	self = guest_read(VG_(get_running_tid)(), GUEST_THREAD_POINTER);
	interpreter = pointer_in(facts->runtime, layout->runtime_interpreters);
	for (UInt i = 0; i < MAX_STATES && interpreter != 0 && thread == 0; i++) {
		thread = thread_among(layout, interpreter, self);
		interpreter = pointer_in(interpreter, layout->interpreter_next);
	}
	return thread;
}

static Addr word_of(const struct reader_facts *facts, Addr thread)
{
	const struct python_layout *layout = &facts->layout;

	if (!is_readable(thread, layout->thread_size))
		return 0;
	return layout->record_current +
	       (layout->thread_record == 0 ? thread : pointer_at(thread + layout->thread_record));
}

static Bool refuses_call(const struct reader_facts *facts, Addr thread)
{
	const struct python_layout *layout = &facts->layout;

	return is_readable(thread, layout->thread_size) &&
	       int_at(thread + layout->thread_calls) <= 0 &&
	       int_at(thread + layout->thread_headroom) == 0;
}

static Bool refuses_loop(const struct reader_facts *facts, Addr thread)
{
	const struct python_layout *layout = &facts->layout;

	return refuses_call(facts, thread) ||
	       (layout->thread_c_calls != 0 && is_readable(thread, layout->thread_size) &&
		int_at(thread + layout->thread_c_calls) <= layout->last_c_call &&
		int_at(thread + layout->thread_headroom) == 0);
}

/* -- frames -------------------------------------------------------------------- */

static Addr code_of(const struct reader_facts *facts, Addr frame)
{
	const struct python_layout *layout = &facts->layout;
	Addr code;

	if (!is_readable(frame, layout->frame_size))
		return 0;
	code = pointer_at(frame + layout->frame_code) & ~(Addr)TAGS;
	return is_readable(code, layout->code_size) &&
			       pointer_at(code + layout->object_type) == facts->code_type
		       ? code
		       : 0;
}

static Addr previous_of(const struct reader_facts *facts, Addr frame)
{
	return is_readable(frame, facts->layout.frame_size)
		       ? pointer_at(frame + facts->layout.frame_previous)
		       : 0;
}

static Addr function_frame(const struct reader_facts *facts, Addr frame)
{
	const struct python_layout *layout = &facts->layout;

	for (UInt i = 0; i < MAX_STUBS; i++) {
		Addr code;

		if (!is_readable(frame, layout->frame_size) ||
		    *(const UChar *)(frame + layout->frame_owner) >= OWNED_BY_LOOP)
			return 0;
		code = code_of(facts, frame);
		if (code == 0 || (int_at(code + layout->code_flags) & FLAG_NO_EVENTS) == 0)
			break;
		frame = pointer_at(frame + layout->frame_previous);
	}
	return frame;
}

static Bool begins(const struct reader_facts *facts, Addr frame)
{
	const struct python_layout *layout = &facts->layout;
	const Int put_by = FLAG_GENERATOR | FLAG_COROUTINE | FLAG_ASYNC_GENERATOR;
	const Addr code = code_of(facts, frame);

	return code != 0 && ((int_at(code + layout->code_flags) & put_by) == 0 ||
			     *(const Char *)(frame + layout->frame_owner) != OWNED_BY_THREAD);
}

/* -- texts --------------------------------------------------------------------- */

struct text_view {
	const UChar *chars;
	UWord n;   /* characters */
	UInt kind; /* bytes each */
};

static Bool view_text(const struct python_layout *layout, Addr text, struct text_view *view)
{
	UInt state;

	if (!is_readable(text, layout->text_chars + sizeof(Addr)))
		return False;
	state = (UInt)int_at(text + layout->text_state);
	view->n = pointer_at(text + layout->text_length);
	view->kind = state >> TEXT_KIND_SHIFT & TEXT_KIND_MASK;
	if ((state & TEXT_COMPACT) == 0)
		view->chars = (const UChar *)pointer_at(text + layout->text_chars);
	else if ((state & TEXT_ASCII) != 0)
		view->chars = (const UChar *)text + layout->text_ascii_chars;
	else
		view->chars = (const UChar *)text + layout->text_chars;
	if (view->n > MAX_TEXT)
		view->n = MAX_TEXT;
	return (view->kind == 1 || view->kind == 2 || view->kind == 4) && view->n != 0 &&
	       is_readable((Addr)view->chars, view->n * view->kind);
}

static UInt char_at(const struct text_view *view, UWord i)
{
	const UChar *at = view->chars + i * view->kind;

	if (view->kind == 1)
		return *at;
	return view->kind == 2 ? *(const UShort *)(const void *)at
			       : *(const UInt *)(const void *)at;
}

/*
 * Writes a character as UTF-8; returns its length. Control characters become "?": profiles consist
 * of lines.
 */
static UInt put_char(HChar *to, UInt c)
{
	if (c < FIRST_ASCII || (c > LAST_ASCII && c < 0xa0) || (c >= 0xd800 && c < 0xe000)) {
		to[0] = '?';
		return 1;
	}
	if (c <= LAST_ASCII) {
		to[0] = (HChar)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (HChar)(0xc0 | c >> 6);
		to[1] = (HChar)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (HChar)(0xe0 | c >> 12);
		to[1] = (HChar)(0x80 | (c >> 6 & 0x3f));
		to[2] = (HChar)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (HChar)(0xf0 | (c >> 18 & 7));
	to[1] = (HChar)(0x80 | (c >> 12 & 0x3f));
	to[2] = (HChar)(0x80 | (c >> 6 & 0x3f));
	to[3] = (HChar)(0x80 | (c & 0x3f));
	return 4;
}

/* A copy of a text in UTF-8, to be freed; NULL if it cannot be read, or is empty. */
static HChar *copy_text(const struct python_layout *layout, Addr text)
{
	struct text_view view;
	HChar *copy;
	SizeT len = 0;

	if (!view_text(layout, text, &view))
		return NULL;
	copy = VG_(malloc)("costgrind.frames", 4 * view.n + 1);
	for (UWord i = 0; i < view.n; i++)
		len += put_char(copy + len, char_at(&view, i));
	copy[len] = '\0';
	return copy;
}

/* A hash: equal texts have equal ones, others almost certainly different ones. */
static UWord text_number(const struct python_layout *layout, Addr text)
{
	const UWord prime = 0x100000001b3; /* of FNV-1a */
	UWord number;
	struct text_view view;

	if (!is_readable(text, layout->text_hash + sizeof(number)))
		return 0;
	number = pointer_at(text + layout->text_hash);
	if (number != ~(UWord)0)
		return number;
	if (!view_text(layout, text, &view))
		return 0;
	number = 0xcbf29ce484222325;
	for (UWord i = 0; i < view.n; i++)
		number = (number ^ char_at(&view, i)) * prime;
	return number;
}

/* -- code ---------------------------------------------------------------------- */

static void identify(const struct reader_facts *facts, Addr code, struct code_identity *identity)
{
	const struct python_layout *layout = &facts->layout;
	const Addr name = pointer_at(code + layout->code_name);
	const Addr file = pointer_at(code + layout->code_file);

	*identity = (struct code_identity){ {
		name,
		text_number(layout, name),
		file,
		text_number(layout, file),
		(UWord)int_at(code + layout->code_first_line),
	} };
}

static Bool describe(const struct reader_facts *facts, Addr code, struct code_source *source)
{
	const struct python_layout *layout = &facts->layout;
	const Int line = int_at(code + layout->code_first_line);

	source->name = copy_text(layout, pointer_at(code + layout->code_name));
	source->file = copy_text(layout, pointer_at(code + layout->code_file));
	source->line = line > 0 ? (UInt)line : 0;
	if (source->name != NULL && source->file != NULL)
		return True;
	VG_(free)(source->name);
	VG_(free)(source->file);
	return False;
}

const struct frame_reader cpython = {
	.object = "[python]",
	.loop = "_PyEval_EvalFrameDefault",
	.pieces = "_TAIL_CALL_",
	.recognise = recognise,
	.thread = thread_of,
	.word = word_of,
	.refuses_loop = refuses_loop,
	.refuses_call = refuses_call,
	.function_frame = function_frame,
	.begins = begins,
	.previous = previous_of,
	.code = code_of,
	.identify = identify,
	.describe = describe,
};
