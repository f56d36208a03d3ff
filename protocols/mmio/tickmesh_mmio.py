#!/usr/bin/env python3
"""Reads the register page of a tickmesh node, and asks the node for something. Python 3.9 or later, nothing else.

Made by scripts/mmio.ts from protocols/mmio.json; changes here are lost.

The node writes `mmio.bin`, once a tick of 777,000,777 ns and when a request is done; its owner writes `mmio.ctl`.
A page may change while it is read: `Node.read` takes copies until one is whole, and every number in a `Page` is of one
moment. One `Node` serves one thread.

    with Node("/run/tickmesh") as node:
        page = node.read()
        print(page.tick, VALUES["mode"][page.mode], node.alive())

By hand:

    python tickmesh_mmio.py DIRECTORY                     the page, a register a line; --json for JSON
    python tickmesh_mmio.py DIRECTORY watch               a line for each page, until interrupted
    python tickmesh_mmio.py DIRECTORY ring contributing   asks for a mode and waits for the answer
    python tickmesh_mmio.py DIRECTORY acknowledge tick sealed
    python tickmesh_mmio.py DIRECTORY mask tick           these wake nobody who waits over HTTP; none: no mask

DIRECTORY holds both files; the path of the page does as well. Exit status: 0; 1 for a request that was refused or not
answered, and for a node that is gone; 2 for wrong words; 3 where no page can be read.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import stat
import struct
import sys
import time
from dataclasses import dataclass, fields
from typing import Dict, Iterable, List, Optional, Tuple, Union

#: Bytes of either file, and of the page up to the end of its last register.
PAGE_BYTES = 4096
USED_BYTES = 480
#: The layout version that this module knows.
LAYOUT_VERSION = 1
#: SHA-256 of the table this module was made from.
LAYOUT_DIGEST = bytes.fromhex("ac4654464041af015e5ec1f1bc3f517a115b907dfd7716d5974d8ce9db9f2b67")
MAGIC = bytes.fromhex("544d4b4d4d494f31")
#: Length of a tick in nanoseconds.
TICK_NS = 777000777
CRC_AT = slice(8, 12)
LAYOUT_VERSION_AT = slice(12, 14)
MAGIC_AT = slice(16, 24)

#: Copies that `Node.read` takes beside the first before it raises `Busy`.
TRIES = 64
#: Ticks in which the tick must move, or an odd word change, or the node is gone.
GONE_TICKS = 4
#: The same in nanoseconds.
GONE_NS = GONE_TICKS * TICK_NS

#: Registers of `mmio.bin`: offset and width in bytes, type, unit, who sees it over HTTP, meaning.
PAGE_ROWS: Dict[str, Tuple[int, int, str, Optional[str], str, str]] = {
    "seqlock": (0, 8, "u64", None, "all", "odd while written"),
    "crc": (8, 4, "u32", None, "all", "CRC-32C of bytes 16 to 4,095"),
    "layout_version": (12, 2, "u16", None, "all", "version of this layout"),
    "magic": (16, 8, "bytes", None, "all", "the ASCII letters TMKMMIO1"),
    "layout_digest": (24, 32, "bytes", None, "all", "SHA-256 of mmio.json, byte for byte"),
    "genesis_ns": (56, 8, "u64", "ns", "all", "start of the genesis tick, Unix time"),
    "genesis_tick": (64, 8, "u64", "tick", "all", "mesh tick of the genesis"),
    "tick": (72, 8, "u64", "tick", "all", "the node's own tick"),
    "mesh_tick": (80, 8, "u64", "tick", "all", "the mesh's tick"),
    "tick_ns": (88, 8, "u64", "ns", "all", "length of a tick"),
    "phase": (96, 8, "f64", None, "all", "how far into the tick the page was written, from 0 to below 1"),
    "r_t": (104, 8, "f64", None, "all", "modulation of the pulse at that moment, for S = 1"),
    "monotonic_ns": (112, 8, "u64", "ns", "all", "the machine's monotonic clock at that moment"),
    "state": (128, 4, "u32", "bits", "all", "how the node stands"),
    "mode": (132, 4, "u32", None, "all", "what the node does with its threads"),
    "peers": (136, 4, "u32", None, "all", "peers connected"),
    "witnesses": (140, 4, "u32", None, "all", "witnesses that cosigned the newest checkpoint"),
    "jobs_running": (144, 4, "u32", None, "all", "own computations that run"),
    "jobs_waiting": (148, 4, "u32", None, "all", "own computations that wait for a thread"),
    "work_running": (152, 4, "u32", None, "all", "works that run for other nodes"),
    "disputes_open": (156, 4, "u32", None, "all", "disputes open over works of this node"),
    "queue_heat": (160, 4, "f32", "1", "all", "computations waiting over those that may wait, from 0 to 1"),
    "seals": (168, 8, "u64", None, "all", "results sealed since the genesis"),
    "refusals": (176, 8, "u64", None, "all", "computations refused since the genesis"),
    "checkpoints": (184, 8, "u64", None, "all", "checkpoints of the seal log since the genesis"),
    "log_size": (192, 8, "u64", "leaf", "all", "durable leaves of the seal log"),
    "log_root": (200, 32, "bytes", None, "all", "root of the newest checkpoint of the seal log"),
    "last_seal": (232, 32, "bytes", None, "all", "leaf hash of the newest sealed result"),
    "last_result": (264, 32, "bytes", None, "owner", "digest of that result"),
    "credits_free": (320, 8, "u64", "credit", "owner", "free credits"),
    "credits_paid": (328, 8, "u64", "credit", "owner", "paid credits"),
    "coins": (336, 8, "u64", "credit", "owner", "coins"),
    "bond_count": (344, 4, "u32", None, "owner", "envelopes bonded"),
    "bond_state": (348, 4, "u32", None, "owner", "how the bond stands"),
    "unlocks_at": (352, 8, "u64", "tick", "owner", "mesh tick at which a released bond is free; 0 for none"),
    "zid": (360, 40, "text", None, "owner", "the identity whose values these are; ASCII, zeros behind"),
    "irq_status": (448, 4, "u32", "bits", "all", "interrupts that nobody acknowledged yet"),
    "irq_acked": (452, 4, "u32", "bits", "all", "the word of irq_ack that was acted on last"),
    "error": (456, 4, "u32", "code", "all", "fault of the newest request: the number of its code, from 1; 0 when it was done"),
    "error_tick_low": (460, 4, "u32", "tick", "all", "low half of the node's tick of the newest fault"),
    "doorbell_done": (464, 8, "u64", None, "all", "the doorbell that was acted on last"),
    "requests": (472, 8, "u64", None, "all", "requests acted on"),
}

#: Words of `mmio.ctl`: offset and width in bytes, type, unit, who sees it over HTTP, meaning.
CONTROL_ROWS: Dict[str, Tuple[int, int, str, Optional[str], str, str]] = {
    "doorbell": (0, 8, "u64", None, "owner", "raised after the words of a request were written"),
    "request": (8, 4, "u32", None, "owner", "what is asked for"),
    "argument": (12, 4, "u32", None, "owner", "which mode"),
    "irq_mask": (16, 4, "u32", "bits", "owner", "interrupts that wake nobody who waits over HTTP"),
    "irq_ack": (20, 4, "u32", "bits", "owner", "interrupts to be cleared; each change of the word counts once"),
}

#: Names of bits, from 0, by the register.
BITS: Dict[str, Tuple[str, ...]] = {
    "state": ("ready", "clock_behind", "held", "stopping", "store_failed"),
    "irq_status": ("tick", "sealed", "challenge", "ruling", "withheld", "peer_lost", "refusal", "error"),
    "irq_acked": ("tick", "sealed", "challenge", "ruling", "withheld", "peer_lost", "refusal", "error"),
    "irq_mask": ("tick", "sealed", "challenge", "ruling", "withheld", "peer_lost", "refusal", "error"),
    "irq_ack": ("tick", "sealed", "challenge", "ruling", "withheld", "peer_lost", "refusal", "error"),
}

#: Names of values, from 0, by the register.
VALUES: Dict[str, Tuple[str, ...]] = {
    "mode": ("idle", "contributing", "experimenting"),
    "bond_state": ("none", "bonded", "released", "withheld"),
    "request": ("none", "mode"),
    "argument": ("idle", "contributing", "experimenting"),
}

#: Refusals by their number in the register `error`, from 1: more may be added behind these, none moves.
ERRORS: Tuple[str, ...] = (
    "INVALID_INPUT",
    "MALFORMED_REQUEST",
    "MALFORMED_JSON",
    "NOT_CANONICAL",
    "EXPANDS_TOO_FAR",
    "DIGEST_MISMATCH",
    "BAD_SIGNATURE",
    "BAD_PUBLIC_KEY",
    "UNKNOWN_OPERATOR",
    "OPERATOR_LIMIT_EXCEEDED",
    "CONSENT_REQUIRED",
    "MISSING_INPUTS",
    "AMBIGUOUS_INPUT",
    "RELATION_REFUSED",
    "DIMENSION_MISMATCH",
    "OUT_OF_RANGE",
    "UNSTABLE_STEP",
    "ILL_POSED",
    "WORK_LIMIT_EXCEEDED",
    "NOT_STEPPABLE",
    "INVALID_SLUG",
    "UNAUTHENTICATED",
    "MISSING_HANDSHAKE",
    "BAD_HANDSHAKE",
    "STALE_HANDSHAKE",
    "INSUFFICIENT_BALANCE",
    "SCOPE_REQUIRED",
    "ORIGIN_REFUSED",
    "NOT_FOUND",
    "CONSTANT_NOT_FOUND",
    "UNKNOWN_ZID",
    "NO_BLOCK_AT_TICK",
    "METHOD_NOT_ALLOWED",
    "NOT_ACCEPTABLE",
    "HEADER_TOO_SLOW",
    "BODY_TOO_SLOW",
    "IDEMPOTENCY_KEY_REUSED",
    "IDEMPOTENCY_IN_PROGRESS",
    "SLUG_TAKEN",
    "MACHINE_NOT_ACTIVE",
    "SOULBOUND",
    "TOO_FEW",
    "SUPERSEDED",
    "OP_EXPIRED",
    "ENVELOPE_LOCKED",
    "VOTE_CLOSED",
    "SIDE_FIXED",
    "TOO_LATE",
    "BOND_TOO_SMALL",
    "ALREADY_BONDED",
    "NOT_BONDED",
    "BOND_FULL",
    "JOB_CANCELLED",
    "JOB_FINISHED",
    "REACTOR_BUSY",
    "REACTOR_ENDED",
    "STEP_TAKEN",
    "NOT_SEALED_YET",
    "NOT_ELIGIBLE",
    "CHALLENGE_SPENT",
    "GONE",
    "BODY_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "HOST_REFUSED",
    "PRECISION_NOT_MET",
    "ENERGY_NOT_CONSERVED",
    "DID_NOT_CONVERGE",
    "HEADER_TOO_LARGE",
    "RATE_LIMITED",
    "DAILY_LIMIT_EXCEEDED",
    "CLOCK_BEHIND",
    "LOG_ROLLED_BACK",
    "LOG_UNCONFIRMED",
    "MESH_SECRET_MISSING",
    "HOME_UNREACHABLE",
    "NODE_UNREACHABLE",
    "NO_WORKER",
    "NODE_BUSY",
    "WORKER_LOST",
    "NODE_STOPPING",
    "STORE_FAILED",
    "CONTRACT_INVALID",
    "TARGET_REFUSED",
    "SECRET_UNKNOWN",
    "NO_TRANSITION",
    "GUARD_FALSE",
    "CONTRACT_FROZEN",
    "CONTRACT_FIRING",
    "VERSION_CONFLICT",
    "NOTHING_TO_SKIP",
    "BUDGET_SPENT",
    "TOKEN_EXISTS",
    "CAPACITY_EXCEEDED",
    "SUPPLY_EXHAUSTED",
    "TX_REPLAYED",
    "TEMPLATE_INVALID",
    "TICK_TAKEN",
    "CHANNEL_CLOSED",
    "LINK_EXPIRED",
    "PUBLIC_KEY_REQUIRED",
    "UPGRADE_REQUIRED",
)


class NoPage(Exception):
    """No page was read."""


class Busy(NoPage):
    """No copy was whole: the node is writing just now, or died while it did; `Node.alive` tells which."""


class Foreign(NoPage):
    """No register page, or none yet."""


class OtherLayout(NoPage):
    """A register page, of a version that this module does not know."""


@dataclass
class Page:
    """Every register of one page."""

    #: odd while written
    seqlock: int
    #: CRC-32C of bytes 16 to 4,095
    crc: int
    #: version of this layout
    layout_version: int
    #: the ASCII letters TMKMMIO1
    magic: bytes
    #: SHA-256 of mmio.json, byte for byte
    layout_digest: bytes
    #: start of the genesis tick, Unix time; ns
    genesis_ns: int
    #: mesh tick of the genesis; tick
    genesis_tick: int
    #: the node's own tick; tick
    tick: int
    #: the mesh's tick; tick
    mesh_tick: int
    #: length of a tick; ns
    tick_ns: int
    #: how far into the tick the page was written, from 0 to below 1
    phase: float
    #: modulation of the pulse at that moment, for S = 1
    r_t: float
    #: the machine's monotonic clock at that moment; ns
    monotonic_ns: int
    #: how the node stands
    state: int
    #: what the node does with its threads (0 idle, 1 contributing, 2 experimenting)
    mode: int
    #: peers connected
    peers: int
    #: witnesses that cosigned the newest checkpoint
    witnesses: int
    #: own computations that run
    jobs_running: int
    #: own computations that wait for a thread
    jobs_waiting: int
    #: works that run for other nodes
    work_running: int
    #: disputes open over works of this node
    disputes_open: int
    #: computations waiting over those that may wait, from 0 to 1; 1
    queue_heat: float
    #: results sealed since the genesis
    seals: int
    #: computations refused since the genesis
    refusals: int
    #: checkpoints of the seal log since the genesis
    checkpoints: int
    #: durable leaves of the seal log; leaf
    log_size: int
    #: root of the newest checkpoint of the seal log
    log_root: bytes
    #: leaf hash of the newest sealed result
    last_seal: bytes
    #: digest of that result
    last_result: bytes
    #: free credits; credit
    credits_free: int
    #: paid credits; credit
    credits_paid: int
    #: coins; credit
    coins: int
    #: envelopes bonded
    bond_count: int
    #: how the bond stands (0 none, 1 bonded, 2 released, 3 withheld)
    bond_state: int
    #: mesh tick at which a released bond is free; 0 for none; tick
    unlocks_at: int
    #: the identity whose values these are; ASCII, zeros behind
    zid: str
    #: interrupts that nobody acknowledged yet
    irq_status: int
    #: the word of irq_ack that was acted on last
    irq_acked: int
    #: fault of the newest request: the number of its code, from 1; 0 when it was done; code
    error: int
    #: low half of the node's tick of the newest fault; tick
    error_tick_low: int
    #: the doorbell that was acted on last
    doorbell_done: int
    #: requests acted on
    requests: int

    def same_layout(self) -> bool:
        """Whether the page has this module's registers and no more: another digest says that rows were added."""
        return self.layout_digest == LAYOUT_DIGEST

    def answered(self, doorbell: int) -> bool:
        """Whether a doorbell that `Node.ring` gave was acted on."""
        return self.doorbell_done >= doorbell

    def as_json(self) -> Dict[str, Union[int, float, str]]:
        """The registers as JSON has them over HTTP: bytes as hex, 64-bit numbers as digits."""
        shown: Dict[str, Union[int, float, str]] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bytes):
                shown[field.name] = value.hex()
            else:
                shown[field.name] = str(value) if PAGE_ROWS[field.name][2] == "u64" else value
        return shown


def bits_of(word: int, names: Iterable[str]) -> List[str]:
    """Names of the bits that are set in a word."""
    return [name for bit, name in enumerate(names) if word >> bit & 1]


def word_of(chosen: Iterable[str], names: Tuple[str, ...]) -> int:
    """The word in which these bits are set. Raises ValueError for a name that no bit has."""
    word = 0
    for name in chosen:
        word |= 1 << names.index(name)
    return word


_REGISTERS = struct.Struct("<QIH2x8s32sQQQQQddQ8xIIIIIIIIf4xQQQQ32s32s32s24xQQQIIQ40s48xIIIIQQ")


def unpack(copy: bytes) -> Page:
    """The registers of a copy, whole or not."""
    values = list(_REGISTERS.unpack_from(copy))
    values[35] = values[35].split(b"\0", 1)[0].decode("latin-1")
    return Page(*values)


#: What is summed: the registers in use, and behind them bytes that are zero in every page of this layout.
_SUM_FROM = 16
_ZEROS = bytes(PAGE_BYTES - USED_BYTES)
_WORDS = struct.Struct("<%dH" % ((USED_BYTES - _SUM_FROM) // 2))
_TAIL_WORDS = struct.Struct("<%dH" % ((PAGE_BYTES - USED_BYTES) // 2))


def _byte_table() -> List[int]:
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ 0x82F63B78 if n & 1 else n >> 1
        table.append(n)
    return table


def _word_table(of_bytes: List[int]) -> List[int]:
    """What CRC-32C makes of the low 16 bits in one step."""
    table = []
    for n in range(0x10000):
        n = (n >> 8) ^ of_bytes[n & 0xFF]
        table.append((n >> 8) ^ of_bytes[n & 0xFF])
    return table


_TABLE = _word_table(_byte_table())


def _over_zeros(state: int) -> int:
    """What a sum becomes by the zeros behind the registers, word by word."""
    for _ in range(len(_ZEROS) // 2):
        state = _TABLE[state & 0xFFFF] ^ (state >> 16)
    return state


def _zeros_tables() -> Tuple[List[int], List[int]]:
    """The same in one step, by the low and the high half of the sum: over GF(2) it is a linear map of 32 bits."""
    of_bits = [_over_zeros(1 << bit) for bit in range(32)]
    halves = []
    for half in (of_bits[:16], of_bits[16:]):
        table = [0]
        for of_bit in half:
            table += [entry ^ of_bit for entry in table]
        halves.append(table)
    return halves[0], halves[1]


_LOW, _HIGH = _zeros_tables()


def page_sum(copy: bytes) -> int:
    """CRC-32C of bytes 16 to 4,095 of a copy: what the register `crc` must hold."""
    table = _TABLE
    state = 0xFFFFFFFF
    for word in _WORDS.unpack_from(copy, _SUM_FROM):
        state = table[(state ^ word) & 0xFFFF] ^ (state >> 16)
    if copy[USED_BYTES:] == _ZEROS:
        return _LOW[state & 0xFFFF] ^ _HIGH[state >> 16] ^ 0xFFFFFFFF
    for word in _TAIL_WORDS.unpack_from(copy, USED_BYTES):
        state = table[(state ^ word) & 0xFFFF] ^ (state >> 16)
    return state ^ 0xFFFFFFFF


def _open_file(path: str, flags: int) -> int:
    """Opens a file of exactly one page. Raises Foreign, OSError."""
    file = os.open(path, flags | os.O_CLOEXEC)
    found = os.fstat(file)
    if stat.S_ISREG(found.st_mode) and found.st_size == PAGE_BYTES:
        return file
    os.close(file)
    raise Foreign("%s is no file of %d bytes" % (path, PAGE_BYTES))


class Node:
    """A node's two files, given by their directory or by the path of the page.

    The page is mapped; with `pread=True` it is read by `os.pread`. A node never cuts its page; where another program
    may, `pread` is the safer way, since who has mapped a file that is cut dies of SIGBUS. A file that was removed is
    made again, as another file: where the node seems gone, close, open and look again.
    Raises Foreign where the file is no page, OSError.
    """

    def __init__(self, path: str, pread: bool = False) -> None:
        is_directory = os.path.isdir(path)
        self.path = os.path.join(path, "mmio.bin") if is_directory else path
        self.control = os.path.join(path if is_directory else os.path.dirname(path) or ".", "mmio.ctl")
        self._file = _open_file(self.path, os.O_RDONLY)
        self._map: Optional[mmap.mmap] = None
        if not pread:
            self._map = mmap.mmap(self._file, PAGE_BYTES, mmap.MAP_SHARED, mmap.PROT_READ)
        #: Copies that were refused: because the word was odd; because it moved; because the sum did not fit.
        self.odd = self.moved = self.torn = 0
        self._tick: Optional[int] = None
        self._tick_since = 0
        self._word: Optional[int] = None
        self._word_since = 0

    def __enter__(self) -> "Node":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what was opened."""
        if self._map is not None:
            self._map.close()
        os.close(self._file)

    def _bytes(self, count: int) -> bytes:
        return self._map[:count] if self._map is not None else os.pread(self._file, count, 0)

    def _seqlock(self) -> int:
        word = self._bytes(8)
        # A file that was cut holds no word: as if it were being written.
        return int.from_bytes(word, "little") if len(word) == 8 else 1

    def copy(self) -> bytes:
        """Takes one copy of the page between two loads of the seqlock word. Raises Busy, Foreign, OtherLayout."""
        before = self._seqlock()
        if before & 1:
            self.odd += 1
            raise Busy("the page is being written")
        copy = self._bytes(PAGE_BYTES)
        if self._seqlock() != before:
            self.moved += 1
            raise Busy("the page changed meanwhile")
        if len(copy) != PAGE_BYTES or copy[MAGIC_AT] != MAGIC:
            raise Foreign("%s is no register page" % self.path)
        if int.from_bytes(copy[:8], "little") != before or int.from_bytes(copy[CRC_AT], "little") != page_sum(copy):
            self.torn += 1
            raise Busy("the sum does not fit")
        if int.from_bytes(copy[LAYOUT_VERSION_AT], "little") != LAYOUT_VERSION:
            raise OtherLayout("%s has another layout" % self.path)
        return copy

    def read(self) -> Page:
        """Takes a whole page: copies are taken, up to 64 times more than once, until the two loads of the seqlock
        word agree and are even and the sum fits. Raises Busy, Foreign, OtherLayout."""
        for again in range(TRIES + 1):
            if again > TRIES // 8:
                time.sleep(0)
            try:
                return unpack(self.copy())
            except Busy:
                if again == TRIES:
                    raise
        raise AssertionError("the last try returns or raises")

    def alive(self) -> bool:
        """Whether the node is there: False once its tick has not moved, or its word has been one and the same odd
        number, for 4 ticks by the monotonic clock. It looks once and does not wait, so ask at least once a tick. At the
        first look `monotonic_ns` tells how old the page is."""
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        try:
            page = self.read()
        except NoPage:
            word = self._seqlock()
            if word != self._word:
                self._word_since = now
            self._word = word
            return now - self._word_since < GONE_NS
        self._word = None
        if self._tick is None:
            self._tick_since = page.monotonic_ns if 0 < page.monotonic_ns < now else now
        elif page.tick != self._tick:
            self._tick_since = now
        self._tick = page.tick
        return now - self._tick_since < GONE_NS

    def _get(self, file: int, name: str) -> int:
        offset, width = CONTROL_ROWS[name][:2]
        return int.from_bytes(os.pread(file, width, offset), "little")

    def _put(self, file: int, name: str, value: int) -> None:
        offset, width = CONTROL_ROWS[name][:2]
        os.pwrite(file, value.to_bytes(width, "little"), offset)

    def _open_control(self) -> int:
        """Anew for each call: a file that was removed is made again by the node. Raises Foreign, OSError."""
        return _open_file(self.control, os.O_RDWR | os.O_NOFOLLOW)

    def ring(self, request: int, argument: int) -> int:
        """Asks for something: writes the words, then raises the doorbell, which is returned. The node acts when two of
        its reads in a row, a tick apart, agree, one request a tick; then `doorbell_done` is this doorbell, and
        `error` is 0 or says what was refused. One program rings at a time, and not again before its doorbell was
        answered. Raises Foreign, OSError."""
        file = self._open_control()
        try:
            doorbell = self._get(file, "doorbell")
            try:
                doorbell = max(doorbell, self.read().doorbell_done)
            except NoPage:
                pass
            self._put(file, "request", request)
            self._put(file, "argument", argument)
            self._put(file, "doorbell", doorbell + 1)
            return doorbell + 1
        finally:
            os.close(file)

    def acknowledge(self, bits: int) -> None:
        """Acknowledges interrupts: the bits are cleared at the next tick, and then stand in `irq_acked`. Each change
        of the word counts once, so for the same bits as the last time 0 is written first, and this call waits until
        the node took it, two ticks at most. A word that the node has not taken yet is overwritten: acknowledge once
        a tick. Raises Busy where the node takes nothing, Foreign, OSError."""
        file = self._open_control()
        try:
            if self._get(file, "irq_ack") == bits:
                # Not taken yet: what these bits say is cleared all the same.
                if self.read().irq_acked != bits:
                    return
                self._put(file, "irq_ack", 0)
                self._await_zero()
            self._put(file, "irq_ack", bits)
        finally:
            os.close(file)

    def _await_zero(self) -> None:
        until = time.monotonic_ns() + GONE_NS
        while time.monotonic_ns() < until:
            try:
                if self.read().irq_acked == 0:
                    return
            except Busy:
                pass
            time.sleep(0.01)
        raise Busy("the node takes no acknowledgement")

    def mask(self, bits: int) -> None:
        """Masks interrupts: those set wake nobody who waits over HTTP; the page shows them all the same. Raises
        Foreign, OSError."""
        file = self._open_control()
        try:
            self._put(file, "irq_mask", bits)
        finally:
            os.close(file)


def _text_of(name: str, value: Union[int, float, str]) -> str:
    if name in BITS:
        return "%s %s" % (value, " ".join(bits_of(int(value), BITS[name])))
    if name in VALUES:
        names = VALUES[name]
        return "%s %s" % (value, names[int(value)] if int(value) < len(names) else "?")
    if name == "error" and value:
        return "%s %s" % (value, ERRORS[int(value) - 1] if int(value) <= len(ERRORS) else "?")
    unit = PAGE_ROWS[name][3]
    return "%s %s" % (value, unit if unit not in (None, "1", "code") else "")


def _show(node: Node, as_json: bool) -> int:
    page = node.read()
    alive = node.alive()
    if as_json:
        print(json.dumps({"alive": alive, "same_layout": page.same_layout(), "registers": page.as_json()}))
    else:
        for name, value in page.as_json().items():
            print("%-16s %s" % (name, _text_of(name, value).rstrip()))
        print("%-16s %s" % ("the node", "is alive" if alive else "is gone"))
    return 0 if alive else 1


def _watch(node: Node, as_json: bool) -> int:
    last: Optional[int] = None
    while node.alive():
        try:
            page = node.read()
        except Busy:
            continue
        if page.seqlock != last:
            last = page.seqlock
            irq = ",".join(bits_of(page.irq_status, BITS["irq_status"])) or "none"
            line = "tick %d  mode %s  peers %d  seals %d  interrupts %s" % (
                page.tick, _text_of("mode", page.mode), page.peers, page.seals, irq)
            print(json.dumps(page.as_json()) if as_json else line, flush=True)
        time.sleep(0.05)
    print("the node is gone", file=sys.stderr)
    return 1


def _ring(node: Node, mode: str, as_json: bool) -> int:
    doorbell = node.ring(VALUES["request"].index("mode"), VALUES["argument"].index(mode))
    answered, error = False, 0
    until = time.monotonic_ns() + 4 * GONE_NS
    while not answered and node.alive() and time.monotonic_ns() < until:
        try:
            page = node.read()
            answered, error = page.answered(doorbell), page.error
        except Busy:
            pass
        time.sleep(0.02)
    word = "not answered" if not answered else _text_of("error", error) if error else "done"
    if as_json:
        print(json.dumps({"doorbell": str(doorbell), "answered": answered, "error": error if answered else None}))
    else:
        print("doorbell %d: %s" % (doorbell, word.strip()))
    return 0 if answered and error == 0 else 1


def _words() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="The register page of a tickmesh node.")
    parser.add_argument("directory", help="of mmio.bin and mmio.ctl, or the path of the page")
    parser.add_argument("--json", action="store_true", help="JSON instead of text")
    parser.add_argument("--pread", action="store_true", help="read the page by pread instead of mapping it")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("show", help="the page; what is done without a command")
    commands.add_parser("watch", help="a line for each page")
    commands.add_parser("ring", help="ask for a mode").add_argument("mode", choices=VALUES["argument"])
    for name, what in (("acknowledge", "clear interrupts"), ("mask", "keep interrupts from waking who waits")):
        commands.add_parser(name, help=what).add_argument("bits", nargs="*", metavar="BIT")
    return parser


def main(words: Optional[List[str]] = None) -> int:
    parser = _words()
    given = parser.parse_args(words)
    unknown = [bit for bit in getattr(given, "bits", []) if bit not in BITS["irq_status"]]
    if unknown:
        parser.error("no interrupt is called %s: %s" % (unknown[0], ", ".join(BITS["irq_status"])))
    try:
        with Node(given.directory, given.pread) as node:
            if given.command == "watch":
                return _watch(node, given.json)
            if given.command == "ring":
                return _ring(node, given.mode, given.json)
            if given.command in ("acknowledge", "mask"):
                getattr(node, given.command)(word_of(given.bits, BITS["irq_status"]))
                return 0
            return _show(node, given.json)
    except KeyboardInterrupt:
        return 0
    except (NoPage, OSError) as error:
        print("%s: %s" % (type(error).__name__, error), file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
