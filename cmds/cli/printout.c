/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/printout.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"

/* Whether a shell would find the program that a command begins with; if in doubt, yes. */
static bool can_run(const char *pager)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-+/";
	char path[LAUNCH_PATH], word[LAUNCH_PATH];
	size_t len = strspn(pager, plain);

	if (len == 0 || len >= sizeof(word) || (pager[len] != '\0' && pager[len] != ' '))
		return true;
	memcpy(word, pager, len);
	word[len] = '\0';
	return launch_find(word, path, sizeof(path));
}

/*
 * True if somebody can leave a pager: standard output is the terminal of this session, which has a
 * size, and this is its foreground.  Where a program made the terminal (script, CI, docker run -t), it
 * has none of its own as a rule, and less would wait for a key for ever; in the background, it would be stopped.
 */
static bool has_keyboard(void)
{
	struct winsize size;

	return tcgetpgrp(STDOUT_FILENO) == getpgrp() &&
	       ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
}

/* The pager reads what is written to printout->out; without it, all goes to standard output. */
static void start_pager(struct printout *printout)
{
	const char *pager = getenv("COSTGRIND_PAGER");
	int ends[2];

	if (pager == NULL)
		pager = getenv("PAGER");
	if (pager == NULL)
		pager = "less";
	if (pager[0] == '\0' || strcmp(pager, "cat") == 0 || !can_run(pager) || pipe(ends) != 0)
		return;
	fflush(stdout);
	printout->pager = fork();
	if (printout->pager == 0) {
		/* As git has it: quit if it fits, colours, no clearing. */
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	if (printout->pager > 0)
		printout->out = fdopen(ends[1], "w");
	if (printout->pager < 0 || !printout->out) {
		close(ends[1]);
		printout->pager = 0;
		printout->out = stdout;
		return;
	}
	/* The user may leave the pager early; an interrupt is the pager's affair. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
}

bool printout_open(struct printout *printout, const char *command, const char *path, bool pages)
{
	int error, fd;

	*printout = (struct printout){ .out = stdout };
	if (path == NULL || strcmp(path, "-") == 0) {
		if (pages && has_keyboard())
			start_pager(printout);
		return true;
	}
	error = outfile_open(&printout->file, command, path);
	if (error) {
		complain(command, "%s: %s", path, outfile_reason(error));
		return false;
	}
	printout->path = path;
	/* The stream's own descriptor: closing it tells of errors, and the file goes on. */
	fd = dup(printout->file.fd);
	printout->out = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (printout->out)
		return true;
	complain(command, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	outfile_discard(&printout->file);
	return false;
}

/* Ends a file; 0 or an errno. */
static int close_file(struct printout *printout, int error)
{
	if (fclose(printout->out) != 0 && !error)
		error = errno;
	if (!error)
		return outfile_commit(&printout->file);
	outfile_discard(&printout->file);
	return error;
}

static void wait_for_pager(struct printout *printout)
{
	fclose(printout->out);
	while (waitpid(printout->pager, NULL, 0) < 0 && errno == EINTR)
		;
}

bool printout_close(struct printout *printout, const char *command)
{
	int error = 0;

	if (fflush(printout->out) != 0)
		error = errno;
	else if (ferror(printout->out))
		error = EIO;
	if (printout->pager > 0) {
		/* A pager that was left early is no failure. */
		wait_for_pager(printout);
		return true;
	}
	if (printout->path)
		error = close_file(printout, error);
	if (error)
		complain(command, "%s: %s", printout->path ? printout->path : "standard output",
			 outfile_reason(error));
	return error == 0;
}

void printout_abandon(struct printout *printout)
{
	if (printout->pager > 0)
		wait_for_pager(printout);
	if (!printout->path)
		return;
	fclose(printout->out);
	outfile_discard(&printout->file);
}
