# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/datafile.c \
	%D%/descs.c %D%/descs.h \
	%D%/dump.c \
	%D%/flatfile.c \
	%D%/graph.c %D%/graph.h \
	%D%/outcome.c \
	%D%/output.c %D%/output.h \
	%D%/summary.c \
	%D%/treefile.c \
	%D%/unfold.c
