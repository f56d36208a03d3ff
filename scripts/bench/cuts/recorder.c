/*
 * Records what a program asks of the files below a directory, in order, into a journal beside it: LD_PRELOAD puts
 * these functions in front of the C library's. A model reads the journal (journal.ts) and makes of it the directory as
 * a power cut might leave it, so syncs are written down and not carried out: a cut is a matter of the model.
 *
 * TICKMESH_CUTS_BELOW   the directory, absolute, without a slash at its end
 * TICKMESH_CUTS_JOURNAL the journal, which is appended to
 *
 * One record: 48 bytes of little-endian integers (u32 kind, u32 flags, u32 bytes of the path, of the second path and
 * of the data, u32 zero, u64 inode, u64 offset, u64 size), then path, second path, data.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
  OPENED = 1, /* made, or cut to nothing; flags: 1 made, 2 cut */
  WRITTEN = 2,
  RESIZED = 3,
  RENAMED = 4,
  LINKED = 5,
  UNLINKED = 6,
  MADE_DIRECTORY = 7,
  SYNCED = 8, /* flags: 1 a directory */
  UNKNOWN = 9 /* something that the model does not know: it ends there */
};

struct head {
  uint32_t kind, flags, path, second, data, zero;
  uint64_t inode, offset, size;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char below[PATH_MAX];
static size_t below_length;
static int journal = -1;

__attribute__((constructor)) static void begin(void) {
  const char *directory = getenv("TICKMESH_CUTS_BELOW");
  const char *path = getenv("TICKMESH_CUTS_JOURNAL");
  if (directory == NULL || path == NULL) return;
  snprintf(below, sizeof below, "%s", directory);
  int low = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (low < 0) abort();
  /* Out of the way of a program that counts on the number of its next file. */
  journal = fcntl(low, F_DUPFD_CLOEXEC, 900);
  close(low);
  if (journal < 0) abort();
  below_length = strlen(below);
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int is_below(const char *path) {
  return below_length > 0 && strncmp(path, below, below_length) == 0 &&
         (path[below_length] == '/' || path[below_length] == 0);
}

/* The absolute path of a name beside a directory's descriptor. */
static void whole(int at, const char *path, char *out) {
  char base[PATH_MAX] = "";
  if (path[0] == '/') {
    snprintf(out, PATH_MAX, "%s", path);
  } else {
    if (at == AT_FDCWD) {
      if (getcwd(base, sizeof base) == NULL) base[0] = 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      ssize_t length = readlink(link, base, sizeof base - 1);
      base[length < 0 ? 0 : length] = 0;
    }
    size_t length = strlen(base);
    snprintf(out, PATH_MAX, "%s", base);
    snprintf(out + length, PATH_MAX - length, "/%s", path);
  }
  size_t end = strlen(out);
  while (end > 1 && out[end - 1] == '/') out[--end] = 0;
}

/* Whether a descriptor is of a file or directory below; its path, as it is now. */
static int of(int file, struct stat *about, char *path) {
  if (below_length == 0 || file == journal || fstat(file, about) != 0) return 0;
  if (!S_ISREG(about->st_mode) && !S_ISDIR(about->st_mode)) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return is_below(path);
}

static void put(struct head head, const char *path, const char *second, const struct iovec *data, int parts) {
  struct iovec all[IOV_MAX];
  head.path = path == NULL ? 0 : (uint32_t)strlen(path);
  head.second = second == NULL ? 0 : (uint32_t)strlen(second);
  all[0] = (struct iovec){&head, sizeof head};
  all[1] = (struct iovec){(void *)(uintptr_t)path, head.path};
  all[2] = (struct iovec){(void *)(uintptr_t)second, head.second};
  int count = 3;
  uint32_t left = head.data;
  for (int i = 0; i < parts && left > 0; i++) {
    size_t length = data[i].iov_len < left ? data[i].iov_len : left;
    if (length == 0) continue;
    if (count == IOV_MAX) abort();
    all[count++] = (struct iovec){data[i].iov_base, length};
    left -= (uint32_t)length;
  }
  REAL(writev);
  size_t wanted = sizeof head + head.path + head.second + head.data;
  /* A record that is cut short would shift all that follow. */
  if (real(journal, all, count) != (ssize_t)wanted) abort();
}

static void lock(int *kept) {
  *kept = errno;
  pthread_mutex_lock(&turn);
  errno = *kept;
}

static void unlock(void) {
  int kept = errno;
  pthread_mutex_unlock(&turn);
  errno = kept;
}

/* A write that is done: where it began is known afterwards, also where the file is appended to. */
static void written(int file, ssize_t done, off_t offset, const struct iovec *data, int parts) {
  int kept = errno;
  struct stat about;
  char path[PATH_MAX];
  if (done > 0 && of(file, &about, path)) {
    if (offset < 0) offset = lseek(file, 0, SEEK_CUR) - done;
    struct head head = {.kind = WRITTEN, .data = (uint32_t)done};
    head.inode = about.st_ino;
    head.offset = (uint64_t)offset;
    put(head, path, NULL, data, parts);
  }
  errno = kept;
}

static void unknown(const char *what) {
  put((struct head){.kind = UNKNOWN}, what, NULL, NULL, 0);
}

ssize_t write(int file, const void *from, size_t length) {
  REAL(write);
  int kept;
  lock(&kept);
  ssize_t done = real(file, from, length);
  written(file, done, -1, &(struct iovec){(void *)(uintptr_t)from, length}, 1);
  unlock();
  return done;
}

ssize_t writev(int file, const struct iovec *data, int parts) {
  REAL(writev);
  int kept;
  lock(&kept);
  ssize_t done = real(file, data, parts);
  written(file, done, -1, data, parts);
  unlock();
  return done;
}

#define PWRITE(name) \
  ssize_t name(int file, const void *from, size_t length, off_t offset) { \
    REAL(name); \
    int kept; \
    lock(&kept); \
    ssize_t done = real(file, from, length, offset); \
    written(file, done, offset, &(struct iovec){(void *)(uintptr_t)from, length}, 1); \
    unlock(); \
    return done; \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define PWRITEV(name) \
  ssize_t name(int file, const struct iovec *data, int parts, off_t offset) { \
    REAL(name); \
    int kept; \
    lock(&kept); \
    ssize_t done = real(file, data, parts, offset); \
    written(file, done, offset, data, parts); \
    unlock(); \
    return done; \
  }
PWRITEV(pwritev)
PWRITEV(pwritev64)

static void opened(int file, int flags, int was, const char *path) {
  struct stat about;
  int kept = errno;
  if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
    uint32_t what = (was ? 0 : 1) | ((was && (flags & O_TRUNC)) ? 2 : 0);
    if (what != 0) put((struct head){.kind = OPENED, .flags = what, .inode = about.st_ino}, path, NULL, NULL, 0);
  }
  errno = kept;
}

static mode_t mode_of(int flags, va_list words) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(words, int) : 0;
}

#define OPENAT(name, at, first, call) \
  int name first { \
    REAL(name); \
    va_list words; \
    va_start(words, flags); \
    mode_t mode = mode_of(flags, words); \
    va_end(words); \
    char full[PATH_MAX]; \
    if (below_length == 0 || (flags & (O_CREAT | O_TRUNC)) == 0) return real call; \
    whole(at, path, full); \
    if (!is_below(full)) return real call; \
    int kept; \
    lock(&kept); \
    struct stat about; \
    int was = stat(full, &about) == 0; \
    errno = kept; \
    int file = real call; \
    opened(file, flags, was, full); \
    unlock(); \
    return file; \
  }
OPENAT(open, AT_FDCWD, (const char *path, int flags, ...), (path, flags, mode))
OPENAT(open64, AT_FDCWD, (const char *path, int flags, ...), (path, flags, mode))
OPENAT(openat, at, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPENAT(openat64, at, (int at, const char *path, int flags, ...), (at, path, flags, mode))

static void resized(int file, off_t size) {
  struct stat about;
  char path[PATH_MAX];
  if (!of(file, &about, path)) return;
  put((struct head){.kind = RESIZED, .inode = about.st_ino, .size = (uint64_t)size}, path, NULL, NULL, 0);
}

#define FTRUNCATE(name) \
  int name(int file, off_t size) { \
    REAL(name); \
    int kept; \
    lock(&kept); \
    int done = real(file, size); \
    if (done == 0) resized(file, size); \
    unlock(); \
    return done; \
  }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

#define TRUNCATE(name) \
  int name(const char *path, off_t size) { \
    REAL(name); \
    char full[PATH_MAX]; \
    whole(AT_FDCWD, path, full); \
    int kept; \
    lock(&kept); \
    int done = real(path, size); \
    struct stat about; \
    if (done == 0 && is_below(full) && stat(full, &about) == 0) \
      put((struct head){.kind = RESIZED, .inode = about.st_ino, .size = (uint64_t)size}, full, NULL, NULL, 0); \
    unlock(); \
    return done; \
  }
TRUNCATE(truncate)
TRUNCATE(truncate64)

/* Carries out a change of names and writes it down where it was done. */
#define NAMES(sort, call, one, two) \
  char full[PATH_MAX], other[PATH_MAX]; \
  one; \
  two; \
  int kept; \
  lock(&kept); \
  int done = call; \
  if (done == 0 && (is_below(full) || is_below(other))) \
    put((struct head){.kind = sort}, full, other[0] == 0 ? NULL : other, NULL, 0); \
  unlock(); \
  return done

int rename(const char *from, const char *to) {
  REAL(rename);
  NAMES(RENAMED, real(from, to), whole(AT_FDCWD, from, full), whole(AT_FDCWD, to, other));
}

int renameat(int a, const char *from, int b, const char *to) {
  REAL(renameat);
  NAMES(RENAMED, real(a, from, b, to), whole(a, from, full), whole(b, to, other));
}

int link(const char *from, const char *to) {
  REAL(link);
  NAMES(LINKED, real(from, to), whole(AT_FDCWD, from, full), whole(AT_FDCWD, to, other));
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
  REAL(linkat);
  NAMES(LINKED, real(a, from, b, to, flags), whole(a, from, full), whole(b, to, other));
}

int unlink(const char *path) {
  REAL(unlink);
  NAMES(UNLINKED, real(path), whole(AT_FDCWD, path, full), other[0] = 0);
}

int unlinkat(int at, const char *path, int flags) {
  REAL(unlinkat);
  NAMES(UNLINKED, real(at, path, flags), whole(at, path, full), other[0] = 0);
}

int rmdir(const char *path) {
  REAL(rmdir);
  NAMES(UNLINKED, real(path), whole(AT_FDCWD, path, full), other[0] = 0);
}

int remove(const char *path) {
  REAL(remove);
  NAMES(UNLINKED, real(path), whole(AT_FDCWD, path, full), other[0] = 0);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  NAMES(MADE_DIRECTORY, real(path, mode), whole(AT_FDCWD, path, full), other[0] = 0);
}

int mkdirat(int at, const char *path, mode_t mode) {
  REAL(mkdirat);
  NAMES(MADE_DIRECTORY, real(at, path, mode), whole(at, path, full), other[0] = 0);
}

/* The disk itself is not asked: what was not synced by then is dropped by the model, not by the machine. */
#define SYNC(name) \
  int name(int file) { \
    REAL(name); \
    struct stat about; \
    char path[PATH_MAX]; \
    int kept; \
    lock(&kept); \
    int ours = of(file, &about, path); \
    if (ours) { \
      struct head head = {.kind = SYNCED, .flags = S_ISDIR(about.st_mode) ? 1 : 0}; \
      head.inode = about.st_ino; \
      put(head, path, NULL, NULL, 0); \
    } \
    unlock(); \
    return ours ? 0 : real(file); \
  }
SYNC(fsync)
SYNC(fdatasync)

#define UNKNOWN_CALL(name, type, first, call, files) \
  type name first { \
    REAL(name); \
    struct stat about; \
    char path[PATH_MAX]; \
    int kept; \
    lock(&kept); \
    if (files) unknown(#name); \
    unlock(); \
    return real call; \
  }
UNKNOWN_CALL(copy_file_range, ssize_t,
             (int from, off64_t *a, int to, off64_t *b, size_t length, unsigned flags),
             (from, a, to, b, length, flags), of(to, &about, path))
UNKNOWN_CALL(fallocate, int, (int file, int mode, off_t from, off_t length), (file, mode, from, length),
             of(file, &about, path))
UNKNOWN_CALL(posix_fallocate, int, (int file, off_t from, off_t length), (file, from, length),
             of(file, &about, path))
UNKNOWN_CALL(mmap, void *, (void *to, size_t length, int how, int flags, int file, off_t from),
             (to, length, how, flags, file, from),
             (how & PROT_WRITE) && (flags & MAP_SHARED) && file >= 0 && of(file, &about, path))

/*
 * LevelDB writes through stdio, whose own writes do not pass here: a stream over a descriptor of ours hands them on
 * when its buffer is flushed, as the C library's would.
 */
enum { STREAMS_MAX = 1024, BUFFER_BYTES = 4096 };
static struct {
  FILE *stream;
  int file;
} streams[STREAMS_MAX];

static ssize_t stream_write(void *cookie, const char *from, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t part = write((int)(intptr_t)cookie, from + done, length - done);
    if (part < 0) break;
    done += (size_t)part;
  }
  return (ssize_t)done;
}

static int stream_close(void *cookie) {
  int kept;
  lock(&kept);
  for (int i = 0; i < STREAMS_MAX; i++)
    if (streams[i].stream != NULL && streams[i].file == (int)(intptr_t)cookie) streams[i].stream = NULL;
  unlock();
  return close((int)(intptr_t)cookie);
}

#define FOPEN(name) \
  FILE *name(const char *path, const char *mode) { \
    REAL(name); \
    char full[PATH_MAX]; \
    if (below_length == 0 || mode[0] == 'r') return real(path, mode); \
    whole(AT_FDCWD, path, full); \
    if (!is_below(full)) return real(path, mode); \
    int file = open64(path, O_WRONLY | O_CREAT | O_CLOEXEC | (mode[0] == 'a' ? O_APPEND : O_TRUNC), 0666); \
    if (file < 0) return NULL; \
    FILE *stream = fopencookie((void *)(intptr_t)file, "w", (cookie_io_functions_t){0, stream_write, 0, stream_close}); \
    if (stream == NULL) abort(); \
    setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES); \
    int kept, i = 0; \
    lock(&kept); \
    while (i < STREAMS_MAX && streams[i].stream != NULL) i++; \
    if (i == STREAMS_MAX) abort(); \
    streams[i].stream = stream; \
    streams[i].file = file; \
    unlock(); \
    return stream; \
  }
FOPEN(fopen)
FOPEN(fopen64)

int fileno(FILE *stream) {
  REAL(fileno);
  int kept, file = -1;
  lock(&kept);
  for (int i = 0; i < STREAMS_MAX && file < 0; i++)
    if (streams[i].stream == stream) file = streams[i].file;
  unlock();
  return file >= 0 ? file : real(stream);
}
