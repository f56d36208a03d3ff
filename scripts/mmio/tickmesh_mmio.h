/*
 * Reads the register page of a tickmesh node, and asks the node for something. C11 or C++11 and POSIX, nothing else.
 *
 *@ generated
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

/*@ constants */
/** Copies that tickmesh_read() takes beside the first before it says TICKMESH_BUSY. */
#define TICKMESH_TRIES 64
/** Ticks in which the tick must move, or an odd word change, or the node is gone. */
#define TICKMESH_GONE_TICKS 4
/** Bytes of a path, its end included. */
#define TICKMESH_PATH_BYTES 4096

/* Where each register of `mmio.bin` begins, and how wide it is: bytes. */
/*@ page_offsets */

/* Where each word of `mmio.ctl` begins, and how wide it is: bytes. */
/*@ control_offsets */

/* Bits. */
/*@ bits */

/* Values. */
/*@ values */

/** Numbers of the register `error`: one for each refusal; more may be added behind these, none moves. */
/*@ errors */

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
/*@ page_struct */

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
/*@ decode */

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
