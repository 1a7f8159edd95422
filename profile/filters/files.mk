# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/filters.c %D%/filters.h \
	%D%/merged_header.c %D%/merged_header.h
