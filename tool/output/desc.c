/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/desc.h"

#include "pub_tool_libcbase.h"
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

void descs_write(const struct descs *descs, struct writer *writer)
{
	for (const struct desc *desc = descs->first; desc != NULL; desc = desc->next)
		writer_desc(writer, desc->name, desc->text);
}
