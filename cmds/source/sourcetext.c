/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a source file. */
#include "cmds/source/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/common/heap.h"
#include "profile/common/scan.h"
#include "profile/format/source.h"

/*
 * As much of a file as it said it has, or what is left of it.  Not what comes beyond: in /proc there are
 * files that have no size, and some of these do not end, or are nobody's source.
 */
static bool read_all(struct sourcetext *text, int fd, size_t expected)
{
	size_t *len = &text->len;

	text->data = heap_alloc(expected + 1);
	while (*len < expected) {
		ssize_t n = read(fd, text->data + *len, expected - *len);

		if (n <= 0)
			return n == 0;
		*len += (size_t)n;
	}
	return true;
}

static void split(struct sourcetext *text)
{
	const char *data = text->data, *end = data + text->len;
	size_t n = 0;

	for (const char *p = data; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	if (text->len > 0 && end[-1] != '\n')
		n++;
	text->starts = heap_zeroed(n + 1, sizeof(*text->starts));
	text->n_lines = n;
	for (size_t i = 1; i < n; i++) {
		const char *p = data + text->starts[i - 1];

		text->starts[i] =
			(size_t)((const char *)memchr(p, '\n', (size_t)(end - p)) + 1 - data);
	}
	text->starts[n] = text->len;
}

/* What is looked for, and what was refused on the way. */
struct looking {
	struct sourcetext *text;
	struct read_policy *policy;
	char *refused; /* resolved; owned; NULL = nothing was */
	enum read_policy_verdict reason;
};

/* The file of a resolved path, which is the one that was judged. */
static bool read_judged(struct sourcetext *text, const char *path, const char *resolved,
			const struct stat *judged)
{
	struct stat status;
	bool fine;
	int fd = namedfile_open(resolved, SOURCETEXT_MOST, &status), error;

	if (fd < 0)
		return false;
	memset(text, 0, sizeof(*text));
	text->path = heap_copy(path);
	fine = status.st_dev == judged->st_dev && status.st_ino == judged->st_ino &&
	       read_all(text, fd, (size_t)status.st_size);
	error = errno;
	if (fine) {
		split(text);
		text->modified = status.st_mtim;
	} else {
		sourcetext_release(text);
	}
	close(fd);
	errno = error;
	return fine;
}

static bool read_file(struct looking *looking, const char *path)
{
	enum read_policy_verdict verdict;
	struct stat status;
	char *resolved;
	bool fine = false;

	if (!namedfile_look(path, SOURCETEXT_MOST, &status))
		return false;
	resolved = realpath(path, NULL);
	/* By the path that is opened: the one before may lead elsewhere by now. */
	if (!resolved || !namedfile_look(resolved, SOURCETEXT_MOST, &status)) {
		free(resolved);
		return false;
	}
	verdict = read_policy_judge(looking->policy, path, resolved, &status);
	if (verdict == READ_POLICY_FINE)
		fine = read_judged(looking->text, path, resolved, &status);
	if ((verdict == READ_POLICY_UNNAMED || verdict == READ_POLICY_PRIVATE) &&
	    !looking->refused) {
		looking->refused = resolved;
		looking->reason = verdict;
		return false;
	}
	free(resolved);
	return fine;
}

static bool read_below(struct looking *looking, const char *directory, const char *name)
{
	char *path = heap_print("%s/%s", directory, name);
	bool fine = read_file(looking, path);

	free(path);
	if (fine)
		looking->text->directory = directory;
	return fine;
}

static bool find_named(struct looking *looking, const char *name)
{
	const struct read_policy *policy = looking->policy;

	errno = 0;
	if (read_file(looking, name))
		return true;
	for (size_t i = 0; i < policy->n_directories; i++) {
		const char *rest = name;

		while (rest != NULL) {
			rest += strspn(rest, "/");
			if (*rest != '\0' && read_below(looking, policy->directories[i], rest))
				return true;
			rest = strchr(rest, '/');
		}
	}
	return false;
}

/* A copy with the bytes that "\\x" means; NULL if there is none. */
static char *unescape(const char *name)
{
	char *copy = strstr(name, "\\x") ? heap_copy(name) : NULL;
	char *to = copy;

	while (copy && *name) {
		/* The tool escapes in lower case. */
		bool is_escape = name[0] == '\\' && name[1] == 'x' &&
				 strspn(name + 2, "0123456789abcdef") >= 2;

		if (is_escape) {
			*to++ = (char)(scan_hex_digit(name[2]) << 4 | scan_hex_digit(name[3]));
			name += 4;
		} else {
			*to++ = *name++;
		}
	}
	if (copy)
		*to = '\0';
	return copy;
}

/* From a server, if nothing is here, or only what may not be read. */
static bool find_remote(struct looking *looking, const char *name)
{
	int error = errno;
	char *path = read_policy_fetch(looking->policy, name);
	bool fine = path && read_file(looking, path);

	free(path);
	if (!fine)
		errno = error;
	return fine;
}

bool sourcetext_find(struct sourcetext *text, const char *name, struct read_policy *policy)
{
	struct looking looking = { .text = text, .policy = policy };
	bool fine = find_named(&looking, name);

	if (!fine) {
		char *raw = unescape(name);

		fine = raw && find_named(&looking, raw);
		free(raw);
	}
	if (!fine)
		fine = find_remote(&looking, name);
	if (!fine && looking.refused) {
		read_policy_refuse(policy, looking.refused, looking.reason);
		errno = EPERM;
	} else if (!fine && errno == EPERM) {
		errno = EACCES;
	}
	free(looking.refused);
	return fine;
}

void sourcetext_release(struct sourcetext *text)
{
	free(text->path);
	free(text->data);
	free(text->starts);
	memset(text, 0, sizeof(*text));
}

bool sourcetext_is_text(const struct sourcetext *text)
{
	return memchr(text->data, '\0', text->len) == NULL;
}

const char *sourcetext_line(const struct sourcetext *text, size_t number, size_t *len)
{
	const char *line = text->data + text->starts[number - 1];

	*len = text->starts[number] - text->starts[number - 1];
	if (*len > 0 && line[*len - 1] == '\n')
		(*len)--;
	if (*len > 0 && line[*len - 1] == '\r')
		(*len)--;
	return line;
}
