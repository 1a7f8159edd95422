/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* environ */
#include "cmds/stable/fixedenv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static bool add(struct fixedenv *env, char *text)
{
	char **vars = text ? realloc(env->vars, (env->n + 2) * sizeof(*vars)) : NULL;

	if (!vars) {
		free(text);
		return false;
	}
	vars[env->n++] = text;
	vars[env->n] = NULL;
	env->vars = vars;
	return true;
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

/* In the place of what had the name. */
static bool set(struct fixedenv *env, const char *text)
{
	char **old = lookup(env->vars, text);
	char *copy = strdup(text);

	if (!old || !copy)
		return add(env, copy);
	free(*old);
	*old = copy;
	return true;
}

static bool add_fixed(struct fixedenv *env, const struct fixedenv_choice *choice)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const struct variable *variable = &variables[i];
		const char *text = variable->text;

		if (!choice->is_enclosed && variable->outside)
			text = variable->outside;
		else if (choice->is_other && variable->other)
			text = variable->other;
		if (!set(env, text))
			return false;
	}
	return true;
}

static bool add_kept(struct fixedenv *env, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		char name[256];
		char **mine;

		snprintf(name, sizeof(name), "%.*s", (int)len, list);
		mine = lookup(environ, name);
		if (mine && !set(env, *mine))
			return false;
		list += len + (list[len] == ',');
	}
	return true;
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

static bool add_padding(struct fixedenv *env, const struct fixedenv_choice *choice)
{
	size_t size = size_of(env, choice) + sizeof(padding_name) + sizeof(char *);
	size_t rest = choice->keeps_all ? 0 : (FIXEDENV_UNIT - size % FIXEDENV_UNIT);
	size_t len = sizeof(padding_name) - 1;
	char *text = malloc(len + rest + choice->shift + 1);

	if (!text)
		return false;
	memcpy(text, padding_name, len);
	memset(text + len, choice->is_other ? 'y' : 'x', rest + choice->shift);
	text[len + rest + choice->shift] = '\0';
	return add(env, text);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool make(struct fixedenv *env, const struct fixedenv_choice *choice)
{
	for (char **mine = environ; choice->keeps_all && *mine; mine++)
		if (!add(env, strdup(*mine)))
			return false;
	if (!choice->keeps_all && !add_fixed(env, choice))
		return false;
	for (size_t i = 0; i < choice->n_kept; i++)
		if (!add_kept(env, choice->kept[i]))
			return false;
	if (choice->library) {
		char text[8192];

		snprintf(text, sizeof(text), "VALGRIND_LIB=%s", choice->library);
		if (!set(env, text))
			return false;
	}
	if ((!choice->keeps_all || choice->shift > 0) && !add_padding(env, choice))
		return false;
	env->size = size_of(env, choice);
	if (!choice->keeps_all)
		qsort(env->vars, env->n, sizeof(*env->vars), compare);
	return true;
}

bool fixedenv_make(struct fixedenv *env, const struct fixedenv_choice *choice)
{
	*env = (struct fixedenv){ .vars = NULL };
	return make(env, choice);
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
