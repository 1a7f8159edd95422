# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/callgraph.c %D%/callgraph.h \
	%D%/difference.c %D%/difference.h \
	%D%/inclusive.c %D%/inclusive.h \
	%D%/limit.c %D%/limit.h \
	%D%/metric.c %D%/metric.h
