# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/cost.c %D%/cost.h \
	%D%/desc.c %D%/desc.h \
	%D%/dictionary.c %D%/dictionary.h \
	%D%/error.c %D%/error.h \
	%D%/event_names.c %D%/event_names.h \
	%D%/heap.c %D%/heap.h \
	%D%/scan.h \
	%D%/visitor.c %D%/visitor.h
