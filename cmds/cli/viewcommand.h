/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands have in common that read profiles and print one view of them, and perhaps draw it: branches, curve
 * and roofline.
 *
 *	struct NAME_command { struct view_command view; ... } command = { ... };
 *
 *	view_command_init(&command.view, "NAME");
 *	code = options_read(NAME_options, &command.view.common, argv, &n, &command);
 *	...
 *	if (code == OPTIONS_GO_ON)
 *		code = view_command_read(&command.view, &model, paths, n);
 *	... make what is shown ...
 *	code = view_command_print(&command.view, &view);
 *	model_release(&model);
 *	view_command_release(&command.view);
 */
#ifndef CMDS_CLI_VIEWCOMMAND_H
#define CMDS_CLI_VIEWCOMMAND_H

#include <stdio.h>

#include "cmds/cli/loader.h"
#include "cmds/cli/option.h"
#include "cmds/emit/document.h"
#include "profile/model/model.h"

/* The first member of the context of a command's options. */
struct view_command {
	const char *name;
	struct option_common common; /* groups: the last one is free */
	struct loader_options loading;
	struct naming naming;
	struct loaded loaded;
	const struct document_backend *backend; /* text unless --format says otherwise */
	const char *output;                     /* NULL = standard output */
	size_t width;                           /* --width; 0 = the terminal's */
	const char *svg;                        /* NULL = no drawing */
};

/* Rows of a table of options. */
#define VIEW_COMMAND_OPTIONS                                                \
 { "--format",                                                              \
   0,                                                                       \
   OPTION_VALUE,                                                            \
   DOCUMENT_FORMATS,                                                        \
   "Output format [text]",                                                  \
   OPTION_FORMAT(struct view_command, backend) },                           \
	 OPTION_WIDTH(struct view_command, width),                          \
 {                                                                          \
  "--output", 'o', OPTION_VALUE, "FILE", "Write to FILE [standard output]", \
	  OPTION_TEXT(struct view_command, output, "the name of a file")    \
 }
#define VIEW_COMMAND_SVG OPTION_TEXT(struct view_command, svg, "the name of a file")

void view_command_init(struct view_command *command, const char *name);
void view_command_release(struct view_command *command);

/*
 * Initialises a model and reads n files into it, by common and loading.  Returns an exit code: a difference is
 * refused, too, with a message.  The model is to be released in any case.
 */
int view_command_read(struct view_command *command, struct model *model, const char *const *paths,
		      size_t n);

/* What is printed. */
struct view_command_view {
	const char *const *fields; /* of CSV */
	size_t n_fields;
	void (*put)(struct document *document, void *ctx); /* all but format and version */
	void (*draw)(FILE *out, void *ctx); /* for --svg; NULL = there is no such option */
	void *ctx;
};

/* Draws and prints it, and returns an exit code.  With --svg=- it only draws, to where it would print. */
int view_command_print(const struct view_command *command, const struct view_command_view *view);

#endif
