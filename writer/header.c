/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of the file and of a part, and the line that looks like one at its end. */
#include "writer/escape.h"
#include "writer/order.h"
#include "writer/writer.h"

/* A line that may appear once; all that comes before it may be left out. */
static bool reach(struct writer *writer, enum stage stage)
{
	if (!proceed(writer, writer->stage < stage))
		return false;
	writer->stage = stage;
	return true;
}

/* The same, but the line may be repeated. */
static bool reach_again(struct writer *writer, enum stage stage)
{
	return writer->stage == stage ? proceed(writer, true) : reach(writer, stage);
}

/* The rest of a line of free text, after a blank if there is any. */
static void put_text_line(struct writer *writer, const char *text)
{
	size_t len = escape_trimmed_length(text);

	if (len > 0) {
		out_char(&writer->out, ' ');
		escape_text(&writer->out, text, len);
	}
	out_char(&writer->out, '\n');
}

static void put_number_line(struct writer *writer, const char *key, uint64_t value)
{
	out_text(&writer->out, key);
	out_decimal(&writer->out, value);
	out_char(&writer->out, '\n');
}

void writer_format(struct writer *writer)
{
	if (reach(writer, STAGE_FORMAT))
		out_text(&writer->out, "# callgrind format\n");
}

void writer_version(struct writer *writer)
{
	if (reach(writer, STAGE_VERSION))
		out_text(&writer->out, "version: 1\n");
}

void writer_creator(struct writer *writer, const char *creator)
{
	if (!reach(writer, STAGE_CREATOR))
		return;
	out_text(&writer->out, "creator:");
	put_text_line(writer, creator);
}

void writer_pid(struct writer *writer, uint64_t pid)
{
	if (reach(writer, STAGE_PID))
		put_number_line(writer, "pid: ", pid);
}

void writer_part(struct writer *writer, uint64_t part)
{
	if (reach(writer, STAGE_PART))
		put_number_line(writer, "part: ", part);
}

void writer_thread(struct writer *writer, uint64_t thread)
{
	if (reach(writer, STAGE_THREAD))
		put_number_line(writer, "thread: ", thread);
}

/* Length of an argument without the blanks at its end. */
static size_t blankless_length(const char *argument)
{
	size_t len = 0;

	for (size_t i = 0; argument[i]; i++)
		if (argument[i] != ' ')
			len = i + 1;
	return len;
}

void writer_cmd(struct writer *writer, const char *const *args, size_t n_args)
{
	if (!reach(writer, STAGE_CMD))
		return;
	out_text(&writer->out, "cmd:");
	while (n_args > 0 && blankless_length(args[n_args - 1]) == 0)
		n_args--;
	for (size_t i = 0; i < n_args; i++) {
		size_t len = blankless_length(args[i]);

		if (i + 1 < n_args)
			while (args[i][len])
				len++;
		out_char(&writer->out, ' ');
		escape_argument(&writer->out, args[i], len);
	}
	out_char(&writer->out, '\n');
}

void writer_command(struct writer *writer, const char *command)
{
	if (!reach(writer, STAGE_CMD))
		return;
	out_text(&writer->out, "cmd:");
	put_text_line(writer, command);
}

static bool is_desc_type(const char *type)
{
	for (size_t i = 0; type[i]; i++)
		if (type[i] == ':')
			return false;
	return escape_trimmed_length(type) > 0;
}

void writer_desc(struct writer *writer, const char *type, const char *value)
{
	if (!proceed(writer, is_desc_type(type)) || !reach_again(writer, STAGE_DESC))
		return;
	out_text(&writer->out, "desc: ");
	escape_text(&writer->out, type, escape_trimmed_length(type));
	out_char(&writer->out, ':');
	put_text_line(writer, value);
}

void writer_region(struct writer *writer, const struct region_line *region)
{
	struct out *out = &writer->out;
	size_t n = region->n_costs;

	if (!proceed(writer, n > 0) || !reach_again(writer, STAGE_DESC))
		return;
	out_text(out, "desc: Region: ");
	out_decimal(out, region->n_times);
	out_text(out, " times, ");
	out_decimal(out, region->n_threads);
	out_text(out, region->is_open ? " threads, not over, costs" : " threads, costs");
	while (n > 1 && region->costs[n - 1] == 0)
		n--;
	for (size_t i = 0; i < n; i++) {
		out_char(out, ' ');
		out_decimal(out, region->costs[i]);
	}
	out_text(out, ": ");
	escape_name(out, region->name, region->name_len);
	out_char(out, '\n');
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_event_name(const char *name)
{
	if (!is_letter(*name))
		return false;
	while (is_letter(*name) || is_digit(*name))
		name++;
	return *name == '\0';
}

/* Its grammar is the reader's affair, but it must not run into the long name. */
static bool is_formula(const char *formula)
{
	bool has_name = false;
	char last = ' ';

	for (; *formula; formula++) {
		last = *formula;
		if (is_letter(last))
			has_name = true;
		else if (!is_digit(last) && last != ' ' && last != '+' && last != '-' &&
			 last != '*')
			return false;
	}
	return has_name && last != ' ';
}

/* A blank in a name would move the columns. */
static bool is_column_name(const char *name)
{
	if (*name == '\0')
		return false;
	while (*name > ' ' && *name <= '~')
		name++;
	return *name == '\0';
}

void writer_event(struct writer *writer, const char *name, const char *formula,
		  const char *long_name)
{
	bool is_name = is_event_name(name) || (writer->foreign && is_column_name(name));

	if (!proceed(writer, is_name && (!formula || is_formula(formula))) ||
	    !reach_again(writer, STAGE_EVENT))
		return;
	out_text(&writer->out, "event: ");
	out_text(&writer->out, name);
	if (formula) {
		out_text(&writer->out, " = ");
		out_text(&writer->out, formula);
	}
	if (long_name)
		out_text(&writer->out, " :");
	put_text_line(writer, long_name ? long_name : "");
}

void writer_positions(struct writer *writer)
{
	if (!reach(writer, STAGE_POSITIONS))
		return;
	out_text(&writer->out, "positions:");
	if (writer->options.positions & POSITION_INSTR)
		out_text(&writer->out, " instr");
	if (writer->options.positions & POSITION_LINE)
		out_text(&writer->out, " line");
	out_char(&writer->out, '\n');
}

void writer_events(struct writer *writer, const char *const *names, size_t n_names)
{
	bool legal = n_names > 0;

	for (size_t i = 0; i < n_names; i++)
		legal = legal && is_column_name(names[i]);
	/* The default of readers, in every part, is "line". */
	if (writer->stage != STAGE_POSITIONS && writer->options.positions != POSITION_LINE)
		legal = false;
	if (!proceed(writer, legal) || !reach(writer, STAGE_EVENTS))
		return;
	writer->n_events = n_names;
	out_text(&writer->out, "events:");
	for (size_t i = 0; i < n_names; i++) {
		out_char(&writer->out, ' ');
		out_text(&writer->out, names[i]);
	}
	out_char(&writer->out, '\n');
}

void writer_summary(struct writer *writer, const uint64_t *costs)
{
	if (!proceed(writer, writer->stage == STAGE_EVENTS) || !reach(writer, STAGE_SUMMARY))
		return;
	out_text(&writer->out, "summary:");
	writer_put_costs(writer, costs, writer->n_events);
}

void writer_totals(struct writer *writer, const uint64_t *costs)
{
	if (!proceed(writer, writer->stage >= STAGE_EVENTS && writer->call == CALL_NONE) ||
	    !reach(writer, STAGE_TOTALS))
		return;
	out_text(&writer->out, "totals:");
	writer_put_costs(writer, costs, writer->n_events);
}
