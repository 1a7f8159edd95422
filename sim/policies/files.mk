# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/mru.c \
	%D%/plru.c \
	%D%/qlru.c
