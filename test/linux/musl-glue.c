// What libstdc++ and libgcc of Debian, which are built for glibc, need and musl has not. The executable for musl brings neither, as every
// distribution with musl has its own.
#include <stddef.h>
#include <stdint.h>
#include <sys/random.h>
#include <time.h>

char __libc_single_threaded = 0;
unsigned __cpu_model[4];

int __cpu_indicator_init(void) { return 0; }

int _dl_find_object(void *address, void *result) { return -1; }

int __cxa_thread_atexit_impl(void (*end)(void *), void *object, void *library) { return 0; }

size_t __strftime_l(char *text, size_t size, const char *format, const struct tm *time, void *locale) {
  return strftime(text, size, format, time);
}

uint32_t arc4random(void) {
  uint32_t value;
  getrandom(&value, sizeof value, 0);
  return value;
}
