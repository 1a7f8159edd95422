# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/placement.c \
	%D%/placementview.c

TESTED_COMMAND_SOURCES += \
	%D%/loops.c %D%/placement.h
