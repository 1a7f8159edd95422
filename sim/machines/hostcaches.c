/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Leaves are documented in the manuals: Intel's volume 2, "CPUID"; AMD's volume 3,
 * appendix E.  Leaf 4 and 0x8000001D have one layout:
 *
 *	eax  4:0 type, 7:5 level, 25:14 processors that share it, less one
 *	ebx  11:0 line size, 21:12 partitions, 31:22 ways, each less one
 *	ecx  sets, less one
 *	edx  1 inclusive
 */
#include "sim/machines/hostcaches.h"

#define LEAF_EXTENDED          UINT32_C(0x80000000)
#define LEAF_EXTENDED_FEATURES UINT32_C(0x80000001)
#define LEAF_FIRST_LEVEL       UINT32_C(0x80000005)
#define LEAF_OTHER_LEVELS      UINT32_C(0x80000006)
#define LEAF_AMD_CACHES        UINT32_C(0x8000001d)

enum {
	LEAF_CACHES = 4,
	LEAF_FEATURES = 7,
	HYBRID = 1U << 15,              /* EDX of LEAF_FEATURES */
	TOPOLOGY_EXTENSIONS = 1U << 22, /* ECX of LEAF_EXTENDED_FEATURES */
};

const char *const hostcache_files[N_HOSTCACHE_FILES] = {
	[HOSTCACHE_LEVEL] = "level",
	[HOSTCACHE_TYPE] = "type",
	[HOSTCACHE_SIZE] = "size",
	[HOSTCACHE_WAYS] = "ways_of_associativity",
	[HOSTCACHE_LINE_SIZE] = "coherency_line_size",
	[HOSTCACHE_SETS] = "number_of_sets",
	[HOSTCACHE_PARTITIONS] = "physical_line_partition",
	[HOSTCACHE_SHARING] = "shared_cpu_list",
};

const char *hostcache_source_name(enum hostcache_source source)
{
	static const char *const names[N_HOSTCACHE_SOURCES] = {
		[HOSTCACHE_LEAF_4] = "CPUID leaf 4",
		[HOSTCACHE_LEAF_8000001D] = "CPUID leaf 0x8000001D",
		[HOSTCACHE_LEAF_80000006] = "CPUID leaves 0x80000005 and 0x80000006",
		[HOSTCACHE_SYS] = "/sys",
	};

	return names[source];
}

/* Bits high to low, both inclusive. */
static uint32_t bits(uint32_t word, uint32_t high, uint32_t low)
{
	return (word >> low) & (UINT32_MAX >> (31 - high + low));
}

/* More than fit are dropped: no machine has them, and loops end. */
static void add(struct hostcaches *caches, const struct hostcache *cache)
{
	if (caches->n < HOSTCACHES_MAX)
		caches->caches[caches->n++] = *cache;
}

/*
 * Whole sets only; returns how many: AMD's L3 of 5 MiB with 48 ways has 1,706
 * and two thirds of them, and the kernel says 1706, and 5118K or 5120K.
 */
static uint64_t keep_whole_sets(struct cache_geometry *geometry)
{
	uint64_t set_size = (uint64_t)geometry->assoc * geometry->line_size;
	uint64_t n_sets = set_size != 0 ? geometry->size / set_size : 0;

	if (set_size != 0)
		geometry->size = n_sets * set_size;
	return n_sets;
}

/* -- CPUID ----------------------------------------------------------------------------- */

struct asked {
	cpuid_function *cpuid;
	void *data;
};

struct leaf {
	uint32_t registers[N_PROCESSOR_REGISTERS];
};

static struct leaf ask(const struct asked *asked, uint32_t number, uint32_t subleaf)
{
	struct leaf leaf;

	asked->cpuid(asked->data, number, subleaf, leaf.registers);
	return leaf;
}

/* EBX, EDX and ECX of leaf 0, in this order: "Auth" "enti" "cAMD", "Hygo" "nGen" "uine". */
static bool is_amd(const struct leaf *leaf)
{
	const uint32_t *registers = leaf->registers;
	uint32_t ebx = registers[PROCESSOR_EBX], edx = registers[PROCESSOR_EDX];
	uint32_t ecx = registers[PROCESSOR_ECX];

	return (ebx == 0x68747541 && edx == 0x69746e65 && ecx == 0x444d4163) ||
	       (ebx == 0x6f677948 && edx == 0x6e65476e && ecx == 0x656e6975);
}

/* Leaf 4 or 0x8000001D: a cache for each subleaf until one has no type. */
static void add_leaf(struct hostcaches *caches, const struct asked *asked, uint32_t number,
		     enum hostcache_source source)
{
	for (uint32_t subleaf = 0; subleaf < 2 * HOSTCACHES_MAX; subleaf++) {
		const struct leaf leaf = ask(asked, number, subleaf);
		uint32_t eax = leaf.registers[PROCESSOR_EAX];
		uint32_t ebx = leaf.registers[PROCESSOR_EBX];
		uint32_t ways = bits(ebx, 31, 22) + 1, line_size = bits(ebx, 11, 0) + 1;
		uint64_t partitions = bits(ebx, 21, 12) + 1;
		struct hostcache cache = {
			.type = (enum processor_cache_type)bits(eax, 4, 0),
			.level = bits(eax, 7, 5),
			.n_sharing = bits(eax, 25, 14) + 1,
			.source = source,
		};

		if (bits(eax, 4, 0) == 0)
			break;
		if (bits(eax, 4, 0) > PROCESSOR_UNIFIED)
			continue;
		cache.n_sets = partitions * ((uint64_t)leaf.registers[PROCESSOR_ECX] + 1);
		/* With all ones in both registers it becomes 0, which is no cache either. */
		cache.geometry.size = cache.n_sets * ways * line_size;
		cache.geometry.assoc = ways;
		cache.geometry.line_size = line_size;
		cache.inclusion = bits(leaf.registers[PROCESSOR_EDX], 1, 1) != 0
					  ? HOSTCACHE_INCLUSIVE
					  : HOSTCACHE_NOT_INCLUSIVE;
		add(caches, &cache);
	}
}

/* A cache of that many bytes, if there is one; ways are 0 if they are all that it has. */
static void add_old(struct hostcaches *caches, enum processor_cache_type type, uint32_t level,
		    uint64_t size, uint32_t ways, uint32_t line_size)
{
	struct hostcache cache = {
		.type = type,
		.level = level,
		.geometry = { size, ways, line_size },
		.source = HOSTCACHE_LEAF_80000006,
	};

	if (size == 0)
		return;
	if (ways == 0 && line_size != 0)
		cache.geometry.assoc = (uint32_t)(size / line_size);
	cache.n_sets = keep_whole_sets(&cache.geometry);
	add(caches, &cache);
}

/* Of the first level: 255 ways are all. */
static void add_first_level(struct hostcaches *caches, enum processor_cache_type type,
			    uint32_t descriptor)
{
	uint32_t ways = bits(descriptor, 23, 16);

	if (ways != 0)
		add_old(caches, type, 1, (uint64_t)bits(descriptor, 31, 24) * 1024,
			ways == 0xff ? 0 : ways, bits(descriptor, 7, 0));
}

/* Of the other levels, ways are a code. */
enum {
	OLD_OFF = 0,
	OLD_ELSEWHERE = 9, /* "see leaf 0x8000001D" */
	OLD_ALL = 15,
	N_OLD_CODES,
};

/* Adds a level of unit times as many bytes as it says; returns false if it does not really say. */
static bool add_other_level(struct hostcaches *caches, uint32_t level, uint64_t size,
			    uint32_t descriptor)
{
	static const uint32_t ways[N_OLD_CODES] = { 0,  1, 2,  3,  4,  6,  8,   0,
						    16, 0, 32, 48, 64, 96, 128, 0 };
	uint32_t code = bits(descriptor, 15, 12);

	if (code == OLD_OFF || size == 0)
		return true;
	if (ways[code] == 0 && code != OLD_ALL)
		return false;
	add_old(caches, PROCESSOR_UNIFIED, level, size, ways[code], bits(descriptor, 7, 0));
	return true;
}

/*
 * A level that points to a missing leaf (some virtual machines have one)
 * makes all of it worthless: the one above would be taken for the last.
 */
static void add_old_leaves(struct hostcaches *caches, const struct asked *asked)
{
	const struct leaf first = ask(asked, LEAF_FIRST_LEVEL, 0);
	const struct leaf others = ask(asked, LEAF_OTHER_LEVELS, 0);
	uint32_t l2 = others.registers[PROCESSOR_ECX], l3 = others.registers[PROCESSOR_EDX];

	/* Intel's processors have only the second level here, and it in leaf 4, too. */
	add_first_level(caches, PROCESSOR_DATA, first.registers[PROCESSOR_ECX]);
	add_first_level(caches, PROCESSOR_INSTRUCTION, first.registers[PROCESSOR_EDX]);
	if (caches->n == 0)
		return;
	if (!add_other_level(caches, 2, (uint64_t)bits(l2, 31, 16) * 1024, l2) ||
	    !add_other_level(caches, 3, (uint64_t)bits(l3, 31, 18) * 512 * 1024, l3))
		caches->n = 0;
}

void hostcaches_from_cpuid(struct hostcaches *caches, cpuid_function *cpuid, void *data)
{
	const struct asked asked = { cpuid, data };
	const struct leaf basic = ask(&asked, 0, 0);
	uint32_t last = basic.registers[PROCESSOR_EAX], last_extended, extended = 0;

	*caches = (struct hostcaches){ 0 };
	last_extended = ask(&asked, LEAF_EXTENDED, 0).registers[PROCESSOR_EAX];
	if (last_extended >= LEAF_EXTENDED_FEATURES)
		extended = ask(&asked, LEAF_EXTENDED_FEATURES, 0).registers[PROCESSOR_ECX];
	if (last >= LEAF_FEATURES)
		caches->is_hybrid =
			(ask(&asked, LEAF_FEATURES, 0).registers[PROCESSOR_EDX] & HYBRID) != 0;

	if (!is_amd(&basic)) {
		if (last >= LEAF_CACHES)
			add_leaf(caches, &asked, LEAF_CACHES, HOSTCACHE_LEAF_4);
	} else if ((extended & TOPOLOGY_EXTENSIONS) != 0 && last_extended >= LEAF_AMD_CACHES) {
		add_leaf(caches, &asked, LEAF_AMD_CACHES, HOSTCACHE_LEAF_8000001D);
	}
	if (caches->n == 0 && last_extended >= LEAF_OTHER_LEVELS)
		add_old_leaves(caches, &asked);
}

/* -- /sys ------------------------------------------------------------------------------ */

/* Of a text that may be NULL: the number that it begins with; UINT64_MAX for larger ones, 0 for none. */
static uint64_t read_number(const char **text)
{
	uint64_t number = 0;

	for (; *text != NULL && **text >= '0' && **text <= '9'; (*text)++)
		number = number > (UINT64_MAX - 9) / 10 ? UINT64_MAX
							: number * 10 + (uint64_t)(**text - '0');
	return number;
}

/*
 * What is there and is no number is not silence: it becomes one that no machine has.  A number
 * that is not known has no file.
 */
#define NONSENSE UINT32_MAX

static uint32_t number_of(const char *text)
{
	const char *end = text;
	uint64_t number = read_number(&end);

	if (text == NULL)
		return 0;
	return end == text || (*end != '\n' && *end != '\0') || number > NONSENSE
		       ? NONSENSE
		       : (uint32_t)number;
}

/* "266240K"; more than GEOMETRY_MAX_SIZE if it is no size. */
static uint64_t size_of(const char *text)
{
	const char *end = text;
	uint64_t number = read_number(&end), unit = 1;

	if (text == NULL)
		return 0;
	if (end == text)
		return UINT64_MAX;
	if (*end == 'K')
		unit = 1024;
	else if (*end == 'M')
		unit = 1 << 20;
	end += unit != 1;
	return number > GEOMETRY_MAX_SIZE / unit || (*end != '\n' && *end != '\0') ? UINT64_MAX
										   : number * unit;
}

/* Takes "0-3," off a list of processors; returns false if it does not begin like one, or has ended. */
static bool take_range(const char **text, uint64_t *first, uint64_t *last)
{
	if (*text == NULL || **text < '0' || **text > '9')
		return false;
	*first = *last = read_number(text);
	if (**text == '-') {
		++*text;
		*last = read_number(text);
	}
	if (**text == ',')
		++*text;
	return true;
}

/* "0-3,8": how many; 0 if it is no such list. */
static uint32_t count_list(const char *text)
{
	uint64_t n = 0, first, last;

	while (take_range(&text, &first, &last)) {
		if (last < first || last - first >= UINT32_MAX - n)
			return 0;
		n += last - first + 1;
	}
	return (uint32_t)n;
}

/* "Data", "Instruction", "Unified"; 0 if it is none. */
static uint32_t type_of(const char *text)
{
	switch (text != NULL ? text[0] : '\0') {
	case 'D':
		return PROCESSOR_DATA;
	case 'I':
		return PROCESSOR_INSTRUCTION;
	case 'U':
		return PROCESSOR_UNIFIED;
	default:
		return 0;
	}
}

void hostcaches_add_sys(struct hostcaches *caches, const char *const texts[N_HOSTCACHE_FILES])
{
	struct hostcache cache = {
		.type = (enum processor_cache_type)type_of(texts[HOSTCACHE_TYPE]),
		.level = number_of(texts[HOSTCACHE_LEVEL]),
		.geometry = { size_of(texts[HOSTCACHE_SIZE]), number_of(texts[HOSTCACHE_WAYS]),
			      number_of(texts[HOSTCACHE_LINE_SIZE]) },
		.n_sharing = count_list(texts[HOSTCACHE_SHARING]),
		.source = HOSTCACHE_SYS,
	};
	uint64_t partitions = number_of(texts[HOSTCACHE_PARTITIONS]);
	uint64_t n_sets = keep_whole_sets(&cache.geometry);

	cache.n_sets = (partitions != 0 ? partitions : 1) * number_of(texts[HOSTCACHE_SETS]);
	if (cache.n_sets == 0)
		cache.n_sets = n_sets;
	add(caches, &cache);
}

/* -- both ------------------------------------------------------------------------------ */

const struct hostcache *hostcaches_find(const struct hostcaches *caches,
					enum processor_cache_type type, uint32_t level)
{
	for (uint32_t i = 0; i < caches->n; i++)
		if (caches->caches[i].type == type && caches->caches[i].level == level)
			return &caches->caches[i];
	return NULL;
}

const struct hostcache *hostcaches_last(const struct hostcaches *caches)
{
	const struct hostcache *last = NULL;

	for (uint32_t level = 3; level > 0 && last == NULL; level--)
		last = hostcaches_find(caches, PROCESSOR_UNIFIED, level);
	return last;
}

/* True if all numbers that a cache needs are known. */
static bool is_complete(const struct hostcache *cache)
{
	return cache->geometry.size != 0 && cache->geometry.assoc != 0 &&
	       cache->geometry.line_size != 0;
}

/* True if a machine may have such a cache; unknown numbers may be anything. */
static bool is_sane(const struct hostcache *cache)
{
	enum geometry_status status = geometry_check(&cache->geometry);

	if (cache->type < PROCESSOR_DATA || cache->type > PROCESSOR_UNIFIED || cache->level == 0 ||
	    cache->level > HOSTCACHES_MAX_LEVEL || cache->geometry.assoc > HOSTCACHES_MAX_WAYS)
		return false;
	if (cache->geometry.size > GEOMETRY_MAX_SIZE || cache->geometry.line_size == NONSENSE)
		return false;
	if (cache->source == HOSTCACHE_SYS && !is_complete(cache))
		return true;
	/* Those of the first level are simulated as they are, others can be rounded. */
	if (status != GEOMETRY_OK &&
	    (status != GEOMETRY_SETS_NOT_POWER_OF_TWO || cache->type != PROCESSOR_UNIFIED))
		return false;
	return cache->n_sets ==
	       cache->geometry.size / cache->geometry.assoc / cache->geometry.line_size;
}

/*
 * The first cache that cannot be: in itself, being there twice, or being smaller
 * than the one of data above it.  NULL if all can.
 */
static const struct hostcache *find_absurd(const struct hostcaches *caches)
{
	uint64_t above = 0;

	for (uint32_t i = 0; i < caches->n; i++) {
		const struct hostcache *cache = &caches->caches[i];

		if (!is_sane(cache) || hostcaches_find(caches, cache->type, cache->level) != cache)
			return cache;
	}
	for (uint32_t level = 1; level <= HOSTCACHES_MAX_LEVEL; level++) {
		const struct hostcache *cache = hostcaches_find(
			caches, level == 1 ? PROCESSOR_DATA : PROCESSOR_UNIFIED, level);

		if (cache == NULL || !is_complete(cache))
			continue;
		if (cache->geometry.size < above)
			return cache;
		above = cache->geometry.size;
	}
	return NULL;
}

/* Numbers that are not known are equal to any. */
static bool is_equal(uint64_t cpuid, uint64_t sys)
{
	return sys == 0 || cpuid == sys;
}

static bool agree(const struct hostcache *cpuid, const struct hostcache *sys)
{
	return is_equal(cpuid->geometry.size, sys->geometry.size) &&
	       is_equal(cpuid->geometry.assoc, sys->geometry.assoc) &&
	       is_equal(cpuid->geometry.line_size, sys->geometry.line_size);
}

/* True if the kernel reports half of what CPUID reports: one die of two. */
static bool is_of_two_dies(const struct hostcache *cpuid, const struct hostcache *sys)
{
	struct hostcache half = *cpuid;

	half.geometry.size /= 2;
	half.geometry.assoc /= 2;
	return cpuid->source == HOSTCACHE_LEAF_80000006 && cpuid->level == 3 && agree(&half, sys);
}

/* True if both have the same caches; writes the machine's, or the cache in doubt. */
static bool match(const struct hostcaches *cpuid, const struct hostcaches *sys,
		  struct hostcaches *machine, struct hostcaches_doubt *doubt)
{
	struct hostcaches matched = *cpuid;

	for (uint32_t i = 0; i < cpuid->n; i++) {
		const struct hostcache *ours = &cpuid->caches[i];
		const struct hostcache *theirs = hostcaches_find(sys, ours->type, ours->level);

		*doubt = (struct hostcaches_doubt){ ours, theirs };
		if (theirs == NULL)
			return false;
		if (agree(ours, theirs))
			matched.caches[i].is_confirmed = is_complete(theirs);
		else if (is_of_two_dies(ours, theirs))
			matched.caches[i] = *theirs;
		else
			return false;
	}
	for (uint32_t i = 0; i < sys->n; i++) {
		const struct hostcache *theirs = &sys->caches[i];

		*doubt = (struct hostcaches_doubt){ NULL, theirs };
		if (hostcaches_find(cpuid, theirs->type, theirs->level) == NULL)
			return false;
	}
	*machine = matched;
	return true;
}

/* True if one source alone is enough. */
static bool is_enough(const struct hostcaches *caches)
{
	for (uint32_t i = 0; i < caches->n; i++)
		if (!is_complete(&caches->caches[i]))
			return false;
	return caches->n != 0;
}

enum hostcaches_verdict hostcaches_weigh(const struct hostcaches *cpuid,
					 const struct hostcaches *sys, struct hostcaches *machine,
					 struct hostcaches_doubt *doubt)
{
	const struct hostcache *absurd_cpuid = find_absurd(cpuid);
	const struct hostcache *absurd_sys = find_absurd(sys);

	if (absurd_cpuid != NULL || absurd_sys != NULL) {
		*doubt = (struct hostcaches_doubt){ absurd_cpuid,
						    absurd_cpuid == NULL ? absurd_sys : NULL };
		return HOSTCACHES_ABSURD;
	}
	if (cpuid->n == 0 && !is_enough(sys))
		return HOSTCACHES_UNKNOWN;
	if (cpuid->n == 0 || (cpuid->is_hybrid && is_enough(sys))) {
		*machine = *sys;
		machine->is_hybrid = cpuid->is_hybrid;
		return HOSTCACHES_KNOWN;
	}
	if (sys->n == 0) {
		*machine = *cpuid;
		return HOSTCACHES_KNOWN;
	}
	return match(cpuid, sys, machine, doubt) ? HOSTCACHES_KNOWN : HOSTCACHES_DISAGREE;
}

/* -- the machine at hand ----------------------------------------------------------------- */

/* What one processor says, which is returned: the kernel may move us to another in between. */
static uint32_t ask_one_processor(const struct hostcaches_access *access, struct hostcaches *caches)
{
	enum { TRIES = 8 };
	uint32_t processor = access->current_processor(access->data);

	for (unsigned i = 0; i < TRIES; i++) {
		uint32_t before = processor;

		hostcaches_from_cpuid(caches, access->cpuid, access->data);
		processor = access->current_processor(access->data);
		if (processor == before)
			break;
	}
	return processor;
}

static void ask_kernel(const struct hostcaches_access *access, uint32_t processor,
		       struct hostcaches *caches)
{
	char texts[N_HOSTCACHE_FILES][HOSTCACHES_TEXT];

	*caches = (struct hostcaches){ 0 };
	for (uint32_t index = 0; index < HOSTCACHES_MAX; index++) {
		const char *given[N_HOSTCACHE_FILES];

		for (unsigned i = 0; i < N_HOSTCACHE_FILES; i++)
			given[i] = access->read_sys(access->data, processor, index,
						    hostcache_files[i], texts[i])
					   ? texts[i]
					   : NULL;
		if (given[HOSTCACHE_LEVEL] == NULL)
			break;
		hostcaches_add_sys(caches, given);
	}
}

/* The first processor with which one shares its first level; itself if the kernel does not tell. */
static uint64_t first_sibling(const struct hostcaches_access *access, uint64_t processor)
{
	char text[HOSTCACHES_TEXT];
	const char *list = text;
	uint64_t first, last;

	if (!access->read_sys(access->data, (uint32_t)processor, 0,
			      hostcache_files[HOSTCACHE_SHARING], text) ||
	    !take_range(&list, &first, &last))
		return processor;
	return first;
}

/*
 * How many cores share the last level of CPU 0: processors that are the first of their siblings, in the
 * list of those that share it.  Cores of several kinds have different numbers of threads, so each is asked.
 */
static uint32_t count_cores(const struct hostcaches_access *access, const struct hostcaches *sys)
{
	const struct hostcache *level = hostcaches_last(sys);
	char text[HOSTCACHES_TEXT];
	const char *list = text;
	uint64_t first, last;
	uint32_t n = 0;

	if (level == NULL || level->n_sharing == 0 ||
	    !access->read_sys(access->data, 0, (uint32_t)(level - sys->caches),
			      hostcache_files[HOSTCACHE_SHARING], text))
		return 0;
	while (take_range(&list, &first, &last))
		for (uint64_t i = first;
		     i <= last && i < HOSTCACHES_MAX_PROCESSORS && n < HOSTCACHES_MAX_CORES; i++)
			n += first_sibling(access, i) == i;
	return n;
}

/*
 * True if the kernel and CPUID agree about the processor that was asked: then a disagreement is
 * between two processors.  Intel's report that their cores are of several kinds; AMD's with
 * more cache on one die than on the other do not.
 */
static bool is_right_of(const struct hostcaches_access *access, uint32_t processor,
			const struct hostcaches *cpuid)
{
	struct hostcaches sys, machine;
	struct hostcaches_doubt doubt;

	ask_kernel(access, processor, &sys);
	return sys.n != 0 && hostcaches_weigh(cpuid, &sys, &machine, &doubt) == HOSTCACHES_KNOWN;
}

enum hostcaches_verdict hostcaches_detect(const struct hostcaches_access *access,
					  struct hostcaches_witnesses *witnesses,
					  struct hostcaches *machine,
					  struct hostcaches_doubt *doubt)
{
	struct hostcaches *cpuid = &witnesses->cpuid, *sys = &witnesses->sys;
	uint32_t processor = ask_one_processor(access, cpuid);
	enum hostcaches_verdict verdict;

	ask_kernel(access, 0, sys);
	verdict = hostcaches_weigh(cpuid, sys, machine, doubt);
	if (verdict == HOSTCACHES_DISAGREE && processor != 0 &&
	    is_right_of(access, processor, cpuid)) {
		cpuid->is_hybrid = true;
		verdict = hostcaches_weigh(cpuid, sys, machine, doubt);
	}
	if (verdict == HOSTCACHES_KNOWN)
		machine->n_cores = count_cores(access, sys);
	return verdict;
}
