/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files: plain, compressed, damaged, not there; large ones. */
#define ZLIB_CONST /* next_in is const */
#include <bzlib.h>
#include <lzma.h>
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

	/* cppcheck-suppress uninitvar ; callers have filled it */
	CHECK(file && fwrite(data, 1, len, file) == len);
	if (file)
		CHECK(fclose(file) == 0);
}

/* What is read of a file: "n functions, total", with ", cut" if it is, or what went wrong. */
static const char *summary_of(const char *path)
{
	static char summary[PROFILE_ERROR_LINE];
	struct model model;
	struct reader_report report;
	struct profile_error error;
	uint64_t total = 0;

	model_init(&model);
	if (model_read(&model, path, NULL, NULL, &report, &error) != PROFILE_OK) {
		profile_error_line(&error, summary, sizeof(summary));
	} else {
		CHECK(model_totals(&model, &total));
		snprintf(summary, sizeof(summary), "%zu functions, %" PRIu64 "%s",
			 model.n_functions, total, reader_is_cut(&report) ? ", cut" : "");
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

static size_t zstd(const char *text, size_t len, unsigned char *to, size_t size)
{
	return ZSTD_compress(to, size, text, len, 3);
}

static size_t xz(const char *text, size_t len, unsigned char *to, size_t size)
{
	size_t used = 0;

	CHECK(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text, len, to,
				      &used, size) == LZMA_OK);
	return used;
}

/* In blocks of 100 kB, so that something can be read of a file that is cut. */
static size_t bzip2(const char *text, size_t len, unsigned char *to, size_t size)
{
	unsigned used = (unsigned)size;
	char *copy = calloc(1, len); /* its argument is not const */

	CHECK(copy);
	memcpy(copy, text, len);
	CHECK(BZ2_bzBuffToBuffCompress((char *)to, &used, copy, (unsigned)len, 1, 0, 0) == BZ_OK);
	free(copy);
	return used;
}

static const struct packer {
	const char *name;
	size_t (*pack)(const char *text, size_t len, unsigned char *to, size_t size);
} packers[] = {
	{ "gzip", gzip },
	{ "zstd", zstd },
	{ "xz", xz },
	{ "bzip2", bzip2 },
};

enum { N_PACKERS = sizeof(packers) / sizeof(packers[0]) };

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
	size_t len;
	char *text = make_profile(N, &len);
	unsigned char *packed = calloc(2, len + 500);

	if (!CHECK(packed))
		return;
	for (const struct packer *packer = packers; packer < packers + N_PACKERS; packer++) {
		size_t packed_len = packer->pack(text, len, packed, 2 * len);

		write_file(packer->name, packed, packed_len);
		CHECK_STR(summary_of(packer->name), want);
		/* Members, frames, streams one after the other are one file. */
		packed_len = packer->pack(text, len / 2, packed, len);
		packed_len += packer->pack(text + len / 2, len - len / 2, packed + packed_len, len);
		write_file("members", packed, packed_len);
		CHECK_STR(summary_of("members"), want);
	}
	free(packed);
	free(text);
}

/* What is whole is read, wherever the file ends; if that is nothing, it says so. */
TEST(cut)
{
	size_t len;
	char *text = make_profile(N, &len);
	unsigned char *packed = calloc(2, len + 500);

	if (!CHECK(packed))
		return;
	for (const struct packer *packer = packers; packer < packers + N_PACKERS; packer++) {
		size_t packed_len = packer->pack(text, len, packed, 2 * len);
		uint64_t last = 0;

		for (size_t end = 5; end < packed_len; end += packed_len / 7) {
			const char *summary;
			char *after;
			uint64_t n;

			write_file("cut", packed, end);
			summary = summary_of("cut");
			if (strcmp(summary, "cut: the compressed data end too early") == 0) {
				CHECK(last == 0);
				continue;
			}
			/* The last one may be cut, and not be among them. */
			n = strtoull(summary, &after, 10);
			CHECK(after > summary && strncmp(after, " functions, ", 12) == 0);
			CHECK(n >= last && n <= N && strstr(summary, ", cut"));
			CHECK(strtoull(strchr(summary, ',') + 1, NULL, 10) == n * (n - 1) / 2);
			last = n;
		}
		CHECK(last > N / 2);
		write_file("cut", packed, packed_len - 1);
		CHECK(strstr(summary_of("cut"), ", cut") != NULL);
	}
	free(packed);
	free(text);
}

TEST(damaged)
{
	size_t len;
	char *text = make_profile(N, &len);
	unsigned char *packed = calloc(1, len + 1000);
	char expected[64];

	if (!CHECK(packed))
		return;
	for (const struct packer *packer = packers; packer < packers + N_PACKERS; packer++) {
		size_t packed_len = packer->pack(text, len, packed, len + 1000);

		for (size_t i = packed_len / 2; i < packed_len / 2 + 8; i++)
			packed[i] ^= 0xff;
		write_file("flipped", packed, packed_len);
		/* What it becomes may be no profile before it is no gzip. */
		CHECK(strncmp(summary_of("flipped"), "flipped:", 8) == 0);
		packed_len = packer->pack(text, len, packed, len + 1000);
		for (size_t i = 5; i < 13; i++)
			packed[i] ^= 0xff;
		write_file("flipped", packed, packed_len);
		snprintf(expected, sizeof(expected), "flipped: expected %s data", packer->name);
		if (packer->pack != gzip) /* whose header says little */
			CHECK(strncmp(summary_of("flipped"), expected, strlen(expected)) == 0);
	}
	free(packed);
	free(text);
}

/* An xz file that asks for a dictionary of 200 MiB. */
TEST(too_large_a_dictionary)
{
	lzma_options_lzma options;
	const lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &options },
					{ LZMA_VLI_UNKNOWN, NULL } };
	static const char text[] = "events: Ir\nfn=f\n1 2\n";
	unsigned char packed[500];
	lzma_stream stream = LZMA_STREAM_INIT;

	CHECK(!lzma_lzma_preset(&options, 0));
	options.dict_size = 200 << 20;
	CHECK(lzma_stream_encoder(&stream, filters, LZMA_CHECK_NONE) == LZMA_OK);
	stream.next_in = (const uint8_t *)text;
	stream.avail_in = sizeof(text) - 1;
	stream.next_out = packed;
	stream.avail_out = sizeof(packed);
	CHECK(lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END);
	write_file("large", packed, sizeof(packed) - stream.avail_out);
	lzma_end(&stream);
	CHECK_STR(summary_of("large"), "large: expected xz data that need 128 MiB at most");
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

	model_init(&model);
	builder_init(&builder, &model, NULL);
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
		CHECK_TEST(plain),
		CHECK_TEST(compressed),
		CHECK_TEST(cut),
		CHECK_TEST(damaged),
		CHECK_TEST(too_large_a_dictionary),
		CHECK_TEST(a_million_functions),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
