/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the program asks for: the client requests of callgrind.h, cachegrind.h
 * and costgrind.h, number for number.
 */
#ifndef TOOL_CONTROL_REQUEST_H
#define TOOL_CONTROL_REQUEST_H

/* Has the core hand requests over, monitor commands (tool/control/monitor.h) among them; in pre_clo_init. */
void request_register(void);

#endif
