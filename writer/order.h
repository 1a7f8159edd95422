/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to writer/: the order of the lines.  It is kept by two small numbers:
 * how far the part is (enum stage) and how far the call is (enum order_call).  Every
 * function first asks whether it may be called now, then writes, so that
 * nothing need be taken back.
 */
#ifndef WRITER_ORDER_H
#define WRITER_ORDER_H

#include "writer/writer.h"

/* The last thing written of a part, in the order of the file. */
enum stage {
	STAGE_START, /* nothing at all yet */
	STAGE_FORMAT,
	STAGE_VERSION,
	STAGE_CREATOR, /* a part may begin; a further part begins here */
	STAGE_PID,
	STAGE_CMD,
	STAGE_PART,
	STAGE_THREAD,
	STAGE_DESC,
	STAGE_EVENT,
	STAGE_POSITIONS,
	STAGE_EVENTS, /* the header is complete */
	STAGE_SUMMARY,
	STAGE_BODY,
	STAGE_TOTALS,
};

enum order_call {
	CALL_NONE,
	CALL_PLACE,   /* object or file of the callee */
	CALL_NAMED,   /* the callee */
	CALL_COUNTED, /* its cost must follow */
	CALL_JUMP,    /* file of a jump's target: the jump must follow */
};

/* True if the caller may go on.  legal is the condition under which the call is in order. */
static inline bool proceed(struct writer *writer, bool legal)
{
	if (writer->out.error)
		return false;
	if (!legal)
		out_fail(&writer->out, OUT_MISUSE);
	return legal;
}

/* " cost cost ...\n" (writer/body.c) */
void writer_put_costs(struct writer *writer, const uint64_t *costs, size_t n_costs);

#endif
