# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/curve.c %D%/curve.h \
	%D%/curveview.c \
	%D%/misscurve.c
