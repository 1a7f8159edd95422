/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/profile_writer.h"

int profile_writer_init(struct profile_writer *writer, enum profile_writer_format format,
			struct outfile *file, const struct dictionary *names)
{
	const struct writer_options options = { .compress_names = true,
						.compress_positions = true };

	writer->format = format;
	writer->file = file;
	if (format == PROFILE_WRITER_CACHEGRIND) {
		writer->visitor = &writer->cachegrind.filter.visitor;
		return cachegrind_init(&writer->cachegrind, &file->env, names);
	}
	writer->visitor = &writer->emitter.visitor;
	emitter_init(&writer->emitter, &file->env, &options);
	return PROFILE_OK;
}

void profile_writer_release(struct profile_writer *writer)
{
	if (writer->format == PROFILE_WRITER_CACHEGRIND)
		cachegrind_release(&writer->cachegrind);
	else
		emitter_release(&writer->emitter);
}

int profile_writer_finish(struct profile_writer *writer)
{
	return writer->format == PROFILE_WRITER_CACHEGRIND ? cachegrind_finish(&writer->cachegrind)
							   : emitter_finish(&writer->emitter);
}
