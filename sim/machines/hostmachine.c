/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models are listed in Intel's "Software Developer's Manual", volume 4, table 2-1, and in AMD's "Processor
 * Programming References", which Linux has together in arch/x86/include/asm/intel-family.h and in
 * arch/x86/kernel/cpu/amd.c.
 */
#include "sim/machines/hostmachine.h"

#include "sim/machines/phrase.h"
#include "sim/policy.h"

#define LEAF_EXTENDED   UINT32_C(0x80000000)
#define LEAF_NAME       UINT32_C(0x80000002) /* the first of three, of 16 bytes each */
#define LEAF_NAME_LAST  UINT32_C(0x80000004)
#define LEAF_HYPERVISOR UINT32_C(0x40000000)

enum {
	LEAF_SIGNATURE = 1,
	MAX_SOURCE = 300, /* bytes of a source that is copied: a line has an end */
};

/* -- processors ------------------------------------------------------------------------------ */

/* Models of a family, from first to last. */
struct kin {
	enum processor_maker maker;
	uint32_t family, first, last;
	const char *base;
	/* It is this processor, with other sizes; else only its core is alike, and its caches are not. */
	bool is_same;
};

static const struct kin all_kin[] = {
	{ MAKER_INTEL, 6, 0x4e, 0x4e, "skylake", true },
	{ MAKER_INTEL, 6, 0x5e, 0x5e, "skylake", true },
	{ MAKER_INTEL, 6, 0x8e, 0x8e, "skylake", true },    /* Kaby Lake to Whiskey Lake */
	{ MAKER_INTEL, 6, 0x9e, 0x9e, "skylake", true },    /* Kaby Lake, Coffee Lake */
	{ MAKER_INTEL, 6, 0xa5, 0xa6, "skylake", true },    /* Comet Lake */
	{ MAKER_INTEL, 6, 0x55, 0x55, "skylake-sp", true }, /* to Cooper Lake */
	{ MAKER_INTEL, 6, 0x7d, 0x7e, "icelake", true },
	{ MAKER_INTEL, 6, 0x6a, 0x6a, "icelake", false }, /* its server */
	{ MAKER_INTEL, 6, 0x6c, 0x6c, "icelake", false },
	{ MAKER_INTEL, 6, 0x8c, 0x8d, "icelake", false }, /* Tiger Lake */
	{ MAKER_INTEL, 6, 0xa7, 0xa7, "icelake", false }, /* Rocket Lake */
	{ MAKER_INTEL, 6, 0x97, 0x97, "goldencove", true },
	{ MAKER_INTEL, 6, 0x9a, 0x9a, "goldencove", true },
	{ MAKER_INTEL, 6, 0xb7, 0xb7, "goldencove", true }, /* Raptor Lake */
	{ MAKER_INTEL, 6, 0xba, 0xba, "goldencove", true },
	{ MAKER_INTEL, 6, 0xbf, 0xbf, "goldencove", true },
	{ MAKER_INTEL, 6, 0x8f, 0x8f, "sapphirerapids", true },
	{ MAKER_INTEL, 6, 0xcf, 0xcf, "sapphirerapids", true }, /* Emerald Rapids */
	{ MAKER_AMD, 0x17, 0x30, 0x4f, "zen2", true },
	{ MAKER_AMD, 0x17, 0x60, 0x7f, "zen2", true },
	{ MAKER_AMD, 0x17, 0x90, 0x91, "zen2", true },
	{ MAKER_AMD, 0x17, 0xa0, 0xaf, "zen2", true },
	{ MAKER_AMD, 0x19, 0x00, 0x0f, "zen3", true },
	{ MAKER_AMD, 0x19, 0x20, 0x5f, "zen3", true },
	{ MAKER_AMD, 0x19, 0x10, 0x1f, "zen4", true },
	{ MAKER_AMD, 0x19, 0x60, 0xaf, "zen4", true },
	{ MAKER_AMD, 0x1a, 0x00, 0x2f, "zen5", true },
	{ MAKER_AMD, 0x1a, 0x40, 0x4f, "zen5", true },
	{ MAKER_AMD, 0x1a, 0x60, 0x7f, "zen5", true },
};

/* NULL if nothing is known about it. */
static const struct kin *find_kin(const struct processor_identity *identity)
{
	for (size_t i = 0; i < sizeof(all_kin) / sizeof(all_kin[0]); i++) {
		const struct kin *kin = &all_kin[i];

		if (kin->maker == identity->maker && kin->family == identity->family &&
		    identity->model >= kin->first && identity->model <= kin->last)
			return kin;
	}
	return NULL;
}

/* EBX, EDX and ECX of leaf 0, in this order: "Genu" "ineI" "ntel", "Auth" "enti" "cAMD". */
static enum processor_maker maker_of(const uint32_t leaf[N_PROCESSOR_REGISTERS])
{
	uint32_t ebx = leaf[PROCESSOR_EBX], edx = leaf[PROCESSOR_EDX], ecx = leaf[PROCESSOR_ECX];

	if (ebx == 0x756e6547 && edx == 0x49656e69 && ecx == 0x6c65746e)
		return MAKER_INTEL;
	if (ebx == 0x68747541 && edx == 0x69746e65 && ecx == 0x444d4163)
		return MAKER_AMD;
	return MAKER_OTHER;
}

/* EAX of leaf 1: 3:0 stepping, 7:4 model, 11:8 family, 19:16 more of the model, 27:20 more of the family. */
static void read_signature(struct processor_identity *identity, uint32_t signature)
{
	uint32_t family = signature >> 8 & 0xf, model = signature >> 4 & 0xf;

	if (family == 0xf || (family == 6 && identity->maker == MAKER_INTEL))
		model |= (signature >> 16 & 0xf) << 4;
	if (family == 0xf)
		family += signature >> 20 & 0xff;
	identity->family = family;
	identity->model = model;
	identity->stepping = signature & 0xf;
}

/* Bit 31 of ECX of leaf 1 is kept for hypervisors; EBX, ECX and EDX of theirs are its name. */
static void read_hypervisor(struct processor_identity *identity, uint32_t features,
			    cpuid_function *cpuid, void *data)
{
	struct phrase phrase = { identity->hypervisor, sizeof(identity->hypervisor), 0 };
	uint32_t registers[N_PROCESSOR_REGISTERS];

	identity->is_virtual = features >> 31 != 0;
	if (!identity->is_virtual)
		return;
	cpuid(data, LEAF_HYPERVISOR, 0, registers);
	for (unsigned i = 0; i < HYPERVISOR_NAME_SIZE - 1; i++) {
		const char c = (char)(registers[PROCESSOR_EBX + i / 4] >> 8 * (i % 4) & 0x7f);

		if (c > ' ' && c <= '~')
			phrase_char(&phrase, c);
	}
}

/* Without blanks at its ends, and without what would end its line. */
static void read_name(struct processor_identity *identity, cpuid_function *cpuid, void *data)
{
	struct phrase phrase = { identity->name, sizeof(identity->name), 0 };
	uint32_t registers[N_PROCESSOR_REGISTERS];

	for (uint32_t leaf = LEAF_NAME; leaf <= LEAF_NAME_LAST; leaf++) {
		cpuid(data, leaf, 0, registers);
		for (unsigned i = 0; i < 4 * N_PROCESSOR_REGISTERS; i++) {
			char c = (char)(registers[i / 4] >> 8 * (i % 4) & 0x7f);

			bool is_further_blank = c == ' ' && phrase.len > 0 &&
						phrase.text[phrase.len - 1] != ' ';

			if (is_further_blank || (c > ' ' && c <= '~' && c != ';' && c != '#'))
				phrase_char(&phrase, c);
		}
	}
	if (phrase.len > 0 && phrase.text[phrase.len - 1] == ' ')
		phrase.text[phrase.len - 1] = '\0';
}

void processor_identify(struct processor_identity *identity, cpuid_function *cpuid, void *data)
{
	uint32_t registers[N_PROCESSOR_REGISTERS];
	uint32_t last;

	*identity = (struct processor_identity){ .maker = MAKER_OTHER };
	cpuid(data, 0, 0, registers);
	last = registers[PROCESSOR_EAX];
	identity->maker = maker_of(registers);
	if (last >= LEAF_SIGNATURE) {
		cpuid(data, LEAF_SIGNATURE, 0, registers);
		read_signature(identity, registers[PROCESSOR_EAX]);
		read_hypervisor(identity, registers[PROCESSOR_ECX], cpuid, data);
	}
	cpuid(data, LEAF_EXTENDED, 0, registers);
	if (registers[PROCESSOR_EAX] >= LEAF_NAME_LAST)
		read_name(identity, cpuid, data);
}

const char *hostmachine_base(const struct processor_identity *identity)
{
	const struct kin *kin = find_kin(identity);

	return kin != NULL ? kin->base : "generic";
}

/* -- writing ----------------------------------------------------------------------------------- */

struct writing {
	struct phrase out;
	const struct machinefile *base;
	bool is_same; /* the base is of this processor */
	const struct hostcaches *caches;
};

static void put(struct writing *writing, const char *text)
{
	phrase_text(&writing->out, text);
}

/* The words of a field, a word that parts of lines are made of. */
static void put_word(struct writing *writing, const char *word, bool is_assumed)
{
	put(writing, " ");
	put(writing, word);
	if (is_assumed)
		put(writing, " assumed");
}

static void put_base_word(struct writing *writing, const struct machinefile_item *item, unsigned f,
			  bool is_assumed)
{
	const struct machinefile_field *field = &machinefile_rows[item->kind].fields[f];

	put(writing, " ");
	if (field->is_named) {
		put(writing, field->name);
		put(writing, "=");
	}
	phrase_bytes(&writing->out, writing->base->text + item->words[f].offset,
		     item->words[f].len);
	if (is_assumed)
		put(writing, " assumed");
}

static void put_base_name(struct writing *writing)
{
	put(writing, "as of ");
	put(writing, writing->base->name);
}

/* True if the base knows the policy of a level, other than by assumption. */
static bool knows_policy(const struct writing *writing, const struct machinefile_item *item,
			 uint32_t ways)
{
	struct policy policy;

	if (!writing->is_same || item == NULL || (item->assumed & 1U << CACHE_POLICY) != 0)
		return false;
	return policy_named(&policy, writing->base->text + item->words[CACHE_POLICY].offset,
			    item->words[CACHE_POLICY].len) &&
	       policy_misfit(&policy, ways) == NULL;
}

/* A line of the base, with its source. */
static void copy_item(struct writing *writing, const struct machinefile_item *item, bool is_assumed)
{
	const struct machinefile_row *row = &machinefile_rows[item->kind];
	uint32_t len = item->source.len;

	put(writing, row->keyword);
	for (unsigned f = 0; f < row->n_fields; f++) {
		if ((item->given & 1U << f) == 0)
			continue;
		if (row->fields[f].form == FORM_POLICY &&
		    !knows_policy(writing, item, (uint32_t)item->values[CACHE_WAYS]))
			put_word(writing, "lru", true);
		else
			put_base_word(writing, item, f,
				      is_assumed || (item->assumed & 1U << f) != 0);
	}
	put(writing, " ; ");
	put_base_name(writing);
	if (len > MAX_SOURCE)
		len = MAX_SOURCE;
	if (len > 0)
		put(writing, ": ");
	phrase_bytes(&writing->out, writing->base->text + item->source.offset, len);
	put(writing, "\n");
}

/* -- caches ------------------------------------------------------------------------------------- */

static const struct hostcache *find_cache(const struct hostcaches *caches,
					  enum machinefile_kind kind)
{
	if (kind == MACHINE_L1I)
		return hostcaches_find(caches, PROCESSOR_INSTRUCTION, 1);
	if (kind == MACHINE_L1D)
		return hostcaches_find(caches, PROCESSOR_DATA, 1);
	if (kind == MACHINE_L2)
		return hostcaches_find(caches, PROCESSOR_UNIFIED, 2);
	return kind == MACHINE_L3 ? hostcaches_find(caches, PROCESSOR_UNIFIED, 3) : NULL;
}

/* The kernel may not know all numbers; a line of another size than L1's could not be simulated. */
static bool is_usable(const struct hostcache *cache, uint32_t line_size)
{
	return cache != NULL && cache->geometry.size != 0 && cache->geometry.assoc != 0 &&
	       cache->geometry.line_size == line_size && line_size >= GEOMETRY_MIN_LINE_SIZE &&
	       cache->geometry.size <= UINT64_C(4) << 30 &&
	       cache->geometry.size % ((uint64_t)cache->geometry.assoc * line_size) == 0;
}

static bool are_usable(const struct hostcaches *caches)
{
	const struct hostcache *l1d = caches != NULL ? find_cache(caches, MACHINE_L1D) : NULL;
	const struct hostcache *l3 = caches != NULL ? find_cache(caches, MACHINE_L3) : NULL;
	uint32_t line_size = l1d != NULL ? l1d->geometry.line_size : 0;

	for (unsigned kind = MACHINE_L1I; kind <= MACHINE_L2; kind++)
		if (l1d == NULL || !is_usable(find_cache(caches, kind), line_size))
			return false;
	return l3 == NULL || is_usable(l3, line_size);
}

/* Writes the inclusion policy of a level; true if CPUID told it. */
static bool put_relation(struct writing *writing, const struct hostcache *cache,
			 const struct machinefile_item *item)
{
	const bool is_told = cache->inclusion != HOSTCACHE_INCLUSION_UNKNOWN;
	const bool is_based = item != NULL && (item->given & 1U << CACHE_RELATION) != 0;
	uint64_t relation = is_based ? item->values[CACHE_RELATION] : (uint64_t)INCLUSION_NINE;
	bool is_assumed = !writing->is_same || !is_based ||
			  (item->assumed & 1U << CACHE_RELATION) != 0;

	if (cache->inclusion == HOSTCACHE_INCLUSIVE) {
		put_word(writing, "inclusive", false);
		return true;
	}
	if (is_told && relation == INCLUSION_INCLUSIVE) {
		relation = INCLUSION_NINE;
		is_assumed = true;
	}
	/* The second level cannot be a victim here, so "not inclusive" says it all. */
	if (cache->level == 2 && is_told)
		is_assumed = false;
	put_word(writing, machinefile_word(MACHINE_L2, CACHE_RELATION, relation), is_assumed);
	return is_told && !is_assumed;
}

/* Where the policy that is written comes from, in a line's comment. */
static void put_policy_source(struct writing *writing, bool is_known)
{
	if (is_known) {
		put(writing, "; policy: ");
		put_base_name(writing);
	} else {
		put(writing, "; policy: not known");
	}
}

static void put_cache(struct writing *writing, enum machinefile_kind kind,
		      const struct hostcache *cache)
{
	const bool is_first = kind <= MACHINE_L1D;
	const struct machinefile_item *item = machinefile_find(writing->base, kind);
	const bool is_known = knows_policy(writing, item, cache->geometry.assoc);
	const bool has_index = !is_first && item != NULL && (item->given & 1U << CACHE_INDEX) != 0;
	bool is_told = true;

	put(writing, machinefile_rows[kind].keyword);
	put(writing, " ");
	phrase_size(&writing->out, cache->geometry.size);
	put(writing, " ");
	phrase_number(&writing->out, cache->geometry.assoc);
	if (is_known)
		put_base_word(writing, item, CACHE_POLICY, false);
	else
		put_word(writing, "lru", true);
	if (!is_first)
		is_told = put_relation(writing, cache, item);
	if (has_index)
		put_base_word(writing, item, CACHE_INDEX, true);
	put(writing, " ; ");
	put(writing, hostcache_source_name(cache->source));
	if (cache->is_confirmed)
		put(writing, ", /sys agrees");
	put_policy_source(writing, is_known);
	if (!is_told || has_index) {
		put(writing, is_told     ? "; index: "
			     : has_index ? "; relation, index: "
					 : "; relation: ");
		put_base_name(writing);
	}
	put(writing, "\n");
}

static void put_caches(struct writing *writing)
{
	const struct hostcache *l1d = find_cache(writing->caches, MACHINE_L1D);

	put(writing, "line ");
	phrase_number(&writing->out, l1d->geometry.line_size);
	put(writing, " ; ");
	put(writing, hostcache_source_name(l1d->source));
	put(writing, l1d->is_confirmed ? ", /sys agrees\n" : "\n");
	for (unsigned kind = MACHINE_L1I; kind <= MACHINE_L3; kind++) {
		const struct hostcache *cache = find_cache(writing->caches, kind);

		if (cache != NULL)
			put_cache(writing, kind, cache);
	}
	if (find_cache(writing->caches, MACHINE_L3) != NULL && writing->caches->n_cores > 0) {
		put(writing, machinefile_rows[MACHINE_CORES].keyword);
		put(writing, " ");
		phrase_number(&writing->out, writing->caches->n_cores);
		put(writing, writing->caches->n_cores < HOSTCACHES_MAX_CORES
				     ? " ; /sys, of CPU 0\n"
				     : " ; /sys, of CPU 0: as many, or more\n");
	}
}

/* -- the rest ------------------------------------------------------------------------------------ */

static bool is_of_caches(enum machinefile_kind kind)
{
	return kind >= MACHINE_LINE && kind <= MACHINE_L4;
}

/* True if a line of the base is about a level that this machine does not have. */
static bool is_of_missing_level(const struct writing *writing, const struct machinefile_item *item)
{
	const uint64_t of = item->values[0];
	uint64_t level = LEVEL_IS_L1D;

	_Static_assert((int)PREFETCH_LEVEL + (int)COST_OF + (int)ROOF_OF == 0 &&
			       (int)COST_L4 == (int)LEVEL_IS_L4 &&
			       (int)ROOF_L4 - (int)ROOF_L1D == (int)LEVEL_IS_L4,
		       "the first field has the level, in the same order");
	if (item->kind == MACHINE_PREFETCH || (item->kind == MACHINE_COST && of <= COST_L4))
		level = of;
	else if (item->kind == MACHINE_ROOF && of >= ROOF_L1D && of <= ROOF_L4)
		level = of - ROOF_L1D;
	else if (item->kind == MACHINE_CORES || (item->kind == MACHINE_COST && of == COST_CORE))
		level = LEVEL_IS_L3;
	return writing->caches != NULL &&
	       find_cache(writing->caches, (enum machinefile_kind)(MACHINE_L1D + level)) == NULL;
}

/* "machine host  NAME (Intel, family 6, model 143)" */
static void put_heading(struct writing *writing, const struct processor_identity *identity)
{
	static const char *const makers[N_PROCESSOR_MAKERS] = {
		[MAKER_OTHER] = "processor",
		[MAKER_INTEL] = "Intel",
		[MAKER_AMD] = "AMD",
	};

	put(writing, "machine host  ");
	if (identity->name[0] != '\0') {
		put(writing, identity->name);
		put(writing, " (");
	}
	put(writing, makers[identity->maker]);
	put(writing, ", family ");
	phrase_number(&writing->out, identity->family);
	put(writing, ", model ");
	phrase_number(&writing->out, identity->model);
	put(writing, identity->name[0] != '\0' ? ")\n" : "\n");
}

void hostmachine_write(struct hostmachine *host, const struct processor_identity *identity,
		       const struct hostcaches *caches, const struct machinefile *base)
{
	const struct kin *kin = find_kin(identity);
	struct writing writing = {
		.out = { host->text, sizeof(host->text), 0 },
		.base = base,
		.is_same = kin != NULL && kin->is_same,
		.caches = are_usable(caches) ? caches : NULL,
	};

	host->text[0] = '\0';
	put_heading(&writing, identity);
	if (writing.caches != NULL)
		put_caches(&writing);
	for (size_t i = 0; i < base->n_items; i++) {
		const struct machinefile_item *item = &base->items[i];
		const bool is_cache = is_of_caches(item->kind);
		const bool is_cores = item->kind == MACHINE_CORES;

		if ((is_cache && writing.caches != NULL) || is_of_missing_level(&writing, item) ||
		    (is_cores && writing.caches != NULL && writing.caches->n_cores > 0))
			continue;
		copy_item(&writing, item, is_cache || is_cores || !writing.is_same);
	}
	host->len = writing.out.len;
}

/* -- a machine that was measured ----------------------------------------------------------------- */

/* Letters and digits in small letters, and a dash for all else between them. */
static void put_slug(struct phrase *path, const char *text, size_t len)
{
	bool is_dash = false;

	phrase_char(path, '-');
	for (size_t i = 0; i < len; i++) {
		const char c = text[i];
		const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');

		if (!is_letter && (c < '0' || c > '9')) {
			is_dash = true;
			continue;
		}
		if (is_dash && path->text[path->len - 1] != '-')
			phrase_char(path, '-');
		is_dash = false;
		phrase_lower(path, &c, 1);
	}
}

static size_t length_of(const char *text)
{
	size_t len = 0;

	while (text[len] != '\0')
		len++;
	return len;
}

/* What follows "microcode", blanks and a colon; NULL if there is no such line. */
static const char *find_microcode(const char *cpuinfo, size_t *len)
{
	static const char key[] = "microcode";
	const char *at = cpuinfo;

	while (*at != '\0') {
		size_t i = 0;

		while (key[i] != '\0' && at[i] == key[i])
			i++;
		if (key[i] == '\0') {
			at += i;
			while (*at == ' ' || *at == '\t' || *at == ':')
				at++;
			for (*len = 0; at[*len] != '\0' && at[*len] != '\n'; ++*len)
				;
			return at;
		}
		while (*at != '\0' && *at != '\n')
			at++;
		if (*at == '\n')
			at++;
	}
	return NULL;
}

bool hostmachine_measured_path(struct phrase *path, const char *cache_home, const char *home,
			       const struct processor_identity *identity, const char *cpuinfo)
{
	static const char *const makers[N_PROCESSOR_MAKERS] = {
		[MAKER_OTHER] = "other",
		[MAKER_INTEL] = "intel",
		[MAKER_AMD] = "amd",
	};
	const uint32_t numbers[] = { identity->family, identity->model, identity->stepping };
	const char *microcode;
	size_t len;

	/* (A relative path is to be ignored: XDG Base Directory Specification.) */
	if (cache_home != NULL && cache_home[0] == '/') {
		phrase_text(path, cache_home);
	} else if (home != NULL && home[0] == '/') {
		phrase_text(path, home);
		phrase_text(path, "/.cache");
	} else {
		return false;
	}
	phrase_text(path, "/costgrind/machines/");
	phrase_text(path, makers[identity->maker]);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		phrase_char(path, '-');
		phrase_number(path, numbers[i]);
	}
	put_slug(path, identity->name, length_of(identity->name));
	microcode = find_microcode(cpuinfo, &len);
	if (microcode != NULL) {
		phrase_text(path, "-microcode");
		put_slug(path, microcode, len);
	}
	if (identity->is_virtual) {
		phrase_text(path, "-in");
		put_slug(path, identity->hypervisor, length_of(identity->hypervisor));
	}
	phrase_text(path, ".machine");
	return path->len + 1 < path->size;
}
