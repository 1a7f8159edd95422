# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/curve.c %D%/curve.h \
	%D%/curvedrawing.c \
	%D%/curvelevels.c %D%/curvelevels.h \
	%D%/curvereport.c \
	%D%/curvescope.c %D%/curvescope.h \
	%D%/misscurve.c %D%/misscurve.h
