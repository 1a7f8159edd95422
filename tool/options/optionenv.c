/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core has gathered all options before it calls the tool, and reads them thereafter, one
 * by one.  The first ones, from files and VALGRIND_OPTS, it does not hand to the children of
 * --trace-children=yes, which find them again; so with ours.
 */
#include "tool/options/options.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"

#include "tool/common/message.h"
#include "tool/common/self.h"

/* No header of the core's has them: the options as HChar *, and how many are not of the command line. */
extern XArray *VG_(args_for_valgrind);
extern Int VG_(args_for_valgrind_noexecpass);

static Bool is_command_line_only(void)
{
	XArray *args = VG_(args_for_valgrind);

	for (Word i = 0; i < VG_(sizeXA)(args); i++)
		if (VG_(strcmp)(*(HChar **)VG_(indexXA)(args, i), "--command-line-only=yes") == 0)
			return True;
	return False;
}

static void insert(HChar *word)
{
	if (word[0] != '-')
		message_fatal("COSTGRIND_OPTS: %s: expected options", word);
	if (VG_(strncmp)(word, "--tool=", 7) == 0)
		message_fatal("COSTGRIND_OPTS: %s: the tool has been chosen already", word);
	/* The core has looked for these two already. */
	if (VG_(strcmp)(word, "-q") == 0 || VG_(strcmp)(word, "--quiet") == 0) {
		VG_(clo_verbosity)--;
		return;
	}
	if (VG_(strcmp)(word, "-v") == 0 || VG_(strcmp)(word, "--verbose") == 0) {
		VG_(clo_verbosity)++;
		return;
	}
	VG_(insertIndexXA)(VG_(args_for_valgrind), VG_(args_for_valgrind_noexecpass), &word);
	VG_(args_for_valgrind_noexecpass)++;
}

void optionenv_insert(void)
{
	const HChar *text = VG_(getenv)("COSTGRIND_OPTS");
	HChar *words;

	if (text == NULL || dropin_name() != DROPIN_NONE || is_command_line_only())
		return;
	/* Never released: options are borrowed from it. */
	words = VG_(strdup)("costgrind.options", text);
	while (*words != '\0') {
		HChar *word = words;

		while (*words != '\0' && !VG_(isspace)(*words))
			words++;
		if (*words != '\0')
			*words++ = '\0';
		if (word[0] != '\0')
			insert(word);
	}
}

void optionenv_hand_on(const HChar *old, const HChar *arg)
{
	XArray *args = VG_(args_for_valgrind);

	for (Word i = 0; i < VG_(sizeXA)(args); i++) {
		const HChar **word = VG_(indexXA)(args, i);

		if (VG_(strcmp)(*word, old) == 0)
			*word = arg;
	}
}
