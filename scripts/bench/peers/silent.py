"""Connections that never read, with buffers as small as a kernel lets them be: `silent.py '<JSON>'`.

The JSON names port, opening, until (what the answer to the opening ends with), count and first. Prints a line once all
are open and keeps them until its input ends. Small segments keep the sender's buffer small too, as over a real
network; on loopback it would be megabytes for each.
"""

import json
import socket
import sys

ADDRESSES = 250
SEGMENT_BYTES = 536
BUFFER_BYTES = 4096

order = json.loads(sys.argv[1])
opened = []
for number in range(order["count"]):
    it = socket.socket()
    it.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
    it.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT_BYTES)
    it.bind((f"127.2.0.{number % ADDRESSES + 1}", 0))
    it.connect(("127.0.0.1", order["port"]))
    it.sendall(order["opening"].encode())
    heard = b""
    while order["until"].encode() not in heard:
        piece = it.recv(1024)
        if not piece:
            break
        heard += piece
    else:
        if not heard.startswith(b"HTTP/") or heard.startswith(b"HTTP/1.1 101"):
            opened.append(it)
print(len(opened), flush=True)
sys.stdin.read()
