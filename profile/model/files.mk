# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/block.c %D%/block.h \
	%D%/build.c %D%/build.h \
	%D%/cursor.c %D%/cursor.h \
	%D%/model.c %D%/model.h \
	%D%/pack.h \
	%D%/walk.c %D%/walk.h
