# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/branching.c %D%/branching.h \
	%D%/lastpath.c %D%/lastpath.h \
	%D%/machinestate.c %D%/machinestate.h \
	%D%/miss_path.c %D%/miss_path.h \
	%D%/missobserver.c %D%/missobserver.h \
	%D%/missreasons.c %D%/missreasons.h \
	%D%/oracle.h \
	%D%/paging.c %D%/paging.h \
	%D%/prefetching.c %D%/prefetching.h \
	%D%/threadcores.c %D%/threadcores.h
