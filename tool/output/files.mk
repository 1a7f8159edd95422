# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/beside.c %D%/beside.h \
	%D%/datafile.c %D%/datafile.h \
	%D%/dump.c %D%/dump.h \
	%D%/fingerprint.c %D%/fingerprint.h \
	%D%/flatfile.c \
	%D%/flow.c %D%/flow.h \
	%D%/graph.c %D%/graph.h \
	%D%/jobrank.c %D%/jobrank.h \
	%D%/machinedescs.c %D%/machinedescs.h \
	%D%/outcome.c %D%/outcome.h \
	%D%/output.c %D%/output.h \
	%D%/part.c %D%/part.h \
	%D%/summary.c %D%/summary.h \
	%D%/treefile.c %D%/treefile.h \
	%D%/unfold.c \
	%D%/writing.c %D%/writing.h
