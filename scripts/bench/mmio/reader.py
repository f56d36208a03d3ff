"""Takes pages while somebody writes them as fast as it can, and looks whether the values in each fit each other.

    reader.py MODULE_FOLDER DIRECTORY COUNT [TORN]    no less, and until TORN copies were refused by their sum alone

The directory holds beside the page a file `done`: the tick of the newest page that was written to its end, u64.
"""

import json
import os
import struct
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import tickmesh_mmio as mmio  # noqa: E402

_ROW = struct.Struct("<8I")


def mixed(tick: int, place: int) -> int:
    h = (tick ^ place * 0x9E3779B9) & 0xFFFFFFFF
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


def row_of(tick: int, first: int) -> bytes:
    return _ROW.pack(*(mixed(tick & 0xFFFFFFFF, first + i) for i in range(8)))


def fits(page: mmio.Page) -> bool:
    tick = page.tick
    return (
        page.mesh_tick == page.genesis_tick + tick
        and page.seals == tick * 7
        and page.requests == tick * 3
        and page.log_root == row_of(tick, 0)
        and page.last_result == row_of(tick, 16)
    )


def main() -> None:
    directory, count, torn = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 0
    node = mmio.Node(directory)
    done = os.open(os.path.join(directory, "done"), os.O_RDONLY)
    pages = distinct = wrong = fell = behind = busy = last = 0
    begin = time.monotonic_ns()
    while pages < count or node.torn < torn:
        newest = int.from_bytes(os.pread(done, 8, 0), "little")
        try:
            page = node.read()
        except mmio.Busy:
            busy += 1
            continue
        if pages == 0:
            print("begins", flush=True)
        pages += 1
        wrong += not fits(page)
        distinct += pages == 1 or page.tick != last
        fell += page.tick < last
        behind = max(behind, newest - page.tick)
        last = page.tick
    said = {"pages": pages, "distinct": distinct, "wrong": wrong, "fell": fell, "behind": behind, "busy": busy}
    said.update({"odd": node.odd, "moved": node.moved, "torn": node.torn, "ns": time.monotonic_ns() - begin})
    print(json.dumps(said))


main()
