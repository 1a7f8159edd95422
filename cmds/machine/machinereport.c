/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine, and the list of machines, as documents. */
#include <inttypes.h>
#include <string.h>

#include "cmds/machine/machine.h"
#include "sim/machines/machinecosts.h"
#include "sim/machines/phrase.h"
#include "sim/machines/presets.h"

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

bool machine_print(const struct machinefile *machine, const struct document_backend *backend,
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
	return document_end(&document);
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

bool machine_print_all(const struct document_backend *backend, FILE *out)
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
	return document_end(&document);
}
