# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/annotate.c %D%/annotate.h \
	%D%/annotated.c %D%/annotated.h \
	%D%/annotation.c %D%/annotation.h \
	%D%/movedsources.c %D%/movedsources.h \
	%D%/rankbalance.c %D%/rankbalance.h \
	%D%/run_rates.c %D%/run_rates.h \
	%D%/render.c %D%/render.h \
	%D%/render_code.c \
	%D%/render_data.c \
	%D%/render_layout.c \
	%D%/render_objects.c \
	%D%/render_preamble.c \
	%D%/render_prose.c \
	%D%/render_types.c
