/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/frames/cpython.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/symbols/elfimage.h"

/* Where things are in CPython 3.11 for 64 bits: bytes. */
enum {
	OBJECT_TYPE = 8, /* pointer */

	RUNTIME_THREAD = 576,  /* pointer: the thread that holds the global lock */
	THREAD_REMAINING = 32, /* int: recursion_remaining */
	THREAD_HEADROOM = 40,  /* int: recursion_headroom */
	THREAD_RECORD = 56,    /* pointer: cframe */
	THREAD_SIZE = 64,      /* what is read of it */
	RECORD_CURRENT = 8,    /* pointer: current_frame */

	FRAME_CODE = 32,     /* pointer: f_code */
	FRAME_PREVIOUS = 48, /* pointer */
	FRAME_OWNER = 69,    /* char */
	FRAME_SIZE = 72,

	CODE_FLAGS = 48,      /* int: co_flags */
	CODE_FIRST_LINE = 72, /* int: co_firstlineno */
	CODE_FILE = 112,      /* pointer: co_filename */
	CODE_QUALNAME = 128,  /* pointer: co_qualname */
	CODE_LINES = 136,     /* pointer: co_linetable */
	CODE_SIZE = 184,

	TEXT_LENGTH = 16, /* characters */
	TEXT_HASH = 24,   /* -1: not asked for yet */
	TEXT_STATE = 32,  /* int, of bits: */
	TEXT_KIND_SHIFT = 2,
	TEXT_KIND_MASK = 7, /* bytes a character: 1, 2 or 4 */
	TEXT_COMPACT = 1 << 5,
	TEXT_ASCII = 1 << 6,
	TEXT_ASCII_CHARS =
		48,      /* where they are of compact ones of ASCII, of others that are compact, */
	TEXT_CHARS = 72, /* and a pointer to them of the rest */

	OWNED_BY_THREAD = 0,
};

/* Flags of code that is run by an object which keeps its frame. */
enum {
	FLAG_GENERATOR = 0x20,
	FLAG_COROUTINE = 0x80,
	FLAG_ASYNC_GENERATOR = 0x200,
};

enum {
	VERSION_SHIFT = 16, /* of Py_Version: from the minor version's lowest bit */
	MAX_TEXT = 4096,    /* characters of a name; more are cut off */
	LAST_ASCII = 0x7e,
	FIRST_ASCII = 0x20,
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

UInt cpython_version(const struct elf_image *image)
{
	const Addr version = elfimage_symbol(image, "Py_Version");

	return is_readable(version, sizeof(UWord)) ? (UInt)(pointer_at(version) >> VERSION_SHIFT)
						   : 0;
}

static Bool recognise(const struct elf_image *image, struct reader_facts *facts)
{
	facts->runtime = elfimage_symbol(image, "_PyRuntime");
	facts->code_type = elfimage_symbol(image, "PyCode_Type");
	return cpython_version(image) == (3 << 8 | 11) && facts->code_type != 0;
}

/* -- frames -------------------------------------------------------------------- */

static Addr code_of(const struct reader_facts *facts, Addr frame)
{
	Addr code;

	if (!is_readable(frame, FRAME_SIZE))
		return 0;
	code = pointer_at(frame + FRAME_CODE);
	return is_readable(code, CODE_SIZE) && pointer_at(code + OBJECT_TYPE) == facts->code_type
		       ? code
		       : 0;
}

static Addr previous_of(Addr frame)
{
	return is_readable(frame, FRAME_SIZE) ? pointer_at(frame + FRAME_PREVIOUS) : 0;
}

/* The thread that holds the global lock; 0 if it is not to be made out. */
static Addr thread_of(const struct reader_facts *facts)
{
	Addr thread;

	if (!is_readable(facts->runtime, RUNTIME_THREAD + sizeof(Addr)))
		return 0;
	thread = pointer_at(facts->runtime + RUNTIME_THREAD);
	return is_readable(thread, THREAD_SIZE) ? thread : 0;
}

static Addr word_of(const struct reader_facts *facts)
{
	const Addr thread = thread_of(facts);

	return thread == 0 ? 0 : pointer_at(thread + THREAD_RECORD) + RECORD_CURRENT;
}

/* Whether the thread is so deep in calls that the next one is refused; word is of its record. */
static Bool is_too_deep(const struct reader_facts *facts, Addr word)
{
	const Addr thread = thread_of(facts);

	return thread != 0 && word_of(facts) == word && int_at(thread + THREAD_REMAINING) <= 0 &&
	       int_at(thread + THREAD_HEADROOM) == 0;
}

static Bool begins(const struct reader_facts *facts, Addr frame, Addr word)
{
	const Int put_by = FLAG_GENERATOR | FLAG_COROUTINE | FLAG_ASYNC_GENERATOR;
	const Addr code = code_of(facts, frame);

	if (code == 0)
		return False;
	if ((int_at(code + CODE_FLAGS) & put_by) != 0 &&
	    *(const Char *)(frame + FRAME_OWNER) == OWNED_BY_THREAD)
		return False;
	return !is_too_deep(facts, word);
}

/* -- texts --------------------------------------------------------------------- */

struct text_view {
	const UChar *chars;
	UWord n;   /* characters */
	UInt kind; /* bytes each */
};

static Bool view_text(Addr text, struct text_view *view)
{
	UInt state;

	if (!is_readable(text, TEXT_CHARS + sizeof(Addr)))
		return False;
	state = (UInt)int_at(text + TEXT_STATE);
	view->n = pointer_at(text + TEXT_LENGTH);
	view->kind = state >> TEXT_KIND_SHIFT & TEXT_KIND_MASK;
	if ((state & TEXT_COMPACT) == 0)
		view->chars = (const UChar *)pointer_at(text + TEXT_CHARS);
	else if ((state & TEXT_ASCII) != 0)
		view->chars = (const UChar *)text + TEXT_ASCII_CHARS;
	else
		view->chars = (const UChar *)text + TEXT_CHARS;
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

/* Puts a character as UTF-8; returns how many bytes.  Lines are what profiles are made of. */
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

/* A text in UTF-8, to be freed; NULL if it is not to be made out, or empty. */
static HChar *copy_text(Addr text)
{
	struct text_view view;
	HChar *copy;
	SizeT len = 0;

	if (!view_text(text, &view))
		return NULL;
	copy = VG_(malloc)("costgrind.frames", 4 * view.n + 1);
	for (UWord i = 0; i < view.n; i++)
		len += put_char(copy + len, char_at(&view, i));
	copy[len] = '\0';
	return copy;
}

/* Equal texts have equal numbers; others have others, as good as certainly. */
static UWord text_number(Addr text)
{
	const UWord prime = 0x100000001b3; /* of FNV-1a */
	UWord number;
	struct text_view view;

	if (!is_readable(text, TEXT_HASH + sizeof(number)))
		return 0;
	number = pointer_at(text + TEXT_HASH);
	if (number != ~(UWord)0)
		return number;
	if (!view_text(text, &view))
		return 0;
	number = 0xcbf29ce484222325;
	for (UWord i = 0; i < view.n; i++)
		number = (number ^ char_at(&view, i)) * prime;
	return number;
}

/* -- code ---------------------------------------------------------------------- */

static void identify(Addr code, struct code_identity *identity)
{
	const Addr name = pointer_at(code + CODE_QUALNAME), file = pointer_at(code + CODE_FILE);

	*identity = (struct code_identity){ {
		name,
		text_number(name),
		file,
		text_number(file),
		(UWord)int_at(code + CODE_FIRST_LINE),
	} };
}

static Bool describe(Addr code, struct code_source *source)
{
	const Int line = int_at(code + CODE_FIRST_LINE);

	source->name = copy_text(pointer_at(code + CODE_QUALNAME));
	source->file = copy_text(pointer_at(code + CODE_FILE));
	source->line = line > 0 ? (UInt)line : 0;
	if (source->name != NULL && source->file != NULL)
		return True;
	VG_(free)(source->name);
	VG_(free)(source->file);
	return False;
}

const struct frame_reader cpython_3_11 = {
	.language = "Python 3.11",
	.object = "[python]",
	.loop = "_PyEval_EvalFrameDefault",
	.record = THREAD_RECORD,
	.current = RECORD_CURRENT,
	.recognise = recognise,
	.word = word_of,
	.begins = begins,
	.previous = previous_of,
	.code = code_of,
	.identify = identify,
	.describe = describe,
};
