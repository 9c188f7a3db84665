"""Runs commands in a network namespace of their own and records whom they look up and connect to.

Run as a program by `test_nobody_is_called.py`, inside the namespace: `unshare --net --mount … alone_in_a_network.py
<folder> <command as JSON> …`. Every address is this machine, every name is answered by it, its web ports are listened
to, and every packet is looked at: so that whoever asks for somebody outside is heard, native libraries too. Prints what
it heard as JSON.
"""

import ipaddress
import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

_PORTS = (80, 443)
_ALL_PROTOCOLS = 3
_ANSWER = socket.inet_aton("203.0.113.1")  # RFC 5737: of documentation, nobody's
_LAST = "192.0.2.1"


def set_up(folder: Path) -> None:
    """Raises `CalledProcessError` where the system does not let us."""
    names = folder / "resolv.conf"
    names.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    for command in (
        ["ip", "link", "set", "lo", "up"],
        ["ip", "route", "add", "local", "default", "dev", "lo"],
        ["mount", "--bind", str(names), str(Path("/etc/resolv.conf").resolve())],
    ):
        subprocess.run(command, check=True, capture_output=True)


def answer_names(heard: list[str]) -> None:
    """Answer every question for a name with an address, and note the name."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("0.0.0.0", 53))

    def run() -> None:
        while True:
            query, sender = server.recvfrom(4096)
            name, place = [], 12
            while length := query[place]:
                name.append(query[place + 1 : place + 1 + length].decode("ascii", "replace"))
                place += length + 1
            heard.append(f"name {'.'.join(name)}")
            question, is_ipv4 = query[12 : place + 5], query[place + 1 : place + 3] == b"\0\1"
            reply = query[:2] + b"\x81\x80\0\1" + (b"\0\1" if is_ipv4 else b"\0\0") + b"\0\0\0\0" + question
            server.sendto(reply + (b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + _ANSWER if is_ipv4 else b""), sender)

    threading.Thread(target=run, daemon=True).start()


def answer_connections(port: int) -> None:
    """Whoever connects is let in, so that whatever comes of it is seen, and hears nothing."""
    server = socket.create_server(("0.0.0.0", port))

    def run() -> None:
        while True:
            server.accept()[0].close()

    threading.Thread(target=run, daemon=True).start()


def note_packets(heard: list[str]) -> None:
    """Note the address of whatever is sent to another than this machine, by any protocol and to any port."""
    every = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL_PROTOCOLS))
    every.bind(("lo", _ALL_PROTOCOLS))

    def run() -> None:
        while True:
            packet = every.recv(2048)
            to = ipaddress.ip_address(packet[24:40] if packet[0] >> 4 == 6 else packet[16:20])
            if not to.is_loopback and f"packet to {to}" not in heard:
                heard.append(f"packet to {to}")

    threading.Thread(target=run, daemon=True).start()


def wait_for_the_last(heard: list[str]) -> None:
    """Until every packet so far has been looked at, by one that comes after them."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
        last.sendto(b"last", (_LAST, 9))
    while f"packet to {_LAST}" not in heard:
        time.sleep(0.01)
    heard.remove(f"packet to {_LAST}")


def main() -> None:
    folder, commands = Path(sys.argv[1]), [json.loads(each) for each in sys.argv[2:]]
    try:
        set_up(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stdout.write(json.dumps({"refused": f"{error} {getattr(error, 'stderr', b'')!r}"}))
        return
    heard: list[str] = []
    answer_names(heard)
    note_packets(heard)
    for port in _PORTS:
        answer_connections(port)
    results = []
    for command in commands:
        heard.clear()
        ended = subprocess.run(command, capture_output=True, text=True, timeout=1500, check=False)
        wait_for_the_last(heard)
        results.append(
            {
                "code": ended.returncode,
                "printed": (ended.stdout + ended.stderr)[-20_000:],
                "heard": list(heard),
            }
        )
    left = {
        name: sorted(str(path.relative_to(os.environ[name])) for path in Path(os.environ[name]).rglob("*"))
        for name in ("HOME", "TMPDIR")
    }
    sys.stdout.write(json.dumps({"results": results, "left": left}))


if __name__ == "__main__":
    main()
