/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stdio stream that writes to a struct out, for what prints with formats. */
#ifndef CMDS_COMMON_OUTSTREAM_H
#define CMDS_COMMON_OUTSTREAM_H

#include <stdio.h>

#include "writer/out.h"

/* out is borrowed until fclose(); errors stick there too.  NULL if memory ran out. */
FILE *outstream_open(struct out *out);

#endif
