# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/bodyline.c \
	%D%/emit.c %D%/emit.h \
	%D%/idtable.c %D%/idtable.h \
	%D%/partheader.c \
	%D%/reader.c %D%/reader.h \
	%D%/reading.c %D%/reading.h \
	%D%/source.c %D%/source.h
