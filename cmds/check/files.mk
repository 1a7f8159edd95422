# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/check.c

TESTED_COMMAND_SOURCES += \
	%D%/features.c %D%/features.h
