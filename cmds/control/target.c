/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes under Valgrind: found, chosen, and described. */
#define _GNU_SOURCE /* memmem(), memrchr() */
#include "cmds/control/control.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/option.h"
#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

enum {
	PATH_SIZE = 4096,
	MOST_BYTES = 16 << 20, /* of a file of /proc; more is cut */
	FIRST_BYTES = 4096,
};

static const char *const tools[] = { "costgrind", "callgrind", "cachegrind", NULL };

const char *target_tool_name(enum target_tool tool)
{
	return tools[tool];
}

const char *target_state_name(const struct target *target)
{
	switch (target->state) {
	case 'R':
		return "running";
	case 'S':
		return "waiting";
	case 'D':
		return "blocked";
	case 'T':
		return "stopped";
	case 't':
		return "traced";
	case 'Z':
	case 'X':
		return "ended";
	default:
		return "unknown";
	}
}

/* -- files of /proc -------------------------------------------------------------------- */

/* All of /proc/PID/NAME with a NUL after it, owned by the caller; NULL if it cannot be read. */
static char *read_file(pid_t pid, const char *name, size_t *len)
{
	char path[320], *data = NULL;
	size_t room = 0;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	*len = 0;
	if (fd < 0)
		return NULL;
	do {
		data = heap_grow(data, &room, *len + FIRST_BYTES, 1);
		got = read(fd, data + *len, room - *len - 1);
		if (got > 0)
			*len += (size_t)got;
	} while ((got > 0 && *len < MOST_BYTES) || (got < 0 && errno == EINTR));
	data[*len] = '\0';
	close(fd);
	return data;
}

/* The string after this one in a block of len bytes that ends in a NUL; NULL after the last. */
static const char *next_string(const char *data, size_t len, const char *string)
{
	string += strlen(string) + 1;
	return string < data + len ? string : NULL;
}

/* What a variable of the environment has, in a block of strings; NULL if it is not there. */
static char *variable(char *block, size_t len, const char *name)
{
	size_t name_len = strlen(name);

	for (char *s = block; s && s < block + len; s += strlen(s) + 1)
		if (strncmp(s, name, name_len) == 0 && s[name_len] == '=')
			return s + name_len + 1;
	return NULL;
}

/* The state of a thread, by its line in stat: after the name, which may hold anything. */
static char state_of(const char *stat)
{
	const char *end = strrchr(stat, ')');

	if (!end || end[1] != ' ')
		return '?';
	return end[2];
}

/* True if the text of a file of any of a process's threads has something. */
static bool any_thread(pid_t pid, const char *name, bool (*has)(const char *text))
{
	const struct dirent *entry;
	bool found = false;
	char path[300];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	while (!found && tasks && (entry = readdir(tasks)) != NULL) {
		size_t len;
		char *text;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "task/%s/%s", entry->d_name, name);
		text = read_file(pid, path, &len);
		found = text && has(text);
		free(text);
	}
	if (tasks)
		closedir(tasks);
	return found;
}

static bool is_running(const char *stat)
{
	return state_of(stat) == 'R';
}

static bool is_traced(const char *status)
{
	const char *line = strstr(status, "\nTracerPid:");

	return line && strtol(line + strlen("\nTracerPid:"), NULL, 10) != 0;
}

char target_state_now(const struct target *target)
{
	char path[64], *stat, state = '?';
	size_t len;

	snprintf(path, sizeof(path), "task/%d/stat", (int)target->pid);
	stat = read_file(target->pid, path, &len);
	if (stat)
		state = state_of(stat);
	free(stat);
	/* Of Valgrind's threads one runs at a time: if any does, the program runs. */
	if (any_thread(target->pid, "stat", is_running))
		return 'R';
	return state;
}

bool target_is_traced(const struct target *target)
{
	return any_thread(target->pid, "status", is_traced);
}

/* When it was started: the 22nd word of its line in stat, the 20th after its name; 0 = unknown. */
static unsigned long long start_time(pid_t pid)
{
	size_t len;
	char *stat = read_file(pid, "stat", &len);
	const char *at = stat ? strrchr(stat, ')') : NULL;
	unsigned long long ticks = 0;

	for (int i = 0; at && i < 20; i++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoull(at + 1, NULL, 10);
	free(stat);
	return ticks;
}

/* True if the process has another pid where it lives: "NSpid:" has more than one. */
static bool is_apart(pid_t pid)
{
	size_t len;
	char *status = read_file(pid, "status", &len);
	const char *line = status ? strstr(status, "\nNSpid:") : NULL;
	size_t n = 0;

	if (line) {
		line += strlen("\nNSpid:");
		while (*line == '\t' || *line == ' ' || (*line >= '0' && *line <= '9')) {
			n += *line >= '0' && *line <= '9' && (line[-1] < '0' || line[-1] > '9');
			line++;
		}
	}
	free(status);
	return n > 1;
}

/* -- how it was started ----------------------------------------------------------------- */

/* What was found of Valgrind's options, borrowed. */
struct valgrind_start {
	const char *tool;   /* after --tool=; NULL = none */
	const char *prefix; /* after --vgdb-prefix= */
	const char *vgdb;   /* after --vgdb= */
};

static void take_option(struct valgrind_start *start, const char *word)
{
	/* It may be a way to the tool's file: launch_tool(). */
	if (strncmp(word, "--tool=", 7) == 0)
		start->tool = path_base(word + 7);
	else if (strncmp(word, "--vgdb-prefix=", 14) == 0)
		start->prefix = word + 14;
	else if (strncmp(word, "--vgdb=", 7) == 0)
		start->vgdb = word + 7;
}

/* The words of a variable, which is cut up; NULL has none. */
static void take_variable(struct valgrind_start *start, char *words)
{
	char *rest = words;

	for (char *word = words ? strtok_r(words, " \t\n", &rest) : NULL; word;
	     word = strtok_r(NULL, " \t\n", &rest))
		take_option(start, word);
}

/* Valgrind's options in a command line; returns where the program begins, NULL if nowhere. */
static const char *take_command(struct valgrind_start *start, const char *line, size_t len)
{
	const char *word = next_string(line, len, line);

	for (; word && word[0] == '-'; word = next_string(line, len, word)) {
		if (strcmp(word, "--") == 0)
			return next_string(line, len, word);
		take_option(start, word);
	}
	return word;
}

/* Which tool a word names: all of it, or what is before the first '-'; -1 = none of ours. */
static int tool_named(const char *text, size_t len)
{
	for (int i = 0; tools[i]; i++)
		if (strlen(tools[i]) == len && memcmp(tools[i], text, len) == 0)
			return i;
	return -1;
}

enum {
	NO_TOOL = -1,      /* it executes something else */
	UNKNOWN_TOOL = -2, /* another user's: what it executes cannot be seen */
};

/* Which tool the file is that is executed: callgrind-amd64-linux. */
static int executed_tool(pid_t pid)
{
	char path[64], target[PATH_SIZE];
	const char *name;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	len = readlink(path, target, sizeof(target) - 1);
	if (len <= 0)
		return UNKNOWN_TOOL;
	target[len] = '\0';
	name = path_base(target);
	if (strstr(name, "-linux") == NULL)
		return NO_TOOL;
	return tool_named(name, strcspn(name, "-"));
}

/* By the file, unless that is unknown; under another name, --tool= names it. */
static bool take_tool(struct target *target, int executed, const struct valgrind_start *start)
{
	int named = start->tool ? tool_named(start->tool, strlen(start->tool)) : NO_TOOL;

	if (executed < 0 && named < 0)
		return false;
	target->tool = (enum target_tool)(named >= 0 ? named : executed);
	target->is_ours = executed == TARGET_COSTGRIND ||
			  (executed < 0 && target->tool == TARGET_COSTGRIND);
	return true;
}

/* -- pipes ------------------------------------------------------------------------------ */

/* The prefix of pipes as vgdb is given it, owned by the caller. */
static char *choose_prefix(pid_t pid, const struct valgrind_start *start, const char *tmpdir)
{
	if (!start->prefix)
		return heap_print("%s/vgdb-pipe", tmpdir && tmpdir[0] ? tmpdir : "/tmp");
	if (start->prefix[0] == '/')
		return heap_copy(start->prefix);
	/* Relative to where it was started: where it still is, as a rule. */
	return heap_print("/proc/%d/cwd/%s", (int)pid, start->prefix);
}

/* The three names that Valgrind makes: <prefix><one of these><pid>-by-<user>-on-<host>. */
static const struct {
	const char *text;
	mode_t type;
} pipe_names[] = {
	{ "-from-vgdb-to-", S_IFIFO },
	{ "-to-vgdb-from-", S_IFIFO },
	{ "-shared-mem-vgdb-", S_IFREG },
};

/*
 * True if all three are the target's own, for in /tmp anybody makes files of any name; tail is what
 * follows the pid.
 */
static bool are_own(const struct target *target, const char *tail, uid_t owner)
{
	char path[2 * PATH_SIZE];
	struct stat stat_of;

	for (size_t i = 0; i < sizeof(pipe_names) / sizeof(pipe_names[0]); i++) {
		int len = snprintf(path, sizeof(path), "%s%s%d%s", target->prefix,
				   pipe_names[i].text, (int)target->pid, tail);

		if (len < 0 || (size_t)len >= sizeof(path) || lstat(path, &stat_of) != 0 ||
		    (stat_of.st_mode & S_IFMT) != pipe_names[i].type || stat_of.st_uid != owner)
			return false;
	}
	return true;
}

/* Takes user and host from what follows the pid: -by-<user>-on-<host>. */
static bool take_names(struct target *target, const char *tail)
{
	const char *user = tail + strlen("-by-"), *on = NULL;

	for (const char *at = strstr(user, "-on-"); at; at = strstr(at + 1, "-on-"))
		on = at;
	if (!on)
		return false;
	target->user = heap_copy_part(user, (size_t)(on - user));
	target->host = heap_copy(on + strlen("-on-"));
	return true;
}

static bool find_pipe(struct target *target, uid_t owner)
{
	char folder[PATH_SIZE], begin[PATH_SIZE + 64];
	const char *base = path_base(target->prefix);
	const struct dirent *entry;
	bool found = false;
	size_t len;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%.*s", (int)(base - target->prefix), target->prefix);
	len = (size_t)snprintf(begin, sizeof(begin), "%s%s%d", base, pipe_names[0].text,
			       (int)target->pid);
	dir = opendir(folder);
	while (!found && dir && (entry = readdir(dir)) != NULL)
		found = strncmp(entry->d_name, begin, len) == 0 &&
			strncmp(entry->d_name + len, "-by-", 4) == 0 &&
			are_own(target, entry->d_name + len, owner) &&
			take_names(target, entry->d_name + len);
	if (dir)
		closedir(dir);
	return found;
}

static enum target_bar find_bar(struct target *target, const struct valgrind_start *start)
{
	char path[64];
	struct stat stat_of;

	/* Not even root's vgdb is answered: to another user's target it seems to be dead. */
	snprintf(path, sizeof(path), "/proc/%d", (int)target->pid);
	if (stat(path, &stat_of) != 0 || stat_of.st_uid != geteuid())
		return TARGET_FOREIGN;
	if (start->vgdb && strcmp(start->vgdb, "no") == 0)
		return TARGET_SILENT;
	if (find_pipe(target, stat_of.st_uid))
		return TARGET_OPEN;
	return is_apart(target->pid) ? TARGET_APART : TARGET_PIPELESS;
}

/* -- all of it -------------------------------------------------------------------------- */

/*
 * Takes Valgrind's options in the order in which they are read, the later ones winning; costgrind in place of
 * another tool does not read its own variable.  *tmpdir may become NULL.  Returns where the program begins
 * in the command line.
 */
static const char *take_start(struct valgrind_start *start, const char *line, size_t line_len,
			      char *env, size_t env_len, bool is_ours, const char **tmpdir)
{
	char *own = variable(env, env_len, "COSTGRIND_OPTS");
	struct valgrind_start chosen;

	*tmpdir = variable(env, env_len, "TMPDIR");
	take_variable(start, variable(env, env_len, "VALGRIND_OPTS"));
	chosen = *start;
	take_command(&chosen, line, line_len);
	if (is_ours && (!chosen.tool || strcmp(chosen.tool, tools[TARGET_COSTGRIND]) == 0))
		take_variable(start, own);
	return take_command(start, line, line_len);
}

/* Fills what is known about a process but its pid; false if it is no target. */
static bool examine(struct target *target, const char *prefix)
{
	int executed = executed_tool(target->pid);
	struct valgrind_start start = { NULL, NULL, NULL };
	const char *tmpdir, *program;
	char *line, *env = NULL;
	size_t line_len = 0, env_len = 0;
	bool found;

	if (executed == NO_TOOL)
		return false;
	/* What is not executed from a file of a tool's is not read any further. */
	line = read_file(target->pid, "cmdline", &line_len);
	found = line && line_len > 0 &&
		(executed >= 0 || strncmp(path_base(line), "valgrind", 8) == 0);
	if (found) {
		env = read_file(target->pid, "environ", &env_len);
		program = take_start(&start, line, line_len, env, env_len,
				     executed == TARGET_COSTGRIND, &tmpdir);
		found = take_tool(target, executed, &start);
	}
	if (found) {
		target->words_len = program ? line_len - (size_t)(program - line) : 0;
		target->words = heap_alloc(target->words_len + 1);
		if (program)
			memcpy(target->words, program, target->words_len);
		target->words[target->words_len] = '\0';
		target->prefix = prefix ? heap_copy(prefix)
					: choose_prefix(target->pid, &start, tmpdir);
		target->started = start_time(target->pid);
		target->state = target_state_now(target);
		target->bar = find_bar(target, &start);
	}
	free(line);
	free(env);
	return found;
}

static int by_pid(const void *a, const void *b)
{
	const struct target *left = a, *right = b;

	return left->pid < right->pid ? -1 : left->pid > right->pid;
}

bool targets_find(struct targets *targets, const char *prefix)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	unsigned long long pid;

	*targets = (struct targets){ NULL, 0, 0 };
	if (!dir)
		return false;
	while ((entry = readdir(dir)) != NULL) {
		struct target target = { .pid = 0 };

		if (!option_count(entry->d_name, 0x7fffffff, &pid))
			continue;
		target.pid = (pid_t)pid;
		if (!examine(&target, prefix))
			continue;
		targets->targets =
			heap_grow(targets->targets, &targets->room, targets->n + 1, sizeof(target));
		targets->targets[targets->n++] = target;
	}
	closedir(dir);
	if (targets->n > 0)
		qsort(targets->targets, targets->n, sizeof(targets->targets[0]), by_pid);
	return true;
}

void targets_release(struct targets *targets)
{
	for (size_t i = 0; i < targets->n; i++) {
		const struct target *target = &targets->targets[i];

		free(target->words);
		free(target->prefix);
		free(target->user);
		free(target->host);
	}
	free(targets->targets);
	*targets = (struct targets){ NULL, 0, 0 };
}

bool target_is_called(const struct target *target, const char *end)
{
	size_t len = strlen(target->words), end_len = strlen(end);

	return end_len > 0 && end_len <= len && strcmp(target->words + len - end_len, end) == 0;
}

bool target_is_alive(const struct target *target)
{
	size_t len;
	char *line = read_file(target->pid, "cmdline", &len);
	bool there = line && len > 0;

	free(line);
	return there && (target->started == 0 || target->started == start_time(target->pid));
}
