/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/ and writer/ without a C library: this program is linked with them and
 * with nothing else (scripts/check-freestanding), so it links only if they
 * need nothing else, and says whether they work that way.
 *
 * Three fetches, two data references and three branches are simulated in
 * caches of one set, by hand:
 *
 *	I1 2 lines of 32 B, D1 the same, LL 4 lines of 64 B
 *	fetch 0x40 4 B	misses I1 and LL	I1 {40}		LL {40}
 *	fetch 0x5e 4 B	60 misses, in LL is 40	I1 {40 60}	LL {40}
 *	fetch 0x40 4 B	hits
 *	data 0x80 8 B	misses D1 and LL	D1 {80}		LL {40 80}
 *	data 0x88 8 B	hits
 *	branch at 1	counters start at 0: not taken is right, taken is wrong,
 *			and the second one, after other outcomes, too
 *	alternation	a machine's predictor knows it after a while
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/predictor.h"
#include "sim/core/instructiontable.h"
#include "sim/geometry.h"
#include "tests/oracle/hierarchy.h"
#include "tests/oracle/plainpredictors.h"
#include "writer/writer.h"

/* The build generates these (scripts/embed-texts), and nothing here asks for a core. */
const char *const core_names[] = { NULL };

/* What a compiler may call anyway; Valgrind's core has the three, too. */
void *memcpy(void *restrict to, const void *restrict from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *memory, int byte, size_t len);

void *memmove(void *to, const void *from, size_t len)
{
	volatile char *target = to; /* volatile: or the loop becomes a call of memmove() */
	const char *source = from;

	if ((uintptr_t)to < (uintptr_t)from) {
		for (size_t i = 0; i < len; i++)
			target[i] = source[i];
	} else {
		for (size_t i = len; i-- > 0;)
			target[i] = source[i];
	}
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
	return memmove(to, from, len);
}

void *memset(void *memory, int byte, size_t len)
{
	volatile char *target = memory;

	for (size_t i = 0; i < len; i++)
		target[i] = (char)byte;
	return memory;
}

#if !defined(__x86_64__) || !defined(__linux__)
# error "system calls of this platform are to be added here"
#endif

enum {
	SYSCALL_WRITE = 1,
	SYSCALL_EXIT = 60,
};

static long system_call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

/* Memory for everything: given out, never taken back. */
static _Alignas(64) char heap[512 * 1024];
static size_t heap_used;

static char written[4096];
static size_t written_len;

static void *heap_alloc(void *ctx, size_t size)
{
	char *memory = heap + heap_used;

	(void)ctx;
	size = (size + 63) & ~(size_t)63;
	if (size > sizeof(heap) - heap_used)
		return NULL;
	heap_used += size;
	return memory;
}

static void heap_release(void *ctx, void *memory)
{
	(void)ctx;
	(void)memory;
}

static int keep_written(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	if (len > sizeof(written) - written_len)
		return 28;
	memcpy(written + written_len, data, len);
	written_len += len;
	return 0;
}

static const struct env env = {
	.alloc = heap_alloc,
	.release = heap_release,
	.write = keep_written,
};

enum { N_COSTS = 6 };

static bool simulate(uint64_t *costs)
{
	static struct direction_predictor directions; /* too large for some stacks */
	static struct target_predictor targets;
	struct cache_geometry i1, d1, ll;
	struct hierarchy_config config;
	struct hierarchy hierarchy;
	unsigned fetches = 0, data = 0;

	if (geometry_parse("64,2,32", &i1) || geometry_parse("64,2,32", &d1) ||
	    geometry_parse("256,4,64", &ll))
		return false;
	if (geometry_check(&i1) || geometry_check(&ll) ||
	    geometry_parse("64,2,,32", &d1) != GEOMETRY_SYNTAX)
		return false;
	config = hierarchy_two_levels(i1, d1, ll);
	hierarchy_init(&hierarchy, &config, heap_alloc(NULL, hierarchy_memory_size(&config)));

	fetches = hierarchy_fetch(&hierarchy, 0x40, 4) == 2;
	fetches += hierarchy_fetch(&hierarchy, 0x5e, 4) == 1;
	fetches += hierarchy_fetch(&hierarchy, 0x40, 4) == 0;
	data = hierarchy_data(&hierarchy, 0x80, 8) == 2;
	data += hierarchy_data(&hierarchy, 0x88, 8) == 0;
	costs[0] = fetches;
	costs[1] = data;
	costs[2] = !direction_predict(&directions, 1, false);
	costs[3] = direction_predict(&directions, 1, true);
	costs[4] = direction_predict(&directions, 1, true);
	costs[5] = target_predict(&targets, 1, 0x40) && !target_predict(&targets, 1, 0x40);
	return true;
}

static bool predict(void)
{
	const struct predictor_config config = {
		.tage = &tage_8k, .ittage = &ittage_8k, .n_returns = 16, .n_targets = 64
	};
	struct predictor *predictor = heap_alloc(NULL, predictor_size(&config));
	struct branch_place place;
	unsigned wrong = 0;

	if (predictor == NULL)
		return false;
	predictor_init(predictor, &config);
	predictor_add_place(predictor, &place, predictor_key(predictor_object_hash("lib/a", 5), 1));
	for (unsigned i = 0; i < 300; i++)
		wrong += (predictor_branch(predictor, &place, i % 2 == 0) & PREDICTOR_WRONG) != 0 &&
			 i >= 200;
	return wrong == 0;
}

static bool write_profile(const uint64_t *costs)
{
	static const char *const events[N_COSTS] = { "Ir", "Dr", "Bc", "Bcm", "Bi", "Bim" };
	static const struct name file = { "a.c", 3, 0 };
	static const struct name function = { "main", 4, 0 };
	static const struct position at = { .line = 18446744073709551615u };
	struct writer_options options = { POSITION_LINE, true, true };
	struct writer writer;
	int error;

	writer_init(&writer, &env, &options);
	writer_format(&writer);
	writer_version(&writer);
	writer_positions(&writer);
	writer_events(&writer, events, N_COSTS);
	writer_summary(&writer, costs);
	writer_blank(&writer);
	writer_position(&writer, SPEC_FL, &file);
	writer_position(&writer, SPEC_FN, &function);
	writer_cost(&writer, &at, costs, N_COSTS);
	writer_totals(&writer, costs);
	error = writer_finish(&writer);
	writer_release(&writer);
	return error == 0;
}

static bool ends_with(const char *text, size_t text_len, const char *end, size_t end_len)
{
	if (text_len < end_len)
		return false;
	for (size_t i = 0; i < end_len; i++)
		if (text[text_len - end_len + i] != end[i])
			return false;
	return true;
}

/*
 * The stack is aligned at the entry of a program, not as for a call; a function
 * in C could not know.
 */
__asm__(".globl _start\n"
	"_start:\n"
	"	xor %ebp, %ebp\n"
	"	and $-16, %rsp\n"
	"	call freestanding_main\n"
	"	ud2\n");

__attribute__((noreturn, used)) void freestanding_main(void);

void freestanding_main(void)
{
	static const char want[] = "fl=(1) a.c\n"
				   "fn=(1) main\n"
				   "18446744073709551615 3 2 1 1 1 1\n"
				   "totals: 3 2 1 1 1 1\n";
	uint64_t costs[N_COSTS] = { 0 };
	bool right = simulate(costs) && predict() && write_profile(costs) &&
		     ends_with(written, written_len, want, sizeof(want) - 1);

	/* If it is not right, this shows what is wrong. */
	system_call(SYSCALL_WRITE, 1, (long)written, (long)written_len);
	for (;;)
		system_call(SYSCALL_EXIT, !right, 0, 0);
}
