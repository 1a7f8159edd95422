# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/branches.c %D%/branches.h \
	%D%/branchlist.c %D%/branchlist.h \
	%D%/branchreport.c \
	%D%/branchset.c %D%/branchset.h \
	%D%/branchtargets.c %D%/branchtargets.h \
	%D%/branchtexts.c %D%/branchtexts.h \
	%D%/conditionloads.c %D%/conditionloads.h

TESTED_COMMAND_SOURCES += \
	%D%/branchkind.c %D%/branchkind.h
