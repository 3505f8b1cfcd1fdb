/* derive_many.c -- three and four buckets from one and a tag; see derive.h. */
#include "derive.h"

#include "error.h"
#include "hash.h"

/* Factors of MurmurHash2 and 3: what a tag adds from a candidate to the next. */
static const uint32_t factor[DERIVE_MANY - 1] = {UINT32_C(0x5bd1e995), UINT32_C(0xcc9e2d51),
                                                 UINT32_C(0x1b873593)};

/* Digit by digit modulo 3, for numbers below 3^20. */
static uint32_t add_base_3(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;

    for (uint32_t place = 1; a > 0 || b > 0; place *= 3, a /= 3, b /= 3)
        sum += (a % 3 + b % 3) % 3 * place;
    return sum;
}

/* The same modulo 4: two bits a digit, the carries between digits cut off. */
static uint32_t add_base_4(uint32_t a, uint32_t b)
{
    const uint32_t even = UINT32_C(0x33333333);

    return (((a & even) + (b & even)) & even) | (((a & ~even) + (b & ~even)) & ~even);
}

static int is_power(uint64_t m, unsigned base)
{
    while (m > 1 && m % base == 0)
        m /= base;
    return m == 1;
}

int derive_check_many(const struct derive *self, unsigned d, int split, uint64_t m)
{
    if (self->kind != DERIVE_XOR_HASH || self->bits < 1 || self->bits > 32)
        return ERR_DOMAIN;
    if (d < 3 || d > DERIVE_MANY || m > UINT32_C(0x80000000))
        return ERR_DOMAIN;
    return is_power(m, split ? 2 : d) ? ERR_NONE : ERR_DOMAIN;
}

void derive_many(const struct derive *self, unsigned d, int split, uint64_t hash, uint32_t m,
                 uint32_t *bucket)
{
    uint32_t tag = derive_tag(self, hash), step = tag * factor[0] % m;

    bucket[0] = hash_reduce(hash >> 32, m);
    for (unsigned j = 1; j < d; j++)
        if (split)
            bucket[j] = bucket[j - 1] ^ (tag * factor[j - 1] & (m - 1));
        else
            bucket[j] = d == 3 ? add_base_3(bucket[j - 1], step) : add_base_4(bucket[j - 1], step);
}
