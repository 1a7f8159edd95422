/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A map is found by the number of the process; but the number that the program knows may be another one,
 * so the map that it has opened itself is preferred.
 */
#include "tool/generated/mapfile.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "tool/generated/naming.h"
#include "tool/generated/perfmap.h"
#include "tool/generated/state.h"

enum {
	CHUNK = 1 << 16, /* bytes that are read at a time, and of the longest line */
};

void mapfile_opened(const HChar *path)
{
	if (!naming_is_numbered(path, "perf-", ".map") ||
	    (tool_generated.map.path != NULL && VG_(strcmp)(tool_generated.map.path, path) == 0))
		return;
	growingfile_set(&tool_generated.map, path);
	tool_generated.map_is_long_line = False;
}

void mapfile_forget(void)
{
	growingfile_set(&tool_generated.map, NULL);
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

/* Takes the whole lines of a text; returns of how many bytes they are. */
static SizeT take_lines(const HChar *text, SizeT len)
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

static void read_from(Int fd, struct growingfile *map, ULong size)
{
	HChar *chunk = VG_(malloc)("costgrind.perf_map", CHUNK);

	while (map->read < size) {
		SizeT want = size - map->read < CHUNK ? (SizeT)(size - map->read) : CHUNK;
		SizeT n = growingfile_read(fd, chunk, want, map->read);
		SizeT taken = take_lines(chunk, n);

		if (taken == 0 && n == CHUNK) {
			tool_generated.map_is_long_line = True;
			taken = n;
		}
		map->read += taken;
		if (taken == 0 || n < want) /* the end is being written, or was cut */
			break;
	}
	VG_(free)(chunk);
}

void mapfile_read(void)
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
	read_from(fd, map, size);
	growingfile_close(fd);
}
