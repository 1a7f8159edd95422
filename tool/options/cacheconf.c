/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detection: I1 is the instruction cache of level 1, D1 the data cache of
 * level 1, LL the unified cache of the highest level.  The processor is asked
 * by CPUID, and the kernel is a second witness (sim/machines/hostcaches.h says what is
 * believed); only where both are silent, what the core found is taken: it
 * knows the descriptors of old processors, but misreads those of AMD since
 * 2017.  Real last-level caches often have a number of sets that is no power
 * of two; geometry_round_sets() makes those simulable.
 */
#include "tool/options/cacheconf.h"

#include "libvex.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "sim/machines/hostcaches.h"
#include "tool/common/dropin.h"
#include "tool/common/message.h"
#include "tool/common/syscall.h"

/* The caches of Cachegrind's machine. */
struct three_caches {
	struct cache_geometry i1, d1, ll;
};

/* Where nothing is detected, or not believed: Cachegrind's defaults for x86 and amd64. */
static const struct three_caches fallback = {
	.i1 = { 65536, 2, 64 },
	.d1 = { 65536, 2, 64 },
	.ll = { 262144, 8, 64 },
};

#define FALLBACK "using defaults (--I1=65536,2,64 --D1=65536,2,64 --LL=262144,8,64)"

/* -- what processor and kernel say ------------------------------------------------------- */

/* hostcaches_access: the processor on which we run at this moment. */
static uint32_t current_processor(void *data)
{
	UInt processor = 0;

	(void)data;
	if (syscall_make(__NR_getcpu, (UWord)&processor, 0, 0, 0, 0) != 0)
		return 0;
	return processor;
}

/* hostcaches_access: the text of a file of a cache's. */
static bool read_sys(void *data, uint32_t processor, uint32_t index, const char *name,
		     char text[HOSTCACHES_TEXT])
{
	HChar path[128];
	Int fd, len;

	(void)data;
	VG_(snprintf)(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%u/%s",
		      processor, index, name);
	fd = syscall_openat(LINUX_AT_FDCWD, path, VKI_O_RDONLY | LINUX_O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	len = VG_(read)(fd, text, HOSTCACHES_TEXT - 1);
	syscall_close(fd);
	text[len > 0 ? len : 0] = '\0';
	return len > 0;
}

/* -- what they say of what ------------------------------------------------------------------- */

static void describe(const struct hostcache *cache, HChar *text, UInt size)
{
	if (cache == NULL)
		VG_(snprintf)(text, (Int)size, "none");
	else
		VG_(snprintf)(text, (Int)size, "%llu B, %u-way, %u B lines",
			      (ULong)cache->geometry.size, cache->geometry.assoc,
			      cache->geometry.line_size);
}

/* "L1d", "L1i", "L2", as lscpu has them. */
static void name_cache(const struct hostcache *cache, HChar *text, UInt size)
{
	static const HChar *const suffixes[] = {
		[PROCESSOR_DATA] = "d",
		[PROCESSOR_INSTRUCTION] = "i",
		[PROCESSOR_UNIFIED] = "",
	};
	Bool is_type = cache->type >= PROCESSOR_DATA && cache->type <= PROCESSOR_UNIFIED;

	VG_(snprintf)(text, (Int)size, "L%u%s", cache->level,
		      is_type ? suffixes[cache->type] : "?");
}

/* In Cachegrind's and Callgrind's words, which say neither why nor what. */
static void note_defaults_of_dropin(void)
{
	if (VG_(clo_verbosity) > 0)
		VG_(dmsg)("Warning: Cannot auto-detect cache config, using defaults.\n"
			  "         Run with -v to see.\n");
}

static void note_unknown(void)
{
	if (dropin_name() != DROPIN_NONE)
		note_defaults_of_dropin();
	else
		message_note("cannot detect the caches of this machine, " FALLBACK);
}

static void note_doubt(enum hostcaches_verdict verdict, const struct hostcaches_doubt *doubt)
{
	const struct hostcache *cache = doubt->cpuid != NULL ? doubt->cpuid : doubt->sys;
	HChar name[16], cpuid[64], sys[64];

	if (dropin_name() != DROPIN_NONE) {
		note_defaults_of_dropin();
		return;
	}
	name_cache(cache, name, sizeof(name));
	describe(doubt->cpuid, cpuid, sizeof(cpuid));
	describe(doubt->sys, sys, sizeof(sys));
	if (verdict == HOSTCACHES_DISAGREE)
		message_note("%s cache of this machine: %s by CPUID, %s by /sys, " FALLBACK, name,
			     cpuid, sys);
	else
		message_note("%s cache of this machine: %s by %s, which cannot be, " FALLBACK, name,
			     doubt->cpuid != NULL ? cpuid : sys,
			     hostcache_source_name(cache->source));
}

/* With -v -v, all that is known of the machine. */
static void list_caches(const struct hostcaches *machine)
{
	if (VG_(clo_verbosity) <= 1 || dropin_name() != DROPIN_NONE)
		return;
	for (UInt i = 0; i < machine->n; i++) {
		const struct hostcache *cache = &machine->caches[i];
		HChar name[16], text[64], sharing[32];

		name_cache(cache, name, sizeof(name));
		describe(cache, text, sizeof(text));
		sharing[0] = '\0';
		if (cache->n_sharing > 1)
			VG_(snprintf)(sharing, sizeof(sharing), ", shared by %u", cache->n_sharing);
		VG_(umsg)("%s of this machine: %s, %llu sets%s%s (%s%s)\n", name, text,
			  (ULong)cache->n_sets,
			  cache->inclusion == HOSTCACHE_INCLUSIVE ? ", inclusive" : "", sharing,
			  hostcache_source_name(cache->source),
			  cache->is_confirmed ? ", /sys agrees" : "");
	}
}

/* -- what the core found ------------------------------------------------------------------- */

/* The cache of a kind at a level, NULL if there is none. */
static const VexCache *find_cache(const VexCacheInfo *info, VexCacheKind kind, UInt level)
{
	for (UInt i = 0; i < info->num_caches; i++)
		if (info->caches[i].kind == kind && info->caches[i].level == level)
			return &info->caches[i];
	return NULL;
}

static struct cache_geometry geometry_of(const VexCache *cache)
{
	return (struct cache_geometry){ cache->sizeB, cache->assoc, cache->line_sizeB };
}

/*
 * The trace cache of a Pentium 4 holds micro-operations; Cachegrind takes an
 * instruction cache of about the same reach for it.
 */
static struct cache_geometry trace_cache_geometry(const VexCache *cache)
{
	UInt kilo_uops = cache->sizeB / 1024;

	return (struct cache_geometry){ kilo_uops <= 16 ? 16 * 1024 : 32 * 1024, 8, 32 };
}

/* Writes what is found of it; returns whether that is enough. */
static Bool take_from_core(struct three_caches *geometry)
{
	VexArch arch;
	VexArchInfo machine;
	const VexCacheInfo *info = &machine.hwcache_info;
	const VexCache *i1, *d1, *ll;

	VG_(machine_get_VexArchInfo)(&arch, &machine);
	if (info->num_caches == 0)
		return False;
	i1 = find_cache(info, INSN_CACHE, 1);
	d1 = find_cache(info, DATA_CACHE, 1);
	ll = find_cache(info, UNIFIED_CACHE, info->num_levels);
	if (i1 == NULL || d1 == NULL)
		return False;
	geometry->i1 = i1->is_trace_cache ? trace_cache_geometry(i1) : geometry_of(i1);
	geometry->d1 = geometry_of(d1);
	/* Without a unified cache LL is Cachegrind's default, and its counts mean little. */
	if (ll != NULL)
		geometry->ll = geometry_of(ll);
	return True;
}

/* -- the choice ---------------------------------------------------------------------------- */

/*
 * False if there are not both of the first level: a Pentium 4 reports its
 * trace cache only in what the core reads.
 */
static Bool take_from_machine(const struct hostcaches *machine, struct three_caches *geometry)
{
	const struct hostcache *i1 = hostcaches_find(machine, PROCESSOR_INSTRUCTION, 1);
	const struct hostcache *d1 = hostcaches_find(machine, PROCESSOR_DATA, 1);
	const struct hostcache *last = hostcaches_last(machine);

	if (i1 == NULL || d1 == NULL)
		return False;
	geometry->i1 = i1->geometry;
	geometry->d1 = d1->geometry;
	if (last != NULL)
		geometry->ll = last->geometry;
	/* Cachegrind's words. */
	if (last != NULL && last->level > 2 && dropin_name() != DROPIN_NONE &&
	    VG_(clo_verbosity) > 0)
		VG_(dmsg)("warning: L%u cache found, using its data for the LL simulation.\n",
			  last->level);
	return True;
}

/* Leaves *geometry as it is, and says so, if nothing can be believed. */
static void detect(struct three_caches *geometry)
{
	const struct hostcaches_access access = {
		.cpuid = cpuid_ask,
		.current_processor = current_processor,
		.read_sys = read_sys,
	};
	struct hostcaches_witnesses witnesses;
	struct hostcaches machine;
	struct hostcaches_doubt doubt;
	enum hostcaches_verdict verdict = hostcaches_detect(&access, &witnesses, &machine, &doubt);

	if (verdict == HOSTCACHES_DISAGREE || verdict == HOSTCACHES_ABSURD) {
		note_doubt(verdict, &doubt);
		return;
	}
	if (verdict == HOSTCACHES_KNOWN) {
		list_caches(&machine);
		if (take_from_machine(&machine, geometry))
			return;
	}
	if (!take_from_core(geometry))
		note_unknown();
}

static void round_ll(struct cache_geometry *ll)
{
	const struct cache_geometry real = *ll;

	if (!geometry_round_sets(ll))
		return;
	if (dropin_name() == DROPIN_NONE) {
		message_note("last-level cache of this machine, %llu B, %u-way, is simulated as "
			     "%llu B, %u-way",
			     (ULong)real.size, real.assoc, (ULong)ll->size, ll->assoc);
		return;
	}
	if (VG_(clo_verbosity) == 0)
		return;
	VG_(dmsg)("warning: specified LL cache: line_size %u  assoc %u  total_size %'llu\n",
		  real.line_size, real.assoc, (ULong)real.size);
	VG_(dmsg)("warning: simulated LL cache: line_size %u  assoc %u  total_size %'llu\n",
		  ll->line_size, ll->assoc, (ULong)ll->size);
}

UInt cacheconf_min_line_size(void)
{
	UInt largest = (UInt)VG_(machine_get_size_of_largest_guest_register)();

	return largest > GEOMETRY_MIN_LINE_SIZE ? largest : GEOMETRY_MIN_LINE_SIZE;
}

void cacheconf_check_line(const HChar *option, const struct cache_geometry *geometry)
{
	UInt least = cacheconf_min_line_size();

	if (geometry->line_size < least)
		message_fatal("%s: line size %u is smaller than the largest register of the "
			      "simulated CPU, use %u or more",
			      option, geometry->line_size, least);
}

static void choose_one(const HChar *name, const struct cache_option *option,
		       struct cache_geometry *cache)
{
	enum geometry_status status;
	HChar text[GEOMETRY_MESSAGE_SIZE];

	if (option->given) {
		*cache = option->geometry;
		return;
	}
	status = geometry_check(cache);
	if (status == GEOMETRY_OK)
		return;
	geometry_explain(status, cache, cacheconf_min_line_size(), text);
	message_fatal("%s cache of this machine cannot be simulated: %s; "
		      "give another with --%s=<size>,<associativity>,<line size>",
		      name, text, name);
}

static void check_line_size(const struct cache_config *cache)
{
	const struct cache_geometry *geometry = &cache->geometry;
	HChar option[64];

	VG_(snprintf)(option, sizeof(option), "--%s=%llu,%u,%u", cache->name, (ULong)geometry->size,
		      geometry->assoc, geometry->line_size);
	cacheconf_check_line(option, geometry);
}

/* With -v -v: in one line, or in Cachegrind's and Callgrind's four. */
static void list_simulated(const struct hierarchy_config *config)
{
	const struct cache_config *caches[1 + HIERARCHY_MAX_LEVELS] = { &config->i1, &config->d1 };
	const Bool is_dropin = dropin_name() != DROPIN_NONE;

	for (UInt i = 0; i < config->n_lower; i++)
		caches[2 + i] = &config->lower[i];
	VG_(umsg)(is_dropin ? "Cache configuration used:\n" : "caches:");
	for (UInt i = 0; i < 2 + config->n_lower; i++)
		VG_(umsg)(is_dropin ? "  %s: %'llu B, %u-way, %u B lines\n" : " %s %llu,%u,%u",
			  caches[i]->name, (ULong)caches[i]->geometry.size,
			  caches[i]->geometry.assoc, caches[i]->geometry.line_size);
	if (!is_dropin)
		VG_(umsg)("\n");
}

/* Puts those that were asked for before the last one. */
static void add_middle_levels(const struct options *options, struct hierarchy_config *config)
{
	const struct cache_config last = *hierarchy_last(config);

	_Static_assert(LEVEL_D1 == 0 && LEVEL_LL == N_LEVELS - 1 &&
			       (int)N_LEVELS <= HIERARCHY_MAX_LEVELS,
		       "levels of caches");
	for (UInt level = LEVEL_D1 + 1; level < LEVEL_LL; level++) {
		if (!options->levels[level].given)
			continue;
		config->lower[config->n_lower - 1] = (struct cache_config){
			.name = level_name(level),
			.geometry = options->levels[level].geometry,
		};
		config->lower[config->n_lower++] = last;
	}
}

void cacheconf_choose(const struct options *options, struct hierarchy_config *config)
{
	const struct cache_option *d1 = &options->levels[LEVEL_D1];
	const struct cache_option *ll = &options->levels[LEVEL_LL];
	struct three_caches caches = fallback;

	if (options->deterministic.on &&
	    (options->deterministic.left & 1U << DETERMINISTIC_CPU) == 0) {
		caches.d1 = processor_caches[0].geometry;
		caches.i1 = processor_caches[1].geometry;
		caches.ll = processor_caches[N_PROCESSOR_CACHES - 1].geometry;
	} else if (!options->i1.given || !d1->given || !ll->given) {
		detect(&caches);
	}
	if (!ll->given)
		round_ll(&caches.ll);
	choose_one("I1", &options->i1, &caches.i1);
	choose_one("D1", d1, &caches.d1);
	choose_one("LL", ll, &caches.ll);
	*config = hierarchy_two_levels(caches.i1, caches.d1, caches.ll);
	add_middle_levels(options, config);
	check_line_size(&config->i1);
	check_line_size(&config->d1);
	for (UInt i = 0; i < config->n_lower; i++)
		check_line_size(&config->lower[i]);
	if (VG_(clo_verbosity) > 1)
		list_simulated(config);
}
