/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind help events: what the columns of profiles mean. */
#ifndef CMDS_EVENTHELP_H
#define CMDS_EVENTHELP_H

/* Prints it. */
void eventhelp_print(void);

#endif
