/* hash.h -- the mixer and the map from a hash to a range.
 *
 * hash_mix is the finalizer of splitmix64 (Steele, Lea, Flood, "Fast Splittable
 * Pseudorandom Number Generators", OOPSLA 2014, variant 13 of Stafford): a bijection of
 * 64-bit words whose output stands in for a fully random function here.
 *
 * hash_reduce maps 32 bits to [0, n) by the high half of a product (Lemire, "Fast Random
 * Integer Generation in an Interval", TOMACS 2019).  32 x 32 -> 64 bits exists on every
 * target.  A value's probability differs from 1/n by less than 2^-32, which is n/2^32
 * relative: 5e-6 at n = 20000, 2e-4 at n = 2^20, and zero where n is a power of two. */
#ifndef CUCKOO_HASH_H
#define CUCKOO_HASH_H

#include <stdint.h>

#define HASH_GAMMA UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio, odd */

static inline uint64_t hash_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* h: 32 random bits in the low half; 1 <= n < 2^32.  Returns a value in [0, n). */
static inline uint32_t hash_reduce(uint64_t h, uint32_t n)
{
    return (uint32_t)(((h & UINT64_C(0xffffffff)) * n) >> 32);
}

#endif
