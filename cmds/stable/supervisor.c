/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* pipe2() */
#include "cmds/stable/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Whether somebody sent the signal, rather than the kernel to all on a terminal. */
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

/* The first report: whether the program is started. */
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
