/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of options: from the text that the user gave into struct options, and back.  A kind has
 * one parser, so that all options of a kind fail with the same words.
 */
#ifndef TOOL_OPTIONS_OPTIONVALUE_H
#define TOOL_OPTIONS_OPTIONVALUE_H

#include "pub_tool_basics.h"

struct option;
struct options;

enum { OPTION_TEXT_SIZE = 96 }; /* bytes of the longest text of a value that is no name, and more */

/*
 * Takes an option that is no rule.  value is what stands behind the "=" of arg, and is
 * borrowed for as long as the options are used.  One that is not allowed ends the run with a
 * message (message_fatal).
 */
void option_read(struct options *options, const struct option *option, const HChar *arg,
		 const HChar *value);

/* Takes one that adds a rule, or that does nothing; rest is what follows its name in arg. */
void option_read_rule(struct options *options, const struct option *option, const HChar *arg,
		      const HChar *rest);
void option_read_idle(struct options *options, const struct option *option, const HChar *arg,
		      const HChar *rest);

/*
 * The value of an option, as it would be given; text has room for one that has to be made, and
 * lives as long.  NULL if there is none to be shown: of rules, lines of the header, regions that
 * were not asked for.
 */
const HChar *option_text(const struct option *option, const struct options *options,
			 HChar text[OPTION_TEXT_SIZE]);

#endif
