/* family.c -- see family.h. */
#include "family.h"

#include "hash.h"
#include "rng.h"

static const char *const names[FAMILY_COUNT] = {
    "mixer", "mixer-each", "multiply", "multiply-xor", "multiply-cut", "linear",
    "poly1", "poly4",      "poly5",    "tabulation8",  "tabulation16", "double",
};

const char *family_name(enum hash_family kind)
{
    return names[kind];
}

uint64_t family_prime(uint64_t n)
{
    uint64_t p = n < 2 ? 2 : n;

    for (;; p++) {
        uint64_t q = 2;
        while (q * q <= p && p % q != 0)
            q++;
        if (q * q > p)
            return p;
    }
}

void family_init(struct family *self, enum hash_family kind, uint64_t universe, int fitted)
{
    *self = (struct family){.kind = kind, .bits = 64, .prime = FAMILY_P61};
    if (!fitted || universe == 0)
        return;
    for (self->bits = 2; self->bits < 64 && (universe - 1) >> self->bits != 0; self->bits++)
        ;
    if (universe <= UINT64_C(0xffffffff) - 4)
        self->prime = family_prime(universe);
}

/* The product has up to 122 bits: high * 2^61 + low = high + low mod 2^61 - 1. */
static uint64_t multiply_p61(uint64_t a, uint64_t b)
{
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t middle = a1 * b0 + a0 * b1; /* < 2 * 2^61 */
    uint64_t low = a0 * b0;
    uint64_t carried = low + (middle << 32);
    uint64_t high = a1 * b1 + (middle >> 32) + (carried < low);
    uint64_t sum = (carried & FAMILY_P61) + ((high << 3) | (carried >> 61));

    sum = (sum & FAMILY_P61) + (sum >> 61);
    return sum >= FAMILY_P61 ? sum - FAMILY_P61 : sum;
}

uint64_t family_multiply(uint64_t a, uint64_t b, uint64_t p)
{
    return p == FAMILY_P61 ? multiply_p61(a, b) : a * b % p;
}

/* Uniform in [0, n), n <= 2^61: words of 61 bits until one is below n. */
static uint64_t draw_below(struct rng *rng, uint64_t n)
{
    uint64_t mask = n - 1;

    for (unsigned shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    for (;;) {
        uint64_t word = rng_next(rng) & mask;
        if (word < n)
            return word;
    }
}

static unsigned degree(enum hash_family kind)
{
    return kind == FAMILY_POLY4 ? 4 : kind == FAMILY_POLY5 ? 5 : 1;
}

void family_draw(const struct family *self, uint64_t key, uint64_t *word)
{
    struct rng rng;

    rng_init(&rng, key);
    for (unsigned i = 0; i < FAMILY_WORDS; i++)
        word[i] = rng_next(&rng);
    switch (self->kind) {
    case FAMILY_MULTIPLY:
    case FAMILY_MULTIPLY_XOR:
    case FAMILY_MULTIPLY_CUT:
        for (unsigned i = 0; i < FAMILY_WORDS; i++)
            word[i] |= 1;
        break;
    case FAMILY_LINEAR: /* word 0 the constant term, word 1 the factor, not zero */
        word[0] = draw_below(&rng, self->prime);
        word[1] = 1 + draw_below(&rng, self->prime - 1);
        break;
    case FAMILY_POLY1:
    case FAMILY_POLY4:
    case FAMILY_POLY5: /* word i the coefficient of x^i, any residue */
        for (unsigned i = 0; i <= degree(self->kind); i++)
            word[i] = draw_below(&rng, FAMILY_P61);
        break;
    default:
        break;
    }
}

/* Horner's rule; word i is the coefficient of x^i. */
static uint64_t polynomial(const uint64_t *word, unsigned top, uint64_t x, uint64_t p)
{
    uint64_t value = word[top];

    x %= p;
    for (unsigned i = top; i-- > 0;) {
        value = family_multiply(value, x, p) + word[i];
        if (value >= p)
            value -= p;
    }
    return value;
}

/* Entry (position, character) of the tables is word position * 2^bits + character of the
 * function's stream. */
static uint64_t tabulate(uint64_t stream, uint64_t key, unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, value = 0;

    for (uint64_t position = 0; position < 64 / bits; position++) {
        uint64_t entry = (position << bits) + (key & mask);
        value ^= hash_mix(stream + (entry + 1) * HASH_GAMMA);
        key >>= bits;
    }
    return value;
}

uint64_t family_value(const struct family *self, const uint64_t *word, uint64_t key)
{
    unsigned up = 64 - self->bits; /* a x mod 2^b, moved to the top */

    switch (self->kind) {
    case FAMILY_MULTIPLY:
        return (word[0] * key) << up;
    case FAMILY_MULTIPLY_XOR:
        return ((word[0] * key) << up) ^ ((word[1] * key) << up) ^ ((word[2] * key) << up);
    case FAMILY_MULTIPLY_CUT:
        return word[0] * key;
    case FAMILY_LINEAR:
        return polynomial(word, 1, key, self->prime);
    case FAMILY_POLY1:
    case FAMILY_POLY4:
    case FAMILY_POLY5:
        return polynomial(word, degree(self->kind), key, FAMILY_P61);
    case FAMILY_TABULATION8:
        return tabulate(word[0], key, 8);
    case FAMILY_TABULATION16:
        return tabulate(word[0], key, 16);
    default:
        return hash_mix(key ^ word[0]);
    }
}

static int is_residue(enum hash_family kind)
{
    return kind == FAMILY_LINEAR || kind == FAMILY_POLY1 || kind == FAMILY_POLY4 ||
           kind == FAMILY_POLY5;
}

/* Families whose one value serves two candidates. */
static int is_cut(enum hash_family kind)
{
    return kind == FAMILY_MIXER || kind == FAMILY_MULTIPLY_CUT;
}

static void double_hashing(uint64_t value, unsigned d, const uint32_t *width, uint32_t *bucket)
{
    uint32_t step = width[0] > 1 ? 1 + hash_reduce(value, width[0] - 1) : 0;
    uint64_t at = hash_reduce(value >> 32, width[0]);

    for (unsigned j = 0; j < d; j++) {
        bucket[j] = (uint32_t)at;
        at += step;
        if (at >= width[0])
            at -= width[0];
    }
}

void family_candidates(const struct family *self, const uint64_t (*word)[FAMILY_WORDS],
                       uint64_t key, unsigned d, const uint32_t *width, uint32_t *bucket)
{
    if (self->kind == FAMILY_DOUBLE) {
        double_hashing(family_value(self, word[0], key), d, width, bucket);
        return;
    }
    for (unsigned j = 0; j < d; j++) {
        if (is_cut(self->kind)) {
            uint64_t value = family_value(self, word[j / 2], key);
            bucket[j] = hash_reduce(j % 2 == 0 ? value >> 32 : value, width[j]);
            continue;
        }
        uint64_t value = family_value(self, word[j], key);
        bucket[j] = is_residue(self->kind) ? (uint32_t)(value % width[j])
                                           : hash_reduce(value >> 32, width[j]);
    }
}
