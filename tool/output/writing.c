/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/writing.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

#include "tool/common/message.h"
#include "tool/common/syscall.h"

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

void writing_tell_unwritten_part(const struct output_file *file, const HChar *suffix, Int error)
{
	if (file->kind == OUTPUT_BESIDE && file->fd >= 0)
		syscall_unlinkat(file->output->dir, file->partial);
	message_error("%s%s: %s; its costs are in the next part", file->output->path, suffix,
		      message_reason(error));
}

void writing_tell_error(const struct output_file *file, const HChar *suffix, Int error)
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

void writing_tell_in_place(const struct output_file *file, const HChar *suffix)
{
	if (file->kind == OUTPUT_IN_PLACE)
		message_note("%s%s was overwritten in place; no temporary file beside it: %s",
			     file->output->path, suffix, message_reason(file->no_partial));
}
