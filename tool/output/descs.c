/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/descs.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

#include "isa/x86/decoder.h"
#include "tool/calls/state.h"
#include "tool/common/guest.h"
#include "tool/common/message.h"
#include "tool/common/syscall.h"
#include "tool/common/text.h"
#include "tool/cycles/state.h"
#include "tool/deterministic/state.h"
#include "tool/instrument/state.h"
#include "tool/output/state.h"
#include "tool/simulate/state.h"
#include "writer/origin.h"
#include "writer/rank.h"

void descs_write_command(struct writer *writer)
{
	SizeT n_args = (SizeT)VG_(sizeXA)(VG_(args_for_client));
	const char **args = VG_(malloc)("costgrind.args", (n_args + 1) * sizeof(*args));

	args[0] = VG_(args_the_exename);
	for (SizeT i = 0; i < n_args; i++)
		args[i + 1] = *(HChar **)VG_(indexXA)(VG_(args_for_client), (Word)i);
	writer_cmd(writer, args, n_args + 1);
	VG_(free)(args);
}

struct desc {
	struct desc *next;
	HChar *name, *text;
};

/* A copy that fits in one line. */
static HChar *copy(const HChar *text)
{
	HChar *line = VG_(strdup)("costgrind.desc", text);

	for (HChar *p = line; *p != '\0'; p++)
		if ((UChar)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return line;
}

static Bool has_line(const struct descs *descs, const struct desc *wanted)
{
	for (const struct desc *desc = descs->first; desc != NULL; desc = desc->next)
		if (VG_(strcmp)(desc->name, wanted->name) == 0 &&
			VG_(strcmp)(desc->text, wanted->text) == 0)
			return True;
	return False;
}

Bool descs_add(struct descs *descs, const HChar *name, const HChar *text)
{
	struct desc *desc;

	if (descs->n == MAX_DESCS)
		return False;
	desc = VG_(calloc)("costgrind.desc", 1, sizeof(*desc));
	desc->name = copy(name);
	desc->text = copy(text);
	if (has_line(descs, desc)) {
		VG_(free)(desc->name);
		VG_(free)(desc->text);
		VG_(free)(desc);
		return True;
	}
	descs->n++;
	if (descs->last == NULL)
		descs->first = desc;
	else
		descs->last->next = desc;
	descs->last = desc;
	return True;
}

static Bool has_name(const struct descs *descs, const HChar *name)
{
	for (const struct desc *desc = descs->first; desc != NULL; desc = desc->next)
		if (VG_(strcmp)(desc->name, name) == 0)
			return True;
	return False;
}

void descs_write(const struct descs *descs, struct writer *writer)
{
	for (const struct desc *desc = descs->first; desc != NULL; desc = desc->next)
		writer_desc(writer, desc->name, desc->text);
}

/* --- the rank in a job ------------------------------------------------------------------- */

static const char *lookup(const char *name)
{
	return VG_(getenv)(name);
}

const HChar *jobrank_expand(const HChar *arg, const HChar *name)
{
	HChar number[RANK_LIST_SIZE], *expanded;
	struct rank rank;

	if (!rank_is_in(name))
		return name;
	rank_find(&rank, lookup);
	if (rank.variable == NULL)
		message_fatal("%s: expected " RANK_VARIABLE_NAMES, arg);
	if (!rank.is_number)
		message_fatal("%s: %s is '%s', expected a number from 0 to %d", arg, rank.variable,
			      rank.text, RANK_MAX);
	rank_list(number, rank.number, rank.number);
	expanded = VG_(malloc)("costgrind.name", rank_expand(NULL, name, number) + 1);
	rank_expand(expanded, name, number);
	return expanded;
}

void jobrank_describe(struct descs *descs, const struct descs *users)
{
	HChar text[RANK_LIST_SIZE];
	struct rank rank;

	rank_find(&rank, lookup);
	if (!rank.is_number)
		return;
	if (!has_name(users, RANK_DESC)) {
		rank_list(text, rank.number, rank.number);
		descs_add(descs, RANK_DESC, text);
	}
	if (rank.n > 0 && !has_name(users, RANK_EXPECTED_DESC)) {
		rank_list(text, rank.first, rank.first + rank.n - 1);
		descs_add(descs, RANK_EXPECTED_DESC, text);
	}
}

/* --- the machine ------------------------------------------------------------------------- */

void machinedescs_cache(HChar text[MACHINEDESCS_CACHE], const struct cache_config *cache)
{
	const struct cache_geometry *geometry = &cache->geometry;
	UInt len;

	if (geometry->assoc == 1)
		len = VG_(snprintf)(text, MACHINEDESCS_CACHE, "%llu B, %u B, direct-mapped",
				    (ULong)geometry->size, geometry->line_size);
	else
		len = VG_(snprintf)(text, MACHINEDESCS_CACHE, "%llu B, %u B, %u-way associative",
				    (ULong)geometry->size, geometry->line_size, geometry->assoc);
	if (cache->text != NULL)
		VG_(snprintf)(text + len, (Int)(MACHINEDESCS_CACHE - len), ", %s", cache->text);
}

const HChar *machinedescs_name(void)
{
	return tool_simulate.options.cache_sim ? tool_simulate.caches.machine
					       : tool_simulate.branching.config.machine;
}

/* The reader expects this text: CURVE_DESC of profile/common/desc.h. */
static void tell_curve(desc_taker *take, void *ctx)
{
	HChar text[64] = "exact";
	const ULong weight = curve_weight(&tool_simulate.reasons.curve);

	if (weight != 1)
		VG_(snprintf)(text, sizeof(text), "sampled, one line of %llu", weight);
	take(ctx, "Miss curve", text);
}

static void tell_cores(desc_taker *take, void *ctx)
{
	const UInt cycles = (tool_cycles.costs.latency[WAIT_CORE] + tool_cycles.costs.first) / 10;
	HChar text[96];
	UInt len = VG_(snprintf)(text, sizeof(text), "%u, threads in the order of creation",
				 tool_simulate.cores.n);

	if (tool_cycles.is_on)
		VG_(snprintf)(text + len, (Int)(sizeof(text) - len), ", %u cycles to another core",
			      cycles);
	take(ctx, "Cores", text);
}

void machinedescs_units(desc_taker *take, void *ctx)
{
	const struct prefetchers_config *prefetchers = &tool_simulate.caches.prefetchers;

	for (UInt i = 0; tool_simulate.prefetching.prefetchers != NULL && i < prefetchers->n; i++)
		take(ctx, "Prefetcher", prefetchers->units[i].text);
	if (tool_simulate.branching.predictor != NULL)
		take(ctx, "Branches", tool_simulate.branching.config.text);
	for (UInt i = 0; i < N_TLB_KINDS; i++)
		if (tool_simulate.paging.texts[i][0] != '\0')
			take(ctx, paging_names[i], tool_simulate.paging.texts[i]);
	if (tool_cycles.text[0] != '\0')
		take(ctx, "Core", tool_cycles.text);
	if (tool_simulate.cores.several)
		tell_cores(take, ctx);
	if (tool_simulate.reasons.has_curve)
		tell_curve(take, ctx);
}

/* --- what counts depend on --------------------------------------------------------------- */

static struct fingerprint *const fingerprint = &tool_output.fingerprint;

/* The core's options that change counts, or the names of what these belong to. */
static const struct core_option {
	const HChar *name;
	const HChar *value; /* the default; NULL: none that could be given */
	enum {
		ALWAYS,
		BY_REPRESENTATION, /* of instructions, which --counting=valgrind counts */
		BY_TURNS,          /* of threads, if there are several */
	} changes;
} core_options[] = {
	{ "--aspace-minaddr", NULL, ALWAYS },
	{ "--demangle", "yes", ALWAYS },
	{ "--fair-sched", "no", BY_TURNS },
	{ "--kernel-variant", NULL, ALWAYS },
	{ "--main-stacksize", NULL, ALWAYS },
	{ "--scheduling-quantum", "100000", ALWAYS },
	{ "--sim-hints", "none", ALWAYS },
	{ "--soname-synonyms", NULL, ALWAYS },
	{ "--vex-guest-max-insns", NULL, ALWAYS }, /* threads take turns by blocks */
	{ "--vex-iropt-level", "2", BY_REPRESENTATION },
};

/* Text that grows. */
struct words {
	HChar *chars; /* NULL: none yet */
	SizeT len, room;
};

/* Adds a word, after a blank unless it is the first. */
static void add_word(void *ctx, const HChar *word)
{
	struct words *words = ctx;
	SizeT len = VG_(strlen)(word);

	if (words->len + len + 2 > words->room) {
		words->room = 2 * (words->len + len + 2);
		words->chars = VG_(realloc)("costgrind.words", words->chars, words->room);
	}
	if (words->len > 0)
		words->chars[words->len++] = ' ';
	VG_(memcpy)(words->chars + words->len, word, len + 1);
	words->len += len;
}

void fingerprint_init(void (*list_options)(word_taker *take, void *ctx))
{
	HChar **variable = VG_(client_envp);

	*fingerprint = (struct fingerprint){ .list_options = list_options };
	if (variable == NULL) {
		builds_init(&tool_instrument.builds, NULL);
		return;
	}
	for (; *variable != NULL; variable++) {
		/* With this a stable run (cmds/stable/stablerun.c) pads arguments and environment to one size. */
		static const HChar padding[] = "COSTGRIND_PADDING=";
		SizeT size = VG_(strlen)(*variable) + 1;

		if (VG_(strncmp)(*variable, padding, sizeof(padding) - 1) == 0)
			continue;
		fingerprint->n_variables++;
		fingerprint->bytes += size;
		fingerprint->hash = text_hash(fingerprint->hash, *variable, size);
	}
	/* In the kernel's layout, the auxiliary vector follows the environment. */
	builds_init(&tool_instrument.builds, (const UWord *)(variable + 1));
}

/* The last value given for an option of the core, or NULL. */
static const HChar *core_value(const HChar *name)
{
	SizeT len = VG_(strlen)(name);
	const HChar *value = NULL;

	for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_valgrind)); i++) {
		const HChar *arg = *(HChar **)VG_(indexXA)(VG_(args_for_valgrind), i);

		if (VG_(strncmp)(arg, name, len) == 0 && arg[len] == '=')
			value = arg + len + 1;
	}
	return value;
}

static void add_core_options(struct words *words, Bool architectural)
{
	for (UInt i = 0; i < sizeof(core_options) / sizeof(core_options[0]); i++) {
		const struct core_option *option = &core_options[i];
		const HChar *value = core_value(option->name);
		SizeT size;
		HChar *word;

		if ((architectural && option->changes == BY_REPRESENTATION) ||
		    (tool_calls.threads.n_begun <= 1 && option->changes == BY_TURNS))
			continue;
		if (value == NULL ||
		    (option->value != NULL && VG_(strcmp)(value, option->value) == 0))
			continue;
		size = VG_(strlen)(option->name) + VG_(strlen)(value) + 2;
		word = VG_(malloc)("costgrind.word", size);
		VG_(snprintf)(word, (Int)size, "%s=%s", option->name, value);
		add_word(words, word);
		VG_(free)(word);
	}
}

HChar *fingerprint_options(void)
{
	struct words words = { .len = 0 };

	fingerprint->list_options(add_word, &words);
	add_core_options(&words, tool_instrument.options.architectural);
	return words.len == 0 ? NULL : words.chars;
}

static void write_options(struct writer *writer)
{
	HChar *options = fingerprint_options();

	if (options == NULL)
		return;
	writer_desc(writer, "Options", options);
	VG_(free)(options);
}

static void write_kernel(struct writer *writer)
{
	struct vki_new_utsname names;
	HChar text[2 * sizeof(names.release)];

	if (syscall_uname(&names) < 0)
		return;
	VG_(snprintf)(text, sizeof(text), "%s %s", names.sysname, names.release);
	writer_desc(writer, "Kernel", text);
}

/* "<build-id> <path>", to be freed. */
static HChar *build_text(const struct build *build)
{
	SizeT size = 2 * sizeof(build->id.bytes) + VG_(strlen)(build->object->chars) + 8;
	HChar *text = VG_(malloc)("costgrind.build", size);
	UInt len = 0;

	for (UInt i = 0; i < build->id.size; i++)
		len += VG_(snprintf)(text + len, (Int)(size - len), "%02x", build->id.bytes[i]);
	VG_(snprintf)(text + len, (Int)(size - len), "%s%s", len == 0 ? "none " : " ",
		      build->object->chars);
	return text;
}

static Bool read_key(unsigned char key[ORIGIN_KEY])
{
	HChar text[64];

	for (UInt i = 0; i < N_ORIGIN_FILES; i++) {
		Int fd = VG_(fd_open)(origin_files[i], VKI_O_RDONLY, 0);
		Int len;

		if (fd < 0)
			continue;
		len = VG_(read)(fd, text, sizeof(text));
		VG_(close)(fd);
		if (len > 0 && origin_key(text, (SizeT)len, key))
			return True;
	}
	return False;
}

static void write_folder(struct writer *writer, const HChar *program)
{
	const HChar *folder = VG_(get_startup_wd)();
	unsigned char key[ORIGIN_KEY];
	SizeT size;
	HChar *text;

	if (folder == NULL || !read_key(key))
		return;
	size = ORIGIN_SEAL + VG_(strlen)(folder) + 1;
	text = VG_(malloc)("costgrind.folder", size);
	origin_seal(key, (ULong)VG_(geteuid)(), folder, program, text);
	text[ORIGIN_DIGITS] = ' ';
	VG_(memcpy)(text + ORIGIN_SEAL, folder, VG_(strlen)(folder) + 1);
	writer_desc(writer, ORIGIN_DESC, text);
	VG_(free)(text);
}

/* Writes the objects, and the folder of the run if wanted. */
static void write_builds(const struct builds *builds, Bool has_folder, struct writer *writer)
{
	UInt n;
	const struct build **sorted = builds_sorted(builds, &n);
	HChar *program = NULL;

	for (UInt i = 0; i < n; i++) {
		HChar *text = build_text(sorted[i]);

		writer_desc(writer, sorted[i]->is_program ? "Program" : "Build-id", text);
		if (sorted[i]->is_program && program == NULL)
			program = text;
		else
			VG_(free)(text);
	}
	if (has_folder)
		write_folder(writer, program != NULL ? program : "");
	if (program != NULL)
		VG_(free)(program);
	if (sorted != NULL)
		VG_(free)((void *)sorted);
}

void fingerprint_write(struct writer *writer)
{
	HChar text[96];

	writer_desc(writer, "Counting",
		    tool_instrument.options.architectural ? "architectural" : "valgrind");
	if (!insn_decoder_exists())
		writer_desc(writer, "Decoder", "none");
	write_options(writer);
	if (deterministic_has(DETERMINISTIC_CPU))
		writer_desc(writer, "CPU", deterministic_cpu_text(&tool_deterministic.options));
	else
		writer_desc(writer, "CPU",
			    LibVEX_ppVexHwCaps(guest_architecture, tool_instrument.capabilities));
	if (deterministic_has(DETERMINISTIC_SYSTEM))
		writer_desc(writer, "Kernel", "Linux " SYSANSWER_RELEASE);
	else
		write_kernel(writer);
	if (tool_instrument.builds.c_library != NULL)
		writer_desc(writer, "C library", tool_instrument.builds.c_library);
	VG_(snprintf)(text, sizeof(text), "%u variables, %llu bytes, %016llx",
		      fingerprint->n_variables, fingerprint->bytes, fingerprint->hash);
	writer_desc(writer, "Environment", text);
	write_builds(&tool_instrument.builds, !tool_deterministic.options.on, writer);
}

void fingerprint_write_builds(struct writer *writer)
{
	write_builds(&tool_instrument.builds, False, writer);
}
