/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vgdb must not be killed outright while it holds a guest by ptrace(): it has changed its
 * registers then, and the guest would crash.  SIGTERM has it put them back.
 */
#define _GNU_SOURCE /* pipe2() */
#include "cmds/vgdb.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmds/launch.h"
#include "profile/heap.h"

enum {
	GRACE_MS = 3000,         /* for vgdb to put things back */
	MOST_BYTES = 256 << 20,  /* of an answer */
	PIECE = 65536,           /* bytes read at a time */
	MOST_COMPLAINTS = 65536, /* bytes of vgdb's messages; more are not read */
};

/* What is read from one of vgdb's two ends. */
struct stream {
	int fd;
	char *data;
	size_t len, room, most;
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool vgdb_find(char *path, size_t size)
{
	char valgrind[LAUNCH_PATH];

	if (launch_find(launch_valgrind(), valgrind, sizeof(valgrind))) {
		char *slash = strrchr(valgrind, '/');

		if (slash &&
		    (size_t)snprintf(path, size, "%.*s/vgdb", (int)(slash - valgrind), valgrind) <
			    size &&
		    access(path, X_OK) == 0)
			return true;
	}
	return launch_find("vgdb", path, size);
}

/* In the child: becomes vgdb. */
static void become(const struct vgdb *vgdb, const struct guest *guest, const char *command,
		   const int ends[4])
{
	char pid[32], prefix[LAUNCH_PATH], words[LAUNCH_PATH];
	char *program = strdup(vgdb->program);
	char *args[5];
	sigset_t none;
	int null = open("/dev/null", O_RDONLY);

	snprintf(pid, sizeof(pid), "--pid=%d", (int)guest->pid);
	snprintf(prefix, sizeof(prefix), "--vgdb-prefix=%s", guest->prefix);
	snprintf(words, sizeof(words), "%s", command);
	args[0] = program;
	args[1] = prefix;
	args[2] = pid;
	args[3] = words;
	args[4] = NULL;
	/* vgdb derives the pipes' names from these. */
	if (!program || null < 0 || setenv("LOGNAME", guest->user, 1) != 0 ||
	    setenv("HOST", guest->host, 1) != 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(ends[1], STDOUT_FILENO) < 0 || dup2(ends[3], STDERR_FILENO) < 0)
		_exit(126);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execv(program, args);
	_exit(126);
}

static void close_both(int fds[2])
{
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}

static pid_t start(const struct vgdb *vgdb, const struct guest *guest, const char *command,
		   struct stream streams[2])
{
	int ends[4] = { -1, -1, -1, -1 };
	pid_t child = -1;

	if (pipe2(ends, O_CLOEXEC) == 0 && pipe2(ends + 2, O_CLOEXEC) == 0)
		child = fork();
	if (child == 0)
		become(vgdb, guest, command, ends);
	if (child < 0) {
		close_both(ends);
		close_both(ends + 2);
		return child;
	}
	close(ends[1]);
	close(ends[3]);
	streams[0] = (struct stream){ .fd = ends[0], .most = MOST_BYTES };
	streams[1] = (struct stream){ .fd = ends[2], .most = MOST_COMPLAINTS };
	return child;
}

/* Reads a piece; at the end, or if memory runs out, closes the stream. */
static void read_piece(struct stream *stream)
{
	void *grown = stream->data;
	ssize_t got = -1;

	if (stream->len < stream->most &&
	    heap_reserve(&heap_env, &grown, &stream->room, stream->len + PIECE, 1)) {
		stream->data = grown;
		stream->data[stream->len] = '\0';
		got = read(stream->fd, stream->data + stream->len, PIECE - 1);
		if (got < 0 && errno == EINTR)
			return;
	}
	if (got > 0) {
		stream->len += (size_t)got;
		stream->data[stream->len] = '\0';
		return;
	}
	close(stream->fd);
	stream->fd = -1;
}

static bool has_text(const struct stream *stream, const char *text)
{
	return stream->data && strstr(stream->data, text) != NULL;
}

/* It tries again for ever, with a message each time. */
static bool is_refused(const struct stream *messages)
{
	return has_text(messages, "Operation not permitted") && has_text(messages, "PTRACE_ATTACH");
}

/* Reads until vgdb has closed both ends, or time is up. */
static enum vgdb_end listen_to(struct stream streams[2], int interrupt, int64_t deadline)
{
	while (streams[0].fd >= 0 || streams[1].fd >= 0) {
		struct pollfd fds[3] = {
			{ .fd = streams[0].fd, .events = POLLIN },
			{ .fd = streams[1].fd, .events = POLLIN },
			{ .fd = interrupt, .events = POLLIN },
		};
		int64_t left = deadline - now_ms();
		int n = left > 0 ? poll(fds, 3, (int)left) : 0;

		if (n < 0 && errno != EINTR)
			return VGDB_FAILED;
		if (n == 0)
			return VGDB_TIMED_OUT;
		for (size_t i = 0; i < 2; i++)
			if (n > 0 && fds[i].revents != 0)
				read_piece(&streams[i]);
		if (is_refused(&streams[1]))
			return VGDB_REFUSED;
		if (n > 0 && fds[2].revents != 0)
			return VGDB_INTERRUPTED;
	}
	return VGDB_ANSWERED;
}

/* Its exit status; it is given time to put things back. */
static int finish(pid_t child, bool stop)
{
	int64_t deadline = now_ms() + GRACE_MS;
	int status = -1;
	pid_t done;

	if (stop)
		kill(child, SIGTERM);
	while ((done = waitpid(child, &status, stop ? WNOHANG : 0)) <= 0) {
		static const struct timespec moment = { 0, 10000000 };

		if (done < 0 && errno != EINTR)
			return -1;
		if (done == 0 && now_ms() > deadline) {
			kill(child, SIGKILL);
			stop = false;
		} else if (done == 0) {
			nanosleep(&moment, NULL);
		}
	}
	return status;
}

/* The last line of vgdb's that is a message. */
static void take_why(struct vgdb_answer *answer, const struct stream *messages)
{
	const char *at = messages->data, *end = at ? at + messages->len : NULL;

	while (at && at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((line_end ? line_end : end) - at);

		if (len > 0 && strncmp(at, "sending command", 15) != 0)
			snprintf(answer->why, sizeof(answer->why), "%.*s",
				 len < 200 ? (int)len : 200, at);
		at = line_end ? line_end + 1 : end;
	}
}

static enum vgdb_end judge(const struct stream streams[2], int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !has_text(&streams[1], "Got EOF"))
		return VGDB_ANSWERED;
	if (has_text(&streams[1], "Got EOF") || has_text(&streams[1], "no FIFO found"))
		return VGDB_LOST;
	return VGDB_FAILED;
}

enum vgdb_end vgdb_ask(const struct vgdb *vgdb, const struct guest *guest, const char *command,
		       struct vgdb_answer *answer)
{
	struct stream streams[2];
	enum vgdb_end end;
	pid_t child;
	int status;

	*answer = (struct vgdb_answer){ .text = NULL };
	child = start(vgdb, guest, command, streams);
	if (child < 0) {
		snprintf(answer->why, sizeof(answer->why), "%s", strerror(errno));
		return VGDB_FAILED;
	}
	end = listen_to(streams, vgdb->interrupt, now_ms() + (int64_t)vgdb->seconds * 1000);
	status = finish(child, end != VGDB_ANSWERED);
	for (size_t i = 0; i < 2; i++)
		if (streams[i].fd >= 0)
			close(streams[i].fd);
	take_why(answer, &streams[1]);
	if (end == VGDB_ANSWERED)
		end = judge(streams, status);
	if (end == VGDB_ANSWERED) {
		answer->text = streams[0].data ? streams[0].data : strdup("");
		answer->len = streams[0].len;
		streams[0].data = NULL;
		if (!answer->text)
			end = VGDB_FAILED;
	}
	free(streams[0].data);
	free(streams[1].data);
	return end;
}

void vgdb_answer_release(struct vgdb_answer *answer)
{
	free(answer->text);
	answer->text = NULL;
}
