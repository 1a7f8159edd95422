/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/jitformats.h"

#include "tool/elf/elfobject.h"
#include "writer/freestanding.h"

static bool is_range(uint64_t address, uint64_t size)
{
	return size > 0 && address + (size - 1) >= address;
}

/* --- names ---------------------------------------------------------------------------------- */

/* Bytes that are not ended by a NUL. */
struct piece {
	const char *chars;
	size_t len;
};

static bool begins_with(struct piece text, const char *what, size_t len)
{
	if (text.len < len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (text.chars[i] != what[i])
			return false;
	return true;
}

static struct piece without(struct piece text, size_t n)
{
	return (struct piece){ text.chars + n, text.len - n };
}

static struct piece trimmed(struct piece text)
{
	while (text.len > 0 && (unsigned char)text.chars[0] <= ' ')
		text = without(text, 1);
	while (text.len > 0 && (unsigned char)text.chars[text.len - 1] <= ' ')
		text.len--;
	return text;
}

/* The index of the first such byte; the length if there is none. */
static size_t find(struct piece text, char c)
{
	size_t at = 0;

	while (at < text.len && text.chars[at] != c)
		at++;
	return at;
}

/* Appends to a text of len bytes; returns the new length. */
static size_t append(char to[CODENAME_SIZE], size_t len, struct piece text)
{
	for (size_t i = 0; i < text.len && len < CODENAME_SIZE - 1; i++) {
		to[len] = text.chars[i];
		if ((unsigned char)to[len] < ' ' || to[len] == 0x7f)
			to[len] = '?';
		len++;
	}
	to[len] = '\0';
	return len;
}

/* py::function:file */
static bool split_python(struct piece text, struct codename *name)
{
	struct piece rest;
	size_t colon;

	if (!begins_with(text, "py::", 4))
		return false;
	rest = without(text, 4);
	colon = find(rest, ':');
	if (colon == 0 || colon + 1 >= rest.len)
		return false;
	append(name->function, 0, (struct piece){ text.chars, 4 + colon });
	append(name->file, 0, without(rest, colon + 1));
	return true;
}

/* Takes ":number" from the end of a text, if it is there. */
static bool take_number(struct piece *text, uint32_t *number)
{
	size_t begin = text->len;
	uint32_t value = 0;

	while (begin > 0 && text->chars[begin - 1] >= '0' && text->chars[begin - 1] <= '9')
		begin--;
	if (begin == text->len || text->len - begin > 9 || begin == 0 ||
	    text->chars[begin - 1] != ':')
		return false;
	for (size_t i = begin; i < text->len; i++)
		value = value * 10 + (uint32_t)(text->chars[i] - '0');
	text->len = begin - 1;
	*number = value;
	return true;
}

static bool looks_like_file(struct piece text)
{
	return begins_with(text, "/", 1) || begins_with(text, "file:", 5) ||
	       begins_with(text, "node:", 5);
}

/* Where the file of "name file" begins, after a blank: names of accessors have blanks, and paths may. */
static size_t find_file(struct piece text)
{
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.chars[i] == ' ' && looks_like_file(without(text, i + 1)))
			return i + 1;
	return find(text, ' ') + 1;
}

/* Length of the word before a function's name in V8's texts, colon included; 0 if there is none. */
static size_t v8_kind(struct piece text)
{
	static const struct piece kinds[] = {
		{ "JS:", 3 },     { "LazyCompile:", 12 }, { "Function:", 9 },
		{ "Script:", 7 }, { "Eval:", 5 },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (begins_with(text, kinds[i].chars, kinds[i].len))
			return kinds[i].len;
	return 0;
}

static bool is_mark(char c)
{
	return c == '~' || c == '^' || c == '+' || c == '*' || c == '\'';
}

/* Kind:~function file:line:column */
static bool split_v8(struct piece text, struct codename *name)
{
	size_t begin = v8_kind(text), file, len;
	uint32_t last, line;
	struct piece place, function;

	if (begin == 0)
		return false;
	while (begin < text.len && is_mark(text.chars[begin]))
		begin++;
	place = without(text, begin);
	if (!take_number(&place, &last))
		return false;
	if (!take_number(&place, &line))
		line = last;
	file = find_file(place);
	if (file >= place.len)
		return false;
	function = trimmed((struct piece){ place.chars, file });
	place = without(place, file);
	if (begins_with(place, "file://", 7) && place.len > 7)
		place = without(place, 7);
	len = append(name->function, 0, (struct piece){ text.chars, begin });
	append(name->function, len,
	       function.len > 0 ? function : (struct piece){ "(anonymous)", 11 });
	append(name->file, 0, place);
	name->line = line;
	return true;
}

/* Lpackage/Class;::method; a nested class is in the file of the outer one. */
static bool split_java(struct piece text, struct codename *name)
{
	size_t end = find(text, ';'), len, outer;

	if (!begins_with(text, "L", 1) || end < 2 || !begins_with(without(text, end), ";::", 3) ||
	    end + 3 >= text.len || find(text, ' ') < end)
		return false;
	len = append(name->function, 0, (struct piece){ text.chars + 1, end - 1 });
	for (size_t i = 0; i < len; i++)
		if (name->function[i] == '/')
			name->function[i] = '.';
	append(name->function, len, without(text, end + 1));
	outer = find((struct piece){ text.chars + 1, end - 1 }, '$');
	if (outer == 0 || text.chars[outer] == '/')
		return true; /* not from a compiler */
	len = append(name->file, 0, (struct piece){ text.chars + 1, outer });
	append(name->file, len, (struct piece){ ".java", 5 });
	return true;
}

void codename_split(const char *text, size_t len, struct codename *name)
{
	const struct piece piece = trimmed((struct piece){ text, len });

	name->function[0] = '\0';
	name->file[0] = '\0';
	name->line = 0;
	if (!split_python(piece, name) && !split_v8(piece, name) && !split_java(piece, name))
		append(name->function, 0, piece);
}

/* --- perf maps ------------------------------------------------------------------------------ */

struct line {
	const char *chars;
	size_t len, at;
};

static bool is_blank(const struct line *line)
{
	return line->at < line->len &&
	       (line->chars[line->at] == ' ' || line->chars[line->at] == '\t');
}

static void skip_blanks(struct line *line)
{
	while (is_blank(line))
		line->at++;
}

/* Reads a digit; 16 if there is none. */
static unsigned digit(struct line *line)
{
	unsigned c;

	if (line->at == line->len)
		return 16;
	c = (unsigned char)line->chars[line->at++];
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	line->at--;
	return 16;
}

/* A 64-bit number that is followed by a blank. */
static bool read_number(struct line *line, uint64_t *number)
{
	size_t begin;
	unsigned value;

	if (line->at + 2 < line->len && line->chars[line->at] == '0' &&
	    (line->chars[line->at + 1] == 'x' || line->chars[line->at + 1] == 'X'))
		line->at += 2;
	begin = line->at;
	*number = 0;
	while ((value = digit(line)) < 16) {
		if (*number >> 60 != 0)
			return false;
		*number = *number << 4 | value;
	}
	return line->at > begin && is_blank(line);
}

bool perfmap_parse(const char *text, size_t len, struct perfmap_entry *entry)
{
	struct line line = { text, len, 0 };

	if (len > 0 && text[len - 1] == '\r')
		line.len--;
	skip_blanks(&line);
	if (!read_number(&line, &entry->address))
		return false;
	skip_blanks(&line);
	if (!read_number(&line, &entry->size))
		return false;
	skip_blanks(&line);
	entry->name = text + line.at;
	entry->name_len = line.len - line.at;
	return entry->name_len > 0 && is_range(entry->address, entry->size);
}

/* --- jitdump files -------------------------------------------------------------------------- */

enum {
	MAGIC = 0x4a695444, /* J i T D */
	MACHINE_X86_64 = 62,
	VERSION = 1,
};

/* Where numbers are. */
enum {
	HEADER_MAGIC = 0,   /* 4 bytes */
	HEADER_VERSION = 4, /* 4 */
	HEADER_SIZE = 8,    /* 4: of the header */
	HEADER_MACHINE = 12,
	PREFIX_KIND = 0,   /* 4 */
	PREFIX_SIZE = 4,   /* 4 */
	LOAD_ADDRESS = 32, /* 8, as all below; after pid, tid and another address */
	LOAD_SIZE = 40,
	LOAD_NAME = 56, /* after a number */
	MOVE_FROM = 32,
	MOVE_TO = 40,
	MOVE_SIZE = 48,
	MOVE_END = 64, /* after a number */
	LINES_ADDRESS = 16,
	LINES_N = 24,
	LINES_ENTRIES = 32,
	ENTRY_ADDRESS = 0,
	ENTRY_LINE = 8,  /* 4 */
	ENTRY_NAME = 16, /* after a discriminator */
};

bool jitdump_read_header(const uint8_t *bytes, uint32_t *size)
{
	/* cppcheck-suppress ctuPointerArith ; it takes the caller's array for an empty one */
	*size = read_32(bytes + HEADER_SIZE);
	return read_32(bytes + HEADER_MAGIC) == MAGIC &&
	       read_32(bytes + HEADER_VERSION) == VERSION &&
	       read_32(bytes + HEADER_MACHINE) == MACHINE_X86_64 && *size >= JITDUMP_HEADER_SIZE;
}

bool jitdump_read_prefix(const uint8_t *bytes, uint32_t *kind, uint32_t *size)
{
	/* cppcheck-suppress ctuPointerArith ; the same */
	*kind = read_32(bytes + PREFIX_KIND);
	*size = read_32(bytes + PREFIX_SIZE);
	return *size >= JITDUMP_PREFIX_SIZE;
}

/* Bytes up to the NUL; len if there is none. */
static size_t text_length(const uint8_t *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] != '\0')
		n++;
	return n;
}

bool jitdump_read_load(const uint8_t *record, size_t len, struct jitdump_code *code)
{
	if (len <= LOAD_NAME)
		return false;
	*code = (struct jitdump_code){
		.address = read_64(record + LOAD_ADDRESS),
		.size = read_64(record + LOAD_SIZE),
		.name = (const char *)record + LOAD_NAME,
		.name_len = text_length(record + LOAD_NAME, len - LOAD_NAME),
	};
	return code->name_len > 0 && is_range(code->address, code->size);
}

bool jitdump_read_move(const uint8_t *record, size_t len, struct jitdump_code *code)
{
	if (len < MOVE_END)
		return false;
	*code = (struct jitdump_code){
		.address = read_64(record + MOVE_TO),
		.size = read_64(record + MOVE_SIZE),
		.from = read_64(record + MOVE_FROM),
	};
	return is_range(code->address, code->size) && is_range(code->from, code->size);
}

bool jitdump_begin_lines(const uint8_t *record, size_t len, struct jitdump_lines *lines)
{
	if (len < LINES_ENTRIES)
		return false;
	*lines = (struct jitdump_lines){
		.address = read_64(record + LINES_ADDRESS),
		.at = record + LINES_ENTRIES,
		.end = record + len,
		.n_left = read_64(record + LINES_N),
	};
	return true;
}

bool jitdump_next_line(struct jitdump_lines *lines, struct jitdump_line *line)
{
	const uint8_t *name = lines->at + ENTRY_NAME;
	size_t room;

	if (lines->n_left == 0 || lines->end - lines->at <= ENTRY_NAME)
		return false;
	room = (size_t)(lines->end - name);
	/* The byte 255 alone: the same file as the line before. */
	if (room < 2 || name[0] != 0xff || name[1] != '\0') {
		lines->file = (const char *)name;
		lines->file_len = text_length(name, room);
	}
	*line = (struct jitdump_line){
		.address = read_64(lines->at + ENTRY_ADDRESS),
		.line = read_32(lines->at + ENTRY_LINE),
		.file = lines->file,
		.file_len = lines->file_len,
	};
	room = text_length(name, room);
	if (name + room == lines->end)
		return false; /* without an end */
	lines->at = name + room + 1;
	lines->n_left--;
	return true;
}
