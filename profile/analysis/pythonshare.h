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
 * and the same for all callers of a function, as a profile does not tell them apart.
 */
#ifndef PROFILE_ANALYSIS_PYTHONSHARE_H
#define PROFILE_ANALYSIS_PYTHONSHARE_H

#include "profile/analysis/metric.h"
#include "profile/model/model.h"

/*
 * Computes costs, by function and then event, of a finished model whose costs are not signed: of each function of Python, its
 * self cost and that of C below it, with parts by a metric of the model's events; 0 of other functions.  The caller
 * frees them.
 */
uint64_t *pythonshare_compute(const struct model *model, const struct metric *metric);

#endif
