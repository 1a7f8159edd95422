# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/branches.c \
	%D%/branchlist.c \
	%D%/branchview.c \
	%D%/conditionloads.c

TESTED_COMMAND_SOURCES += \
	%D%/branchcounts.c %D%/branchlist.h
