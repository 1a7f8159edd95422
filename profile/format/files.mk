# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/emit.c %D%/emit.h \
	%D%/reader.c %D%/reader.h \
	%D%/source.c %D%/source.h
