# SPDX-License-Identifier: GPL-3.0-or-later
"""A debuginfod server on loopback: python3 debuginfod_server.py FOLDER LOG PORTFILE [silent]

It has FOLDER/BUILDID/{executable,debuginfo} and FOLDER/BUILDID/source/PATH. Each request is a line of LOG.
A silent one takes connections, and never answers.
"""
import http.server
import os
import socket
import sys
import time

folder, log, port_file = sys.argv[1:4]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(log, 'a') as out:
            out.write(self.path + '\n')
        path = folder + self.path[len('/buildid'):]
        if not self.path.startswith('/buildid/') or not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, 'rb') as file:
            data = file.read()
        self.send_response(200)
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


def tell(port):
    with open(port_file + '.new', 'w') as out:
        out.write(str(port))
    os.rename(port_file + '.new', port_file)


if sys.argv[4:] == ['silent']:
    listener = socket.create_server(('127.0.0.1', 0))
    tell(listener.getsockname()[1])
    time.sleep(120)
else:
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    tell(server.server_address[1])
    server.serve_forever()
