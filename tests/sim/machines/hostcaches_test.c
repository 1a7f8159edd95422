/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/machines/hostcaches: caches of recorded processors and kernels, and what is believed if they differ. */
#include "sim/machines/hostcaches.h"

#include "tests/common/check.h"
#include "tests/sim/machines/cpuid_tables.h"
#include "tool/deterministic/processor.h"

/* -- processors ------------------------------------------------------------------------ */

static const struct cpuid_table *table_of(const char *name)
{
	const struct cpuid_table *table = cpuid_table_find(name);

	if (table != NULL)
		return table;
	CHECK_STR(name, "one of tests/sim/machines/cpuid_tables.h");
	return &cpuid_tables[0];
}

static struct hostcaches read_table(const struct cpuid_table *table)
{
	struct cpuid_table copy = *table;
	struct hostcaches caches;

	hostcaches_from_cpuid(&caches, cpuid_table_answer, &copy);
	return caches;
}

static struct hostcaches cpuid_of(const char *name)
{
	return read_table(table_of(name));
}

/* The notation of cpuid_tables.h. */
static const char *in_words(const struct hostcaches *caches)
{
	static const char *const types[] = { "?", "d", "i", "" };
	static const char *const inclusions[] = { "?", "", "+" };
	static char text[1024];
	size_t len = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < caches->n; i++) {
		const struct hostcache *cache = &caches->caches[i];

		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%sL%" PRIu32 "%s %" PRIu64 ",%" PRIu32 ",%" PRIu32,
					i == 0 ? "" : " ", cache->level, types[cache->type & 3],
					cache->geometry.size, cache->geometry.assoc,
					cache->geometry.line_size);
		if (cache->n_sharing != 0)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "/%" PRIu32,
						cache->n_sharing);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s",
					inclusions[cache->inclusion]);
	}
	return text;
}

static const struct hostcaches silence;

TEST(recorded_processors_have_their_caches)
{
	for (size_t i = 0; i < N_CPUID_TABLES; i++) {
		const struct cpuid_table *table = &cpuid_tables[i];
		const struct hostcaches caches = read_table(table);
		const struct hostcache *last = hostcaches_last(&caches);
		struct hostcaches machine;
		struct hostcaches_doubt doubt;
		char text[64];

		if (!CHECK_STR(in_words(&caches), table->caches) || !CHECK(last != NULL)) {
			printf("# of %s\n", table->name);
			continue;
		}
		for (uint32_t k = 0; k < caches.n; k++)
			CHECK_EQ_U64(caches.caches[k].n_sets * caches.caches[k].geometry.assoc *
					     caches.caches[k].geometry.line_size,
				     caches.caches[k].geometry.size);
		CHECK_EQ_U64(hostcaches_weigh(&caches, &silence, &machine, &doubt),
			     HOSTCACHES_KNOWN);

		struct cache_geometry geometry = last->geometry;

		geometry_round_sets(&geometry);
		snprintf(text, sizeof(text), "%" PRIu64 ",%" PRIu32 ",%" PRIu32, geometry.size,
			 geometry.assoc, geometry.line_size);
		CHECK_STR(text, table->simulated);
	}
}

TEST(leaves_are_chosen_by_maker_and_topology_extension)
{
	CHECK_EQ_U64(cpuid_of("EPYC 9654, Zen 4").caches[3].source, HOSTCACHE_LEAF_8000001D);
	CHECK_EQ_U64(cpuid_of("Hygon Dhyana").caches[3].source, HOSTCACHE_LEAF_8000001D);
	CHECK_EQ_U64(cpuid_of("Phenom II X4 940, K10").caches[3].source, HOSTCACHE_LEAF_80000006);
	CHECK_EQ_U64(cpuid_of("VIA Nano L3050").caches[2].source, HOSTCACHE_LEAF_80000006);
	CHECK_EQ_U64(cpuid_of("Zhaoxin KH-40000").caches[3].source, HOSTCACHE_LEAF_4);
	CHECK_EQ_U64(cpuid_of("Xeon 6140, Skylake-SP").caches[3].source, HOSTCACHE_LEAF_4);
	CHECK_STR(hostcache_source_name(HOSTCACHE_LEAF_8000001D), "CPUID leaf 0x8000001D");
}

/* A processor of a recorded one with a leaf changed, as virtual machines have them. */
static struct hostcaches read_changed(const char *name, uint32_t leaf,
				      enum processor_register which, uint32_t value)
{
	struct cpuid_row rows[32];
	struct cpuid_table table = *table_of(name);
	struct hostcaches caches;

	memcpy(rows, table.rows, table.n_rows * sizeof(rows[0]));
	for (size_t i = 0; i < table.n_rows; i++)
		if (rows[i].leaf == leaf)
			rows[i].registers[which] = value;
	table.rows = rows;
	hostcaches_from_cpuid(&caches, cpuid_table_answer, &table);
	return caches;
}

/*
 * Without the topology extension, leaf 0x80000006 points to a leaf that is not
 * there: its 1-way cache of 384 MiB is what costgrind once took for Zen 4's LL.
 */
TEST(associativity_that_points_elsewhere_is_none)
{
	struct hostcaches caches = read_changed("EPYC 9654, Zen 4", 0x80000001, PROCESSOR_ECX, 0);

	CHECK_EQ_U64(caches.n, 0);
	/* The same where the leaves end before. */
	caches = read_changed("EPYC 9654, Zen 4", 0x80000000, PROCESSOR_EAX, 0x8000001c);
	CHECK_EQ_U64(caches.n, 0);
	/* Ways that it does tell are believed; the first die's sum, too, for want of better. */
	caches = read_changed("EPYC 7451, Zen", 0x80000001, PROCESSOR_ECX, 0);
	CHECK_STR(in_words(&caches),
		  "L1d 32768,8,64? L1i 65536,4,64? L2 524288,8,64? L3 67108864,64,64?");
	caches = read_changed("Phenom II X4 940, K10", 0x80000006, PROCESSOR_EDX, 0x0030f140);
	CHECK_EQ_U64(caches.caches[3].geometry.assoc, 98304); /* all */
	CHECK_EQ_U64(caches.caches[3].n_sets, 1);
	caches = read_changed("Phenom II X4 940, K10", 0x80000006, PROCESSOR_EDX, 0x00300140);
	CHECK_EQ_U64(caches.n, 3); /* off */
}

TEST(leaves_that_are_not_there_are_not_asked)
{
	struct hostcaches caches =
		read_changed("Xeon X5550, Nehalem", 0, PROCESSOR_EAX, 3); /* leaf 4 is beyond */

	CHECK_EQ_U64(caches.n, 0);
	caches = read_changed("Phenom II X4 940, K10", 0x80000000, PROCESSOR_EAX, 0x80000005);
	CHECK_EQ_U64(caches.n, 0);
}

static void answer_preset(void *data, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
	processor_cpuid(data, leaf, subleaf, registers);
}

TEST(presets_have_the_caches_that_they_tell)
{
	struct processor processor = { PROCESSOR_AVX2, 0 };
	struct hostcaches caches;

	hostcaches_from_cpuid(&caches, answer_preset, &processor);
	CHECK_EQ_U64(caches.n, N_PROCESSOR_CACHES);
	for (uint32_t i = 0; i < N_PROCESSOR_CACHES; i++) {
		CHECK_EQ_U64(caches.caches[i].type, processor_caches[i].type);
		CHECK_EQ_U64(caches.caches[i].level, processor_caches[i].level);
		CHECK(memcmp(&caches.caches[i].geometry, &processor_caches[i].geometry,
			     sizeof(struct cache_geometry)) == 0);
	}
}

/* What is in memory next to the processor is not LL, as for Cachegrind. */
TEST(fourth_level_is_not_the_last)
{
	const struct hostcaches caches = cpuid_of("Core i7-4770R, Crystal Well");

	CHECK_EQ_U64(hostcaches_last(&caches)->level, 3);
	CHECK_EQ_U64(hostcaches_find(&caches, PROCESSOR_UNIFIED, 4)->geometry.size, 134217728);
	CHECK(hostcaches_last(&silence) == NULL);
}

/* -- kernels --------------------------------------------------------------------------- */

struct sys_cache {
	const char *files[N_HOSTCACHE_FILES]; /* level, type, size, ways, line, sets, parts, CPUs */
};

/* Adds n of them. */
static struct hostcaches sys_of(const struct sys_cache *given, size_t n)
{
	struct hostcaches caches = { 0 };

	for (size_t i = 0; i < n; i++)
		hostcaches_add_sys(&caches, given[i].files);
	return caches;
}

#define SYS_OF(given) sys_of(given, sizeof(given) / sizeof((given)[0])) /* counts them */

/* hwloc, 64amd64-4p2n4ca2co: the kernel next to the processor of the same machine. */
static const struct sys_cache opteron_6272[] = {
	{ { "1\n", "Data\n", "16K\n", "4\n", "64\n", "64\n", "1\n", "0\n" } },
	{ { "1\n", "Instruction\n", "64K\n", "2\n", "64\n", "512\n", "1\n", "0-1\n" } },
	{ { "2\n", "Unified\n", "2048K\n", "16\n", "64\n", "2048\n", "1\n", "0-1\n" } },
	{ { "3\n", "Unified\n", "6144K\n", "48\n", "64\n", "2048\n", "1\n", "0-7\n" } },
};

/* hwloc, 48amd64-4d2n6c-sparse: an Opteron 6100, of the same model as the 6164 HE. */
static const struct sys_cache opteron_6100[] = {
	{ { "1\n", "Data\n", "64K\n", "2\n", "64\n", "512\n", "1\n", "0\n" } },
	{ { "1\n", "Instruction\n", "64K\n", "2\n", "64\n", "512\n", "1\n", "0\n" } },
	{ { "2\n", "Unified\n", "512K\n", "16\n", "64\n", "512\n", "1\n", "0\n" } },
	{ { "3\n", "Unified\n", "5118K\n", "48\n", "64\n", "1706\n", "1\n", "0-5\n" } },
};

/* hwloc, 5intel64-hybrid-lakefield; its processor 0 is a small core. */
static const struct sys_cache lakefield[] = {
	{ { "1\n", "Data\n", "32K\n", "8\n", "64\n", "64\n", "1\n", "0\n" } },
	{ { "1\n", "Instruction\n", "32K\n", "8\n", "64\n", "64\n", "1\n", "0\n" } },
	{ { "2\n", "Unified\n", "1536K\n", "12\n", "64\n", "2048\n", "1\n", "0-3\n" } },
	{ { "3\n", "Unified\n", "4096K\n", "16\n", "64\n", "4096\n", "1\n", "0-4\n" } },
};

/* Checks what is believed, in the notation of cpuid_tables.h; the verdict if it is not "known". */
static void check_weighed(const struct hostcaches *cpuid, const struct hostcaches *sys,
			  const char *want)
{
	static const char *const verdicts[] = { "known", "unknown", "disagree", "absurd" };
	struct hostcaches machine;
	struct hostcaches_doubt doubt;
	enum hostcaches_verdict verdict = hostcaches_weigh(cpuid, sys, &machine, &doubt);

	CHECK_STR(verdict == HOSTCACHES_KNOWN ? in_words(&machine) : verdicts[verdict], want);
}

TEST(kernel_confirms_the_processor)
{
	const struct hostcaches cpuid = cpuid_of("Opteron 6272, Bulldozer, two dies");
	const struct hostcaches sys = SYS_OF(opteron_6272);
	struct hostcaches machine;
	struct hostcaches_doubt doubt;

	CHECK_STR(in_words(&sys), "L1d 16384,4,64/1? L1i 65536,2,64/2? L2 2097152,16,64/2? "
				  "L3 6291456,48,64/8?");
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_KNOWN);
	CHECK_STR(in_words(&machine), table_of("Opteron 6272, Bulldozer, two dies")->caches);
	for (uint32_t i = 0; i < machine.n; i++) {
		CHECK(machine.caches[i].is_confirmed);
		CHECK_EQ_U64(machine.caches[i].source, HOSTCACHE_LEAF_8000001D);
	}
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &silence, &machine, &doubt), HOSTCACHES_KNOWN);
	CHECK(!machine.caches[0].is_confirmed);
}

TEST(kernel_alone_is_believed)
{
	const struct hostcaches sys = SYS_OF(opteron_6272);
	const struct hostcaches no_leaf =
		read_changed("EPYC 9654, Zen 4", 0x80000001, PROCESSOR_ECX, 0);

	check_weighed(&silence, &sys,
		      "L1d 16384,4,64/1? L1i 65536,2,64/2? L2 2097152,16,64/2? "
		      "L3 6291456,48,64/8?");
	check_weighed(&no_leaf, &sys,
		      "L1d 16384,4,64/1? L1i 65536,2,64/2? L2 2097152,16,64/2? "
		      "L3 6291456,48,64/8?");
	check_weighed(&silence, &silence, "unknown");
}

/* The one L3 of 10 MiB with 96 ways is two of 5 MiB with 48. */
TEST(two_dies_are_not_one)
{
	struct hostcaches cpuid = cpuid_of("Opteron 6164 HE, K10, two dies");
	const struct hostcaches sys = SYS_OF(opteron_6100);
	const char *one_die = "L1d 65536,2,64? L1i 65536,2,64? L2 524288,16,64? "
			      "L3 5240832,48,64/6?";

	struct hostcaches machine;
	struct hostcaches_doubt doubt;

	check_weighed(&cpuid, &sys, one_die);
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_KNOWN);
	CHECK(machine.caches[2].is_confirmed && !machine.caches[3].is_confirmed);
	CHECK_EQ_U64(machine.caches[3].source, HOSTCACHE_SYS);
	/* A leaf that tells of one die cannot be twice as large. */
	cpuid.caches[3].source = HOSTCACHE_LEAF_8000001D;
	check_weighed(&cpuid, &sys, "disagree");
	/* Newer kernels do not round the size down, only the sets. */
	struct sys_cache newer[4];
	memcpy(newer, opteron_6100, sizeof(newer));
	newer[3].files[HOSTCACHE_SIZE] = "5120K\n";
	const struct hostcaches newer_sys = SYS_OF(newer);
	cpuid.caches[3].source = HOSTCACHE_LEAF_80000006;
	check_weighed(&cpuid, &newer_sys, one_die);
}

/* Wherever the tool happens to run: always processor 0's caches, without a word. */
TEST(cores_of_several_kinds_are_processor_0)
{
	const struct hostcaches big = cpuid_of("Core i5-L16G7, Lakefield, core of the one kind");
	const struct hostcaches small =
		cpuid_of("Core i5-L16G7, Lakefield, core of the other kind");
	const struct hostcaches sys = SYS_OF(lakefield);
	const char *want = "L1d 32768,8,64/1? L1i 32768,8,64/1? L2 1572864,12,64/4? "
			   "L3 4194304,16,64/5?";
	struct hostcaches alike = big;

	check_weighed(&big, &sys, want);
	check_weighed(&small, &sys, want);
	CHECK_STR(in_words(&big), "L1d 49152,12,64/2 L1i 32768,8,64/2 L2 524288,8,64/2 "
				  "L3 4194304,16,64/16+");
	/* If its cores were alike, one of the two would be wrong. */
	alike.is_hybrid = false;
	check_weighed(&alike, &sys, "disagree");
	/* Without the kernel, the core on which it runs is as good as any. */
	check_weighed(&big, &silence, in_words(&big));
}

TEST(disagreement_names_the_cache)
{
	const struct hostcaches cpuid = cpuid_of("Opteron 6272, Bulldozer, two dies");
	struct sys_cache changed[4];
	struct hostcaches sys, machine;
	struct hostcaches_doubt doubt;

	memcpy(changed, opteron_6272, sizeof(changed));
	changed[3].files[HOSTCACHE_SIZE] = "8192K\n";
	changed[3].files[HOSTCACHE_WAYS] = "64\n";
	sys = SYS_OF(changed);
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_DISAGREE);
	CHECK(doubt.cpuid == &cpuid.caches[3] && doubt.sys == &sys.caches[3]);

	sys = sys_of(opteron_6272, 3); /* no L3 */
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_DISAGREE);
	CHECK(doubt.cpuid == &cpuid.caches[3] && doubt.sys == NULL);

	struct hostcaches fewer = cpuid;

	fewer.n = 3;
	sys = SYS_OF(opteron_6272);
	CHECK_EQ_U64(hostcaches_weigh(&fewer, &sys, &machine, &doubt), HOSTCACHES_DISAGREE);
	CHECK(doubt.cpuid == NULL && doubt.sys == &sys.caches[3]);

	memcpy(changed, opteron_6272, sizeof(changed));
	changed[0].files[HOSTCACHE_LINE_SIZE] = "128\n";
	changed[0].files[HOSTCACHE_SETS] = "32\n";
	sys = SYS_OF(changed);
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_DISAGREE);
	CHECK(doubt.cpuid == &cpuid.caches[0] && doubt.sys == &sys.caches[0]);
}

/* What the kernel does not know, it does not say: files are not there. */
TEST(silence_about_a_number_is_no_contradiction)
{
	const struct hostcaches cpuid = cpuid_of("Opteron 6272, Bulldozer, two dies");
	struct sys_cache changed[4];
	struct hostcaches sys, machine;
	struct hostcaches_doubt doubt;

	memcpy(changed, opteron_6272, sizeof(changed));
	changed[2].files[HOSTCACHE_LINE_SIZE] = NULL;
	changed[3].files[HOSTCACHE_WAYS] = changed[3].files[HOSTCACHE_SETS] = NULL;
	sys = SYS_OF(changed);
	check_weighed(&cpuid, &sys, table_of("Opteron 6272, Bulldozer, two dies")->caches);
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_KNOWN);
	CHECK(machine.caches[1].is_confirmed);
	CHECK(!machine.caches[2].is_confirmed && !machine.caches[3].is_confirmed);
	check_weighed(&silence, &sys, "unknown");
	/* But a size that is no number says something. */
	changed[3].files[HOSTCACHE_SIZE] = "much\n";
	sys = SYS_OF(changed);
	check_weighed(&cpuid, &sys, "absurd");
	changed[3].files[HOSTCACHE_SIZE] = "4096K\n";
	sys = SYS_OF(changed);
	check_weighed(&cpuid, &sys, "disagree");
}

TEST(what_no_machine_has_is_absurd)
{
	static const struct {
		uint32_t which;
		enum hostcache_file file;
		const char *text;
	} changes[] = {
		{ 0, HOSTCACHE_TYPE, "Both\n" },
		{ 0, HOSTCACHE_TYPE, NULL },
		{ 0, HOSTCACHE_TYPE, "Instruction\n" }, /* twice */
		{ 1, HOSTCACHE_SETS, "511\n" },         /* size is 512 of them */
		{ 1, HOSTCACHE_PARTITIONS, "2\n" },
		{ 2, HOSTCACHE_LEVEL, "0\n" },
		{ 2, HOSTCACHE_LEVEL, "5\n" },
		{ 2, HOSTCACHE_LEVEL, "3\n" }, /* twice */
		{ 3, HOSTCACHE_LINE_SIZE, "48\n" },
		{ 3, HOSTCACHE_WAYS, "98304\n" },
		{ 3, HOSTCACHE_WAYS, "4294967296\n" },
		{ 3, HOSTCACHE_WAYS, "16 or so\n" },
		{ 3, HOSTCACHE_WAYS, "\n" },
		{ 3, HOSTCACHE_LINE_SIZE, "sixty\n" },
		{ 3, HOSTCACHE_SIZE, "-4K\n" },
		{ 3, HOSTCACHE_SIZE, "6144KB\n" },
		{ 3, HOSTCACHE_SIZE, "99999999999999999999K\n" },
		{ 3, HOSTCACHE_SETS, "many\n" },
		{ 3, HOSTCACHE_LEVEL, "three\n" },
	};
	struct sys_cache changed[4];
	struct hostcaches sys, cpuid = cpuid_of("Opteron 6272, Bulldozer, two dies"), machine;
	struct hostcaches_doubt doubt;

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		memcpy(changed, opteron_6272, sizeof(changed));
		changed[changes[i].which].files[changes[i].file] = changes[i].text;
		sys = SYS_OF(changed);
		check_weighed(&silence, &sys, "absurd");
		CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_ABSURD);
		CHECK(doubt.cpuid == NULL && doubt.sys != NULL);
	}
	/* What kernels make of an associativity that points to a leaf which is not there. */
	memcpy(changed, opteron_6272, sizeof(changed));
	changed[3].files[HOSTCACHE_SIZE] = "327680K\n";
	changed[3].files[HOSTCACHE_WAYS] = "1024\n";
	changed[3].files[HOSTCACHE_SETS] = "5120\n";
	sys = SYS_OF(changed);
	check_weighed(&silence, &sys, "absurd");
	changed[3].files[HOSTCACHE_WAYS] = "128\n";
	changed[3].files[HOSTCACHE_SETS] = "40960\n";
	sys = SYS_OF(changed);
	check_weighed(&silence, &sys, in_words(&sys));

	cpuid.caches[3].geometry.size = cpuid.caches[2].geometry.size / 2; /* L3 below L2 */
	cpuid.caches[3].n_sets /= 6;
	sys = SYS_OF(opteron_6272);
	CHECK_EQ_U64(hostcaches_weigh(&cpuid, &sys, &machine, &doubt), HOSTCACHES_ABSURD);
	CHECK(doubt.cpuid == &cpuid.caches[3] && doubt.sys == NULL);
}

/* What the first level has must be simulable as it is; only others are rounded. */
TEST(first_level_is_simulated_as_it_is)
{
	struct hostcaches cpuid = cpuid_of("EPYC 9654, Zen 4");

	cpuid.caches[0].geometry.size = 49152; /* 96 sets of 8 ways */
	cpuid.caches[0].n_sets = 96;
	check_weighed(&cpuid, &silence, "absurd");
}

TEST(texts_of_sys_are_read)
{
	struct sys_cache cache = { { "3\n", "Unified\n", "2M\n", "16\n", "64\n", "2048\n", "1\n",
				     "0-3,8,10-11\n" } };
	struct hostcaches sys = sys_of(&cache, 1);

	CHECK_STR(in_words(&sys), "L3 2097152,16,64/7?");
	cache.files[HOSTCACHE_SHARING] = "3-0\n";
	sys = sys_of(&cache, 1);
	CHECK_STR(in_words(&sys), "L3 2097152,16,64?");
	cache.files[HOSTCACHE_SHARING] = "0-18446744073709551615\n";
	sys = sys_of(&cache, 1);
	CHECK_STR(in_words(&sys), "L3 2097152,16,64?");
	for (uint32_t i = 0; i < 2 * HOSTCACHES_MAX; i++)
		hostcaches_add_sys(&sys, cache.files);
	CHECK_EQ_U64(sys.n, HOSTCACHES_MAX);
}

/* -- chance ---------------------------------------------------------------------------- */

/* Half of the caches are like real ones, others any bits. */
static void answer_at_random(void *data, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
	struct check_random *random = data;

	for (int i = 0; i < 4; i++)
		registers[i] = (uint32_t)check_random(random);
	if ((leaf & 0x7fffffff) == 0)
		registers[PROCESSOR_EAX] = leaf | 0x20;
	if (leaf == 0 && check_random(random) % 2 == 0) {
		registers[PROCESSOR_EBX] = 0x68747541;
		registers[PROCESSOR_EDX] = 0x69746e65;
		registers[PROCESSOR_ECX] = 0x444d4163;
	}
	if ((leaf == 4 || leaf == 0x8000001d) && subleaf > 3) {
		registers[PROCESSOR_EAX] = 0;
	} else if ((leaf == 4 || leaf == 0x8000001d) && check_random(random) % 8 != 0) {
		uint32_t level = subleaf == 0 ? 1 : subleaf;

		registers[PROCESSOR_EAX] = level << 5 | (subleaf < 2 ? subleaf + 1 : 3);
		registers[PROCESSOR_EBX] &= 0x01c00000; /* 1 to 8 ways */
		registers[PROCESSOR_EBX] |= 0x3f;
		registers[PROCESSOR_ECX] >>= 28 - 4 * level;
		if (subleaf < 2)
			registers[PROCESSOR_ECX] = 63;
	}
	if (leaf >= 0x80000005 && leaf <= 0x80000006 && check_random(random) % 2 == 0)
		for (int i = 0; i < 4; i++)
			registers[i] = (registers[i] & 0x0fff0000) | 0x8140 |
				       (leaf == 0x80000005) << 17;
}

/* Whatever a processor says: what is believed can be simulated. */
TEST(what_is_believed_can_be_simulated)
{
	struct check_random random = { 19 };
	uint64_t n_known = 0;

	for (int i = 0; i < 200000; i++) {
		struct hostcaches cpuid, machine;
		struct hostcaches_doubt doubt;

		hostcaches_from_cpuid(&cpuid, answer_at_random, &random);
		CHECK(cpuid.n <= HOSTCACHES_MAX);
		if (hostcaches_weigh(&cpuid, &silence, &machine, &doubt) != HOSTCACHES_KNOWN)
			continue;
		n_known++;
		for (uint32_t k = 0; k < machine.n; k++) {
			struct cache_geometry geometry = machine.caches[k].geometry;

			if (machine.caches[k].type == PROCESSOR_UNIFIED)
				geometry_round_sets(&geometry);
			CHECK_EQ_U64(geometry_check(&geometry), GEOMETRY_OK);
		}
	}
	CHECK(n_known > 20000);
}

/* -- the machine at hand ---------------------------------------------------------------- */

/* A machine of two processors, each with a table and files; the process is moved about. */
struct host {
	const struct cpuid_table *tables[2];
	const struct sys_cache *files[2];
	size_t n_files;
	const uint32_t *processors; /* on which it is, from one question to the next */
	size_t n_questions;
	uint32_t now;
};

static uint32_t host_processor(void *data)
{
	struct host *host = data;

	host->now = host->processors[host->n_questions++];
	return host->now;
}

static void host_cpuid(void *data, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
	const struct host *host = data;
	struct cpuid_table copy = *host->tables[host->now];

	cpuid_table_answer(&copy, leaf, subleaf, registers);
}

static bool host_read_sys(void *data, uint32_t processor, uint32_t index, const char *name,
			  char text[HOSTCACHES_TEXT])
{
	const struct host *host = data;

	if (index >= host->n_files)
		return false;
	for (size_t i = 0; i < N_HOSTCACHE_FILES; i++)
		if (strcmp(hostcache_files[i], name) == 0)
			snprintf(text, HOSTCACHES_TEXT, "%s",
				 host->files[processor][index].files[i]);
	return true;
}

static void check_detected(struct host *host, const char *want)
{
	const struct hostcaches_access access = { host_cpuid, host_processor, host_read_sys, host };
	struct hostcaches_witnesses witnesses;
	struct hostcaches machine;
	struct hostcaches_doubt doubt;
	enum hostcaches_verdict verdict = hostcaches_detect(&access, &witnesses, &machine, &doubt);

	CHECK_STR(verdict == HOSTCACHES_KNOWN ? in_words(&machine) : "not known", want);
}

/* Nothing says that its cores differ, but the files of the processor that was asked do. */
TEST(processor_that_was_asked_is_compared_with_its_own_files)
{
	static const uint32_t stays[] = { 1, 1, 1 }, moves[] = { 0, 1, 1 };
	static const struct sys_cache small[] = {
		{ { "1", "Data", "32K", "8", "64", "64", "1", "0" } },
		{ { "1", "Instruction", "32K", "8", "64", "64", "1", "0" } },
		{ { "2", "Unified", "512K", "8", "64", "1024", "1", "0" } },
		{ { "3", "Unified", "16384K", "16", "64", "16384", "1", "0" } },
	};
	static const struct sys_cache large[] = {
		{ { "1", "Data", "32K", "8", "64", "64", "1", "1" } },
		{ { "1", "Instruction", "32K", "8", "64", "64", "1", "1" } },
		{ { "2", "Unified", "512K", "8", "64", "1024", "1", "1" } },
		{ { "3", "Unified", "98304K", "16", "64", "98304", "1", "1" } },
	};
	static const char wanted[] = "L1d 32768,8,64/1? L1i 32768,8,64/1? L2 524288,8,64/1? "
				     "L3 16777216,16,64/1?";
	struct host host = {
		.tables = { table_of("EPYC 7742, Zen 2"), table_of("Ryzen 7 5700X3D, Zen 3") },
		.files = { small, large },
		.n_files = 4,
		.processors = stays,
	};

	check_detected(&host, wanted);
	/* It was moved while it asked, and asked again. */
	host.processors = moves;
	host.n_questions = 0;
	check_detected(&host, wanted);
	CHECK_EQ_U64(host.n_questions, 3);
	/* The other one's files say the same as the first's: now they contradict. */
	host.files[1] = small;
	host.n_questions = 0;
	check_detected(&host, "not known");
	/* There are no files. */
	host.n_files = 0;
	host.n_questions = 0;
	check_detected(&host, table_of("Ryzen 7 5700X3D, Zen 3")->caches);
}

/* A machine whose processors have the same caches but for who shares them: of L1 in turn, and of L3. */
struct sharing {
	const char *const *siblings;
	size_t n;
	const char *l3;
};

static bool sharing_read_sys(void *data, uint32_t processor, uint32_t index, const char *name,
			     char text[HOSTCACHES_TEXT])
{
	static const char *const files[3][N_HOSTCACHE_FILES] = {
		{ "1", "Data", "32K", "8", "64", "64", "1" },
		{ "1", "Instruction", "32K", "8", "64", "64", "1" },
		{ "3", "Unified", "16384K", "16", "64", "16384", "1" },
	};
	const struct sharing *sharing = data;
	const char *siblings = processor < sharing->n ? sharing->siblings[processor] : NULL;

	if (index >= 3)
		return false;
	for (size_t i = 0; i < HOSTCACHE_SHARING; i++)
		if (strcmp(hostcache_files[i], name) == 0)
			snprintf(text, HOSTCACHES_TEXT, "%s", files[index][i]);
	if (strcmp(name, hostcache_files[HOSTCACHE_SHARING]) != 0)
		return true;
	if (index < 2 && siblings == NULL)
		return false;
	snprintf(text, HOSTCACHES_TEXT, "%s\n", index < 2 ? siblings : sharing->l3);
	return true;
}

static void no_cpuid(void *data, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
	(void)data;
	(void)leaf;
	(void)subleaf;
	memset(registers, 0, 4 * sizeof(registers[0]));
}

static uint32_t first_processor(void *data)
{
	(void)data;
	return 0;
}

static uint32_t cores_of(const char *const *siblings, size_t n, const char *l3)
{
	struct sharing sharing = { siblings, n, l3 };
	const struct hostcaches_access access = { no_cpuid, first_processor, sharing_read_sys,
						  &sharing };
	struct hostcaches_witnesses witnesses;
	struct hostcaches machine = { 0 };
	struct hostcaches_doubt doubt;

	CHECK(hostcaches_detect(&access, &witnesses, &machine, &doubt) == HOSTCACHES_KNOWN);
	return machine.n_cores;
}

TEST(cores_are_not_their_threads)
{
	static const char *const apart[] = {
		"0,4", "1,5", "2,6", "3,7", "0,4", "1,5", "2,6", "3,7"
	};
	static const char *const next[] = { "0-1", "0-1", "2-3", "2-3" };
	/* Two large cores with two threads each, three small ones. */
	static const char *const kinds[] = { "0-1", "0-1", "2-3", "2-3", "4", "5", "6" };

	CHECK_EQ_U64(cores_of(apart, 8, "0-7"), 4);
	CHECK_EQ_U64(cores_of(apart, 8, "0-1,4-5"), 2);
	CHECK_EQ_U64(cores_of(next, 4, "0-3"), 2);
	CHECK_EQ_U64(cores_of(kinds, 7, "0-6"), 5);
	/* The kernel does not tell who is a sibling, or who shares L3. */
	CHECK_EQ_U64(cores_of(next, 0, "0-3"), 4);
	CHECK_EQ_U64(cores_of(next, 4, ""), 0);
	CHECK_EQ_U64(cores_of(next, 4, "all"), 0);
	CHECK_EQ_U64(cores_of(next, 0, "3-1"), 0);
	/* More than are counted. */
	CHECK_EQ_U64(cores_of(next, 0, "0-95,192-287"), 64);
	CHECK_EQ_U64(cores_of(next, 0, "0-4000000000"), 64);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(recorded_processors_have_their_caches),
		CHECK_TEST(leaves_are_chosen_by_maker_and_topology_extension),
		CHECK_TEST(associativity_that_points_elsewhere_is_none),
		CHECK_TEST(leaves_that_are_not_there_are_not_asked),
		CHECK_TEST(presets_have_the_caches_that_they_tell),
		CHECK_TEST(fourth_level_is_not_the_last),
		CHECK_TEST(kernel_confirms_the_processor),
		CHECK_TEST(kernel_alone_is_believed),
		CHECK_TEST(two_dies_are_not_one),
		CHECK_TEST(cores_of_several_kinds_are_processor_0),
		CHECK_TEST(disagreement_names_the_cache),
		CHECK_TEST(silence_about_a_number_is_no_contradiction),
		CHECK_TEST(what_no_machine_has_is_absurd),
		CHECK_TEST(first_level_is_simulated_as_it_is),
		CHECK_TEST(texts_of_sys_are_read),
		CHECK_TEST(what_is_believed_can_be_simulated),
		CHECK_TEST(processor_that_was_asked_is_compared_with_its_own_files),
		CHECK_TEST(cores_are_not_their_threads),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
