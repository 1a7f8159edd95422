/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/dumpfiles.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/generated/jitdump.h"
#include "tool/generated/naming.h"
#include "tool/generated/state.h"

enum {
	ELF_HEADER_SIZE = 64,
	MAX_LINES_RECORD = 1 << 26, /* bytes of a record of lines; larger ones are passed over */
};

void dumpfiles_mapped(const HChar *path)
{
	struct dumpfiles *dumps = &tool_generated.dumps;

	if (!naming_is_numbered(path, "jit-", ".dump"))
		return;
	for (UInt i = 0; i < dumps->n; i++)
		if (VG_(strcmp)(dumps->files[i].file.path, path) == 0)
			return;
	if (dumps->n < MAX_DUMP_FILES)
		growingfile_set(&dumps->files[dumps->n++].file, path);
}

void dumpfiles_forget(void)
{
	struct dumpfiles *dumps = &tool_generated.dumps;

	for (UInt i = 0; i < dumps->n; i++)
		growingfile_set(&dumps->files[i].file, NULL);
	VG_(memset)(dumps, 0, sizeof(*dumps));
}

/* The lines of a record, len bytes, that are of its code. */
static struct named_lines *make_lines(struct jitdump_lines *record, SizeT len)
{
	/* No entry is shorter. */
	struct named_line *lines =
		VG_(malloc)("costgrind.dump_lines", (len / 17 + 1) * sizeof(*lines));
	struct named_lines *table;
	struct jitdump_line line;
	UInt n = 0;

	while (jitdump_next_line(record, &line))
		if (line.address - record->address <= 0xffffffff)
			lines[n++] = (struct named_line){
				.offset = (UInt)(line.address - record->address),
				.line = line.line,
				.file = naming_file(line.file, line.file_len),
			};
	table = naming_lines(lines, n);
	VG_(free)(lines);
	return table;
}

static void take_lines(struct dumpfile *dump, const UChar *record, SizeT len)
{
	struct jitdump_lines lines;

	if (!jitdump_begin_lines(record, len, &lines))
		return;
	dump->address = lines.address;
	dump->lines = make_lines(&lines, len);
}

/*
 * LLVM and V8 add the size of an ELF header to addresses of lines, as older versions of perf made ELF files
 * of the code and counted from their beginning.  Then no line is of the first instruction, or the last
 * ones are of none.
 */
static void correct_lines(struct named_lines *lines, ULong size)
{
	const UInt first = lines->lines[0].offset, last = lines->lines[lines->n - 1].offset;

	if (first < ELF_HEADER_SIZE || (first > ELF_HEADER_SIZE && last < size))
		return;
	for (UInt i = 0; i < lines->n; i++)
		lines->lines[i].offset -= ELF_HEADER_SIZE;
}

static void take_load(struct dumpfile *dump, const UChar *record, SizeT len)
{
	struct jitdump_code code;

	if (!jitdump_read_load(record, len, &code))
		return;
	if (dump->lines != NULL && dump->address == code.address)
		correct_lines(dump->lines, code.size);
	naming_set(&(struct naming){
		.address = code.address,
		.size = code.size,
		.name = code.name,
		.name_len = code.name_len,
		.lines = dump->address == code.address ? dump->lines : NULL,
	});
	dump->lines = NULL;
}

/* How much of a record is worth reading, in bytes. */
static SizeT part_of(UInt kind, UInt size)
{
	switch (kind) {
	case JITDUMP_LOAD:
		return size < JITDUMP_MAX_LOAD ? size : JITDUMP_MAX_LOAD;
	case JITDUMP_MOVE:
		return size < JITDUMP_MAX_LOAD ? size : 0;
	case JITDUMP_LINES:
		return size <= MAX_LINES_RECORD ? size : 0;
	default:
		return 0;
	}
}

static void take_record(struct dumpfile *dump, Int fd, UInt kind, UInt size)
{
	const SizeT len = part_of(kind, size);
	UChar *record = len == 0 ? NULL : VG_(malloc)("costgrind.record", len);
	struct jitdump_code code;

	if (kind == JITDUMP_CLOSE)
		dump->is_over = True;
	if (record == NULL)
		return;
	if (growingfile_read(fd, record, len, dump->file.read) == len) {
		if (kind == JITDUMP_LINES)
			take_lines(dump, record, len);
		else if (kind == JITDUMP_LOAD)
			take_load(dump, record, len);
		else if (jitdump_read_move(record, len, &code))
			naming_move(code.from, code.address, code.size);
	}
	VG_(free)(record);
}

/* The next record, if it is whole. */
static Bool read_record(struct dumpfile *dump, Int fd, ULong end)
{
	UChar prefix[JITDUMP_PREFIX_SIZE] = { 0 };
	UInt kind, size;

	if (growingfile_read(fd, prefix, sizeof(prefix), dump->file.read) < sizeof(prefix))
		return False;
	if (!jitdump_read_prefix(prefix, &kind, &size)) {
		dump->is_over = True;
		return False;
	}
	if (end - dump->file.read < size)
		return False;
	take_record(dump, fd, kind, size);
	dump->file.read += size;
	return !dump->is_over;
}

static void read_from(struct dumpfile *dump, Int fd, ULong end)
{
	UChar header[JITDUMP_HEADER_SIZE] = { 0 };
	UInt size;

	if (dump->file.read == 0) {
		dump->lines = NULL;
		if (growingfile_read(fd, header, sizeof(header), 0) < sizeof(header))
			return; /* so far */
		if (!jitdump_read_header(header, &size)) {
			dump->is_over = True;
			return;
		}
		dump->file.read = size;
	}
	while (dump->file.read < end && read_record(dump, fd, end))
		;
}

void dumpfiles_read(void)
{
	for (UInt i = 0; i < tool_generated.dumps.n; i++) {
		struct dumpfile *dump = &tool_generated.dumps.files[i];
		ULong size;
		Int fd = dump->is_over ? -1 : growingfile_open(&dump->file, 0, &size);

		if (fd < 0)
			continue;
		read_from(dump, fd, size);
		growingfile_close(fd);
	}
}
