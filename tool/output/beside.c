/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/beside.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/message.h"
#include "tool/output/datafile.h"
#include "tool/output/state.h"
#include "tool/output/treefile.h"
#include "tool/output/writing.h"
#include "tool/translate/state.h"

/* What each is: in messages, in its name, and what writes it. */
static const struct {
	const HChar *what, *name;
	Int (*write)(struct output_file *file, const HChar *trigger); /* 0 or the writer's error */
	void (*note)(void);                                           /* says more of it, or NULL */
} files[N_BESIDE] = {
	[BESIDE_TREE] = { "call tree", "tree.%p.costgrind", treefile_write, treefile_note },
	[BESIDE_DATA] = { "data profile", "data.%p.costgrind", datafile_write, NULL },
};

/* The directory that the profile is in, with its slash; nothing, for that of the start, if in none. */
static void find_directory(const struct output *output, const HChar **path, SizeT *len)
{
	*path = output->path;
	*len = output_is_file(output) ? (SizeT)(output->base - output->path) : 0;
}

static void init_one(enum beside_file file)
{
	const SizeT name_size = VG_(strlen)(files[file].name) + 1;
	const HChar *dir;
	HChar *format;
	SizeT dir_len, len = 0;

	find_directory(&tool_output.output, &dir, &dir_len);
	/* Never freed: a fork makes another name of it. */
	format = VG_(malloc)("costgrind.format", 2 * dir_len + name_size);
	for (SizeT i = 0; i < dir_len; i++) {
		if (dir[i] == '%')
			format[len++] = '%';
		format[len++] = dir[i];
	}
	VG_(memcpy)(format + len, files[file].name, name_size);
	output_init(&tool_output.besides.outputs[file], tool_output.output.root, files[file].what,
		    format, "");
}

void beside_init(void)
{
	for (UInt i = 0; i < N_BESIDE; i++)
		if (tool_output.besides.wanted[i])
			init_one(i);
}

const HChar *beside_name(enum beside_file file)
{
	return tool_output.besides.outputs[file].base;
}

static void each(void (*act)(struct output *output))
{
	for (UInt i = 0; i < N_BESIDE; i++)
		if (tool_output.besides.wanted[i])
			act(&tool_output.besides.outputs[i]);
}

void beside_fork(void)
{
	each(output_fork);
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
	if (error != 0 && tool_translate.goes_on)
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
