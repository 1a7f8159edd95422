# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/cacheconf.c %D%/cacheconf.h \
	%D%/hostdetect.c %D%/hostdetect.h \
	%D%/machineconf.c %D%/machineconf.h \
	%D%/optioncheck.c \
	%D%/optionenv.c \
	%D%/options.c %D%/options.h \
	%D%/optiontable.c %D%/optiontable.h \
	%D%/optionvalue.c %D%/optionvalue.h
