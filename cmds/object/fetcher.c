/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files from debuginfod servers. */
#include "cmds/object/objectfile.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cli/complaint.h"
#include "profile/common/heap.h"
#include "profile/common/scan.h"

enum {
	MOST_SAID = 20,    /* messages about files */
	PATIENCE = 10,     /* seconds without an answer */
	BUILD_ID_MOST = 64 /* bytes */
};

static const char library_name[] = "libdebuginfod.so.1";

/* -- the library ------------------------------------------------------------------------- */

/* What is called of it, while it is loaded. */
static struct {
	__typeof__(&debuginfod_begin) begin;
	__typeof__(&debuginfod_end) end;
	__typeof__(&debuginfod_set_progressfn) set_progressfn;
	__typeof__(&debuginfod_get_url) get_url;
	__typeof__(&debuginfod_find_executable) find_executable;
	__typeof__(&debuginfod_find_debuginfo) find_debuginfo;
	__typeof__(&debuginfod_find_source) find_source;
} calls;

/* How the answer to one question is waited for.  The library's callback has no way to where it is loaded. */
static struct {
	struct timespec began;
	bool is_over; /* patience was */
} waiting;

/*
 * Called about once in a tenth of a second.  As long as no answer has said how long it will be, b is 0; what
 * comes too slowly then is the library's affair (DEBUGINFOD_TIMEOUT).
 */
static int give_up(debuginfod_client *client, long a, long b)
{
	struct timespec now;

	(void)client;
	(void)a;
	clock_gettime(CLOCK_MONOTONIC, &now);
	waiting.is_over = b == 0 && now.tv_sec - waiting.began.tv_sec >= PATIENCE;
	return waiting.is_over;
}

/* Sets a pointer to a function, which C does not let a pointer to an object become. */
static bool find_call(void *library, const char *name, void *pointer)
{
	void *address = dlsym(library, name);

	memcpy(pointer, &address, sizeof(address));
	return address != NULL;
}

static bool find_calls(void *library)
{
	return find_call(library, "debuginfod_begin", &calls.begin) &&
	       find_call(library, "debuginfod_end", &calls.end) &&
	       find_call(library, "debuginfod_set_progressfn", &calls.set_progressfn) &&
	       find_call(library, "debuginfod_get_url", &calls.get_url) &&
	       find_call(library, "debuginfod_find_executable", &calls.find_executable) &&
	       find_call(library, "debuginfod_find_debuginfo", &calls.find_debuginfo) &&
	       find_call(library, "debuginfod_find_source", &calls.find_source);
}

static bool has_servers(void)
{
	const char *servers = getenv(DEBUGINFOD_URLS_ENV_VAR);

	return servers && servers[strspn(servers, " ")] != '\0';
}

const char *fetcher_missing(void)
{
	void *library = dlopen(library_name, RTLD_LAZY);

	if (!library)
		return "libdebuginfod.so.1 cannot be loaded (Debian: libdebuginfod1)";
	dlclose(library);
	return has_servers() ? NULL : "expected servers in DEBUGINFOD_URLS";
}

/* Loads it; if nothing can be asked, that is over at once. */
static void begin(struct fetcher *fetcher)
{
	char patience[16];

	fetcher->has_begun = true;
	dictionary_init(&fetcher->asked);
	fetcher->is_over = true;
	if (!has_servers()) {
		warn(fetcher->command, "--debuginfod: nothing is fetched, expected servers in "
				       "DEBUGINFOD_URLS");
		return;
	}
	snprintf(patience, sizeof(patience), "%d", PATIENCE);
	setenv(DEBUGINFOD_TIMEOUT_ENV_VAR, patience, 0);
	fetcher->library = dlopen(library_name, RTLD_NOW);
	if (fetcher->library && find_calls(fetcher->library))
		fetcher->client = calls.begin();
	if (!fetcher->client) {
		warn(fetcher->command, "--debuginfod: nothing is fetched: %s cannot be loaded",
		     library_name);
		return;
	}
	calls.set_progressfn(fetcher->client, give_up);
	fetcher->is_over = false;
}

/* -- questions ------------------------------------------------------------------------------ */

static size_t read_id(const char *text, unsigned char id[BUILD_ID_MOST])
{
	size_t n = 0;

	for (; n < BUILD_ID_MOST && text[2 * n] && text[2 * n + 1]; n++) {
		unsigned high = scan_hex_digit(text[2 * n]);
		unsigned low = scan_hex_digit(text[2 * n + 1]);

		if (high > 15 || low > 15)
			return 0;
		id[n] = (unsigned char)(high << 4 | low);
	}
	return text[2 * n] ? 0 : n;
}

/* A descriptor, or a negative error number. */
static int ask(struct fetcher *fetcher, enum fetched what, const char *build_id, const char *name,
	       char **path)
{
	unsigned char id[BUILD_ID_MOST];
	int len = (int)read_id(build_id, id);

	if (len == 0)
		return -ENOENT;
	clock_gettime(CLOCK_MONOTONIC, &waiting.began);
	waiting.is_over = false;
	switch (what) {
	case FETCHED_EXECUTABLE:
		return calls.find_executable(fetcher->client, id, len, path);
	case FETCHED_DEBUGINFO:
		return calls.find_debuginfo(fetcher->client, id, len, path);
	case FETCHED_SOURCE:
		break;
	}
	return calls.find_source(fetcher->client, id, len, name, path);
}

/* True if there is room for another message; the last one says that there is none. */
static bool may_say(struct fetcher *fetcher)
{
	if (fetcher->is_quiet || fetcher->n_said > MOST_SAID)
		return false;
	if (fetcher->n_said++ < MOST_SAID)
		return true;
	complain(fetcher->command, "debuginfod: what else is fetched, or not found, is not listed");
	return false;
}

static void tell(struct fetcher *fetcher, int result, enum fetched what, const char *name)
{
	static const char *const kinds[] = { "", "debug information of ", "" };
	const char *url = calls.get_url(fetcher->client);

	if (result >= 0) {
		if (url && may_say(fetcher)) /* else it was in the cache */
			complain(fetcher->command, "debuginfod: fetched %s%s: %s", kinds[what],
				 name, url);
	} else if (result == -ENOENT && !waiting.is_over) {
		if (may_say(fetcher))
			complain(fetcher->command, "debuginfod: no server has %s%s", kinds[what],
				 name);
	} else {
		fetcher->is_over = true;
		warn(fetcher->command, "--debuginfod: %s: %s; nothing more is fetched",
		     getenv(DEBUGINFOD_URLS_ENV_VAR),
		     waiting.is_over ? "no answer" : strerror(-result));
	}
}

/* True if it is asked for the first time. */
static bool is_first(struct fetcher *fetcher, enum fetched what, const char *build_id,
		     const char *name)
{
	size_t n = fetcher->asked.count;
	char *key = heap_print("%d%s%s", (int)what, build_id, what == FETCHED_SOURCE ? name : "");

	dictionary_intern(&fetcher->asked, key, strlen(key));
	free(key);
	return fetcher->asked.count > n;
}

char *fetcher_get(struct fetcher *fetcher, enum fetched what, const char *build_id,
		  const char *name)
{
	char *path = NULL;
	bool is_new;
	int fd;

	if (!fetcher->has_begun)
		begin(fetcher);
	if (fetcher->is_over)
		return NULL;
	is_new = is_first(fetcher, what, build_id, name);
	fd = ask(fetcher, what, build_id, name, &path);
	if (is_new || (fd < 0 && fd != -ENOENT) || waiting.is_over)
		tell(fetcher, fd, what, name);
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? path : NULL;
}

void fetcher_pass(struct fetcher *fetcher, const char *name)
{
	if (!fetcher->has_begun)
		begin(fetcher);
	if (!fetcher->is_over && is_first(fetcher, FETCHED_SOURCE, "", name) && may_say(fetcher))
		complain(fetcher->command,
			 "debuginfod: no server is asked for %s: they know build-ids, and absolute "
			 "paths of sources",
			 name);
}

void fetcher_release(struct fetcher *fetcher)
{
	if (!fetcher->has_begun)
		return;
	if (fetcher->client)
		calls.end(fetcher->client);
	if (fetcher->library)
		dlclose(fetcher->library);
	dictionary_release(&fetcher->asked);
}
