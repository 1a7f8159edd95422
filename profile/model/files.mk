# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/cost_buffer.c %D%/cost_buffer.h \
	%D%/build.c %D%/build.h \
	%D%/cursor.c \
	%D%/model.c %D%/model.h \
	%D%/segment.h \
	%D%/walk.c %D%/walk.h
