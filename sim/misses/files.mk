# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/curve.c %D%/curve.h
