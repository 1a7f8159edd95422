/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A terminal that is drawn on as a whole, again and again, and is as it was before when that is
 * over: its mode, its cursor, and what stood there.  Sequences are those of ECMA-48 and
 * xterm that every terminal of today knows.
 */
#ifndef CMDS_CONTROL_SCREEN_H
#define CMDS_CONTROL_SCREEN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum screen_event {
	SCREEN_TIME,    /* nothing came */
	SCREEN_RESIZED, /* it has another size now */
	SCREEN_QUIT,    /* the key q, or the terminal is gone */
	SCREEN_SIGNAL,  /* SIGINT, SIGTERM, SIGHUP or SIGQUIT: screen->caught */
};

/* Fields are private, but rows, columns, signals, caught and has_keys. */
struct screen {
	int rows, columns;
	int signals; /* a descriptor that can be read when a signal has come */
	int caught;
	bool has_keys; /* standard input is the terminal */
	struct termios mode;
	sigset_t mask;
};

/*
 * Takes standard output, which is a terminal, and blocks signals that end programs.
 * Returns false if that is not possible; then all is as before.
 */
bool screen_open(struct screen *screen);

/* Gives it back, however it was used; signals are let through again. */
void screen_close(struct screen *screen);

/* Shows lines, as many and as much of each as there is room for.  Text must be harmless. */
void screen_draw(const struct screen *screen, const char *text, size_t len);

/* Waits for something to come, at most so long. */
enum screen_event screen_wait(struct screen *screen, int milliseconds);

#endif
