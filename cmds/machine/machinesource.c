/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* sched_getcpu() */
#include "cmds/machine/machine.h"

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "profile/common/heap.h"
#include "sim/machines/presets.h"

/* Parses, or says where it is wrong. */
static int parse(struct machinefile *machine, const char *command, const char *name,
		 const char *text, size_t len)
{
	struct machinefile_error error;
	char message[MACHINEFILE_MESSAGE_SIZE];

	if (machinefile_parse(machine, text, len, &error))
		return EXIT_FINE;
	machinefile_explain(&error, text, message, sizeof(message));
	complain(command, "%s:%" PRIu32 ":%" PRIu32 ": %s", name, error.line, error.column,
		 message);
	return EXIT_FAILED;
}

/* -- this computer --------------------------------------------------------------------------- */

/* hostcaches_access: the processor on which this runs at the moment. */
static uint32_t current_processor(void *data)
{
	int processor = sched_getcpu();

	(void)data;
	return processor >= 0 ? (uint32_t)processor : 0;
}

/* hostcaches_access: the text of a file of a cache's. */
static bool read_sys(void *data, uint32_t processor, uint32_t index, const char *name,
		     char text[HOSTCACHES_TEXT])
{
	char path[128];
	ssize_t len;
	int fd;

	(void)data;
	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%" PRIu32 "/cache/index%" PRIu32 "/%s", processor,
		 index, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, HOSTCACHES_TEXT - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	return len > 0;
}

static int read_host(struct machinesource *source, const char *command, bool quiet)
{
	static const char *const reasons[] = {
		[HOSTCACHES_KNOWN] = NULL,
		[HOSTCACHES_UNKNOWN] = "neither CPUID nor /sys describes them",
		[HOSTCACHES_DISAGREE] = "CPUID and /sys contradict each other",
		[HOSTCACHES_ABSURD] = "what CPUID or /sys says of them cannot be",
	};
	const struct hostcaches_access access = { cpuid_ask, current_processor, read_sys, NULL };
	struct hostcaches_witnesses witnesses;
	struct hostcaches caches;
	struct hostcaches_doubt doubt;
	struct processor_identity identity;
	enum hostcaches_verdict verdict = hostcaches_detect(&access, &witnesses, &caches, &doubt);
	const struct machine_preset *preset;
	int code;

	processor_identify(&identity, cpuid_ask, NULL);
	preset = machine_preset_find(hostmachine_base(&identity));
	assert(preset != NULL); /* a test looks for each */
	code = parse(&source->base, command, preset->name, preset->text, preset->len);
	if (code != EXIT_FINE)
		return code;
	if (verdict != HOSTCACHES_KNOWN && !quiet)
		warn(command, "the caches of this machine are not known: %s; they are those of %s",
		     reasons[verdict], preset->name);
	hostmachine_write(&source->host, &identity, verdict == HOSTCACHES_KNOWN ? &caches : NULL,
			  &source->base);
	return parse(&source->machine, command, "host", source->host.text, source->host.len);
}

/* -- files ------------------------------------------------------------------------------------- */

/* A longer one is no machine, whatever comes; the parser says so. */
static int check_size(const struct wholefile *file, size_t n_new, struct profile_error *error)
{
	(void)n_new;
	return file->len <= MACHINEFILE_MAX_SIZE
		       ? PROFILE_OK
		       : profile_error_set(error, PROFILE_SYNTAX, "expected at most %d bytes",
					   MACHINEFILE_MAX_SIZE);
}

/* A word that is no path was probably to be a name. */
static int complain_of_word(const char *command, const char *word,
			    const struct profile_error *error)
{
	char names[COMPLAINT_TEXT] = "host";
	size_t len = strlen(names);

	if (strchr(word, '/') != NULL || access(word, F_OK) == 0 || strcmp(word, "-") == 0) {
		complain_of(command, error);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < n_machine_presets && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, ", %s",
					machine_presets[i].name);
	complain(command, "%s: expected a file or one of %s", word, names);
	return EXIT_FAILED;
}

static int read_file(struct machinesource *source, const char *command, const char *path)
{
	struct profile_error error = { .file = path };
	int status = wholefile_read(&source->file, path, &heap_env, check_size, &error);

	source->has_file = true;
	if (status != PROFILE_OK)
		return complain_of_word(command, path, &error);
	return parse(&source->machine, command, path, source->file.data, source->file.len);
}

int machinesource_read(struct machinesource *source, const char *command, const char *word,
		       bool quiet)
{
	const struct machine_preset *preset = machine_preset_find(word);

	source->has_file = false;
	if (strcmp(word, "host") == 0)
		return read_host(source, command, quiet);
	if (preset != NULL)
		return parse(&source->machine, command, preset->name, preset->text, preset->len);
	return read_file(source, command, word);
}

void machinesource_release(struct machinesource *source)
{
	if (source->has_file)
		wholefile_release(&source->file);
}
