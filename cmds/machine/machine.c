/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind machine: what a simulated machine consists of, and where each of its numbers comes from.  And machines by
 * name, for other commands.
 */
#define _GNU_SOURCE /* sched_getcpu() */
#include "cmds/machine/machine.h"

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/option.h"
#include "cmds/cli/outfile.h"
#include "cmds/emit/document.h"
#include "cmds/machine/measure.h"
#include "profile/common/heap.h"
#include "sim/machines/machinecosts.h"
#include "sim/machines/machinefile.h"
#include "sim/machines/phrase.h"

enum {
	VALUE_TEXT = 256,
	JSON_VERSION = 1,
};

/* -- machines by name ------------------------------------------------------------------------- */

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

/* The processor that this runs on at the moment. */
static uint32_t current_processor(void *data)
{
	int processor = sched_getcpu();

	(void)data;
	return processor >= 0 ? (uint32_t)processor : 0;
}

/* The text of a file that describes a cache. */
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

/* The host as processor and kernel describe it. */
static int read_told_host(struct machinesource *source, const char *command, bool quiet)
{
	static const char *const reasons[] = {
		[HOSTCACHES_KNOWN] = NULL,
		[HOSTCACHES_UNKNOWN] = "neither CPUID nor /sys describes them",
		[HOSTCACHES_DISAGREE] = "CPUID and /sys contradict each other",
		[HOSTCACHES_ABSURD] = "what CPUID or /sys says about them is impossible",
	};
	const struct hostcaches_access access = { cpuid_ask, current_processor, read_sys, NULL };
	struct hostcaches_witnesses witnesses;
	struct hostcaches caches;
	struct hostcaches_doubt doubt;
	struct processor_identity identity;
	enum hostcaches_verdict verdict = hostcaches_detect(&access, &witnesses, &caches, &doubt);
	const struct embedded_text *preset;
	int code;

	processor_identify(&identity, cpuid_ask, NULL);
	preset = machine_preset_find(hostmachine_base(&identity));
	assert(preset != NULL); /* a test checks that each exists */
	code = parse(&source->base, command, preset->name, preset->text, preset->len);
	if (code != EXIT_FINE)
		return code;
	if (verdict != HOSTCACHES_KNOWN && !quiet)
		warn(command, "the caches of this machine are unknown: %s; using the caches of %s",
		     reasons[verdict], preset->name);
	hostmachine_write(&source->host, &identity, verdict == HOSTCACHES_KNOWN ? &caches : NULL,
			  &source->base);
	return parse(&source->machine, command, "host", source->host.text, source->host.len);
}

/* -- files ------------------------------------------------------------------------------------- */

/* Stops reading what is too long for a machine. */
static int check_size(const struct wholefile *file, size_t n_new, struct profile_error *error)
{
	(void)n_new;
	return file->len <= MACHINEFILE_MAX_SIZE
		       ? PROFILE_OK
		       : profile_error_set(error, PROFILE_SYNTAX, "expected at most %d bytes",
					   MACHINEFILE_MAX_SIZE);
}

/* A word without a slash that is no file was probably meant as a name. */
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
	int status = wholefile_read(&source->file, path, check_size, &error);

	source->has_file = true;
	if (status != PROFILE_OK)
		return complain_of_word(command, path, &error);
	return parse(&source->machine, command, path, source->file.data, source->file.len);
}

/* Where the machine that was measured of this processor is kept; NULL if nowhere. To be freed. */
static char *find_measured(void)
{
	struct processor_identity identity;
	char cpuinfo[CPUINFO_SIZE] = "";
	struct phrase path = { heap_alloc(MEASURED_PATH_SIZE), MEASURED_PATH_SIZE, 0 };
	int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		const ssize_t len = read(fd, cpuinfo, sizeof(cpuinfo) - 1);

		cpuinfo[len > 0 ? len : 0] = '\0';
		close(fd);
	}
	processor_identify(&identity, cpuid_ask, NULL);
	if (hostmachine_measured_path(&path, getenv("XDG_CACHE_HOME"), getenv("HOME"), &identity,
				      cpuinfo))
		return path.text;
	free(path.text);
	return NULL;
}

/* Reads what was measured; false, with a warning, if it is no machine: it may be of another version. */
static bool read_measured(struct machinesource *source, const char *command, const char *path,
			  bool quiet)
{
	struct profile_error error = { .file = path };
	struct machinefile_error wrong;
	char message[MACHINEFILE_MESSAGE_SIZE];

	if (wholefile_read(&source->file, path, check_size, &error) != PROFILE_OK) {
		wholefile_release(&source->file);
		return false;
	}
	source->has_file = true;
	if (machinefile_parse(&source->machine, source->file.data, source->file.len, &wrong))
		return true;
	machinefile_explain(&wrong, source->file.data, message, sizeof(message));
	if (!quiet)
		warn(command, "%s:%" PRIu32 ":%" PRIu32 ": %s", path, wrong.line, wrong.column,
		     message);
	return false;
}

/* As measured, else as the processor reports it. */
static int read_host(struct machinesource *source, const char *command, bool quiet)
{
	char *path = find_measured();
	const bool is_measured = path != NULL && access(path, R_OK) == 0 &&
				 read_measured(source, command, path, quiet);

	free(path);
	return is_measured ? EXIT_FINE : read_told_host(source, command, quiet);
}

bool machine_should_be_measured(void)
{
	struct processor_identity identity;
	struct machinesource source = { .has_file = false };
	const struct machinefile_item *last;
	char *path;
	bool is_measured;

	processor_identify(&identity, cpuid_ask, NULL);
	if (!identity.is_virtual)
		return false;
	path = find_measured();
	is_measured = path == NULL || access(path, R_OK) == 0;
	free(path);
	if (is_measured || read_told_host(&source, "machine", true) != EXIT_FINE)
		return false;
	last = machinefile_find(&source.machine, MACHINE_L3);
	return last != NULL && last->values[CACHE_SIZE] >= HOSTMACHINE_LARGE_L3;
}

int machinesource_read(struct machinesource *source, const char *command, const char *word,
		       bool quiet)
{
	const struct embedded_text *preset = machine_preset_find(word);

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

static const char command[] = "machine";

/* -- the document ----------------------------------------------------------------------------- */

static struct cell span_cell(const struct machinefile *machine, struct machinefile_span span)
{
	return cell_text(machine->text + span.offset, span.len);
}

/* A field as it is written, but a policy, whose case does not matter, in lower case. */
static void put_word(struct phrase *phrase, const struct machinefile *machine,
		     const struct machinefile_item *item, unsigned f)
{
	const char *word = machine->text + item->words[f].offset;

	if (machinefile_rows[item->kind].fields[f].form == FORM_POLICY)
		phrase_lower(phrase, word, item->words[f].len);
	else
		phrase_bytes(phrase, word, item->words[f].len);
}

static bool is_given(const struct machinefile_item *item, unsigned f)
{
	return (item->given & 1U << f) != 0;
}

/*
 * For people a line is a row: what it is about, its keyword and, of prefetchers and latencies, where; its other fields, in one
 * text; the names of those that are assumed.
 */
static void put_item(struct document *document, void *ctx, size_t i)
{
	const struct machinefile *machine = ctx;
	const struct machinefile_item *item = &machine->items[i];
	const struct machinefile_row *row = &machinefile_rows[item->kind];
	const unsigned n_key = row->n_key > 0;
	char what_text[VALUE_TEXT] = "", value_text[VALUE_TEXT] = "", assumed_text[VALUE_TEXT] = "";
	struct phrase what = { what_text, VALUE_TEXT, 0 };
	struct phrase value = { value_text, VALUE_TEXT, 0 };
	struct phrase assumed = { assumed_text, VALUE_TEXT, 0 };

	phrase_text(&what, row->keyword);
	for (unsigned f = 0; f < row->n_fields; f++) {
		if (f < n_key) {
			phrase_text(&what, " ");
			phrase_bytes(&what, machine->text + item->words[f].offset,
				     item->words[f].len);
		} else if (is_given(item, f)) {
			phrase_text(&value, value.len > 0 ? ", " : "");
			if (row->fields[f].is_named) {
				phrase_text(&value, row->fields[f].name);
				phrase_text(&value, "=");
			}
			put_word(&value, machine, item, f);
			if (row->fields[f].unit != NULL)
				phrase_text(&value, row->fields[f].unit);
		}
		if ((item->assumed & 1U << f) != 0) {
			phrase_text(&assumed, assumed.len > 0 ? " " : "");
			phrase_text(&assumed, row->fields[f].name);
		}
	}
	document_cell(document, cell_string(row->keyword));
	document_cell(document, cell_string(what_text));
	document_cell(document, cell_string(value_text));
	document_cell(document, cell_string(assumed_text));
	document_cell(document, span_cell(machine, item->source));
}

/* For programs each field has its name: numbers as such, all else as a text. */
static void put_fields(struct document *document, void *ctx, size_t i)
{
	const struct machinefile *machine = ctx;
	const struct machinefile_item *item = &machine->items[i];
	const struct machinefile_row *row = &machinefile_rows[item->kind];
	const char *assumed[MACHINEFILE_MAX_FIELDS];
	size_t n_assumed = 0;

	for (unsigned f = 0; f < row->n_fields; f++) {
		const enum machinefile_form form = row->fields[f].form;
		char text[VALUE_TEXT] = "";
		struct phrase word = { text, sizeof(text), 0 };

		if (!is_given(item, f))
			continue;
		put_word(&word, machine, item, f);
		document_value(document, row->fields[f].name,
			       form == FORM_SIZE || form == FORM_COUNT ? cell_count(item->values[f])
								       : cell_string(text));
		if ((item->assumed & 1U << f) != 0)
			assumed[n_assumed++] = row->fields[f].name;
	}
	document_value(document, "assumed", cell_list(assumed, n_assumed));
	document_value(document, "source", span_cell(machine, item->source));
}

/* Costs that --cycles=yes takes to be usual, as the machine's text does not say them; without a core, there are no cycles. */
static void put_unsaid(struct document *document, const struct machinefile *machine)
{
	char text[VALUE_TEXT] = "";
	struct phrase phrase = { text, sizeof(text), 0 };
	struct machinecosts costs;

	machinecosts_read(&costs, machine);
	if (!costs.core || !machinecosts_put_unsaid(&costs, &phrase))
		return;
	document_value(document, "unsaid", cell_string(text));
	document_prose(document, "\nNot said, and taken to be, for --cycles=yes: %s\n", text);
}

static void print_machine(const struct machinefile *machine, const struct document_backend *backend,
			  FILE *out)
{
	static const struct document_column columns[] = {
		{ .key = "item" },
		{ .title = "what", .is_left = true },
		{ .title = "value", .is_left = true },
		{ .title = "assumed", .is_left = true },
		{ .title = "from" },
	};
	const struct cell description = span_cell(machine, machine->description);
	struct document document;

	document_begin(&document, backend, out, NULL, 0, 0);
	document_value(&document, "format", cell_string("costgrind-machine"));
	document_value(&document, "version", cell_count(JSON_VERSION));
	document_value(&document, "name", cell_string(machine->name));
	document_value(&document, "description", description);
	document_value(&document, "assumes", cell_bool(machinefile_assumes(machine)));
	document_words(&document, machine->name);
	document_prose(&document, "%s", description.text.len > 0 ? ": " : "");
	document_styled(&document, STYLE_PLAIN, description.text.data, description.text.len);
	document_prose(&document, "\n\n");
	document_view(&document, &(struct document_view){
					 .table = { .key = "items",
						    .columns = columns,
						    .n = sizeof(columns) / sizeof(columns[0]) },
					 .n_rows = machine->n_items,
					 .put_row = put_item,
					 .put_details = put_fields,
					 .ctx = document_view_ctx(machine),
				 });
	put_unsaid(&document, machine);
	document_end(&document);
}

static void put_machine_rows(struct document *document, void *ctx)
{
	struct machinefile *machine = ctx;
	struct machinefile_error error;

	document_cell(document, cell_string("host"));
	document_cell(document, cell_none);
	document_cell(document, cell_string("this computer, as its processor describes itself"));
	for (size_t i = 0; i < n_machine_presets; i++) {
		const struct embedded_text *preset = &machine_presets[i];

		/* (Tests see that they are machines.) */
		if (!machinefile_parse(machine, preset->text, preset->len, &error))
			continue;
		document_cell(document, cell_string(preset->name));
		document_cell(document, cell_bool(machinefile_assumes(machine)));
		document_cell(document, span_cell(machine, machine->description));
	}
}

static void print_all(const struct document_backend *backend, FILE *out)
{
	static const struct document_column columns[] = {
		{ .title = "machine", .key = "name", .is_left = true },
		{ .key = "assumes" },
		{ .title = "what it is", .key = "description" },
	};
	struct machinefile machine;
	const struct document_table table = {
		.key = "machines",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_machine_rows,
		.ctx = &machine,
	};
	struct document document;

	document_begin(&document, backend, out, NULL, 0, 0);
	document_value(&document, "format", cell_string("costgrind-machines"));
	document_value(&document, "version", cell_count(JSON_VERSION));
	document_table(&document, &table);
	document_prose(&document,
		       "\n`costgrind machine NAME` shows one; with --format=file it is a "
		       "file to be changed.\n");
	document_end(&document);
}

struct machine_choice {
	struct option_common common;
	const struct document_backend *backend; /* NULL = the machine's own text */
	const char *output;                     /* NULL = standard output */
	bool measures;
};

/* -- options --------------------------------------------------------------------------------- */

const struct option_rule machine_options[] = {
	{ "--format", 0, OPTION_VALUE, "text|json|file",
	  "Print a table, JSON, or a machine's file, comments and all [text]",
	  OPTION_FORMAT(struct machine_choice, backend) },
	{ "--measure", 0, OPTION_FLAG, NULL,
	  "Measure this computer, and keep that for --machine=host;\nwith -o, keep it in FILE instead",
	  OPTION_BOOL(struct machine_choice, measures) },
	{ "--output", 'o', OPTION_VALUE, "FILE", "Write to FILE",
	  OPTION_TEXT(struct machine_choice, output, "the name of a file") },
	{ .name = NULL },
};

/* -- for shells ------------------------------------------------------------------------------ */

bool machine_word_at(size_t i, const char **word, const char **text)
{
	static const char *const own[][2] = {
		{ "host", "this computer, as its processor describes itself" },
		{ "help", "list the machines" },
	};
	const size_t n_own = sizeof(own) / sizeof(own[0]);
	const struct embedded_text *preset;
	struct machinefile_error error;
	struct machinefile machine;

	if (i < n_own) {
		*word = own[i][0];
		*text = own[i][1];
		return true;
	}
	if (i - n_own >= n_machine_presets)
		return false;
	preset = &machine_presets[i - n_own];
	*word = preset->name;
	/* The description is the rest of the line "machine NAME DESCRIPTION". */
	*text = machinefile_parse(&machine, preset->text, preset->len, &error)
			? preset->text + machine.description.offset
			: "";
	return true;
}

/* -- work ------------------------------------------------------------------------------------ */

/* machine: NULL for the list of all. */
static int print(const struct machine_choice *choice, const struct machinefile *machine)
{
	struct printout printout;

	if (!printout_open(&printout, command, choice->output,
			   choice->backend == &document_text && !choice->common.no_pager))
		return EXIT_FAILED;
	if (choice->backend == NULL)
		fwrite(machine->text, 1, machine->len, printout.out);
	else if (machine != NULL)
		print_machine(machine, choice->backend, printout.out);
	else
		print_all(choice->backend, printout.out);
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

/* Makes the folders that a path leads through; what fails shows when the file is opened. */
static void make_folders(char *path)
{
	for (char *at = path + 1; *at != '\0'; at++)
		if (*at == '/') {
			*at = '\0';
			mkdir(path, 0777);
			*at = '/';
		}
}

static int write_measured(const char *path, const char *text, size_t len)
{
	struct printout printout;

	if (!printout_open(&printout, command, path, false))
		return EXIT_FAILED;
	fwrite(text, 1, len, printout.out);
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

/* True if the file can be written; else with a message, before half a minute is spent on it. */
static bool can_write(const char *path)
{
	struct outfile file;
	const int error = outfile_open(&file, command, path);

	if (error == 0) {
		outfile_discard(&file);
		return true;
	}
	complain(command, "%s: %s", path, outfile_reason(error));
	return false;
}

/* Measures, keeps that, and shows it. */
static int measure(struct machine_choice *choice, struct machinesource *source)
{
	const bool is_named = choice->output != NULL;
	char *path = is_named ? heap_copy(choice->output) : find_measured();
	char *text = NULL;
	size_t len;
	int code;

	choice->output = NULL;
	if (path == NULL) {
		complain(command, "--measure: expected a home folder, or --output=FILE");
		return EXIT_FAILED;
	}
	if (!is_named)
		make_folders(path);
	code = can_write(path) ? read_told_host(source, command, choice->common.quiet)
			       : EXIT_FAILED;
	if (code == EXIT_FINE && !choice->common.quiet)
		fprintf(stderr,
			"costgrind %s: measuring takes half a minute, or two if other programs "
			"disturb it\n",
			command);
	if (code == EXIT_FINE)
		code = machine_measure(&source->machine, command, choice->common.quiet, &text,
				       &len);
	if (code == EXIT_FINE)
		code = parse(&source->machine, command, path, text, len);
	if (code == EXIT_FINE)
		code = write_measured(path, text, len);
	if (code == EXIT_FINE && !choice->common.quiet)
		code = print(choice, &source->machine);
	if (code == EXIT_FINE && !choice->common.quiet)
		fprintf(stderr, "costgrind %s: kept in %s\n", command, path);
	free(text);
	free(path);
	return code;
}

int machine_main(int argc, char **argv)
{
	struct machine_choice choice = { .backend = &document_text };
	int n = 0, code = options_read(machine_options, &choice.common, argv, &n, &choice);
	struct machinesource *source;

	(void)argc;
	if (code != OPTIONS_GO_ON)
		return code;
	if (n > 1) {
		complain(command, "%s: expected one machine at most", argv[2]);
		return EXIT_USAGE;
	}
	if (n == 1 && strcmp(argv[1], "help") == 0) {
		if (choice.backend)
			return print(&choice, NULL);
		complain(command, "help: expected --format=text or json");
		return EXIT_USAGE;
	}
	if (choice.measures && n == 1 && strcmp(argv[1], "host") != 0) {
		complain(command, "%s: expected no machine, or host, with --measure", argv[1]);
		return EXIT_USAGE;
	}
	source = heap_zeroed(1, sizeof(*source));
	if (choice.measures) {
		code = measure(&choice, source);
	} else {
		code = machinesource_read(source, command, n == 0 ? "host" : argv[1],
					  choice.common.quiet);
		if (code == EXIT_FINE)
			code = print(&choice, &source->machine);
	}
	machinesource_release(source);
	free(source);
	return code;
}
