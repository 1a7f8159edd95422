/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/fingerprint.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

#include "isa/x86/decoder.h"
#include "tool/common/guest.h"
#include "tool/common/syscall.h"
#include "tool/common/text.h"
#include "tool/deterministic/deterministic.h"
#include "tool/deterministic/state.h"
#include "tool/deterministic/sysanswer.h"
#include "tool/instrument/state.h"
#include "writer/origin.h"

/* Options of the core's that change counts, or the names of what these belong to. */
static const struct core_option {
	const HChar *name;
	const HChar *value; /* what it is without being said; NULL: nothing that could be said */
	/* It changes the representation of instructions, which --counting=valgrind counts. */
	Bool of_representation;
} core_options[] = {
	{ "--aspace-minaddr", NULL, False },      { "--demangle", "yes", False },
	{ "--fair-sched", "no", False },          { "--kernel-variant", NULL, False },
	{ "--main-stacksize", NULL, False },      { "--scheduling-quantum", "100000", False },
	{ "--sim-hints", "none", False },         { "--soname-synonyms", NULL, False },
	{ "--vex-guest-max-insns", NULL, False }, /* threads take turns by blocks */
	{ "--vex-iropt-level", "2", True },
};

/* Text that grows. */
struct words {
	HChar *chars; /* NULL: none yet */
	SizeT len, room;
};

/* One more word, behind a blank. */
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

void fingerprint_init(struct fingerprint *fingerprint,
		      void (*list_options)(word_taker *take, void *ctx))
{
	HChar **variable = VG_(client_envp);

	*fingerprint = (struct fingerprint){ .list_options = list_options };
	if (variable == NULL) {
		builds_init(&tool_instrument.builds, NULL);
		return;
	}
	for (; *variable != NULL; variable++) {
		/* By which a stable run (cmds/stable/stablerun.c) brings arguments and environment to one size. */
		static const HChar padding[] = "COSTGRIND_PADDING=";
		SizeT size = VG_(strlen)(*variable) + 1;

		if (VG_(strncmp)(*variable, padding, sizeof(padding) - 1) == 0)
			continue;
		fingerprint->n_variables++;
		fingerprint->bytes += size;
		fingerprint->hash = text_hash(fingerprint->hash, *variable, size);
	}
	/* As the kernel lays them out, the auxiliary vector is behind the environment. */
	builds_init(&tool_instrument.builds, (const UWord *)(variable + 1));
}

/* The last word on an option of the core's, or NULL. */
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

		if (architectural && option->of_representation)
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

HChar *fingerprint_options(const struct fingerprint *fingerprint)
{
	struct words words = { .len = 0 };

	fingerprint->list_options(add_word, &words);
	add_core_options(&words, tool_instrument.options.architectural);
	return words.len == 0 ? NULL : words.chars;
}

static void write_options(const struct fingerprint *fingerprint, struct writer *writer)
{
	HChar *options = fingerprint_options(fingerprint);

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

/* Which objects there were; and where the run was made, if that is to be said. */
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

void fingerprint_write(const struct fingerprint *fingerprint, struct writer *writer)
{
	HChar text[96];

	writer_desc(writer, "Counting",
		    tool_instrument.options.architectural ? "architectural" : "valgrind");
	if (!insn_decoder_exists())
		writer_desc(writer, "Decoder", "none");
	write_options(fingerprint, writer);
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
