// What the C programs of the bench share: the processor time they have had, and zeroed memory that begins on a cache
// line. Each program prints the milliseconds of its loops, a blank, and how accurate its answer was. Nothing here runs
// while they do.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static inline void *allocate(size_t bytes) {
  size_t whole = (bytes + 63) / 64 * 64;
  void *memory = aligned_alloc(64, whole);
  if (memory == NULL) exit(1);
  return memset(memory, 0, whole);
}

static inline double *doubles(size_t count) { return allocate(count * sizeof(double)); }
