/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What functions of C cost for the functions of a Python program that call them, where no call tree says it.
 *
 * In an interpreter nearly all functions of C call each other through functions of Python, so that an inclusive cost has all
 * that the program does.  What a call of a function of C costs is therefore shared: the part of it that is spent before
 * a function of Python begins is the caller's, the rest is the other function's.  That part is
 *
 *	(self cost + sum of its calls of functions of C, each with its own part) / (self cost + sum of all its calls)
 *
 * and the same for all callers of a function, as a profile does not tell them apart.  What a function of C does for functions
 * of Python is the part of its calls, by cost, that these make, or C below them.
 */
#ifndef PROFILE_ANALYSIS_PYTHONSHARE_H
#define PROFILE_ANALYSIS_PYTHONSHARE_H

#include "profile/analysis/metric.h"
#include "profile/model/model.h"

/*
 * Computes costs, by function and then event, of a finished model whose costs are not signed; parts are by a metric of the
 * model's events.  Of a Python function: its self cost and the cost of C below it; of a C function: its self cost for no
 * function of Python.  The caller frees them.
 */
uint64_t *pythonshare_compute(const struct model *model, const struct metric *metric);

/* The part of a call, above, by function, for C functions; 1 for Python functions.  The caller frees them. */
double *pythonshare_parts(const struct model *model, const struct metric *metric);

/*
 * True of functions that work on imports only: the import system, and what modules of packages do when they are loaded.
 * Functions that these call are not among them: which of their calls are made during imports, shares cannot tell.
 */
bool pythonshare_is_import(const struct model *model, uint32_t function);

#endif
