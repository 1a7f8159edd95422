# SPDX-License-Identifier: GPL-3.0-or-later

ISA_SOURCES += \
	%D%/insnbytes.c %D%/insnbytes.h \
	%D%/insntraits.h \
	%D%/insnwork.h \
	%D%/prefetchinsn.c %D%/prefetchinsn.h \
	%D%/vectorinsn.c %D%/vectorinsn.h

CAPSTONE_SOURCES += \
	%D%/insntraits.c \
	%D%/insnwork.c

NO_CAPSTONE_SOURCES += \
	%D%/insnunknown.c
