# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/core.c %D%/core.h \
	%D%/operation.h \
	%D%/instructionkey.c %D%/instructionkey.h \
	%D%/instructiontable.c %D%/instructiontable.h \
	%D%/coretables.h
