/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * writer/: every allocation and every write fails in turn, for a profile with
 * everything in it.  Each time the error is there at the end, what was written
 * is the beginning of the right text, later calls do nothing and nothing leaks
 * (the sanitizers look on).
 */
#include "writer/writer.h"

#include "tests/common/check.h"
#include "tests/writer/writer_fixture.h"

enum {
	LARGE_LINES = 12000, /* cost lines, more than two buffers full */
	LARGE_STEP = 211,    /* bytes from one full disk to the next */
};

static void write_header(struct writer *w)
{
	static const char *const cmd[] = { "./prog", "back\\slash", "\xff", "" };
	static const uint64_t costs[] = { 7, 0, 1 };

	writer_pid(w, 77);
	writer_cmd(w, cmd, 4);
	writer_part(w, 1);
	writer_thread(w, 1);
	writer_desc(w, "I1 cache", "32768 B, 64 B, 8-way associative");
	writer_desc(w, "Trigger", "Program\ntermination");
	writer_region(w, &(struct region_line){ "a\nb", 3, 2, 1, true, costs, 3 });
	writer_event(w, "Ir", NULL, "Instructions executed");
	writer_event(w, "Sum", "Ir + 2 Dr", "Sum");
	writer_positions(w);
	events(w, "Ir", "Dr", "D1mr");
	writer_summary(w, costs);
}

/* The keys are far apart, so that the table of each kind of name grows twice. */
static void write_body(struct writer *w)
{
	const struct position here = at(0x401136, 12), there = at(0x401150, 14);
	static const uint64_t costs[] = { 7, 0, 1 };

	writer_blank(w);
	position(w, SPEC_OB, "/bin/prog", 0);
	position(w, SPEC_FL, "/src/prog.c", 0);
	position(w, SPEC_FN, "main\n", 0);
	cost3(w, here, 1, 0, 0);
	position(w, SPEC_FI, "inlined.h", 1000);
	cost3(w, there, 0, 0, 1);
	position(w, SPEC_FE, "/src/prog.c", 0);
	jump(w, 3, here, there);
	writer_conditional_jump(w, 1, 3, &here, &there);
	position(w, SPEC_COB, "/lib/lib.so", 1000);
	position(w, SPEC_CFI, "no key", NAME_NO_KEY);
	position(w, SPEC_CFN, "callee", 1000);
	calls(w, 2, there);
	cost3(w, there, 6, 0, 1);
	writer_totals(w, costs);
}

static void write_all(struct writer *w, unsigned lines)
{
	writer_format(w);
	writer_version(w);
	writer_creator(w, "writer_failure_test");
	write_header(w);
	write_body(w);
	writer_begin_part(w);
	write_header(w);
	position(w, SPEC_FN, "main", 0);
	for (unsigned i = 0; i < lines; i++)
		cost3(w, at(0x1000 + i * UINT64_C(1000), i), i, 1, i % 2);
	writer_totals(w, (const uint64_t[]){ 1, 2, 3 });
}

/* Uses a writer that has failed; it must not notice. */
static void check_dead(struct recording *s, int error)
{
	uint64_t bytes = s->writer.out.bytes, lines = s->writer.out.lines;
	size_t n_allocs = s->env.n_allocs, n_writes = s->env.n_writes;

	write_all(&s->writer, 1);
	CHECK(writer_finish(&s->writer) == error);
	CHECK_EQ_U64(s->writer.out.bytes, bytes);
	CHECK_EQ_U64(s->writer.out.lines, lines);
	CHECK_EQ_U64(s->env.n_allocs, n_allocs);
	CHECK_EQ_U64(s->env.n_writes, n_writes);
	writer_release(&s->writer);
	CHECK(s->writer.out.error == error);
	writer_release(&s->writer); /* twice does no harm */
	CHECK(test_env_release(&s->env));
}

TEST(every_allocation)
{
	struct recording s;
	size_t n_allocs;

	write_all(begin(&s, &instr_compressed), 1);
	CHECK_EQ_U64((uint64_t)writer_finish(&s.writer), 0);
	n_allocs = s.env.n_allocs;
	CHECK_EQ_U64(n_allocs, 1 + 3 * 2);
	writer_release(&s.writer);
	CHECK(test_env_release(&s.env));

	for (size_t k = 1; k <= n_allocs; k++) {
		test_env_init(&s.env);
		s.env.fail_alloc = k;
		writer_init(&s.writer, &s.env.env, &instr_compressed);
		write_all(&s.writer, 1);
		CHECK(writer_finish(&s.writer) == OUT_NO_MEMORY);
		CHECK_EQ_U64(s.env.n_allocs, k);
		CHECK_EQ_U64(s.env.n_writes, 0);
		check_dead(&s, OUT_NO_MEMORY);
	}
}

/* Fills the disk at byte 0, step, 2 * step... of the profile and around whole buffers. */
static void fill_disks(const struct writer_options *options, unsigned lines, size_t step)
{
	struct recording whole, s;

	write_all(begin(&whole, options), lines);
	CHECK_EQ_U64((uint64_t)writer_finish(&whole.writer), 0);
	CHECK_EQ_U64(whole.env.len, whole.writer.out.bytes);
	for (size_t size = 0; size < whole.env.len; size++) {
		size_t distance = size % OUT_BUFFER_SIZE;

		if (size % step != 0 && distance > 1 && distance < OUT_BUFFER_SIZE - 1 &&
		    size != whole.env.len - 1)
			continue;
		test_env_init(&s.env);
		s.env.disk_size = size;
		writer_init(&s.writer, &s.env.env, options);
		write_all(&s.writer, lines);
		CHECK_EQ_U64((uint64_t)writer_finish(&s.writer), TEST_ENV_ENOSPC);
		CHECK_EQ_U64(s.env.len, size);
		CHECK(memcmp(s.env.text, whole.env.text, size) == 0);
		check_dead(&s, TEST_ENV_ENOSPC);
	}
	writer_release(&whole.writer);
	CHECK(test_env_release(&whole.env));
}

TEST(every_write)
{
	fill_disks(&instr_compressed, 1, 1);
	fill_disks(&instr_plain, 1, 1);
}

/* The write that fails is not the one of writer_finish(). */
TEST(writes_of_a_large_profile)
{
	fill_disks(&instr_compressed, LARGE_LINES, LARGE_STEP);
}

TEST(disk_that_just_suffices)
{
	struct recording s;
	size_t len;

	write_all(begin(&s, &compressed), 1);
	CHECK_EQ_U64((uint64_t)writer_finish(&s.writer), 0);
	len = s.env.len;
	writer_release(&s.writer);
	CHECK(test_env_release(&s.env));
	test_env_init(&s.env);
	s.env.disk_size = len;
	writer_init(&s.writer, &s.env.env, &compressed);
	write_all(&s.writer, 1);
	CHECK_EQ_U64((uint64_t)writer_finish(&s.writer), 0);
	writer_release(&s.writer);
	CHECK(test_env_release(&s.env));
}

/* Given up half-way: nothing was flushed, nothing leaks. */
TEST(release_without_finish)
{
	struct recording s;

	write_all(begin(&s, &compressed), 1);
	writer_release(&s.writer);
	CHECK_EQ_U64(s.env.len, 0);
	CHECK(test_env_release(&s.env));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(every_allocation),          CHECK_TEST(every_write),
		CHECK_TEST(writes_of_a_large_profile), CHECK_TEST(disk_that_just_suffices),
		CHECK_TEST(release_without_finish),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
