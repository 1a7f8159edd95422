# SPDX-License-Identifier: GPL-3.0-or-later

# Models by the rules alone, which unit tests use, too.
PLAIN_SOURCES = \
	%D%/hierarchy.c %D%/hierarchy.h \
	%D%/plainpredictors.c %D%/plainpredictors.h \
	%D%/plaintlbs.c %D%/plaintlbs.h
ORACLE_SOURCES = %D%/oracle.c $(PLAIN_SOURCES)
