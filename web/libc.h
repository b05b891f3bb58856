// The parts of a C library used by ufbx (C) and meshopt (C++), for wasm32-unknown-unknown, which has none.
//
// CFLAGS includes it before each of their files (scripts/web.sh). Memory comes from Rust's allocator, exported by
// wasm-bindgen. Maths functions come from Rust's compiler-builtins, so that results match Rust's.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Source: wasm-bindgen, src/rt: size and alignment in bytes, the old size to release.
void *__wbindgen_malloc(size_t size, size_t align);
void *__wbindgen_realloc(void *memory, size_t old_size, size_t new_size, size_t align);
void __wbindgen_free(void *memory, size_t size, size_t align);

#ifdef __cplusplus
}

// meshopt's `operator delete` doesn't pass a size, so the size is stored in front of each allocation.
#define RIGSCOPE_FRONT 16

__attribute__((weak)) void *operator new(size_t size) {
    char *memory = (char *)__wbindgen_malloc(size + RIGSCOPE_FRONT, RIGSCOPE_FRONT);
    *(size_t *)memory = size + RIGSCOPE_FRONT;
    return memory + RIGSCOPE_FRONT;
}

__attribute__((weak)) void operator delete(void *memory) noexcept {
    if (!memory) return;
    char *front = (char *)memory - RIGSCOPE_FRONT;
    __wbindgen_free(front, *(size_t *)front, RIGSCOPE_FRONT);
}

__attribute__((weak)) void operator delete(void *memory, size_t) noexcept { operator delete(memory); }

// Functions that meshopt's bundled headers don't declare.
#define floorf(x) __builtin_floorf(x)
#define ceilf(x) __builtin_ceilf(x)
#define roundf(x) __builtin_roundf(x)
#define log2f(x) __builtin_log2f(x)
#define powf(x, y) __builtin_powf(x, y)
#define sinf(x) __builtin_sinf(x)
#define cosf(x) __builtin_cosf(x)
#define acosf(x) __builtin_acosf(x)
#define frexpf(x, e) __builtin_frexpf(x, e)
#define ldexpf(x, e) __builtin_ldexpf(x, e)

#else

// For ufbx, which gets everything from here. It parses memory and opens no files.
#define UFBX_NO_LIBC
#define UFBX_NO_STDIO
#define UFBX_NO_EXTERNAL_DEFINES

#define DBL_MAX __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#define FLT_MAX __FLT_MAX__
#define FLT_EPSILON __FLT_EPSILON__
#define FLT_EVAL_METHOD __FLT_EVAL_METHOD__

static inline double ufbx_sqrt(double x) { return __builtin_sqrt(x); }
static inline double ufbx_fabs(double x) { return __builtin_fabs(x); }
static inline double ufbx_sin(double x) { return __builtin_sin(x); }
static inline double ufbx_cos(double x) { return __builtin_cos(x); }
static inline double ufbx_tan(double x) { return __builtin_tan(x); }
static inline double ufbx_asin(double x) { return __builtin_asin(x); }
static inline double ufbx_acos(double x) { return __builtin_acos(x); }
static inline double ufbx_atan(double x) { return __builtin_atan(x); }
static inline double ufbx_atan2(double y, double x) { return __builtin_atan2(y, x); }
static inline double ufbx_pow(double x, double y) { return __builtin_pow(x, y); }
static inline double ufbx_fmin(double a, double b) { return __builtin_fmin(a, b); }
static inline double ufbx_fmax(double a, double b) { return __builtin_fmax(a, b); }
static inline double ufbx_copysign(double x, double y) { return __builtin_copysign(x, y); }
static inline double ufbx_rint(double x) { return __builtin_rint(x); }
static inline double ufbx_floor(double x) { return __builtin_floor(x); }
static inline double ufbx_ceil(double x) { return __builtin_ceil(x); }
static inline int ufbx_isnan(double x) { return __builtin_isnan(x); }

static inline double ufbx_nextafter(double from, double to) {
    if (__builtin_isnan(from) || __builtin_isnan(to)) return from + to;
    if (from == to) return to;
    if (from == 0.0) return __builtin_copysign(__DBL_DENORM_MIN__, to);
    int64_t bits;
    __builtin_memcpy(&bits, &from, sizeof(bits));
    bits += (from < to) == (from > 0.0) ? 1 : -1;
    __builtin_memcpy(&from, &bits, sizeof(bits));
    return from;
}

static inline void *ufbx_memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
static inline void *ufbx_memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }
static inline void *ufbx_memset(void *to, int byte, size_t size) { return __builtin_memset(to, byte, size); }
static inline int ufbx_memcmp(const void *a, const void *b, size_t size) { return __builtin_memcmp(a, b, size); }

static inline const void *ufbx_memchr(const void *memory, int value, size_t size) {
    const unsigned char *byte = (const unsigned char *)memory;
    for (; size > 0; size--, byte++) {
        if (*byte == (unsigned char)value) return byte;
    }
    return NULL;
}

static inline size_t ufbx_strlen(const char *text) {
    size_t size = 0;
    while (text[size]) size++;
    return size;
}

static inline int ufbx_strncmp(const char *a, const char *b, size_t size) {
    for (; size > 0; size--, a++, b++) {
        if (*a != *b) return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        if (!*a) return 0;
    }
    return 0;
}

static inline int ufbx_strcmp(const char *a, const char *b) { return ufbx_strncmp(a, b, SIZE_MAX); }

static inline void *ufbx_malloc(size_t size) { return __wbindgen_malloc(size, 16); }
static inline void *ufbx_realloc(void *memory, size_t old_size, size_t new_size) {
    return memory ? __wbindgen_realloc(memory, old_size, new_size, 16) : ufbx_malloc(new_size);
}
static inline void ufbx_free(void *memory, size_t size) {
    if (memory) __wbindgen_free(memory, size, 16);
}

#endif
