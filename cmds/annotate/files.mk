# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/annotate.c %D%/annotate.h \
	%D%/annotated.c %D%/annotated.h \
	%D%/annotation.c %D%/annotation.h \
	%D%/dropin_annotate.c \
	%D%/movedsources.c %D%/movedsources.h \
	%D%/perl_form.c %D%/perl_form.h \
	%D%/perl_functions.c \
	%D%/perl_sources.c \
	%D%/program_totals.c %D%/program_totals.h \
	%D%/python_form.c %D%/python_form.h \
	%D%/python_sources.c \
	%D%/rankbalance.c %D%/rankbalance.h \
	%D%/run_rates.c %D%/run_rates.h \
	%D%/render.c %D%/render.h \
	%D%/render_code.c \
	%D%/render_data.c \
	%D%/render_layout.c \
	%D%/render_objects.c \
	%D%/render_preamble.c \
	%D%/render_prose.c \
	%D%/render_types.c \
	%D%/scriptform.c %D%/scriptform.h \
	%D%/scriptsums.c %D%/scriptsums.h \
	%D%/scriptwords.c %D%/scriptwords.h
