/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbols of one rank may be nested and may overlap:
 *
 *	outer  |---------------------------|
 *	inner        |------|
 *	late                        |-----------|
 *	spans  outer | inner| outer | late      |
 *
 * A sweep over their beginnings keeps a stack of open symbols, the latest on top.  Code belongs to the top; when that ends, to
 * the next one below that is still open.  So one pass makes at most two spans for each symbol of a rank.  Then the gaps of
 * each rank are filled with spans of the next one.
 */
#include "tool/elf/symbolindex.h"

#include "writer/freestanding.h"

enum {
	/* Kinds of symbols that only this file needs. */
	KIND_LABEL = 0,
	KIND_DATA = 1,
	LEAST_ROOM = 64,
	MAX_COMPARED = 1 << 16, /* bytes of a name; the rest does not count */
};

/* --- which symbols ------------------------------------------------------------------------- */

/* True for labels that assemblers and compilers make for themselves. */
static bool is_label_of_tools(const char *name)
{
	if (name[0] == '.' && name[1] == 'L')
		return true;
	return name[0] == '$' && (name[1] == 'x' || name[1] == 'd') &&
	       (name[2] == '\0' || name[2] == '.');
}

/* Sets a symbol of code, up to the end of its section if it has no size; false if it is not one. */
static bool read_symbol(const struct elfobject *object, const struct elf_symbol *symbol,
			struct indexed_symbol *read)
{
	const bool is_sized = symbol->size > 0;
	struct elf_section section;

	switch (symbol->kind) {
	case ELF_FUNCTION:
	case ELF_IFUNC:
		read->rank = is_sized ? SYMBOL_SIZED : SYMBOL_UNSIZED;
		break;
	case KIND_DATA:
		read->rank = is_sized ? SYMBOL_SIZED : SYMBOL_BOUNDARY;
		break;
	case KIND_LABEL:
		read->rank = is_sized ? SYMBOL_SIZED_LABEL : SYMBOL_UNSIZED_LABEL;
		break;
	default:
		return false;
	}
	if (symbol->section == ELF_UNDEFINED || symbol->section >= ELF_FIRST_RESERVED ||
	    !elfobject_section(object, symbol->section, &section) ||
	    (section.flags & ELF_SECTION_CODE) == 0 || symbol->value < section.address ||
	    symbol->value - section.address >= section.size)
		return false;
	read->address = symbol->value;
	read->end = is_sized ? symbol->value + symbol->size : section.address + section.size;
	return read->end > read->address;
}

/* Room for one more. */
static bool make_room(struct symbol_index *index, const struct dwarf_memory *memory)
{
	const uint32_t room = index->room == 0 ? LEAST_ROOM : 2 * index->room;
	struct indexed_symbol *symbols;

	if (index->n < index->room)
		return true;
	if (room < index->room)
		return false;
	symbols = memory->allocate(room * sizeof(*symbols));
	if (symbols == NULL)
		return false;
	if (index->symbols != NULL) {
		memcpy(symbols, index->symbols, index->n * sizeof(*symbols));
		memory->release(index->symbols);
	}
	index->symbols = symbols;
	index->room = room;
	return true;
}

static bool add_table(struct symbol_index *index, const struct elfobject *object,
		      const struct elf_section *table, const struct dwarf_memory *memory)
{
	for (uint64_t at = 0; table->size - at >= ELF_SYMBOL_SIZE; at += ELF_SYMBOL_SIZE) {
		struct elf_symbol symbol;
		struct indexed_symbol *read;

		if (!make_room(index, memory))
			return false;
		read = &index->symbols[index->n];
		elf_symbol_read(&symbol, object->bytes + table->offset + at);
		if (!read_symbol(object, &symbol, read))
			continue;
		read->name = elfobject_text(object, table->link, symbol.name);
		if (read->name[0] != '\0' && !is_label_of_tools(read->name))
			index->n++;
	}
	return true;
}

bool symbol_index_add(struct symbol_index *index, const struct elfobject *object,
		      uint32_t section_type, const struct dwarf_memory *memory)
{
	struct elf_section table;

	for (uint32_t i = 0; elfobject_section(object, i, &table); i++)
		if (table.type == section_type && table.is_in_file &&
		    !add_table(index, object, &table, memory))
			return false;
	return true;
}

/* --- their order --------------------------------------------------------------------------- */

static bool begins_with(const char *name, const char *beginning)
{
	while (*beginning != '\0' && *name == *beginning) {
		name++;
		beginning++;
	}
	return *beginning == '\0';
}

/* Orders names of one address (see the header). */
static int compare_names(const char *left, const char *right)
{
	size_t left_len = 0, right_len = 0, i = 0;

	while (left_len < MAX_COMPARED && left[left_len] != '\0' && left[left_len] != '@')
		left_len++;
	while (right_len < MAX_COMPARED && right[right_len] != '\0' && right[right_len] != '@')
		right_len++;
	/* PMPI_x is between MPI_x and shorter names. */
	left_len = 2 * left_len - (begins_with(left, "PMPI_") ? 3 : 0);
	right_len = 2 * right_len - (begins_with(right, "PMPI_") ? 3 : 0);
	if (left_len != right_len)
		return left_len < right_len ? -1 : 1;
	while (i < MAX_COMPARED && left[i] != '\0' && left[i] == right[i])
		i++;
	/* Of equal names, the one with a version first. */
	if (left[i] == '@' && right[i] == '\0')
		return -1;
	if (left[i] == '\0' && right[i] == '@')
		return 1;
	return (unsigned char)left[i] - (unsigned char)right[i];
}

static int compare_symbols(const void *a, const void *b)
{
	const struct indexed_symbol *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	if (left->end != right->end)
		return left->end < right->end ? -1 : 1;
	return compare_names(left->name, right->name);
}

/* --- spans --------------------------------------------------------------------------------- */

struct span_list {
	struct symbol_span *all;
	uint32_t n;
};

static void add_span(struct span_list *list, uint64_t start, uint64_t end, uint32_t symbol)
{
	struct symbol_span *last = list->n == 0 ? NULL : &list->all[list->n - 1];

	if (start >= end)
		return;
	if (last != NULL && last->end == start && last->symbol == symbol)
		last->end = end;
	else
		list->all[list->n++] = (struct symbol_span){ start, end, symbol };
}

struct sweep {
	const struct symbol_index *index;
	struct span_list *spans;
	uint32_t *open; /* symbols, the latest at the end */
	uint32_t n_open;
	uint64_t at; /* spans are complete up to here */
};

static void sweep_to(struct sweep *sweep, uint64_t address)
{
	while (sweep->n_open > 0 && sweep->at < address) {
		const uint32_t top = sweep->open[sweep->n_open - 1];
		const uint64_t end = sweep->index->symbols[top].end;

		if (end <= sweep->at) {
			sweep->n_open--;
			continue;
		}
		add_span(sweep->spans, sweep->at, end < address ? end : address, top);
		sweep->at = end < address ? end : address;
	}
	sweep->at = address;
}

/* The spans of one rank with sizes; open has room for all symbols, and spans for twice as many. */
static void make_spans(struct sweep *sweep, enum symbol_rank rank, struct span_list *spans)
{
	const struct symbol_index *index = sweep->index;
	const struct indexed_symbol *symbols = index->symbols;
	uint32_t end;

	sweep->spans = spans;
	sweep->n_open = 0;
	sweep->at = 0;

	for (uint32_t i = 0; i < index->n; i = end) {
		end = i + 1;
		while (end < index->n && symbols[end].address == symbols[i].address &&
		       symbols[end].rank == symbols[i].rank)
			end++;
		if (symbols[i].rank != rank)
			continue;
		sweep_to(sweep, symbols[i].address);
		/* The shortest on top; of equally long ones, the first has the best name. */
		for (uint32_t k = end; k-- > i;)
			if (k == i || symbols[k - 1].end != symbols[k].end)
				sweep->open[sweep->n_open++] = k;
	}
	sweep_to(sweep, UINT64_MAX);
}

/* The spans of symbols without a size, except those that begin inside of base. */
static void make_unsized_spans(struct symbol_index *index, const struct span_list *base,
			       struct span_list *list)
{
	uint64_t next = UINT64_MAX;
	uint32_t n_base = 0;

	/* Each ends where the next one begins. */
	for (uint32_t i = index->n; i-- > 0;) {
		struct indexed_symbol *symbol = &index->symbols[i];

		if (i + 1 < index->n && symbol[1].address != symbol->address)
			next = symbol[1].address;
		if (symbol->rank >= SYMBOL_UNSIZED && symbol->end > next)
			symbol->end = next;
	}
	for (uint32_t i = 0; i < index->n; i++) {
		const struct indexed_symbol *symbol = &index->symbols[i];

		while (n_base < base->n && base->all[n_base].end <= symbol->address)
			n_base++;
		if ((symbol->rank == SYMBOL_UNSIZED || symbol->rank == SYMBOL_UNSIZED_LABEL) &&
		    (n_base == base->n || base->all[n_base].start > symbol->address) &&
		    (list->n == 0 || list->all[list->n - 1].start != symbol->address))
			add_span(list, symbol->address, symbol->end, i);
	}
}

/* Copies base to all, and fills its gaps from more. */
static void fill_gaps(const struct span_list *base, const struct span_list *more,
		      struct span_list *all)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i <= base->n; i++) {
		const uint64_t begin = i == 0 ? 0 : base->all[i - 1].end;
		const uint64_t end = i == base->n ? UINT64_MAX : base->all[i].start;

		while (next < more->n && more->all[next].start < end) {
			const struct symbol_span *span = &more->all[next];

			add_span(all, span->start > begin ? span->start : begin,
				 span->end < end ? span->end : end, span->symbol);
			if (span->end > end)
				break;
			next++;
		}
		if (i < base->n)
			add_span(all, base->all[i].start, base->all[i].end, base->all[i].symbol);
	}
}

static bool take_list(struct span_list *list, size_t room, const struct dwarf_memory *memory)
{
	list->n = 0;
	list->all = memory->allocate((room + 1) * sizeof(*list->all));
	return list->all != NULL;
}

static void give_list(struct span_list *list, const struct dwarf_memory *memory)
{
	if (list->all != NULL)
		memory->release(list->all);
}

/* Room for the spans of two lists; each span of base may cut a span of more in two. */
static size_t room_of(const struct span_list *base, const struct span_list *more)
{
	return 2 * (size_t)base->n + more->n;
}

static bool make_all_spans(struct symbol_index *index, const struct dwarf_memory *memory)
{
	const size_t room = 2 * (size_t)index->n;
	struct span_list lists[4] = { { NULL, 0 } }, all = { NULL, 0 };
	struct span_list *sized = &lists[0], *labels = &lists[1], *both = &lists[2],
			 *unsized = &lists[3];
	struct sweep sweep = {
		.index = index,
		.open = memory->allocate(index->n * sizeof(*sweep.open)),
	};

	if (sweep.open != NULL && take_list(sized, room, memory) &&
	    take_list(labels, room, memory)) {
		make_spans(&sweep, SYMBOL_SIZED, sized);
		make_spans(&sweep, SYMBOL_SIZED_LABEL, labels);
		if (take_list(both, room_of(sized, labels), memory) &&
		    take_list(unsized, index->n, memory)) {
			fill_gaps(sized, labels, both);
			make_unsized_spans(index, both, unsized);
			if (take_list(&all, room_of(both, unsized), memory))
				fill_gaps(both, unsized, &all);
		}
	}
	index->spans = all.all;
	index->n_spans = all.n;
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		give_list(&lists[i], memory);
	if (sweep.open != NULL)
		memory->release(sweep.open);
	return index->spans != NULL;
}

bool symbol_index_finish(struct symbol_index *index, const struct dwarf_memory *memory)
{
	if (index->n == 0)
		return true;
	memory->sort(index->symbols, index->n, sizeof(*index->symbols), compare_symbols);
	return make_all_spans(index, memory);
}

void symbol_index_release(struct symbol_index *index, const struct dwarf_memory *memory)
{
	if (index->symbols != NULL)
		memory->release(index->symbols);
	if (index->spans != NULL)
		memory->release(index->spans);
	*index = (struct symbol_index){ .n = 0 };
}

/* --- questions ----------------------------------------------------------------------------- */

const struct indexed_symbol *symbol_index_find(const struct symbol_index *index, uint64_t address)
{
	uint32_t low = 0, high = index->n_spans;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (index->spans[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == index->n_spans || index->spans[low].start > address)
		return NULL;
	return &index->symbols[index->spans[low].symbol];
}

void symbol_index_names(const struct symbol_index *index, const struct indexed_symbol *symbol,
			bool (*visit)(void *ctx, const char *name), void *ctx)
{
	const struct indexed_symbol *end = index->symbols + index->n, *other = symbol;
	const char *last = NULL;

	if (!visit(ctx, symbol->name))
		return;
	while (other > index->symbols && other[-1].address == symbol->address)
		other--;
	for (; other < end && other->address == symbol->address; other++) {
		/* Equal names from several tables are adjacent. */
		if (other->rank != SYMBOL_BOUNDARY &&
		    compare_names(other->name, symbol->name) != 0 &&
		    (last == NULL || compare_names(other->name, last) != 0) &&
		    !visit(ctx, other->name))
			return;
		last = other->name;
	}
}
