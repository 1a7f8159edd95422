/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a shell offers when a word is to be completed: from the tables of commands and of their
 * options, and the tool's list of options (writer/shared/optionlist.h).  data/completions/ has the
 * shells' side, which only asks:
 *
 *	costgrind --complete WORD...
 *
 * The words are those behind "costgrind", as far as they are typed; the last one, which may be
 * empty, is to be completed.  One candidate a line: all of the word, and if there is one, a tab and
 * what it does.  A word that goes on ends in '=' or ','.  Other lines say what else can be there,
 * instead of its value if the word is an option with a '=':
 *
 *	:file	:directory	:program
 */
#ifndef CMDS_COMPLETION_H
#define CMDS_COMPLETION_H

/* argv are the words, ended by NULL. */
int completion_main(char **argv);

#endif
