/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind doctor.  A profile of this program itself shows if the tool works, which caches it finds, and
 * if there are names and lines of libc.
 */
#define _GNU_SOURCE /* memmem() */
#include "cmds/cli/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/cli/loader.h"
#include "cmds/emit/visible.h"
#include "cmds/object/lacking.h"
#include "cmds/object/objectfile.h"
#include "cmds/stable/stable.h"
#include "profile/common/heap.h"

enum {
	LABEL = 14,
};

struct doctor {
	struct option_common common;
	bool failed; /* programs cannot be profiled */
};

/* Programs that are not needed, but good to have. */
static const struct {
	const char *program;
	const char *purpose;
	const char *package; /* Debian's */
} helpers[] = {
	{ "vgdb", "commands to running programs", "valgrind" },
	{ "kcachegrind", "a viewer of profiles", "kcachegrind" },
	{ "dot", "call graphs in KCachegrind", "graphviz" },
	{ "objdump", "machine code in KCachegrind", "binutils" },
};

const struct option_rule doctor_options[] = { { .name = NULL } };

/* One line: what it is, and what was found; the rest of the line is the caller's. */
static void begin_line(const char *label)
{
	visible_pad(stdout, label, LABEL);
	putchar(' ');
}

static void print_line(const char *label, const char *text)
{
	begin_line(label);
	visible_text(stdout, text);
	putchar('\n');
}

/* -- programs -------------------------------------------------------------------------- */

static void look_for_valgrind(struct doctor *doctor)
{
	static const char built_for[] = "valgrind-" VALGRIND_VERSION ".";
	const char *program = launch_valgrind();
	char path[LAUNCH_PATH], version[128];

	if (!launch_find(program, path, sizeof(path)) ||
	    !launch_version(path, version, sizeof(version))) {
		begin_line("Valgrind");
		printf("missing: %s (Debian: valgrind)\n", program);
		doctor->failed = true;
		return;
	}
	begin_line("Valgrind");
	visible_text(stdout, version);
	fputs(", ", stdout);
	visible_text(stdout, path);
	putchar('\n');
	if (launch_lacks_fair_sched(version)) {
		begin_line("");
		puts("threads take turns as they like: --fair-sched=yes does not work in it, "
		     "but in 3.28");
	}
	if (strncmp(version, built_for, strlen(built_for)) == 0)
		return;
	begin_line("");
	printf("the tool is for Valgrind %s: configure and build it again\n", VALGRIND_VERSION);
}

/* What VALGRIND_LIB says, and where the tool is without it: it often stays set from another build. */
static void print_variable(const char *given, bool is_stale)
{
	char path[LAUNCH_TOOL_PATH];
	char *value = heap_copy(given);
	bool is_there;

	unsetenv("VALGRIND_LIB");
	is_there = launch_find_tool(path);
	setenv("VALGRIND_LIB", value, 1);
	free(value);
	begin_line("VALGRIND_LIB");
	fputs(is_stale ? "is stale, unset it: " : "is set; ", stdout);
	fputs(is_there ? "without it, the tool is " : "without it, the tool would be ", stdout);
	visible_text(stdout, path);
	putchar('\n');
}

static void look_for_tool(struct doctor *doctor)
{
	char path[LAUNCH_TOOL_PATH];
	const char *given = getenv("VALGRIND_LIB");
	bool is_there = launch_find_tool(path);
	int error = errno;

	begin_line("tool");
	visible_text(stdout, path);
	if (!is_there)
		printf(": %s%s", strerror(error), given ? "" : "; make install puts it there");
	putchar('\n');
	if (given)
		print_variable(given, !is_there);
	doctor->failed |= !is_there;
}

/* What this program was built with, and why debuginfod is not asked if so. */
static void print_libraries(void)
{
	static const char built[] = "costgrind was built without";
	const char *missing = fetcher_missing();
	const bool is_in = !missing || strncmp(missing, built, strlen(built)) != 0;

	begin_line("built");
	printf("with Capstone, with elfutils, %s debuginfod\n", is_in ? "with" : "without");
	if (missing) {
		begin_line("");
		printf("--debuginfod fetches nothing: %s\n", missing);
	}
}

/* -- a trial --------------------------------------------------------------------------- */

/* Files of the trial, in a folder of its own. */
struct trial {
	char folder[LAUNCH_PATH];
	char profile[LAUNCH_PATH + 16];
	char log[LAUNCH_PATH + 16]; /* what Valgrind says */
};

/* "NAME=FILE", whatever characters the file's name has. */
static void file_option(char *option, size_t size, const char *name, const char *file)
{
	size_t used = (size_t)snprintf(option, size, "%s=", name);

	launch_literal(option + used, size - used, file);
}

/* Profiles this program; what cannot even be logged goes to standard error. */
static bool run_trial(const struct trial *trial)
{
	char out[2 * LAUNCH_PATH + 64], log[2 * LAUNCH_PATH + 64];
	char self[LAUNCH_PATH];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int status = 0;
	pid_t child;

	if (len < 0)
		return false;
	self[len] = '\0';
	file_option(out, sizeof(out), "--costgrind-out-file", trial->profile);
	file_option(log, sizeof(log), "--log-file", trial->log);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		char end[] = "--", verbose[] = "-v", again[] = "-v", version[] = "--version";
		char *words[] = { verbose, again, log, out, end, self, version };

		if (freopen("/dev/null", "w", stdout) == NULL)
			_exit(EXIT_FAILED);
		_exit(launch("doctor", words, sizeof(words) / sizeof(words[0])));
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/*
 * What the tool says about the machine's caches: "==77== L2 of this machine: ..." of
 * each that it knows, and "==77== costgrind: ..." of what it made of them.
 */
static void print_machine(const char *log)
{
	static const char of_machine[] = " of this machine: ", note[] = "costgrind: ";
	FILE *lines = fopen(log, "re");
	char *line = NULL;
	size_t size = 0;

	while (lines != NULL && getline(&line, &size, lines) > 0) {
		char *text = strstr(line, "== "), *rest;

		line[strcspn(line, "\n")] = '\0';
		if (text == NULL || strstr(text, "of this machine") == NULL)
			continue;
		text += strlen("== ");
		rest = strstr(text, of_machine);
		if (strncmp(text, note, strlen(note)) == 0) {
			print_line("note", text + strlen(note));
		} else if (rest != NULL) {
			*rest = '\0';
			print_line(text, rest + strlen(of_machine));
		}
	}
	free(line);
	if (lines != NULL)
		fclose(lines);
}

/* Reports whether the trial has lines of libc (that object), and if not, what would help. */
static void print_libc_lines(const struct model *model, uint32_t libc, bool are_known)
{
	char *advice = are_known || libc == DICTIONARY_UNKNOWN
			       ? NULL
			       : lacking_advice(model, libc, LACKS_LINES);

	printf("of libc are %s%s%s\n", are_known ? "known" : "not known", advice ? ": " : "",
	       advice      ? advice
	       : are_known ? ""
			   : " (Debian: libc6-dbg)");
	free(advice);
}

/* Prints what a profile of this program and the log say; false if it is none. */
static bool print_trial(const struct trial *trial)
{
	const struct loader_options options = { .command = "doctor", .quiet = true };
	const char *paths[] = { trial->profile };
	uint64_t totals[PROFILE_MAX_EVENTS];
	const struct part *part;
	struct loaded loaded;
	struct model model;
	uint32_t libc = DICTIONARY_UNKNOWN;
	bool fine, knows_lines = false;

	model_init(&model);
	fine = loader_read(&model, &options, paths, 1, &loaded) == EXIT_FINE &&
	       model_totals(&model, totals);
	if (!fine) {
		model_release(&model);
		return false;
	}
	part = &model.parts[0].header;
	if (!part->creator || strcmp(part->creator, "costgrind-" COSTGRIND_VERSION) != 0)
		print_line(
			"",
			"the tool is of another version than this program: VALGRIND_LIB, or what "
			"is installed, is stale");
	begin_line("trial");
	printf("profiled %" PRIu64 " instructions of costgrind --version\n", totals[0]);
	print_machine(trial->log);
	for (size_t i = 0; i < part->n_descs; i++)
		if (strstr(part->descs[i].type, "cache") != NULL)
			print_line(part->descs[i].type, part->descs[i].value);
	/* Source lines of some code in libc. */
	for (size_t i = 0; i < model.n_functions && !knows_lines; i++) {
		const struct model_function *function = &model.functions[i];
		const struct name object = model_name(&model, NAME_OBJECT, function->object);

		if (!memmem(object.text, object.len, "/libc.so", strlen("/libc.so")))
			continue;
		libc = function->object;
		knows_lines = function->file != DICTIONARY_UNKNOWN;
	}
	begin_line("source lines");
	print_libc_lines(&model, libc, knows_lines);
	model_release(&model);
	return true;
}

static void make_trial(struct doctor *doctor)
{
	const char *parent = getenv("TMPDIR");
	struct trial trial;
	bool fine;

	snprintf(trial.folder, sizeof(trial.folder), "%s/costgrind.XXXXXX",
		 parent != NULL && parent[0] != '\0' ? parent : "/tmp");
	if (mkdtemp(trial.folder) == NULL) {
		complain("doctor", "%s: %s", trial.folder, strerror(errno));
		doctor->failed = true;
		return;
	}
	snprintf(trial.profile, sizeof(trial.profile), "%s/trial", trial.folder);
	snprintf(trial.log, sizeof(trial.log), "%s/log", trial.folder);
	fine = run_trial(&trial) && print_trial(&trial);
	if (!fine)
		print_line("trial", "failed: no profile of costgrind --version");
	doctor->failed |= !fine;
	unlink(trial.profile);
	unlink(trial.log);
	rmdir(trial.folder);
}

int doctor_main(int argc, char **argv)
{
	struct doctor doctor = { .failed = false };
	struct trouble trouble;
	int n = 0, code = options_read(doctor_options, &doctor.common, argv, &n, &doctor);

	(void)argc;
	if (code != OPTIONS_GO_ON)
		return code;
	if (n > 0) {
		complain("doctor", "%s: expected no argument", argv[1]);
		return EXIT_USAGE;
	}
	print_line("costgrind", COSTGRIND_VERSION);
	print_libraries();
	look_for_valgrind(&doctor);
	look_for_tool(&doctor);
	begin_line("namespaces");
	if (sandbox_is_allowed(&trouble))
		printf("allowed: run --stable fixes paths and pids\n");
	else
		printf("not allowed (%s%s%s): run --stable leaves paths and pids as they are\n",
		       trouble.what, trouble.what[0] ? ": " : "", strerror(trouble.error));
	if (!doctor.failed)
		make_trial(&doctor);
	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		char path[LAUNCH_PATH];

		begin_line(helpers[i].program);
		if (launch_find(helpers[i].program, path, sizeof(path))) {
			visible_text(stdout, path);
			putchar('\n');
		} else {
			printf("missing: %s (Debian: %s)\n", helpers[i].purpose,
			       helpers[i].package);
		}
	}
	return doctor.failed ? EXIT_FAILED : EXIT_FINE;
}
