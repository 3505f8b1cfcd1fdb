/* compiler.h -- what C11 does not name: hints that change speed and nothing else.  Every
 * use may be defined away. */
#ifndef CUCKOO_COMPILER_H
#define CUCKOO_COMPILER_H

#if defined(__GNUC__)
/* Ask for the cache line of an address that will be needed soon. */
#define PREFETCH(address) __builtin_prefetch(address)
/* A function compiled anew for each constant that it is called with. */
#define SPECIALIZED         inline __attribute__((always_inline))
#define UNLIKELY(condition) __builtin_expect((condition) != 0, 0)
/* The number of zero bits below the lowest one; word != 0. */
#define TRAILING_ZEROS(word) __builtin_ctzll(word)
#else
#define PREFETCH(address)    ((void)(address))
#define SPECIALIZED          inline
#define UNLIKELY(condition)  (condition)
#define TRAILING_ZEROS(word) trailing_zeros(word)
static inline int trailing_zeros(unsigned long long word)
{
    int zeros = 0;

    for (; (word & 1) == 0; word >>= 1)
        zeros++;
    return zeros;
}
#endif

/* Before a loop whose number of rounds is a small constant: no loop.  (gcc -O2 keeps it
 * otherwise; clang does not.) */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

#endif
