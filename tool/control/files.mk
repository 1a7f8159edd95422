# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/control.c %D%/control.h \
	%D%/monitor.c %D%/monitor.h \
	%D%/request.c %D%/request.h \
	%D%/selfcost.c %D%/selfcost.h \
	%D%/status.c %D%/status.h
