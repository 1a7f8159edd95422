# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/typecosts.c %D%/typecosts.h \
	%D%/typeplaces.c \
	%D%/typeview.c

TESTED_COMMAND_SOURCES += \
	%D%/typeflow.c \
	%D%/typelayout.c \
	%D%/types.h \
	%D%/typetable.c

TYPE_SOURCES += \
	%D%/typereader.c
