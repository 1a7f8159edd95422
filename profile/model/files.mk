# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/build.c %D%/build.h \
	%D%/model.c %D%/model.h \
	%D%/segment.c %D%/segment.h
