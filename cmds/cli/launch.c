/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* environ */
#include "cmds/cli/launch.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/option.h"
#include "profile/common/heap.h"

/* -- words before the program ---------------------------------------------- */

/* What follows the name of an option in a word: "", "=value"; NULL = it is another option. */
static const char *after(const char *word, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(word, name, len) != 0 || (word[len] != '\0' && word[len] != '='))
		return NULL;
	return word + len;
}

const struct option_rule *launch_find_option(const struct option_rule *rules, const char *word)
{
	for (; rules && rules->name; rules++) {
		if (after(word, rules->name))
			return rules;
		if (rules->letter && word[0] == '-' && word[1] == rules->letter && word[2] == '\0')
			return rules;
	}
	return NULL;
}

/* Takes an option of the command; value is what follows its '=', or the next word. */
static int take(const struct option_rule *rule, const char *command, const char *word,
		const char *value, void *ctx)
{
	const char *expected;

	if (rule->kind == OPTION_FLAG && value)
		expected = "no value";
	else if (rule->kind == OPTION_VALUE && !value)
		expected = rule->form;
	else if (rule->kind == OPTION_YES_NO && value && strcmp(value, "yes") != 0 &&
		 strcmp(value, "no") != 0)
		expected = "yes or no";
	else
		expected = option_take(rule, ctx, value);
	if (!expected)
		return OPTIONS_GO_ON;
	if (value && !strchr(word, '='))
		complain(command, "%s: '%s': expected %s", word, value, expected);
	else
		complain(command, "%s: expected %s", word, expected);
	return EXIT_USAGE;
}

/* The tool lists machines and ends, but Valgrind wants a program all the same. */
static char *any_program[] = { (char[]){ "/bin/true" }, NULL };

int runwords_read(struct runwords *words, const struct option_rule *rules, char **argv, void *ctx,
		  const struct option_group *groups)
{
	size_t n = 0;
	size_t i = 1;

	*words = (struct runwords){ .options = NULL };
	while (argv[n])
		n++;
	words->options = heap_alloc((n + 1) * sizeof(*words->options));
	for (; i < n && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
		const struct option_rule *rule = launch_find_option(rules, argv[i]);
		const char *word = argv[i], *value = strchr(word, '=');
		void *to = ctx;
		int code;

		for (const struct option_group *group = groups; !rule && group && group->rules;
		     group++) {
			rule = launch_find_option(group->rules, word);
			to = group->ctx;
		}

		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
			option_print_help(argv[0]);
			return EXIT_FINE;
		}
		words->tool_help |= strcmp(argv[i], "--tool-help") == 0;
		words->no_pager |= strcmp(argv[i], "--no-pager") == 0;
		words->quiet |= strcmp(argv[i], "-q") == 0 || strcmp(argv[i], "--quiet") == 0;
		if (!rule) {
			/* All commands take these. */
			if (!after(word, "--color") && strcmp(word, "--no-pager") != 0)
				words->options[words->n_options++] = argv[i];
			continue;
		}
		if (value)
			value++;
		else if (rule->kind == OPTION_VALUE)
			value = argv[++i];
		code = take(rule, argv[0], word, value, to);
		if (code != OPTIONS_GO_ON)
			return code;
	}
	if (i < n && strcmp(argv[i], "--") == 0)
		i++;
	words->program = argv + i;
	words->n_program = n - i;
	for (size_t j = 0; j < words->n_options && words->n_program == 0; j++)
		if (strcmp(words->options[j], "--machine=help") == 0) {
			words->program = any_program;
			words->n_program = 1;
		}
	if (words->n_program > 0 || words->tool_help)
		return OPTIONS_GO_ON;
	complain(argv[0], "expected a program to run");
	return EXIT_USAGE;
}

void runwords_release(struct runwords *words)
{
	free(words->options);
	words->options = NULL;
}

const char *runwords_value(const struct runwords *words, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < words->n_options; i++) {
		const char *rest = after(words->options[i], name);

		if (rest)
			value = *rest ? rest + 1 : rest;
	}
	return value;
}

bool runwords_has(const struct runwords *words, const char *name)
{
	return runwords_value(words, name) != NULL;
}

/* -- options of files and of the environment -------------------------------- */

/* Replaces *value, which is owned, by the value of the last option of this name in a text, as Valgrind divides it. */
static void take_configured(char **value, const char *name, const char *text)
{
	static const char of_tool[] = "--costgrind:", blanks[] = " \t\n\v\f\r";
	const size_t dashes = strlen("--");
	char *words, *rest = NULL;

	if (!text)
		return;
	words = heap_copy(text);
	for (const char *word = strtok_r(words, blanks, &rest); word;
	     word = strtok_r(NULL, blanks, &rest)) {
		const char *found = strncmp(word, of_tool, strlen(of_tool)) == 0
					    ? after(word + strlen(of_tool), name + dashes)
					    : after(word, name);

		if (!found || *found != '=')
			continue;
		free(*value);
		*value = heap_copy(found + 1);
	}
	free(words);
}

/* The same of a .valgrindrc, if Valgrind trusts it: a regular file of this user's that not everybody may write. */
static void take_configured_by_file(char **value, const char *name, const char *folder)
{
	char *path = heap_print("%s/.valgrindrc", folder), *text = NULL;
	FILE *in = fopen(path, "re");
	size_t size = 0;
	struct stat stat_of;

	if (in && fstat(fileno(in), &stat_of) == 0 && S_ISREG(stat_of.st_mode) &&
	    stat_of.st_uid == geteuid() && !(stat_of.st_mode & S_IWOTH) &&
	    getdelim(&text, &size, '\0', in) > 0)
		take_configured(value, name, text);
	if (in)
		fclose(in);
	free(text);
	free(path);
}

char *launch_configured(const char *name)
{
	const char *home = getenv("HOME");
	char here[LAUNCH_PATH];
	char *value = NULL;

	if (home)
		take_configured_by_file(&value, name, home);
	take_configured(&value, name, getenv("VALGRIND_OPTS"));
	/* Valgrind compares these names, so as not to read one file twice. */
	if (home && getcwd(here, sizeof(here)) && strcmp(home, here) != 0)
		take_configured_by_file(&value, name, ".");
	take_configured(&value, name, getenv("COSTGRIND_OPTS"));
	return value;
}

/* -- starting it ----------------------------------------------------------- */

/* At what the dynamic linker divides LD_PRELOAD. */
static const char separators[] = " :";

static const char tool_name[] = "costgrind", plain_option[] = "--tool=costgrind";

const char *launch_valgrind(void)
{
	const char *valgrind = getenv("VALGRIND");

	return valgrind != NULL && valgrind[0] != '\0' ? valgrind : VALGRIND_PROGRAM;
}

int launch_read(char *const *words, struct bytes *output)
{
	posix_spawn_file_actions_t actions;
	char buffer[65536];
	int ends[2], status, wrong;
	ssize_t got;
	pid_t child;

	if (pipe(ends) != 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	wrong = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while (wrong == 0 &&
	       ((got = read(ends[0], buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR)))
		if (got > 0)
			bytes_add(output, buffer, (size_t)got);
	close(ends[0]);
	while (wrong == 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			wrong = errno;
	errno = wrong;
	return wrong == 0 ? status : -1;
}

bool launch_version(const char *program, char *text, int size)
{
	char *words[] = { heap_copy(program), (char[]){ "--version" }, NULL };
	struct bytes output;
	bool fine;

	bytes_init(&output);
	fine = launch_read(words, &output) != -1 && output.len > 0;
	if (fine) {
		bytes_add_char(&output, '\0');
		snprintf(text, (size_t)size, "%.*s", (int)strcspn(output.text, "\n"), output.text);
	}
	bytes_release(&output);
	free(words[0]);
	return fine;
}

bool launch_lacks_fair_sched(const char *version)
{
	static const char broken[] = "valgrind-3.27.";

	return strncmp(version, broken, strlen(broken)) == 0;
}

/* Finds a folder of this name next to this program, as in the directory in which it was built. */
static bool find_beside(char *path, size_t size, const char *folder)
{
	ssize_t len = readlink("/proc/self/exe", path, size - strlen(folder) - 1);
	char *slash;

	if (len < 0)
		return false;
	path[len] = '\0';
	slash = strrchr(path, '/');
	if (slash == NULL)
		return false;
	memcpy(slash + 1, folder, strlen(folder) + 1);
	return access(path, X_OK) == 0;
}

bool launch_library(char *path, size_t size)
{
	const char *given = getenv("VALGRIND_LIB");

	if (given != NULL)
		return (size_t)snprintf(path, size, "%s", given) < size;
	return find_beside(path, size, "valgrind-lib");
}

bool launch_find_tool(char path[LAUNCH_TOOL_PATH])
{
	char library[LAUNCH_PATH];

	if (!launch_library(library, sizeof(library)))
		snprintf(library, sizeof(library), "%s", VALGRIND_LIBEXEC);
	snprintf(path, LAUNCH_TOOL_PATH, "%s/%s", library, TOOL_FILE);
	return access(path, X_OK) == 0;
}

bool launch_has_tool(const char *command)
{
	char path[LAUNCH_TOOL_PATH];
	const char *given = getenv("VALGRIND_LIB");

	/* Another Valgrind knows its own folder. */
	if (!launch_library(path, LAUNCH_PATH) && getenv("VALGRIND"))
		return true;
	if (launch_find_tool(path))
		return true;
	complain(command, "%s: failed to start tool 'costgrind': %s%s, see 'costgrind doctor'",
		 path, strerror(errno), given ? "; VALGRIND_LIB is stale" : "");
	return false;
}

/* Where the file that programs preload really is, if the dynamic linker understands its name. */
static bool find_preloads(char *path, const char *library)
{
	static const char core[] = "vgpreload_core", platform[] = TOOL_FILE;
	char name[2 * LAUNCH_PATH];
	char *real;
	bool fine;

	snprintf(name, sizeof(name), "%s/%s%s.so", library, core, strchr(platform, '-'));
	real = realpath(name, NULL);
	if (real == NULL)
		return false;
	*strrchr(real, '/') = '\0';
	fine = strpbrk(real, separators) == NULL &&
	       (size_t)snprintf(path, LAUNCH_PATH, "%s", real) < LAUNCH_PATH;
	free(real);
	return fine;
}

void launch_tool(char *option, char *library)
{
	char preloads[LAUNCH_PATH];
	char *real;
	size_t len;

	snprintf(option, LAUNCH_TOOL, "%s", plain_option);
	if (strpbrk(library, separators) == NULL || !find_preloads(preloads, library))
		return;
	real = realpath(library, NULL);
	if (real == NULL)
		return;
	/* Up to the root, and down: Valgrind puts its own directory before the tool's name. */
	len = (size_t)snprintf(option, LAUNCH_TOOL, "--tool=..");
	for (const char *at = strchr(preloads + 1, '/'); at != NULL; at = strchr(at + 1, '/'))
		len += (size_t)snprintf(option + len, LAUNCH_TOOL - len, "/..");
	snprintf(option + len, LAUNCH_TOOL - len, "%s/%s", real, tool_name);
	free(real);
	memcpy(library, preloads, strlen(preloads) + 1);
}

bool launch_find(const char *name, char *path, size_t size)
{
	const char *folder = getenv("PATH");

	if (strchr(name, '/') != NULL)
		return (size_t)snprintf(path, size, "%s", name) < size && access(path, X_OK) == 0;
	while (folder != NULL && *folder != '\0') {
		size_t len = strcspn(folder, ":");

		if ((size_t)snprintf(path, size, "%.*s/%s", (int)len, folder, name) < size &&
		    access(path, X_OK) == 0)
			return true;
		folder += len + (folder[len] == ':');
	}
	return false;
}

/* -- pytest's plugin --------------------------------------------------------- */

static const struct {
	const char *name;
	char separator;
} plugin_vars[LAUNCH_PLUGIN_VARS] = { { "PYTHONPATH", ':' }, { "PYTEST_ADDOPTS", ' ' } };

/* The folder of the plugin; false if it is not there. */
static bool find_plugin(char *folder, size_t size)
{
	char file[LAUNCH_TOOL_PATH];

	if (!find_beside(folder, size, "python"))
		snprintf(folder, size, "%s", PYTHON_FOLDER);
	snprintf(file, sizeof(file), "%s/pytest_costgrind.py", folder);
	return access(file, R_OK) == 0;
}

bool launch_wants_plugin(char *const *program)
{
	char folder[LAUNCH_PATH];

	for (; *program; program++)
		if (strcmp(*program, "--costgrind") == 0)
			return find_plugin(folder, sizeof(folder));
	return false;
}

const char *launch_plugin_name(size_t i)
{
	return plugin_vars[i].name;
}

char *launch_plugin_var(size_t i, const char *old, const char *cache)
{
	char text[LAUNCH_PATH];

	if (i == 0)
		find_plugin(text, sizeof(text));
	else
		/* Not PYTEST_PLUGINS, which come after those that are installed. */
		snprintf(text, sizeof(text), "-p pytest_costgrind%s%s",
			 cache ? " -o cache_dir=" : "", cache ? cache : "");
	return heap_print("%s=%s%.*s%s", plugin_vars[i].name, text, old && *old ? 1 : 0,
			  &plugin_vars[i].separator, old ? old : "");
}

size_t launch_literal(char *to, size_t size, const char *name)
{
	size_t len = 0;

	for (; *name && len + 2 < size; name++) {
		to[len++] = *name;
		if (*name == '%')
			to[len++] = '%';
	}
	to[len] = '\0';
	return len;
}

int launch(const char *command, char **argv, size_t n)
{
	const char *valgrind = launch_valgrind();
	const char *options = getenv("VALGRIND_OPTS");
	char library[LAUNCH_PATH], option[LAUNCH_TOOL];
	char max_threads[] = LAUNCH_MAX_THREADS, fair_sched[] = LAUNCH_FAIR_SCHED;
	char *configured;
	char **args;
	size_t own = 0;

	if (!launch_has_tool(command))
		return EXIT_FAILED;
	snprintf(option, sizeof(option), "%s", plain_option);
	if (launch_library(library, sizeof(library))) {
		launch_tool(option, library);
		setenv("VALGRIND_LIB", library, 1);
	}
	args = heap_alloc((n + 5) * sizeof(*args));
	args[own++] = heap_copy(valgrind);
	args[own++] = option;
	/* A later one wins, as the user's among the arguments; one in the environment is earlier. */
	if (options == NULL || strstr(options, "--max-threads=") == NULL)
		args[own++] = max_threads;
	configured = launch_configured("--fair-sched");
	if (!configured)
		args[own++] = fair_sched;
	free(configured);
	memcpy(args + own, argv, n * sizeof(*args));
	args[own + n] = NULL;
	for (size_t i = 0; i < LAUNCH_PLUGIN_VARS && launch_wants_plugin(args + own); i++)
		putenv(launch_plugin_var(i, getenv(launch_plugin_name(i)), NULL));
	execvp(valgrind, args);
	complain(command, "%s: %s, see 'costgrind doctor'", valgrind, strerror(errno));
	free(args[0]);
	free(args);
	return EXIT_FAILED;
}
