# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/objectcosts.c %D%/objectcosts.h \
	%D%/objectfiles.c %D%/objectfiles.h \
	%D%/objectmembers.c %D%/objectmembers.h \
	%D%/objecttypes.c %D%/objecttypes.h \
	%D%/objectview.c %D%/objectview.h \
	%D%/variablename.c %D%/variablename.h

TESTED_COMMAND_SOURCES += \
	%D%/objectname.c %D%/objectname.h
