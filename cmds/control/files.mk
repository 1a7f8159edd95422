# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/control.c %D%/control.h \
	%D%/target.c \
	%D%/vgdb.c \
	%D%/watch.c

TESTED_COMMAND_SOURCES += \
	%D%/runstate.c
