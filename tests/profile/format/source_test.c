/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files: plain, compressed, damaged, not there; large ones. */
#define ZLIB_CONST /* next_in is const */
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/common/model_fixture.h"

#include "profile/format/source.h"

/* A profile of n functions, which the caller frees. */
static char *make_profile(size_t n, size_t *len)
{
	char *text = malloc(100 + n * 64);

	if (!text)
		abort();
	*len = (size_t)snprintf(text, 100, "events: Ir\nfl=a.c\n");
	for (size_t i = 0; i < n; i++)
		*len += (size_t)snprintf(text + *len, 64, "fn=(%zu) ns::function_%zu\n%zu %zu\n", i,
					 i, i % 1000, i);
	return text;
}

static void write_file(const char *name, const void *data, size_t len)
{
	FILE *file = fopen(name, "wb");

	CHECK(file && fwrite(data, 1, len, file) == len);
	if (file)
		CHECK(fclose(file) == 0);
}

/* What is read of a file: "n functions, total", or what went wrong. */
static const char *summary_of(const char *path)
{
	static char summary[PROFILE_ERROR_LINE];
	struct model model;
	struct profile_error error;
	uint64_t total = 0;

	CHECK(model_init(&model, &heap_env));
	if (model_read(&model, path, NULL, NULL, NULL, &error) != PROFILE_OK) {
		profile_error_line(&error, summary, sizeof(summary));
	} else {
		CHECK(model_totals(&model, &total));
		snprintf(summary, sizeof(summary), "%zu functions, %" PRIu64, model.n_functions,
			 total);
	}
	model_release(&model);
	return summary;
}

static size_t gzip(const char *text, size_t len, unsigned char *to, size_t size)
{
	z_stream stream = { 0 };
	size_t used;

	CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	stream.next_in = (const Bytef *)text;
	stream.avail_in = (uInt)len;
	stream.next_out = to;
	stream.avail_out = (uInt)size;
	CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
	used = stream.total_out;
	deflateEnd(&stream);
	return used;
}

enum { MILLION = 1000000 };
enum { N = 20000 }; /* functions; more than a buffer holds */

static const char want[] = "20000 functions, 199990000"; /* 0 + 1 + ... + 19999 */

TEST(plain)
{
	size_t len;
	char *text = make_profile(N, &len);

	write_file("plain", text, len);
	CHECK_STR(summary_of("plain"), want);
	CHECK_STR(summary_of("nothing"), "nothing: cannot open: No such file or directory");
	CHECK_STR(summary_of("."), ".: cannot read: Is a directory");
	write_file("empty", "", 0);
	CHECK_STR(summary_of("empty"), "0 functions, 0");
	write_file("short", "\n", 1);
	CHECK_STR(summary_of("short"), "0 functions, 0");
	free(text);
}

TEST(compressed)
{
	size_t len, gzip_len, zstd_len;
	char *text = make_profile(N, &len);
	unsigned char *packed = calloc(2, len + 500);

	if (!CHECK(packed))
		return;
	gzip_len = gzip(text, len, packed, len + 1000);
	write_file("gzip", packed, gzip_len);
	CHECK_STR(summary_of("gzip"), want);
	/* Members one after the other are one file. */
	gzip_len = gzip(text, len / 2, packed, len);
	gzip_len += gzip(text + len / 2, len - len / 2, packed + gzip_len, len);
	write_file("members", packed, gzip_len);
	CHECK_STR(summary_of("members"), want);
	zstd_len = ZSTD_compress(packed, len + 1000, text, len, 3);
	write_file("zstd", packed, zstd_len);
	CHECK_STR(summary_of("zstd"), want);
	zstd_len = ZSTD_compress(packed, len, text, len / 2, 3);
	zstd_len += ZSTD_compress(packed + zstd_len, len, text + len / 2, len - len / 2, 3);
	write_file("frames", packed, zstd_len);
	CHECK_STR(summary_of("frames"), want);
	free(packed);
	free(text);
}

TEST(damaged)
{
	size_t len, packed_len;
	char *text = make_profile(N, &len);
	unsigned char *packed = calloc(1, len + 1000);

	if (!CHECK(packed))
		return;
	packed_len = gzip(text, len, packed, len + 1000);
	for (size_t cut = 2; cut < packed_len; cut += packed_len / 7) {
		write_file("cut", packed, cut);
		CHECK_STR(summary_of("cut"), "cut: the compressed data end too early");
	}
	packed[packed_len / 2] ^= 0xff;
	packed[packed_len / 2 + 1] ^= 0xff;
	write_file("flipped", packed, packed_len);
	/* What it becomes may be no profile before it is no gzip. */
	CHECK(strncmp(summary_of("flipped"), "flipped:", 8) == 0);
	packed_len = ZSTD_compress(packed, len + 1000, text, len, 3);
	write_file("cut", packed, packed_len / 2);
	CHECK_STR(summary_of("cut"), "cut: the compressed data end too early");
	packed[packed_len / 2] ^= 0xff;
	packed[4] ^= 0xff;
	write_file("flipped", packed, packed_len);
	CHECK(strncmp(summary_of("flipped"), "flipped: expected zstd data: ", 29) == 0);
	free(packed);
	free(text);
}

/* Each allocation of a compressed file's reader fails once. */
TEST(no_memory)
{
	const struct visitor nobody = { 0 };
	int status = PROFILE_NO_MEMORY;

	for (size_t i = 1; status != PROFILE_OK && CHECK(i < 1000); i++) {
		struct test_env t;
		const struct reader_options options = { .env = &t.env };

		test_env_init(&t);
		t.fail_alloc = i;
		status = reader_read("gzip", &options, &nobody, NULL, NULL);
		CHECK(status == PROFILE_OK || status == PROFILE_NO_MEMORY);
		CHECK(test_env_release(&t));
	}
}

TEST(a_million_functions)
{
	size_t len;
	char *text = make_profile(MILLION, &len);
	struct model model;
	struct inclusive inclusive;
	const struct reader_options reading = { .names = model.names };
	struct builder builder;
	uint64_t total;

	CHECK(model_init(&model, &heap_env));
	CHECK_EQ_U64((uint64_t)builder_init(&builder, &model, NULL), PROFILE_OK);
	builder_begin_file(&builder, NULL, model.names);
	CHECK_EQ_U64((uint64_t)read_profile(&(struct reader_text){ text, len, "text" }, &reading,
					    &builder.visitor, NULL, NULL),
		     PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
	free(text);
	CHECK_EQ_U64(model.n_functions, MILLION);
	CHECK(model_totals(&model, &total));
	CHECK_EQ_U64(total, UINT64_C(499999500000));
	CHECK_EQ_U64((uint64_t)inclusive_compute(&inclusive, &model, NULL), PROFILE_OK);
	CHECK_EQ_U64(inclusive_of(&inclusive, 999999)[0], 999999);
	inclusive_release(&inclusive);
	model_release(&model);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(plain),     CHECK_TEST(compressed),          CHECK_TEST(damaged),
		CHECK_TEST(no_memory), CHECK_TEST(a_million_functions),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
