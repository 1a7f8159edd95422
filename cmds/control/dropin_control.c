/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind under the name callgrind_control: its options and what it prints, those of
 * Valgrind 3.19.  A word behind -d, -e or -i is theirs unless it could be a pid.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "cmds/common/launch.h"
#include "cmds/control/control.h"
#include "cmds/control/controlreport.h"
#include "cmds/control/costcolumns.h"
#include "cmds/control/monitor_client.h"
#include "cmds/text/visible.h"
#include "profile/common/int128.h"

static const char command[] = "callgrind_control";

enum {
	GO_ON = -1,
	TIMEOUT = 60,      /* seconds; the script waits for ever */
	MOST_FRAMES = 100, /* of a thread, as there */
};

struct dropin_words {
	bool stat, back, zero, kill, events, dump, instr, instr_on;
	int verbose;
	const char *shown; /* "A,B", NULL = all */
	const char *hint;
	const char *prefix;
	const char *program; /* as it was called, for messages */
	bool *wanted;        /* by target */
	bool any_wanted;
	struct targets targets;
	struct monitor_client client;
	bool failed;
};

static int print_help(void)
{
	printf("Observe the status and control currently active callgrind runs.\n"
	       "\n"
	       "Usage: callgrind_control [options] [pid|program-name...]\n"
	       "\n"
	       "If no pids/names are given, an action is applied to all currently\n"
	       "active Callgrind runs. Default action is printing short information.\n"
	       "\n"
	       "Options:\n"
	       "  -h --help         Show this help text\n"
	       "  --version         Show version\n"
	       "  -s --stat         Show statistics\n"
	       "  -b --back         Show stack/back trace\n"
	       "  -e [<A>,...]      Show event counters for <A>,... (default: all)\n"
	       "  --dump[=<s>]      Request a dump optionally using <s> as description\n"
	       "  -z --zero         Zero all event counters\n"
	       "  -k --kill         Kill\n"
	       "  -i --instr=on|off Switch instrumentation state on/off\n"
	       "Uncommon options:\n"
	       "  --vgdb-prefix=<prefix> Only provide this if the same was given to Valgrind\n"
	       "\n");
	return EXIT_FINE;
}

/* The script's errors, on standard output, with exit status 0. */
static int print_error(const struct dropin_words *dropin, const char *before, const char *word,
		       const char *behind)
{
	printf("Error: %s", before);
	visible_text(stdout, word);
	printf("%s\nSee '", behind);
	visible_text(stdout, dropin->program);
	printf(" -h' for help.\n");
	return EXIT_FINE;
}

/* -- options ------------------------------------------------------------------------------ */

static bool is_word(const char *word, const char *letter, const char *name)
{
	return strcmp(word, letter) == 0 || strcmp(word, name) == 0;
}

/* What the next word may be the value of. */
enum pending_value {
	PENDING_NONE,
	PENDING_HINT,
	PENDING_EVENTS,
	PENDING_INSTR,
};

static int set_instr(struct dropin_words *dropin, const char *value)
{
	dropin->instr_on = strcmp(value, "on") == 0;
	if (dropin->instr_on || strcmp(value, "off") == 0)
		return GO_ON;
	return print_error(dropin, "need to specify 'on' or 'off' after '-i'.", "", "");
}

/* The value of --name=value, -n=value; NULL if it is another option, "" without one. */
static const char *value_of(const char *word, const char *letter, const char *name)
{
	size_t len = strcspn(word, "=");

	if ((len != strlen(letter) || memcmp(word, letter, len) != 0) &&
	    (len != strlen(name) || memcmp(word, name, len) != 0))
		return NULL;
	return word[len] == '=' ? word + len + 1 : "";
}

static int take_option(struct dropin_words *dropin, const char *word, enum pending_value *pending)
{
	const char *value;

	if (*pending == PENDING_INSTR)
		return print_error(dropin, "need to specify 'on' or 'off' after '-i'.", "", "");
	*pending = PENDING_NONE;
	if (is_word(word, "-h", "--help"))
		return print_help();
	if (strcmp(word, "--version") == 0) {
		printf("costgrind-%s\n", COSTGRIND_VERSION);
		return EXIT_FINE;
	}
	if (strncmp(word, "--vgdb-prefix=", 14) == 0) {
		dropin->prefix = word + 14;
	} else if (strcmp(word, "-v") == 0) {
		dropin->verbose++;
	} else if (is_word(word, "-s", "--stat")) {
		dropin->stat = true;
	} else if (is_word(word, "-b", "--back")) {
		dropin->back = true;
	} else if (is_word(word, "-z", "--zero")) {
		dropin->zero = true;
	} else if (is_word(word, "-k", "--kill")) {
		dropin->kill = true;
	} else if (strcmp(word, "-e") == 0) {
		dropin->events = true;
		*pending = PENDING_EVENTS;
	} else if ((value = value_of(word, "-d", "--dump")) != NULL) {
		dropin->dump = true;
		dropin->hint = value;
		*pending = value[0] ? PENDING_NONE : PENDING_HINT;
	} else if ((value = value_of(word, "-i", "--instr")) != NULL &&
		   (value[0] == '\0' || strcmp(value, "on") == 0 || strcmp(value, "off") == 0)) {
		dropin->instr = true;
		*pending = value[0] ? PENDING_NONE : PENDING_INSTR;
		return value[0] ? set_instr(dropin, value) : GO_ON;
	} else {
		return print_error(dropin, "unknown command line option '", word, "'.");
	}
	return GO_ON;
}

/* A word that is no option: a value, a pid or a name.  Operands go to the front of argv. */
static int take_word(struct dropin_words *dropin, char **argv, int i, enum pending_value *pending,
		     int *n_operands)
{
	char *word = argv[i];
	enum pending_value was = *pending;

	if (!isalpha((unsigned char)word[0]) && word[0] != '_') {
		argv[++*n_operands] = word;
		return GO_ON;
	}
	*pending = PENDING_NONE;
	switch (was) {
	case PENDING_HINT:
		dropin->hint = word;
		return GO_ON;
	case PENDING_EVENTS:
		dropin->shown = word;
		return GO_ON;
	case PENDING_INSTR:
		return set_instr(dropin, word);
	case PENDING_NONE:
		break;
	}
	argv[++*n_operands] = word;
	return GO_ON;
}

static int take_words(struct dropin_words *dropin, int argc, char **argv, int *n_operands)
{
	enum pending_value pending = PENDING_NONE;
	int code = GO_ON;

	for (int i = 1; code == GO_ON && i < argc; i++)
		code = argv[i][0] == '-' ? take_option(dropin, argv[i], &pending)
					 : take_word(dropin, argv, i, &pending, n_operands);
	if (code == GO_ON && pending == PENDING_INSTR)
		code = print_error(dropin, "need to specify 'on' or 'off' after '-i'.", "", "");
	return code;
}

/* -- which processes ---------------------------------------------------------------------- */

static bool is_meant(const struct target *target)
{
	return target->tool == TARGET_CALLGRIND || target->tool == TARGET_COSTGRIND;
}

static int choose(struct dropin_words *dropin, const char *operand)
{
	unsigned long long pid = 0;
	bool is_pid = option_count(operand, 0x7fffffff, &pid), found = false;

	for (size_t i = 0; i < dropin->targets.n; i++) {
		const struct target *target = &dropin->targets.targets[i];

		if (!is_meant(target) ||
		    !((is_pid && target->pid == (pid_t)pid) || target_is_called(target, operand)))
			continue;
		dropin->wanted[i] = true;
		found = true;
	}
	dropin->any_wanted |= found;
	return found ? GO_ON
		     : print_error(dropin, "Callgrind task with PID/name '", operand,
				   "' not detected.");
}

static int choose_all(struct dropin_words *dropin, char **operands, int n)
{
	size_t n_meant = 0;
	int code = GO_ON;

	if (!targets_find(&dropin->targets, dropin->prefix)) {
		complain(command, "/proc: %s", strerror(errno));
		return EXIT_FAILED;
	}
	dropin->wanted = calloc(dropin->targets.n + 1, sizeof(*dropin->wanted));
	if (!dropin->wanted) {
		complain(command, "%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < dropin->targets.n; i++)
		n_meant += is_meant(&dropin->targets.targets[i]);
	for (int i = 0; code == GO_ON && i < n; i++)
		code = choose(dropin, operands[i]);
	if (code == GO_ON && n_meant == 0) {
		printf("No active callgrind runs detected.\n");
		return EXIT_FINE;
	}
	return code;
}

/* -- what is printed ---------------------------------------------------------------------- */

static const char *grouped(char text[INT128_TEXT], uint64_t count)
{
	int128_print(text, int128_of(count, false), true);
	return text;
}

static void print_stat(const struct dropin_words *dropin, const struct runstate *state)
{
	char a[INT128_TEXT], b[INT128_TEXT], c[INT128_TEXT];

	if (!dropin->events) {
		printf("  Number of running threads: %zu, thread IDs: ", state->n_threads);
		for (size_t i = 0; i < state->n_threads; i++)
			printf("%s%u", i > 0 ? " " : "", state->threads[i].number);
		printf("\n  Events collected:");
		for (size_t i = 0; i < state->n_events; i++) {
			putchar(' ');
			visible_text(stdout, state->events[i]);
		}
		putchar('\n');
	}
	printf("  Functions: %s (executed %s, contexts %s)\n", grouped(a, state->functions),
	       grouped(b, state->executed_calls), grouped(c, state->contexts));
	printf("  Basic blocks: %s (executed %s, call sites %s)\n", grouped(a, state->blocks),
	       grouped(b, state->executed_blocks), grouped(c, state->calls));
}

/* Names the script warns of, and leaves out. */
static void warn_missing(const struct dropin_words *dropin, const struct runstate *state)
{
	const char *list = dropin->shown;

	while (list && *list) {
		size_t len = strcspn(list, ",");
		char *name = strndup(list, len);

		if (name && runstate_event(state, name) == state->n_events) {
			printf("Warning: Event `");
			visible_text(stdout, name);
			printf("' is not being collected\n");
		}
		free(name);
		list += len + (list[len] == ',');
	}
}

static void print_totals(const struct runstate *state, struct costcolumns *columns)
{
	for (size_t i = 0; i < state->n_threads; i++)
		costcolumns_measure(columns, state->threads[i].totals);
	printf("\n  Totals:");
	costcolumns_names(columns, stdout);
	putchar('\n');
	for (size_t i = 0; i < state->n_threads; i++) {
		/* Of a thread that nothing is known of, the script knows nothing. */
		if (state->threads[i].n_frames == 0)
			continue;
		printf("   Th%2u  ", state->threads[i].number % 100);
		costcolumns_row(columns, stdout, state->threads[i].totals);
		putchar('\n');
	}
}

static void print_stack(const struct dropin_words *dropin, const struct runthread *thread,
			const struct costcolumns *columns)
{
	printf("\n  Frame: ");
	if (dropin->events)
		costcolumns_names(columns, stdout);
	printf("Backtrace for Thread %u\n", thread->number);
	for (size_t i = 0; i < thread->n_frames && i < MOST_FRAMES; i++) {
		size_t frame = thread->n_frames - 1 - i;
		const struct runframe *caller = frame > 0 ? &thread->frames[frame - 1] : NULL;

		printf("   [%2zu]  ", i);
		if (dropin->events)
			costcolumns_row(columns, stdout, caller ? caller->costs : NULL);
		visible_text(stdout, thread->frames[frame].function);
		if (caller)
			printf(" (%" PRIu64 " x)", caller->calls);
		putchar('\n');
	}
	putchar('\n');
}

static void print_state(const struct dropin_words *dropin, const struct runstate *state)
{
	struct costcolumns columns;
	const char *missing;
	size_t len;

	if (!state->instrumenting) {
		printf("  No information available as instrumentation is switched off.\n\n");
		return;
	}
	warn_missing(dropin, state);
	if (dropin->stat)
		print_stat(dropin, state);
	costcolumns_init(&columns, state, dropin->shown, &missing, &len);
	if (dropin->events)
		print_totals(state, &columns);
	costcolumns_init(&columns, state, dropin->shown, &missing, &len);
	for (size_t i = 0; i < state->n_threads; i++)
		for (size_t j = 0; j < state->threads[i].n_frames; j++)
			costcolumns_measure(&columns, state->threads[i].frames[j].costs);
	for (size_t i = 0; dropin->back && i < state->n_threads; i++)
		if (state->threads[i].n_frames > 0)
			print_stack(dropin, &state->threads[i], &columns);
	putchar('\n');
}

/* -- what is done ------------------------------------------------------------------------- */

static bool asks(const struct dropin_words *dropin)
{
	return dropin->stat || dropin->back || dropin->events;
}

/* The one request that the script would send: the last of these that was asked for. */
static const char *request_of(const struct dropin_words *dropin)
{
	if (asks(dropin))
		return "status internal";
	if (dropin->instr)
		return dropin->instr_on ? "instrumentation on" : "instrumentation off";
	if (dropin->kill)
		return "v.kill";
	if (dropin->zero)
		return "zero";
	return dropin->dump ? "dump" : NULL;
}

static bool act(struct dropin_words *dropin, const struct target *target)
{
	struct monitor_client *client = &dropin->client;

	if (dropin->instr)
		return monitor_client_instrument(client, target, dropin->instr_on);
	if (dropin->kill)
		return monitor_client_kill(client, target);
	if (dropin->zero)
		return monitor_client_zero(client, target);
	return monitor_client_dump(client, target, dropin->hint);
}

static void fail(struct dropin_words *dropin, const struct target *target)
{
	dropin->failed = true;
	fflush(stdout);
	complain(command, "%d: %s", (int)target->pid, dropin->client.text);
}

static void handle(struct dropin_words *dropin, const struct target *target)
{
	const char *request = request_of(dropin);
	struct runstate state;

	printf("PID %d: ", (int)target->pid);
	control_print_words(stdout, target);
	if (dropin->verbose > 0 && request) {
		bool has_hint = strcmp(request, "dump") == 0 && dropin->hint && dropin->hint[0];

		printf(" [requesting '%s%s", request, has_hint ? " " : "");
		visible_text(stdout, has_hint ? dropin->hint : "");
		printf("']");
	}
	putchar('\n');
	if (!request)
		return;
	if (!asks(dropin)) {
		if (act(dropin, target))
			printf("  OK.\n");
		else
			fail(dropin, target);
		return;
	}
	if (!monitor_client_state(&dropin->client, target, false, &state)) {
		fail(dropin, target);
		return;
	}
	print_state(dropin, &state);
	runstate_release(&state);
}

int callgrind_control_main(int argc, char **argv)
{
	struct dropin_words dropin = { .program = argv[0] };
	char vgdb[LAUNCH_PATH];
	int n = 0, code = take_words(&dropin, argc, argv, &n);

	if (code == GO_ON && request_of(&dropin) && !vgdb_find(vgdb, sizeof(vgdb))) {
		complain(command, "vgdb: found neither beside %s nor in PATH", launch_valgrind());
		return EXIT_FAILED;
	}
	if (code == GO_ON && dropin.hint && strlen(dropin.hint) > MONITOR_CLIENT_HINT) {
		complain(command, "--dump: expected at most %d bytes", MONITOR_CLIENT_HINT);
		return EXIT_FAILED;
	}
	dropin.client.vgdb = (struct vgdb){ vgdb, TIMEOUT, NULL };
	if (code == GO_ON)
		code = choose_all(&dropin, argv + 1, n);
	for (size_t i = 0; code == GO_ON && i < dropin.targets.n; i++)
		if (is_meant(&dropin.targets.targets[i]) &&
		    (!dropin.any_wanted || dropin.wanted[i]))
			handle(&dropin, &dropin.targets.targets[i]);
	free(dropin.wanted);
	targets_release(&dropin.targets);
	if (code != GO_ON)
		return code;
	return dropin.failed ? EXIT_FAILED : EXIT_FINE;
}
