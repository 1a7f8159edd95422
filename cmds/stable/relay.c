/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipes in place of standard output and error, and files in place of standard input. */
#define _GNU_SOURCE /* pipe2(), memfd_create() */
#include "cmds/stable/stable.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/outfile.h"
#include "profile/common/heap.h"

enum {
	BUFFER = 65536,
	CHUNK = 4096,      /* a pipe that has room has room for this */
	PATIENCE = 1000,   /* ms for the first byte of input */
	SPEECHLESS = 3000, /* ms until we say what we wait for */
};

static bool is_one_file(int a, int b)
{
	struct stat one, other;

	return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

static int open_stream(struct relay *relay, int i)
{
	struct relay_stream *stream = &relay->streams[i];
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	/* Not to be 0, 1 or 2, should one of these be closed. */
	stream->from = fcntl(ends[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	relay->ends[i] = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(ends[0]);
	close(ends[1]);
	stream->to = STDOUT_FILENO + i;
	stream->data = heap_alloc(BUFFER);
	return stream->from >= 0 && relay->ends[i] >= 0 ? 0 : errno;
}

int relay_init(struct relay *relay)
{
	int error;

	for (int i = 0; i < RELAY_STREAMS; i++) {
		relay->streams[i] = (struct relay_stream){ .from = -1 };
		relay->ends[i] = -1;
	}
	error = open_stream(relay, 0);
	if (error)
		return error;
	if (!is_one_file(STDOUT_FILENO, STDERR_FILENO))
		return open_stream(relay, 1);
	relay->ends[1] = fcntl(relay->ends[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return relay->ends[1] >= 0 ? 0 : errno;
}

void relay_part(struct relay *relay)
{
	for (int i = 0; i < RELAY_STREAMS; i++)
		if (relay->ends[i] >= 0) {
			close(relay->ends[i]);
			relay->ends[i] = -1;
		}
}

void relay_release(struct relay *relay)
{
	relay_part(relay);
	for (int i = 0; i < RELAY_STREAMS; i++) {
		if (relay->streams[i].from >= 0)
			close(relay->streams[i].from);
		free(relay->streams[i].data);
		relay->streams[i] = (struct relay_stream){ .from = -1 };
	}
}

bool relay_connect(const struct relay *relay)
{
	return dup2(relay->ends[0], STDOUT_FILENO) >= 0 && dup2(relay->ends[1], STDERR_FILENO) >= 0;
}

void relay_prepare(const struct relay *relay, struct pollfd *polls)
{
	for (int i = 0; i < RELAY_STREAMS; i++) {
		const struct relay_stream *stream = &relay->streams[i];

		polls[i] = (struct pollfd){ .fd = stream->from, .events = POLLIN };
		if (stream->from >= 0 && stream->begin < stream->end)
			polls[i] = (struct pollfd){ .fd = stream->to, .events = POLLOUT };
	}
}

/* Nobody takes it: the program is to notice, as it would without us. */
static void give_up(struct relay_stream *stream)
{
	if (stream->from >= 0)
		close(stream->from);
	stream->from = -1;
	stream->begin = stream->end = 0;
}

void relay_move(struct relay *relay, const struct pollfd *polls)
{
	for (int i = 0; i < RELAY_STREAMS; i++) {
		struct relay_stream *stream = &relay->streams[i];
		size_t len = stream->end - stream->begin;
		bool writes = len > 0;
		ssize_t n;

		if (polls[i].fd < 0 || polls[i].revents == 0)
			continue;
		if (writes) {
			n = write(stream->to, stream->data + stream->begin,
				  len < CHUNK ? len : CHUNK);
			stream->begin += n > 0 ? (size_t)n : 0;
		} else {
			n = read(stream->from, stream->data, BUFFER);
			stream->begin = 0;
			stream->end = n > 0 ? (size_t)n : 0;
		}
		if ((n < 0 && errno != EINTR && errno != EAGAIN) || (n == 0 && !writes))
			give_up(stream);
	}
}

/* Waits for streams, timeout ms at most; false if there was nothing to do. */
static bool turn(struct relay *relay, int timeout)
{
	struct pollfd polls[RELAY_POLLS];
	int n;

	relay_prepare(relay, polls);
	n = poll(polls, RELAY_POLLS, timeout);
	if (n > 0)
		relay_move(relay, polls);
	return n != 0;
}

static bool is_at_end(const struct relay *relay)
{
	return relay->streams[0].from < 0 && relay->streams[1].from < 0;
}

bool relay_drain(struct relay *relay)
{
	const struct relay_stream *streams = relay->streams;

	while (!is_at_end(relay)) {
		bool is_waiting = streams[0].begin < streams[0].end ||
				  streams[1].begin < streams[1].end;

		if (!turn(relay, is_waiting ? -1 : 0))
			break;
	}
	return is_at_end(relay);
}

void relay_finish(struct relay *relay)
{
	while (!is_at_end(relay))
		turn(relay, -1);
}

/* -- input ----------------------------------------------------------------------------- */

static bool has_input(int timeout)
{
	struct pollfd poll_ = { .fd = STDIN_FILENO, .events = POLLIN };
	int n;

	do
		n = poll(&poll_, 1, timeout);
	while (n < 0 && errno == EINTR);
	return n != 0;
}

static bool copy_input(int fd)
{
	char *data = heap_alloc(BUFFER);
	bool fine = true, spoke = false;
	ssize_t n = 1;

	while (fine && n > 0) {
		if (!spoke && !has_input(SPEECHLESS)) {
			fputs("costgrind: waiting for the end of standard input "
			      "(--keep=input does not)\n",
			      stderr);
			spoke = true;
		}
		n = read(STDIN_FILENO, data, BUFFER);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			fine = write_all(fd, data, (size_t)n) == 0;
		else
			fine = n == 0;
	}
	free(data);
	return fine;
}

/* A file without a name, opened for reading only. */
static int file_of_input(void)
{
	int fd = memfd_create("input", MFD_CLOEXEC), again = -1;

	if (fd >= 0 && copy_input(fd)) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		again = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return again;
}

int relay_input(bool *is_open)
{
	struct stat stat;

	*is_open = false;
	if (fstat(STDIN_FILENO, &stat) != 0 || isatty(STDIN_FILENO))
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (!S_ISFIFO(stat.st_mode) && !S_ISSOCK(stat.st_mode))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (has_input(PATIENCE))
		return file_of_input();
	*is_open = true;
	return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}
