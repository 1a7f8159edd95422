# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/int128.c %D%/int128.h \
	%D%/arena.c %D%/arena.h \
	%D%/bytes.c %D%/bytes.h \
	%D%/cost.h \
	%D%/curve_desc.h \
	%D%/definitions.c %D%/definitions.h \
	%D%/dictionary.c %D%/dictionary.h \
	%D%/error.c %D%/error.h \
	%D%/event_names.c %D%/event_names.h \
	%D%/filename.c %D%/filename.h \
	%D%/heap.c %D%/heap.h \
	%D%/namedfile.c %D%/namedfile.h \
	%D%/rank_set.c %D%/rank_set.h \
	%D%/run_facts.c %D%/run_facts.h \
	%D%/scan.h \
	%D%/visitor.c %D%/visitor.h
