"""A dialogue at a pseudo-terminal: terminal.py COMMAND LINE...

Each line is typed when the prompt is there; ^D ends the input, ^C at the end of a line is typed
after it.  Prints what the terminal shows, how the command ended, and whether the terminal is then in
the mode in which it was.
"""
import os
import pty
import select
import signal
import sys
import termios
import time

PATIENCE = 20  # seconds


def show_until(master, ending, process):
    """What the terminal shows until it ends in `ending`, or the command ends."""
    shown = b""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not shown.endswith(ending):
        ready, _, _ = select.select([master], [], [], 0.05)
        if ready:
            try:
                more = os.read(master, 4096)
            except OSError:  # no one has the terminal any more
                break
            if not more:
                break
            shown += more
    sys.stdout.write(shown.decode().replace("\r", ""))
    return shown.endswith(ending)


def main():
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    process = os.fork()
    if process == 0:
        os.setsid()
        os.close(master)
        # The first terminal that a session opens is the one that sends it signals.
        terminal = os.open(os.ttyname(slave), os.O_RDWR)
        for stream in range(3):
            os.dup2(terminal, stream)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp("sh", ["sh", "-c", "exec " + sys.argv[1]])
    for line in sys.argv[2:]:
        if not show_until(master, b"> ", process):
            print("no prompt before", line)
            break
        if line == "^D":
            os.write(master, b"\x04")
        elif line.endswith("^C"):
            text = line[:-2].strip()
            if text:
                os.write(master, text.encode() + b"\n")
                time.sleep(0.3)  # it is at work
            os.write(master, b"\x03")
        else:
            os.write(master, line.encode() + b"\n")
    end = time.monotonic() + PATIENCE
    while True:
        done, how = os.waitpid(process, os.WNOHANG)
        if done or time.monotonic() > end:
            break
        time.sleep(0.02)
    if not done:
        os.kill(process, signal.SIGKILL)
        done, how = os.waitpid(process, 0)
        print("\nit did not end")
    after = termios.tcgetattr(slave)
    os.close(slave)
    show_until(master, b"\0", process)
    print()
    if os.WIFSIGNALED(how):
        print("ended by", signal.Signals(os.WTERMSIG(how)).name)
    else:
        print("ended with status", os.WEXITSTATUS(how))
    print("terminal as it was" if after == before else "the terminal has changed")


main()
