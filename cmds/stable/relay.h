/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Standard streams of a program that are of the same kind wherever the user's
 * lead: a library writes line by line to a terminal and in blocks to anything else, and
 * takes another way for a device.
 */
#ifndef CMDS_STABLE_RELAY_H
#define CMDS_STABLE_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	RELAY_STREAMS = 2,
	RELAY_POLLS = RELAY_STREAMS,
};

struct relay_stream {
	int from; /* end of a pipe to read from; -1 = at its end */
	int to;
	char *data; /* owned; what is not yet written */
	size_t begin, end;
};

/* Passes on what the program writes.  Fields are private. */
struct relay {
	struct relay_stream streams[RELAY_STREAMS];
	int ends[RELAY_STREAMS]; /* for the program, as its 1 and 2 */
};

/*
 * Makes pipes: one if standard output and error are one file, so that the order stays.
 * Returns 0, or an errno; release it in any case.
 */
int relay_init(struct relay *relay);
void relay_release(struct relay *relay);

/* In the program's process: puts the pipes into the place of its 1 and 2. */
bool relay_connect(const struct relay *relay);
/* In the other one: drops those ends. */
void relay_part(struct relay *relay);

/* What to wait for, RELAY_POLLS entries, some of them -1; and what came of it. */
void relay_prepare(const struct relay *relay, struct pollfd *polls);
void relay_move(struct relay *relay, const struct pollfd *polls);

/* Passes on what is in the pipes now; true if they are at their ends. */
bool relay_drain(struct relay *relay);

/* Passes on until all pipes are at their ends. */
void relay_finish(struct relay *relay);

/*
 * A descriptor of what standard input is to be: a file with all that a pipe or socket holds
 * until its end, /dev/null for a terminal, and otherwise itself.  *is_open says
 * that it is a pipe from which nothing came for a while, which is left as it is.
 * Returns -1 with errno on failure.
 */
int relay_input(bool *is_open);

#endif
