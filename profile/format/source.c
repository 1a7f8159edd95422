/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ZLIB_CONST /* next_in is const */
#include "profile/format/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum {
	INPUT_SIZE = 64 * 1024, /* compressed bytes at a time */
	GZIP_WINDOW = 15 + 16,  /* the largest, with gzip's header */
};

struct source_stream {
	z_stream zlib;
	ZSTD_DStream *zstd; /* NULL = gzip */
	const char *in;     /* of input: not yet decompressed */
	size_t in_left;
	bool in_frame; /* the input may not end here */
	char input[INPUT_SIZE];
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

/* Likewise, with the bytes that were looked at. */
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

static voidpf zlib_alloc(voidpf opaque, uInt items, uInt size)
{
	const struct env *env = *(const struct env *const *)opaque;

	return env->alloc(env->ctx, (size_t)items * size);
}

static void zlib_free(voidpf opaque, voidpf memory)
{
	const struct env *env = *(const struct env *const *)opaque;

	env->release(env->ctx, memory);
}

static int open_stream(struct source *source, bool is_zstd, struct profile_error *error)
{
	const struct env *env = source->env;
	struct source_stream *stream = env->alloc(env->ctx, sizeof(*stream));

	if (!stream)
		return profile_error_set(error, PROFILE_NO_MEMORY, "out of memory");
	memset(stream, 0, offsetof(struct source_stream, input));
	stream->zlib.zalloc = zlib_alloc;
	stream->zlib.zfree = zlib_free;
	stream->zlib.opaque = &source->env;
	if (is_zstd)
		stream->zstd = ZSTD_createDStream();
	if (is_zstd ? stream->zstd == NULL : inflateInit2(&stream->zlib, GZIP_WINDOW) != Z_OK) {
		env->release(env->ctx, stream);
		return profile_error_set(error, PROFILE_NO_MEMORY, "out of memory");
	}
	source->stream = stream;
	return PROFILE_OK;
}

/* Reads the first bytes and, if they say so, sets up a decompressor. */
static int detect(struct source *source, struct profile_error *error)
{
	size_t len = 1;

	while (source->head_len < sizeof(source->head) && len > 0) {
		int status = read_raw(source, source->head + source->head_len,
				      sizeof(source->head) - source->head_len, &len, error);

		if (status)
			return status;
		source->head_len += len;
	}
	if (source->head_len >= 2 && memcmp(source->head, "\x1f\x8b", 2) == 0)
		return open_stream(source, false, error);
	if (source->head_len == 4 && memcmp(source->head, "\x28\xb5\x2f\xfd", 4) == 0)
		return open_stream(source, true, error);
	return PROFILE_OK;
}

int source_open(struct source *source, const char *path, const struct env *env,
		struct profile_error *error)
{
	struct stat status;
	int result;

	*source = (struct source){ .env = env, .fd = STDIN_FILENO };
	if (strcmp(path, "-") != 0) {
		source->fd = open(path, O_RDONLY | O_CLOEXEC);
		if (source->fd < 0)
			return profile_error_set(error, PROFILE_IO, "cannot open: %s",
						 strerror(errno));
		source->owns_fd = true;
	}
	if (fstat(source->fd, &status) == 0 && S_ISREG(status.st_mode))
		source->size = (uint64_t)status.st_size;
	result = detect(source, error);
	if (result)
		source_close(source);
	return result;
}

void source_close(struct source *source)
{
	struct source_stream *stream = source->stream;

	if (stream) {
		if (stream->zstd)
			ZSTD_freeDStream(stream->zstd);
		else
			inflateEnd(&stream->zlib);
		source->env->release(source->env->ctx, stream);
	}
	if (source->owns_fd)
		close(source->fd);
	*source = (struct source){ .env = source->env, .fd = -1 };
}

/* One step of gzip: may make nothing of the input. */
static int inflate_some(struct source_stream *stream, void *buffer, size_t size, size_t *len,
			struct profile_error *error)
{
	z_stream *zlib = &stream->zlib;
	int result;

	zlib->next_in = (const Bytef *)stream->in;
	zlib->avail_in = (uInt)stream->in_left;
	zlib->next_out = buffer;
	zlib->avail_out = size < UINT32_MAX ? (uInt)size : UINT32_MAX;
	*len = zlib->avail_out;
	result = inflate(zlib, Z_NO_FLUSH);
	*len -= zlib->avail_out;
	stream->in += stream->in_left - zlib->avail_in;
	stream->in_left = zlib->avail_in;
	if (result == Z_STREAM_END) { /* another member may follow */
		stream->in_frame = false;
		inflateReset(zlib);
		return PROFILE_OK;
	}
	stream->in_frame = true;
	if (result == Z_OK || result == Z_BUF_ERROR)
		return PROFILE_OK;
	if (result == Z_MEM_ERROR)
		return profile_error_set(error, PROFILE_NO_MEMORY, "out of memory");
	return profile_error_set(error, PROFILE_IO, "expected gzip data: %s",
				 zlib->msg ? zlib->msg : "it is damaged");
}

static int unzstd_some(struct source_stream *stream, void *buffer, size_t size, size_t *len,
		       struct profile_error *error)
{
	ZSTD_inBuffer in = { stream->in, stream->in_left, 0 };
	ZSTD_outBuffer out = { buffer, size, 0 };
	size_t result = ZSTD_decompressStream(stream->zstd, &out, &in);

	*len = out.pos;
	stream->in += in.pos;
	stream->in_left -= in.pos;
	if (ZSTD_isError(result))
		return profile_error_set(error, PROFILE_IO, "expected zstd data: %s",
					 ZSTD_getErrorName(result));
	stream->in_frame = result != 0;
	return PROFILE_OK;
}

int source_read(struct source *source, char *buffer, size_t size, size_t *len,
		struct profile_error *error)
{
	struct source_stream *stream = source->stream;
	bool at_end = false;

	*len = 0;
	if (!stream)
		return read_plain(source, buffer, size, len, error);
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
		status = stream->zstd ? unzstd_some(stream, buffer, size, len, error)
				      : inflate_some(stream, buffer, size, len, error);
		if (status)
			return status;
		if (at_end && *len == 0)
			return profile_error_set(error, PROFILE_IO,
						 "the compressed data end too early");
	}
	return PROFILE_OK;
}
