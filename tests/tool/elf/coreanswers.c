/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tool of Valgrind's that counts nothing: at the end of a program it prints what the core's reader says about every address in the
 * .text of each object that --object=PATH names, as ownanswers.c does for the tool's own reader, and none of our code
 * is in it.  A line for each run of addresses with one answer, its fields divided by tabs:
 *
 *	FIRST NEXT FUNCTION PLACE [INLINED PLACE]...
 *
 * Addresses are as linked, hexadecimal.  FUNCTION is the symbol, mangled; the first PLACE, directory/file:line, is the
 * instruction's, each further one where the function before it was inlined.  What is not known is ?.  The first line is
 *
 *	object PATH FIRST NEXT
 */
#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

/* Of the core, but in none of its public headers. */
extern Bool VG_(clo_read_inline_info);
extern Bool VG_(get_fnname_raw)(DiEpoch epoch, Addr address, const HChar **name);

enum { MAX_OBJECTS = 16, MAX_TEXT = 16384 };

static struct {
	UInt n_objects;
	const HChar *objects[MAX_OBJECTS];
} options;

struct answer {
	UInt len;
	HChar text[MAX_TEXT]; /* what does not fit is left out, by both programs */
};

static void put(struct answer *answer, const HChar *text)
{
	for (; *text != 0 && answer->len + 1 < MAX_TEXT; text++)
		answer->text[answer->len++] = *text;
	answer->text[answer->len] = 0;
}

static void put_place(struct answer *answer, const HChar *directory, const HChar *file,
		      const HChar *line)
{
	put(answer, "\t");
	put(answer, directory);
	if (*directory != 0)
		put(answer, "/");
	put(answer, file);
	put(answer, ":");
	put(answer, line);
}

/* What is between a tag and the next one of the core's XML, with the entities that it writes; "" without the tag. */
static void element(HChar *found, UInt size, const HChar *text, const HChar *tag)
{
	static const struct {
		const HChar *entity;
		HChar meaning;
	} entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' } };
	const HChar *at = VG_(strstr)(text, tag);
	UInt n = 0;

	for (at = at == NULL
			  ? ""
			  : at + VG_(strlen)(tag); *at != 0 && *at != '<' && n + 1 < size; at++) {
		found[n] = *at;
		for (UInt i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
			UInt len = (UInt)VG_(strlen)(entities[i].entity);

			if (VG_(strncmp)(at, entities[i].entity, len) == 0) {
				found[n] = entities[i].meaning;
				at += len - 1;
				break;
			}
		}
		n++;
	}
	found[n] = 0;
}

/* Of people's and programs' forms only the latter has directories. */
static void put_inlined(struct answer *answer, DiEpoch epoch, Addr address)
{
	static HChar name[MAX_TEXT], directory[MAX_TEXT], file[MAX_TEXT], line[16];
	InlIPCursor *cursor = VG_(new_IIPC)(epoch, address);
	Bool is_innermost = True;

	if (cursor == NULL)
		return;
	VG_(clo_xml) = True;
	for (;;) {
		const HChar *frame = VG_(describe_IP)(epoch, address, cursor);

		element(name, sizeof(name), frame, "<fn>");
		element(directory, sizeof(directory), frame, "<dir>");
		element(file, sizeof(file), frame, "<file>");
		element(line, sizeof(line), frame, "<line>");
		if (!is_innermost)
			put_place(answer, directory, file, line);
		is_innermost = False;
		if (!VG_(next_IIPC)(cursor))
			break;
		put(answer, "\t");
		put(answer, name);
	}
	VG_(clo_xml) = False;
	VG_(delete_IIPC)(cursor);
}

static void ask(struct answer *answer, DiEpoch epoch, Addr address)
{
	const HChar *name, *directory, *file;
	HChar line[16];
	UInt number;

	answer->len = 0;
	put(answer, VG_(get_fnname_raw)(epoch, address, &name) ? name : "?");
	if (VG_(get_filename_linenum)(epoch, address, &file, &directory, &number)) {
		VG_(snprintf)(line, sizeof(line), "%u", number);
		put_place(answer, directory, file, line);
	} else
		put(answer, "\t?");
	put_inlined(answer, epoch, address);
}

static void print_answers(Addr first, Addr next, Addr bias)
{
	static struct answer answers[2];
	DiEpoch epoch = VG_(current_DiEpoch)();
	struct answer *last = &answers[0], *answer = &answers[1];
	Addr begin = first;

	ask(last, epoch, first);
	for (Addr address = first + 1; address < next; address++) {
		ask(answer, epoch, address);
		if (answer->len != last->len || VG_(strcmp)(answer->text, last->text) != 0) {
			struct answer *printed = last;

			VG_(printf)("%lx %lx %s\n", begin - bias, address - bias, printed->text);
			begin = address;
			last = answer;
			answer = printed;
		}
	}
	VG_(printf)("%lx %lx %s\n", begin - bias, next - bias, last->text);
}

/* A question changes the order of the core's list: it is gone through anew for each object. */
static void print_object(const HChar *path)
{
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL;
	     info = VG_(next_DebugInfo)(info)) {
		Addr first = VG_(DebugInfo_get_text_avma)(info);
		Addr bias = (Addr)VG_(DebugInfo_get_text_bias)(info);
		SizeT size = VG_(DebugInfo_get_text_size)(info);

		if (size == 0 || VG_(strcmp)(VG_(DebugInfo_get_filename)(info), path) != 0)
			continue;
		VG_(printf)("object %s %lx %lx\n", path, first - bias, first + size - bias);
		print_answers(first, first + size, bias);
		return;
	}
	VG_(printf)("object %s: none\n", path);
}

static void fini(Int code)
{
	(void)code;
	for (UInt i = 0; i < options.n_objects; i++)
		print_object(options.objects[i]);
}

static IRSB *instrument(VgCallbackClosure *closure, IRSB *block, const VexGuestLayout *layout,
			const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
			IRType host_word)
{
	(void)closure, (void)layout, (void)extents, (void)host, (void)guest_word, (void)host_word;
	return block;
}

static Bool process_option(const HChar *option)
{
	const HChar *path;

	if (!VG_STR_CLO(option, "--object", path) || options.n_objects == MAX_OBJECTS)
		return False;
	options.objects[options.n_objects++] = path;
	return True;
}

static void print_usage(void)
{
	VG_(printf)("    --object=PATH  print what is known about its code\n");
}

static void print_debug_usage(void)
{
}

static void post_clo_init(void)
{
}

static void pre_clo_init(void)
{
	VG_(details_name)("coreanswers");
	VG_(details_description)("what the core says about code");
	VG_(details_copyright_author)("Part of costgrind's tests.");
	VG_(details_bug_reports_to)("nobody");
	VG_(basic_tool_funcs)(post_clo_init, instrument, fini);
	VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
	VG_(clo_read_inline_info) = True;
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
