# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/eventview.c %D%/eventview.h \
	%D%/filters.c %D%/filters.h \
	%D%/merged_header.c %D%/merged_header.h \
	%D%/event_remap.c %D%/event_remap.h
