# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/callgraph.c %D%/callgraph.h \
	%D%/difference.c %D%/difference.h \
	%D%/gate.c %D%/gate.h \
	%D%/inclusive.c %D%/inclusive.h \
	%D%/likeness.c %D%/likeness.h \
	%D%/limit.c %D%/limit.h \
	%D%/measure.c %D%/measure.h \
	%D%/pathtree.c %D%/pathtree.h \
	%D%/tally.c %D%/tally.h
