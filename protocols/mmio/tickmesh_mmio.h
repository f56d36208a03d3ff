/*
 * Reads the register page of a tickmesh node, and asks the node for something. C11 or C++11 and POSIX, nothing else.
 *
 * Made by scripts/mmio.ts from protocols/mmio.json; changes here are lost.
 *
 * The node writes `mmio.bin`, once a tick of 777,000,777 ns and when a request is done; its owner writes `mmio.ctl`. A
 * page may change while it is read: tickmesh_read() takes copies until one is whole, and every number in a
 * `tickmesh_page` is of one moment. Nothing here locks, allocates or starts a thread. One `tickmesh` serves one thread;
 * a program may open as many as it likes.
 *
 *     #include "tickmesh_mmio.h"
 *     #include <stdio.h>
 *     int main(int count, char **words) {
 *       tickmesh node;
 *       tickmesh_page page;
 *       if (count < 2 || tickmesh_open(&node, words[1]) != TICKMESH_OK) return 1;
 *       if (tickmesh_read(&node, &page) != TICKMESH_OK) return 1;
 *       printf("tick %llu, %s, alive %d\n", (unsigned long long)page.tick, tickmesh_mode_name(page.mode),
 *              tickmesh_alive(&node));
 *       tickmesh_close(&node);
 *     }
 *
 * Under `-std=c11` include this header before those of libc: it asks for POSIX.
 */
#ifndef TICKMESH_MMIO_H
#define TICKMESH_MMIO_H

#if !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(_DEFAULT_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(__USE_XOPEN2K8)
#error "include tickmesh_mmio.h before the headers of libc, or define _POSIX_C_SOURCE as 200809L"
#endif

#ifdef __cplusplus
#include <atomic>
/** Nothing that stands behind it is loaded before what stands in front of it. */
#define TICKMESH_BARRIER() std::atomic_thread_fence(std::memory_order_acquire)
#else
#include <stdatomic.h>
/** Nothing that stands behind it is loaded before what stands in front of it. */
#define TICKMESH_BARRIER() atomic_thread_fence(memory_order_acquire)
#endif

/** Bytes of either file. */
#define TICKMESH_PAGE_BYTES 4096
/** The layout version that this header knows. */
#define TICKMESH_LAYOUT 1
/** What a page holds at TICKMESH_MAGIC_OFFSET. */
#define TICKMESH_MAGIC "TMKMMIO1"
/** Length of a tick in nanoseconds. */
#define TICKMESH_TICK_NS UINT64_C(777000777)
/** SHA-256 of the table this header was made from, to initialise an array with. */
#define TICKMESH_LAYOUT_DIGEST \
  { \
    0xac, 0x46, 0x54, 0x46, 0x40, 0x41, 0xaf, 0x01, 0x5e, 0x5e, 0xc1, 0xf1, 0xbc, 0x3f, 0x51, 0x7a, \
    0x11, 0x5b, 0x90, 0x7d, 0xfd, 0x77, 0x16, 0xd5, 0x97, 0x4d, 0x8c, 0xe9, 0xdb, 0x9f, 0x2b, 0x67 \
  }
/** Copies that tickmesh_read() takes beside the first before it says TICKMESH_BUSY. */
#define TICKMESH_TRIES 64
/** Ticks in which the tick must move, or an odd word change, or the node is gone. */
#define TICKMESH_GONE_TICKS 4
/** Bytes of a path, its end included. */
#define TICKMESH_PATH_BYTES 4096

/* Where each register of `mmio.bin` begins, and how wide it is: bytes. */
#define TICKMESH_SEQLOCK_OFFSET 0
#define TICKMESH_SEQLOCK_WIDTH 8
#define TICKMESH_CRC_OFFSET 8
#define TICKMESH_CRC_WIDTH 4
#define TICKMESH_LAYOUT_VERSION_OFFSET 12
#define TICKMESH_LAYOUT_VERSION_WIDTH 2
#define TICKMESH_MAGIC_OFFSET 16
#define TICKMESH_MAGIC_WIDTH 8
#define TICKMESH_LAYOUT_DIGEST_OFFSET 24
#define TICKMESH_LAYOUT_DIGEST_WIDTH 32
#define TICKMESH_GENESIS_NS_OFFSET 56
#define TICKMESH_GENESIS_NS_WIDTH 8
#define TICKMESH_GENESIS_TICK_OFFSET 64
#define TICKMESH_GENESIS_TICK_WIDTH 8
#define TICKMESH_TICK_OFFSET 72
#define TICKMESH_TICK_WIDTH 8
#define TICKMESH_MESH_TICK_OFFSET 80
#define TICKMESH_MESH_TICK_WIDTH 8
#define TICKMESH_TICK_NS_OFFSET 88
#define TICKMESH_TICK_NS_WIDTH 8
#define TICKMESH_PHASE_OFFSET 96
#define TICKMESH_PHASE_WIDTH 8
#define TICKMESH_R_T_OFFSET 104
#define TICKMESH_R_T_WIDTH 8
#define TICKMESH_MONOTONIC_NS_OFFSET 112
#define TICKMESH_MONOTONIC_NS_WIDTH 8
#define TICKMESH_STATE_OFFSET 128
#define TICKMESH_STATE_WIDTH 4
#define TICKMESH_MODE_OFFSET 132
#define TICKMESH_MODE_WIDTH 4
#define TICKMESH_PEERS_OFFSET 136
#define TICKMESH_PEERS_WIDTH 4
#define TICKMESH_WITNESSES_OFFSET 140
#define TICKMESH_WITNESSES_WIDTH 4
#define TICKMESH_JOBS_RUNNING_OFFSET 144
#define TICKMESH_JOBS_RUNNING_WIDTH 4
#define TICKMESH_JOBS_WAITING_OFFSET 148
#define TICKMESH_JOBS_WAITING_WIDTH 4
#define TICKMESH_WORK_RUNNING_OFFSET 152
#define TICKMESH_WORK_RUNNING_WIDTH 4
#define TICKMESH_DISPUTES_OPEN_OFFSET 156
#define TICKMESH_DISPUTES_OPEN_WIDTH 4
#define TICKMESH_QUEUE_HEAT_OFFSET 160
#define TICKMESH_QUEUE_HEAT_WIDTH 4
#define TICKMESH_SEALS_OFFSET 168
#define TICKMESH_SEALS_WIDTH 8
#define TICKMESH_REFUSALS_OFFSET 176
#define TICKMESH_REFUSALS_WIDTH 8
#define TICKMESH_CHECKPOINTS_OFFSET 184
#define TICKMESH_CHECKPOINTS_WIDTH 8
#define TICKMESH_LOG_SIZE_OFFSET 192
#define TICKMESH_LOG_SIZE_WIDTH 8
#define TICKMESH_LOG_ROOT_OFFSET 200
#define TICKMESH_LOG_ROOT_WIDTH 32
#define TICKMESH_LAST_SEAL_OFFSET 232
#define TICKMESH_LAST_SEAL_WIDTH 32
#define TICKMESH_LAST_RESULT_OFFSET 264
#define TICKMESH_LAST_RESULT_WIDTH 32
#define TICKMESH_CREDITS_FREE_OFFSET 320
#define TICKMESH_CREDITS_FREE_WIDTH 8
#define TICKMESH_CREDITS_PAID_OFFSET 328
#define TICKMESH_CREDITS_PAID_WIDTH 8
#define TICKMESH_COINS_OFFSET 336
#define TICKMESH_COINS_WIDTH 8
#define TICKMESH_BOND_COUNT_OFFSET 344
#define TICKMESH_BOND_COUNT_WIDTH 4
#define TICKMESH_BOND_STATE_OFFSET 348
#define TICKMESH_BOND_STATE_WIDTH 4
#define TICKMESH_UNLOCKS_AT_OFFSET 352
#define TICKMESH_UNLOCKS_AT_WIDTH 8
#define TICKMESH_ZID_OFFSET 360
#define TICKMESH_ZID_WIDTH 40
#define TICKMESH_IRQ_STATUS_OFFSET 448
#define TICKMESH_IRQ_STATUS_WIDTH 4
#define TICKMESH_IRQ_ACKED_OFFSET 452
#define TICKMESH_IRQ_ACKED_WIDTH 4
#define TICKMESH_ERROR_OFFSET 456
#define TICKMESH_ERROR_WIDTH 4
#define TICKMESH_ERROR_TICK_LOW_OFFSET 460
#define TICKMESH_ERROR_TICK_LOW_WIDTH 4
#define TICKMESH_DOORBELL_DONE_OFFSET 464
#define TICKMESH_DOORBELL_DONE_WIDTH 8
#define TICKMESH_REQUESTS_OFFSET 472
#define TICKMESH_REQUESTS_WIDTH 8

/* Where each word of `mmio.ctl` begins, and how wide it is: bytes. */
#define TICKMESH_CTL_DOORBELL_OFFSET 0
#define TICKMESH_CTL_DOORBELL_WIDTH 8
#define TICKMESH_CTL_REQUEST_OFFSET 8
#define TICKMESH_CTL_REQUEST_WIDTH 4
#define TICKMESH_CTL_ARGUMENT_OFFSET 12
#define TICKMESH_CTL_ARGUMENT_WIDTH 4
#define TICKMESH_CTL_IRQ_MASK_OFFSET 16
#define TICKMESH_CTL_IRQ_MASK_WIDTH 4
#define TICKMESH_CTL_IRQ_ACK_OFFSET 20
#define TICKMESH_CTL_IRQ_ACK_WIDTH 4

/* Bits. */
/* Of state. */
#define TICKMESH_STATE_READY (UINT32_C(1) << 0)
#define TICKMESH_STATE_CLOCK_BEHIND (UINT32_C(1) << 1)
#define TICKMESH_STATE_HELD (UINT32_C(1) << 2)
#define TICKMESH_STATE_STOPPING (UINT32_C(1) << 3)
#define TICKMESH_STATE_STORE_FAILED (UINT32_C(1) << 4)
/** Name of a bit of state, from 0. */
static inline const char *tickmesh_state_bit_name(uint32_t number) {
  switch (number) {
    case 0: return "ready";
    case 1: return "clock_behind";
    case 2: return "held";
    case 3: return "stopping";
    case 4: return "store_failed";
    default: return "?";
  }
}

/* Of irq_status, irq_acked, irq_mask, irq_ack. */
#define TICKMESH_IRQ_TICK (UINT32_C(1) << 0)
#define TICKMESH_IRQ_SEALED (UINT32_C(1) << 1)
#define TICKMESH_IRQ_CHALLENGE (UINT32_C(1) << 2)
#define TICKMESH_IRQ_RULING (UINT32_C(1) << 3)
#define TICKMESH_IRQ_WITHHELD (UINT32_C(1) << 4)
#define TICKMESH_IRQ_PEER_LOST (UINT32_C(1) << 5)
#define TICKMESH_IRQ_REFUSAL (UINT32_C(1) << 6)
#define TICKMESH_IRQ_ERROR (UINT32_C(1) << 7)
/** Name of a bit of irq_status, irq_acked, irq_mask, irq_ack, from 0. */
static inline const char *tickmesh_irq_bit_name(uint32_t number) {
  switch (number) {
    case 0: return "tick";
    case 1: return "sealed";
    case 2: return "challenge";
    case 3: return "ruling";
    case 4: return "withheld";
    case 5: return "peer_lost";
    case 6: return "refusal";
    case 7: return "error";
    default: return "?";
  }
}

/* Values. */
/* Of mode, argument. */
#define TICKMESH_MODE_IDLE 0
#define TICKMESH_MODE_CONTRIBUTING 1
#define TICKMESH_MODE_EXPERIMENTING 2
/** Name of a value of mode, argument. */
static inline const char *tickmesh_mode_name(uint32_t number) {
  switch (number) {
    case TICKMESH_MODE_IDLE: return "idle";
    case TICKMESH_MODE_CONTRIBUTING: return "contributing";
    case TICKMESH_MODE_EXPERIMENTING: return "experimenting";
    default: return "?";
  }
}

/* Of bond_state. */
#define TICKMESH_BOND_STATE_NONE 0
#define TICKMESH_BOND_STATE_BONDED 1
#define TICKMESH_BOND_STATE_RELEASED 2
#define TICKMESH_BOND_STATE_WITHHELD 3
/** Name of a value of bond_state. */
static inline const char *tickmesh_bond_state_name(uint32_t number) {
  switch (number) {
    case TICKMESH_BOND_STATE_NONE: return "none";
    case TICKMESH_BOND_STATE_BONDED: return "bonded";
    case TICKMESH_BOND_STATE_RELEASED: return "released";
    case TICKMESH_BOND_STATE_WITHHELD: return "withheld";
    default: return "?";
  }
}

/* Of request. */
#define TICKMESH_REQUEST_NONE 0
#define TICKMESH_REQUEST_MODE 1
/** Name of a value of request. */
static inline const char *tickmesh_request_name(uint32_t number) {
  switch (number) {
    case TICKMESH_REQUEST_NONE: return "none";
    case TICKMESH_REQUEST_MODE: return "mode";
    default: return "?";
  }
}

/** Numbers of the register `error`: one for each refusal; more may be added behind these, none moves. */
enum tickmesh_error {
  TICKMESH_ERROR_NONE = 0,
  TICKMESH_ERROR_INVALID_INPUT = 1,
  TICKMESH_ERROR_MALFORMED_REQUEST = 2,
  TICKMESH_ERROR_MALFORMED_JSON = 3,
  TICKMESH_ERROR_NOT_CANONICAL = 4,
  TICKMESH_ERROR_EXPANDS_TOO_FAR = 5,
  TICKMESH_ERROR_DIGEST_MISMATCH = 6,
  TICKMESH_ERROR_BAD_SIGNATURE = 7,
  TICKMESH_ERROR_BAD_PUBLIC_KEY = 8,
  TICKMESH_ERROR_UNKNOWN_OPERATOR = 9,
  TICKMESH_ERROR_OPERATOR_LIMIT_EXCEEDED = 10,
  TICKMESH_ERROR_CONSENT_REQUIRED = 11,
  TICKMESH_ERROR_MISSING_INPUTS = 12,
  TICKMESH_ERROR_AMBIGUOUS_INPUT = 13,
  TICKMESH_ERROR_RELATION_REFUSED = 14,
  TICKMESH_ERROR_DIMENSION_MISMATCH = 15,
  TICKMESH_ERROR_OUT_OF_RANGE = 16,
  TICKMESH_ERROR_UNSTABLE_STEP = 17,
  TICKMESH_ERROR_ILL_POSED = 18,
  TICKMESH_ERROR_WORK_LIMIT_EXCEEDED = 19,
  TICKMESH_ERROR_NOT_STEPPABLE = 20,
  TICKMESH_ERROR_INVALID_SLUG = 21,
  TICKMESH_ERROR_UNAUTHENTICATED = 22,
  TICKMESH_ERROR_MISSING_HANDSHAKE = 23,
  TICKMESH_ERROR_BAD_HANDSHAKE = 24,
  TICKMESH_ERROR_STALE_HANDSHAKE = 25,
  TICKMESH_ERROR_INSUFFICIENT_BALANCE = 26,
  TICKMESH_ERROR_SCOPE_REQUIRED = 27,
  TICKMESH_ERROR_ORIGIN_REFUSED = 28,
  TICKMESH_ERROR_NOT_FOUND = 29,
  TICKMESH_ERROR_CONSTANT_NOT_FOUND = 30,
  TICKMESH_ERROR_UNKNOWN_ZID = 31,
  TICKMESH_ERROR_NO_BLOCK_AT_TICK = 32,
  TICKMESH_ERROR_METHOD_NOT_ALLOWED = 33,
  TICKMESH_ERROR_NOT_ACCEPTABLE = 34,
  TICKMESH_ERROR_HEADER_TOO_SLOW = 35,
  TICKMESH_ERROR_BODY_TOO_SLOW = 36,
  TICKMESH_ERROR_IDEMPOTENCY_KEY_REUSED = 37,
  TICKMESH_ERROR_IDEMPOTENCY_IN_PROGRESS = 38,
  TICKMESH_ERROR_SLUG_TAKEN = 39,
  TICKMESH_ERROR_MACHINE_NOT_ACTIVE = 40,
  TICKMESH_ERROR_SOULBOUND = 41,
  TICKMESH_ERROR_TOO_FEW = 42,
  TICKMESH_ERROR_SUPERSEDED = 43,
  TICKMESH_ERROR_OP_EXPIRED = 44,
  TICKMESH_ERROR_ENVELOPE_LOCKED = 45,
  TICKMESH_ERROR_VOTE_CLOSED = 46,
  TICKMESH_ERROR_SIDE_FIXED = 47,
  TICKMESH_ERROR_TOO_LATE = 48,
  TICKMESH_ERROR_BOND_TOO_SMALL = 49,
  TICKMESH_ERROR_ALREADY_BONDED = 50,
  TICKMESH_ERROR_NOT_BONDED = 51,
  TICKMESH_ERROR_BOND_FULL = 52,
  TICKMESH_ERROR_JOB_CANCELLED = 53,
  TICKMESH_ERROR_JOB_FINISHED = 54,
  TICKMESH_ERROR_REACTOR_BUSY = 55,
  TICKMESH_ERROR_REACTOR_ENDED = 56,
  TICKMESH_ERROR_STEP_TAKEN = 57,
  TICKMESH_ERROR_NOT_SEALED_YET = 58,
  TICKMESH_ERROR_NOT_ELIGIBLE = 59,
  TICKMESH_ERROR_CHALLENGE_SPENT = 60,
  TICKMESH_ERROR_GONE = 61,
  TICKMESH_ERROR_BODY_TOO_LARGE = 62,
  TICKMESH_ERROR_UNSUPPORTED_MEDIA_TYPE = 63,
  TICKMESH_ERROR_HOST_REFUSED = 64,
  TICKMESH_ERROR_PRECISION_NOT_MET = 65,
  TICKMESH_ERROR_ENERGY_NOT_CONSERVED = 66,
  TICKMESH_ERROR_DID_NOT_CONVERGE = 67,
  TICKMESH_ERROR_HEADER_TOO_LARGE = 68,
  TICKMESH_ERROR_RATE_LIMITED = 69,
  TICKMESH_ERROR_DAILY_LIMIT_EXCEEDED = 70,
  TICKMESH_ERROR_CLOCK_BEHIND = 71,
  TICKMESH_ERROR_LOG_ROLLED_BACK = 72,
  TICKMESH_ERROR_LOG_UNCONFIRMED = 73,
  TICKMESH_ERROR_MESH_SECRET_MISSING = 74,
  TICKMESH_ERROR_HOME_UNREACHABLE = 75,
  TICKMESH_ERROR_NODE_UNREACHABLE = 76,
  TICKMESH_ERROR_NO_WORKER = 77,
  TICKMESH_ERROR_NODE_BUSY = 78,
  TICKMESH_ERROR_WORKER_LOST = 79,
  TICKMESH_ERROR_NODE_STOPPING = 80,
  TICKMESH_ERROR_STORE_FAILED = 81,
  TICKMESH_ERROR_CONTRACT_INVALID = 82,
  TICKMESH_ERROR_TARGET_REFUSED = 83,
  TICKMESH_ERROR_SECRET_UNKNOWN = 84,
  TICKMESH_ERROR_NO_TRANSITION = 85,
  TICKMESH_ERROR_GUARD_FALSE = 86,
  TICKMESH_ERROR_CONTRACT_FROZEN = 87,
  TICKMESH_ERROR_CONTRACT_FIRING = 88,
  TICKMESH_ERROR_VERSION_CONFLICT = 89,
  TICKMESH_ERROR_NOTHING_TO_SKIP = 90,
  TICKMESH_ERROR_BUDGET_SPENT = 91,
  TICKMESH_ERROR_TOKEN_EXISTS = 92,
  TICKMESH_ERROR_CAPACITY_EXCEEDED = 93,
  TICKMESH_ERROR_SUPPLY_EXHAUSTED = 94,
  TICKMESH_ERROR_TX_REPLAYED = 95,
  TICKMESH_ERROR_TEMPLATE_INVALID = 96,
  TICKMESH_ERROR_TICK_TAKEN = 97,
  TICKMESH_ERROR_CHANNEL_CLOSED = 98,
  TICKMESH_ERROR_LINK_EXPIRED = 99,
  TICKMESH_ERROR_PUBLIC_KEY_REQUIRED = 100,
  TICKMESH_ERROR_UPGRADE_REQUIRED = 101
};

/** The code of a refusal. */
static inline const char *tickmesh_error_name(uint32_t number) {
  switch (number) {
    case TICKMESH_ERROR_NONE: return "none";
    case TICKMESH_ERROR_INVALID_INPUT: return "INVALID_INPUT";
    case TICKMESH_ERROR_MALFORMED_REQUEST: return "MALFORMED_REQUEST";
    case TICKMESH_ERROR_MALFORMED_JSON: return "MALFORMED_JSON";
    case TICKMESH_ERROR_NOT_CANONICAL: return "NOT_CANONICAL";
    case TICKMESH_ERROR_EXPANDS_TOO_FAR: return "EXPANDS_TOO_FAR";
    case TICKMESH_ERROR_DIGEST_MISMATCH: return "DIGEST_MISMATCH";
    case TICKMESH_ERROR_BAD_SIGNATURE: return "BAD_SIGNATURE";
    case TICKMESH_ERROR_BAD_PUBLIC_KEY: return "BAD_PUBLIC_KEY";
    case TICKMESH_ERROR_UNKNOWN_OPERATOR: return "UNKNOWN_OPERATOR";
    case TICKMESH_ERROR_OPERATOR_LIMIT_EXCEEDED: return "OPERATOR_LIMIT_EXCEEDED";
    case TICKMESH_ERROR_CONSENT_REQUIRED: return "CONSENT_REQUIRED";
    case TICKMESH_ERROR_MISSING_INPUTS: return "MISSING_INPUTS";
    case TICKMESH_ERROR_AMBIGUOUS_INPUT: return "AMBIGUOUS_INPUT";
    case TICKMESH_ERROR_RELATION_REFUSED: return "RELATION_REFUSED";
    case TICKMESH_ERROR_DIMENSION_MISMATCH: return "DIMENSION_MISMATCH";
    case TICKMESH_ERROR_OUT_OF_RANGE: return "OUT_OF_RANGE";
    case TICKMESH_ERROR_UNSTABLE_STEP: return "UNSTABLE_STEP";
    case TICKMESH_ERROR_ILL_POSED: return "ILL_POSED";
    case TICKMESH_ERROR_WORK_LIMIT_EXCEEDED: return "WORK_LIMIT_EXCEEDED";
    case TICKMESH_ERROR_NOT_STEPPABLE: return "NOT_STEPPABLE";
    case TICKMESH_ERROR_INVALID_SLUG: return "INVALID_SLUG";
    case TICKMESH_ERROR_UNAUTHENTICATED: return "UNAUTHENTICATED";
    case TICKMESH_ERROR_MISSING_HANDSHAKE: return "MISSING_HANDSHAKE";
    case TICKMESH_ERROR_BAD_HANDSHAKE: return "BAD_HANDSHAKE";
    case TICKMESH_ERROR_STALE_HANDSHAKE: return "STALE_HANDSHAKE";
    case TICKMESH_ERROR_INSUFFICIENT_BALANCE: return "INSUFFICIENT_BALANCE";
    case TICKMESH_ERROR_SCOPE_REQUIRED: return "SCOPE_REQUIRED";
    case TICKMESH_ERROR_ORIGIN_REFUSED: return "ORIGIN_REFUSED";
    case TICKMESH_ERROR_NOT_FOUND: return "NOT_FOUND";
    case TICKMESH_ERROR_CONSTANT_NOT_FOUND: return "CONSTANT_NOT_FOUND";
    case TICKMESH_ERROR_UNKNOWN_ZID: return "UNKNOWN_ZID";
    case TICKMESH_ERROR_NO_BLOCK_AT_TICK: return "NO_BLOCK_AT_TICK";
    case TICKMESH_ERROR_METHOD_NOT_ALLOWED: return "METHOD_NOT_ALLOWED";
    case TICKMESH_ERROR_NOT_ACCEPTABLE: return "NOT_ACCEPTABLE";
    case TICKMESH_ERROR_HEADER_TOO_SLOW: return "HEADER_TOO_SLOW";
    case TICKMESH_ERROR_BODY_TOO_SLOW: return "BODY_TOO_SLOW";
    case TICKMESH_ERROR_IDEMPOTENCY_KEY_REUSED: return "IDEMPOTENCY_KEY_REUSED";
    case TICKMESH_ERROR_IDEMPOTENCY_IN_PROGRESS: return "IDEMPOTENCY_IN_PROGRESS";
    case TICKMESH_ERROR_SLUG_TAKEN: return "SLUG_TAKEN";
    case TICKMESH_ERROR_MACHINE_NOT_ACTIVE: return "MACHINE_NOT_ACTIVE";
    case TICKMESH_ERROR_SOULBOUND: return "SOULBOUND";
    case TICKMESH_ERROR_TOO_FEW: return "TOO_FEW";
    case TICKMESH_ERROR_SUPERSEDED: return "SUPERSEDED";
    case TICKMESH_ERROR_OP_EXPIRED: return "OP_EXPIRED";
    case TICKMESH_ERROR_ENVELOPE_LOCKED: return "ENVELOPE_LOCKED";
    case TICKMESH_ERROR_VOTE_CLOSED: return "VOTE_CLOSED";
    case TICKMESH_ERROR_SIDE_FIXED: return "SIDE_FIXED";
    case TICKMESH_ERROR_TOO_LATE: return "TOO_LATE";
    case TICKMESH_ERROR_BOND_TOO_SMALL: return "BOND_TOO_SMALL";
    case TICKMESH_ERROR_ALREADY_BONDED: return "ALREADY_BONDED";
    case TICKMESH_ERROR_NOT_BONDED: return "NOT_BONDED";
    case TICKMESH_ERROR_BOND_FULL: return "BOND_FULL";
    case TICKMESH_ERROR_JOB_CANCELLED: return "JOB_CANCELLED";
    case TICKMESH_ERROR_JOB_FINISHED: return "JOB_FINISHED";
    case TICKMESH_ERROR_REACTOR_BUSY: return "REACTOR_BUSY";
    case TICKMESH_ERROR_REACTOR_ENDED: return "REACTOR_ENDED";
    case TICKMESH_ERROR_STEP_TAKEN: return "STEP_TAKEN";
    case TICKMESH_ERROR_NOT_SEALED_YET: return "NOT_SEALED_YET";
    case TICKMESH_ERROR_NOT_ELIGIBLE: return "NOT_ELIGIBLE";
    case TICKMESH_ERROR_CHALLENGE_SPENT: return "CHALLENGE_SPENT";
    case TICKMESH_ERROR_GONE: return "GONE";
    case TICKMESH_ERROR_BODY_TOO_LARGE: return "BODY_TOO_LARGE";
    case TICKMESH_ERROR_UNSUPPORTED_MEDIA_TYPE: return "UNSUPPORTED_MEDIA_TYPE";
    case TICKMESH_ERROR_HOST_REFUSED: return "HOST_REFUSED";
    case TICKMESH_ERROR_PRECISION_NOT_MET: return "PRECISION_NOT_MET";
    case TICKMESH_ERROR_ENERGY_NOT_CONSERVED: return "ENERGY_NOT_CONSERVED";
    case TICKMESH_ERROR_DID_NOT_CONVERGE: return "DID_NOT_CONVERGE";
    case TICKMESH_ERROR_HEADER_TOO_LARGE: return "HEADER_TOO_LARGE";
    case TICKMESH_ERROR_RATE_LIMITED: return "RATE_LIMITED";
    case TICKMESH_ERROR_DAILY_LIMIT_EXCEEDED: return "DAILY_LIMIT_EXCEEDED";
    case TICKMESH_ERROR_CLOCK_BEHIND: return "CLOCK_BEHIND";
    case TICKMESH_ERROR_LOG_ROLLED_BACK: return "LOG_ROLLED_BACK";
    case TICKMESH_ERROR_LOG_UNCONFIRMED: return "LOG_UNCONFIRMED";
    case TICKMESH_ERROR_MESH_SECRET_MISSING: return "MESH_SECRET_MISSING";
    case TICKMESH_ERROR_HOME_UNREACHABLE: return "HOME_UNREACHABLE";
    case TICKMESH_ERROR_NODE_UNREACHABLE: return "NODE_UNREACHABLE";
    case TICKMESH_ERROR_NO_WORKER: return "NO_WORKER";
    case TICKMESH_ERROR_NODE_BUSY: return "NODE_BUSY";
    case TICKMESH_ERROR_WORKER_LOST: return "WORKER_LOST";
    case TICKMESH_ERROR_NODE_STOPPING: return "NODE_STOPPING";
    case TICKMESH_ERROR_STORE_FAILED: return "STORE_FAILED";
    case TICKMESH_ERROR_CONTRACT_INVALID: return "CONTRACT_INVALID";
    case TICKMESH_ERROR_TARGET_REFUSED: return "TARGET_REFUSED";
    case TICKMESH_ERROR_SECRET_UNKNOWN: return "SECRET_UNKNOWN";
    case TICKMESH_ERROR_NO_TRANSITION: return "NO_TRANSITION";
    case TICKMESH_ERROR_GUARD_FALSE: return "GUARD_FALSE";
    case TICKMESH_ERROR_CONTRACT_FROZEN: return "CONTRACT_FROZEN";
    case TICKMESH_ERROR_CONTRACT_FIRING: return "CONTRACT_FIRING";
    case TICKMESH_ERROR_VERSION_CONFLICT: return "VERSION_CONFLICT";
    case TICKMESH_ERROR_NOTHING_TO_SKIP: return "NOTHING_TO_SKIP";
    case TICKMESH_ERROR_BUDGET_SPENT: return "BUDGET_SPENT";
    case TICKMESH_ERROR_TOKEN_EXISTS: return "TOKEN_EXISTS";
    case TICKMESH_ERROR_CAPACITY_EXCEEDED: return "CAPACITY_EXCEEDED";
    case TICKMESH_ERROR_SUPPLY_EXHAUSTED: return "SUPPLY_EXHAUSTED";
    case TICKMESH_ERROR_TX_REPLAYED: return "TX_REPLAYED";
    case TICKMESH_ERROR_TEMPLATE_INVALID: return "TEMPLATE_INVALID";
    case TICKMESH_ERROR_TICK_TAKEN: return "TICK_TAKEN";
    case TICKMESH_ERROR_CHANNEL_CLOSED: return "CHANNEL_CLOSED";
    case TICKMESH_ERROR_LINK_EXPIRED: return "LINK_EXPIRED";
    case TICKMESH_ERROR_PUBLIC_KEY_REQUIRED: return "PUBLIC_KEY_REQUIRED";
    case TICKMESH_ERROR_UPGRADE_REQUIRED: return "UPGRADE_REQUIRED";
    default: return "?";
  }
}

/** How a call ended. */
enum tickmesh_result {
  TICKMESH_OK = 0,
  /** No copy was whole: the node is writing just now, or died while it did; tickmesh_alive() tells which. */
  TICKMESH_BUSY = 1,
  /** No register page, or none yet. */
  TICKMESH_FOREIGN = 2,
  /** A register page, of a version that this header does not know. */
  TICKMESH_OTHER_LAYOUT = 3,
  /** The system refused; `errno` says why. */
  TICKMESH_FAILED = 4
};

/** The name of how a call ended. */
static inline const char *tickmesh_result_name(int result) {
  switch (result) {
    case TICKMESH_OK: return "ok";
    case TICKMESH_BUSY: return "busy";
    case TICKMESH_FOREIGN: return "foreign";
    case TICKMESH_OTHER_LAYOUT: return "other layout";
    default: return "failed";
  }
}

/** Every register of one page. */
typedef struct tickmesh_page {
  /** odd while written */
  uint64_t seqlock;
  /** CRC-32C of bytes 16 to 4,095 */
  uint32_t crc;
  /** version of this layout */
  uint16_t layout_version;
  /** the ASCII letters TMKMMIO1 */
  unsigned char magic[8];
  /** SHA-256 of mmio.json, byte for byte */
  unsigned char layout_digest[32];
  /** start of the genesis tick, Unix time; ns */
  uint64_t genesis_ns;
  /** mesh tick of the genesis; tick */
  uint64_t genesis_tick;
  /** the node's own tick; tick */
  uint64_t tick;
  /** the mesh's tick; tick */
  uint64_t mesh_tick;
  /** length of a tick; ns */
  uint64_t tick_ns;
  /** how far into the tick the page was written, from 0 to below 1 */
  double phase;
  /** modulation of the pulse at that moment, for S = 1 */
  double r_t;
  /** the machine's monotonic clock at that moment; ns */
  uint64_t monotonic_ns;
  /** how the node stands */
  uint32_t state;
  /** what the node does with its threads (0 idle, 1 contributing, 2 experimenting) */
  uint32_t mode;
  /** peers connected */
  uint32_t peers;
  /** witnesses that cosigned the newest checkpoint */
  uint32_t witnesses;
  /** own computations that run */
  uint32_t jobs_running;
  /** own computations that wait for a thread */
  uint32_t jobs_waiting;
  /** works that run for other nodes */
  uint32_t work_running;
  /** disputes open over works of this node */
  uint32_t disputes_open;
  /** computations waiting over those that may wait, from 0 to 1; 1 */
  float queue_heat;
  /** results sealed since the genesis */
  uint64_t seals;
  /** computations refused since the genesis */
  uint64_t refusals;
  /** checkpoints of the seal log since the genesis */
  uint64_t checkpoints;
  /** durable leaves of the seal log; leaf */
  uint64_t log_size;
  /** root of the newest checkpoint of the seal log */
  unsigned char log_root[32];
  /** leaf hash of the newest sealed result */
  unsigned char last_seal[32];
  /** digest of that result */
  unsigned char last_result[32];
  /** free credits; credit */
  uint64_t credits_free;
  /** paid credits; credit */
  uint64_t credits_paid;
  /** coins; credit */
  uint64_t coins;
  /** envelopes bonded */
  uint32_t bond_count;
  /** how the bond stands (0 none, 1 bonded, 2 released, 3 withheld) */
  uint32_t bond_state;
  /** mesh tick at which a released bond is free; 0 for none; tick */
  uint64_t unlocks_at;
  /** the identity whose values these are; ASCII, zeros behind */
  char zid[41];
  /** interrupts that nobody acknowledged yet */
  uint32_t irq_status;
  /** the word of irq_ack that was acted on last */
  uint32_t irq_acked;
  /** fault of the newest request: the number of its code, from 1; 0 when it was done; code */
  uint32_t error;
  /** low half of the node's tick of the newest fault; tick */
  uint32_t error_tick_low;
  /** the doorbell that was acted on last */
  uint64_t doorbell_done;
  /** requests acted on */
  uint64_t requests;
} tickmesh_page;

/** A node's two files, and what was seen of them. */
typedef struct tickmesh {
  /** The page, mapped for reading; NULL where it could not be: then copies are taken with pread(). */
  const unsigned char *map;
  /** `mmio.bin`. */
  int file;
  /** Copies that were refused: because the word was odd; because it moved; because the sum did not fit. */
  uint64_t odd, moved, torn;
  /** For tickmesh_alive(): the newest tick and since when it stands, the newest odd word and since when, in ns. */
  uint64_t tick, tick_since, word, word_since;
  /** What of these four is known. */
  int has_tick, has_word;
  /** Tables of CRC-32C, for eight bytes at a time. */
  uint32_t crc[8][256];
  /** Path of `mmio.ctl`. */
  char control[TICKMESH_PATH_BYTES];
} tickmesh;

/* Little-endian numbers at any address, on any machine. */

static inline uint16_t tickmesh_u16(const unsigned char *at) { return (uint16_t)(at[0] | (unsigned)at[1] << 8); }

static inline uint32_t tickmesh_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t tickmesh_u64(const unsigned char *at) {
  return (uint64_t)tickmesh_u32(at) | (uint64_t)tickmesh_u32(at + 4) << 32;
}

static inline float tickmesh_f32(const unsigned char *at) {
  uint32_t bits = tickmesh_u32(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline double tickmesh_f64(const unsigned char *at) {
  uint64_t bits = tickmesh_u64(at);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void tickmesh_put(unsigned char *at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

/** CLOCK_MONOTONIC in nanoseconds: the clock of the register `monotonic_ns`. */
static inline uint64_t tickmesh_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static inline void tickmesh_crc_tables(tickmesh *node) {
  for (uint32_t n = 0; n < 256; n++) {
    uint32_t c = n;
    for (int bit = 0; bit < 8; bit++) c = (c & 1) != 0 ? (c >> 1) ^ UINT32_C(0x82f63b78) : c >> 1;
    node->crc[0][n] = c;
  }
  for (int behind = 1; behind < 8; behind++) {
    for (int n = 0; n < 256; n++) {
      uint32_t c = node->crc[behind - 1][n];
      node->crc[behind][n] = (c >> 8) ^ node->crc[0][c & 0xff];
    }
  }
}

/** CRC-32C of bytes 16 to 4,095 of a copy: what the register `crc` must hold. */
static inline uint32_t tickmesh_sum(const tickmesh *node, const unsigned char *copy) {
  uint32_t c = UINT32_C(0xffffffff);
  for (unsigned at = 16; at < TICKMESH_PAGE_BYTES; at += 8) {
    uint32_t low = c ^ tickmesh_u32(copy + at), high = tickmesh_u32(copy + at + 4);
    c = node->crc[7][low & 0xff] ^ node->crc[6][low >> 8 & 0xff] ^ node->crc[5][low >> 16 & 0xff] ^
        node->crc[4][low >> 24] ^ node->crc[3][high & 0xff] ^ node->crc[2][high >> 8 & 0xff] ^
        node->crc[1][high >> 16 & 0xff] ^ node->crc[0][high >> 24];
  }
  return c ^ UINT32_C(0xffffffff);
}

static inline int tickmesh_paths(tickmesh *node, const char *path, char *page) {
  struct stat stat_of;
  const char *slash = strrchr(path, '/');
  int is_directory = stat(path, &stat_of) == 0 && S_ISDIR(stat_of.st_mode);
  int bytes = (int)(is_directory ? strlen(path) : slash == NULL ? 1 : (size_t)(slash - path));
  const char *directory = !is_directory && slash == NULL ? "." : path;
  int page_bytes = is_directory ? snprintf(page, TICKMESH_PATH_BYTES, "%s/mmio.bin", path)
                                : snprintf(page, TICKMESH_PATH_BYTES, "%s", path);
  int control_bytes = snprintf(node->control, TICKMESH_PATH_BYTES, "%.*s/mmio.ctl", bytes, directory);
  if (page_bytes < TICKMESH_PATH_BYTES && control_bytes < TICKMESH_PATH_BYTES) return TICKMESH_OK;
  errno = ENAMETOOLONG;
  return TICKMESH_FAILED;
}

/** Ends what tickmesh_open() began. */
static inline void tickmesh_close(tickmesh *node) {
  if (node->map != NULL) munmap((void *)(uintptr_t)node->map, TICKMESH_PAGE_BYTES);
  if (node->file >= 0) close(node->file);
  node->map = NULL;
  node->file = -1;
}

/** Opens a file of exactly one page, or says TICKMESH_FOREIGN, or TICKMESH_FAILED with `errno`. */
static inline int tickmesh_open_file(const char *path, int flags, int *file) {
  struct stat stat_of;
  *file = open(path, flags | O_CLOEXEC);
  if (*file < 0) return TICKMESH_FAILED;
  if (fstat(*file, &stat_of) == 0 && S_ISREG(stat_of.st_mode) && stat_of.st_size == TICKMESH_PAGE_BYTES) {
    return TICKMESH_OK;
  }
  close(*file);
  *file = -1;
  return TICKMESH_FOREIGN;
}

/**
 * Opens the page of a node: the directory of its two files, or the path of the page. The page is mapped, or, with
 * TICKMESH_PREAD defined, read with pread(). A node never cuts its page; where another program may, pread() is the
 * safer way, since who has mapped a file that is cut dies of SIGBUS.
 *
 * @return TICKMESH_OK, TICKMESH_FOREIGN, TICKMESH_FAILED with `errno`.
 */
static inline int tickmesh_open(tickmesh *node, const char *path) {
  char page[TICKMESH_PATH_BYTES];
  memset(node, 0, sizeof *node);
  node->file = -1;
  int result = tickmesh_paths(node, path, page);
  if (result == TICKMESH_OK) result = tickmesh_open_file(page, O_RDONLY, &node->file);
  if (result != TICKMESH_OK) return result;
  tickmesh_crc_tables(node);
#ifndef TICKMESH_PREAD
  void *map = mmap(NULL, TICKMESH_PAGE_BYTES, PROT_READ, MAP_SHARED, node->file, 0);
  node->map = map == MAP_FAILED ? NULL : (const unsigned char *)map;
#endif
  return TICKMESH_OK;
}

/** The seqlock word as it stands now. A file that was cut holds none: 1, as if it were being written. */
static inline uint64_t tickmesh_word(const tickmesh *node) {
  unsigned char bytes[8];
  if (node->map != NULL) {
    /* One load, so that the word is never of two writes where the machine loads eight bytes at once. */
    uint64_t word = *(const volatile uint64_t *)(const void *)(node->map + TICKMESH_SEQLOCK_OFFSET);
    memcpy(bytes, &word, sizeof word);
  } else if (pread(node->file, bytes, sizeof bytes, TICKMESH_SEQLOCK_OFFSET) != (ssize_t)sizeof bytes) {
    return 1;
  }
  return tickmesh_u64(bytes);
}

/**
 * Takes one copy of the page, 4,096 bytes, between two loads of the seqlock word.
 *
 * @return TICKMESH_OK for a whole page of a known layout; TICKMESH_BUSY for a copy from two writes, or while the word
 * is odd; TICKMESH_FOREIGN, TICKMESH_OTHER_LAYOUT.
 */
static inline int tickmesh_copy(tickmesh *node, unsigned char *copy) {
  uint64_t before = tickmesh_word(node);
  if ((before & 1) != 0) {
    node->odd++;
    return TICKMESH_BUSY;
  }
  TICKMESH_BARRIER();
  if (node->map != NULL) {
    memcpy(copy, node->map, TICKMESH_PAGE_BYTES);
  } else if (pread(node->file, copy, TICKMESH_PAGE_BYTES, 0) != TICKMESH_PAGE_BYTES) {
    return TICKMESH_FOREIGN;
  }
  TICKMESH_BARRIER();
  if (tickmesh_word(node) != before) {
    node->moved++;
    return TICKMESH_BUSY;
  }
  if (memcmp(copy + TICKMESH_MAGIC_OFFSET, TICKMESH_MAGIC, TICKMESH_MAGIC_WIDTH) != 0) return TICKMESH_FOREIGN;
  if (tickmesh_u64(copy + TICKMESH_SEQLOCK_OFFSET) != before ||
      tickmesh_u32(copy + TICKMESH_CRC_OFFSET) != tickmesh_sum(node, copy)) {
    node->torn++;
    return TICKMESH_BUSY;
  }
  if (tickmesh_u16(copy + TICKMESH_LAYOUT_VERSION_OFFSET) != TICKMESH_LAYOUT) return TICKMESH_OTHER_LAYOUT;
  return TICKMESH_OK;
}

/** The registers of a copy, whole or not. */
static inline void tickmesh_decode(const unsigned char *copy, tickmesh_page *page) {
  page->seqlock = tickmesh_u64(copy + TICKMESH_SEQLOCK_OFFSET);
  page->crc = tickmesh_u32(copy + TICKMESH_CRC_OFFSET);
  page->layout_version = tickmesh_u16(copy + TICKMESH_LAYOUT_VERSION_OFFSET);
  memcpy(page->magic, copy + TICKMESH_MAGIC_OFFSET, TICKMESH_MAGIC_WIDTH);
  memcpy(page->layout_digest, copy + TICKMESH_LAYOUT_DIGEST_OFFSET, TICKMESH_LAYOUT_DIGEST_WIDTH);
  page->genesis_ns = tickmesh_u64(copy + TICKMESH_GENESIS_NS_OFFSET);
  page->genesis_tick = tickmesh_u64(copy + TICKMESH_GENESIS_TICK_OFFSET);
  page->tick = tickmesh_u64(copy + TICKMESH_TICK_OFFSET);
  page->mesh_tick = tickmesh_u64(copy + TICKMESH_MESH_TICK_OFFSET);
  page->tick_ns = tickmesh_u64(copy + TICKMESH_TICK_NS_OFFSET);
  page->phase = tickmesh_f64(copy + TICKMESH_PHASE_OFFSET);
  page->r_t = tickmesh_f64(copy + TICKMESH_R_T_OFFSET);
  page->monotonic_ns = tickmesh_u64(copy + TICKMESH_MONOTONIC_NS_OFFSET);
  page->state = tickmesh_u32(copy + TICKMESH_STATE_OFFSET);
  page->mode = tickmesh_u32(copy + TICKMESH_MODE_OFFSET);
  page->peers = tickmesh_u32(copy + TICKMESH_PEERS_OFFSET);
  page->witnesses = tickmesh_u32(copy + TICKMESH_WITNESSES_OFFSET);
  page->jobs_running = tickmesh_u32(copy + TICKMESH_JOBS_RUNNING_OFFSET);
  page->jobs_waiting = tickmesh_u32(copy + TICKMESH_JOBS_WAITING_OFFSET);
  page->work_running = tickmesh_u32(copy + TICKMESH_WORK_RUNNING_OFFSET);
  page->disputes_open = tickmesh_u32(copy + TICKMESH_DISPUTES_OPEN_OFFSET);
  page->queue_heat = tickmesh_f32(copy + TICKMESH_QUEUE_HEAT_OFFSET);
  page->seals = tickmesh_u64(copy + TICKMESH_SEALS_OFFSET);
  page->refusals = tickmesh_u64(copy + TICKMESH_REFUSALS_OFFSET);
  page->checkpoints = tickmesh_u64(copy + TICKMESH_CHECKPOINTS_OFFSET);
  page->log_size = tickmesh_u64(copy + TICKMESH_LOG_SIZE_OFFSET);
  memcpy(page->log_root, copy + TICKMESH_LOG_ROOT_OFFSET, TICKMESH_LOG_ROOT_WIDTH);
  memcpy(page->last_seal, copy + TICKMESH_LAST_SEAL_OFFSET, TICKMESH_LAST_SEAL_WIDTH);
  memcpy(page->last_result, copy + TICKMESH_LAST_RESULT_OFFSET, TICKMESH_LAST_RESULT_WIDTH);
  page->credits_free = tickmesh_u64(copy + TICKMESH_CREDITS_FREE_OFFSET);
  page->credits_paid = tickmesh_u64(copy + TICKMESH_CREDITS_PAID_OFFSET);
  page->coins = tickmesh_u64(copy + TICKMESH_COINS_OFFSET);
  page->bond_count = tickmesh_u32(copy + TICKMESH_BOND_COUNT_OFFSET);
  page->bond_state = tickmesh_u32(copy + TICKMESH_BOND_STATE_OFFSET);
  page->unlocks_at = tickmesh_u64(copy + TICKMESH_UNLOCKS_AT_OFFSET);
  memcpy(page->zid, copy + TICKMESH_ZID_OFFSET, TICKMESH_ZID_WIDTH);
  page->zid[TICKMESH_ZID_WIDTH] = 0;
  page->irq_status = tickmesh_u32(copy + TICKMESH_IRQ_STATUS_OFFSET);
  page->irq_acked = tickmesh_u32(copy + TICKMESH_IRQ_ACKED_OFFSET);
  page->error = tickmesh_u32(copy + TICKMESH_ERROR_OFFSET);
  page->error_tick_low = tickmesh_u32(copy + TICKMESH_ERROR_TICK_LOW_OFFSET);
  page->doorbell_done = tickmesh_u64(copy + TICKMESH_DOORBELL_DONE_OFFSET);
  page->requests = tickmesh_u64(copy + TICKMESH_REQUESTS_OFFSET);
}

/**
 * Takes a whole page: copies are taken until the two loads of the seqlock word agree and are even and the sum fits,
 * up to 64 times more than once. After a few of them the processor is given away between two copies.
 *
 * @return TICKMESH_OK; TICKMESH_BUSY, TICKMESH_FOREIGN, TICKMESH_OTHER_LAYOUT, and then `page` is as it was.
 */
static inline int tickmesh_read(tickmesh *node, tickmesh_page *page) {
  unsigned char copy[TICKMESH_PAGE_BYTES];
  int result = TICKMESH_BUSY;
  for (int again = 0; again <= TICKMESH_TRIES && result == TICKMESH_BUSY; again++) {
    if (again > TICKMESH_TRIES / 8) sched_yield();
    result = tickmesh_copy(node, copy);
  }
  if (result == TICKMESH_OK) tickmesh_decode(copy, page);
  return result;
}

/** Whether the page has this header's registers and no more: another digest says that rows were added since. */
static inline int tickmesh_same_layout(const tickmesh_page *page) {
  static const unsigned char ours[] = TICKMESH_LAYOUT_DIGEST;
  return memcmp(page->layout_digest, ours, sizeof page->layout_digest) == 0;
}

/**
 * Whether the node is there: 0 once its tick has not moved, or its word has been one and the same odd number, for 4
 * ticks by CLOCK_MONOTONIC. It looks once and does not wait, so ask at least once a tick. At the first look
 * `monotonic_ns` tells how old the page is. A file that was removed is made again, as another file: where the node
 * seems gone, close, open and look again.
 */
static inline int tickmesh_alive(tickmesh *node) {
  const uint64_t limit = TICKMESH_GONE_TICKS * TICKMESH_TICK_NS, now = tickmesh_now();
  tickmesh_page page;
  if (tickmesh_read(node, &page) == TICKMESH_OK) {
    node->has_word = 0;
    if (!node->has_tick) {
      node->tick_since = page.monotonic_ns != 0 && page.monotonic_ns < now ? page.monotonic_ns : now;
    } else if (page.tick != node->tick) {
      node->tick_since = now;
    }
    node->has_tick = 1;
    node->tick = page.tick;
    return now - node->tick_since < limit;
  }
  uint64_t word = tickmesh_word(node);
  if (!node->has_word || word != node->word) node->word_since = now;
  node->has_word = 1;
  node->word = word;
  return now - node->word_since < limit;
}

/** Opens `mmio.ctl`, anew for each call: a file that was removed is made again by the node. */
static inline int tickmesh_open_control(const tickmesh *node, int *control) {
  return tickmesh_open_file(node->control, O_RDWR | O_NOFOLLOW, control);
}

static inline int tickmesh_put_control(int control, unsigned offset, uint64_t value, unsigned bytes) {
  unsigned char word[8];
  tickmesh_put(word, value, bytes);
  return pwrite(control, word, bytes, (off_t)offset) == (ssize_t)bytes ? TICKMESH_OK : TICKMESH_FAILED;
}

static inline int tickmesh_get_control(int control, unsigned offset, uint64_t *value, unsigned bytes) {
  unsigned char word[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  if (pread(control, word, bytes, (off_t)offset) != (ssize_t)bytes) return TICKMESH_FAILED;
  *value = tickmesh_u64(word);
  return TICKMESH_OK;
}

/**
 * Asks for something: writes the words, then raises the doorbell. The node acts when two of its reads in a row, a tick
 * apart, agree, one request a tick; then `doorbell_done` is this doorbell, and `error` is 0 or says what was refused.
 * One program rings at a time, and not again before its doorbell was answered.
 *
 * @param request TICKMESH_REQUEST_MODE. @param argument for a mode TICKMESH_MODE_IDLE and so on.
 * @param doorbell what was rung, for tickmesh_answered(); may be NULL.
 * @return TICKMESH_OK, TICKMESH_FOREIGN, TICKMESH_FAILED with `errno`.
 */
static inline int tickmesh_ring(tickmesh *node, uint32_t request, uint32_t argument, uint64_t *doorbell) {
  tickmesh_page page;
  uint64_t bell = 0;
  int control, result = tickmesh_open_control(node, &control);
  if (result != TICKMESH_OK) return result;
  result = tickmesh_get_control(control, TICKMESH_CTL_DOORBELL_OFFSET, &bell, TICKMESH_CTL_DOORBELL_WIDTH);
  if (tickmesh_read(node, &page) == TICKMESH_OK && page.doorbell_done > bell) bell = page.doorbell_done;
  bell++;
  if (result == TICKMESH_OK) {
    result = tickmesh_put_control(control, TICKMESH_CTL_REQUEST_OFFSET, request, TICKMESH_CTL_REQUEST_WIDTH);
  }
  if (result == TICKMESH_OK) {
    result = tickmesh_put_control(control, TICKMESH_CTL_ARGUMENT_OFFSET, argument, TICKMESH_CTL_ARGUMENT_WIDTH);
  }
  if (result == TICKMESH_OK) {
    result = tickmesh_put_control(control, TICKMESH_CTL_DOORBELL_OFFSET, bell, TICKMESH_CTL_DOORBELL_WIDTH);
  }
  close(control);
  if (result == TICKMESH_OK && doorbell != NULL) *doorbell = bell;
  return result;
}

/** Whether a doorbell was acted on as of a page. */
static inline int tickmesh_answered(const tickmesh_page *page, uint64_t doorbell) {
  return page->doorbell_done >= doorbell;
}

/** Waits until the node took 0 for `irq_ack`; TICKMESH_BUSY when it did not within 4 ticks. */
static inline int tickmesh_await_zero(tickmesh *node) {
  const struct timespec pause = {0, 10 * 1000 * 1000};
  const uint64_t since = tickmesh_now();
  while (tickmesh_now() - since < TICKMESH_GONE_TICKS * TICKMESH_TICK_NS) {
    tickmesh_page page;
    if (tickmesh_read(node, &page) == TICKMESH_OK && page.irq_acked == 0) return TICKMESH_OK;
    nanosleep(&pause, NULL);
  }
  return TICKMESH_BUSY;
}

/**
 * Acknowledges interrupts: the bits are cleared at the next tick, and then stand in `irq_acked`. Each change of the
 * word counts once, so for the same bits as the last time 0 is written first, and this call waits until the node took
 * it, two ticks at most. A word that the node has not taken yet is overwritten: acknowledge once a tick.
 *
 * @param bits TICKMESH_IRQ_TICK and so on.
 * @return TICKMESH_OK; TICKMESH_BUSY where the node takes nothing, TICKMESH_FOREIGN, TICKMESH_FAILED with `errno`.
 */
static inline int tickmesh_acknowledge(tickmesh *node, uint32_t bits) {
  tickmesh_page page;
  uint64_t word = 0;
  int control, result = tickmesh_open_control(node, &control);
  if (result != TICKMESH_OK) return result;
  result = tickmesh_get_control(control, TICKMESH_CTL_IRQ_ACK_OFFSET, &word, TICKMESH_CTL_IRQ_ACK_WIDTH);
  if (result == TICKMESH_OK && word == bits) {
    result = tickmesh_read(node, &page);
    /* Not taken yet: what these bits say is cleared all the same. */
    if (result == TICKMESH_OK && page.irq_acked != bits) {
      close(control);
      return TICKMESH_OK;
    }
    if (result == TICKMESH_OK) {
      result = tickmesh_put_control(control, TICKMESH_CTL_IRQ_ACK_OFFSET, 0, TICKMESH_CTL_IRQ_ACK_WIDTH);
    }
    if (result == TICKMESH_OK) result = tickmesh_await_zero(node);
  }
  if (result == TICKMESH_OK) {
    result = tickmesh_put_control(control, TICKMESH_CTL_IRQ_ACK_OFFSET, bits, TICKMESH_CTL_IRQ_ACK_WIDTH);
  }
  close(control);
  return result;
}

/**
 * Masks interrupts: those set wake nobody who waits over HTTP. The page shows them all the same.
 *
 * @return TICKMESH_OK, TICKMESH_FOREIGN, TICKMESH_FAILED with `errno`.
 */
static inline int tickmesh_mask(const tickmesh *node, uint32_t bits) {
  int control, result = tickmesh_open_control(node, &control);
  if (result != TICKMESH_OK) return result;
  result = tickmesh_put_control(control, TICKMESH_CTL_IRQ_MASK_OFFSET, bits, TICKMESH_CTL_IRQ_MASK_WIDTH);
  close(control);
  return result;
}

#endif
