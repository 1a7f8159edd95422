/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/options/hostdetect.h"

#include "libvex.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"

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

void hostdetect_note_unknown(const HChar *instead)
{
	if (dropin_name() != DROPIN_NONE)
		note_defaults_of_dropin();
	else
		message_note("cannot detect the caches of this machine, using %s", instead);
}

static void note_doubt(enum hostcaches_verdict verdict, const struct hostcaches_doubt *doubt,
		       const HChar *instead)
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
		message_note("%s cache of this machine: %s by CPUID, %s by /sys, using %s", name,
			     cpuid, sys, instead);
	else
		message_note("%s cache of this machine: %s by %s, which cannot be, using %s", name,
			     doubt->cpuid != NULL ? cpuid : sys,
			     hostcache_source_name(cache->source), instead);
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

/* Nothing of what is doubted is believed, and so nothing else is asked. */
enum hostdetect_verdict hostdetect_caches(struct hostcaches *machine, const HChar *instead)
{
	const struct hostcaches_access access = {
		.cpuid = cpuid_ask,
		.current_processor = current_processor,
		.read_sys = read_sys,
	};
	struct hostcaches_witnesses witnesses;
	struct hostcaches_doubt doubt;
	enum hostcaches_verdict verdict = hostcaches_detect(&access, &witnesses, machine, &doubt);

	if (verdict == HOSTCACHES_DISAGREE || verdict == HOSTCACHES_ABSURD) {
		note_doubt(verdict, &doubt, instead);
		return HOSTDETECT_DOUBTED;
	}
	if (verdict != HOSTCACHES_KNOWN)
		return HOSTDETECT_UNKNOWN;
	list_caches(machine);
	return HOSTDETECT_KNOWN;
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

Bool hostdetect_from_core(struct two_levels *caches)
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
	/* Without a unified cache LL is Cachegrind's default, and its counts mean little. */
	if (ll != NULL)
		caches->ll = geometry_of(ll);
	return True;
}
