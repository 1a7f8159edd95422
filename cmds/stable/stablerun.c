/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stable run: what the program is given in place of what it would inherit, how it is started and seen
 * through.  There are up to three processes: this one, outside, which passes signals on to the program, its output
 * out, and says how it ended; the first process of the sandbox, which reaps those that have lost their parent; and
 * the program.
 */
#define _GNU_SOURCE /* environ, sched_setaffinity(), memmem(), pipe2() */
#include "cmds/stable/stable.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

/* -- what is kept the same -------------------------------------------------------------- */

const struct stable_word stable_items[N_STABLE_ITEMS] = {
	[STABLE_ITEM_ADDRESSES] = { "addresses", "not random" },
	[STABLE_ITEM_CACHES] = { "caches", "those of --machine=generic are simulated" },
	[STABLE_ITEM_CPU] = { "cpu", "one processor" },
	[STABLE_ITEM_CWD] = { "cwd", "the current directory is called /costgrind/work" },
	[STABLE_ITEM_DESCRIPTORS] = { "descriptors", "all but 0, 1 and 2 are closed" },
	[STABLE_ITEM_ENVIRONMENT] = { "environment", "a short list of variables, of one size" },
	[STABLE_ITEM_HOST] = { "host", "its name is localhost" },
	[STABLE_ITEM_INPUT] = { "input", "a pipe becomes a file, a terminal /dev/null" },
	[STABLE_ITEM_LIMITS] = { "limits", "stack 8 MiB, data unlimited, 1024 files, no core" },
	[STABLE_ITEM_MACHINE] = { "machine", "the tool's --deterministic=yes" },
	[STABLE_ITEM_OUTPUT] = { "output", "standard output and error are pipes" },
	[STABLE_ITEM_PID] = { "pid", "the program's is 2" },
	[STABLE_ITEM_PROGRAM] = { "program", "one outside the system is below /costgrind/bin" },
	[STABLE_ITEM_SIGNALS] = { "signals", "none is ignored or blocked" },
	[STABLE_ITEM_THREADS] = { "threads", "take turns in a fixed order" },
	[STABLE_ITEM_UMASK] = { "umask", "022" },
	[STABLE_ITEM_USER] = { "user", "number 0 in a namespace, with the rights of yours" },
};

#define WORDS_1 "addresses, caches, cpu, cwd, descriptors, environment, host,"
#define WORDS_2 "input, limits, machine, output, pid, program, signals, threads, umask, user"

const char stable_keep_help[] = "With --stable, leave these as they are:\n" WORDS_1 "\n" WORDS_2;

bool stable_words_add(unsigned *set, const char *list, const struct stable_word *words, size_t n)
{
	while (true) {
		size_t len = strcspn(list, ",");
		size_t i = 0;

		while (i < n &&
		       (strncmp(words[i].word, list, len) != 0 || words[i].word[len] != '\0'))
			i++;
		if (i == n)
			return false;
		*set |= 1U << i;
		if (list[len] == '\0')
			return true;
		list += len + 1;
	}
}

const char *stable_set_keep(void *ctx, const char *value)
{
	struct stable_keep *keep = ctx;

	keep->option = "--keep";
	return stable_words_add(&keep->items, value, stable_items, N_STABLE_ITEMS) ? NULL
										   : WORDS_1
		       " " WORDS_2;
}

const char *stable_set_keep_env(void *ctx, const char *value)
{
	struct stable_keep *keep = ctx;
	size_t start = 0;

	keep->option = "--keep-env";
	keep->vars[keep->n_vars++] = value;
	for (size_t i = 0;; i++) {
		if (value[i] != '\0' && value[i] != ',' && value[i] != '=')
			continue;
		if (i == start || i - start > 255 || value[i] == '=')
			return "names of variables, A,B";
		if (value[i] == '\0')
			return NULL;
		start = i + 1;
	}
}

/* -- what is known before the program's process begins ----------------------------------- */

enum progpath_move {
	PROGPATH_STAYS,
	PROGPATH_FILE,   /* the file alone: its name is fixed, too */
	PROGPATH_FOLDER, /* its folder: a script, or it has $ORIGIN or .gnu_debuglink */
	PROGPATH_PARENT, /* the folder above: it has $ORIGIN/.. */
};

/*
 * Where the program is, and under which path a stable run starts it.
 *
 * A program of the system keeps its path, which is the same for all users of the
 * system, and from which some find out what they are (busybox) and where their files are
 * (Python).  Any other one is moved to a fixed path, with as much around it as it
 * says that it looks for from where it is.
 */
struct progpath {
	enum progpath_move move;
	char path[LAUNCH_PATH];  /* absolute, as it was named: links are not followed */
	char moved[LAUNCH_PATH]; /* where it is in a sandbox */
	char top[LAUNCH_PATH];   /* what is mounted there: file or folder, links followed */
};

enum {
	LABEL = 13,
	MAX_SHOWN = 70,  /* of a variable */
	NOT_FOUND = 127, /* what shells end with if there is no such program */
	OTHER_OWN = 3,   /* words for Valgrind that are ours, besides options that can be kept */
	OTHER_WORDS = 8, /* those, its own name, shift, profile, what is held still, NULL */
	REPORT_TEXT = 512,
};

struct stable_start {
	const struct stablerun *run;
	struct progpath program;
	char cwd[LAUNCH_PATH];
	char valgrind[LAUNCH_PATH];
	char library[LAUNCH_PATH];             /* VALGRIND_LIB, absolute; "" = none */
	char outer_library[LAUNCH_PATH];       /* the same where it is not enclosed ... */
	char outer_tool[LAUNCH_TOOL];          /* ... and the option of launch_tool() */
	char out_option[2 * LAUNCH_PATH + 64]; /* --costgrind-out-file= */
	int input;                             /* what standard input becomes; -1 = stays */
	bool input_is_open;
	bool has_relay; /* else the program writes to where this process does */
	struct relay relay;
	const struct sandbox *sandbox; /* the one that is tried, or has been built; NULL = none */
	struct trouble refusal;        /* why a fuller one could not be; the first reason */
	int reports[2];                /* a pipe, from the processes inside to the one outside */
	sigset_t blocked;              /* as it was before */
	struct sigaction child_ended;  /* and what SIGCHLD did */
};

static bool keeps(const struct stablerun *run, enum stable_item item)
{
	return stable_keeps(run->keep, item);
}

/* True if the tool is in SANDBOX_LIBRARY. */
static bool has_own_library(const struct sandbox *sandbox)
{
	return sandbox && sandbox->has_files && sandbox->library;
}

/* -- environment ------------------------------------------------------------------------ */

/*
 * The environment of a stable run: a few variables that are always the same, those
 * that the user keeps, sorted by name; and one that brings arguments and
 * environment to one size, since the stack begins below them and its alignment moves counts.
 */

/* Arguments and environment together are a multiple of this; bytes. */
enum { FIXEDENV_UNIT = 4096 };

struct fixedenv {
	char **vars; /* "NAME=value", ended by NULL; owned */
	size_t n;
	size_t size; /* bytes of arguments and environment, pointers to them included */
};

static const char padding_name[] = "COSTGRIND_PADDING=";

/*
 * What each program is given.  Seeds are there for those who take them from the
 * environment first.  One arena: with more, which one a thread takes depends on which
 * was faster.  Without byte code, Python's first run is like the second.
 */
static const struct variable {
	const char *text;
	const char *other;   /* of the same length; NULL = any other one is another task */
	const char *outside; /* where there is no /costgrind; NULL = the same */
} variables[] = {
	{ "HOME=/costgrind/home", "HOME=/costgrind/nest", "HOME=/nonexistent" },
	{ "LC_ALL=C.UTF-8", NULL, NULL },
	{ "LOGNAME=user", "LOGNAME=uses", NULL },
	{ "MALLOC_ARENA_MAX=1", NULL, NULL },
	{ "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL, NULL },
	{ "PERL_HASH_SEED=0", NULL, NULL },
	{ "PERL_PERTURB_KEYS=0", NULL, NULL },
	{ "PYTHONDONTWRITEBYTECODE=1", NULL, NULL },
	{ "PYTHONHASHSEED=0", NULL, NULL },
	{ "SHELL=/bin/sh", NULL, NULL },
	{ "TERM=dumb", "TERM=vt52", NULL },
	{ "TMPDIR=/costgrind/tmp", NULL, "TMPDIR=/tmp" },
	{ "TZ=UTC0", "TZ=XTC0", NULL },
	{ "USER=user", "USER=uses", NULL },
};

static void add(struct fixedenv *env, char *text)
{
	env->vars = heap_resize(env->vars, (env->n + 2) * sizeof(*env->vars));
	env->vars[env->n++] = text;
	env->vars[env->n] = NULL;
}

/* The variable of this name, whose text ends at '=' or where the string does. */
static char **lookup(char **vars, const char *name)
{
	size_t len = strcspn(name, "=");

	for (; vars && *vars; vars++)
		if (strncmp(*vars, name, len) == 0 && (*vars)[len] == '=')
			return vars;
	return NULL;
}

/* Replaces what had the name. */
static void set(struct fixedenv *env, const char *text)
{
	char **old = lookup(env->vars, text);

	if (!old) {
		add(env, heap_copy(text));
		return;
	}
	free(*old);
	*old = heap_copy(text);
}

static void add_kept(struct fixedenv *env, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		char name[256];
		char **mine;

		snprintf(name, sizeof(name), "%.*s", (int)len, list);
		mine = lookup(environ, name);
		if (mine)
			set(env, *mine);
		list += len + (list[len] == ',');
	}
}

/* As the program finds them: Valgrind adds a variable, and the kernel's vector names PROG. */
static size_t size_of(const struct fixedenv *env, char *const *program, const char *library)
{
	static const char *const preload = "LD_PRELOAD=/vgpreload_core-amd64-linux.so";
	size_t size = strlen(program[0]) + 1;

	for (size_t i = 0; program[i]; i++)
		size += strlen(program[i]) + 1 + sizeof(char *);
	for (size_t i = 0; i < env->n; i++)
		size += strlen(env->vars[i]) + 1 + sizeof(char *);
	return size + strlen(preload) + 1 + (library ? strlen(library) : 0) + sizeof(char *);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * Makes it from the user's environment, for PROG and ARGS as the program will see them.  It is for execve(), so
 * that nothing gives it back.
 */
static void fixedenv_make(struct fixedenv *env, const struct stable_start *start,
			  char *const *program)
{
	const struct stablerun *run = start->run;
	const struct sandbox *sandbox = start->sandbox;
	const char *library = start->outer_library[0] ? start->outer_library : NULL;
	bool keeps_all = keeps(run, STABLE_ITEM_ENVIRONMENT);

	if (has_own_library(sandbox))
		library = SANDBOX_LIBRARY;
	*env = (struct fixedenv){ .vars = NULL };
	for (char **mine = environ; keeps_all && *mine; mine++)
		add(env, heap_copy(*mine));
	for (size_t i = 0; !keeps_all && i < sizeof(variables) / sizeof(variables[0]); i++) {
		const struct variable *variable = &variables[i];

		if (variable->outside && !(sandbox && sandbox->has_files))
			set(env, variable->outside);
		else if (variable->other && run->shift.other_environment)
			set(env, variable->other);
		else
			set(env, variable->text);
	}
	for (size_t i = 0; i < run->keep->n_vars; i++)
		add_kept(env, run->keep->vars[i]);
	for (size_t i = 0; i < LAUNCH_PLUGIN_VARS && launch_wants_plugin(program); i++) {
		const char *name = launch_plugin_name(i);
		char **old = lookup(env->vars, name);
		/* What pytest remembers of the last run is input, as its first run has none. */
		char *text = launch_plugin_var(
			i, old ? *old + strlen(name) + 1 : NULL,
			sandbox && sandbox->has_files ? SANDBOX_FOLDER "/tmp/pytest" : NULL);

		set(env, text);
		free(text);
	}
	if (library) {
		char text[8192];

		snprintf(text, sizeof(text), "VALGRIND_LIB=%s", library);
		set(env, text);
	}
	if (!keeps_all || run->shift.stack > 0) {
		size_t size =
			size_of(env, program, library) + sizeof(padding_name) + sizeof(char *);
		size_t rest = keeps_all ? 0 : FIXEDENV_UNIT - size % FIXEDENV_UNIT;
		size_t len = sizeof(padding_name) - 1;
		char *text = heap_alloc(len + rest + run->shift.stack + 1);

		memcpy(text, padding_name, len);
		memset(text + len, run->shift.other_environment ? 'y' : 'x',
		       rest + run->shift.stack);
		text[len + rest + run->shift.stack] = '\0';
		add(env, text);
	}
	env->size = size_of(env, program, library);
	if (!keeps_all)
		qsort(env->vars, env->n, sizeof(*env->vars), compare);
}

/* -- what a process inherits ------------------------------------------------------------ */

/*
 * What a process inherits besides arguments, environment and files, made the same in
 * every stable run: umask, limits, processor, randomisation of addresses, signals.
 */

enum {
	STACK_BYTES = 8 << 20,
	FILES = 1024,
	FILES_AT_MOST = 4096,
};

void stable_note(char *lost, size_t size, const char *phrase)
{
	size_t len = strlen(lost);

	if (len < size)
		snprintf(lost + len, size - len, "%s%s", len > 0 ? ", " : "", phrase);
}

/* Sets a soft limit and perhaps a hard one; false if the hard one is lower. */
static bool limit(__rlimit_resource_t which, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;

	if (getrlimit(which, &limit) != 0)
		return false;
	if (hard < limit.rlim_max)
		limit.rlim_max = hard;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	return setrlimit(which, &limit) == 0 && limit.rlim_cur == soft;
}

static void close_descriptors(void)
{
	const struct dirent *entry;
	DIR *folder;
#ifdef SYS_close_range
	enum { MARK_ONLY = 4 }; /* CLOSE_RANGE_CLOEXEC, of Linux 5.11 */

	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, MARK_ONLY) == 0)
		return;
#endif
	folder = opendir("/proc/self/fd");
	while (folder && (entry = readdir(folder)) != NULL) {
		int fd = (int)strtol(entry->d_name, NULL, 10);

		if (fd > STDERR_FILENO)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	if (folder)
		closedir(folder);
}

/*
 * Does it to this process, which is about to become another program; descriptors beyond 2 will
 * be closed then.  What cannot be done is added to lost, a text of size bytes, in words for the user.
 */
static void procstate_apply(const struct stablerun *run, char *lost, size_t size)
{
	if (!keeps(run, STABLE_ITEM_UMASK))
		umask(S_IWGRP | S_IWOTH);
	if (!keeps(run, STABLE_ITEM_LIMITS)) {
		/* Where Valgrind puts things goes by the first two. */
		if (!limit(RLIMIT_STACK, STACK_BYTES, RLIM_INFINITY))
			stable_note(lost, size,
				    "limit of the stack (its hard limit is below 8 MiB)");
		if (!limit(RLIMIT_DATA, RLIM_INFINITY, RLIM_INFINITY))
			stable_note(lost, size, "limit of data (it has a hard limit)");
		if (!limit(RLIMIT_NOFILE, FILES, FILES_AT_MOST))
			stable_note(lost, size, "limit of files (its hard limit is below 1024)");
		limit(RLIMIT_CORE, 0, RLIM_INFINITY);
	}
	if (!keeps(run, STABLE_ITEM_CPU)) {
		/* The one that it is on: all of them would make two runs share the first. */
		int cpu = sched_getcpu();
		cpu_set_t only;

		CPU_ZERO(&only);
		if (cpu >= 0 && cpu < CPU_SETSIZE)
			CPU_SET(cpu, &only);
		if (sched_setaffinity(0, sizeof(only), &only) != 0)
			stable_note(lost, size, "one processor");
	}
	/* Where it is not allowed, nothing is lost: Valgrind does not place at random. */
	if (!keeps(run, STABLE_ITEM_ADDRESSES))
		personality(PER_LINUX | ADDR_NO_RANDOMIZE);
	if (!keeps(run, STABLE_ITEM_DESCRIPTORS))
		close_descriptors();
	if (!keeps(run, STABLE_ITEM_SIGNALS)) {
		sigset_t none;

		for (int number = 1; number < NSIG; number++)
			signal(number,
			       SIG_DFL); /* not allowed for a few, which have no other way */
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
}

/* -- where the program is --------------------------------------------------------------- */

/* Folders of programs that were installed. */
static const char *const system_folders[] = {
	"/usr/",    "/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/",
	"/libx32/", "/opt/", "/nix/",  "/gnu/", "/snap/",  NULL,
};

static bool is_of_system(const char *path)
{
	for (size_t i = 0; system_folders[i]; i++)
		if (strncmp(path, system_folders[i], strlen(system_folders[i])) == 0)
			return true;
	return false;
}

static bool has(const char *data, size_t len, const char *text)
{
	return memmem(data, len, text, strlen(text)) != NULL;
}

/* How much of what is around a program the bytes of it say that it needs. */
static enum progpath_move judge(const char *path)
{
	enum progpath_move move = PROGPATH_FILE;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *data = MAP_FAILED;
	struct stat stat;
	size_t len = 0;
	bool is_script;

	if (fd >= 0 && fstat(fd, &stat) == 0 && stat.st_size > 0) {
		len = (size_t)stat.st_size;
		data = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED)
		return move;
	is_script = len > 2 && data[0] == '#' && data[1] == '!';
	if (!is_script && has(data, len, "$ORIGIN/.."))
		move = PROGPATH_PARENT;
	else if (is_script || has(data, len, "$ORIGIN") || has(data, len, ".gnu_debuglink"))
		move = PROGPATH_FOLDER;
	munmap(data, len);
	return move;
}

/* Cuts a path's last n names off; returns what follows the cut, without the slash. */
static const char *cut(char *path, unsigned n)
{
	size_t end = strlen(path);

	for (unsigned i = 0; i < n; i++) {
		const char *slash = memrchr(path, '/', end);

		if (!slash || slash == path)
			return "";
		end = (size_t)(slash - path);
	}
	path[end] = '\0';
	return path + end + 1;
}

static bool make_absolute(char *path, const char *cwd, const char *name)
{
	bool is_relative = name[0] != '/';

	while (strncmp(name, "./", 2) == 0)
		name += 2;
	return (size_t)snprintf(path, LAUNCH_PATH, "%s%s%s", is_relative ? cwd : "",
				is_relative ? "/" : "", name) < LAUNCH_PATH;
}

/*
 * Finds the program as a shell does, in PATH, and chooses what is mounted; stays says that it is not to be moved.
 * Returns 0, or an errno: it is not there, or cannot be run.
 */
static int progpath_find(struct progpath *program, const char *name, const char *cwd, bool stays)
{
	char found[LAUNCH_PATH];
	const char *rest;
	char *real;
	struct stat stat_;

	if (!launch_find(name, found, sizeof(found)))
		return strchr(name, '/') && access(name, F_OK) == 0 ? EACCES : ENOENT;
	if (stat(found, &stat_) == 0 && S_ISDIR(stat_.st_mode))
		return EISDIR;
	if (!make_absolute(program->path, cwd, found))
		return ENAMETOOLONG;
	real = realpath(program->path, NULL);
	if (!real)
		return errno;
	snprintf(program->top, sizeof(program->top), "%s", real);
	free(real);
	program->move = PROGPATH_STAYS;
	if (stays || is_of_system(program->path) || is_of_system(program->top))
		return 0;
	program->move = judge(program->top);
	if (program->move == PROGPATH_FILE) {
		snprintf(program->moved, sizeof(program->moved), "%s", SANDBOX_PROGRAM);
		return 0;
	}
	rest = cut(program->top, program->move == PROGPATH_PARENT ? 2 : 1);
	if (*rest == '\0') { /* too near to the root */
		program->move = PROGPATH_STAYS;
		return 0;
	}
	return (size_t)snprintf(program->moved, sizeof(program->moved), "%s/%s", SANDBOX_TREE,
				rest) < sizeof(program->moved)
		       ? 0
		       : ENAMETOOLONG;
}

/* -- before ---------------------------------------------------------------------------- */

static int fail(const struct stablerun *run, const char *what, int error)
{
	complain(run->command, "%s: %s", what, strerror(error));
	return EXIT_FAILED;
}

/* True if a word has a name that leads out of the current directory: "../x", "--in=../x". */
static bool leads_out(const char *word)
{
	for (const char *at = strstr(word, ".."); at; at = strstr(at + 1, "..")) {
		bool begins = at == word || strchr("=:,", at[-1]);
		bool ends = at[2] == '/' || at[2] == '\0' || strchr(":,", at[2]);

		if (begins && ends)
			return true;
	}
	return false;
}

static const char *find_leading_out(const struct runwords *words)
{
	for (size_t i = 1; i < words->n_program; i++)
		if (leads_out(words->program[i]))
			return words->program[i];
	for (size_t i = 0; i < words->n_options; i++)
		if (leads_out(words->options[i]) &&
		    strncmp(words->options[i], "--costgrind-out-file=", 21) != 0)
			return words->options[i];
	return NULL;
}

static int find_programs(struct stable_start *start)
{
	const struct stablerun *run = start->run;
	static const char bin[] = ".bin";
	const char *name = run->words->program[0];
	char path[LAUNCH_PATH];
	size_t len;
	int error =
		progpath_find(&start->program, name, start->cwd, keeps(run, STABLE_ITEM_PROGRAM));

	if (error) {
		complain(run->command, "%s: %s", name, strerror(error));
		return error == ENOENT ? NOT_FOUND : EXIT_FAILED;
	}
	if (!launch_find(launch_valgrind(), path, sizeof(path)))
		return fail(run, launch_valgrind(), errno ? errno : ENOENT);
	if (!make_absolute(start->valgrind, start->cwd, path))
		return fail(run, path, ENAMETOOLONG);
	/* Debian's valgrind is a shell script, which adds variables to the environment. */
	len = strlen(start->valgrind);
	if (len + sizeof(bin) <= LAUNCH_PATH) {
		memcpy(start->valgrind + len, bin, sizeof(bin));
		if (access(start->valgrind, X_OK) != 0)
			start->valgrind[len] = '\0';
	}
	if (!launch_has_tool(run->command))
		return EXIT_FAILED;
	if (launch_library(path, sizeof(path)) && !make_absolute(start->library, start->cwd, path))
		return fail(run, path, ENAMETOOLONG);
	memcpy(start->outer_library, start->library, sizeof(start->library));
	launch_tool(start->outer_tool, start->outer_library);
	return EXIT_FINE;
}

/*
 * The name of the profile, from the root, since the current directory will change.  A pid in it is
 * this process's, as without --stable: the program's is always the same.
 */
static void name_profile(struct stable_start *start)
{
	static const char option[] = "--costgrind-out-file=";
	const struct stablerun *run = start->run;
	const char *given = runwords_value(run->words, "--costgrind-out-file");
	char *to = start->out_option;
	size_t left = sizeof(start->out_option), len;

	len = (size_t)snprintf(to, left, "%s", option);
	if (run->out_file) {
		launch_literal(to + len, left - len, run->out_file);
		return;
	}
	if (!given || given[0] != '/')
		len += launch_literal(to + len, left - len, start->cwd);
	if (given)
		snprintf(to + len, left - len, "%s%s", given[0] == '/' ? "" : "/", given);
	else
		snprintf(to + len, left - len, "/costgrind.out.%ld", (long)getpid());
}

/* -- reports --------------------------------------------------------------------------- */

/* What the processes inside report to the one outside. */
enum report_kind {
	REPORT_REFUSED, /* the sandbox could not be built */
	REPORT_READY,   /* the program is about to be started */
	REPORT_FAILED,  /* it was not */
	REPORT_ENDED,   /* it has ended */
};

struct child_report {
	enum report_kind kind;
	int status;    /* of an end, as of waitpid() */
	bool is_alone; /* of an end: nothing that the program started goes on */
	struct trouble trouble;
	char text[REPORT_TEXT]; /* of readiness: what is not as it should be */
};

_Static_assert(sizeof(struct child_report) <= 4096, "a pipe takes it at once");

static void send_report(const struct stable_start *start, const struct child_report *report)
{
	while (write(start->reports[1], report, sizeof(*report)) < 0 && errno == EINTR)
		;
}

/* False if there is none, nor will be. */
static bool receive(const struct stable_start *start, struct child_report *report)
{
	ssize_t n;

	do
		n = read(start->reports[0], report, sizeof(*report));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*report);
}

/* -- in the program's process ---------------------------------------------------------- */

/* Options that Valgrind is given unless the user gave one of the name, or keeps the item. */
static const struct {
	enum stable_item item; /* N_STABLE_ITEMS = in any case */
	const char *option;
} usual_options[] = {
	/* Neither VALGRIND_OPTS nor files of options. */
	{ STABLE_ITEM_ENVIRONMENT, "--command-line-only=yes" },
	/* Its pipes have names by pid, and another run has the same pid. */
	{ N_STABLE_ITEMS, "--vgdb=no" },
	{ N_STABLE_ITEMS, LAUNCH_MAX_THREADS },
	{ STABLE_ITEM_THREADS, LAUNCH_FAIR_SCHED },
	{ STABLE_ITEM_MACHINE, "--deterministic=yes" },
	{ STABLE_ITEM_CACHES, "--machine=generic" }, /* if the processor is kept, too */
};

enum { N_USUAL = sizeof(usual_options) / sizeof(usual_options[0]) };

/* The words that Valgrind is started by. */
struct command_line {
	char own[N_USUAL + OTHER_OWN][32]; /* our own among them */
	size_t n_own;
	char **args; /* ended by NULL; of the heap */
	size_t n;
	size_t program_at; /* index of PROG */
	char held[256];    /* the option that says in the profile what was held still */
};

static void add_own(struct command_line *line, const char *word)
{
	char *own = line->own[line->n_own++];

	snprintf(own, sizeof(line->own[0]), "%s", word);
	line->args[line->n++] = own;
}

/* True if the user's options say which caches are simulated. */
static bool chooses_caches(const struct stablerun *run)
{
	static const char *const names[] = { "--machine", "--I1",          "--D1",
					     "--LL",      "--simulate-wb", "--simulate-hwpref",
					     "--cacheuse" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (runwords_has(run->words, names[i]))
			return true;
	return false;
}

static bool is_wanted(const struct stablerun *run, size_t i)
{
	const char *option = usual_options[i].option;
	char name[32];

	if (usual_options[i].item != N_STABLE_ITEMS && keeps(run, usual_options[i].item))
		return false;
	if (usual_options[i].item == STABLE_ITEM_CACHES)
		return !chooses_caches(run);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(option, "="), option);
	return !runwords_has(run->words, name);
}

/* What becomes of an item. */
enum item_state { ITEM_FIXED, ITEM_KEPT, ITEM_STAYS, ITEM_OUT_OF_REACH };

static enum item_state state_of(const struct stable_start *start, enum stable_item item)
{
	const struct sandbox *sandbox = start->sandbox;
	bool is_there = true;

	if (keeps(start->run, item))
		return ITEM_KEPT;
	if (item == STABLE_ITEM_PROGRAM && start->program.move == PROGPATH_STAYS)
		return ITEM_STAYS;
	if (item == STABLE_ITEM_CWD || item == STABLE_ITEM_PROGRAM)
		is_there = sandbox && sandbox->has_files;
	else if (item == STABLE_ITEM_HOST)
		is_there = sandbox && sandbox->has_host;
	else if (item == STABLE_ITEM_USER)
		is_there = geteuid() == 0 || (sandbox && sandbox->has_user);
	else if (item == STABLE_ITEM_PID)
		is_there = sandbox && sandbox->has_pids;
	return is_there ? ITEM_FIXED : ITEM_OUT_OF_REACH;
}

/* Adds the option for it: profiles of runs that were held still in other ways are unlike. */
static void note_held(struct command_line *line, const struct stable_start *start)
{
	size_t len = (size_t)snprintf(line->held, sizeof(line->held), "--desc=Held still: all");
	const char *separator = " but ";

	for (unsigned i = 0; i < N_STABLE_ITEMS && len < sizeof(line->held); i++) {
		enum item_state state = state_of(start, (enum stable_item)i);

		if (state == ITEM_FIXED || state == ITEM_STAYS)
			continue;
		len += (size_t)snprintf(line->held + len, sizeof(line->held) - len, "%s%s",
					separator, stable_items[i].word);
		separator = ", ";
	}
	line->args[line->n++] = line->held;
}

static void make_line(struct command_line *line, struct stable_start *start)
{
	bool is_moved = start->sandbox && start->sandbox->program;
	const struct stablerun *run = start->run;
	const struct runwords *words = run->words;

	line->args = heap_zeroed(words->n_options + words->n_program + N_USUAL + OTHER_WORDS,
				 sizeof(*line->args));
	line->args[line->n++] = start->valgrind;
	if (has_own_library(start->sandbox))
		add_own(line, "--tool=costgrind");
	else
		line->args[line->n++] = start->outer_tool;
	for (size_t i = 0; i < N_USUAL; i++)
		if (is_wanted(run, i))
			add_own(line, usual_options[i].option);
	for (size_t i = 0; i < words->n_options; i++)
		line->args[line->n++] = words->options[i];
	if (run->shift.option)
		add_own(line, run->shift.option);
	line->args[line->n++] = start->out_option;
	note_held(line, start);
	add_own(line, "--");
	line->program_at = line->n;
	line->args[line->n++] = is_moved ? start->program.moved : start->program.path;
	for (size_t i = 1; i < words->n_program; i++)
		line->args[line->n++] = words->program[i];
}

/* What --print says: what would be done, thing by thing, and the whole command. */
static void print_all(const struct stable_start *start, const struct fixedenv *env,
		      const struct command_line *line)
{
	for (unsigned i = 0; i < N_STABLE_ITEMS; i++) {
		const char *const states[] = {
			[ITEM_FIXED] = stable_items[i].text,
			[ITEM_KEPT] = "kept",
			[ITEM_STAYS] = "keeps its path, which belongs to the system",
			[ITEM_OUT_OF_REACH] = "cannot be fixed here",
		};

		visible_pad(stdout, stable_items[i].word, LABEL);
		printf(" %s\n", states[state_of(start, (enum stable_item)i)]);
	}
	visible_pad(stdout, "variables", LABEL);
	printf(" %zu, with the arguments %zu bytes\n", env->n, env->size);
	for (size_t i = 0; i < env->n; i++) {
		size_t len = strlen(env->vars[i]);

		visible_pad(stdout, "", LABEL);
		putchar(' ');
		visible_print(stdout, env->vars[i], len < MAX_SHOWN ? len : MAX_SHOWN, false);
		fputs(len < MAX_SHOWN ? "\n" : "...\n", stdout);
	}
	visible_pad(stdout, "command", LABEL);
	for (size_t i = 0; i < line->n; i++) {
		putchar(' ');
		visible_text(stdout, line->args[i]);
	}
	putchar('\n');
	fflush(stdout);
}

/* Becomes the program; returns, with trouble, only if that failed. */
static void become(struct stable_start *start, struct trouble *trouble)
{
	const struct stablerun *run = start->run;
	const char *folder = start->sandbox && start->sandbox->work ? SANDBOX_WORK : start->cwd;
	struct child_report ready = { .kind = REPORT_READY };
	struct command_line line = { .n = 0 };
	struct fixedenv env = { .n = 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (start->has_relay && !relay_connect(&start->relay)) {
		trouble->error = errno;
		return;
	}
	sigaction(SIGCHLD, &start->child_ended, NULL);
	sigprocmask(SIG_SETMASK, &start->blocked, NULL);
	make_line(&line, start);
	fixedenv_make(&env, start, line.args + line.program_at);
	if (chdir(folder) != 0) {
		trouble->error = errno;
		snprintf(trouble->what, sizeof(trouble->what), "%.90s", folder);
		return;
	}
	if (start->input >= 0 && dup2(start->input, STDIN_FILENO) < 0) {
		trouble->error = errno;
		snprintf(trouble->what, sizeof(trouble->what), "standard input");
		return;
	}
	procstate_apply(run, ready.text, sizeof(ready.text));
	send_report(start, &ready);
	if (run->print) {
		print_all(start, &env, &line);
		_exit(EXIT_FINE);
	}
	execve(start->valgrind, line.args, env.vars);
	trouble->error = errno;
	snprintf(trouble->what, sizeof(trouble->what), "%.90s", start->valgrind);
}

/* -- inside ---------------------------------------------------------------------------- */

/* True if somebody sent the signal, rather than the kernel to all on a terminal. */
static bool was_sent(int code)
{
	return code <= 0;
}

/* The first process: as long as there is another one. */
__attribute__((noreturn)) static void stand_by(struct stable_start *start, pid_t program)
{
	struct child_report report = { .kind = REPORT_REFUSED };
	bool has_ended = false;
	sigset_t all;

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		close(fd);
	if (start->has_relay)
		relay_part(&start->relay);
	sigfillset(&all);
	while (true) {
		siginfo_t info;
		int status, number = sigwaitinfo(&all, &info);
		pid_t pid;

		if (number > 0 && number != SIGCHLD && was_sent(info.si_code) && !has_ended)
			kill(program, number);
		if (number != SIGCHLD)
			continue;
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			if (pid == program)
				report = (struct child_report){ .kind = REPORT_ENDED,
								.status = status };
		report.is_alone = pid < 0 && errno == ECHILD;
		if (report.kind == REPORT_ENDED && !has_ended) {
			/* Those that the program has left running may go on, as they do elsewhere. */
			prctl(PR_SET_PDEATHSIG, 0);
			send_report(start, &report);
			close(start->reports[1]);
			has_ended = true;
		}
		if (report.is_alone)
			_exit(0);
	}
}

__attribute__((noreturn)) static void live_inside(struct stable_start *start, uid_t uid, gid_t gid)
{
	struct child_report report = { .kind = REPORT_FAILED };
	const struct sandbox *sandbox = start->sandbox;
	pid_t program = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(start->reports[0]);
	if (sandbox && !sandbox_build(sandbox, uid, gid, &report.trouble)) {
		report.kind = REPORT_REFUSED;
		send_report(start, &report);
		_exit(127);
	}
	if (sandbox && sandbox->has_pids)
		program = fork();
	if (program > 0)
		stand_by(start, program);
	if (program < 0)
		report.trouble.error = errno;
	else
		become(start, &report.trouble);
	send_report(start, &report);
	_exit(127);
}

/* -- outside --------------------------------------------------------------------------- */

/* One line of all that is not as it should be: text, and what is out of reach. */
static void warn_of_lost(const struct stable_start *start, const char *text)
{
	const struct stablerun *run = start->run;
	char lost[COMPLAINT_TEXT] = "";

	if (run->quiet || run->print)
		return;
	for (unsigned i = 0; i < N_STABLE_ITEMS; i++)
		if (state_of(start, (enum stable_item)i) == ITEM_OUT_OF_REACH)
			stable_note(lost, sizeof(lost), stable_items[i].word);
	if (lost[0]) {
		size_t len = strlen(lost);

		snprintf(lost + len, sizeof(lost) - len, " (no namespace for it: %s%s%s)",
			 start->refusal.what, start->refusal.what[0] ? ": " : "",
			 strerror(start->refusal.error));
	}
	if (start->input_is_open)
		stable_note(lost, sizeof(lost), "input (a pipe from which nothing comes)");
	if (text[0])
		stable_note(lost, sizeof(lost), text);
	if (lost[0])
		warn(run->command, "--stable: left as it is: %s", lost);
}

/* How a try came out, and the program. */
struct outcome {
	pid_t child;
	bool has_first; /* the child is the first process of a sandbox, not the program */
	bool has_ended;
	bool is_alone; /* the first process ends, too */
	int status;    /* as of waitpid(), when it has ended */
	bool failed;
	struct trouble trouble;
};

static void take_report(struct stable_start *start, struct outcome *outcome)
{
	struct child_report report;

	if (!receive(start, &report)) {
		close(start->reports[0]);
		start->reports[0] = -1;
	} else if (report.kind == REPORT_FAILED) {
		outcome->trouble = report.trouble;
		outcome->failed = true;
	} else if (report.kind == REPORT_ENDED) {
		outcome->status = report.status;
		outcome->is_alone = report.is_alone;
		outcome->has_ended = true;
	}
}

static void take_signal(struct stable_start *start, struct outcome *outcome, int signals)
{
	struct signalfd_siginfo info;
	int status;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	if (info.ssi_signo != SIGCHLD) {
		if (was_sent(info.ssi_code))
			kill(outcome->child, (int)info.ssi_signo);
		else if (info.ssi_signo == SIGTSTP)
			raise(SIGSTOP);
		return;
	}
	if (waitpid(outcome->child, &status, WNOHANG) != outcome->child)
		return;
	/* The report of the first process came before its end. */
	while (outcome->has_first && start->reports[0] >= 0)
		take_report(start, outcome);
	if (!outcome->has_ended)
		outcome->status = status;
	outcome->has_ended = true;
}

/* Until the program has ended. */
static void watch_program(struct stable_start *start, struct outcome *outcome, int signals)
{
	while (!outcome->has_ended) {
		struct pollfd polls[2 + RELAY_POLLS] = {
			{ .fd = signals, .events = POLLIN },
			{ .fd = start->reports[0], .events = POLLIN },
		};

		if (start->has_relay)
			relay_prepare(&start->relay, polls + 2);
		if (poll(polls, start->has_relay ? 2 + RELAY_POLLS : 2, -1) < 0)
			continue;
		if (start->has_relay)
			relay_move(&start->relay, polls + 2);
		if (polls[1].revents)
			take_report(start, outcome);
		if (polls[0].revents)
			take_signal(start, outcome, signals);
	}
	while (!outcome->has_first && start->reports[0] >= 0)
		take_report(start, outcome);
}

/* What the program has left running may still write: somebody passes it on. */
static void end_relay(struct relay *relay)
{
	pid_t child;

	if (relay_drain(relay))
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

/*
 * Starts the processes inside; the first report says if the program is started.  Returns 0, or an errno, with
 * trouble, if the sandbox is not allowed.
 */
static int start_inside(struct stable_start *start, struct outcome *outcome)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	struct child_report report;
	int error;

	if (pipe2(start->reports, O_CLOEXEC) != 0)
		return errno;
	outcome->child = start->sandbox ? sandbox_fork(start->sandbox) : fork();
	if (outcome->child == 0)
		live_inside(start, uid, gid);
	error = errno;
	close(start->reports[1]);
	if (outcome->child < 0) {
		close(start->reports[0]);
		outcome->trouble = (struct trouble){ .error = error };
		return error;
	}
	if (!receive(start, &report))
		report = (struct child_report){ .kind = REPORT_FAILED,
						.trouble = { .error = ECHILD } };
	if (report.kind == REPORT_READY) {
		warn_of_lost(start, report.text);
		return 0;
	}
	outcome->trouble = report.trouble;
	waitpid(outcome->child, NULL, 0);
	outcome->failed = report.kind == REPORT_FAILED;
	return outcome->failed ? 0 : report.trouble.error;
}

/*
 * Starts the program in a sandbox, or in none (NULL), and sees it through; true if this is the last try
 * needed, with what to end with in *code, and *status as of waitpid().
 */
static bool try_sandbox(struct stable_start *start, const struct sandbox *sandbox, int *status,
			int *code)
{
	struct outcome outcome = { .has_first = sandbox && sandbox->has_pids };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t all;
	int error, signals;

	start->sandbox = sandbox;
	fflush(stdout);
	fflush(stderr);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &start->blocked);
	sigaction(SIGCHLD, &usual,
		  &start->child_ended); /* whoever ignores it gets no status of children */
	signals = signalfd(-1, &all, SFD_CLOEXEC);
	error = signals < 0 ? errno : start_inside(start, &outcome);
	if (error == 0 && !outcome.failed) {
		if (start->has_relay)
			relay_part(&start->relay);
		signal(SIGPIPE, SIG_IGN);
		watch_program(start, &outcome, signals);
		/* Only who is waited for passes on the processor time that was used. */
		if (outcome.is_alone)
			waitpid(outcome.child, NULL, 0);
		if (start->has_relay)
			end_relay(&start->relay);
		signal(SIGPIPE, SIG_DFL);
	}
	if (signals >= 0)
		close(signals);
	sigaction(SIGCHLD, &start->child_ended, NULL);
	sigprocmask(SIG_SETMASK, &start->blocked, NULL);
	*status = outcome.status;
	*code = EXIT_FINE;
	if (outcome.failed || (error && !sandbox)) {
		complain(start->run->command, "%s%s%s", outcome.trouble.what,
			 outcome.trouble.what[0] ? ": " : "", strerror(outcome.trouble.error));
		*code = EXIT_FAILED;
	} else if (error && !start->refusal.error) {
		start->refusal = outcome.trouble;
	}
	return outcome.failed || error == 0 || !sandbox;
}

/*
 * From the fullest sandbox that is asked for to none.  Root does without a user namespace: in one with no other
 * number in it, root could not write to other users' files.
 */
static int run_in_some(struct stable_start *start, int *status)
{
	const struct stablerun *run = start->run;
	bool moves = start->program.move != PROGPATH_STAYS;
	struct sandbox sandbox = {
		.has_user = geteuid() != 0,
		.keeps_user = keeps(run, STABLE_ITEM_USER),
		.has_pids = !keeps(run, STABLE_ITEM_PID),
		.has_host = !keeps(run, STABLE_ITEM_HOST),
		.first_pid = run->shift.pid,
		.work = keeps(run, STABLE_ITEM_CWD) ? NULL : start->cwd,
		.program = moves ? start->program.top : NULL,
		.program_is_file = start->program.move == PROGPATH_FILE,
		.library = start->library[0] ? start->library : NULL,
	};
	int code;

	sandbox.has_files = sandbox.has_pids || sandbox.work || sandbox.program;
	if ((sandbox.has_files || sandbox.has_host) && try_sandbox(start, &sandbox, status, &code))
		return code;
	if (sandbox.has_pids) {
		sandbox.has_pids = false;
		sandbox.first_pid = 0;
		if (try_sandbox(start, &sandbox, status, &code))
			return code;
	}
	try_sandbox(start, NULL, status, &code);
	return code;
}

static int prepare(struct stable_start *start)
{
	const struct stablerun *run = start->run;
	const char *out;
	int code;

	if (!getcwd(start->cwd, sizeof(start->cwd)))
		return fail(run, "current directory", errno);
	code = find_programs(start);
	if (code != EXIT_FINE)
		return code;
	out = keeps(run, STABLE_ITEM_CWD) ? NULL : find_leading_out(run->words);
	if (out) {
		complain(run->command,
			 "%s: --stable moves the current directory, from where .. leads elsewhere: "
			 "expected another name, or --keep=cwd",
			 out);
		return EXIT_USAGE;
	}
	name_profile(start);
	if (!keeps(run, STABLE_ITEM_INPUT) && !run->print) {
		start->input = relay_input(&start->input_is_open);
		if (start->input < 0)
			return fail(run, "standard input", errno);
	}
	if (!keeps(run, STABLE_ITEM_OUTPUT) && !run->print) {
		int error = relay_init(&start->relay);

		start->has_relay = true;
		if (error)
			return fail(run, "pipe", error);
	}
	return EXIT_FINE;
}

/* Ends this process as the program ended: by its signal, or returns its exit status. */
static int end_as(int status)
{
	struct rlimit none = { 0, 0 };
	int number = WTERMSIG(status);
	sigset_t signals;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	fflush(stdout);
	setrlimit(RLIMIT_CORE, &none); /* it would be ours */
	signal(number, SIG_DFL);
	sigemptyset(&signals);
	sigaddset(&signals, number);
	sigprocmask(SIG_UNBLOCK, &signals, NULL);
	raise(number);
	return 128 + number;
}

int stablerun(const struct stablerun *run)
{
	struct stable_start *start = heap_zeroed(1, sizeof(*start));
	int status = 0, code, fd;

	start->run = run;
	start->input = -1;
	/* So that no descriptor of ours becomes 0, 1 or 2. */
	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	code = prepare(start);
	if (code == EXIT_FINE)
		code = run_in_some(start, &status);
	if (start->has_relay)
		relay_release(&start->relay);
	if (start->input >= 0)
		close(start->input);
	free(start);
	return code == EXIT_FINE ? end_as(status) : code;
}
