/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind control --watch: looks at a target again and again, on a terminal one in place of the other. */
#include "cmds/control/control.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/outfile.h"
#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

/* -- the terminal ----------------------------------------------------------------------- */

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

enum {
	USUAL_ROWS = 24,
	USUAL_COLUMNS = 80,
};

/* Another screen than the shell's, without a cursor; and back. */
static const char begin_sequence[] = "\033[?1049h\033[?25l\033[2J";
static const char end_sequence[] = "\033[?25h\033[?1049l";

/* If the terminal is gone, reading it will fail. */
static void put(const char *text, size_t len)
{
	write_all(STDOUT_FILENO, text, len);
}

static void measure(struct screen *screen)
{
	struct winsize size;
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;

	screen->rows = known && size.ws_row > 0 ? size.ws_row : USUAL_ROWS;
	screen->columns = known && size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
}

/*
 * Takes standard output, which is a terminal, and blocks signals that end programs.
 * Returns false if that is not possible; then all is as before.
 */
static bool screen_open(struct screen *screen)
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
	/* Keys come at once and are not shown; Ctrl-C is a signal still. */
	screen->has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &screen->mode) == 0;
	if (screen->has_keys) {
		struct termios mode = screen->mode;

		mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		mode.c_cc[VMIN] = 1;
		mode.c_cc[VTIME] = 0;
		screen->has_keys = tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0;
	}
	measure(screen);
	put(begin_sequence, strlen(begin_sequence));
	return true;
}

/* Gives it back, however it was used; signals are let through again. */
static void screen_close(struct screen *screen)
{
	put(end_sequence, strlen(end_sequence));
	if (screen->has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &screen->mode);
	close(screen->signals);
	sigprocmask(SIG_SETMASK, &screen->mask, NULL);
}

/* How many bytes of a line fill the columns; one a character of UTF-8. */
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

/* Shows lines, as many and as much of each as there is room for.  Text must be harmless. */
static void screen_draw(const struct screen *screen, const char *text, size_t len)
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

/* Waits for something to come, this long at most. */
static enum screen_event screen_wait(struct screen *screen, int milliseconds)
{
	struct pollfd fds[2] = {
		{ .fd = screen->signals, .events = POLLIN },
		{ .fd = screen->has_keys ? STDIN_FILENO : -1, .events = POLLIN },
	};
	int n = poll(fds, 2, milliseconds);

	if (n > 0 && fds[0].revents != 0) {
		struct signalfd_siginfo info;

		if (read(screen->signals, &info, sizeof(info)) != (ssize_t)sizeof(info) ||
		    info.ssi_signo == SIGTSTP)
			return SCREEN_TIME;
		if (info.ssi_signo == SIGWINCH) {
			measure(screen);
			return SCREEN_RESIZED;
		}
		screen->caught = (int)info.ssi_signo;
		return SCREEN_SIGNAL;
	}
	if (n > 0 && fds[1].revents != 0) {
		char key;
		ssize_t got = read(STDIN_FILENO, &key, 1);

		if (!(got < 0 && errno == EINTR) && (got <= 0 || key == 'q' || key == 'Q'))
			return SCREEN_QUIT;
	}
	return SCREEN_TIME;
}

/* -- looks ------------------------------------------------------------------------------ */

enum {
	PAGE_ROWS = 20, /* functions, without a terminal */
	HEAD_ROWS = 8,
	PERCENT = 7,
	NAME_COLUMNS = 24, /* of a function, that are left by the costs on a terminal */
};

/* One look. */
struct look {
	struct runstate state;
	bool is_known;
	int64_t ms;
};

struct watcher {
	const struct watch *watch;
	struct screen screen;
	bool has_screen;
	struct look looks[2]; /* the last one and the one before, by number % 2 */
	unsigned long long n;
	char *page; /* what was shown last */
	size_t page_len;
	char why[256]; /* it failed: for when the screen is gone */
};

/* -- a page ------------------------------------------------------------------------------- */

/* What one look has to show. */
struct watch_page {
	FILE *out;
	struct costcolumns columns;
	const struct runstate *state;
	const struct hotlist *hot;
	int64_t ms; /* since the last look */
	size_t rows;
	size_t width; /* of the costs; 0 = as they are */
};

static void print_total(struct watch_page *page, const uint64_t *costs, const char *label)
{
	fprintf(page->out, "%*s ", PERCENT, "");
	costcolumns_row(&page->columns, page->out, costs);
	fprintf(page->out, " %s\n", label);
}

static void print_functions(struct watch_page *page)
{
	size_t sort_by = page->columns.events[0];
	uint64_t whole = page->hot->totals[sort_by];

	for (size_t i = 0; i < page->hot->n && i < page->rows; i++) {
		const struct hotfunction *function = &page->hot->functions[i];
		const char *slash = strrchr(function->object, '/');

		if (whole > 0)
			fprintf(page->out, "%*.2f ", PERCENT,
				(double)function->costs[sort_by] * 100 / (double)whole);
		else
			fprintf(page->out, "%*s ", PERCENT, "");
		costcolumns_row(&page->columns, page->out, function->costs);
		fputc(' ', page->out);
		visible_text(page->out, function->name);
		fputs(" [", page->out);
		visible_text(page->out, slash ? slash + 1 : function->object);
		fputs("]\n", page->out);
	}
}

/* Where self costs are not reported: the calls that are under way, the innermost first. */
static void print_stacks(struct watch_page *page)
{
	size_t rows = page->rows;

	fprintf(page->out, "Callgrind does not report self costs of functions; calls under way, "
			   "inclusive:\n");
	for (size_t i = 0; i < page->state->n_threads; i++) {
		const struct runthread *thread = &page->state->threads[i];

		for (size_t j = thread->n_frames; j-- > 0 && rows > 0; rows--) {
			fprintf(page->out, "%*s ", PERCENT, "");
			costcolumns_row(&page->columns, page->out,
					j > 0 ? thread->frames[j - 1].costs : NULL);
			fputc(' ', page->out);
			visible_text(page->out, thread->frames[j].function);
			fputc('\n', page->out);
		}
	}
}

/* The totals of all threads; of "status functions", as they are reported. */
static void sum_totals(const struct runstate *state, uint64_t *sums)
{
	memset(sums, 0, (RUNSTATE_EVENTS + 1) * sizeof(*sums));
	for (size_t i = 0; i < state->n_events; i++) {
		if (state->totals)
			sums[i] = state->totals[i];
		for (size_t j = 0; !state->totals && j < state->n_threads; j++)
			if (state->threads[j].totals)
				sums[i] += state->threads[j].totals[i];
	}
	sums[state->n_events] = state->n_events;
}

/* What was spent since the look before; false if that is not known, and all is meant. */
static bool subtract_totals(uint64_t *spent, const uint64_t *now, const struct look *before,
			    size_t n)
{
	uint64_t old[RUNSTATE_EVENTS + 1];

	memcpy(spent, now, (n + 1) * sizeof(*now));
	if (!before || !before->state.instrumenting || before->state.n_events != n)
		return false;
	sum_totals(&before->state, old);
	for (size_t i = 0; i < n; i++)
		if (old[i] > now[i])
			return false;
	for (size_t i = 0; i < n; i++)
		spent[i] -= old[i];
	return true;
}

static void print_body(struct watch_page *page, const struct look *before)
{
	uint64_t totals[RUNSTATE_EVENTS + 1], spent[RUNSTATE_EVENTS + 1];
	uint64_t rates[RUNSTATE_EVENTS + 1];
	size_t n = page->state->n_events, n_columns = page->columns.n;
	bool is_since_look;

	sum_totals(page->state, totals);
	is_since_look = subtract_totals(spent, totals, before, n) && !page->hot->is_anew;
	if (!is_since_look)
		memcpy(spent, totals, sizeof(spent));
	for (size_t i = 0; i < n; i++)
		rates[i] = (uint64_t)((int128)spent[i] * 1000 / (page->ms > 0 ? page->ms : 1));
	rates[n] = n;
	costcolumns_measure(&page->columns, totals);
	costcolumns_measure(&page->columns, spent);
	if (is_since_look)
		costcolumns_measure(&page->columns, rates);
	for (size_t i = 0; !page->state->totals && i < page->state->n_threads; i++)
		for (size_t j = 0; j < page->state->threads[i].n_frames; j++)
			costcolumns_measure(&page->columns,
					    page->state->threads[i].frames[j].costs);
	/* Functions without their names are none: on a terminal, the last events have to go. */
	if (page->width > 0)
		costcolumns_fit(&page->columns, page->width);
	if (page->columns.n < n_columns)
		fprintf(page->out, "%zu of %zu events fit: --events chooses\n", page->columns.n,
			n_columns);
	fprintf(page->out, "%*s ", PERCENT, "%");
	costcolumns_names(&page->columns, page->out);
	fputc('\n', page->out);
	print_total(page, totals, "since the last part");
	if (is_since_look) {
		print_total(page, spent, "since the last look");
		print_total(page, rates, "a second");
	}
	fputc('\n', page->out);
	if (page->state->totals)
		print_functions(page);
	else
		print_stacks(page);
}

static void print_head(const struct watcher *watcher, FILE *out, const struct runstate *state)
{
	fprintf(out, "%d: ", (int)watcher->watch->target->pid);
	control_print_words(out, watcher->watch->target);
	fprintf(out, "\nlook %llu, %u parts written%s\n", watcher->n, state->part,
		watcher->has_screen ? ", q ends" : "");
	if (runstate_drops(state)) {
		char text[CONTROL_COLLECTION_TEXT];

		control_describe_collection(text, sizeof(text), state);
		fprintf(out, "%s\n", text);
	}
}

/* Makes the page of the last look. */
static void make_page(struct watcher *watcher)
{
	const struct look *now = &watcher->looks[watcher->n % 2];
	const struct look *before = &watcher->looks[(watcher->n + 1) % 2];
	const struct screen *screen = &watcher->screen;
	/* What names and percentages leave for costs, and the head for functions; at least 1. */
	const int columns = screen->columns - (PERCENT + 1 + 1 + NAME_COLUMNS);
	const int rows = screen->rows - (HEAD_ROWS + runstate_drops(&now->state));
	struct hotlist hot;
	struct watch_page page = { .state = &now->state, .hot = &hot, .rows = PAGE_ROWS };

	before = before->is_known ? before : NULL;
	page.ms = before ? now->ms - before->ms : 0;
	if (watcher->has_screen) {
		page.rows = rows > 0 ? (size_t)rows : 1;
		page.width = columns > 0 ? (size_t)columns : 1;
	}
	free(watcher->page);
	page.out = heap_stream(&watcher->page, &watcher->page_len);
	print_head(watcher, page.out, &now->state);
	if (now->state.instrumenting) {
		char missing[CONTROL_MISSING_TEXT];

		costcolumns_init(&page.columns, &now->state, watcher->watch->events, missing,
				 sizeof(missing));
		hotlist_make(&hot, before && before->state.instrumenting ? &before->state : NULL,
			     &now->state, page.columns.events[0]);
		print_body(&page, before);
		hotlist_release(&hot);
	} else {
		fprintf(page.out, "instrumentation is off\n");
	}
	heap_stream_close(page.out, &watcher->page);
}

/* -- the loop ----------------------------------------------------------------------------- */

enum { GO_ON = -1 };

static void forget(struct look *look)
{
	if (look->is_known)
		runstate_release(&look->state);
	look->is_known = false;
}

/* Asks once more.  Returns GO_ON, or an exit code; is_lost says that there is no answer. */
static int look(struct watcher *watcher, bool *is_lost)
{
	struct look *now = &watcher->looks[(watcher->n + 1) % 2];
	const struct watch *watch = watcher->watch;
	char missing[CONTROL_MISSING_TEXT];
	struct costcolumns columns;

	forget(now);
	*is_lost = !monitor_client_state(watch->client, watch->target, true, &now->state);
	if (*is_lost)
		return GO_ON;
	now->is_known = true;
	now->ms = monotonic_ms();
	watcher->n++;
	/* Events that are not recorded end it. */
	if (!now->state.instrumenting ||
	    costcolumns_init(&columns, &now->state, watch->events, missing, sizeof(missing)))
		return GO_ON;
	snprintf(watcher->why, sizeof(watcher->why), "%d: %.*s", (int)watch->target->pid,
		 (int)sizeof(watcher->why) - 16, missing);
	return EXIT_FAILED;
}

static int show(struct watcher *watcher)
{
	make_page(watcher);
	if (watcher->has_screen) {
		screen_draw(&watcher->screen, watcher->page, watcher->page_len);
		return GO_ON;
	}
	if (watcher->n > 1)
		fputc('\n', stdout);
	fwrite(watcher->page, 1, watcher->page_len, stdout);
	if (fflush(stdout) == 0)
		return GO_ON;
	snprintf(watcher->why, sizeof(watcher->why), "standard output: %s", strerror(errno));
	return EXIT_FAILED;
}

/* Waits for the next look; on a terminal, for what comes before. */
static int pause_for(struct watcher *watcher, int64_t until)
{
	int64_t left;

	do {
		enum screen_event event;
		int code = GO_ON;

		left = until - monotonic_ms();
		left = left > 0 ? left : 0;
		if (!watcher->has_screen) {
			const struct timespec moment = { left / 1000, left % 1000 * 1000000 };

			nanosleep(&moment, NULL);
			continue;
		}
		/* Even if a look takes longer than what is between two. */
		event = screen_wait(&watcher->screen, left < 1000000 ? (int)left : 1000000);
		if (event == SCREEN_QUIT || event == SCREEN_SIGNAL)
			return EXIT_FINE;
		if (event == SCREEN_RESIZED)
			code = show(watcher);
		if (code != GO_ON)
			return code;
	} while (left > 0);
	return GO_ON;
}

/* What comes while there is no answer: a new size is no reason to stop. */
static bool ends(void *ctx)
{
	struct watcher *watcher = ctx;
	enum screen_event event = screen_wait(&watcher->screen, 0);

	return event == SCREEN_QUIT || event == SCREEN_SIGNAL;
}

static int go_round(struct watcher *watcher)
{
	const struct watch *watch = watcher->watch;
	int code = GO_ON;

	while (code == GO_ON) {
		int64_t began = monotonic_ms();
		bool is_lost;

		code = look(watcher, &is_lost);
		if (is_lost && watch->client->end == VGDB_INTERRUPTED)
			return EXIT_FINE;
		if (is_lost)
			return GO_ON; /* the caller says why, when the screen is gone */
		if (code == GO_ON)
			code = show(watcher);
		if (code == GO_ON && watch->count > 0 && watcher->n == watch->count)
			return EXIT_FINE;
		if (code == GO_ON)
			code = pause_for(watcher, began + (int64_t)(watch->seconds * 1000));
	}
	return code;
}

int watch_run(const struct watch *watch)
{
	struct watcher watcher = { .watch = watch };
	struct vgdb_listener listener = { .ends = ends, .ctx = &watcher };
	int code;

	watcher.has_screen = isatty(STDOUT_FILENO) && screen_open(&watcher.screen);
	if (watcher.has_screen) {
		listener.fds[0] = watcher.screen.signals;
		listener.fds[1] = watcher.screen.has_keys ? STDIN_FILENO : -1;
		watch->client->listener = &listener;
	}
	code = go_round(&watcher);
	watch->client->listener = NULL;
	if (watcher.has_screen)
		screen_close(&watcher.screen);
	if (watcher.has_screen && watcher.page && code != EXIT_FAILED)
		fwrite(watcher.page, 1, watcher.page_len,
		       stdout); /* the last one stays to be read */
	if (watcher.why[0])
		complain("control", "%s", watcher.why);
	if (code == GO_ON && target_is_alive(watch->target)) {
		complain("control", "%d: %s", (int)watch->target->pid, watch->client->text);
		code = EXIT_FAILED;
	} else if (code == GO_ON) {
		printf("%d: it ended\n", (int)watch->target->pid);
		code = EXIT_FINE;
	}
	forget(&watcher.looks[0]);
	forget(&watcher.looks[1]);
	free(watcher.page);
	if (watcher.has_screen && watcher.screen.caught != 0) {
		fflush(stdout);
		raise(watcher.screen.caught);
	}
	return code;
}
