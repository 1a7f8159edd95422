/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workloads: programs of scripts/compare-time that are small, each with one thing that takes its time.
 *
 *	workloads		the names
 *	workloads NAME		runs it, and prints a checksum
 *
 * Each takes some 0.4 s on a processor of 2024, and is mostly in functions whose names a profile shows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/time/jsontext.h"

/* -- memory ------------------------------------------------------------------ */

/* One cycle through all n elements, in random order (Sattolo). */
static NOINLINE void shuffle_cycle(uint32_t *next, uint32_t n, uint64_t *state)
{
	for (uint32_t i = 0; i < n; i++)
		next[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		const uint32_t other = random_below(state, i), kept = next[i];

		next[i] = next[other];
		next[other] = kept;
	}
}

struct node {
	struct node *next;
	uint64_t value;
	char padding[48];
};

/* Nodes of a line each, linked in the order of their places, or in a random one. */
static NOINLINE struct node *link_nodes(uint32_t n, int is_random)
{
	struct node *nodes = allocate(n, sizeof(*nodes));
	uint32_t *next = allocate(n, sizeof(*next));
	uint64_t state = 1;

	if (is_random)
		shuffle_cycle(next, n, &state);
	for (uint32_t i = 0; i < n; i++) {
		nodes[i].next = &nodes[is_random ? next[i] : (i + 1) % n];
		nodes[i].value = i;
	}
	free(next);
	return nodes;
}

static NOINLINE uint64_t walk_nodes(const struct node *node, uint32_t steps)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < steps; i++) {
		sum += node->value;
		node = node->next;
	}
	return sum;
}

/* A pointer chase over 96 MiB: each step waits for memory. */
static uint64_t run_chase(void)
{
	enum { NODES = (size_t)96 * 1024 * 1024 / sizeof(struct node) };
	struct node *nodes = link_nodes(NODES, 1);
	const uint64_t sum = walk_nodes(nodes, NODES);

	free(nodes);
	return sum;
}

/* A list of 2 MiB whose nodes lie in order. */
static uint64_t run_list(void)
{
	enum { NODES = (size_t)2 * 1024 * 1024 / sizeof(struct node) };
	struct node *nodes = link_nodes(NODES, 0);
	const uint64_t sum = walk_nodes(nodes, 5000 * NODES);

	free(nodes);
	return sum;
}

static NOINLINE void triad(double *a, const double *b, const double *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] + 3 * c[i];
}

/* The triad of STREAM, over 64 MiB in all. */
static uint64_t run_triad(void)
{
	const size_t n = 64 * 1024 * 1024 / 3 / sizeof(double);
	double *vectors = allocate(3 * n, sizeof(double));
	uint64_t sum;

	for (size_t i = 0; i < 3 * n; i++)
		vectors[i] = (double)(i & 255);
	for (int i = 0; i < 16; i++)
		triad(vectors + i % 3 * n, vectors + (i + 1) % 3 * n, vectors + (i + 2) % 3 * n, n);
	sum = checksum_add(0, (uint64_t)log2(vectors[n / 2]));
	free(vectors);
	return sum;
}

enum { HASH_BITS = 20, HASH_SIZE = 1 << HASH_BITS };

static NOINLINE uint32_t hash_place(const uint64_t *keys, uint64_t key)
{
	uint32_t place = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));

	while (keys[place] != 0 && keys[place] != key)
		place = (place + 1) & (HASH_SIZE - 1);
	return place;
}

/* Open addressing, half full, 16 MiB of keys and values; half of the lookups fail. */
static uint64_t run_hash(void)
{
	uint64_t *keys = allocate(HASH_SIZE, sizeof(*keys));
	uint64_t *values = allocate(HASH_SIZE, sizeof(*values));
	uint64_t state = 1, sum = 0;

	for (uint32_t i = 0; i < HASH_SIZE / 2; i++) {
		const uint64_t key = 2 * (uint64_t)random_below(&state, HASH_SIZE) + 1;

		keys[hash_place(keys, key)] = key;
	}
	for (uint32_t i = 0; i < 8000000; i++) {
		const uint64_t key = 2 * (uint64_t)random_below(&state, HASH_SIZE) + 1;
		const uint32_t place = hash_place(keys, key);

		if (keys[place] == key)
			sum += ++values[place];
	}
	free(keys);
	free(values);
	return sum;
}

/* -- branches ---------------------------------------------------------------- */

enum { PROGRAM_SIZE = 1 << 16 };

static NOINLINE uint64_t interpret(const uint8_t *program, uint64_t sum)
{
	for (size_t i = 0; i < PROGRAM_SIZE; i++)
		switch (program[i]) {
		case 0:
			sum += 3;
			break;
		case 1:
			sum ^= sum << 7;
			break;
		case 2:
			sum = sum << 1 | sum >> 63;
			break;
		case 3:
			sum -= 11;
			break;
		case 4:
			sum ^= sum >> 3;
			break;
		case 5:
			sum += i;
			break;
		case 6:
			sum = ~sum;
			break;
		case 7:
			sum *= 3;
			break;
		case 8:
			sum ^= 0x55;
			break;
		case 9:
			sum += sum << 2;
			break;
		case 10:
			sum -= i ^ 5;
			break;
		default:
			sum = sum * 5 + 1;
			break;
		}
	return sum;
}

/* A table of jumps whose next target nobody knows. */
static uint64_t run_switch(void)
{
	uint8_t *program = allocate(PROGRAM_SIZE, 1);
	uint64_t state = 1, sum = 1;

	for (int turn = 0; turn < 800; turn++) {
		if (turn % 16 == 0)
			for (size_t i = 0; i < PROGRAM_SIZE; i++)
				program[i] = (uint8_t)random_below(&state, 12);
		sum = interpret(program, sum);
	}
	free(program);
	return sum;
}

static NOINLINE uint64_t count_sides(const uint32_t *data, size_t n, uint32_t pivot)
{
	uint64_t low = 0, high = 0;

	for (size_t i = 0; i < n; i++)
		if (data[i] < pivot) {
			__asm__ volatile("" ::: "memory");
			low++;
		} else {
			__asm__ volatile("" ::: "memory");
			high += data[i];
		}
	return low + high;
}

/* A branch that is taken or not by chance. */
static uint64_t run_branches(void)
{
	enum { N = 1 << 18 };
	uint32_t *data = allocate(N, sizeof(*data));
	uint64_t state = 1, sum = 0;

	for (size_t i = 0; i < N; i++)
		data[i] = random_next(&state);
	for (uint32_t turn = 0; turn < 400; turn++)
		sum += count_sides(data, N, UINT32_C(0x70000000) + (turn << 20));
	free(data);
	return sum;
}

static NOINLINE uint32_t place_queens(uint32_t columns, uint32_t left, uint32_t right, uint32_t all)
{
	uint32_t found = 0;

	if (columns == all)
		return 1;
	for (uint32_t free_ones = all & ~(columns | left | right); free_ones != 0;) {
		const uint32_t queen = free_ones & -free_ones;

		free_ones ^= queen;
		found += place_queens(columns | queen, (left | queen) << 1, (right | queen) >> 1,
				      all);
	}
	return found;
}

/* Queens on a board, by recursion. */
static uint64_t run_queens(void)
{
	return place_queens(0, 0, 0, (1 << 13) - 1);
}

/* -- floating point ---------------------------------------------------------- */

enum { BODIES = 5 };

struct body {
	double at[3], speed[3], mass;
};

static NOINLINE void attract(struct body *bodies, double step)
{
	for (int i = 0; i < BODIES; i++)
		for (int j = i + 1; j < BODIES; j++) {
			double way[3], square = 0, pull;

			for (int k = 0; k < 3; k++) {
				way[k] = bodies[i].at[k] - bodies[j].at[k];
				square += way[k] * way[k];
			}
			pull = step / (square * sqrt(square));
			for (int k = 0; k < 3; k++) {
				bodies[i].speed[k] -= way[k] * bodies[j].mass * pull;
				bodies[j].speed[k] += way[k] * bodies[i].mass * pull;
			}
		}
}

static NOINLINE void move(struct body *bodies, double step)
{
	for (int i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			bodies[i].at[k] += step * bodies[i].speed[k];
}

/* Five bodies that attract each other: divisions and roots. */
static uint64_t run_nbody(void)
{
	struct body bodies[BODIES];
	uint64_t sum = 0;

	for (int i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++) {
			bodies[i].at[k] = (i + 1) * (k + 2) % 7 * 4.0 + i;
			bodies[i].speed[k] = (i * 3 + k) % 5 * 0.1;
			bodies[i].mass = 1.0 / (i + 1);
		}
	for (int i = 0; i < 4000000; i++) {
		attract(bodies, 0.001);
		move(bodies, 0.001);
	}
	for (int i = 0; i < BODIES; i++)
		sum = checksum_add(sum, (uint64_t)(int64_t)(bodies[i].at[0] * 16));
	return sum;
}

static NOINLINE void multiply_naive(double *c, const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] += sum;
		}
}

/* Blocks of 32 columns, a row at a time. */
static NOINLINE void multiply_blocked(double *c, const double *a, const double *b, size_t n)
{
	enum { BLOCK = 32 };

	for (size_t column = 0; column < n; column += BLOCK)
		for (size_t begin = 0; begin < n; begin += BLOCK)
			for (size_t i = 0; i < n; i++)
				for (size_t k = begin; k < begin + BLOCK; k++)
					for (size_t j = column; j < column + BLOCK; j++)
						c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static uint64_t run_matrices(void (*multiply)(double *, const double *, const double *, size_t),
			     size_t n, int turns)
{
	double *a = allocate(n * n, sizeof(*a)), *b = allocate(n * n, sizeof(*b));
	double *c = allocate(n * n, sizeof(*c));
	uint64_t state = 1, sum = 0;

	for (size_t i = 0; i < n * n; i++) {
		a[i] = random_below(&state, 16);
		b[i] = random_below(&state, 16);
	}
	for (int i = 0; i < turns; i++)
		multiply(c, a, b, n);
	for (size_t i = 0; i < n * n; i += 97)
		sum = checksum_add(sum, (uint64_t)c[i]);
	free(a);
	free(b);
	free(c);
	return sum;
}

static uint64_t run_matmul_naive(void)
{
	return run_matrices(multiply_naive, 512, 2);
}

static uint64_t run_matmul_blocked(void)
{
	return run_matrices(multiply_blocked, 512, 4);
}

/* -- text -------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\n')
		at++;
	return at;
}

static const char *parse_value(const char *at, uint64_t *sum, int depth);

static NOINLINE const char *parse_string(const char *at, uint64_t *sum)
{
	uint64_t hash = 5381;

	for (at++; *at != '"'; at++) {
		if (*at == '\\')
			at++;
		hash = hash * 33 ^ (uint8_t)*at;
	}
	*sum = checksum_add(*sum, hash);
	return at + 1;
}

static NOINLINE const char *parse_number(const char *at, uint64_t *sum)
{
	double value = 0, unit = 1;
	const int is_negative = *at == '-';

	for (at += is_negative; *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (*at - '0');
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++) {
			unit /= 10;
			value += (*at - '0') * unit;
		}
	*sum += (uint64_t)(value * 100) ^ (uint64_t)is_negative;
	return at;
}

/* Objects and lists: what is between brackets. */
static NOINLINE const char *parse_members(const char *at, uint64_t *sum, int depth)
{
	const char end = *at == '{' ? '}' : ']';

	at = skip_blanks(at + 1);
	while (*at != end) {
		if (end == '}') {
			at = skip_blanks(parse_string(at, sum));
			require(*at++ == ':', "a colon");
		}
		at = skip_blanks(parse_value(skip_blanks(at), sum, depth + 1));
		if (*at == ',')
			at = skip_blanks(at + 1);
	}
	return at + 1;
}

static const char *parse_value(const char *at, uint64_t *sum, int depth)
{
	require(depth < 64, "depth");
	switch (*at) {
	case '{':
	case '[':
		return parse_members(at, sum, depth);
	case '"':
		return parse_string(at, sum);
	case 't':
	case 'n':
		*sum += 1;
		return at + 4;
	case 'f':
		*sum += 2;
		return at + 5;
	default:
		return parse_number(at, sum);
	}
}

/* A parser by recursive descent, of 4 MB of text. */
static uint64_t run_json(void)
{
	char *text = write_json(50000);
	uint64_t sum = 0;

	for (int i = 0; i < 30; i++)
		parse_value(text, &sum, 0);
	free(text);
	return sum;
}

static NOINLINE char *write_words(uint32_t words, uint64_t *state)
{
	char *text = allocate(words, 16), *at = text;

	for (uint32_t i = 0; i < words; i++) {
		for (uint32_t length = 2 + random_below(state, 12); length > 0; length--)
			*at++ = (char)('a' + random_below(state, 20));
		*at++ = ' ';
	}
	*at = '\0';
	return text;
}

static NOINLINE uint64_t cut_words(const char *text, char *copy)
{
	uint64_t sum = 0;

	for (const char *at = text, *end; (end = strchr(at, ' ')) != NULL; at = end + 1) {
		const size_t length = (size_t)(end - at);

		memcpy(copy, at, length);
		copy[length] = '\0';
		sum += strlen(copy) * (memcmp(copy, "abc", 2) == 0 ? 3 : 1) +
		       (strcmp(copy, "kept") < 0);
		copy += length + 1;
	}
	return sum;
}

/* What the C library has for strings, on words and on long stretches. */
static uint64_t run_strings(void)
{
	uint64_t state = 1, sum = 0;
	char *text = write_words(40000, &state);
	const size_t size = strlen(text) + 1;
	char *copy = allocate(size, 1);

	for (int i = 0; i < 400; i++) {
		sum += cut_words(text, copy);
		sum += strstr(text, "zz") == NULL;
		memmove(copy, text, size);
		sum += (uint64_t)(memcmp(copy, text, size) == 0) + strlen(copy);
	}
	free(text);
	free(copy);
	return sum;
}

static NOINLINE uint32_t edit_distance(const char *a, const char *b, uint32_t *row, size_t n)
{
	for (uint32_t j = 0; j <= n; j++)
		row[j] = j;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < n; j++) {
			const uint32_t above = row[j + 1];
			uint32_t least = corner + (a[i] != b[j]);

			least = least < above + 1 ? least : above + 1;
			least = least < row[j] + 1 ? least : row[j] + 1;
			row[j + 1] = least;
			corner = above;
		}
	}
	return row[n];
}

/* Levenshtein's distance: a chain of minima through memory. */
static uint64_t run_distance(void)
{
	enum { N = 4000 };
	uint64_t state = 1, sum = 0;
	char *a = write_words(N, &state), *b = write_words(N, &state);
	uint32_t *row = allocate(N + 1, sizeof(*row));

	for (uint32_t i = 0; i < 18; i++)
		sum += edit_distance(a + i, b, row, N);
	free(a);
	free(b);
	free(row);
	return sum;
}

/* -- numbers ----------------------------------------------------------------- */

static NOINLINE uint32_t sieve(uint8_t *composite, uint32_t n)
{
	uint32_t primes = 0;

	memset(composite, 0, n);
	for (uint32_t i = 2; i < n; i++) {
		if (composite[i])
			continue;
		primes++;
		for (uint64_t j = (uint64_t)i * i; j < n; j += i)
			composite[j] = 1;
	}
	return primes;
}

/* Eratosthenes' sieve of 4 MB: stores at strides. */
static uint64_t run_sieve(void)
{
	enum { N = 4000000 };
	uint8_t *composite = allocate(N, 1);
	uint64_t sum = 0;

	for (int i = 0; i < 24; i++)
		sum += sieve(composite, N);
	free(composite);
	return sum;
}

static NOINLINE uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
	uint64_t result = 1;

	for (; exponent > 0; exponent >>= 1) {
		if (exponent & 1)
			result = result * base % modulus;
		base = base * base % modulus;
	}
	return result;
}

/* Divisions of 64 bits by a number that the compiler does not know. */
static uint64_t run_modulo(void)
{
	uint64_t state = 1, sum = 0;

	for (int i = 0; i < 2000000; i++) {
		const uint64_t modulus = UINT64_C(0x80000001) + random_below(&state, 1 << 30);

		sum = checksum_add(sum, power(random_next(&state), random_next(&state), modulus));
	}
	return sum;
}

static const struct workload {
	const char *name;
	uint64_t (*run)(void);
} workloads[] = {
	{ "chase", run_chase },
	{ "list", run_list },
	{ "triad", run_triad },
	{ "hash", run_hash },
	{ "switch", run_switch },
	{ "branches", run_branches },
	{ "queens", run_queens },
	{ "nbody", run_nbody },
	{ "matmul-naive", run_matmul_naive },
	{ "matmul-blocked", run_matmul_blocked },
	{ "json", run_json },
	{ "strings", run_strings },
	{ "distance", run_distance },
	{ "sieve", run_sieve },
	{ "modulo", run_modulo },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
		if (argc < 2)
			puts(workloads[i].name);
		else if (strcmp(argv[1], workloads[i].name) == 0)
			return report(argv[1], workloads[i].run());
	}
	return argc < 2 ? 0 : 2;
}
