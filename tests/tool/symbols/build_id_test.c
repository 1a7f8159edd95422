/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/symbols/elfimage: build-ids of files that are mapped into memory, whole, cut and forged. */
#include "tool/symbols/elfimage.h"

#include <elf.h>
#include <string.h>

#include "tests/common/check.h"

enum {
	ID_SIZE = 20,
};

/* What is linked to an address that is not where it lies. */
static const uint64_t linked_at = 0x400000;

/* A file in memory: header, two segments, a foreign note, and one with a build-id. */
struct image {
	Elf64_Ehdr elf;
	Elf64_Phdr segments[2];
	char notes[256];
};

static struct image image;
static size_t n_readable; /* bytes of it */

static bool is_readable(uintptr_t address, size_t size)
{
	uintptr_t begin = (uintptr_t)&image;

	CHECK(size > 0);
	return address >= begin && address + size <= begin + n_readable;
}

/* Appends a note at an offset of the notes; returns where the next one is. */
static size_t add_note(size_t at, const char *owner, uint32_t type, uint32_t size, size_t alignment)
{
	Elf64_Nhdr note = { (Elf64_Word)strlen(owner) + 1, size, type };
	size_t value = (at + sizeof(note) + note.n_namesz + alignment - 1) & ~(alignment - 1);

	memcpy(image.notes + at, &note, sizeof(note));
	memcpy(image.notes + at + sizeof(note), owner, note.n_namesz);
	for (uint32_t i = 0; i < size && value + i < sizeof(image.notes); i++)
		image.notes[value + i] = (char)(i + 1);
	return (value + size + alignment - 1) & ~(alignment - 1);
}

static void make_image(size_t alignment)
{
	size_t at;

	memset(&image, 0, sizeof(image));
	memcpy(image.elf.e_ident, ELFMAG, SELFMAG);
	image.elf.e_ident[EI_CLASS] = ELFCLASS64;
	image.elf.e_ident[EI_DATA] = ELFDATA2LSB;
	image.elf.e_machine = EM_X86_64;
	image.elf.e_phoff = offsetof(struct image, segments);
	image.elf.e_phentsize = sizeof(Elf64_Phdr);
	image.elf.e_phnum = 2;
	image.segments[0] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_align = alignment };
	image.segments[0].p_vaddr = linked_at + offsetof(struct image, notes);
	image.segments[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = linked_at };
	at = add_note(0, "stranger", NT_GNU_BUILD_ID, 5, alignment);
	at = add_note(at, "GNU", NT_GNU_ABI_TAG, 16, alignment);
	image.segments[0].p_filesz = add_note(at, "GNU", NT_GNU_BUILD_ID, ID_SIZE, alignment);
	n_readable = sizeof(image);
}

static struct build_id find(void)
{
	struct build_id id = { .size = 99 };

	elfimage_build_id((uintptr_t)&image, is_readable, &id);
	return id;
}

TEST(found)
{
	static const size_t alignments[] = { 4, 8 };

	for (size_t i = 0; i < 2; i++) {
		struct build_id id;

		make_image(alignments[i]);
		id = find();
		CHECK_EQ_U64(id.size, ID_SIZE);
		for (unsigned j = 0; j < ID_SIZE; j++)
			CHECK_EQ_U64(id.bytes[j], j + 1);
	}
}

/* Alignments of 0 and 1 mean none, and notes are in words all the same. */
TEST(unaligned)
{
	make_image(4);
	image.segments[0].p_align = 0;
	CHECK_EQ_U64(find().size, ID_SIZE);
	image.segments[0].p_align = 1;
	CHECK_EQ_U64(find().size, ID_SIZE);
}

TEST(own)
{
	struct build_id id;
	extern const char __ehdr_start[]; /* the linker's */

	n_readable = 0;
	elfimage_build_id((uintptr_t)__ehdr_start, is_readable, &id);
	CHECK_EQ_U64(id.size, 0); /* it is said not to be readable, and not read */
}

TEST(others)
{
	make_image(4);
	image.elf.e_ident[0] = 'E';
	CHECK_EQ_U64(find().size, 0);
	make_image(4);
	image.elf.e_ident[EI_CLASS] = ELFCLASS32;
	CHECK_EQ_U64(find().size, 0);
	make_image(4);
	image.elf.e_ident[EI_DATA] = ELFDATA2MSB;
	CHECK_EQ_U64(find().size, 0);
	make_image(4);
	image.segments[1].p_offset = 4096; /* its beginning is in no segment */
	CHECK_EQ_U64(find().size, 0);
	make_image(4);
	image.segments[0].p_type = PT_NULL;
	CHECK_EQ_U64(find().size, 0);
}

/* Of a file that ends anywhere, it is found or it is not. */
TEST(cut)
{
	size_t end;

	make_image(4);
	end = offsetof(struct image, notes) + image.segments[0].p_filesz;
	for (size_t i = 0; i <= end; i++) {
		n_readable = i;
		CHECK_EQ_U64(find().size, i == end ? ID_SIZE : 0);
	}
}

/* Sizes that lead out of the segment, the memory, or 64 bits. */
TEST(forged)
{
	static const uint32_t sizes[] = { 0, BUILD_ID_MAX + 1, 0x7fffffff, 0xfffffffc, 0xffffffff };
	static const uint64_t addresses[] = { 0, 1, 0xfff, UINT64_MAX, UINT64_MAX - 64 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		Elf64_Nhdr note = { 4, sizes[i], NT_GNU_BUILD_ID };

		make_image(4);
		memcpy(image.notes, &note, sizeof(note));
		memcpy(image.notes + sizeof(note), "GNU", 4);
		CHECK_EQ_U64(find().size, 0);
		note = (Elf64_Nhdr){ sizes[i], 4, NT_GNU_BUILD_ID };
		memcpy(image.notes, &note, sizeof(note));
		CHECK_EQ_U64(find().size, 0);
	}
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		make_image(4);
		image.segments[0].p_vaddr = addresses[i];
		CHECK_EQ_U64(find().size, 0);
		make_image(4);
		image.elf.e_phoff = addresses[i];
		CHECK_EQ_U64(find().size, 0);
		make_image(4);
		image.segments[0].p_filesz = addresses[i];
		CHECK_EQ_U64(find().size, 0); /* more than can be read */
	}
	make_image(4);
	image.elf.e_phnum = 0xffff;
	CHECK_EQ_U64(find().size, 0);
	image.elf.e_phnum = 0;
	CHECK_EQ_U64(find().size, 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(found),  CHECK_TEST(unaligned), CHECK_TEST(own),
		CHECK_TEST(others), CHECK_TEST(cut),       CHECK_TEST(forged),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
