/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ZLIB_CONST /* next_in is const */
#include "profile/format/source.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "profile/common/heap.h"

enum {
	INPUT_SIZE = 64 * 1024, /* compressed bytes at a time */
	GZIP_WINDOW = 15 + 16,  /* the largest, with gzip's header */
	XZ_MEMORY = 128 << 20,  /* bytes that a file may ask for, as of zstd; xz -9 needs 65 MiB */
	STEP_MAX = 1 << 30,     /* bytes at a time: bzip2 and zlib count in 32 bits */
};

struct source_stream {
	const struct codec *codec;
	union {
		z_stream zlib;
		ZSTD_DStream *zstd;
		lzma_stream lzma;
		bz_stream bzip2;
	};
	char *in; /* of input: not yet decompressed */
	size_t in_left;
	bool in_frame; /* the input may not end here */
	char input[INPUT_SIZE];
};

/* A way of compression. */
struct codec {
	const char *magic; /* the first bytes of a file */
	size_t magic_len;
	bool (*open)(struct source_stream *stream); /* of a zeroed stream; false: no memory */
	void (*close)(struct source_stream *stream);
	/* One step, which may produce no output; at_end: no more input will come. */
	int (*step)(struct source_stream *stream, char *buffer, size_t size, size_t *len,
		    bool at_end, struct profile_error *error);
};

/* Bytes of the file as they are; *len is 0 at its end. */
static int read_raw(struct source *source, char *buffer, size_t size, size_t *len,
		    struct profile_error *error)
{
	ssize_t n;

	*len = 0;
	do {
		n = read(source->fd, buffer, size);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return profile_error_set(error, PROFILE_IO, "cannot read: %s", strerror(errno));
	*len = (size_t)n;
	source->bytes += *len;
	return PROFILE_OK;
}

/* The same, beginning with the bytes that were looked at. */
static int read_plain(struct source *source, char *buffer, size_t size, size_t *len,
		      struct profile_error *error)
{
	if (source->head_used < source->head_len) {
		*len = source->head_len - source->head_used;
		if (*len > size)
			*len = size;
		memcpy(buffer, source->head + source->head_used, *len);
		source->head_used += *len;
		return PROFILE_OK;
	}
	return read_raw(source, buffer, size, len, error);
}

/* -- gzip ------------------------------------------------------------------------ */

static bool gzip_open(struct source_stream *stream)
{
	return inflateInit2(&stream->zlib, GZIP_WINDOW) == Z_OK;
}

static void gzip_close(struct source_stream *stream)
{
	inflateEnd(&stream->zlib);
}

static int gzip_step(struct source_stream *stream, char *buffer, size_t size, size_t *len,
		     bool at_end, struct profile_error *error)
{
	z_stream *zlib = &stream->zlib;
	int result;

	(void)at_end;
	zlib->next_in = (const Bytef *)stream->in;
	zlib->avail_in = (uInt)stream->in_left;
	zlib->next_out = (Bytef *)buffer;
	zlib->avail_out = (uInt)size;
	result = inflate(zlib, Z_NO_FLUSH);
	*len = size - zlib->avail_out;
	stream->in += stream->in_left - zlib->avail_in;
	stream->in_left = zlib->avail_in;
	stream->in_frame = result != Z_STREAM_END;
	if (result == Z_STREAM_END) /* another member may follow */
		inflateReset(zlib);
	if (result == Z_STREAM_END || result == Z_OK || result == Z_BUF_ERROR)
		return PROFILE_OK;
	if (result == Z_MEM_ERROR)
		heap_exhausted();
	return profile_error_set(error, PROFILE_IO, "expected gzip data: %s",
				 zlib->msg ? zlib->msg : "it is damaged");
}

/* -- zstd ------------------------------------------------------------------------ */

static bool zstd_open(struct source_stream *stream)
{
	stream->zstd = ZSTD_createDStream();
	return stream->zstd != NULL;
}

static void zstd_close(struct source_stream *stream)
{
	ZSTD_freeDStream(stream->zstd);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to, by the library */
static int zstd_step(struct source_stream *stream, char *buffer, size_t size, size_t *len,
		     bool at_end, struct profile_error *error)
{
	ZSTD_inBuffer in = { stream->in, stream->in_left, 0 };
	ZSTD_outBuffer out = { buffer, size, 0 };
	size_t result = ZSTD_decompressStream(stream->zstd, &out, &in);

	(void)at_end;
	*len = out.pos;
	stream->in += in.pos;
	stream->in_left -= in.pos;
	if (ZSTD_isError(result))
		return profile_error_set(error, PROFILE_IO, "expected zstd data: %s",
					 ZSTD_getErrorName(result));
	stream->in_frame = result != 0;
	return PROFILE_OK;
}

/* -- xz -------------------------------------------------------------------------- */

static bool xz_open(struct source_stream *stream)
{
	stream->lzma = (lzma_stream)LZMA_STREAM_INIT;
	/* Several streams, one after the other, are one file. */
	return lzma_stream_decoder(&stream->lzma, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static void xz_close(struct source_stream *stream)
{
	lzma_end(&stream->lzma);
}

static int xz_step(struct source_stream *stream, char *buffer, size_t size, size_t *len,
		   bool at_end, struct profile_error *error)
{
	lzma_stream *lzma = &stream->lzma;
	lzma_ret result;

	lzma->next_in = (const uint8_t *)stream->in;
	lzma->avail_in = stream->in_left;
	lzma->next_out = (uint8_t *)buffer;
	lzma->avail_out = size;
	result = lzma_code(lzma, at_end ? LZMA_FINISH : LZMA_RUN);
	*len = size - lzma->avail_out;
	stream->in += stream->in_left - lzma->avail_in;
	stream->in_left = lzma->avail_in;
	/* Only with LZMA_FINISH it says that it has reached the end. */
	stream->in_frame = result != LZMA_STREAM_END;
	if (result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR)
		return PROFILE_OK;
	if (result == LZMA_MEM_ERROR)
		heap_exhausted();
	return profile_error_set(error, PROFILE_IO, "expected xz data%s",
				 result == LZMA_MEMLIMIT_ERROR  ? " that need 128 MiB at most"
				 : result == LZMA_OPTIONS_ERROR ? " in a way that is known"
								: ": it is damaged");
}

/* -- bzip2 ----------------------------------------------------------------------- */

static bool bzip2_open(struct source_stream *stream)
{
	return BZ2_bzDecompressInit(&stream->bzip2, 0, 0) == BZ_OK;
}

static void bzip2_close(struct source_stream *stream)
{
	BZ2_bzDecompressEnd(&stream->bzip2);
}

static int bzip2_step(struct source_stream *stream, char *buffer, size_t size, size_t *len,
		      bool at_end, struct profile_error *error)
{
	bz_stream *bzip2 = &stream->bzip2;
	int result;

	(void)at_end;
	bzip2->next_in = stream->in;
	bzip2->avail_in = (unsigned)stream->in_left;
	bzip2->next_out = buffer;
	bzip2->avail_out = (unsigned)size;
	result = BZ2_bzDecompress(bzip2);
	*len = size - bzip2->avail_out;
	stream->in += stream->in_left - bzip2->avail_in;
	stream->in_left = bzip2->avail_in;
	stream->in_frame = result != BZ_STREAM_END;
	if (result == BZ_STREAM_END) { /* another stream may follow */
		BZ2_bzDecompressEnd(bzip2);
		result = BZ2_bzDecompressInit(bzip2, 0, 0);
	}
	if (result == BZ_OK)
		return PROFILE_OK;
	if (result == BZ_MEM_ERROR)
		heap_exhausted();
	return profile_error_set(error, PROFILE_IO, "expected bzip2 data: it is damaged");
}

/* -- all of them ------------------------------------------------------------------ */

static const struct codec codecs[] = {
	{ "\x1f\x8b", 2, gzip_open, gzip_close, gzip_step },
	{ "\x28\xb5\x2f\xfd", 4, zstd_open, zstd_close, zstd_step },
	{ "\xfd"
	  "7zXZ",
	  5, xz_open, xz_close, xz_step },
	{ "BZh", 3, bzip2_open, bzip2_close, bzip2_step },
};

/*
 * With the descriptor, which is its own unless it is standard input.  If the first bytes say so, sets up a
 * decompressor.
 */
static int begin(struct source *source, int fd, struct profile_error *error)
{
	struct stat status;
	size_t len = 1;
	int result = PROFILE_OK;

	*source = (struct source){ .fd = fd, .owns_fd = fd != STDIN_FILENO };
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		source->size = (uint64_t)status.st_size;
	while (source->head_len < sizeof(source->head) && len > 0 && !result) {
		result = read_raw(source, source->head + source->head_len,
				  sizeof(source->head) - source->head_len, &len, error);
		source->head_len += len;
	}
	if (result)
		source_close(source);
	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]) && !result; i++) {
		if (source->head_len < codecs[i].magic_len ||
		    memcmp(source->head, codecs[i].magic, codecs[i].magic_len) != 0)
			continue;
		source->stream = heap_zeroed(1, sizeof(*source->stream));
		source->stream->codec = &codecs[i];
		if (!codecs[i].open(source->stream))
			heap_exhausted();
	}
	return result;
}

int source_open(struct source *source, const char *path, struct profile_error *error)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return profile_error_set(error, PROFILE_IO, "cannot open: %s", strerror(errno));
	return begin(source, fd, error);
}

int source_open_named(struct source *source, const char *path, struct profile_error *error)
{
	struct stat status;
	int fd = namedfile_open(path, NAMEDFILE_MOST, &status);

	if (fd < 0)
		return profile_error_set(error, PROFILE_IO, "cannot open: %s",
					 errno == EINVAL ? "no regular file" : strerror(errno));
	return begin(source, fd, error);
}

void source_close(struct source *source)
{
	struct source_stream *stream = source->stream;

	if (stream) {
		stream->codec->close(stream);
		free(stream);
	}
	if (source->owns_fd)
		close(source->fd);
	*source = (struct source){ .fd = -1 };
}

int source_read(struct source *source, char *buffer, size_t size, size_t *len,
		struct profile_error *error)
{
	struct source_stream *stream = source->stream;
	bool at_end = false;

	*len = 0;
	if (!stream)
		return read_plain(source, buffer, size, len, error);
	if (size > STEP_MAX)
		size = STEP_MAX;
	while (*len == 0) {
		int status = PROFILE_OK;

		if (stream->in_left == 0 && !at_end) {
			stream->in = stream->input;
			status = read_plain(source, stream->input, sizeof(stream->input),
					    &stream->in_left, error);
			at_end = stream->in_left == 0;
		}
		if (status)
			return status;
		if (at_end && !stream->in_frame)
			return PROFILE_OK;
		/* At the end there may still be output that had no room. */
		status = stream->codec->step(stream, buffer, size, len, at_end, error);
		if (status)
			return status;
		source->is_cut = at_end && *len == 0 && stream->in_frame;
		if (source->is_cut)
			return profile_error_set(error, PROFILE_IO,
						 "the compressed data end too early");
	}
	return PROFILE_OK;
}

/* -- files that a profile names -------------------------------------------------- */

/*
 * A file is looked at before it is opened, since opening alone has effects on some devices, and
 * once more afterwards, since it may be another one by then.
 */

/* True for a regular file of at most `most` bytes; not on file systems whose files the kernel makes up when they are read. */
static bool is_fine(const struct stat *status, const struct statfs *system, uint64_t most)
{
	static const unsigned made_up[] = {
		0x9fa0,     /* proc */
		0x62656572, /* sysfs */
		0x64626720, /* debugfs */
		0x74726163, /* tracefs */
		0x73636673, /* securityfs */
		0x27e0eb,   /* cgroup */
		0x63677270, /* cgroup2 */
		0xcafe4a11, /* bpf */
		0xde5e81e4, /* efivarfs */
		0x62656570, /* configfs */
	};

	bool is_real = S_ISREG(status->st_mode);

	for (size_t i = 0; i < sizeof(made_up) / sizeof(made_up[0]); i++)
		is_real &= (unsigned)system->f_type != made_up[i];
	if (!is_real)
		errno = EINVAL;
	else if ((uint64_t)status->st_size > most)
		errno = EFBIG;
	else
		return true;
	return false;
}

bool namedfile_look(const char *path, uint64_t most, struct stat *status)
{
	struct statfs system;

	return stat(path, status) == 0 && statfs(path, &system) == 0 &&
	       is_fine(status, &system, most);
}

int namedfile_open(const char *path, uint64_t most, struct stat *status)
{
	struct statfs system;
	int fd, error;

	if (!namedfile_look(path, most, status))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, status) == 0 && fstatfs(fd, &system) == 0 && is_fine(status, &system, most))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}
