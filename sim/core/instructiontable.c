/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory: slots of an open hash table, at most half of them taken, then costs, one a line, then the uses of all
 * of them.  A slot has no copy of its key, but where mnemonic and kinds are in the text.  It is hashed by its key: the
 * mnemonic's hash with the kinds' bytes added, so that a line's mnemonic is hashed once.  Another slot for
 * each mnemonic, of kinds_len ANY_KINDS, leads to its first row.
 *
 * A table of 3,500 keys is read in 0.5 ms.
 */
#include "sim/core/instructiontable.h"

enum {
	ANY_KINDS = 255,  /* kinds_len */
	NO_COST = 0xffff, /* cost of an empty slot */
	ANY_BYTE = '*',   /* hashed after a mnemonic for ANY_KINDS; no key contains it */
	MIN_SLOTS = 16,
};

struct instructiontable_slot {
	uint32_t hash;
	uint32_t name, kinds; /* offsets in the text */
	uint8_t name_len, kinds_len;
	uint16_t cost;
};

struct instructiontable_cost {
	uint32_t first_use;
	uint8_t uops, latency, n_uses;
};

/* -- keys ----------------------------------------------------------------------------------- */

/* Invariant: name_len <= len <= sizeof(text). */
struct key {
	char text[INSTRUCTION_MAX_KEY + 8]; /* without a NUL; kinds may grow when they are replaced */
	size_t len;
	size_t name_len; /* of the mnemonic, with its prefix */
};

/* What kinds a key has. */
struct key_kinds {
	bool vectors; /* x, y, mm or st */
	bool wide;    /* m256 that is not the first operand */
	bool memory;  /* any that is not the first operand */
};

enum key_reduction {
	REDUCE_WIDTHS,  /* general registers as r64; if there are no vectors, memory as m64 */
	REDUCE_VECTORS, /* y as x, m256 as m128 */
	REDUCE_LOADS,   /* memory that is not the first operand as a register: y, x or r64 */
};

/* Bytes of the prefix "lock ", "rep " or "repne ", with its blank; 0 if there is none. */
static size_t key_prefix_len(const char *key, size_t len)
{
	static const char *const prefixes[] = { "lock ", "rep ", "repne " };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = 0;

		while (n < len && prefixes[i][n] != '\0' && key[n] == prefixes[i][n])
			n++;
		if (prefixes[i][n] == '\0')
			return n;
	}
	return 0;
}

/* Bytes of the mnemonic with its prefix. */
static size_t key_name_len(const char *key, size_t len)
{
	size_t n = key_prefix_len(key, len);

	while (n < len && key[n] != ' ')
		n++;
	return n;
}

static bool kind_is(const char *kind, size_t len, const char *name)
{
	size_t i = 0;

	while (i < len && name[i] != '\0' && kind[i] == name[i])
		i++;
	return i == len && name[i] == '\0';
}

/* Where the kind that begins there ends. */
static size_t kind_end(const struct key *key, size_t at)
{
	while (at < key->len && key->text[at] != ',')
		at++;
	return at;
}

static struct key_kinds key_kinds(const struct key *key)
{
	struct key_kinds kinds = { false, false, false };
	size_t first = key->name_len + 1, end;

	for (size_t at = first; at < key->len; at = end + 1) {
		const char *kind = key->text + at;

		end = kind_end(key, at);
		if (*kind == 'x' || *kind == 'y' || *kind == 's' || kind_is(kind, end - at, "mm"))
			kinds.vectors = true;
		else if (*kind == 'm' && at != first)
			kinds.memory = true;
		if (at != first && kind_is(kind, end - at, "m256"))
			kinds.wide = true;
	}
	return kinds;
}

/* Puts a kind in place of [at, end) of a key; what does not fit makes a key that nobody has. */
static size_t put_kind(struct key *key, size_t at, size_t end, const char *kind)
{
	size_t n = 0, len = key->len;

	while (kind[n] != '\0')
		n++;
	if (len - (end - at) + n > sizeof(key->text))
		return end;
	if (n <= end - at)
		for (size_t i = end; i < len; i++)
			key->text[i - (end - at - n)] = key->text[i];
	else
		for (size_t i = len; i > end; i--)
			key->text[i - 1 + n - (end - at)] = key->text[i - 1];
	for (size_t i = 0; i < n; i++)
		key->text[at + i] = kind[i];
	key->len = len - (end - at) + n;
	return at + n;
}

/* What a kind becomes; NULL: it stays. */
static const char *reduce_kind(const char *kind, size_t len, enum key_reduction reduction,
			       struct key_kinds kinds, bool is_first)
{
	switch (reduction) {
	case REDUCE_WIDTHS:
		if (kind_is(kind, len, "r8") || kind_is(kind, len, "r16") ||
		    kind_is(kind, len, "r32"))
			return "r64";
		if (!kinds.vectors && (kind_is(kind, len, "m8") || kind_is(kind, len, "m16") ||
				       kind_is(kind, len, "m32")))
			return "m64";
		return NULL;
	case REDUCE_VECTORS:
		if (kind_is(kind, len, "y"))
			return "x";
		return kind_is(kind, len, "m256") ? "m128" : NULL;
	case REDUCE_LOADS:
	default:
		if (is_first || *kind != 'm' || kind_is(kind, len, "mm"))
			return NULL;
		if (kind_is(kind, len, "m256"))
			return "y";
		return kinds.vectors ? "x" : "r64";
	}
}

/* Replaces all kinds that the reduction applies to, except those that would not fit. */
static void key_reduce(struct key *key, enum key_reduction reduction)
{
	const struct key_kinds kinds = key_kinds(key);
	size_t first = key->name_len + 1, end;

	for (size_t at = first; at < key->len; at = end + 1) {
		end = kind_end(key, at);
		const char *kind =
			reduce_kind(key->text + at, end - at, reduction, kinds, at == first);

		if (kind != NULL)
			end = put_kind(key, at, end, kind);
	}
}

/* A key of at most INSTRUCTION_MAX_KEY bytes of any content. */
static struct key key_make(const char *key, size_t len)
{
	struct key result = { .len = len, .name_len = key_name_len(key, len) };

	for (size_t i = 0; i < len; i++)
		result.text[i] = key[i];
	return result;
}

/* -- hashing -------------------------------------------------------------------------------- */

static const uint32_t hash_begin = UINT32_C(0x811c9dc5); /* FNV-1a */

static uint32_t hash_bytes(uint32_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT32_C(0x01000193);
	return hash;
}

/* The low bits choose slots; FNV's own are poor. */
static uint32_t slot_of(const struct instructiontable *table, uint32_t hash)
{
	return (hash ^ hash >> 15) & table->slot_mask;
}

static bool bytes_equal(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* A key in its two parts; kinds_len may be ANY_KINDS. */
struct parts {
	uint32_t hash;
	const char *name, *kinds;
	uint8_t name_len, kinds_len;
};

static struct instructiontable_slot *find_slot(const struct instructiontable *table,
					       const struct parts *key)
{
	for (uint32_t i = slot_of(table, key->hash);; i = (i + 1) & table->slot_mask) {
		struct instructiontable_slot *slot = &table->slots[i];

		if (slot->cost == NO_COST)
			return slot;
		if (slot->hash == key->hash && slot->name_len == key->name_len &&
		    slot->kinds_len == key->kinds_len &&
		    bytes_equal(table->text + slot->name, key->name, key->name_len) &&
		    (key->kinds_len == ANY_KINDS ||
		     bytes_equal(table->text + slot->kinds, key->kinds, key->kinds_len)))
			return slot;
	}
}

static uint32_t hash_any(uint32_t hash_of_name)
{
	const char any = ANY_BYTE;

	return hash_bytes(hash_of_name, &any, 1);
}

static uint32_t hash_kinds(uint32_t hash_of_name, const char *kinds, size_t len)
{
	return len == 0 ? hash_of_name : hash_bytes(hash_bytes(hash_of_name, " ", 1), kinds, len);
}

/* -- reading -------------------------------------------------------------------------------- */

struct parser {
	struct instructiontable *table;
	struct instructiontable_error *error;
	const char *text;
	size_t at, end; /* of the line at work */
	uint32_t line;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Where a word ends, or a field. */
static bool is_end(char c)
{
	return is_blank(c) || c == '|';
}

static struct instructiontable_span peek_word(struct parser *parser)
{
	size_t to;

	while (parser->at < parser->end && is_blank(parser->text[parser->at]))
		parser->at++;
	for (to = parser->at; to < parser->end && !is_end(parser->text[to]);)
		to++;
	if (to == parser->at && to < parser->end)
		to++; /* the bar */
	return (struct instructiontable_span){ (uint32_t)parser->at, (uint32_t)(to - parser->at) };
}

static struct instructiontable_span next_word(struct parser *parser)
{
	struct instructiontable_span word = peek_word(parser);

	parser->at += word.len;
	return word;
}

static bool is_word(const struct parser *parser, struct instructiontable_span span,
		    const char *word)
{
	for (uint32_t i = 0; i < span.len; i++)
		if (word[i] == '\0' || parser->text[span.offset + i] != word[i])
			return false;
	return word[span.len] == '\0';
}

static bool fail(const struct parser *parser, struct instructiontable_span found,
		 const char *expected)
{
	*parser->error = (struct instructiontable_error){ parser->line, found, expected };
	return false;
}

static bool expect(struct parser *parser, const char *word, const char *expected)
{
	struct instructiontable_span found = next_word(parser);

	return is_word(parser, found, word) || fail(parser, found, expected);
}

/* The value of a digit; 16 if it is none. */
static unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return 16;
}

/* A number of some bytes; false if it is none, or more than most. */
static bool read_number(const char *text, size_t len, unsigned base, uint32_t most,
			uint32_t *number)
{
	uint64_t value = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned digit = digit_value(text[i]);

		if (digit >= base)
			return false;
		value = value * base + digit;
		if (value > most)
			return false;
	}
	*number = (uint32_t)value;
	return len > 0;
}

static bool next_byte(struct parser *parser, uint8_t *number)
{
	struct instructiontable_span word = next_word(parser);
	uint32_t value;

	if (!read_number(parser->text + word.offset, word.len, 10, UINT8_MAX, &value))
		return fail(parser, word, "a number from 0 to 255");
	*number = (uint8_t)value;
	return true;
}

static uint32_t all_ports(const struct instructiontable *table)
{
	return UINT32_MAX >> (INSTRUCTION_MAX_PORTS - table->n_ports);
}

/* PORTS:TENTHS */
static bool read_use(const struct parser *parser, struct instructiontable_span word,
		     struct instruction_use *use)
{
	const char *text = parser->text + word.offset;
	uint32_t colon = 0, tenths;

	while (colon < word.len && text[colon] != ':')
		colon++;
	if (!read_number(text, colon, 16, all_ports(parser->table), &use->ports) || use->ports == 0)
		return fail(parser, word, "a mask of existing ports");
	if (colon == word.len ||
	    !read_number(text + colon + 1, word.len - colon - 1, 10, UINT16_MAX, &tenths))
		return fail(parser, word, "PORTS:TENTHS");
	use->tenths = (uint16_t)tenths;
	return tenths > 0 || fail(parser, word, "tenths of a cycle, from 1 to 65535");
}

/* To the end of the line. */
static bool read_uses(struct parser *parser, struct instruction_row *row)
{
	struct instructiontable_span word;

	for (row->n_uses = 0; (word = next_word(parser)).len > 0; row->n_uses++) {
		if (row->n_uses == INSTRUCTION_MAX_USES)
			return fail(parser, word, "no more than 8 uses of ports");
		if (!read_use(parser, word, &row->uses[row->n_uses]))
			return false;
	}
	return true;
}

/* UOPS|LATENCY|USES, after the first bar if there is one */
static bool read_row(struct parser *parser, struct instruction_row *row)
{
	return next_byte(parser, &row->uops) && expect(parser, "|", "'|' and a latency") &&
	       next_byte(parser, &row->latency) && expect(parser, "|", "'|' and uses of ports") &&
	       read_uses(parser, row);
}

static bool read_name(struct parser *parser, char *name)
{
	struct instructiontable_span word = next_word(parser);

	if (word.len == 0 || word.len >= INSTRUCTIONTABLE_NAME_SIZE)
		return fail(parser, word, "a name of 1 to 31 bytes");
	for (uint32_t i = 0; i < word.len; i++)
		name[i] = parser->text[word.offset + i];
	name[word.len] = '\0';
	return true;
}

static bool read_ports(struct parser *parser)
{
	struct instructiontable *table = parser->table;
	struct instructiontable_span word;

	while ((word = next_word(parser)).len > 0) {
		if (table->n_ports == INSTRUCTION_MAX_PORTS)
			return fail(parser, word, "no more than 32 ports");
		table->ports[table->n_ports++] = word;
	}
	return table->n_ports > 0 || fail(parser, word, "names of ports");
}

static bool read_renaming(struct parser *parser)
{
	static const char *const words[] = {
		[INSTRUCTION_RENAMES_ALL] = "all",
		[INSTRUCTION_RENAMES_CONSTANTS] = "constants",
		[INSTRUCTION_RENAMES_MOVES] = "moves",
	};
	const struct instructiontable_span word = next_word(parser);

	for (unsigned i = INSTRUCTION_RENAMES_ALL; i <= INSTRUCTION_RENAMES_MOVES; i++)
		if (is_word(parser, word, words[i])) {
			parser->table->renaming = (enum instruction_renaming)i;
			return true;
		}
	return fail(parser, word, "all, constants or moves");
}

/* What may follow the model's name. */
static bool read_properties(struct parser *parser)
{
	struct instructiontable_span word;

	while ((word = next_word(parser)).len > 0) {
		if (is_word(parser, word, "renaming")) {
			if (!read_renaming(parser))
				return false;
			continue;
		}
		if (!is_word(parser, word, "fusing"))
			return fail(parser, word, "the end of the line, fusing or renaming");
		if (!expect(parser, "compares", "compares"))
			return false;
		parser->table->fuses_compares = true;
	}
	return true;
}

/* A line of the head, after n others. */
static bool read_head(struct parser *parser, unsigned n)
{
	struct instructiontable *table = parser->table;

	switch (n) {
	case 0:
		return expect(parser, "core", "core NAME from MODEL") &&
		       read_name(parser, table->name) &&
		       expect(parser, "from", "from and the name of a model") &&
		       read_name(parser, table->model) && read_properties(parser);
	case 1:
		return expect(parser, "ports", "ports and their names") && read_ports(parser);
	case 2:
		return expect(parser, "load", "load, three latencies, and uses") &&
		       next_byte(parser, &table->loads.integer) &&
		       next_byte(parser, &table->loads.vector) &&
		       next_byte(parser, &table->loads.wide) && read_uses(parser, &table->load);
	case 3:
		return expect(parser, "store", "store and uses of ports") &&
		       read_uses(parser, &table->store);
	default:
		return expect(parser, "other", "other and a cost") &&
		       read_row(parser, &table->other);
	}
}

static void add_cost(struct instructiontable *table, const struct instruction_row *row)
{
	table->costs[table->n_costs++] = (struct instructiontable_cost){ table->n_uses, row->uops,
									 row->latency,
									 row->n_uses };
	for (unsigned i = 0; i < row->n_uses; i++)
		table->uses[table->n_uses++] = row->uses[i];
}

/* True if the key is new. */
static bool add_key(struct instructiontable *table, const struct parts *key)
{
	struct instructiontable_slot *slot = find_slot(table, key);

	if (slot->cost != NO_COST)
		return false;
	*slot = (struct instructiontable_slot){
		key->hash,
		(uint32_t)(key->name - table->text),
		(uint32_t)(key->kinds - table->text),
		key->name_len,
		key->kinds_len,
		(uint16_t)table->n_costs,
	};
	return true;
}

/* The mnemonic of a line, with the prefix before it. */
static bool read_mnemonic(struct parser *parser, struct instructiontable_span *name)
{
	*name = next_word(parser);
	if (is_word(parser, *name, "lock") || is_word(parser, *name, "rep") ||
	    is_word(parser, *name, "repne")) {
		struct instructiontable_span second = next_word(parser);

		/* As in a key: with one blank between. */
		if (second.offset != name->offset + name->len + 1)
			return fail(parser, second, "one blank, and a mnemonic");
		name->len += 1 + second.len;
	}
	return (name->len > 0 && name->len < INSTRUCTION_MAX_KEY && !is_word(parser, *name, "|")) ||
	       fail(parser, *name, "a mnemonic");
}

static bool read_forms(struct parser *parser, struct instructiontable_span name)
{
	struct instructiontable *table = parser->table;
	struct instructiontable_span word;
	struct parts key = { .name = parser->text + name.offset, .name_len = (uint8_t)name.len };
	uint32_t hash = hash_bytes(hash_begin, key.name, name.len);

	key.kinds = key.name;
	key.kinds_len = ANY_KINDS;
	key.hash = hash_any(hash);
	add_key(table, &key); /* of the first line of several */
	while (!is_word(parser, word = next_word(parser), "|")) {
		if (word.len == 0 || name.len + 1 + word.len > INSTRUCTION_MAX_KEY)
			return fail(parser, word, "kinds of operands, or '|' and a cost");
		key.kinds = parser->text + word.offset;
		key.kinds_len = is_word(parser, word, "-") ? 0 : (uint8_t)word.len;
		key.hash = hash_kinds(hash, key.kinds, key.kinds_len);
		if (!add_key(table, &key))
			return fail(parser, word, "a form that has no row yet");
		table->n_keys++;
	}
	return true;
}

static bool read_instruction(struct parser *parser)
{
	struct instructiontable_span name;
	struct instruction_row row;

	if (parser->table->n_costs == NO_COST)
		return fail(parser, peek_word(parser), "no more than 65535 rows");
	if (!read_mnemonic(parser, &name) || !read_forms(parser, name) || !read_row(parser, &row))
		return false;
	add_cost(parser->table, &row);
	return true;
}

/* -- memory --------------------------------------------------------------------------------- */

/* How many of each a text has at most. */
struct counts {
	size_t slots, costs, uses;
};

static struct counts count(const char *text, size_t len)
{
	struct counts counts = { MIN_SLOTS, 1, 0 };
	size_t keys = 0;
	bool in_forms = true; /* before the first bar of a line */

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n') {
			counts.costs++;
			in_forms = true;
		} else if (text[i] == '|') {
			in_forms = false;
		} else if (text[i] == ':') {
			counts.uses++;
		} else if (in_forms && is_blank(text[i])) {
			keys++;
		}
	}
	/* Each line may have a mnemonic of its own, that has a slot, too. */
	keys += counts.costs;
	while (counts.slots < 2 * keys)
		counts.slots *= 2;
	return counts;
}

size_t instructiontable_size(const char *text, size_t len)
{
	if (len > INSTRUCTIONTABLE_MAX_SIZE)
		return 0;
	struct counts counts = count(text, len);

	return counts.slots * sizeof(struct instructiontable_slot) +
	       counts.costs * sizeof(struct instructiontable_cost) +
	       counts.uses * sizeof(struct instruction_use);
}

static void lay_out(struct instructiontable *table, void *memory)
{
	struct counts counts = count(table->text, table->len);

	table->slots = memory;
	table->slot_mask = (uint32_t)counts.slots - 1;
	table->costs = (void *)(table->slots + counts.slots);
	table->uses = (void *)(table->costs + counts.costs);
	for (size_t i = 0; i < counts.slots; i++)
		table->slots[i].cost = NO_COST;
}

bool instructiontable_parse(struct instructiontable *table, const char *text, size_t len,
			    void *memory, struct instructiontable_error *error)
{
	enum { HEAD = 5 };
	struct parser parser = { table, error, text, 0, 0, 1 };
	unsigned n_head = 0;

	*table = (struct instructiontable){ .text = text, .len = len };
	if (len > INSTRUCTIONTABLE_MAX_SIZE)
		return fail(&parser, (struct instructiontable_span){ 0, 0 },
			    "a text of at most 1 MB");
	lay_out(table, memory);
	for (;; parser.line++) {
		for (parser.end = parser.at; parser.end < len && text[parser.end] != '\n';)
			parser.end++;
		struct instructiontable_span word = peek_word(&parser);

		if (word.len > 0 && text[word.offset] != '#') {
			if (n_head < HEAD ? !read_head(&parser, n_head++)
					  : !read_instruction(&parser))
				return false;
			word = next_word(&parser);
			if (word.len > 0)
				return fail(&parser, word, "the end of the line");
		}
		if (parser.end == len)
			break;
		parser.at = parser.end + 1;
	}
	return n_head == HEAD || fail(&parser, (struct instructiontable_span){ (uint32_t)len, 0 },
				      "the lines core, ports, load, store and other");
}

/* -- finding -------------------------------------------------------------------------------- */

static void get_row(const struct instructiontable *table, const struct instructiontable_slot *slot,
		    struct instruction_row *row)
{
	const struct instructiontable_cost *cost = &table->costs[slot->cost];

	row->uops = cost->uops;
	row->latency = cost->latency;
	row->n_uses = cost->n_uses;
	for (unsigned i = 0; i < cost->n_uses; i++)
		row->uses[i] = table->uses[cost->first_use + i];
}

static bool find_key(const struct instructiontable *table, const char *text, size_t len,
		     size_t name_len, struct instruction_row *row)
{
	struct parts key = { .name = text, .name_len = (uint8_t)name_len, .kinds = text };

	if (len > name_len) {
		key.kinds = text + name_len + 1;
		key.kinds_len = (uint8_t)(len - name_len - 1);
	}
	key.hash = hash_bytes(hash_begin, text, len);
	const struct instructiontable_slot *slot = find_slot(table, &key);

	if (slot->cost == NO_COST)
		return false;
	get_row(table, slot, row);
	return true;
}

static bool find_mnemonic(const struct instructiontable *table, const struct key *key,
			  struct instruction_row *row)
{
	struct parts parts = { .name = key->text,
			       .name_len = (uint8_t)key->name_len,
			       .kinds = key->text,
			       .kinds_len = ANY_KINDS };

	parts.hash = hash_any(hash_bytes(hash_begin, key->text, key->name_len));
	const struct instructiontable_slot *slot = find_slot(table, &parts);

	if (slot->cost == NO_COST)
		return false;
	get_row(table, slot, row);
	return true;
}

static void add_load(const struct instructiontable *table, struct key_kinds kinds,
		     struct instruction_row *row)
{
	unsigned load = table->loads.integer;

	if (kinds.vectors)
		load = kinds.wide ? table->loads.wide : table->loads.vector;
	row->latency = row->latency + load > UINT8_MAX ? UINT8_MAX : (uint8_t)(row->latency + load);
	for (unsigned i = 0; i < table->load.n_uses && row->n_uses < INSTRUCTION_MAX_USES; i++)
		row->uses[row->n_uses++] = table->load.uses[i];
}

/* The key, and by rules 1 and 2. */
static bool find_widths(const struct instructiontable *table, const struct key *key,
			struct instruction_row *row)
{
	struct key other = *key;

	if (find_key(table, other.text, other.len, other.name_len, row))
		return true;
	key_reduce(&other, REDUCE_WIDTHS);
	if (find_key(table, other.text, other.len, other.name_len, row))
		return true;
	key_reduce(&other, REDUCE_VECTORS);
	return find_key(table, other.text, other.len, other.name_len, row);
}

/* By rules 1 to 3. */
static bool find_reduced(const struct instructiontable *table, const struct key *key,
			 struct instruction_row *row)
{
	const struct key_kinds kinds = key_kinds(key);
	struct key other = *key;

	if (find_widths(table, key, row))
		return true;
	if (!kinds.memory)
		return false;
	key_reduce(&other, REDUCE_LOADS);
	if (!find_widths(table, &other, row))
		return false;
	add_load(table, kinds, row);
	return true;
}

enum instruction_match instructiontable_find(const struct instructiontable *table, const char *key,
					     size_t len, struct instruction_row *row)
{
	*row = table->other;
	if (len > INSTRUCTION_MAX_KEY)
		return INSTRUCTION_DEFAULT;
	if (find_key(table, key, len, key_name_len(key, len), row))
		return INSTRUCTION_EXACT;
	struct key whole = key_make(key, len);

	if (find_reduced(table, &whole, row))
		return INSTRUCTION_REDUCED;
	size_t prefix = key_prefix_len(key, len);
	struct key bare = key_make(key + prefix, len - prefix);

	if (prefix > 0 && find_reduced(table, &bare, row))
		return INSTRUCTION_REDUCED;
	if (find_mnemonic(table, &whole, row) || find_mnemonic(table, &bare, row))
		return INSTRUCTION_REDUCED;
	struct key_kinds kinds = key_kinds(&whole);

	if (kinds.memory)
		add_load(table, kinds, row);
	return INSTRUCTION_DEFAULT;
}

static uint32_t ports_of(const struct instruction_row *row)
{
	uint32_t ports = 0;

	for (unsigned i = 0; i < row->n_uses; i++)
		ports |= row->uses[i].ports;
	return ports;
}

uint32_t instructiontable_memory_ports(const struct instructiontable *table)
{
	return ports_of(&table->load) | ports_of(&table->store);
}
