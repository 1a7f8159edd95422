# SPDX-License-Identifier: GPL-3.0-or-later
"""type_in_zsh.py FOLDER TEXT...: types each text and a tab into an interactive zsh that finds
completions in FOLDER, and prints what the line is then.
"""
import os
import pty
import re
import select
import sys
import time

SECONDS = 20


class Shell:
    def __init__(self, folder):
        self.output = b""
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", HOME=os.getcwd(), COMPLETIONS=folder)
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.send(
            "PROMPT=; unset zle_bracketed_paste; stty -echo; fpath=($COMPLETIONS $fpath); "
            "autoload -Uz compinit; compinit -u -D; print beg''un\n"
        )
        self.wait(rb"(begun)")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, pattern):
        """What the group of the pattern is in what comes, which is dropped."""
        end = time.time() + SECONDS
        while time.time() < end:
            found = re.search(pattern, self.output)
            if found:
                self.output = self.output[found.end() :]
                return found.group(1).decode()
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.output += os.read(self.terminal, 65536)
        sys.exit("type_in_zsh.py: nothing in %d seconds: %r" % (SECONDS, self.output))

    def complete(self, text):
        # Begin of the line, end of the line: what it is, is printed instead of run.
        self.send(text + "\t\x01print -r -- 'li''ne<\x05>'\n")
        return self.wait(rb"\nline<(.*?)>\r?\n")


shell = Shell(sys.argv[1])
for text in sys.argv[2:]:
    print(shell.complete(text))
