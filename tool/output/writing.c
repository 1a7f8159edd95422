/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/writing.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

#include "tool/common/message.h"
#include "tool/common/syscall.h"
#include "writer/writer.h"

static void *env_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return VG_(malloc)("costgrind.writer", size);
}

static void env_release(void *ctx, void *memory)
{
	(void)ctx;
	if (memory != NULL)
		VG_(free)(memory);
}

struct env writing_env(struct output_file *file)
{
	return (struct env){ env_alloc, env_release, output_write, file };
}

void writing_command(struct writer *writer)
{
	SizeT n_args = (SizeT)VG_(sizeXA)(VG_(args_for_client));
	const char **args = VG_(malloc)("costgrind.args", (n_args + 1) * sizeof(*args));

	args[0] = VG_(args_the_exename);
	for (SizeT i = 0; i < n_args; i++)
		args[i + 1] = *(HChar **)VG_(indexXA)(VG_(args_for_client), (Word)i);
	writer_cmd(writer, args, n_args + 1);
	VG_(free)(args);
}

void writing_report_unwritten_part(const struct output_file *file, const HChar *suffix, Int error)
{
	if (file->kind == OUTPUT_BESIDE && file->fd >= 0)
		syscall_unlinkat(file->output->dir, file->partial);
	message_error("%s%s: %s; its costs are in the next part", file->output->path, suffix,
		      message_reason(error));
}

void writing_report_error(const struct output_file *file, const HChar *suffix, Int error)
{
	const HChar *path = file->output->path;
	SizeT dir_len = (SizeT)(file->output->base - path);
	HChar *dir;

	if (file->kind == OUTPUT_GROWN) {
		message_error("%s%s: %s; the last part was not written, those before it are whole",
			      path, suffix, message_reason(error));
		return;
	}
	if (file->kind != OUTPUT_BESIDE || file->fd < 0) {
		message_error("%s%s: %s; no %s was written", path, suffix, message_reason(error),
			      file->output->what);
		return;
	}
	dir = VG_(malloc)("costgrind.dir", dir_len + 1);
	VG_(strlcpy)(dir, path, dir_len + 1);
	message_error("%s%s: %s; %s is in %s%s", path, suffix, message_reason(error),
		      file->is_whole ? "all that was to be written" : "what was written", dir,
		      file->partial);
	VG_(free)(dir);
}

void writing_report_in_place(const struct output_file *file, const HChar *suffix)
{
	if (file->kind == OUTPUT_IN_PLACE)
		message_note("%s%s was overwritten in place; no temporary file beside it: %s",
			     file->output->path, suffix, message_reason(file->no_partial));
}

/* -- lines of the header --------------------------------------------------- */

struct desc {
	struct desc *next;
	HChar *name, *text;
};

/* A copy that is fit to stand in one line. */
static HChar *copy(const HChar *text)
{
	HChar *line = VG_(strdup)("costgrind.desc", text);

	for (HChar *p = line; *p != '\0'; p++)
		if ((UChar)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return line;
}

static Bool has(const struct descs *descs, const struct desc *wanted)
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
	if (has(descs, desc)) {
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

Bool descs_have(const struct descs *descs, const HChar *name)
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
