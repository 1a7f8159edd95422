/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What libraries cost, charged to the program's own code.
 *
 * A function is own code if its source file is known and is the program's: neither the object nor the source lies
 * below /usr or /lib, where libraries and their headers are, or in a folder of a compiler's headers (templates of libstdc++
 * compiled into the program), wherever that is installed; neither is one of Python's own modules or packages, or the
 * interpreter; the source has no name that stands for none, such as "<frozen os>", unless that is "<string>" or "<stdin>", as
 * of python -c; and it is not glibc's, linked into a program without shared objects.  All others are of a library.  This is the
 * only rule of that kind: who wants to know asks here.
 *
 * What a function of a library costs is charged to the first own callers on the way up from it.  A profile does not
 * say which caller's calls cost what in a function, so each caller has the share that its calls have of the cost of
 * all calls of the function, as gprof does it: exact where there is one caller.  Functions of libraries that
 * call each other in a circle are one here: only calls from the outside count.  A share that no own code has a part
 * in, as before main(), is nobody's.
 */
#ifndef PROFILE_ANALYSIS_OWNCODE_H
#define PROFILE_ANALYSIS_OWNCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/metric.h"
#include "profile/common/cost.h"
#include "profile/model/model.h"

enum {
	OWNCODE_CALLERS = 64
}; /* own callers of a function that are told apart; the others are `others` */

/* An own function, and its part of what a function of a library costs, above 0 and at most 1. */
struct owncode_caller {
	uint32_t function;
	double part;
};

/* Of a function of a library: the parts of all callers, others and nobody are 1 together. */
struct owncode_share {
	const struct owncode_caller *callers; /* the largest part first; then by number of function */
	size_t n;
	double others, nobody;
};

/* Fields are for reading. */
struct owncode {
	const struct model *model; /* outlives it */
	size_t n_own;              /* functions that are own code */
	bool *is_own;              /* by function */
	/* By function; of own functions n, others and nobody are 0.  Functions of a circle share callers. */
	struct owncode_share *shares;
	/* Values of the metric: by own function, self costs of libraries that are charged to it. */
	int128 *charged;
	int128 others, nobody; /* what is charged to own code that is not told apart, and to none */
	struct arena arena;
};

/*
 * Computes all that, by a metric of the model's events, of a finished model whose costs are not signed.  To be
 * released, also after a failure; returns a status.  Takes time in proportion to calls, times OWNCODE_CALLERS.
 */
int owncode_compute(struct owncode *owncode, const struct model *model,
		    const struct metric *metric);

/* The same, where own code is what is_own says. */
int owncode_compute_by(struct owncode *owncode, const struct model *model,
		       const struct metric *metric,
		       bool (*is_own)(const struct model *model, uint32_t function));

void owncode_release(struct owncode *owncode);

/*
 * Splits a cost, of any event, of a function of a library: of_callers, as many as its share has, others and nobody are
 * whole numbers that add up to it.
 */
void owncode_split(const struct owncode_share *share, int128 cost, int128 *of_callers,
		   int128 *others, int128 *nobody);

/* True if a file lies where libraries and headers of libraries and compilers are installed. */
bool owncode_is_of_system(struct name path);

/* True if a function is own code, as above; if the source, or the object, does not say otherwise. */
bool owncode_is_own(const struct model *model, uint32_t function);
bool owncode_file_is_own(const struct model *model, uint32_t file);
bool owncode_object_is_own(const struct model *model, uint32_t object);

/* True if an object is CPython: python3.11, libpython3.11.so.1.0. */
bool owncode_is_interpreter(struct name object);

/* True if it is a function of a Python program (--python=yes); its source may be a library's. */
bool owncode_is_python(const struct model *model, uint32_t function);

/* The outermost function of Python's imports; MODEL_NO_FUNCTION if nothing was imported. */
uint32_t owncode_python_import(const struct model *model);

/* True if a source is of a module that came with Python, of an installed package, or no file at all (but "<string>", "<stdin>"). */
bool owncode_is_python_library(struct name path);

#endif
