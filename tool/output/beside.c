/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/beside.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/message.h"
#include "tool/common/syscall.h"
#include "tool/instrument/state.h"
#include "tool/output/datafile.h"
#include "tool/output/state.h"
#include "tool/output/treefile.h"
#include "tool/output/writing.h"
#include "writer/shared/besidename.h"

/* What each is: in messages, in its name, and what writes it. */
static const struct {
	const HChar *what, *name;
	Int (*write)(struct output_file *file, const HChar *trigger); /* 0 or the writer's error */
	void (*note)(void);                                           /* says more of it, or NULL */
} files[N_BESIDE] = {
	[BESIDE_TREE] = { "call tree", "tree", treefile_write, treefile_note },
	[BESIDE_DATA] = { "data profile", "data", datafile_write, NULL },
};

enum {
	NAME_ROOM = 64, /* bytes that are in a name besides the profile's: suffixes, .partial */
};

/* The name for this process, without a suffix; VG_(free) it. */
static HChar *make_name(enum beside_file file)
{
	const HChar *profile = tool_output.output.base;
	struct besidename name = besidename_of(files[file].name, profile, VG_(strlen)(profile));
	HChar pid[16], *text;
	SizeT size;

	if (!tool_output.besides.has_profile || name.label_len + NAME_ROOM > LINUX_NAME_MAX) {
		name.label_len = VG_(snprintf)(pid, sizeof(pid), "%d", VG_(getpid)());
		name.label = pid;
		name.before = "";
	}
	size = name.label_len + NAME_ROOM;
	text = VG_(malloc)("costgrind.beside", size);
	VG_(snprintf)
	(text, (Int)size, "%s%s.%s" BESIDENAME_ENDING, name.before, files[file].name, name.label);
	return text;
}

/* Adds so many characters, as they stand for themselves in a format. */
static void add_literal(HChar *format, SizeT *len, const HChar *chars, SizeT n)
{
	for (SizeT i = 0; i < n; i++) {
		if (chars[i] == '%')
			format[(*len)++] = '%';
		format[(*len)++] = chars[i];
	}
}

static void init_one(enum beside_file file)
{
	const struct output *profile = &tool_output.output;
	HChar *name = make_name(file), *format;
	SizeT dir_len = 0, name_len = VG_(strlen)(name), len = 0;

	/* The directory that the profile is in, with its slash; that of the start, if in none. */
	if (tool_output.besides.has_profile)
		dir_len = (SizeT)(profile->base - profile->path);
	format = VG_(malloc)("costgrind.format", 2 * (dir_len + name_len) + 1); /* never freed */
	add_literal(format, &len, profile->path, dir_len);
	add_literal(format, &len, name, name_len);
	format[len] = '\0';
	output_init(&tool_output.besides.outputs[file], profile->root, files[file].what, format,
		    "");
	VG_(free)(name);
}

void beside_init(void)
{
	tool_output.besides.has_profile = output_is_file(&tool_output.output);
	for (UInt i = 0; i < N_BESIDE; i++)
		if (tool_output.besides.wanted[i])
			init_one(i);
}

HChar *beside_name(enum beside_file file, const HChar *suffix)
{
	const HChar *base = tool_output.besides.outputs[file].base;
	const SizeT size = VG_(strlen)(base) + VG_(strlen)(suffix) + 1;
	HChar *name = VG_(malloc)("costgrind.beside", size);

	VG_(snprintf)(name, (Int)size, "%s%s", base, suffix);
	return name;
}

static void each(void (*act)(struct output *output))
{
	for (UInt i = 0; i < N_BESIDE; i++)
		if (tool_output.besides.wanted[i])
			act(&tool_output.besides.outputs[i]);
}

void beside_fork(void)
{
	for (UInt i = 0; i < N_BESIDE; i++)
		if (tool_output.besides.wanted[i]) {
			HChar *name = make_name(i);

			output_fork_as(&tool_output.besides.outputs[i], name);
			VG_(free)(name);
		}
}

void beside_hold(void)
{
	each(output_hold);
}

static void begin_dump(struct output *output)
{
	output_begin_dump(output);
}

void beside_begin_dump(void)
{
	each(begin_dump);
}

void beside_withdraw(void)
{
	each(output_withdraw);
}

Bool beside_any(void)
{
	for (UInt i = 0; i < N_BESIDE; i++)
		if (tool_output.besides.wanted[i])
			return True;
	return False;
}

static Bool write_one(enum beside_file which, const HChar *suffix, const HChar *trigger,
		      Bool closing_line)
{
	struct output *output = &tool_output.besides.outputs[which];
	struct output_file file;
	Int error = output_begin(output, suffix, &file);

	if (error == 0)
		error = output_end(&file, files[which].write(&file, trigger));
	if (error != 0 && tool_instrument.goes_on)
		writing_report_unwritten_part(&file, suffix, error);
	else if (error != 0)
		writing_report_error(&file, suffix, error);
	else if (closing_line) {
		message_note("%s written to %s%s%s", files[which].what, output->path, suffix,
			     file.replaced ? " (replaced)" : "");
		if (files[which].note != NULL)
			files[which].note();
		writing_report_in_place(&file, suffix);
	}
	output_release(&file);
	return error == 0;
}

Bool beside_write(const HChar *suffix, const HChar *trigger, Bool closing_line)
{
	Bool done = True;

	for (UInt i = 0; i < N_BESIDE; i++)
		if (tool_output.besides.wanted[i])
			done = write_one(i, suffix, trigger, closing_line) && done;
	return done;
}
