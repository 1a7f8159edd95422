/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/elf/dwarf, dwarfunit, corereads: forms, ranges and references that compilers use rarely, put together here; whole, cut and
 * forged, and with memory refused.  tests/tool/elf/places.sh has what compilers do.
 */
#include "tool/elf/dwarf.h"

#include <stdlib.h>

#include "tests/common/check.h"

/* --- bytes --------------------------------------------------------------------------------- */

struct bytes {
	uint8_t at[1024];
	size_t len;
};

static void put(struct bytes *bytes, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes->at[bytes->len++] = (uint8_t)(number >> (8 * i));
}

static void put_bytes(struct bytes *bytes, const void *from, size_t len)
{
	memcpy(bytes->at + bytes->len, from, len);
	bytes->len += len;
}

static void put_text(struct bytes *bytes, const char *text)
{
	put_bytes(bytes, text, strlen(text) + 1);
}

/* Numbers up to 2^14. */
static void put_leb(struct bytes *bytes, unsigned number)
{
	if (number >= 128)
		put(bytes, (number & 127) | 128, 1);
	put(bytes, number >= 128 ? number >> 7 : number, 1);
}

/* A declaration, of pairs of attributes and forms up to one of zeros. */
static void put_declaration(struct bytes *bytes, unsigned code, unsigned tag, bool has_children,
			    const unsigned *pairs)
{
	put_leb(bytes, code);
	put_leb(bytes, tag);
	put(bytes, has_children, 1);
	do {
		put_leb(bytes, pairs[0]);
		put_leb(bytes, pairs[1]);
		if (pairs[1] == 0x21)
			put(bytes, 2, 1);
		pairs += 2;
	} while (pairs[-2] != 0);
}

/* Puts the length of all that follows before it. */
static void end_unit(struct bytes *bytes, size_t begin)
{
	const size_t len = bytes->len - begin - 4;

	for (unsigned i = 0; i < 4; i++)
		bytes->at[begin + i] = (uint8_t)(len >> (8 * i));
}

struct file {
	struct bytes lines, info, abbreviations, strings, string_offsets, addresses, ranges,
		range_lists;
};

static struct debug_sections sections_of(const struct file *file)
{
	return (struct debug_sections){
		.lines = { file->lines.at, file->lines.len },
		.info = { file->info.at, file->info.len },
		.abbreviations = { file->abbreviations.at, file->abbreviations.len },
		.strings = { file->strings.at, file->strings.len },
		.string_offsets = { file->string_offsets.at, file->string_offsets.len },
		.addresses = { file->addresses.at, file->addresses.len },
		.ranges = { file->ranges.at, file->ranges.len },
		.range_lists = { file->range_lists.at, file->range_lists.len },
	};
}

/* --- a program ----------------------------------------------------------------------------- */

/* Sequences: 0x1000 .. 0x1050 in files 1, 2, 3, 4 and a line 0; one of code that the linker removed; 0x2000 .. 0x2004. */
static void put_lines(struct bytes *lines)
{
	static const uint8_t head[] = "\1\1\1\xfb\xe\xd\0\1\1\1\1\0\0\0\1\0\0\1"
				      "inc\0/abs\0\0"
				      "a.c\0\0\0\0i.h\0\1\0\0x.h\0\2\0\0/root/y.c\0\0\0\0";
	static const uint8_t program[] = "\0\x9\2\0\x10\0\0\0\0\0\0"
					 "\3\4\1"           /* 0x1000: line 5 */
					 "\2\x10\4\2\3\2\1" /* 0x1010: file 2, line 7 */
					 "\2\x10\4\3\3\1\1" /* 0x1020: file 3, line 8 */
					 "\2\x10\4\4\3\1\1" /* 0x1030: file 4, line 9 */
					 "\2\x10\3\x77\1"   /* 0x1040: line 0 */
					 "\2\x10\0\1\1"     /* 0x1050 */
					 "\0\x9\2\0\0\0\0\0\0\0\0"
					 "\3\x5\1\2\x80\x20\3\1\1\2\x80\x40\0\1\1"
					 "\0\x9\2\0\x20\0\0\0\0\0\0"
					 "\3\x12\1\2\4\0\1\1"; /* 0x2000: line 19 */

	put(lines, 0, 4);
	put(lines, 4, 2);
	put(lines, sizeof(head), 4);
	put_bytes(lines, head, sizeof(head));
	put_bytes(lines, program, sizeof(program) - 1);
	end_unit(lines, 0);
}

enum {
	UNIT = 1,
	FUNCTION,
	INLINED_RANGES,
	INLINED_INDIRECT,
	SPECIFIED,
	NAMED,
	INLINED_ALTERNATE,
	STRUCTURE,
	LOOP,
	UNIT_WITHOUT_CODE,
	INLINED_UNKNOWN,
};

static void put_declarations(struct bytes *to)
{
	put_declaration(to, UNIT, 0x11, true,
			(const unsigned[]){ 3, 8, 0x1b, 8, 0x10, 0x17, 0x11, 1, 0x12, 6, 0, 0 });
	put_declaration(to, FUNCTION, 0x2e, true,
			(const unsigned[]){ 3, 8, 0x11, 1, 0x12, 7, 0, 0 });
	put_declaration(to, INLINED_RANGES, 0x1d, true,
			(const unsigned[]){ 0x31, 0x13, 0x58, 0xb, 0x59, 0xb, 0x55, 0x17, 0, 0 });
	put_declaration(to, INLINED_INDIRECT, 0x1d, false,
			(const unsigned[]){ 0x31, 0x16, 0x11, 1, 0x12, 0xf, 0x58, 0x21, 0x59, 5, 0,
					    0 });
	put_declaration(to, SPECIFIED, 0x2e, false, (const unsigned[]){ 0x47, 0x10, 0, 0 });
	put_declaration(to, NAMED, 0x2e, false, (const unsigned[]){ 3, 0xe, 0, 0 });
	put_declaration(to, INLINED_ALTERNATE, 0x1d, false,
			(const unsigned[]){ 0x31, 0x1f20, 0x11, 1, 0x12, 0xb, 0x58, 0xb, 0x59, 0xb,
					    0, 0 });
	put_declaration(to, STRUCTURE, 0x13, true, (const unsigned[]){ 1, 0x13, 0, 0 });
	put_declaration(to, LOOP, 0x2e, false, (const unsigned[]){ 0x47, 0x13, 0, 0 });
	put_declaration(to, UNIT_WITHOUT_CODE, 0x11, false, (const unsigned[]){ 0x10, 0x17, 0, 0 });
	put_declaration(to, INLINED_UNKNOWN, 0x1d, false,
			(const unsigned[]){ 0x31, 0x13, 0x11, 1, 0x12, 0xb, 0x58, 0xb, 0x59, 0xb, 0,
					    0 });
	put(to, 0, 1);
}

static void put_inlined_ranges(struct bytes *info, unsigned origin)
{
	put(info, INLINED_RANGES, 1);
	put(info, origin, 4);
	put(info, 1, 1);
	put(info, 50, 1);
	put(info, 0, 4);
}

/* main() is at 0x1000 .. 0x1050: outer() is inlined in two ranges of it, and in one of them named(). */
static void put_info(struct bytes *info)
{
	size_t specified, named, loop, sibling;

	put(info, 0, 4);
	put(info, 4, 2);
	put(info, 0, 4);
	put(info, 8, 1);
	put(info, UNIT, 1);
	put_text(info, "a.c");
	put_text(info, "/w");
	put(info, 0, 4);
	put(info, 0x1000, 8);
	put(info, 0x50, 4);
	/* What must be passed over: an entry in it is of no declaration. */
	put(info, STRUCTURE, 1);
	sibling = info->len;
	put(info, sibling + 4 + 2, 4);
	put(info, 99, 1);
	put(info, 0, 1);
	named = info->len;
	put(info, NAMED, 1);
	put(info, 1, 4);
	specified = info->len;
	put(info, SPECIFIED, 1);
	put(info, named, 4);
	loop = info->len;
	put(info, LOOP, 1);
	put(info, loop, 4);

	put(info, FUNCTION, 1);
	put_text(info, "main");
	put(info, 0x1000, 8);
	put(info, 0x50, 8);
	put_inlined_ranges(info, (unsigned)specified);
	put(info, INLINED_INDIRECT, 1);
	put(info, 0x15, 1);
	put_leb(info, (unsigned)named);
	put(info, 0x1014, 8);
	put_leb(info, 2);
	put(info, 60, 2);
	put(info, 0, 1);
	put(info, INLINED_ALTERNATE, 1);
	put(info, 12, 4);
	put(info, 0x1020, 8);
	put(info, 4, 1);
	put(info, 4, 1);
	put(info, 70, 1);
	put(info, INLINED_UNKNOWN, 1);
	put(info, loop, 4);
	put(info, 0x1028, 8);
	put(info, 1, 1);
	put(info, 9, 1); /* there is no such file */
	put(info, 80, 1);
	put(info, 0, 1);
	put(info, 0, 1);
	end_unit(info, 0);

	/* It does not say where its code is, and has that unit's lines. */
	sibling = info->len;
	put(info, 0, 4);
	put(info, 2, 2);
	put(info, 0, 4);
	put(info, 8, 1);
	put(info, UNIT_WITHOUT_CODE, 1);
	put(info, 0, 4);
	end_unit(info, sibling);
}

static void make_program(struct file *file)
{
	*file = (struct file){ .info = { .len = 0 } };
	put_lines(&file->lines);
	put_declarations(&file->abbreviations);
	put_info(&file->info);
	put_text(&file->strings, "");
	put_text(&file->strings, "named");
	/* From the unit's beginning: 0x10 .. 0x18; from another base: 0x1038 .. 0x103c, nothing, removed code. */
	put(&file->ranges, 0x10, 8);
	put(&file->ranges, 0x18, 8);
	put(&file->ranges, UINT64_MAX, 8);
	put(&file->ranges, 0x1030, 8);
	put(&file->ranges, 8, 8);
	put(&file->ranges, 12, 8);
	put(&file->ranges, 1, 8);
	put(&file->ranges, 1, 8);
	put(&file->ranges, 0, 8);
	put(&file->ranges, 0, 8);
}

/* A file of dwz's: a partial unit, and the name of a function in it. */
static void make_alternate(struct file *file)
{
	*file = (struct file){ .info = { .len = 0 } };
	put(&file->info, 0, 4);
	put(&file->info, 4, 2);
	put(&file->info, 0, 4);
	put(&file->info, 8, 1);
	put(&file->info, 1, 1);
	put(&file->info, 2, 1);
	put_text(&file->info, "far");
	put(&file->info, 0, 1);
	end_unit(&file->info, 0);
	put_declaration(&file->abbreviations, 1, 0x3c, true, (const unsigned[]){ 0, 0 });
	put_declaration(&file->abbreviations, 2, 0x2e, false, (const unsigned[]){ 3, 8, 0, 0 });
	put(&file->abbreviations, 0, 1);
}

/* --- answers ------------------------------------------------------------------------------- */

static size_t n_allocations, refused, n_live;

static void *allocate(size_t size)
{
	void *allocated = ++n_allocations == refused ? NULL : calloc(1, size);

	n_live += allocated != NULL;
	return allocated;
}

static void release(void *allocated)
{
	n_live--;
	free(allocated);
}

static void sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	qsort(base, n, size, compare);
}

static const struct dwarf_memory memory = { allocate, release, sort };

static struct dwarf *open_dwarf(const struct debug_sections *own,
				const struct debug_sections *alternate)
{
	const struct dwarf_sources sources = { .memory = &memory,
					       .own = own,
					       .alternate = alternate };

	return dwarf_open(&sources);
}

static void add_name(char *to, size_t size, struct debug_name name, const char *after)
{
	const size_t len = strlen(to);

	snprintf(to + len, size - len, "%.*s%s", (int)name.len, name.chars, after);
}

static void add_place(char *to, size_t size, const struct dwarf_place *place)
{
	add_name(to, size, place->directory, place->directory.len > 0 ? "/" : "");
	add_name(to, size, place->file, "");
	snprintf(to + strlen(to), size - strlen(to), ":%" PRIu32, place->line);
}

/* The line of an address, and the frames there, each as "function file:line" with a bar between. */
static const char *answer(struct dwarf *dwarf, uint64_t address)
{
	static char text[1024];
	const struct dwarf_frame *frames;
	struct dwarf_place place;
	size_t n;

	text[0] = '\0';
	if (!dwarf_line(dwarf, address, &place))
		return "none";
	add_place(text, sizeof(text), &place);
	n = dwarf_inlined(dwarf, address, &frames);
	for (size_t i = 0; i < n; i++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "|");
		add_name(text, sizeof(text), frames[i].function, " ");
		add_place(text, sizeof(text), &frames[i].place);
	}
	return text;
}

TEST(places)
{
	struct file file, other;
	struct debug_sections own, alternate;
	struct dwarf *dwarf;

	make_program(&file);
	make_alternate(&other);
	own = sections_of(&file);
	alternate = sections_of(&other);
	dwarf = open_dwarf(&own, &alternate);
	if (!CHECK(dwarf != NULL))
		return;
	CHECK_EQ_U64(dwarf_version(dwarf), 4);
	CHECK_STR(answer(dwarf, 0xfff), "none");
	CHECK_STR(answer(dwarf, 0x1000), "/w/a.c:5");
	CHECK_STR(answer(dwarf, 0x100f), "/w/a.c:5");
	CHECK_STR(answer(dwarf, 0x1010), "/w/inc/i.h:7|named /w/inc/i.h:7|main /w/a.c:50");
	CHECK_STR(answer(dwarf, 0x1014),
		  "/w/inc/i.h:7|named /w/inc/i.h:7|named /w/inc/i.h:60|main /w/a.c:50");
	CHECK_STR(answer(dwarf, 0x1016), "/w/inc/i.h:7|named /w/inc/i.h:7|main /w/a.c:50");
	CHECK_STR(answer(dwarf, 0x1018), "/w/inc/i.h:7");
	CHECK_STR(answer(dwarf, 0x1020), "/abs/x.h:8|far /abs/x.h:8|main /root/y.c:70");
	CHECK_STR(answer(dwarf, 0x1028), "/abs/x.h:8|AbsOriFnNameNotFound /abs/x.h:8|main :0");
	CHECK_STR(answer(dwarf, 0x1030), "/root/y.c:9");
	CHECK_STR(answer(dwarf, 0x1038), "/root/y.c:9|named /root/y.c:9|main /w/a.c:50");
	CHECK_STR(answer(dwarf, 0x103c), "/root/y.c:9");
	CHECK_STR(answer(dwarf, 0x1040), "/root/y.c:0");
	CHECK_STR(answer(dwarf, 0x1050), "none");
	/* Of the unit that says nothing but where its lines are. */
	CHECK_STR(answer(dwarf, 0x2003), "/w/a.c:19");
	CHECK_STR(answer(dwarf, 0x2004), "none");
	dwarf_close(dwarf);
	CHECK_EQ_U64(n_live, 0);
	/* Without the alternate file there is no name. */
	dwarf = open_dwarf(&own, NULL);
	if (!CHECK(dwarf != NULL))
		return;
	CHECK_STR(answer(dwarf, 0x1020),
		  "/abs/x.h:8|AbsOriFnNameNotFound /abs/x.h:8|main /root/y.c:70");
	dwarf_close(dwarf);
}

/* A program of version 5 that has nothing but indices: its texts and addresses, and all kinds of ranges. */
static void make_indexed(struct file *file)
{
	static const uint8_t head[] = "\1\1\1\xfb\xe\xd\0\1\1\1\1\0\0\0\1\0\0\1"
				      "\1\1\x8\1/v\0"
				      "\2\1\x8\2\xb\1b.c\0\0";
	static const uint8_t program[] = "\0\x9\2\0\x30\0\0\0\0\0\0"
					 "\4\0\3\xb\1\2\xe0\0\0\1\1"; /* 0x3000: line 12 */
	static const uint8_t list[] = "\1\0"                          /* base: 0x3000 */
				      "\4\0\4"                        /* 0x3000 .. 0x3004 */
				      "\2\1\2"                        /* 0x3010 .. 0x3018 */
				      "\3\3\4"                        /* 0x3020 .. 0x3024 */
				      "\5\0\x31\0\0\0\0\0\0"
				      "\4\0\0"   /* nothing */
				      "\3\4\x20" /* removed code */
				      "\6\x30\x30\0\0\0\0\0\0\x38\x30\0\0\0\0\0\0"
				      "\7\x40\x30\0\0\0\0\0\0\4"
				      "\2\0\x63" /* there is no such address */
				      "\0";
	static const uint64_t addresses[] = { 0x3000, 0x3010, 0x3018, 0x3020, UINT64_MAX };

	*file = (struct file){ .info = { .len = 0 } };
	put(&file->lines, 0, 4);
	put(&file->lines, 5, 2);
	put(&file->lines, 8, 2);
	put(&file->lines, sizeof(head) - 1, 4);
	put_bytes(&file->lines, head, sizeof(head) - 1);
	put_bytes(&file->lines, program, sizeof(program) - 1);
	end_unit(&file->lines, 0);
	for (unsigned i = 0; i < 8; i++) {
		put(&file->addresses, 0, 1);
		put(&file->string_offsets, 0, 1);
	}
	for (unsigned i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
		put(&file->addresses, addresses[i], 8);
	put(&file->string_offsets, 0, 4);
	put(&file->string_offsets, 3, 4);
	put_text(&file->strings, "/v");
	put_text(&file->strings, "fast");
	for (unsigned i = 0; i < 12; i++)
		put(&file->range_lists, 0, 1);
	put(&file->range_lists, 4, 4);
	put_bytes(&file->range_lists, list, sizeof(list) - 1);

	put_declaration(&file->abbreviations, 7, 0x11, true,
			(const unsigned[]){ 0x1b, 0x25, 0x10, 0x17, 0x55, 0x23, 0x11, 0x29, 0x72,
					    0x17, 0x73, 0x17, 0x74, 0x17, 0, 0 });
	put_declaration(&file->abbreviations, 300, 0x1d, false,
			(const unsigned[]){ 0x31, 0x13, 0x55, 0x23, 0x58, 0xb, 0x59, 0xb, 0, 0 });
	put_declaration(&file->abbreviations, 5, 0x2e, false, (const unsigned[]){ 3, 0x27, 0, 0 });
	put(&file->abbreviations, 0, 1);
	put(&file->info, 0, 4);
	put(&file->info, 5, 2);
	put(&file->info, 1, 1);
	put(&file->info, 8, 1);
	put(&file->info, 0, 4);
	put(&file->info, 7, 1);
	put(&file->info, 0, 1);
	put(&file->info, 0, 4);
	put(&file->info, 0, 1);
	put(&file->info, 0, 1);
	put(&file->info, 8, 4);
	put(&file->info, 8, 4);
	put(&file->info, 12, 4);
	put_leb(&file->info, 300);
	put(&file->info, file->info.len + 7, 4);
	put(&file->info, 0, 1);
	put(&file->info, 0, 1);
	put(&file->info, 33, 1);
	put(&file->info, 5, 1);
	put(&file->info, 1, 3);
	put(&file->info, 0, 1);
	end_unit(&file->info, 0);
}

TEST(indices)
{
	static const char here[] = "/v/b.c:12|fast /v/b.c:12| /v/b.c:33";
	static const struct {
		uint64_t first, next;
	} ranges[] = { { 0x3000, 0x3004 },
		       { 0x3010, 0x3018 },
		       { 0x3020, 0x3024 },
		       { 0x3030, 0x3038 },
		       { 0x3040, 0x3044 } };
	struct file file;
	struct debug_sections own;
	struct dwarf *dwarf;

	make_indexed(&file);
	own = sections_of(&file);
	dwarf = open_dwarf(&own, NULL);
	if (!CHECK(dwarf != NULL))
		return;
	CHECK_EQ_U64(dwarf_version(dwarf), 5);
	for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		CHECK_STR(answer(dwarf, ranges[i].first), here);
		CHECK_STR(answer(dwarf, ranges[i].next - 1), here);
		CHECK_STR(answer(dwarf, ranges[i].next), "/v/b.c:12"); /* as far as lines reach */
	}
	CHECK_STR(answer(dwarf, 0x3060), "none");
	dwarf_close(dwarf);
}

/* Asks for every address; what is said is of no interest. */
static void ask_all(const struct debug_sections *own, const struct debug_sections *alternate)
{
	struct dwarf *dwarf = open_dwarf(own, alternate);

	dwarf_core_reads(own, alternate, 19);
	if (dwarf == NULL)
		return;
	for (uint64_t address = 0x1000; address < 0x1060; address += 4)
		answer(dwarf, address);
	for (uint64_t address = 0x3000; address < 0x3060; address += 4)
		answer(dwarf, address);
	dwarf_close(dwarf);
}

TEST(damaged)
{
	struct file files[3];

	make_program(&files[0]);
	make_indexed(&files[1]);
	make_alternate(&files[2]);
	for (unsigned which = 0; which < 2; which++) {
		struct bytes *const parts[] = {
			&files[which].lines,          &files[which].info,
			&files[which].abbreviations,  &files[which].ranges,
			&files[which].range_lists,    &files[2].info,
			&files[which].string_offsets,
		};

		for (unsigned part = 0; part < sizeof(parts) / sizeof(parts[0]); part++) {
			struct bytes *bytes = parts[part];
			const size_t len = bytes->len;
			struct debug_sections own, alternate = sections_of(&files[2]);

			for (size_t i = 0; i < len; i++) {
				const uint8_t right = bytes->at[i];

				for (unsigned value = 0; value < 256; value += 15) {
					bytes->at[i] = (uint8_t)value;
					own = sections_of(&files[which]);
					ask_all(&own, &alternate);
				}
				bytes->at[i] = right;
				bytes->len = i;
				own = sections_of(&files[which]);
				alternate = sections_of(&files[2]);
				ask_all(&own, &alternate);
				bytes->len = len;
			}
		}
	}
	CHECK_EQ_U64(n_live, 0);
}

TEST(refused_memory)
{
	struct file file, other;
	struct debug_sections own, alternate;

	make_program(&file);
	make_alternate(&other);
	own = sections_of(&file);
	alternate = sections_of(&other);
	for (refused = 1; refused < 12; refused++) {
		n_allocations = 0;
		ask_all(&own, &alternate);
		CHECK_EQ_U64(n_live, 0);
	}
	CHECK(n_allocations < refused); /* each one was refused once */
	refused = 0;
}

/* --- what the core reads ------------------------------------------------------------------- */

/* A unit of a kind of version 5, with an entry that has this form. */
static bool core_reads(unsigned kind, unsigned form, unsigned minor)
{
	struct file file = { .info = { .len = 0 } };
	struct debug_sections own;

	put(&file.info, 0, 4);
	put(&file.info, 5, 2);
	put(&file.info, kind, 1);
	put(&file.info, 8, 1);
	put(&file.info, 0, 4);
	for (unsigned i = 0; i < 24; i++)
		put(&file.info, 0, 1);
	end_unit(&file.info, 0);
	put_declaration(&file.abbreviations, 1, 0x11, false, (const unsigned[]){ 0, 0 });
	put_declaration(&file.abbreviations, 2, 0x34, false,
			(const unsigned[]){ 0x49, form, 0, 0 });
	put(&file.abbreviations, 0, 1);
	own = sections_of(&file);
	return dwarf_core_reads(&own, NULL, minor);
}

TEST(core)
{
	static const unsigned always[] = { 0x01, 0x05, 0x0e, 0x13, 0x17,   0x19,
					   0x1e, 0x1f, 0x20, 0x21, 0x1f20, 0x1f21 },
			      later[] = { 0x1a, 0x1b, 0x22, 0x23, 0x25, 0x28, 0x29, 0x2c },
			      never[] = { 0x02, 0x1c, 0x1d, 0x24, 0x2d, 0x1f01, 0x1f02 };

	for (unsigned i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		CHECK(core_reads(1, always[i], 19) && core_reads(1, always[i], 27));
	for (unsigned i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		CHECK(!core_reads(1, later[i], 19) && core_reads(1, later[i], 20));
	for (unsigned i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		CHECK(!core_reads(1, never[i], 19) && !core_reads(1, never[i], 27));
	for (unsigned kind = 2; kind <= 6; kind++)
		CHECK(core_reads(kind, 0x0b, 19) == (kind == 3) && core_reads(kind, 0x0b, 20));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(places),         CHECK_TEST(indices), CHECK_TEST(damaged),
		CHECK_TEST(refused_memory), CHECK_TEST(core),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
