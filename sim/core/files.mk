# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/core.c %D%/core.h \
	%D%/instructiontable.c %D%/instructiontable.h
