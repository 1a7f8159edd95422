/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	jitting map FILE | opened creat|openat|openat2 FILE | dump FILE | gdb
 *
 * Makes code as a just-in-time compiler does, and says its names in one way: as a perf map, a jitdump file, or
 * through GDB's interface.  The code is leaf(n), of 2 n + 2 instructions; another kind of it has one
 * more, so that the two differ where memory is used again.  opened is a short map, of a file opened
 * by that system call; 77 if there is none such.
 */
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gdbjit.h"
#include "tool/costgrind.h"

enum { PAGE = 4096, PLACE = 256 };

static const unsigned char leaf[] = {
	0x89, 0xf9, /* mov %edi, %ecx */
	0xff, 0xc9, /* dec %ecx */
	0x75, 0xfc, /* jnz . - 2 */
	0xc3,       /* ret */
};

static unsigned char *code;

static void *map_code(void)
{
	return mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
}

/* Puts code at a place; longer has an additional instruction.  Returns its size. */
static size_t make(unsigned char *at, int longer)
{
	if (longer)
		*at = 0x90; /* nop */
	memcpy(at + longer, leaf, sizeof(leaf));
	return sizeof(leaf) + (size_t)longer;
}

static void call(const void *at, unsigned times, unsigned n)
{
	void (*function)(unsigned);

	memcpy(&function, &at, sizeof(function));
	while (times-- != 0)
		function(n);
}

static void put(int fd, const void *data, size_t len)
{
	if (write(fd, data, len) != (ssize_t)len)
		abort();
}

static void say(int fd, const void *at, size_t size, const char *name)
{
	char line[256];

	put(fd, line,
	    (size_t)snprintf(line, sizeof(line), "%lx %zx %s", (unsigned long)at, size, name));
}

/* --- perf maps ----------------------------------------------------------------------------- */

/* A line that is longer than any name, and others that are of no format. */
static void say_nonsense(int fd)
{
	static char line[100000];
	static const char others[] =
		"\n\nzz 10 wrong\n10\n10 20\n10 0 nothing\nffffffffffffffff 2 around\n"
		"123456789012345678901234567890 5 large\n1000 ffffffffff all\n";

	memset(line, 'x', sizeof(line));
	say(fd, code, PAGE, "long ");
	put(fd, line, sizeof(line));
	put(fd, others, sizeof(others) - 1);
}

static void write_map(const char *path)
{
	unsigned char *at = code;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);

	if (fd < 0)
		abort();
	/* Memory that is used again, with another name. */
	say(fd, at, make(at, 0), "py::first:/sources/first.py\n");
	call(at, 3, 10);
	say(fd, at, make(at, 1), "JS:~second /sources/second.js:7:3\n");
	call(at, 2, 10);
	/* As often as it takes for code to be hot, and again. */
	say(fd, at, make(at, 0), "Lorg/a/Third$In;::third\n");
	call(at, 1000, 10);
	say(fd, at, make(at, 1), "fourth\n");
	call(at, 1000, 10);
	/* A line whose end comes later. */
	at += PLACE;
	say(fd, at, make(at, 0), "in two");
	call(at, 5, 10);
	put(fd, " pieces\n", 8);
	/* A name that comes for other code, later. */
	at += PLACE;
	make(at, 0);
	call(at, 6, 10);
	say(fd, at, make(at, 1), "not the first\n");
	call(at, 7, 10);
	/* Two names for one place, said late: it cannot be known which is right. */
	at += PLACE;
	make(at, 0);
	call(at, 8, 10);
	say(fd, at, sizeof(leaf), "one\n");
	say(fd, at, sizeof(leaf), "two\n");
	/* The last one wins. */
	at += PLACE;
	say(fd, at, make(at, 0), "loser\n");
	say_nonsense(fd);
	say(fd, at, sizeof(leaf), "winner\n");
	call(at, 9, 10);
	/* Another file under that name, which begins anew. */
	close(fd);
	at += PLACE;
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	say(fd, at, make(at, 0), "anew\n");
	call(at, 10, 10);
	close(fd);
	/* What the tool is given, of code that has a name. */
	COSTGRIND_NAME_CODE(at, PLACE, "told");
	call(at, 11, 10);
}

static int open_by(const char *call_name, const char *path)
{
	const struct {
		uint64_t flags, mode, resolve;
	} how = { O_WRONLY | O_CREAT | O_TRUNC, 0600, 0 };

	if (strcmp(call_name, "creat") == 0)
		return (int)syscall(SYS_creat, path, 0600);
	if (strcmp(call_name, "openat") == 0)
		return (int)syscall(SYS_openat, AT_FDCWD, path, (int)how.flags, 0600);
	return (int)syscall(437, AT_FDCWD, path, &how, sizeof(how)); /* openat2 */
}

static int write_short_map(const char *call_name, const char *path)
{
	int fd = open_by(call_name, path);

	if (fd < 0)
		return 77;
	say(fd, code, make(code, 0), "known\n");
	call(code, 3, 10);
	return 0;
}

/* --- jitdump ------------------------------------------------------------------------------- */

static void put_prefix(int fd, uint32_t kind, size_t len)
{
	const uint32_t prefix[] = { kind, (uint32_t)(16 + len), 0, 0 };

	put(fd, prefix, sizeof(prefix));
}

static void put_lines(int fd, const unsigned char *at, uint64_t shift)
{
	static const struct {
		uint32_t offset, line;
		const char *file;
	} lines[] = { { 0, 10, "/sources/dumped.x" },
		      { 2, 11, "\xff" },
		      { 6, 12, "/sources/other.x" } };
	uint64_t numbers[2] = { (uintptr_t)at, 3 };
	size_t len = sizeof(numbers);

	for (int i = 0; i < 3; i++)
		len += 16 + strlen(lines[i].file) + 1;
	put_prefix(fd, 2, len);
	put(fd, numbers, sizeof(numbers));
	for (int i = 0; i < 3; i++) {
		const uint64_t address = (uintptr_t)at + lines[i].offset + shift;
		const uint32_t line[2] = { lines[i].line, 0 };

		put(fd, &address, sizeof(address));
		put(fd, line, sizeof(line));
		put(fd, lines[i].file, strlen(lines[i].file) + 1);
	}
}

static void put_code(int fd, const unsigned char *at, const char *name)
{
	const uint32_t ids[2] = { 1, 1 };
	const uint64_t numbers[4] = { (uintptr_t)at, (uintptr_t)at, sizeof(leaf), 1 };

	put_prefix(fd, 0, sizeof(ids) + sizeof(numbers) + strlen(name) + 1 + sizeof(leaf));
	put(fd, ids, sizeof(ids));
	put(fd, numbers, sizeof(numbers));
	put(fd, name, strlen(name) + 1);
	put(fd, leaf, sizeof(leaf));
}

static void put_move(int fd, const unsigned char *from, const unsigned char *to)
{
	const uint32_t ids[2] = { 1, 1 };
	const uint64_t numbers[5] = { (uintptr_t)to, (uintptr_t)from, (uintptr_t)to, sizeof(leaf),
				      1 };

	put_prefix(fd, 1, sizeof(ids) + sizeof(numbers));
	put(fd, ids, sizeof(ids));
	put(fd, numbers, sizeof(numbers));
}

static void write_dump(const char *path)
{
	const uint32_t header[10] = { 0x4a695444, 1, 40, 62 };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		abort();
	put(fd, header, sizeof(header));
	if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		abort();
	make(code, 0);
	put_lines(fd, code, 0);
	put_code(fd, code, "dumped");
	call(code, 3, 10);
	/* Moved, and its old place has another one, with lines in LLVM's form. */
	make(code + PLACE, 0);
	put_move(fd, code, code + PLACE);
	call(code + PLACE, 2, 10);
	make(code + 2 * PLACE, 0);
	put_prefix(fd, 4, 24); /* how to unwind */
	put(fd, header, 24);
	put_lines(fd, code + 2 * PLACE, 64);
	put_code(fd, code + 2 * PLACE, "shifted");
	call(code + 2 * PLACE, 4, 10);
	/* What comes after a record without an end is not read. */
	put_prefix(fd, 0, 1 << 20);
	put_code(fd, code + 3 * PLACE, "never");
	make(code + 3 * PLACE, 0);
	call(code + 3 * PLACE, 5, 10);
	close(fd);
}

/* --- GDB's interface ----------------------------------------------------------------------- */

static const char texts[] = "\0.text\0.symtab\0.strtab\0f_one\0f_two\0";

/* A relocatable file with two functions in its only section of code. */
static struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[4];
	Elf64_Sym symbols[3];
	char texts[sizeof(texts)];
} image;

static void describe(const unsigned char *at)
{
	const unsigned char function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);

	memset(&image, 0, sizeof(image));
	memcpy(image.texts, texts, sizeof(texts));
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_type = ET_REL;
	image.header.e_machine = EM_X86_64;
	image.header.e_shoff = offsetof(struct image, sections);
	image.header.e_shentsize = sizeof(Elf64_Shdr);
	image.header.e_shnum = 4;
	image.header.e_shstrndx = 3;
	image.sections[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_NOBITS, .sh_addr = (uintptr_t)at, .sh_size = PAGE
	};
	image.sections[2] = (Elf64_Shdr){ .sh_name = 7,
					  .sh_type = SHT_SYMTAB,
					  .sh_link = 3,
					  .sh_offset = offsetof(struct image, symbols),
					  .sh_size = sizeof(image.symbols) };
	image.sections[3] = (Elf64_Shdr){ .sh_name = 15,
					  .sh_type = SHT_STRTAB,
					  .sh_offset = offsetof(struct image, texts),
					  .sh_size = sizeof(texts) };
	image.symbols[1] = (Elf64_Sym){
		.st_name = 23, .st_info = function, .st_shndx = 1, .st_size = sizeof(leaf)
	};
	image.symbols[2] = (Elf64_Sym){ .st_name = 29,
					.st_info = function,
					.st_shndx = 1,
					.st_value = PLACE,
					.st_size = sizeof(leaf) };
}

static void tell_debugger(struct entry *entry, uint32_t action)
{
	if (action == 1) {
		*entry = (struct entry){ .file = &image,
					 .size = sizeof(image),
					 .next = __jit_debug_descriptor.first };
		__jit_debug_descriptor.first = entry;
	} else {
		__jit_debug_descriptor.first = entry->next;
	}
	__jit_debug_descriptor.relevant = entry;
	__jit_debug_descriptor.action = action;
	__jit_debug_register_code();
}

static void register_with_gdb(void)
{
	static struct entry entry;

	make(code, 0);
	make(code + PLACE, 0);
	describe(code);
	tell_debugger(&entry, 1);
	COSTGRIND_START_INSTRUMENTATION; /* if it is not yet */
	call(code, 3, 10);
	call(code + PLACE, 4, 10);
	/* Its memory has code without a name, and then, by an entry at the same place, another one. */
	tell_debugger(&entry, 2);
	make(code, 1);
	call(code, 5, 10);
	make(code, 0);
	image.symbols[1].st_name = 29;
	tell_debugger(&entry, 1);
	call(code, 6, 10);
	/* What is no file. */
	tell_debugger(&entry, 2);
	memset(&image, 0xff, sizeof(image));
	tell_debugger(&entry, 1);
}

int main(int argc, char **argv)
{
	code = map_code();
	if (argc == 3 && strcmp(argv[1], "map") == 0)
		write_map(argv[2]);
	else if (argc == 4 && strcmp(argv[1], "opened") == 0)
		return write_short_map(argv[2], argv[3]);
	else if (argc == 3 && strcmp(argv[1], "dump") == 0)
		write_dump(argv[2]);
	else if (argc == 2 && strcmp(argv[1], "gdb") == 0)
		register_with_gdb();
	else
		return 2;
	return 0;
}
