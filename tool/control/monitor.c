/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monitor commands of gdb and vgdb. */
#include "pub_tool_gdbserver.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/self.h"
#include "tool/control/request.h"
#include "tool/instrument/client.h"
#include "tool/instrument/state.h"
#include "tool/output/state.h"
#include "tool/simulate/state.h"

enum monitor_command {
	COMMAND_NONE = -1,
	COMMAND_AMBIGUOUS = -2,
	COMMAND_HELP = 0,
	COMMAND_DUMP,
	COMMAND_ZERO,
	COMMAND_STATUS,
	COMMAND_INSTRUMENTATION,
	COMMAND_FINAL,
	COMMAND_COLLECTION,
};

static const HChar words[] = "help dump zero status instrumentation final collection";

enum {
	MAX_FUNCTIONS = 1000000000,
};

static void print_help(void)
{
	VG_(gdb_printf)(
		"\ncostgrind monitor commands:\n"
		"  dump [<hint>]\n"
		"        write what was counted since the last part as a part\n"
		"  zero\n"
		"        set all counts to zero\n"
		"  final [<hint>]\n"
		"        write the profile as at the end of the run; counting goes on\n"
		"  status [internal]\n"
		"        print the state of the run\n"
		"  status functions [<n>]\n"
		"        print self costs since the last part of the n functions with most [all]\n"
		"  instrumentation [on|off]\n"
		"        get or set whether anything is counted\n"
		"  collection [on|off|auto]\n"
		"        get or set whether what is counted is collected, of all threads; auto [set at\n"
		"        the start]: as options, functions and requests say\n"
		"\n");
}

static void instrument(const HChar *word)
{
	if (word == NULL) {
		VG_(gdb_printf)("instrumentation: %s\n", tool_calls.instrumenting ? "on" : "off");
		return;
	}
	if (VG_(strcmp)(word, "on") != 0 && VG_(strcmp)(word, "off") != 0) {
		VG_(gdb_printf)("instrumentation %s: expected on or off\n", word);
		return;
	}
	if (control_instrument(VG_(strcmp)(word, "on") == 0) && dropin_name() != DROPIN_NONE)
		control_evict(address_range_all());
	if (tool_calls.instrumenting && !collection_is_on_everywhere())
		status_print_collection();
}

static void collect(const HChar *word)
{
	static const HChar *const orders[] = {
		[COLLECTION_AUTO] = "auto",
		[COLLECTION_ON] = "on",
		[COLLECTION_OFF] = "off",
	};
	UInt order = 0;

	while (word != NULL && order <= COLLECTION_OFF && VG_(strcmp)(word, orders[order]) != 0)
		order++;
	if (order > COLLECTION_OFF) {
		VG_(gdb_printf)("collection %s: expected on, off or auto\n", word);
		return;
	}
	if (word != NULL)
		collection_order((enum collection_order)order);
	VG_(gdb_printf)("collection: ");
	collection_print();
	VG_(gdb_printf)("\n");
}

static void print_functions(const HChar *number)
{
	HChar *end = NULL;
	Long most = number == NULL ? MAX_FUNCTIONS : VG_(strtoll10)(number, &end);

	if (number != NULL && (*end != '\0' || most < 1 || most > MAX_FUNCTIONS))
		VG_(gdb_printf)("status functions %s: expected a number from 1 on\n", number);
	else
		selfcost_print((UInt)most);
}

static void print_status(const HChar *word, const HChar *number)
{
	if (word != NULL && VG_(strcmp)(word, "internal") == 0)
		status_print_all();
	else if (word != NULL && VG_(strcmp)(word, "functions") == 0)
		print_functions(number);
	else
		status_print();
}

/* True if a part, or the profile, that is written now has any collected costs. */
static Bool is_anything_collected(Bool is_final)
{
	ULong totals[N_EVENTS];

	if (is_final)
		client_totals(totals);
	else
		client_part_totals(totals);
	lastpath_uncharge_resident(&tool_simulate.last_path);
	for (UInt event = 0; event < N_EVENTS; event++)
		if (totals[event] != 0)
			return True;
	return False;
}

static void note_empty(void)
{
	VG_(gdb_printf)("nothing was collected: ");
	if (!tool_calls.instrumenting)
		VG_(gdb_printf)("instrumentation is off");
	else if (collection_is_on_everywhere())
		VG_(gdb_printf)("nothing ran");
	else {
		VG_(gdb_printf)("collection is ");
		collection_print();
	}
	VG_(gdb_printf)("\n");
}

/* Prints a line for each file, and one if there is nothing in them. Callgrind prints nothing. */
static void report_written(Bool written, Bool is_empty)
{
	const struct output *output = &tool_output.output;
	SizeT dir_len = (SizeT)(output->base - output->path);
	HChar *dir;

	if (dropin_name() != DROPIN_NONE)
		return;
	if (!written) {
		VG_(gdb_printf)("not written, the program's messages say why\n");
		return;
	}
	dir = VG_(strdup)("costgrind.dir", output->path);
	dir[dir_len] = '\0';
	for (UInt i = 0; i < output->n_finished; i++)
		VG_(gdb_printf)("written: %s%s\n", dir, output->finished[i]);
	VG_(free)(dir);
	if (is_empty)
		note_empty();
}

/* The words after the first; either may be NULL. */
struct arguments {
	const HChar *word, *number;
};

/*
 * At a breakpoint of gdb, a superblock is half executed and its counts are half made. Then only
 * commands that just look are possible, and counting can begin. True if the command has to wait;
 * says so.
 */
static Bool is_too_early(enum monitor_command command, const HChar *word)
{
	if (!tool_instrument.inside || !tool_calls.instrumenting)
		return False;
	if (command == COMMAND_INSTRUMENTATION ? word == NULL || VG_(strcmp)(word, "off") != 0
						 : command == COMMAND_COLLECTION
							 ? word == NULL
							 : command != COMMAND_DUMP &&
								   command != COMMAND_ZERO &&
								   command != COMMAND_FINAL)
		return False;
	VG_(gdb_printf)("not at a breakpoint: expected a program that waits in the kernel, or "
			"runs (costgrind control, vgdb); --dump-before, --zero-before and "
			"--toggle-collect act at functions\n");
	return True;
}

static Bool execute(enum monitor_command command, const HChar *whole,
		    const struct arguments *arguments)
{
	UInt n_parts = tool_output.parts.n;
	Bool is_empty;

	if (is_too_early(command, arguments->word))
		return True;
	switch (command) {
	case COMMAND_HELP:
		print_help();
		return False; /* the core prints its own */
	case COMMAND_DUMP:
		is_empty = !is_anything_collected(False);
		part_write(whole);
		report_written(tool_output.parts.n > n_parts, is_empty);
		return True;
	case COMMAND_FINAL:
		is_empty = !is_anything_collected(True);
		report_written(part_write_final(whole), is_empty);
		return True;
	case COMMAND_ZERO:
		part_zero();
		return True;
	case COMMAND_STATUS:
		print_status(arguments->word, arguments->number);
		return True;
	case COMMAND_INSTRUMENTATION:
		instrument(arguments->word);
		return True;
	case COMMAND_COLLECTION:
		collect(arguments->word);
		return True;
	case COMMAND_AMBIGUOUS:
		return True; /* it has been reported */
	case COMMAND_NONE:
		break;
	}
	return False;
}

Bool monitor_command(const HChar *command)
{
	HChar *copy = VG_(strdup)("costgrind.command", command);
	HChar *rest;
	const HChar *word = VG_(strtok_r)(copy, " ", &rest);
	struct arguments arguments = { NULL, NULL };
	Bool known = False;

	if (word != NULL) {
		arguments.word = VG_(strtok_r)(NULL, " ", &rest);
		arguments.number = arguments.word ? VG_(strtok_r)(NULL, " ", &rest) : NULL;
		known = execute((enum monitor_command)VG_(keyword_id)(words, word, kwd_report_duplicated_matches), command,
			&arguments);
	}
	VG_(free)(copy);
	return known;
}
