# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/dumpfiles.c %D%/dumpfiles.h \
	%D%/generated.c %D%/generated.h \
	%D%/growingfile.c %D%/growingfile.h \
	%D%/mapfile.c %D%/mapfile.h \
	%D%/naming.c %D%/naming.h \
	%D%/objectlines.c %D%/objectlines.h \
	%D%/objectlist.c %D%/objectlist.h \
	%D%/state.h

# Of nothing but bytes.
TESTED_TOOL_SOURCES += \
	%D%/codename.c %D%/codename.h \
	%D%/jitdump.c %D%/jitdump.h \
	%D%/perfmap.c %D%/perfmap.h
