# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/basis.h \
	%D%/column.c %D%/column.h \
	%D%/listing.c %D%/listing.h \
	%D%/nesting.c %D%/nesting.h \
	%D%/relation.c %D%/relation.h \
	%D%/table.c %D%/table.h
