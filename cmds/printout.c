/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/printout.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/complaint.h"

/* The pager reads what is written to printout->out; without it, all goes to standard output. */
static void start_pager(struct printout *printout)
{
	const char *pager = getenv("PAGER");
	int ends[2];

	if (pager == NULL)
		pager = "less";
	if (pager[0] == '\0' || strcmp(pager, "cat") == 0 || pipe(ends) != 0)
		return;
	fflush(stdout);
	printout->pager = fork();
	if (printout->pager == 0) {
		/* As git has it: quit if it fits, colours, no clearing; long lines are cut. */
		setenv("LESS", "FRXS", 0);
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
	/* The user may leave the pager early. */
	signal(SIGPIPE, SIG_IGN);
}

/* "dir/.name.partial" of "dir/name": no reader takes it for a profile. */
static char *partial_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
	size_t size = strlen(path) + sizeof("..partial");
	char *partial = malloc(size);

	if (partial)
		snprintf(partial, size, "%.*s.%s.partial", (int)folder, path, path + folder);
	return partial;
}

static bool open_file(struct printout *printout, const char *path)
{
	struct stat status;

	printout->path = path;
	/* What is no regular file, such as /dev/full, is written to directly. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		printout->out = fopen(path, "w");
		return printout->out != NULL;
	}
	printout->partial = partial_name(path);
	if (printout->partial)
		printout->out = fopen(printout->partial, "w");
	return printout->out != NULL;
}

bool printout_open(struct printout *printout, const char *command, const char *path, bool pages)
{
	*printout = (struct printout){ .out = stdout };
	if (path == NULL || strcmp(path, "-") == 0) {
		if (pages && isatty(STDOUT_FILENO))
			start_pager(printout);
		return true;
	}
	printout->out = NULL;
	if (open_file(printout, path))
		return true;
	complain(command, "%s: %s", path, strerror(errno));
	free(printout->partial);
	return false;
}

bool printout_close(struct printout *printout, const char *command)
{
	bool fine = fflush(printout->out) == 0 && !ferror(printout->out);
	int error = errno;

	if (printout->pager > 0) {
		/* A pager that was left early is no failure. */
		fclose(printout->out);
		while (waitpid(printout->pager, NULL, 0) < 0 && errno == EINTR)
			;
		return true;
	}
	if (printout->path) {
		if (fclose(printout->out) != 0 && fine) {
			fine = false;
			error = errno;
		}
		if (fine && printout->partial && rename(printout->partial, printout->path) != 0) {
			fine = false;
			error = errno;
		}
		if (!fine && printout->partial)
			unlink(printout->partial);
		free(printout->partial);
	}
	if (!fine)
		complain(command, "%s: %s", printout->path ? printout->path : "standard output",
			 strerror(error));
	return fine;
}

void printout_abandon(struct printout *printout)
{
	if (printout->path)
		fclose(printout->out);
	if (printout->partial)
		unlink(printout->partial);
	free(printout->partial);
}
