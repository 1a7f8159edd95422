/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/control/screen.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
	USUAL_ROWS = 24,
	USUAL_COLUMNS = 80,
};

/* Another screen than that of the shell, without a cursor; and back. */
static const char begin_sequence[] = "\033[?1049h\033[?25l\033[2J";
static const char end_sequence[] = "\033[?25h\033[?1049l";

static void put(const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDOUT_FILENO, text, len);

		if (n < 0 && errno != EINTR)
			return; /* the terminal is gone: reading it will fail */
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
}

static void metric(struct screen *screen)
{
	struct winsize size;
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;

	screen->rows = known && size.ws_row > 0 ? size.ws_row : USUAL_ROWS;
	screen->columns = known && size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
}

/* Keys come at once and are not shown; Ctrl-C is a signal still. */
static void take_keys(struct screen *screen)
{
	struct termios mode;

	screen->has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &screen->mode) == 0;
	if (!screen->has_keys)
		return;
	mode = screen->mode;
	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	screen->has_keys = tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0;
}

bool screen_open(struct screen *screen)
{
	sigset_t set;

	*screen = (struct screen){ .caught = 0 };
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP); /* a stopped program could not put the terminal back */
	if (sigprocmask(SIG_BLOCK, &set, &screen->mask) != 0)
		return false;
	screen->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (screen->signals < 0) {
		sigprocmask(SIG_SETMASK, &screen->mask, NULL);
		return false;
	}
	take_keys(screen);
	metric(screen);
	put(begin_sequence, strlen(begin_sequence));
	return true;
}

void screen_close(struct screen *screen)
{
	put(end_sequence, strlen(end_sequence));
	if (screen->has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &screen->mode);
	close(screen->signals);
	sigprocmask(SIG_SETMASK, &screen->mask, NULL);
}

/* How many bytes of a line fill so many columns; one a character of UTF-8. */
static size_t fitting(const char *line, size_t len, size_t columns)
{
	size_t n = 0;

	while (n < len) {
		if (((unsigned char)line[n] & 0xc0) != 0x80 && columns-- == 0)
			break;
		n++;
	}
	return n;
}

void screen_draw(const struct screen *screen, const char *text, size_t len)
{
	const char *end = text + len;

	put("\033[H", 3);
	for (int row = 0; row < screen->rows && text < end; row++) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		size_t line = (size_t)((line_end ? line_end : end) - text);

		if (row > 0)
			put("\r\n", 2);
		put(text, fitting(text, line, (size_t)screen->columns));
		put("\033[K", 3);
		text += line + (line_end != NULL);
	}
	put("\033[J", 3);
}

static enum screen_event take_signal(struct screen *screen)
{
	struct signalfd_siginfo info;

	if (read(screen->signals, &info, sizeof(info)) != (ssize_t)sizeof(info) ||
	    info.ssi_signo == SIGTSTP)
		return SCREEN_TIME;
	if (info.ssi_signo == SIGWINCH) {
		metric(screen);
		return SCREEN_RESIZED;
	}
	screen->caught = (int)info.ssi_signo;
	return SCREEN_SIGNAL;
}

static enum screen_event take_key(void)
{
	char key;
	ssize_t n = read(STDIN_FILENO, &key, 1);

	if (n < 0 && errno == EINTR)
		return SCREEN_TIME;
	return n <= 0 || key == 'q' || key == 'Q' ? SCREEN_QUIT : SCREEN_TIME;
}

enum screen_event screen_wait(struct screen *screen, int milliseconds)
{
	struct pollfd fds[2] = {
		{ .fd = screen->signals, .events = POLLIN },
		{ .fd = screen->has_keys ? STDIN_FILENO : -1, .events = POLLIN },
	};
	int n = poll(fds, 2, milliseconds);

	if (n > 0 && fds[0].revents != 0)
		return take_signal(screen);
	return n > 0 && fds[1].revents != 0 ? take_key() : SCREEN_TIME;
}
