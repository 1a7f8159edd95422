/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/data/objectview.h"

#include <string.h>

#include "cmds/data/objectcosts.h"
#include "cmds/data/objectname.h"
#include "cmds/data/variablename.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

static bool is_called(struct name name, const char *text)
{
	return name.len == strlen(text) && memcmp(name.text, text, name.len) == 0;
}

/* False if memory ran out. */
static bool rename_object(struct objectview *view, struct place *place)
{
	if (!is_called(place->file, OBJECTCOSTS_FILE))
		return true;
	view->text.len = 0;
	if (variablename_is_of_calls(place->object))
		objectname_add_chain(&view->text, place->function.text, place->function.len);
	else if (!variablename_add(&view->text, place->function, place->object))
		return true;
	if (view->text.failed)
		return false;
	place->function = (struct name){ view->text.text, view->text.len, NAME_NO_KEY };
	return true;
}

static int view_place(void *ctx, const struct place *place)
{
	struct objectview *view = ctx;
	struct place other = *place;

	return rename_object(view, &other) ? visitor_place(view->filter.to, &other)
					   : PROFILE_NO_MEMORY;
}

static int view_call(void *ctx, const struct call *call)
{
	struct objectview *view = ctx;
	struct call other = *call;

	return rename_object(view, &other.callee) ? visitor_call(view->filter.to, &other)
						  : PROFILE_NO_MEMORY;
}

void objectview_init(struct objectview *view)
{
	*view = (struct objectview){ 0 };
	bytes_init(&view->text, &heap_env);
}

void objectview_release(struct objectview *view)
{
	bytes_release(&view->text);
}

const struct visitor *objectview_to(struct objectview *view, const struct visitor *to)
{
	static const struct visitor changes = { .place = view_place, .call = view_call };

	visitor_filter_init(&view->filter, to, &changes);
	return &view->filter.visitor;
}
