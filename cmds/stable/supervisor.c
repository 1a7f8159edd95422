/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* pipe2(), memfd_create() */
#include "cmds/stable/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/common/heap.h"

enum {
	BUFFER = 65536,
	CHUNK = 4096,      /* a pipe that has room has room for so much */
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

static void write_some(struct relay_stream *stream)
{
	size_t len = stream->end - stream->begin;
	ssize_t n = write(stream->to, stream->data + stream->begin, len < CHUNK ? len : CHUNK);

	if (n > 0)
		stream->begin += (size_t)n;
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		give_up(stream);
}

static void read_some(struct relay_stream *stream)
{
	ssize_t n = read(stream->from, stream->data, BUFFER);

	stream->begin = 0;
	stream->end = n > 0 ? (size_t)n : 0;
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		give_up(stream);
}

void relay_move(struct relay *relay, const struct pollfd *polls)
{
	for (int i = 0; i < RELAY_STREAMS; i++) {
		struct relay_stream *stream = &relay->streams[i];

		if (polls[i].fd < 0 || polls[i].revents == 0)
			continue;
		if (stream->begin < stream->end)
			write_some(stream);
		else
			read_some(stream);
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

static bool is_waiting(const struct relay *relay)
{
	for (int i = 0; i < RELAY_STREAMS; i++)
		if (relay->streams[i].begin < relay->streams[i].end)
			return true;
	return false;
}

static bool is_at_end(const struct relay *relay)
{
	return relay->streams[0].from < 0 && relay->streams[1].from < 0;
}

bool relay_drain(struct relay *relay)
{
	while (!is_at_end(relay) && turn(relay, is_waiting(relay) ? -1 : 0))
		;
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

static bool write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
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
			fine = write_all(fd, data, (size_t)n);
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

/* What the processes inside report to the one outside, through a pipe. */
enum report_kind {
	REPORT_REFUSED, /* the sandbox could not be built */
	REPORT_READY,   /* the program is about to be started */
	REPORT_FAILED,  /* it was not */
	REPORT_ENDED,   /* it has ended */
};

struct child_report {
	enum report_kind kind;
	int status; /* of an end, as of waitpid() */
	struct trouble trouble;
	char text[SUPERVISOR_TEXT]; /* of readiness */
};

_Static_assert(sizeof(struct child_report) <= 4096, "a pipe takes it at once");

/* The state of the process outside. */
struct child_watch {
	struct supervisor *supervisor;
	pid_t child;
	bool has_first; /* the child is the first process of a sandbox, not the program */
	bool has_ended;
	int status;
	bool failed;
	struct trouble *trouble;
};

static void send_report(const struct supervisor *supervisor, const struct child_report *report)
{
	while (write(supervisor->reports[1], report, sizeof(*report)) < 0 && errno == EINTR)
		;
}

/* False if there is none, nor will be. */
static bool receive(const struct supervisor *supervisor, struct child_report *report)
{
	ssize_t n;

	do
		n = read(supervisor->reports[0], report, sizeof(*report));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*report);
}

void supervisor_ready(const struct supervisor *supervisor, const char *text)
{
	struct child_report report = { .kind = REPORT_READY };

	snprintf(report.text, sizeof(report.text), "%s", text);
	send_report(supervisor, &report);
}

/* -- inside ---------------------------------------------------------------------------- */

/* True if somebody sent the signal, rather than the kernel to all on a terminal. */
static bool was_sent(int code)
{
	return code <= 0;
}

static void reap(const struct supervisor *supervisor, pid_t program, bool *has_ended)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct child_report report = { .kind = REPORT_ENDED, .status = status };

		if (pid != program)
			continue;
		/* Those that the program has left behind may go on, as they do elsewhere. */
		prctl(PR_SET_PDEATHSIG, 0);
		send_report(supervisor, &report);
		close(supervisor->reports[1]);
		*has_ended = true;
	}
	if (pid < 0 && errno == ECHILD)
		_exit(0);
}

/* The first process: as long as there is another one. */
static void stand_by(const struct supervisor *supervisor, pid_t program)
{
	bool has_ended = false;
	sigset_t all;

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		close(fd);
	if (supervisor->relay)
		relay_part(supervisor->relay);
	sigfillset(&all);
	while (true) {
		siginfo_t info;
		int number = sigwaitinfo(&all, &info);

		if (number == SIGCHLD)
			reap(supervisor, program, &has_ended);
		else if (number > 0 && was_sent(info.si_code) && !has_ended)
			kill(program, number);
	}
}

__attribute__((noreturn)) static void become(const struct supervisor *supervisor,
					     const struct sandbox *sandbox)
{
	struct child_report report = { .kind = REPORT_FAILED };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (supervisor->relay && !relay_connect(supervisor->relay)) {
		report.trouble.error = errno;
		send_report(supervisor, &report);
		_exit(127);
	}
	sigaction(SIGCHLD, &supervisor->child_ended, NULL);
	sigprocmask(SIG_SETMASK, &supervisor->blocked, NULL);
	supervisor->become(supervisor->ctx, sandbox, &report.trouble);
	send_report(supervisor, &report);
	_exit(127);
}

__attribute__((noreturn)) static void live_inside(const struct supervisor *supervisor,
						  const struct sandbox *sandbox, uid_t uid,
						  gid_t gid)
{
	struct child_report report = { .kind = REPORT_REFUSED };
	pid_t program;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(supervisor->reports[0]);
	if (!sandbox)
		become(supervisor, NULL);
	if (!sandbox_build(sandbox, uid, gid, &report.trouble)) {
		send_report(supervisor, &report);
		_exit(127);
	}
	if (!sandbox->has_pids)
		become(supervisor, sandbox);
	program = fork();
	if (program == 0)
		become(supervisor, sandbox);
	if (program < 0) {
		report.kind = REPORT_FAILED;
		report.trouble.error = errno;
		send_report(supervisor, &report);
		_exit(127);
	}
	stand_by(supervisor, program);
	_exit(0);
}

/* -- outside --------------------------------------------------------------------------- */

static void take_report(struct child_watch *watch)
{
	struct child_report report;

	if (!receive(watch->supervisor, &report)) {
		close(watch->supervisor->reports[0]);
		watch->supervisor->reports[0] = -1;
		return;
	}
	if (report.kind == REPORT_FAILED) {
		*watch->trouble = report.trouble;
		watch->failed = true;
	} else if (report.kind == REPORT_ENDED) {
		watch->status = report.status;
		watch->has_ended = true;
	}
}

static void see_child(struct child_watch *watch)
{
	int status;

	if (waitpid(watch->child, &status, WNOHANG) != watch->child)
		return;
	/* The report of the first process came before its end. */
	while (watch->has_first && watch->supervisor->reports[0] >= 0)
		take_report(watch);
	if (!watch->has_ended)
		watch->status = status;
	watch->has_ended = true;
}

static void take_signal(struct child_watch *watch, int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD)
		see_child(watch);
	else if (was_sent(info.ssi_code))
		kill(watch->child, (int)info.ssi_signo);
	else if (info.ssi_signo == SIGTSTP)
		raise(SIGSTOP);
}

/* Until the program has ended. */
static void watch_program(struct child_watch *watch, int signals)
{
	struct supervisor *supervisor = watch->supervisor;

	while (!watch->has_ended) {
		struct pollfd polls[2 + RELAY_POLLS] = {
			{ .fd = signals, .events = POLLIN },
			{ .fd = supervisor->reports[0], .events = POLLIN },
		};
		nfds_t n = 2;

		if (supervisor->relay) {
			relay_prepare(supervisor->relay, polls + 2);
			n += RELAY_POLLS;
		}
		if (poll(polls, n, -1) < 0)
			continue;
		if (supervisor->relay)
			relay_move(supervisor->relay, polls + 2);
		if (polls[1].revents)
			take_report(watch);
		if (polls[0].revents)
			take_signal(watch, signals);
	}
	if (!watch->has_first)
		while (supervisor->reports[0] >= 0)
			take_report(watch);
}

/* What the program has left behind may still write: somebody passes it on. */
static void end_relay(struct relay *relay)
{
	pid_t child;

	if (!relay || relay_drain(relay))
		return;
	child = fork();
	if (child == 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		relay_finish(relay);
		_exit(0);
	}
	if (child < 0)
		relay_finish(relay);
}

/* The first report says if the program is started. */
static int await_start(struct child_watch *watch)
{
	struct supervisor *supervisor = watch->supervisor;
	struct child_report report;

	if (!receive(supervisor, &report)) {
		*watch->trouble = (struct trouble){ .error = ECHILD };
		watch->failed = true;
		waitpid(watch->child, NULL, 0);
		return 0;
	}
	if (report.kind == REPORT_READY) {
		supervisor->reported(supervisor->ctx, report.text);
		return 0;
	}
	*watch->trouble = report.trouble;
	waitpid(watch->child, NULL, 0);
	watch->failed = report.kind == REPORT_FAILED;
	return watch->failed ? 0 : report.trouble.error;
}

static int start(struct child_watch *watch, const struct sandbox *sandbox)
{
	struct supervisor *supervisor = watch->supervisor;
	uid_t uid = geteuid();
	gid_t gid = getegid();
	int error;

	if (pipe2(supervisor->reports, O_CLOEXEC) != 0)
		return errno;
	watch->child = sandbox ? sandbox_fork(sandbox) : fork();
	if (watch->child == 0)
		live_inside(supervisor, sandbox, uid, gid);
	error = errno;
	close(supervisor->reports[1]);
	if (watch->child < 0) {
		close(supervisor->reports[0]);
		*watch->trouble = (struct trouble){ .error = error };
		return error;
	}
	return await_start(watch);
}

int supervisor_run(struct supervisor *supervisor, const struct sandbox *sandbox, int *status,
		   bool *failed, struct trouble *trouble)
{
	struct child_watch watch = {
		.supervisor = supervisor,
		.has_first = sandbox && sandbox->has_pids,
		.trouble = trouble,
	};
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t all;
	int error, signals;

	fflush(stdout);
	fflush(stderr);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &supervisor->blocked);
	sigaction(SIGCHLD, &usual,
		  &supervisor->child_ended); /* whoever ignores it gets no status of children */
	signals = signalfd(-1, &all, SFD_CLOEXEC);
	error = signals < 0 ? errno : start(&watch, sandbox);
	if (error == 0 && !watch.failed) {
		if (supervisor->relay)
			relay_part(supervisor->relay);
		signal(SIGPIPE, SIG_IGN);
		watch_program(&watch, signals);
		end_relay(supervisor->relay);
		signal(SIGPIPE, SIG_DFL);
	}
	if (signals >= 0)
		close(signals);
	sigaction(SIGCHLD, &supervisor->child_ended, NULL);
	sigprocmask(SIG_SETMASK, &supervisor->blocked, NULL);
	*status = watch.status;
	*failed = watch.failed;
	return error;
}

int supervisor_end(int status)
{
	struct rlimit none = { 0, 0 };
	int number = WTERMSIG(status);
	sigset_t set;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	fflush(stdout);
	setrlimit(RLIMIT_CORE, &none); /* it would be ours */
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	return 128 + number;
}
