/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/sink.h"

int sink_init(struct sink *sink, enum sink_format format, struct outfile *file,
	      const struct dictionary *names)
{
	const struct writer_options options = { .compress_names = true,
						.compress_positions = true };

	sink->format = format;
	sink->file = file;
	if (format == SINK_CACHEGRIND) {
		sink->visitor = &sink->cachegrind.filter.visitor;
		return cachegrind_init(&sink->cachegrind, &file->env, names);
	}
	sink->visitor = &sink->emitter.visitor;
	emitter_init(&sink->emitter, &file->env, &options);
	return PROFILE_OK;
}

void sink_release(struct sink *sink)
{
	if (sink->format == SINK_CACHEGRIND)
		cachegrind_release(&sink->cachegrind);
	else
		emitter_release(&sink->emitter);
}

int sink_finish(struct sink *sink)
{
	return sink->format == SINK_CACHEGRIND ? cachegrind_finish(&sink->cachegrind)
					       : emitter_finish(&sink->emitter);
}
