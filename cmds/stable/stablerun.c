/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stable run: what the program is given in the place of what it would inherit, and how it is started. */
#define _GNU_SOURCE /* environ, sched_setaffinity(), memmem() */
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/emit/visible.h"
#include "cmds/stable/sandbox.h"
#include "profile/common/heap.h"

/* -- what is kept the same -------------------------------------------------------------- */

const struct stable_item_text stable_item_texts[N_STABLE_ITEMS] = {
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

const char stable_items_form[] = WORDS_1 " " WORDS_2;
const char stable_items_help[] = "with --stable, leave these as they are:\n" WORDS_1 "\n" WORDS_2;

bool stable_items_add(stable_items *set, const char *list)
{
	while (true) {
		size_t len = strcspn(list, ",");
		unsigned i = 0;

		while (i < N_STABLE_ITEMS && (strncmp(stable_item_texts[i].word, list, len) != 0 ||
					      stable_item_texts[i].word[len] != '\0'))
			i++;
		if (i == N_STABLE_ITEMS)
			return false;
		*set |= stable_item_bit((enum stable_item)i);
		if (list[len] == '\0')
			return true;
		list += len + 1;
	}
}

/* -- environment ------------------------------------------------------------------------ */

/*
 * The environment of a stable run: a few variables that are always the same, those
 * that the user keeps, sorted by name; and one that brings arguments and
 * environment to one size, since the stack begins below them and its alignment moves counts.
 */

/* Arguments and environment together are a multiple of this; bytes. */
enum { FIXEDENV_UNIT = 4096 };

struct fixedenv_choice {
	const char *const *kept; /* lists "A,B" of names whose values are the user's */
	size_t n_kept;
	bool keeps_all;       /* the user's environment stays, of whatever size */
	bool is_enclosed;     /* /costgrind is there (sandbox.h) */
	const char *library;  /* VALGRIND_LIB as the program will see it; NULL = none */
	char *const *program; /* PROG and ARGS as the program will see them; NULL ends them */
	size_t shift;         /* bytes that the environment is to be longer */
	bool is_other;        /* other texts of the same lengths, where they should not matter */
};

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

static void add_fixed(struct fixedenv *env, const struct fixedenv_choice *choice)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const struct variable *variable = &variables[i];
		const char *text = variable->text;

		if (!choice->is_enclosed && variable->outside)
			text = variable->outside;
		else if (choice->is_other && variable->other)
			text = variable->other;
		set(env, text);
	}
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
static size_t size_of(const struct fixedenv *env, const struct fixedenv_choice *choice)
{
	static const char *const preload = "LD_PRELOAD=/vgpreload_core-amd64-linux.so";
	size_t size = strlen(choice->program[0]) + 1;

	for (size_t i = 0; choice->program[i]; i++)
		size += strlen(choice->program[i]) + 1 + sizeof(char *);
	for (size_t i = 0; i < env->n; i++)
		size += strlen(env->vars[i]) + 1 + sizeof(char *);
	return size + strlen(preload) + 1 + (choice->library ? strlen(choice->library) : 0) +
	       sizeof(char *);
}

static void add_padding(struct fixedenv *env, const struct fixedenv_choice *choice)
{
	size_t size = size_of(env, choice) + sizeof(padding_name) + sizeof(char *);
	size_t rest = choice->keeps_all ? 0 : (FIXEDENV_UNIT - size % FIXEDENV_UNIT);
	size_t len = sizeof(padding_name) - 1;
	char *text = heap_alloc(len + rest + choice->shift + 1);

	memcpy(text, padding_name, len);
	memset(text + len, choice->is_other ? 'y' : 'x', rest + choice->shift);
	text[len + rest + choice->shift] = '\0';
	add(env, text);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Makes it from the user's environment.  It is for execve(), so that nothing gives it back. */
static void fixedenv_make(struct fixedenv *env, const struct fixedenv_choice *choice)
{
	*env = (struct fixedenv){ .vars = NULL };
	for (char **mine = environ; choice->keeps_all && *mine; mine++)
		add(env, heap_copy(*mine));
	if (!choice->keeps_all)
		add_fixed(env, choice);
	for (size_t i = 0; i < choice->n_kept; i++)
		add_kept(env, choice->kept[i]);
	if (choice->library) {
		char text[8192];

		snprintf(text, sizeof(text), "VALGRIND_LIB=%s", choice->library);
		set(env, text);
	}
	if (!choice->keeps_all || choice->shift > 0)
		add_padding(env, choice);
	env->size = size_of(env, choice);
	if (!choice->keeps_all)
		qsort(env->vars, env->n, sizeof(*env->vars), compare);
}

bool fixedenv_is_list(const char *text)
{
	size_t start = 0;

	for (size_t i = 0;; i++) {
		if (text[i] != '\0' && text[i] != ',' && text[i] != '=')
			continue;
		if (i == start || i - start > 255 || text[i] == '=')
			return false;
		if (text[i] == '\0')
			return true;
		start = i + 1;
	}
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

/* Where Valgrind puts things goes by the first two. */
static void set_limits(char *lost, size_t size)
{
	if (!limit(RLIMIT_STACK, STACK_BYTES, RLIM_INFINITY))
		stable_note(lost, size, "limit of the stack (its hard limit is below 8 MiB)");
	if (!limit(RLIMIT_DATA, RLIM_INFINITY, RLIM_INFINITY))
		stable_note(lost, size, "limit of data (it has a hard limit)");
	if (!limit(RLIMIT_NOFILE, FILES, FILES_AT_MOST))
		stable_note(lost, size, "limit of files (its hard limit is below 1024)");
	limit(RLIMIT_CORE, 0, RLIM_INFINITY);
}

/* The one that it is on: all of them would make two runs share the first. */
static void choose_processor(char *lost, size_t size)
{
	int cpu = sched_getcpu();
	cpu_set_t only;

	CPU_ZERO(&only);
	if (cpu >= 0 && cpu < CPU_SETSIZE)
		CPU_SET(cpu, &only);
	if (sched_setaffinity(0, sizeof(only), &only) != 0)
		stable_note(lost, size, "one processor");
}

static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL); /* not allowed for a few, which have no other way */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_one_by_one(void)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)) != NULL) {
		int fd = (int)strtol(entry->d_name, NULL, 10);

		if (fd > STDERR_FILENO)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	if (folder)
		closedir(folder);
}

static void close_descriptors(void)
{
#ifdef SYS_close_range
	enum { MARK_ONLY = 4 }; /* CLOSE_RANGE_CLOEXEC, of Linux 5.11 */

	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, MARK_ONLY) == 0)
		return;
#endif
	close_one_by_one();
}

/*
 * Does it to this process, which is about to become another program; descriptors beyond 2 will
 * be closed then.  What cannot be done is added to lost, a text of size bytes, in words for the user.
 */
static void procstate_apply(stable_items keep, char *lost, size_t size)
{
	if (!stable_items_have(keep, STABLE_ITEM_UMASK))
		umask(S_IWGRP | S_IWOTH);
	if (!stable_items_have(keep, STABLE_ITEM_LIMITS))
		set_limits(lost, size);
	if (!stable_items_have(keep, STABLE_ITEM_CPU))
		choose_processor(lost, size);
	/* Where it is not allowed, nothing is lost: Valgrind does not place at random. */
	if (!stable_items_have(keep, STABLE_ITEM_ADDRESSES))
		personality(PER_LINUX | ADDR_NO_RANDOMIZE);
	if (!stable_items_have(keep, STABLE_ITEM_DESCRIPTORS))
		close_descriptors();
	if (!stable_items_have(keep, STABLE_ITEM_SIGNALS))
		reset_signals();
}

/* -- where the program is --------------------------------------------------------------- */

/*
 * Where a program is, and under which path a stable run starts it.
 *
 * A program of the system keeps its path, which is the same for all users of the
 * system, and from which some find out what they are (busybox) and where their files are
 * (Python).  Any other one is moved to a fixed path, with as much around it as it
 * says that it looks for from where it is.
 */

enum progpath_move {
	PROGPATH_STAYS,
	PROGPATH_FILE,   /* the file alone: its name is fixed, too */
	PROGPATH_FOLDER, /* its folder: a script, or it has $ORIGIN or .gnu_debuglink */
	PROGPATH_PARENT, /* the folder above: it has $ORIGIN/.. */
};

struct progpath {
	enum progpath_move move;
	char path[LAUNCH_PATH];  /* absolute, as it was named: links are not followed */
	char real[LAUNCH_PATH];  /* links followed */
	char moved[LAUNCH_PATH]; /* where it is in a sandbox */
	char top[LAUNCH_PATH];   /* what is mounted there: file or folder */
};

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
static enum progpath_move judge(const char *data, size_t len)
{
	if (len > 2 && data[0] == '#' && data[1] == '!')
		return PROGPATH_FOLDER;
	if (has(data, len, "$ORIGIN/.."))
		return PROGPATH_PARENT;
	return has(data, len, "$ORIGIN") || has(data, len, ".gnu_debuglink") ? PROGPATH_FOLDER
									     : PROGPATH_FILE;
}

static enum progpath_move look_into(const char *path)
{
	enum progpath_move move = PROGPATH_FILE;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	char *data;

	if (fd < 0 || fstat(fd, &stat) != 0 || stat.st_size <= 0) {
		if (fd >= 0)
			close(fd);
		return move;
	}
	data = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return move;
	move = judge(data, (size_t)stat.st_size);
	munmap(data, (size_t)stat.st_size);
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

/* Chooses what is mounted, and names the program as it is then. */
static int place(struct progpath *program)
{
	char top[LAUNCH_PATH];
	const char *rest;

	memcpy(top, program->real, sizeof(top));
	memcpy(program->top, program->real, sizeof(program->top));
	if (program->move == PROGPATH_FILE) {
		snprintf(program->moved, sizeof(program->moved), "%s", SANDBOX_PROGRAM);
		return 0;
	}
	rest = cut(top, program->move == PROGPATH_PARENT ? 2 : 1);
	if (*rest == '\0') { /* too near to the root */
		program->move = PROGPATH_STAYS;
		return 0;
	}
	memcpy(program->top, top, sizeof(program->top));
	return (size_t)snprintf(program->moved, sizeof(program->moved), "%s/%s", SANDBOX_TREE,
				rest) < sizeof(program->moved)
		       ? 0
		       : ENAMETOOLONG;
}

/*
 * Finds it as a shell does, in PATH; stays says that it is not to be moved.  Returns 0, or
 * an errno: it is not there, or cannot be run.
 */
static int progpath_find(struct progpath *program, const char *name, const char *cwd, bool stays)
{
	char found[LAUNCH_PATH];
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
	snprintf(program->real, sizeof(program->real), "%s", real);
	free(real);
	program->move = PROGPATH_STAYS;
	if (!stays && !is_of_system(program->path) && !is_of_system(program->real))
		program->move = look_into(program->real);
	return place(program);
}

enum {
	LABEL = 13,
	MAX_SHOWN = 70,  /* of a variable */
	NOT_FOUND = 127, /* what shells end with if there is no such program */
	OTHER_OWN = 2,   /* words for Valgrind that are ours, beside options that can be kept */
	OTHER_WORDS = 8, /* those, its own name, shift, profile, what is held still, NULL */
};

/* All that is known before the program's process begins. */
struct stable_start {
	const struct stablerun *run;
	struct progpath program;
	char cwd[LAUNCH_PATH];
	char valgrind[LAUNCH_PATH];
	char library[LAUNCH_PATH];             /* VALGRIND_LIB, absolute; "" = none */
	char outer_library[LAUNCH_PATH];       /* the same where it is not enclosed ... */
	char outer_tool[LAUNCH_TOOL];          /* ... and the option of launch_tool() */
	char out_option[2 * LAUNCH_PATH + 64]; /* --costgrind-out-file= */
	char shifted[64];                      /* the option that is not as usual; "" = none */
	int input;                             /* what standard input becomes; -1 = stays */
	bool input_is_open;
	struct relay relay;
	struct supervisor supervisor;
	const struct sandbox *sandbox; /* the one that is tried, or has been built */
	struct trouble refusal;        /* why a fuller one could not be; the first reason */
};

static bool keeps(const struct stablerun *run, enum stable_item item)
{
	return stable_items_have(run->keep, item);
}

/* -- before ---------------------------------------------------------------------------- */

static int fail(const struct stablerun *run, const char *what, int error)
{
	complain(run->command, "%s: %s", what, strerror(error));
	return EXIT_FAILED;
}

/* So that no descriptor of ours becomes 0, 1 or 2. */
static void fill_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
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

/* Debian's valgrind is a shell script, which adds variables to the environment. */
static void skip_wrapper(char *valgrind)
{
	static const char bin[] = ".bin";
	size_t len = strlen(valgrind);

	if (len + sizeof(bin) > LAUNCH_PATH)
		return;
	memcpy(valgrind + len, bin, sizeof(bin));
	if (access(valgrind, X_OK) != 0)
		valgrind[len] = '\0';
}

static int find_programs(struct stable_start *start)
{
	const struct stablerun *run = start->run;
	const char *name = run->words->program[0];
	char path[LAUNCH_PATH];
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
	skip_wrapper(start->valgrind);
	if (!launch_has_tool(run->command))
		return EXIT_FAILED;
	if (launch_library(path, sizeof(path)) && !make_absolute(start->library, start->cwd, path))
		return fail(run, path, ENAMETOOLONG);
	memcpy(start->outer_library, start->library, sizeof(start->library));
	launch_tool(start->outer_tool, start->outer_library);
	return EXIT_FINE;
}

/*
 * The name of the profile, from the root, as the current directory will be another one.  With
 * a pid, it is that of this process, as it is without --stable: the program's is
 * always the same.
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

static int open_streams(struct stable_start *start)
{
	const struct stablerun *run = start->run;
	int error = 0;

	if (!keeps(run, STABLE_ITEM_INPUT) && !run->print) {
		start->input = relay_input(&start->input_is_open);
		if (start->input < 0)
			return fail(run, "standard input", errno);
	}
	if (!keeps(run, STABLE_ITEM_OUTPUT) && !run->print) {
		error = relay_init(&start->relay);
		start->supervisor.relay = &start->relay;
	}
	return error ? fail(run, "pipe", error) : EXIT_FINE;
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
	{ STABLE_ITEM_THREADS, "--fair-sched=try" },
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

/* True if an item needs a sandbox that is not there. */
static bool is_out_of_reach(enum stable_item item, const struct sandbox *sandbox)
{
	switch ((int)item) {
	case STABLE_ITEM_CWD:
	case STABLE_ITEM_PROGRAM:
		return !sandbox || !sandbox->has_files;
	case STABLE_ITEM_HOST:
		return !sandbox || !sandbox->has_host;
	case STABLE_ITEM_USER:
		return geteuid() != 0 && (!sandbox || !sandbox->has_user);
	case STABLE_ITEM_PID:
		return !sandbox || !sandbox->has_pids;
	default:
		return false;
	}
}

/* Adds the option for it: profiles of runs that were held still in other ways are unlike. */
static void note_held(struct command_line *line, const struct stable_start *start)
{
	size_t len = (size_t)snprintf(line->held, sizeof(line->held), "--desc=Held still: all");
	const char *separator = " but ";

	for (unsigned i = 0; i < N_STABLE_ITEMS && len < sizeof(line->held); i++) {
		bool stays = i == STABLE_ITEM_PROGRAM && start->program.move == PROGPATH_STAYS;

		if (!keeps(start->run, (enum stable_item)i) &&
		    (stays || !is_out_of_reach((enum stable_item)i, start->sandbox)))
			continue;
		len += (size_t)snprintf(line->held + len, sizeof(line->held) - len, "%s%s",
					separator, stable_item_texts[i].word);
		separator = ", ";
	}
	line->args[line->n++] = line->held;
}

/* True if the tool is in SANDBOX_LIBRARY. */
static bool has_own_library(const struct sandbox *sandbox)
{
	return sandbox && sandbox->has_files && sandbox->library;
}

static void make_line(struct command_line *line, struct stable_start *start, char *program)
{
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
	if (start->shifted[0])
		line->args[line->n++] = start->shifted;
	line->args[line->n++] = start->out_option;
	note_held(line, start);
	add_own(line, "--");
	line->program_at = line->n;
	line->args[line->n++] = program;
	for (size_t i = 1; i < words->n_program; i++)
		line->args[line->n++] = words->program[i];
}

static void print_words(const char *label, char *const *words)
{
	visible_pad(stdout, label, LABEL);
	for (; *words; words++) {
		putchar(' ');
		visible_text(stdout, *words);
	}
	putchar('\n');
}

/* What --print says: what would be done, thing by thing, and the whole command. */
static void print_all(const struct stable_start *start, const struct sandbox *sandbox,
		      const struct fixedenv *env, const struct command_line *line)
{
	for (unsigned i = 0; i < N_STABLE_ITEMS; i++) {
		const char *state = stable_item_texts[i].given;

		if (keeps(start->run, (enum stable_item)i))
			state = "kept";
		else if (i == STABLE_ITEM_PROGRAM && start->program.move == PROGPATH_STAYS)
			state = "keeps its path, which is that of the system";
		else if (is_out_of_reach((enum stable_item)i, sandbox))
			state = "cannot be fixed here";
		visible_pad(stdout, stable_item_texts[i].word, LABEL);
		printf(" %s\n", state);
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
	print_words("command", line->args);
	fflush(stdout);
}

static void make_environment(struct fixedenv *env, const struct stable_start *start,
			     const struct sandbox *sandbox, const struct command_line *line)
{
	const struct stablerun *run = start->run;
	struct fixedenv_choice choice = {
		.kept = run->kept,
		.n_kept = run->n_kept,
		.keeps_all = keeps(run, STABLE_ITEM_ENVIRONMENT),
		.is_enclosed = sandbox && sandbox->has_files,
		.library = start->outer_library[0] ? start->outer_library : NULL,
		.program = line->args + line->program_at,
		.shift = run->shift.stack,
		.is_other = run->shift.other_environment,
	};

	if (has_own_library(sandbox))
		choice.library = SANDBOX_LIBRARY;
	fixedenv_make(env, &choice);
}

static bool enter(const struct stable_start *start, const struct sandbox *sandbox,
		  struct trouble *trouble)
{
	const char *folder = sandbox && sandbox->work ? SANDBOX_WORK : start->cwd;

	if (chdir(folder) != 0)
		snprintf(trouble->what, sizeof(trouble->what), "%.90s", folder);
	else if (start->input >= 0 && dup2(start->input, STDIN_FILENO) < 0)
		snprintf(trouble->what, sizeof(trouble->what), "standard input");
	else
		return true;
	trouble->error = errno;
	return false;
}

/* struct supervisor's become() */
static void become(void *ctx, const struct sandbox *sandbox, struct trouble *trouble)
{
	struct stable_start *start = ctx;
	const struct stablerun *run = start->run;
	bool is_moved = sandbox && sandbox->program;
	struct command_line line = { .n = 0 };
	struct fixedenv env = { .n = 0 };
	char lost[SUPERVISOR_TEXT] = "";

	make_line(&line, start, is_moved ? start->program.moved : start->program.path);
	make_environment(&env, start, sandbox, &line);
	if (!enter(start, sandbox, trouble))
		return;
	procstate_apply(run->keep, lost, sizeof(lost));
	supervisor_ready(&start->supervisor, lost);
	if (run->print) {
		print_all(start, sandbox, &env, &line);
		_exit(EXIT_FINE);
	}
	execve(start->valgrind, line.args, env.vars);
	trouble->error = errno;
	snprintf(trouble->what, sizeof(trouble->what), "%.90s", start->valgrind);
}

/* -- outside --------------------------------------------------------------------------- */

/* struct supervisor's reported(): one line of all that is not as it should be. */
static void reported(void *ctx, const char *text)
{
	const struct stable_start *start = ctx;
	const struct stablerun *run = start->run;
	char lost[COMPLAINT_TEXT] = "";
	bool needs_namespaces = false;

	if (run->quiet || run->print)
		return;
	for (unsigned i = 0; i < N_STABLE_ITEMS; i++) {
		if (keeps(run, (enum stable_item)i) ||
		    !is_out_of_reach((enum stable_item)i, start->sandbox) ||
		    (i == STABLE_ITEM_PROGRAM && start->program.move == PROGPATH_STAYS))
			continue;
		stable_note(lost, sizeof(lost), stable_item_texts[i].word);
		needs_namespaces = true;
	}
	if (needs_namespaces) {
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

/* The fullest sandbox that the choices ask for; false if they ask for none. */
static bool plan(const struct stable_start *start, struct sandbox *sandbox)
{
	const struct stablerun *run = start->run;
	bool moves = start->program.move != PROGPATH_STAYS;

	*sandbox = (struct sandbox){
		.keeps_user = keeps(run, STABLE_ITEM_USER),
		.has_pids = !keeps(run, STABLE_ITEM_PID),
		.has_host = !keeps(run, STABLE_ITEM_HOST),
		.first_pid = run->shift.pid,
		.work = keeps(run, STABLE_ITEM_CWD) ? NULL : start->cwd,
		.program = moves ? start->program.top : NULL,
		.program_is_file = start->program.move == PROGPATH_FILE,
		.library = start->library[0] ? start->library : NULL,
	};
	sandbox->has_files = sandbox->has_pids || sandbox->work || sandbox->program;
	return sandbox->has_files || sandbox->has_host;
}

/* One try; true if it is the last one needed, with what to end with in *code. */
static bool try_sandbox(struct stable_start *start, const struct sandbox *sandbox, int *status,
			int *code)
{
	struct trouble trouble = { .error = 0 };
	bool failed = false;
	int error;

	start->sandbox = sandbox;
	error = supervisor_run(&start->supervisor, sandbox, status, &failed, &trouble);
	*code = EXIT_FINE;
	if (failed || (error && !sandbox)) {
		complain(start->run->command, "%s%s%s", trouble.what, trouble.what[0] ? ": " : "",
			 strerror(trouble.error));
		*code = EXIT_FAILED;
	} else if (error && !start->refusal.error) {
		start->refusal = trouble;
	}
	return failed || error == 0 || !sandbox;
}

/*
 * From the fullest sandbox to none.  Root does without a user namespace: in one with no other
 * number in it, root could not write to other users' files.
 */
static int run_in_some(struct stable_start *start, int *status)
{
	struct sandbox sandbox;
	bool wants_one = plan(start, &sandbox);
	int code;

	sandbox.has_user = geteuid() != 0;
	if (wants_one && try_sandbox(start, &sandbox, status, &code))
		return code;
	if (wants_one && sandbox.has_pids) {
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
	if (run->shift.option)
		snprintf(start->shifted, sizeof(start->shifted), "%s", run->shift.option);
	return open_streams(start);
}

int stablerun(const struct stablerun *run)
{
	struct stable_start *start = heap_zeroed(1, sizeof(*start));
	int status = 0, code;

	start->run = run;
	start->input = -1;
	start->supervisor =
		(struct supervisor){ .become = become, .reported = reported, .ctx = start };
	fill_descriptors();
	code = prepare(start);
	if (code == EXIT_FINE)
		code = run_in_some(start, &status);
	if (start->supervisor.relay)
		relay_release(&start->relay);
	if (start->input >= 0)
		close(start->input);
	free(start);
	return code == EXIT_FINE ? supervisor_end(status) : code;
}
