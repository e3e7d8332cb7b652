"""Runs a program in a terminal of its own: what comes on standard input is typed there, what it shows goes to standard output."""
import os, pty, select, sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
typing = True
while True:
    ready, _, _ = select.select([terminal] + ([0] if typing else []), [], [])
    if terminal in ready:
        try:
            shown = os.read(terminal, 4096)
        except OSError:
            break
        if not shown:
            break
        os.write(1, shown)
    if 0 in ready:
        typed = os.read(0, 4096)
        typing = bool(typed)
        if typed:
            os.write(terminal, typed)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
