# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/hotcode.c %D%/hotcode.h \
	%D%/placement.c %D%/placement.h \
	%D%/remedy.c %D%/remedy.h

TESTED_COMMAND_SOURCES += \
	%D%/loops.c %D%/loops.h
