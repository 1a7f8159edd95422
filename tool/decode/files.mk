# SPDX-License-Identifier: GPL-3.0-or-later

TESTED_TOOL_SOURCES += \
	%D%/insnbytes.c %D%/insnbytes.h \
	%D%/insntraits.h \
	%D%/insnwork.h \
	%D%/operations.h \
	%D%/prefetchinsn.c %D%/prefetchinsn.h

CAPSTONE_SOURCES += \
	%D%/insntraits.c \
	%D%/insnwork.c \
	%D%/operations.c

NO_CAPSTONE_SOURCES += \
	%D%/insnunknown.c \
	%D%/insnworkunknown.c \
	%D%/operationsunknown.c
