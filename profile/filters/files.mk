# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/algebra.c %D%/algebra.h \
	%D%/heading.c %D%/heading.h \
	%D%/narrow.c %D%/narrow.h \
	%D%/relabel.c %D%/relabel.h
