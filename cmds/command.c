/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "cmds/bench/bench.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/option.h"
#include "cmds/control/control.h"
#include "cmds/diff/diff.h"
#include "cmds/source/sources.h"
#include "cmds/stable/stable.h"
#include "profile/common/event_names.h"
#include "writer/shared/edit_distance.h"
#include "writer/shared/events.h"

/* -- events of help -------------------------------------------------------- */

static const struct {
	const char *name, *formula, *text;
} derived[] = {
#define DERIVED(name, formula, needs, long_name, text) { name, formula, text },
	DERIVED_EVENTS(DERIVED)
#undef DERIVED
		{ EVENT_ESTIMATE, EVENT_ESTIMATE_FORMULA, EVENT_ESTIMATE_HELP },
};

static const struct {
	const char *name, *perf, *manuals;
} counters[] = {
#define COUNTER(name, perf, manuals) { name, perf, manuals },
	EVENT_COUNTERS(COUNTER)
#undef COUNTER
};

/* Bytes of a description without its full stop: of lines of help, none has one. */
static int sentence_len(const char *text)
{
	size_t len = strlen(text);

	return (int)(len - (len > 0 && text[len - 1] == '.'));
}

/* costgrind help events: what the columns of profiles mean. */
static void print_event_help(void)
{
	const char *label, *part, *whole;
	size_t n;
	const struct event_info *all = event_all(&n);

	printf("Events that are recorded:\n\n");
	for (size_t i = 0; i < n; i++) {
		printf("  %-11s %.*s", all[i].name, sentence_len(all[i].text), all[i].text);
		if (all[i].old_name)
			printf(" (formerly %s)", all[i].old_name);
		putchar('\n');
	}
	printf("\nA rep instruction (rep movsb, say) iterates until a register has counted down to 0.\n"
	       "It is one Ir, as for the processor, and each iteration is one Rep. With\n"
	       "--counting=valgrind, and in profiles of Callgrind and Cachegrind, each iteration is one\n"
	       "Ir with its branches, and so is finding the register at 0; there is no Rep.\n"
	       "\nAn instruction that reads and writes one place is a read; with --modify=write, and in\n"
	       "profiles of Callgrind, a write.\n");
	printf("\nColumns derived from them, for any option that takes events (--show, --sort, --event):\n\n");
	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		printf("  %-11s %s: %.*s\n", derived[i].name, derived[i].formula,
		       sentence_len(derived[i].text), derived[i].text);
	printf("\nSimilar counters of processors, in perf, in Intel's manuals (TMA: top-down analysis), and\n"
	       "in AMD's:\n\n");
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		printf("  %-11s %s%s%s\n", counters[i].name,
		       counters[i].perf ? counters[i].perf : "",
		       counters[i].perf && counters[i].manuals ? "; " : "",
		       counters[i].manuals ? counters[i].manuals : "");
	printf("\nFormulas in a profile (\"event: name = formula\") are columns too.\n"
	       "\nRates of the whole run:\n\n");
	for (size_t i = 0; run_rate_explain(i, &label, &part, &whole); i++) {
		if (whole == NULL)
			continue;
		printf("  %-16s (%s) / (%s)\n", label, part, whole);
	}
	printf("\nMPKI is misses per 1000 instructions; miss rates are percentages. The miss rate of the\n"
	       "last level is relative to all references, not to misses of the first level.\n"
	       "\nIn tables, a dot is a count that is impossible, such as misses of reads where nothing\n"
	       "is read; 0 is one that was possible.\n"
	       "\nInclusive costs cover a function and everything it calls. Functions that call each\n"
	       "other are a cycle: for f'2, and for all of them where levels of recursion are not\n"
	       "separate, calls within it are left out.\n");
}

/* -- commands -------------------------------------------------------------- */

static const struct option_rule *const annotate_shared[] = {
	searchpath_options, loading_options, lenient_options, naming_options, NULL,
};
static const struct option_rule *const convert_shared[] = {
	loading_options,
	lenient_options,
	NULL,
};
static const struct option_rule *const curve_shared[] = {
	loading_options,
	lenient_options,
	naming_options,
	NULL,
};
static const struct option_rule *const diff_shared[] = {
	diff_options,
	lenient_options,
	naming_options,
	NULL,
};
static const struct option_rule *const compare_shared[] = {
	comparing_options,
	lenient_options,
	naming_options,
	NULL,
};
static const struct option_rule *const merge_shared[] = {
	lenient_options,
	naming_options,
	NULL,
};

const struct command command_table[] = {
	{ "run", "[run options] [tool or Valgrind options] [--] PROG [ARGS]",
	  "Run a program and write its profile",
	  "Starts valgrind --tool=costgrind with the options given, and the program. The profile\n"
	  "is written to costgrind.out.<pid>. `costgrind run --tool-help` lists the options of\n"
	  "the tool and of Valgrind; $COSTGRIND_OPTS has options that come before those given.\n"
	  "\n"
	  "Valgrind is $VALGRIND if that is set, else the one costgrind was built for. Without\n"
	  "the word run, `costgrind PROG ARGS` also prints the functions that cost most.\n",
	  run_main, run_options, NULL },
	{ "annotate", "[options] FILE...", "Show what a profile says",
	  "Adds up the profiles of Callgrind, Cachegrind and costgrind that are named (- is\n"
	  "standard input), and prints totals, functions and source files with their costs.\n",
	  annotate_main, annotate_options, annotate_shared },
	{ "why", "[options] FILE [FUNCTION]",
	  "Show where a profile spends most, why, and what to do",
	  "Names the places where most cycles are spent, in the whole program or in FUNCTION (* and ? are\n"
	  "wild): the share of each, what the time is spent on, the evidence, what was ruled out, what to do\n"
	  "there, and the command that shows more. Library costs are charged to the lines that called them.\n"
	  "It works best on profiles with --cycles=yes; others are judged by counts.\n",
	  why_main, why_options, annotate_shared },
	{ "merge", "[options] FILE...", "Sum profiles, or combine them in one file",
	  "Adds up the costs of each function, line, instruction, call and jump. The order of\n"
	  "the files does not matter. A desc line, cmd, pid, part or thread stays if all agree.\n"
	  "Truncated or damaged profiles are refused; --lenient accepts them.\n",
	  merge_main, merge_options, merge_shared },
	{ "check", "[options] FILE...",
	  "Check that profiles are sound, and which programs can read them",
	  "Finds lines that break the grammar, sums that do not fit, calls that cost more than what\n"
	  "they call, and what other programs misread. Each finding is one line:\n"
	  "FILE:LINE: error|warning|note: what it is.\n"
	  "\n"
	  "  error    a line is not understood; totals: differs from the sum of costs\n"
	  "  warning  summary: is below that; calls of a function cost more than it did\n"
	  "  note     summary: is above it (collection was off for a while); a reader misreads it\n"
	  "\n"
	  "With -v, notes also list what a reader merely does not show. Exit status 3 if there are\n"
	  "errors, 1 if a file cannot be read.\n",
	  check_main, check_options, NULL },
	{ "diff", "[options] OLD NEW", "Show what changed between two profiles",
	  "Shows NEW - OLD: totals, functions that changed themselves, their callers, and\n"
	  "calls. docs/DIFF.md explains the report and the file of limits.\n",
	  diff_main, comparing_options, diff_shared },
	{ "compare", "[options] [tool or Valgrind options] [--] 'OLD ARGS' 'NEW ARGS'",
	  "Show what changed from one program to another, by running both",
	  "Runs both commands as `costgrind run --stable` does, one after the other, and prints NEW - OLD as\n"
	  "`costgrind diff` does. With --old=GITREV, it is one command, PROG ARGS without quotes, in two revisions:\n"
	  "costgrind compare --old=main --build=make -- ./bench 100\n"
	  "\n"
	  "--time also times both natively, so that counts and time are side by side. Exit status 1 if a\n"
	  "program or a build fails, 3 if a limit is broken. docs/DIFF.md explains the report.\n",
	  compare_main, compare_options, compare_shared },
	{ "stable", "[options] [tool or Valgrind options] [--] PROG [ARGS]",
	  "Find what the counts of a program depend on but should not",
	  "Runs the program as `costgrind run --stable` does, and then again and again, each time\n"
	  "with one thing changed. It lists the functions whose counts change, by how much, and\n"
	  "what changed them. The program's output is dropped, except errors of the first run.\n"
	  "Caches are simulated only with --cache-sim=yes. Exit status 3 if counts depend on\n"
	  "something.\n",
	  stable_main, stable_options, NULL },
	{ "bench", "[options] [tool or Valgrind options] [--] PROG [ARGS]",
	  "Run benchmarks, and compare their counts with a baseline",
	  "Benchmarks are the regions that the program names (COSTGRIND_REGION_BEGIN). It runs as\n"
	  "under `costgrind run --stable`, on the simulated machine generic. Each benchmark is a row of\n"
	  "instructions, cycles, misses, mispredictions and bytes allocated. The program's standard\n"
	  "output is dropped.\n"
	  "\n"
	  "The baseline is a text file to commit. A baseline of another machine, compiler or C library\n"
	  "is refused. Exit status 3, and nothing is saved, if a limit is broken, a benchmark is gone,\n"
	  "was never entered, is not over or has no instructions, or if a program fails.\n"
	  "docs/BENCH.md explains it.\n",
	  bench_main, bench_options, NULL },
	{ "control", "[options] [PID|PROGRAM...]", "Show and control running programs",
	  "Talks to processes under costgrind, Callgrind or Cachegrind: all of them, or those with the\n"
	  "given PIDs or with programs whose names end in the given words. Each is shown in turn; then\n"
	  "--dump, --zero, --instr, --collect and --kill are done, in this order.\n"
	  "\n"
	  "Requests go through Valgrind's program vgdb. Exit status 1 if a process did not answer, or\n"
	  "there are none.\n",
	  control_main, control_options, NULL },
	{ "view", "[options] FILE...", "Open profiles in a viewer",
	  "Starts KCachegrind or QCachegrind. Without either, or without a display, costgrind\n"
	  "annotate shows the profiles. docs/VIEWERS.md has more viewers.\n",
	  view_main, view_options, NULL },
	{ "machine", "[options] [NAME|FILE|host|help]",
	  "Show what a simulated machine consists of, and the sources of its numbers",
	  "NAME is one of the machines that `costgrind machine help` lists, FILE one of your own (- is\n"
	  "standard input), host this computer, the default. It shows caches with their replacement\n"
	  "policies, TLBs, prefetchers and latencies, which of them are assumed, and the source of\n"
	  "the rest. --measure times this computer, and keeps the result for --machine=host.\n"
	  "docs/MACHINES.md explains files. Exit status 1 if a file does not describe a machine.\n",
	  machine_main, machine_options, NULL },
	{ "branches", "[options] FILE...", "Show which branches are mispredicted, and why",
	  "One row for each costly branch of profiles with --branch-sim=yes: how often it was executed,\n"
	  "taken and mispredicted; what the best constant choice (static), its own counter and its own\n"
	  "history table would mispredict, in percent of its executions; its kind: biased, loop exit,\n"
	  "correlated (predicted by earlier branches), data-dependent (not predictable), mixed; and\n"
	  "whether it is hard to predict by the literature's rule. Below the table are instructions,\n"
	  "sources, and the loads that conditions depend on, or the targets of indirect branches.\n"
	  "\n"
	  "Kinds need a run with --branch-detail=yes, and targets of jumps one with --collect-jumps=yes.\n",
	  branches_main, branches_options, annotate_shared },
	{ "curve", "[options] FILE [FUNCTION|FILE:LINE]",
	  "Show how misses depend on the size of the cache",
	  "One row for each size, of a profile with --miss-curve=sampled or exact: data misses of a fully\n"
	  "associative LRU cache of that size, in the whole program, a function (self or inclusive) or a line.\n"
	  "Below the table are the knees, where misses fall by 10 % or more of the misses with 64 KiB; the\n"
	  "size from which at most 5 % of these are left, apart from first touches; and the levels of\n"
	  "machines that are as large. docs/MISSES.md explains it.\n",
	  curve_main, curve_options, curve_shared },
	{ "roofline", "[options] FILE", "Show operational intensity against a machine's roofline",
	  "One row for the program and each function with floating-point operations, of a profile with\n"
	  "--collect-flops=yes and --collect-bytes=yes: operations; bytes read and written (L1), and fetched from\n"
	  "each lower level and from memory; operations per byte at each; operations per cycle, if cycles were\n"
	  "counted; and the machine's limit. docs/OPERATIONS.md explains it.\n",
	  roofline_main, roofline_options, curve_shared },
	{ "sharing", "[options] FILE", "Show which lines threads fight over, and locks",
	  "One row for each pair of places in the source that use the same lines from several threads, of a run\n"
	  "with --sharing=yes; FILE is its profile or data profile: how often a line moved between the cores; the\n"
	  "share of that for different bytes (false sharing); references at the same time; the lines, by object.\n"
	  "Below are both places, with the bytes that they use. Then locks, by the share of all instructions that\n"
	  "ran while they were held, and the places that take them. docs/THREADS.md explains it.\n",
	  sharing_main, sharing_options, curve_shared },
	{ "doctor", "", "Check what costgrind needs, and how to get what is missing",
	  "Valgrind and the tool, debug information, viewers, caches of this machine. Exit status\n"
	  "1 if programs cannot be profiled.\n",
	  doctor_main, doctor_options, NULL },
	{ "convert", "--to=FORMAT [options] FILE [NEW]", "Write a profile in another format",
	  "FILE is a profile of Callgrind, Cachegrind, Xdebug or costgrind (- is standard input).\n"
	  "What a format cannot hold is left out.\n",
	  convert_main, convert_options, convert_shared },
	{ "report", "[options] FILE [OTHER]", "Write a profile as an HTML page to explore",
	  "The page is one file with everything in it: functions, calls, source lines and machine code\n"
	  "with their costs. It needs no network and no server. With OTHER, a newer profile of the\n"
	  "same program, it shows what changed since FILE. docs/REPORT.md explains the page.\n",
	  report_main, report_options, annotate_shared },
	{ "help", "[COMMAND|events]", "Explain a command, or the columns of profiles", "",
	  help_main, NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL, NULL, NULL },
};

enum {
	MAX_DISTANCE = 2, /* edits that still count as a slip */
};

const struct command *command_find(const char *name)
{
	for (const struct command *command = command_table; command->name != NULL; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

const struct command *command_suggest(const char *word)
{
	const struct command *best = NULL;
	unsigned best_distance = MAX_DISTANCE + 1;

	for (const struct command *command = command_table; command->name != NULL; command++) {
		unsigned distance =
			edit_distance(word, strlen(word), command->name, strlen(command->name));

		/* Of a short word, two edits leave nothing. */
		if (distance < best_distance && distance < strlen(command->name) - 1) {
			best = command;
			best_distance = distance;
		}
	}
	return best;
}

void command_print_help(const struct command *command)
{
	if (command != NULL) {
		printf("usage: costgrind %s %s\n\n%s\n", command->name, command->form,
		       command->summary);
		if (command->help[0] != '\0')
			printf("\n%s", command->help);
		if (command->options != NULL) {
			printf("\n");
			options_print(command->options, command->shared);
		}
		return;
	}
	printf("usage: costgrind COMMAND [options] ...\n\n");
	for (command = command_table; command->name != NULL; command++)
		printf("  %-10s %s\n", command->name, command->summary);
	printf("\n`costgrind help COMMAND` explains a command; --version prints the version.\n"
	       "Report bugs to " COSTGRIND_BUGS ", with what `costgrind doctor` prints.\n");
}

int help_main(int argc, char **argv)
{
	const struct command *command = NULL;

	if (argc > 2) {
		fprintf(stderr, "costgrind help: %s: expected one command at most\n", argv[2]);
		return EXIT_USAGE;
	}
	if (argc == 2 && strcmp(argv[1], "events") == 0) {
		print_event_help();
		return EXIT_FINE;
	}
	if (argc == 2) {
		command = command_find(argv[1]);
		if (command == NULL) {
			fprintf(stderr, "costgrind help: no command '%s'\n", argv[1]);
			return EXIT_USAGE;
		}
	}
	command_print_help(command);
	return EXIT_FINE;
}
