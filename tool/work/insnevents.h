/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instruction counts of the events of work wherever it is executed, as its code says (isa/x86/decoder.h). */
#ifndef TOOL_WORK_INSNEVENTS_H
#define TOOL_WORK_INSNEVENTS_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

enum { INSNEVENTS_MOST = 8 };

struct insnevent {
	enum event event;
	UInt n; /* 1 or more */
};

/*
 * Writes what the instruction of size bytes, whose code is there to be read, counts, but for its class; returns how many
 * events.  Without an option that asks for any, there is none.
 */
UInt insnevents_find(const UChar *code, UInt size, struct insnevent events[INSNEVENTS_MOST]);

/* The event of its class: EVENT_JMP or one behind it. */
enum event insnevents_class(const UChar *code, UInt size);

#endif
