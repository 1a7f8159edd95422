# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/cacheconf.c \
	%D%/machineconf.c %D%/machineconf.h \
	%D%/options.c %D%/options.h \
	%D%/optiontable.c %D%/optiontable.h
