/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/stable/stablerun.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/emit/visible.h"
#include "cmds/stable/fixedenv.h"
#include "cmds/stable/procstate.h"
#include "cmds/stable/progpath.h"
#include "cmds/stable/relay.h"
#include "cmds/stable/sandbox.h"
#include "cmds/stable/supervisor.h"

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

/* Whether a word has a name that leads out of the current directory: "../x", "--in=../x". */
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

static bool make_absolute(char *path, const char *cwd, const char *name)
{
	bool is_relative = name[0] != '/';

	while (strncmp(name, "./", 2) == 0)
		name += 2;
	return (size_t)snprintf(path, LAUNCH_PATH, "%s%s%s", is_relative ? cwd : "",
				is_relative ? "/" : "", name) < LAUNCH_PATH;
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
	int error = progpath_find(&start->program, name, keeps(run, STABLE_ITEM_PROGRAM));

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
	char own[N_USUAL + OTHER_OWN][32]; /* those of them that are ours */
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

/* Whether the user's options say which caches are simulated. */
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

/* Whether an item needs a sandbox that is not there. */
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

/* Whether the tool is in SANDBOX_LIBRARY. */
static bool has_own_library(const struct sandbox *sandbox)
{
	return sandbox && sandbox->has_files && sandbox->library;
}

static bool make_line(struct command_line *line, struct stable_start *start, char *program)
{
	const struct stablerun *run = start->run;
	const struct runwords *words = run->words;

	line->args = calloc(words->n_options + words->n_program + N_USUAL + OTHER_WORDS,
			    sizeof(*line->args));
	if (!line->args)
		return false;
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
	return true;
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

static bool make_environment(struct fixedenv *env, const struct stable_start *start,
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
	return fixedenv_make(env, &choice);
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

	if (!make_line(&line, start, is_moved ? start->program.moved : start->program.path) ||
	    !make_environment(&env, start, sandbox, &line)) {
		trouble->error = ENOMEM;
		return;
	}
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
		procstate_note(lost, sizeof(lost), stable_item_texts[i].word);
		needs_namespaces = true;
	}
	if (needs_namespaces) {
		size_t len = strlen(lost);

		snprintf(lost + len, sizeof(lost) - len, " (no namespace for it: %s%s%s)",
			 start->refusal.what, start->refusal.what[0] ? ": " : "",
			 strerror(start->refusal.error));
	}
	if (start->input_is_open)
		procstate_note(lost, sizeof(lost), "input (a pipe from which nothing comes)");
	if (text[0])
		procstate_note(lost, sizeof(lost), text);
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

static int fail_start(const struct stable_start *start, const struct trouble *trouble)
{
	complain(start->run->command, "%s%s%s", trouble->what, trouble->what[0] ? ": " : "",
		 strerror(trouble->error));
	return EXIT_FAILED;
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
	if (failed || (error && !sandbox))
		*code = fail_start(start, &trouble);
	else if (error && !start->refusal.error)
		start->refusal = trouble;
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
	struct stable_start *start = calloc(1, sizeof(*start));
	int status = 0, code;

	if (!start)
		return fail(run, "start", ENOMEM);
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
