# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/merge.c

TESTED_COMMAND_SOURCES += \
	%D%/merger.c %D%/merger.h
