/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two profiles are threads or parts of one run, and so none the older version of the other. */
#ifndef CMDS_COMMON_ONERUN_H
#define CMDS_COMMON_ONERUN_H

#include "profile/model/model.h"

enum onerun {
	ONERUN_NO,      /* or it is not said */
	ONERUN_THREADS, /* the same part of it, other threads */
	ONERUN_PARTS,
};

/*
 * By what the parts of each say: pid and command are the same, and no part and thread is in
 * both, which would be two runs that happen to have one pid (of --stable, or in containers).
 */
enum onerun onerun_find(const struct model *a, const struct model *b);

#endif
