/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/complaint.h"

/* The pager reads what is written to sink->out; without it, all goes to standard output. */
static void start_pager(struct sink *sink)
{
	const char *pager = getenv("PAGER");
	int ends[2];

	if (pager == NULL)
		pager = "less";
	if (pager[0] == '\0' || strcmp(pager, "cat") == 0 || pipe(ends) != 0)
		return;
	fflush(stdout);
	sink->pager = fork();
	if (sink->pager == 0) {
		/* As git has it: quit if it fits, colours, no clearing; long lines are cut. */
		setenv("LESS", "FRXS", 0);
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	if (sink->pager > 0)
		sink->out = fdopen(ends[1], "w");
	if (sink->pager < 0 || !sink->out) {
		close(ends[1]);
		sink->pager = 0;
		sink->out = stdout;
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

static bool open_file(struct sink *sink, const char *path)
{
	struct stat status;

	sink->path = path;
	/* What is no regular file, such as /dev/full, is written to directly. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		sink->out = fopen(path, "w");
		return sink->out != NULL;
	}
	sink->partial = partial_name(path);
	if (sink->partial)
		sink->out = fopen(sink->partial, "w");
	return sink->out != NULL;
}

bool sink_open(struct sink *sink, const char *command, const char *path, bool pages)
{
	*sink = (struct sink){ .out = stdout };
	if (path == NULL || strcmp(path, "-") == 0) {
		if (pages && isatty(STDOUT_FILENO))
			start_pager(sink);
		return true;
	}
	sink->out = NULL;
	if (open_file(sink, path))
		return true;
	complain(command, "%s: %s", path, strerror(errno));
	free(sink->partial);
	return false;
}

bool sink_close(struct sink *sink, const char *command)
{
	bool fine = fflush(sink->out) == 0 && !ferror(sink->out);
	int error = errno;

	if (sink->pager > 0) {
		/* A pager that was left early is no failure. */
		fclose(sink->out);
		while (waitpid(sink->pager, NULL, 0) < 0 && errno == EINTR)
			;
		return true;
	}
	if (sink->path) {
		if (fclose(sink->out) != 0 && fine) {
			fine = false;
			error = errno;
		}
		if (fine && sink->partial && rename(sink->partial, sink->path) != 0) {
			fine = false;
			error = errno;
		}
		if (!fine && sink->partial)
			unlink(sink->partial);
		free(sink->partial);
	}
	if (!fine)
		complain(command, "%s: %s", sink->path ? sink->path : "standard output",
			 strerror(error));
	return fine;
}

void sink_abandon(struct sink *sink)
{
	if (sink->path)
		fclose(sink->out);
	if (sink->partial)
		unlink(sink->partial);
	free(sink->partial);
}
