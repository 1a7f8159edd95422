# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/paths.c \
	%D%/state.h \
	%D%/waits.c %D%/waits.h

TESTED_TOOL_SOURCES += \
	%D%/operations.h

CAPSTONE_SOURCES += \
	%D%/operations.c

NO_CAPSTONE_SOURCES += \
	%D%/operationsunknown.c
