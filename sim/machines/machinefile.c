/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two passes: each line is read by its row of the table, in the order of the text; then lines are
 * checked against each other.  The first error ends it.  Errors are placed by the offset of what was
 * found, from which line and column are counted only then.
 */
#include "sim/machines/machinefile.h"

#include "sim/branches/predictor.h"
#include "sim/core/instructiontable.h"
#include "sim/machines/phrase.h"

/* -- keys ------------------------------------------------------------------------------------ */

#define MAX_CACHE_SIZE (UINT64_C(4) << 30)

enum {
	MAX_WAYS = 1024,
	MAX_LINE_SIZE = 1024,
	MAX_DISTANCE = 256, /* lines */
	MAX_ENTRIES = 1 << 20,
	MAX_WIDTH = 64,
	MAX_CYCLES = 100000,
};

static const char *const caches_words[] = { "host-two-levels", NULL };
static const char *const relation_words[] = {
	[INCLUSION_NINE] = "nine", [INCLUSION_INCLUSIVE] = "inclusive", [INCLUSION_VICTIM] = "victim", NULL
};
static const char *const level_words[] = {
	[LEVEL_IS_L1D] = "L1D", [LEVEL_IS_L2] = "L2", [LEVEL_IS_L3] = "L3", [LEVEL_IS_L4] = "L4", NULL
};
static const char *const prefetcher_words[] = { [PREFETCH_NEXT_LINE] = "next-line",
						[PREFETCH_ADJACENT_LINE] = "adjacent",
						[PREFETCH_STREAM] = "stream",
						[PREFETCH_IP_STRIDE] = "ip-stride",
						NULL };
static const char *const model_words[] = {
	[BRANCH_CACHEGRIND] = "cachegrind", [BRANCH_TAGE8K] = "tage8k", [BRANCH_TAGE64K] = "tage64k", NULL
};
static const char *const cost_words[] = { [COST_L1D] = "L1D",
					  [COST_L2] = "L2",
					  [COST_L3] = "L3",
					  [COST_L4] = "L4",
					  [COST_MEMORY] = "memory",
					  [COST_MISPREDICT] = "mispredict",
					  [COST_STLB] = "STLB",
					  [COST_WALK] = "walk",
					  [COST_FORWARD] = "forward",
					  [COST_STREAM] = "stream",
					  [COST_TRANSFER] = "transfer",
					  [COST_JUMP] = "jump",
					  [COST_BTB] = "btb",
					  [COST_RENAMED] = "renamed",
					  [COST_CALL] = "call",
					  [COST_CORE] = "core",
					  NULL };
static const char *const roof_words[] = { [ROOF_SINGLE] = "single", [ROOF_DOUBLE] = "double",
					  [ROOF_L1D] = "L1D",       [ROOF_L2] = "L2",
					  [ROOF_L3] = "L3",         [ROOF_L4] = "L4",
					  [ROOF_MEMORY] = "memory", NULL };

/* Columns of the table. */
/* clang-format off */
#define SIZE(from, to)  .form = FORM_SIZE, .least = (from), .most = (to)
#define COUNT(from, to) .form = FORM_COUNT, .least = (from), .most = (to)
#define WORD(list)      .form = FORM_WORD, .words = (list)
#define OPTIONAL        .is_optional = true
#define NAMED           .is_optional = true, .is_named = true

/* The first level has no level above it, and generated code finds its sets. */
#define FIRST_LEVEL 3, { \
	[CACHE_SIZE] = { "size", SIZE(1, MAX_CACHE_SIZE) }, \
	[CACHE_WAYS] = { "ways", COUNT(1, MAX_WAYS), .unit = "-way" }, \
	[CACHE_POLICY] = { "policy", .form = FORM_POLICY } }

#define LOWER_LEVEL 5, { \
	[CACHE_SIZE] = { "size", SIZE(1, MAX_CACHE_SIZE) }, \
	[CACHE_WAYS] = { "ways", COUNT(1, MAX_WAYS), .unit = "-way" }, \
	[CACHE_POLICY] = { "policy", .form = FORM_POLICY }, \
	[CACHE_RELATION] = { "relation", WORD(relation_words), OPTIONAL }, \
	[CACHE_INDEX] = { "index", .form = FORM_INDEX, NAMED } }

#define TLB 3, { \
	[TLB_ENTRIES] = { "entries", COUNT(1, 1 << 16), .unit = " entries" }, \
	[TLB_WAYS] = { "ways", COUNT(1, MAX_WAYS), .unit = "-way" }, \
	[TLB_PAGES] = { "pages", .form = FORM_PAGES } }

/* keyword, n_key, n_fields, the fields */
const struct machinefile_row machinefile_rows[N_MACHINE_KINDS] = {
	[MACHINE_LINE] = { "line", 0, 1, {
		[LINE_BYTES] = { "size", COUNT(GEOMETRY_MIN_LINE_SIZE, MAX_LINE_SIZE) } } },
	[MACHINE_CACHES] = { "caches", 0, 1, {
		[CACHES_WHICH] = { "which", WORD(caches_words) } } },
	[MACHINE_L1I] = { "L1I", 0, FIRST_LEVEL },
	[MACHINE_L1D] = { "L1D", 0, FIRST_LEVEL },
	[MACHINE_L2] = { "L2", 0, LOWER_LEVEL },
	[MACHINE_L3] = { "L3", 0, LOWER_LEVEL },
	[MACHINE_L4] = { "L4", 0, LOWER_LEVEL },
	[MACHINE_CORES] = { "cores", 0, 1, {
		[MACHINE_AMOUNT] = { "cores", COUNT(1, MACHINE_MAX_CORES), .usual = 1 } } },
	[MACHINE_ITLB] = { "ITLB", 0, TLB },
	[MACHINE_DTLB] = { "DTLB", 0, TLB },
	[MACHINE_STLB] = { "STLB", 0, TLB },
	[MACHINE_ISTLB] = { "ISTLB", 0, TLB },
	[MACHINE_PREFETCH] = { "prefetch", 2, 5, {
		[PREFETCH_LEVEL] = { "level", WORD(level_words) },
		[PREFETCH_KIND] = { "kind", WORD(prefetcher_words) },
		[PREFETCH_STREAMS] = { "streams", COUNT(1, PREFETCH_MAX_STREAMS), NAMED,
				       .usual = PREFETCH_DEFAULT_STREAMS },
		[PREFETCH_DISTANCE] = { "distance", COUNT(1, MAX_DISTANCE), NAMED,
					.usual = PREFETCH_DEFAULT_DISTANCE },
		[PREFETCH_DEGREE] = { "degree", COUNT(1, PREFETCH_MAX_LINES), NAMED } } },
	[MACHINE_BRANCH] = { "branch", 0, 1, {
		[BRANCH_MODEL] = { "model", WORD(model_words) } } },
	/* Where RAS and BTB are missing: the smallest of any processor with TAGE. */
	[MACHINE_RAS] = { "ras", 0, 1, {
		[MACHINE_AMOUNT] = { "entries", COUNT(1, RETURNS_MAX_DEPTH), .usual = 16, .unit = " entries" } } },
	[MACHINE_BTB] = { "btb", 0, 2, {
		[MACHINE_AMOUNT] = { "entries", COUNT(1, MAX_ENTRIES), .usual = 4096, .unit = " entries" },
		[BTB_FIRST] = { "first", COUNT(1, MAX_ENTRIES), NAMED } } },
	[MACHINE_ROB] = { "rob", 0, 1, {
		[MACHINE_AMOUNT] = { "entries", COUNT(1, MAX_ENTRIES), .usual = 224, .unit = " entries" } } },
	[MACHINE_WIDTH] = { "width", 0, 2, {
		[MACHINE_AMOUNT] = { "instructions", COUNT(1, MAX_WIDTH), .usual = 4 },
		[WIDTH_DECODED] = { "decoded", COUNT(1, MAX_WIDTH), NAMED } } },
	[MACHINE_CORE] = { "core", 0, 1, {
		[CORE_NAME] = { "core", WORD(core_names) } } },
	[MACHINE_FETCH] = { "fetch", 0, 1, {
		[MACHINE_AMOUNT] = { "bytes", COUNT(16, 128), .usual = 32 } } },
	/* The smallest of any processor in ten years. */
	[MACHINE_MISSES] = { "misses", 0, 2, {
		[MACHINE_AMOUNT] = { "lines", COUNT(1, 1024), .usual = 12 },
		[MISSES_SET] = { "set", COUNT(1, 1024), NAMED } } },
	[MACHINE_COST] = { "cost", 1, 2, {
		[COST_OF] = { "of", WORD(cost_words) },
		[COST_CYCLES] = { "cycles", COUNT(0, MAX_CYCLES), .unit = " cycles" } } },
	[MACHINE_ROOF] = { "roof", 1, 2, {
		[ROOF_OF] = { "of", WORD(roof_words) },
		[ROOF_AMOUNT] = { "most", COUNT(1, 65536) } } },
};
/* clang-format on */

/* Word w has the value w + 1, bits of enum tlb_page. */
static const char *const page_words[] = { "4K", "2M", "4K,2M" };

enum { N_PAGE_WORDS = sizeof(page_words) / sizeof(page_words[0]) };

_Static_assert(TLB_4K == 0 && TLB_2M == 1, "values of page_words");

/* -- messages ------------------------------------------------------------------------------- */

static void put_words(struct phrase *phrase, const char *const *words)
{
	for (size_t i = 0; words[i] != NULL; i++) {
		if (i > 0)
			phrase_text(phrase, words[i + 1] != NULL ? ", " : " or ");
		phrase_text(phrase, words[i]);
	}
}

void machinefile_explain(const struct machinefile_error *error, const char *text, char *message,
			 size_t size)
{
	enum { MOST = 60 }; /* bytes of what was found */
	struct phrase phrase = { message, size, 0 };
	struct machinefile_span found = error->found;

	message[0] = '\0';
	phrase_text(&phrase, "expected ");
	phrase_text(&phrase, error->expected);
	phrase_text(&phrase, ", found ");
	if (found.len == 0) {
		phrase_text(&phrase, "none");
		return;
	}
	phrase_char(&phrase, '\'');
	if (found.len > MOST)
		found.len = MOST;
	phrase_bytes(&phrase, text + found.offset, found.len);
	phrase_text(&phrase, found.len < error->found.len ? "...'" : "'");
}

/* -- reading -------------------------------------------------------------------------------- */

struct parser {
	struct machinefile *file;
	struct machinefile_error *error;
	const char *text;
	size_t end;    /* of the line at work, or of what is before its comment */
	size_t at;     /* in the text */
	uint32_t line; /* its number */
};

/*
 * Begins an error about some bytes of the text; none, at the end of a line or of the text, are where
 * they would be.  What was expected is the caller's to add, after which it returns false.
 */
static struct phrase begin_error(struct parser *parser, struct machinefile_span found)
{
	struct machinefile_error *error = parser->error;

	*error = (struct machinefile_error){ .line = 1, .column = 1, .found = found };
	for (uint32_t i = 0; i < found.offset; i++) {
		error->column++;
		if (parser->text[i] == '\n') {
			error->line++;
			error->column = 1;
		}
	}
	return (struct phrase){ error->expected, sizeof(error->expected), 0 };
}

static bool fail(struct parser *parser, struct machinefile_span found, const char *expected)
{
	struct phrase phrase = begin_error(parser, found);

	phrase_text(&phrase, expected);
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line; empty, and where the line ends, if there is none. */
static struct machinefile_span peek_word(const struct parser *parser)
{
	size_t from = parser->at, to;

	while (from < parser->end && is_blank(parser->text[from]))
		from++;
	for (to = from; to < parser->end && !is_blank(parser->text[to]);)
		to++;
	/* A missing word is reported after the last word, not after the blanks. */
	if (to == from)
		from = to = parser->at;
	return (struct machinefile_span){ (uint32_t)from, (uint32_t)(to - from) };
}

static void skip_word(struct parser *parser, struct machinefile_span word)
{
	parser->at = (size_t)word.offset + word.len;
}

static bool is_word(const struct parser *parser, struct machinefile_span span, const char *word)
{
	for (uint32_t i = 0; i < span.len; i++)
		if (word[i] == '\0' || parser->text[span.offset + i] != word[i])
			return false;
	return word[span.len] == '\0';
}

/* A decimal number; UINT64_MAX for one beyond 64 bits less one.  False if it is none. */
static bool read_number(const char *text, size_t len, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		uint64_t digit = (uint64_t)(text[i] - '0');

		*number = *number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *number * 10 + digit;
	}
	return len > 0;
}

static bool read_size(const char *text, size_t len, uint64_t *size)
{
	uint64_t unit = 1;

	if (len > 0 && text[len - 1] == 'K')
		unit = UINT64_C(1) << 10;
	else if (len > 0 && text[len - 1] == 'M')
		unit = UINT64_C(1) << 20;
	else if (len > 0 && text[len - 1] == 'G')
		unit = UINT64_C(1) << 30;
	if (!read_number(text, len - (unit != 1), size))
		return false;
	*size = *size > UINT64_MAX / unit ? UINT64_MAX : *size * unit;
	return true;
}

/* plain, hash, hash:SEED */
static bool read_index(const struct parser *parser, struct machinefile_span word, uint64_t *seed)
{
	static const char head[] = "hash:";
	const size_t head_len = sizeof(head) - 1;

	*seed = is_word(parser, word, "hash");
	if (*seed != 0 || is_word(parser, word, "plain"))
		return true;
	if (word.len <= head_len)
		return false;
	for (size_t i = 0; i < head_len; i++)
		if (parser->text[word.offset + i] != head[i])
			return false;
	return read_number(parser->text + word.offset + head_len, word.len - head_len, seed) &&
	       *seed != 0 && *seed != UINT64_MAX;
}

/* True if a word is a value of the field. */
static bool read_value(const struct parser *parser, const struct machinefile_field *field,
		       struct machinefile_span word, uint64_t *value)
{
	const char *text = parser->text + word.offset;
	struct policy policy;

	*value = 0;
	switch (field->form) {
	case FORM_SIZE:
		return read_size(text, word.len, value) && *value >= field->least &&
		       *value <= field->most;
	case FORM_COUNT:
		return read_number(text, word.len, value) && *value >= field->least &&
		       *value <= field->most;
	case FORM_WORD:
		while (field->words[*value] != NULL && !is_word(parser, word, field->words[*value]))
			(*value)++;
		return field->words[*value] != NULL;
	case FORM_PAGES:
		while (*value < N_PAGE_WORDS && !is_word(parser, word, page_words[*value]))
			(*value)++;
		return (*value)++ < N_PAGE_WORDS;
	case FORM_POLICY:
		return policy_named(&policy, text, word.len);
	case FORM_INDEX:
		return read_index(parser, word, value);
	}
	return false;
}

/* "ways, a number from 1 to 1024" */
static void put_field(struct phrase *phrase, const struct machinefile_field *field)
{
	phrase_text(phrase, field->name);
	phrase_text(phrase, field->is_named ? "=" : ", ");
	switch (field->form) {
	case FORM_SIZE:
		phrase_text(phrase, "a size from ");
		phrase_size(phrase, field->least);
		phrase_text(phrase, " to ");
		phrase_size(phrase, field->most);
		phrase_text(phrase, " (bytes, or with K, M or G)");
		break;
	case FORM_COUNT:
		phrase_text(phrase, "a number from ");
		phrase_number(phrase, field->least);
		phrase_text(phrase, " to ");
		phrase_number(phrase, field->most);
		break;
	case FORM_WORD:
		put_words(phrase, field->words);
		break;
	case FORM_PAGES:
		phrase_text(phrase, "4K, 2M or 4K,2M");
		break;
	case FORM_POLICY:
		phrase_text(phrase, POLICY_NAMES);
		break;
	case FORM_INDEX:
		phrase_text(phrase, "plain, hash or hash:SEED");
		break;
	}
}

static bool fail_field(struct parser *parser, struct machinefile_span found,
		       const struct machinefile_field *field)
{
	struct phrase phrase = begin_error(parser, found);

	put_field(&phrase, field);
	return false;
}

/* The field that the word "name=..." names; n_fields if there is none.  The word becomes its value. */
static unsigned find_named(const struct parser *parser, const struct machinefile_row *row,
			   struct machinefile_span *word)
{
	for (unsigned f = 0; f < row->n_fields; f++) {
		const char *name = row->fields[f].name;
		uint32_t n = 0;

		if (!row->fields[f].is_named)
			continue;
		while (n < word->len && name[n] != '\0' &&
		       name[n] == parser->text[word->offset + n])
			n++;
		if (name[n] != '\0' || n == word->len || parser->text[word->offset + n] != '=')
			continue;
		word->offset += n + 1;
		word->len -= n + 1;
		return f;
	}
	return row->n_fields;
}

/* What could replace a word that is no field of the row. */
static bool fail_rest(struct parser *parser, const struct machinefile_item *item,
		      struct machinefile_span found)
{
	const struct machinefile_row *row = &machinefile_rows[item->kind];
	struct phrase phrase = begin_error(parser, found);
	bool is_first = true;

	for (unsigned f = 0; f < row->n_fields; f++) {
		if ((item->given & 1U << f) != 0)
			continue;
		if (!is_first)
			phrase_text(&phrase, "; or ");
		put_field(&phrase, &row->fields[f]);
		is_first = false;
	}
	phrase_text(&phrase, is_first ? "no more" : "; or no more");
	return false;
}

/* The fields of a line; "assumed" may follow each. */
static bool read_fields(struct parser *parser, struct machinefile_item *item)
{
	const struct machinefile_row *row = &machinefile_rows[item->kind];
	unsigned next = 0, last = row->n_fields; /* the next one that has no name; the one before */

	for (;;) {
		struct machinefile_span word = peek_word(parser), whole = word;
		const bool is_needed = next < row->n_fields && !row->fields[next].is_optional;
		unsigned f = next;

		if (word.len == 0)
			return !is_needed || fail_field(parser, word, &row->fields[next]);
		skip_word(parser, word);
		if (is_word(parser, word, "assumed") && last < row->n_fields &&
		    (item->assumed & 1U << last) == 0) {
			item->assumed |= 1U << last;
			continue;
		}
		if (!is_needed)
			f = find_named(parser, row, &word);
		if (f == row->n_fields && next < row->n_fields && !row->fields[next].is_named)
			f = next;
		if (f == row->n_fields || (item->given & 1U << f) != 0)
			return fail_rest(parser, item, whole);
		if (!read_value(parser, &row->fields[f], word, &item->values[f]))
			return is_needed || row->fields[f].is_named
				       ? fail_field(parser, word, &row->fields[f])
				       : fail_rest(parser, item, whole);
		item->given |= 1U << f;
		item->words[f] = word;
		last = f;
		if (f == next)
			next++;
	}
}

static bool is_tlb(enum machinefile_kind kind)
{
	return kind >= MACHINE_ITLB && kind <= MACHINE_ISTLB;
}

/* True if two lines of a kind describe the same thing, so that only one may be there. */
static bool is_same(const struct machinefile_item *a, const struct machinefile_item *b)
{
	const struct machinefile_row *row = &machinefile_rows[a->kind];

	if (is_tlb(a->kind))
		return (a->values[TLB_PAGES] & b->values[TLB_PAGES]) != 0;
	for (unsigned f = 0; f < row->n_key; f++)
		if (a->values[f] != b->values[f])
			return false;
	return true;
}

static bool add_item(struct parser *parser, const struct machinefile_item *item,
		     struct machinefile_span keyword)
{
	struct machinefile *file = parser->file;

	for (size_t i = 0; i < file->n_items; i++) {
		if (file->items[i].kind != item->kind || !is_same(&file->items[i], item))
			continue;
		struct phrase phrase = begin_error(parser, keyword);

		phrase_text(&phrase, "something that line ");
		phrase_number(&phrase, file->items[i].line);
		phrase_text(&phrase, " has not said");
		return false;
	}
	if (file->n_items == MACHINEFILE_MAX_ITEMS) {
		struct phrase phrase = begin_error(parser, keyword);

		phrase_text(&phrase, "at most ");
		phrase_number(&phrase, MACHINEFILE_MAX_ITEMS);
		phrase_text(&phrase, " lines that are no comments");
		return false;
	}
	file->items[file->n_items++] = *item;
	return true;
}

static bool is_name_char(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       (!is_first && (c == '-' || c == '_' || c == '.'));
}

/* "machine NAME DESCRIPTION", after the keyword. */
static bool read_name(struct parser *parser)
{
	struct machinefile *file = parser->file;
	struct machinefile_span name = peek_word(parser);
	size_t from, to = parser->end;

	if (name.len == 0 || name.len >= MACHINEFILE_NAME_SIZE)
		return fail(parser, name, "a name of 1 to 31 characters");
	for (uint32_t i = 0; i < name.len; i++)
		if (!is_name_char(parser->text[name.offset + i], i == 0))
			return fail(parser, name,
				    "a name of a-z, 0-9, and after the first of these - _ .");
	for (uint32_t i = 0; i < name.len; i++)
		file->name[i] = parser->text[name.offset + i];
	file->name[name.len] = '\0';
	skip_word(parser, name);
	for (from = parser->at; from < to && is_blank(parser->text[from]);)
		from++;
	while (to > from && is_blank(parser->text[to - 1]))
		to--;
	file->description = (struct machinefile_span){ (uint32_t)from, (uint32_t)(to - from) };
	return true;
}

/* The comment of a line, from its first mark on; the line then ends before it. */
static struct machinefile_span cut_comment(struct parser *parser)
{
	size_t from = parser->at, to = parser->end;

	while (from < to && parser->text[from] != ';' && parser->text[from] != '#')
		from++;
	parser->end = from;
	while (from < to && (parser->text[from] == ';' || parser->text[from] == '#' ||
			     is_blank(parser->text[from])))
		from++;
	while (to > from && is_blank(parser->text[to - 1]))
		to--;
	return (struct machinefile_span){ (uint32_t)from, (uint32_t)(to - from) };
}

static bool fail_keyword(struct parser *parser, struct machinefile_span keyword)
{
	struct phrase phrase = begin_error(parser, keyword);

	for (unsigned kind = 0; kind < N_MACHINE_KINDS; kind++) {
		if (kind > 0)
			phrase_text(&phrase, kind + 1 < N_MACHINE_KINDS ? ", " : " or ");
		phrase_text(&phrase, machinefile_rows[kind].keyword);
	}
	return false;
}

/* A line from parser->at to parser->end. */
static bool read_line(struct parser *parser)
{
	const struct machinefile_span whole = { (uint32_t)parser->at,
						(uint32_t)(parser->end - parser->at) };
	struct machinefile_item item = { .line = parser->line };
	struct machinefile_span keyword;

	if (whole.len > MACHINEFILE_MAX_LINE) {
		struct phrase phrase = begin_error(parser, whole);

		phrase_text(&phrase, "a line of at most ");
		phrase_number(&phrase, MACHINEFILE_MAX_LINE);
		phrase_text(&phrase, " bytes");
		return false;
	}
	item.source = cut_comment(parser);
	keyword = peek_word(parser);
	if (keyword.len == 0)
		return true;
	skip_word(parser, keyword);
	if (parser->file->name[0] == '\0')
		return is_word(parser, keyword, "machine")
			       ? read_name(parser)
			       : fail(parser, keyword, "the line machine NAME before others");
	while (item.kind < N_MACHINE_KINDS &&
	       !is_word(parser, keyword, machinefile_rows[item.kind].keyword))
		item.kind++;
	if (item.kind == N_MACHINE_KINDS)
		return fail_keyword(parser, keyword);
	return read_fields(parser, &item) && add_item(parser, &item, keyword);
}

static bool read_lines(struct parser *parser, size_t len)
{
	size_t next;

	for (size_t start = 0; start < len; start = next) {
		parser->line++;
		parser->at = start;
		for (parser->end = start; parser->end < len && parser->text[parser->end] != '\n';)
			parser->end++;
		next = parser->end + 1;
		if (!read_line(parser))
			return false;
	}
	return true;
}

/* -- contradictions between lines -------------------------------------------------------------- */

const struct machinefile_item *machinefile_find(const struct machinefile *file,
						enum machinefile_kind kind)
{
	for (size_t i = 0; i < file->n_items; i++)
		if (file->items[i].kind == kind)
			return &file->items[i];
	return NULL;
}

static struct machinefile_span end_of_text(const struct parser *parser)
{
	return (struct machinefile_span){ (uint32_t)parser->file->len, 0 };
}

/* The end of the text, where a line of the kind is missing. */
static bool fail_missing(struct parser *parser, enum machinefile_kind kind, const char *why)
{
	struct phrase phrase = begin_error(parser, end_of_text(parser));

	phrase_text(&phrase, "a line ");
	phrase_text(&phrase, machinefile_rows[kind].keyword);
	phrase_text(&phrase, why);
	return false;
}

static bool is_power_of_two(uint64_t number)
{
	return (number & (number - 1)) == 0;
}

static bool check_cache(struct parser *parser, const struct machinefile_item *item,
			uint64_t line_size)
{
	const uint64_t size = item->values[CACHE_SIZE], ways = item->values[CACHE_WAYS];
	const bool is_first = item->kind == MACHINE_L1I || item->kind == MACHINE_L1D;
	const struct machinefile_span name = item->words[CACHE_POLICY];
	struct policy policy;
	struct phrase phrase;
	const char *misfit;

	if (size % (ways * line_size) != 0) {
		phrase = begin_error(parser, item->words[CACHE_SIZE]);
		phrase_text(&phrase, "a multiple of ways times line size, ");
		phrase_number(&phrase, ways);
		phrase_text(&phrase, " * ");
		phrase_number(&phrase, line_size);
		return false;
	}
	policy_named(&policy, parser->text + name.offset, name.len);
	misfit = policy_misfit(&policy, (uint32_t)ways);
	if (misfit != NULL) {
		phrase = begin_error(parser, name);
		phrase_text(&phrase, "a policy that goes with ");
		phrase_number(&phrase, ways);
		phrase_text(&phrase, " ways: ");
		phrase_text(&phrase, misfit);
		return false;
	}
	if (!is_first || is_power_of_two(size / (ways * line_size)))
		return true;
	phrase = begin_error(parser, item->words[CACHE_SIZE]);
	phrase_text(&phrase, "a first level whose number of sets is a power of two, not ");
	phrase_number(&phrase, size / (ways * line_size));
	return false;
}

static bool check_level(struct parser *parser, enum machinefile_kind kind)
{
	const struct machinefile_item *item = machinefile_find(parser->file, kind);
	const struct machinefile_item *above = machinefile_find(parser->file, kind - 1);
	const char *above_name = machinefile_rows[kind - 1].keyword;
	struct phrase phrase;

	if (item == NULL || kind == MACHINE_L1D)
		return true;
	if (above == NULL)
		return fail_missing(parser, kind - 1, ", since there is a level below it");
	if (item->values[CACHE_RELATION] == INCLUSION_VICTIM) {
		if (kind != MACHINE_L2)
			return true;
		return fail(parser, item->words[CACHE_RELATION],
			    "nine or inclusive: what the first level evicts is not kept");
	}
	if (item->values[CACHE_SIZE] >= above->values[CACHE_SIZE])
		return true;
	phrase = begin_error(parser, item->words[CACHE_SIZE]);
	phrase_text(&phrase, "a size of at least that of ");
	phrase_text(&phrase, above_name);
	phrase_text(&phrase, ", ");
	phrase_size(&phrase, above->values[CACHE_SIZE]);
	return false;
}

static bool check_caches(struct parser *parser)
{
	static const enum machinefile_kind needed[] = { MACHINE_LINE, MACHINE_L1I, MACHINE_L1D,
							MACHINE_L2 };
	const struct machinefile *file = parser->file;
	const struct machinefile_item *line = machinefile_find(file, MACHINE_LINE);
	const struct machinefile_item *host = machinefile_find(file, MACHINE_CACHES);

	for (unsigned kind = MACHINE_L1I; host != NULL && kind <= MACHINE_L4; kind++)
		if (machinefile_find(file, kind) != NULL)
			return fail(parser, host->words[CACHES_WHICH],
				    "no line caches alongside lines of caches");
	if (host != NULL)
		return line == NULL || fail(parser, line->words[LINE_BYTES],
					    "no line size alongside a line caches");
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (machinefile_find(file, needed[i]) == NULL)
			return fail_missing(parser, needed[i], "");
	if (!is_power_of_two(line->values[LINE_BYTES]))
		return fail(parser, line->words[LINE_BYTES], "a power of two");
	for (unsigned kind = MACHINE_L1I; kind <= MACHINE_L4; kind++) {
		const struct machinefile_item *item = machinefile_find(file, kind);

		if (item != NULL && !check_cache(parser, item, line->values[LINE_BYTES]))
			return false;
		if (kind > MACHINE_L1I && !check_level(parser, kind))
			return false;
	}
	return true;
}

static bool check_tlb(struct parser *parser, const struct machinefile_item *item)
{
	const bool is_second = item->kind == MACHINE_STLB || item->kind == MACHINE_ISTLB;
	const uint64_t ways = item->values[TLB_WAYS];
	struct phrase phrase;

	if (item->values[TLB_ENTRIES] % ways != 0) {
		phrase = begin_error(parser, item->words[TLB_ENTRIES]);
		phrase_text(&phrase, "a multiple of the ways, ");
		phrase_number(&phrase, ways);
		return false;
	}
	for (unsigned kind = MACHINE_ITLB; is_second && kind <= MACHINE_DTLB; kind++)
		if (machinefile_find(parser->file, kind) == NULL)
			return fail_missing(parser, kind, ", since there is a second level");
	if (item->kind == MACHINE_ISTLB && machinefile_find(parser->file, MACHINE_STLB) == NULL)
		return fail_missing(parser, MACHINE_STLB, " alongside ISTLB");
	return true;
}

static bool check_prefetcher(struct parser *parser, const struct machinefile_item *item)
{
	const uint64_t level = item->values[PREFETCH_LEVEL], kind = item->values[PREFETCH_KIND];
	const uint32_t of_streams = 1U << PREFETCH_STREAMS | 1U << PREFETCH_DISTANCE;
	const uint32_t wrong = kind == PREFETCH_STREAM          ? 1U << PREFETCH_DEGREE
			       : kind == PREFETCH_ADJACENT_LINE ? of_streams | 1U << PREFETCH_DEGREE
								: of_streams;

	const struct machinefile_item *cache =
		machinefile_find(parser->file, (enum machinefile_kind)(MACHINE_L1D + level));

	if (cache == NULL && machinefile_find(parser->file, MACHINE_CACHES) == NULL)
		return fail(parser, item->words[PREFETCH_LEVEL], "a level that the machine has");
	if (cache != NULL && cache->values[CACHE_RELATION] == INCLUSION_VICTIM)
		return fail(parser, item->words[PREFETCH_LEVEL], "a level that is no victim cache");
	if (kind == PREFETCH_IP_STRIDE && level != LEVEL_IS_L1D)
		return fail(parser, item->words[PREFETCH_LEVEL],
			    "L1D, where instructions are known");
	for (unsigned f = PREFETCH_STREAMS; f <= PREFETCH_DEGREE; f++)
		if ((item->given & wrong & 1U << f) != 0)
			return fail(parser, item->words[f],
				    kind == PREFETCH_ADJACENT_LINE
					    ? "no number: the other line is one"
				    : kind == PREFETCH_STREAM ? "streams= or distance= of a stream"
							      : "degree= of such a prefetcher");
	return true;
}

/* If caches come from the computer, so do their levels. */
static bool check_cost(struct parser *parser, const struct machinefile_item *item)
{
	const uint64_t of = item->values[COST_OF];
	const enum machinefile_kind kind =
		of == COST_STLB ? MACHINE_STLB : (enum machinefile_kind)(MACHINE_L1D + of);
	const bool is_of_host = machinefile_find(parser->file, MACHINE_CACHES) != NULL;

	if (item->values[COST_CYCLES] == 0 && of != COST_RENAMED)
		return fail(parser, item->words[COST_CYCLES], "1 cycle or more");
	if (of > COST_L4 && of != COST_STLB)
		return true;
	if ((is_of_host && of != COST_STLB) || machinefile_find(parser->file, kind) != NULL)
		return true;
	return fail(parser, item->words[COST_OF], "a level that the machine has");
}

static bool check_roof(struct parser *parser, const struct machinefile_item *item)
{
	const uint64_t of = item->values[ROOF_OF];
	const enum machinefile_kind kind = (enum machinefile_kind)(MACHINE_L1D + (of - ROOF_L1D));

	if (of < ROOF_L1D || of > ROOF_L4 ||
	    machinefile_find(parser->file, MACHINE_CACHES) != NULL ||
	    machinefile_find(parser->file, kind) != NULL)
		return true;
	return fail(parser, item->words[ROOF_OF], "a level that the machine has");
}

static bool check_items(struct parser *parser)
{
	const struct machinefile *file = parser->file;

	if (file->name[0] == '\0')
		return fail(parser, end_of_text(parser), "the line machine NAME");
	if (!check_caches(parser))
		return false;
	for (size_t i = 0; i < file->n_items; i++) {
		const struct machinefile_item *item = &file->items[i];

		if (is_tlb(item->kind) && !check_tlb(parser, item))
			return false;
		if (item->kind == MACHINE_PREFETCH && !check_prefetcher(parser, item))
			return false;
		if (item->kind == MACHINE_COST && !check_cost(parser, item))
			return false;
		if (item->kind == MACHINE_ROOF && !check_roof(parser, item))
			return false;
		if (item->kind == MACHINE_CORES && item->values[MACHINE_AMOUNT] > 1 &&
		    machinefile_find(file, MACHINE_L3) == NULL)
			return fail(parser, item->words[MACHINE_AMOUNT],
				    "1 without an L3: each core has its own L2");
		if (item->kind == MACHINE_BTB &&
		    item->values[BTB_FIRST] > item->values[MACHINE_AMOUNT])
			return fail(parser, item->words[BTB_FIRST], "no more than all its entries");
		if (item->kind == MACHINE_WIDTH &&
		    item->values[WIDTH_DECODED] > item->values[MACHINE_AMOUNT])
			return fail(parser, item->words[WIDTH_DECODED], "no more than the width");
	}
	return true;
}

bool machinefile_parse(struct machinefile *file, const char *text, size_t len,
		       struct machinefile_error *error)
{
	struct parser parser = { .file = file, .error = error, .text = text };

	file->text = text;
	file->len = len;
	file->name[0] = '\0';
	file->description = (struct machinefile_span){ 0, 0 };
	file->n_items = 0;
	if (len > MACHINEFILE_MAX_SIZE)
		return fail(&parser, (struct machinefile_span){ MACHINEFILE_MAX_SIZE, 1 },
			    "a text of at most 64K");
	return read_lines(&parser, len) && check_items(&parser);
}

/* -- what is simulated -------------------------------------------------------------------------- */

bool machinefile_assumes(const struct machinefile *file)
{
	for (size_t i = 0; i < file->n_items; i++)
		if (file->items[i].assumed != 0)
			return true;
	return false;
}

bool machinefile_cache(const struct machinefile *file, enum machinefile_kind kind,
		       struct policy *policy, struct cache_config *cache)
{
	const struct machinefile_item *item = machinefile_find(file, kind);
	const struct machinefile_item *line = machinefile_find(file, MACHINE_LINE);

	if (item == NULL || line == NULL)
		return false;
	policy_named(policy, file->text + item->words[CACHE_POLICY].offset,
		     item->words[CACHE_POLICY].len);
	*cache = (struct cache_config){
		.geometry = { item->values[CACHE_SIZE], (uint32_t)item->values[CACHE_WAYS],
			      (uint32_t)line->values[LINE_BYTES] },
		.policy = policy,
		.inclusion = (enum inclusion)item->values[CACHE_RELATION],
		.hashes_sets = item->values[CACHE_INDEX] != 0,
		.hash_seed = (uint32_t)item->values[CACHE_INDEX],
	};
	return true;
}

unsigned machinefile_cores(const struct machinefile *file)
{
	const struct machinefile_item *item = machinefile_find(file, MACHINE_CORES);

	return item != NULL ? (unsigned)item->values[MACHINE_AMOUNT]
			    : machinefile_rows[MACHINE_CORES].fields[MACHINE_AMOUNT].usual;
}

static uint32_t given_or(const struct machinefile_item *item, unsigned field, uint32_t otherwise)
{
	return (item->given >> field & 1) != 0 ? (uint32_t)item->values[field] : otherwise;
}

void machinefile_prefetchers(const struct machinefile *file, struct prefetchers_config *config)
{
	const struct machinefile_field *fields = machinefile_rows[MACHINE_PREFETCH].fields;
	const struct machinefile_item *line = machinefile_find(file, MACHINE_LINE);

	config->n = 0;
	if (line == NULL)
		return;
	for (size_t i = 0; i < file->n_items && config->n < PREFETCHERS_MAX_UNITS; i++) {
		const struct machinefile_item *item = &file->items[i];
		const enum prefetch_kind kind = (enum prefetch_kind)item->values[PREFETCH_KIND];

		if (item->kind != MACHINE_PREFETCH)
			continue;
		config->units[config->n++] = (struct prefetchers_unit){
			.level = (unsigned)item->values[PREFETCH_LEVEL],
			.config = {
				.kind = kind,
				.line_size = (uint32_t)line->values[LINE_BYTES],
				.streams = given_or(item, PREFETCH_STREAMS,
						    fields[PREFETCH_STREAMS].usual),
				.distance = given_or(item, PREFETCH_DISTANCE,
						     fields[PREFETCH_DISTANCE].usual),
				.degree = given_or(item, PREFETCH_DEGREE,
						   kind == PREFETCH_STREAM ? PREFETCH_STREAM_DEGREE
									   : 1),
			},
		};
	}
}

bool machinefile_tlbs(const struct machinefile *file, struct tlbs_config *config)
{
	unsigned n[N_TLB_KINDS] = { 0 };

	_Static_assert(MACHINE_ITLB + TLB_DTLB == MACHINE_DTLB &&
			       MACHINE_ITLB + TLB_STLB == MACHINE_STLB &&
			       MACHINE_ITLB + TLB_ISTLB == MACHINE_ISTLB,
		       "kinds of lines in the order of enum tlb_kind");
	*config = (struct tlbs_config){ 0 };
	for (size_t i = 0; i < file->n_items; i++) {
		const struct machinefile_item *item = &file->items[i];
		const unsigned kind = (unsigned)item->kind - MACHINE_ITLB;

		if (!is_tlb(item->kind) || n[kind] == N_TLB_PAGES)
			continue;
		config->arrays[kind][n[kind]++] = (struct tlb_config){
			.entries = (uint32_t)item->values[TLB_ENTRIES],
			.ways = (uint32_t)item->values[TLB_WAYS],
			.pages = (unsigned)item->values[TLB_PAGES],
		};
	}
	return config->arrays[TLB_ITLB][0].entries != 0 && config->arrays[TLB_DTLB][0].entries != 0;
}
