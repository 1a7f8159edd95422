/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core describes inlined functions only as text for people.  Of its two forms, XML can be parsed reliably: function,
 * directory, file and line are separate, and a "<" in a name (operator<, vector<int>) is "&lt;".
 *
 *	<frame>
 *	  <ip>0x401136</ip>
 *	  <obj>/home/ann/sum</obj>
 *	  <fn>add</fn>
 *	  <dir>/home/ann</dir>
 *	  <file>add.h</file>
 *	  <line>3</line>
 *	</frame>
 *
 * There is one such text for each frame, innermost first.  File and line are the place in that function: the instruction's in the
 * first text, the inlined call's in all others.
 */
#include "tool/symbols/symbol.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"

/* Off by default, except for some of Valgrind's own tools.  Not in the public headers. */
extern Bool VG_(clo_read_inline_info);

void inlinees_ask(void)
{
	VG_(clo_read_inline_info) = True;
}

void inlinees_init(struct inlinees *inlinees, struct text_table *files, struct text_table *names)
{
	*inlinees = (struct inlinees){
		.table = VG_(HT_construct)("costgrind.inlinees"), .n = 1, .files = files,
			     .names = names,
		};
}

/* The text between <tag> and the next tag; "" if there is no such tag. */
static const HChar *element(const HChar *text, const HChar *tag, SizeT *len)
{
	const HChar *begin = VG_(strstr)(text, tag);
	const HChar *end;

	*len = 0;
	if (begin == NULL)
		return "";
	begin += VG_(strlen)(tag);
	end = VG_(strchr)(begin, '<');
	*len = end == NULL ? VG_(strlen)(begin) : (SizeT)(end - begin);
	return begin;
}

/* Copies text with its entities resolved; returns the number of bytes, at most len. */
static SizeT unescape(HChar *to, const HChar *text, SizeT len)
{
	static const struct {
		const HChar *entity;
		HChar meaning;
	} entities[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' } };
	SizeT n = 0;

	for (SizeT i = 0; i < len; n++) {
		SizeT entity_len = 1;

		to[n] = text[i];
		for (UInt e = 0; e < sizeof(entities) / sizeof(entities[0]); e++) {
			SizeT size = VG_(strlen)(entities[e].entity);

			if (VG_(strncmp)(text + i, entities[e].entity, size) == 0) {
				to[n] = entities[e].meaning;
				entity_len = size;
			}
		}
		i += entity_len;
	}
	return n;
}

/* The text of one tag, or of two with a slash between them if the first is not empty. */
static const struct text *intern_elements(struct text_table *table, const HChar *text,
					  const HChar *first_tag, const HChar *tag)
{
	static const HChar unknown[] = "???";
	const struct text *interned;
	SizeT first_len = 0, len, n = 0;
	const HChar *first = first_tag == NULL ? "" : element(text, first_tag, &first_len);
	const HChar *last = element(text, tag, &len);
	HChar *chars;

	if (len == 0)
		return text_intern(table, unknown, sizeof(unknown) - 1);
	chars = VG_(malloc)("costgrind.element", first_len + 1 + len);
	if (first_len != 0) {
		n = unescape(chars, first, first_len);
		chars[n++] = '/';
	}
	n += unescape(chars + n, last, len);
	interned = text_intern(table, chars, n);
	VG_(free)(chars);
	return interned;
}

void inlinees_begin(struct inlinees *inlinees)
{
	inlinees->n_frames = 0;
}

void inlinees_add(struct inlinees *inlinees, const struct inline_frame *frame)
{
	if (inlinees->n_frames == inlinees->room_for_frames) {
		inlinees->room_for_frames = inlinees->room_for_frames * 2 + 8;
		inlinees->frames = VG_(realloc)("costgrind.frames", inlinees->frames,
						inlinees->room_for_frames * sizeof(*frame));
	}
	inlinees->frames[inlinees->n_frames++] = *frame;
}

static void add_text(struct inlinees *inlinees, const HChar *text)
{
	SizeT len;
	const struct inline_frame frame = {
		.name = intern_elements(inlinees->names, text, NULL, "<fn>"),
		.file = intern_elements(inlinees->files, text, "<dir>", "<file>"),
		.line = (UInt)VG_(strtoull10)(element(text, "<line>", &len), NULL),
		};

	inlinees_add(inlinees, &frame);
}

UInt inlinees_read(struct inlinees *inlinees, DiEpoch epoch, Addr address)
{
	InlIPCursor *cursor = VG_(new_IIPC)(epoch, address);
	Bool xml = VG_(clo_xml);

	inlinees_begin(inlinees);
	if (cursor == NULL)
		return 0;
	VG_(clo_xml) = True; /* the only way to ask the core for this form */
	do
		add_text(inlinees, VG_(describe_IP)(epoch, address, cursor));
	while (VG_(next_IIPC)(cursor));
	VG_(clo_xml) = xml;
	VG_(delete_IIPC)(cursor);
	return inlinees->n_frames - 1;
}

static Word inlinee_compare(const void *a, const void *b)
{
	const struct inlinee *left = a, *right = b;

	return left->parent != right->parent || left->body != right->body ||
	       left->name != right->name || left->call_file != right->call_file ||
	       left->call_line != right->call_line;
}

static struct inlinee *intern_inlinee(struct inlinees *inlinees, const struct inlinee *wanted)
{
	struct inlinee *inlinee = VG_(HT_gen_lookup)(inlinees->table, wanted, inlinee_compare);

	if (inlinee != NULL)
		return inlinee;
	if (inlinees->n >= inlinees->room) {
		inlinees->room = inlinees->room * 2 + 256;
		inlinees->by_number = VG_(realloc)("costgrind.array", inlinees->by_number,
						   inlinees->room * sizeof(inlinee));
	}
	inlinee = VG_(perm_malloc)(sizeof(*inlinee), 8);
	*inlinee = *wanted;
	inlinee->number = inlinees->n;
	inlinees->by_number[inlinees->n++] = inlinee;
	VG_(HT_add_node)(inlinees->table, inlinee);
	return inlinee;
}

static void see_file(struct inlinee *inlinee, const struct text *file)
{
	struct inlinee_file *seen = inlinee->files;

	while (seen != NULL && seen->file != file)
		seen = seen->next;
	if (seen == NULL) {
		seen = VG_(perm_malloc)(sizeof(*seen), 8);
		*seen = (struct inlinee_file){ inlinee->files, file, 0 };
		inlinee->files = seen;
	}
	seen->n_seen++;
}

UInt inlinees_find(struct inlinees *inlinees, UInt body)
{
	struct inlinee *inlinee = NULL;
	UInt number = NOT_INLINED;

	for (UInt i = inlinees->n_frames - 1; i-- > 0;) {
		const struct inline_frame *frame = &inlinees->frames[i], *caller = frame + 1;
		struct inlinee wanted = {
			.parent = inlinee,
			.body = body,
			.name = frame->name,
			.call_file = caller->file,
			.call_line = caller->line,
		};

		wanted.key = ((((Addr)wanted.parent * 31 + body) * 31 + frame->name->key) * 31 +
			      caller->file->key) *
				     31 +
			     caller->line;
		inlinee = intern_inlinee(inlinees, &wanted);
		see_file(inlinee, frame->file);
		number = inlinee->number;
	}
	return number;
}

const struct text *inlinee_file(const struct inlinee *inlinee)
{
	const struct text *file = NULL;
	UInt n = 0;

	for (const struct inlinee_file *seen = inlinee->files; seen != NULL; seen = seen->next) {
		if (file != NULL &&
		    (seen->n_seen < n || (seen->n_seen == n && seen->file->rank > file->rank)))
			continue;
		file = seen->file;
		n = seen->n_seen;
	}
	return file;
}
