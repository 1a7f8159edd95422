# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/objectcosts.c \
	%D%/objectfiles.c \
	%D%/objects.h \
	%D%/objecttypes.c \
	%D%/objectview.c

TESTED_COMMAND_SOURCES += \
	%D%/objectname.c
