/*
 * Takes pages while somebody writes them as fast as it can, and looks whether the values in each fit each other.
 *
 *     reader whole DIRECTORY COUNT    pages by tickmesh_read(); COUNT 0: until the writer's count is at its end
 *     reader whole DIRECTORY COUNT TORN   no less, and until so many copies were refused by their sum alone
 *     reader bare DIRECTORY COUNT     copies without a sum: how many are of two writes, and would not be noticed
 *     reader print DIRECTORY          one page, a register a line
 *     reader alive DIRECTORY          says `alive`, then waits until the node is gone, and says `gone`
 *     reader ring DIRECTORY REQUEST ARGUMENT [TIMES]
 *     reader acknowledge DIRECTORY BITS
 *     reader mask DIRECTORY BITS
 *
 * The directory holds beside the page a file `done`: the tick of the newest page that was written to its end, u64.
 */
#include "tickmesh_mmio.h"

#include <inttypes.h>
#include <stdlib.h>

static uint32_t mixed(uint32_t tick, uint32_t place) {
  uint32_t h = tick ^ place * UINT32_C(0x9e3779b9);
  h = (h ^ h >> 16) * UINT32_C(0x85ebca6b);
  h = (h ^ h >> 13) * UINT32_C(0xc2b2ae35);
  return h ^ h >> 16;
}

static int row_fits(const unsigned char *row, uint32_t tick, uint32_t first) {
  for (uint32_t i = 0; i < 8; i++) {
    if (tickmesh_u32(row + 4 * i) != mixed(tick, first + i)) return 0;
  }
  return 1;
}

/** Whether all values of a page are those of its tick. */
static int fits(const tickmesh_page *page) {
  uint32_t tick = (uint32_t)page->tick;
  return page->mesh_tick == page->genesis_tick + page->tick && page->seals == page->tick * 7 &&
         page->requests == page->tick * 3 && row_fits(page->log_root, tick, 0) && row_fits(page->last_seal, tick, 8) &&
         row_fits(page->last_result, tick, 16);
}

static const volatile uint64_t *open_done(const char *directory) {
  char path[TICKMESH_PATH_BYTES];
  snprintf(path, sizeof path, "%s/done", directory);
  int file = open(path, O_RDONLY);
  void *map = file < 0 ? MAP_FAILED : mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) {
    perror(path);
    exit(3);
  }
  return (const volatile uint64_t *)map;
}

/** The writer's count at its end. */
#define ENDED UINT64_MAX

static int whole(tickmesh *node, const char *directory, uint64_t count, uint64_t torn) {
  const volatile uint64_t *done = open_done(directory);
  uint64_t pages = 0, distinct = 0, wrong = 0, fell = 0, behind = 0, busy = 0, last = 0;
  const struct timespec pause = {0, 20 * 1000};
  uint64_t from = tickmesh_now();
  while (count == 0 ? *done != ENDED : pages < count || node->torn < torn) {
    tickmesh_page page;
    /* Who waits for an end leaves the processor to others. */
    if (count == 0) nanosleep(&pause, NULL);
    uint64_t newest = *done;
    TICKMESH_BARRIER();
    int result = tickmesh_read(node, &page);
    if (result == TICKMESH_BUSY) {
      busy++;
      sched_yield();
      continue;
    }
    if (result != TICKMESH_OK) {
      fprintf(stderr, "%s\n", tickmesh_result_name(result));
      return result;
    }
    if (pages++ == 0) {
      printf("begins\n");
      fflush(stdout);
    }
    wrong += (uint64_t)!fits(&page);
    distinct += pages == 1 || page.tick != last;
    fell += page.tick < last;
    if (newest != ENDED && newest > page.tick && newest - page.tick > behind) behind = newest - page.tick;
    last = page.tick;
  }
  printf("{\"pages\":%" PRIu64 ",\"distinct\":%" PRIu64 ",\"wrong\":%" PRIu64 ",\"fell\":%" PRIu64 ",\"behind\":%" PRIu64 ",\"busy\":%" PRIu64
         ",\"odd\":%" PRIu64 ",\"moved\":%" PRIu64 ",\"torn\":%" PRIu64 ",\"ns\":%" PRIu64 "}\n",
         pages, distinct, wrong, fell, behind, busy, node->odd, node->moved, node->torn, tickmesh_now() - from);
  return 0;
}

/** A copy by itself, and between two loads of the word; the sum is looked at to count, and decides nothing. */
static int bare(tickmesh *node, uint64_t count) {
  uint64_t even = 0, even_torn = 0, even_mixed = 0, agreed = 0, agreed_torn = 0, agreed_mixed = 0;
  while (agreed < count) {
    unsigned char copy[TICKMESH_PAGE_BYTES];
    tickmesh_page page;
    uint64_t before = tickmesh_word(node);
    TICKMESH_BARRIER();
    if (node->map != NULL) {
      memcpy(copy, node->map, sizeof copy);
    } else if (pread(node->file, copy, sizeof copy, 0) != (ssize_t)sizeof copy) {
      return TICKMESH_FAILED;
    }
    TICKMESH_BARRIER();
    uint64_t after = tickmesh_word(node);
    tickmesh_decode(copy, &page);
    uint64_t is_torn = page.crc != tickmesh_sum(node, copy), is_mixed = !fits(&page);
    if ((page.seqlock & 1) == 0) {
      even++;
      even_torn += is_torn;
      even_mixed += is_mixed;
    }
    if ((before & 1) == 0 && before == after) {
      agreed++;
      agreed_torn += is_torn;
      agreed_mixed += is_mixed;
    }
  }
  printf("{\"even\":%" PRIu64 ",\"even_torn\":%" PRIu64 ",\"even_mixed\":%" PRIu64 ",\"agreed\":%" PRIu64
         ",\"agreed_torn\":%" PRIu64 ",\"agreed_mixed\":%" PRIu64 "}\n",
         even, even_torn, even_mixed, agreed, agreed_torn, agreed_mixed);
  return 0;
}

static int alive(tickmesh *node) {
  const struct timespec pause = {0, 20 * 1000 * 1000};
  int said = 0;
  while (tickmesh_alive(node)) {
    if (!said) printf("alive\n");
    fflush(stdout);
    said = 1;
    nanosleep(&pause, NULL);
  }
  printf("gone\n");
  return 0;
}

static void hex(const char *name, const unsigned char *bytes, unsigned width) {
  printf("%s ", name);
  for (unsigned i = 0; i < width; i++) printf("%02x", bytes[i]);
  printf("\n");
}

static int print(tickmesh *node) {
  tickmesh_page page;
  int result = tickmesh_read(node, &page);
  if (result != TICKMESH_OK) {
    printf("%s\n", tickmesh_result_name(result));
    return 0;
  }
  /*@ print */
  printf("same_layout %d\n", tickmesh_same_layout(&page));
  return 0;
}

static int ring(tickmesh *node, uint32_t request, uint32_t argument, uint32_t times) {
  uint64_t doorbell = 0;
  for (uint32_t i = 0; i < times; i++) {
    int result = tickmesh_ring(node, request, times == 1 ? argument : argument + i, &doorbell);
    if (result != TICKMESH_OK) return result;
  }
  printf("rang %" PRIu64 "\n", doorbell);
  return 0;
}

static int asked(tickmesh *node, int count, char **words) {
  uint32_t first = (uint32_t)strtoul(words[3], NULL, 0);
  uint32_t second = count < 5 ? 0 : (uint32_t)strtoul(words[4], NULL, 0);
  if (strcmp(words[1], "whole") == 0) return whole(node, words[2], first, second);
  if (strcmp(words[1], "bare") == 0) return bare(node, first);
  if (strcmp(words[1], "acknowledge") == 0) return tickmesh_acknowledge(node, first);
  if (strcmp(words[1], "mask") == 0) return tickmesh_mask(node, first);
  if (strcmp(words[1], "ring") != 0 || count < 5) return 9;
  return ring(node, first, second, count < 6 ? 1 : (uint32_t)strtoul(words[5], NULL, 0));
}

int main(int count, char **words) {
  tickmesh node;
  if (count < 3) return 9;
  int result = tickmesh_open(&node, words[2]);
  if (result != TICKMESH_OK) {
    printf("%s\n", tickmesh_result_name(result));
    return result;
  }
  if (strcmp(words[1], "print") == 0) {
    result = print(&node);
  } else if (strcmp(words[1], "alive") == 0) {
    result = alive(&node);
  } else {
    result = count < 4 ? 9 : asked(&node, count, words);
  }
  tickmesh_close(&node);
  return result;
}
