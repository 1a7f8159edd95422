/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile as costgrind convert reads it: a model in the shape that a format asks for,
 * and a call tree if it wants one.  Messages are printed here.
 */
#ifndef CMDS_CONVERT_IMPORTER_H
#define CMDS_CONVERT_IMPORTER_H

#include <stdbool.h>

#include "cmds/cli/loader.h"
#include "cmds/convert/trace.h"
#include "profile/analysis/pathtree.h"
#include "profile/filters/eventview.h"
#include "profile/filters/filters.h"
#include "profile/model/model.h"

/* What a file is; those that the reader of profiles recognises by itself are text. */
enum importer_from {
	IMPORTER_TEXT,
	IMPORTER_WEBGRIND,
	IMPORTER_TREE, /* found out by itself too, unless it comes from a pipe */
};

struct importer_options {
	struct loader_options loading; /* what the user may choose of it; the rest is set here */
	enum importer_from from;
	const char *event; /* this one only; NULL = all, or the first if the format has one */
	const char *to;    /* name of the format, for messages */
	unsigned traits;   /* FORMAT_ bits of it (formats.h) */
	double threshold;  /* percent; functions of less become one; 0 = none */
};

/* Fields are for reading; not to be moved. */
struct importer {
	struct model model;
	struct pathtree tree; /* of the model; its model is NULL if there is none */
	/* What may stand between reader and model; private. */
	struct eventview events;
	struct lineview lines;
	struct trace trace;
	unsigned traits;
	const char *event;
	bool has_events, has_trace;
};

/*
 * Reads a file.  Returns an exit code, EXIT_FINE if the model has an event; a
 * message was printed otherwise.  To be released in any case.
 */
int importer_read(struct importer *importer, const struct importer_options *options, char *path);
void importer_release(struct importer *importer);

#endif
