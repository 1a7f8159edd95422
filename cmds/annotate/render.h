/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of an annotation that are not views yet. */
#ifndef CMDS_ANNOTATE_RENDER_H
#define CMDS_ANNOTATE_RENDER_H

#include "cmds/annotate/annotate.h"

void render_objects_prose(struct rendering *rendering);
void render_objects_data(struct rendering *rendering);
void render_types_prose(struct rendering *rendering);
void render_types_data(struct rendering *rendering);

static inline struct cell render_counts(struct rendering *rendering, size_t number,
					const uint64_t *costs)
{
	return costcells_counts(&rendering->cells, number, costs);
}

static inline void render_table(struct rendering *rendering, enum document_form form,
				const char *title,
				void (*put_rows)(struct document *document, void *ctx), void *ctx)
{
	costcells_table(&rendering->cells, form, title, put_rows, ctx);
}

static inline void render_begin_row(struct rendering *rendering, const uint64_t *costs)
{
	costcells_begin_row(&rendering->cells, costs);
}

#endif
