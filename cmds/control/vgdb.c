/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vgdb must not be killed outright while it holds a target by ptrace(): it has changed its
 * registers then, and the target would crash.  One SIGTERM makes it put them back; a second signal
 * would end it in the midst of that.  So it is in a session of its own, where no key of the
 * terminal reaches it, and signals that would end this process, whose death is a signal to
 * vgdb too, wait until it is gone.
 */
#define _GNU_SOURCE /* pipe2() */
#include "cmds/control/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cli/launch.h"
#include "profile/common/heap.h"

enum {
	GRACE_MS = 3000,         /* for vgdb to put things back */
	HOLD_MS = 1000,          /* to wait for it to let the target go, before it is asked to */
	STOP_CHECKS = 20,        /* for a target that was left stopped, after it */
	HELD_MS = 30000,         /* ... as long as it holds the target */
	REFUSALS = 10,           /* of ptrace(), each a try of vgdb's: about a second */
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
static void become(const char *vgdb, const struct target *target, const char *request,
		   const int ends[4])
{
	char *args[5] = { NULL };
	sigset_t none;
	int null;

	setsid(); /* before anything else: keys of the terminal are not for it */
	args[0] = heap_copy(vgdb);
	args[1] = heap_print("--vgdb-prefix=%s", target->prefix);
	args[2] = heap_print("--pid=%d", (int)target->pid);
	args[3] = heap_copy(request);
	null = open("/dev/null", O_RDONLY);
	/* vgdb derives the pipes' names from these. */
	if (null < 0 || setenv("LOGNAME", target->user, 1) != 0 ||
	    setenv("HOST", target->host, 1) != 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(ends[1], STDOUT_FILENO) < 0 || dup2(ends[3], STDERR_FILENO) < 0)
		_exit(126);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execv(vgdb, args);
	_exit(126);
}

static pid_t start(const char *vgdb, const struct target *target, const char *request,
		   struct stream streams[2])
{
	int ends[4] = { -1, -1, -1, -1 };
	pid_t child = -1;

	if (pipe2(ends, O_CLOEXEC) == 0 && pipe2(ends + 2, O_CLOEXEC) == 0)
		child = fork();
	if (child == 0)
		become(vgdb, target, request, ends);
	for (size_t i = 0; i < 4; i++)
		if (ends[i] >= 0 && (child < 0 || i % 2 == 1))
			close(ends[i]);
	if (child > 0) {
		streams[0] = (struct stream){ .fd = ends[0], .most = MOST_BYTES };
		streams[1] = (struct stream){ .fd = ends[2], .most = MOST_COMPLAINTS };
	}
	return child;
}

/* Reads a piece; at the end, closes the stream. */
static void read_piece(struct stream *stream)
{
	ssize_t got = -1;

	if (stream->len < stream->most) {
		stream->data = heap_grow(stream->data, &stream->room, stream->len + PIECE, 1);
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

/* True if it may not use ptrace(): it tries for ever, with a message each time. */
static bool is_refused(const struct stream *messages, int tries)
{
	const char *at = messages->data;

	if (!has_text(messages, "Operation not permitted"))
		return false;
	while (at && tries > 0 && (at = strstr(at, "PTRACE_ATTACH")) != NULL) {
		at++;
		tries--;
	}
	return tries == 0;
}

/* Reads until vgdb has closed both ends, or time is up. */
static enum vgdb_end listen_to(struct stream streams[2], const struct vgdb_listener *listener,
			       int signals, int64_t deadline)
{
	while (streams[0].fd >= 0 || streams[1].fd >= 0) {
		struct pollfd fds[5] = {
			{ .fd = streams[0].fd, .events = POLLIN },
			{ .fd = streams[1].fd, .events = POLLIN },
			{ .fd = signals, .events = POLLIN },
			{ .fd = listener ? listener->fds[0] : -1, .events = POLLIN },
			{ .fd = listener ? listener->fds[1] : -1, .events = POLLIN },
		};
		int64_t left = deadline - monotonic_ms();
		int n = poll(fds, 5, left > 0 ? (int)left : 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return VGDB_FAILED;
		for (size_t i = 0; i < 2; i++)
			if (fds[i].revents != 0)
				read_piece(&streams[i]);
		if (is_refused(&streams[1], left > 0 ? REFUSALS : 1))
			return VGDB_REFUSED;
		if (n == 0)
			return VGDB_TIMED_OUT;
		if (fds[2].revents != 0 ||
		    (listener && (fds[3].revents != 0 || fds[4].revents != 0) &&
		     listener->ends(listener->ctx)))
			return VGDB_INTERRUPTED;
	}
	return VGDB_ANSWERED;
}

static void sleep_briefly(void)
{
	static const struct timespec moment = { 0, 2000000 };

	nanosleep(&moment, NULL);
}

/* Asks it to stop, if possible when it does not hold the target, and waits until it has. */
static void stop(pid_t child, const struct target *target)
{
	int64_t begun = monotonic_ms();
	bool was_stopped;
	pid_t done;

	while (target_is_traced(target) && monotonic_ms() < begun + HOLD_MS)
		sleep_briefly();
	was_stopped = target_state_now(target) == 'T';
	kill(child, SIGTERM);
	kill(child, SIGCONT); /* if somebody has stopped it */
	/* It is not killed while the target is held. */
	begun = monotonic_ms();
	while ((done = waitpid(child, NULL, WNOHANG)) == 0 || (done < 0 && errno == EINTR)) {
		int64_t passed = monotonic_ms() - begun;

		if (passed > GRACE_MS && !target_is_traced(target))
			kill(child, SIGKILL);
		else if (passed > HELD_MS)
			break; /* left to itself */
		sleep_briefly();
	}
	/*
	 * Between PTRACE_ATTACH and the stop that follows, the end of vgdb leaves the target stopped: the
	 * stop comes when nobody is there to end it.
	 */
	for (int i = 0; !was_stopped && target_is_alive(target) && i < STOP_CHECKS; i++) {
		if (target_state_now(target) == 'T') {
			kill(target->pid, SIGCONT);
			return;
		}
		sleep_briefly();
	}
}

/* The exit status of one that has closed its ends; -1 if it had to be stopped. */
static int finish(pid_t child, const struct target *target, int64_t deadline)
{
	int status = -1;
	pid_t done;

	while ((done = waitpid(child, &status, WNOHANG)) == 0 || (done < 0 && errno == EINTR)) {
		if (monotonic_ms() >= deadline) {
			stop(child, target);
			return -1;
		}
		sleep_briefly();
	}
	return done > 0 ? status : -1;
}

static enum vgdb_end judge(const struct stream streams[2], int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !has_text(&streams[1], "Got EOF"))
		return VGDB_ANSWERED;
	if (has_text(&streams[1], "Got EOF") || has_text(&streams[1], "no FIFO found"))
		return VGDB_LOST;
	return VGDB_FAILED;
}

/* What is different in this process while vgdb runs. */
struct guard {
	sigset_t mask;
	struct sigaction on_child;
	int signals; /* can be read when a signal waits that ends this process; -1 = never */
};

/* Signals that are blocked or ignored are the caller's matter. */
static void guard_init(struct guard *guard)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction action;
	sigset_t set;

	sigaction(SIGCHLD, &usual, &guard->on_child); /* ignored, there were no exit status */
	sigprocmask(SIG_SETMASK, NULL, &guard->mask);
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (!sigismember(&guard->mask, ending[i]) &&
		    sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	guard->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* A signal that has come ends this process here. */
static void guard_release(struct guard *guard)
{
	if (guard->signals >= 0)
		close(guard->signals);
	sigprocmask(SIG_SETMASK, &guard->mask, NULL);
	sigaction(SIGCHLD, &guard->on_child, NULL);
}

/* Starts vgdb, reads what it says, and waits for its end. */
static enum vgdb_end converse(const struct monitor_client *client, const struct target *target,
			      const char *request, struct stream streams[2])
{
	int64_t deadline = monotonic_ms() + (int64_t)client->seconds * 1000;
	enum vgdb_end end = VGDB_FAILED;
	struct guard guard;
	pid_t child;
	int status = -1;

	guard_init(&guard);
	child = start(client->program, target, request, streams);
	if (child >= 0)
		end = listen_to(streams, client->listener, guard.signals, deadline);
	if (child >= 0 && end == VGDB_ANSWERED)
		status = finish(child, target, deadline);
	else if (child >= 0)
		stop(child, target);
	guard_release(&guard);
	for (size_t i = 0; i < 2; i++)
		if (streams[i].fd >= 0)
			close(streams[i].fd);
	return end == VGDB_ANSWERED ? judge(streams, status) : end;
}

/* -- what each tool understands --------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct monitor_client *client,
						      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(client->text, sizeof(client->text), format, args);
	va_end(args);
}

/* Says why nobody can talk to it, if so. */
static bool is_barred(struct monitor_client *client, const struct target *target)
{
	switch (target->bar) {
	case TARGET_FOREIGN:
		say(client, "it is another user's, who alone can do this (not even root can)");
		return true;
	case TARGET_SILENT:
		say(client, "it was started with --vgdb=no (costgrind run --stable does that)");
		return true;
	case TARGET_APART:
		say(client, "it is in a namespace of processes of its own, by which vgdb does not "
			    "know it");
		return true;
	case TARGET_PIPELESS:
		say(client,
		    "found no pipe %s-from-vgdb-to-%d-by-...: is it still starting, or a forked "
		    "child? if not, --vgdb-prefix as it was started with",
		    target->prefix, (int)target->pid);
		return true;
	case TARGET_OPEN:
		break;
	}
	if (target->state != 'T')
		return false;
	say(client, "it is stopped by a signal, and answers when it is continued: kill -CONT %d",
	    (int)target->pid);
	return true;
}

/* Says why there is no answer; of what vgdb said, the last line that is a message. */
static void say_why(struct monitor_client *client, const struct stream *messages)
{
	const char *at = messages->data, *end = at ? at + messages->len : NULL;

	switch (client->end) {
	case VGDB_TIMED_OUT:
		say(client, "no answer in %u s (--timeout)", client->seconds);
		break;
	case VGDB_INTERRUPTED:
		say(client, "interrupted");
		break;
	case VGDB_LOST:
		say(client, "it ended");
		break;
	case VGDB_REFUSED:
		say(client, "it waits in the kernel, and vgdb may not wake it by ptrace: "
			    "/proc/sys/kernel/yama/ptrace_scope is to be 0, or this to be run by "
			    "root; or try when it computes");
		break;
	case VGDB_FAILED:
	case VGDB_ANSWERED:
		say(client, "vgdb: failed");
		while (at && at < end) {
			const char *line_end = memchr(at, '\n', (size_t)(end - at));
			size_t len = (size_t)((line_end ? line_end : end) - at);

			if (len > 0 && strncmp(at, "sending command", 15) != 0)
				say(client, "vgdb: %.*s", len < 200 ? (int)len : 200, at);
			at = line_end ? line_end + 1 : end;
		}
		break;
	}
}

/* Has the target do a command of its monitor; what it said, with a NUL, to be freed, or NULL. */
static char *ask(struct monitor_client *client, const struct target *target, const char *request,
		 size_t *len)
{
	struct stream streams[2] = { { .fd = -1 }, { .fd = -1 } };
	char *answer = NULL;

	client->text[0] = '\0';
	client->end = VGDB_FAILED;
	if (is_barred(client, target))
		return NULL;
	client->end = converse(client, target, request, streams);
	if (client->end == VGDB_ANSWERED) {
		answer = streams[0].data ? streams[0].data : heap_copy("");
		*len = streams[0].len;
	} else {
		say_why(client, &streams[1]);
		free(streams[0].data);
	}
	free(streams[1].data);
	return answer;
}

static bool has_monitor(struct monitor_client *client, const struct target *target)
{
	if (target->is_ours || target->tool != TARGET_CACHEGRIND)
		return true;
	say(client, "Cachegrind has no commands but to be killed");
	return false;
}

/* Says a line of an answer; messages of the tool's begin with ==PID==. */
static void say_line(struct monitor_client *client, const char *line)
{
	if (strncmp(line, "==", 2) == 0) {
		const char *end = strstr(line + 2, "== ");

		line = end ? end + 3 : line;
	}
	say(client, "%.*s", (int)strcspn(line, "\n"), line);
}

/* The line of an answer that begins so, or NULL. */
static const char *find_line(const char *answer, const char *begin)
{
	const char *line = answer;

	while (line && strncmp(line, begin, strlen(begin)) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line;
}

/* What the tool says about what it has done; all else is why it was not done. */
static const char written_word[] = "written: ", collection_word[] = "collection: ";
static const char nothing_word[] = "nothing was collected: ";

bool monitor_client_order(struct monitor_client *client, const struct target *target,
			  const char *order)
{
	bool done = true;
	char *answer;
	size_t len;

	if (!has_monitor(client, target))
		return false;
	if (!target->is_ours && strncmp(order, "collection ", 11) == 0) {
		say(client, "Callgrind has no command for that");
		return false;
	}
	answer = ask(client, target, order, &len);
	if (!answer)
		return false;
	/* What Callgrind answers is no matter. */
	if (target->is_ours) {
		const char *written = find_line(answer, written_word);
		const char *nothing = find_line(answer, nothing_word);

		say_line(client, written ? written : answer);
		len = strlen(client->text);
		if (written && nothing)
			snprintf(client->text + len, sizeof(client->text) - len, "; %.*s",
				 (int)strcspn(nothing, "\n"), nothing);
		done = answer[0] == '\0' || written ||
		       strncmp(answer, collection_word, strlen(collection_word)) == 0;
	}
	free(answer);
	return done;
}

bool monitor_client_state(struct monitor_client *client, const struct target *target,
			  bool is_watching, struct runstate *state)
{
	const char *wrong;
	char *answer;
	size_t len;

	if (!has_monitor(client, target))
		return false;
	answer = ask(client, target,
		     is_watching && target->is_ours ? "status functions" : "status internal", &len);
	if (!answer)
		return false;
	wrong = runstate_read(state, answer, len);
	free(answer);
	if (wrong) {
		runstate_release(state);
		say(client, "its answer: %s", wrong);
		return false;
	}
	derivedcosts_add(state);
	return true;
}

/* Waits until it has ended; false if it does not. */
static bool wait_for_end(const struct monitor_client *client, const struct target *target)
{
	static const struct timespec moment = { 0, 20000000 };
	time_t deadline = time(NULL) + (time_t)client->seconds + 1;

	while (target_is_alive(target)) {
		if (time(NULL) >= deadline)
			return false;
		nanosleep(&moment, NULL);
	}
	return true;
}

static bool end_cachegrind(struct monitor_client *client, const struct target *target)
{
	if (target->bar == TARGET_FOREIGN)
		return !is_barred(client, target);
	if (!target_is_alive(target)) { /* its pid may be another's by now */
		say(client, "it ended");
		return false;
	}
	if (kill(target->pid, SIGTERM) != 0) {
		say(client, "%s", strerror(errno));
		return false;
	}
	if (wait_for_end(client, target)) {
		say(client, "ended by SIGTERM, so that Cachegrind writes its file");
		return true;
	}
	say(client,
	    "SIGTERM was sent, so that Cachegrind writes its file, but the program still runs");
	return false;
}

bool monitor_client_kill(struct monitor_client *client, const struct target *target)
{
	char written[MONITOR_CLIENT_TEXT];
	size_t len;

	if (!target->is_ours && target->tool == TARGET_CACHEGRIND)
		return end_cachegrind(client, target);
	if (!monitor_client_order(client, target, target->is_ours ? "final killed" : "dump killed"))
		return false;
	memcpy(written, client->text, sizeof(written));
	/* The answer may come before it ends, or not. */
	free(ask(client, target, "v.kill", &len));
	if (client->end != VGDB_ANSWERED && client->end != VGDB_LOST)
		return false;
	if (!wait_for_end(client, target)) {
		say(client, "was told to end, but still runs");
		return false;
	}
	if (target->is_ours)
		say(client, "killed%s%.400s", written[0] ? "; " : "", written);
	else
		say(client, "killed; its last part was dumped before, the file without a number is "
			    "empty");
	return true;
}
