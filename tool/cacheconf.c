/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detection: I1 is the instruction cache of level 1, D1 the data cache of
 * level 1, LL the unified cache of the highest level, as the core found them
 * by CPUID.  Real last-level caches often have a number of sets that is no
 * power of two; geometry_round_sets() makes those simulable.
 */
#include "tool/cacheconf.h"

#include "libvex.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"

#include "tool/message.h"

/* Where nothing is detected: Cachegrind's defaults for x86 and amd64. */
static const struct hierarchy_geometry fallback = {
	.i1 = { 65536, 2, 64 },
	.d1 = { 65536, 2, 64 },
	.ll = { 262144, 8, 64 },
};

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

static Bool detect(struct hierarchy_geometry *geometry)
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

static void round_ll(struct cache_geometry *ll)
{
	const struct cache_geometry real = *ll;

	if (geometry_round_sets(ll))
		message_note("last-level cache of this machine, %llu B, %u-way, is simulated as "
			     "%llu B, %u-way",
			     (ULong)real.size, real.assoc, (ULong)ll->size, ll->assoc);
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

static void check_line_size(const HChar *name, const struct cache_geometry *cache)
{
	HChar option[64];

	VG_(snprintf)(option, sizeof(option), "--%s=%llu,%u,%u", name, (ULong)cache->size,
		      cache->assoc, cache->line_size);
	cacheconf_check_line(option, cache);
}

void cacheconf_choose(const struct options *options, struct hierarchy_geometry *geometry)
{
	Bool all_given = options->i1.given && options->d1.given && options->ll.given;

	*geometry = fallback;
	if (options->canonical.on && (options->canonical.left & 1U << CANONICAL_CPU) == 0) {
		geometry->d1 = processor_caches[0].geometry;
		geometry->i1 = processor_caches[1].geometry;
		geometry->ll = processor_caches[N_PROCESSOR_CACHES - 1].geometry;
	} else if (!all_given && !detect(geometry)) {
		*geometry = fallback;
		message_note("cannot detect the caches of this machine, using defaults "
			     "(--I1=65536,2,64 --D1=65536,2,64 --LL=262144,8,64)");
	}
	if (!options->ll.given)
		round_ll(&geometry->ll);
	choose_one("I1", &options->i1, &geometry->i1);
	choose_one("D1", &options->d1, &geometry->d1);
	choose_one("LL", &options->ll, &geometry->ll);
	check_line_size("I1", &geometry->i1);
	check_line_size("D1", &geometry->d1);
	check_line_size("LL", &geometry->ll);
	if (VG_(clo_verbosity) > 1)
		VG_(umsg)("caches: I1 %llu,%u,%u D1 %llu,%u,%u LL %llu,%u,%u\n",
			  (ULong)geometry->i1.size, geometry->i1.assoc, geometry->i1.line_size,
			  (ULong)geometry->d1.size, geometry->d1.assoc, geometry->d1.line_size,
			  (ULong)geometry->ll.size, geometry->ll.assoc, geometry->ll.line_size);
}
