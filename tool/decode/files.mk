# SPDX-License-Identifier: GPL-3.0-or-later

TESTED_TOOL_SOURCES += \
	%D%/insnglance.c \
	%D%/insnprefix.h \
	%D%/insntraits.h \
	%D%/jumpinsn.c %D%/jumpinsn.h

CAPSTONE_SOURCES += \
	%D%/insntraits.c

NO_CAPSTONE_SOURCES += \
	%D%/insnunknown.c
