# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/control.c %D%/control.h \
	%D%/controlreport.c %D%/controlreport.h \
	%D%/costcolumns.c %D%/costcolumns.h \
	%D%/target.c %D%/target.h \
	%D%/monitor_client.c %D%/monitor_client.h \
	%D%/screen.c %D%/screen.h \
	%D%/vgdb.c %D%/vgdb.h \
	%D%/watch.c

TESTED_COMMAND_SOURCES += \
	%D%/derivedcosts.c %D%/derivedcosts.h \
	%D%/hotlist.c %D%/hotlist.h \
	%D%/runstate.c %D%/runstate.h
