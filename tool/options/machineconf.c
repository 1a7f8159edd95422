/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/options/machineconf.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "sim/core/instructiontable.h"
#include "sim/machines/hostmachine.h"
#include "sim/machines/machinecosts.h"
#include "sim/machines/machinefile.h"
#include "sim/machines/phrase.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/common/text.h"
#include "tool/cycles/state.h"
#include "tool/options/options.h"
#include "tool/simulate/paging.h"

enum {
	TEXT_SIZE = 256, /* bytes of the text about a machine or a cache */
	N_CACHES = 1 + HIERARCHY_MAX_LEVELS,
};

/* The machine of the run, which the hierarchy's configuration points into. */
static struct {
	struct machinefile file;
	const HChar *name; /* that was given */
	Bool is_written;   /* by the user, in a file of that name */
	HChar title[TEXT_SIZE];
	struct policy policies[N_CACHES];
	UInt line_size;
	HChar texts[N_CACHES][TEXT_SIZE];
	UInt n_caches;
	HChar units[PREFETCHERS_MAX_UNITS][TEXT_SIZE];
	/* Of host: it is virtual, and was not measured. */
	Bool should_measure;
	UWord text_hash; /* of a file; 0: it is from none */
} taken;

/* -- the caches of the computer ---------------------------------------------------------------- */

/* hostcaches_access: the processor on which we are running. */
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

static void describe(const struct hostcache *cache, HChar *text, UInt size)
{
	if (cache == NULL)
		VG_(snprintf)(text, (Int)size, "none");
	else
		VG_(snprintf)(text, (Int)size, "%llu B, %u-way, %u B lines",
			      (ULong)cache->geometry.size, cache->geometry.assoc,
			      cache->geometry.line_size);
}

/* "L1d", "L1i", "L2", like lscpu. */
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

/* The words of Cachegrind and Callgrind, which say neither why nor what. */
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

/* With -v -v. */
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

/* -- the text of a machine ------------------------------------------------------------------ */

/* Reads a file, whole: *len bytes that stay, NULL if there is no such file, or (*is_there) it cannot be read. */
static HChar *read_file(const HChar *path, SizeT *len, Bool *is_there)
{
	HChar *text;
	Int fd = syscall_openat(LINUX_AT_FDCWD, path, VKI_O_RDONLY | LINUX_O_CLOEXEC, 0);
	Int n = 1;

	*is_there = fd >= 0;
	if (fd < 0)
		return NULL;
	text = VG_(malloc)("costgrind.machine", MACHINEFILE_MAX_SIZE + 1);
	for (*len = 0; n > 0 && *len <= MACHINEFILE_MAX_SIZE; *len += (SizeT)(n > 0 ? n : 0))
		n = VG_(read)(fd, text + *len, (Int)(MACHINEFILE_MAX_SIZE + 1 - *len));
	syscall_close(fd);
	if (n >= 0)
		return text;
	VG_(free)(text);
	return NULL;
}

/* Has other programs find a file that is named from the folder in which this one was started. */
static void hand_on(const HChar *name)
{
	static const HChar option[] = "--machine=";
	const HChar *folder = VG_(get_startup_wd)();
	SizeT size = sizeof(option) + VG_(strlen)(folder) + 1 + VG_(strlen)(name);
	HChar *old = VG_(malloc)("costgrind.machine", size);
	HChar *arg = VG_(malloc)("costgrind.machine", size);

	VG_(snprintf)(old, (Int)size, "%s%s", option, name);
	VG_(snprintf)(arg, (Int)size, "%s%s/%s", option, folder, name);
	options_hand_on(old, arg);
	VG_(free)(old);
}

/* "cachegrind, generic, ... zen5" */
static void list_names(HChar *text, UInt size)
{
	UInt len = 0;

	for (SizeT i = 0; i < n_machine_presets && len < size; i++)
		len += VG_(snprintf)(text + len, (Int)(size - len), "%s, ",
				     machine_presets[i].name);
}

/* The text of a name, *len bytes; ends the run if there is none. */
static const HChar *find_text(const HChar *name, SizeT *len)
{
	const struct embedded_text *preset = machine_preset_find(name);
	const HChar *text;
	HChar names[4 * TEXT_SIZE];
	Bool is_there;

	if (preset != NULL) {
		*len = preset->len;
		return preset->text;
	}
	text = read_file(name, len, &is_there);
	if (text == NULL && is_there)
		message_fatal("--machine=%s: cannot be read", name);
	if (text != NULL) {
		taken.is_written = True;
		if (name[0] != '/')
			hand_on(name);
		return text;
	}
	list_names(names, sizeof(names));
	message_fatal("--machine=%s: no such machine, nor a file; expected %shost or a file", name,
		      names);
}

/* False if it is none, with the reason in message. */
static Bool try_to_parse(const HChar *name, const HChar *text, SizeT len, HChar *message, UInt size)
{
	struct machinefile_error error;
	HChar expected[MACHINEFILE_MESSAGE_SIZE];

	if (machinefile_parse(&taken.file, text, len, &error))
		return True;
	machinefile_explain(&error, text, expected, sizeof(expected));
	VG_(snprintf)(message, (Int)size, "%s:%u:%u: %s", name, error.line, error.column, expected);
	return False;
}

static void parse(const HChar *name, const HChar *text, SizeT len)
{
	HChar message[TEXT_SIZE + MACHINEFILE_MESSAGE_SIZE];

	if (!try_to_parse(name, text, len, message, sizeof(message)))
		message_fatal("%s", message);
}

/* -- the machine of the computer ------------------------------------------------------------ */

/* The beginning of /proc/cpuinfo, which has the first processor; empty if it cannot be read. */
static void read_cpuinfo(HChar *text, Int size)
{
	const Int fd =
		syscall_openat(LINUX_AT_FDCWD, "/proc/cpuinfo", VKI_O_RDONLY | LINUX_O_CLOEXEC, 0);
	Int len = 0;

	if (fd >= 0) {
		len = VG_(read)(fd, text, size - 1);
		syscall_close(fd);
	}
	text[len > 0 ? len : 0] = '\0';
}

/* Parses what "costgrind machine --measure" has kept of this processor; False if that is nothing. */
static Bool parse_measured(const struct processor_identity *identity)
{
	static HChar path_text[MEASURED_PATH_SIZE], cpuinfo[CPUINFO_SIZE];
	static HChar message[MEASURED_PATH_SIZE + MACHINEFILE_MESSAGE_SIZE];
	struct phrase path = { path_text, sizeof(path_text), 0 };
	const HChar *text;
	Bool is_there;
	SizeT len;

	read_cpuinfo(cpuinfo, sizeof(cpuinfo));
	if (!hostmachine_measured_path(&path, VG_(getenv)("XDG_CACHE_HOME"), VG_(getenv)("HOME"),
										 identity, cpuinfo))
		return False;
	text = read_file(path_text, &len, &is_there);
	if (text == NULL)
		return False;
	if (!try_to_parse(path_text, text, len, message, sizeof(message))) {
		message_note("%s; measure again, or remove it", message);
		return False;
	}
	taken.text_hash = text_hash(0, text, len);
	return True;
}

/*
 * Its text: measured, if it may be and was; else written here, with what is not known from the preset of its
 * model.
 */
static void parse_host(Bool may_be_measured)
{
	static struct hostmachine host;
	static struct machinefile base;
	struct processor_identity identity;
	struct machinefile_error error;
	struct hostcaches caches;
	const struct embedded_text *preset;
	HChar instead[64];
	enum hostdetect_verdict verdict;
	Bool is_parsed;

	processor_identify(&identity, cpuid_ask, NULL);
	if (may_be_measured && parse_measured(&identity))
		return;
	preset = machine_preset_find(hostmachine_base(&identity));
	tl_assert(preset != NULL);
	is_parsed = machinefile_parse(&base, preset->text, preset->len, &error);
	tl_assert(is_parsed);
	VG_(snprintf)(instead, sizeof(instead), "those of --machine=%s", preset->name);
	verdict = hostdetect_caches(&caches, instead);
	if (verdict == HOSTDETECT_UNKNOWN)
		hostdetect_note_unknown(instead);
	hostmachine_write(&host, &identity, verdict == HOSTDETECT_KNOWN ? &caches : NULL, &base);
	parse(MACHINECONF_HOST, host.text, host.len);
	taken.should_measure = may_be_measured && identity.is_virtual;
}

/* -- messages about it -------------------------------------------------------------------- */

/* Appends a word without a NUL, after a separator. */
static void join(HChar text[TEXT_SIZE], const HChar *between, const HChar *from, SizeT len,
		 Bool is_assumed)
{
	SizeT at = VG_(strlen)(text);
	HChar word[64];

	VG_(strlcpy)(word, from, len + 1 < sizeof(word) ? len + 1 : sizeof(word));
	VG_(snprintf)(text + at, (Int)(TEXT_SIZE - at), "%s%s%s", at == 0 ? "" : between, word,
		      is_assumed ? " (assumed)" : "");
}

/* The same with a comma. */
static void append(HChar text[TEXT_SIZE], const HChar *from, SizeT len, Bool is_assumed)
{
	join(text, ", ", from, len, is_assumed);
}

static Bool is_assumed(const struct machinefile_item *item, UInt field)
{
	return (item->assumed >> field & 1) != 0;
}

static void append_field(HChar text[TEXT_SIZE], const struct machinefile_item *item, UInt field)
{
	const struct machinefile_span *word = &item->words[field];

	append(text, taken.file.text + word->offset, word->len, is_assumed(item, field));
}

/* In one spelling: by its words, profiles are compared. */
static void append_policy(HChar text[TEXT_SIZE], const struct machinefile_item *item)
{
	const struct machinefile_span *word = &item->words[CACHE_POLICY];
	HChar name[64];
	struct phrase phrase = { name, sizeof(name), 0 };

	phrase_lower(&phrase, taken.file.text + word->offset, word->len);
	append(text, name, phrase.len, is_assumed(item, CACHE_POLICY));
}

/* "L3, plru (assumed), victim": a cache except its size; its keyword if that is not its name. */
static void describe_cache(HChar text[TEXT_SIZE], const struct machinefile_item *item,
			   const HChar *name)
{
	const HChar *keyword = machinefile_rows[item->kind].keyword;

	text[0] = '\0';
	if (name[0] == 'L' && VG_(strcmp)(name, keyword) != 0)
		append(text, keyword, VG_(strlen)(keyword), False);
	append_policy(text, item);
	if ((item->given >> CACHE_RELATION & 1) != 0)
		append_field(text, item, CACHE_RELATION);
	if ((item->given >> CACHE_INDEX & 1) != 0)
		append_field(text, item, CACHE_INDEX);
}

/*
 * "zen4, AMD Zen 4 (2022) ..."; of a file also its hash, "mine (file 1f0e22a7), ...": machines are compared by what is before
 * the comma, and files of one name may differ.
 */
static void describe_machine(void)
{
	const struct machinefile_span *description = &taken.file.description;
	struct phrase title = { taken.title, sizeof(taken.title), 0 };
	HChar file[32] = "";

	if (taken.text_hash != 0)
		VG_(snprintf)(file, sizeof(file), " (file %08x)",
			      (UInt)(taken.text_hash ^ taken.text_hash >> 32));
	phrase_text(&title, taken.file.name);
	phrase_text(&title, file);
	if (description->len != 0) {
		phrase_text(&title, ", ");
		phrase_bytes(&title, taken.file.text + description->offset, description->len);
	}
}

/* -- its caches ----------------------------------------------------------------------------- */

static struct cache_config make_cache(enum machinefile_kind kind, const HChar *name)
{
	struct policy *policy = &taken.policies[taken.n_caches];
	HChar *text = taken.texts[taken.n_caches++];
	struct cache_config cache;
	Bool found = machinefile_cache(&taken.file, kind, policy, &cache);

	tl_assert(found);
	describe_cache(text, machinefile_find(&taken.file, kind), name);
	cache.name = name;
	cache.text = text;
	taken.line_size = cache.geometry.line_size;
	return cache;
}

/* The last level is called LL; the names are in LEVELS (writer/shared/events.h). */
static void make_lower(struct hierarchy_config *config)
{
	static const struct {
		enum machinefile_kind kind;
		const HChar *name;
	} levels[] = { { MACHINE_L2, "L2" }, { MACHINE_L3, "L3" }, { MACHINE_L4, "LL" } };
	UInt n = 0;

	for (UInt i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (machinefile_find(&taken.file, levels[i].kind) != NULL)
			n = i + 1;
	config->n_lower = n;
	for (UInt i = 0; i < n; i++)
		config->lower[i] = make_cache(levels[i].kind, i + 1 == n ? "LL" : levels[i].name);
}

/* "L2 stream, streams=32 (assumed), distance=20" */
static void describe_prefetcher(HChar text[TEXT_SIZE], const struct machinefile_item *item)
{
	const struct machinefile_row *row = &machinefile_rows[MACHINE_PREFETCH];
	const struct machinefile_span *kind = &item->words[PREFETCH_KIND];

	text[0] = '\0';
	append_field(text, item, PREFETCH_LEVEL);
	join(text, " ", taken.file.text + kind->offset, kind->len, is_assumed(item, PREFETCH_KIND));
	for (UInt f = PREFETCH_KIND + 1; f < row->n_fields; f++) {
		HChar number[64];

		if ((item->given >> f & 1) == 0)
			continue;
		VG_(snprintf)(number, sizeof(number), "%s=%llu", row->fields[f].name,
			      (ULong)item->values[f]);
		append(text, number, VG_(strlen)(number), is_assumed(item, f));
	}
}

static void make_prefetchers(struct prefetchers_config *config)
{
	UInt n = 0;

	machinefile_prefetchers(&taken.file, config);
	for (SizeT i = 0; i < taken.file.n_items && n < config->n; i++) {
		const struct machinefile_item *item = &taken.file.items[i];

		if (item->kind != MACHINE_PREFETCH)
			continue;
		describe_prefetcher(taken.units[n], item);
		config->units[n].text = taken.units[n];
		n++;
	}
}

Bool machineconf_take(const HChar *name, Bool may_be_measured, struct hierarchy_config *config)
{
	if (VG_(strcmp)(name, MACHINECONF_HOST) == 0) {
		parse_host(may_be_measured);
	} else {
		SizeT len = 0;
		const HChar *text = find_text(name, &len);

		parse(name, text, len);
		if (taken.is_written)
			taken.text_hash = text_hash(0, text, len);
	}
	taken.name = name;
	describe_machine();
	config->machine = taken.title;
	if (machineconf_is_two_levels())
		return False;
	config->i1 = make_cache(MACHINE_L1I, "I1");
	config->d1 = make_cache(MACHINE_L1D, "D1");
	make_lower(config);
	make_prefetchers(&config->prefetchers);
	return True;
}

/* -- its TLBs ------------------------------------------------------------------------------- */

/* "64 entries, 4-way associative (assumed), 4K", after the description of another array of that TLB. */
static void describe_tlb(HChar text[PAGING_TEXT], const struct machinefile_item *item)
{
	const UInt entries = (UInt)item->values[TLB_ENTRIES], ways = (UInt)item->values[TLB_WAYS];
	const SizeT at = VG_(strlen)(text);
	HChar array[TEXT_SIZE] = "", part[64];

	VG_(snprintf)(part, sizeof(part), "%u entries", entries);
	append(array, part, VG_(strlen)(part), is_assumed(item, TLB_ENTRIES));
	if (ways == entries)
		VG_(snprintf)(part, sizeof(part), "fully associative");
	else
		VG_(snprintf)(part, sizeof(part), "%u-way associative", ways);
	append(array, part, VG_(strlen)(part), is_assumed(item, TLB_WAYS));
	append_field(array, item, TLB_PAGES);
	VG_(snprintf)(text + at, (Int)(PAGING_TEXT - at), "%s%s", at == 0 ? "" : "; ", array);
}

/* True if a line describes an array of that TLB. */
static Bool is_of_tlb(const struct machinefile_item *item, enum tlb_kind kind)
{
	return VG_(strcmp)(machinefile_rows[item->kind].keyword, paging_names[kind]) == 0;
}

Bool machineconf_tlbs(struct paging *paging)
{
	for (UInt kind = 0; kind < N_TLB_KINDS; kind++)
		for (SizeT i = 0; i < taken.file.n_items; i++) {
			const struct machinefile_item *item = &taken.file.items[i];

			if (is_of_tlb(item, kind))
				describe_tlb(paging->texts[kind], item);
		}
	return machinefile_tlbs(&taken.file, &paging->config.tlbs);
}

void machineconf_refuse_tlbs(const struct machinetlbs_misfit *misfit)
{
	for (SizeT i = 0; taken.is_written && i < taken.file.n_items; i++)
		if (misfit->kind < N_TLB_KINDS && is_of_tlb(&taken.file.items[i], misfit->kind))
			message_fatal("%s:%u: expected %s", taken.name, taken.file.items[i].line,
				      misfit->expected);
	message_fatal("--machine=%s: expected %s", taken.name, misfit->expected);
}

/* -- its branch predictors ------------------------------------------------------------------ */

/* The amount of a key, or its default, which is assumed. */
static UInt take_amount(enum machinefile_kind kind, Bool *is_assumed_too)
{
	const struct machinefile_item *item = machinefile_find(&taken.file, kind);

	*is_assumed_too = item == NULL || is_assumed(item, MACHINE_AMOUNT);
	return item == NULL ? machinefile_rows[kind].fields[MACHINE_AMOUNT].usual
			    : (UInt)item->values[MACHINE_AMOUNT];
}

/* What the machine says, where it is asked; one that says nothing is a small one. */
static enum branch_model resolve(enum branch_model model)
{
	const struct machinefile_item *item = machinefile_find(&taken.file, MACHINE_BRANCH);
	enum branch_model own = machineconf_is_two_levels() ? BRANCH_MODEL_CACHEGRIND
							    : BRANCH_MODEL_TAGE_8K;

	if (model == BRANCH_MODEL_CACHEGRIND || model == BRANCH_MODEL_TAGE_8K ||
	    model == BRANCH_MODEL_TAGE_64K)
		return model;
	if (item != NULL)
		own = item->values[BRANCH_MODEL] == BRANCH_CACHEGRIND ? BRANCH_MODEL_CACHEGRIND
		      : item->values[BRANCH_MODEL] == BRANCH_TAGE64K  ? BRANCH_MODEL_TAGE_64K
								      : BRANCH_MODEL_TAGE_8K;
	return model != BRANCH_MODEL_OF_MACHINE && own == BRANCH_MODEL_CACHEGRIND
		       ? BRANCH_MODEL_TAGE_8K
		       : own;
}

void machineconf_branches(const HChar *name, Bool may_be_measured, enum branch_model model,
			  struct branching_config *config)
{
	const struct machinefile_item *item;
	struct hierarchy_config unused;
	struct machinecosts costs;
	Bool returns_assumed, targets_assumed, is_large;
	const Bool is_given = model == BRANCH_MODEL_TAGE_8K || model == BRANCH_MODEL_TAGE_64K;
	const Bool is_exact = model == BRANCH_MODEL_EXACT;
	Bool is_guessed;

	if (taken.title[0] == '\0')
		machineconf_take(name, may_be_measured, &unused);
	machinecosts_read(&costs, &taken.file);
	model = resolve(model);
	if (model == BRANCH_MODEL_CACHEGRIND)
		return;
	item = machinefile_find(&taken.file, MACHINE_BRANCH);
	is_guessed = !is_given && (item == NULL || is_assumed(item, BRANCH_MODEL) ||
				   item->values[BRANCH_MODEL] == BRANCH_CACHEGRIND);
	is_large = model == BRANCH_MODEL_TAGE_64K;
	config->machine = taken.title;
	config->predictor = (struct predictor_config){
		.tage = is_large ? &tage_64k : &tage_8k,
		.ittage = is_large ? &ittage_64k : &ittage_8k,
		.is_exact = is_exact,
		.n_returns = take_amount(MACHINE_RAS, &returns_assumed),
		.n_targets = take_amount(MACHINE_BTB, &targets_assumed),
		.n_near_targets = costs.near_targets,
	};
	VG_(snprintf)(config->text, sizeof(config->text),
		      "%sTAGE of %d KB%s, %u return addresses%s, %u targets%s",
		      is_exact ? "exact " : "", is_large ? 64 : 8, is_guessed ? " (assumed)" : "",
		      config->predictor.n_returns, returns_assumed ? " (assumed)" : "",
		      config->predictor.n_targets, targets_assumed ? " (assumed)" : "");
}

/* -- its cycles ------------------------------------------------------------------------------- */

enum {
	TENTHS = 10,
	LOOKUPS = 2, /* concurrent lookups in the second TLB */
	WALKS = 4,   /* concurrent walks of page tables */
};

static UInt larger(UInt a, UInt b)
{
	return a > b ? a : b;
}

static UInt less(UInt a, UInt b)
{
	return a > b ? a - b : 0;
}

/* What levels cost, beyond the first. */
static void take_levels(struct cycles_costs *costs, const struct machinecosts *machine)
{
	const UInt first = machine->cycles[COST_L1D], n = taken.n_caches - 1;
	const UInt memory = machine->cycles[COST_MEMORY];
	const UInt transfer = TENTHS * machine->cycles[COST_TRANSFER];
	const UInt n_misses = machine->amounts[AMOUNT_MISSES];
	const UInt line_size = taken.line_size;

	tl_assert(n <= COST_MEMORY);
	for (UInt level = 1; level < n; level++) {
		const UInt cycles = machine->cycles[COST_L1D + level];
		const UInt bytes = machine->streamed[ROOF_L1D + level];

		costs->latency[level] = TENTHS * less(cycles, first);
		costs->apart[level] = larger(TENTHS * cycles / n_misses, TENTHS);
		costs->streamed[level] = costs->apart[level];
		costs->transfers[level] = costs->apart[level];
		costs->least_apart[level] = bytes == 0 ? 0 : TENTHS * line_size / bytes;
	}
	costs->latency[WAIT_CORE] = TENTHS * less(machine->cycles[COST_CORE], first);
	costs->apart[WAIT_CORE] = larger(TENTHS * machine->cycles[COST_CORE] / n_misses, TENTHS);
	costs->streamed[WAIT_CORE] = costs->apart[WAIT_CORE];
	costs->transfers[WAIT_CORE] = costs->apart[WAIT_CORE];
	costs->latency[n] = TENTHS * less(memory, first);
	costs->streamed[n] = TENTHS * machine->cycles[COST_STREAM];
	costs->transfers[n] = transfer;
	costs->apart[n] = larger(TENTHS * memory / n_misses, transfer);
}

static void take_table(struct instructiontable *table, const HChar *name)
{
	const struct embedded_text *text = core_table_find(name);
	struct instructiontable_error error;
	Bool is_table;

	tl_assert(text != NULL);
	is_table = instructiontable_parse(table, text->text, text->len,
					  VG_(malloc)("costgrind.core",
						      instructiontable_size(text->text, text->len)),
					      &error);
	tl_assert2(is_table, "core %s:%u: expected %s", name, error.line, error.expected);
}

/* A machine of the user's that says too little would seem to say it all. */
static void note_unsaid(const struct machinecosts *machine)
{
	HChar text[TEXT_SIZE] = "";
	struct phrase phrase = { text, sizeof(text), 0 };

	if (machinecosts_put_unsaid(machine, &phrase))
		message_note("cycles: %s does not say, and is taken to have: %s", taken.file.name,
			     text);
}

/* Neighbors take a part of the last level, and nothing but the clock tells how large a one. */
static void note_unmeasured(void)
{
	const struct machinefile_item *last = machinefile_find(&taken.file, MACHINE_L3);

	if (taken.should_measure && last != NULL &&
	    last->values[CACHE_SIZE] >= HOSTMACHINE_LARGE_L3)
		message_note(
			"cycles: this is a virtual machine, which may have less of L3 than its %llu MiB: "
			"`costgrind machine --measure` finds out, once",
			(ULong)last->values[CACHE_SIZE] >> 20);
}

Bool machineconf_has_core(void)
{
	return machinefile_find(&taken.file, MACHINE_CORE) != NULL;
}

UInt machineconf_cores(void)
{
	return machinefile_cores(&taken.file);
}

Bool machineconf_is_two_levels(void)
{
	return machinefile_find(&taken.file, MACHINE_CACHES) != NULL;
}

void machineconf_cycles(struct cycles_state *cycles)
{
	static struct instructiontable table;
	struct phrase phrase = { cycles->text, sizeof(cycles->text), 0 };
	struct cycles_costs *costs = &cycles->costs;
	struct machinecosts machine;
	UInt width, rob;

	machinecosts_read(&machine, &taken.file);
	if (machine.core == NULL)
		message_fatal("--cycles=yes: expected a machine with a core table; %s has none",
			      taken.file.name);
	note_unsaid(&machine);
	note_unmeasured();
	machinecosts_put(&machine, &phrase);
	width = machine.amounts[AMOUNT_WIDTH];
	rob = machine.amounts[AMOUNT_ROB];
	take_table(&table, machine.core);
	take_levels(costs, &machine);
	costs->set_apart = TENTHS * machine.misses_set;
	costs->reorder = rob;
	costs->hidden = TENTHS * rob / width;
	/* Fetch goes ahead by what branches are predicted to be, so far that hits in L2 are in time. */
	costs->fetch_hidden = costs->latency[1];
	costs->misprediction = TENTHS * machine.cycles[COST_MISPREDICT];
	costs->far_target = TENTHS * machine.cycles[COST_BTB];
	costs->unknown_target = costs->misprediction / 2;
	costs->second_tlb = TENTHS * machine.cycles[COST_STLB];
	costs->walk = TENTHS * machine.cycles[COST_WALK];
	costs->second_tlb_apart = costs->second_tlb / LOOKUPS;
	costs->walks_apart = costs->walk / WALKS;
	costs->first = TENTHS * machine.cycles[COST_L1D];
	cycles->core = (struct core_config){
		.width = width < CORE_MAX_WIDTH ? width : CORE_MAX_WIDTH,
		.decoded = machine.decoded,
		.window = machine.amounts[AMOUNT_FETCH],
		.jump = machine.cycles[COST_JUMP],
		.call = machine.cycles[COST_CALL],
		.forward = machine.cycles[COST_FORWARD],
		.renamed = machine.cycles[COST_RENAMED],
		.memory_ports = instructiontable_memory_ports(&table),
	};
	if (!paths_init(&cycles->paths, &table, &cycles->core))
		message_fatal("--cycles=yes: this program was built without Capstone, which tells "
			      "instructions apart");
}

/* -- --machine=help ------------------------------------------------------------------------- */

static void list(const HChar *name, const HChar *description, SizeT len)
{
	HChar text[TEXT_SIZE], line[2 * TEXT_SIZE];
	UInt size;

	VG_(strlcpy)(text, description, len + 1 < sizeof(text) ? len + 1 : sizeof(text));
	size = VG_(snprintf)(line, sizeof(line), "%-16s %s\n", name, text);
	VG_(write)(1, line, (Int)size);
}

static void list_text(const HChar *name, const HChar *description)
{
	list(name, description, VG_(strlen)(description));
}

void machineconf_list(void)
{
	list_text(MACHINECONF_HOST,
		  "the caches of this computer, as processor and kernel tell of them; "
		  "taken if no machine is given");
	for (SizeT i = 0; i < n_machine_presets; i++) {
		const struct embedded_text *preset = &machine_presets[i];

		parse(preset->name, preset->text, preset->len);
		list(preset->name, taken.file.text + taken.file.description.offset,
		     taken.file.description.len);
	}
	list_text("FILE", "a text like those that costgrind machine --format=file NAME prints");
}
