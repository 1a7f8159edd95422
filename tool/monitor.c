/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/monitor.h"

#include "pub_tool_gdbserver.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/client.h"
#include "tool/control.h"
#include "tool/dropin.h"
#include "tool/status.h"
#include "tool/tool.h"

enum command {
	COMMAND_NONE = -1,
	COMMAND_AMBIGUOUS = -2,
	COMMAND_HELP = 0,
	COMMAND_DUMP,
	COMMAND_ZERO,
	COMMAND_STATUS,
	COMMAND_INSTRUMENTATION,
};

static const HChar words[] = "help dump zero status instrumentation";

static void print_help(void)
{
	VG_(gdb_printf)("\ncostgrind monitor commands:\n"
			"  dump [<hint>]\n"
			"        write what was counted since the last part as a part\n"
			"  zero\n"
			"        set all counts to zero\n"
			"  status [internal]\n"
			"        print the state of the run\n"
			"  instrumentation [on|off]\n"
			"        get or set whether anything is counted\n"
			"\n");
}

static void instrument(const HChar *word)
{
	if (word == NULL) {
		VG_(gdb_printf)("instrumentation: %s\n", tool.instrumenting ? "on" : "off");
		return;
	}
	if (VG_(strcmp)(word, "on") != 0 && VG_(strcmp)(word, "off") != 0) {
		VG_(gdb_printf)("instrumentation %s: expected on or off\n", word);
		return;
	}
	if (control_instrument(VG_(strcmp)(word, "on") == 0) && dropin_name() != DROPIN_NONE)
		control_evict(address_range_all());
}

/* Stopped by gdb in mid-block, counts are half made. */
static Bool is_too_early(enum command command)
{
	if (!tool.inside || (command != COMMAND_DUMP && command != COMMAND_ZERO &&
			     command != COMMAND_INSTRUMENTATION))
		return False;
	VG_(gdb_printf)("not at a breakpoint: expected a program that waits in the kernel, or "
			"runs (vgdb)\n");
	return True;
}

static Bool execute(enum command command, const HChar *whole, const HChar *word)
{
	if (is_too_early(command))
		return True;
	switch (command) {
	case COMMAND_HELP:
		print_help();
		return False; /* the core tells its own */
	case COMMAND_DUMP:
		part_write(whole);
		return True;
	case COMMAND_ZERO:
		part_zero();
		return True;
	case COMMAND_STATUS:
		if (word != NULL && VG_(strcmp)(word, "internal") == 0)
			status_print_all();
		else
			status_print();
		return True;
	case COMMAND_INSTRUMENTATION:
		instrument(word);
		return True;
	case COMMAND_AMBIGUOUS:
		return True; /* said so */
	case COMMAND_NONE:
		break;
	}
	return False;
}

Bool monitor_command(ThreadId tid, const HChar *command)
{
	HChar *copy = VG_(strdup)("costgrind.command", command);
	HChar *rest;
	const HChar *word = VG_(strtok_r)(copy, " ", &rest);
	Bool known = False;

	(void)tid;
	if (word != NULL)
		known = execute((enum command)VG_(keyword_id)(words, word,
							      kwd_report_duplicated_matches),
						  command, VG_(strtok_r)(NULL, " ", &rest));
	VG_(free)(copy);
	return known;
}
