/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A block compressor and its decompressor: the rotations of a block are sorted
 * (Burrows and Wheeler), the last column is turned into ranks (move to front),
 * runs of rank 0 into numbers, and all that into bits by a Huffman code.
 *
 * Sorting compares bytes at places all over the block, which is larger than a
 * first-level cache; coding works bit by bit with branches that depend on data.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

enum {
	BLOCK = 400000, /* bytes */
	BLOCKS = 7,
	WORDS = 1500, /* in the vocabulary of the text */
	WORD_SIZE = 12,
	SLACK = 8, /* bytes that a comparison may read at once */
	FEW = 10,  /* rotations that are sorted by insertion */
};

/* Symbols: a run of rank 0 is its length in digits of 1 and 2, rank r is r + 1. */
enum {
	RUN_ONE = 0,
	RUN_TWO = 1,
	END = 257,
	SYMBOLS = 258,
	MAX_BITS = 20, /* of a code */
};

/* Bits are written and read from the highest of each byte on. */
struct bits {
	unsigned char *data;
	size_t at; /* bit */
};

struct code {
	unsigned char length[SYMBOLS]; /* bits, 1 to MAX_BITS */
	uint32_t word[SYMBOLS];
};

/* A block as the sort sees it: text is written twice, so that a rotation is a string. */
struct rotations {
	unsigned char *text;
	size_t size;
	uint32_t *order; /* where each begins */
};

/* -- text ------------------------------------------------------------------ */

struct vocabulary {
	char word[WORDS][WORD_SIZE];
};

static void vocabulary_init(struct vocabulary *vocabulary, uint64_t *seed)
{
	static const char consonants[] = "ttnnsrrhldcmfpgwybvk";
	static const char vowels[] = "eeeaaooiiu";

	for (size_t i = 0; i < WORDS; i++) {
		size_t length = 2 + random_below(seed, WORD_SIZE - 3);
		char *word = vocabulary->word[i];

		for (size_t j = 0; j < length; j++) {
			if ((i + j) % 2)
				word[j] = vowels[random_below(seed, sizeof(vowels) - 1)];
			else
				word[j] = consonants[random_below(seed, sizeof(consonants) - 1)];
		}
		word[length] = '\0';
	}
}

/* Words, a few of them frequent, in sentences. */
static void write_text(unsigned char *text, size_t size, uint64_t *seed)
{
	struct vocabulary *vocabulary = allocate(1, sizeof(*vocabulary));
	size_t at = 0;

	vocabulary_init(vocabulary, seed);
	while (at < size) {
		uint32_t frequent = random_below(seed, WORDS) + 1;
		const char *word = vocabulary->word[random_below(seed, frequent)];
		uint32_t end = random_below(seed, 80);

		while (*word && at < size)
			text[at++] = (unsigned char)*word++;
		if (end < 8 && at < size)
			text[at++] = end < 2 ? '.' : ',';
		if (at < size)
			text[at++] = end == 0 ? '\n' : ' ';
	}
	free(vocabulary);
}

/* -- sorting --------------------------------------------------------------- */

/* Eight bytes as a number that compares as they do. */
static uint64_t load_bytes(const unsigned char *text)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value = value << 8 | text[i];
	return value;
}

/* True if the rotation at a comes before the one at b; their first depth bytes are equal. */
static int comes_before(const struct rotations *rotations, uint32_t a, uint32_t b, size_t depth)
{
	for (size_t i = depth; i < rotations->size; i += 8) {
		uint64_t x = load_bytes(rotations->text + a + i);
		uint64_t y = load_bytes(rotations->text + b + i);

		if (x != y)
			return x < y;
	}
	return a < b; /* of a periodic block any order will do, but always the same */
}

static void sort_few(struct rotations *rotations, size_t low, size_t high, size_t depth)
{
	uint32_t *order = rotations->order;

	for (size_t i = low + 1; i < high; i++) {
		uint32_t moving = order[i];
		size_t j = i;

		for (; j > low && comes_before(rotations, moving, order[j - 1], depth); j--)
			order[j] = order[j - 1];
		order[j] = moving;
	}
}

static void swap_order(uint32_t *order, size_t i, size_t j)
{
	uint32_t kept = order[i];

	order[i] = order[j];
	order[j] = kept;
}

static unsigned int middle(unsigned int a, unsigned int b, unsigned int c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

/* Sorts order[low] to order[high - 1], whose first depth bytes are equal, by the byte
 * there into less, equal and greater; the equal ones go on with the next byte. */
static void sort_range(struct rotations *rotations, size_t low, size_t high, size_t depth)
{
	uint32_t *order = rotations->order;

	while (high - low > FEW && depth < rotations->size) {
		const unsigned char *byte = rotations->text + depth;
		unsigned int pivot = middle(byte[order[low]], byte[order[low + (high - low) / 2]],
					    byte[order[high - 1]]);
		size_t less = low;
		size_t greater = high;

		for (size_t i = low; i < greater;) {
			unsigned int here = byte[order[i]];

			if (here < pivot)
				swap_order(order, i++, less++);
			else if (here > pivot)
				swap_order(order, i, --greater);
			else
				i++;
		}
		sort_range(rotations, low, less, depth);
		sort_range(rotations, greater, high, depth);
		low = less;
		high = greater;
		depth++;
	}
	sort_few(rotations, low, high, depth);
}

/* Rotations in buckets by their first two bytes, then each bucket. */
static void sort_rotations(struct rotations *rotations)
{
	const unsigned char *text = rotations->text;
	uint32_t *start = allocate(65537, sizeof(*start));
	uint32_t *next = allocate(65536, sizeof(*next));

	for (size_t i = 0; i < rotations->size; i++)
		start[(text[i] << 8 | text[i + 1]) + 1]++;
	for (size_t i = 0; i < 65536; i++) {
		start[i + 1] += start[i];
		next[i] = start[i];
	}
	for (size_t i = 0; i < rotations->size; i++)
		rotations->order[next[text[i] << 8 | text[i + 1]]++] = (uint32_t)i;
	for (size_t i = 0; i < 65536; i++)
		sort_range(rotations, start[i], start[i + 1], 2);
	free(next);
	free(start);
}

/* The last column of the sorted rotations; returns the row of the block itself. */
static size_t transform(const unsigned char *block, size_t size, unsigned char *last)
{
	struct rotations rotations = {
		.text = allocate(2 * size + SLACK, 1),
		.size = size,
		.order = allocate(size, sizeof(uint32_t)),
	};
	size_t row = 0;

	memcpy(rotations.text, block, size);
	memcpy(rotations.text + size, block, size);
	memcpy(rotations.text + 2 * size, block, SLACK);
	sort_rotations(&rotations);
	for (size_t i = 0; i < size; i++) {
		uint32_t begin = rotations.order[i];

		last[i] = rotations.text[begin + size - 1];
		if (begin == 0)
			row = i;
	}
	free(rotations.order);
	free(rotations.text);
	return row;
}

static void transform_back(const unsigned char *last, size_t size, size_t row, unsigned char *block)
{
	size_t count[257] = { 0 };
	uint32_t *successor = allocate(size, sizeof(*successor));

	for (size_t i = 0; i < size; i++)
		count[last[i] + 1]++;
	for (size_t i = 0; i < 256; i++)
		count[i + 1] += count[i];
	for (size_t i = 0; i < size; i++)
		successor[count[last[i]]++] = (uint32_t)i;
	for (size_t i = 0; i < size; i++) {
		row = successor[row];
		block[i] = last[row];
	}
	free(successor);
}

/* -- ranks ----------------------------------------------------------------- */

static size_t put_run(uint16_t *symbols, size_t n, size_t run)
{
	for (; run; run = (run - 1) / 2)
		symbols[n++] = run % 2 ? RUN_ONE : RUN_TWO;
	return n;
}

static void ranks_init(unsigned char *ranks)
{
	for (int i = 0; i < 256; i++)
		ranks[i] = (unsigned char)i;
}

/* Writes at most size + 1 symbols; returns how many. */
static size_t to_symbols(const unsigned char *last, size_t size, uint16_t *symbols)
{
	unsigned char ranks[256];
	size_t n = 0;
	size_t run = 0;

	ranks_init(ranks);
	for (size_t i = 0; i < size; i++) {
		size_t rank = 0;

		while (ranks[rank] != last[i])
			rank++;
		if (rank == 0) {
			run++;
			continue;
		}
		memmove(ranks + 1, ranks, rank);
		ranks[0] = last[i];
		n = put_run(symbols, n, run);
		run = 0;
		symbols[n++] = (uint16_t)(rank + 1);
	}
	n = put_run(symbols, n, run);
	symbols[n++] = END;
	return n;
}

static void from_symbols(const uint16_t *symbols, unsigned char *last, size_t size)
{
	unsigned char ranks[256];
	size_t at = 0;

	ranks_init(ranks);
	while (*symbols != END) {
		size_t run = 0;

		for (size_t digit = 1; *symbols <= RUN_TWO; digit *= 2)
			run += digit * (*symbols++ == RUN_ONE ? 1 : 2);
		require(run <= size - at, "a run ends past the block");
		memset(last + at, ranks[0], run);
		at += run;
		if (*symbols != END) {
			size_t rank = (size_t)*symbols++ - 1;
			unsigned char byte = ranks[rank];

			require(at < size, "more bytes than in the block");
			memmove(ranks + 1, ranks, rank);
			ranks[0] = byte;
			last[at++] = byte;
		}
	}
	require(at == size, "fewer bytes than in the block");
}

/* -- bits ------------------------------------------------------------------ */

static void bits_put(struct bits *bits, uint32_t value, unsigned int count)
{
	while (count--) {
		if (value >> count & 1)
			bits->data[bits->at / 8] |= (unsigned char)(0x80U >> bits->at % 8);
		bits->at++;
	}
}

static uint32_t bits_get(struct bits *bits, unsigned int count)
{
	uint32_t value = 0;

	while (count--) {
		value = value << 1 | (bits->data[bits->at / 8] >> (7 - bits->at % 8) & 1);
		bits->at++;
	}
	return value;
}

/* The index below count of the smallest weight that is not yet used up, but for one. */
static int lightest(const uint64_t *weight, int count, int other)
{
	int best = -1;

	for (int i = 0; i < count; i++) {
		if (weight[i] && i != other && (best < 0 || weight[i] < weight[best]))
			best = i;
	}
	return best;
}

/* Sets lengths by Huffman's algorithm; returns the longest. */
static unsigned int huffman_lengths(const uint32_t *frequency, struct code *code)
{
	uint64_t weight[2 * SYMBOLS]; /* 0: has a parent */
	int parent[2 * SYMBOLS] = { 0 };
	int nodes = SYMBOLS;
	unsigned int longest = 0;

	/* Symbols that do not occur have a code too: the table is small. */
	for (int i = 0; i < SYMBOLS; i++)
		weight[i] = frequency[i] + 1;
	for (; nodes < 2 * SYMBOLS - 1; nodes++) {
		int a = lightest(weight, nodes, -1);
		int b = lightest(weight, nodes, a);

		weight[nodes] = weight[a] + weight[b];
		weight[a] = weight[b] = 0;
		parent[a] = parent[b] = nodes;
	}
	for (int i = 0; i < SYMBOLS; i++) {
		unsigned int length = 0;

		for (int node = i; node != nodes - 1; node = parent[node])
			length++;
		code->length[i] = (unsigned char)length;
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* Codes of one length are consecutive numbers, shorter ones first. */
static void code_number(struct code *code)
{
	uint32_t word = 0;

	for (unsigned int length = 1; length <= MAX_BITS; length++) {
		for (int i = 0; i < SYMBOLS; i++) {
			if (code->length[i] == length)
				code->word[i] = word++;
		}
		word <<= 1;
	}
}

static void code_init(struct code *code, const uint16_t *symbols, size_t n)
{
	uint32_t frequency[SYMBOLS] = { 0 };

	for (size_t i = 0; i < n; i++)
		frequency[symbols[i]]++;
	while (huffman_lengths(frequency, code) > MAX_BITS) {
		for (int i = 0; i < SYMBOLS; i++)
			frequency[i] /= 2;
	}
	code_number(code);
}

static void encode(const uint16_t *symbols, size_t n, struct bits *bits)
{
	struct code code;

	code_init(&code, symbols, n);
	for (int i = 0; i < SYMBOLS; i++)
		bits_put(bits, code.length[i], 5);
	for (size_t i = 0; i < n; i++)
		bits_put(bits, code.word[symbols[i]], code.length[symbols[i]]);
}

/* Reads symbols up to END, at most limit of them. */
static void decode(struct bits *bits, uint16_t *symbols, size_t limit)
{
	struct code code;
	uint16_t sorted[SYMBOLS] = { 0 }; /* by their words */
	uint32_t count[MAX_BITS + 1] = { 0 };
	size_t n = 0;

	for (int i = 0; i < SYMBOLS; i++) {
		code.length[i] = (unsigned char)bits_get(bits, 5);
		count[code.length[i]]++;
	}
	for (unsigned int length = 1; length <= MAX_BITS; length++) {
		for (int i = 0; i < SYMBOLS; i++) {
			if (code.length[i] == length)
				sorted[n++] = (uint16_t)i;
		}
	}
	for (n = 0; n == 0 || symbols[n - 1] != END; n++) {
		uint32_t word = 0;
		uint32_t first = 0; /* word of this length */
		size_t place = 0;   /* of that in sorted */
		unsigned int length = 0;

		require(n < limit, "too many symbols");
		do {
			require(length < MAX_BITS, "no such code");
			place += count[length];
			first = (first + count[length]) << 1;
			word = word << 1 | bits_get(bits, 1);
			length++;
		} while (word - first >= count[length]);
		symbols[n] = sorted[place + word - first];
	}
}

/* -- blocks ---------------------------------------------------------------- */

static void compress_block(const unsigned char *block, size_t size, struct bits *bits)
{
	unsigned char *last = allocate(size, 1);
	uint16_t *symbols = allocate(size + 1, sizeof(*symbols));
	size_t row = transform(block, size, last);
	size_t n = to_symbols(last, size, symbols);

	bits_put(bits, (uint32_t)row, 32);
	encode(symbols, n, bits);
	free(symbols);
	free(last);
}

static void decompress_block(struct bits *bits, unsigned char *block, size_t size)
{
	unsigned char *last = allocate(size, 1);
	uint16_t *symbols = allocate(size + 1, sizeof(*symbols));
	size_t row = bits_get(bits, 32);

	decode(bits, symbols, size + 1);
	from_symbols(symbols, last, size);
	transform_back(last, size, row, block);
	free(symbols);
	free(last);
}

int main(void)
{
	unsigned char *text = allocate(BLOCK, 1);
	unsigned char *again = allocate(BLOCK, 1);
	uint64_t seed = 1;
	uint64_t sum = 0;

	for (int i = 0; i < BLOCKS; i++) {
		/* A code is at most MAX_BITS long, a byte of text at most one symbol. */
		struct bits bits = { .data = allocate(BLOCK + 1000, 3) };
		size_t bytes;

		write_text(text, BLOCK, &seed);
		compress_block(text, BLOCK, &bits);
		bytes = (bits.at + 7) / 8;
		for (size_t j = 0; j < bytes; j++)
			sum = checksum_add(sum, bits.data[j]);
		require(bytes < BLOCK / 2, "it is hardly smaller");
		bits.at = 0;
		decompress_block(&bits, again, BLOCK);
		require(memcmp(text, again, BLOCK) == 0, "it does not come back");
		free(bits.data);
	}
	free(again);
	free(text);
	return report("compress", sum);
}
