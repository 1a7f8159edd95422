/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer/out: numbers, the edge of the buffer, the sticky error. */
#include "writer/out.h"

#include "tests/common/check.h"
#include "tests/common/test_env.h"

/* Starts an output at offset bytes into the buffer, all of them dots. */
static void start(struct out *out, struct test_env *t, size_t offset)
{
	test_env_init(t);
	out_init(out, &t->env);
	for (size_t i = 0; i < offset; i++)
		out_char(out, '.');
}

static void check_number(void (*put)(struct out *, uint64_t), uint64_t value, const char *format)
{
	char want[32];
	struct test_env t;
	struct out out;

	snprintf(want, sizeof(want), "%" PRIu64, value);
	if (*format == 'x')
		snprintf(want, sizeof(want), "0x%" PRIx64, value);
	start(&out, &t, 0);
	put(&out, value);
	CHECK_EQ_U64(out.bytes, strlen(want));
	CHECK_EQ_U64(out_flush(&out), 0);
	CHECK_STR(t.text, want);
	out_release(&out);
	CHECK(test_env_release(&t));
}

TEST(numbers_at_every_length)
{
	for (uint64_t power = 1, i = 0; i < 20; i++, power *= 10) {
		check_number(out_decimal, power - 1, "u");
		check_number(out_decimal, power, "u");
		check_number(out_decimal, power + 1, "u");
	}
	check_number(out_decimal, UINT64_MAX, "u");
	for (unsigned bit = 0; bit < 64; bit++) {
		check_number(out_hex, UINT64_C(1) << bit, "x");
		check_number(out_hex, (UINT64_C(1) << bit) - 1, "x");
	}
	check_number(out_hex, UINT64_MAX, "x");
	check_number(out_hex, UINT64_C(0x123456789abcdef0), "x");
}

TEST(random_numbers)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (unsigned i = 0; i < 2000; i++) {
		uint64_t value = check_random(&random) >> check_random_below(&random, 64);

		check_number(out_decimal, value, "u");
		check_number(out_hex, value, "x");
	}
}

TEST(every_place_at_the_edge_of_the_buffer)
{
	for (size_t before = 0; before < 64; before++) {
		static const char tail[] = "abc\n18446744073709551615 0xffffffffffffffff z\n";
		struct test_env t;
		struct out out;

		start(&out, &t, OUT_BUFFER_SIZE - before);
		out_bytes(&out, "abc\n", 4);
		out_decimal(&out, UINT64_MAX);
		out_char(&out, ' ');
		out_hex(&out, UINT64_MAX);
		out_text(&out, " z\n");
		CHECK_EQ_U64(out.bytes, OUT_BUFFER_SIZE - before + strlen(tail));
		CHECK_EQ_U64(out.lines, 2);
		CHECK_EQ_U64(out_flush(&out), 0);
		CHECK_EQ_U64(t.len, out.bytes);
		CHECK_STR(t.text + OUT_BUFFER_SIZE - before, tail);
		out_release(&out);
		CHECK(test_env_release(&t));
	}
}

TEST(data_longer_than_the_buffer)
{
	size_t len = 3 * OUT_BUFFER_SIZE + 5;
	char *data = malloc(len);
	struct test_env t;
	struct out out;

	CHECK(data != NULL);
	if (!data)
		return;
	for (size_t i = 0; i < len; i++)
		data[i] = "a much shorter text\n"[i % 20];
	start(&out, &t, 7);
	out_bytes(&out, data, len);
	out_bytes(&out, NULL, 0);
	CHECK_EQ_U64(out.bytes, 7 + len);
	CHECK_EQ_U64(out.lines, len / 20);
	CHECK_EQ_U64(out_flush(&out), 0);
	CHECK_EQ_U64(t.len, 7 + len);
	CHECK(memcmp(t.text + 7, data, len) == 0);
	out_release(&out);
	CHECK(test_env_release(&t));
	free(data);
}

TEST(writes_are_whole_buffers)
{
	const size_t whole = 2 * (size_t)OUT_BUFFER_SIZE;
	struct test_env t;
	struct out out;

	start(&out, &t, whole + 1);
	CHECK_EQ_U64(t.n_writes, 2);
	CHECK_EQ_U64(t.len, whole);
	CHECK_EQ_U64(out_flush(&out), 0);
	CHECK_EQ_U64(t.n_writes, 3);
	CHECK_EQ_U64(out_flush(&out), 0);
	CHECK_EQ_U64(t.n_writes, 3); /* nothing new, nothing written */
	out_release(&out);
	CHECK(test_env_release(&t));
}

TEST(failed_write_sticks)
{
	struct test_env t;
	struct out out;
	uint64_t bytes;

	start(&out, &t, 0);
	t.disk_size = 10;
	for (size_t i = 0; i <= OUT_BUFFER_SIZE; i++)
		out_char(&out, '.');
	CHECK_EQ_U64(out.error, TEST_ENV_ENOSPC);
	bytes = out.bytes;
	out_char(&out, '\n');
	out_text(&out, "text\n");
	out_bytes(&out, "bytes\n", 6);
	out_decimal(&out, 1);
	out_hex(&out, 1);
	out_fail(&out, OUT_MISUSE); /* comes too late */
	CHECK_EQ_U64(out_flush(&out), TEST_ENV_ENOSPC);
	CHECK_EQ_U64(out.bytes, bytes);
	CHECK_EQ_U64(out.lines, 0);
	CHECK_EQ_U64(t.len, 10);
	out_release(&out);
	CHECK_EQ_U64(out.error, TEST_ENV_ENOSPC);
	CHECK(test_env_release(&t));
}

TEST(no_memory)
{
	struct test_env t;
	struct out out;

	test_env_init(&t);
	t.fail_alloc = 1;
	out_init(&out, &t.env);
	out_text(&out, "text");
	CHECK(out_flush(&out) == OUT_NO_MEMORY);
	CHECK_EQ_U64(out.bytes, 0);
	CHECK_EQ_U64(t.n_writes, 0);
	out_release(&out);
	CHECK(test_env_release(&t));
}

TEST(noted_error_discards_the_buffer)
{
	struct test_env t;
	struct out out;

	start(&out, &t, 5);
	out_fail(&out, OUT_MISUSE);
	CHECK(out_flush(&out) == OUT_MISUSE);
	CHECK_EQ_U64(t.n_writes, 0);
	out_release(&out);
	CHECK(test_env_release(&t));
}

TEST(released_output_takes_nothing)
{
	struct test_env t;
	struct out out;

	start(&out, &t, 5);
	out_release(&out);
	out_release(&out);
	CHECK_EQ_U64(out.error, 0);
	CHECK_EQ_U64(out_flush(&out), 0);
	out_text(&out, "lost");
	CHECK(out_flush(&out) == OUT_MISUSE);
	CHECK_EQ_U64(t.n_writes, 0);
	CHECK(test_env_release(&t));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(numbers_at_every_length),
		CHECK_TEST(random_numbers),
		CHECK_TEST(every_place_at_the_edge_of_the_buffer),
		CHECK_TEST(data_longer_than_the_buffer),
		CHECK_TEST(writes_are_whole_buffers),
		CHECK_TEST(failed_write_sticks),
		CHECK_TEST(no_memory),
		CHECK_TEST(noted_error_discards_the_buffer),
		CHECK_TEST(released_output_takes_nothing),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
