# SPDX-License-Identifier: GPL-3.0-or-later

# What the report and its fuzz target need too.
TESTED_COMMAND_SOURCES += \
	%D%/column.c %D%/column.h \
	%D%/listing.c %D%/listing.h

COMMAND_SOURCES += %D%/costcells.c %D%/costcells.h
