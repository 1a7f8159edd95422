# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/doctor.c \
	%D%/run.c \
	%D%/view.c
