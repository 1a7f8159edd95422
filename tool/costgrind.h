/* SPDX-License-Identifier: MIT-0 */
/*
 * costgrind.h: requests of a program to the costgrind tool that runs it.
 *
 * This file may be copied into any program, and changed, without any condition.
 * It needs valgrind.h, which comes with Valgrind.  Without the tool, a request takes a
 * few instructions and does nothing.  Requests of callgrind.h and cachegrind.h work too.
 *
 *	COSTGRIND_REGION_BEGIN("parse");
 *	parse(input);
 *	COSTGRIND_REGION_END("parse");
 *
 * Names and texts are C strings; of longer ones than 255 bytes the end is cut off.
 */
#ifndef TOOL_COSTGRIND_H
#define TOOL_COSTGRIND_H

#ifndef __VALGRIND_H
# include <valgrind/valgrind.h>
#endif

/* An interface: numbers stay what they are. */
typedef enum {
	VG_USERREQ__COSTGRIND_DUMP = VG_USERREQ_TOOL_BASE('C', 'S'),
	VG_USERREQ__COSTGRIND_ZERO,
	VG_USERREQ__COSTGRIND_TOGGLE_COLLECT,
	VG_USERREQ__COSTGRIND_START_INSTRUMENTATION,
	VG_USERREQ__COSTGRIND_STOP_INSTRUMENTATION,
	VG_USERREQ__COSTGRIND_REGION_BEGIN,
	VG_USERREQ__COSTGRIND_REGION_END,
	VG_USERREQ__COSTGRIND_WARM_BEGIN,
	VG_USERREQ__COSTGRIND_WARM_END,
	VG_USERREQ__COSTGRIND_COUNTER,
	VG_USERREQ__COSTGRIND_ADD_DESC,
	VG_USERREQ__COSTGRIND_SKIP_OBJECT,
	VG_USERREQ__COSTGRIND_NAME_CODE,
	VG_USERREQ__COSTGRIND_EVICT
} Vg_CostgrindClientRequest;

/*
 * Writes what was counted since the last part as a part of its own; text says why.  It is of all
 * threads, with --separate-threads=yes too, as are zeroes (callgrind.h's requests: of this one).
 */
#define COSTGRIND_DUMP(text) \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_DUMP, (text), 0, 0, 0, 0)

/* Sets all counts to zero. */
#define COSTGRIND_ZERO VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_ZERO, 0, 0, 0, 0, 0)

/* What this thread does is not collected from now on, or it is again. */
#define COSTGRIND_TOGGLE_COLLECT \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_TOGGLE_COLLECT, 0, 0, 0, 0, 0)

/*
 * Counts and simulates, or runs as fast as without a tool.  Caches keep what they have; calls,
 * regions and whether anything is collected are forgotten.
 */
#define COSTGRIND_START_INSTRUMENTATION \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_START_INSTRUMENTATION, 0, 0, 0, 0, 0)
#define COSTGRIND_STOP_INSTRUMENTATION \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_STOP_INSTRUMENTATION, 0, 0, 0, 0, 0)

/*
 * A region of this thread, or of the signal handler that it is in.  Regions nest, and
 * may lie across each other.  Each has a line with its costs in the profile;
 * --collect-region=PATTERN collects what is in regions of such names only.
 */
#define COSTGRIND_REGION_BEGIN(name) \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_REGION_BEGIN, (name), 0, 0, 0, 0)
#define COSTGRIND_REGION_END(name) \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_REGION_END, (name), 0, 0, 0, 0)

/* Between the two, caches and predictors learn, and nothing is collected; they nest. */
#define COSTGRIND_WARM_BEGIN \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_WARM_BEGIN, 0, 0, 0, 0, 0)
#define COSTGRIND_WARM_END \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_WARM_END, 0, 0, 0, 0, 0)

/*
 * How often an event ("Ir", "DLmr") has happened in this thread so far, collected or not, into
 * *count, an unsigned long long.  Derived events work, too: "EstCyc", or "Cyc" in tenths of a
 * cycle.  It never goes back: dumps and zeroes do not change it.  Gives 1, or 0 where it is not
 * counted or there is no tool.
 */
#define COSTGRIND_COUNTER(event, count) \
 VALGRIND_DO_CLIENT_REQUEST_EXPR(0, VG_USERREQ__COSTGRIND_COUNTER, (event), (count), 0, 0, 0)

/* A line "desc: name: text" in the header of each part from now on. */
#define COSTGRIND_ADD_DESC(name, text) \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_ADD_DESC, (name), (text), 0, 0, 0)

/*
 * Functions of objects of such names, as a profile has them, are part of their callers,
 * as with --obj-skip, as far as they have not run yet.
 */
#define COSTGRIND_SKIP_OBJECT(pattern) \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_SKIP_OBJECT, (pattern), 0, 0, 0, 0)

/*
 * Code that the program has made itself, in size bytes from address on, is a function of that
 * name; "" takes the name away.  Of ranges that overlap, the last one counts.  To be said
 * when the code is there and has not run yet, and again when other code is in its place.
 */
#define COSTGRIND_NAME_CODE(address, size, name) \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_NAME_CODE, (address), (size), (name), 0, 0)

/* Takes all lines with any of size bytes from address on out of all caches, so that they miss. */
#define COSTGRIND_EVICT(address, size) \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_EVICT, (address), (size), 0, 0, 0)

#endif
