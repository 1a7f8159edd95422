/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/desc.h"

#include "pub_tool_mallocfree.h"

#include "writer/writer.h"

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

void descs_add(struct descs *descs, const HChar *name, const HChar *text)
{
	struct desc *desc = VG_(calloc)("costgrind.desc", 1, sizeof(*desc));

	desc->name = copy(name);
	desc->text = copy(text);
	if (descs->last == NULL)
		descs->first = desc;
	else
		descs->last->next = desc;
	descs->last = desc;
}

void descs_write(const struct descs *descs, struct writer *writer)
{
	for (const struct desc *desc = descs->first; desc != NULL; desc = desc->next)
		writer_desc(writer, desc->name, desc->text);
}
