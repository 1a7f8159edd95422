/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files in which the program tells perf the names of its code, read as they grow.
 *
 * A file is open only while it is read, so that the program's descriptors stay its own.
 */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/generated/jitformats.h"
#include "tool/generated/state.h"

enum {
	MAP_CHUNK = 1 << 16, /* bytes of a perf map read at once, and of its longest line */
	ELF_HEADER_SIZE = 64,
	MAX_LINES_RECORD = 1 << 26, /* bytes of a record of lines; larger ones are skipped */
};

/* The file is now the one of this path, still unread; NULL: none. */
static void growingfile_set(struct growingfile *file, const HChar *path)
{
	if (file->path != NULL)
		VG_(free)(file->path);
	*file = (struct growingfile){
		.path = path == NULL ? NULL
				     : VG_(strdup)("costgrind.growing", path),
		};
}

/* Only regular files of the user or of root are read: anybody can put anything into /tmp. */
static Bool is_trusted(const struct vki_stat *stat)
{
	return VKI_S_ISREG(stat->st_mode) &&
	       (stat->st_uid == 0 || stat->st_uid == (ULong)VG_(geteuid)());
}

static void note_identity(struct growingfile *file, const struct vki_stat *stat)
{
	if (file->device == stat->st_dev && file->inode == stat->st_ino &&
	    (ULong)stat->st_size >= file->read)
		return;
	file->device = stat->st_dev;
	file->inode = stat->st_ino;
	file->read = 0;
	file->seen = 0;
}

/*
 * Opens the file if it has grown or has been replaced; a new file is read from its start.  Returns a
 * descriptor or -1; *size is where to stop reading.  A file last written before not_before, in seconds
 * since 1970, belongs to an earlier process of the same number and is left alone.
 */
static Int growingfile_open(struct growingfile *file, ULong not_before, ULong *size)
{
	struct vki_stat stat;
	Int fd;

	if (file->path == NULL || tool_self.sealed ||
	    syscall_fstatat(LINUX_AT_FDCWD, file->path, &stat, 0) != 0 || !is_trusted(&stat) ||
	    (ULong)stat.st_mtime < not_before)
		return -1;
	note_identity(file, &stat);
	if ((ULong)stat.st_size == file->seen)
		return -1;
	/* It may have become a pipe since. */
	fd = syscall_openat(LINUX_AT_FDCWD, file->path,
			    VKI_O_RDONLY | VKI_O_NONBLOCK | LINUX_O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (syscall_fstatat(fd, "", &stat, LINUX_AT_EMPTY_PATH) != 0 || !is_trusted(&stat)) {
		syscall_close(fd);
		return -1;
	}
	note_identity(file, &stat);
	file->seen = (ULong)stat.st_size;
	*size = file->seen;
	return fd;
}

/* Reads len bytes at an offset; returns how many there are. */
static SizeT growingfile_read(Int fd, void *to, SizeT len, ULong offset)
{
	SizeT n = 0;

	while (n < len) {
		Word result = syscall_pread(fd, (UChar *)to + n, len - n, offset + n);

		if (result <= 0)
			break;
		n += (SizeT)result;
	}
	return n;
}

/* True if the last part of a path is prefix, a number and suffix. */
static Bool is_numbered(const HChar *path, const HChar *prefix, const HChar *suffix)
{
	const HChar *slash = VG_(strrchr)(path, '/');
	const HChar *name = slash == NULL ? path : slash + 1;
	const SizeT len = VG_(strlen)(prefix);

	if (VG_(strncmp)(name, prefix, len) != 0 || !VG_(isdigit)(name[len]))
		return False;
	name += len;
	while (VG_(isdigit)(*name))
		name++;
	return VG_(strcmp)(name, suffix) == 0;
}

/* --- perf maps ------------------------------------------------------------------------------ */

/*
 * The map is found by the process id.  But the program may know itself by another id, so a map that it has
 * opened itself is preferred.
 */
void jitfiles_opened(const HChar *path)
{
	if (!is_numbered(path, "perf-", ".map") ||
	    (tool_generated.map.path != NULL && VG_(strcmp)(tool_generated.map.path, path) == 0))
		return;
	growingfile_set(&tool_generated.map, path);
	tool_generated.map_is_long_line = False;
}

static void name_line(const HChar *line, SizeT len)
{
	struct perfmap_entry entry;

	if (perfmap_parse(line, len, &entry))
		naming_set(&(struct naming){
			.address = entry.address,
			.size = entry.size,
			.name = entry.name,
			.name_len = entry.name_len,
		});
}

/* Takes the whole lines of a text; returns their length in bytes. */
static SizeT take_map_lines(const HChar *text, SizeT len)
{
	SizeT begin = 0;

	for (SizeT i = 0; i < len; i++) {
		if (text[i] != '\n')
			continue;
		if (!tool_generated.map_is_long_line)
			name_line(text + begin, i - begin);
		tool_generated.map_is_long_line = False;
		begin = i + 1;
	}
	return begin;
}

static void read_map_from(Int fd, struct growingfile *map, ULong size)
{
	HChar *chunk = VG_(malloc)("costgrind.perf_map", MAP_CHUNK);

	while (map->read < size) {
		SizeT want = size - map->read < MAP_CHUNK ? (SizeT)(size - map->read) : MAP_CHUNK;
		SizeT n = growingfile_read(fd, chunk, want, map->read);
		SizeT taken = take_map_lines(chunk, n);

		if (taken == 0 && n == MAP_CHUNK) {
			tool_generated.map_is_long_line = True;
			taken = n;
		}
		map->read += taken;
		if (taken == 0 || n < want) /* the end is being written, or was cut */
			break;
	}
	VG_(free)(chunk);
}

static void read_map(void)
{
	struct growingfile *map = &tool_generated.map;
	HChar path[64];
	ULong size;
	Int fd;

	if (map->path == NULL) {
		VG_(snprintf)(path, sizeof(path), "/tmp/perf-%d.map", VG_(getpid)());
		growingfile_set(map, path);
	}
	fd = growingfile_open(map, tool_generated.started, &size);
	if (fd < 0)
		return;
	if (map->read == 0)
		tool_generated.map_is_long_line = False;
	read_map_from(fd, map, size);
	syscall_close(fd);
}

/* --- jitdump files -------------------------------------------------------------------------- */

void jitfiles_mapped(const HChar *path)
{
	if (!is_numbered(path, "jit-", ".dump"))
		return;
	for (UInt i = 0; i < tool_generated.n_dumps; i++)
		if (VG_(strcmp)(tool_generated.dumps[i].file.path, path) == 0)
			return;
	if (tool_generated.n_dumps < MAX_DUMP_FILES)
		growingfile_set(&tool_generated.dumps[tool_generated.n_dumps++].file, path);
}

/* The lines of a record of len bytes that belong to its code. */
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

static void take_dump_lines(struct dumpfile *dump, const UChar *record, SizeT len)
{
	struct jitdump_lines lines;

	if (!jitdump_begin_lines(record, len, &lines))
		return;
	dump->address = lines.address;
	dump->lines = make_lines(&lines, len);
}

/*
 * LLVM and V8 add the size of an ELF header to the addresses of lines, since older versions of perf
 * turned the code into ELF files and counted from their beginning.  It shows in that the first
 * instruction has no line, or the last lines have no instruction.
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

/* How many bytes of a record are worth reading. */
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
			take_dump_lines(dump, record, len);
		else if (kind == JITDUMP_LOAD)
			take_load(dump, record, len);
		else if (jitdump_read_move(record, len, &code))
			naming_move(code.from, code.address, code.size);
	}
	VG_(free)(record);
}

/* Reads the next record if it is complete. */
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

static void read_dump_from(struct dumpfile *dump, Int fd, ULong end)
{
	UChar header[JITDUMP_HEADER_SIZE] = { 0 };
	UInt size;

	if (dump->file.read == 0) {
		dump->lines = NULL;
		if (growingfile_read(fd, header, sizeof(header), 0) < sizeof(header))
			return; /* not written yet */
		if (!jitdump_read_header(header, &size)) {
			dump->is_over = True;
			return;
		}
		dump->file.read = size;
	}
	while (dump->file.read < end && read_record(dump, fd, end))
		;
}

static void read_dumps(void)
{
	for (UInt i = 0; i < tool_generated.n_dumps; i++) {
		struct dumpfile *dump = &tool_generated.dumps[i];
		ULong size;
		Int fd = dump->is_over ? -1 : growingfile_open(&dump->file, 0, &size);

		if (fd < 0)
			continue;
		read_dump_from(dump, fd, size);
		syscall_close(fd);
	}
}

/* --- both ----------------------------------------------------------------------------------- */

void jitfiles_forget(void)
{
	growingfile_set(&tool_generated.map, NULL);
	tool_generated.map_is_long_line = False;
	for (UInt i = 0; i < tool_generated.n_dumps; i++)
		growingfile_set(&tool_generated.dumps[i].file, NULL);
	VG_(memset)(tool_generated.dumps, 0, sizeof(tool_generated.dumps));
	tool_generated.n_dumps = 0;
}

void jitfiles_read(void)
{
	read_map();
	read_dumps(); /* last, since they have lines and must win */
}
