/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind machine: what a simulated machine consists of, and where each of its numbers comes from. */
#include "cmds/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/option.h"
#include "cmds/cli/outfile.h"
#include "cmds/emit/document.h"
#include "profile/common/heap.h"
#include "sim/machines/machinecosts.h"
#include "sim/machines/phrase.h"
#include "sim/machines/presets.h"

static const char command[] = "machine";

enum {
	VALUE_TEXT = 256,
	JSON_VERSION = 1,
};

static struct cell span_cell(const struct machinefile *machine, struct machinefile_span span)
{
	return cell_text(machine->text + span.offset, span.len);
}

/* A field as it is written; a policy, of which case says nothing, in small letters. */
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

/* -- for people ------------------------------------------------------------------------------ */

/* Numbers that say nothing without a word: 8-way, 64 entries, 12 cycles. */
static const char *unit_of(const struct machinefile_row *row, unsigned f)
{
	static const struct {
		const char *field, *unit;
	} units[] = {
		{ "ways", "-way" },
		{ "entries", " entries" },
		{ "cycles", " cycles" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(row->fields[f].name, units[i].field) == 0)
			return units[i].unit;
	return "";
}

/* All fields but the first n, as a text. */
static void format_value(char *text, const struct machinefile *machine,
			 const struct machinefile_item *item, unsigned n)
{
	const struct machinefile_row *row = &machinefile_rows[item->kind];
	struct phrase phrase = { text, VALUE_TEXT, 0 };

	text[0] = '\0';
	for (unsigned f = n; f < row->n_fields; f++) {
		if (!is_given(item, f))
			continue;
		if (phrase.len > 0)
			phrase_text(&phrase, ", ");
		if (row->fields[f].is_named) {
			phrase_text(&phrase, row->fields[f].name);
			phrase_text(&phrase, "=");
		}
		put_word(&phrase, machine, item, f);
		phrase_text(&phrase, unit_of(row, f));
	}
}

/* The names of what is assumed, with blanks between. */
static void format_assumed(char *text, const struct machinefile_item *item)
{
	const struct machinefile_row *row = &machinefile_rows[item->kind];
	struct phrase phrase = { text, VALUE_TEXT, 0 };

	text[0] = '\0';
	for (unsigned f = 0; f < row->n_fields; f++) {
		if ((item->assumed & 1U << f) == 0)
			continue;
		if (phrase.len > 0)
			phrase_text(&phrase, " ");
		phrase_text(&phrase, row->fields[f].name);
	}
}

/* What a line is about: its keyword, and of prefetchers and latencies where. */
static void format_item(char *text, const struct machinefile *machine,
			const struct machinefile_item *item, unsigned n)
{
	struct phrase phrase = { text, VALUE_TEXT, 0 };

	text[0] = '\0';
	phrase_text(&phrase, machinefile_rows[item->kind].keyword);
	for (unsigned f = 0; f < n; f++) {
		phrase_text(&phrase, " ");
		phrase_bytes(&phrase, machine->text + item->words[f].offset, item->words[f].len);
	}
}

static void put_item_rows(struct document *document, void *ctx)
{
	const struct machinefile *machine = ctx;

	for (size_t i = 0; i < machine->n_items; i++) {
		const struct machinefile_item *item = &machine->items[i];
		const unsigned n = machinefile_rows[item->kind].n_key > 0;
		char what[VALUE_TEXT], value[VALUE_TEXT], assumed[VALUE_TEXT];

		format_item(what, machine, item, n);
		format_value(value, machine, item, n);
		format_assumed(assumed, item);
		document_cell(document, cell_string(what));
		document_cell(document, cell_string(value));
		document_cell(document, cell_string(assumed));
		document_cell(document, span_cell(machine, item->source));
	}
}

static void put_items_for_people(struct document *document, const struct machinefile *machine)
{
	static const struct document_column columns[] = {
		{ .title = "what", .is_left = true },
		{ .title = "value", .is_left = true },
		{ .title = "assumed", .is_left = true },
		{ .title = "from" },
	};
	struct machinefile copy = *machine;
	const struct document_table table = {
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_item_rows,
		.ctx = &copy,
	};

	document_table(document, &table);
}

/* -- for programs ------------------------------------------------------------------------------ */

/* A field by its name: numbers as such, all else as a text. */
static void put_field(struct document *document, const struct machinefile *machine,
		      const struct machinefile_item *item, unsigned f)
{
	const struct machinefile_field *field = &machinefile_rows[item->kind].fields[f];
	const bool is_number = field->form == FORM_SIZE || field->form == FORM_COUNT;
	char word[VALUE_TEXT] = "";
	struct phrase phrase = { word, sizeof(word), 0 };

	put_word(&phrase, machine, item, f);
	document_value(document, field->name,
		       is_number ? cell_count(item->values[f]) : cell_string(word));
}

static void put_items_for_programs(struct document *document, const struct machinefile *machine)
{
	static const struct document_column columns[] = { { .key = "item" } };
	static const struct document_table table = {
		.key = "items",
		.columns = columns,
		.n = 1,
		.is_open = true,
	};

	document_begin_rows(document, &table);
	for (size_t i = 0; i < machine->n_items; i++) {
		const struct machinefile_item *item = &machine->items[i];
		const struct machinefile_row *row = &machinefile_rows[item->kind];
		const char *assumed[MACHINEFILE_MAX_FIELDS];
		size_t n_assumed = 0;

		document_cell(document, cell_string(row->keyword));
		for (unsigned f = 0; f < row->n_fields; f++) {
			if (!is_given(item, f))
				continue;
			put_field(document, machine, item, f);
			if ((item->assumed & 1U << f) != 0)
				assumed[n_assumed++] = row->fields[f].name;
		}
		document_value(document, "assumed", cell_list(assumed, n_assumed));
		document_value(document, "source", span_cell(machine, item->source));
		document_end_row(document);
	}
	document_end_rows(document);
}

/* What cycles are counted by though the machine's text does not say it; of a machine without a core, none are. */
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

/* -- both -------------------------------------------------------------------------------------- */

static void print_machine(const struct machinefile *machine, const struct document_backend *backend,
			  FILE *out)
{
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
	if (document_is_prose(&document))
		put_items_for_people(&document, machine);
	else
		put_items_for_programs(&document, machine);
	put_unsaid(&document, machine);
	document_end(&document);
}

static void put_machine(struct document *document, const char *name, struct cell description,
			struct cell assumes)
{
	document_cell(document, cell_string(name));
	document_cell(document, assumes);
	document_cell(document, description);
}

static void put_machine_rows(struct document *document, void *ctx)
{
	struct machinefile *machine = ctx;
	struct machinefile_error error;

	put_machine(document, "host",
		    cell_string("this computer, as its processor describes itself"), cell_none);
	for (size_t i = 0; i < n_machine_presets; i++) {
		const struct machine_preset *preset = &machine_presets[i];

		/* (Tests see that they are machines.) */
		if (machinefile_parse(machine, preset->text, preset->len, &error))
			put_machine(document, preset->name,
				    span_cell(machine, machine->description),
				    cell_bool(machinefile_assumes(machine)));
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
};

/* -- options --------------------------------------------------------------------------------- */

static const char *set_format(void *ctx, const char *value)
{
	static const char *const words[] = { "text", "json", "file", NULL };
	static const struct document_backend *const backends[] = { &document_text, &document_json,
								   NULL };
	int word = option_word(value, words);

	if (word < 0)
		return "text, json or file";
	((struct machine_choice *)ctx)->backend = backends[word];
	return NULL;
}

static const char *set_output(void *ctx, const char *value)
{
	((struct machine_choice *)ctx)->output = value;
	return *value ? NULL : "the name of a file";
}

const struct option_rule machine_options[] = {
	{ "--format", 0, OPTION_VALUE, "text|json|file",
	  "a table, JSON, or a machine's file, comments and all [text]", set_format },
	{ "--output", 'o', OPTION_VALUE, "FILE", "write to FILE", set_output },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- for shells ------------------------------------------------------------------------------ */

/* The description of a preset is the rest of its line "machine NAME DESCRIPTION". */
static const char *describe(const struct machine_preset *preset)
{
	struct machinefile machine;
	struct machinefile_error error;

	return machinefile_parse(&machine, preset->text, preset->len, &error)
		       ? preset->text + machine.description.offset
		       : "";
}

bool machine_word_at(size_t i, const char **word, const char **text)
{
	static const char *const own[][2] = {
		{ "host", "this computer, as its processor describes itself" },
		{ "help", "list the machines" },
	};
	const size_t n_own = sizeof(own) / sizeof(own[0]);

	if (i < n_own) {
		*word = own[i][0];
		*text = own[i][1];
		return true;
	}
	if (i - n_own >= n_machine_presets)
		return false;
	*word = machine_presets[i - n_own].name;
	*text = describe(&machine_presets[i - n_own]);
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

static int show(const struct machine_choice *choice, const char *word)
{
	struct machinesource *source = heap_alloc(sizeof(*source));
	int code = machinesource_read(source, command, word, choice->common.quiet);

	if (code == EXIT_FINE)
		code = print(choice, &source->machine);
	machinesource_release(source);
	free(source);
	return code;
}

int machine_main(int argc, char **argv)
{
	struct machine_choice choice = { .backend = &document_text };
	int n = 0, code = options_read(machine_options, &choice.common, argv, &n, &choice);

	(void)argc;
	if (code != OPTIONS_GO_ON)
		return code;
	if (n > 1) {
		complain(command, "%s: expected one machine at most", argv[2]);
		return EXIT_USAGE;
	}
	if (n == 0 || strcmp(argv[1], "help") != 0)
		return show(&choice, n == 0 ? "host" : argv[1]);
	if (choice.backend == NULL) {
		complain(command, "help: expected --format=text or json");
		return EXIT_USAGE;
	}
	return print(&choice, NULL);
}
