/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine is, in this order: two levels under the name of Callgrind or Cachegrind, and with Callgrind's simulators of the
 * last level; the one that --machine names; two levels if an option gives one of them, as scripts for Cachegrind do; with
 * --deterministic=yes one that is the same everywhere; the computer's.
 *
 * Two levels are I1 and D1, the instruction and data caches of level 1, and LL, the unified cache of the highest level.  The number
 * of sets of real last-level caches is often not a power of two; geometry_round_sets() makes them what Cachegrind can simulate.
 */
#include "tool/options/machineconf.h"

#include "libvex.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"

#include "sim/cores.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/cycles/state.h"
#include "tool/options/options.h"

/* Cachegrind's machine. */
struct two_levels {
	struct cache_geometry i1, d1, ll;
};

/* If nothing is detected, or it is not plausible: Cachegrind's defaults for x86 and amd64. */
static const struct two_levels fallback = {
	.i1 = { 65536, 2, 64 },
	.d1 = { 65536, 2, 64 },
	.ll = { 262144, 8, 64 },
};

#define FALLBACK "defaults (--I1=65536,2,64 --D1=65536,2,64 --LL=262144,8,64)"

/* -- two levels ---------------------------------------------------------------------------- */

/*
 * False without both caches of the first level: a Pentium 4 reports its trace cache only in what the core reads.
 */
static Bool take_first_and_last(const struct hostcaches *host, struct two_levels *caches)
{
	const struct hostcache *i1 = hostcaches_find(host, PROCESSOR_INSTRUCTION, 1);
	const struct hostcache *d1 = hostcaches_find(host, PROCESSOR_DATA, 1);
	const struct hostcache *last = hostcaches_last(host);

	if (i1 == NULL || d1 == NULL)
		return False;
	caches->i1 = i1->geometry;
	caches->d1 = d1->geometry;
	if (last != NULL)
		caches->ll = last->geometry;
	/* Cachegrind's words. */
	if (last != NULL && last->level > 2 && dropin_name() != DROPIN_NONE &&
	    VG_(clo_verbosity) > 0)
		VG_(dmsg)("warning: L%u cache found, using its data for the LL simulation.\n",
			  last->level);
	return True;
}

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
 * The trace cache of a Pentium 4 holds micro-operations; Cachegrind replaces it by an instruction cache of about the same
 * reach.
 */
static struct cache_geometry trace_cache_geometry(const VexCache *cache)
{
	UInt kilo_uops = cache->sizeB / 1024;

	return (struct cache_geometry){ kilo_uops <= 16 ? 16 * 1024 : 32 * 1024, 8, 32 };
}

/* What the core found.  False if that is not both caches of the first level; caches that it did not find stay. */
static Bool take_from_core(struct two_levels *caches)
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
	caches->i1 = i1->is_trace_cache ? trace_cache_geometry(i1) : geometry_of(i1);
	caches->d1 = geometry_of(d1);
	/* Without a unified cache LL keeps Cachegrind's default, and its counts mean little. */
	if (ll != NULL)
		caches->ll = geometry_of(ll);
	return True;
}

/* Leaves *caches alone, with a message, if nothing is plausible. */
static void detect_two_levels(struct two_levels *caches)
{
	struct hostcaches host;
	enum hostdetect_verdict verdict = hostdetect_caches(&host, FALLBACK);

	if (verdict == HOSTDETECT_DOUBTED ||
	    (verdict == HOSTDETECT_KNOWN && take_first_and_last(&host, caches)))
		return;
	if (!take_from_core(caches))
		hostdetect_note_unknown(FALLBACK);
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

/* With -v -v: one line, or four like Cachegrind and Callgrind. */
static void list_simulated(const struct hierarchy_config *config)
{
	const struct cache_config *caches[1 + HIERARCHY_MAX_LEVELS] = { &config->i1, &config->d1 };
	const Bool is_dropin = dropin_name() != DROPIN_NONE;

	for (UInt i = 0; i < config->n_lower; i++)
		caches[2 + i] = &config->lower[i];
	if (config->machine != NULL)
		VG_(umsg)("machine: %s\n", config->machine);
	VG_(umsg)(is_dropin ? "Cache configuration used:\n" : "caches:");
	for (UInt i = 0; i < 2 + config->n_lower; i++)
		VG_(umsg)(is_dropin ? "  %s: %'llu B, %u-way, %u B lines\n" : " %s %llu,%u,%u",
			  caches[i]->name, (ULong)caches[i]->geometry.size,
			  caches[i]->geometry.assoc, caches[i]->geometry.line_size);
	if (!is_dropin)
		VG_(umsg)("\n");
}

/* True if the program sees a processor that is the same everywhere. */
static Bool is_processor_fixed(const struct options *options)
{
	return options->deterministic.on &&
	       (options->deterministic.left & 1U << DETERMINISTIC_CPU) == 0;
}

static void choose_two_levels(const struct options *options, struct hierarchy_config *config)
{
	struct two_levels caches = fallback;

	if (is_processor_fixed(options)) {
		caches.d1 = processor_caches[0].geometry;
		caches.i1 = processor_caches[1].geometry;
		caches.ll = processor_caches[N_PROCESSOR_CACHES - 1].geometry;
	} else if (!options->i1.given || !options->d1.given || !options->ll.given) {
		detect_two_levels(&caches);
	}
	if (!options->ll.given)
		round_ll(&caches.ll);
	choose_one("I1", &options->i1, &caches.i1);
	choose_one("D1", &options->d1, &caches.d1);
	choose_one("LL", &options->ll, &caches.ll);
	*config = hierarchy_two_levels(caches.i1, caches.d1, caches.ll);
}

/* -- the choice ------------------------------------------------------------------------------ */

static const HChar *choose_machine(const struct options *options)
{
	const struct simulate_options *simulate = &options->simulate;

	if (dropin_name() != DROPIN_NONE || simulate->simulate_wb || simulate->simulate_hwpref ||
	    simulate->cacheuse)
		return MACHINECONF_TWO_LEVELS;
	if (options->machine != NULL)
		return options->machine;
	if (options->i1.given || options->d1.given || options->ll.given)
		return MACHINECONF_TWO_LEVELS;
	return is_processor_fixed(options) ? MACHINECONF_FIXED : MACHINECONF_HOST;
}

/* An option gives a cache like Cachegrind's, with LRU. */
static void replace(struct cache_config *cache, const struct cache_option *option)
{
	if (!option->given)
		return;
	*cache = (struct cache_config){ .name = cache->name, .geometry = option->geometry };
}

/* In a machine's text no level is smaller than the one above; here it is probably a mistake. */
static void note_small(const struct hierarchy_config *config)
{
	const struct cache_config *above = &config->d1;

	for (UInt i = 0; i < config->n_lower; i++) {
		const struct cache_config *level = &config->lower[i];

		if (level->geometry.size < above->geometry.size)
			message_note("the caches: %s has %llu bytes, less than the %llu of %s",
				     level->name, (ULong)level->geometry.size,
				     (ULong)above->geometry.size, above->name);
		above = level;
	}
}

/* The remedy if two levels are not enough. */
#define NAME_MACHINE "give --machine=NAME, or a file made by costgrind machine --format=file host"

static void choose_named(const HChar *name, const struct options *options,
			 struct hierarchy_config *config)
{
	const HChar *title;

	if (!machineconf_take(name, !is_processor_fixed(options), config)) {
		title = config->machine;
		if (options->simulate.tlb_sim)
			message_fatal(
				"%s: cannot be combined with two levels of caches, which have "
				"no TLBs; " NAME_MACHINE,
				options->simulate.counted[GROUP_CYCLES] ? "--cycles=yes"
									: "--tlb-sim=yes");
		if (options->write_back)
			message_fatal(
				"--write-back=yes: cannot be combined with two levels of caches, which do "
				"not track dirty lines; " NAME_MACHINE);
		if (options->simulate.counted[GROUP_PREFETCH])
			message_fatal(
				"--prefetch=yes: cannot be combined with two levels of caches, which have "
				"no prefetchers; " NAME_MACHINE);
		choose_two_levels(options, config);
		config->machine = title;
		return;
	}
	if (options->simulate.counted[GROUP_PREFETCH] && config->prefetchers.n == 0)
		message_note("--prefetch=yes: the machine has no prefetchers; what is counted is "
			     "the program's own prefetch instructions");
	replace(&config->i1, &options->i1);
	replace(&config->d1, &options->d1);
	replace(&config->lower[config->n_lower - 1], &options->ll);
	if (options->i1.given || options->d1.given || options->ll.given)
		note_small(config);
	config->write_back = options->write_back;
	config->prefetch_instructions = true;
}

/* Options may replace caches of a machine by others that do not fit. */
static void check_together(const struct hierarchy_config *config)
{
	const HChar *misfit = config->cores > 1 ? cores_misfit(config) : NULL;

	if (misfit == NULL)
		misfit = hierarchy_misfit(config);
	if (misfit != NULL)
		message_fatal("the caches: %s", misfit);
}

void cacheconf_choose(const struct options *options, struct hierarchy_config *config)
{
	*config = (struct hierarchy_config){ 0 };
	if (dropin_name() != DROPIN_NONE)
		choose_two_levels(options, config);
	else
		choose_named(choose_machine(options), options, config);
	check_line_size(&config->i1);
	check_line_size(&config->d1);
	for (UInt i = 0; i < config->n_lower; i++)
		check_line_size(&config->lower[i]);
	config->cores = options->simulate.cores;
	if (options->simulate.counted[GROUP_SHARING] && !options_given(options, "--cores"))
		config->cores = machineconf_cores();
	check_together(config);
	if (VG_(clo_verbosity) > 1)
		list_simulated(config);
}

void cacheconf_choose_tlbs(const struct options *options, struct hierarchy_config *config,
			   struct paging *paging)
{
	struct machinetlbs_misfit misfit;

	if (!machineconf_tlbs(paging))
		message_fatal(
			"--tlb-sim=yes: the machine has no ITLB and DTLB; give another --machine");
	paging_choose(paging, options->simulate.pages);
	misfit = machinetlbs_misfit(&paging->config, config);
	if (misfit.expected != NULL)
		machineconf_refuse_tlbs(&misfit);
	config->tlbs = &paging->config;
}

/* True if cycles can be counted on the machine; one that has levels of its own but no core says so in the profile. */
static Bool can_count_cycles(const struct options *options, const struct hierarchy_config *config,
			     struct cycles_state *cycles)
{
	static struct paging paging; /* large for a stack; its descriptions are not used */

	if (machineconf_is_two_levels())
		return False;
	if (!machineconf_has_core()) {
		VG_(strlcpy)(cycles->text, "none", sizeof(cycles->text));
		return False;
	}
	if (!machineconf_tlbs(&paging))
		return False;
	paging_choose(&paging, options->simulate.pages);
	return machinetlbs_misfit(&paging.config, config).expected == NULL;
}

Bool cacheconf_choose_cycles(struct options *options, const struct hierarchy_config *config,
			     struct cycles_state *cycles)
{
	struct simulate_options *simulate = &options->simulate;

	if (!options->cycles_if_core)
		return False;
	if (!can_count_cycles(options, config, cycles)) {
		if (!simulate->tlb_sim)
			options_check_pages(options);
		return False;
	}
	simulate->counted[GROUP_CYCLES] = True;
	simulate->branch_sim = True;
	simulate->tlb_sim = True;
	return True;
}

void cacheconf_choose_branches(const struct options *options, struct branching_config *config)
{
	const struct simulate_options *simulate = &options->simulate;

	*config = (struct branching_config){
		.has_detail = simulate->counted[GROUP_BRANCH_DETAIL],
		.is_traced = simulate->trace_branches,
	};
	if (dropin_name() == DROPIN_NONE && simulate->branch_model != BRANCH_MODEL_CACHEGRIND)
		machineconf_branches(choose_machine(options), !is_processor_fixed(options),
				     simulate->branch_model, config);
	if (config->has_detail && config->predictor.tage == NULL)
		message_fatal(
			"--branch-detail=yes: cannot be combined with Cachegrind's predictors, which "
			"--machine=" MACHINECONF_TWO_LEVELS
			" has; give --branch-model=tage, or another machine");
}
