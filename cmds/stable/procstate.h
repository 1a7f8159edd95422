/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a process inherits beside arguments, environment and files, brought to what it is in
 * every stable run: umask, limits, processor, randomisation of addresses, signals.
 */
#ifndef CMDS_STABLE_PROCSTATE_H
#define CMDS_STABLE_PROCSTATE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/stable/stable_items.h"

/*
 * Does it to this process, which is about to become another program; descriptors beyond 2 will
 * be closed then.  What cannot be done is added to lost, a text of size bytes, in words for the user.
 */
void procstate_apply(stable_items keep, char *lost, size_t size);

/* Adds a phrase to such a text, with a comma if it is not the first. */
void procstate_note(char *lost, size_t size, const char *phrase);

#endif
